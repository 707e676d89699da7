"""What is at a path and below it, on a real file system."""

import os
import random

import pytest

from asimi.world.host import trees


def test_the_kind_of_a_path(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert trees.kind(str(tmp_path)) == "directory"
    assert trees.kind(str(tmp_path / "file")) == "file"
    assert trees.kind(str(tmp_path / "file" / "below")) == ""
    assert trees.kind(str(tmp_path / "nothing")) == ""
    assert trees.kind("/") == "mount"


def test_what_is_below_a_directory(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").touch()
    (tmp_path / "link").symlink_to(tmp_path / "a" / "b")
    root = os.path.realpath(tmp_path)
    assert sorted(trees.below(root, 9)) == [f"{root}/{each}" for each in ("a", "a/b", "a/b", "a/b/c", "link")]
    assert sorted(trees.below(root, 1)) == [f"{root}/{each}" for each in ("a", "a/b", "link")]
    assert trees.below(f"{root}/a/b/c", 1) == []


def test_a_tree_that_is_too_large_is_not_looked_through(tmp_path, monkeypatch):
    (tmp_path / "a").touch()
    (tmp_path / "b").touch()
    monkeypatch.setattr(trees, "MOST", 1)
    assert trees.below(str(tmp_path), 9) is None
    monkeypatch.setattr(trees, "MOST", 20_000)
    assert trees.below(str(tmp_path), 9) is not None


@pytest.mark.parametrize("seed", range(30))
def test_paths_lead_where_the_system_says(tmp_path, seed):
    """Also those that are not there, and those below a file; the paths before one make no difference."""
    chance, top = random.Random(seed), os.path.realpath(tmp_path)
    folders, paths = [top], [f"{top}/none/a/b", f"{top}/none/a"]
    for number in range(12):
        path = f"{chance.choice(folders)}/{number}"
        kind = chance.choice(["folder", "folder", "file", "link"])
        if kind == "folder":
            os.mkdir(path)
            folders.append(path)
        elif kind == "file":
            open(path, "x").close()
        else:
            os.symlink(chance.choice([*folders, f"{top}/none", "../none", "."]), path)
        paths += [path, f"{path}/a", f"{path}/a/../b", f"{path}/"]
    chance.shuffle(paths)
    found = trees.leads([(each, 0) for each in paths])
    assert [real for real, _ in found] == [os.path.realpath(each) for each in paths]
    assert found == [each for path in paths for each in trees.leads([(path, 0)])]
