"""Directories: what may be entered, and what the refusal says."""

import os

import pytest

from asimi.core.errors import AsimiError, Refusal
from asimi.world.host.workspace import Workspace


@pytest.fixture
def workspace(tmp_path):
    """A root with `sub/deep`, a file, and links in, out and to nowhere."""
    root = tmp_path / "root"
    (root / "sub" / "deep").mkdir(parents=True)
    (root / "file").touch()
    (tmp_path / "outside").mkdir()
    (tmp_path / "root-beside").mkdir()
    (root / "in").symlink_to("sub/deep")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "loop").symlink_to("loop")
    (root / "gone").symlink_to("nothing")
    return Workspace(str(root))


@pytest.mark.parametrize(
    ("directory", "shown"),
    [
        ("", "."),
        (".", "."),
        ("sub", "sub"),
        ("sub/", "sub"),
        ("./sub/deep", "sub/deep"),
        ("sub/../sub", "sub"),
        ("in", "sub/deep"),
        ("in/..", "sub"),
        ("../root/sub", "sub"),
    ],
)
def test_inside_is_entered_by_its_real_path(workspace, directory, shown):
    place = workspace.inside(directory, "directory")
    assert place.display_path == shown
    assert place.inside
    assert place.root == workspace.root


@pytest.mark.parametrize(
    ("directory", "code", "words"),
    [
        ("/", "directory", "absolute"),
        ("/tmp", "directory", "absolute"),
        ("..", "directory", "outside"),
        ("../outside", "directory", "outside"),
        ("../root-beside", "directory", "outside"),
        ("sub/../../outside", "directory", "outside"),
        ("out", "directory", "outside"),
        ("out/..", "directory", "outside"),
        ("../missing", "directory", "outside"),
        ("missing", "no_directory", "does not exist"),
        ("file", "no_directory", "not a directory"),
        ("file/x", "no_directory", "does not exist"),
        ("gone", "no_directory", "does not exist"),
        ("loop", "no_directory", "directory"),
        ("sub\0", "no_directory", "NUL"),
    ],
)
def test_inside_refuses_with_the_name_of_the_parameter(workspace, directory, code, words):
    with pytest.raises(Refusal) as refused:
        workspace.inside(directory, "dir_path")
    assert refused.value.code == code
    assert words in refused.value.message
    assert refused.value.message.startswith("dir_path: ")


def test_anywhere_tells_what_is_outside(workspace, tmp_path):
    assert workspace.anywhere("", "cwd").display_path == "."
    assert workspace.anywhere(workspace.root, "cwd").inside
    assert workspace.anywhere(f"{workspace.root}/sub", "cwd").display_path == "sub"
    outside = workspace.anywhere("../outside", "cwd")
    assert not outside.inside
    assert outside.display_path == os.path.realpath(tmp_path / "outside")
    assert not workspace.anywhere("out", "cwd").inside


@pytest.mark.parametrize("directory", ["missing", "../missing", "/missing", "file", "x\0"])
def test_anywhere_refuses_what_is_no_directory(workspace, directory):
    with pytest.raises(Refusal, match="cwd: ") as refused:
        workspace.anywhere(directory, "cwd")
    assert refused.value.code == "no_directory"


def test_a_root_reached_through_a_link_is_its_real_path(tmp_path):
    (tmp_path / "real" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    workspace = Workspace(str(tmp_path / "link"))
    assert workspace.root == os.path.realpath(tmp_path / "real")
    assert workspace.inside("sub", "directory").inside


def test_the_root_of_everything_holds_everything():
    assert Workspace("/").inside("tmp", "directory").display_path == "tmp"


def test_a_root_must_be_a_directory(tmp_path):
    with pytest.raises(AsimiError, match="--root"):
        Workspace(str(tmp_path / "missing"))
