"""`asimi wrap`: an agent, or any program, in a box, with the gate of the session outside."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose import may_ask, places
from asimi.compose.asking import at_a_terminal, choose_over, tell_watches
from asimi.compose.reaching import deciding_of, in_words, members_of, person_of
from asimi.core.call import is_below
from asimi.core.errors import AsimiError
from asimi.core.facts import facts_of, table_of
from asimi.core.judging.names import GROUPS, name_of
from asimi.core.wire import dumps
from asimi.core.wording.dialog import Choice, Menu, Section
from asimi.core.wording.visible import visible
from asimi.doors.cli.base import Command, UsageError, application, options_of
from asimi.doors.cli.config import offer_preset
from asimi.doors.cli.printing import fit, is_terminal, out, quote_words
from asimi.doors.cli.require_person import confirm_at_terminal, require_person
from asimi.world.host.places import bases_of
from asimi.world.host.terminal import printable, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import FrameType
    from typing import Any

    from asimi.compose import Options
    from asimi.compose.boxed import BoxParts
    from asimi.core.judging.names import Name
    from asimi.doors.wrap.summary import Tally
    from asimi.world.box.box import Box
    from asimi.world.box.groups import Member
    from asimi.world.box.keep_socket import RunningBox
    from asimi.world.box.layout import Layout
    from asimi.world.box.profiles import Profile
    from asimi.world.box.terminal import Terminal

TICK = 0.2
"""Seconds between two looks for the end of the program."""

FEW = 3
"""Names to reach that asimi lists at the start; it counts more."""

HOOKED = "without a box, an agent's hook can call asimi: asimi hook install AGENT"
"""What there is where no box can be."""

NOT_FOUND, NOT_ALLOWED = 127, 126

NOT_HELD = (
    "The box does not protect you when you, an editor or CI runs what was written in it. What is inside can send "
    "whatever it can read, and faults of the kernel can let it out. `asimi help box` says more."
)
"""What asimi says at each start."""

CLOSED = "Read-only, too, because a submodule is missing there or it is too much to watch: {}"
"""What asimi says of directories in which nothing may appear."""

SHOWN = table_of(facts_of(__package__, "wrap")["shown"])
"""The fields of a layout in the order in which `--explain` prints them, and what they are called there."""

TOGETHER = 3
"""Paths of one directory from which on `--explain` prints them in one line."""

wrap = application()


@wrap.command(cls=Command, context_settings={"allow_interspersed_args": False})
def _wrap(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(metavar="PROGRAM [ARG]...", show_default=False, help="The agent, or any program."),
    ],
    write: Annotated[
        list[str] | None,
        typer.Option("--write", metavar="DIR", show_default=False, help="Also let it write in this directory."),
    ] = None,
    read: Annotated[
        list[str] | None,
        typer.Option("--read", metavar="DIR", show_default=False, help="Let it see this directory of your home."),
    ] = None,
    reach: Annotated[
        list[str] | None,
        typer.Option("--reach", metavar="NAME", show_default=False, help="Let it reach this name, or NAME:PORT."),
    ] = None,
    clipboard: Annotated[bool, typer.Option("--clipboard", help="Let it write your clipboard.")] = False,  # noqa: FBT002
    publish: Annotated[
        list[int] | None,
        typer.Option(
            "--publish",
            metavar="PORT",
            show_default=False,
            help="Open a server of the box at 127.0.0.1:PORT of this machine.",
        ),
    ] = None,
    keep_prompts: Annotated[  # noqa: FBT002
        bool, typer.Option("--keep-prompts", help="Let the agent ask by its own prompts, too.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show what would be held; start nothing.")] = False,  # noqa: FBT002
    login: Annotated[bool, typer.Option("--login", help="Run only the agent's login, outside of a box.")] = False,  # noqa: FBT002
    json: Annotated[bool, typer.Option("--json", help="With --explain: one line of JSON.")] = False,  # noqa: FBT002
) -> None:
    """Run an agent, or any program, in a box: it writes only here, and reaches only what you allow.

    A gate outside of the box judges its commands. It allows what would be asked about only because nothing lists it,
    since the box holds that. It judges deny and ask rules, secrets and deletes as ever. asimi asks about a command
    that needs something outside of the box, and runs it there after your yes. Questions appear over the program, on
    this terminal; if the program has no terminal, they wait for `asimi watch` in another one.

    This needs Linux and bubblewrap. The exit code is the program's; 125 if the box cannot be kept, and then nothing
    starts; 127 if there is no such program.
    """
    from asimi.doors.wrap.hooked import tools_of

    if json and not explain:
        raise UsageError("--json is for --explain.")
    options = options_of(context)
    if login:
        raise typer.Exit(_login(words[0]))
    for port in publish or ():
        if not 0 < port < 1 << 16:
            raise UsageError(f"--publish takes a port from 1 to 65535, not {port}.")
    added = (write or (), read or (), reach or (), tuple(publish or ()))
    session = _Session(options, words, added, clipboard=clipboard, keep=keep_prompts, explain=explain)
    if explain:
        more = {
            "groups": in_words(session.groups),
            "words": shlex.join(session.words),
            "prompts": session.prompts.kept and f"its own, because {session.prompts.kept}",
            "judged": tools_of(session.profile, session.hook),
        }
        _explain(session.layout.explain() | more, as_json=json)
        return
    raise typer.Exit(session.run())


class _Session:
    """One start.

    Args:
        options: the global options.
        words: the program and its arguments.
        added: further directories that it may write, directories of the home that it sees, names that it reaches, ports
            that lead into the box.
        clipboard: whether it may write the person's clipboard.
        keep: whether it keeps its own prompts in any case.
        explain: whether asimi only explains it, so the program need not be there.

    Raises:
        AsimiError: the box cannot be kept, or this is no place for one.
        typer.Exit: there is no such program.
    """

    def __init__(
        self,
        options: Options,
        words: Sequence[str],
        added: tuple[Any, ...],
        *,
        clipboard: bool,
        keep: bool,
        explain: bool,
    ) -> None:
        if sys.platform != "linux":
            raise AsimiError(f"asimi wrap needs Linux, because no other system can hold a program like this; {HOOKED}")
        require_person("start a box", agents=True)
        from asimi.doors.wrap.hooked import hook_of, prompts_of
        from asimi.doors.wrap.session import HOOK
        from asimi.world.box.hook_evidence import version_of
        from asimi.world.box.layout import RUNTIME
        from asimi.world.box.profiles import profile_of
        from asimi.world.executors.confining.system import ConfinementError, bubblewrap_path

        try:
            bubblewrap_path()
        except ConfinementError as error:
            raise ConfinementError(f"{error.why}; {HOOKED}", "The box") from None
        program = shutil.which(words[0]) or (words[0] if explain else None)
        if program is None:
            say(f"asimi: there is no program {words[0]!r} on PATH")
            raise typer.Exit(NOT_FOUND)
        if os.path.dirname(os.path.realpath(program)) == os.path.dirname(RUNTIME):
            raise AsimiError(f"{program} lies where the box has a directory of its own; put it elsewhere")
        self.profile: Profile = profile_of(words[0])
        self.hook = hook_of(self.profile, f"{RUNTIME}/{HOOK} {self.profile.name}", os.environ, places().state)
        self.title = self.profile.title or os.path.basename(words[0])
        self._environ: Mapping[str, str] = os.environ
        self.boxed = self._open(options, asking=not explain)
        self._program, self._added, self._options = program, added, options
        self._version = version_of(program, self.hook.text) if self.hook.text and os.path.isabs(program) else ""
        self.prompts = prompts_of(
            self.profile,
            words[1:],
            person_of(self.boxed.configuration.root),
            places().state,
            self._version,
            keep=keep,
            superuser=os.geteuid() == 0,
        )
        self.words = [program, *self.profile.arguments, *self.prompts.words]
        self.profile = self.profile._replace(given={**self.profile.given, **self.prompts.given})
        self.groups, self.fixed = self._reachable_names(added[2])
        self.layout = self._laid_out()
        self._environ = self.layout.environment
        self._ended, self._end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._over, self._clipboard = False, clipboard
        self._terminal: Terminal | None = None
        self._why, self._signal = "", 0

    def _open(self, options: Options, *, asking: bool) -> BoxParts:
        from asimi.compose.boxed import open_boxed
        from asimi.world.box.layout import PRIVATE

        name, added = os.urandom(4).hex(), lambda: self.layout.open[1:]
        boxed = open_boxed(options, name, lambda: self._environ, PRIVATE, self._screen, added)
        if asking:
            _offer(options, boxed)
        boxed.configuration.settings()  # broken: nothing starts
        return boxed

    def _reachable_names(self, reach: Sequence[str]) -> tuple[dict[str, tuple[Member, ...]], list[Name]]:
        """The names of each group at the start, and all names that the box reaches as long as it lives."""
        configuration = self.boxed.configuration
        wanted = (*reach, *configuration.settings().network.allow)
        groups = members_of(wanted, configuration.root, self.profile.models)
        fixed = [name_of(each) for each in reach if each not in GROUPS]
        return groups, [*fixed, *(member.name for group in groups.values() for member in group)]

    def _laid_out(self) -> Layout:
        from asimi.doors.wrap.session import python
        from asimi.world.box.layout import Options as Added
        from asimi.world.box.layout import layout_of

        write, read, _, publish = self._added
        shown = tuple(map(os.path.abspath, read))
        now = self.boxed.configuration.settings()
        named = (*self.fixed, *(name_of(each) for each in now.network.allow if each not in GROUPS))
        added = Added(tuple(map(os.path.abspath, write)), shown, named, publish)
        bases, here, environ = bases_of(os.environ), places(), dict(os.environ)
        programs = (self._program, python(), sys.executable)
        return layout_of(self.boxed.guard, self.profile, bases, here, environ, programs, added, now.box, self.hook)

    def run(self) -> int:
        """Run the program to its end; the exit code."""
        from asimi.doors.wrap.outside import Outside
        from asimi.doors.wrap.session import BoxServer
        from asimi.doors.wrap.summary import SessionEnd, Tally
        from asimi.world.box.box import Box
        from asimi.world.box.hook_evidence import note
        from asimi.world.box.keep_socket import Keeps
        from asimi.world.box.repository_changes import describe_changes, look

        tally, before = Tally(self.boxed.log), look(self.layout.git)
        with ExitStack() as stack:
            box = stack.enter_context(Box(self.layout, self._hidden_now))
            box.appeared, box.named, box.ends = partial(self._report_moved, tally), tally.is_named, self._asked_to_end
            began = time.time()
            keeps = Keeps(box.socket, partial(tally.put_back, box.keep), lambda: self._running_box(tally, began))
            stack.callback(keeps.close)
            box.deciding = deciding_of(
                self.boxed,
                (*map(name_of, self.profile.reach), *self.fixed),
                self.profile.needless,
                self.profile.name,
                running=lambda: tally.running,
                told=tally.record_name,
            )
            tally.over = box.deciding.tell
            outside = Outside(self.boxed, box, self.layout.writable, tally, self._note_broken)
            gate = BoxServer(
                self.boxed,
                box.runtime,
                lambda: self.layout.environment,
                held=box.restore,
                broken=self._note_broken,
                hooked=bool(self.hook.text),
                audit=tally,
                outside=outside,
                worktree=box.worktree,
            )
            stack.callback(gate.close)
            moved = [f"A box that was killed had left {path}; it is now at {to}." for path, to in box.left]
            for line in (*self._opening_lines(), *moved):
                say(fit(f"asimi: {printable(line)}", 2))
            code = self._start_and_wait(box)
            heard, changed = frozenset(gate.heard), box.changed_path()
            self._why = self._why or box.why
        if self._version and (gate.kinds or tally.has_reached_name):
            note(places().state, self.profile.name, self._version, gate.kinds)
        name = self.boxed.session.label.rpartition(" ")[2]
        left = describe_changes(before, look(self.layout.git), self.layout.root)
        end = SessionEnd(
            self.title, name, code, bool(self.hook.text), heard, left, self.boxed.count_undoable(), changed
        )
        for line in tally.lines(end):
            say(fit(f"asimi: {line}", 2))
        if self._why:
            say(fit(f"asimi: the box could not be kept any more, so asimi ended all that was in it: {self._why}", 2))
            return 125
        return code

    def _hidden_now(self) -> tuple[str, ...]:
        """The paths to hide now, by the configuration and the files as they are.

        Raises:
            AsimiError: the configuration is broken, or the project is no place for a box any more.
        """
        now = self._laid_out()
        return (*now.hidden, *now.masked)

    def _opening_lines(self) -> list[str]:
        """What asimi says before the program starts."""
        where = f"it writes in {self.layout.root} and its own state"
        lines = [f"{self.title} runs in a box: {where}. {self._network_words()}"]
        if not self.hook.text:
            lines.append(
                f"{self.title} has no hook that asimi knows: nothing judges its commands, only the box holds it, "
                "and asimi undo keeps nothing of what it does."
            )
        if self.prompts.kept:
            lines.append(f"{self.title} keeps its own prompts, because {self.prompts.kept}.")
        return [*lines, *self._off(), *self.layout.notes, NOT_HELD]

    def _off(self) -> list[str]:
        """What asimi does not do without a configuration of the person's."""
        configuration = self.boxed.configuration
        if os.path.lexists(configuration.file):
            return []
        undo = "" if configuration.settings().undo.keep else ", and asimi undo keeps nothing"
        off = f"The box starts without a configuration of yours: no rule allows anything{undo}"
        return [f"{off}. `asimi init` asks what may run, and sets both up."]

    def _network_words(self) -> str:
        names = [str(each) for each in self.layout.reach]
        asks = self.boxed.configuration.settings().network.unlisted == "ask"
        if not names:
            return "It reaches a name on the network only after your yes." if asks else "It reaches no network."
        rest = "asimi asks about any other" if asks else "it reaches no other"
        return f"It reaches {_few(names)}; {rest}. `asimi wrap --explain` lists all."

    def _start_and_wait(self, box: Box) -> int:
        """Start the program, hand on what it says, and wait; the exit code."""
        from asimi.world.box.terminal import Terminal

        tty = next((each for each in (0, 1, 2) if is_terminal(each)), None)
        keys = is_terminal(0) and is_terminal(1)
        terminal = None if tty is None else Terminal(tty, os.environ, keys=keys, clipboard=self._clipboard)
        self._terminal = terminal
        if terminal is not None:
            terminal.still = box.still
        try:
            streams = [each if terminal is None or not is_terminal(each) else terminal.slave for each in (0, 1, 2)]
            directory = os.getcwd()
            with _signals_to(self._on_signal):
                try:
                    slave = None if terminal is None else terminal.slave
                    box.start(self.words, directory, (streams[0], streams[1], streams[2]), slave)
                except OSError as error:
                    say(f"asimi: {error.filename or self.words[0]}: {error.strerror}")
                    return NOT_ALLOWED if isinstance(error, PermissionError) else NOT_FOUND
                if box.closed:
                    say(fit(f"asimi: {CLOSED.format(printable(_few(box.closed)))}", 2))
                waiting = threading.Thread(target=self._wait, args=(box,), daemon=True)
                waiting.start()
                if terminal is not None:
                    terminal.run(self._ended, box.stops)
                    if terminal.hung_up:
                        self._signal = signal.SIGHUP
                else:
                    self._stay(box)
                self._over = True
                waiting.join()
        finally:
            self._terminal = None
            if terminal is not None:
                terminal.close()
        if self._signal:
            return 128 + self._signal
        return box.wait(0) or 0

    def _screen(self) -> Terminal | None:
        """The terminal of the program, if it has the keys too, so that it can be asked on."""
        return self._terminal if is_terminal(0) and is_terminal(1) else None

    def tell(self, text: str) -> None:
        """Say something while the program runs, over it and in each `asimi watch`; from any thread."""
        if (terminal := self._terminal) is None:
            say(fit(f"asimi: {text}", 2))
        else:
            terminal.tell(text)
        tell_watches(self.boxed.configuration, text)

    def _report_moved(self, tally: Tally, path: str, moved_to: str) -> None:
        """Count a file that appeared and was moved away, and say so."""
        tally.moved.append((path, moved_to))
        name = os.path.relpath(path, self.layout.root)
        self.tell(
            printable(
                f"moved: {name} appeared in {self.layout.root} (box of {self.title}); it is now at {moved_to}; "
                f"`asimi box keep {quote_words([name])}` puts it back"
            )
        )

    def _running_box(self, tally: Tally, began: float) -> RunningBox:
        """What `asimi box` tells of this box."""
        from asimi.world.box.keep_socket import RunningBox

        return RunningBox(self.title, self.layout.root, self.layout.open, began, tuple(tally.moved))

    def _asked_to_end(self, path: str) -> bool:
        """Ask whether the box shall end, because something appears again and again; from any thread.

        Without a terminal, and where nobody answers in time, it shall.

        Args:
            path: what appears.
        """
        terminal = self._screen()
        if terminal is None or not may_ask(self._options):
            return True
        try:
            patience = self.boxed.configuration.settings().session.ask_timeout
        except AsimiError:  # every call is refused until the file is fixed, and this is a call, too
            return True
        return shall_end(terminal, self.title, os.path.relpath(path, self.layout.root), patience)

    def _wait(self, box: Box) -> None:
        """Wait until the program has ended or must end, and tell the thread that waits for it."""
        while not self._over and box.wait(TICK) is None:
            if self._why or self._signal:
                break
        with suppress(OSError):
            os.write(self._end, b".")

    def _stay(self, box: Box) -> None:
        """Wait without a terminal of the program's own; Ctrl-C is the program's."""
        while not select.select([self._ended], [], [], TICK)[0]:
            if self._interrupted:
                self._interrupted = False
                box.signal(signal.SIGINT)

    _interrupted = False

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if number == signal.SIGINT:
            self._interrupted = True
        else:
            self._signal = number

    def _note_broken(self, why: str) -> None:
        self._why = self._why or why


def shall_end(terminal: Terminal, title: str, path: str, patience: float) -> bool:
    """Ask the person over a program whether its box shall end; a yes, too, where nobody answers in time.

    Args:
        terminal: what the program is shown on.
        title: of the program.
        path: what appears again and again.
        patience: seconds.
    """
    words = (
        f"{visible(path)} has appeared six times, or held up the box for too long, and asimi has moved it away each "
        f"time. Something in the box may be making it to have it run. No answer in {patience:g} s: the box ends."
    )
    goes_on = Choice("n", "no", "go on", "go on")
    ends = Choice("y", "yes", "end the box, and all that runs in it", "end the box")
    menu = Menu(f"End the box of {visible(title)}?", (Section(words),), (ends,), goes_on)
    until = time.monotonic() + patience
    return terminal.over(lambda: choose_over(menu, until - time.monotonic()), patience) != goes_on


@contextmanager
def _signals_to(heard: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Hands the signals that would end asimi to somebody else meanwhile."""
    before = {each: signal.signal(each, heard) for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _few(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    more = len(names) - FEW
    return ", ".join(names[:FEW]) + (f" and {more} more" if more > 0 else "")


def _offer(options: Options, boxed: BoxParts) -> None:
    """Offer a configuration where there is none, to a person at the terminal."""
    if os.path.lexists(boxed.configuration.file) or not (may_ask(options) and at_a_terminal()):
        return
    say(fit("asimi: You have no rules yet. Choose some for all projects, or q: the box then starts without.", 2))
    offer_preset(boxed.configuration)


def _explain(found: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what a box holds."""
    if as_json:
        out(dumps(found))
        return
    lines = [f"{found['title'] or 'a program that asimi has no profile of'}"]
    for key, called in SHOWN.items():
        value = found.get(key)
        values = value if isinstance(value, list) else [value] if value else []
        values = [" ".join(values)] if key in {"environment", "judged"} else _group_paths(values, found["project"])
        lines += [
            fit(f"{called if at == 0 else '':15} {printable(str(each))}", indent=16) for at, each in enumerate(values)
        ]
    out("\n".join(lines))


def _group_paths(values: Sequence[object], root: str) -> list[str]:
    """Return values as they are read: paths of one directory, if there are some, in one line; all of the project's."""
    groups: dict[str, list[str]] = {}
    for each in map(str, values):
        above = root if each != root and is_below(each, root) else os.path.dirname(each)
        groups.setdefault(above if each[:1] == "/" else "", []).append(each)
    lines = []
    for above, paths in groups.items():
        short = ", ".join(os.path.relpath(each, above) for each in paths) if above else ""
        lines += [f"{above}: {short}"] if short and len(paths) >= TOGETHER else paths
    return lines


def _login(name: str) -> int:
    """Run an agent's own login, outside, after a yes; its exit code.

    Raises:
        AsimiError: it has none, or nobody can say yes.
    """
    from asimi.world.box.profiles import profile_of

    require_person("log in")
    profile = profile_of(name)
    if not profile.login:
        raise AsimiError(f"asimi knows no login of {name}; run it yourself, outside of a box, before you wrap it")
    words = " ".join(profile.login)
    if not confirm_at_terminal(f"Run `{words}` outside of the box?"):
        return NOT_ALLOWED
    return subprocess.run(profile.login, check=False).returncode
