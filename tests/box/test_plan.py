"""Which mounts hold paths, whatever links and missing names are on the way."""

import pytest

from asimi.world.box.entering import plan

LAID_OUT = {
    "a file": ([], ["a/b/.envrc"], {"a": "rw", "a/b": "rw", "a/b/.envrc": "ro"}),
    "a directory": ([], ["a/b"], {"a": "rw", "a/b": "ro"}),
    "below what is read only anyway": ([], ["a", "a/b/.envrc"], {"a": "ro"}),
    "a missing name": ([], ["a/c/x"], {"a": "rw"}),
    "a link": (["l -> a/b/.envrc"], ["l"], {"l": "ro", "a": "rw", "a/b": "rw", "a/b/.envrc": "ro"}),
    "a link to a link": (
        ["l -> m", "m -> a/b"], ["l/.envrc"], {"l": "ro", "m": "ro", "a": "rw", "a/b": "rw", "a/b/.envrc": "ro"}
    ),
    "a link by the way up": (["a/l -> ../a/b"], ["a/l"], {"a": "rw", "a/l": "ro", "a/b": "ro"}),
    "a link that leads nowhere": (["l -> gone"], ["l"], {"l": "ro"}),
    "a link that leads out": (["l -> /etc"], ["l"], {"l": "ro"}),
    "a link to the whole": (["l -> ."], ["l"], {"l": "ro"}),
    "a link to git's directory": (["l -> .git"], ["l"], {"l": "ro", ".git": "rw"}),
    "links in a circle": (["l -> m", "m -> l"], ["l"], {"l": "ro", "m": "ro"}),
}  # fmt: skip


@pytest.mark.parametrize("case", LAID_OUT)
def test_what_is_mounted(tmp_path, case):
    links, paths, mounts = LAID_OUT[case]
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / "a/b/.envrc").touch()
    for each in links:
        name, _, target = each.partition(" -> ")
        (tmp_path / name).symlink_to(target)
    found = plan([f"{tmp_path}/{each}" for each in paths], [], [str(tmp_path)])
    assert found == {f"{tmp_path}/{path}": kind for path, kind in mounts.items()}
    assert [*found] == sorted(found, key=lambda path: path.count("/"))


def test_what_is_hidden_shows_nothing_and_its_way_is_held(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/x").touch()
    top = str(tmp_path)
    assert plan([], [f"{top}/a/b", f"{top}/a/x"], [top]) == {
        f"{top}/a": "rw", f"{top}/a/b": "directory", f"{top}/a/x": "file",
    }  # fmt: skip
