"""Runs a whole program in a box by bubblewrap, from its start until nothing of it is left.

::

    asimi ──> the keeper ──> bwrap, which waits ──> pid 1 in there, bwrap's, too ──> the program

A few lines of Python start the program, once asimi lets them: until then, asimi looks through the project, mounts what
holds there (`plan`, `entering`) and makes the way out of the box's own network (`network`). If asimi ends before, they
end. If the program gets a terminal, they make that its controlling one and say when it was stopped. asimi itself stays
outside and starts nothing inside afterwards.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import shutil
import signal
import stat
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

from asimi.core.call import Verdict, is_below
from asimi.core.judging.network_verdict import Lists
from asimi.world.box.appearing import AppearanceWatcher
from asimi.world.box.committed import CommittedFiles
from asimi.world.box.enforcer import BoxEnforcer
from asimi.world.box.entering import NO_FILE, READ_ONLY, mount, plan
from asimi.world.box.layout import RUNTIME
from asimi.world.box.name_decisions import NameDecider
from asimi.world.box.network import Network
from asimi.world.box.quarantine import Quarantine
from asimi.world.box.reaper import KEEPER, SOCKET, Record, clean_up, status_number
from asimi.world.box.repositories import parts_of, tree_of
from asimi.world.box.worktrees import SCRIPT, removal_command, unwritable
from asimi.world.executors.confining import seccomp
from asimi.world.executors.confining.ability import lacking_bubblewrap
from asimi.world.executors.confining.binding import Words, holds, make, try_lock_path
from asimi.world.executors.confining.bubblewrap import find_program
from asimi.world.executors.confining.mounts import FILE
from asimi.world.executors.confining.system import ConfinementError, bubblewrap_path
from asimi.world.executors.spawning import encode_environment, leads_to
from asimi.world.executors.starting import Start
from asimi.world.host.places import make_directory, private_directory, private_file, replace
from asimi.world.host.state_files import BOX
from asimi.world.host.trees import is_held

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
ready, go, tty, tell, *program = sys.argv[1:]
ready, go, tty, tell = map(int, (ready, go, tty, tell))
os.write(ready, b"R")
if os.read(go, 1) != b"G":
    os._exit(125)
os.close(ready), os.close(go)
def execute():
    for each in (tty, tell):
        if each >= 0:
            os.close(each)
    for each in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
        signal.signal(each, signal.SIG_DFL)
    try:
        os.execv(program[0], program)
    except OSError as error:
        os.write(2, f"{program[0]}: {error.strerror}\\n".encode())
    os._exit(127)
if tty < 0:
    execute()
os.setsid()
fcntl.ioctl(tty, 0x540E, 0)
child = os.fork()
if not child:
    os.setpgid(0, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(tty, os.getpid())
    execute()
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTOU, signal.SIGTTIN):
    signal.signal(number, signal.SIG_IGN)
while True:
    status = os.waitpid(child, os.WUNTRACED)[1]
    if not os.WIFSTOPPED(status):
        os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
    os.write(tell, b"T")
"""
"""Says that all is mounted, reads one byte from asimi, puts signals back, and becomes the program; or makes a
terminal the controlling one (`TIOCSCTTY`, tty_ioctl(4)), runs the program as a job, and tells its stops."""


class Box(Words):
    """One box, for one program.

    A context manager, whose end is `end`.

    Args:
        layout: what is where in it.
        again: gives what is to be hidden now; asked every minute, in a thread of its own.

    Attributes:
        runtime: the directory outside that the inside sees read-only as `/run/asimi`, but for its `tmp`.
        first: the box's first process, by its number outside; 0 before there is one.
        left: what a box that was killed had left and was moved away now, with where to.
        stops: a descriptor on which a byte comes each time the program on a terminal has been stopped; -1 without one.
        deciding: decides about names; set before the start. Those of the layout are reached, without a question.
        appeared: is told what was moved away, with where to; set before the start.
        named: says whether a person's yes has named a path, which may then appear; set before the start.
        ends: is asked whether the box shall end, because of a path that appears again and again; set before the start.
        closed: directories that are read-only because asimi cannot be told of them, once it has started.

    Raises:
        ConfinementError: the box cannot be made here.
    """

    def __init__(self, layout: Layout, again: Callable[[], Collection[str]] = tuple) -> None:
        super().__init__()
        self.left = clean_up(layout.lock)
        self._layout, self._again, self._bwrap = layout, again, bubblewrap_path()
        self._status = self._life = self._go = self._ready = self._lock = self.stops = -1
        self._told, self._program, self._keeper, self._all = b"", 0, 0, -1
        self._tried = threading.Event()  # to make it: the program may ask something a moment before `start` is through
        self._code: int | None = None
        self._holding: BoxEnforcer | None = None
        self._compared: ReadOnlySnapshot | None = None
        self._network: Network | None = None
        self._git = ""
        self._hidden: dict[str, str] = {}
        self._links: list[tuple[str, str]] = []
        self._stand_ins: dict[str, bytes | None] = {}
        self.first, self.closed = 0, tuple[str, ...]()
        self.appeared: Callable[[str, str], None] = lambda _path, _to: None
        self.named: Callable[[str], bool] = lambda _path: False
        self.ends: Callable[[str], bool] = lambda _path: True
        self.deciding = NameDecider(lambda: Lists(layout.reach, unlisted=Verdict.DENY))
        private_directory(layout.runtime)
        self.runtime = os.path.join(layout.runtime, f"{BOX}{os.urandom(4).hex()}")
        self._record = Record(layout.lock, self.runtime)  # before there is anything that a kill would leave
        for each in (self.runtime, os.path.join(self.runtime, "tmp"), os.path.join(self.runtime, "empty")):
            os.mkdir(each, 0o700)

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
            ConfinementError: the box cannot be made.
            OSError: the program cannot be started; its `filename` says which.
        """
        environment = encode_environment(dict(self._layout.environment))
        program = find_program(argv[0], directory, environment)
        program = os.path.normpath(os.path.join(directory, program))
        self._check_shown(program)
        for path in self._layout.made:
            make_directory(path)
        self._stand_in(self._layout.stand_ins)
        self._lay_out(directory, environment)
        if terminal is None:
            self._say("--new-session")  # and so a process group of the program's and pid 1's, which takes no signal
        (self._ready, ready), (going, self._go), (self.stops, telling) = os.pipe(), os.pipe(), os.pipe()
        for descriptor in (ready, going, telling):
            self._opened.callback(os.close, descriptor)
        numbers = [-1 if each is None else self._pass(each) for each in (ready, going, terminal, telling)]
        python = os.path.realpath(sys.executable)  # the environment that it is in may not be there
        words = [python, "-I", "-S", "-c", SHIM, *map(str, numbers), program, *argv[1:]]
        self._status, writing = os.pipe()
        self._opened.callback(os.close, writing)
        self._say("--json-status-fd", self._pass(writing))
        life, self._life = os.pipe()
        self._opened.callback(os.close, life)
        arguments = self._pass(self._memory(b"".join(word + b"\0" for word in self._words)))
        keys = [str(self._pass(each)) for each in (life, self._record.descriptor, self._lock_of_names())]
        bwrap = (self._bwrap, "--args", str(arguments), "--", *words)
        keeper = (sys.executable, "-I", "-S", "-c", KEEPER, *keys, self._record.path)
        self._keeper = Start((*keeper, *bwrap), "/", {}, (*streams, *self._passed))()
        self._opened.close()
        try:
            self._hold(self._watch_appearances())
        finally:
            self._tried.set()

    def restore(self) -> str:
        """Put back what the box has lost; in words what it cannot hold any more, empty if it holds all."""
        self._wait_until_tried()
        if self._holding is None or self._code is not None:
            return "the box has ended" if self._holding is not None else "the box has not started"
        return self._holding.restore()

    def still(self) -> contextlib.AbstractContextManager[None]:
        """Let nothing inside run meanwhile.

        Raises:
            ConfinementError: it cannot be stopped.
        """
        self._wait_until_tried()
        if self._holding is None:
            raise ConfinementError("it has not started", "The box")
        return self._holding.still()

    def has(self, pid: int) -> bool:
        """Whether a process, by its number outside, is one of the box."""
        try:
            return bool(self.first) and os.readlink(f"/proc/{pid}/ns/pid") == os.readlink(f"/proc/{self.first}/ns/pid")
        except OSError:
            return False

    def changed_path(self) -> str:
        """The path of something read-only that has changed; empty if nothing has."""
        return "" if self._compared is None else self._compared.changed_path()

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
            if not ready(self._status, timeout=left):
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
        if self._keeper:
            if self._code is None and self.first:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.first, signal.SIGKILL)  # and with it all that is inside (pid_namespaces(7))
                self.wait(ENDING)
            if self._all >= 0:  # bwrap itself waits for the program alone
                ready(self._all, timeout=ENDING)
            if self._holding is not None:
                self._holding.close()
            for path in self._stand_ins:  # the keeper has the same open file
                try_lock_path(self._lock, path, fcntl.F_UNLCK)
            self._record.clean()  # else the keeper does it, which takes longer
            os.close(self._life)
            os.waitpid(self._keeper, os.WNOHANG if os.path.exists(self._record.path) else 0)  # it goes on trying
            self._keeper = 0
            while self._code is None:
                self._hear()
        for descriptor in (self._status, self._go, self._ready, self._lock, self.stops, self._all):
            if descriptor >= 0:
                os.close(descriptor)
        self._status = self._go = self._ready = self._lock = self.stops = self._all = -1
        self._record.clean()

    def _hear(self) -> None:
        """Read what bwrap says of itself; at the end of that it has ended."""
        said = os.read(self._status, 1 << 16)
        self._told += said
        if not said:
            self._code = status_number(self._told, "exit-code", KILLED)

    def _wait_until_tried(self) -> None:
        """Let `start` finish, where a thread of it is still at that."""
        if self._keeper:
            self._tried.wait(STARTING)

    @property
    def socket(self) -> str:
        """The path of the socket beside its record (`keeps`)."""
        return self._record.path.removesuffix(".json") + SOCKET

    @property
    def why(self) -> str:
        """Why the box could not be kept, in words; empty while it can."""
        return "" if self._holding is None else self._holding.why

    def keep(self, path: str) -> str:
        """Put back what was moved away from a path, and hold it; in words why not, empty if it is there."""
        self._wait_until_tried()
        if self._holding is None:
            return "the box has not started"
        why = self._holding.keep(path)
        self.accept()
        return why

    def worktree(self, words: Sequence[str], directory: str) -> tuple[int, bytes, bytes]:
        """Do what a call of `git worktree` cannot do inside; of `add`, say whether it can.

        Args:
            words: the arguments of git.
            directory: where it runs.

        Returns:
            Its exit code, its standard output and its standard error.
        """
        self._wait_until_tried()
        if self._holding is None or not self._git:
            return 125, b"", b"asimi: the box has not started\n"
        if path := unwritable(words, directory, [*self._layout.writable, *self._layout.private]):
            said = f"asimi: {path} cannot be written in this box; start it with --write, or add it outside\n"
            return 128, b"", said.encode(errors="replace")
        if not removal_command(words):
            return 0, b"", b""
        done = self._holding.remove_worktrees(self._git, words, directory, self._layout.environment)
        self.accept()
        return done

    def _check_shown(self, program: str) -> None:
        """Say where a program is that the box cannot see.

        Raises:
            ConfinementError: it is where the box has a directory of its own.
        """
        layout = self._layout
        own = next((each for each in layout.private if is_below(program, each)), "")
        if own and not any(is_below(program, each) for each in (*layout.seen, *layout.writable)):
            raise ConfinementError(
                f"{program} is in {own}, and the box has a {own} of its own; put it elsewhere", "The box"
            )

    def _watch_appearances(self) -> AppearanceWatcher:
        """What is there now, told of from now on."""
        layout = self._layout
        missing = [path for path in layout.protected if not os.path.lexists(path)]
        git = (layout.elsewhere,) if layout.elsewhere else ()
        appearing = AppearanceWatcher(layout.open, git, {*missing} - {*layout.stand_ins}, closed=layout.beyond)
        self._opened.callback(appearing.close)
        return appearing

    def _hold(self, appearing: AppearanceWatcher) -> None:
        """Mount what holds in the box, and let the program start.

        Args:
            appearing: tells what is there, and what appears from now on.

        Raises:
            ConfinementError: it cannot be held.
        """
        layout = self._layout
        parts, nothing = set[str](), dict[str, bytes | None]()
        for directory in appearing.held:
            kept, missing = parts_of(directory)
            parts |= kept
            nothing |= missing
        self._record.expect(layout.open, layout.elsewhere, appearing.before)
        self._stand_in(nothing)
        for path in self._stand_ins:
            appearing.accept(path)
        missing_parts = {path for path in parts if not os.path.lexists(path)}
        appearing.names |= missing_parts
        appearing.there |= parts - missing_parts
        self.closed = tuple(sorted({*appearing.first.closed} - {*layout.protected}))
        read_only = {*layout.protected, *parts, *self.closed, *self._stand_ins, *(appearing.there - appearing.held)}
        hidden = [path for path in (*layout.hidden, *layout.masked) if self._is_below_writable(path)]
        mounts = plan(read_only - {*layout.own, *layout.fresh, *layout.copied}, hidden, layout.writable)
        self._wait_until_made()
        self._all = os.pidfd_open(self.first)  # it ends after all others in there (pid_namespaces(7))
        with open(f"/proc/{self.first}/task/{self.first}/children", encoding="ascii") as file:
            self._program = int(file.read().split()[0])  # what waits to become it
        mounts |= dict.fromkeys((each for each in layout.masked if not self._is_below_writable(each)), NO_FILE)
        mount(self.first, [*mounts.items(), *self._links])
        machine = [each.port for each in layout.reach if each.host == "localhost"]
        self._network = Network(self.first, machine, layout.publish, self.deciding)
        self._compared = ReadOnlySnapshot(sorted({*layout.protected, *parts}))  # before anything runs in there
        trees = {tree: each for each in appearing.held if (tree := tree_of(each)) is not None}
        self._opened.pop_all()  # what is open now belongs to what holds
        self._holding = BoxEnforcer(
            self.first,
            mounts | self._hidden | dict.fromkeys(self._laid_over(), READ_ONLY),
            layout.writable,
            appearing,
            Quarantine(layout.moved_to, self.appeared),
            stays=_Stays(self.named, CommittedFiles(trees)),
            renew=self._remake_stand_in,
            ends=self.ends,
            again=self._again,
        )
        os.write(self._go, b"G")

    def _wait_until_made(self) -> None:
        """Wait until all that bwrap makes is there.

        Raises:
            ConfinementError: bwrap has ended before.
        """
        end = time.monotonic() + STARTING
        while time.monotonic() < end:
            if ready(self._status, self._ready, timeout=end - time.monotonic()) == [self._ready]:
                self.first = status_number(self._told, "child-pid", 0)
                if os.read(self._ready, 1) and self.first:
                    return
            self._hear()
            if self._code is not None:
                raise ConfinementError(lacking_bubblewrap() or "bubblewrap ended, and said why above", "The box")
        raise ConfinementError(f"bubblewrap made no box in {STARTING:g} seconds", "The box")

    def _stand_in(self, forms: Mapping[str, bytes | None]) -> None:
        """Put something in place of those of some names that are missing, as long as a box needs it.

        Raises:
            ConfinementError: it cannot be put there.
        """
        missing = {path: form for path, form in forms.items() if not os.path.lexists(path) or holds(path, form)}
        self._record.note([*missing.items()])
        self._stand_ins |= missing
        for path in sorted(missing):
            if not self._remake_stand_in(path):
                raise ConfinementError(f"{path}: its name cannot be held", "The box")

    def _remake_stand_in(self, path: str) -> bool:
        """Make again what stands for a missing name; False where nothing does, or it cannot be made."""
        if path not in self._stand_ins:
            return False
        with contextlib.suppress(OSError):
            above = os.open(os.path.dirname(path), os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                make(above, os.path.basename(path), self._stand_ins[path])
            finally:
                os.close(above)
            return try_lock_path(self._lock_of_names(), path, fcntl.F_RDLCK)
        return False

    def _lock_of_names(self) -> int:
        """A descriptor of the file whose locks say which stand-ins are needed; the keeper has it, too."""
        if self._lock < 0:
            self._lock = private_file(self._layout.lock, os.O_RDWR | os.O_CREAT)
        return self._lock

    def _lay_out(self, entered: str, environment: dict[bytes, bytes]) -> None:
        """Say all that bwrap mounts, and how it starts the program."""
        layout = self._layout
        self._say("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent")
        if os.geteuid() == 0:
            self._say("--cap-drop", "ALL")
        self._say("--clearenv")
        for name, value in environment.items():
            self._say("--setenv", name, value)
        self._say("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
        for device in layout.devices:
            self._say("--dev-bind-try", device, device)
        self._mount_all()
        self._lay_over()
        self._stand_for_git()
        self._say("--remount-ro", "/dev", "--remount-ro", "/proc", "--unshare-net")
        program = seccomp.filter_of(seccomp.calls(), network=True, sockets=True, alone=True, own=True)
        self._say("--seccomp", self._pass(self._memory(program)), "--chdir", entered)

    def _stand_for_git(self) -> None:
        """Have asimi asked where git would add or remove worktrees."""
        git = shutil.which("git", path=self._layout.environment.get("PATH", ""))
        if git is None or not self._layout.git:
            return
        script, self._git = os.path.join(self.runtime, "git.sh"), os.path.join(RUNTIME, "git")
        replace(script, SCRIPT.format(client=f"{RUNTIME}/asimi", git=self._git).encode(), 0o555, lasting=False)
        replace(os.path.join(self.runtime, "git"), b"", 0o444, lasting=False)
        self._say("--ro-bind", os.path.realpath(git), self._git, "--ro-bind", script, os.path.realpath(git))

    def _mount_all(self) -> None:
        """Mount what is private, writable, seen and hidden outside of what may be written, the shorter paths first."""
        layout = self._layout
        steps: dict[str, Callable[[str], None]] = dict.fromkeys(layout.private, self._private)
        steps |= dict.fromkeys(layout.seen, self._bind_read_only)
        for path in layout.placed:
            steps |= {each: self._opened_directory for each in [_there(path)] if not os.path.lexists(path)}
            steps[path] = self._place
        steps |= {each: self._empty for each in layout.hidden if not self._is_below_writable(each)}
        own = dict(layout.stores) if layout.caches is None else {layout.caches[1]: layout.caches[0], **layout.stores}
        steps |= {path: partial(self._cache, own[path]) for path in own}
        steps |= dict.fromkeys(layout.writable, self._write)
        steps[RUNTIME] = self._own
        for path in sorted(steps, key=lambda path: path.split("/")):
            steps[path](path)

    def _is_below_writable(self, path: str) -> bool:
        """Whether a path is below a writable one, and so is hidden after that is mounted."""
        return any(is_below(path, each) for each in self._layout.writable)

    def _private(self, path: str) -> None:
        self._say("--perms", "1777" if path != "/run" else "0755", "--size", FILE, "--tmpfs", path)

    def _bind_read_only(self, path: str) -> None:
        self._say("--ro-bind", path, path)

    def _own(self, path: str) -> None:
        for flag, name in (("--ro-bind", ""), ("--bind", "tmp")):
            self._say(flag, os.path.join(self.runtime, name), os.path.join(path, name))

    def _cache(self, source: str, path: str) -> None:
        make_directory(source)
        self._say("--bind", source, path)

    def _write(self, path: str) -> None:
        """Let a directory or file be written."""
        try:
            descriptor = self._open(path, os.O_NOFOLLOW)
        except OSError as error:
            raise ConfinementError(f"{path}: {error.strerror}", "The box") from None
        if leads_to(f"/proc/self/fd/{descriptor}") != path:
            raise ConfinementError(f"{path} was replaced just now", "The box")
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
            raise ConfinementError(f"{path}: {error.strerror}", "The box") from None
        if directory:
            self._say("--perms", "0555", "--tmpfs", path, "--remount-ro", path)
            for each in self._layout.seen:
                if is_below(each, path):  # then it stays open until that is mounted
                    del self._words[-2:]
                    break
        else:
            self._say("--ro-bind", "/dev/null", path)
        self._hidden[path] = "directory" if directory else "file"

    def _laid_over(self) -> list[str]:
        """Where what the box has of its own lies over what is there: if it is lost, that is read only."""
        own = self._layout.own
        copied = (each for each in self._layout.copied if os.path.dirname(each) not in own)
        return [*filter(self._is_below_writable, (*own, *self._layout.fresh)), *copied]

    def _lay_over(self) -> None:
        """Put what the box has of its own over what is held: the copies of files, and directories."""
        for path, source in self._layout.own.items():
            if self._is_below_writable(path):
                make_directory(source)
                self._say("--bind", source, path)
        for path in self._layout.fresh:
            self._say("--perms", "0700", "--size", FILE, "--tmpfs", path)
        for path, content in self._layout.filled.items():
            if path not in self._layout.copied:
                self._say("--perms", "0444", "--file", self._pass(self._memory(content)), path)
                self._say("--remount-ro", os.path.dirname(path))
        for path in self._layout.lent:
            self._say("--ro-bind-try", path, path)
        for path in self._layout.copied:
            above, name = os.path.split(path)
            held = self._layout.filled.get(path) or _content(path)
            if above in self._layout.own:
                _refresh(os.path.join(self._layout.own[above], name), held)
            else:
                self._copy(path, held or self._layout.stand_ins.get(path) or b"")

    def _copy(self, path: str, content: bytes) -> None:
        """Put a copy of a file where the box may write, for a link in its place, which whoever replaces it follows."""
        place, name = path.lstrip("/").replace("/", "-"), os.path.basename(path)
        copy = os.path.join(self.runtime, "tmp", "copies", place, name)
        link = os.path.join(self.runtime, "links", place)
        for each in (copy, link):
            make_directory(os.path.dirname(each))
        with open(copy, "wb") as file:
            file.write(content)
        os.symlink(os.path.join(RUNTIME, "tmp", "copies", place, name), link)
        self._links.append((path, os.path.join(RUNTIME, "links", place)))


class _Stays:
    """What may stay of what appears (`enforcer.Stays`)."""

    def __init__(self, named: Callable[[str], bool], committed: CommittedFiles) -> None:
        self.is_named, self.knows, self.has = named, committed.knows, committed.has


def ready(*descriptors: int, timeout: float | None) -> list[int]:
    """Those of some descriptors that can be read, within some seconds."""
    events = select.poll()
    for each in descriptors:
        events.register(each, select.POLLIN)
    return [each for each, _ in events.poll(None if timeout is None else max(0.0, timeout) * 1000)]


def _content(path: str) -> bytes | None:
    """What a file holds; None where it is not there.

    Raises:
        ConfinementError: it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfinementError(f"{path}: {error.strerror}", "The box") from None


def _refresh(copy: str, content: bytes | None) -> None:
    """Put a copy of a file in a directory of the box's own, or none, in place of what a box has made of it.

    Raises:
        ConfinementError: it cannot be put there.
    """
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(copy)
        if content is None:
            return
        made = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:  # another box of this project writes there, too
        raise ConfinementError(f"{copy}: {error.strerror}; remove it", "The box") from None
    with open(made, "wb") as file:
        file.write(content)


def _there(path: str) -> str:
    """The deepest directory above a path that is there."""
    while not os.path.isdir(path := os.path.dirname(path)):
        pass
    return path


MOST = 20_000
"""The most files that are looked at; beyond them, only the directories on the way."""


class ReadOnlySnapshot:
    """The read-only files of a box as they were at the last look, compared before anything runs outside.

    Nothing inside can write there as long as the mounts hold; this sees what slipped in where one was lost for a
    moment, and what somebody changed outside meanwhile. The kernel sets the time of the last change (`st_ctime`,
    inode(7)) and lets no program choose it, so a change cannot be hidden.

    Args:
        paths: what is read-only: files, and directories with all that is below them.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self._seen = self._now()

    def changed_path(self) -> str:
        """The first path that has changed; empty if none has."""
        now = self._now()
        for path in {**self._seen, **now}:
            if self._seen.get(path) != now.get(path):
                return path
        return ""

    def accept(self) -> None:
        """Take all as it is now."""
        self._seen = self._now()

    def _now(self) -> dict[str, tuple[int, ...]]:
        found: dict[str, tuple[int, ...]] = {}
        for path in self._paths:
            for each, status in _below(path, MOST - len(found)):
                if is_held(status):
                    continue  # what holds a name that is missing; it comes and goes with boxes
                found[each] = (status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        return found


def _below(path: str, left: int) -> Iterator[tuple[str, os.stat_result]]:
    """A path and all that is below it, links as themselves; what is gone is left out."""
    waiting = [path]
    while waiting and left > 0:
        at = waiting.pop()
        left -= 1
        try:
            status = os.lstat(at)
            yield at, status
            if stat.S_ISDIR(status.st_mode):
                waiting += sorted(f"{at}/{name}" for name in os.listdir(at))
        except OSError:
            continue
