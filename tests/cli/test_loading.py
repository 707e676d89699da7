"""asyncio that was loaded for one command is asyncio."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from types import ModuleType

import pytest

from asimi.doors.loading import TAKEN

NAMES = sorted(name for name, each in vars(asyncio).items() if name[0] != "_" and type(each) is not ModuleType)

LOADED = "from asimi.doors.loading import load_asyncio; load_asyncio(); "

USES = {
    "its names": "from asyncio import *; print(asyncio.__all__, {*asyncio.__all__} - {*vars()}, Lock.__module__)",
    "each of its names": f"print([(each, type(getattr(asyncio, each)).__name__) for each in {NAMES}])",
    "a name that it has not": "print(hasattr(asyncio, 'nothing'), asyncio.Lock.__module__)",
    "a thread": "print(asyncio.run(asyncio.to_thread(sum, (1, 2))))",
    "a thread of an executor": """
from concurrent.futures import ThreadPoolExecutor
async def work():
    with ThreadPoolExecutor(1) as pool:
        return await asyncio.get_running_loop().run_in_executor(pool, sum, (1, 2))
print(asyncio.run(work()))
""",
    "a call from another thread": """
import concurrent.futures, threading
async def work():
    future = asyncio.run_coroutine_threadsafe(asyncio.sleep(0, 3), asyncio.get_running_loop())
    print(type(future).__module__, isinstance(future, concurrent.futures.Future))
    return await asyncio.wrap_future(future)
print(asyncio.run(work()))
""",
    "a process": """
async def work():
    process = await asyncio.create_subprocess_shell("echo out; echo err >&2; exit 3", stdout=-1, stderr=-1)
    return await process.communicate(), process.returncode
print(asyncio.run(work()))
""",
    "the first of two": """
async def work():
    tasks = [asyncio.ensure_future(asyncio.sleep(each, each)) for each in (0, 9)]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    return [each.result() for each in done], len(pending)
print(asyncio.run(work()), asyncio.FIRST_COMPLETED, asyncio.FIRST_EXCEPTION, asyncio.ALL_COMPLETED)
""",
    "a limit": """
async def work():
    try:
        async with asyncio.timeout(0):
            await asyncio.sleep(9)
    except TimeoutError as error:
        return type(error).__name__
print(asyncio.run(work()))
""",
    "a connection": """
async def work():
    async def talk(reader, writer):
        writer.write((await reader.readline()).upper())
        writer.close()
    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname(), happy_eyeballs_delay=0.1)
    writer.write(b"hello\\n")
    said = await reader.read()
    writer.close()
    server.close()
    return said
print(asyncio.run(work()))
""",
    "an error that nobody took": """
async def work():
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    await asyncio.sleep(0.01)
asyncio.run(work())
""",
    "debugging": """
import logging
logging.basicConfig(level=logging.DEBUG)
print(asyncio.log.logger.name, asyncio.log.logger.getEffectiveLevel())
async def work():
    await asyncio.sleep(0)
asyncio.run(work(), debug=True)
""",
    "signals": """
import os, signal
async def work():
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    for each in (signal.SIGUSR1, signal.SIGINT):
        loop.add_signal_handler(each, came.set)
        os.kill(os.getpid(), each)
        await came.wait()
        came.clear()
        print(loop.remove_signal_handler(each), loop.remove_signal_handler(each), signal.getsignal(each))
asyncio.run(work())
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
""",
    "an interrupt": """
import os, signal
async def work():
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.sleep(9)
try:
    asyncio.run(work())
except KeyboardInterrupt:
    print("interrupted")
""",
    "a pair": """
import socket
async def work():
    left, right = socket.socketpair()
    loop = asyncio.get_running_loop()
    for each in (left, right):
        each.setblocking(False)
    await loop.sock_sendall(left, b"hello")
    reader, writer = await asyncio.open_connection(sock=right)
    print(await reader.read(5), type(writer.get_extra_info("socket")).__name__)
    writer.close()
    left.close()
asyncio.run(work())
""",
    "states": """
async def work():
    barrier = asyncio.Barrier(2)
    print(repr(barrier).split("[")[1], repr(asyncio.timeout(None)))
    print(sorted(await asyncio.gather(barrier.wait(), barrier.wait())), repr(barrier).split("[")[1])
asyncio.run(work())
""",
    "a file": """
import os
async def work():
    async def talk(reader, writer):
        with open(os.__file__, "rb") as file:
            print(await asyncio.get_running_loop().sendfile(writer.transport, file))
        writer.close()
    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    print(len(await reader.read()))
    writer.close()
    server.close()
asyncio.run(work())
""",
    "a stack": """
async def work():
    asyncio.current_task().print_stack()
    return len(asyncio.current_task().get_stack())
print(asyncio.run(work()))
""",
    "what it is told apart by": """
async def work():
    return asyncio.iscoroutinefunction(work), asyncio.isfuture(asyncio.current_task())
print(asyncio.run(work()), asyncio.iscoroutinefunction(len))
""",
    "hints": """
import typing
print(typing.get_type_hints(asyncio.Timeout.when) == {"return": typing.Optional[float]})
""",
    "TLS": "import ssl; print(asyncio.sslproto.SSLProtocol.__name__, ssl.create_default_context().check_hostname)",
}


def done(code):
    """What comes of a program, without where in a file and in memory something is."""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout, [line for line in ended.stderr.splitlines() if "0x" not in line]


def test_none_of_what_it_does_without_is_loaded_or_stood_in_for():
    names = {*TAKEN, "ssl"}
    code = f"import sys; before = {{*sys.modules}}; {LOADED}print(sorted({names!r} & sys.modules.keys() - before))"
    code, said, _ = done(code)
    assert (code, said) == (0, "[]\n")


@pytest.mark.parametrize("name", TAKEN)
def test_whoever_imports_such_a_module_gets_the_real_one(name):
    code, said, _ = done(f"{LOADED}from importlib import import_module; print(import_module({name!r}).__file__)")
    assert (code, said.split("/")[-1].startswith(("__init__", name.split(".")[-1]))) == (0, True)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_it_does_what_asyncio_does(use):
    assert done(f"{LOADED}import asyncio\n{use}") == done(f"import asyncio\n{use}")
