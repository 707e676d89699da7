"""A sandbox by bubblewrap (bwrap(1)): a view of the files of its own, in namespaces of its own.

::

    asimi ──> bwrap, which waits ──> the first process of a new pid namespace ──> the command

Beyond what Landlock keeps, files can be hidden, and files in a writable directory be protected; modes and times of what
is outside cannot be changed, processes outside not be seen. Nothing here descends from a thread that Landlock holds:
it refuses every mount.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import stat
from typing import TYPE_CHECKING

from asimi.core.call import Sandbox, is_below
from asimi.world.executors.confining import seccomp
from asimi.world.executors.confining.binding import Bindings, try_lock_path
from asimi.world.executors.confining.mounts import MEMORY, Mounts, is_inhabited, watch_left
from asimi.world.executors.confining.outlet import OutletOpener
from asimi.world.executors.confining.system import CAPABILITIES, ConfinementError, bubblewrap_path, path_of
from asimi.world.executors.spawning import leads_to
from asimi.world.executors.starting import Start, candidates
from asimi.world.host.trees import pipes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from asimi.world.executors.confining.outlet import Outlet

OWN = ("/dev", "/proc", "/tmp")  # noqa: S108 - where the command gets directories of its own
PIPES = {"/run": 4, "/var/spool": 3}
"""Where daemons have their named pipes, and how many levels down these are looked for."""
LEVELS = 2
"""The same in the home, and beside the project."""
SAID = 1 << 16
"""Bytes that are read of what bwrap says of itself, in fact some two hundred."""
BY_WORDS = {os.strerror(code): code for code in errno.errorcode}
"""What bwrap says of an error, and its number."""


class CommandBox(Bindings):
    """The sandbox of one command.

    A context manager: what is open for the start is closed at its end. `end` is for the end of the call.

    Args:
        sandbox: what is wanted; not `off`.
        root: the real path of the project root.
        writable: the directories where files can be written, by their real paths, each with a descriptor; the private
            one for temporary files is among them.
        temporary: the real path of that one.
        program: the filter of system calls.
        outlet: what leads to names, where the network is `named`.
    """

    confine = None  # asimi's own thread stays as it is: bwrap confines itself
    says = b"bwrap: "  # how its own lines begin
    tried = False  # whether it is a trial, which nothing lists: bwrap dies where nobody hears it, and its child waits
    # for ever. So a trial's bwrap has our end of the pipe, too; a command would get it, and read what bwrap says of it.

    def __init__(
        self,
        sandbox: Sandbox,
        root: str,
        writable: Mapping[str, int],
        temporary: str,
        program: bytes,
        outlet: Outlet | None = None,
    ) -> None:
        self._sandbox, self._root, self._writable, self._temporary = sandbox, root, writable, temporary
        tops = {path: descriptor for path, descriptor in writable.items() if path != temporary}
        super().__init__(tops, f"{os.path.dirname(temporary)}.lock")
        self._program, self._bwrap = program, bubblewrap_path()
        self._outlet = outlet
        self._opening: OutletOpener | None = None
        self._emptied: list[str] = []  # the hidden directories
        self._mounts: Mounts | None = None
        self._status = self._turn = -1
        self._executed, self._told = False, b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def laid_out(
        self, argv: Sequence[str], directory: str, environment: Mapping[bytes, bytes], streams: Sequence[int]
    ) -> Start:
        """What is started in place of a command.

        bwrap itself gets an empty environment: variables may make it load what a command has written.

        Args:
            argv: the program and its arguments.
            directory: a path that leads to the directory to enter, and to no other.
            environment: its whole environment.
            streams: descriptors of its standard input, output and error.

        Raises:
            ConfinementError: this sandbox cannot be set up here.
            OSError: there is no such program.
        """
        self._take_turn()
        entered = leads_to(directory)
        program = find_program(argv[0], entered, environment)
        self._say("--unshare-pid", "--unshare-ipc", "--unshare-uts")
        if self._sandbox.network != "full":
            self._say("--unshare-net")
        if os.geteuid() == 0:
            self._say("--cap-drop", "ALL", *(word for name in CAPABILITIES for word in ("--cap-add", f"CAP_{name}")))
        self._say("--clearenv")
        for name, value in environment.items():
            self._say("--setenv", name, value)
        self._say("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
        self._make_memory("/dev/shm")  # noqa: S108 - its own
        if self._sandbox.bounded and self._keeps_tmp(entered):  # what a command puts there, the next one finds
            self._say("--bind-fd", self._pass(self._writable[self._temporary]), "/tmp")  # noqa: S108 - its own
        else:
            self._make_memory("/tmp")  # noqa: S108 - its own
        self._bind_directories(entered, directory)
        for path in sorted(map(self._path, self._sandbox.protected)):
            self._hold(path, protect=True)
        for path in self._sandbox.hidden:
            self._hide(self._path(path), entered)
        self._cover_pipes()
        if self._sandbox.network == "named":
            self._prepare_outlet()
        for path in ("/dev", *self._emptied):  # nobody needs to write there, and it would be memory
            self._say("--remount-ro", path)
        self._say("--remount-ro", "/proc")  # bwrap leaves root /proc/sys, by which the kernel starts programs outside
        if self._lock >= 0:
            self._say("--sync-fd", self._pass(self._lock))
        self._status, writing = os.pipe()
        os.set_blocking(self._status, False)
        if self.tried:
            self._pass(self._status)
        self._opened.callback(os.close, writing)
        self._say("--json-status-fd", self._pass(writing), "--seccomp", self._pass(self._memory(self._program)))
        self._say("--chdir", entered)
        arguments = self._pass(self._memory(b"".join(word + b"\0" for word in self._words)))
        words = (self._bwrap, "--args", str(arguments), "--", program, *argv[1:])
        return Start(words, "/", {}, (*streams, *self._passed))

    def begin(self) -> None:
        """Make what leads out of it, beside all else; the command waits for that."""
        if self._opening is not None:
            self._opening.begin()

    def has_executed(self, code: int | None) -> bool:
        """Whether the command was executed, or bwrap killed: it has ended now.

        Args:
            code: its status, -n for a signal, or None if that is not known.
        """
        self._executed = code is None or code < 0 or b'"exit-code"' in self._status_so_far()
        return self._executed

    @property
    def first(self) -> int:
        """The first process of its namespace, which belongs to bwrap and ends all others with it; 0 before it is."""
        with contextlib.suppress(ValueError, KeyError):
            return int(json.loads(self._status_so_far().partition(b"\n")[0])["child-pid"])
        return 0

    def _status_so_far(self) -> bytes:
        """What bwrap has said of itself so far."""
        with contextlib.suppress(OSError):  # nothing new, or it is closed
            self._told += os.read(self._status, SAID)
        return self._told

    def lost_protection(self) -> str:
        """What is neither hidden nor protected any more, in words, because somebody outside has replaced it."""
        with contextlib.suppress(OSError):  # the next time
            if self._mounts is None and self._covers and (first := self.first):
                self._mounts = Mounts(first, frozenset(self._covers))
            if self._mounts is not None and (path := self._mounts.missing_mount()):
                return f"{path} was replaced outside, so that the sandbox holds it no longer"
        return ""

    def leave(self) -> None:
        """The call is about to return, and something of it runs on."""
        if self._covers and (first := self.first):
            watch_left(first, frozenset(self._covers))

    def fault(self, said: str, name: str) -> Exception | None:
        """Why the command was not executed; None where it was, or bwrap was killed.

        Args:
            said: the standard error.
            name: of the program.
        """
        unmade = None if self._opening is None else self._opening.fault
        return None if self._executed else unmade or _fault(said, name)

    def end(self) -> None:
        """Remove the empty directories that no sandbox needs any more; a later call removes those that one does."""
        self._opened.close()
        for descriptor in (self._status, self._turn):
            if descriptor >= 0:
                os.close(descriptor)
        self._status = self._turn = -1
        if self._opening is not None:
            self._opening.end()
            self._opening = None
        self.let_go()

    def _take_turn(self) -> None:
        """Let no other sandbox write where this one does if it must be alone there, until the end of the call.

        What another call left running is not waited for. A command cannot let go of this lock: only we have it.

        Raises:
            ConfinementError: there is one, or one that must be alone.
        """
        if not self._tops:
            return
        self._turn = self._opened_lock()
        for top in self._tops:
            if not try_lock_path(self._turn, f"{top}/.", fcntl.F_WRLCK if self._sandbox.alone else fcntl.F_RDLCK):
                raise ConfinementError(f"a command of another call runs in {top}, where git must be alone; try again")
            if self._sandbox.alone and is_inhabited(top):
                raise ConfinementError(
                    f"something of an earlier call runs in {top}, where git must be alone; end it first"
                )

    def _path(self, written: str) -> str:
        """The path that is meant; links are followed where no command can have put them."""
        path = path_of(written, self._root)
        return path if self._top(path) else os.path.realpath(path)

    def _keeps_tmp(self, entered: str) -> bool:
        """Whether `/tmp` can be what an earlier command has written in: bwrap follows links to where it mounts.

        It does so while the files outside are in reach, so a link there would have it make directories among them.
        """
        mounted = (self._root, entered, *self._writable, *map(self._path, self._sandbox.hidden))
        return not any(is_below(each, "/tmp") for each in mounted)  # noqa: S108 - its own

    def _bind_directories(self, entered: str, directory: str) -> None:
        """The directories that are written in, the one to enter and, where the private /tmp hides it, the project."""
        bound = {path: (descriptor, True) for path, descriptor in self._writable.items()}
        for path in bound:
            if is_below(path, "/proc"):
                raise ConfinementError(f"writable directory {path}: it shows processes outside")
        inside = any(is_below(entered, each) for each in self._writable)
        if entered != "/" and not any(is_below(entered, own) for own in ("/dev", "/proc")):
            bound.setdefault(entered, (self._open(directory), inside))
        if any(is_below(self._root, own) for own in OWN):
            bound.setdefault(self._root, (self._open(self._root), False))
        for path, (descriptor, writable) in sorted(bound.items()):
            self._bind(path, descriptor, writable=writable)

    def _hide(self, path: str, entered: str) -> None:
        """Let a path not be read, if there is something."""
        try:
            is_directory = stat.S_ISDIR(os.lstat(path).st_mode)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            if not self._top(path):  # what we cannot reach there, the command cannot either
                return
            raise ConfinementError(f"hidden {path}: {error.strerror}") from None
        for needed in (entered, *self._writable):
            if is_below(needed, path):
                raise ConfinementError(
                    f"hidden {path}: it holds {needed}, which a command needs; name what is secret in it"
                )
        try:
            self._hold(path, protect=False)
        except FileNotFoundError:
            raise ConfinementError(f"hidden {path}: it was moved away just now") from None
        if is_directory:
            self._make_memory(path)
            self._emptied.append(path)
        else:
            self._say("--ro-bind", "/dev/null", path)
        self._covers.add(os.fsencode(path))

    def _prepare_outlet(self) -> None:
        """Let the command wait until what leads to names is there, and ask that for their addresses.

        Raises:
            ConfinementError: whoever runs it has nothing that leads to names.
        """
        if self._outlet is None:
            raise ConfinementError('network = "named": names are reached only from where asimi itself was started')
        self._opening = opening = OutletOpener(self._outlet)
        for flag, descriptor in (("--info-fd", opening.telling), ("--block-fd", opening.waiting)):
            self._opened.callback(os.close, descriptor)
            self._say(flag, self._pass(descriptor))
        path = os.path.realpath("/etc/resolv.conf")
        if os.path.isfile(path):  # else it is this machine's loopback anyway (resolv.conf(5))
            self._say("--ro-bind-data", self._pass(self._memory(self._outlet.resolves)), path)

    def _cover_pipes(self) -> None:
        """Let no command write to a named pipe of the machine: a read-only mount does not keep it from that.

        These are where daemons have theirs, in the home and beside the project. To a local socket no way leads but one
        that may not be made.
        """
        own = (*OWN, *self._writable, *(self._path(each) for each in self._sandbox.hidden))
        home = os.path.realpath(os.path.expanduser("~"))
        for directory, depth in {**PIPES, home: LEVELS, os.path.dirname(self._root): LEVELS}.items():
            for path in pipes(directory, depth) if directory != "/" else ():  # which is the whole machine
                if not any(is_below(path, each) for each in own):
                    self._say("--ro-bind", "/dev/null", path)

    def _make_memory(self, path: str) -> None:
        """Put an empty directory on a path, which is kept in memory."""
        self._say(*(("--size", MEMORY) if self._sandbox.bounded else ()), "--tmpfs", path)


def trial() -> None:
    """Set a sandbox up, with all that one uses, and start next to nothing in it.

    Raises:
        Unconfined, OSError: it cannot be set up here.
    """
    with contextlib.ExitStack() as opened:
        said, null, place = os.memfd_create("asimi"), os.open(os.devnull, os.O_RDWR), os.open("/usr", os.O_PATH)
        for descriptor in (said, null, place):
            opened.callback(os.close, descriptor)
        program = seccomp.filter_of(seccomp.calls(), network=False, sockets=False, alone=True)
        box = opened.enter_context(CommandBox(Sandbox(mode="read-only", network="none"), "/usr", {}, "", program))
        opened.callback(box.end)
        box.tried = True
        pid = box.laid_out((bubblewrap_path(), "--version"), f"/proc/self/fd/{place}", {}, (null, null, said))()
        box.has_executed(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        if fault := box.fault(os.fsdecode(os.pread(said, SAID, 0)), "bwrap"):
            raise fault


def _fault(said: str, name: str) -> Exception:
    """What bwrap's own words mean; where it could not execute the program, the same error as without it."""
    says = CommandBox.says.decode()
    *_, last = "it said nothing", *(each.removeprefix(says) for each in said.splitlines() if each.startswith(says))
    if last.startswith("execvp "):
        code = BY_WORDS.get(last.rpartition(": ")[2], errno.EINVAL)
        return OSError(code, os.strerror(code), name)
    return ConfinementError(f"bubblewrap: {last}")


def find_program(name: str, directory: str, environment: Mapping[bytes, bytes]) -> str:
    """The path of a program as it is found in a directory.

    Raises:
        OSError: it is not there, or nobody may execute it; the `filename` is its name.
    """
    code = errno.ENOENT
    for path in map(os.fsdecode, candidates(name, environment)):
        at = os.path.join(directory, path)
        if os.path.isfile(at) and os.access(at, os.X_OK):
            return path if "/" in path else f"./{path}"
        if os.path.lexists(at):
            code = errno.EACCES
    raise OSError(code, os.strerror(code), name)
