"""Precedence: what many rules say about many commands becomes one verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asimi.call import Decision, Request, Verdict
    from asimi.rules import Rule


class Policy:
    """Rules and what holds where they are silent."""

    def __init__(
        self,
        rules: Sequence[Rule],
        *,
        unlisted: Verdict,
        substitution: str = "refuse",
        wrappers: Sequence[tuple[str, ...]] = (),
    ) -> None:
        """Args: the rules; ASK or DENY for what no rule names; `refuse` or `judge`; the words that start a command."""

    def decide(self, request: Request, approvals: Sequence[Rule] = ()) -> Decision:
        """The verdict over a request."""
        raise NotImplementedError
