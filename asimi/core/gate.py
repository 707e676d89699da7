"""The gate: the one path from a tool call to an effect.

`Gate.run` can be read aloud: read the call, judge it, refuse it if it is denied, ask if the verdict says so, write down
that it starts, run it, write down how it ended. Anything but a plain yes on that path raises a `Refusal`, which is
recorded and returned as a value. The gate touches the world only through the Protocols of `interfaces`.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.core.budget import OverBudgetError
from asimi.core.call import ELSEWHERE, FLAG, PROMPT, Approval, Assurance, Edit, Execution, Question, Record, Verdict
from asimi.core.errors import AsimiError, Refusal, ShellSyntaxError, refusal_of_fault
from asimi.core.judging.breaker import applies_to, deny_repeats, is_counted, resets
from asimi.core.judging.matching import applies
from asimi.core.judging.rules import EntryError, literal_words
from asimi.core.settings import command_environment
from asimi.core.values import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from typing import Final

    from asimi.core.call import Decision, Deed, Request, Result, Shell, ToolCall
    from asimi.core.hosting import HostSide, Proposal
    from asimi.core.interfaces import Approvals, Approver, Audit, Executor, Keeper, Listener, Remote, Tool, Workspace
    from asimi.core.judging.rules import Rule
    from asimi.core.settings import Environment, Settings

    _Prepared = tuple[Environment, Mapping[str, str], Mapping[str, str]]


_NOTHING = nullcontext()


class Parts(NamedTuple):
    """What a gate uses.

    Attributes:
        settings: gives the configuration as it is now; called before each call, raises ConfigError if it is broken.
        workspace: says where commands may run.
        approvals: keeps what a person said yes to before.
        approver: asks a person, or answers for one.
        executor: runs commands.
        audit: writes records.
        environ: gives the environment that commands inherit, as it is now; called once for each call.
        shell: reads shell text.
        new_id: gives each call an id of its own.
        hosting: keeps what host programs propose; None for a gate that takes no proposals.
        remote: the host where commands run; None for this machine.
        keeper: keeps what a call may change; None where nothing is kept.
    """

    settings: Callable[[], Settings]
    workspace: Workspace
    approvals: Approvals
    approver: Approver
    executor: Executor
    audit: Audit
    environ: Callable[[], Mapping[str, str]]
    shell: Shell
    new_id: Callable[[], str]
    hosting: HostSide | None = None
    remote: Remote | None = None
    keeper: Keeper | None = None


class Gate:
    """The way from a call to its result; a gate itself never changes."""

    def __init__(self, parts: Parts) -> None:
        self._parts: Final = parts
        self.settings: Final = parts.settings
        self.workspace: Final = parts.workspace
        self.approvals: Final = parts.approvals
        self.approver: Final = parts.approver
        self.executor: Final = parts.executor
        self.audit: Final = parts.audit
        self.environ: Final = parts.environ
        self.new_id: Final = parts.new_id
        self._prepared: _Prepared | None = None  # kept, because it is mostly the same for each call

    def with_(
        self,
        *,
        approver: Approver | None = None,
        executor: Executor | None = None,
        audit: Audit | None = None,
        settings: Callable[[], Settings] | None = None,
    ) -> Gate:
        """A gate of the same parts except these."""
        return Gate(
            self._parts._replace(
                approver=approver or self.approver,
                executor=executor or self.executor,
                audit=audit or self.audit,
                settings=settings or self.settings,
            )
        )

    @property
    def shell(self) -> Shell:
        """The shell in the environment as it is now."""
        return self._parts.shell.within(self.environ())

    def judge(self, request: Request) -> Decision:
        """The decision on a request by the configuration as it is now; starts nothing and asks nobody."""
        return self._judge(request, self.settings())

    def deeds(self, request: Request) -> tuple[Deed, ...]:
        """What the commands of a request would do, to show a person; no verdict rests on it."""
        from asimi.core.judging.deeds import deeds_of

        policy = self.settings().policy
        with self._look(request):
            deeds = deeds_of(policy, request)
        return deeds if self._parts.remote is None else self._parts.remote.complete_deeds(deeds, request.place)

    async def run(self, call: ToolCall, tool: Tool, listener: Listener | None = None) -> Result | Refusal:
        """Read, judge, ask, run, record: the only way to a running command.

        Args:
            call: what the agent sent.
            tool: the wire format to read it with.
            listener: hears the output as it comes: `stdout` or `stderr`, and some bytes; must not block.

        Returns:
            The result, or why it was not run.
        """
        agreed = await self._obtain_consent(call, tool)
        if isinstance(agreed, Refusal):
            return agreed
        record, settings, inherited, request = agreed
        try:
            if record.approval is not None and record.approval.by != "policy":
                settings = self.settings()  # a person may have made it stricter meanwhile
            execution = self._build_execution(record, settings, inherited)
            self._keep(record, settings)
            begun = record._replace(event="start" if request.file is None else "file")
            self.audit.write(begun._replace(approval=execution.approval))
        except (AsimiError, OSError) as error:
            return self._record_refusal(record, error)
        result = await self._run_execution(record, execution, listener, request)
        again = await self._run_outside(record, result, inherited)
        return result if again is None else await self._run_execution(*again, listener, request)

    async def agree(self, call: ToolCall, tool: Tool) -> Record | Refusal:
        """Read, judge and ask, but run nothing: takes a call up to a yes, and `resume` runs it.

        Args:
            call: what the agent sent.
            tool: the wire format to read it with.

        Returns:
            The record of the yes, which is not written down yet; or why the call will not run.
        """
        agreed = await self._obtain_consent(call, tool)
        return agreed if isinstance(agreed, Refusal) else agreed[0]

    async def resume(self, agreed: Record, tool: Tool, listener: Listener | None = None) -> Result | Refusal:
        """Run what was agreed on: exactly that request, judged again; a new question means no.

        Args:
            agreed: what `agree` has returned.
            tool: the wire format to read it with; it must give the request that was agreed on.
            listener: as for `run`.

        Returns:
            The result, or why it was not run.
        """
        from asimi.core.hosting import CHANGED, ProposalApprover

        assert agreed.request is not None  # as `agree` has found
        assert agreed.decision is not None
        assert agreed.approval is not None
        try:
            if tool.read(agreed.call, self.workspace, self.shell) != agreed.request:
                raise Refusal("person", f"Not started: {CHANGED}")
        except (AsimiError, OSError) as error:
            return self._record_refusal(agreed, error)
        approver = ProposalApprover(agreed.request, agreed.decision, agreed.approval)
        return await self.with_(approver=approver).run(agreed.call, tool, listener)

    def propose(self, call: ToolCall, key: str = "") -> Proposal:
        """Judge a call and keep it, for a host program that asks a person in its own way; runs nothing.

        Args:
            call: what the agent sent.
            key: tells this call from others if the host has no room for an id: its conversation and the call's own id.
                While a proposal of this call and key is kept, that one is returned. Another call with the same key
                removes it and is refused once, because a yes could be for either.

        Returns:
            The proposal. It has no id if the call is allowed, denied, or needs a person at a terminal: `run` it then.

        Raises:
            Refusal: a parameter is wrong, or there is no such tool.
            AsimiError: this gate takes no proposals, this one cannot be kept, or another call with the same key was.
        """
        return self._host_side().propose(self, call, key)

    def find_proposal(self, call: ToolCall, key: str) -> Proposal | None:
        """The proposal that is kept for exactly this call and key; None if there is none, or no longer.

        Raises:
            Refusal: a parameter is wrong, or there is no such tool.
            AsimiError: this gate takes no proposals, or what is kept cannot be read.
        """
        return self._host_side().find_proposal(self, call, key)

    async def redeem(
        self,
        name: str,
        yes: bool,  # noqa: FBT001 - it is the answer
        by: str,
        note: str = "",
        listener: Listener | None = None,
    ) -> Result | Refusal:
        """Run the call of a proposal if the host says yes: exactly that call, once, judged again.

        Args:
            name: the proposal's id.
            yes: whether it may run; only `True` is a yes.
            by: the name of the host; the log has `host:` before it.
            note: what the agent should know.
            listener: as for `run`.

        Returns:
            The result, or why it was not run.

        Raises:
            AsimiError: this gate takes no proposals.
        """
        from asimi.core.hosting import host_approval

        return await self._host_side().redeem(self, name, host_approval(by, yes=yes, note=note), listener)

    def _host_side(self) -> HostSide:
        if self._parts.hosting is None:
            raise AsimiError("This gate takes no proposals; open one with asimi.open_gate")
        return self._parts.hosting

    async def _obtain_consent(
        self, call: ToolCall, tool: Tool
    ) -> tuple[Record, Settings, Mapping[str, str], Request] | Refusal:
        """The record of a call that may run, its settings and environment, and the agent's request; or a refusal."""
        record = Record(self.new_id(), "refusal", call)
        try:
            settings, inherited = self.settings(), self.environ()
            request = tool.read(call, self.workspace, self._parts.shell.within(inherited))
            decision = self._judge(request, settings)
            record = record._replace(request=request, decision=decision)
            if decision.kept and not self._keeps(record, settings):
                record = record._replace(decision=self._judge(request, settings))  # now without undo
            if decision.observed:
                self.audit.write(record._replace(event="observed"))
                return Refusal("observed", "asimi only observes")
            record = await self._with_answer(record, settings)
            self.count(record, settings)
            if record.approval is not None and record.approval.by == PROMPT:
                self._keeps(record, settings)
                return self._pass_to_agent(record)
            self._check_consent(record)
        except (AsimiError, OSError) as error:
            return self._record_refusal(record, error)
        return record, settings, inherited, request

    def _record_refusal(self, record: Record, error: AsimiError | OSError) -> Refusal:
        """Write down why a call does not run, and return that."""
        refusal = refusal_of_fault(error)
        self.audit.write(record._replace(refusal=refusal))
        return refusal

    async def _run_execution(
        self, record: Record, execution: Execution, listener: Listener | None, sent: Request
    ) -> Result:
        """Run an execution, write down how it ended, and return the result; `sent` is what the agent asked for."""
        result = None
        try:
            result = await self.executor.run(execution, listener)
            if result is ELSEWHERE:  # the agent runs it, so its edit, its sandbox and its end are not known here
                return result
            if _words(execution.request) != _words(sent):
                result = result._replace(edited=_words(execution.request))
            if execution.sandbox.mode != "off":
                result = result._replace(sandbox=execution.sandbox.mode)
            if execution.request.place.host:
                result = result._replace(host=execution.request.place.host)
        finally:
            if result is not ELSEWHERE:
                if self._parts.keeper is not None:
                    self._parts.keeper.after(record.id)
                self.audit.write(record._replace(event="end", result=result))
        return result

    async def _run_outside(
        self, record: Record, result: Result, inherited: Mapping[str, str]
    ) -> tuple[Record, Execution] | None:
        """The second run, outside the sandbox that was made for this text; None without such a sandbox or a yes.

        A person is asked only if the sandbox refused something, which may be why the first run failed.
        """
        request, decision = record.request, record.decision
        if request is None or decision is None or decision.outside is None:
            return None
        from asimi.core.wording.refusals import offer_of

        if (offer := offer_of(decision.outside, result)) is None:
            return None
        try:
            async with self.approver.turn():
                question = self.question(request, offer, self.settings())._replace(session=False, begun=True)
                while (answer := await self.approver.ask(question)).edited is not None:
                    question = question._replace(edit=Edit(answer.edited, "only what has run is offered outside"))
            if self.judge(request).outside is None:
                return None
            again = record._replace(id=self.new_id(), decision=offer, approval=answer)
            self._check_consent(again)
            execution = self._build_execution(again, self.settings(), inherited)
            self._keep(again, self.settings())
            self.audit.write(again._replace(event="start"))
        except (AsimiError, OSError):  # a no, nobody to ask, or nothing that could be written down
            return None
        return again, execution

    def _keep(self, record: Record, settings: Settings) -> None:
        """Keep what a call may change, before it runs.

        Raises:
            Refusal: the call is allowed only because undo keeps that, and it could not be kept.
        """
        if not self._keeps(record, settings):
            raise Refusal(
                "unkept", "What it removes could not be kept for asimi undo; ask again for a question about it"
            )

    def _keeps(self, record: Record, settings: Settings) -> bool:
        """Keep what a call may change, as far as possible; whether all is kept that its allow rests on."""
        request, decision = record.request, record.decision
        if request is None or decision is None:
            return False
        if self._parts.keeper is None or not settings.undo.keep:
            return not decision.kept
        if not decision.kept:
            from asimi.core.judging.recovery import may_change

            try:
                if not may_change(settings.policy.readings.of(request)):
                    return True
            except (ShellSyntaxError, OverBudgetError):
                pass  # nobody knows what it changes
        return self._parts.keeper.before(record.id, request._replace(id=record.call.id), decision.kept)

    def _judge(self, request: Request, settings: Settings) -> Decision:
        with self._look(request):
            return self._apply_breaker(request, self._decide(request, settings), settings)

    def _decide(self, request: Request, settings: Settings) -> Decision:
        with self._look(request):
            return settings.policy.decide(request, self.approvals.rules())

    def _look(self, request: Request) -> AbstractContextManager[None]:
        """A context in which a request is judged, so that a host is asked everything at once."""
        return _NOTHING if self._parts.remote is None else self._parts.remote.look(request)

    def _apply_breaker(self, request: Request, decision: Decision, settings: Settings) -> Decision:
        """The decision, or a deny if the same was refused too often before."""
        limit = settings.session.breaker
        if limit is None or decision.observed or not applies_to(decision):
            return decision
        tried = [each for each in self.approvals.past_refusals() if each.times >= limit]
        return deny_repeats(decision, tried, self._fingerprints(request, decision, settings)) if tried else decision

    def count(self, record: Record, settings: Settings) -> None:
        """Count a no for the breaker; a yes to the question, even a late one, ends the count.

        Raises:
            AsimiError: the count cannot be kept.
        """
        request, decision, approval = record.request, record.decision, record.approval
        if settings.session.breaker is None or request is None or decision is None:
            return
        if is_counted(decision, approval):
            self.approvals.refuse(self._fingerprints(request, decision, settings), request)
        elif resets(decision, approval) and self.approvals.past_refusals():
            self.approvals.forget_refusals(self._fingerprints(request, decision, settings))

    def _fingerprints(self, request: Request, decision: Decision, settings: Settings) -> frozenset[str]:
        """The fingerprints of a request, by which the breaker knows it again."""
        from asimi.core.judging.fingerprints import fingerprints_of

        with self._look(request):
            return fingerprints_of(settings.policy, request, decision)

    async def _with_answer(self, record: Record, settings: Settings) -> Record:
        """The record with the answer to its question, if it needs one.

        An edited command is judged and asked about again; if it may never run, the same question returns and says why.
        """
        request, decision = record.request, record.decision
        if request is None or decision is None or decision.verdict is Verdict.DENY:
            return record
        if decision.verdict is Verdict.ASK:
            edit = None
            async with self.approver.turn() as waited:
                if waited is not False:
                    decision = self.judge(request)
                while decision.verdict is Verdict.ASK:
                    question = self.question(request, decision, settings, edit)
                    answer = await self.approver.ask(question)
                    if answer.edited is not None:
                        request, edit = self._apply_edit(request, answer.edited)
                        decision = self._decide(request, self.settings())
                        continue
                    if not answer.seconds and answer.by in {PROMPT, FLAG}:  # nobody thought
                        return record._replace(request=request, decision=decision, approval=answer)
                    now = self._decide(request, self.settings())  # what changed while the person thought counts, too
                    if now.verdict is Verdict.DENY and not _is_never(answer):
                        return record._replace(request=request, decision=now)
                    same = now.voice <= decision.voice and now.sandbox == decision.sandbox
                    same = same and set(now.changed) <= set(decision.changed)
                    if same or not answer.yes:
                        return record._replace(request=request, decision=decision, approval=answer)
                    decision = now
        approval = Approval(yes=True, by="policy") if decision.verdict is Verdict.ALLOW else None
        return record._replace(request=request, decision=decision, approval=approval)

    def question(self, request: Request, decision: Decision, settings: Settings, edit: Edit | None = None) -> Question:
        """What a person is asked about a request."""
        session, patience = self.approvals.session, settings.session.ask_timeout
        enforced = tuple(rule.entry for rule in _exec_rules(settings, request))
        deeds, wider = self.deeds(request), settings.policy.widening(request, self.approvals.rules())
        return Question(request, decision, session, patience, edit, deeds=deeds, enforced=enforced, widening=wider)

    def _apply_edit(self, request: Request, line: str) -> tuple[Request, Edit | None]:
        """The request with the line that a person wrote; or the old request, and why that line may not run."""
        changed = request._replace(command=line)
        if request.arguments is not None:
            try:
                program, *arguments = literal_words(line, line)
            except EntryError as error:
                return request, Edit(line, str(error))
            changed = request._replace(command=program, arguments=tuple(arguments))
        decision = self._decide(changed, self.settings())
        if decision.verdict is Verdict.DENY:
            from asimi.core.wording.explain import reasons_text

            return request, Edit(line, reasons_text(decision.reasons))
        return changed, None

    def _pass_to_agent(self, record: Record) -> Refusal:
        """Leave the question to the agent's own prompt: nobody has said yes, and nothing runs here.

        Raises:
            Refusal: an answer there is not enough.
            AsimiError: it cannot be written down.
        """
        assert record.approval is not None  # there was a question
        if record.decision is not None and record.decision.voice > Assurance.ASKED:
            from asimi.core.wording.explain import not_enough

            raise not_enough(record.decision, record.approval)
        self.audit.write(record._replace(event="passed", approval=None))
        return Refusal("passed", record.approval.note)

    def _check_consent(self, record: Record) -> None:
        """Make sure that somebody who may say yes has said it; store a "never".

        Raises:
            Refusal: nobody who may has said yes.
            AsimiError: the answer cannot be kept.
        """
        request, decision, approval = record.request, record.decision, record.approval
        if request is None or decision is None or approval is None or not approval.yes:
            if request is not None and approval is not None and _is_never(approval):
                self.approvals.remember(approval, request)
            from asimi.core.wording.explain import refusal_of

            raise refusal_of(record)
        if approval.voice < decision.voice and decision.verdict is Verdict.ASK:
            from asimi.core.wording.explain import not_enough

            raise not_enough(decision, approval)

    def _build_execution(self, record: Record, settings: Settings, inherited: Mapping[str, str]) -> Execution:
        """The execution of exactly what was judged and got a yes; nothing else makes one.

        Raises:
            Refusal: there is no shell to run it.
            AsimiError: the answer cannot be kept.
        """
        request, decision, approval = record.request, record.decision, record.approval
        assert request is not None  # as `_check_consent` has found
        assert decision is not None
        assert approval is not None
        words, shell = request.arguments, self._parts.shell
        argv = shell.argv(request.command) if words is None else (request.command, *words)
        if decision.spends:
            earlier = self.approvals.spend(decision.spends)
            if earlier is not None and decision.verdict is Verdict.ALLOW:
                approval = earlier
        if approval.rules:
            self.approvals.remember(approval, request)
        limits = settings.limits
        if request.timeout is not None:
            limits = limits._replace(timeout=min(request.timeout, limits.timeout or request.timeout))
        environment = self._environment(settings.environment, inherited)
        held = decision.sandbox, _exec_rules(settings, request)
        return Execution(record.id, request, argv, request.place.path, environment, limits, approval, *held)

    def _environment(self, wanted: Environment, inherited: Mapping[str, str]) -> Mapping[str, str]:
        """The whole environment of a command."""
        done = self._prepared  # read once: another thread may replace it
        if done is None or done[:2] != (wanted, inherited):
            done = self._prepared = wanted, inherited, command_environment(inherited, wanted)
        return done[2]


def _is_never(approval: Approval) -> bool:
    """Whether an answer is a "never": a no that stores only denies."""
    return not approval.yes and {rule.verdict for rule in approval.rules} == {Verdict.DENY}


def _exec_rules(settings: Settings, request: Request) -> tuple[Rule, ...]:
    """The exec rules that hold for a request."""
    return tuple(rule for rule in settings.enforced if applies(rule, request.place))


def _words(request: Request) -> str | tuple[str, ...]:
    """The shell text, or the program and its arguments."""
    return request.command if request.arguments is None else (request.command, *request.arguments)
