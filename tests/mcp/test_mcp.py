"""`asimi mcp`, driven over standard input and output by the SDK's own client, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import time

import pytest

pytest.importorskip("mcp_types", reason="the MCP SDK is not installed: pip install 'asimi[mcp]'")

from helpers.guarded import GUARDED
from helpers.mcp import ServedHome
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, InputRequiredResult

ONCE = ElicitResult(action="accept", content={"decision": "run_once"})
SESSION = ElicitResult(action="accept", content={"decision": "allow_for_session"})
NEVER = ElicitResult(action="accept", content={"decision": "never"})
NO = [
    (ElicitResult(action="decline"), "Refused by the person"),
    (ElicitResult(action="cancel"), "closed unanswered"),
    (ElicitResult(action="accept", content={"decision": "deny", "message": "use -s"}), "use -s"),
]
UNDECIDED = [
    ElicitResult(action="accept"),
    *(ElicitResult(action="accept", content=each) for each in ({}, {"message": "yes"})),
    *(ElicitResult(action="accept", content={"decision": each}) for each in ("always", "", True, ["run_once"])),
]


def run(test):
    return asyncio.run(asyncio.wait_for(test, 100))


async def shell(client, command, **options):
    return await client.call_tool("run_shell_command", {"command": command}, **options)


def test_the_tools_are_declared_with_schemas_and_hints(home, era):
    async def test():
        async with home.inside(era) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}

    tools = run(test())
    assert [*tools] == [
        "run_shell_command",
        "execute_command",
        "list_background_jobs",
        "read_background_job",
        "end_background_job",
        "propose_task",
    ]
    for tool in tools.values():
        assert tool.input_schema["type"] == tool.output_schema["type"] == "object"
        assert tool.annotations is not None
    assert tools["run_shell_command"].annotations.destructive_hint
    assert tools["list_background_jobs"].annotations.read_only_hint


def test_an_allowed_command_runs_and_its_result_is_structured(home, era):
    async def test():
        async with home.started(era) as client:
            shell_result = await shell(client, "echo hi; echo there >&2; false")
            return shell_result, await client.call_tool("execute_command", {"command": "echo", "args": ["a  b"]})

    (first, second) = run(test())
    assert not first.is_error
    assert [first.structured_content[key] for key in ("stdout", "stderr", "exitCode")] == ["hi\n", "there\n", 1]
    assert second.structured_content == {"stdout": "a  b\n", "stderr": "", "return_code": 0, "timed_out": False}
    assert not home.asked


def test_a_denied_command_is_refused_and_nobody_is_asked(home, era):
    async def test():
        async with home.inside(era) as client:
            return await shell(client, "rm -rf x")

    result = run(test())
    assert result.is_error
    assert "run_shell_command(rm) forbids" in result.structured_content["error"]
    assert not home.asked


def test_a_wrong_parameter_is_refused_by_its_name(home, era):
    async def test():
        async with home.inside(era) as client:
            return await client.call_tool("run_shell_command", {"command": "echo", "timeout": 5})

    assert "timeout" in run(test()).structured_content["error"]


def test_a_question_is_shown_whole_and_yes_runs_the_command_once(home, era):
    async def test():
        home.answers += [ONCE, NO[0][0]]
        async with home.started(era) as client:
            yes = await client.call_tool("run_shell_command", {"command": "uname -s", "description": "Look\x1b[8m"})
            return yes, await shell(client, "uname -s")

    yes, no = run(test())
    assert yes.structured_content["stdout"] == os.uname().sysname + "\n"
    assert no.is_error
    message = home.asked[0].message
    assert "\n  uname -s\n" in message
    assert "is not on coreTools" in message
    assert "\x1b" not in message
    start = next(line for line in home.log() if line["event"] == "start")
    assert start["approval"]["by"].startswith("mcp")


@pytest.mark.parametrize(("answer", "words"), NO)
def test_whatever_is_no_clear_yes_is_a_no(home, era, answer, words):
    async def test():
        home.answers.append(answer)
        async with home.inside(era) as client:
            return await shell(client, "touch RAN")

    result = run(test())
    assert result.is_error
    assert words in result.structured_content["error"]
    assert not (home.root / "RAN").exists()


@pytest.mark.parametrize("answer", UNDECIDED)
def test_a_form_without_a_decision_is_no_refusal(home, era, answer):
    async def test():
        home.answers.append(answer)
        async with home.inside(era) as client:
            return await shell(client, "touch RAN")

    result = run(test())
    assert result.is_error
    said = result.structured_content["error"]
    assert "without a decision" in home.log()[-1]["approval"]["note"]
    assert "asimi approve " in said
    assert "Refused" not in said
    assert not (home.root / "RAN").exists()
    assert {line["approval"]["by"] for line in home.log()} == {"nobody"}


@pytest.mark.parametrize("answer", [ONCE, SESSION, *(answer for answer, _ in NO[:3])])
def test_an_answer_that_comes_too_soon_is_nobodys(home, era, answer):
    async def test():
        home.answers.append(answer)
        home.seconds = 0
        async with home.inside(era) as client:
            return await shell(client, "touch RAN")

    result = run(test())
    assert result.is_error
    assert "before a person can have read it" in home.log()[-1]["approval"]["note"]
    assert "asimi approve " in result.structured_content["error"]
    assert not (home.root / "RAN").exists()
    assert {line["event"] for line in home.log()} == {"refusal"}


def test_what_a_client_refused_by_itself_can_be_approved_by_a_person(home, era):
    def approved(error):
        with home.at_terminal("approve", re.search("asimi approve ([a-z0-9]{8})", error)[1]) as person:
            person.asked()
            person.presses("y")
            assert person.ended() == 0

    async def test():
        home.answers += [NO[0][0]] * 2
        home.seconds = 0
        async with home.started(era) as client:
            refused = await shell(client, "uname -s")
            await asyncio.to_thread(approved, refused.structured_content["error"])
            return await shell(client, "uname -s"), await shell(client, "uname -s")

    first, second = run(test())
    assert first.structured_content["exitCode"] == 0
    assert second.is_error


@pytest.mark.parametrize(
    ("command", "shown"),
    [("cat .env", True), ("touch ../x", True), ("mv .git gone", False), ("echo published", False)],
    ids=["secret", "outside", "floor", "a rule"],
)
def test_what_takes_a_terminal_becomes_no_form_and_nothing_asked_each_time_is_kept(home, era, command, shown):
    home.config.write_text(GUARDED)
    (home.root / ".env").write_text("TOKEN=1\n")
    (home.root / ".git").mkdir()

    async def test():
        home.answers += [ONCE, SESSION]
        async with home.inside(era) as client:
            return await shell(client, command), await shell(client, command)

    first, second = run(test())
    assert [each.is_error for each in (first, second)] == [not shown, True]
    assert len(home.asked) == (2 if shown else 0)
    for asked in home.asked:
        assert [*asked.requested_schema["properties"]["decision"]["enum"]] == ["run_once", "deny", "never"]
    if not shown:
        assert "asimi approve " in first.structured_content["error"]


def test_never_in_a_form_denies_from_now_on_what_it_showed(home, era):
    async def test():
        home.answers.append(NEVER)
        async with home.inside(era) as client:
            return [await shell(client, command) for command in ("uname -s -r", "uname -rs")]

    first, second = [each.structured_content["error"] for each in run(test())]
    assert "Never would deny, from now on in this project: run_shell_command(uname) with -sr" in home.asked[0].message
    assert "asimi policy add --project 'run_shell_command(uname)'" in home.asked[0].message
    assert "Refused by the person, who says: never" in first
    assert "Not allowed by the policy" in second
    assert len(home.asked) == 1


def test_a_form_that_nobody_answers_can_be_approved_later(home):
    async def test():
        home.config.write_text('[session]\nask_timeout = "1s"\n')
        home.answers.append(ONCE)
        home.seconds = 30
        async with home.inside("legacy") as client:
            return await shell(client, "touch RAN")

    error = run(test()).structured_content["error"]
    assert "no answer within 1 s" in error
    assert "asimi approve " in error
    assert not (home.root / "RAN").exists()


def test_a_yes_for_the_session_holds_for_the_same_command_alone(home, era):
    async def test():
        home.answers += [SESSION, NO[0][0]]
        async with home.inside(era) as client:
            return [await shell(client, command) for command in ("uname -s", "uname -s", "uname -r")]

    first, second, third = run(test())
    assert (first.is_error, second.is_error, third.is_error) == (False, False, True)
    assert len(home.asked) == 2


def test_a_session_that_several_processes_share_takes_no_approval_from_a_form(home, era):
    async def test():
        home.answers.append(SESSION)
        async with home.started(era, "--session", "shared") as client:
            return await shell(client, "uname -s")

    assert run(test()).is_error
    assert "allow_for_session" not in home.asked[0].requested_schema["properties"]["decision"]["enum"]


def test_the_form_suggests_no_yes(home, era):
    async def test():
        home.answers.append(NO[0][0])
        async with home.inside(era) as client:
            await shell(client, "uname -s")

    run(test())
    schema = home.asked[0].requested_schema
    assert schema["required"] == ["decision"]
    assert "default" not in str(schema)


def test_without_forms_the_model_is_told_what_its_person_can_type(home, era):
    async def test():
        async with home.inside(era, forms=False) as client:
            return await shell(client, "uname -s")

    result = run(test())
    assert result.is_error
    assert "asimi approve " in result.structured_content["error"]
    assert "asimi policy add" not in result.structured_content["error"]


@pytest.mark.parametrize(("option", "refused"), [("--non-interactive", True), ("--yes", False)])
def test_nobody_is_asked_where_asimi_was_told_so(home, era, option, refused):
    async def test():
        async with home.started(era, option) as client:
            return await shell(client, "uname -s")

    assert run(test()).is_error is refused
    assert not home.asked


def test_the_same_call_made_again_asks_no_second_question(home, era):
    async def test():
        async with home.inside(era, forms=False) as client:
            first = await shell(client, "uname -s")
            second = await shell(client, "uname -s")
            return first, second

    first, second = run(test())
    name = first.structured_content["error"].partition("asimi approve ")[2][:8]
    assert name in second.structured_content["error"]


def test_a_command_that_is_too_long_for_a_form_is_not_shown_in_part(home, era):
    async def test():
        async with home.inside(era) as client:
            return await shell(client, "uname " + "x" * 20_000)

    assert "asimi approve " in run(test()).structured_content["error"]
    assert not home.asked


async def asked_in_rounds(client, command):
    """The question of a call, as it comes in the newer era."""
    result = await client.session.call_tool("run_shell_command", {"command": command}, allow_input_required=True)
    assert isinstance(result, InputRequiredResult)
    return result


async def answered(client, command, asked, state, answer=ONCE):
    await asyncio.sleep(ServedHome.seconds)
    responses = dict.fromkeys(asked.input_requests, answer)
    return await client.session.call_tool(
        "run_shell_command",
        {"command": command},
        input_responses=responses,
        request_state=state,
        allow_input_required=True,
    )


def test_an_approval_counts_once(home):
    async def test():
        async with home.inside("auto") as client:
            asked = await asked_in_rounds(client, "uname -s")
            first = await answered(client, "uname -s", asked, asked.request_state)
            assert first.structured_content["exitCode"] == 0
            with pytest.raises(MCPError, match="requestState"):
                await answered(client, "uname -s", asked, asked.request_state)

    run(test())


def test_a_declined_question_cannot_be_answered_again(home):
    async def test():
        async with home.inside("auto") as client:
            asked = await asked_in_rounds(client, "uname -s")
            first = await answered(client, "uname -s", asked, asked.request_state, ElicitResult(action="decline"))
            assert first.is_error
            with pytest.raises(MCPError, match="requestState"):
                await answered(client, "uname -s", asked, asked.request_state)

    run(test())


@pytest.mark.parametrize("state", ["", "0" * 48, None])
def test_an_answer_without_a_token_of_ours_runs_nothing(home, state):
    async def test():
        async with home.inside("auto") as client:
            asked = await asked_in_rounds(client, "touch RAN")
            try:
                result = await answered(client, "touch RAN", asked, state)
            except MCPError:
                return
            assert isinstance(result, InputRequiredResult)

    run(test())
    assert not (home.root / "RAN").exists()


def test_an_answer_to_one_command_runs_no_other(home):
    async def test():
        async with home.inside("auto") as client:
            asked = await asked_in_rounds(client, "uname -s")
            with pytest.raises(MCPError, match="requestState"):
                await answered(client, "touch RAN", asked, asked.request_state)

    run(test())
    assert not (home.root / "RAN").exists()


def test_an_answer_to_a_question_that_has_changed_meanwhile_is_asked_anew(home):
    async def test():
        async with home.inside("auto") as client:
            asked = await asked_in_rounds(client, "touch RAN")
            home.config.write_text('ask = ["run_shell_command(touch)"]\n')
            assert isinstance(await answered(client, "touch RAN", asked, asked.request_state), InputRequiredResult)

    run(test())
    assert not (home.root / "RAN").exists()


def test_a_rule_that_was_added_meanwhile_wins_over_the_answer(home):
    async def test():
        async with home.inside("auto") as client:
            asked = await asked_in_rounds(client, "touch RAN")
            home.config.write_text('excludeTools = ["run_shell_command(touch)"]\n')
            return await answered(client, "touch RAN", asked, asked.request_state)

    assert run(test()).is_error
    assert not (home.root / "RAN").exists()


def test_progress_comes_while_a_command_runs(home, era):
    heard = []

    async def hear(progress, total, message):
        del total
        heard.append((progress, message))

    async def test():
        async with home.inside(era) as client:
            await shell(client, "echo one; sleep 1; echo two; sleep 1; echo three", progress_callback=hear)

    run(test())
    assert [message for _, message in heard][-1:] == ["three"]
    assert len(heard) >= 2
    times = [progress for progress, _ in heard]
    assert times == sorted(set(times))


def alive(marker):
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    if marker.encode() in file.read():
                        yield int(entry)
            except OSError:
                continue


def there(marker):
    """Return once a process has the marker."""
    for _ in range(300):
        if [*alive(marker)]:
            return
        time.sleep(0.1)
    raise AssertionError(f"nothing with {marker!r} was started")


def server_in(project):
    """The server that was started in a directory."""
    (pid,) = {pid for pid in alive("-m\0asimi\0mcp") if os.path.realpath(f"/proc/{pid}/cwd") == str(project)}
    return pid


def gone(marker):
    """Whether no process has the marker any more; it is looked for a while."""
    for _ in range(200):
        if not [*alive(marker)]:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="processes are looked for in /proc")
def test_a_cancelled_call_leaves_no_process_behind(home, era):
    marker = f"4242.{os.getpid()}1"

    async def test():
        async with home.started(era) as client:
            call = asyncio.ensure_future(shell(client, f"sleep {marker} & sleep {marker}"))
            await asyncio.to_thread(there, f"sleep\0{marker}\0")
            call.cancel()
            await asyncio.wait((call,))
            assert await asyncio.to_thread(gone, f"sleep\0{marker}\0")
            again = await shell(client, "echo still here")
            assert again.structured_content["stdout"] == "still here\n"

    run(test())


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="processes are looked for in /proc")
def test_a_client_that_leaves_leaves_no_process_behind(home, era):
    marker = f"4343.{os.getpid()}2"

    async def test():
        async with home.started(era) as client:
            call = asyncio.ensure_future(shell(client, f"sleep {marker}"))
            await asyncio.to_thread(there, f"sleep\0{marker}\0")
        call.cancel()
        await asyncio.wait((call,))

    run(test())
    assert gone(f"sleep\0{marker}\0")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="processes are looked for in /proc")
def test_a_server_that_is_told_to_end_ends_what_runs(home):
    marker = f"4444.{os.getpid()}3"

    async def test():
        async with home.started("legacy") as client:
            call = asyncio.ensure_future(shell(client, f"sleep {marker}"))
            await asyncio.to_thread(there, f"sleep\0{marker}\0")
            os.kill(server_in(home.root), signal.SIGTERM)
            await asyncio.wait((call,), timeout=30)
            call.cancel()
            await asyncio.wait((call,))

    run(test())
    assert gone(f"sleep\0{marker}\0")


def test_background_jobs_are_listed_read_and_ended(home, era):
    marker = f"4545.{os.getpid()}4"

    async def test():
        async with home.started(era) as client:
            left = await shell(client, f"(sleep 1; echo later; sleep {marker}) & echo started")
            assert left.structured_content["backgroundPids"]
            (job,) = (await client.call_tool("list_background_jobs", {})).structured_content["jobs"]
            for _ in range(100):
                read = await client.call_tool("read_background_job", {"id": job["id"]})
                if "later" in read.structured_content["log"]:
                    break
                await asyncio.sleep(0.1)
            assert read.structured_content["log"].endswith("later\n")
            ended = await client.call_tool("end_background_job", {"id": job["id"]})
            assert ended.structured_content["ended"]
            other = await client.call_tool("end_background_job", {"id": "other"})
            assert other.is_error

    run(test())
    assert gone(f"sleep\0{marker}\0")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells which agent calls")
def test_a_proposal_is_text_that_a_person_decides_about(home, era):
    async def test():
        async with home.started(era) as client:
            said = []
            for words in ("'fix it' --code; ls", "'fix it' --code", "'fix it' --code"):
                answer = await client.call_tool("propose_task", {"words": words})
                said.append(answer.structured_content["said"])
            assert (await client.call_tool("propose_task", {"other": "x"})).is_error
            assert (await shell(client, "python3 tool.py")).is_error, "it allows nothing"
            with home.at_terminal("task", rows=40) as person:
                await asyncio.to_thread(person.sees, "Any code that the agent writes", "fix it", "[code/no] ")
                person.enters("no")
                await asyncio.to_thread(person.sees, "refused")
            return said

    home.answers = [ElicitResult(action="decline")]
    one, two, three = run(test())
    assert ("nothing is proposed" in one, "a person decides" in two, "waits already" in three) == (True, True, True)
    assert [line["what"] for line in home.log() if line["event"] == "change"] == ["task proposed"]


def test_a_broken_policy_refuses_and_names_the_place(home, era):
    async def test():
        async with home.inside(era) as client:
            home.config.write_text("coreTools = 5\n")
            return await shell(client, "echo hi")

    assert "config.toml:1" in run(test()).structured_content["error"]


def test_a_client_reads_what_exec_rules_refused(home, era):
    if sys.platform != "linux":
        pytest.skip("exec rules are Linux's")
    home.config.write_text(
        'coreTools = ["run_shell_command"]\n[[rules]]\ndecision = "deny"\ncommand = "rm"\nenforce = "exec"\n'
    )
    (home.root / "Makefile").write_text("all:\n\t-rm victim\n")

    async def test():
        async with home.started(era) as client:
            return await shell(client, "make -s")

    (refused,) = run(test()).structured_content["refused"]
    assert (refused["argv"], refused["parent"]) == (["rm", "victim"], "make")
