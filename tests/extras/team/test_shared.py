"""A copy of the shared policy counts by its signature, its team and its time; a machine's copy only goes forward."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from helpers.team import policy_by

from asimi.core.errors import AsimiError, ConfigError
from asimi.core.settings import Team
from asimi.extras.team.following import Follower
from asimi.extras.team.shared import Shared, counted, kept, shared_in
from asimi.extras.team.signing import ANSWER
from asimi.world.config.layer import layer_of
from asimi.world.host.places import SHARED

URL = "nats://127.0.0.1:4222"
TEXT = "# ours\nunlisted = 'reject'\n\n[[rules]]\ndecision = 'deny'\ncommand = 'rm'\n"


@pytest.fixture
def team(keys):
    return Team(URL, "build7", "/nowhere", administrators=(keys.signer("root"), keys.signer("deputy")))


@pytest.fixture
def publish(keys):
    def signed(text=TEXT, number=1, by="root", server=URL, **more):
        return policy_by(keys, by, text, number, server=server, **more)

    return signed


def test_a_copy_is_read_as_it_was_signed(publish):
    shared = publish()
    assert shared_in(shared.content) == shared
    assert shared.text == TEXT


@pytest.mark.parametrize("text", ["", "a = 1", "a = 1\r\n", "# asimi policy: revision 9\n", "x = '''\n# '''\n"])
def test_a_copy_of_any_text_is_the_text_its_line_and_its_signature(publish, text):
    shared = publish(text)
    assert shared_in(shared.content) == shared
    assert shared.text == (text if text.endswith("\n") else f"{text}\n")


def test_the_lines_of_a_copy_are_those_of_the_file(publish):
    content = publish().content
    assert content.startswith(TEXT.encode())
    assert [rule.source for rule in layer_of("F", "team", content).rules] == ["F:4"]


def test_a_copy_of_a_copy_says_so_in_its_own_line(publish, team):
    whole = publish().content.decode()
    again = publish(whole, 2)
    assert counted(again.content, team, time.time()).text == whole


def changed(old, new):
    return lambda content: content.replace(old, new)


# what somebody did to a copy, and why it does not count
FORGED = {
    "another text": (changed(b"rm", b"rx"), "is not one of root's key for exactly this"),
    "a rule less": (changed(b"'deny'", b"'ask'"), "is not one of root's key"),
    "a rule in front": (lambda content: b"unlisted = 'ask'\n" + content, "is not one of root's key"),
    "a line behind": (lambda content: content + b"coreTools = ['run_shell_command']\n", "not written and signed"),
    "a comment behind": (lambda content: content + b"# more\n", "not written and signed"),
    "a later revision": (changed(b"revision 1 ", b"revision 2 "), "is not one of root's key"),
    "a later end": (changed(b"until 2", b"until 3"), "is not one of root's key"),
    "another name": (changed(b"by root", b"by deputy"), "is not one of deputy's key"),
    "nobody's name": (changed(b"by root", b"by mallory"), "'mallory' is not one of the team's administrators"),
    "no signature": (lambda content: content[: content.index(b"# -----BEGIN")], "not written and signed"),
    "half a signature": (lambda content: content[:-200] + b"\n", "not written and signed"),
    "a signature of less": (changed(b"# U1NIU0lHAAAAAQ", b"# "), "is not one of root's key"),
    "half a file": (lambda content: content[: len(TEXT) // 2], "not written and signed"),
    "nothing": (lambda _: b"", "not written and signed"),
    "only the text": (lambda _: TEXT.encode(), "not written and signed"),
    "no text": (lambda content: content[len(TEXT) :], "is not one of root's key"),
    "bytes": (lambda content: b"\xff" + content, "not written and signed"),
    "another line's end": (changed(b"\n# asimi", b"\n\n# asimi"), "is not one of root's key"),
    "no day": (changed(b"from 2", b"from x"), "not written and signed"),
    "a day of its own spelling": (changed(b"Z until", b"+00:00 until"), "not written and signed"),
    "a second line of its kind": (
        lambda content: content + content[content.index(b"# asimi policy") :],
        "is not one of root's key",
    ),
}


@pytest.mark.parametrize(("change", "why"), FORGED.values(), ids=FORGED)
def test_what_was_changed_does_not_count(publish, team, change, why):
    content = publish().content
    assert counted(content, team, time.time()).text == TEXT
    with pytest.raises(AsimiError, match=why):
        counted(change(content), team, time.time())


def test_the_signature_of_somebody_else_does_not_count(publish, team):
    with pytest.raises(AsimiError, match="is not one of root's key"):
        counted(publish(key="mallory").content, team, time.time())


def test_an_approvers_signature_does_not_count(publish, team, keys):
    team = team._replace(approvers=(keys.signer("alice"),))
    with pytest.raises(AsimiError, match="'alice' is not one of the team's administrators"):
        counted(publish(by="alice").content, team, time.time())


def test_a_signature_for_something_else_does_not_count(publish, team):
    with pytest.raises(AsimiError, match="is not one of root's key"):
        counted(publish(namespace=ANSWER).content, team, time.time())


def test_a_revoked_administrators_policy_does_not_count(publish, team, keys):
    content = publish().content
    team = team._replace(revoked=(keys.signer("root").key,))
    with pytest.raises(AsimiError, match="the key of root was revoked"):
        counted(content, team, time.time())
    assert counted(publish(by="deputy").content, team, time.time()).revision.by == "deputy"


def test_the_policy_of_another_team_does_not_count(publish, team):
    content = publish(server="nats://127.0.0.1:4223").content
    with pytest.raises(AsimiError, match=r"the team of 'nats://127\.0\.0\.1:4223', not of nats://127\.0\.0\.1:4222"):
        counted(content, team, time.time())


def test_a_policy_ends(publish, team):
    shared = publish(lasts=60)
    assert counted(shared.content, team, shared.revision.until - 1) == shared
    with pytest.raises(AsimiError, match=r"it ended on 20.*Z; an administrator publishes it again"):
        counted(shared.content, team, shared.revision.until)


def test_a_program_of_that_name_on_path_does_not_say_what_counts(publish, team, tmp_path, monkeypatch):
    Path(tmp_path, "ssh-keygen").write_text("#!/bin/sh\nexit 0\n")
    Path(tmp_path, "ssh-keygen").chmod(0o755)
    content = publish(key="mallory").content
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(AsimiError, match="is not one of root's key"):
        counted(content, team, time.time())


# ---- a machine's copy ------------------------------------------------------------------------------------------------


class Machine:
    """The copy of one machine and what keeps it."""

    def __init__(self, team, directory):
        self.team, self.state, self.path = team, str(directory), directory / SHARED
        self.said = []
        check = lambda text, path: layer_of(path, "team", text.encode())  # noqa: E731
        self.follower = Follower(lambda: self.team, self.state, check, self.said.append)

    def takes(self, shared):
        return self.follower.take(shared.content if isinstance(shared, Shared) else shared)

    def kept(self, now=None):
        return kept(self.state, self.team, time.time() if now is None else now)


@pytest.fixture
def machine(team, tmp_path):
    return Machine(team, tmp_path / "state")


def test_a_machine_keeps_what_counts_for_itself_alone(machine, publish):
    assert "the team's policy here is revision 1 by root, until 2" in machine.takes(publish())
    assert machine.kept() == publish(since=machine.kept().revision.since)
    assert machine.path.stat().st_mode & 0o777 == 0o600


def test_a_newer_revision_takes_the_place_of_an_older_one(machine, publish):
    machine.takes(publish())
    machine.takes(publish("unlisted = 'ask'", 5, by="deputy"))
    assert (machine.kept().revision.number, machine.kept().text) == (5, "unlisted = 'ask'\n")


# what a server has, behind revision 3: its content, and why it is not taken
NOT_TAKEN = {
    "an older revision": (lambda publish: publish(number=2), "is revision 2, and 3 is kept here; a policy never goes"),
    "the same revision with another text": (lambda publish: publish("a", 3), "is revision 3, and 3 is kept here"),
    "no copy": (lambda _: TEXT.encode(), "not written and signed"),
    "a forged one": (lambda publish: publish(number=4, key="mallory"), "is not one of root's key"),
    "one that has ended": (lambda publish: publish(number=4, since=1e9), "it ended on 2001-09-09"),
    "another team's": (lambda publish: publish(number=4, server="nats://127.0.0.1:1"), "it is the policy of the team"),
    "no configuration": (lambda publish: publish("unlistet = 1", 4), "did you mean 'unlisted'"),
    "one about the team": (lambda publish: publish("[team]\nmachine = 'x'", 4), "administrator's file alone"),
    "one that is too long": (lambda publish: publish("#" * (1 << 21), 4), "longer than"),
}


@pytest.mark.parametrize(("other", "why"), NOT_TAKEN.values(), ids=NOT_TAKEN)
def test_what_does_not_count_is_not_taken(machine, publish, other, why):
    machine.takes(publish(number=3))
    before = machine.path.read_bytes()
    with pytest.raises(AsimiError, match=why):
        machine.takes(other(publish))
    assert machine.path.read_bytes() == before


def test_what_was_kept_and_counts_no_more_holds_nothing_up(machine, publish, keys):
    machine.takes(publish(number=9))
    machine.team = machine.team._replace(revoked=(keys.signer("root").key,))
    with pytest.raises(ConfigError, match="the key of root was revoked"):
        machine.kept()
    machine.takes(publish(number=2, by="deputy"))
    assert machine.kept().revision.number == 2


def test_a_revision_that_has_ended_still_does_not_go_back(machine, publish):
    machine.path.write_bytes(publish(number=9, since=1e9).content)
    machine.path.chmod(0o600)
    with pytest.raises(ConfigError, match="it ended on 2001-09-09"):
        machine.kept()
    with pytest.raises(AsimiError, match="is revision 8, and 9 is kept here"):
        machine.takes(publish(number=8))
    machine.takes(publish(number=10))
    assert machine.kept().revision.number == 10


@pytest.mark.parametrize("content", [b"", b"x", TEXT.encode(), None])
def test_a_machine_without_a_copy_that_counts_says_what_to_do(machine, publish, content):
    if content is not None:
        machine.path.write_bytes(content)
        machine.path.chmod(0o600)
    with pytest.raises(ConfigError, match=r"team-policy\.toml: .*nothing runs without it.*`asimi relay`"):
        machine.kept()
    machine.takes(publish())
    assert machine.kept().text == TEXT


def test_a_copy_that_others_can_write_does_not_count(machine, publish):
    machine.takes(publish())
    machine.path.chmod(0o606)
    with pytest.raises(AsimiError, match="open to other users"):
        machine.kept()
