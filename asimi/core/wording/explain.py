"""How a decision is said: to a model in `error`, to programs as JSON, in plain text to whoever shows it in a form.

What a person sees in a terminal is drawn elsewhere. Machines read these two, so they are plain and complete: who said
no, why, where that is written, and what a person could do about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import BREAKER, FLAG, Assurance, Verdict
from asimi.core.errors import Refusal
from asimi.core.programs.effects import broad
from asimi.core.syntax import line_of
from asimi.core.wording.effects import describe_deed, holds
from asimi.core.wording.visible import visible

if TYPE_CHECKING:
    from typing import Any

    from asimi.core.call import Approval, Decision, Deed, Question, Reason, Record

FINAL = "That is final: do not try to reach the same by other means."
"""What a model is told behind a person's no."""

BEFOREHAND = "a yes given beforehand"
"""What `--yes` is called where it does not count: a model that reads it learns no option."""

WHOM = {Assurance.ASKED: "a person who is asked", Assurance.TERMINAL: "a person at a terminal of this machine"}
"""Who may say yes where not everybody may."""

ASKED = "Approval was needed because"
"""What the reasons stand behind."""

MOST = 3
"""How many reasons a sentence names; the rest are counted."""


def refusal_of(record: Record) -> Refusal:
    """Why a judged call does not run, for the model that made it.

    After a person's no it reads nothing by which it could get round that: no rule, no entry, no key.
    """
    decision, approval = record.decision, record.approval
    if decision is None:
        return Refusal("configuration", "asimi came to no decision about this call; nothing was started")
    if decision.reasons[0].code == BREAKER:
        return Refusal(BREAKER, f"Not allowed: {decision.reasons[0].message}")
    if decision.verdict is Verdict.DENY:
        reasons = reasons_text(decision.reasons)
        stop = "" if "\n" in reasons else "."  # a caret under the text ends the message
        message = f"Not allowed by the policy: {reasons}{stop} {_remedy(decision, denied=True)}"
        return Refusal(decision.reasons[0].code, message.strip())
    if approval is not None and approval.by not in {"nobody", "clock"}:
        note = approval.note.rstrip(".") or ("never" if approval.rules else "")
        return Refusal("person", f"Refused by the person{f', who says: {note}' if note else ''}. {FINAL}")
    return _no_answer_refusal(decision, approval)


def not_enough(decision: Decision, approval: Approval) -> Refusal:
    """Why a yes is no answer to a question: it takes a person who is asked, or one at a terminal."""
    by = BEFOREHAND if approval.by == FLAG else approval.by
    whom, reasons = WHOM[decision.voice], reasons_text(decision.reasons)
    return Refusal("person", f"Not allowed: only {whom} may approve this, and {by} does not count. {ASKED} {reasons}.")


def reasons_text(reasons: tuple[Reason, ...]) -> str:
    """Some reasons in one phrase, each with the entry it comes from and where that is written."""
    phrases = list(dict.fromkeys(map(_phrase, reasons)))
    rest = len(phrases) - MOST
    return "; ".join(phrases[:MOST]) + (f"; and {rest} more" if rest > 0 else "")


def deed_object(deed: Deed) -> dict[str, Any]:
    """What a command would do, as programs read it; `effects` and `kinds` are null where they are not known."""
    from asimi.core.judging.zones import shown_of

    paths = [
        {"does": act.does, "path": shown_of(act.path), "where": act.where, "secret": act.secret, "files": act.files}
        | ({"undo": act.undo} if act.undo else {})
        for act in deed.acts
        if act.path
    ]
    return {
        "command": deed.command,
        "span": deed.span,
        "effects": None if deed.effects is None else sorted(broad(frozenset(deed.effects))),
        "kinds": deed.effects,
        "paths": paths,
        "words": describe_deed(deed),
    }


def decision_object(
    decision: Decision, name: Any = None, *, ok: bool | None = None, boxed: bool = False
) -> dict[str, Any]:
    """A decision as programs read it.

    Args:
        decision: what to write.
        name: the `id` of the row it answers, or None.
        ok: whether it is what the row expected; None if it expected nothing.
        boxed: whether it is the one in a box.
    """
    return {
        "id": name,
        "verdict": decision.verdict.word,
        "reasons": [reason._asdict() for reason in decision.reasons],
        "commands": [
            {"words": part.words, "span": part.span, "via": part.via, "verdict": part.verdict.word}
            for part in decision.parts
        ],
        "substitution": decision.substitution,
        **({} if decision.sandbox.mode == "off" else {"sandbox": decision.sandbox.mode}),
        **({"box": True} if boxed else {}),
        **({"outside": True} if decision.leaves else {}),
        **({"apart": [each._asdict() for each in decision.apart]} if decision.apart else {}),
        "ok": ok,
    }


def _phrase(reason: Reason) -> str:
    """A reason, and the entry behind it unless its message names it already."""
    message = reason.message.rstrip(".")
    details = [text for text in (reason.rule, reason.source) if text and text not in message]
    return f"{message} ({', '.join(details)})" if details else message


def _no_answer_refusal(decision: Decision, approval: Approval | None) -> Refusal:
    """Why a call does not run about which nobody answered, and what to do: at most three sentences."""
    note, because = "" if approval is None else approval.note.rstrip("."), reasons_text(decision.reasons)
    code, opening = "no_terminal", f"Not allowed: it needs a person's approval because {because}."
    then = f"Nobody could be asked{f': {note}' if note else ''}. {_remedy(decision, denied=False)}".strip()
    if approval is not None and approval.by == "clock":  # it was shown, so the person may have meant it
        code, then = "no_answer", ""
        opening = (
            f"Not allowed: nobody answered{f' ({note})' if note else ''}, and it needs approval because {because}."
        )
    if approval is not None and approval.later:
        listed = ", ".join(decision.needed[:MOST])
        opening = f"{opening[:-1]}, and no entry lists {listed}." if listed else opening
        then = f"{later_hint(approval.later)}."
    return Refusal(code, f"{opening} {then}".strip())


def later_hint(name: str) -> str:
    """How a refused call can still be allowed, for the model: by a person, and not by itself."""
    way = f"A person can allow it with `asimi approve {name}`"
    return f"{way}. Wait for that, then make the same call again; do not look for another way"


def _remedy(decision: Decision, *, denied: bool) -> str:
    """What a person could list to let the call run; empty if no entry would."""
    if not decision.needed:
        return ""
    entries = ", ".join(decision.needed)
    commands = " ".join(_quote(entry) for entry in decision.needed)
    way = "It would have to be listed in coreTools" if denied else "A person can allow it by listing it in coreTools"
    return f"{way}: {entries} (asimi policy add {commands})"


def _quote(entry: str) -> str:
    """An entry as one word of a command line."""
    return "'" + entry.replace("'", "'\\''") + "'"


LONGEST = 500
"""Characters of the agent's own words that are shown."""

MOST_TOLD = 8
"""Commands of which it is told what they would do."""


def words_of(question: Question) -> str:
    """The question, in full."""
    request = question.request
    lines = ["Run this command?", "", *(f"  {visible(each)}" for each in line_of(request).split("\n")), ""]
    lines += [f"On: {visible(request.place.host)}"] if request.place.host else []
    lines.append(f"In: {visible(request.place.display_path)}")
    lines.append(f"asimi asks because: {visible(reasons_text(question.decision.reasons))}")
    lines += [
        f"{visible(deed.command)}: {visible(does)}"
        for deed in question.deeds[:MOST_TOLD]
        if (does := describe_deed(deed))
    ]
    if len(question.deeds) > MOST_TOLD:
        lines.append(f"and {len(question.deeds) - MOST_TOLD} more commands")
    if held := holds(question):
        lines.append(f"Held {visible(held)}")
    if request.description:
        lines.append(f"The agent says: {visible(request.description)[:LONGEST]}")
    return "\n".join(lines)
