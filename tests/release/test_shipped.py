"""The wheel and the source archive: anyone builds the same bytes, everything is in them, and they work alone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from helpers import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = re.search(r'__version__ = "(.+)"', (ROOT / "asimi" / "__init__.py").read_text(encoding="utf-8"))[1]
WHEEL = ROOT / "dist" / f"asimi-{VERSION}-py3-none-any.whl"
SOURCES = ROOT / "dist" / f"asimi-{VERSION}.tar.gz"
INSTALLED = ROOT / "build" / "installed" / "bin"


def tracked():
    """What git knows, by its path: what is in no commit must be in no release."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.split("\0") if path and (ROOT / path).exists()]


def inside(archive):
    """The paths in a source archive, without its first directory."""
    with tarfile.open(archive) as tar:
        return {member.name.partition("/")[2] for member in tar if member.isfile()}


def test_nothing_else_is_shipped():
    assert sorted(path.name for path in (ROOT / "dist").iterdir()) == sorted([WHEEL.name, SOURCES.name])


def test_somebody_else_builds_the_same_bytes(tmp_path):
    """In another directory, zone and locale, with other times and modes of the files and another order of hashes."""
    for path in tracked():
        copy = tmp_path / "elsewhere" / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, copy)
        copy.chmod(0o700 if os.access(ROOT / path, os.X_OK) else 0o600)
        os.utime(copy, (1_000_000_000, 1_000_000_000))
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "TZ": "Asia/Tokyo",
        "LANG": "C",
        "PYTHONHASHSEED": "7",
    }
    words = [sys.executable, "-m", "build", "--no-isolation", "--outdir", "out", "elsewhere"]
    subprocess.run(words, cwd=tmp_path, env=environ, umask=0o077, check=True, stdout=subprocess.DEVNULL)
    for mine in (WHEEL, SOURCES):
        assert (tmp_path / "out" / mine.name).read_bytes() == mine.read_bytes()


def test_the_sources_are_what_git_knows():
    """Everything that the tests and the documentation need is there, and nothing that somebody left lying about."""
    added = {".gitignore", "PKG-INFO"}  # by hatchling
    of_a_host = (".ci/", ".clusterfuzzlite/", ".github/", ".pre-commit", ".gitignore")
    known = {path for path in tracked() if not path.startswith(of_a_host)}
    assert inside(SOURCES) - added == known


def test_the_wheel_holds_every_module_and_page_and_no_test():
    with zipfile.ZipFile(WHEEL) as wheel:
        assert wheel.testzip() is None
        names = set(wheel.namelist())
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in wheel.infolist()}
    assert {name: mode for name, mode in modes.items() if mode != 0o644} == {"asimi/hooks/claude-code/launch": 0o755}
    package = {path for path in tracked() if path.startswith("asimi/")}
    pages = {path for path in names if path.startswith("asimi/docs/")}
    manual = {path for path in names if path.startswith(f"asimi-{VERSION}.data/data/share/man/")}
    information = {path for path in names if path.startswith(f"asimi-{VERSION}.dist-info/")}
    assert names - pages - manual - information == package
    assert {os.path.basename(path) for path in manual} == {"asimi.1", "asimi-config.5", "asimi-rules.7"}
    assert {"asimi/docs/README.md", "asimi/docs/start/agents.md", "asimi/docs/trust/threat-model.md"} <= pages


def test_the_metadata_say_what_the_project_says():
    with zipfile.ZipFile(WHEEL) as wheel:
        metadata = message_from_bytes(wheel.read(f"asimi-{VERSION}.dist-info/METADATA"))
        assert b"asimi = asimi.__main__:main" in wheel.read(f"asimi-{VERSION}.dist-info/entry_points.txt")
        assert wheel.read(f"asimi-{VERSION}.dist-info/licenses/LICENSE")
        assert wheel.read("asimi/py.typed") == b""
    assert (metadata["Name"], metadata["Version"]) == ("asimi", VERSION)
    assert metadata["Requires-Python"] == PROJECT["requires-python"]
    assert metadata["License-Expression"] == "Apache-2.0"
    needed = [each for each in metadata.get_all("Requires-Dist") if "extra ==" not in each]
    assert len(needed) == len(PROJECT["dependencies"])
    assert f"## {VERSION}" in (text := (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")) or "## Unreleased" in text


@pytest.fixture
def asimi(tmp_path):
    """Runs the installed asimi, in a home of its own, where no checkout can be imported."""

    def run(*words):
        environ = {"PATH": f"{INSTALLED}:/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8"}
        return subprocess.run(["asimi", *words], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--version"], 0, VERSION),
        (["config", "init", "--preset", "reader"], 0, "written"),
        (["check", "ls"], 1, "ask"),
        (["--yes", "run", "echo works"], 0, "works\n"),
        (["help", "threat-model"], 0, "# Threat model"),
        (["doctor"], 0, "hook, undo, deny, reading"),
        (["mcp"], 125, "asimi[mcp]"),
    ],
    ids=str,
)
def test_the_wheel_works_where_nothing_else_is_installed(asimi, words, code, said):
    done = asimi(*words)
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True), done


@pytest.fixture(scope="module")
def one_file(tmp_path_factory):
    """Runs asimi.pyz as it was downloaded, in a home of its own with a project."""
    home = tmp_path_factory.mktemp("home")
    (home / "project").mkdir()
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(home), "LANG": "C.UTF-8", "CI": "true"}

    def run(*words, program=(sys.executable, ROOT / "build" / "asimi.pyz"), stdin=""):
        return subprocess.run(
            [*program, *words],
            cwd=home / "project",
            env=environ,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )

    run.home = home
    return run


def test_one_file_unpacks_itself_once_and_again_where_it_is_another(one_file):
    program = one_file.home / ".local/share/asimi/program"
    done = one_file("--version")
    assert (done.stdout, "unpacking" in done.stderr) == (f"asimi {VERSION}\n", True)
    assert one_file("--version").stderr == ""
    (program / "DIGEST").write_text("another")
    (program / "left").touch()
    assert "unpacking" in one_file("--version").stderr
    assert (sorted(path.name for path in program.parent.iterdir()), (program / "left").exists()) == (["program"], False)
    assert (program / "asimi/hooks/claude-code/launch").stat().st_mode & 0o111


def test_one_file_does_what_an_installed_asimi_does(one_file):
    for words, code, said in (
        (["--yes", "init", "--preset", "developer"], 0, "written"),
        (["check", "git push"], 1, "ask"),
        (["run", "echo works"], 0, "works\n"),
        (["help", "threat-model"], 0, "# Threat model"),
        (["hook", "install", "gemini-cli"], 0, "installed"),
        (["hook", "doctor", "gemini-cli"], 0, "a command that cannot be parsed is denied"),
        (["doctor"], 0, "hook, undo, deny, reading"),
        (["uninstall", "--dry-run"], 0, "asimi.pyz"),
    ):
        done = one_file(*words)
        assert (done.returncode, said in done.stdout) == (code, True), done


def test_the_window_of_a_question_starts_it(one_file):
    program = one_file.home / ".local/share/asimi/program"
    tell = "import asimi.compose.voice as it; print(*it.SHOWS, sep=chr(10))"
    code = f"import sys; sys.path.append({str(program)!r}); {tell}"
    shows = one_file("-c", code, program=[sys.executable]).stdout.splitlines()
    done = one_file("--help", program=shows)
    assert "asimi watch" in done.stdout, done


@pytest.mark.skipif(not shutil.which("bwrap"), reason="needs bubblewrap")
def test_one_file_holds_a_program_in_a_box(one_file):
    done = one_file("wrap", "--", "sh", "-c", "echo in > here; echo out > ~/there")
    assert "runs in a box" in done.stderr
    assert [(one_file.home / path).exists() for path in ("project/here", "there")] == [True, False], done


def test_somebody_else_packs_the_same_file(tmp_path):
    made = (ROOT / "build" / "asimi.pyz").read_bytes()
    (tmp_path / "build").mkdir()
    subprocess.run([sys.executable, ROOT / "packaging/pyz.py", ROOT / "build/tree"], cwd=tmp_path, check=True)
    assert (tmp_path / "build" / "asimi.pyz").read_bytes() == made


def test_the_bill_of_materials_names_all_that_is_installed():
    bill = json.loads((ROOT / "build" / "asimi.cdx.json").read_text(encoding="utf-8"))
    assert bill["bomFormat"] == "CycloneDX"
    assert (bill["metadata"]["component"]["name"], bill["metadata"]["component"]["version"]) == ("asimi", VERSION)
    (packages,) = Path(INSTALLED.parent, "lib").glob("python3*/site-packages")
    there = {path.name.split("-")[0].lower().replace("_", "-") for path in packages.glob("*.dist-info")}
    listed = {each["name"].lower().replace("_", "-"): each for each in bill["components"]}
    assert {*listed} | {"asimi"} == there
    for name, each in listed.items():
        assert each["version"], name
        assert each["purl"].startswith("pkg:pypi/"), name
        assert each.get("licenses"), name
