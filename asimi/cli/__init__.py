"""The command line: one file a command group, loaded when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def program(arguments: Sequence[str]) -> int:
    """Run asimi's command line.

    Returns:
        The exit code.
    """
    from asimi.cli.program import main

    return main(list(arguments))
