"""Tool calls on standard input: seven dialects, one answer a call whatever happens to it, in order."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import threading

import pytest
from helpers import PATIENCE
from helpers.home import Home

from asimi.core.call import Failure, Result, Stream
from asimi.core.wire import MalformedJsonError, dumps, loads
from asimi.doors.running import Stop
from asimi.doors.serving.service import LONGEST, Values, answer_line, serve
from asimi.testing import RecordingAudit, make_gate

BOTH = 'coreTools = ["run_shell_command", "execute_command"]\n'
ALLOWED = ["run_shell_command", "execute_command"]
HI = {"stdout": "hi\n", "stderr": "", "exitCode": 0, "signal": None, "error": None, "pid": 1, "backgroundPids": []}
HI2 = {"stdout": "hi\n", "stderr": "", "return_code": 0, "timed_out": False}


def answer_of(value, **parts):
    """The answer to one value, by a gate that says hi."""
    gate = make_gate(allow=ALLOWED, runs=lambda _: "hi\n", **parts)
    return json.loads(asyncio.run(answer_line(gate, value)))


# The dialects


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ({"command": "x"}, HI),
        ({"command": "x", "description": "d", "directory": "sub"}, HI),
        ({"command": "x", "args": ["a"]}, HI2),
        ({"command": "x", "cwd": "sub"}, HI2),
        ({"command": "x", "timeout": 5}, HI2),
        (
            {"id": 7, "name": "run_shell_command", "arguments": {"command": "x"}},
            {"id": 7, "name": "run_shell_command", "result": HI},
        ),
        (
            {"id": "a", "name": "run_shell_command", "args": {"command": "x"}},
            {"id": "a", "name": "run_shell_command", "result": HI},
        ),
        (
            {"id": None, "name": "execute_command", "input": {"command": "x", "args": ["y"]}},
            {"id": None, "name": "execute_command", "result": HI2},
        ),
        (
            {"name": "execute_command", "arguments": '{"command": "x"}'},
            {"id": None, "name": "execute_command", "result": HI2},
        ),
        (
            {"id": "c", "type": "function", "function": {"name": "run_shell_command", "arguments": '{"command":"x"}'}},
            {"role": "tool", "tool_call_id": "c", "content": dumps(HI)},
        ),
        (
            {"type": "function_call", "call_id": "f", "name": "run_shell_command", "arguments": '{"command":"x"}'},
            {"type": "function_call_output", "call_id": "f", "output": dumps(HI)},
        ),
        (
            {"type": "tool_use", "id": "t", "name": "run_shell_command", "input": {"command": "x"}},
            {"type": "tool_result", "tool_use_id": "t", "content": dumps(HI), "is_error": False},
        ),
        (
            {"functionCall": {"name": "run_shell_command", "args": {"command": "x"}, "id": "g"}},
            {"functionResponse": {"name": "run_shell_command", "id": "g", "response": HI}},
        ),
        (
            {"functionCall": {"name": "run_shell_command", "args": {"command": "x"}}},
            {"functionResponse": {"name": "run_shell_command", "response": HI}},
        ),
        (
            {"function_call": {"name": "run_shell_command", "args": {"command": "x"}, "id": "g"}},
            {"function_response": {"name": "run_shell_command", "id": "g", "response": HI}},
        ),
        (  # `types.Part.model_dump_json()` of google-genai 3.4, shortened
            {
                "media_resolution": None,
                "function_call": {
                    "id": None,
                    "args": {"command": "x"},
                    "name": "run_shell_command",
                    "partial_args": None,
                    "will_continue": None,
                },
                "function_response": None,
                "text": None,
                "thought_signature": "YWJj",
            },
            {"function_response": {"name": "run_shell_command", "response": HI}},
        ),
    ],
)
def test_each_dialect_is_answered_in_kind(call, answer):
    assert answer_of(call) == answer


@pytest.mark.parametrize(
    ("outcome", "is_error"),
    [
        (Result(exit_code=0, pid=1), False),
        (Result(exit_code=1, pid=1), False),
        (Result(signal=9, pid=1), False),
        (Result(exit_code=0, pid=1, timed_out=True), True),
        (Result(failure=Failure("not_found", "Command not found: x")), True),
    ],
)
def test_is_error_where_nothing_started_or_time_ran_out(outcome, is_error):
    gate = make_gate(allow=ALLOWED, runs=lambda _: outcome)
    call = {"type": "tool_use", "id": "t", "name": "run_shell_command", "input": {"command": "x"}}
    assert json.loads(asyncio.run(answer_line(gate, call)))["is_error"] is is_error


def test_a_refused_call_is_an_error():
    answer = answer_of({"type": "tool_use", "id": "t", "name": "run_shell_command", "input": {"command": "echo $(id)"}})
    assert answer["is_error"] is True
    assert json.loads(answer["content"])["pid"] is None


@pytest.mark.parametrize("value", [
        42, "text", None, True, [], {"foo": 1}, {"functionCall": 1}, {"type": "function"}, {"function_call": "x"},
        {"role": "assistant", "function_call": {"name": "run_shell_command", "arguments": '{"command": "x"}'}},
        {name: {"name": "run_shell_command", "args": {"command": "x"}} for name in ("functionCall", "function_call")},
    ],
)  # fmt: skip
def test_json_that_is_no_call_is_an_error_line(value):
    assert list(answer_of(value)) == ["error"]


@pytest.mark.parametrize(
    "value",
    [
        {"id": 1, "name": "run_shell_command", "arguments": {"command": "x"}, "args": {}},
        {"id": 1, "name": "run_shell_command", "arguments": {"command": "x"}, "input": {"command": "y"}},
        {"type": "tool_use", "id": 1, "name": "run_shell_command", "input": {"command": "x"}, "args": {}},
    ],
)
def test_two_names_for_the_parameters_are_malformed(value):
    assert list(answer_of(value)) == ["error"]


@pytest.mark.parametrize(
    "arguments", ["not json", [1], 5, None, '{"command": "x", "command": "y"}', '{"command": NaN}', '"x"']
)
def test_parameters_that_are_no_object_are_answered_in_the_envelope_and_recorded(arguments):
    audit = RecordingAudit()
    answer = answer_of({"id": 1, "name": "run_shell_command", "arguments": arguments}, audit=audit)
    assert (answer["id"], answer["name"]) == (1, "run_shell_command")
    assert "parameters" in answer["result"]["error"]
    assert [record.event for record in audit.records] == ["refusal"]


def test_an_unknown_tool_is_answered_in_the_envelope_and_recorded():
    audit = RecordingAudit()
    answer = answer_of({"id": 1, "name": "delete_everything", "arguments": {}}, audit=audit)
    assert answer["id"] == 1
    assert "run_shell_command" in answer["result"]["error"]
    assert [record.refusal.code for record in audit.records] == ["unknown_tool"]


def test_a_bug_in_one_call_is_an_answer_too(capfd):
    def fail(_):
        raise ZeroDivisionError

    gate = make_gate(allow=ALLOWED, runs=fail)
    assert "ZeroDivisionError" in json.loads(asyncio.run(answer_line(gate, {"command": "x"})))["error"]
    assert "bug" in capfd.readouterr().err


# The reader


def read(*chunks):
    """What a reader makes of some bytes: values, and `ERROR` for what could not be read."""
    values = Values()
    found = [value for chunk in chunks for value in values.feed(chunk.encode() if isinstance(chunk, str) else chunk)]
    found += values.end()
    return ["ERROR" if isinstance(value, MalformedJsonError) else value for value in found]


CALL = '{"command": "x"}'
GOOD = {"command": "x"}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", []),
        ("\n  \n\r\n", []),
        (CALL, [GOOD]),
        (f"{CALL}\r\n{CALL}\n", [GOOD, GOOD]),
        (f"\ufeff{CALL}\n", [GOOD]),
        ('{\n "command":\n  "x"\n}\n', [GOOD]),
        (f"[\n  {CALL},\n  {CALL}\n]\n", [[GOOD, GOOD]]),
        (f"[{CALL}, {CALL}]\n", [[GOOD, GOOD]]),
        ('[\n {\n  "command": "x"\n }\n]\n', [[GOOD]]),
        ('{"command":\n"a]}["\n}\n', [{"command": "a]}["}]),
        ('{"command":\n"a\\"}"\n}\n', [{"command": 'a"}'}]),
        ('{"command": "x",\n\n "args":\n ["a"]\n}\n', [{"command": "x", "args": ["a"]}]),
        # what is malformed is told, and the next line is read
        (f"this is not JSON\n{CALL}\n", ["ERROR", GOOD]),
        (f'{{"command": nonsense}}\n{CALL}\n', ["ERROR", GOOD]),
        (f'{{"command": "x\n{CALL}\n', ["ERROR", GOOD]),
        (f"{CALL} {CALL}\n{CALL}\n", ["ERROR", GOOD]),
        (f'{{"command": "a", "command": "b"}}\n{CALL}\n', ["ERROR", GOOD]),
        (f"{{]\n{CALL}\n", ["ERROR", GOOD]),
        (f"]\n{CALL}\n", ["ERROR", GOOD]),
        ("NaN\n", ["ERROR"]),
        # what Python takes for a blank and JSON does not
        (f"\x1f\n{CALL}\n", ["ERROR", GOOD]),
        (f"\xa0\n{CALL}\n", ["ERROR", GOOD]),
        (f"\ufeff\n{CALL}\n", ["ERROR", GOOD]),
        (f'{{"id": 1,\n\x1f\n{CALL}\n', ["ERROR", GOOD]),
        (f"[\n\xa0\n{CALL}\n]\n", ["ERROR", GOOD, "ERROR"]),
        # a complete call ends an unfinished value before it
        (f'{{"id": 1,\n{CALL}\n', ["ERROR", GOOD]),
        (f'{{"command":\n{CALL}\n', ["ERROR", GOOD]),
        (f'[\n{{"command":\n{CALL}\n', ["ERROR", GOOD]),
        (f"[\n{CALL}\n{CALL}\n", ["ERROR", GOOD]),
        (f"{{\n[{CALL}]\n", ["ERROR", [GOOD]]),
        # the end of the input
        ("{", ["ERROR"]),
        (f"{CALL}\n{{", [GOOD, "ERROR"]),
        (f"[{CALL}", ["ERROR"]),
    ],
)
def test_values_are_cut_out_of_the_stream(text, values):
    assert read(text) == values
    assert read(*text) == values  # and a character at a time


def test_bytes_that_are_no_utf_8_are_an_error_line():
    assert read(b'{"command": "\xff"}\n' + CALL.encode()) == ["ERROR", GOOD]


def test_deep_nesting_is_an_error_line():
    assert read("[" * 100_000 + "]" * 100_000 + f"\n{CALL}\n") == ["ERROR", GOOD]


def test_a_line_without_an_end_is_given_up_after_16_mib():
    chunk = "a" * (1 << 20)
    assert read('{"command": "', *[chunk] * 20, '"}\n', CALL) == ["ERROR", GOOD]


def test_a_value_without_an_end_is_given_up_after_16_mib():
    line = "1," * 50_000 + "\n"
    found = read("[\n", *[line] * (LONGEST // len(line) + 1), CALL)
    assert found[0] == "ERROR"
    assert found[-1] == GOOD


def test_a_long_value_over_many_lines_is_read_in_linear_time():
    count = 100_000
    assert len(read("[\n" + '{"command":\n"x"},\n' * count + CALL + "\n]\n")[0]) == count + 1


def test_what_is_written_is_one_line_of_ascii():
    line = dumps({"text": "\u2028\x85é\ud800\n"})
    assert line.isascii()
    assert len(line.splitlines()) == 1
    assert loads(line) == {"text": "\u2028\x85é\ud800\n"}


# The service


def served(lines, gate, jobs=1):
    """What a service answers to some lines."""
    source, write_end = os.pipe()
    read_end, sink = os.pipe()
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines).encode()

    def feed():
        with open(write_end, "wb") as file:
            file.write(text)

    async def main():
        return await serve(gate, Stop(), jobs, source, sink)

    answers = []

    def collect():
        with open(read_end, "rb") as file:
            answers.extend(file)

    threads = [threading.Thread(target=feed), threading.Thread(target=collect)]
    for thread in threads:
        thread.start()
    code = asyncio.run(main())
    os.close(source)
    os.close(sink)
    for thread in threads:
        thread.join(PATIENCE)
    return code, [json.loads(answer) for answer in answers]


def test_answers_come_in_the_order_of_the_calls():
    lines = [{"id": number, "name": "run_shell_command", "arguments": {"command": "x"}} for number in range(200)]
    for jobs in (1, 7):
        code, answers = served(lines, make_gate(allow=ALLOWED), jobs)
        assert code == 0
        assert [answer["id"] for answer in answers] == list(range(200))


def test_an_array_is_a_line_for_each():
    code, answers = served(["[", CALL + ",", '{"foo": 1}', "]", "[]"], make_gate(allow=ALLOWED))
    assert code == 0
    assert [next(iter(answer)) for answer in answers] == ["stdout", "error"]


def test_as_many_run_side_by_side_as_may():
    class Counting:
        most = now = 0

        async def run(self, execution, listener=None):
            self.now += 1
            self.most = max(self.most, self.now)
            await asyncio.sleep(0.01)
            self.now -= 1
            return Result(Stream("", 0), exit_code=0, pid=1)

        def interrupt(self):
            pass

    for jobs in (1, 3):
        executor = Counting()
        served([CALL] * 20, make_gate(allow=ALLOWED, executor=executor), jobs)
        assert executor.most == jobs


def test_every_call_goes_through_the_gate():
    audit = RecordingAudit()
    served([CALL, {"command": "echo $(id)"}, {"name": "nothing"}], make_gate(allow=ALLOWED, audit=audit))
    assert [record.event for record in audit.records] == ["start", "end", "refusal", "refusal"]
    assert {record.call.agent for record in audit.records} == {"serve"}


def test_a_file_is_a_stream_too(tmp_path):
    (tmp_path / "calls.jsonl").write_text(f"{CALL}\n{CALL}")
    source = os.open(tmp_path / "calls.jsonl", os.O_RDONLY)
    sink = os.open(tmp_path / "answers", os.O_WRONLY | os.O_CREAT)

    async def main():
        return await serve(make_gate(allow=ALLOWED), Stop(), 1, source, sink)

    assert asyncio.run(main()) == 0
    os.close(source)
    os.close(sink)
    assert len((tmp_path / "answers").read_text().splitlines()) == 2


# The program


def test_the_end_of_input_while_a_call_runs_finishes_it_first(tmp_path):
    assert Home(tmp_path, BOTH).answers({"command": "sleep 1; echo done"})[0]["stdout"] == "done\n"


def test_an_answer_is_flushed_before_the_next_call_comes(tmp_path):
    with Home(tmp_path, BOTH).start("serve") as process:
        for number in range(3):
            process.stdin.write(dumps({"command": f"echo {number}"}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["stdout"] == f"{number}\n"
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("jobs", ["1", "3"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)])
def test_a_signal_ends_what_runs_and_every_call_is_answered(tmp_path, number, code, jobs):
    texts = [f"echo part; touch begun{i}; sleep 600" for i in range(3)]
    calls = [{"id": i, "name": "run_shell_command", "arguments": {"command": text}} for i, text in enumerate(texts)]
    home = Home(tmp_path, BOTH)
    with home.start("serve", "--jobs", jobs) as process:
        process.stdin.write("".join(dumps(call) + "\n" for call in calls).encode())
        process.stdin.flush()
        home.has_begun("begun0")
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    answers = [json.loads(line) for line in out.splitlines()]
    assert process.returncode == code, err.decode()
    assert [answer["id"] for answer in answers] == [0, 1, 2]
    assert answers[0]["result"]["stdout"] == "part\n"
    assert all(answer["result"]["exitCode"] is None for answer in answers)


def test_no_further_call_runs_once_nobody_reads_the_answers(tmp_path):
    home = Home(tmp_path, BOTH)
    with home.start("serve") as process:
        process.stdout.close()
        process.stdin.write(dumps({"command": "touch first"}).encode() + b"\n")
        process.stdin.flush()
        assert process.wait(PATIENCE) == 125
    assert (home.root / "first").exists()


def test_a_full_disk_is_told(tmp_path):
    with open("/dev/full", "wb") as full:
        done = Home(tmp_path, BOTH).asimi("serve", stdin=CALL + "\n", stdout=full)
    assert done.returncode == 125
    assert "No space left" in done.stderr


def test_a_file_that_breaks_refuses_calls_until_it_is_fixed(tmp_path):
    home = Home(tmp_path, BOTH)
    with home.start("serve") as process:

        def ask():
            process.stdin.write(b'{"command": "echo ok"}\n')
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        assert ask()["stdout"] == "ok\n"
        home.config.write_text("coreTools = [\n")
        assert "config.toml" in ask()["error"]
        home.config.write_text(BOTH)
        assert ask()["stdout"] == "ok\n"
        process.stdin.close()


def test_nothing_but_answers_is_on_standard_output(tmp_path):
    done = Home(tmp_path, 'coreTools = ["run_shell_command(echo)"]\n').asimi(
        "serve", stdin='{"command": "echo a >&2; echo b"}\n{"command": "touch x"}\nnonsense\n'
    )
    assert [next(iter(json.loads(line))) for line in done.stdout.splitlines()] == ["stdout", "stdout", "error"]


def test_an_entry_that_would_help_is_named(tmp_path):
    answer = Home(tmp_path, "").answers({"command": "npm test"}, words=("--non-interactive", "serve"))[0]
    assert "run_shell_command(npm test)" in answer["error"]


def test_ignored_signals_stay_ignored(tmp_path):
    home = Home(tmp_path, BOTH)
    script = 'trap "" HUP; exec "$0" -m asimi serve'
    process = subprocess.Popen(
        ["bash", "-c", script, os.sys.executable],
        cwd=home.root, env=home.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    with process:
        process.stdin.write(b'{"command": "echo up"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["stdout"] == "up\n"
        process.send_signal(signal.SIGHUP)
        process.stdin.write(b'{"command": "echo still"}\n')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["stdout"] == "still\n"
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
