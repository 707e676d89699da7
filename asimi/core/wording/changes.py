"""How a text differs from what it was, in lines."""

from __future__ import annotations

MOST_COMPARED = 4000
"""Lines of both texts up to which the difference is looked for."""


def changed_lines(old: str, new: str, around: int) -> list[str]:
    """The lines of a unified diff (GNU diffutils manual, "Unified Format") without the names of its files.

    Args:
        old: the text as it was.
        new: as it is now.
        around: how many lines that are as they were are told beside each change.
    """
    from difflib import unified_diff

    before, now = (text.removesuffix("\n").split("\n") for text in (old, new))
    if len(before) + len(now) > MOST_COMPARED:
        return [f"{len(before)} lines before, {len(now)} now, which is too much to compare"]
    return list(unified_diff(before, now, n=around, lineterm=""))[2:]
