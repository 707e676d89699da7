"""`asimi completion`: the script that makes a shell complete asimi's words, and the words that it asks for.

The script asks while a person types, so its words cost no more than a verdict and nothing goes wrong aloud. All of them
are plain: a word that a shell could take for more than itself is left out, and none was chosen by an agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.pattern import pattern
from asimi.doors.cli.forms import Wrong
from asimi.doors.cli.printing import out

if TYPE_CHECKING:
    from asimi.compose import Options

_PLAIN = pattern(r"[A-Za-z0-9._:/@][A-Za-z0-9._:/@-]*")
"""Words that mean themselves in every shell and are no options."""

WORDS = ("jobs", "questions", "hosts")
"""What a script asks for."""


def completion(options: Options, words: list[str]) -> int:
    """Print what makes a shell complete asimi's words.

    For bash, in ~/.bashrc: source <(asimi completion bash). `asimi help howto` says it for zsh and fish.

    What is printed asks for `jobs`, `questions` or `hosts` in place of a shell: their ids or names, a line each.
    """
    if len(words) != 1:
        raise Wrong("SHELL is one word: bash, zsh or fish.")
    if words[0] in WORDS:
        for word in _words(words[0], options):
            out(word)
        return 0
    from asimi.doors.cli.completing import SHELLS, script

    if words[0] not in SHELLS:
        raise Wrong(f"There is no completion for {words[0]!r}; the shells are {', '.join(SHELLS)}.")
    out(script(words[0]))
    return 0


def _words(what: str, options: Options) -> list[str]:
    """Return the words there are, none where they cannot be found out: nobody wants to read why while they type."""
    from asimi.compose.configuration import names_of

    try:
        return sorted(filter(_PLAIN.fullmatch, names_of(what, options)))
    except Exception:  # noqa: BLE001 - whatever is wrong, the command that is typed will tell
        return []
