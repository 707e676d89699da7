"""What `policy lint` says of a policy is true of it: each flaw stands beside commands that the same policy judges."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.home import Home
from helpers.rules import add

from asimi.compose import Options
from asimi.compose.configuration import configuration_of
from asimi.core.call import Place, Request
from asimi.core.errors import ConfigError
from asimi.extras.advice.linting import CHECKS
from asimi.world.config.presets import PRESETS, Start, init

ALL = 'coreTools = ["run_shell_command"]\n'


class Person:
    """A home with a project in it, in which nothing runs."""

    def __init__(self, directory):
        self.home, self.root = directory / "home", directory / "home" / "work" / "project"
        self.file = self.home / ".config" / "asimi" / "config.toml"
        (self.root / "sub").mkdir(parents=True)
        self.file.parent.mkdir(parents=True)

    def configuration(self, text=None, root=None):
        if text is not None:
            self.file.write_text(text, encoding="utf-8")
        return configuration_of(Options(root=str(root or self.root)))

    def flaws(self, text=None, **more):
        return [(flaw.kind, flaw.entry) for flaw in self.configuration(text, **more).flaws()]

    def verdict(self, text, command):
        place = Place(str(self.root), str(self.root), inside=True)
        request = Request("run_shell_command", command, None, place)
        if isinstance(command, tuple):
            request = Request("execute_command", command[0], command[1:], place)
        return self.configuration(text).settings().policy.decide(request).verdict.word


@pytest.fixture
def person(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Person(tmp_path)


class Case(NamedTuple):
    """A configuration, the kinds of its flaws, and commands that show that they are some.

    Attributes:
        text: the configuration.
        kinds: of its flaws, in the order of the lines.
        shows: commands with the verdict that this configuration gives.
        better: what its flaws say to write instead, which has none; the same commands are then `other`.
        other: the same commands, or more, with the verdict that this gives.
    """

    text: str
    kinds: list[str]
    shows: dict[object, str]
    better: str = ""
    other: dict[object, str] | None = None


def allow(*entries):
    return "coreTools = [\n" + "".join(f"  '''run_shell_command({entry})''',\n" for entry in entries) + "]\n"


def deny(*entries):
    return allow(*entries).replace("coreTools", "excludeTools", 1)


def ask(*entries):
    return allow(*entries).replace("coreTools", "ask", 1)


def rule(decision, *lines):
    return "\n".join(["[[rules]]", f'decision = "{decision}"', *lines, ""])


CASES = {
    "an assignment is no word": Case(
        allow("CI=1 make"), ["name"], {"CI=1 make": "ask"},
        allow("make") + '[environment]\nfree = ["CI"]\n', {"CI=1 make": "allow"},
    ),
    "an assignment hides nothing from a deny": Case(
        ALL + deny("CI=1 make"), ["name"], {"CI=1 make": "allow", "make": "allow"},
        ALL + deny("make"), {"CI=1 make": "deny"},
    ),
    "a keyword is no command": Case(
        allow("if", "[[", "ls"), ["name", "name"], {"if ls; then ls; fi": "allow", "if x; then ls; fi": "ask"},
        allow("x", "ls"), {"if x; then ls; fi": "allow"},
    ),
    "a keyword cannot be denied": Case(ALL + deny("for"), ["name"], {"for x in a; do ls; done": "allow"}),
    "quotes around a command make one name": Case(
        ALL + deny("'git push'"), ["name"], {"git push": "allow"}, ALL + deny("git push"), {"git push": "deny"}
    ),
    "a star is itself": Case(
        rule("allow", 'command = ["make", "*"]'), ["literal"], {"make x": "ask", "make '*'": "allow"},
        rule("allow", 'command = ["make"]'), {"make x": "allow"},
    ),
    "a star at the end is itself": Case(
        rule("allow", 'command = ["npm", "run", "test:*"]'), ["literal"], {"npm run test:unit": "ask"}
    ),
    "a star in a name is itself": Case(
        ALL + rule("deny", 'command = ["docker*"]'), ["literal"], {"docker ps": "allow", "docker-compose up": "allow"}
    ),
    "a star that a program reads is none of ours": Case(
        rule("allow", 'command = ["find", ".", "-name", "*"]') + rule("allow", 'command = ["git", "add", "*"]'),
        [], {"find . -name '*'": "allow", "git add '*'": "allow"},
    ),
    "a home in a name is itself": Case(
        rule("allow", 'command = ["~/bin/x"]'), ["literal"], {"~/bin/x": "ask", "'~/bin/x'": "allow"}
    ),
    "a variable in a name is itself": Case(
        ALL + rule("deny", 'command = ["$HOME/bin/x"]'), ["literal"], {"/home/a/bin/x": "allow"}
    ),
    "a home in a pattern of arguments is itself": Case(
        ALL + rule("deny", 'command = "cat"', 'args_any = ["~/x/*"]'), ["literal"],
        {"cat ~/x/y": "allow", "cat '~/x/y'": "deny"},
    ),
    "a deny takes an allow away": Case(
        allow("git push", "git push origin") + deny("git push"), ["overruled", "overruled"],
        {"git push": "deny", "git push origin main": "deny"},
    ),
    "a deny sees through a wrapper": Case(allow("nice rm") + deny("rm"), ["overruled"], {"nice rm x": "deny"}),
    "a deny by options takes an allow with these away": Case(
        allow("rm -fr") + rule("deny", 'command = "rm"', 'options_any = ["-rf"]'), ["overruled"], {"rm -fr x": "deny"}
    ),
    "a deny of one command leaves the others": Case(
        allow("make") + deny("make install"), [], {"make x": "allow", "make install": "deny"}
    ),
    "an exact deny leaves the others": Case(
        allow("make x") + rule("deny", 'command = "make x"', "exact = true"), [],
        {"make x": "deny", "make x y": "allow"},
    ),
    "a deny by effects leaves what only looks": Case(
        allow("git push") + rule("deny", 'effects = ["publish"]'), [], {"git push": "deny", "git push --help": "allow"}
    ),
    "an ask takes an allow away": Case(allow("make") + ask("make"), ["overruled"], {"make x": "ask"}),
    "a deny takes an ask away": Case(ALL + ask("make x") + deny("make"), ["overruled"], {"make x": "deny"}),
    "a deny of a text takes its allow away": Case(
        rule("allow", 'line = "make x"') + rule("deny", 'command = "make"'), ["overruled"], {"make x": "deny"}
    ),
    "a deny of a tool takes its allows away": Case(
        'coreTools = ["execute_command(ls)", "run_shell_command(ls)"]\nexcludeTools = ["execute_command"]\n',
        ["overruled"], {("ls",): "deny", "ls": "allow"},
    ),
    "a deny that ends first takes nothing away": Case(
        allow("make") + rule("deny", 'command = "make"', "expires = 2999-01-01T00:00:00Z"), [], {"make": "deny"}
    ),
    "a deny elsewhere takes nothing away": Case(
        allow("make") + rule("deny", 'command = "make"', 'directory = "~/work"'), [], {"make": "deny"}
    ),
    "an allow is there twice": Case(
        allow("make", "ls", "make"), ["covered"], {"make": "allow"}, allow("make", "ls"), {"make": "allow"}
    ),
    "an allow is within a wider one": Case(
        allow("npm run test", "npm run"), ["covered"], {"npm run test x": "allow"},
        allow("npm run"), {"npm run test x": "allow"},
    ),
    "an allow that names an option says more than a wider one": Case(
        allow("sort", "sort -o"), [], {"sort x": "allow", "sort -o y x": "allow"}, allow("sort"), {"sort -o y x": "ask"}
    ),
    "a deny is within a wider one": Case(
        ALL + deny("make", "make x"), ["covered"], {"make x": "deny"}, ALL + deny("make"), {"make x": "deny"}
    ),
    "a deny counts for both tools": Case(
        'excludeTools = ["run_shell_command(x)", "execute_command(x)"]\n', ["covered"], {"x": "deny", ("x",): "deny"},
        'excludeTools = ["run_shell_command(x)"]\n', {"x": "deny", ("x",): "deny"},
    ),
    "an allow counts for its own tool": Case(
        'coreTools = ["run_shell_command(x)", "execute_command(x)"]\n', [], {"x": "allow", ("x",): "allow"},
        'coreTools = ["run_shell_command(x)"]\n', {("x",): "ask"},
    ),
    "a deny with a reason of its own says more": Case(
        ALL + deny("make") + rule("deny", 'command = "make x"', 'reason = "Ask Ann."'), [], {"make x": "deny"}
    ),
    "an allow by effects is within a wider one": Case(
        rule("allow", 'effects = ["read"]') + rule("allow", 'effects = ["read", "network"]'), ["covered"],
        {"cat x": "allow"}, rule("allow", 'effects = ["read", "network"]'), {"cat x": "allow"},
    ),
    "an entry says more than an allow by effects": Case(
        rule("allow", 'effects = ["read"]') + rule("allow", 'command = "cat"'), [], {"cat x": "allow"}
    ),
    "a secret is a question each time": Case(allow("cat .env"), ["asked"], {"cat .env": "ask", "cat .env x": "ask"}),
    "the floor is a question each time": Case(allow("rm -r /usr"), ["asked"], {"rm -r /usr x": "ask"}),
    "what may not be touched is denied each time": Case(
        allow("cat sub/x") + '[files]\ndeny = ["sub/**"]\n', ["asked"], {"cat sub/x": "deny"}
    ),
    "what no file says is no question": Case(allow("rm -r build", "cat x"), [], {"rm -r build": "allow"}),
    "what a wrapper starts is judged by itself": Case(
        allow("timeout 5 make x"), ["started"], {"timeout 5 make x": "ask"},
        allow("timeout 5 make x", "make x"), {"timeout 5 make x": "allow"},
    ),
    "what a wrapper starts may be allowed further on": Case(
        allow("sudo make", "make x"), [], {"sudo make": "ask", "sudo make x": "allow"}
    ),
    "an interpreter runs anything": Case(
        allow("python3"), ["wide"], {"python3 -c 'import os; os.remove(x)'": "allow"},
        allow("python3 x.py"), {"python3 -c 'import os; os.remove(x)'": "ask", "python3 x.py": "allow"},
    ),
    "an option for a program text takes any": Case(
        allow("node -e", "python3 -m"), ["wide", "wide"], {"node -e 'f()'": "allow", "python3 -m x": "allow"},
        allow("python3 -m pytest"), {"node -e 'f()'": "ask", "python3 -m x": "ask"},
    ),
    "git alone publishes": Case(
        allow("git"), ["wide"], {"git push --force": "allow", "git reset --hard": "allow"},
        allow("git log", "git add"), {"git push --force": "ask", "git log": "allow"},
    ),
    "git by its effects does not": Case(
        rule("allow", 'command = "git"', 'effects = ["read", "write"]'), [], {"git push": "ask", "git add x": "allow"}
    ),
    "git is as wide as the denies leave it": Case(
        allow("npm") + deny("npm publish", "npm uninstall"), ["wide", "missed"],
        {"npm publish": "deny", "npm rm x": "allow"},
    ),
    "an option takes any program": Case(
        allow("git -c"), ["wide"], {"git -c core.pager=x log": "allow"},
        allow("git -c core.pager=cat"), {"git -c core.pager=x log": "ask", "git -c core.pager=cat log": "allow"},
    ),
    "a starter starts anything": Case(
        allow("uv run", "ssh host"), ["wide", "wide"], {"uv run rm x": "allow", "ssh host rm x": "allow"},
        allow("uv run pytest", "ssh host uptime"), {"uv run rm x": "ask", "uv run pytest x": "allow"},
    ),
    "a rule for both tools is as wide": Case(
        rule("allow", 'command = "npm"'), ["wide"], {"npm publish": "allow", ("npm", "publish"): "allow"}
    ),
    "an entry for the other tool is as wide": Case(
        'coreTools = ["execute_command(npx)"]\n', ["wide"], {("npx", "rm", "x"): "allow", "npx rm x": "ask"}
    ),
    "what a sandbox holds starts nothing elsewhere": Case(
        rule("allow", 'command = "python3"', 'sandbox = "project"'), [], {"python3 x.py": "allow"}
    ),
    "a starter that is configured as a wrapper does not": Case(
        allow("uv run") + '[wrappers]\ncommands = ["uv run"]\n', [], {"uv run rm x": "ask"}
    ),
    "what starts what is judged is as wide as it looks": Case(
        allow("env", "xargs", "timeout", "bash", "find"), [],
        {"env rm x": "ask", "xargs rm": "ask", "bash -c 'rm x'": "ask", "bash x.sh": "ask", "find . -delete": "ask"},
    ),
    "sudo makes another of everything": Case(
        allow("sudo", "ls"), ["wide"], {"sudo ls": "allow"}, allow("sudo cat", "cat", "ls"), {"sudo ls": "ask"}
    ),
    "code can do anything": Case(
        rule("allow", 'effects = ["read", "code"]'), ["wide"], {"bash x.sh": "allow", "make x": "allow"}
    ),
    "writes go anywhere": Case(
        rule("allow", 'effects = ["read", "write"]'), ["wide"], {"cp x ~/.bashrc": "allow"},
        rule("allow", 'effects = ["read", "write"]') + '[files]\nwrite = ["**"]\n', {"cp x ~/.bashrc": "ask"},
    ),
    "a deny misses options in another spelling": Case(
        ALL + deny("rm -rf"), ["missed"], {"rm -r -f x": "allow"},
        ALL + rule("deny", 'command = "rm"', 'options_any = ["-rf"]'), {"rm -r -f x": "deny"},
    ),
    "another rule sees the options in another spelling": Case(
        ALL + deny("rm -rf") + rule("deny", 'command = "rm"', 'options_any = ["-rf"]'), ["covered"],
        {"rm -r -f x": "deny"},
    ),
    "an ask misses options in another place": Case(
        ALL + ask("git push --force"), ["missed"], {"git push x --force": "allow"}
    ),
    "an exact deny means its words": Case(
        ALL + rule("deny", 'command = "rm -rf x"', "exact = true"), [], {"rm -rf x": "deny", "rm -fr x": "allow"}
    ),
    "what runs code leaves no box": Case(
        rule("allow", 'command = "make"\noutside = true'), ["outside"], {"make": "allow"}
    ),
    "what obeys the directory leaves no box": Case(
        rule("allow", 'command = "docker compose ps"\noutside = true'), ["outside"], {"docker compose ps": "allow"}
    ),
    "what asimi does not know leaves no box": Case(
        rule("allow", 'command = "nobody-knows"\noutside = true'), ["outside"], {"nobody-knows": "allow"}
    ),
    "what is known leaves a box": Case(
        rule("allow", 'command = ["git", ["push", "fetch"]]\noutside = true'), [], {"git fetch": "allow"}
    ),
    "a deny of a text misses another blank": Case(
        ALL + rule("deny", 'line = "make x"'), ["missed"], {"make x": "deny", "make  x": "allow"}
    ),
    "a deny misses another name of the subcommand": Case(
        ALL + deny("npm uninstall"), ["missed"], {"npm rm x": "allow"},
        ALL + rule("deny", 'command = ["npm", ["uninstall", "unlink", "remove", "rm", "r", "un"]]'),
        {"npm rm x": "deny"},
    ),
    "a deny misses another name of the program": Case(
        ALL + deny("pip3 install"), ["missed"], {"pip install x": "allow"},
        ALL + deny("pip install"), {"pip3 install x": "deny", "pip install x": "deny"},
    ),
    "a deny of a path misses another one": Case(
        ALL + deny("/usr/sbin/rm"), ["missed"], {"/bin/rm x": "allow"}, ALL + deny("rm"), {"/bin/rm x": "deny"}
    ),
    "a deny of a program misses nothing": Case(
        ALL + deny("rm", "npm run build"), [], {"/usr/bin/rm x": "deny", "env npm run build": "deny"}
    ),
}  # fmt: skip
"""Configurations, flaws and commands."""


@pytest.mark.parametrize("name", CASES)
def test_what_is_said_of_rules_is_true(person, name):
    case = CASES[name]
    assert [kind for kind, _ in person.flaws(case.text)] == case.kinds
    assert {command: person.verdict(case.text, command) for command in case.shows} == case.shows
    if case.better:
        assert {command: person.verdict(case.better, command) for command in case.other} == case.other


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.better and case.kinds])
def test_what_is_to_be_written_instead_has_no_flaw(person, name):
    assert person.flaws(CASES[name].better) == []


def test_every_kind_of_flaw_is_among_the_cases(person):
    kinds = {kind for case in CASES.values() for kind in case.kinds} | {"ended", "ending", "directory", "pattern"}
    assert len(kinds) == len(CHECKS)


# files


FILES = [
    ('deny = ["~/private"]', "cat ~/private/x", "names a directory", '"~/private/**"'),
    ('deny = ["sub/"]', "cat sub/x", "names a directory", '"sub/**"'),
    ('deny = ["**/sub"]', "cat sub/x", "names a directory", '"**/sub/**"'),
    ('deny = ["*.x"]', "cat sub/a.x", "only about the project root itself", '"**/*.x"'),
    ('deny = ["a.x"]', "cat sub/a.x", "sub/a.x is another one", '"**/a.x"'),
    ('deny = ["~/data/**"]', "cat ~/data/x", "leads to", '"{home}/private/**"'),
    ('deny = ["$HOME/private/**"]', "cat ~/private/x", "takes the variable to the letter", "begins with ~ or /"),
    ('deny = ["**/*.{x,y}"]', "cat sub/a.x", "takes `{x,y}` to the letter", "one pattern for each"),
    ('deny = ["sub/?.x"]', "cat sub/a.x", "takes `?` to the letter", "one pattern for each"),
    ('deny = ["sub/[a-z].x"]', "cat sub/a.x", "takes `[a-z]` to the letter", "one pattern for each"),
    ('deny = ["/sub/**"]', "cat sub/a.x", "matches nothing: there is no /sub", '"sub/**"'),
    ('secret = ["*.x"]', "cat sub/a.x", "only about the project root itself", '"**/*.x"'),
    ('secret = ["!notes.txt"]', "cat sub/a.x", "takes nothing back", "nothing"),
]
"""A pattern, a command that shows what it leaves out, what is said, and what to write instead."""


@pytest.fixture
def tree(person):
    (person.home / "private").mkdir()
    (person.home / "data").symlink_to(person.home / "private")
    for path in (person.home / "private" / "x", person.root / "sub" / "x", person.root / "sub" / "a.x"):
        path.write_text("")
    return person


@pytest.mark.parametrize(("pattern", "left_out", "said", "instead"), FILES)
def test_what_is_said_of_patterns_is_true(tree, pattern, left_out, said, instead):
    text = f"{ALL}[files]\n{pattern}\n"
    (flaw,) = tree.configuration(text).flaws()
    assert flaw.kind == "pattern"
    assert flaw.source == f"{tree.file}:3"
    assert said in flaw.message
    assert tree.verdict(text, left_out) == "allow"
    wanted = instead.format(home=tree.home)
    assert wanted in flaw.instead
    if wanted.startswith('"'):
        better = f"{ALL}[files]\n{pattern.partition('=')[0]}= [{wanted}]\n"
        assert tree.flaws(better) == []
        assert tree.verdict(better, left_out) == ("deny" if pattern.startswith("deny") else "ask")


def test_where_to_write_means_what_is_in_a_directory(tree):
    text = f'{ALL}[files]\nwrite = ["sub"]\n'
    assert [kind for kind, _ in tree.flaws(text)] == ["pattern"]
    assert tree.verdict(text, "touch sub/y") == "ask"
    assert tree.verdict(text.replace('"sub"', '"sub/**"'), "touch sub/y") == "allow"


@pytest.mark.parametrize(
    "lines",
    [
        'deny = ["**/sub/**", "~/private/**", "sub/a.x", "**/*.x", "other/**", "~/private/x"]',
        'secret = ["**/*.tfvars", "!.env.test", "!~/.ssh/config"]',
        'write = ["**", "/tmp/**", "!sub/**", "new/file.txt"]',
        'deny = ["app/[slug]/page.x"]',
    ],
)
def test_patterns_that_match_what_they_say_have_no_flaw(tree, lines):
    assert tree.flaws(f"[files]\n{lines}\n") == []


# time, directories, layers


def test_a_rule_that_has_ended_or_ends_soon_is_told(person):
    soon = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3 * 86400))
    late = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 30 * 86400))
    ends = {"a": "2020-01-01T00:00:00Z", "b": soon, "c": late}
    text = "".join(rule("allow", f'command = "{name}"', f"expires = {end}") for name, end in ends.items())
    assert person.flaws(text) == [("ended", "run_shell_command(a)"), ("ending", "run_shell_command(b)")]
    assert [person.verdict(text, name) for name in ends] == ["ask", "allow", "allow"]


def test_a_directory_that_is_gone_is_told(person):
    text = rule("allow", 'command = "a"', 'directory = "~/work"') + rule(
        "deny", 'command = "b"', 'directory = "~/gone"'
    )
    assert person.flaws(text) == [("directory", "run_shell_command(b)")]
    (person.home / "gone").mkdir()
    assert person.flaws() == []


def test_a_projects_file_is_told_of_its_own_flaws_before_it_is_trusted(person):
    file = person.root / ".asimi" / "config.toml"
    file.parent.mkdir()
    file.write_text(allow("python3", "make", "make"), encoding="utf-8")
    found = person.configuration("").flaws()
    assert [(flaw.kind, flaw.source) for flaw in found] == [("wide", f"{file}:2"), ("covered", f"{file}:4")]
    assert found[1].other == f"{file}:3"


def test_what_others_have_not_covers_no_rule_of_a_project(person):
    """A person's own rules and a project's say the same: neither is too much, because others have one of the two."""
    file = person.root / ".asimi" / "config.toml"
    file.parent.mkdir()
    file.write_text(deny("make") + ask("ls"), encoding="utf-8")
    assert person.flaws(deny("make", "ls")) == []


def test_an_entry_that_asimi_wrote_is_removed_by_asimi(person):
    configuration = person.configuration(deny("make"))
    from asimi.core.call import Verdict

    add(configuration, "make x", Verdict.DENY)
    add(configuration, "make y", Verdict.DENY, project=True)
    removals = [flaw.instead for flaw in person.configuration().flaws()]
    assert removals == [
        "asimi policy remove 'run_shell_command(make x)'",
        "asimi policy remove --project 'run_shell_command(make y)'",
    ]


def test_what_was_imported_is_no_twin_of_anything(person):
    """The next import would bring it back; what it denies counts all the same."""
    file = person.file.with_name("config.imported.toml")
    lists = '[agents.%s]\ncoreTools = ["run_shell_command(make)"]\nexcludeTools = ["run_shell_command(npm test)"]\n'
    person.file.parent.joinpath(file.name).write_text("version = 1\n" + lists % "codex" + lists % "claude-code")
    file.chmod(0o600)
    (flaw,) = person.configuration(allow("make", "npm test")).flaws()
    assert (flaw.kind, flaw.source) == ("overruled", f"{person.file}:3")
    assert flaw.other == f"{file}:4"


def test_a_broken_file_is_an_error_and_no_flaw(person):
    with pytest.raises(ConfigError):
        person.flaws("coreTools = 1\n")


# what has no flaw


@pytest.mark.parametrize("preset", [None, *PRESETS])
def test_a_file_that_asimi_writes_has_no_flaw(person, preset):
    init(person.configuration(), None if preset is None else Start(preset), force=True)
    assert person.flaws() == []


def test_the_examples_have_no_flaw(person):
    for name in ("config.example.toml", "examples/config.toml"):
        assert person.flaws((Path(__file__).parents[3] / name).read_text(encoding="utf-8")) == []


ORDINARY = """
ls; cat; grep; rg; git status; git diff; git log; git add; git commit; npm test; npm run build; npm run lint; make test;
pytest; python3 -m pytest; cargo test; cargo build; go test; docker ps; docker compose logs; kubectl get; curl; jq; sed;
awk; find; sort; uv run pytest; npx eslint; terraform plan; gh pr view; bundle exec rspec; ./gradlew test; ssh host ls;
node scripts/build.js; poetry run mypy; mvn verify; tsc; ruff check; mytool; timeout; env; xargs; rm -r build; cp; mv
"""
"""Entries as people write them, of which each is as wide as it looks."""


def test_ordinary_entries_have_no_flaw(person):
    assert person.flaws(allow(*(entry.strip() for entry in ORDINARY.split(";")))) == []


def test_many_entries_are_looked_at_in_a_moment(person):
    """300 entries of all kinds, and the time that this process itself takes; a person waits two seconds at most."""
    allows = [f"git show -{a}{b}" for a in "abcdefgh" for b in "abcdefgh"] + [f"npm run x{n}" for n in range(60)]
    allows += [f"cat notes/{n}" for n in range(60)] + [f"tool{n} sub" for n in range(56)]
    text = allow(*allows) + deny(*(f"deploy{n} now" for n in range(60)))
    configuration = person.configuration(text)
    assert len(configuration.rules()) == 300
    begun = time.process_time()
    assert configuration.flaws() == []
    assert time.process_time() - begun < 2


# the command


def test_the_command_names_file_line_and_what_to_write(tmp_path):
    home = Home(tmp_path, deny("make", "make x"))
    done = home.asimi("policy", "lint")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"{home.config}:3  run_shell_command(make x)",
        f"    covered: says nothing that is not said by run_shell_command(make) ({home.config}:2)",
        "    instead: take it out",
        f"1 flaw in {home.config}",
    ]
    (line,) = home.asimi("policy", "lint", "--json").stdout.splitlines()
    assert json.loads(line) == {
        "kind": "covered",
        "source": f"{home.config}:3",
        "entry": "run_shell_command(make x)",
        "message": f"says nothing that is not said by run_shell_command(make) ({home.config}:2)",
        "instead": "take it out",
        "other": f"{home.config}:2",
    }


def test_the_command_ends_with_0_without_a_flaw_and_with_125_for_a_broken_file(tmp_path):
    home = Home(tmp_path, deny("make"))
    done = home.asimi("policy", "lint")
    assert (done.returncode, done.stdout) == (0, f"no flaws in {home.config}\n")
    assert home.asimi("policy", "lint", "--json").stdout == ""
    home.config.write_text("coreTools = 1\n")
    done = home.asimi("policy", "lint")
    assert (done.returncode, done.stdout) == (125, "")
    assert "config.toml:1" in done.stderr


def test_hostile_texts_are_shown_by_their_names(tmp_path):
    home = Home(tmp_path, deny("make", "make \x1b[31mx".replace("\x1b", "\u202e")))
    done = home.asimi("policy", "lint")
    assert done.returncode == 1
    assert "\u202e" not in done.stdout
    assert os.linesep in done.stdout
