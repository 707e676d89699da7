"""What `asimi doctor` tries: whether asimi keeps its promises here, in a home of its own that is deleted."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

from asimi.compose.gate import shell_of
from asimi.compose.stores import keeper_of
from asimi.core.errors import AsimiError, ShellSyntaxError
from asimi.core.syntax import parse
from asimi.core.wire import dumps, loads
from asimi.doors.cli.undo import plan_of
from asimi.doors.hooks.agent import agent_of, sample_of
from asimi.world.config import Configuration
from asimi.world.executors.confining.ability import lacking_bubblewrap
from asimi.world.host.places import places_of
from asimi.world.undo.restoring import restore

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from asimi.core.syntax.nodes import Script

PATIENCE = 60.0
"""Seconds after which what was started has given no answer."""

BLOCKS = 2
"""The exit code by which a hook of Claude Code stops a command."""

CONFIG = """\
coreTools = ["run_shell_command"]
excludeTools = ["run_shell_command(rm)"]
[undo]
keep = "1d"
"""
"""Whatever is not denied may run, so a probe that is stopped was stopped by what it tries."""

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
        self.configure(CONFIG)

    def configure(self, text: str) -> None:
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


def probe() -> Iterator[tuple[str, str, str]]:
    """Yield what each probe shows: `ok`, `note` for what this machine cannot do, `fault` for what must not be.

    Each comes with its subject and the finding. The person's own files and log are not touched.
    """
    directory = tempfile.mkdtemp(prefix=".asimi-doctor-", dir=os.path.expanduser("~"))
    try:
        place = Place(directory)
        for what, tries in PROBES.items():
            try:
                yield from tries(place, what)
            except (AsimiError, OSError, subprocess.SubprocessError) as error:
                yield "fault", what, str(error)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _probe_reading(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Compare what asimi reads with what the bash of this machine does."""
    shell = shell_of(place.root)
    if shell.kind != "bash":
        yield "note", what, f"{shell.path or 'no bash'} {shell.version}: only plain commands are understood"
        return
    for text in VALID:
        seen = set(_names(parse(text)))
        done = subprocess.run(
            [shell.path, "-c", ASKED_OF_BASH + text],
            env={"PATH": "/nonexistent"},
            cwd=place.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        ran = {name.decode() for name in done.stdout.split(b"\0")[:-1]}
        if not ran or not ran <= seen:
            missed = ", ".join(sorted(ran - seen)) or "nothing"
            yield "fault", what, f"{text!r}: {shell.path} runs {missed}, which asimi does not see"
            return
    for text in INVALID:
        done = subprocess.run([shell.path, "-n", "-c", text], capture_output=True, timeout=PATIENCE, check=False)
        try:
            parse(text)
        except ShellSyntaxError:
            continue
        if done.returncode:
            yield "fault", what, f"{text!r}: asimi reads it, and {shell.path} does not"
            return
    yield "ok", what, f"{len(VALID) + len(INVALID)} texts mean to asimi what they mean to bash {shell.version}"


def _names(script: Script) -> Iterator[str | None]:
    """Yield the names of the commands in a text, those in its substitutions too."""
    for command in script.commands:
        for word in command.words[:1]:
            yield word.literal
    for each in script.substitutions:
        yield from _names(each.script)


def _probe_deny(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Send one denied command in many spellings, as an agent's program would."""
    calls = [
        dumps({"id": str(number), "name": "run_shell_command", "arguments": {"command": text}})
        for number, text in enumerate(SPELLINGS)
    ]
    done = place.asimi("serve", said="".join(f"{line}\n" for line in calls))
    answers: list[Any] = [loads(line) for line in done.stdout.splitlines()]
    started = [text for text, each in zip(SPELLINGS, answers, strict=False) if not _is_refusal(each)]
    if len(answers) != len(SPELLINGS):
        yield "fault", what, f"{len(answers)} answers to {len(SPELLINGS)} calls: {_last(done)}"
    elif started or not place.has("kept"):
        yield "fault", what, f"started all the same: {', '.join(started) or 'one of them'}"
    else:
        yield "ok", what, f"a denied command is refused in all of {len(SPELLINGS)} spellings"


def _is_refusal(answer: Any) -> bool:
    """Whether an answer of `asimi serve` says that nothing was started."""
    result = answer.get("result") if isinstance(answer, dict) else None
    result = result if isinstance(result, dict) else answer
    return bool(result.get("error")) and result.get("exitCode") is None


def _hook(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Give an agent's hook what it cannot read, what is denied, and a configuration that is broken."""
    sample = dumps(sample_of(agent_of("claude-code")))
    said = sample.replace("{command}", "rm kept").replace("{directory}", dumps(place.root)[1:-1])
    torn = place.asimi("hook", "claude-code", said="{")
    denied = place.asimi("hook", "claude-code", said=said)
    place.configure("coreTools = [")
    try:
        broken = place.asimi("hook", "claude-code", said=said)
    finally:
        place.configure(CONFIG)
    stopped = {
        "what cannot be read": torn.returncode == BLOCKS,
        "a denied command": '"deny"' in denied.stdout,
        "a broken configuration": broken.returncode == BLOCKS or '"deny"' in broken.stdout,
    }
    if through := ", ".join(name for name, good in stopped.items() if not good):
        yield "fault", what, f"not stopped: {through}"
    else:
        yield "ok", what, "an agent's hook denies what is denied, and blocks where it cannot read or decide"


def _box(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Write inside and outside of the project, in a box."""
    if lacking_bubblewrap():
        return  # which is said in any case
    done = place.asimi("wrap", "--", "sh", "-c", "echo x > inside; echo x > ../outside")
    if place.has("../outside"):
        yield "fault", what, "a program in a box wrote beside the project"
    elif not place.has("inside"):
        yield "fault", what, f"a program in a box could not write in the project: {_last(done)}"
    else:
        yield "ok", what, "a program in a box writes in the project and not beside it"


def _undo(place: Place, what: str) -> Iterator[tuple[str, str, str]]:
    """Move a file in a call, and take it back."""
    if sys.platform == "win32":
        yield "note", what, "not tried on Windows"
        return

    before = _files(place)
    done = place.asimi("run", "mv kept moved")
    if done.returncode or _files(place) == before:
        yield "fault", what, f"the call that was to be taken back did not run: {_last(done)}"
        return
    places = places_of(place.environ)
    keeper = keeper_of(Configuration(places, place.root, place.config, environ=lambda: place.environ), "self-test")
    calls = keeper.calls.all()
    if not calls:
        yield "fault", what, "the call was not kept"
        return
    with keeper.lock(), keeper.store() as store:
        restore(place.root, store, plan_of(store, keeper, calls[-1]).steps)
    if _files(place) == before:
        yield "ok", what, "a call that moved a file was taken back"
    else:
        yield "fault", what, "a call that was taken back left other files than there were"


def _files(place: Place) -> Mapping[str, bytes]:
    """Return what is in the project's files."""
    found = {}
    for name in os.listdir(place.root):
        if os.path.isfile(path := os.path.join(place.root, name)):
            with open(path, "rb") as file:
                found[name] = file.read()
    return found


def _last(done: subprocess.CompletedProcess[str]) -> str:
    """Return the end of what a process said."""
    said: Sequence[str] = (done.stderr.strip() or done.stdout.strip()).splitlines() or ["it said nothing"]
    return f"{said[-1]} (exit code {done.returncode})"


PROBES = {
    "box": _box,
    "hook": _hook,
    "undo": _undo,
    "deny": _probe_deny,
    "reading": _probe_reading,
}
"""What is tried, in this order."""
