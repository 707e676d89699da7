"""Collects what all rules say of a request: facts about each of its commands and findings, none of which changes.

A rule that forbids looks at every command that could start; one that allows is looked for only for a command that
surely starts. What follows from the facts is `asimi.core.judging.policy`'s.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from asimi.core.budget import COMMAND, WORD, Budget
from asimi.core.call import Assurance, Loss, Reason, Verdict
from asimi.core.judging.matching import Match, applicable_rules, applies, beginning, is_about, is_meant, rests_on_undo
from asimi.core.judging.named_files import NamedFiles
from asimi.core.judging.rulebook import by_first_word, key_of
from asimi.core.judging.rules import HOST_NOT_TRUSTED
from asimi.core.judging.widths import is_task, kind_of
from asimi.core.judging.zones import ASKED, shown_of
from asimi.core.pattern import pattern
from asimi.core.programs import find, is_builtin
from asimi.core.programs.effects import covers
from asimi.core.programs.variables import names_code
from asimi.core.reading.commands import AddedWord, base
from asimi.core.syntax import line_of
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from asimi.core.call import Request, Span
    from asimi.core.judging.check_answers import Answers
    from asimi.core.judging.checks import Answer
    from asimi.core.judging.rulebook import RuleBook
    from asimi.core.judging.rules import Rule
    from asimi.core.kinds import SandboxMode
    from asimi.core.reading import Command, Finding, Reading
    from asimi.core.syntax.nodes import Word

BEYOND_LISTS = frozenset({"substitution", "protected", "directory", *ASKED})
"""Findings that a bare tool entry does not answer; nor does it answer a hidden command while a rule forbids any."""

MOST_TRIED = 64
"""The most arguments of one command that are tried as the beginning of another."""

MISSING = frozenset({"unlisted", "rejected"})
"""Reasons that a rule which allows commands would answer."""

_GLOB = frozenset("*?[")
"""The first characters of a pattern that may stand for a name that looks like an option."""

_SWITCH = pattern(r"[0-9]{1,6}|true|false|yes|no|on|off")
"""A value that only switches something, or is a number."""

_NAME = pattern(r"\w[\w+-]*(?:\.[\w+-]+)*")
"""The name of a program in a text of another language."""


class Objection(NamedTuple):
    """One reason against a request.

    Attributes:
        verdict: what it makes of the request: ASK or DENY.
        reason: the reason.
        voice: whose yes answers it.
        contained: whether a sandbox of the text's own would answer it.
    """

    verdict: Verdict
    reason: Reason
    voice: Assurance = Assurance.BEFOREHAND
    contained: bool = False


class CommandVerdict(NamedTuple):
    """What the rules say of one command.

    Attributes:
        command: the command.
        verdict: the verdict on it alone; of one that only a program text calls, ASK.
        objections: the reasons against it.
        allowing: why it is allowed; None where it is not, or needs no rule.
        spends: the rule that allows it for the last time, or one time less.
        unlisted: whether it needs a rule and none allows it.
        changed: the contents of a check's files that were changed since a person confirmed it.
        unseen: whether the question about these does not show all of the change.
        sandboxes: the modes of the sandboxes in which rules allow it.
        kept: what it may remove because undo brings it back.
    """

    command: Command
    verdict: Verdict
    objections: tuple[Objection, ...] = ()
    allowing: Reason | None = None
    spends: Rule | None = None
    unlisted: bool = False
    changed: tuple[str, ...] = ()
    unseen: bool = False
    sandboxes: tuple[SandboxMode, ...] = ()
    kept: tuple[Loss, ...] = ()

    @property
    def open(self) -> bool:
        """Whether nothing allows it."""
        return self.verdict is not Verdict.ALLOW


class Facts(NamedTuple):
    """What the rules say of a request.

    Attributes:
        started: the commands that surely start.
        called: those that a program text of another language calls.
        objections: all reasons against the request: of rules about all of it, of commands, of findings.
        sandboxes: the modes of the sandboxes in which rules allow it.
        writes: whether a redirection writes.
        beyond: whether a sandbox of the text's own cannot answer what is asked.
    """

    started: tuple[CommandVerdict, ...]
    called: tuple[CommandVerdict, ...]
    objections: tuple[Objection, ...]
    sandboxes: tuple[SandboxMode, ...]
    writes: bool
    beyond: bool

    @property
    def unlisted_commands(self) -> list[Command]:
        """The commands that need a rule and have none."""
        return [each.command for each in self.started if each.unlisted]

    @property
    def allow_reasons(self) -> list[Reason]:
        """Why each of the others is allowed."""
        return [each.allowing for each in self.started if each.allowing is not None]

    @property
    def recoverable_losses(self) -> tuple[Loss, ...]:
        """What may be removed because undo brings it back."""
        return tuple(dict.fromkeys(loss for each in self.started for loss in each.kept))


class Case:
    """A request with what is read of it, and the rules that hold for it.

    Args:
        book: all rules.
        request: what would run.
        reading: what is read of it.
        approvals: the rules that a person approved for a while.
        budget: the work that it may take.
    """

    def __init__(
        self, book: RuleBook, request: Request, reading: Reading, approvals: Sequence[Rule], budget: Budget
    ) -> None:
        self.book, self.request, self.reading, self.approvals, self.budget = book, request, reading, approvals, budget
        self.line = line_of(request)
        self.granted = applicable_rules((*book.lines, *book.effective_rules(approvals)), request)
        self._granted = by_first_word(self.granted)
        self.by_effects = [*applicable_rules(book.effects, request), *(rule for rule in self.granted if rule.effects)]
        self._checked = applicable_rules(book.checked, request)
        whole = [rule for rule in (*book.allow_rules(""), *self.granted) if rule.bare]
        self._bare = next(iter(applicable_rules(whole, request)), None)
        self.named = NamedFiles(request, reading, book.guard, budget)

    def with_approvals(self, rules: Sequence[Rule]) -> Case:
        """The same case where a person approved more rules."""
        return Case(self.book, self.request, self.reading, (*self.approvals, *rules), self.budget)

    def allow_rules(self, first: str | None) -> list[Rule]:
        """The rules, and approvals, that allow commands beginning with a word; None where only bash can know it."""
        rules = () if first is None else (*self.book.allow_rules(first), *self._granted.get(key_of(first), ()))
        self.budget.spend(len(rules))
        return applicable_rules(rules, self.request)

    def matching_rules(self, rules: Iterable[Rule], command: Command) -> list[Rule]:
        """Those of some rules with whose words a command begins, and of which it does no more than they say."""
        return beginning(rules, command, self.budget, self.named)

    def facts(self) -> Facts:
        """What the rules say of the request and of all that is in it."""
        book, reading = self.book, self.reading
        confined = applicable_rules(book.confined, self.request)
        whole = [rule for rule in confined if rule.bare or rule.line == self.line]
        objections = [
            self._against(rule, self.request.tool if rule.bare else self.line, None)
            for rule in book.whole
            if applies(rule, self.request.place)
            and (rule.tool in {None, self.request.tool} if rule.bare else rule.line == self.line)
        ]
        for rule in whole:
            objections += self._sandbox_objections(rule, self.line, None)
        weighed = [self._weigh(command, confined) for command in reading.commands]
        started = tuple(each for each in weighed if not each.command.possible)
        objections += (said for each in weighed for said in each.objections)
        objections += filter(None, (self._of_finding(each, started) for each in reading.findings))
        objections += filter(None, (self._of_function(name, span) for name, span in reading.functions))
        writes = any(finding.writes for finding in reading.findings)
        beyond = any(each.unlisted and each.command.literals[0] is None for each in started)  # a finding says why
        if reading.plain is not None:  # by the catalogue alone; a description only answers that nothing is known
            plain = Case(book, self.request, reading.plain, self.approvals, self.budget).facts()
            known = {each[:2] for each in objections}
            more = (each for each in plain.objections if each[:2] not in known)
            objections += (each for each in more if each.reason.code not in MISSING)
            writes, beyond = writes or plain.writes, beyond or plain.beyond
        beyond = beyond or not all(each.contained for each in objections)
        called = tuple(each for each in weighed if each.command.possible and each.command.called)
        sandboxes = (*(rule.sandbox for rule in whole), *(mode for each in started for mode in each.sandboxes))
        return Facts(started, called, tuple(objections), sandboxes, writes, beyond)

    def _weigh(self, command: Command, confined: Sequence[Rule]) -> CommandVerdict:
        """What the rules say of a command."""
        verdict, against = Verdict.ALLOW, []
        plain = command.program is None and command.name in self.book.terms.described  # read by the catalogue alone
        for rule, match in self._matches(command):
            if match is Match.YES:
                verdict = max(verdict, rule.verdict)
                against.append(self._against(rule, abbreviate(command), command.span))
            elif match is Match.MAYBE and not command.possible and not (rule.effects and plain):
                message = f"only bash can know whether this is `{rule.entry}`"
                if rule.effects and command.effects is None:
                    message = f"asimi does not know what `{abbreviate(command)}` does, and {rule.entry} decides by that"
                against.append(Objection(Verdict.ASK, Reason("dynamic", message, command.span)))
        if command.possible:
            return CommandVerdict(command, Verdict.ASK if command.called else Verdict.ALLOW, tuple(against))
        if verdict is not Verdict.ALLOW or command.defined or self.request.file is not None:
            return CommandVerdict(command, verdict, tuple(against))
        found = (
            _ask_on_objection(command, self._argument_objections(command, 1))
            if command.loose
            else self._weigh_unforbidden(command)
        )
        confining = [
            rule
            for rule in self.matching_rules(confined, command)  # one that has changed, too: a person may say yes to it
            if not rule.bare and (not rule.checks or (self.book.checked and self.check_answer(command) is not None))
        ]
        unheld = [
            said for rule in confining for said in self._sandbox_objections(rule, abbreviate(command), command.span)
        ]
        return found._replace(
            verdict=max((found.verdict, *(said.verdict for said in unheld))),
            objections=(*against, *found.objections, *unheld),
            sandboxes=tuple(rule.sandbox for rule in confining),
        )

    def _against(self, rule: Rule, text: str, span: Span | None) -> Objection:
        """The reason that a rule forbids something, or asks about it."""
        self.budget.spend(6)
        code, verb = ("denied_by_rule", "forbids") if rule.verdict is Verdict.DENY else ("ask_by_rule", "asks about")
        message = f"{rule.entry} {verb} `{text}`" + (f": {rule.reason}" if rule.reason else "")
        voice = Assurance.TERMINAL if rule.terminal else Assurance.BEFOREHAND
        return Objection(rule.verdict, Reason(code, message, span, rule.entry, rule.source), voice)

    def _matches(self, command: Command) -> Iterator[tuple[Rule, Match]]:
        """The rules against commands that hold here, and how surely each is about this one.

        Those by a program's name are not about an agent's own tool for files, though it is judged as a command.
        """
        rules = self.book.about(command)
        self.budget.spend(len(rules) * (1 if command.name is not None else 3))
        for rule in rules:
            if applies(rule, self.request.place) and not (rule.words and self.request.file is not None):
                yield rule, is_about(rule, command, self.budget, self.named)

    def _weigh_unforbidden(self, command: Command) -> CommandVerdict:
        """What is said of a command that nothing forbids."""
        best = self._bare
        listing = [rule for rule in self.allow_rules(command.literals[0]) if rule.words]
        for rule in self.matching_rules(listing, command):
            if best is None or len(rule.words or ()) > len(best.words or ()):
                best = rule
        able = self.matching_rules(self.by_effects, command)
        by_effect = next((rule for rule in able if not rests_on_undo(rule, command)), able[0] if able else None)
        if best is None and (by_effect is None or self._has_changed(command, by_effect)):
            return self._as_check(command)
        best = by_effect or best
        assert best is not None
        against = self._argument_objections(command, len(best.words or ()) or 1)
        asked = self._bare is not None and self.book.guarded and command.escapes
        last = self._last_named(command) if asked else -1
        for escape in command.escapes:
            named = best.words and escape.word < len(best.words)
            starts = self.book.guarded and (escape.hidden or escape.word <= last)  # it may start what is forbidden
            if not named and (starts or (self._bare is None and by_effect is None)):
                against.append(Objection(Verdict.ASK, Reason("escape", escape.message, _place(command, escape.word))))
        undone = by_effect is not None and rests_on_undo(by_effect, command)
        message = f"{best.entry} allows `{abbreviate(command)}`"
        if undone:
            message += ", which this text has made" if command.seen.made else ", which asimi undo takes back"
        return _ask_on_objection(command, against)._replace(
            allowing=Reason(best.code, message, command.span, best.entry, best.source),
            spends=best if best.uses is not None else None,
            kept=command.seen.kept if undone else (),
        )

    @cached_property
    def _answers(self) -> Answers | None:
        from asimi.core.judging.check_answers import Answers  # few commands are checks

        checks = self.book.terms.checks
        return None if checks is None else Answers(checks, self.request, self.reading, self.budget, self.book.guard)

    def check_answer(self, command: Command) -> Answer | None:
        """What is said of a command as a check of the project; None if it is none, or if no checks count."""
        return None if self._answers is None else self._answers.answer(command)

    def _has_changed(self, command: Command, rule: Rule) -> bool:
        """Whether a command is a check that has changed since a person confirmed it.

        asimi asks about it even if a rule allows everything that runs code: nobody has seen this code.
        """
        if rule.words or rule.at or "code" not in rule.effects or not self.matching_rules(self._checked, command):
            return False
        answer = self.check_answer(command)
        return answer is not None and answer.seen and not answer.sure

    def _as_check(self, command: Command) -> CommandVerdict:
        """What is said of a command that only a rule for the project's checks could allow."""
        rule = next(iter(self.matching_rules(self._checked, command)), None)
        answer = None if rule is None else self.check_answer(command)
        if rule is None or answer is None:
            return self._weigh_unlisted(command)
        if not answer.seen:
            return self._weigh_unlisted(command, f"; {answer.why} (asimi trust)")
        if answer.sure:
            message = f"{rule.entry} allows `{abbreviate(command)}`, a check of this project"
            return CommandVerdict(
                command,
                Verdict.ALLOW,
                allowing=Reason(rule.code, message, command.span, rule.entry, rule.source),
            )
        message = f"`{abbreviate(command)}` is a check of this project, but {answer.why}"
        asked = _ask_on_objection(command, [Objection(Verdict.ASK, Reason("code", message, command.span))])
        return asked._replace(changed=answer.changed, unseen=not answer.changed or not answer.whole)

    def _sandbox_objections(self, rule: Rule, text: str, span: Span | None) -> list[Objection]:
        """What stands against a text that a rule allows only in a sandbox, where none could hold it."""
        terms = self.book.terms
        if terms.untrusted_host:
            why = f"whether there is one, {HOST_NOT_TRUSTED.format(terms.untrusted_host)}"
        elif not terms.behind or rule.checks:  # a check, whose code a person has seen, keeps its allow
            return []
        else:
            why = "here the agent runs it itself, without one"
        message = f"{rule.entry} allows `{text}` only in a sandbox, and {why}"
        return [Objection(Verdict.ASK, Reason("sandbox", message, span, rule.entry, rule.source))]

    def _weigh_unlisted(self, command: Command, more: str = "") -> CommandVerdict:
        """What is said of a command that nothing lists, and which untrusted rule would allow it."""
        terms, first = self.book.terms, command.literals[0]
        verdict = terms.unlisted
        if first is None and verdict is Verdict.ASK:  # a finding says it already
            return CommandVerdict(command, verdict, unlisted=True)
        rules = [rule for word in ("", first) if word is not None for rule in self.book.untrusted.get(word, ())]
        self.budget.spend(len(rules))
        untrusted = next(iter(self.matching_rules(applicable_rules(rules, self.request), command)), None)
        message = f"{self._unlisted_reason(command)}{more}"
        if untrusted is not None:
            message += f"; {untrusted.source}: {untrusted.entry} {terms.untrusted_note}"
        elif (rule := self._ignored_rule(command)) is not None:
            message += f"; {rule.entry} would, by what {HOST_NOT_TRUSTED.format(terms.untrusted_host)}"
        elif command.program is None and (waits := (terms.waiting or {}).get(command.name or "")) is not None:
            message += f"; {waits}"
        elif why := self.named.why(command):
            message += f"; {why}"
        if granted := next((rule.source for rule in self.granted if is_task(rule.source)), ""):
            message += f"; it is not part of the {granted}"
        code = "unlisted" if verdict is Verdict.ASK else "rejected"
        against = [Objection(verdict, Reason(code, message, command.span, None, terms.listed), contained=True)]
        if terms.enclosure is not None and self.book.guarded:  # what may start something forbidden, no sandbox stops
            against += self._argument_objections(command, 1)
            last = self._last_named(command) if command.escapes else -1
            against += (
                Objection(Verdict.ASK, Reason("escape", escape.message, _place(command, escape.word)))
                for escape in command.escapes
                if escape.hidden or escape.word <= last
            )
        return CommandVerdict(command, verdict, tuple(against), unlisted=True)

    def _ignored_rule(self, command: Command) -> Rule | None:
        """The rule that would allow a command if what its host says of itself were believed."""
        self.budget.spend(len(self.book.ignored))
        rules = [rule for rule in self.book.ignored if not rule.checks]
        return next(iter(self.matching_rules(applicable_rules(rules, self.request), command)), None)

    def _unlisted_reason(self, command: Command) -> str:
        """Why nothing allows a command: for its effects if any rule goes by effects, else for its name."""
        rules = [rule for rule in self.by_effects if not rule.at]
        if not rules:
            return f"`{abbreviate(command)}` is not on coreTools"
        from asimi.core.judging.offers import may_start

        does = command.kinds
        if command.seen.overwrites and does is not None:
            lost = command.seen.overwrites
            return f"`{abbreviate(command)}` overwrites {shown_of(lost)}, which git ignores and undo does not keep"
        general = (rule for rule in rules if not (rule.words or rule.hosts) and is_meant(rule, command))
        allowed = {effect for rule in general for effect in rule.effects}
        beyond = {each for each in does or () if not covers(allowed, each)}
        if not beyond:  # not known, or an argument that only bash can know decides
            if does is not None and command.seen.astray:
                return f"{_unknown_path_message(command)}, and no rule allows it"
            said = f"asimi does not know what `{abbreviate(command)}` does"
            last = command.literals[-1] or ""
            if last[-1:] == "\r":
                said += ": its line ends in a carriage return, which bash takes as a part of the word"
            elif command.program is None and may_start(command):
                way = f'if it only starts that, commands = ["{command.name}"] in [wrappers] says so'
                return f"{said}, which may start the command behind it, and no rule allows it; {way}"
            bare = next((each for each in map(command.text_of, command.words[1:]) if each[:1] in _GLOB), "")
            if bare and command.program is not None:
                said += f": a name that `{bare}` stands for could be an option, and none that `./{bare}` does"
            return f"{said}, and no rule allows it"
        from asimi.core.wording.effects import does_all

        return f"`{abbreviate(command)}` {does_all(beyond)}, and no rule allows that"

    def _last_named(self, command: Command) -> int:
        """The index of the last word of a command that holds the name of a forbidden program; -1 without one."""
        written = [command.text_of(word) for word in command.words]
        self.budget.spend(sum(map(len, written)) // 4 + 2 * len(written))
        for index in range(len(written) - 1, -1, -1):
            for name in _NAME.findall(written[index]):
                if any(rule.words and applies(rule, self.request.place) for rule in self.book.names.get(name, ())):
                    return index
        return -1

    def _argument_objections(self, command: Command, start: int) -> list[Objection]:
        """What stands against a program that asimi does not know with the name of a forbidden one as an argument.

        It may start that.

        Args:
            command: the command.
            start: the index of the first argument that the entry does not name.
        """
        names, wrappers = self.book.names, self.book.terms.wrappers
        if not names or command.name is None or command.program is not None:
            return []
        if any(command.literals[: len(words)] == words for words in wrappers):  # the command behind it was judged
            return []
        tried = 0
        self.budget.spend(len(command.words))
        for index, literal in enumerate(command.literals[start:], start):
            name = base((literal or "").lstrip().split(None, 1)[0]) if literal and not literal.isspace() else ""
            if name not in names:
                continue
            inner = command.behind(index)
            self.budget.spend(COMMAND + WORD * len(inner.words))
            matches = [match for rule, match in self._matches(inner) if rule.words]
            tried += bool(matches)
            if tried > MOST_TRIED or any(matches):
                message = (
                    f"{command.name} is a program that asimi does not know, and it may start `{abbreviate(inner)}`"
                )
                return [Objection(Verdict.ASK, Reason("dynamic", message, _place(command, index)))]
        return []

    def _of_finding(self, finding: Finding, started: Sequence[CommandVerdict]) -> Objection | None:
        """What a finding has against the request."""
        terms, guarded = self.book.terms, self.book.guarded
        placed = terms.placed or self.request.file is not None
        if finding.verdict is Verdict.ALLOW or (finding.loose and not guarded) or (finding.writes and placed):
            return None
        verdict, code = finding.verdict, finding.code
        answerable = code not in BEYOND_LISTS and not (finding.hidden and guarded)
        if verdict is Verdict.ASK and self._bare is not None and answerable:
            return None
        if code == "unlisted" and terms.unlisted is Verdict.DENY:
            verdict, code = Verdict.DENY, "rejected"
        if code == "assignment" and (own := _own_code_with(finding, started, self.line)):
            if all(any(rule.at for rule in self.matching_rules(self.by_effects, each.command)) for each in own):
                return None  # whoever lets any own code run lets it set its variables
            code = "unlisted" if all(each.unlisted for each in own) else code
        voice = ASKED[code].voice if code in ASKED else Assurance.BEFOREHAND
        contained = finding.writes and verdict is Verdict.ASK  # a sandbox says where, as files.write does
        return Objection(verdict, Reason(code, finding.message, finding.span), voice, contained)

    def _of_function(self, name: str, span: Span) -> Objection | None:
        """What stands against a function whose name already means a builtin, or something that is allowed."""
        book = self.book
        judged = bool(book.effects or book.checked or any(rule.effects for rule in self.granted))
        known = judged and (name in book.terms.described or find(name) is not None)
        if not (known or is_builtin(name) or book.allow_rules(name) or key_of(name) in self._granted):
            return None
        if self._bare is not None:
            return None
        message = f"the function {name} redefines a name that already means something"
        return Objection(Verdict.ASK, Reason("rebinding", message, span))


def _own_code_with(finding: Finding, started: Sequence[CommandVerdict], line: str) -> list[CommandVerdict]:
    """The commands that are own code, where a line hands a switch (`DEBUG=1`) to no other program."""
    value = "" if finding.span is None else line[slice(*finding.span)].partition("=")[2]
    if not finding.hands or names_code(finding.hands) or _SWITCH.fullmatch(value) is None:
        return []
    own = [each for each in started if "code" in map(kind_of, each.command.seen.aims) and _is_script(each.command)]
    names = [(each, () if each.command.simple is None else each.command.simple.assignments) for each in started]
    given = [each for each, before in names if finding.span in [(name.start, name.end) for name in before]]
    if given:  # it is set for these alone
        return given if all(each in own for each in given) else []
    return own if all(each in own or "builtin" in each.command.traits for each in started) else []


def _is_script(command: Command) -> bool:
    """Whether a command is a program by its path, or an interpreter: no tool around it obeys variables of its own."""
    row = command.program
    return row is None or bool(row.shell) or "code" in row.traits


def _ask_on_objection(command: Command, against: Iterable[Objection]) -> CommandVerdict:
    """A command that is asked about if anything stands against it, else allowed."""
    against = tuple(against)
    return CommandVerdict(command, Verdict.ASK if against else Verdict.ALLOW, against)


def _unknown_path_message(command: Command) -> str:
    """What is not known of a command that may go to files of which only bash can know where they are."""
    if command.account.tree.unpacks:
        return f"asimi does not know which files `{abbreviate(command)}` writes"
    named = [command.words[each.word] for each in sorted(command.account.touches) if each.word]
    unknown = next((_word_text(command, word) for word in named if word.literal is None), "")
    if unknown:
        return f"asimi does not know which file `{unknown}` is, of `{abbreviate(command)}`"
    if "bound" in command.traits:
        return (
            f"`{abbreviate(command)}` may work in another repository than the project's, whose settings start programs"
        )
    return f"asimi does not know the directory in which `{abbreviate(command)}` runs"


def abbreviate(command: Command, width: int = 60) -> str:
    """A command in few words: after unquoting, or as it is written where bash would expand it."""
    words = zip(command.words[: width + 1], command.literals, strict=False)
    text = " ".join((_word_text(command, each) if known is None else known)[: width + 1] for each, known in words)
    return text if len(text) <= width else text[: width - 1] + "…"


def _word_text(command: Command, word: Word) -> str:
    """A word that is not literal, as it is written, in one line; `…` where a program adds it."""
    return "…" if isinstance(word, AddedWord) else " ".join(command.text_of(word).split())


def _place(command: Command, index: int) -> Span:
    """The place of one word of a command, or of all of it where its words are in another text."""
    word = command.words[min(index, len(command.words) - 1)]
    inside = command.span[0] <= word.start and word.end <= command.span[1]
    return (word.start, word.end) if inside else command.span
