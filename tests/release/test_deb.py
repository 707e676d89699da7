"""Debian's package in a clean root: `make deb` builds both, and needs to be root for the second."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers import ROOT

pytestmark = pytest.mark.skipif(not os.environ.get("ASIMI_DEB"), reason="`make deb` runs these")

CLEAN = Path(os.environ.get("ASIMI_DEB", "/nowhere"))
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]


def inside(*words):
    """Run a program in the clean root, which sees its own processes only."""
    home = "/tmp/nobody" if words[0] == NOBODY[0] else "/tmp/root"
    environ = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home, "LANG": "C.UTF-8"}
    apart = ["unshare", "--mount", "--pid", "--fork", f"--root={CLEAN}", "--wd=/tmp", "--mount-proc"]
    return subprocess.run([*apart, *words], env=environ, capture_output=True, text=True, check=False)


def files():
    """What is in the clean root and is not of a running system, a log or a cache."""
    passing = ("dev", "proc", "sys", "run", "tmp", "var/cache", "var/log", "var/lib/dpkg")
    listed = (path.relative_to(CLEAN).as_posix() for path in CLEAN.rglob("*"))
    return {path for path in listed if not path.startswith(passing)}


@pytest.fixture(scope="module")
def installed():
    """The package, installed while the tests of this module run; what was there before."""
    for user, number in {"root": 0, "nobody": 65534}.items():
        home = CLEAN / "tmp" / user
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        os.chown(home, number, number)
    inside("dpkg", "--purge", "asimi")
    before = files()
    (package,) = ROOT.glob("build/*.deb")
    shutil.copy(package, CLEAN / "tmp" / package.name)
    done = inside("dpkg", "--install", f"/tmp/{package.name}")
    assert done.returncode == 0, done
    yield before
    inside("dpkg", "--purge", "asimi")


@pytest.mark.parametrize("user", [[], NOBODY], ids=["root", "nobody"])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--version"], "0."),
        (["help", "threat-model"], "# Threat model"),
        (["--yes", "run", "echo works"], "works\n"),
        (["doctor"], "hook, undo, deny, reading"),
    ],
    ids=str,
)
def test_the_package_works_with_debians_own_python(installed, user, words, said):
    done = inside(*user, "asimi", *words)
    assert (done.returncode, said in done.stdout) == (0, True), done


def test_the_package_brings_completions_and_manual_pages(installed):
    shared = CLEAN / "usr/share"
    assert "complete -F _asimi asimi" in (shared / "bash-completion/completions/asimi").read_text()
    assert (shared / "zsh/vendor-completions/_asimi").read_text().startswith("#compdef asimi\n")
    assert "complete -c asimi" in (shared / "fish/vendor_completions.d/asimi.fish").read_text()
    for page in ("man1/asimi.1", "man5/asimi-config.5", "man7/asimi-rules.7"):
        assert b".SH NAME" in gzip.decompress((shared / f"man/{page}.gz").read_bytes())


def test_an_agents_hook_starts_it(installed):
    assert inside(*NOBODY, "asimi", "hook", "install", "gemini-cli").returncode == 0
    done = inside(*NOBODY, "asimi", "hook", "doctor", "gemini-cli")
    assert (done.returncode, "a command that cannot be parsed is denied" in done.stdout) == (0, True), done


def test_no_other_program_imports_what_it_carries(installed):
    done = inside("python3", "-c", "import typer")
    assert "No module named 'typer'" in done.stderr


def test_its_files_are_as_the_package_says(installed):
    assert inside("dpkg", "--verify", "asimi").stdout == ""
    assert inside("dpkg", "--audit").stdout == ""


def test_nothing_is_left_when_it_is_removed(installed):
    done = inside("dpkg", "--purge", "asimi")
    assert done.returncode == 0, done
    assert "asimi uninstall" in done.stderr
    assert sorted(files() - installed) == []
