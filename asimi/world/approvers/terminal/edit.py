"""One line of text from the person at the terminal, edited with prompt-toolkit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from asimi.core.facts import facts_of, table_of
from asimi.core.wording.visible import pieces, visible
from asimi.world.host.terminal import completions, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import History
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput

    from asimi.core.wording.dialog import TextRequest
    from asimi.core.wording.visible import Display
    from asimi.world.approvers.terminal.device import Device

_FACTS = facts_of(__package__, "edit")
TITLES, HELP = table_of(_FACTS["titles"]), table_of(_FACTS["help"])

HINT = "Enter done, Alt+Enter line, Esc back"

PAUSE = 0.2
"""Seconds after Esc in which another key makes it Alt and that key."""


async def edit_text(
    device: Device, wanted: TextRequest, about: str, directory: str, history: History, patience: float
) -> str | TextRequest:
    """The text as the person changed it, or the request with their draft if they went back or said nothing in time.

    Args:
        device: the terminal; its own keys are not listened to meanwhile.
        wanted: what is wanted, and the text to begin with.
        about: the command, which stands above a line that does not begin with it.
        directory: where paths are completed from; empty where they are not.
        history: earlier lines, which the arrow keys bring back.
        patience: seconds until it goes back by itself.

    Raises:
        CancelledError: as it was cancelled; where that said why, behind it the request with the draft.
    """
    from asyncio import CancelledError, timeout

    from prompt_toolkit import PromptSession
    from prompt_toolkit.data_structures import Size
    from prompt_toolkit.input.vt100 import Vt100Input
    from prompt_toolkit.output import ColorDepth
    from prompt_toolkit.output.vt100 import Vt100_Output

    look = device.look
    device.deafen()
    terminal = os.fdopen(os.dup(device.descriptor), "r", encoding="utf-8", errors="replace")
    paper = os.fdopen(os.dup(device.descriptor), "w", encoding="utf-8" if look.unicode else "ascii", errors="replace")
    with terminal, paper:
        output = Vt100_Output(
            paper,
            lambda: Size(rows=device.look.height, columns=device.look.width),
            term=device.environ.get("TERM"),
            default_color_depth=ColorDepth.DEPTH_4_BIT if look.colour else ColorDepth.DEPTH_1_BIT,
            enable_bell=False,
            enable_cpr=False,  # a report that comes late would be taken for keys
        )
        session: PromptSession[str] = PromptSession(
            message="\n".join((*_about_lines(about, look), TITLES[wanted.kind], HINT, "> ")),
            multiline=True,
            key_bindings=_keys(),
            history=history,
            completer=_paths(directory) if directory and wanted.kind == "command" else None,
            complete_while_typing=False,
            input_processors=[_name_processor(ascii_only=not look.unicode)],
            erase_when_done=True,
            input=Vt100Input(terminal),
            output=output,
        )
        session.app.ttimeoutlen = session.app.timeoutlen = PAUSE
        try:
            async with timeout(patience):
                return await session.prompt_async(default=wanted.draft or wanted.text, handle_sigint=False)
        except (KeyboardInterrupt, EOFError, TimeoutError):
            return wanted._replace(draft=session.default_buffer.text)
        except CancelledError as error:
            draft = wanted._replace(draft=session.default_buffer.text)
            raise CancelledError(*error.args, *(draft for _ in error.args)) from None
        finally:
            device.listen()


def _about_lines(text: str, look: Display) -> list[str]:
    """Return a text in as much of one line as fits; nothing where there is none."""
    return [shorten(visible(text, ascii_only=not look.unicode), look.width - 1)] if text else []


def _keys() -> KeyBindings:
    """Enter ends it, a pasted line end does not; Esc goes back, as Ctrl-C does."""
    from prompt_toolkit.enums import DEFAULT_BUFFER
    from prompt_toolkit.filters import has_focus
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()

    @bindings.add("enter")
    def _done(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @bindings.add("escape", "enter")
    def _line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @bindings.add("escape", filter=has_focus(DEFAULT_BUFFER))
    def _back(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt)

    return bindings


def _name_processor(*, ascii_only: bool) -> Processor:
    """Shows the text with names for what cannot be seen, while it stays what it is."""
    from prompt_toolkit.layout.processors import Processor, Transformation

    class VisibleNames(Processor):
        def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
            source = "".join(fragment[1] for fragment in transformation_input.fragments)
            fragments: list[tuple[str, str]] = []
            offsets: list[int] = []
            for piece in pieces(source, ascii_only=ascii_only):
                begin = sum(len(text) for _, text in fragments)
                length = piece.end - piece.start
                offsets += [begin if piece.name else begin + at for at in range(length)]
                fragments.append(("class:named" if piece.name else "", piece.text))
            end = sum(len(text) for _, text in fragments)
            starts = [*offsets, end]

            def to_display(offset: int) -> int:
                return starts[offset] if offset < len(starts) else end + offset - len(offsets)

            def to_source(offset: int) -> int:
                if offset >= end:
                    return len(offsets) + offset - end
                return max(at for at, start in enumerate(starts) if start <= offset)

            return Transformation(list(fragments), source_to_display=to_display, display_to_source=to_source)

    return VisibleNames()


def _paths(directory: str) -> Completer:
    """Completes the last word as a path; names that hide something are not offered."""
    from prompt_toolkit.completion import Completer, Completion

    class Paths(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:  # noqa: ARG002 - the interface's
            beginning, names = completions(document.get_word_before_cursor(WORD=True), directory)
            for name in names:
                yield Completion(name, start_position=-len(beginning))

    return Paths()
