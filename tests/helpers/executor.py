"""A program that runs what it is told on standard input, a line of JSON each, and prints the results.

It is what adopts processes in these tests, so that pytest itself stays as it is.
"""

import asyncio
import json
import os
import sys
import traceback

from asimi.core.call import Approval, Execution, Limits, Place, Request, Sandbox, Verdict
from asimi.core.judging.rules import rule_of
from asimi.world.executors.local import LocalExecutor


def execution(id, command, directory, limits, environment=None, sandbox=None, enforced=()):  # noqa: A002 - the id of a call, as everywhere
    """What `Gate.run` would build: a text for bash, or a list for a program; `enforced` are the words of deny rules."""
    text = isinstance(command, str)
    tool = "run_shell_command" if text else "execute_command"
    name, arguments = (command, None) if text else (command[0], tuple(command[1:]))
    argv = ("/bin/bash", "-c", "--", command) if text else tuple(command)
    request = Request(tool, name, arguments, Place(directory, directory, inside=True), id=id)
    inherited = {name: value for name, value in os.environ.items() if name != "ASIMI_RUN"}
    environment = inherited if environment is None else environment
    approval = Approval(yes=True, by="policy")
    held = (
        Sandbox(**sandbox or {}),
        tuple(rule_of(f"{tool}({each})", Verdict.DENY, "rules.toml:1") for each in enforced),
    )
    return Execution(id, request, argv, directory, environment, Limits(**limits), approval, *held)


async def main(state, adopt):
    executor, loop, tasks = LocalExecutor(state, adopt=adopt), asyncio.get_running_loop(), []

    async def one(number, told):
        delay = told.pop("interrupt", None)
        if delay is not None:
            loop.call_later(delay, executor.interrupt)
        try:
            result = await executor.run(execution(**told))
        except BaseException:  # noqa: BLE001 - whatever it is
            traceback.print_exc()
            os._exit(1)  # so that whoever waits for the result hears of it
        sys.stdout.write(json.dumps([number, result]) + "\n")
        sys.stdout.flush()

    number, lines = 0, asyncio.StreamReader(limit=1 << 24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)  # no thread: they may be few
    while line := await lines.readline():
        calls = json.loads(line)
        for told in calls:
            tasks.append(loop.create_task(one(number, told)))
            number += 1
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)  # ours: another Python, which a command may start, fails with it
    asyncio.run(main(sys.argv[1], sys.argv[2] == "program"))
