"""What a person's "never" could be kept as: rules that deny a call, and its like, from now on.

Each command that is asked about has rules of its own, for a text is denied with any one of its commands.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from asimi.core.call import Offer, Verdict
from asimi.core.judging import network_verdict
from asimi.core.judging.offers import LONGEST, MOST
from asimi.core.judging.rules import REACH, EntryError, Rule, entry_for, entry_of, read_entry, rule_of
from asimi.core.programs import find
from asimi.core.reading.arguments import levels_of
from asimi.core.reading.commands import base
from asimi.core.syntax import line_of
from asimi.core.syntax.nodes import Word
from asimi.core.wording.breadth import in_any_spelling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.core.call import Decision, Part, Request


@lru_cache(maxsize=4)
def denials(request: Request, decision: Decision) -> tuple[Offer, ...]:
    """What "never" could store: of each command the narrowest first, then wider ones, and last the text itself."""
    if request.tool == REACH:
        return network_verdict.denials(request.command)
    spans = [reason.span for reason in decision.reasons if reason.span is not None]

    def is_asked(part: Part) -> bool:
        start, end = part.span
        return part.verdict is Verdict.ASK or any(start < to and at < end for at, to in spans)

    asked = [part for part in decision.parts if is_asked(part)] or list(decision.parts)
    by_width = zip_longest(*(list(_offers_by_width(request.tool, part.words)) for part in asked[:MOST]))
    found = dict.fromkeys(offer for width in by_width for offer in width if offer is not None)
    line = line_of(request)
    text = Rule(Verdict.DENY, request.tool, None, "", line=line)
    return (*list(found)[:MOST], Offer("this text and no other", (text._replace(entry=entry_for(text)),)))


def check_denial(text: str, request: Request) -> Offer | str:
    """An entry that a person typed in place of an offered one: the offer it makes, or why it cannot be stored."""
    try:
        tool, words = read_entry(text.strip())
        rule = rule_of(text.strip(), Verdict.DENY)
    except EntryError as error:
        return str(error)
    if tool != request.tool:
        return f"this question is about {request.tool}"
    if not words:
        return f"{tool} alone would deny every command; write it into the configuration file if you mean that"
    return Offer("the entry as you wrote it", (in_any_spelling(rule) or rule,))


def _offers_by_width(tool: str, words: tuple[str | None, ...]) -> Iterator[Offer]:
    """What denies a command: its words, what it is called with its options, what it is called."""
    name = base(words[0] or "")
    head, rest = _split_subcommands(name, words)
    if not name or sum(map(len, head)) > LONGEST or any("\0" in (word or "") for word in words):
        return
    if sum(len(word or "") for word in rest) > LONGEST:
        rest = ()
    end = rest.index("--") if "--" in rest else len(rest)
    options = tuple(word.partition("=")[0] for word in rest[:end] if word and len(word) > 1 and word.startswith("-"))
    known = tuple(word for word in rest if word is not None)
    if known and not options and len(known) == len(rest):
        yield Offer("what begins with these words", (_deny(tool, (*head, *known)),))
    for chosen in (options, *((option,) for option in options)) if options else ():
        rule = in_any_spelling(_deny(tool, (*head, *chosen)))
        if rule is not None:
            yield Offer(f"{' '.join(head)} with {' '.join(chosen)}", (rule,))
            break
    for length in range(len(head), min(len(head), 2) - 1, -1):
        yield Offer(f"every {' '.join(head[:length])}", (_deny(tool, head[:length]),))


def _split_subcommands(name: str, words: tuple[str | None, ...]) -> tuple[tuple[str, ...], tuple[str | None, ...]]:
    """The program with its subcommands, whatever options are before them, and the words behind."""
    row = find(name)
    if row is None or not row.names_by:
        return (name,), words[1:]
    level = levels_of([Word(0, 0, word, word or "", single=word is not None) for word in words], row)[0]
    head: list[str] = [name]
    for word in words[level.operand : level.operand + row.names_by] if level.firm else ():
        if word is None or word.startswith("-"):
            break
        head.append(word)
    return tuple(head), words[level.operand + len(head) - 1 :] if len(head) > 1 else words[1:]


def _deny(tool: str, words: tuple[str, ...]) -> Rule:
    return rule_of(entry_of(tool, words), Verdict.DENY)
