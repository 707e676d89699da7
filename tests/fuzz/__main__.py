"""`python -m tests.fuzz SECONDS [SEED]`, the same as `run.py`."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))

from run import main

if __name__ == "__main__":
    sys.exit(main())
