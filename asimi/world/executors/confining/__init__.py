"""What the kernel holds one command to, whatever its text says.

A sandbox:

    ability      what this machine can keep, and which backend sets a sandbox up
    sandbox      what a `Sandbox` means on this machine: opened, checked, and put on a thread
    bubblewrap   a view of the files of its own, where some are hidden or protected (bwrap(1))
    outlet       what leads out of a network of its own, to names
    landlock     where files can be written (landlock(7))
    mounts       whether what bubblewrap hides and protects is held still
    bounds       what a command may take of disk and processes
    variables    the variables by which git finds one repository only, and tools their caches
    seccomp      which system calls are refused: sockets, io_uring, typing into terminals (seccomp(2)); and the kernel's
                 language for filters, which the extra `exec_rules` speaks too

This and exec rules:

    system       the calls of the C library that Python has not
    starting     a process started by a thread that confines itself and ends

asimi itself is never confined: a thread that starts a command is, or bubblewrap confines itself. Imported only where it
is wanted.
"""
