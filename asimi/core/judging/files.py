"""What a request does to files: to secret ones, to those outside, and to those that nobody wants to lose.

Each word that names a file is followed to the real paths it may lead to, from every directory that its command may run
in, links included. What is forbidden or asked about is then a matter of paths: `secret` for what is read or written of
keys and tokens, `outside` for what is written elsewhere than `[files] write` says, `floor` for what would remove or
overwrite the system, the home or the project as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Verdict, is_below
from asimi.core.judging.paths import above
from asimi.core.judging.patterns import Patterns, absolute
from asimi.core.lean import NamedTuple, pattern
from asimi.core.reading.commands import Added, Finding
from asimi.core.reading.shapes import ANY, MANY, MARKS, ONE, SOME, head_of
from asimi.core.reading.touches import touches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.budget import Budget
    from asimi.core.call import Span
    from asimi.core.judging.paths import Machine, Paths
    from asimi.core.reading import Command, Reading

CHANGES = frozenset({"write", "delete", "move"})
"""Roles of what is changed."""

SECRET = (
    "/**/.env", "/**/.env.*", "!/**/.env.example", "!/**/.env.sample", "!/**/.env.template", "!/**/.env.dist",
    "/**/id_rsa", "/**/id_dsa", "/**/id_ecdsa", "/**/id_ed25519", "/**/*.pem", "/**/*.key", "/**/*.p12", "/**/*.pfx",
    "/**/*.keystore", "/**/*.jks", "/**/*.kdbx", "/**/.netrc", "/**/.pgpass", "/**/.git-credentials", "/**/.htpasswd",
    "/**/credentials.json", "/**/service-account*.json", "~/.ssh/**", "!~/.ssh/known_hosts", "~/.aws/**",
    "~/.azure/**", "~/.config/gcloud/**", "~/.kube/**", "~/.docker/config.json", "~/.npmrc", "~/.pypirc",
    "~/.gnupg/**", "~/.password-store/**", "~/.config/gh/hosts.yml", "~/.config/git/credentials", "~/.config/op/**",
    "~/.local/share/keyrings/**", "~/.mozilla/**", "~/.config/google-chrome/**", "~/.config/chromium/**",
    "~/.config/BraveSoftware/**", "~/.config/microsoft-edge/**", "~/Library/Keychains/**",
    "~/.terraform.d/credentials*", "~/.cargo/credentials*", "~/.gem/credentials", "~/.my.cnf", "~/.vault-token",
    "~/.*_history", "~/.*_history/**", "~/.local/share/fish/fish_history", "/etc/shadow*", "/etc/gshadow*",
    "/etc/sudoers", "/etc/sudoers.d/**", "/etc/ssh/ssh_host_*_key", "/etc/ssl/private/**", "/proc/*/environ",
    "/var/run/secrets/**", "/run/secrets/**",
)  # fmt: skip
"""Files that hold keys, tokens, passwords or what was typed; a pattern with `!` takes back what those before it say."""

SELF_RUNNING = (
    "/**/.git/**", "~/.bashrc", "~/.bash_profile", "~/.bash_login", "~/.bash_logout", "~/.profile", "~/.zshrc",
    "~/.zshenv", "~/.zprofile", "~/.zlogin", "~/.config/fish/**", "~/.config/autostart/**", "~/.config/systemd/**",
    "~/.inputrc", "~/.vimrc", "~/.config/nvim/**", "~/.emacs", "~/.emacs.d/**", "~/.gitconfig", "~/.config/git/**",
    "/**/.envrc", "/**/.husky/**", "/**/.githooks/**", "/**/.vscode/**", "/**/.idea/**", "/**/.devcontainer/**",
    "/**/.gitmodules", "/**/.pre-commit-config.yaml", "/**/lefthook.yml", "/**/.direnv/**", "/etc/**",
    "/var/spool/cron/**",
)  # fmt: skip
"""Files that are run, or say what is run, without anybody naming them: only a pattern that names them covers them."""

SYSTEM_DIRECTORIES = frozenset(
    "/bin /boot /dev /etc /lib /lib32 /lib64 /opt /proc /run /sbin /srv /sys /usr /var /usr/bin /usr/lib /usr/lib64 "
    "/usr/libexec /usr/local /usr/local/bin /usr/local/lib /usr/sbin /usr/share /var/cache /var/lib /var/log "
    "/var/spool /Applications /Library /System /Users /private /private/etc /private/var".split()
)
"""Directories of the system (Filesystem Hierarchy Standard 3.0, macOS)."""

TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp")  # noqa: S108 - names, nothing is put there
"""Directories for what is not kept; what holds the project or the home there is no such thing."""

FREE = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"})
"""Files that are none, or the program's own input and output."""

_CLASS = pattern(r"\[[^]]*\]")


class Files(NamedTuple):
    """What is said of files (`[files]`), by each layer of the configuration that says something.

    Attributes:
        write: where known writers may write: where all of these agree; empty where nobody says it.
        secret: what is asked about when it is read or written: what one of these names.
        deny: what may not be touched: what one of these names.
    """

    write: tuple[tuple[str, ...], ...] = ()
    secret: tuple[tuple[str, ...], ...] = (SECRET,)
    deny: tuple[tuple[str, ...], ...] = ()


class Place(NamedTuple):
    """Where a word leads.

    Attributes:
        path: the real path; with marks from its first part that is not known.
        how: what becomes of it, a role, or empty where that is not known.
        span: the place of the command in the request's text.
        by: the command, or None for a redirection.
    """

    path: str
    how: str
    span: Span | None
    by: Command | None


class _Search:
    """What `find` or `fd` hands to the commands that it starts, in place of `{}`."""

    def __init__(self, command: Command, paths: Paths) -> None:
        self.name, self._command, self._paths = command.name, command, paths

    def found(self) -> Iterator[str]:
        """Where it leads: from where the search begins to anything below that has a name that is looked for."""
        words = self._command.literals
        names = [words[at + 1] for at, word in enumerate(words[:-1]) if word in {"-name", "-iname"}]
        ends = [SOME if name is None else _as_shape(name) for name in names] or [""]
        starts = [touch for touch in touches(self._command) if touch.how == "look"]
        for touch in starts:
            for path in self._paths.leads(self._command, touch.word, touch.start):
                yield from (f"{path}/{ANY}/{end}" if end else f"{path}/{ANY}" for end in ends)
        if not starts:
            yield from (f"{each or ANY}/{ANY}/{end}" for each in self._paths.at(self._command) for end in ends)


def _as_shape(pattern: str) -> str:
    """A pattern of file names, as programs have them, as a shape."""
    return _CLASS.sub(ONE, pattern).replace("*", SOME).replace("?", ONE)


class FileRules:
    """What is said of files, on this machine and in this project.

    Args:
        files: what a person says of them.
        root: the project root.
        machine: this machine.
    """

    def __init__(self, files: Files, root: str, machine: Machine) -> None:
        self.files, self.root, self.machine = files, machine.resolve(root), machine
        home = machine.home
        self.secret = [Patterns(each, self.root, home) for each in files.secret]
        by_name = [[pattern for pattern in each if not pattern.endswith("/**")] for each in files.secret]
        self.secret_names = [Patterns(each, self.root, home) for each in by_name]
        self.denied = [Patterns(each, self.root, home) for each in files.deny]
        self.named = tuple(
            absolute(pattern, self.root, home)
            for each in files.secret
            for pattern in each
            if not pattern.startswith(("!", "/**"))
        )
        running = Patterns(SELF_RUNNING, self.root, home)
        self.write = [_Writable(each, running, self.root, machine) for each in files.write]
        floor = {"/", home, self.root, *SYSTEM_DIRECTORIES, *above(self.root), *above(home)}
        self.floor = frozenset(floor)

    def findings(self, reading: Reading, paths: Paths, budget: Budget) -> Iterator[Finding]:
        """What is to be said of a request."""
        for place in self.places(reading, paths):
            budget.spend(10 + len(place.path) // 8)
            if place.by is not None and place.how in {"read", ""} and self._is_astray(place.path):
                place.by.astray = True
            yield from self._said(place)

    def places(self, reading: Reading, paths: Paths) -> Iterator[Place]:
        """Where the words of a request lead, and its redirections."""
        searched: _Search | None = None
        for command in reading.commands:
            if command.possible and not command.called:
                continue
            for file in command.inline.files if command.inline is not None else ():
                for path in paths.named(command, file, unlinks=file.how in {"delete", "move"}):
                    yield Place(path, file.how, command.span, command)
            if command.program is not None and command.program.syntax.commands:
                searched = _Search(command, paths)
            for touch in touches(command):
                word = command.words[touch.word]
                handed = isinstance(word, Added) or "{}" in command.written(word)
                if searched is not None and command.via == searched.name and handed:
                    found = searched.found()
                else:
                    found = paths.leads(command, touch.word, touch.start, unlinks=touch.how in {"delete", "move"})
                yield from (Place(path, touch.how, command.span, command) for path in found)
        for target, span, writes in reading.targets:
            for path in paths.targets(target, span):
                yield Place(path, "write" if writes else "read", span, None)

    def _said(self, place: Place) -> Iterator[Finding]:
        """What is to be said of one place."""
        path, how = place.path, place.how
        if path in FREE:
            return
        shown = path.replace(ANY, "…").replace(MANY, "…").replace(SOME, "*")
        if any(each.matched(path) for each in self.denied):
            yield Finding("denied_by_rule", f"{shown} may not be touched", place.span, Verdict.DENY)
        if how in {"look", "enter"}:
            return
        known = MARKS.isdisjoint(path)
        if any(each.matched(path) for each in self.secret) if known else self._may_be_secret(path):
            yield Finding("secret", f"{shown} may hold a secret", place.span)
        elif how in {"read", ""} and known and any(each.startswith(f"{path.rstrip('/')}/") for each in self.named):
            yield Finding("secret", f"{shown} holds secrets", place.span)
        if how in CHANGES and not all(each.holds(path) for each in self.write):
            yield Finding("outside", f"this writes {shown}, which is outside of what files.write names", place.span)
        if how in {"delete", "move"} and self._is_floor(path):
            yield Finding("floor", f"this removes {shown}", place.span)

    def _is_astray(self, path: str) -> bool:
        """Whether only bash can know where a path leads, and it does not begin with a directory of the project."""
        if ANY not in path and MANY not in path:
            return False
        return not is_below(head_of(path).rpartition("/")[0] or "/", self.root)

    def _may_be_secret(self, path: str) -> bool:
        """Whether a path of which a part is not known may be a secret, by what is known of it."""
        last = path.rpartition("/")[2]
        if ANY in last and not last.replace(ANY, "").strip(SOME + ONE):
            return False  # nothing is known of its name; what allows by effect asks about that
        return any(each.matched(path) for each in (self.secret if head_of(path).strip("/") else self.secret_names))

    def _is_floor(self, path: str) -> bool:
        """Whether removing a path would remove the system, the home or the project as a whole."""
        if path in self.floor or path.endswith("/.git") or (path.count("/") == 1 and MARKS.isdisjoint(path)):
            return True
        directory, _, name = path.rpartition("/")
        if directory == self.machine.home and path != self.root:
            return True
        if ANY in path or MANY in path:
            return True
        return bool(name) and set(name) <= {SOME} and (directory or "/") in self.floor


class _Writable:
    """Where one layer lets known writers write.

    Args:
        patterns: as the person writes them.
        running: what is run, or says what is run, without anybody naming it.
        root: the project root.
        machine: this machine.
    """

    def __init__(self, patterns: Sequence[str], running: Patterns, root: str, machine: Machine) -> None:
        home = machine.home
        wide = [each for each in patterns if _is_wide(each) and not running.matched(_start(each, root, home))]
        temporary = {*TEMPORARY, machine.variables.get("TMPDIR", TEMPORARY[0])}
        if _is_no_project(root, home):  # then what is below it, and what is temporary, says nothing
            patterns = [
                each
                for each in patterns
                if each not in wide or (each[0] in "~/!" and _start(each, root, home) not in temporary)
            ]
        self._running = running
        self._all = Patterns(patterns, root, home)
        self._explicit = Patterns([each for each in patterns if each not in wide], root, home)
        starts = temporary.intersection(_start(each, root, home) for each in wide)
        self._project = root
        self._holders = tuple(
            f"{start}/{path[len(start) + 1 :].partition('/')[0]}"
            for start in starts
            for path in (root, home)
            if is_below(path, start)
        )

    def holds(self, path: str) -> bool:
        """Whether a path may be written; of one that only bash can know it is not known."""
        if ANY in path or MANY in path:
            return False
        if any(is_below(path, each) for each in self._holders) and not is_below(path, self._project):
            return False
        if self._running.matched(path) and not self._explicit.matched(path):
            return False
        return self._all.matched(path)


def _is_wide(pattern: str) -> bool:
    """Whether a pattern of what may be written names no file or directory at its end."""
    return pattern.rstrip("/").rpartition("/")[2] in {"**", "*", "."}


def _start(pattern: str, root: str, home: str) -> str:
    """The directory that a pattern begins with, before what may be any name."""
    fixed, star, _ = absolute(pattern, root, home).partition("*")
    return (fixed.rpartition("/")[0] if star else fixed).rstrip("/") or "/"


def _is_no_project(root: str, home: str) -> bool:
    """Whether a root is no project but the home, a directory above it, or one of the system."""
    return root in {"/", home, *above(home), *SYSTEM_DIRECTORIES}
