"""A yard as each kind of user."""

import pytest
from helpers.boxes import Yard
from helpers.sandboxes import USERS, skip

from asimi.world.executors.confining.ability import lacking_bubblewrap


@pytest.fixture(params=USERS, scope="module")
def yard(request):
    """A home and a project, as each kind of user."""
    if fault := lacking_bubblewrap():
        skip(fault)
    it = Yard(nobody=request.param == "nobody")
    yield it
    it.end()


@pytest.fixture(params=USERS)
def fresh(request):
    """The same for one test alone."""
    if fault := lacking_bubblewrap():
        skip(fault)
    it = Yard(nobody=request.param == "nobody")
    yield it
    it.end()
