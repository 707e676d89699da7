"""What a command takes of the text that its shell reads from their common input: as it was read, and as bash does."""

import subprocess

import pytest

from asimi.core.call import Place, Request
from asimi.core.reading import Readings

PLACE = Place("/srv", "/srv", inside=True)

TAKES = [
    "read x",
    "read -r x < /dev/stdin",
    "mapfile -t x",
    "cat",
    "cat -",
    "cat ./f /dev/stdin",
    "cat <&0",
    "cat < /proc/self/fd/0",
    "head -n 1",
    "head -c 5",
    "grep -c e",
    "sort",
    "wc -l",
    "sed -n 1p",
    "tr a b",
    "cat | tr a b",
    "x=$(cat)",
    "echo `cat`",
    "while read -r x; do break; done",
    "f() { cat; }; f",
    "eval 'read x'",
    "bash -c 'read x'",
    "timeout 5 cat",
    "find ./f -exec cat - ';'",
    "exec < ./f",
    "exec 0< /dev/null",
    "select x in a; do break; done",
    "git diff --no-index --stat - ./f",
    "git hash-object --stdin",
    "diff - ./f",
    "cp -i ./f ./g; cp -i ./f ./g",
    "(cat)",
    "{ read x; }",
    "if read x; then :; fi",
    "env cat",
    "xargs echo",
    "command read x",
    "grep -f- ./f",
]
LEAVES = [
    "cat ./f",
    "cat < ./f",
    "cat < /dev/null",
    "cat <<< x",
    "echo x | cat",
    "grep -c x ./f",
    "ls",
    "pwd",
    "cd .",
    "x=1; export x",
    "[ -e ./f ] && echo there",
    "git status",
    "git log -1 --oneline",
    "git diff",
    "mkdir -p d; touch d/x; cp ./f d/y; mv d/y d/z; rm d/z",
    "find . -maxdepth 1 -name f",
    "while read -r x; do break; done < ./f",
    "x=$(cat ./f)",
    "eval 'read x < ./f'",
    "diff ./f ./f",
    "wc -l ./f",
    "# read x",
    "f() { ls; }; f",
]


def strayed(text):
    """Whether the reading of `bash -s` with a text on its input says that it may run another."""
    request = Request("run_shell_command", f"bash -s <<'E'\n{text}\nE", None, PLACE)
    told = [finding.message for finding in Readings((), (), judge_substitutions=True).of(request).findings]
    return any("something else than this text" in each or "another input" in each for each in told)


def printed(text, directory):
    """What bash prints that reads a text from its input."""
    (directory / "f").write_text("x\n")
    subprocess.run(["git", "init", "-q", directory], check=True)
    done = subprocess.run(["bash"], input=text, cwd=directory, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.mark.parametrize("command", TAKES)
def test_a_command_that_may_take_of_the_text_is_told(command, tmp_path):
    assert strayed(f"{command}\necho one\necho two")
    assert not printed(f"{command}\necho one\necho two\n", tmp_path).endswith("one\ntwo\n")
    if not command.startswith(("exec", "eval", "bash", "echo `")):  # nobody says where in the text a text within it is
        assert not strayed(f"echo one\n{command} # the end\n# nothing else\n\n")


@pytest.mark.parametrize("command", LEAVES)
def test_one_that_leaves_it_is_not(command, tmp_path):
    assert not strayed(f"{command}\necho one\necho two")
    assert printed(f"{command}\necho one\necho two\n", tmp_path).endswith("one\ntwo\n")


def test_what_is_quoted_over_lines_is_another_command_behind_it(tmp_path):
    text = "read x\necho '\necho ran\necho '\n"
    assert strayed(text)
    assert printed(text, tmp_path) == "ran\n"
