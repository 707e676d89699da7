"""`[[rules]]`: what a table means, and that its own examples hold."""

import datetime as dt
import os
import time

import pytest

from asimi.core.budget import Budget
from asimi.core.call import Verdict
from asimi.core.errors import ConfigError
from asimi.core.judging.rules import EntryError, Rule
from asimi.world.config.rule_tables import entry_for, rule_from, table_of, wanted_entry

# a table, and what differs from a rule that says nothing more
TABLES = [
    ({"decision": "allow", "command": "git status"}, {"verdict": Verdict.ALLOW, "words": (("git",), ("status",))}),
    ({"decision": "ask", "command": ["git", ["push", "send email"]]}, {"words": (("git",), ("push", "send email"))}),
    ({"decision": "deny", "line": "make  x"}, {"words": None, "line": "make  x"}),
    ({"decision": "deny", "tool": "execute_command"}, {"words": (), "tool": "execute_command"}),
    ({"decision": "deny", "options_any": ["-f", "--force"]}, {"words": (), "options_any": ("-f", "--force")}),
    ({"decision": "deny", "command": "x", "directory": "/a/../b"}, {"words": (("x",),), "directory": "/b"}),
    ({"decision": "deny", "directory": "/b", "below": False}, {"words": (), "directory": "/b", "below": False}),
    ({"decision": "deny", "command": "x", "reason": "why"}, {"words": (("x",),), "reason": "why"}),
    (
        {"decision": "deny", "command": "x", "expires": "2030-01-31T18:00:00Z"},
        {"words": (("x",),), "expires": 1896112800.0},
    ),
    ({"decision": "deny", "command": "'a b' \"c\""}, {"words": (("a b",), ("c",))}),
    ({"decision": "allow", "effects": ["read"]}, {"words": (), "effects": ("read",)}),
    ({"decision": "allow", "checks": True}, {"words": (), "checks": True}),
    ({"decision": "allow", "checks": True, "command": "npm"}, {"words": (("npm",),), "checks": True}),
    ({"decision": "allow", "command": "a b", "exact": True}, {"words": (("a",), ("b",)), "exact": True}),
    (
        {"decision": "deny", "command": "x", "options_any": ["-f"], "enforce": "exec"},
        {"words": (("x",),), "options_any": ("-f",), "enforced": True},
    ),
    ({"decision": "deny", "args_any": ["/etc/*"]}, {"words": (), "args_any": ("/etc/*",)}),
    ({"decision": "allow", "command": "git push", "outside": True}, {"words": (("git",), ("push",)), "outside": True}),
    (
        {"decision": "allow", "effects": ["read"], "except": ["git"]},
        {"words": (), "effects": ("read",), "excepted": ("git",)},
    ),
    (
        {"decision": "allow", "command": "x", "effects": ["read"], "args_none": ["+*"]},
        {"words": (("x",),), "effects": ("read",), "args_none": ("+*",)},
    ),
    (
        {"decision": "allow", "command": "x", "effects": ["read"], "at": ["branch x"]},
        {"words": (("x",),), "effects": ("read",), "at": ("branch x",)},
    ),
]

# a rule, a line, whether the rule decides it
EXAMPLES = [
    ("decision = 'deny'\ncommand = 'git push'", "git push origin", True),
    ("decision = 'deny'\ncommand = 'git push'", "git -C x push", True),
    ("decision = 'deny'\ncommand = 'git push'", "ls && git push", True),
    ("decision = 'deny'\ncommand = 'git push'", "git pull", False),
    ("decision = 'deny'\ncommand = 'git push'\noptions_any = ['--force', '-f']", "git push -f", True),
    ("decision = 'deny'\ncommand = 'git push'\noptions_any = ['--force', '-f']", "git push", False),
    ("decision = 'deny'\ncommand = ['git', ['push', 'pull']]", "git pull", True),
    ("decision = 'deny'\ncommand = 'rm'", "echo $(date)", False),
    ("decision = 'ask'\ncommand = 'make'", "make all", True),
    ("decision = 'ask'\ncommand = 'make'", "make all; ls", True),
    ("decision = 'ask'\ncommand = 'make'", "cmake", False),
    ("decision = 'allow'\ncommand = 'npm test'", "npm test -- -x", True),
    ("decision = 'allow'\ncommand = 'npm test'", "npm testall", False),
    ("decision = 'allow'\nline = 'make release'", "make release", True),
    ("decision = 'allow'\nline = 'make release'", "make release now", False),
    ("decision = 'deny'\ncommand = 'rm'\ntool = 'execute_command'", "rm -rf x", True),
    ("decision = 'deny'\ncommand = 'rm'\ndirectory = '/srv'", "rm x", True),
    ("decision = 'allow'\ncommand = 'npm test'\nexact = true", "npm test", True),
    ("decision = 'allow'\ncommand = 'npm test'\nexact = true", "npm test -u", False),
    ("decision = 'allow'\ncommand = 'npm test'\nexact = true", "npm", False),
    ("decision = 'deny'\ncommand = 'git push'\nexact = true", "/usr/bin/git push", True),
    ("decision = 'deny'\ncommand = 'git push'\nexact = true", "git push --dry-run", False),
    ("decision = 'allow'\neffects = ['read', 'write']\nexcept = ['git', 'python']", "mkdir a", True),
    ("decision = 'allow'\neffects = ['read', 'write']\nexcept = ['git', 'python']", "git init a", False),
    ("decision = 'allow'\neffects = ['read', 'write']\nexcept = ['git', 'python']", "/usr/bin/git init a", False),
    ("decision = 'allow'\neffects = ['read', 'write']\nexcept = ['git', 'python']", "env git init a", False),
    ("decision = 'allow'\neffects = ['read', 'write']\nexcept = ['git', 'python']", "python3.11 -c 'print(1)'", False),
    ("decision = 'allow'\neffects = ['read', 'write']\ncommand = ['git', 'add']", "git add a", True),
    ("decision = 'allow'\neffects = ['read', 'write']\ncommand = ['git', 'add']", "git -C . --no-pager add a", True),
    ("decision = 'allow'\neffects = ['read', 'write']\ncommand = ['git', 'add']", "git -c core.pager=x add a", False),
    ("decision = 'allow'\neffects = ['read', 'write']\ncommand = ['git', 'add']", "git -C add status", False),
    ("decision = 'allow'\neffects = ['read', 'write']\ncommand = ['git', 'add']", "git commit -m add", False),
    ("decision = 'allow'\ncommand = 'cat'\neffects = ['read']\nargs_none = ['+*']", "cat a", True),
    ("decision = 'allow'\ncommand = 'cat'\neffects = ['read']\nargs_none = ['+*']", "cat a +b", False),
    ("decision = 'allow'\ncommand = 'cat'\neffects = ['read']\nargs_none = ['+*']", "cat a $X", False),
    ("decision = 'deny'\nargs_any = ['/etc/*']", "cat /etc/passwd", True),
    ("decision = 'deny'\nargs_any = ['/etc/*']", "dd of=/etc//passwd", True),
    ("decision = 'deny'\nargs_any = ['/etc/*']", "cat /srv/../etc/passwd", True),
    ("decision = 'deny'\nargs_any = ['/etc/*']", "cat /var/etc/x", False),
    ("decision = 'deny'\nargs_any = ['*.pem']\ncommand = 'cat'", "cat a/b.pem", True),
    ("decision = 'deny'\nargs_any = ['*.pem']\ncommand = 'cat'", "less a/b.pem", False),
    ("decision = 'allow'\neffects = ['read']", "cat x | sort", True),
    ("decision = 'allow'\neffects = ['read']", "touch x", False),
    ("decision = 'allow'\neffects = ['read', 'write']", "mkdir x", True),
    ("decision = 'allow'\ncommand = 'git'\neffects = ['read']", "git status", True),
    ("decision = 'allow'\ncommand = 'git'\neffects = ['read']", "git push", False),
    ("decision = 'allow'\ncommand = 'git'\neffects = ['read']", "ls", False),
    ("decision = 'deny'\neffects = ['publish']", "git push", True),
    ("decision = 'deny'\neffects = ['publish']", "git status", False),
    ("decision = 'deny'\neffects = ['publish']", "echo", False),
    ("decision = 'deny'\ncommand = 'rm'\nexpires = 2000-01-01T00:00:00Z", "rm x", True),
]


@pytest.mark.parametrize(("table", "fields"), TABLES)
def test_a_table_is_a_rule(table, fields):
    rule = rule_from(table, "F:1", None, Budget())
    assert rule == Rule(Verdict[table["decision"].upper()], None, None, rule.entry, "F:1")._replace(**fields)


@pytest.mark.parametrize(("table", "fields"), TABLES)
def test_a_rule_becomes_the_same_rule_through_its_table(table, fields):
    rule = rule_from(table, "F:1", None, Budget())
    assert rule_from(table_of(rule), "F:1", None, Budget()) == rule


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (dt.datetime(2030, 1, 31, 18, tzinfo=dt.UTC), 1896112800.0),
        ("2030-01-31T19:00:00+01:00", 1896112800.0),
        (dt.datetime(2030, 1, 31, 18), time.mktime((2030, 1, 31, 18, 0, 0, 0, 0, -1))),  # noqa: DTZ001
        (dt.date(2030, 1, 31), time.mktime((2030, 1, 31, 0, 0, 0, 0, 0, -1))),
    ],
)
def test_a_rule_ends_at_a_time(value, seconds):
    assert rule_from({"decision": "deny", "command": "x", "expires": value}, "F:1", None, Budget()).expires == seconds


def test_a_rule_that_has_ended_does_not_count(user):
    user.write(
        "[[rules]]\ndecision='deny'\ncommand='x'\nexpires=2000-01-01T00:00:00Z\n[[rules]]\ndecision='deny'\ncommand='y'\nexpires=2100-01-01T00:00:00Z"
    )
    assert [rule.entry for rule in user.settings().policy.rules] == ["run_shell_command(y)"]


def test_a_directory_may_begin_with_the_home(monkeypatch):
    monkeypatch.setenv("HOME", "/home/someone")
    rule = rule_from({"decision": "deny", "command": "x", "directory": "~/src"}, "F:1", None, Budget())
    assert rule.directory == os.path.realpath("/home/someone/src")


@pytest.mark.parametrize(("rule", "line", "decides"), EXAMPLES)
def test_match_and_not_match_are_tried_when_the_file_is_read(user, rule, line, decides):
    right, wrong = ("match", "not_match") if decides else ("not_match", "match")
    user.write(f"[[rules]]\n{rule}\n{right} = ['''{line}''']\n")
    user.settings()
    user.write(f"[[rules]]\n{rule}\n{wrong} = [\n'''{line}''']\n")
    with pytest.raises(ConfigError, match=f"{wrong} is wrong: the rule") as told:
        user.settings()
    assert told.value.line == rule.count("\n") + 4


@pytest.mark.parametrize(
    ("table", "entry"),
    [
        ({"command": "git push"}, "run_shell_command(git push)"),
        ({"command": "git push", "tool": "execute_command"}, "execute_command(git push)"),
        ({"command": ["git", ["push", "pull"]]}, "run_shell_command(git push|pull)"),
        ({"command": "git push", "options_any": ["-f"]}, "run_shell_command(git push) with -f"),
        ({"tool": "execute_command", "options_any": ["--force", "-f"]}, "execute_command with --force|-f"),
        ({"line": "make x"}, "run_shell_command: exactly 'make x'"),
        ({"tool": "execute_command"}, "execute_command"),
        ({"decision": "allow", "command": "make", "outside": True}, "run_shell_command(make) (also outside a box)"),
        ({"directory": "/srv"}, "every command"),
    ],
)
def test_a_rule_has_a_name_that_people_know(table, entry):
    assert entry_for(rule_from({"decision": "deny", **table}, "F:1", None, Budget())) == entry


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("npm test", "run_shell_command(npm test)"),
        ("npm  'test'", "run_shell_command(npm test)"),
        ("git commit -m 'a b'", "run_shell_command(git commit -m 'a b')"),
        ("run_shell_command(npm test)", "run_shell_command(npm test)"),
        ("execute_command", "execute_command"),
        ("run_shell_command", "run_shell_command"),
    ],
)
def test_plain_words_mean_an_entry_of_the_shell_tool(text, entry):
    assert wanted_entry(text) == entry


@pytest.mark.parametrize(
    "text", ["", " ", "ls; rm", "ls $HOME", "run_shell_comand(ls)", "run_shell_command(", "(ls)", "a > b", "*"]
)
def test_what_is_no_plain_words_is_refused(text):
    with pytest.raises(EntryError):
        wanted_entry(text)


# what an allow rule with an option allows, and what it does not
PUSH = "command = 'git push'\noptions_any = ['--dry-run', '-n']"
COMMIT = "command = 'git commit'\noptions_any = ['--dry-run']"
WITH_OPTIONS = [
    (PUSH, "git push -n", True),
    (PUSH, "git push --dry-run origin main", True),
    (PUSH, "git push origin -n", True),
    (PUSH, "git push --dry", True),
    (PUSH, "git push -nv", True),
    (PUSH, "git push", False),
    (PUSH, "git push -o -n", False),
    (PUSH, "git push --push-option --dry-run", False),
    (PUSH, "git push -n --no-dry-run", False),
    (PUSH, "git push --dry-run --no-dry", False),
    (PUSH, "git push -n --dry-run=false", False),
    (PUSH, "git push -- -n", False),
    (PUSH, "git push -n $x", False),
    (PUSH, "git push -n --zero", False),
    (PUSH, "git -C x push -n", False),
    (COMMIT, "git commit --dry-run -m x", True),
    (COMMIT, "git commit -m --dry-run", False),
]


@pytest.mark.parametrize(("rule", "line", "allows"), WITH_OPTIONS)
def test_an_option_allows_only_where_it_is_certain(user, rule, line, allows):
    user.write(f"[[rules]]\ndecision = 'allow'\n{rule}\n{'match' if allows else 'not_match'} = ['''{line}''']\n")
    user.settings()


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("options_any = ['-n']", "does not know all its options"),
        ("command = 'frobnicate'\noptions_any = ['-n']", "does not know all its options"),
        ("command = 'git'\noptions_any = ['-n']", "does not know all its options"),
        ("command = 'env'\noptions_any = ['-i']", "does not know all its options"),
        ("command = 'git push'\noptions_any = ['-n', '--zero']", "'--zero' is not an option of 'git push'"),
    ],
)
def test_an_option_allows_nothing_where_options_are_not_known(user, rule, says):
    user.write(f"[[rules]]\ndecision = 'allow'\n{rule}\n")
    with pytest.raises(ConfigError, match=says) as told:
        user.settings()
    assert told.value.line == rule.count("\n") + 3


WRONG = [
    (
        "decision = 'allow'\neffects = ['fly']",
        "'fly' is not an effect, nor a kind of one; the effects are read,",
    ),
    ("decision = 'deny'\neffects = ['system.instal']", "nor a kind of one; did you mean system.install?"),
    ("decision = 'deny'\neffects = ['delete.install']", "did you mean system.install?"),
    ("decision = 'deny'\neffects = ['install']", "did you mean system.install?"),
    ("decision = 'deny'\neffects = ['system.sofas']", "the kinds of system are system.disk, system.power"),
    ("decision = 'allow'\neffects = []", "effects must name at least one of"),
    ("decision = 'allow'\nline = 'ls'\neffects = ['read']", "effects or a line"),
    ("decision = 'deny'\nchecks = true", "checks is for decision"),
    ("decision = 'allow'\nchecks = true\neffects = ['read']", "leave out effects"),
    ("decision = 'allow'\nchecks = true\nmatch = ['npm test']", "leave out match"),
    ("decision = 'allow'\nchecks = 1", "must be true or false"),
    ("decision = 'allow'\ntool = 'run_shell_command'\nexact = true", "exact .* needs command"),
    ("decision = 'ask'\ncommand = 'git push'\noutside = true", "outside is for decision = "),
    ("decision = 'allow'\ntool = 'run_shell_command'\noutside = true", "outside needs command, line or effects"),
    ("decision = 'allow'\nchecks = true\noutside = true", "outside lets no checks out of a box"),
    ("decision = 'allow'\ncommand = 'ls'\nhost = 'gpu1'\noutside = true", "host names another one"),
    ("decision = 'allow'\ncommand = 'ls'\noutside = 'yes'", "outside must be true or false"),
    ("decision = 'allow'\ncommand = 'cat'\nargs_any = ['x']", "args_any is for ask and deny"),
    ("decision = 'deny'\neffects = ['read']\nexcept = ['git']", "except narrows an allow with effects"),
    ("decision = 'allow'\ncommand = 'git'\nexcept = ['git']", "except narrows an allow with effects"),
    ("decision = 'allow'\ncommand = 'git'\nargs_none = ['x']", "args_none narrows an allow with a command"),
    ("decision = 'allow'\ncommand = 'git'\nat = ['branch x']", "at narrows an allow with a command"),
    ("decision = 'deny'\ncommand = 'x'\neffects = ['read']\nat = ['branch x']", "at narrows an allow"),
    ("decision = 'allow'\ncommand = 'x'\neffects = ['read']\nat = ['x y']", "at 'x y' is none of remote"),
    ("decision = 'allow'\ncommand = 'x'\neffects = ['read']\nat = ['branch']", "at 'branch' is none of remote"),
    ("decision = 'allow'\neffects = ['read']\nargs_none = ['x']", "args_none narrows an allow with a command"),
    ("decision = 'deny'\ncommand = 'x'\neffects = ['read']\nargs_none = ['x']", "args_none narrows an allow"),
    ("decision = 'deny'\nargs_any = ['']", "args_any '' is none of these patterns"),
]


@pytest.mark.parametrize(("rule", "message"), WRONG)
def test_a_rule_that_cannot_hold_is_refused(user, rule, message):
    user.write(f"[[rules]]\n{rule}\n")
    with pytest.raises(ConfigError, match=message):
        user.settings()
