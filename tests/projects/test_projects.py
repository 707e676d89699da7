"""What tools do in people's projects is the same in a box, beside a box, and without one: `layouts.toml`."""

import pytest
from helpers.projects import Project, differs, fail_with, rows
from helpers.registry import registry
from helpers.sandboxes import skip

from asimi.world.executors.confining.ability import lacking_bubblewrap

ROWS = [pytest.param(row, id=row.name, marks=[] if row.quick else [pytest.mark.long]) for row in rows()]


@pytest.fixture(scope="session")
def port():
    with registry() as number:
        yield number


@pytest.fixture(scope="module", params=ROWS)
def project(request, port):
    if fault := lacking_bubblewrap():
        skip(fault)
    it = Project(request.param, port)
    yield it
    it.end()


@pytest.fixture(scope="module")
def expected(project):
    """What its commands do where no box ever was."""
    project.again()
    done = project.does() | project.then()
    assert {command: each.said for command, each in done.items() if each.code} == {}
    return done


def test_in_a_box_tools_do_what_they_do_without_one(project, expected):
    project.again()
    home = project.did("true").home
    inside = project.does(project.wrap)
    outside = {command: expected[command]._replace(home=home) for command in inside}
    fail_with(differs(expected | outside, inside | project.then()))


def test_beside_a_box_tools_do_what_they_do_without_one(project, expected):
    project.again()
    with project.box():
        beside = project.does()
    fail_with(differs(expected, beside | project.then()))


def test_nobody_sees_that_a_box_sleeps(project):
    project.again()
    before, whole = set(project.tree(inodes=True)), set(project.tree(git=True, inodes=True))
    with project.box():
        fail_with(before ^ set(project.tree(inodes=True)))
    fail_with(whole ^ set(project.tree(git=True, inodes=True)))
