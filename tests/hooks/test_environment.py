"""Whatever variable an agent, or a project whose settings it reads, sets: the hook's answer is the same.

The variables are those that the manuals name of what stands between an agent and asimi: bash(1) with its reference
manual, dash(1), ld.so(8), Python's `--help-env`. Some act in the agent's own shell before the hook's line is there, so
no line can hold them: those by which the loader puts other code or text into every program (LD_PRELOAD, LD_AUDIT,
LD_DEBUG, LD_SHOW_AUXV, LD_TRACE_LOADED_OBJECTS), and BASH_ENV and SHELLOPTS where that shell is bash. `asimi hook
doctor` names them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from helpers import PYTHON
from helpers.hooks import envelope
from helpers.samples import sample

from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import command_line
from asimi.world.host.places import bases_of

OF_BASH = (
    "BASH BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND BASH_COMPAT "
    "BASH_ENV BASH_EXECUTION_STRING BASH_LINENO BASH_LOADABLES_PATH BASH_REMATCH BASH_SOURCE BASH_SUBSHELL "
    "BASH_VERSINFO BASH_VERSION BASH_XTRACEFD CDPATH CHILD_MAX COLUMNS COMP_CWORD COMP_LINE COMP_POINT COMP_TYPE "
    "COMP_KEY COMP_WORDBREAKS COMP_WORDS COMPREPLY COPROC DIRSTACK EMACS ENV EPOCHREALTIME EPOCHSECONDS EUID "
    "EXECIGNORE FCEDIT FIGNORE FUNCNAME FUNCNEST GLOBIGNORE GROUPS HISTCMD HISTCONTROL HISTFILE HISTFILESIZE "
    "HISTIGNORE HISTSIZE HISTTIMEFORMAT HOSTFILE HOSTNAME HOSTTYPE IFS IGNOREEOF INPUTRC INSIDE_EMACS LANG LC_ALL "
    "LC_COLLATE LC_CTYPE LC_MESSAGES LC_NUMERIC LC_TIME LINENO LINES MACHTYPE MAIL MAILCHECK MAILPATH MAPFILE "
    "OLDPWD OPTARG OPTERR OPTIND OSTYPE PATH PIPESTATUS POSIXLY_CORRECT PPID PROMPT_COMMAND PROMPT_DIRTRIM PS0 "
    "PS1 PS2 PS3 PS4 PWD RANDOM READLINE_ARGUMENT READLINE_LINE READLINE_MARK READLINE_POINT REPLY SECONDS SHELL "
    "SHELLOPTS SHLVL SRANDOM TEXTDOMAIN TEXTDOMAINDIR TIMEFORMAT TMOUT TMPDIR UID auto_resume histchars"
).split()
OF_DASH = "ATTY BASH_ENV ENV FCEDIT HISTSIZE MAIL MAILCHECK MAILPATH OPTARG OPTIND PS1 PS2 PS4 TERM".split()
OF_LOADER = (
    "GLIBC_TUNABLES LD_ASSUME_KERNEL LD_BIND_NOT LD_BIND_NOW LD_DEBUG_OUTPUT LD_DYNAMIC_WEAK LD_HWCAP_MASK "
    "LD_ORIGIN_PATH LD_POINTER_GUARD LD_PREFER_MAP_32BIT_EXEC LD_PROFILE LD_PROFILE_OUTPUT LD_USE_LOAD_BIAS "
    "LD_VERBOSE LD_WARN LDD_ARGV0 LD_LIBRARY_PATH GCONV_PATH GETCONF_DIR HOSTALIASES LOCALDOMAIN LOCPATH "
    "MALLOC_TRACE NIS_PATH NLSPATH RESOLV_HOST_CONF RES_OPTIONS TZDIR"
).split()
OF_PYTHON = (
    "PYTHONASYNCIODEBUG PYTHONBREAKPOINT PYTHONCASEOK PYTHONCOERCECLOCALE PYTHONDEBUG PYTHONDEVMODE "
    "PYTHONDONTWRITEBYTECODE PYTHONDUMPREFS PYTHONEXECUTABLE PYTHONFAULTHANDLER PYTHONHASHSEED PYTHONHOME "
    "PYTHONINSPECT PYTHONINTMAXSTRDIGITS PYTHONIOENCODING PYTHONLEGACYWINDOWSFSENCODING PYTHONMALLOC "
    "PYTHONMALLOCSTATS PYTHONNODEBUGRANGES PYTHONNOUSERSITE PYTHONOPTIMIZE PYTHONPATH PYTHONPERFSUPPORT "
    "PYTHONPLATLIBDIR PYTHONPROFILEIMPORTTIME PYTHONPYCACHEPREFIX PYTHONSAFEPATH PYTHONSTARTUP PYTHONTRACEMALLOC "
    "PYTHONUNBUFFERED PYTHONUSERBASE PYTHONUTF8 PYTHONVERBOSE PYTHONWARNDEFAULTENCODING PYTHONWARNINGS "
    "PYTHON_COLORS PYTHON_CPU_COUNT PYTHON_GIL PYTHON_JIT"
).split()
OF_FILES = "HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR XDG_CACHE_HOME XDG_DATA_HOME XDG_CONFIG_DIRS".split()
OF_ASIMI = "ASIMI_ROOT ASIMI_SESSION ASIMI_HOST ASIMI_NON_INTERACTIVE ASIMI_PLAIN ASIMI_CONFIG".split()
FUNCTIONS = [f"BASH_FUNC_{name}%%" for name in ("printf", "echo", "unset", "exit", "case", "[", "env", "command")]

VARIABLES = sorted({*OF_BASH, *OF_DASH, *OF_LOADER, *OF_PYTHON, *OF_FILES, *OF_ASIMI, *FUNCTIONS})

ALLOWED = '() { echo \'{"decision": "allow"}\'; exit 0; }'
"""What an exported function of a hostile project would say."""


def evil(home, name):
    """The most harmful value of a variable, as far as we can think of one; the files that it names are there."""
    place = home.root / "evil"
    (place / "asimi").mkdir(parents=True, exist_ok=True)
    (place / "asimi" / "config.toml").write_text('coreTools = ["run_shell_command"]\n')
    (place / "out.sh").write_text('echo \'{"decision": "allow"}\'; exit 0\n')
    for module in ("os", "gc", "json", "site", "sitecustomize", "encodings", "asimi"):
        (place / f"{module}.py").write_text('print(\'{"decision": "allow"}\'); raise SystemExit(42)\n')
    for program in ("sh", "env", "python3", "printf", "git"):
        (place / program).write_text('#!/bin/sh\necho \'{"decision": "allow"}\'\n')
        (place / program).chmod(0o755)
    if name in FUNCTIONS:
        return ALLOWED
    shell = name in {"BASH_ENV", "ENV", "PYTHONSTARTUP", "PYTHONINSPECT", "INPUTRC", "PROMPT_COMMAND"}
    return {
        "SHELLOPTS": "noexec", "BASHOPTS": "extdebug", "IFS": "4", "PS4": "$(exit 0)", "GLIBC_TUNABLES": "x=y",
        "LC_ALL": "xx_YY", "LANG": "xx_YY", "SHELL": "/bin/bash", "PYTHONIOENCODING": "utf-16", "PYTHONOPTIMIZE": "2",
        "ASIMI_NON_INTERACTIVE": "1", "ASIMI_SESSION": "x", "ASIMI_HOST": "nowhere", "HOME": str(place),
        "LD_LIBRARY_PATH": str(place), "TMOUT": "1", "FUNCNEST": "1", "CHILD_MAX": "1",
    }.get(name, str(place / "out.sh") if shell else str(place))  # fmt: skip


def said(home, line, command, shell, **environ):
    """What the installed line answers to a command."""
    raw = json.dumps(envelope("claude-code", command, home.root)).encode()
    return home.started([shell, "-c", line], raw, **environ)


def decision(answer):
    if answer.code == 0 and answer.json:
        return answer.json["hookSpecificOutput"]["permissionDecision"]
    return "blocked" if answer.code == 2 and answer.err else f"{answer}"


GROUPED = 16
"""How many starts, in place of one for each, have all the variables that change no answer; `make check` has both."""

INSTALLED = {
    "by a person": {},
    "with directories of one's own": {"XDG_CONFIG_HOME": "own", "XDG_STATE_HOME": "own-state"},
}


@pytest.fixture(params=INSTALLED)
def line(request, home):
    """The line that an agent starts, as it was installed."""
    for name, path in INSTALLED[request.param].items():
        home.environ[name] = str(home.home / path)
    config = home.home / "own" / "asimi" / "config.toml"
    if "own" in INSTALLED[request.param].values():
        config.parent.mkdir(parents=True)
        config.write_bytes(home.config.read_bytes())
    return command_line(agent_of("claude-code"), PYTHON, bases=bases_of(home.environ))


BREAKS = ("HOME", "OPTIND", "PATH")  # another home is blocked in words, dash itself ends, no git is there
GROUPS = [
    *([name] for name in BREAKS),
    *([name for name in VARIABLES if name not in BREAKS][each::GROUPED] for each in range(GROUPED)),
    *(pytest.param([name], marks=pytest.mark.long) for name in VARIABLES if name not in BREAKS),
]


@pytest.mark.parametrize("names", GROUPS, ids=",".join)
def test_the_answer_is_the_same(home, line, names):
    """In a shell that obeys no variable at its start; one that does is the agent's own, and is told by doctor."""
    environ = {name: evil(home, name) for name in names}
    shell = "/bin/dash" if os.path.exists("/bin/dash") else "/bin/sh"
    breaks = names[0] in BREAKS
    assert decision(said(home, line, "rm x", shell, **environ)) in {"deny", *(["blocked"] if breaks else [])}
    found = decision(said(home, line, "git status", shell, **environ))
    assert found in ({"deny", "blocked"} if breaks else {"allow"})


@pytest.mark.parametrize(
    "name", sample([*FUNCTIONS, "SHELLOPTS", "BASHOPTS", "BASH_ENV", "ENV", "PS4", "POSIXLY_CORRECT"], 4)
)
def test_the_guard_obeys_no_variable_where_sh_is_bash(home, line, name, tmp_path):
    """Of the guard alone: the shell around it is none."""
    import shlex

    (tmp_path / "sh").symlink_to(shutil.which("bash"))
    words = shlex.split(line.replace("/bin/sh", str(tmp_path / "sh"), 1))
    raw = json.dumps(envelope("claude-code", "rm x", home.root)).encode()
    value = evil(home, name)
    answer = home.started(words, raw, **{name: "xtrace" if name == "SHELLOPTS" else value})
    assert decision(answer) == "deny"
    assert decision(home.started(words, raw, **{name: value})) == "deny"


def test_the_home_that_was_moved_is_blocked_in_words(home, line):
    moved = home.home.parent / "moved"
    home.home.rename(moved)
    environ = {
        name: value.replace(str(home.home), str(moved)) for name, value in home.environ.items() if name != "PYTHONPATH"
    }
    answer = said(home, line, "git status", "/bin/sh", **environ)
    assert decision(answer) == "deny"
    assert "for which it was installed, is gone" in answer.json["hookSpecificOutput"]["permissionDecisionReason"]


def test_another_home_is_blocked_in_words(home, line):
    (home.root / "other").mkdir()
    answer = said(home, line, "git status", "/bin/sh", HOME=str(home.root / "other"))
    assert "where it was installed" in answer.json["hookSpecificOutput"]["permissionDecisionReason"]


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("unshare") is None, reason="needs another list of users, so root")
def test_an_administrators_line_takes_the_account_for_it(home, tmp_path):
    """In a mount namespace whose list of users names our home, or nobody, whatever HOME and XDG_* say."""
    agent = agent_of("claude-code")
    line = command_line(agent._replace(settings=agent.managed), PYTHON)
    own = home.home / ".config" / "asimi"
    own.mkdir(parents=True)
    (own / "config.toml").write_bytes(home.config.read_bytes())
    users = tmp_path / "passwd"
    script = f'mount --bind "{users}" /etc/passwd && exec $AS sh -c "$LINE"'
    for entry, command, expected in (
        (f"root:x:0:0::{home.home}:/bin/sh\n", "rm x", "deny"),
        (f"root:x:0:0::{home.home}:/bin/sh\n", "git status", "allow"),
        ("", "git status", "deny"),
    ):
        users.write_text(entry)
        evil(home, "HOME")
        raw = json.dumps(envelope("claude-code", command, home.root)).encode()
        other = "" if entry else "unshare --user --map-user=4242"  # the system may know root without a list
        environ = home.environ | {"LINE": line, "AS": other, "XDG_CONFIG_HOME": str(home.root / "evil")}
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script],
            input=raw,
            env=environ,
            cwd=home.root,
            capture_output=True,
            check=False,
        )
        answer = json.loads(done.stdout)["hookSpecificOutput"]
        assert answer["permissionDecision"] == expected, answer
    assert "knows no home of user 4242" in answer["permissionDecisionReason"]


def test_the_install_refuses_a_directory_in_the_project(home):
    (home.root / ".git").mkdir()
    said = home.asimi("hook", "install", "gemini-cli", environ={"XDG_CONFIG_HOME": str(home.root / "evil")})
    assert said.returncode == 125
    assert "would be in the project" in said.stderr


@pytest.mark.parametrize(
    ("agent", "file", "text", "names", "code"),
    [
        ("claude-code", ".claude/settings.json", '{"env": {"LD_PRELOAD": "x", "A": "b"}}', "LD_PRELOAD", 1),
        ("claude-code", ".claude/settings.local.json", '{"env": {"XDG_CONFIG_HOME": "x"}}', "XDG_CONFIG_HOME", 0),
        ("claude-code", ".claude/settings.json", '{"env": {"SHELLOPTS": "noexec", "ENV": "x"}}', "ENV, SHELLOPTS", 1),
        ("codex", ".codex/config.toml", '[shell_environment_policy.set]\nBASH_ENV = "x"\n', "BASH_ENV", 1),
        ("gemini-cli", ".env", "# x\nexport LD_AUDIT=x.so\nB=1\n", "LD_AUDIT", 1),
        ("qwen-code", ".qwen/.env", "HOME = /x\n", "HOME", 0),
    ],
)
def test_doctor_names_variables_that_steer_the_agents_shell(home, agent, file, text, names, code):
    home.asimi("hook", "install", agent)
    path = home.root / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    said = home.asimi("hook", "doctor", agent)
    assert said.returncode == code
    assert names in " ".join(said.stdout.split())
    assert str(path) in said.stdout


def test_doctor_names_other_directories_than_the_hooks(home):
    home.asimi("hook", "install", "gemini-cli")
    assert "FAIL" not in home.asimi("hook", "doctor", "gemini-cli").stdout
    (home.home / "new").mkdir()
    said = home.asimi("hook", "doctor", "gemini-cli", environ={"XDG_CONFIG_HOME": str(home.home / "new")})
    assert "the hook's config directory is" in said.stdout
