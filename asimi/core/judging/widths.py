"""Widths between "this text" and "anything", for what the effects of a command do not narrow enough.

A push without force adds to what others have and takes nothing away from them; what it may not say is said here, in
git's own words (git-push(1), OPTIONS and "refspec").
"""

from __future__ import annotations

from asimi.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from asimi.core.judging.rules import Rule

WITHOUT_FORCE: dict[tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {
    # +REF forces; :REF deletes, and A:B writes elsewhere than its name says; the others are more than named branches
    ("git", "push"): (("network", "publish"), ("+*", "*:*", "--al*", "--b*", "--t*", "--fo*", "--m*", "--d*", "--p*")),
}
"""First words, with all that they may do then, and what no argument may fit; git takes beginnings of options."""


def without_force(rule: Rule) -> Rule | None:
    """The rule for the same first words without force; None where there is no such width."""
    from asimi.core.judging.rules import entry_for

    width = WITHOUT_FORCE.get(tuple(each[0] for each in rule.words or ()))
    if width is None or rule.exact or rule.checks:
        return None
    effects, never = width
    narrow = rule._replace(effects=effects, args_none=never)
    return narrow._replace(entry=entry_for(narrow))


def is_without_force(rule: Rule) -> bool:
    """Whether a rule is one of that width."""
    width = WITHOUT_FORCE.get(tuple(each[0] for each in rule.words or ()))
    return width is not None and (rule.effects, rule.args_none) == width
