"""Runs a whole program in a box by bubblewrap, from its start until nothing of it is left.

::

    asimi ──> the keeper ──> bwrap, which waits ──> pid 1 in there, bwrap's, too ──> the program

If the program gets a terminal, a few lines of Python start it: they make that its controlling terminal and say when it
was stopped. asimi itself stays outside and starts nothing inside afterwards.

The box has a network of its own; the way out of it is made before the program starts (`network`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import shutil
import signal
import sys
import threading
import time

from asimi.core.call import Verdict, is_below
from asimi.core.judging.reaching import Lists
from asimi.core.startup import TYPE_CHECKING
from asimi.world.box.appearing import Appearing, Watch
from asimi.world.box.comparing import Compared
from asimi.world.box.deciding import Deciding
from asimi.world.box.holding import Holding
from asimi.world.box.keeping import KEEPER, Record, clean_up, told
from asimi.world.box.layout import RUNTIME
from asimi.world.box.network import Network
from asimi.world.executors.confining import seccomp
from asimi.world.executors.confining.ability import bubblewrap_path
from asimi.world.executors.confining.binding import Bindings, holds
from asimi.world.executors.confining.bounds import FILE
from asimi.world.executors.confining.bubblewrap import found
from asimi.world.executors.confining.system import Unconfined
from asimi.world.executors.spawning import encoded, leads_to
from asimi.world.executors.starting import Start
from asimi.world.host.places import make_directory, private_directory
from asimi.world.host.state_files import BOX
from asimi.world.host.trees import holds_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Self

    from asimi.world.box.layout import Layout

STARTING = 20.0
"""Seconds that bwrap may take until the program runs."""

ENDING = 5.0
"""Seconds that the end of all that is inside may take; it takes some milliseconds."""

KILLED = 128 + signal.SIGKILL
"""What `wait` says where bwrap itself was killed."""

SHIM = """\
import fcntl, os, signal, sys
tty, tell, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
os.setsid()
fcntl.ioctl(tty, 0x540E, 0)
child = os.fork()
if not child:
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(tty, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.close(tty), os.close(tell)
    try:
        os.execv(program[0], program)
    except OSError as error:
        os.write(2, f"{program[0]}: {error.strerror}\\n".encode())
    os._exit(127)
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTOU, signal.SIGTTIN):
    signal.signal(number, signal.SIG_IGN)
while True:
    status = os.waitpid(child, os.WUNTRACED)[1]
    if not os.WIFSTOPPED(status):
        os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
    os.write(tell, b"T")
"""
"""Makes a terminal the controlling one (`TIOCSCTTY`, tty_ioctl(4)), runs the program as a job, tells its stops."""


class Box(Bindings):
    """One box, for one program.

    A context manager, whose end is `end`.

    Args:
        layout: what is where in it.
        again: gives what is to be hidden now; asked every minute, in a thread of its own.

    Attributes:
        runtime: the directory outside that the inside sees read-only as `/run/asimi`, but for its `tmp`.
        first: the box's first process, by its number outside; 0 before there is one.
        stops: a descriptor on which a byte comes each time the program on a terminal has been stopped; -1 without one.
        deciding: decides about names; set before the start. Those of the layout are reached, without a question.
        appeared: is told what was moved away, with where to; set before the start.
        whole: whether all directories of the project are watched for that, once it has started.

    Raises:
        Unconfined: the box cannot be made here.
    """

    def __init__(self, layout: Layout, again: Callable[[], Collection[str]] = tuple) -> None:
        super().__init__({}, layout.lock, layout.forms)
        clean_up(layout.lock)
        self._layout, self._again, self._bwrap = layout, again, bubblewrap_path()
        self._opened = contextlib.ExitStack()
        self._status = self._life = self._go = self.stops = -1
        self._told, self._program, self._keeper, self._all = b"", 0, 0, -1
        self._tried = threading.Event()  # to make it: the program may ask something a moment before `start` is through
        self._code: int | None = None
        self._holding: Holding | None = None
        self._compared: Compared | None = None
        self._network: Network | None = None
        self._hidden: dict[str, str] = {}
        self.first, self.whole = 0, True
        self.appeared: Callable[[str, str], None] = lambda _path, _to: None
        self.deciding = Deciding(lambda: Lists(layout.reach, unlisted=Verdict.DENY))
        private_directory(layout.runtime)
        self.runtime = os.path.join(layout.runtime, f"{BOX}{os.urandom(4).hex()}")
        for each in (self.runtime, os.path.join(self.runtime, "tmp"), os.path.join(self.runtime, "empty")):
            os.mkdir(each, 0o700)
        self._record = Record(layout.lock, self.runtime)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self, argv: Sequence[str], directory: str, streams: tuple[int, int, int], terminal: int | None) -> None:
        """Start the program.

        Args:
            argv: the program and its arguments.
            directory: where it starts; in what may be written, or seen.
            streams: descriptors of its standard input, output and error.
            terminal: one of the terminal that becomes its controlling one, or None.

        Raises:
            Unconfined: the box cannot be made.
            OSError: the program cannot be started; its `filename` says which.
        """
        environment = encoded(dict(self._layout.environment))
        program = found(argv[0], directory, environment)
        program = os.path.normpath(os.path.join(directory, program))
        words = [program, *argv[1:]]
        self._lay_out(directory, environment)
        if terminal is None:
            self._say("--new-session")  # and so a process group of the program's and pid 1's, which takes no signal
        else:
            self.stops, telling = os.pipe()
            self._opened.callback(os.close, telling)
            words = [
                os.path.realpath(sys.executable),  # the environment that it is in may not be there
                "-I",
                "-S",
                "-c",
                SHIM,
                str(self._pass(terminal)),
                str(self._pass(telling)),
                *words,
            ]
        status, writing = os.pipe()
        self._status = status
        self._opened.callback(os.close, writing)
        self._say("--json-status-fd", self._pass(writing))
        life, self._life = os.pipe()
        self._opened.callback(os.close, life)
        arguments = self._pass(self._memory(b"".join(word + b"\0" for word in self._words)))
        numbers = (self._pass(life), self._pass(self._record.descriptor))
        bwrap = (self._bwrap, "--args", str(arguments), "--", *words)
        keeper = (sys.executable, "-I", "-S", "-c", KEEPER, *map(str, numbers), self._record.path, *bwrap)
        self._keeper = Start(keeper, "/", {}, (*streams, *self._passed))()
        self._opened.close()
        try:
            self._wait_until_made()
        finally:
            self._tried.set()

    def held(self) -> str:
        """Put back what the box has lost; in words what it cannot hold any more, empty if it holds all."""
        self._wait_until_tried()
        if self._holding is None or self._code is not None:
            return "the box has ended" if self._holding is not None else "the box has not started"
        return self._holding.held()

    def still(self) -> contextlib.AbstractContextManager[None]:
        """Let nothing inside run meanwhile.

        Raises:
            Unconfined: it cannot be stopped.
        """
        self._wait_until_tried()
        if self._holding is None:
            raise Unconfined("it has not started", "The box")
        return self._holding.still()

    def has(self, pid: int) -> bool:
        """Whether a process, by its number outside, is one of the box."""
        try:
            return bool(self.first) and os.readlink(f"/proc/{pid}/ns/pid") == os.readlink(f"/proc/{self.first}/ns/pid")
        except OSError:
            return False

    def changed(self) -> str:
        """The path of something read-only that has changed; empty if nothing has."""
        return "" if self._compared is None else self._compared.changed()

    def accept(self) -> None:
        """Take all that is read-only as it is now."""
        if self._compared is not None:
            self._compared.accept()

    def wait(self, timeout: float | None = None) -> int | None:
        """The exit code of the program, 128+n by a signal; None where it has not ended.

        Args:
            timeout: seconds; None for ever.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while self._code is None:
            left = None if end is None else max(0.0, end - time.monotonic())
            if not select.select([self._status], [], [], left)[0]:
                return None
            self._hear()
        return self._code

    def signal(self, number: int) -> None:
        """Send a signal to the process group of the program; nothing happens where it has ended."""
        if self._code is None and self._program:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(os.getpgid(self._program), number)

    def end(self) -> None:
        """End all that is inside, and remove all that was made."""
        self._opened.close()
        if self._network is not None:
            self._network.close()
        if self._holding is not None:
            self._holding.close()
        if self._keeper:
            if self._code is None and self.first:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.first, signal.SIGKILL)  # and with it all that is inside (pid_namespaces(7))
                self.wait(ENDING)
            if self._all >= 0:  # bwrap itself waits for the program alone
                select.select([self._all], [], [], ENDING)
            self._record.clean()  # else the keeper does it, which takes longer
            os.close(self._life)
            os.waitpid(self._keeper, os.WNOHANG if os.path.exists(self._record.path) else 0)  # it goes on trying
            self._keeper = 0
            while self._code is None:
                self._hear()
        for descriptor in (self._status, self._go, self.stops, self._all):
            if descriptor >= 0:
                os.close(descriptor)
        self._status = self._go = self.stops = self._all = -1
        self._held.clear()
        self._record.clean()

    def _hear(self) -> None:
        """Read what bwrap says of itself; at the end of that it has ended."""
        said = os.read(self._status, 1 << 16)
        self._told += said
        if not said:
            self._code = told(self._told, "exit-code", KILLED)

    def _wait_until_tried(self) -> None:
        """Let `start` finish, where a thread of it is still at that."""
        if self._keeper:
            self._tried.wait(STARTING)

    def _wait_until_made(self) -> None:
        """Wait until the program runs, or there will be none.

        Raises:
            Unconfined: bwrap has ended before.
        """
        end = time.monotonic() + STARTING
        while time.monotonic() < end:
            ready = bool(select.select([self._status], [], [], 0.002)[0])
            if ready and self._code is None:
                self._hear()
            self.first = self.first or told(self._told, "child-pid", 0)
            if self.first and self._network is None and self._code is None:
                self._all = os.pidfd_open(self.first)  # it ends after all others in there (pid_namespaces(7))
                machine = [each.port for each in self._layout.reach if each.host == "localhost"]
                self._network = Network(self.first, machine, self._layout.publish, self.deciding)
                self._compared = Compared(self._layout.protected)  # before anything runs in there
                os.write(self._go, b".")
            if self._code is not None and b'"exit-code"' not in self._told:
                self._holding = None
                raise Unconfined("bubblewrap ended, and said why on standard error", "The box")
            if self.first and (self._code is not None or self._started()):
                deeper = Appearing(self._layout.open)
                self.whole = deeper.whole
                watch = Watch(self._layout.watched, deeper.appeared, self._layout.moved_to, self.appeared)
                covers = {path: ("rw" if writable else "ro") for path, writable in self._mounted.items()}
                self._holding = Holding(self.first, covers | self._hidden, self._renewed, watch, self._again)
                return
        raise Unconfined(f"bubblewrap made no box in {STARTING:g} seconds", "The box")

    def _started(self) -> bool:
        """Whether pid 1 has started the program."""
        with contextlib.suppress(OSError, IndexError):
            with open(f"/proc/{self.first}/task/{self.first}/children", encoding="ascii") as file:
                self._program = int(file.read().split()[0])
            return True
        return False

    def _renewed(self, path: str) -> None:
        """Hold a name again that the box lost because somebody outside removed its file."""
        self._record.note([(path, self._forms.get(path))])
        directory, name = os.path.split(path)
        descriptor = os.open(directory, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            self._made(descriptor, name, path)
        finally:
            os.close(descriptor)

    def _lay_out(self, entered: str, environment: dict[bytes, bytes]) -> None:
        """Say all that bwrap mounts, and how it starts the program."""
        layout = self._layout
        self._say("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent")
        if os.geteuid() == 0:
            self._say("--cap-drop", "ALL")
        self._reaching()
        self._say("--clearenv")
        for name, value in environment.items():
            self._say("--setenv", name, value)
        self._say("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
        for device in layout.devices:
            self._say("--dev-bind-try", device, device)
        self._mount_all()
        needed = sorted({_missing(path) for path in layout.protected})
        forms = [(path, self._forms.get(path)) for path in needed]
        self._record.note([each for each in forms if not os.path.lexists(each[0]) or holds(*each)])
        for path in (*layout.protected, *(each for each in layout.placed if self._top(each))):
            self._hold(path, protect=True)
        self._lay_over()
        self._hide_all()
        self._say("--remount-ro", "/dev", "--remount-ro", "/proc")
        if self._lock >= 0:
            self._say("--sync-fd", self._pass(self._lock))
        program = seccomp.filter_of(seccomp.calls(), network=True, sockets=True, alone=True, own=True)
        self._say("--seccomp", self._pass(self._memory(program)), "--chdir", entered)

    def _reaching(self) -> None:
        """Give the box a network of its own, and let the program wait until what leads out of it is there."""
        waiting, self._go = os.pipe()
        self._opened.callback(os.close, waiting)
        self._say("--unshare-net", "--block-fd", self._pass(waiting))

    def _mount_all(self) -> None:
        """Mount what is private, writable, seen and hidden outside of what may be written, the shorter paths first."""
        layout = self._layout
        for each in layout.made:
            make_directory(each)
        steps: dict[str, Callable[[str], None]] = dict.fromkeys(layout.private, self._private)
        steps |= dict.fromkeys(layout.seen, self._seen)
        for path in layout.placed:
            steps |= {each: self._opened_directory for each in [_there(path)] if not os.path.lexists(path)}
            steps[path] = self._place
        steps |= {each: self._empty for each in layout.hidden if not self._covered(each)}
        if layout.caches is not None:
            steps[layout.caches[1]] = self._cache
        steps |= dict.fromkeys(layout.writable, self._write)
        steps[RUNTIME] = self._own
        for path in sorted(steps, key=lambda path: path.split("/")):
            steps[path](path)

    def _covered(self, path: str) -> bool:
        """Whether a path is below a writable one, and so is hidden after that is mounted."""
        return any(is_below(path, each) for each in self._layout.writable)

    def _private(self, path: str) -> None:
        self._say("--perms", "1777" if path != "/run" else "0755", "--size", FILE, "--tmpfs", path)

    def _seen(self, path: str) -> None:
        self._say("--ro-bind", path, path)

    def _own(self, path: str) -> None:
        for flag, name in (("--ro-bind", ""), ("--bind", "tmp")):
            self._say(flag, os.path.join(self.runtime, name), os.path.join(path, name))

    def _cache(self, path: str) -> None:
        assert self._layout.caches is not None
        source, _ = self._layout.caches
        make_directory(source)
        self._say("--bind", source, path)

    def _write(self, path: str) -> None:
        """Let a directory or file be written."""
        try:
            descriptor = self._open(path, os.O_NOFOLLOW)
        except OSError as error:
            raise Unconfined(f"{path}: {error.strerror}", "The box") from None
        if leads_to(f"/proc/self/fd/{descriptor}") != path:
            raise Unconfined(f"{path} was replaced just now", "The box")
        self._tops = {**self._tops, path: descriptor}
        self._bind(path, descriptor, writable=True)

    def _place(self, path: str) -> None:
        """Put a file where it is in the box only."""
        content = self._pass(self._memory(self._layout.placed[path]))
        if os.path.lexists(path):
            self._say("--ro-bind-data", content, path)
        else:
            self._say("--perms", "0444", "--file", content, path, "--remount-ro", _there(path))

    def _opened_directory(self, path: str) -> None:
        """Put a directory in the place of one, with all that is in there, so that files can be added."""
        self._say("--perms", "0755", "--tmpfs", path)
        for name in sorted(os.listdir(path)):
            at = os.path.join(path, name)
            if os.path.islink(at):
                self._say("--symlink", os.readlink(at), at)
            else:
                self._say("--ro-bind-try", at, at)

    def _empty(self, path: str) -> None:
        """Let a path show nothing, which the program can neither read nor write."""
        try:
            directory = not os.path.islink(path) and os.path.isdir(path)
            os.lstat(path)
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.ENOTDIR}:
                return
            raise Unconfined(f"{path}: {error.strerror}", "The box") from None
        if directory:
            self._say("--perms", "0555", "--tmpfs", path, "--remount-ro", path)
            for each in self._layout.seen:
                if is_below(each, path):  # then it stays open until that is mounted
                    del self._words[-2:]
                    break
        else:
            self._say("--ro-bind", "/dev/null", path)
        self._hidden[path] = "directory" if directory else "file"

    def _lay_over(self) -> None:
        """Put what the box has of its own over what is held: the copies of files, and directories."""
        for path, source in self._layout.own.items():
            if self._covered(path):
                make_directory(source)
                self._say("--bind", source, path)
        for path in self._layout.copied:
            above, name = os.path.split(path)
            if above in self._layout.own:
                _refresh(path, os.path.join(self._layout.own[above], name))
                continue
            copy = os.path.join(self.runtime, "copies", path.lstrip("/").replace("/", "-"))
            make_directory(os.path.dirname(copy))
            shutil.copyfile(path, copy)
            self._say("--bind", copy, path)

    def _hide_all(self) -> None:
        """Hide what lies in what may be written, and the machine's sockets and named pipes."""
        for path in sorted({*self._layout.hidden, *self._layout.masked}):
            if self._covered(path):
                with contextlib.suppress(FileNotFoundError):
                    self._hold(path, protect=False)
                self._empty(path)
            elif path in self._layout.masked:
                self._empty(path)


def _refresh(path: str, copy: str) -> None:
    """Put a copy of a file in a directory of the box's own, in place of the one there, whatever a box has made of it.

    Raises:
        Unconfined: it cannot be put there.
    """
    try:
        with open(path, "rb") as file:
            content = file.read()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(copy)
        made = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:  # another box of this project writes there, too
        raise Unconfined(f"{copy}: {error.strerror}; remove it", "The box") from None
    with open(made, "wb") as file:
        file.write(content)


def _missing(path: str) -> str:
    """The uppermost part of a path that is not there, or was made to hold its name; the path itself where all is."""
    at = ""
    for part in path.split("/")[1:]:
        at = f"{at}/{part}"
        if not os.path.lexists(at) or holds_name(at):
            return at
    return path


def _there(path: str) -> str:
    """The deepest directory above a path that is there."""
    while not os.path.isdir(path := os.path.dirname(path)):
        pass
    return path
