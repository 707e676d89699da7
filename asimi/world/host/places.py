"""Where asimi keeps its files, and the only ways they are opened, locked and replaced.

Directories follow the XDG Base Directory Specification. What asimi writes for itself lies in directories that only
their owner may enter; one that others may enter or that belongs to someone else is refused, because whatever is
in it could be forged.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from errno import EACCES, EBUSY, ELOOP
from typing import TYPE_CHECKING

from asimi.core.errors import SCARCE, AsimiError, UnreadableError
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

PATIENCE = 30.0
"""Seconds that a lock is waited for; it is held for milliseconds."""

LONG = 1.0
"""Seconds after which it is looked at who holds a lock; asimi itself holds one for milliseconds."""

MANAGED = "/etc/asimi/config.toml"
"""The administrator's configuration file."""

SHARED = "team-policy.toml"
"""The name of this machine's copy of a team's policy, in the state."""

POSIX = os.name == "posix"
"""Whether files have an owner and a mode that mean something."""


_NONE = "-"
"""Stands for a directory that is not there, on a command line."""


class Places(NamedTuple):
    """The directories of one user.

    Attributes:
        config: what the person writes, `$XDG_CONFIG_HOME/asimi`.
        state: what asimi keeps, `$XDG_STATE_HOME/asimi`.
        runtime: what ends with the login, `$XDG_RUNTIME_DIR/asimi`, else below `state`.
        home: the home directory's real path.
        cache: what can be made again, `$XDG_CACHE_HOME/asimi`.
        managed: the administrator's configuration file.
    """

    config: str
    state: str
    runtime: str
    home: str
    cache: str
    managed: str = MANAGED


class Bases(NamedTuple):
    """Where one user's programs keep their files (XDG Base Directory Specification), each an absolute path.

    Attributes:
        home: the home directory.
        config: `$XDG_CONFIG_HOME`.
        state: `$XDG_STATE_HOME`.
        runtime: `$XDG_RUNTIME_DIR`; empty where there is none.
        cache: `$XDG_CACHE_HOME`.
    """

    home: str
    config: str
    state: str
    runtime: str
    cache: str


def bases_of(environ: Mapping[str, str]) -> Bases:
    """Return the directories that an environment names; a relative name is ignored, as XDG wants it."""
    home = environ.get("HOME", "")
    if not os.path.isabs(home):
        home = _home_of_the_account()

    def base(name: str, default: str) -> str:
        path = environ.get(name, "")
        return path if os.path.isabs(path) else os.path.join(home, default)

    runtime = environ.get("XDG_RUNTIME_DIR", "")
    return Bases(
        home,
        base("XDG_CONFIG_HOME", ".config"),
        base("XDG_STATE_HOME", ".local/state"),
        runtime if os.path.isabs(runtime) else "",
        base("XDG_CACHE_HOME", ".cache"),
    )


def bases_of_account() -> Bases:
    """Return the directories of the user this process runs as, by the system's own list of users, not the environment.

    Raises:
        AsimiError: it has no entry for that user.
    """
    try:
        home = _home_of_the_account()
    except KeyError:
        raise AsimiError(f"the system knows no home of user {os.getuid()}") from None
    return bases_of({"HOME": home, "XDG_RUNTIME_DIR": f"/run/user/{os.getuid()}"})  # as pam_systemd(8) sets it


def written_bases(bases: Bases | None) -> list[str]:
    """Directories as words of a command line; None for those of the account that starts it. No word is empty."""
    return [_NONE] * len(Bases._fields) if bases is None else [each or _NONE for each in bases]


def bases_written(words: Sequence[str]) -> Bases:
    """Return the directories that some words of a command line name.

    Raises:
        AsimiError: they are the account's, which the system does not know.
    """
    if words[0] == _NONE:
        return bases_of_account()
    return Bases(*("" if each == _NONE else each for each in words))


def places_at(bases: Bases) -> Places:
    """Asimi's directories below those of a user's programs."""
    state = os.path.join(bases.state, "asimi")
    login = bases.runtime != "" and _is_own_directory(bases.runtime)
    runtime = os.path.join(bases.runtime, "asimi") if login else os.path.join(state, "run")
    config, cache = (os.path.join(base, "asimi") for base in (bases.config, bases.cache))
    return Places(config, state, runtime, os.path.realpath(bases.home), cache)


def places_of(environ: Mapping[str, str]) -> Places:
    """Asimi's directories, as an environment names them."""
    return places_at(bases_of(environ))


def variables_of(places: Places) -> dict[str, str]:
    """Return the variables with which another asimi finds the same directories."""
    named = {
        "HOME": places.home,
        "XDG_CONFIG_HOME": os.path.dirname(places.config),
        "XDG_STATE_HOME": os.path.dirname(places.state),
        "XDG_CACHE_HOME": os.path.dirname(places.cache),
    }
    below = os.path.dirname(places.runtime)
    return named if below == places.state else {**named, "XDG_RUNTIME_DIR": below}


def _home_of_the_account() -> str:
    """Return the home directory that the system knows of us, where the environment names none."""
    if POSIX:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir
    return os.path.expanduser("~")


def user_name() -> str:
    """Return the user asimi runs as; not from the environment, because that can be set to anything."""
    if not hasattr(os, "getuid"):
        return os.environ.get("USERNAME", "")
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def real_path(path: str) -> str:
    """`os.path.realpath`, tried again where a name on the way turns into something else while it looks.

    Raises:
        UnreadableError: a link there may not be read, as those of other processes in /proc.
        AsimiError: that happens again and again.
    """
    for _ in range(100):
        with suppress(OSError):
            try:
                real = os.path.realpath(path)
            except PermissionError:
                real = ""
            if real and not (real.startswith("/proc/") and _has_link(real)):  # from Python 3.13 on it stays there
                return real
            raise UnreadableError(f"{path}: a link on the way to it may not be read")
    raise AsimiError(f"{path}: something on the way to it keeps changing, so it cannot be judged; try again")


def _has_link(path: str) -> bool:
    """Whether a path that should be real goes through a link all the same."""
    return path != "/" and (os.path.islink(path) or _has_link(os.path.dirname(path)))


def names_in(directory: str) -> Collection[str] | None:
    """Return the names in a directory, none where there is no such directory; None where it cannot be read."""
    try:
        return os.listdir(directory)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError:
        return None


def private_directory(path: str) -> str:
    """Return the path of a directory that only we may enter, made if it is missing.

    Raises:
        AsimiError: it cannot be made, or what is there belongs to someone else or is open to others.
    """
    try:
        make_directory(path)
        there = os.lstat(path)
    except OSError as error:
        raise AsimiError(f"{path}: the directory cannot be made: {words_of(error, path)}") from None
    check_private(path, there, directory=True)
    return path


def private_file(path: str, flags: int) -> int:
    """Return a descriptor of a regular file that only we may read or write; with `O_CREAT` it is made with mode 0600.

    Raises:
        FileNotFoundError: it is not there.
        AsimiError: it cannot be opened, is a symbolic link or not a regular file, belongs to someone else, or is
            open to others.
    """
    try:
        descriptor = os.open(path, flags | _SAFELY, 0o600)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise AsimiError(f"{path}: cannot be opened: {words_of(error, path)}") from None
    try:
        check_private(path, os.fstat(descriptor), directory=False)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_private(path: str, limit: int = 16 << 20) -> bytes | None:
    """Return what a private file holds, or None where there is none.

    Raises:
        AsimiError: as `private_file`; or it is longer than `limit` bytes.
    """
    try:
        descriptor = private_file(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise AsimiError(f"{path}: is longer than {limit} bytes; remove it")
    return content


_RANDOM = 8
"""Letters of a temporary file's name that are random."""

_KILLED = 86400.0
"""Seconds after which a write that has not ended was killed."""


def replace(path: str, content: bytes, mode: int = 0o600, *, lasting: bool = True) -> None:
    """Put new content in the place of a file, all of it or nothing.

    Args:
        path: the file.
        content: what it holds from then on.
        mode: its mode.
        lasting: whether it survives a crash of the machine as well, which takes some milliseconds.

    Raises:
        AsimiError: it cannot be written; what was there is still there.
    """
    directory, name = os.path.split(path)
    temporary = os.path.join(directory, f".{name}.{os.getpid()}.{os.urandom(_RANDOM // 2).hex()}")
    if lasting:
        forget_killed(directory, name)
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFELY, mode)
        try:
            with open(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                if lasting:
                    os.fsync(descriptor)
            os.rename(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
        if lasting:
            _sync(directory)
    except OSError as error:
        raise AsimiError(f"{path}: cannot be written: {words_of(error, path)}") from None


def forget_killed(directory: str, of: str = "") -> None:
    """Remove what is left of writes that were killed more than a day ago.

    Args:
        directory: where; without `of`, one that is asimi's own.
        of: the name of the file that they were to replace; empty for any, as where no name is written twice.
    """
    with suppress(OSError):
        for name in os.listdir(directory):
            whose, number, random = ("", "", *name.rsplit(".", 2))[-3:]
            path, ours = os.path.join(directory, name), whose == f".{of}" or (not of and whose.startswith("."))
            ours = ours and number.isdigit() and len(random) == _RANDOM and not random.strip("0123456789abcdef")
            if ours and os.lstat(path).st_mtime < time.time() - _KILLED:
                os.unlink(path)


class Lock:
    """Held while a file is read, changed and replaced; entering says whether it is held.

    A lock is a file of its own: the file it guards is replaced, and a lock on a replaced file guards nothing.

    Args:
        path: the lock file, made if it is missing.
        wait: whether to wait for whoever else holds it.
    """

    def __init__(self, path: str, *, wait: bool = True) -> None:
        self.path, self._wait = path, wait
        self._descriptor = -1

    def __enter__(self) -> bool:
        try:
            self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | _SAFELY, 0o600)
            if not self._wait:
                return try_lock(self._descriptor)
            lock(self._descriptor)
        except OSError as error:
            raise AsimiError(f"{self.path}: cannot be locked: {words_of(error, self.path)}") from None
        return True

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)


if POSIX:
    import fcntl

    _SAFELY = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # a FIFO in the place of a file must not stop us

    def lock(descriptor: int) -> None:
        """Wait for the exclusive lock of an open file; closing it or `unlock` gives it back.

        Raises:
            OSError: somebody held it all the time; perhaps a process that is stopped.
        """
        if try_lock(descriptor):
            return
        began = looked = time.monotonic()
        while not try_lock(descriptor):
            now = time.monotonic()
            if now > began + PATIENCE:
                raise OSError(EBUSY, f"another process has held the lock for {PATIENCE:g} seconds")
            if now > looked + LONG:
                from asimi.world.host.holders import end_holders

                end_holders(descriptor)
                looked = now
            time.sleep(0.002)

    def try_lock(descriptor: int) -> bool:
        """Take the exclusive lock of an open file if nobody has it; whether that is so."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Give the lock back."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)

else:  # Windows: no owner, no mode, a lock on the first byte
    _SAFELY = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)

    def lock(descriptor: int) -> None:
        """Wait for the exclusive lock of an open file; closing it or `unlock` gives it back."""
        import msvcrt

        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]  # Windows only

    def try_lock(descriptor: int) -> bool:
        """Take the exclusive lock of an open file if nobody has it; whether that is so."""
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # Windows only
        except OSError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Give the lock back."""
        import msvcrt

        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]  # Windows only


def make_directory(path: str) -> None:
    """Make a directory and those above it that are missing, for us alone; `makedirs` opens the upper ones to all."""
    above = os.path.dirname(path)
    if above != path and not os.path.lexists(above):
        make_directory(above)
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)


def check_private(path: str, there: os.stat_result, *, directory: bool) -> None:
    """Make sure that only we may read and write what asimi keeps for itself.

    Args:
        path: where it is.
        there: what is there.
        directory: whether it must be a directory; else it must be a regular file.

    Raises:
        AsimiError: it is something else, belongs to someone else or is open to others; with what to do.
    """
    is_kind, kind, mode = (stat.S_ISDIR, "directory", "700") if directory else (stat.S_ISREG, "regular file", "600")
    if not is_kind(there.st_mode):
        what = "is a symbolic link" if stat.S_ISLNK(there.st_mode) else f"is not a {kind}"
        raise AsimiError(f"{path}: {what}, and asimi uses only a {kind} of your own there; move it away")
    if not POSIX:
        return
    if there.st_uid != os.geteuid():
        remedy = "move it away, or have root give it to you"
        raise AsimiError(f"{path}: belongs to user {there.st_uid}, not to you, so asimi does not use it; {remedy}")
    if there.st_mode & 0o077:
        raise AsimiError(f"{path}: is open to other users, so what it says could be forged; chmod {mode} {path}")


def _is_own_directory(path: str) -> bool:
    try:
        there = os.stat(path)
    except OSError:
        return False
    return stat.S_ISDIR(there.st_mode) and (not POSIX or there.st_uid == os.geteuid())


def _sync(directory: str) -> None:
    """Make a rename last; where directories cannot be opened or synced, the system does so by itself."""
    if not POSIX:
        return
    descriptor = os.open(directory or ".", os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def words_of(error: OSError, path: str) -> str:
    """Return what the system says of a path, and what to do about it where that is known."""
    if error.errno == ELOOP:
        return "it is a symbolic link; move it away"
    if error.errno != EACCES:
        return SCARCE.get(error.errno or 0) or str(error.strerror)
    barrier = _barrier(path)
    there = os.lstat(barrier)
    if POSIX and there.st_uid != os.geteuid():
        return f"{error.strerror}; {barrier} belongs to user {there.st_uid}"
    return f"{error.strerror}; chmod {'u+rwx' if stat.S_ISDIR(there.st_mode) else 'u+rw'} {barrier}"


def _barrier(path: str) -> str:
    """The first part of a path that does not let us through: its directories from the top, then what it names."""
    above = os.path.dirname(path)
    barrier = above if above == path else _barrier(above)
    through = barrier == above and os.path.lexists(path) and os.access(above, os.X_OK)
    return path if through else barrier
