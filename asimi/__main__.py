"""`asimi` and `python -m asimi`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and end the process with its exit code."""
    for descriptor in (0, 1, 2):  # one that came closed would become the next file opened: a log, say
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if descriptor == 0 else os.O_WRONLY)
    from asimi.cli import program

    sys.exit(program(sys.argv[1:]))


if __name__ == "__main__":
    main()
