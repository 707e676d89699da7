"""What copies bring along is what the programs make, compared with the programs themselves."""

import os
import shutil
import subprocess

import pytest

from asimi.core.budget import Budget
from asimi.core.call import Place, Request
from asimi.core.judging.known import Temporary
from asimi.core.judging.links import MOST, Arrivals
from asimi.core.judging.machine import Machine
from asimi.core.judging.paths import Paths
from asimi.core.judging.places import Places
from asimi.core.judging.search_candidates import Below
from asimi.core.reading import Readings
from asimi.world.host.trees import below, kind

COPIES = """
cp -r tree to
cp -r tree new
cp -r tree/ to
cp -r tree/. to
cp -rT tree to
cp -rT tree new
cp -a --no-target-directory tree to
cp -rt to tree other/f
cp --target-directory=to other/f
cp -r tree/* to
cp -r tree/.h* to
cp -r tree/*/deep to
cp -r tree/a? to
cp -r tree/{a1,f} to
cp -r ./tree/a1/../a1 to
cp other/f to
cp other/f to/
cp other/f new
cp other/* to
cp link to
cp -r linked to
cp -rL linked to
cp -rH linked to
cp -rP linked/. to
cp --parents tree/a1/deep/x to
cp -r --parents ./tree/a1 to
cd tree && cp -r . ../to
cd tree && cp -r .hidden ../to
cd tree/a1 && cp -r .. ../../to
mv ../from/tree to
mv ../from/tree new
mv -T ../from/tree to/empty
mv ../from/tree/a1 ../from/f to
mv ../from/tree/.hidden to/renamed
mv ../from/tree/* to
ln -s ../tree to
ln -s tree/f new
ln tree/f to
ln -sT ../tree to/e/l
install tree/f to
install -t to tree/f other/f
install -D tree/f to/p/q
rsync -a tree to
rsync -a tree/ to
rsync -a tree/ new
rsync -a tree/a1 other/f to
rsync -aR tree/a1/deep to
rsync -aR tree/./a1/deep to
rsync -r linked/ to
mkdir d && cp -r tree d
mkdir -p d/e && cp -r tree/. d/e
find tree -name 'f*' -exec cp {} to ';'
find tree -maxdepth 1 -exec cp -rt to {} +
find tree -type f | xargs cp -t to
find tree/a1 -exec cp --parents -rt to {} +
for d in tree other; do cp -r "$d" to; done
for f in tree/*; do cp -r "$f" to; done
cp -rL around to
cp -rL around/. new
cp -RL --parents around to
rsync -aL around to
rsync -a --copy-links around/ to
"""


@pytest.mark.parametrize("text", COPIES.strip().splitlines())
def test_all_that_a_copy_makes_arrives(tmp_path, text):
    program = next(each for each in ("rsync", "install", "cp", "mv", "ln") if each in text.split())
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not here")
    root = tmp_path / "root"
    for name in (
        "tree/a1/deep/x",
        "tree/a2/f2",
        "tree/.hidden/y",
        "tree/f",
        "other/f",
        "to/e/old",
        "../from/tree/a1/x",
        "../from/tree/.hidden/y",
        "../from/f",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    (root / "to/empty").mkdir()
    (root / "link").symlink_to("tree/f")
    (root / "linked").symlink_to("tree")
    (root / "around/deep").mkdir(parents=True)
    (root / "around/deep/out").symlink_to("../../tree")
    (root / "around/file").symlink_to("../other/f")
    (root / "around/twice").symlink_to("../linked")
    seen = arriving(str(root), text)
    before = everything(root)
    subprocess.run(["bash", "-c", text], cwd=root, capture_output=True, timeout=20, check=False)
    made = everything(root) - before
    assert made
    assert None not in seen
    assert made <= seen


def test_links_that_lead_round_bring_what_nobody_knows(tmp_path):
    (tmp_path / "tree/a").mkdir(parents=True)
    (tmp_path / "tree/a/up").symlink_to("..")
    (tmp_path / "tree/over").symlink_to("..")
    assert None in arriving(str(tmp_path), "cp -rL tree new")


@pytest.mark.parametrize("text", ["cp -r tree/.. to", "cp -r . to", "rsync -a ./ to"])
def test_what_a_tree_that_is_copied_into_itself_brings_is_not_known(tmp_path, text):
    (tmp_path / "tree").mkdir()
    (tmp_path / "to").mkdir()
    assert None in arriving(str(tmp_path), text)


def arriving(root, text):
    """All paths that a text may make, None among them where one is not known."""
    seen: set[str | None] = set()
    machine = Machine("/nobody", os.path.realpath, {}, kind=kind, below=below, links=os.path.islink)
    request = Request("run_shell_command", text, None, Place(root, root, inside=True))
    budget = Budget()
    reading = Readings((), (), judge_substitutions=True).of(request)
    places = list(Places(reading, Paths(machine, request, reading, budget)).all())
    arrivals = Arrivals(places, root, machine, Below(machine, budget), Temporary(root, machine), budget)

    def note(path):
        seen.add(path)
        return False

    for place in places:
        if place.how == "write":
            seen.add(place.path)
            seen.update(name for name in [arrivals.first(place, note)] if name is None)
    for path in [each for each in seen if each]:
        while len(path := os.path.dirname(path)) > len(root):
            seen.add(path)
    return seen


def everything(root):
    """All paths below a directory, links as themselves."""
    return {os.path.join(at, name) for at, *names in os.walk(root) for some in names for name in some}


def test_more_than_can_be_looked_at_is_not_known(tmp_path):
    for number in range(MOST + 1):
        (tmp_path / "tree" / f"d{number % 10}").mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / f"d{number % 10}" / str(number)).touch()
    assert None in arriving(str(tmp_path), "cp -r tree new")
    assert None not in arriving(str(tmp_path), "cp -r tree/d1 new")
