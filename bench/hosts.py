"""Measures what a host costs, over an OpenSSH server of its own on the loopback, against the same here.

    PYTHONPATH=tests python bench/hosts.py

Prints the median of a call and of a question over a kept link, in turn with a call here, then the time and the peak
memory of both ends for 512 MiB of output, heard as it comes. A call there should cost no more than 1.3 of one here and
a round trip.
"""

import asyncio
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path

from helpers.engines import ssh
from helpers.executors import Library
from helpers.hosts import Hosted, host_at

from asimi.world.executors.local import LocalExecutor

COUNT = 150
SIZE = 512 << 20


async def calls(here, there):
    """The seconds of some calls here, of the same there, and of as many questions."""
    taken = [], [], []
    for _ in range(COUNT):
        for it, seconds in ((here, taken[0]), (there, taken[1])):
            execution, began = it.execution("true"), time.perf_counter()
            await it.executor.run(execution)
            seconds.append(time.perf_counter() - began)
        began = time.perf_counter()
        there.link.ask("kind", "/")
        taken[2].append(time.perf_counter() - began)
    return [statistics.median(each) * 1000 for each in taken]


def peak(pid):
    """The most memory that a process had, in MiB."""
    lines = Path("/proc", str(pid), "status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def main():
    with tempfile.TemporaryDirectory(prefix="asimi") as made, ssh(Path(made)) as words:
        directory = Path(made)
        host = host_at(directory / "home", directory / "root")
        there = Hosted(directory / "home", directory / "root", host._replace(reach=(*words, *host.reach)))
        here = Library(directory / "state", directory / "root")
        here.executor = LocalExecutor(here.state, adopt=True)
        local, remote, asked = asyncio.run(calls(here, there))
        print(f"a call here {local:.2f} ms, there {remote:.2f} ms, a question {asked:.2f} ms")
        print(f"  without the question's round trip: {(remote - asked) / local:.2f} of a call here")
        heard = [0]

        def listener(_stream, data):
            heard[0] += len(data)

        far = int(there("echo $PPID").stdout.text)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        for limit, name in ((1 << 20, "kept in a file there"), (64 << 20, "by the default limits")):
            began = time.perf_counter()
            result = there(f"head -c {SIZE} /dev/zero | tr '\\0' a", listener, output_bytes=limit)
            took = time.perf_counter() - began
            assert result.stdout.size == SIZE
            near = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            ends = f"near end {near:.0f} MiB ({before:.0f} before), far end {peak(far):.0f} MiB"
            print(f"512 MiB, {name}: {took:.1f} s, {heard[0] >> 20} MiB heard; peak memory: {ends}")
            os.unlink(result.stdout.file)
        there.end()


if __name__ == "__main__":
    main()
