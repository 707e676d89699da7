"""Text for Windows' `cmd.exe`: only one plain command without any of its metacharacters is understood.

`cmd` has no grammar that could be relied on: each program splits its own line, `%x%` is replaced before anything is
parsed, `^` quotes, a newline ends the text. So whatever is not a plain command stays a question.
"""

from __future__ import annotations

import re

from asimi.core.reading.commands import Command, Where
from asimi.core.startup import TYPE_CHECKING, pattern
from asimi.core.syntax.nodes import Word

if TYPE_CHECKING:
    from asimi.core.reading.reader import Reader

PLAIN = pattern(r"[\w.:\\/+~-]+(?: +[\w.:\\/@+,=~-]+)*", re.ASCII)
WORD = pattern(r"[^ ]+")
PART = pattern(r"[^\s&|<>()^\"@,;=]+")  # the last four end a program's name, or are dropped before it
EXTENSIONS = (".exe", ".com", ".bat", ".cmd")


def read(text: str, reader: Reader) -> None:
    """Say to a reader what a `cmd.exe` text would do."""
    plain = PLAIN.fullmatch(text.strip(" ")) is not None
    if not plain:
        reader.notes.find(
            "dynamic",
            "this holds characters that cmd.exe gives a meaning, and its text is not parsed",
            None,
            hidden=True,
        )
    found = (WORD if plain else PART).finditer(text)
    words = [Word(*match.span(), match.group(), match.group(), single=True) for match in found]
    where = Where()
    if plain and words:
        reader.add(Command(words, (words[0].start, words[-1].end), None, where))
    for index, word in enumerate(words):  # what forbids looks at every word that could be a program
        name = (word.literal or "").replace("\\", "/").lower()
        for extension in EXTENSIONS:
            name = name.removesuffix(extension)
        program = Word(word.start, word.end, name, name, single=True)
        rest = [program, *words[index + 1 :]]
        reader.add(Command(rest, (word.start, words[-1].end), None, where._replace(possible=True)))
