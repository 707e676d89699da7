"""Puts a choice to the person at this terminal."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Protocol

from asimi.world.approvers.terminal.approver import TICK
from asimi.world.approvers.terminal.device import Device, PersonInterrupt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from asimi.core.wording.dialog import Choice, Menu
    from asimi.core.wording.visible import Display

EVER = float("inf")
"""The person started asimi themselves, so it waits for as long as they like."""

SETTLES = 5.0
"""Seconds within which a person who still types when the choice appears has seen it."""


class Face(Protocol):
    """How a choice looks."""

    def __call__(self, menu: Menu, look: Display, message: str = "", *, ready: bool = True) -> Sequence[str]:
        """It as lines; the last is where the answer belongs."""


async def ask_menu(
    menu: Menu, name: str, environ: Mapping[str, str], face: Face, quiet: float | None = None, *, ends: bool = True
) -> Choice:
    """Return what the person chooses; to leave it also where the terminal is gone, or at Ctrl-C.

    Args:
        menu: the choice.
        name: the terminal, of `own_terminal`.
        environ: the environment, which says what the terminal can show.
        face: how the choice looks.
        quiet: as `Device` takes it.
        ends: whether Ctrl-C ends asimi, too.
    """
    with Device(name, environ, quiet=quiet) as device:
        try:
            fits = len(face(menu, device.look)) <= device.look.height
            talk = _read_aloud if device.look.plain or not fits else _ask_in_frame
            return await talk(menu, device, face)
        except EOFError:
            return menu.leave
        except PersonInterrupt:
            pass
    if ends:
        signal.raise_signal(signal.SIGINT)
    return menu.leave


async def _ask_in_frame(menu: Menu, device: Device, face: Face) -> Choice:
    """In a frame, chosen with a single key."""
    drawn, message = None, ""
    try:
        device.draw(tuple(face(menu, device.look, ready=False)))
        await device.quiet(SETTLES)
        while True:
            if drawn != (device.look, message):
                drawn = (device.look, message)
                device.draw(tuple(face(menu, *drawn)))
            key = await device.key(TICK)
            if not key:
                continue
            if key in {"interrupt", "closed"}:
                raise PersonInterrupt if key == "interrupt" else EOFError
            if choice := menu.choice_for(key):
                return choice
            message = f"{key} does nothing here." if len(key) == 1 and key.strip() else message
    finally:
        device.erase()


async def _read_aloud(menu: Menu, device: Device, face: Face) -> Choice:
    """In words, chosen with a word and Enter."""
    *lines, prompt = face(menu, device.look._replace(plain=True))
    device.write("".join(f"{line}\r\n" for line in lines))
    await device.quiet(SETTLES)
    while True:
        device.write(prompt)
        word = await device.line(EVER)
        if choice := menu.choice_for(word):
            return choice
        device.write(f"{word} is not one of the words.\r\n" if word else "No answer yet.\r\n")
