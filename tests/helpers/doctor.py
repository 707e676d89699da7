"""`asimi doctor` without what it tries, which takes a second of the processor: for what else it says."""

from __future__ import annotations

from asimi.__main__ import main as asimi
from asimi.doors.cli.probing import PROBES


def main() -> None:
    """Be asimi."""
    PROBES.clear()
    asimi()


if __name__ == "__main__":
    main()
