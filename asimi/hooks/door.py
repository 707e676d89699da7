"""What `asimi hook install` makes an agent start: `python -I -S door.py BASES AGENT ANSWERED SECONDS`.

BASES are the five directories that asimi keeps to, because the agent's environment can name any. An answer is given
only where the exit code is ANSWERED: an empty or torn file also ends with 0, and in silence. SECONDS is how long the
agent waits. A command line of an older asimi passes no BASES, no such code, which takes 0 for an answer, or no SECONDS.

A resident gate answers where one runs; else this process judges, and may leave a gate behind for the next call. With
one more word behind it, it does neither, for the doctor who compares. `door.py --resident BASES` is that gate.

Isolated from the environment, the current directory and what else is installed: whoever could put a module in the way
would decide what runs. So it finds asimi beside itself, and asimi needs nothing but the standard library here. It
lives for one answer, so collecting garbage and taking the interpreter apart at the end would only cost time.
"""

from __future__ import annotations

import gc
import sys

if sys.platform == "win32":
    import nt as system
else:
    import posix as system  # of `os`, which is a sixth of such a start, nothing else is needed


def main(words: list[str], asimi: str) -> int:
    """Answer the call on standard input, as a hook's line says; the exit code."""
    bases, rest = (words[:5], words[5:]) if len(words) > 5 else ([], words)
    agent, seconds = rest[0] if len(rest) in {1, 2, 3, 4} else "", int(rest[2]) if len(rest) > 2 else 150
    if b"ASIMI_BOX" in system.environ:  # the gate of a box is outside, so what judges need not be loaded
        from asimi.doors.inside import forward

        code = forward(["hook", agent])
        if code is not None:
            return int(rest[1]) if code == 0 and len(rest) > 1 else code
    unheard = False
    if len(rest) == 3 and sys.platform == "linux" and "-" not in bases[:3]:
        from asimi.doors.hooks.client import UNHEARD, handed_over

        code = handed_over(bases, asimi, rest, seconds)
        unheard = code == UNHEARD
        if code is not None and not unheard:
            return code
    from asimi.doors.hooks.driver import main as judge

    code = judge(None, agent, bases, int(rest[1]) if len(rest) > 1 else 0, seconds)
    if unheard:
        from asimi.doors.hooks.resident import leave_gate

        leave_gate(bases)
    return code


if __name__ == "__main__":
    gc.disable()
    sys.path.append(__file__.replace("\\", "/").rpartition("/asimi/hooks/")[0])
    if sys.argv[1:2] == ["--resident"]:
        from asimi.doors.hooks.resident import serve

        serve(sys.argv[2:], sys.path[-1])
        sys.exit()
    code = main(sys.argv[1:], sys.path[-1])
    if "asimi.world.approvers.queue.approver" in sys.modules:  # it may have something to take away
        sys.exit(code)
    system._exit(code)  # noqa: SLF001 - it is public by its other name, `os._exit`
