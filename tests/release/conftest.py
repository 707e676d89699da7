"""What a release ships, as `make release-check` built it in dist/ and build/."""

from __future__ import annotations

import os

if not os.environ.get("ASIMI_RELEASE"):
    collect_ignore_glob = ["test_*.py"]
