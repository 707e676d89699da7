"""What `asimi hook install` makes an agent start: `python -I -S door.py BASES AGENT ANSWERED SECONDS`.

BASES are the five directories that asimi keeps to, because the agent's environment can name any. An answer is given
only where the exit code is ANSWERED: an empty or torn file also ends with 0, and in silence. SECONDS is how long the
agent waits. A command line of an older asimi passes no BASES, no such code, which takes 0 for an answer, or no SECONDS.

Isolated from the environment, the current directory and what else is installed: whoever could put a module in the way
would decide what runs. So it finds asimi beside itself, and asimi needs nothing but the standard library here. It
lives for one answer, so collecting garbage and taking the interpreter apart at the end would only cost time.
"""

from __future__ import annotations

import gc
import os
import sys

if __name__ == "__main__":
    gc.disable()
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    bases, rest = (sys.argv[1:6], sys.argv[6:]) if len(sys.argv) > 6 else ((), sys.argv[1:])
    agent, code = rest[0] if len(rest) in {1, 2, 3} else "", None
    if "ASIMI_BOX" in os.environ:  # the gate of a box is outside, so what judges need not be loaded
        from asimi.doors.inside import forwarded

        code = forwarded(["hook", agent])
    if code is None:
        from asimi.doors.hooks.driver import main

        code = main(None, agent, bases, seconds=int(rest[2]) if len(rest) == 3 else 150)
    if code == 0 and len(rest) > 1:
        code = int(rest[1])
    if "asimi.world.approvers.queue.approver" in sys.modules:  # it may have something to take away
        sys.exit(code)
    os._exit(code)
