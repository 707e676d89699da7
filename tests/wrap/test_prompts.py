"""Whether an agent starts without its own prompts: by what was heard of its hook, and what forbids it."""

from __future__ import annotations

import json
import os

import pytest
from helpers import PATIENCE
from helpers.leaving import Office
from helpers.sandboxes import skip

from asimi.doors.wrap.hooked import prompts_of
from asimi.world.box.groups import Person
from asimi.world.box.hook_evidence import COMMAND, FILE, KINDS, note, unheard_kinds, version_of
from asimi.world.box.profiles import names, profile_of
from asimi.world.executors.confining.ability import lacking_bubblewrap


@pytest.fixture
def started(tmp_path):
    """How an agent starts whose hook was heard, by a person with a home of their own."""
    state = str(tmp_path / "state")

    def of(agent, *given, heard=KINDS, keep=False, superuser=False, version="1", **changes):
        note(state, agent, "1", heard)
        profile = profile_of(agent)._replace(**changes)
        person = Person(str(tmp_path), str(tmp_path), {"HOME": str(tmp_path)}, "/a project")
        return prompts_of(profile, given, person, state, version, keep=keep, superuser=superuser)

    return of


@pytest.mark.parametrize("agent", [name for name in names() if profile_of(name).unasked])
def test_an_agent_whose_hook_was_heard_asks_nothing(started, agent):
    words, kept, given = started(agent)
    assert given == profile_of(agent).granted
    assert kept == ""
    assert len(words) == len(profile_of(agent).unasked)
    assert "{root}" not in " ".join(words)
    assert started(agent, "-x", "go").words == (*words, "-x", "go")


@pytest.mark.parametrize(
    ("heard", "missing"),
    [((), "a command and a file tool"), ((COMMAND,), "a file tool"), ((FILE,), "a command")],
)
def test_an_agent_keeps_its_prompts_until_its_hook_was_heard_for_both(started, heard, missing):
    assert started("codex", "go", heard=heard)[:2] == (
        ("go",),
        f"the hook of this version has not yet asked asimi about {missing}",
    )


def test_another_version_is_heard_anew(started):
    assert "not yet asked" in started("codex", version="2").kept
    assert started("codex", version="").kept == ""  # without a hook, its start says so elsewhere


def test_root_keeps_them(started):
    assert started("codex", "go", superuser=True)[:2] == (("go",), "you are root")


def test_what_its_person_chooses_counts(started):
    assert started("codex", "go", keep=True)[:2] == (("go",), "")
    assert started("gemini-cli", "--approval-mode=plan")[:2] == (("--approval-mode=plan",), "")
    assert started("claude-code", "--permission-mode", "plan").words == ("--permission-mode", "plan")


def test_subcommands_that_take_no_such_words_get_none(started):
    assert started("opencode", "run", "go").words == ("run", "--auto", "go")
    assert started("opencode", "auth", "login").words == ("auth", "login")


@pytest.mark.parametrize(
    ("wanted", "there", "forbidden"),
    [
        (True, {"a": {"b": True}}, True),
        (True, {"a": {"b": False}}, False),
        (True, {}, False),
        ("never", {"a": {"b": ["on-request"]}}, True),
        ("never", {"a": {"b": ["on-request", "never"]}}, False),
    ],
)
def test_a_managed_file_that_forbids_it_is_obeyed(started, tmp_path, wanted, there, forbidden):
    path = tmp_path / "managed.json"
    path.write_text(json.dumps(there))
    kept = started("codex", forbids={f"{path} a.b": wanted}).kept
    assert kept == (f"{path} says so (a.b)" if forbidden else "")


@pytest.mark.parametrize(
    ("agent", "path"),
    [
        ("copilot-cli", ".github/hooks/off.json"),
        ("gemini-cli", ".gemini/settings.json"),
        ("qwen-code", ".qwen/settings.json"),
    ],
)
def test_a_file_of_the_project_that_switches_the_hook_off_is_told(started, tmp_path, monkeypatch, agent, path):
    (tmp_path / "project" / path).parent.mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")
    assert started(agent).kept == ""
    (tmp_path / "project" / path).write_text('{"disableAllHooks": true, "hooksConfig": {"enabled": false}}')
    assert f"{tmp_path}/project/{path}" in started(agent).kept


def test_what_was_heard_is_kept_until_a_session_hears_nothing(tmp_path):
    state = str(tmp_path)
    note(state, "codex", "1", {COMMAND})
    note(state, "codex", "1", {FILE})
    note(state, "qwen-code", "1", KINDS)
    assert unheard_kinds(state, "codex", "1") == []
    note(state, "codex", "1", ())
    assert unheard_kinds(state, "codex", "1") == [*KINDS]
    note(state, "codex", "1", {FILE})
    note(state, "codex", "2", {COMMAND})
    assert unheard_kinds(state, "codex", "2") == [FILE]
    assert unheard_kinds(state, "qwen-code", "1") == []
    assert os.stat(tmp_path / "heard.json").st_mode & 0o777 == 0o600


def test_a_program_that_is_installed_again_is_another_version(tmp_path):
    program, link = tmp_path / "program", tmp_path / "link"
    program.write_text("one")
    link.symlink_to(program)
    before = version_of(str(link), "hook")
    assert version_of(str(program), "hook") == before
    assert version_of(str(program), "another hook") != before
    times = os.stat(program)
    other = tmp_path / "other"
    other.write_text("two")
    os.utime(other, ns=(times.st_atime_ns, times.st_mtime_ns))
    other.rename(program)
    assert version_of(str(program), "hook") != before


CALLS = """
tell(sys.argv[1:-1])
hook("true")
subprocess.run(["sh", "-c", HOOK], input=json.dumps(SENT | {"tool_name": "apply_patch", "tool_input": {"command":
    "*** Begin Patch\\n*** Add File: new\\n+x\\n*** End Patch\\n"}}), text=True, check=True, stdout=sys.stderr)
"""


def test_a_start_without_prompts_follows_one_that_heard_the_hook():
    if fault := lacking_bubblewrap():
        skip(fault)
    office = Office(nobody=True)
    office.write(office.root / "agent.py", CALLS)
    words, said = [], []
    try:
        for _ in range(2):
            out, err = office.asimi("wrap", "codex", "agent.py").communicate(timeout=PATIENCE)
            words.append(json.loads(out))
            said.append(err)
        files = [line["files"][0]["path"] for line in office.log() if line["event"] == "file"]
    finally:
        office.end()
    told = "Codex CLI keeps its own prompts, because the hook of this version has not yet asked asimi"
    assert [told in err for err in said] == [True, False], said
    assert ["approval_policy=never" in each for each in words] == [False, True]
    assert files == ["new"] * 2
