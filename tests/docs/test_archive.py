"""asimi runs from an archive of its modules, with its catalogue, its tables and its pages in it."""

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from helpers import PYTHON

ROOT = Path(__file__).parents[2]
START = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from asimi.__main__ import main
assert ".zip" in sys.modules["asimi"].__file__
main()
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """What the wheel holds, as an archive."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    pages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    path = tmp_path_factory.mktemp("archive") / "asimi.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted((ROOT / "asimi").rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                archive.write(file, file.relative_to(ROOT))
        for source, there in pages.items():
            for file in [ROOT / source] if (ROOT / source).is_file() else sorted((ROOT / source).rglob("*.md")):
                archive.write(
                    file, there if (ROOT / source).is_file() else f"{there}/{file.relative_to(ROOT / source)}"
                )
    return path


def asimi(archive, tmp_path, *words):
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environ |= {"HOME": str(tmp_path), "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "XDG_RUNTIME_DIR": str(tmp_path)}
    others = os.pathsep.join(path for path in sys.path if path and Path(path) not in (ROOT, ROOT / "tests"))
    words = [PYTHON, "-c", START, str(archive), *words]
    return subprocess.run(
        words, capture_output=True, text=True, cwd=tmp_path, env=environ | {"PYTHONPATH": others}, check=False
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("help",), "  configuration  "),
        (("help", "rules"), "# Rules"),
        (("help", "configuration"), "coreTools"),
        (("explain", "git", "push"), "publish"),
        (("check", "git push"), "publishes"),
        (("check", "curl -H 'X-Api-Key: hunter2' http://h"), "uses the network"),
        (("config", "schema"), "coreTools"),
    ],
)
def test_asimi_runs_from_an_archive(archive, tmp_path, words, said):
    done = asimi(archive, tmp_path, *words)
    assert said in done.stdout, done.stderr
    assert "Traceback" not in done.stderr
