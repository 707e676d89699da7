"""A question put to a person, as a state and what each key does to it; nothing here draws or reads.

`press` is the whole meaning of the keys: a dialog and a key give the next dialog, an answer, or a request for a line
of text. Only keys that are shown can be pressed (`choices`). What is not offered answers nothing and says why: a key
that allows before the whole command was shown, "session" where there is none.

A `Menu` is a choice without a call: what there is to know, and what can be pressed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.call import Approval, Offer, Verdict
from asimi.core.judging.rules import REACH
from asimi.core.judging.widths import lasts, word_to_type
from asimi.core.judging.zones import ASKED
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple
from asimi.core.wording.weight import word_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from asimi.core.call import Question
    from asimi.core.judging.rules import Rule
    from asimi.core.kinds import Scope


class Lifetime(NamedTuple):
    """How long an approval may be kept.

    Attributes:
        words: the same, in words.
        seconds: after which it ends, or None for the end of its scope.
        calls: for how many it holds, the present one included, or None for any number.
    """

    words: str
    seconds: float | None = None
    calls: int | None = None


_LASTING = (
    Lifetime("from now on"),
    Lifetime("for 1 hour", 3600),
    Lifetime("for 1 day", 86400),
    Lifetime("for 1 week", 7 * 86400),
)

LIFETIMES = {
    "session": (
        Lifetime("until this session ends"),
        Lifetime("for 10 minutes", 600),
        Lifetime("for 1 hour", 3600),
        Lifetime("for 5 calls, this one included", None, 5),
    ),
    "task": (Lifetime("until the task ends"),),
    "always": _LASTING,
    "never": _LASTING,
}
"""What can be chosen, by the step; the first of each is the default."""

FAR = 1 << 30
"""More rows than any text has."""

MOST_OFFERS = 9
"""One for each digit."""


class Line(NamedTuple):
    """The place of a question among others.

    Attributes:
        others: how many more wait, while they are watched.
        at: which one it is of those that a person goes through, from 1; 0 where they do not.
        of: how many these are.
        words: what an answer to it is for.
        live: whether a call waits for that.
        away: whether whoever asks is elsewhere, so that Ctrl-C here is no answer.
    """

    others: int = 0
    at: int = 0
    of: int = 0
    words: str = ""
    live: bool = False
    away: bool = False


class Dialog(NamedTuple):
    """The state of a question.

    Attributes:
        question: what is asked.
        step: `ask`; `session`, `task`, `always` and `never`, the choice of what is stored; `why`, all the reasons;
            `help`.
        top: the first row of the text that is shown.
        seen: how many rows were shown without a gap from the first on.
        complete: whether those are all that must be seen; only then can anything be allowed.
        pages: whether there is more than fits the screen.
        last: whether the last row is on it.
        added: offers the person wrote.
        lifetime: the index in `LIFETIMES`.
        everywhere: whether what is stored for good holds in every project, not only in this one.
        editing: whether the next digit says which offer to edit.
        message: what the last key did, if that must be said.
        drafts: texts to go on with, which the person left or which cannot be stored.
        ready: whether keys count yet.
        left: seconds until no answer counts as a no.
        line: its place among other questions; None where there are none.
        ended: why it has ended by itself, in words; what is chosen from then on holds for the next such call.
    """

    question: Question
    step: str = "ask"
    top: int = 0
    seen: int = 0
    complete: bool = False
    pages: bool = False
    last: bool = False
    added: tuple[Offer, ...] = ()
    lifetime: int = 0
    everywhere: bool = False
    editing: bool = False
    message: str = ""
    drafts: tuple[TextRequest, ...] = ()
    ready: bool = False
    left: int = 0
    line: Line | None = None
    ended: str = ""

    @classmethod
    def for_question(cls, question: Question, left: int, line: Line | None = None) -> Dialog:
        """The dialog at its beginning, which says why an edit brought it back."""
        edit = question.edit
        why = "" if edit is None else edit.why.partition("\n")[0].rstrip(". ")
        message = f"Your edit does not run: {why}. Press e to go on with it." if why else ""
        return cls(question, message=message, left=left, line=line)

    def over(self, why: str, *, keeps: bool, written: TextRequest | None = None) -> Dialog:
        """The dialog once its question has ended by itself; only who is choosing what is kept is heard at once.

        Args:
            why: in words.
            keeps: whether a session keeps what is chosen then.
            written: the text that the person was writing.
        """
        question = self.question if keeps else self.question._replace(session=False, widening=None)
        there = self if self.step in LIFETIMES or self.step == "ask" else self.at("ask")
        if written is not None:
            there = there.with_draft(written, written.draft)
        ready = self.ready and self.step in LIFETIMES and written is None
        return there._replace(question=question, ended=why, editing=False, message="", ready=ready)

    @property
    def others(self) -> int:
        """How many more questions wait for this person."""
        return 0 if self.line is None else self.line.others

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What can be stored, in the order of the digits."""
        given = self.question.decision.offers
        if self.step == "never":
            from asimi.core.judging.denials import denials

            given = denials(self.question.request, self.question.decision)
        if self.confirms:
            only = self.question.widening if self.step == "task" else self.question.decision.confirming
            return () if only is None else (only,)
        if self.step == "always":
            given = tuple(each for each in given if all(lasts(rule.at) for rule in each.rules))
        added = tuple(offer for offer in self.added if offer.rules[0].verdict is self.verdict)
        return (*given[: MOST_OFFERS - len(added)], *added)

    @property
    def confirms(self) -> bool:
        """Whether this step offers one thing as it is: it confirms checks that have changed, or widens a task."""
        return self.step == "task" or (self.step == "always" and bool(self.question.decision.changed))

    @property
    def verdict(self) -> Verdict:
        """What the rules say that this step stores."""
        return Verdict.DENY if self.step == "never" else Verdict.ALLOW

    def with_drawing(self, drawing: Drawing) -> Dialog:
        """The dialog once a drawing of it was on the screen."""
        seen = max(self.seen, drawing.bottom) if drawing.top <= self.seen else self.seen
        more = drawing.bottom - drawing.top < drawing.rows
        return self._replace(
            top=drawing.top,
            seen=seen,
            complete=seen >= drawing.must_see,
            pages=more,
            last=drawing.bottom == drawing.rows,
        )

    def request_text(self, kind: str, text: str = "") -> TextRequest:
        """The request for a text, with what was written for it before."""
        wanted = TextRequest(kind, text)
        return next((draft for draft in self.drafts if draft._replace(draft="") == wanted), wanted)

    def with_draft(self, wanted: TextRequest, draft: str) -> Dialog:
        """The dialog with what was written for a request; nothing to begin anew."""
        others = tuple(each for each in self.drafts if each._replace(draft="") != wanted._replace(draft=""))
        return self._replace(drafts=(*others, wanted._replace(draft=draft)))

    def at(self, step: str, message: str = "") -> Dialog:
        """The same question at the beginning of a step."""
        return self._replace(
            step=step, top=0, seen=0, complete=False, pages=False, lifetime=0, everywhere=False, editing=False,
            message=message,
        )  # fmt: skip


class Drawing(NamedTuple):
    """A dialog as lines for a terminal.

    Attributes:
        lines: what to write, none wider than the terminal; the cursor belongs at the end of the last.
        rows: how many rows there are in all.
        must_see: how many of them, from the first on, must be seen before anything can be allowed.
        top: the first of them that is in these lines.
        bottom: one past the last.
    """

    lines: tuple[str, ...]
    rows: int
    must_see: int
    top: int
    bottom: int


class Choice(NamedTuple):
    """Something a person can press, or type in plain mode.

    Attributes:
        key: the key; where only plain mode has it, the word.
        word: the word.
        label: what it does.
        short: the same, if there is little room.
    """

    key: str
    word: str
    label: str
    short: str


class TextRequest(NamedTuple):
    """A line of text that is needed before it can go on.

    Attributes:
        kind: `command` to change what runs, `note` for the agent, `entries` to change what is stored, one a line; else
            the word itself that has to be typed to allow what nothing brings back.
        text: what there is now.
        draft: what the person wrote before, to begin with in its place.
    """

    kind: str
    text: str = ""
    draft: str = ""


RUN = Choice("y", "run", "run once", "once")
REACHED = Choice("y", "reach", "reach it once", "once")
LATER = Choice("y", "allow", "allow it once", "once")
LET = Choice("y", "let", "let it, this once", "once")
SESSION = Choice("s", "session", "allow for session...", "session")
WIDEN = Choice("w", "widen", "widen the task...", "widen")
ALWAYS = Choice("a", "always", "always allow...", "always")
EDIT = Choice("e", "edit", "edit", "edit")
DENY = Choice("n", "deny", "deny", "deny")
ONLY_ONCE = Choice("n", "deny", "deny only now", "deny now")
NOTE = Choice("f", "note", "deny and say why", "deny+say why")
NEVER = Choice("d", "never", "never...", "never")
WHY = Choice("why", "why", "all the reasons", "reasons")
MORE = Choice("v", "more", "all lines", "all lines")
HELP = Choice("?", "help", "help", "help")
EDIT_RULES = Choice("e", "edit", "edit the rules", "edit")
LIFETIME = Choice("t", "time", "change how long", "how long")
PLACE = Choice("p", "place", "change where", "where")
LEAVE = Choice("escape", "leave", "leave it open", "leave it")
SKIP = Choice(">", "skip", "skip", "skip")
PREVIOUS = Choice("<", "previous", "go back", "go back")
BACK = Choice("escape", "back", "back", "back")
CLOSE = Choice("escape", "close", "close", "close")

LEFT = Approval(yes=False, by="nobody")
SKIPPED, WENT_BACK = LEFT._replace(note="skipped"), LEFT._replace(note="back to the one before")
"""What is said where nothing is answered: that a question stays open, and which one to show then."""

MEANINGS = (
    (RUN, "Runs exactly this command line, this time."),
    (REACHED, "Reaches this name for this call, or for a minute where no call runs."),
    (LATER, "Runs nothing; allows exactly this call, the next time it is made."),
    (LET, "Lets the agent's own tool do exactly this, this time."),
    (SESSION, "Shows what would be allowed until this session ends; nothing is kept before you choose."),
    (WIDEN, "Shows what would be added to the agent's task; nothing is kept before you choose."),
    (ALWAYS, "Shows what would be allowed in this project or everywhere; nothing is written before you choose."),
    (EDIT, "Changes the command; the new one is judged again."),
    (DENY, "Does not run it."),
    (NOTE, "Does not run it, and gives the agent one line from you."),
    (NEVER, "Shows what would be denied in this project or everywhere; nothing is written before you choose."),
    (LEAVE, "Answers nothing; the question stays, and asimi approve shows it again."),
    (SKIP, "Answers nothing and shows the next question; so do Esc and the right arrow."),
    (PREVIOUS, "Answers nothing and shows the question before it; so does the left arrow."),
    (WHY, "Shows all the reasons why asimi asks."),
    (MORE, "Shows the next lines; nothing can be allowed unseen."),
)
"""What the keys do, for the help."""

WORDS = {
    name: choice.key
    for choice in (*(each for each, _ in MEANINGS), HELP, LIFETIME, PLACE, BACK, CLOSE)
    for name in (choice.word, choice.key)
} | {str(number): str(number) for number in range(1, MOST_OFFERS + 1)}
"""The keys that a typed word can stand for, in plain mode: itself, or what it does."""

MOVES = {
    "v": "page", " ": "page", "pagedown": "page", "pageup": "page back", "b": "page back", "down": "row",
    "up": "row back", "home": "first", "g": "first", "end": "last", "G": "last",
}  # fmt: skip
"""Keys that move, and where to; a page from the end leads to what was not seen yet, else to the beginning."""


def only_once(question: Question) -> str:
    """That a yes holds for this call alone, and why; empty where that is not so, or a reason to ask says it."""
    codes = {reason.code for reason in question.decision.reasons}
    asked = [zone for code, zone in ASKED.items() if code in codes]
    what = max(asked, key=lambda zone: zone.voice).what if asked else ""
    return f"A yes holds this once: {what} is asked about each time" if what else ""


def choices(dialog: Dialog) -> tuple[Choice, ...]:
    """What can be pressed now, in the order it is shown."""
    more = (MORE,) if dialog.pages else ()
    leave: tuple[Choice, ...] = (CLOSE,)
    if dialog.step in {"why", "help"}:
        return (*more, BACK)
    question = dialog.question
    if dialog.step != "ask":
        if dialog.editing:
            return (*_numbers(dialog), *more, BACK)
        pick = _numbers(dialog) if dialog.complete else ()
        if dialog.confirms:
            return (*pick, *more, *(leave if dialog.ended else (DENY, BACK)))
        where = () if dialog.step == "session" else (PLACE,)
        if not dialog.ended:
            leave = (ONLY_ONCE if dialog.step == "never" else DENY, BACK)
        return (*pick, EDIT_RULES, LIFETIME, *where, *more, *leave)
    allow: tuple[Choice, ...] = ()
    names, file = question.request.tool == REACH, question.request.file is not None
    if dialog.complete:
        once = LATER if not question.changeable else REACHED if names else LET if file else RUN
        typed = once._replace(label=f"{once.label} (type a word)", short="once (word)")
        allow = (typed if word_of(question) else once,)
        decision = question.decision
        kept = not word_of(question)  # what nothing brings back is asked about each time
        if kept and decision.offers and question.session:
            allow += (SESSION,)
        if kept and question.widening is not None and not question.origin:
            allow += (WIDEN,)
        if kept and (decision.confirming if decision.changed else decision.offers) and not question.origin:
            allow += (ALWAYS,)
    change = (EDIT,) if question.changeable and not (question.origin or names or file) else ()
    never = () if question.origin or file else (NEVER,)
    if dialog.ended:
        return (*allow[1:], *never, *more, *leave)
    leave = () if question.changeable else (LEAVE,)
    if dialog.line is not None and dialog.line.at:
        leave = (SKIP, *((PREVIOUS,) if dialog.line.at > 1 else ()))
    return (*allow, *change, DENY, NOTE, *never, *leave, WHY, *more, HELP)


def press(dialog: Dialog, key: str, page: int, now: float) -> Dialog | Approval | TextRequest:
    """What a key does to a dialog; one that is not offered only says why.

    Args:
        dialog: its state.
        key: a character, or `pagedown`, `pageup`, `down`, `up`, `home`, `end`, `escape`.
        page: how many rows a page has.
        now: seconds since the epoch, for what is kept for a while.
    """
    if key in MOVES and dialog.pages:
        return dialog._replace(top=_scroll(dialog, MOVES[key], page), message="")
    if key == "escape" and SKIP in choices(dialog):
        key = SKIP.key
    if key not in {choice.key for choice in choices(dialog)}:
        closes = dialog.ended and dialog.step == "ask" and key
        return LEFT if closes else dialog._replace(message=_why_not(dialog, key))
    if key == "escape":
        if dialog.ended and not dialog.editing:
            return LEFT
        if dialog.step == "ask" and LEAVE in choices(dialog):
            return LEFT
        return dialog._replace(editing=False, message="") if dialog.editing else dialog.at("ask")
    if key.isdigit():
        offer = dialog.offers[int(key) - 1]
        if dialog.editing:
            return _entries(dialog, offer)
        return dialog.request_text(word) if (word := _word(offer)) else _lasting_approval(dialog, offer, now)
    steps = {"s": "session", "w": "task", "a": "always", "d": "never", "why": "why", "?": "help"}
    if key in steps:
        return dialog.at(steps[key])
    if key in {"t", "p"}:
        # The words on the screen change, so they must be seen again.
        lifetime = (dialog.lifetime + (key == "t")) % len(LIFETIMES[dialog.step])
        everywhere = dialog.everywhere != (key == "p")
        return dialog.at(dialog.step)._replace(lifetime=lifetime, everywhere=everywhere)
    if key == "e" and dialog.step != "ask":
        if len(dialog.offers) > 1:
            return dialog._replace(editing=True, message="Edit which one? Press its number.")
        return _entries(dialog, dialog.offers[0])
    if key == "e":
        edit = dialog.question.edit
        return dialog.request_text("command", line_of(dialog.question.request) if edit is None else edit.line)
    if key == "f":
        return dialog.request_text("note")
    if key in {SKIP.key, PREVIOUS.key}:
        return SKIPPED if key == SKIP.key else WENT_BACK
    if key == "y" and (word := word_of(dialog.question)):
        return dialog.request_text(word)
    return Approval(yes=key == "y", by="terminal")


def with_text(
    dialog: Dialog,
    wanted: TextRequest,
    text: str | TextRequest,
    check_entry: Callable[[str, Question, Verdict], Offer | str],
    now: float = 0.0,
) -> Dialog | Approval:
    """What a line of text does to a dialog.

    Args:
        dialog: its state when the text was asked for.
        wanted: what was asked for.
        text: what the person wrote, or the request with their draft if they went back.
        check_entry: an entry that allows or denies as an offer, or the words of why it cannot be stored.
        now: as `press` takes it.
    """
    dialog = dialog._replace(editing=False, message="")
    if isinstance(text, TextRequest):
        return dialog.with_draft(wanted, text.draft)
    wide = next((each for each in dialog.offers if _word(each) == wanted.kind), None)
    if wide is not None or wanted.kind == word_of(dialog.question):
        if text.strip().lower() == wanted.kind:
            return Approval(yes=True, by="terminal") if wide is None else _lasting_approval(dialog, wide, now)
        return dialog._replace(message=f"Nothing was allowed: the word is {wanted.kind}.")
    if wanted.kind == "note":
        return Approval(yes=False, by="terminal", note=" ".join(text.split()))
    if wanted.kind == "command":
        if not text.strip() or text in {wanted.text, line_of(dialog.question.request)}:
            return dialog._replace(message="Nothing was changed.")
        return Approval(yes=False, by="terminal", edited=text)
    rules: list[Rule] = []
    for entry in filter(None, map(str.strip, text.splitlines())):
        checked = check_entry(entry, dialog.question, dialog.verdict)
        if isinstance(checked, str):
            named = checked if entry in checked else f"{entry}: {checked}"
            return dialog.with_draft(wanted, text)._replace(message=f"{named.rstrip('.')}. Press e to go on with it.")
        rules += checked.rules
    if not rules:
        return dialog._replace(message="Nothing was changed.")
    dialog = dialog.with_draft(wanted, "")
    added = (*dialog.added, Offer("as you wrote it", tuple(rules)))
    if len(dialog.offers) == MOST_OFFERS:
        return dialog.at(dialog.step)._replace(added=added[-MOST_OFFERS + 1 :], everywhere=dialog.everywhere)
    # The rows before it stay as they are, so what was seen of them was seen.
    return dialog._replace(added=added, editing=False, complete=False, top=dialog.seen, message="")


def _word(offer: Offer) -> str:
    """The word that a person types to keep an offer; empty where its number is enough."""
    return next(filter(None, (word_to_type(rule.at) for rule in offer.rules)), "")


def _numbers(dialog: Dialog) -> tuple[Choice, ...]:
    """A choice for each offer; all of them do the same."""
    does, count = "edit" if dialog.editing else "deny" if dialog.step == "never" else "allow", len(dialog.offers)
    label = f"{does} that one" if count > 1 else f"{does} this"
    return tuple(Choice(number, number, label, f"{does} it") for number in map(str, range(1, count + 1)))


def _scroll(dialog: Dialog, where: str, page: int) -> int:
    """The new first row; the drawing keeps it within the text."""
    if where == "page" and dialog.last:
        return 0 if dialog.complete else dialog.seen
    by = {"page": page, "page back": -page, "row": 1, "row back": -1, "first": -dialog.top, "last": FAR}[where]
    return max(0, dialog.top + by)


def _why_not(dialog: Dialog, key: str) -> str:
    """Why a key is not offered; nothing for one that is not a character, and where the dialog says it anyway."""
    question = dialog.question
    nothing = f"{key} does nothing here." if (len(key) == 1 and key.strip()) or key == WHY.key else dialog.message
    if dialog.step != "ask":
        return nothing
    if key in {"e", "a", "d"} and question.origin:
        return f"Only {question.origin} can change it, or keep anything for good."
    if key in {"s", "a"} and word_of(question):
        return "Nothing brings this back, so it is asked about each time."
    if key in {"s", "a"} and not question.decision.offers:
        codes = ("allowed_", "unlisted")
        why = next((reason for reason in question.decision.reasons if not reason.code.startswith(codes)), None)
        return "This is asked each time" + ("." if why is None else f": {why.message.rstrip('.')}.")
    if key == "s" and not question.session:
        return "There is no session to allow it for; asimi --session NAME makes one."
    if key == "a" and question.decision.changed and question.decision.confirming is None:
        return "Not all that has changed is shown here; asimi trust shows it and confirms it."
    if key in {"y", "s", "a"}:
        return ""
    if key == "e":
        if question.request.tool == REACH:
            return "A name is reached or not; always and never show what is kept, which can be changed."
        if question.request.file is not None:
            return "What an agent's own tool does cannot be changed here; deny it and say why."
        return "The call was refused already, so there is nothing to change."
    if key == "v":
        return "All of it is shown."
    if key == "escape":
        return "Deny it? Press n. Nothing is answered yet."
    return nothing


def _lasting_approval(dialog: Dialog, offer: Offer, now: float) -> Approval:
    """The answer that keeps an offer's rules."""
    _, seconds, calls = LIFETIMES[dialog.step][dialog.lifetime]
    rules = offer.rules
    if calls is not None:
        rules = tuple(rule._replace(uses=calls - 1) for rule in rules)
    if seconds is not None:
        rules = tuple(rule._replace(expires=min(now + seconds, rule.expires or now + seconds)) for rule in rules)
    scope: Scope = "session" if dialog.step == "session" else "always" if dialog.everywhere else "project"
    scope = "task" if dialog.step == "task" else scope
    return Approval(yes=dialog.step != "never", by="terminal", scope=scope, rules=rules)


def _entries(dialog: Dialog, offer: Offer) -> TextRequest:
    """The request to change an offer; of an exact line, the entries that would be needed are what can be changed."""
    from asimi.core.judging.rules import SHELL, entry_of

    entries = [
        entry_of(rule.tool or SHELL, (*(each[0] for each in rule.words), *rule.options_any))
        if rule.options_any
        else rule.entry
        for rule in offer.rules
        if rule.words is not None and not rule.effects
    ]
    return dialog.request_text("entries", "\n".join(entries or dialog.question.decision.needed))


LEAVE_MENU = Choice("q", "leave", "leave; nothing is written", "leave")
"""What Esc and the end of input mean as well, as a rule."""


class Section(NamedTuple):
    """Something to know.

    Attributes:
        words: a sentence.
        rows: names below it, each with what it is.
    """

    words: str
    rows: tuple[tuple[str, str], ...] = ()


class Menu(NamedTuple):
    """A choice.

    Attributes:
        title: the question.
        sections: what there is to know.
        choices: what can be pressed, besides `leave`.
        leave: what Esc and the end of input mean.
    """

    title: str
    sections: tuple[Section, ...]
    choices: tuple[Choice, ...]
    leave: Choice = LEAVE_MENU

    def choice_for(self, key: str) -> Choice | None:
        """The choice behind a key or a typed word; None where there is none."""
        key = self.leave.key if key == "escape" else key.lower()
        return next((choice for choice in (*self.choices, self.leave) if key in (choice.key, choice.word)), None)
