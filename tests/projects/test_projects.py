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
    done = {command: project.did(command) for command in project.row.does}
    assert {command: each.said for command, each in done.items() if each.code} == {}
    return done


def test_in_a_box_tools_do_what_they_do_without_one(project, expected):
    project.again()
    home = project.did("true").home
    inside = {command: project.did(command, project.wrap) for command in project.row.does}
    fail_with(differs({command: each._replace(home=home) for command, each in expected.items()}, inside))


def test_beside_a_box_tools_do_what_they_do_without_one(project, expected):
    project.again()
    with project.box():
        beside = {command: project.did(command) for command in project.row.does}
    fail_with(differs(expected, beside))
    assert tuple(project.tree()) == beside[project.row.does[-1]].tree


def test_nobody_sees_that_a_box_sleeps(project):
    project.again()
    before, whole = list(project.tree(inodes=True)), list(project.tree(git=True, inodes=True))
    with project.box():
        fail_with(set(project.tree(inodes=True)) ^ set(before))
    fail_with(set(project.tree(git=True, inodes=True)) ^ set(whole))
