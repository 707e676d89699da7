"""Asimi's own voice behind an agent's hook: what the person chose, what is there of it, and a trial."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from asimi.compose.asking import at_a_terminal, is_person, questions_of
from asimi.core.call import Decision, Place, Question, Reason, Request, Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.rules import SHELL
from asimi.core.wording.visible import visible
from asimi.world.approvers import in_turn
from asimi.world.approvers.queue.approver import QueueApprover
from asimi.world.approvers.voices import DESKTOP, LOOK, NAMES, Voices, VoiceSettings, kept_in
from asimi.world.host.agents import agent_above
from asimi.world.host.places import variables_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.world.config import Configuration
    from asimi.world.host.agents import Process

_HERE = os.path.abspath(f"{__file__}/../../..")
STARTS = f"import sys; sys.path.append({_HERE!r}); import asimi.__main__ as it; it.main()"
"""Starts asimi from where this one is: Debian's package and asimi.pyz are not where Python looks by itself."""

SHOWS = (sys.executable, "-P", "-c", STARTS, "watch", "--until-none-waits")
"""What runs in a window that opens."""

TRIAL = 60.0
"""Seconds for which a trial question waits."""

NONE = "none"
"""What a person says who wants no voice."""

ALONE = "Without an `asimi watch`, each question is refused, and the agent reads `asimi approve ID`"
"""What becomes of questions where there is no voice."""


def voices_of(configuration: Configuration, agent: Process | None, name: str) -> Voices:
    """Return what shows a question of an agent's where nobody watches.

    Args:
        configuration: what is in force.
        agent: the agent's process; None where the kernel does not tell it.
        name: what asimi calls it.

    Raises:
        AsimiError: what the person chose cannot be read.
    """
    places = configuration.places
    return Voices(
        questions_of(configuration),
        kept_in(places.state).read() or VoiceSettings(),
        variables_of(places),
        SHOWS,
        agent,
        is_person,
        visible(f"{name} in {os.path.basename(configuration.root)}"),
    )


def keep_voices(configuration: Configuration, chosen: str) -> None:
    """Keep where a person wants to be asked, and where their desktop is; nothing where an agent may be the caller.

    Args:
        configuration: what is in force.
        chosen: some of `NAMES` with commas between them, or `NONE`; empty for what was chosen before.

    Raises:
        AsimiError: no such voice is known, or it cannot be kept.
    """
    names = tuple(chosen.split(",")) if chosen not in {"", NONE} else ()
    if strange := [name for name in names if name not in NAMES]:
        raise AsimiError(f"--voice {strange[0]}: is none of {', '.join(NAMES)}, {NONE}")
    if not is_person(os.getpid()):
        return
    document = kept_in(configuration.places.state)
    with document.lock() as before:
        seen = {name: os.environ[name] for name in (*DESKTOP, *LOOK) if os.environ.get(name)}
        old = VoiceSettings() if before is None else before
        document.write(VoiceSettings(names if chosen else old.voices, {**old.environment, **seen}))


def told_of(configuration: Configuration) -> list[str]:
    """Return in words where questions appear that nobody watches for.

    Raises:
        AsimiError: what the person chose cannot be read.
    """
    if configuration.settings().session.questions == "agent":
        return [f'asimi opens nothing to ask you (questions = "agent" in [session]). {ALONE}.']
    here = _here(configuration)
    if not here.available:
        return [f"asimi has no voice of its own here: no tmux, no desktop, or none is wanted. {ALONE}."]
    found = f"questions appear in the first of these that is there: {'; '.join(here.available)}."
    missing = "" if here.there else f" In this terminal none is. {ALONE}."
    return [f"Without an open `asimi watch`, {found}{missing}", *_typing_warnings(here)]


def _typing_warnings(here: Voices) -> Iterator[str]:
    """Say by what a program of the person's own could type where a question appears."""
    tmux = "tmux (`send-keys -K`, from 3.4)" if "tmux" in here.there else ""
    x11 = "X11 (`xdotool`)" if "window" in here.there and os.environ.get("DISPLAY") else ""
    if found := " and ".join(filter(None, (tmux, x11))):
        red = "so a question with a red frame is answered only by `asimi approve` at a terminal"
        yield f"A program of yours can type there by {found}, which asimi cannot tell from you; {red}."


def trial(configuration: Configuration) -> str:
    """Ask the person at this terminal a question about nothing, where questions would appear; what became of it.

    Returns:
        Words; nothing where nobody is at a terminal or there is no voice.
    """
    from asyncio import run

    settings, voices = configuration.settings().session, _here(configuration)
    if settings.questions == "agent" or not voices.there or not at_a_terminal():
        return ""
    home = configuration.places.home
    place, words = Place(home, home, inside=True), "A trial: any answer will do, and nothing runs"
    request = Request(SHELL, "echo trial", None, place, description=words, agent="asimi")
    reason = Reason("unlisted", "asimi tries whether you see its questions; nothing runs or is kept")
    question = Question(request, Decision(Verdict.ASK, (reason,), (), False, (), ()), session=False, patience=TRIAL)
    approver = QueueApprover(
        questions_of(configuration), lambda: settings, lambda *_: None, is_person, os.environ, voices=voices
    )
    answer = run(in_turn(approver, question))
    approver.close()
    if answer.by in {"clock", "nobody"}:
        return "A trial question got no answer there; `asimi watch` shows questions in any terminal of yours."
    return "A trial question came, and your answer arrived."


def _here(configuration: Configuration) -> Voices:
    """Return the voices of an agent that was started as this process was.

    Raises:
        AsimiError: what the person chose cannot be read.
    """
    return voices_of(configuration, agent_above(os.getpid()), "asimi")
