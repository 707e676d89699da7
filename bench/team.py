"""Measures what one relay of a team carries, over a nats-server of its own on the loopback.

    PYTHONPATH=tests python bench/team.py

Prints records and questions a second, also by the processor time that the relay itself took for each (what it carries
where other programs do not take the machine from it), its memory and the server's, and what a connection costs the
server. Last, answers that are signed and checked, as one approver who never hesitates would give them.
"""

import asyncio
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from helpers.certificates import Authority
from helpers.questions import question_of, until
from helpers.team import MACHINE, NATS, USER, Keys, Server, asked_by

from asimi.core.call import Approval
from asimi.core.settings import Team
from asimi.extras.team.approver import TeamApprover
from asimi.extras.team.desk import Me, TeamDesk
from asimi.extras.team.line import SOCKET, asking
from asimi.extras.team.relay import Relay
from asimi.extras.team.server import connected
from asimi.extras.team.statements import Carried, Signed, packed
from asimi.extras.team.streams import create
from asimi.extras.team.subjects import ADMINISTRATOR, APPROVER, ASK
from asimi.testing import ScriptedApprover
from asimi.world.approvers import RefuseApprover
from asimi.world.audit.chain import Chain
from asimi.world.audit.tail import Tail, last_copied_line

RECORDS, QUESTIONS, OPEN, CONNECTIONS, ANSWERS = 20_000, 5_000, 1_000, 2_000, 200

LINE = {
    "time": "2026-11-22T20:22:29.928Z",
    "event": "start",
    "id": "1a204ecaf21-f2298c12",
    "user": USER,
    "session": "0f1e2d3c",
    "agent": "claude-code",
    "call": "toolu_01A09q90qw90lq917835lq9",
    "tool": "run_shell_command",
    "command": "git -C src/app log --oneline --since=yesterday -- lib tests",
    "description": "Look at what has changed since yesterday",
    "directory": "/home/dev/src/app",
    "root": "/home/dev/src/app",
    "verdict": "allow",
    "reasons": [
        {"code": "allowed_by_rule", "message": "run_shell_command(git log) allows it", "source": "config.toml:3"}
    ],
    "approval": {"yes": True, "by": "policy", "scope": "once"},
}
"""A line of the log of an ordinary length."""


def status(pid, name):
    """A number of `/proc/PID/status`, in MiB."""
    lines = Path("/proc", str(pid), "status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


def processor(pid):
    """The seconds of processor time that a process has taken (proc(5): utime and stime)."""
    fields = Path("/proc", str(pid), "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Spent:
    """What a piece of work took of a process."""

    def __enter__(self):
        self.began = time.perf_counter()
        return self

    def __exit__(self, *_):
        self.seconds = time.perf_counter() - self.began


@contextmanager
def relay(server, directory):
    """A relay in a process of its own; its pid."""
    told = json.dumps([server.url, server.seed(MACHINE), str(directory)])
    (directory / SOCKET).unlink(missing_ok=True)
    process = subprocess.Popen([sys.executable, __file__, told])
    try:
        until((directory / SOCKET).exists)
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def carry(told):
    """The relay's process."""
    url, seed, directory = json.loads(told)
    team = Team(url, MACHINE, seed)
    asyncio.run(Relay(team, USER, directory, lambda text: print(text, file=sys.stderr), Tail(directory)).run())


async def client_of(server, role, name):
    return await connected(Team(server.url), role, name, server.seed(name), print)


def records(server, directory):
    async def made():
        client = await client_of(server, ADMINISTRATOR, ADMINISTRATOR)
        await create(client)
        await client.close()

    asyncio.run(made())
    chain, fields = Chain(str(directory)), json.dumps(LINE, separators=(",", ":"))[:-1]
    for _ in range(RECORDS):
        chain.append(fields)
    with relay(server, directory) as pid, Spent() as spent:
        until(lambda: last_copied_line(str(directory)) == RECORDS)
        taken = processor(pid)
    size = os.path.getsize(directory / "log.jsonl")
    stored = sum(path.stat().st_size for path in Path(server.plan.store).rglob("*") if path.is_file())
    print(
        f"records: {RECORDS / spent.seconds:,.0f}/s; {taken / RECORDS * 1e6:.0f} us of the relay's processor time each"
    )
    print(f"  a line {size / RECORDS:.0f} bytes, stored {stored / RECORDS:.0f}")


async def questions(server, directory, pid):
    """Questions that are answered at once, by somebody who signs nothing; some are open at the same time."""
    answerer = await client_of(server, APPROVER, "alice")

    async def answer(message):
        await answerer.publish(message.reply, packed(Carried(Signed("", "")).answer))

    await answerer.subscribe(f"{ASK}.*", cb=answer)
    for _ in range(2):
        await answerer.flush()
    places = asyncio.Semaphore(100)

    async def gate(number):
        async with (
            places,
            asking(str(directory), asked_by(question_of(f"echo {number}"), until=time.time() + 60)) as line,
        ):
            await line.next()

    before = processor(pid)
    with Spent() as spent:
        await asyncio.gather(*map(gate, range(QUESTIONS)))
    taken = (processor(pid) - before) / QUESTIONS
    print(f"questions: {QUESTIONS / spent.seconds:,.0f}/s; {taken * 1e6:.0f} us of the relay's processor time each")
    await answerer.close()
    silent = await client_of(server, APPROVER, "bob")
    await silent.subscribe(f"{ASK}.*")
    await silent.flush()

    async def waits(number, all_wait, over):
        async with asking(str(directory), asked_by(question_of(f"echo {number}"), until=time.time() + 60)):
            all_wait.release()
            await over.wait()

    all_wait, over = asyncio.Semaphore(0), asyncio.Event()
    empty, tasks = status(pid, "VmRSS"), []
    tasks = [asyncio.ensure_future(waits(number, all_wait, over)) for number in range(OPEN)]
    for _ in tasks:
        await all_wait.acquire()
    before = processor(pid)
    await asyncio.sleep(6)
    share = (processor(pid) - before) / 6
    full = status(pid, "VmRSS")
    print(f"relay: {empty:.0f} MiB; with {OPEN} open questions {full:.0f} MiB and {share:.0%} of a processor")
    over.set()
    await asyncio.gather(*tasks)
    await silent.close()


async def answers(server, keys, directory):
    """Answers as one approver gives them, one after the other, each signed and checked."""
    team = server.team(keys)
    approver = ScriptedApprover(*[Approval(True, "terminal")] * 2 * ANSWERS)
    me = Me("alice", keys.path("alice"), server.seed("alice"), "alice@desk")
    desk = TeamDesk(team, me, approver, say=print, ending=lambda: False)
    async with desk.opened():
        watching = asyncio.ensure_future(desk.watch())
        gates = [
            TeamApprover(str(directory), lambda: team, USER, RefuseApprover(""), lambda: False) for _ in range(ANSWERS)
        ]
        with Spent() as spent:
            said = await asyncio.gather(*(each.ask(question_of(f"echo {n}")) for n, each in enumerate(gates)))
        watching.cancel()
        await asyncio.wait((watching,))
    assert all(each.yes for each in said), next(each for each in said if not each.yes)
    print(f"answers of one approver: {spent.seconds / ANSWERS * 1000:.1f} ms each")


def connections(directory):
    """What a connection with a relay's subscriptions, over TLS, costs a server of its own."""
    authority = Authority(directory / "authority", "bench", "IP:127.0.0.1")
    config, trust = directory / "plain.conf", ssl.create_default_context(cafile=authority.file)
    tls = f'tls {{ cert_file: "{authority.file}", key_file: "{authority.key}" }}'
    config.write_text(f'listen: "127.0.0.1:-1"\nports_file_dir: "{directory}"\n{tls}\n')
    process = subprocess.Popen([NATS, "-c", str(config)], stderr=subprocess.DEVNULL)
    try:
        (ports,) = until(lambda: [path for path in directory.glob("nats-server_*.ports") if path.stat().st_size])
        port = int(json.loads(ports.read_text(encoding="utf-8"))["nats"][0].rpartition(":")[2])
        before = status(process.pid, "VmRSS")
        there = [connection(port, trust, number) for number in range(CONNECTIONS)]
        each = (status(process.pid, "VmRSS") - before) / CONNECTIONS
        print(f"server: {before:.0f} MiB, and {each * 1024:.0f} KiB for each connection over TLS")
        del there
    finally:
        process.terminate()
        process.wait()


def connection(port, trust, number):
    """A connection as a relay's, once the server has answered."""
    plain = socket.create_connection(("127.0.0.1", port))
    while not plain.recv(4096).endswith(b"\r\n"):
        pass
    there = trust.wrap_socket(plain, server_hostname="127.0.0.1")
    subjects = (f"answer.m{number}.*", f"policy.m{number}", f"_IN.{number}.*")
    subscribed = "".join(f"SUB {subject} {at}\r\n" for at, subject in enumerate(subjects))
    there.sendall(f'CONNECT {{"verbose":false}}\r\n{subscribed}PING\r\n'.encode())
    data = b""
    while b"PONG" not in data:
        data += there.recv(4096)
    return there


def main():
    with tempfile.TemporaryDirectory(prefix="asimi") as made:
        directory = Path(made)
        run = directory / "run"
        run.mkdir(mode=0o700)
        keys = Keys(directory)
        server = Server(directory / "server", keys).start()
        try:
            records(server, run)
            with relay(server, run) as pid:
                asyncio.run(questions(server, run, pid))
                asyncio.run(answers(server, keys, run))
            print(f"server, with {RECORDS} records: {status(server.process.pid, 'VmHWM'):.0f} MiB at most")
        finally:
            server.kill()
        connections(directory)
    print("load", *os.getloadavg())


if __name__ == "__main__":
    carry(sys.argv[1]) if sys.argv[1:] else main()
