"""Projects as rows of `tests/projects/layouts.toml` lay them out, each in a home of its own, and the commands there."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
import tempfile
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from helpers import MODULES, PATIENCE, PYTHON, ROOT, TESTS
from helpers.sandboxes import AS_NOBODY, NOBODY, nobodys_python, skip

TOOLS = Path(os.environ.get("ASIMI_TOOLS", ROOT / ".tools"))
"""Where `make tools` installs what the registries have."""

OF_GIT = (
    "status --porcelain --ignored",
    "ls-files --stage",
    "branch -a",
    "stash list",
    "log --all --format=%an%cn%s%d",
)


def rows():
    """The rows of the table; one with `each` is a row for each of these."""
    table = tomllib.loads((TESTS / "projects" / "layouts.toml").read_text())
    for row in table["layout"]:
        for each in row.get("each", [""]):
            name = f"{row['name']}: {each}" if each else row["name"]
            yield Row(**row | {"name": name, "each": each, "before": table["before"]})


class Row(NamedTuple):
    """One of the table, whose beginning says what the fields are."""

    name: str
    before: str
    made: str
    does: list[str]
    needs: str = ""
    tool: str = ""
    at: str = "."
    each: str = ""
    options: str = ""
    user: str = ""
    limit: int = 0
    environment: str = ""
    may_say: str = r"(?!)"
    then: tuple[str, ...] = ()
    quick: bool = False


OURS = 125
"""The exit code of what asimi itself could not do."""


class Did(NamedTuple):
    """What came of a command: its exit code, what it printed, and what is there afterwards."""

    code: int
    said: tuple[str, ...]
    home: tuple[str, ...]
    tree: tuple[str, ...]


class Project:
    """A home with a project `p` in it, which can be made again and again at the same place.

    Args:
        row: what is there.
        port: where the registries are.
    """

    def __init__(self, row, port):
        self.row, self.port = row, port
        self.user = AS_NOBODY if row.user else ()
        if row.user and not nobodys_python():
            skip("only root can become somebody else, who must have a Python to start")
        own = pwd.getpwuid(os.getuid()).pw_dir
        tools = [TOOLS / row.tool / "node_modules/.bin", TOOLS / "bin", f"{own}/.cargo/bin"]
        self.path = os.pathsep.join(map(str, [*tools, "/usr/local/bin:/usr/bin:/bin:/usr/sbin"]))
        for each in f"git {row.needs}".split():
            if not shutil.which(each, path=self.path):
                skip(f"there is no {each} here: `make tools` installs it")
        below = "/home" if os.access("/home", os.W_OK) else own  # a box hides /tmp
        self.top = Path(tempfile.mkdtemp(prefix="asimi-project-", dir=below))
        self.home, self.made = self.top / "home", self.top / "made"
        for each in ("home/p", "home/.cache", "home/.config", "home/.local/state", "home/.local/share"):
            (self.top / each).mkdir(parents=True)
        (self.top / "run").mkdir(mode=0o700)
        (self.home / ".gitconfig").write_text(
            "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
            '[protocol "file"]\n\tallow = always\n'
        )
        if row.user:
            for path in (self.top, *self.top.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
        done = self.runs(row.made, cwd=self.home / "p")
        if done.returncode:
            self.end()
        assert done.returncode == 0, done.stdout
        self.home.rename(self.made)

    def again(self):
        """Make all of it anew."""
        self.away(self.home)
        subprocess.run(["cp", "-a", self.made, self.home], check=True)

    def away(self, path):
        """Remove a directory, also if it has closed ones."""
        if path.exists():
            subprocess.run(["chmod", "-R", "u+rwX", path], check=True)
            shutil.rmtree(path)

    @property
    def root(self):
        """Where the commands run, which is what the box holds."""
        return (self.home / "p" / self.row.at).resolve()

    @property
    def environ(self):
        """A person's, with settings for the registries."""
        at = f"http://localhost:{self.port}"
        own = dict(each.split("=", 1) for each in self.row.environment.split())
        usual = {
            "PATH": self.path,
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            "XDG_RUNTIME_DIR": str(self.top / "run"),
            "each": self.row.each,
            "port": str(self.port),
            "npm_config_registry": at,
            "npm_config_audit": "false",
            "npm_config_update_notifier": "false",
            "YARN_CACHE_FOLDER": f"{self.home}/.cache/yarn",
            "YARN_NPM_REGISTRY_SERVER": at,
            "YARN_UNSAFE_HTTP_WHITELIST": "localhost",
            "YARN_ENABLE_TELEMETRY": "0",
            "PIP_INDEX_URL": f"{at}/simple",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "UV_DEFAULT_INDEX": f"{at}/simple",
            "UV_PYTHON_PREFERENCE": "only-system",
            "POETRY_VIRTUALENVS_IN_PROJECT": "true",
            "PDM_CHECK_UPDATE": "false",
            "PDM_PYPI_URL": f"{at}/simple",
            "GOPROXY": f"{at}/go",
            "GOFLAGS": "-modcacherw",
            "GOSUMDB": "off",
            "CARGO_INCREMENTAL": "0",
            "CARGO_NET_OFFLINE": "true",
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", f"{pwd.getpwuid(os.getuid()).pw_dir}/.rustup"),
        }
        return {name: value for name, value in (usual | own).items() if value or name == "each"}

    def script(self, command):
        """Words that run one in bash, with all that it prints on standard output."""
        limit = f"ulimit -n {self.row.limit}\n" if self.row.limit else ""
        return ["env", "-u", "PYTHONPATH", "bash", "-c", f"exec 2>&1\n{limit}{self.row.before}\n{command}"]

    def runs(self, command, *, cwd=None, words=(), **options):
        """Run one, after some words of another program."""
        return subprocess.run(
            [*self.user, *words, *self.script(command)],
            check=False,
            cwd=cwd or self.root,
            env=self.environ | (MODULES if words else {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            text=True,
            errors="replace",
            **options,
        )

    @property
    def wrap(self):
        """Words that put a program in a box."""
        python = nobodys_python() if self.user else PYTHON
        reach = ["--reach", f"localhost:{self.port}"]
        tools = ["--read", str(TOOLS)] if TOOLS.is_dir() else []  # which `make tools` makes
        return [python, "-m", "asimi", "wrap", *tools, *reach, *self.row.options.split(), "--"]

    @contextmanager
    def box(self):
        """A box that does nothing while this lasts."""
        words = [*self.user, *self.wrap, "sh", "-c", "echo begun; read end"]
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        environ = self.environ | MODULES
        with subprocess.Popen(words, cwd=self.root, env=environ, text=True, **streams) as process:
            if process.stdout.readline() != "begun\n":
                pytest.fail(f"no box: {told(process.communicate()[1])}", pytrace=False)
            try:
                yield
            finally:
                process.communicate("\n")
            assert process.returncode == 0

    def did(self, command, words=()):
        """What comes of one."""
        done = self.runs(command, words=words)
        said = done.stdout
        if words and done.returncode and (not said or done.returncode == OURS):
            said += told(done.stderr)
        lines = tuple(line for line in plain(said) if not re.search(self.row.may_say, line))
        return Did(done.returncode, lines, tuple(sorted(os.listdir(self.home))), tuple(self.tree()))

    def does(self, words=()):
        """What comes of its commands."""
        return {command: self.did(command, words) for command in self.row.does}

    def then(self):
        """What comes of what people do when no box is there any more, and all that there is in the end."""
        done = {f"afterwards {command}": self.did(command)._replace(home=()) for command in self.row.then}
        return done | {"in the end": Did(0, (), (), tuple(self.tree(git=True)))}

    def tree(self, *, git=False, inodes=False):
        """The names in the home but in its directories with a dot, what they are, and what git says of each repository.

        Args:
            git: what is in git's own directories, too, but for objects.
            inodes: which they are, too.
        """
        for at, directories, files in os.walk(self.home):
            below, hidden = os.path.relpath(at, self.home), "." if at == str(self.home) else "//"
            directories[:] = [each for each in directories if not each.startswith(hidden)]
            if "HEAD" in files and "objects" in directories:
                directories.remove("objects")
                if not git:
                    directories.clear()
                    continue
            for name in [".", *directories, *files]:
                path = os.path.normpath(os.path.join(at, name))
                status = os.lstat(path)
                to = f" -> {os.readlink(path)}" if os.path.islink(path) else ""
                number = f" {status.st_ino}" if inodes else ""
                yield f"{os.path.relpath(path, self.home)} {status.st_mode:o}{to}{number}"
            if ".git" in (*directories, *files):
                for words in OF_GIT:
                    yield from (f"{below}: git {words}: {line}" for line in self.git(at, *words.split()))

    def git(self, at, *words):
        """The lines that a command of git prints somewhere."""
        streams, environ = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}, {"GIT_OPTIONAL_LOCKS": "0"}
        done = subprocess.run(
            [*self.user, "git", *words], check=False, cwd=at, env=self.environ | environ, text=True, **streams
        )
        return done.stdout.splitlines()

    def end(self):
        """Remove everything."""
        self.away(self.top)


def plain(text):
    """The lines of a text without what differs each time: numbers, colours, order."""
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\r| in \d.*", "", text)
    return sorted({re.sub(r"\d[\d.,:]*\s*(ms|s|m)?\b", "N", line).strip() for line in text.splitlines()})


def told(text):
    """The last lines that asimi says: why a box did not start."""
    return " ".join(line.strip() for line in text.splitlines()[-3:] if "`asimi help box`" not in line)


def differs(expected, found):
    """How what came of commands differs, each difference where it is first met, a line each."""
    seen = set()
    for command, one in expected.items():
        other = found[command]
        if one.code != other.code:
            yield f"{command}: exit code {other.code}, not {one.code}"
        for kind in ("said", "home", "tree"):
            before, after = set(getattr(one, kind)), set(getattr(other, kind))
            new = {f"no {kind}: {each}" for each in before - after} | {f"its {kind}: {each}" for each in after - before}
            yield from (f"{command}: {each}" for each in sorted(new - seen))
            seen |= new


def fail_with(lines):
    """Fail a test with the first of some lines, if there are any."""
    lines = list(lines)
    more = [f"and {len(lines) - 30} more"] if len(lines) > 30 else []
    if lines:
        pytest.fail("\n".join(lines[:30] + more), pytrace=False)
