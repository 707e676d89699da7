"""How much work a configuration file may be, counted before `tomllib` reads it.

For `tomllib`, a key costs the square of its parts, and each key all the parts of the header above it: 40 KB of dots
take 15 seconds and 1.9 GiB. The walk needs no grammar: it tells strings and comments from the rest as TOML 1.0 does, up
to the first error, where `tomllib` stops too; counting too much is harmless, because asimi's keys have two parts.
"""

from __future__ import annotations

import re

from asimi.core.errors import ConfigError
from asimi.core.lean import NamedTuple
from asimi.world.config.sources import LONGEST, LONGEST_OF_PROJECT

PARTS = 8
"""The most parts of one dotted key or header."""

DEPTH = 16
"""The most arrays and inline tables in each other."""

LONGEST_RUN = 1024
"""The most characters of a number or of a key without quotation marks; Python reads 4,300 digits."""


class Bounds(NamedTuple):
    """The bounds of a file.

    Attributes:
        bytes: the most that it may have.
        values: the most parts of keys, elements, arrays and tables.
        work: units of work for what the rules say of themselves.
        whose: whose file it is, for messages.
    """

    bytes: int
    values: int
    work: int
    whose: str


OWN = Bounds(LONGEST, 1 << 16, 4_000_000, "a configuration file")
PROJECT = Bounds(LONGEST_OF_PROJECT, 1 << 12, 50_000, "a project's file")


def check_bounds(text: str, bounds: Bounds, path: str) -> None:
    """Make sure that a TOML text is little work, whether it is valid or not.

    Raises:
        ConfigError: it is too much; with the line.
    """
    values, depth, dots, at = 0, 0, 0, 0

    def check(number: int, most: int, what: str) -> None:
        if number > most:
            message = f"{what}; {bounds.whose} can have {most:,}, so make it simpler"
            raise ConfigError(message, path, text.count("\n", 0, at) + 1)

    # A string that does not end takes the rest, so no character is looked at twice.
    for found in re.finditer(
        r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{0,5}'
        r"|'''(?:[^']|'(?!''))*'{0,5}"
        r'|"(?:[^"\\\n]|\\.)*"?'
        r"|'[^'\n]*+'?"
        r"|#[^\n]*+"
        r"|[][{}.,=]|\n\s*+|[\w+-]++",
        text,
    ):
        at, kind = found.start(), found[0][0]
        values += kind in ".,=[{"
        check(values, bounds.values, "there are too many keys and values")
        if kind == ".":
            dots += 1
            check(dots + 1, PARTS, "a key has too many parts")
        elif kind in ",=[{\n":
            dots = 0
            depth += kind in "[{"
            check(depth, DEPTH, "arrays and tables are nested too deeply")
        elif kind in "]}":
            depth -= 1
        elif kind not in "\"'#":
            check(found.end() - at, LONGEST_RUN, "a number or key has too many characters")
