"""Whatever runs commands on this machine.

    local       how many calls run at once, and what the first one needs: the executor
    running     one call, from its start to its result
    spawning    one process, started
    confining   one process, started and held to something by the kernel
    output      one stream, kept; and who reads on when a call has returned
    processes   which processes belong to a call, by the evidence that `linux`, `posix` or `windows` has
    jobs        what was left running
    files       the files that all of this leaves

Only `local` and `jobs` are for others.
"""
