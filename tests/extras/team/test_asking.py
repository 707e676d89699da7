"""A gate asks its team over a real server; what is not proven, not there or not in time is a no."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager

import pytest
from helpers.questions import eventually, question_of
from helpers.team import HERE, MACHINE, USER, asked_by, needs_server

from asimi.core.call import Approval, Assurance, FileUse, Touch
from asimi.core.files import MOST, WIDEST, clip_lines
from asimi.core.wording.dialog import Dialog
from asimi.core.wording.visible import Display
from asimi.extras.team import subjects
from asimi.extras.team.approver import TeamApprover
from asimi.extras.team.desk import Me, TeamDesk
from asimi.extras.team.line import asking
from asimi.extras.team.relay import AWAY, NOBODY, Relay
from asimi.extras.team.server import connected
from asimi.extras.team.signing import ANSWER, signed
from asimi.extras.team.statements import Signed, packed, stated
from asimi.extras.team.subjects import APPROVER
from asimi.testing import ScriptedApprover
from asimi.world.approvers import RefuseApprover
from asimi.world.console.frame import render

pytestmark = [needs_server, pytest.mark.long]  # a server is started for each

YES, NO = Approval(True, "terminal"), Approval(False, "terminal", note="not today")


class Team:
    """A machine's relay, gates and approvers of one server."""

    def __init__(self, server, keys, directory):
        self.server, self.keys, self.directory = server, keys, str(directory)
        self.team = server.team(keys)
        self.said = []

    def gate(self, elsewhere=None, near=lambda: False, team=None):
        return TeamApprover(
            self.directory, lambda: team or self.team, USER, elsewhere or RefuseApprover("nobody here"), near
        )

    @asynccontextmanager
    async def relay(self):
        ready = asyncio.Event()
        task = asyncio.ensure_future(Relay(self.team, USER, self.directory, self.said.append).run(ready.set))
        await asyncio.wait((task, asyncio.ensure_future(ready.wait())), return_when=asyncio.FIRST_COMPLETED)
        try:
            if task.done():
                await task
            yield task
        finally:
            task.cancel()
            await asyncio.wait((task,))

    def desk(self, name, *answers, at=None, key=None):
        me = Me(name, self.keys.path(key or name), self.server.seed(name), at or f"{name}@desk")
        return TeamDesk(self.team, me, ScriptedApprover(*answers), say=self.said.append, ending=lambda: False)

    @asynccontextmanager
    async def watching(self, name, *answers, **more):
        desk = self.desk(name, *answers, **more)
        async with desk.opened():
            task = asyncio.ensure_future(desk.watch())
            try:
                yield desk
            finally:
                task.cancel()
                await asyncio.wait((task,))


@pytest.fixture
def team(server, keys, tmp_path):
    return Team(server, keys, tmp_path / "run")


def in_time(work):
    async def limited():
        async with asyncio.timeout(120):
            return await work

    return asyncio.run(limited())


@pytest.mark.parametrize("answer", [YES, NO])
def test_an_approver_elsewhere_answers(team, answer):
    async def work():
        async with team.relay(), team.watching("alice", answer) as desk:
            return await team.gate().ask(question_of("echo one")), desk.approver.questions

    approval, questions = in_time(work())
    assert (approval.yes, approval.by, approval.note) == (answer.yes, "team:alice", answer.note)
    assert approval.voice is Assurance.ASKED
    assert [each.origin for each in questions] == [f"{USER} on {MACHINE}"]
    assert team.said == []


def test_an_approver_elsewhere_sees_what_a_tool_changes(team):
    """A question about an agent's own tool has the change, as far as one on the same machine would have it."""
    change = clip_lines(
        [f"+{index} \x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}\udcff{'x' * WIDEST}" for index in range(10 * MOST)]
    )
    question = question_of("tee .env # Write 1")
    touched = (Touch("write", ".env", "", 5, 1),)
    request = question.request._replace(file=FileUse("Write", touched, change, "Write 1"))

    async def work():
        async with team.relay(), team.watching("alice", YES) as desk:
            return await team.gate().ask(question._replace(request=request)), desk.approver.questions

    approval, (asked,) = in_time(work())
    assert approval.yes
    assert asked.request.file == request.file
    drawn = "\n".join(render(Dialog(asked), Display(100, 900, unicode=True)).lines)
    assert f"and {9 * MOST} more lines" in drawn
    assert not {"\x1b", "\udcff", "\N{RIGHT-TO-LEFT OVERRIDE}"} & set(drawn)


def test_a_yes_for_the_session_keeps_what_was_offered(team):
    rules = question_of("echo one").decision.offers[0].rules

    async def work():
        async with team.relay(), team.watching("alice", YES._replace(scope="session", rules=rules)):
            return await team.gate().ask(question_of("echo one"))

    approval = in_time(work())
    assert (approval.scope, approval.rules) == ("session", rules)


def test_without_an_approver_it_is_a_no_at_once(team):
    async def work():
        async with team.relay():
            began = time.monotonic()
            return await team.gate().ask(question_of("echo one")), time.monotonic() - began

    approval, seconds = in_time(work())
    assert (approval.yes, approval.by) == (False, "nobody")
    assert approval.note == f"{NOBODY}; nobody here"
    assert seconds < 60


def test_without_a_relay_it_is_a_no_at_once(team):
    approval = in_time(team.gate().ask(question_of("echo one")))
    assert (approval.yes, "no `asimi relay` runs" in approval.note) == (False, True)


def test_without_a_server_it_is_a_no_at_once(team):
    async def work():
        async with team.relay():
            await asyncio.to_thread(team.server.kill)
            await eventually(lambda: any("lost" in line for line in team.said))
            return await team.gate().ask(question_of("echo one"))

    assert in_time(work()).note == f"{AWAY}; nobody here"


def test_who_may_not_be_asked_there_is_asked_elsewhere(team):
    question = question_of("echo one")
    question = question._replace(decision=question.decision._replace(voice=Assurance.TERMINAL))

    async def work():
        async with team.relay(), team.watching("alice") as desk:
            for_a_terminal = await team.gate(ScriptedApprover(True)).ask(question)
            watched = await team.gate(ScriptedApprover(True), near=lambda: True).ask(question_of("echo one"))
            return for_a_terminal, watched, desk.approver.questions

    first, second, questions = in_time(work())
    assert (first.by, second.by, questions) == ("terminal", "terminal", [])


def test_nobody_who_answers_is_a_no_by_the_clock(team):
    async def work():
        desk = team.desk("alice")
        async with team.relay(), desk.opened():
            approval = await team.gate(ScriptedApprover(True)).ask(question_of("echo one", patience=0.5))
            await eventually(lambda: not desk.questions())
            return approval

    approval = in_time(work())
    assert (approval.yes, approval.by) == (False, "clock")
    assert "within 0.5 s" in approval.note


def test_the_answer_of_one_takes_it_from_the_others(team):
    async def work():
        other = team.desk("bob")
        async with team.relay(), other.opened():
            gate = asyncio.ensure_future(team.gate().ask(question_of("echo one")))
            await eventually(lambda: other.questions() or gate.done())
            assert not gate.done(), (gate.result(), team.said)
            async with team.watching("alice", True):
                approval = await gate
            await eventually(lambda: not other.questions())
            return approval

    assert in_time(work()).by == "team:alice"


def test_a_question_that_was_asked_here_is_not_shown(team):
    async def work():
        async with team.relay(), team.watching("alice", at=HERE) as desk:
            return await team.gate().ask(question_of("echo one", patience=1)), desk.approver.questions

    approval, questions = in_time(work())
    assert (approval.yes, questions) == (False, [])
    assert "was asked here" in team.said[0]


def answered_by_hand(team, make, *, then=True):
    """What a gate says where alice's connection sends what `make` gives for its question; then, bob says yes."""

    async def work():
        hand = await connected(team.team, APPROVER, "alice", team.server.seed("alice"), team.said.append)
        came = asyncio.Queue()
        await hand.subscribe("asimi.ask.*", cb=came.put)
        await hand.flush()
        try:
            async with team.relay():
                gate = asyncio.ensure_future(team.gate().ask(question_of("echo one")))
                message = await came.get()
                for content in make(message.data):
                    await hand.publish(message.reply, content)
                await hand.flush()
                async with team.watching("bob", then):
                    return await gate
        finally:
            await hand.close()

    return in_time(work())


def test_what_is_not_proven_does_not_count_and_the_next_answer_does(team):
    def forged(content):
        from asimi.extras.team.statements import Asked, unpacked

        asked = unpacked(Asked, content)
        yes = stated(asked, yes=True, by="alice", at="alice@desk")
        text, no = yes.content.decode(), yes._replace(yes=False)
        good = signed(no.content, team.keys.path("alice"), ANSWER)
        yield b"\n"
        yield b'{"version":1}\n'
        yield packed(Signed(text, ""))  # unsigned
        yield packed(Signed(text, good))  # a no made a yes
        yield packed(Signed(text, signed(yes.content, team.keys.path("mallory"), ANSWER)))  # self-signed
        yield packed(Signed(text, signed(yes.content, team.keys.path("alice"), "git")))
        here = yes._replace(at=HERE)
        yield packed(Signed(here.content.decode(), signed(here.content, team.keys.path("alice"), ANSWER)))
        other = stated(asked_by(question_of("echo one"), until=asked.until), yes=True, by="alice", at="alice@desk")
        yield packed(Signed(other.content.decode(), signed(other.content, team.keys.path("alice"), ANSWER)))  # replayed

    approval = answered_by_hand(team, forged, then=False)
    assert (approval.yes, approval.by) == (False, "team:bob")


def test_a_key_that_was_revoked_meanwhile_does_not_count(team):
    revoked = team.team._replace(revoked=(team.keys.signer("alice").key,))

    async def work():
        async with team.relay(), team.watching("alice", True):
            return await team.gate(team=revoked).ask(question_of("echo one", patience=2))

    approval = in_time(work())
    assert (approval.yes, approval.by) == (False, "clock")
    assert "the key of alice was revoked" in approval.note
    assert any("not accepted: the key of alice was revoked" in line for line in team.said)


def test_a_server_that_comes_back_brings_the_question_back(team):
    async def work():
        desk = team.desk("alice")
        async with team.relay(), desk.opened():
            gate = asyncio.ensure_future(team.gate().ask(question_of("echo one")))
            (asked,) = await eventually(desk.questions)
            await asyncio.to_thread(team.server.kill)
            await asyncio.to_thread(team.server.start)
            async with team.watching("bob", True) as other:
                approval = await gate
            return asked, approval, other.approver.questions

    asked, approval, questions = in_time(work())
    assert (approval.yes, approval.by) == (True, "team:bob")
    assert questions[0]._replace(patience=0) == asked.question._replace(patience=0)


def test_the_server_is_killed_between_a_yes_and_its_way_back(team):
    """An answer that was lost is asked for again, under the same id; nothing counts twice."""

    async def work():
        async with team.relay(), team.watching("alice", True, True, True) as desk:
            killed = asyncio.ensure_future(asyncio.to_thread(team.server.kill))
            gate = asyncio.ensure_future(team.gate().ask(question_of("echo one", patience=20)))
            await killed
            await asyncio.to_thread(team.server.start)
            return await gate, desk

    approval, _ = in_time(work())
    assert approval.by in {"team:alice", "nobody"}
    assert approval.yes == (approval.by == "team:alice")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"id": "x y"}, "name is none"),
        ({"id": "a.b"}, "name is none"),
        ({"id": ">"}, "name is none"),
        ({"id": "x\r\nPUB asimi.told.build7.x 0"}, "name is none"),
        ({"user": "root2"}, "in another's name"),
        ({"host": "build8"}, "in another's name"),
    ],
)
def test_a_relay_takes_no_question_in_anothers_name(team, change, why):
    async def work():
        asked = asked_by(question_of("echo one"), until=time.time() + 60)._replace(**change)
        async with team.relay(), asking(team.directory, asked) as line:
            return await line.next()

    assert why in in_time(work()).why


def test_two_relays_of_a_user_do_not_run_side_by_side(team):
    async def work():
        async with team.relay():
            with pytest.raises(Exception, match="runs on this machine already"):
                async with team.relay():
                    pass
            async with team.watching("alice", True):
                return await team.gate().ask(question_of("echo one"))

    assert in_time(work()).yes


@pytest.mark.long
def test_a_thousand_questions_at_once_get_one_answer_each(team):
    count = 1000

    async def work():
        async with team.relay(), team.watching("alice", *[number % 2 == 0 for number in range(count)]) as desk:
            gates = [team.gate() for _ in range(count)]
            asked = [gate.ask(question_of(f"echo {number}")) for number, gate in enumerate(gates)]
            answers = await asyncio.gather(*asked)
            return answers, desk.approver.questions

    answers, questions = in_time(work())
    said = {each.request.command: number % 2 == 0 for number, each in enumerate(questions)}
    assert len(said) == count
    assert [each.yes for each in answers] == [said[f"echo {number}"] for number in range(count)]


def test_a_machine_can_neither_hear_questions_nor_answer_in_anothers_name(team):
    """What the server refuses to the machine's own credentials."""

    async def work():
        hand = await connected(team.team, subjects.MACHINE, MACHINE, team.server.seed(MACHINE), team.said.append)
        heard = asyncio.Queue()
        await hand.subscribe("asimi.ask.*", cb=heard.put)
        await hand.publish("asimi.ask.build8", b"x")
        await hand.publish(f"asimi.answer.{MACHINE}.x", b"x")
        await hand.flush()
        async with team.relay(), team.watching("alice", True):
            await team.gate().ask(question_of("echo one"))
        await hand.close()
        return heard.qsize()

    assert in_time(work()) == 0
    assert len([line for line in team.said if "ermissions violation" in line]) == 3
