"""The same host program with an app that is resumable."""

from __future__ import annotations

from adk_host import main

main(resumable=True)
