"""Completion in real shells at a terminal: what it offers, that nothing is evaluated, and what it starts."""

from __future__ import annotations

import json
import os
import re
import subprocess

import pytest
from helpers import PATIENCE, PYTHON
from helpers.completing import SHELLS, Typing, is_there, with_asimi
from helpers.home import Home

from asimi.doors.cli.completing import outline, script, table

HOSTS = '[hosts.gpu1]\nreach = ["ssh", "gpu1"]\n[hosts.gpu2]\nreach = ["ssh", "gpu2"]\n'

HOSTILE = (  # no slash: they are the names of files, too
    "$(touch hostile)",
    "`touch hostile`",
    "x;touch hostile",
    "x\ntouch hostile",
    "a b",
    "--yes",
    "'",
    '"',
    "\\",
    "*",
    "~",
    "{a,b}",
    "$HOME",
    "\x1b]0;x\x07",
    "x\tthe good one",
    "ü",
)
"""Names that a shell could take for more than words."""

real = pytest.mark.parametrize(
    "shell",
    [pytest.param(each, marks=pytest.mark.skipif(not is_there(each), reason=f"no {each} here")) for each in SHELLS],
)


@pytest.fixture
def home(tmp_path):
    """A home with two hosts, and an asimi on PATH that writes down what it is started with."""
    home = Home(tmp_path, HOSTS)
    home.started = with_asimi(home)
    (home.root / "settings.toml").touch()
    (home.root / "sub" / "file").touch()
    return home


@pytest.fixture
def job(home):
    """The id of a job of this home that is left running."""
    home.asimi("--yes", "run", "sleep 600 >/dev/null 2>&1 &")
    (record,) = home.state.glob("jobs/*.json")
    yield record.stem
    home.asimi("jobs", "kill", record.stem)


OFFERED = [
    ("asimi pol", ["policy"]),
    (
        "asimi policy ",
        ["add", "could", "diff", "export", "import", "lint", "list", "remove", "replay", "suggest", "test"],
    ),
    ("asimi --yes --config x policy --root=. l", ["lint", "list"]),
    ("asimi policy add --", ["--deny", "--ask", "--effects", "--config", "--non-interactive", "--help"]),
    ("asimi config init --preset ", ["reader", "developer", "ci"]),
    ("asimi hook install cl", ["claude-code"]),
    ("asimi run --sandbox=", ["project", "read-only"]),
    ("asimi run --sandbox=r", ["read-only"]),
    ("asimi --config set", ["settings.toml"]),
    ("asimi --config=set", ["settings.toml"]),
    ("asimi policy import set", ["settings.toml"]),
    ("asimi run --dir s", ["sub/"]),
    ("asimi exec sub", ["submodule-of-nothing"]),
    ("asimi exec -- ls set", ["settings.toml"]),
    ("asimi help r", ["rules", "readme", "run", "relay"]),
    ("asimi completion ", ["bash", "zsh", "fish"]),
    ("asimi log --decision ", ["allow", "ask", "deny"]),
    ("asimi log ver", ["verify"]),
]
"""Lines, and words that each of them offers; nothing of it needs asimi."""


@pytest.mark.long
@real
def test_commands_options_and_their_values_are_offered_and_start_nothing(home, shell):
    (home.home / "bin" / "submodule-of-nothing").write_text("#!/bin/sh\n")
    (home.home / "bin" / "submodule-of-nothing").chmod(0o755)
    home.started.write_text("")
    with Typing(home, shell) as typing:
        for line, words in OFFERED:
            seen = typing.completes(line)
            for word in words:
                assert re.search(rf"(?:^|[\s=…(-]){re.escape(word)}(?:[\s,)]|$)", seen), (line, seen)
    assert home.started.read_text() == ""


NOTHING = [
    'asimi run "git st',
    "asimi run se",
    "asimi run --description se",
    "asimi check se",
    "asimi session show o",
    "asimi --session o",
    "asimi run -- --",
    "asimi exec -- set --ver",
    "asimi jobs kill set",
    "asimi nothing po",
    "asimi policy add po",
    "asimi team init --server tls://host:4222 --machine po",
]
"""Lines that offer nothing: commands that asimi judges, texts, what only a person knows."""


@pytest.mark.long
@real
def test_where_nobody_can_guess_nothing_is_offered(home, shell):
    home.asimi("run", "--session", "one", "touch x")
    with Typing(home, shell) as typing:
        for line in NOTHING:
            assert typing.completes(line) == f"> {line}".rstrip()


@pytest.mark.long
@real
def test_ids_of_jobs_and_questions_and_names_of_hosts_are_asked_for(home, job, shell):
    question = re.search("asimi approve ([a-z2-7]{8})", home.asimi("run", "--session", "one", "touch x").stderr)[1]
    home.started.write_text("")
    with Typing(home, shell) as typing:
        assert job in typing.offers("asimi jobs kill ")
        assert job in typing.completes(f"asimi jobs log {job[:3]}")
        assert question in typing.offers("asimi approve ")
        assert {"gpu1", "gpu2"} <= set(typing.offers("asimi run --host "))
        assert "gpu" in typing.completes("asimi run --host=g")
    assert {*home.started.read_text().splitlines()} == {"completion jobs", "completion questions", "completion hosts"}


@pytest.mark.long
@real
def test_hostile_names_are_neither_offered_nor_evaluated(home, job, shell):
    for name in HOSTILE:
        home.asimi("run", f"--session={name}", "touch x")
        record = json.loads((home.state / "jobs" / f"{job}.json").read_text())
        forged = home.state / "jobs" / f"{HOSTILE.index(name)}.json"
        forged.write_text(json.dumps(record | {"id": name}))
        forged.chmod(0o600)
        (home.home / "run" / "asimi" / "questions" / f"{name}.json").write_text("{}")
    assert "$(touch hostile)" in home.asimi("session", "list").stdout
    with Typing(home, shell) as typing:
        for line in ("asimi session show ", "asimi session forget ", "asimi --session ", "asimi --session="):
            assert typing.completes(line) == f"> {line}".rstrip()
        assert typing.offers("asimi jobs kill ") == [job]
        assert [word for word in typing.offers("asimi approve ") if not re.fullmatch("[a-z2-7]{8}", word)] == []
    assert not list(home.root.rglob("hostile"))


@pytest.mark.long
@real
def test_what_is_typed_is_not_evaluated(home, shell):
    with Typing(home, shell) as typing:
        for word in HOSTILE[:3]:
            for before in ("", "jobs kill ", "--host=", "exec ", "exec ls ", "--dir ", "--config="):
                typing.completes(f"asimi {before}{word}")
            typing.completes(f"asimi {word} pol")
    assert not list(home.root.rglob("hostile"))


def test_only_plain_words_that_asimi_made_itself_are_printed(home, job):
    for number, name in enumerate(HOSTILE):
        record = json.loads((home.state / "jobs" / f"{job}.json").read_text())
        forged = home.state / "jobs" / f"{number}.json"
        forged.write_text(json.dumps(record | {"id": name}))
        forged.chmod(0o600)
    assert home.asimi("completion", "jobs").stdout == f"{job}\n"
    assert home.asimi("completion", "hosts").stdout == "gpu1\ngpu2\n"


@pytest.mark.parametrize("what", ["jobs", "questions", "hosts"])
def test_whatever_is_wrong_no_word_comes_and_nothing_is_said_or_written(tmp_path, what):
    home = Home(tmp_path, "this is no TOML")
    home.state.parent.mkdir()
    home.state.write_text("no directory")
    (home.home / "run" / "asimi").mkdir(mode=0o777)
    (home.home / "run" / "asimi" / "questions").write_text("no directory")
    before = sorted(home.home.rglob("*"))
    done = home.asimi("completion", what)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sorted(home.home.rglob("*")) == before


def test_words_are_found_where_there_is_nothing_yet_and_nothing_is_made(tmp_path):
    home = Home(tmp_path, None)
    before = sorted(home.home.rglob("*"))
    for what in ("jobs", "questions", "hosts"):
        done = home.asimi("completion", what)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sorted(home.home.rglob("*")) == before


@pytest.mark.parametrize("what", ["jobs", "questions", "hosts"])
def test_words_load_less_than_a_verdict(home, job, what):
    def loaded(*words):
        code = "import sys; from asimi.doors.cli import main; main(sys.argv[1:]); print(*sys.modules)"
        python = [PYTHON, "-c", code, *words]
        done = subprocess.run(python, capture_output=True, text=True, check=True, env=home.environ, cwd=home.root)
        return set(done.stdout.split())

    words, verdict = loaded("completion", what), loaded("check", "ls")
    assert len(words) < len(verdict)
    assert not {"typer", "rich", "prompt_toolkit", "asyncio", "subprocess"} & words


UNKNOWN = {
    "--session", "--machine", "--server", "--approver", "--revoke", "--expires", "--since", "--description",
    "--timeout", "--jobs", "--command", "-n", "--administrator", "--for", "--reach", "--publish", "--voice",
    "--answered", "box keep", "--container", "--like", "--push", "--script", "--task", "--time", "--until",
    "check", "run", "relax", "task", "undo", "policy add", "policy could", "policy remove",
    "session show", "session forget",
}  # fmt: skip
"""Options and commands whose values only a person knows, or which an agent chose."""


def test_what_a_value_may_be_is_known_or_left_out_on_purpose():
    """So a new option is thought about: a row in `completing` or here."""
    rows = [row.split("|") for row in table()]
    assert {word if word[0] == "-" else at for at, word, what, _ in rows if what == "-"} == UNKNOWN


def test_the_table_holds_every_command_and_option():
    rows = {tuple(row.split("|")[:2]) for row in table()}
    for command in outline().all():
        words = " ".join(command.words)
        assert {(words, each.words[-1]) for each in command.below} <= rows
        names = {(words, name) for option in command.options for name in option.names}
        assert names <= rows or not command.words


def test_every_field_of_the_table_is_plain():
    for row in table():
        at, word, what, said = row.split("|")
        assert re.fullmatch(r"-|[a-z -]*", at), row
        assert re.fullmatch(r"-{0,2}[a-z][a-z-]*|--|[1-9]\+?", word), row
        assert re.fullmatch(r"[A-Za-z0-9@. -]*", what), row
        assert "\n" not in said


@real
def test_the_script_has_no_fault_that_its_shell_finds(tmp_path, shell):
    path = tmp_path / "script"
    path.write_text(script(shell), encoding="utf-8")
    done = subprocess.run([shell, "-n", path], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not is_there("bash"), reason="no bash here")
@pytest.mark.parametrize("odd", ["set -eu", "set -f", "IFS=s", "COMP_WORDBREAKS=' '", "shopt -s nullglob failglob"])
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("asimi hook install cl", "claude-code"),
        ("asimi --nothing=x", ""),
        ("asimi run se", ""),
        ("asimi team init --server tls : //h : 1 --sto", "--store"),
        ("asimi --sandbox = r", "read-only"),
    ],
)
def test_bash_completes_whatever_a_person_has_set(tmp_path, odd, line, offered):
    """`line` as bash takes it apart."""
    text = f"{script('bash')}\n{odd}\nCOMP_WORDS=({line})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n_asimi\n"
    done = subprocess.run(
        ["bash", "-c", f'{text}printf "%s\n" "${{COMPREPLY[@]:-}}"'], capture_output=True, text=True, check=False
    )
    said = done.stdout.rstrip("\n")
    assert (done.returncode, done.stderr, said.rpartition("=")[2]) == (0, "", offered)


def test_there_are_scripts_for_three_shells(home):
    for words in (["tcsh"], ["bash", "zsh"], [], [""]):
        done = home.asimi("completion", *words)
        assert (done.returncode, done.stdout) == (2, "")


def test_there_is_no_other_way_to_complete(home):
    """Click has one of its own, which every program with it can be asked for by a variable."""
    asked = {"_ASIMI_COMPLETE": "complete_bash", "COMP_WORDS": "asimi ", "COMP_CWORD": "1"}
    assert "Usage: asimi" in home.asimi("--help", environ=asked).stdout
    assert home.asimi("check", "ls", environ=asked).stdout.startswith("ask")


FOUND = {
    "bash": ".local/share/bash-completion/completions/asimi",
    "zsh": ".zfunc/_asimi",
    "fish": "config/fish/completions/asimi.fish",
}
FINDS = {
    "bash": (["bash", "--norc", "-i"], "source /usr/share/bash-completion/bash_completion; PS1='> '"),
    "zsh": (["zsh", "-f", "-i"], "fpath+=(~/.zfunc); autoload -Uz compinit && compinit -u; PS1='> '"),
    "fish": (["fish", "-i"], "function fish_prompt; echo -n '> '; end"),
}
"""Where docs/start/howto.md puts each script, below the home, and how each shell comes to find it."""


@pytest.mark.long
@real
def test_a_script_is_found_where_the_docs_put_it(home, shell):
    if shell == "bash" and not os.path.exists("/usr/share/bash-completion/bash_completion"):
        pytest.skip("no bash-completion here")
    path = home.home / FOUND[shell]
    path.parent.mkdir(parents=True)
    path.write_text(script(shell), encoding="utf-8")
    program, begin = FINDS[shell]
    with home.at_terminal(program=program, columns=120) as person:
        person.enters(f"{begin}; clear")
        person.sees("> ")
        person.presses("asimi pol", "\t")
        person.sees("asimi policy")
