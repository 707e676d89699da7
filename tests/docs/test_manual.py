"""The manual pages: they say what the program says now, and the readers of manual pages find no fault in them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from helpers import PYTHON, ROOT

from asimi.doors.cli.completing import outline
from asimi.world.config.keys import HOST_KEYS, KEYS, RULE_KEYS

MAN = ROOT / "man"
PAGES = ("asimi.1", "asimi-config.5", "asimi-rules.7")


@pytest.fixture(scope="module")
def write():
    """The program that writes them."""
    spec = spec_from_file_location("write", MAN / "write.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(page):
    """A page as `man` shows it."""
    environ = {"PATH": os.environ["PATH"], "MANWIDTH": "100", "LC_ALL": "C.UTF-8", "GROFF_NO_SGR": "1"}
    done = subprocess.run(["man", "-l", MAN / page], env=environ, capture_output=True, text=True, check=True)
    return re.sub(".\b", "", done.stdout)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_its_sources_say_now(write, page):
    """If not: `make man`."""
    written = (MAN / page).read_text(encoding="ascii")
    assert written == write.PAGES[page](write.dated(MAN / page)), "it is old; write it anew with `make man`"


def test_a_page_keeps_its_date_until_it_changes(tmp_path, write):
    shutil.copytree(MAN, tmp_path / "man", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("asimi", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    changed = tmp_path / "man" / "asimi.1"
    changed.write_text(changed.read_text().replace("Replace an existing file.", "Replace it."))
    environ = {"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": "1900000000", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([PYTHON, tmp_path / "man" / "write.py"], check=True, env=environ, cwd=tmp_path)
    assert write.dated(changed) == "2030-03-17"
    for page in PAGES[1:]:
        assert (tmp_path / "man" / page).read_bytes() == (MAN / page).read_bytes()


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="no mandoc here")
@pytest.mark.parametrize("page", PAGES)
def test_mandoc_finds_no_fault(page):
    done = subprocess.run(["mandoc", "-Tlint", MAN / page], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


with_man = pytest.mark.skipif(shutil.which("man") is None, reason="no man here")


@with_man
@pytest.mark.parametrize("page", PAGES)
def test_man_has_no_warning(page):
    environ = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"}
    words = ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", MAN / page]
    done = subprocess.run(words, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@with_man
def test_every_command_option_and_key_is_there():
    program, keys, rules = map(shown, PAGES)
    for command in outline().all():
        assert " ".join(("asimi", *command.words)) in program
        assert all(name in program for each in command.options for name in each.names)
    for key in KEYS:
        assert re.search(rf"(?m)^ +{key.name.rpartition('.')[2]}\b", keys) or key.kind in {"rules", "hosts"}, key.name
    for name in (*HOST_KEYS, *RULE_KEYS):
        assert re.search(rf"(?m)^ +{name}\b", keys), name
    for heading in re.findall(r"(?m)^## (.*)$", (ROOT / "docs" / "use" / "rules.md").read_text(encoding="utf-8")):
        assert heading.replace("`", "").upper() in rules


def test_the_wheel_has_every_page_where_man_looks():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    data = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert data == {f"man/{page}": f"share/man/man{page[-1]}/{page}" for page in PAGES}
