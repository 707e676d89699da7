"""Shells other than bash: whether one reads a script as bash does, and the little of `cmd.exe` that is understood.

`cmd` has no grammar that could be relied on: each program splits its own line, `%x%` is replaced before anything is
parsed, `^` quotes, a newline ends the text. So whatever is not one plain command stays a question.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.core.programs import find
from asimi.core.reading.builtins import BUILTINS
from asimi.core.reading.commands import Command, Where
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from asimi.core.reading.reader import Reader
    from asimi.core.syntax.nodes import Script

_NOT_POSIX = pattern(
    r"""\(\(|\[\[|\$['"\[]|&>|\|&|<<<|[<>]\(|=\(|\]=|\{[^ \t\n{}]*(?:,|\.\.)|;&|;;&|<>"""
    r"""|\b(?:function|select|coproc|time|source)\b"""
)
"""Signs of what bash reads differently than dash, or than itself in posix mode."""

_PLAIN = pattern(r"(?>(?:[\w./:@%+,-]++|'[^'\\!]*+'|&&|\|\|?+|;|[ \t]++)*)", re.ASCII)
"""Text that every shell reads as bash does: plain words, single quotes, lists and pipelines."""

_CMD = pattern(r"[\w.:\\/+~-]+(?: +[\w.:\\/@+,=~-]+)*", re.ASCII)
_WORD = pattern(r"[^ ]+")
_PART = pattern(r"[^\s&|<>()^\"@,;=]+")  # the last four end a program's name, or are dropped before it
_EXTENSIONS = (".exe", ".com", ".bat", ".cmd")


def is_plain(script: Script) -> bool:
    """Whether a script is plain literal commands in a list or pipeline, which every shell reads alike."""
    return _PLAIN.fullmatch(script.text) is not None and all(
        word.literal is not None for command in script.commands for word in command.words
    )


def reads_alike(script: Script, via: str | None) -> bool:
    """Whether the shell that gets a script reads it as bash does.

    Args:
        script: the script, as bash reads it.
        via: the wrapper or builtin that gives it to its shell; None where bash itself runs it.
    """
    if via is None or via in BUILTINS:
        return True
    program = find(via)
    grammar = "posix" if program is None else program.shell or "posix"
    if grammar == "posix":
        return _NOT_POSIX.search(script.text) is None
    return grammar == "bash" or is_plain(script)


def read_cmd(text: str, reader: Reader) -> None:
    """Say to a reader what a `cmd.exe` text would do."""
    plain = _CMD.fullmatch(text.strip(" ")) is not None
    if not plain:
        reader.notes.find(
            "dynamic",
            "this holds characters that cmd.exe gives a meaning, and its text is not parsed",
            None,
            hidden=True,
        )
    found = (_WORD if plain else _PART).finditer(text)
    words = [Word(*match.span(), match.group(), match.group(), single=True) for match in found]
    where = Where()
    if plain and words:
        reader.add(Command(words, (words[0].start, words[-1].end), None, where))
    for index, word in enumerate(words):  # what forbids looks at every word that could be a program
        name = (word.literal or "").replace("\\", "/").lower()
        for extension in _EXTENSIONS:
            name = name.removesuffix(extension)
        program = Word(word.start, word.end, name, name, single=True)
        rest = [program, *words[index + 1 :]]
        reader.add(Command(rest, (word.start, words[-1].end), None, where._replace(possible=True)))
