"""The environment of a command, byte by byte: the parent's as it is now, and `ASIMI_CLI=1`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from helpers import PYTHON
from helpers.home import Home

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere ASIMI_RUN is added")

EVERYTHING = 'coreTools = ["run_shell_command", "execute_command"]'
LOCALES = [
    {},
    {"LC_CTYPE": "C"},
    {"LANG": "C"},
    {"LANG": "xx_YY.UTF-8"},  # none that is installed
    {"LC_CTYPE": "xx_YY.UTF-8"},
    {"LANG": "C.UTF-8"},
    {"LC_CTYPE": "C.UTF-8"},
    {"LC_ALL": "C.UTF-8", "KEPT": "a=b\nc", "EMPTY": "", "ASIMI_RUN": "outer"},
]
LIBRARY = """
import json, os, asimi

def printed():
    shell, program = asimi.run("./show -0"), asimi.execute("./show", "-0")
    assert (shell["exitCode"], program["return_code"]) == (0, 0), (shell, program)
    return [shell["stdout"], program["stdout"]]

first = printed()
os.environ["ADDED"] = "new"
os.environ["LC_CTYPE"] = "POSIX"
os.environ.pop("KEPT", None)
print(json.dumps([first, printed()]))
"""


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path, EVERYTHING)
    shutil.copy(shutil.which("env"), home.root / "show")  # under its own name it asks: it shows what may be secret
    return home


def environment(home, more):
    """What a parent has: no locale but the given one."""
    return {name: value for name, value in home.environ.items() if name != "LANG"} | more


def entries(printed):
    """The entries that were printed, sorted."""
    return sorted(entry for entry in printed.split("\0") if entry)


def given(environ):
    """The same of a program that is started with an environment."""
    return sorted(f"{name}={value}" for name, value in (environ | {"ASIMI_CLI": "1"}).items())


def in_bash(home, environ):
    """The same of a program that bash starts; it adds `_`, `SHLVL` and others of its own."""
    words = ["bash", "-c", "--", "./show -0"]
    done = subprocess.run(words, cwd=home.root, env=environ | {"ASIMI_CLI": "1"}, capture_output=True, check=True)
    return entries(done.stdout.decode())


def output(words, home, environ, text=""):
    """What a program prints."""
    done = subprocess.run(words, cwd=home.root, env=environ, input=text, capture_output=True, text=True)  # noqa: PLW1510
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("more", LOCALES)
def test_one_command_has_the_environment_of_asimi_and_one_variable(home, more):
    """> inherits the environment variables of the Gemini CLI process, with one addition."""
    environ = environment(home, more)
    asimi = [PYTHON, "-m", "asimi"]
    assert entries(output([*asimi, "run", "./show -0"], home, environ)) == in_bash(home, environ)
    assert entries(output([*asimi, "exec", "--", "./show", "-0"], home, environ)) == given(environ)


def test_a_stream_of_calls_has_it_too(home):
    environ = environment(home, {"KEPT": "kept"})
    calls = '{"command": "./show -0"}\n{"command": "./show", "args": ["-0"]}\n'
    shell, program = map(json.loads, output([PYTHON, "-m", "asimi"], home, environ, calls).splitlines())
    assert entries(shell["stdout"]) == in_bash(home, environ)
    assert entries(program["stdout"]) == given(environ)


@pytest.mark.parametrize("more", LOCALES)
def test_a_librarys_calls_have_that_of_their_moment(home, more):
    environ = environment(home, more)
    first, second = json.loads(output([PYTHON, "-c", LIBRARY], home, environ))
    assert [entries(printed) for printed in first] == [in_bash(home, environ), given(environ)]
    changed = {name: value for name, value in environ.items() if name != "KEPT"}
    changed |= {"ADDED": "new", "LC_CTYPE": "POSIX"}
    assert [entries(printed) for printed in second] == [in_bash(home, changed), given(changed)]


@pytest.mark.parametrize("more", [{"LANG": "C.UTF-8"}, {"LC_ALL": "C"}])
def test_a_locale_that_the_program_chose_is_handed_on(home, more):
    program = "import os, asimi; os.environ['LC_CTYPE'] = 'C.UTF-8'; print(asimi.execute('./show', '-0')['stdout'])"
    environ = environment(home, more)
    assert "LC_CTYPE=C.UTF-8" in entries(output([PYTHON, "-c", program], home, environ).rstrip("\n"))


def test_what_misleads_bash_is_taken_out(home):
    """Variables that make bash read the text differently, or run what nobody judged."""
    taken = dict.fromkeys(
        ("BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "POSIXLY_CORRECT", "BASH_COMPAT", "BASH_LOADABLES_PATH",
         "GLOBIGNORE", "CDPATH", "PS4", "BASH_FUNC_ls%%"),
        "() { :; }",
    )  # fmt: skip
    environ = environment(home, {"KEPT": "kept"})
    for words in (["run", "./show -0"], ["exec", "--", "./show", "-0"]):
        printed = entries(output([PYTHON, "-m", "asimi", *words], home, environ | taken))
        assert printed == (in_bash(home, environ) if words[0] == "run" else given(environ))


DECIDES = """
import os, asimi

gate = asimi.open_gate()
for text in ("NEW=1; git status", "for x in a; do echo $x; done"):
    print(asimi.check(text, gate=gate).verdict.word)
os.environ["NEW"] = "exported"
print(asimi.check("NEW=1; git status", gate=gate).verdict.word)
os.environ["LC_ALL"] = "zh_CN.GBK"
print(asimi.check("for x in a; do echo $x; done", gate=gate).verdict.word)
print(asimi.run("for x in a; do echo $x; done", gate=gate)["exitCode"])
"""


def test_a_verdict_is_about_the_environment_of_its_moment(tmp_path):
    """What an assignment changes is exported now, and bash would cut bytes into characters otherwise."""
    home = Home(tmp_path, 'coreTools = ["run_shell_command(echo)", "run_shell_command(git status)"]')
    environ = environment(home, {"LANG": "C.UTF-8", "ASIMI_NON_INTERACTIVE": "1"})
    said = output([PYTHON, "-c", DECIDES], home, environ).split()
    assert said == ["allow", "allow", "ask", "ask", "None"]


def test_an_environment_that_was_overwritten_is_handed_on_as_it_is(home):
    """Programs that show a title in `ps` write over the memory that the kernel shows as the environment."""
    program = (
        "import ctypes, os, re, asimi\n"
        "area = [int(word) for word in open('/proc/self/stat').read().rpartition(')')[2].split()[47:49]]\n"
        "ctypes.memset(area[0], 0x20, area[1] - area[0])\n"
        "print(asimi.execute('./show', '-0')['stdout'])"
    )
    environ = environment(home, {"LC_CTYPE": "C.UTF-8"})
    printed = entries(output([PYTHON, "-c", program], home, environ).rstrip("\n"))
    assert "LC_CTYPE=C.UTF-8" in printed
    assert f"HOME={os.fspath(home.home)}" in printed
