"""Questions that wait for a person elsewhere, and what is never taken for an answer."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time

import pytest
from helpers import PATIENCE
from helpers.killed import killed_write
from helpers.questions import approver_of, asked, eventually, question_of, until, waiting

from asimi.core.call import Approval, Session, Verdict
from asimi.core.errors import AsimiError
from asimi.core.json_values import plain
from asimi.core.judging.offers import exact
from asimi.testing import ScriptedApprover
from asimi.world.approvers.queue.answers import deliver
from asimi.world.approvers.queue.desk import Desk
from asimi.world.approvers.queue.entries import WatchLock, entries, has_watch, read, sweep
from asimi.world.config.keys import BY_NAME, KINDS
from asimi.world.host.nested import is_person

YES = Approval(yes=True, by="terminal")
NO = Approval(yes=False, by="terminal", note="use make")


def given(directory, entry, answer):
    """Deliver from another thread than the asking loop's."""
    return asyncio.to_thread(deliver, directory, entry, answer)


def answered(approver, question, answer):
    """What an approver says to a question that is answered, and what whoever answers is told."""

    async def run():
        task, entry = await asked(approver, question)
        told = await given(approver.directory, entry, answer)
        return await task if not told else None, told, task.cancel()

    said, told, _ = asyncio.run(run())
    approver.close()
    return said, told


# ---- what is asked is what is shown ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    ["ls", "a\nb", "\u202etxt", "\udc80", "x" * 100_000, '"\\', "\x1b[2K"],
    ids=["plain", "lines", "bidi", "byte", "long", "quotes", "escape"],
)
def test_a_question_is_read_as_it_was_asked(directory, command):
    async def run():
        question = question_of(command)
        task, entry = await asked(approver := approver_of(directory), question)
        assert entry.question == question
        task.cancel()
        approver.close()

    asyncio.run(run())


def test_a_question_lies_in_a_private_file_of_a_private_directory(directory):
    async def run():
        task, entry = await asked(approver := approver_of(directory), question_of("ls"))
        names = os.listdir(directory)
        assert stat.S_IMODE(os.stat(directory).st_mode) == 0o700
        assert {stat.S_IMODE(os.lstat(os.path.join(directory, name)).st_mode) for name in names} == {0o600}
        assert sorted(names) == sorted([f"{entry.id}.json", entry.socket])
        task.cancel()
        await asyncio.wait([task])
        approver.close()
        assert os.listdir(directory) == []

    asyncio.run(run())


# ---- answers ---------------------------------------------------------------------------------------------------------


def test_a_yes_reaches_the_one_who_waits(directory):
    said, told = answered(approver_of(directory), question_of("ls"), YES)
    assert (said.yes, said.by, told) == (True, "queue", "")


def test_a_no_comes_with_its_note(directory):
    said, _ = answered(approver_of(directory), question_of("ls"), NO)
    assert (said.yes, said.by, said.note) == (False, "queue", "use make")


def test_an_edited_command_goes_back_to_be_judged(directory):
    said, _ = answered(approver_of(directory), question_of("ls"), Approval(yes=False, by="x", edited="ls -l"))
    assert (said.yes, said.edited) == (False, "ls -l")


def test_what_the_question_offers_can_be_kept(directory):
    question = question_of("ls")
    rules = question.decision.offers[0].rules
    said, _ = answered(approver_of(directory), question, Approval(yes=True, by="x", scope="session", rules=rules))
    assert (said.scope, said.rules) == ("session", rules)


@pytest.mark.parametrize("scope", ["project", "always"])
def test_a_never_is_taken_where_nothing_can_be_allowed_for_good(directory, scope):
    never = NO._replace(scope=scope, rules=(NEVER,))
    said, _ = answered(approver_of(directory), question_of("ls", storable=False, session=False), never)
    assert (said.yes, said.scope, said.rules) == (False, scope, (NEVER,))


EXACT = question_of("ls").decision.offers[0].rules[0]
NEVER = EXACT._replace(verdict=Verdict.DENY)

NOT_OFFERED = {
    "a rule for once": (question_of("ls"), YES._replace(rules=(EXACT,))),
    "a session without rules": (question_of("ls"), YES._replace(scope="session")),
    "a session where there is none": (question_of("ls", session=False), YES._replace(scope="session", rules=(EXACT,))),
    "rules where nothing may be kept": (
        question_of("ls", storable=False),
        YES._replace(scope="always", rules=(EXACT,)),
    ),
    "a rule for a whole tool": (
        question_of("ls"),
        YES._replace(scope="always", rules=(EXACT._replace(words=(), line=None),)),
    ),
    "a rule for another tool": (
        question_of("ls"),
        YES._replace(scope="always", rules=(EXACT._replace(tool="execute_command"),)),
    ),
    "a rule that forbids": (
        question_of("ls"),
        YES._replace(scope="always", rules=(NEVER,)),
    ),
    "a rule for what is asked each time": (
        question_of("ls"),
        YES._replace(scope="session", rules=(EXACT._replace(answers=("it removes x",)),)),
    ),
    "rules with a no": (question_of("ls"), NO._replace(rules=(EXACT,))),
    "a no for good that allows": (question_of("ls"), NO._replace(scope="project", rules=(EXACT,))),
    "a no for the session": (question_of("ls"), NO._replace(scope="session", rules=(NEVER,))),
    "a no for good to a whole tool": (
        question_of("ls"),
        NO._replace(scope="always", rules=(NEVER._replace(words=(), line=None),)),
    ),
    "an edit with a never": (question_of("ls"), NO._replace(scope="always", rules=(NEVER,), edited="rm")),
    "an edit with a yes": (question_of("ls"), YES._replace(edited="rm")),
}


@pytest.mark.parametrize("fault", NOT_OFFERED)
def test_an_answer_that_keeps_what_was_not_offered_is_none(directory, fault):
    said, told = answered(approver_of(directory), *NOT_OFFERED[fault])
    assert said is None
    assert "does not offer" in told


def test_an_answer_of_an_unknown_scope_is_none(directory):
    said, told = answered(approver_of(directory), question_of("ls"), YES._replace(scope="ever", rules=(EXACT,)))
    assert said is None
    assert "answer.scope is not one of once, session, task, project, always" in told


def test_an_answer_is_seen_at_once(directory, asker):
    """In milliseconds, for nobody looks for it now and then; the best of five, for the machine may be busy."""
    process, times = asker(), []
    for number in range(5):
        process.ask(f"ls {number}")
        (entry,) = waiting(directory)
        began = time.monotonic()
        assert deliver(directory, entry, YES) == ""
        assert process.answer()[0] is True
        times.append(time.monotonic() - began)
    assert min(times) < 1


# ---- what is never an answer -----------------------------------------------------------------------------------------


def test_no_answer_in_time_is_a_no(directory):
    said = asyncio.run(approver_of(directory).ask(question_of("ls", patience=0.1)))
    assert (said.yes, said.by) == (False, "clock")
    (left,), _ = entries(directory)
    assert not left.waiting
    assert said.later == left.id


def test_a_question_that_ends_while_it_is_shown_was_not_answered_elsewhere(directory):
    """The gate is the first to see that the time is over."""
    said = []

    class Slow(ScriptedApprover):
        async def ask(self, question):
            await asyncio.Event().wait()

    async def run():
        task, entry = await asked(approver_of(directory), question_of("ls", patience=1))
        desk = Desk(directory, Slow(), lambda *_: None, patience=60, say=said.append, ending=lambda: False)
        assert not await desk.answer(entry.id)
        return entry.id, await task

    name, answer = asyncio.run(run())
    assert answer.by == "clock"
    assert said == [f"Question {name}: nobody answered in time, which means no."]


def test_only_the_first_of_two_answers_counts(directory):
    async def run():
        task, entry = await asked(approver := approver_of(directory), question_of("ls"))
        told = await asyncio.gather(*(given(directory, entry, NO) for _ in range(3)))
        assert (await task).yes is False
        assert sorted(map(bool, told)) == [False, True, True]
        approver.close()

    asyncio.run(run())


def test_an_answer_to_another_text_under_the_same_name_is_none(directory):
    """A question file that is replaced deceives the person; what they say then is not for the call that waits."""

    async def run():
        task, entry = await asked(approver := approver_of(directory), question_of("rm -rf /"))
        with_text("rm -rf /", "ls -l")(os.path.join(directory, f"{entry.id}.json"))
        shown = read(directory, entry.id)
        assert shown.question.request.command == "ls -l"
        assert "a different question" in await given(directory, shown, YES)
        assert not task.done()
        task.cancel()
        approver.close()

    asyncio.run(run())


def test_an_answer_from_a_command_that_asimi_runs_is_none(directory):
    approver = approver_of(directory, is_person=is_person)
    code = (
        "import sys; from asimi.core.call import Approval; d = sys.argv[1];"
        "from asimi.world.approvers.queue.answers import deliver;"
        "from asimi.world.approvers.queue.entries import entries;"
        "print(deliver(d, entries(d)[0][0], Approval(yes=True, by='x')))"
    )

    async def run():
        task, _ = await asked(approver, question_of("ls"))
        environ = {**os.environ, "ASIMI_CLI": "1"}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, directory, env=environ, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await process.communicate()
        assert b"a command that asimi runs" in out
        assert not task.done()
        task.cancel()
        approver.close()

    asyncio.run(run())


RAW = {
    "nothing": b"\n",
    "no JSON": b"yes\n",
    "another version": b'{"version": 2, "id": "I", "digest": "D", "answer": A}\n',
    "no version": b'{"id": "I", "digest": "D", "answer": A}\n',
    "no digest": b'{"version": 1, "id": "I", "answer": A}\n',
    "a wrong digest": b'{"version": 1, "id": "I", "digest": "d", "answer": A}\n',
    "another question": b'{"version": 1, "id": "aaaaaaaa", "digest": "D", "answer": A}\n',
    "a number for yes": b'{"version": 1, "id": "I", "digest": "D", "answer": {"yes": 1}}\n',
    "yes alone": b'{"version": 1, "id": "I", "digest": "D", "answer": {"yes": true}}\n',
    "no answer": b'{"version": 1, "id": "I", "digest": "D"}\n',
    "a list": b"[1]\n",
    "deep": b"[" * 100_000 + b"\n",
    "a half": b'{"version": 1',
}


@pytest.mark.parametrize("fault", RAW)
def test_what_is_no_answer_of_asimis_is_none(directory, fault):
    async def run():
        task, entry = await asked(approver := approver_of(directory), question_of("ls"))
        answer = json.dumps(plain(YES))
        line = RAW[fault].replace(b'"I"', f'"{entry.id}"'.encode()).replace(b'"D"', f'"{entry.digest}"'.encode())
        reader, writer = await connection(directory, entry)
        writer.write(line.replace(b"A}", answer.encode() + b"}"))
        writer.write_eof()
        assert b'"taken": true' not in await reader.read()
        writer.close()
        assert not task.done()
        task.cancel()
        approver.close()

    asyncio.run(run())


def test_an_answer_whose_giver_hung_up_is_none(directory, asker, monkeypatch):
    """A stopped process hears it when it goes on; by then the person was told that nothing came of it."""
    process = asker()
    process.ask("ls")
    (entry,) = waiting(directory)
    process.process.send_signal(signal.SIGSTOP)
    end = socket.socket(socket.AF_UNIX)
    monkeypatch.chdir(directory)
    end.connect(entry.socket)
    answer = json.dumps(plain(YES))
    end.sendall(f'{{"version": 1, "id": "{entry.id}", "digest": "{entry.digest}", "answer": {answer}}}\n'.encode())
    end.close()
    process.process.send_signal(signal.SIGCONT)
    until(lambda: "hears" if not deliver(directory, entry, NO) else None)
    assert process.answer()[0] is False


async def connection(directory, entry):
    """A connection to the one who waits, whatever the length of the path."""
    end = socket.socket(socket.AF_UNIX)
    folder = os.open(directory, os.O_PATH)
    end.connect(f"/proc/self/fd/{folder}/{entry.socket}")
    os.close(folder)
    return await asyncio.open_unix_connection(sock=end)


# ---- the files -------------------------------------------------------------------------------------------------------


def forge(directory, change):
    """A good question of a living process, changed by someone; what is then found of it."""

    async def run():
        task, entry = await asked(approver := approver_of(directory), question_of("ls"))
        change(os.path.join(directory, f"{entry.id}.json"))
        found = entries(directory)
        task.cancel()
        await asyncio.wait([task])
        approver.close()
        return found

    return asyncio.run(run())


def rewritten(**fields):
    def change(path):
        with open(path) as file:
            value = json.load(file)
        for name, each in fields.items():
            value[name] = each
        with open(path, "w") as file:
            json.dump(value, file)

    return change


def linked(path):
    os.rename(path, path + ".real")
    os.symlink(path + ".real", path)


def with_text(old, new):
    def change(path):
        with open(path) as file:
            text = file.read()
        assert old in text
        with open(path, "w") as file:
            file.write(text.replace(old, new))

    return change


def fifo(path):
    os.unlink(path)
    os.mkfifo(path, 0o600)


def directory_instead(path):
    os.unlink(path)
    os.mkdir(path, 0o700)


def list_instead(path):
    with open(path, "w") as file:
        file.write("[]")


def question_with(**fields):
    def change(path):
        with open(path) as file:
            value = json.load(file)
        value["question"]["request"].update(fields)
        with open(path, "w") as file:
            json.dump(value, file)

    return change


FORGED = {
    "open to the group": lambda path: os.chmod(path, 0o640),
    "writable for all": lambda path: os.chmod(path, 0o602),
    "a symbolic link": linked,
    "a FIFO": fifo,
    "a directory": directory_instead,
    "empty": lambda path: os.truncate(path, 0),
    "torn": lambda path: os.truncate(path, 40),
    "another version": rewritten(version=2),
    "version true": rewritten(version=True),
    "no version": rewritten(version=None),
    "another name": rewritten(id="aaaaaaaa"),
    "a field more": rewritten(answer="yes"),
    "a socket elsewhere": rewritten(socket="../gate-1-00000000.sock"),
    "a socket of another name": rewritten(socket="x"),
    "a number for a text": rewritten(socket=1),
    "from the future": rewritten(asked=time.time() + 1e6),
    "ended": rewritten(waiting=False, until=time.time() - 1),
    "ends never": rewritten(until="never"),
    "no question": rewritten(question=None),
    "a list": list_instead,
    "too long": lambda path: os.truncate(path, 100 << 20),
    "a command that is none": question_with(command=None),
    "arguments that are a text": question_with(arguments="rm"),
    "a strange field": question_with(really="rm"),
}


@pytest.mark.parametrize("fault", FORGED)
def test_a_question_that_asimi_did_not_write_so_is_not_shown(directory, fault):
    found, faults = forge(directory, FORGED[fault])
    assert found == []
    assert len(faults) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_question_of_another_user_is_not_shown(directory):
    found, faults = forge(directory, lambda path: os.chown(path, 12345, -1))
    assert found == []
    assert "12345" in faults[0]


DIRECTORIES = {
    "open to the group": lambda path: os.chmod(path, 0o750),
    "open to the group, above": lambda path: os.chmod(os.path.dirname(path), 0o770),
    "a symbolic link": linked,
}


@pytest.mark.parametrize("fault", DIRECTORIES)
def test_a_directory_that_others_may_enter_is_a_no(directory, fault):
    os.mkdir(directory, 0o700)
    DIRECTORIES[fault](directory)
    said = asyncio.run(approver_of(directory).ask(question_of("ls")))
    assert (said.yes, said.by) == (False, "nobody")
    assert "run" in said.note
    with pytest.raises(AsimiError):
        entries(directory)


NAMES = ["", "..", "../x", "a/b", "ABCDEFGH", "aaaaaaa", "aaaaaaaaa", "aaaaaaaa\n", "aaaaaaa\0"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_eight_letters_and_digits(directory, name):
    with pytest.raises(AsimiError, match="not the name"):
        read(directory, name)


# ---- a watch, or none ------------------------------------------------------------------------------------------------


def test_without_a_watch_the_call_is_refused_at_once_and_names_the_question(directory):
    approver = approver_of(directory, wait=False)
    said = asyncio.run(approver.ask(question_of("ls")))
    (entry,), _ = entries(directory)
    assert (said.yes, said.by, entry.waiting) == (False, "nobody", False)
    assert said.later == entry.id
    approver.close()


def test_without_a_session_nothing_is_left_behind(directory):
    said = asyncio.run(approver_of(directory, wait=False).ask(question_of("ls", session=False)))
    assert (said.yes, entries(directory)) == (False, ([], []))
    assert "asimi watch" in said.note


def test_with_a_watch_the_call_waits(directory):
    with WatchLock(directory):
        assert has_watch(directory)
        said, _ = answered(approver_of(directory, wait=False), question_of("ls"), YES)
    assert said.yes


def test_a_watch_that_was_killed_watches_no_more(directory):
    code = (
        "import sys; from asimi.world.approvers.queue.entries import WatchLock\n"
        "with WatchLock(sys.argv[1]): print(flush=True); input()"
    )
    process = subprocess.Popen([sys.executable, "-c", code, directory], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.readline()
    assert has_watch(directory)
    process.kill()
    process.communicate()
    assert not has_watch(directory)
    assert [name for name in os.listdir(directory) if name.endswith(".lock")]


def test_a_lock_file_that_nobody_holds_is_no_watch(directory):
    os.mkdir(directory, 0o700)
    with open(os.open(os.path.join(directory, "watch-1-00.lock"), os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
        file.write("1")
    assert not has_watch(directory)


def test_a_call_that_waited_for_a_watch_is_refused_when_it_ends(directory):
    async def run():
        with WatchLock(directory):
            task, entry = await asked(approver := approver_of(directory, wait=False), question_of("ls"))
            assert entry.waiting
        said = await task
        assert said.later == entry.id
        assert not read(directory, entry.id).waiting
        approver.close()

    asyncio.run(run())


# ---- late answers ----------------------------------------------------------------------------------------------------


def late(approver, question, answer):
    """What whoever answers a refused call is told, and what the same call is told when it is made again."""

    async def run():
        await approver.ask(question)
        (entry,), _ = entries(approver.directory)
        told = await given(approver.directory, entry, answer)
        return told, await approver.ask(question)

    told, again = asyncio.run(run())
    approver.close()
    return told, again


def test_a_late_yes_is_kept_for_exactly_that_call(directory):
    kept = []
    question = question_of("ls")
    told, _ = late(approver_of(directory, wait=False, remember=lambda *each: kept.append(each)), question, YES)
    ((approval, request),) = kept
    assert told == ""
    assert (approval.scope, approval.by, request) == ("session", "queue", question.request)
    assert approval.rules == (exact(question.request)._replace(kind="once", uses=1, answers=("not on coreTools",)),)


def test_a_late_yes_holds_once_where_nothing_else_may_be_kept(directory):
    kept = []
    question = question_of("ls", storable=False)
    told, _ = late(approver_of(directory, wait=False, remember=lambda *each: kept.append(each)), question, YES)
    ((approval, _),) = kept
    assert told == ""
    assert [(rule.line, rule.uses, rule.answers) for rule in approval.rules] == [("ls", 1, ("not on coreTools",))]


def test_a_late_no_changes_nothing(directory):
    told, again = late(approver_of(directory, wait=False), question_of("ls"), NO)
    assert (told, again.yes) == ("", False)


def test_the_same_call_is_the_same_question(directory):
    async def run():
        approver = approver_of(directory, wait=False)
        notes = {(await approver.ask(question_of("ls"))).note for _ in range(3)}
        assert len(notes) == len(entries(directory)[0]) == 1
        approver.close()

    asyncio.run(run())


def test_a_question_of_a_session_with_a_ticket_outlives_the_process(directory, asker):
    session = Session("name-x", "x", named=True)
    approver = approver_of(directory, wait=False, session=session)
    asyncio.run(approver.ask(question_of("ls")))
    approver.close()
    (entry,), _ = entries(directory)
    assert (entry.session, entry.socket) == (session, None)
    assert sweep(directory) == [entry.id]


# ---- kill -9, and many -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wait", [True, False], ids=["waiting", "refused"])
def test_a_question_whose_asker_was_killed_takes_no_answer(directory, asker, wait):
    process = asker(wait=wait)
    process.ask("ls")
    (entry,) = waiting(directory)
    process.process.kill()
    process.process.wait()
    assert "does not answer" in deliver(directory, entry, YES)
    killed_write(directory)
    assert sweep(directory) == []
    assert os.listdir(directory) == []


def test_nothing_is_left_of_an_answer_whose_giver_was_killed(directory, asker):
    """Whoever is killed while the dialog is shown has said nothing: the question still waits for someone else."""
    process = asker()
    process.ask("ls")
    (entry,) = waiting(directory)
    code = (
        "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]);"
        "s.send(b'{\"version\": 1, '); print(flush=True); time.sleep(99)"
    )
    other = subprocess.Popen([sys.executable, "-c", code, entry.socket], stdout=subprocess.PIPE, cwd=directory)
    other.stdout.readline()
    other.kill()
    other.communicate()
    assert [each.id for each in entries(directory)[0]] == [entry.id]
    assert deliver(directory, entry, NO) == ""
    assert process.answer()[0] is False


def test_a_process_that_took_the_number_of_a_dead_one_hears_nothing(directory, asker):
    """The socket's owner is compared with whoever asked: an answer is not given to somebody else."""
    process = asker()
    process.ask("ls")
    (entry,) = waiting(directory)
    assert "listens" in deliver(directory, entry._replace(pid=1), YES)


def test_a_thousand_questions_wait_side_by_side(directory):
    """Each gets its own answer: every third a yes."""

    async def run():
        approver = approver_of(directory)
        questions = [question_of(f"ls {number}") for number in range(1000)]
        tasks = {each.request.command: asyncio.ensure_future(approver.ask(each)) for each in questions}
        await eventually(lambda: os.path.isdir(directory) and len(os.listdir(directory)) == 1001)
        found, faults = await asyncio.to_thread(entries, directory)
        assert (len(found), faults) == (1000, [])

        def answer_all():
            return [deliver(directory, each, YES if third(each.question.request.command) else NO) for each in found]

        assert set(await asyncio.to_thread(answer_all)) == {""}
        for command, task in tasks.items():
            assert (await task).yes is third(command)
        approver.close()

    def third(command):
        return int(command.split()[1]) % 3 == 0

    asyncio.run(run())


def test_thirty_processes_ask_at_once(directory, asker):
    processes = {str(number): asker() for number in range(30)}
    for name, process in processes.items():
        process.ask(name)
    for entry in waiting(directory, 30):
        assert deliver(directory, entry, YES if int(entry.question.request.command) % 2 else NO) == ""
    for name, process in processes.items():
        assert process.answer()[0] is bool(int(name) % 2)


# ---- turns, notification ---------------------------------------------------------------------------------------------


def test_there_is_one_turn_at_a_time(directory):
    async def run():
        approver, inside = approver_of(directory), []

        async def one():
            async with approver.turn():
                inside.append(1)
                assert sum(inside) == 1
                await asyncio.sleep(0)
                inside.append(-1)

        await asyncio.gather(*(one() for _ in range(20)))

    asyncio.run(run())


def test_a_program_is_started_when_a_question_begins_to_wait(directory, tmp_path):
    out = tmp_path / "told"
    program = ("/bin/sh", "-c", f'printf "%s\\n" "$ASIMI_QUESTION" "$ASIMI_COMMAND" > {out}.new; mv {out}.new {out}')

    async def run():
        task, entry = await asked(approver := approver_of(directory, notify=program), question_of("ls \x1b"))
        await eventually(out.exists)
        assert out.read_text() == f"{entry.id}\nls <ESC>\n"
        task.cancel()
        approver.close()

    asyncio.run(run())


def test_a_program_that_cannot_be_started_changes_nothing(directory, capfd):
    said, _ = answered(approver_of(directory, notify=("/nowhere/at/all",)), question_of("ls"), YES)
    assert said.yes
    assert "session.notify" in capfd.readouterr().err


def test_an_answer_takes_as_long_as_it_took(directory):
    said, _ = answered(approver_of(directory), question_of("ls"), YES)
    assert 0 < said.seconds < PATIENCE


def test_a_time_that_is_written_as_a_whole_number_is_answered_like_any_other(directory):
    key = BY_NAME["session.ask_timeout"]
    question = question_of("echo one", patience=KINDS[key.kind](180, key))
    approval, why = answered(approver_of(directory), question, YES)
    assert (approval.yes, why) == (True, "")
