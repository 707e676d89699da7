"""Where a person types commands: colours, completion, history, and the verdict below what is being typed.

Nothing is decided here: what the toolbar says is handed in, and what is typed is handed back.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.data_structures import Size
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from asimi.core import wire
from asimi.core.errors import AsimiError, ShellSyntaxError
from asimi.core.json_values import Invalid, dumps, loads
from asimi.core.pattern import pattern
from asimi.core.syntax import highlights, parse
from asimi.core.values import NamedTuple
from asimi.core.wording.visible import visible
from asimi.world.host.places import private_directory, private_file, read_private, replace
from asimi.world.host.terminal import DUMB, completions, look_of, plain_names, say, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyPressEvent

HISTORY = "shell-history.jsonl"
"""The file with what was typed, one JSON text a line, below the state directory."""

VERSION = 1
"""Its format, which its first line tells."""

MOST, ROOM = 10_000, 1 << 20
"""Lines and bytes that are kept of it when a session begins; the older ones are dropped."""

LONGEST = 1 << 16
"""Characters of the longest text that is kept."""

UNFINISHED = ("never closed", "expected to close", "expected to go on", "expected before the end", "or `esac` expected")
"""What the message about a text says where more may follow, so Enter begins a new line."""

STYLES = {
    "program": "bold",
    "quoted": "ansigreen",
    "operator": "ansimagenta",
    "expansion": "ansimagenta",
    "wrong": "ansired",
    "allow": "ansigreen",
    "ask": "bold",
    "deny": "bold ansired",
    "bottom-toolbar": "noreverse",
}
"""Colours of the terminal's own sixteen; each repeats what a word or the text itself says. No yellow, and no green in
bold, which many terminals show brighter: neither can be read on white."""

_OPENED = pattern(r".*[|;&({]")
"""What of a word comes before a command name, as in `(ls`."""

_OPERATORS = pattern(r"[|;&(){}]\s*$|^\s*$|\b(then|do|else|if|while|until|time|!)\s+$")
"""What a command name may follow."""


class Hint(NamedTuple):
    """What is said about a text while it is typed.

    Attributes:
        word: `allow`, `ask`, `deny`, or empty.
        why: the reason, in words.
    """

    word: str
    why: str


class Prompt:
    """Reads commands from the person.

    Args:
        hint: what to say about a text; called whenever it changes.
        words: what may come first besides programs, such as `:help`.
        directory: where paths are completed from; empty where they are not.
        state: where the history is kept.
        environ: says what the terminal can show, and where programs are.

    Raises:
        AsimiError: the history is not to be believed.
    """

    def __init__(
        self,
        hint: Callable[[str], Hint],
        words: Iterable[str],
        directory: str,
        state: str,
        environ: Mapping[str, str],
    ) -> None:
        self._hint = hint
        self._last: tuple[str | None, Hint] = (None, Hint("", ""))
        self._look = look_of(environ, 1)
        self._session: PromptSession[str] = PromptSession(
            "asimi> ",
            multiline=True,
            lexer=ShellLexer(),
            completer=Words(words, directory, environ.get("PATH", "")),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            reserve_space_for_menu=0,
            history=KeptHistory(state),
            key_bindings=_keys(),
            bottom_toolbar=None if self._look.plain else self._toolbar,
            style=Style.from_dict(STYLES),
            color_depth=ColorDepth.DEPTH_4_BIT if self._look.colour else ColorDepth.DEPTH_1_BIT,
            output=_output(environ.get("TERM", "")),
        )

    async def read(self) -> str:
        """Return what the person typed; empty where they pressed Ctrl-C.

        Raises:
            EOFError: they pressed Ctrl-D.
        """
        return await self._session.prompt_async(handle_sigint=False)

    def _toolbar(self) -> StyleAndTextTuples:
        text = self._session.default_buffer.text
        if text != self._last[0]:
            self._last = (text, self._hint(text))
        hint = self._last[1]
        width = self._session.app.output.get_size().columns - len(hint.word) - 3
        why = shorten(visible(hint.why, ascii_only=not self._look.unicode), width)
        return [(f"class:{hint.word}", f" {hint.word}"), ("", f"  {why}")] if hint.word else [("", f" {why}")]


class ShellLexer(Lexer):
    """Colours shell text by what asimi's own reader finds in it."""

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """Return the coloured text of each line."""
        styles = colours(document.text)
        starts = [0]
        for line in document.lines:
            starts.append(starts[-1] + len(line) + 1)

        def line_at(number: int) -> StyleAndTextTuples:
            line, start = document.lines[number], starts[number]
            return [(styles.get(start + index, ""), character) for index, character in enumerate(line)]

        return line_at


def colours(text: str) -> dict[int, str]:
    """Return the style of each offset in a shell text; what cannot be read is marked."""
    styles: dict[int, str] = {}

    def paint(start: int, end: int, style: str) -> None:
        styles.update(dict.fromkeys(range(start, end), f"class:{style}"))

    try:
        script = parse(text)
    except ShellSyntaxError as error:
        if not is_unfinished(text):
            paint(*error.span, "wrong")
        return styles
    for start, end, kind in highlights(script):
        paint(start, end, kind)
    return styles


def is_unfinished(text: str) -> bool:
    """Whether a text wants to go on in another line."""
    if text.lstrip().startswith('{"'):
        return wire.breaks_off(text, typing=True)
    try:
        script = parse(text)
    except ShellSyntaxError as error:
        return any(phrase in error.message for phrase in UNFINISHED)
    backslashes = len(text) - len(text.rstrip("\\"))
    body = any(each.heredoc is not None and each.heredoc.end >= len(text) for each in script.redirections)
    return backslashes % 2 == 1 or body


class Words(Completer):
    """Completes programs where a command begins, and paths elsewhere; what would have to be quoted is not offered.

    Args:
        words: what else may come first in a line.
        directory: where relative paths are.
        path: where programs are.
    """

    def __init__(self, words: Iterable[str], directory: str, path: str) -> None:
        self._words, self._directory, self._path = sorted(words), directory, path
        self._programs: list[str] | None = None

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:  # noqa: ARG002 - the interface's
        """Yield what the word before the cursor could become."""
        word = document.get_word_before_cursor(WORD=True)
        before = document.text_before_cursor[: len(document.text_before_cursor) - len(word)]
        if opened := _OPENED.match(word):
            before, word = before + opened[0], word[opened.end() :]
        if word.startswith(":") and not before.strip():
            names = [name for name in self._words if name.startswith(word)]
        elif "/" not in word and _OPERATORS.search(before):
            names = [name for name in self._all_programs() if name.startswith(word)]
        else:
            word, names = completions(word, self._directory) if self._directory else (word, [])
        for name in names:
            yield Completion(name, start_position=-len(word))

    def _all_programs(self) -> list[str]:
        if self._programs is None:
            self._programs = sorted({name for folder in self._path.split(os.pathsep) for name in plain_names(folder)})
        return self._programs


class KeptHistory(History):
    """What was typed, kept in a private file; what begins with a space is not, as in bash.

    Args:
        state: the directory it is kept in.

    Raises:
        AsimiError: it is open to others, or of a newer version.
    """

    def __init__(self, state: str) -> None:
        super().__init__()
        self._path = os.path.join(state, HISTORY)
        private_directory(state)
        self._kept, self._broken = self._read(), False

    def load_history_strings(self) -> Iterable[str]:
        """Return what was typed before, the last first."""
        return reversed(self._kept)

    def store_string(self, string: str) -> None:
        """Keep a text that was typed."""
        if string[:1].isspace() or len(string) > LONGEST or (self._kept and self._kept[-1] == string):
            return
        self._kept.append(string)
        if not self._broken:
            try:
                self._append(string)
            except (AsimiError, OSError) as error:
                self._broken = True
                say(f"asimi: The history is not kept: {error}")

    def _append(self, string: str) -> None:
        """Write a text behind the others.

        Raises:
            AsimiError: the file is not ours alone.
            OSError: it cannot be written.
        """
        descriptor = private_file(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            first = b"" if os.fstat(descriptor).st_size else dumps({}, VERSION)
            os.write(descriptor, first + wire.dumps(string).encode() + b"\n")
        finally:
            os.close(descriptor)

    def _read(self) -> list[str]:
        content = read_private(self._path, limit=1 << 28)
        if not content:
            return []
        first, *lines = content.splitlines(keepends=True)
        try:
            loads(first, VERSION)
        except Invalid as fault:
            raise AsimiError(f"{self._path}: is not a file that asimi can use: {fault}; remove it") from None
        size, kept = 0, list[bytes]()
        for line in reversed(lines[-MOST:]):
            size += len(line)
            if size > ROOM:
                break
            kept.append(line)
        kept.reverse()
        if len(kept) < len(lines):
            replace(self._path, first + b"".join(kept))
        return [text for line in kept if isinstance(text := _value(line), str)]


def _value(line: bytes) -> object:
    """Return the JSON of a line; None where it is torn."""
    try:
        value: object = wire.loads(line.decode("ascii"))
    except (wire.MalformedJsonError, UnicodeDecodeError):
        return None
    return value


def _output(term: str) -> Vt100_Output | None:
    """Return the terminal, without reports of where the cursor is: one that comes late would be taken for keys.

    None for one that can only print lines; prompt-toolkit then reads a line as it is.
    """
    if term in DUMB:
        return None

    def size() -> Size:
        look = look_of(os.environ, 1)
        return Size(rows=look.height, columns=look.width)

    return _Output(sys.stdout, size, term=term, enable_bell=False, enable_cpr=False)


class _Output(Vt100_Output):
    """A terminal of which only this is known without asking it: the row of the cursor is there."""

    def get_rows_below_cursor_position(self) -> int:
        """One; prompt-toolkit draws no toolbar where it does not know that."""
        return 1


def _keys() -> KeyBindings:
    """Enter ends a finished text; Ctrl-C throws it away; Ctrl-D ends the session on an empty line."""
    bindings = KeyBindings()

    @bindings.add("enter")
    def _enter(event: KeyPressEvent) -> None:
        text = event.current_buffer.text
        if is_unfinished(text) and not text.endswith("\n"):  # an empty line ends it all the same
            event.current_buffer.insert_text("\n")
        else:
            event.current_buffer.validate_and_handle()

    @bindings.add("escape", "enter")
    def _line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @bindings.add("c-c")
    def _away(event: KeyPressEvent) -> None:
        event.app.exit(result="")

    return bindings
