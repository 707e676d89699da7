"""What was said yes to holds where it was said, for as long as it was said, and nowhere else."""

import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.killed import killed_write

from asimi.core.call import Approval, Place, Request, Session, Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.breaker import digest_of
from asimi.core.judging.rules import Rule
from asimi.core.settings import MAX_AGE
from asimi.world.approvals import MemoryApprovals
from asimi.world.approvals.sessions import agent_session, session_of
from asimi.world.approvals.tickets import (
    MOST,
    TicketApprovals,
    all_refusals,
    forget,
    lift,
    refusals_of,
    root_of_session,
    tickets,
)

ROOT = str(Path(__file__).parents[1])
PREFIX = Rule(Verdict.ALLOW, "run_shell_command", (("npm",), ("test", "run")), "run_shell_command(npm test|run)")
READS = Rule(Verdict.ALLOW, "run_shell_command", (), "everything that only reads", effects=("read",))
EXACT = Rule(Verdict.ALLOW, "run_shell_command", None, "exactly", line="a\n\udc80 b", directory="/srv", below=False)
REQUEST = Request("run_shell_command", "npm test", None, Place("/srv", "/srv", inside=True))


def answer(*rules, scope="session", by="terminal"):
    return Approval(yes=True, by=by, scope=scope, rules=rules)


def plain(rules):
    return [rule._replace(kind="list", source=None) for rule in rules]


class Kept(list):
    """What was kept for good; `projects` says of each time whether it was for one project."""

    def __init__(self):
        self.projects = []

    def __call__(self, rules, *, project, by):
        self.extend(rules)
        self.projects.append(project)
        assert by == "terminal"


@pytest.fixture
def always():
    return Kept()


@pytest.fixture
def directory(tmp_path):
    return str(tmp_path / "run" / "asimi")


@pytest.fixture
def ticket(directory, always):
    """Makes the approvals of a session in a project."""

    def make(name="one", root="/srv", **more):
        return TicketApprovals(directory, session_of(name), root, always, **more)

    return make


class TestMemory:
    def test_what_was_approved_for_the_session_holds(self, always):
        approvals = MemoryApprovals(always)
        assert list(approvals.rules()) == []
        approvals.remember(answer(PREFIX), REQUEST)
        approvals.remember(answer(PREFIX, EXACT), REQUEST)
        assert plain(approvals.rules()) == [PREFIX, EXACT]
        assert {rule.kind for rule in approvals.rules()} == {"session"}
        assert always == []

    def test_what_was_approved_once_is_not_kept(self, always):
        approvals = MemoryApprovals(always)
        approvals.remember(answer(PREFIX, scope="once"))
        assert list(approvals.rules()) == always == []

    def test_what_was_approved_for_good_is_handed_on(self, always):
        approvals = MemoryApprovals(always)
        approvals.remember(answer(PREFIX, scope="always"))
        approvals.remember(answer(EXACT, scope="project"))
        assert list(approvals.rules()) == []
        assert (always, always.projects) == ([PREFIX, EXACT], [False, True])

    def test_without_a_session_nothing_is_kept(self, always):
        approvals = MemoryApprovals(always, session=False)
        assert not approvals.session
        with pytest.raises(AsimiError, match="no session"):
            approvals.remember(answer(PREFIX))
        approvals.remember(answer(PREFIX, scope="always"))
        assert always == [PREFIX]

    def test_an_approval_ends_with_its_rule_and_with_its_age(self, always):
        approvals = MemoryApprovals(always, max_age=1000)
        now = time.time()
        approvals.remember(answer(PREFIX._replace(expires=now - 1), EXACT._replace(expires=now + 10)))
        (held,) = approvals.current_approvals()
        assert held.until == now + 10
        aged = MemoryApprovals(always, max_age=0)
        aged.remember(answer(PREFIX))
        assert list(aged.rules()) == []

    def test_what_is_held_says_from_which_question(self, always):
        approvals = MemoryApprovals(always)
        approvals.remember(answer(PREFIX), REQUEST)
        (held,) = approvals.current_approvals()
        assert (held.question, held.by, held.until) == ("npm test", "terminal", None)
        assert abs(held.since - time.time()) < 60
        assert approvals.forget() == 1
        assert list(approvals.rules()) == []


COUNTED = PREFIX._replace(uses=2)


@pytest.mark.parametrize("kind", ["memory", "ticket"])
def test_an_approval_for_a_number_of_calls_holds_for_so_many(always, ticket, kind):
    approvals = MemoryApprovals(always) if kind == "memory" else ticket()
    approvals.remember(answer(COUNTED, EXACT), REQUEST)
    approvals.spend([rule for rule in approvals.rules() if rule.uses])
    assert [rule.uses for rule in approvals.rules()] == [1, None]
    approvals.spend([rule for rule in approvals.rules() if rule.uses])
    assert plain(approvals.rules()) == [EXACT]


def test_the_last_use_cannot_be_used_twice_by_two_processes(ticket):
    one, two = ticket(), ticket()
    one.remember(answer(PREFIX._replace(uses=1)), REQUEST)
    same = two.rules()
    one.spend(one.rules())
    with pytest.raises(AsimiError, match="just used"):
        two.spend(same)


class TestTickets:
    def test_another_process_of_the_session_sees_it(self, ticket, always):
        first, second = ticket(), ticket()
        assert list(second.rules()) == []
        first.remember(answer(PREFIX, EXACT, READS), REQUEST)
        assert plain(second.rules()) == plain(ticket().rules()) == [PREFIX, EXACT, READS]
        first.remember(answer(PREFIX, scope="always"))
        first.remember(answer(EXACT, scope="project"))
        assert (always, always.projects) == ([PREFIX, EXACT], [False, True])

    def test_another_session_or_project_does_not(self, ticket):
        ticket().remember(answer(PREFIX))
        assert list(ticket("two").rules()) == list(ticket(root="/elsewhere").rules()) == []

    def test_names_that_look_alike_are_different_sessions(self, ticket):
        names = ["a/b", "a b", "a%2F.b", "..", ".", "ä", "A", "a" * 190]
        for name in names:
            ticket(name).remember(answer(PREFIX))
        assert len({ticket(name)._path for name in names}) == len(names)
        assert len({each.session for each in tickets(os.path.dirname(ticket()._path))}) == len(names)

    @pytest.mark.parametrize("name", ["", "x" * 300])
    def test_a_name_must_be_one(self, name):
        with pytest.raises(AsimiError, match="session"):
            session_of(name)

    def test_it_holds_no_longer_than_the_age_of_a_session(self, ticket):
        ticket().remember(answer(PREFIX))
        assert len(ticket().rules()) == 1
        assert list(ticket(max_age=0).rules()) == []

    def test_it_ends_when_its_rule_does(self, ticket):
        ticket().remember(answer(PREFIX._replace(expires=time.time() - 1), EXACT))
        assert [rule.line for rule in ticket().rules()] == [EXACT.line]

    def test_it_cannot_come_from_the_future(self, ticket):
        ticket().remember(answer(PREFIX))
        path = Path(ticket()._path)
        document = json.loads(path.read_text())
        document["approvals"][0]["since"] += 1e6
        document["approvals"][0]["until"] += 1e6
        path.write_text(json.dumps(document))
        assert list(ticket().rules()) == []

    @pytest.mark.parametrize("by", ["flag", "policy", "nobody"])
    def test_only_a_person_approves_for_several_processes(self, ticket, by):
        with pytest.raises(AsimiError, match="person"):
            ticket().remember(answer(PREFIX, by=by))
        assert list(ticket().rules()) == []

    def test_what_is_held_is_listed_and_forgotten(self, ticket, directory):
        ticket("one").remember(answer(PREFIX), REQUEST)
        ticket("two", root="/elsewhere").remember(answer(EXACT))
        one, two = tickets(directory)
        assert (one.session, one.root, one.question, one.by) == ("one", "/srv", "npm test", "terminal")
        assert (two.session, two.root) == ("two", "/elsewhere")
        assert one.until - one.since == pytest.approx(8 * 3600)
        assert ticket("one").forget() == 1
        assert [each.session for each in tickets(directory)] == ["two"]
        assert forget(directory) == 1
        assert tickets(directory) == []

    def test_what_cannot_be_believed_is_forgotten_and_counts_as_one(self, ticket, directory):
        ticket().remember(answer(PREFIX))
        Path(ticket()._path).write_text("[1]")
        assert forget(directory) == 1
        assert tickets(directory) == []

    def test_a_session_that_was_forgotten_keeps_to_its_project_and_what_was_refused(self, ticket, directory):
        terminal = Session("tty-x", "terminal x", named=False)
        for session in (session_of("one"), terminal):
            TicketApprovals(directory, session, "/srv", print).remember(answer(PREFIX))
        assert root_of_session(directory, session_of("one"), "/srv") == "/srv"
        refusals_of(directory, terminal, "/srv").refuse(["delete /srv/x"], REQUEST)
        assert forget(directory) == 2
        assert tickets(directory) == []
        assert root_of_session(directory, session_of("one"), "/other") == "/srv"
        assert [each.times for each in refusals_of(directory, terminal, "/srv").past_refusals()] == [1]

    def test_a_running_process_notices_that_it_was_forgotten(self, ticket, directory):
        running = ticket()
        running.remember(answer(PREFIX))
        assert len(running.rules()) == 1
        forget(directory)
        assert list(running.rules()) == []

    def test_files_are_private(self, ticket, directory):
        ticket().remember(answer(PREFIX))
        assert oct(os.stat(directory).st_mode & 0o777) == "0o700"
        assert {oct(os.stat(os.path.join(directory, name)).st_mode & 0o777) for name in os.listdir(directory)} == {
            "0o600"
        }

    def test_what_older_sessions_left_is_deleted(self, ticket, directory):
        ticket("old").remember(answer(PREFIX))
        for name in os.listdir(directory):
            os.utime(os.path.join(directory, name), (1, 1))
        killed = killed_write(directory)
        ticket("new").remember(answer(PREFIX))
        names = sorted(name for name in os.listdir(directory) if name.startswith("session-"))
        assert names == ["session-name-new.json", "session-name-new.json.lock"]
        assert not [*filter(os.path.exists, killed)]

    def test_many_writers_lose_nothing(self, directory):
        program = (
            "import sys; from asimi.world.approvals.sessions import *; from asimi.world.approvals.tickets import *\n"
            "from asimi.core.call import *\n"
            "from asimi.core.judging.rules import Rule\n"
            "directory, name = sys.argv[1:]\n"
            "tickets = TicketApprovals(directory, session_of('s'), '/', print)\n"
            "for i in range(20):\n"
            "    rule = Rule(Verdict.ALLOW, None, ((name,), (str(i),)), 'e')\n"
            "    tickets.remember(Approval(yes=True, by='terminal', scope='session', rules=(rule,)))\n"
        )
        writers = [
            subprocess.Popen([sys.executable, "-c", program, directory, f"w{each}"], cwd=ROOT) for each in range(5)
        ]
        assert [each.wait(120) for each in writers] == [0] * 5
        assert len(tickets(directory)) == 100


FORGED = {
    "world-writable": lambda path: path.chmod(0o666),
    "readable by others": lambda path: path.chmod(0o644),
    "a link": lambda path: (path.rename(path.with_name("x")), path.symlink_to("x")),
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path, 0o600)),
    "a directory": lambda path: (path.unlink(), path.mkdir(0o700)),
    "empty": lambda path: path.write_text(""),
    "no ticket": lambda path: path.write_text("[1]"),
    "no fields": lambda path: path.write_text('{"version": 1, "approvals": [{}]}'),
    "newer": lambda path: path.write_text('{"version": 2}'),
    "in an open directory": lambda path: path.parent.chmod(0o755),
    "foreign": lambda path: os.chown(path, 12345, 12345),
    "in a foreign directory": lambda path: os.chown(path.parent, 12345, 12345),
}


@pytest.mark.parametrize("how", FORGED)
def test_a_ticket_that_could_be_forged_is_refused(ticket, directory, how):
    if "foreign" in how and os.geteuid() != 0:
        pytest.skip("only root can give files away")
    ticket().remember(answer(PREFIX))
    FORGED[how](Path(ticket()._path))
    with pytest.raises(AsimiError, match=directory):
        ticket().rules()
    with pytest.raises(AsimiError):
        ticket().remember(answer(EXACT))
    with pytest.raises(AsimiError):
        tickets(directory)


PROC, PS = "session_of(None)", "_terminal_session_by_ps()"
"""How the session of a terminal is found, here and where there is no `/proc`."""


def session_in_a_terminal(way=PROC, within=""):
    """What a way says in a new terminal, led by a new shell; a second process says it as well."""
    code = f"import asimi.world.approvals.sessions; print(asimi.world.approvals.sessions.{way}, flush=True)"
    leader, terminal = pty.fork()
    if leader == 0:
        os.chdir(ROOT)
        os.environ["P"] = code
        os.execv("/bin/sh", ["sh", "-c", f'{within} {sys.executable} -c "$P"; {sys.executable} -c "$P"; echo .'])
    said = b""
    while True:
        try:
            said += os.read(terminal, 4096)
        except OSError:
            break
        if not said or said.endswith(b".\r\n"):
            break
    os.close(terminal)
    os.waitpid(leader, 0)
    return said.decode().split("\r\n")[:2]


@pytest.mark.parametrize("way", [PROC, PS])
def test_a_terminals_session_is_the_same_for_its_processes_and_another_in_another_terminal(way):
    first, second = session_in_a_terminal(way)
    assert first == second
    assert re.match(r"Session\(key='tty-\w+(?:-\w+){3,}', label='terminal ", first)
    assert session_in_a_terminal(way)[0] != first


def test_a_terminal_whose_leader_is_not_seen_has_no_session():
    within = "unshare --pid --fork --mount-proc"
    if subprocess.run(["sh", "-c", f"{within} true"], capture_output=True, check=False).returncode:
        pytest.skip("this user makes no namespace of processes")
    hidden, seen = session_in_a_terminal(within=within)
    assert hidden == "None"
    assert seen.startswith("Session(")


@pytest.mark.parametrize("way", [PROC, PS])
def test_without_a_terminal_there_is_no_session(way):
    code = f"import asimi.world.approvals.sessions; print(asimi.world.approvals.sessions.{way})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, start_new_session=True
    )
    assert done.stdout == "None\n"


def test_a_name_stands_in_place_of_the_terminal():
    assert session_of("work") == Session("name-work", "work", named=True)


class TestRefusals:
    @pytest.fixture
    def counting(self, directory):
        """Counts refusals, and tells how often something was refused."""

        def make(session="one", root="/srv"):
            named = agent_session("codex", session) if session.startswith("hook ") else session_of(session)
            return refusals_of(directory, named, root)

        return make

    def times(self, refusals, fingerprint="delete /srv/x"):
        return {each.digest: each.times for each in refusals.past_refusals()}.get(digest_of(fingerprint), 0)

    def test_no_intent_is_kept_as_text_since_it_may_hold_a_secret(self, directory):
        counting = refusals_of(directory, session_of("one"), "/srv", lambda _: "psql HIDDEN")
        counting.refuse(["publish psql hunter2"], REQUEST)
        kept = "".join(path.read_text() for path in Path(directory).rglob("*") if path.is_file())
        assert "psql HIDDEN" in kept
        assert "hunter2" not in kept

    def test_they_count_in_their_session_and_project_alone(self, counting):
        for _ in range(2):
            counting().refuse(["delete /srv/x", "delete /srv/y"], REQUEST)
        assert self.times(counting()) == 2
        assert self.times(counting("two")) == self.times(counting(root="/other")) == 0

    @pytest.mark.parametrize(("kind", "other"), [("hook ", "name "), ("name ", "hook ")])
    def test_all_sessions_that_their_caller_names_count_a_third(self, counting, kind, other):
        for number in range(7):
            counting(f"{kind}{number}").refuse(["delete /srv/x"], REQUEST)
        assert self.times(counting(f"{kind}1")) == self.times(counting(f"{kind}new")) == 2
        assert self.times(counting(f"{kind}new", root="/other")) == self.times(counting(f"{other}1")) == 0

    def test_what_was_refused_stays_beside_what_was_approved(self, counting, ticket, directory):
        approvals = ticket()
        approvals.remember(answer(PREFIX), REQUEST)
        counting().refuse(["delete /srv/x"], REQUEST)
        approvals.remember(answer(EXACT), REQUEST)
        assert plain(approvals.rules()) == [PREFIX, EXACT]
        assert forget(directory, session_of("one")) == 2
        assert self.times(counting()) == 1
        assert lift(directory, session_of("two")) == 0
        assert lift(directory, session_of("one")) == 1
        assert self.times(counting()) == 0

    def test_a_yes_ends_the_count_of_that_alone(self, counting):
        refusals = counting("hook 1")
        refusals.refuse(["delete /srv/x", "delete /srv/y"], REQUEST)
        counting("hook 2").forget_refusals(["delete /srv/x"])
        assert (self.times(refusals), self.times(refusals, "delete /srv/y")) == (0, 1)

    def test_a_flood_drives_out_nothing_that_was_refused_more_often(self, counting, directory):
        for _ in range(3):
            counting().refuse(["delete /srv/x"], REQUEST)
        for first in range(0, 4 * MOST, 64):
            counting().refuse([f"delete /srv/{first + number}" for number in range(64)], REQUEST)
        assert self.times(counting()) == 3
        assert len(all_refusals(directory)) == MOST
        long = REQUEST._replace(command="x" * 100_000)
        counting().refuse([f"{number} {'y' * 250}" for number in range(2 * MOST)], long)
        assert max(each.stat().st_size for each in Path(directory).iterdir()) < MOST * 1600

    def test_they_are_forgotten_after_a_while_and_not_because_a_clock_goes_back(self, counting, monkeypatch):
        now = time.time()
        counting().refuse(["delete /srv/x"], REQUEST)
        monkeypatch.setattr(time, "time", lambda: now - 1e6)
        assert self.times(counting()) == 1
        monkeypatch.setattr(time, "time", lambda: now + MAX_AGE - 10)
        assert self.times(counting()) == 1
        monkeypatch.setattr(time, "time", lambda: now + MAX_AGE + 10)
        assert self.times(counting()) == 0

    def test_a_ticket_of_an_older_asimi_is_read(self, ticket, directory):
        ticket().remember(answer(PREFIX), REQUEST)
        path = Path(directory) / "session-name-one.json"
        old = json.loads(path.read_text())
        del old["refused"]
        path.write_text(json.dumps(old | {"version": 1}))
        assert plain(ticket().rules()) == [PREFIX]
        assert all_refusals(directory) == []
