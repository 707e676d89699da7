"""A sandbox around one command: what the kernel holds it to, whatever its text says.

    sandbox     what a `Sandbox` means on this machine: opened, checked, and put on a thread
    landlock    where files can be written (landlock(7))
    seccomp     which system calls are refused: sockets, io_uring, typing into terminals (seccomp(2))
    system      the calls of the C library that Python has not
    starting    a process started by a thread that confines itself and ends

All of it is a matter of one thread: asimi itself stays as it was. Imported only where a sandbox is wanted.
"""
