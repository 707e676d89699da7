"""How other shells differ from bash: whether one reads a script as bash does."""

from __future__ import annotations

import re

from asimi.core.programs import find
from asimi.core.reading.builtins import BUILTINS
from asimi.core.startup import TYPE_CHECKING, pattern

if TYPE_CHECKING:
    from asimi.core.syntax.nodes import Script

_NOT_POSIX = pattern(
    r"""\(\(|\[\[|\$['"\[]|&>|\|&|<<<|[<>]\(|=\(|\]=|\{[^ \t\n{}]*(?:,|\.\.)|;&|;;&|<>"""
    r"""|\b(?:function|select|coproc|time|source)\b"""
)
"""Signs of what bash reads differently than dash, or than itself in posix mode."""

_PLAIN = pattern(r"(?>(?:[\w./:@%+,-]++|'[^'\\!]*+'|&&|\|\|?+|;|[ \t]++)*)", re.ASCII)
"""Text that every shell reads as bash does: plain words, single quotes, lists and pipelines."""


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
