"""What the kernel answers by a filter of system calls."""

import struct


def answer(program, architecture, number, *arguments):
    """What a filter answers to a system call: classic BPF, as far as ours use it (bpf(4), seccomp(2))."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    steps, at, word = list(struct.iter_unpack("=HBBI", program)), 0, 0
    while True:
        code, true, false, value = steps[at]
        at += 1
        if code == 0x06:
            return value
        if code == 0x20:
            (word,) = struct.unpack_from("=I", data, value)
        elif code == 0x54:
            word &= value
        else:
            at += true if {0x15: word == value, 0x35: word >= value}[code] else false
