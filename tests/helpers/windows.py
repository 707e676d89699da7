"""asimi as it runs on Windows, as far as this system can play that: no POSIX modules, functions and signals.

::

    python windows.py run "echo hi"        asimi's command line
    python windows.py -c "import asimi"    a program

The standard library and what others wrote is imported before, since it is not what is tried here. What would start a
process gets its command line, as Windows has it, and hands it to a stand-in for `CreateProcess`, which splits it as
Windows' programs do; `cmd.exe` is a script that writes down what it was given and lets `sh` run it.
"""

import asyncio
import importlib
import os
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time

BEFORE = (
    "asyncio.subprocess", "concurrent.futures.thread", "ctypes", "email.message", "getpass", "importlib.metadata",
    "mmap", "multiprocessing", "pathlib", "random", "shutil", "tempfile", "tomllib", "typer", "typer.core",
    "typer.rich_utils", "rich.console", "rich.panel", "rich.markdown", "urllib.parse", "wcwidth", "zipfile",
)  # fmt: skip
MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
MISSING = {
    os: (
        "O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK chown fchmod fork getegid geteuid getgid getgrouplist "
        "getgroups getpgid getpgrp getsid getuid initgroups killpg mkfifo openpty pidfd_open pread pwrite "
        "register_at_fork setpgid setsid sysconf tcgetpgrp tcsetpgrp ttyname uname wait4"
    ),
    select: "epoll poll",
    signal: (
        "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 SIGWINCH SIGXFSZ "
        "pthread_sigmask setitimer siginterrupt sigwait"
    ),
    socket: "AF_UNIX",
    time: "CLOCK_BOOTTIME clock_gettime",
}


class Hidden:
    """Finds none of the modules that Windows does not have."""

    def find_spec(self, name, path=None, target=None):
        del path, target
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def split(line):
    """The words of a command line as the C runtime of Windows splits it; of `cmd.exe` its text, untouched."""
    program, _, rest = line.partition(" ")
    switch, _, text = rest.partition(" ")
    if program.endswith("cmd.exe") and switch == "/c":
        return [program, "/c", text]
    return shlex.split(line)


class Popen(subprocess.Popen):
    """Starts what a command line says."""

    def __init__(self, line, **options):
        assert isinstance(line, str), line
        assert not options.pop("shell", False)
        options.pop("creationflags", None)
        super().__init__(split(line), **options)


def impossible(*_):
    """What the event loop of Windows does not do."""
    raise NotImplementedError


def stand_in(name, **parts):
    """A module that only Windows has."""
    sys.modules[name] = type(sys)(name)
    vars(sys.modules[name]).update(parts)


def locking(flock):
    """`msvcrt.locking`, made of `fcntl.flock`."""
    return lambda descriptor, mode, _size: flock(descriptor, mode)


def become_windows():
    """Turn this process into one that Windows might have started."""
    for name in BEFORE:
        importlib.import_module(name)
    loop = asyncio.SelectorEventLoop
    for name in ("add_reader", "remove_reader", "add_writer", "remove_writer", "add_signal_handler"):
        setattr(loop, name, impossible)
    family, pair = socket.AF_UNIX, socket.socketpair
    socket.socketpair = lambda *_: pair(family)  # the loop's own; Windows makes it of two connections
    stand_in("asyncio.windows_utils", Popen=Popen)
    stand_in(
        "msvcrt", locking=locking(importlib.import_module("fcntl").flock), LK_LOCK=2, LK_UNLCK=8
    )  # fcntl's numbers
    shutil._use_fd_functions = False  # it asked when it was imported
    for module, names in MISSING.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Hidden())
    sys.platform, os.name = "win32", "nt"


if __name__ == "__main__":
    become_windows()
    if sys.argv[1:2] == ["-c"]:
        exec(sys.argv[2])
    else:
        from asimi.__main__ import main

        main()
