"""A receiver of telemetry."""

from __future__ import annotations

import pytest
from helpers.telemetry import Receiver


@pytest.fixture
def receiver():
    started = Receiver()
    yield started
    started.stop()
