"""What a write leaves that was killed."""

from __future__ import annotations

import os


def killed_write(*directories: str) -> list[str]:
    """Lay down what a write leaves that was killed long ago, in each directory; the paths."""
    paths = [os.path.join(each, ".k3pt.json.41.0123abcd") for each in directories]
    for path in paths:
        with open(path, "xb"):
            os.utime(path, (1_000_000_000, 1_000_000_000))
    return paths
