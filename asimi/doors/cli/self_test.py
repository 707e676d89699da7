"""`asimi self-test`: proves on this machine what asimi promises, in a home of its own that it deletes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

from asimi.core.errors import AsimiError
from asimi.core.startup import NamedTuple
from asimi.doors.cli.printing import counted, fitted, out
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from asimi.compose import Options
    from asimi.core.syntax.nodes import Script

PATIENCE = 60.0
"""Seconds after which what was started has given no answer."""

NOT_ALLOWED = 126
"""The exit code of `asimi run` for what may not run."""

BLOCKS = 2
"""The exit code by which a hook of Claude Code stops a command."""

CONFIG = """\
coreTools = ["run_shell_command"]
excludeTools = ["run_shell_command(rm)"]
[undo]
keep = "1d"
"""
"""Whatever is not denied may run, so a probe that is stopped was stopped by what it tries."""

ENFORCED = """\
coreTools = ["run_shell_command"]
[[rules]]
decision = "deny"
command = "rm"
enforce = "exec"
"""

SPELLINGS = (
    "rm kept",
    "\\r'm' kept",
    "/bin/rm kept",
    "env -u X rm kept",
    "bash -c 'rm kept'",
    "x=rm; $x kept",
    "ls | xargs rm",
)
"""One denied command, each time written in another way."""

VALID = (
    "a; b && c || d | e & f",
    "'a b' c; \"d e\" f; g\\ h i; $'j\\x41' k",
    "( a; { b; } )",
    "if a; then b; elif c; then d; else e; fi",
    "for x in 1 2; do a; done; while b; do c; break; done; until d; do e; done",
    "case x in (x) a;; y|z) b;; esac",
    "f() { a; }; f; b",
    "! a; time b; a=1 c; >&2 d 2>&1",
    "a <<E && b\n$(c)\nE\nd",
    "a <<'E'\n$(never)\nE\nb",
    'a $(b `c` "$(d)") <(e)',
    "a # never\nb\\\nc",
    "[[ x == $(a) ]] && b; (( 1 + $(c) )); d",
    "a ${x:-$(b)} \"${x:+$(never)}\" '$(never)'",
)
"""Texts whose commands are names that nothing has; which of them bash looks up, it says itself."""

INVALID = ("a |", "if a; then b", "a 'b", "a; }", "( a", "for do", "a && || b", "case x in", "f() { a", "a < ")
"""Texts that bash does not parse."""

ASKED_OF_BASH = "command_not_found_handle() { printf '%s\\0' \"$1\" >&3; }; exec 3>&1; "
"""Makes bash write down each name that it looks up and does not find; standard output is a pipe."""


class Shown(NamedTuple):
    """What a probe has shown.

    Attributes:
        state: `holds`, `note` for what this machine cannot do, `fails` for what must not be.
        what: its subject.
        text: the finding.
    """

    state: str
    what: str
    text: str


class Place:
    """A home and a project of their own, where asimi is started as a person starts it.

    Args:
        directory: an empty one.
    """

    def __init__(self, directory: str) -> None:
        self.home, self.root, self.config = (f"{directory}/{name}" for name in ("home", "home/project", "config.toml"))
        for path in (self.root, f"{self.home}/run"):
            os.makedirs(path, 0o700)
        self.environ = {name: os.environ[name] for name in ("PATH", "LANG", "SYSTEMROOT") if name in os.environ} | {
            "HOME": self.home,
            "XDG_RUNTIME_DIR": f"{self.home}/run",
            "PYTHONPATH": os.path.dirname(os.path.dirname(sys.modules["asimi"].__file__ or "")),
        }
        self.write("kept", "one\n")
        self.configured(CONFIG)

    def configured(self, text: str) -> None:
        """Put a configuration in force."""
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(text)

    def write(self, name: str, text: str, mode: int = 0o600) -> None:
        """Write a file of the project."""
        path = os.path.join(self.root, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def has(self, name: str) -> bool:
        """Return whether the project has a file."""
        return os.path.exists(os.path.join(self.root, name))

    def asimi(self, *words: str, said: str = "") -> subprocess.CompletedProcess[str]:
        """Run asimi here to its end.

        Raises:
            AsimiError: it gives no answer.
        """
        call = [sys.executable, "-m", "asimi", "--non-interactive", "--config", self.config, *words]
        try:
            return subprocess.run(
                call,
                input=said,
                cwd=self.root,
                env=self.environ,
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise AsimiError(f"asimi {' '.join(words[:2])} gave no answer in {PATIENCE:.0f} s") from None


def self_test(options: Options, json: bool = False) -> int:  # noqa: FBT001, FBT002 - a flag of the command line
    """Prove on this machine what asimi promises: about ten lines, each from a real try.

    It tries in a home of its own, which it deletes, and touches neither your files nor your log. The exit code is 1 if
    something fails that must hold. What this machine cannot do is a note; `asimi doctor` says what to do about it.
    """
    shown: list[Shown] = []
    directory = tempfile.mkdtemp(prefix=".asimi-self-test-", dir=os.path.expanduser("~"))
    try:
        place = Place(directory)
        for what, probe in PROBES.items():
            try:
                shown += [Shown(*found) for found in probe(place, what)]
            except (AsimiError, OSError, subprocess.SubprocessError) as error:
                shown.append(Shown("fails", what, str(error)))
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    shown += [Shown(*found) for found in _set_up(options)]
    if os.path.lexists(directory):
        shown.append(Shown("fails", "clean", f"{directory} could not be deleted"))
    failed = sum(each.state == "fails" for each in shown)
    if json:
        from asimi.core.wire import dumps

        out(dumps({"holds": not failed, "found": [each._asdict() for each in shown]}))
        return int(bool(failed))
    for each in shown:
        out(fitted(f"{each.state:5}  {each.what}: {printable(each.text)}", indent=7))
    return int(bool(failed))


def _reading(_place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Compare what asimi reads with what the bash of this machine does."""
    from asimi.compose.gate import shell_of
    from asimi.core.errors import ShellSyntaxError
    from asimi.core.syntax import parse

    shell = shell_of(_place.root)
    if shell.kind != "bash":
        yield "note", what, f"{shell.path or 'no bash'} {shell.version}: only plain commands are understood"
        return
    for text in VALID:
        seen = set(_names(parse(text)))
        done = subprocess.run(
            [shell.path, "-c", ASKED_OF_BASH + text],
            env={"PATH": "/nonexistent"},
            cwd=_place.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        ran = {name.decode() for name in done.stdout.split(b"\0")[:-1]}
        if not ran or not ran <= seen:
            missed = ", ".join(sorted(ran - seen)) or "nothing"
            yield "fails", what, f"{text!r}: {shell.path} runs {missed}, which asimi does not see"
            return
    for text in INVALID:
        done = subprocess.run([shell.path, "-n", "-c", text], capture_output=True, timeout=PATIENCE, check=False)
        try:
            parse(text)
        except ShellSyntaxError:
            continue
        if done.returncode:
            yield "fails", what, f"{text!r}: asimi reads it, and {shell.path} does not"
            return
    yield "holds", what, f"{len(VALID) + len(INVALID)} texts mean to asimi what they mean to bash {shell.version}"


def _names(script: Script) -> Iterator[str | None]:
    """Yield the names of the commands in a text, those in its substitutions too."""
    for command in script.commands:
        for word in command.words[:1]:
            yield word.literal
    for each in script.substitutions:
        yield from _names(each.script)


def _denied(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Send one denied command in many spellings, as an agent's program would."""
    from asimi.core.wire import dumps, loads

    calls = [
        dumps({"id": str(number), "name": "run_shell_command", "arguments": {"command": text}})
        for number, text in enumerate(SPELLINGS)
    ]
    done = place.asimi("serve", said="".join(f"{line}\n" for line in calls))
    answers: list[Any] = [loads(line) for line in done.stdout.splitlines()]
    started = [text for text, each in zip(SPELLINGS, answers, strict=False) if not _refused(each)]
    if len(answers) != len(SPELLINGS):
        yield "fails", what, f"{len(answers)} answers to {len(SPELLINGS)} calls: {_last(done)}"
    elif started or not place.has("kept"):
        yield "fails", what, f"started all the same: {', '.join(started) or 'one of them'}"
    else:
        yield "holds", what, f"a denied command is refused in all of {len(SPELLINGS)} spellings"


def _refused(answer: Any) -> bool:
    """Whether an answer of `asimi serve` says that nothing was started."""
    result = answer.get("result") if isinstance(answer, dict) else None
    result = result if isinstance(result, dict) else answer
    return bool(result.get("error")) and result.get("exitCode") is None


def _question(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Run what no list allows, where nobody can be asked."""
    place.configured("")
    try:
        done = place.asimi("run", "touch asked")
    finally:
        place.configured(CONFIG)
    if place.has("asked") or done.returncode != NOT_ALLOWED:
        yield "fails", what, f"it was not refused: {_last(done)}"
    else:
        yield "holds", what, "what nothing allows is refused where nobody can be asked"


def _hook(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Give an agent's hook what it cannot read, what is denied, and a configuration that is broken."""
    from asimi.core.wire import dumps
    from asimi.doors.hooks.agent import agent_of

    sample = dumps(agent_of("claude-code").sample)
    said = sample.replace("{command}", "rm kept").replace("{directory}", dumps(place.root)[1:-1])
    torn = place.asimi("hook", "claude-code", said="{")
    denied = place.asimi("hook", "claude-code", said=said)
    place.configured("coreTools = [")
    try:
        broken = place.asimi("hook", "claude-code", said=said)
    finally:
        place.configured(CONFIG)
    stopped = {
        "what cannot be read": torn.returncode == BLOCKS,
        "a denied command": '"deny"' in denied.stdout,
        "a broken configuration": broken.returncode == BLOCKS or '"deny"' in broken.stdout,
    }
    if through := ", ".join(name for name, good in stopped.items() if not good):
        yield "fails", what, f"not stopped: {through}"
    else:
        yield "holds", what, "an agent's hook denies what is denied, and blocks where it cannot read or decide"


def _sandbox(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Write inside and outside of the project, in a sandbox of one command."""
    if why := _lacking("lacking_landlock") and _lacking("lacking_bubblewrap"):
        yield "note", what, f"not here: {why}"
        return
    done = place.asimi("run", "--sandbox", "project", "echo x > inside; echo x > ../outside")
    yield from _held(place, what, done, "a command in a sandbox writes in the project and not beside it")


def _box(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Write inside and outside of the project, in a box."""
    if why := _lacking("lacking_bubblewrap"):
        yield "note", what, f"not here: {why}"
        return
    done = place.asimi("wrap", "--", "sh", "-c", "echo x > inside; echo x > ../outside")
    yield from _held(place, what, done, "a program in a box writes in the project and not beside it")


def _held(place: Place, what: str, done: subprocess.CompletedProcess[str], good: str) -> Iterator[tuple[str, str, str]]:
    """Say whether the file inside was made and the one outside was not, and remove both."""
    inside, outside = place.has("inside"), place.has("../outside")
    for name in ("inside", "../outside"):
        if place.has(name):
            os.unlink(os.path.join(place.root, name))
    if outside:
        yield "fails", what, "it wrote beside the project"
    elif not inside:
        yield "fails", what, f"it could not write in the project: {_last(done)}"
    else:
        yield "holds", what, good


def _exec_rules(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Let a script start what is denied beneath the text."""
    if why := _lacking("lacking_exec_rules"):
        yield "note", what, f"not here: {why}"
        return
    place.write("clean", "#!/bin/sh\nrm kept\ntouch reached\n", 0o700)
    place.configured(ENFORCED)
    try:
        done = place.asimi("run", "./clean")
    finally:
        place.configured(CONFIG)
    if not place.has("kept"):
        yield "fails", what, "a script started what is denied"
    elif not place.has("reached"):
        yield "fails", what, f"the script was not run: {_last(done)}"
    else:
        yield "holds", what, "a script that may run cannot start the program that is denied"


def _undo(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Change, make and delete files in a call, and take it back."""
    from asimi.compose.undoing import keeper_of
    from asimi.doors.cli.undo import plan_of
    from asimi.world.config import Configuration
    from asimi.world.host.places import places_of
    from asimi.world.undo.restoring import restore

    place.write("deleted", "two\n")
    before = _files(place)
    done = place.asimi("run", "echo changed > kept; echo new > made; mv deleted moved")
    if done.returncode or _files(place) == before:
        yield "fails", what, f"the call that was to be taken back did not run: {_last(done)}"
        return
    places = places_of(place.environ)
    keeper = keeper_of(Configuration(places, place.root, place.config, environ=lambda: place.environ), "self-test")
    calls = keeper.calls.all()
    if not calls:
        yield "fails", what, "the call was not kept"
        return
    with keeper.locked(), keeper.store() as store:
        restore(place.root, store, plan_of(store, keeper, calls[-1]).steps)
    same = _files(place) == before
    yield (
        ("holds", what, "a call that changed, made and moved files was taken back byte by byte")
        if same
        else ("fails", what, "the files are not what they were")
    )


def _files(place: Place) -> Mapping[str, bytes]:
    """Return what is in the project's files."""
    found = {}
    for name in os.listdir(place.root):
        if os.path.isfile(path := os.path.join(place.root, name)):
            with open(path, "rb") as file:
                found[name] = file.read()
    return found


def _log(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Verify the log of these tries, then one of its lines changed."""
    from asimi.world.audit import reading
    from asimi.world.host.places import places_of

    state = places_of(place.environ).state
    path = next(iter(reading.files(state)))
    with open(path, "rb") as file:
        written = file.read()
    lines = written.count(b"\n")
    if faults := list(map(str, reading.verify(state).faults)):
        yield "fails", what, faults[0]
        return
    with open(path, "wb") as file:
        file.write(written.replace(b"rm kept", b"ls kept", 1))
    found = list(reading.verify(state).faults)
    with open(path, "wb") as file:
        file.write(written)
    if b"rm kept" not in written or not found:
        yield "fails", what, "a line that was changed afterwards is not noticed"
    else:
        yield "holds", what, f"all of this is in the log ({counted(lines, 'line')}), and a changed line is noticed"


def _set_up(options: Options) -> Iterator[tuple[str, str, str]]:
    """Say what keeps asimi from working with this person's own configuration and files."""
    from asimi.doors.cli.doctor import faults

    found = faults(options)
    for each in found:
        yield "fails", f"your {each.what}", each.text
    if not found:
        yield "holds", "your set-up", "your configuration and asimi's files can be used; asimi doctor says more"


def _lacking(name: str) -> str:
    """Return why this machine cannot do something, by the name of what knows."""
    if sys.platform != "linux":
        return "it needs Linux"
    from asimi.world.executors.confining import ability

    known: Callable[[], str] = getattr(ability, name)
    return known()


def _last(done: subprocess.CompletedProcess[str]) -> str:
    """Return the end of what a process said."""
    said: Sequence[str] = (done.stderr.strip() or done.stdout.strip()).splitlines() or ["it said nothing"]
    return f"{said[-1]} (exit code {done.returncode})"


PROBES = {
    "reading": _reading,
    "deny": _denied,
    "question": _question,
    "hook": _hook,
    "sandbox": _sandbox,
    "box": _box,
    "exec rules": _exec_rules,
    "undo": _undo,
    "log": _log,
}
"""What is tried, in this order: the log is that of the tries before."""
