"""A file that a project's author wrote costs little, whatever is in it."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from asimi.core.errors import ConfigError
from asimi.world.config.toml import DEPTH, LONGEST_RUN, OWN, PARTS, PROJECT, check_bounds

SIZE = 1 << 16


def filled(unit, before="", after=""):
    """Copies of a text, as many as fit; `%x` in it becomes their number."""
    texts, room, number = [before], SIZE - len(before) - len(after), 0
    while (room := room - len(text := unit.replace("%x", f"{number:x}"))) >= 0:
        texts.append(text)
        number += 1
    return "".join(texts) + after


HALF = filled("a.")[: SIZE // 2]
RULE = '[[rules]]\ndecision = "deny"\ncommand = "git push"\n'
HOSTILE = {
    "parts of a key": filled("a.", after="a=1"),
    "parts with blanks and quotation marks": filled("'' . ", after="a=1"),
    "parts of a header": f"[{HALF}a]\n" + filled("a%x=1\n")[: SIZE // 2 - 8],
    "parts of a header of an array": f"[[{HALF}a]]\n" + filled("a%x=1\n")[: SIZE // 2 - 8],
    "parts in an inline table": filled("a.", "a={", "a=1}"),
    "parts behind a string of seven quotation marks": filled("a.", 'a=["""b""""",""]\n', "a=1"),
    "as many parts as there may be": filled("a." * (PARTS - 2) + "b%x.c=1\n", "[" + "a." * (PARTS - 1) + "a]\n"),
    "arrays": filled("[", "a="),
    "inline tables": filled("{a=", "a="),
    "closed arrays": "a=" + "[" * (SIZE // 2 - 2) + "]" * (SIZE // 2 - 2),
    "keys": filled("a%x=1\n"),
    "headers": filled("[a%x]\n"),
    "elements": filled("1,", "a=[", "]"),
    "tables": filled("{},", "a=[", "]"),
    "rules": filled("[[rules]]\n"),
    "rules that hold": filled('[[rules]]\ndecision="deny"\ncommand="a%x"\n'),
    "entries": filled('"run_shell_command(a%x)",', "ask=[", "]"),
    "an entry": filled("`a`", "ask=['run_shell_command(", ")']"),
    "examples": filled('"git push %x",', f"{RULE}match=[", "]"),
    "an example": filled("git push; ", f"{RULE}match=['", "']"),
    "an example that must not match": filled("git pull; ", f"{RULE}not_match=['", "']"),
    "an example of a program": filled("`a`", '[[rules]]\ndecision="deny"\ntool="execute_command"\nmatch=["', '"]'),
    "alternatives": '[[rules]]\ndecision="allow"\noptions_any=["-q"]\ncommand=["git",' + '["log","show"],' * 40 + "]",
    "digits": filled("9", "a="),
    "digits of a fraction": filled("9", "a=0."),
    "digits of an exponent": filled("9", "a=1e"),
    "hexadecimal digits": filled("f", "a=0x"),
    "numbers": filled("9" * 1000 + ",", "a=[", "]"),
    "a key": filled("a", after="=1"),
    "a key in quotation marks": filled("a", "'", "'=1"),
    "escapes": filled("\\n", 'a="', '"'),
    "escapes in long strings": filled('\\"', 'a="""', '"""'),
    "open strings": filled('"""\\'),
    "open literal strings": filled("'''a"),
    "open lines": filled("'\n\"\n"),
    "quotation marks": filled('"'),
    "comments": filled("#\n"),
    "blanks": filled(" "),
    "blank lines": filled("\n", after="[limits]\nstate_bytes='2MiB'\nstate_age='2h'\n[session]\nwait=true"),
    "returns": filled("\r\n"),
}

CHILD = """
import resource, sys
from asimi.core.errors import ConfigError
from asimi.world.config import Configuration
from asimi.world.host.places import places_of

def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()

configuration = Configuration(places_of({"HOME": sys.argv[1]}), sys.argv[2], environ=dict)
resource.setrlimit(resource.RLIMIT_AS, (memory() + (64 << 20),) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
try:
    configuration.settings()
    configuration.notices()
except ConfigError as error:
    print(error.message)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and limits a process")
@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_no_content_of_a_projects_file_costs_much(user, content):
    assert len(content) <= SIZE
    path = user.project("")
    path.write_bytes(content.encode())
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(user.home), str(user.root)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


FAULTS = [
    ("\n" + "a." * PARTS + "a = 1", 2, "a key has too many parts"),
    ("a = 1\n[" + "a." * PARTS + "a]", 2, "a key has too many parts"),
    ("\n\na = " + "[" * (DEPTH + 1), 3, "nested too deeply"),
    ("a = " + "[{a=" * DEPTH, 1, "nested too deeply"),
    ("[limits]\ntimeout = " + "9" * (LONGEST_RUN + 1), 2, "too many characters"),
    ("ask = [\n" + "'a',\n" * PROJECT.values + "]", PROJECT.values, "too many keys and values"),
    ("#" * (SIZE + 1), None, "longer than 64 KiB"),
]


@pytest.mark.parametrize(("text", "line", "words"), FAULTS)
def test_what_is_too_much_is_told_with_its_line(user, text, line, words):
    path = user.project(text)
    with pytest.raises(ConfigError, match=re.escape(words)) as told:
        user.settings()
    assert (told.value.path, told.value.line) == (str(path), line)


def test_the_users_own_file_may_be_longer(user):
    user.write("ask = [\n" + "'run_shell_command(ls)',\n" * 2 * PROJECT.values + "]" + "#" * SIZE)
    assert user.settings().policy.rules
    user.write("#" * (OWN.bytes + 1))
    with pytest.raises(ConfigError, match="1024 KiB"):
        user.settings()


VALID = [
    'a = """' + "[" * 99 + '"""',
    'a = """b\\""" ' + "{" * 99 + '"""',
    'a = """b""""" # ' + "[" * 99,
    "a = '''b''''' # " + "[" * 99,
    "a = '''[" + '"' + "[" * 99 + "'''\nb = [[1]]",
    'a = "\\"' + "." * 99 + '"',
    "a = '\\' # '" + "." * 99,
    "a.b.'c.d.e'.\"f.g\" = 1.5\n",
    "a = [\n" + "  1.5, # . . . . [ [ {\n" * 99 + "]",
    "[a.b.c]\nd = 1979-05-27 07:32:00.5\ne = { f.g = [1, [2, { h = 3 }]] }",
]


@pytest.mark.parametrize("text", VALID)
def test_what_stands_in_strings_and_comments_is_not_counted(text):
    tomllib.loads(text)
    check_bounds(text, PROJECT, "FILE")


def test_files_as_people_write_them_are_within_the_bounds():
    for name in ("pyproject.toml", "config.example.toml"):
        check_bounds(Path(__file__).parents[2].joinpath(name).read_text(), PROJECT, name)


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such files")
@pytest.mark.parametrize("what", ["pipe", "directory", "device"])
def test_what_is_no_file_is_told(user, what):
    path = user.project("")
    path.unlink()
    if what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(ConfigError, match="is not a regular file; put one"):
        user.settings()
