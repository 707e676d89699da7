"""What is said of where links lead that are below a directory, by real links."""

import os
from pathlib import Path

import pytest

from asimi.core.budget import Budget
from asimi.core.call import Place, Request
from asimi.core.judging.guard import Guard
from asimi.core.judging.machine import Machine
from asimi.core.judging.protection import Protection
from asimi.core.judging.zones import FileRules, Files
from asimi.core.reading import Readings
from asimi.world.host.places import names_in
from asimi.world.host.trees import below, kind, leads

TABLE = [
    tuple(line.split(" | ", 1))
    for line in (Path(__file__).parent / "links.txt").read_text().splitlines()
    if line and line[0] != "#"
]

FILES = (
    ".ssh/id_rsa", ".profile", "project/.git/config", "project/src/app.py", "project/docs/x.md", "project/linked/notes",
    "project/other/.git/config",
)  # fmt: skip
LINKS = {
    "project/linked/keys": ".ssh",
    "project/around/linked": "project/linked",
    "project/around/other": "project/other",
    "project/around/up": ".profile",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A home with a key, and a project with links to it."""
    home = Path(os.path.realpath(tmp_path_factory.mktemp("home")))
    for name in FILES:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()
    for name, target in LINKS.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).symlink_to(home / target)
    return home


@pytest.fixture(scope="module")
def codes(home):
    """The codes of what is said of a text."""

    def codes(text, **changed):
        root = f"{home}/project"
        known = {"kind": kind, "below": below, "names": names_in, "links": os.path.islink} | changed
        machine = Machine(str(home), os.path.realpath, {}, **known)
        reading = Readings((), (), judge_substitutions=True)
        request = Request("run_shell_command", text, None, Place(root, root, inside=True))
        rules = FileRules(Files(write=(("**", "/tmp/**"),)), root, machine)
        read = reading.of(request)
        said = Guard(machine, Protection((), machine), rules)(request, read, Budget()).findings
        return {finding.code for finding in said[len(read.findings) :]}

    return codes


@pytest.mark.parametrize(("code", "text"), TABLE)
def test_links_count_where_they_are_followed(codes, code, text):
    said = codes(text)
    assert code in said if code != "none" else not said, said


@pytest.mark.parametrize("text", ["grep -R x src", "rg -L x", "find -L src -type f -exec cat {} +"])
def test_links_that_cannot_be_looked_for_ask(codes, text):
    assert "secret" in codes(text, below=lambda *_: None)


def test_what_the_home_leads_to_runs_by_itself(tmp_path):
    """A file of the project to which the shell's own file, or a name on `PATH`, leads is written with a question."""
    home = Path(os.path.realpath(tmp_path))
    project = home / "project"
    for name in (".local/bin", "tools", "project/fish", "project/src"):
        (home / name).mkdir(parents=True)
    (home / ".bashrc").symlink_to("project/rc")
    (home / ".local/bin/tool").symlink_to(project / "src/tool")
    (home / "tools/other").symlink_to(project / "other")
    (home / ".config").mkdir()
    (home / ".config/fish").symlink_to("../project/fish")
    variables = {"PATH": f"/usr/bin:{home}/tools"}
    machine = Machine(str(home), os.path.realpath, variables, kind=kind, below=below, names=names_in, leads=leads)

    def codes(text):
        request = Request("run_shell_command", text, None, Place(str(project), str(project), inside=True))
        reading = Readings((), (), judge_substitutions=True).of(request)
        rules = FileRules(Files(write=(("**",),)), str(project), machine)
        return {
            each.code
            for each in Guard(machine, Protection((), machine), rules)(request, reading, Budget()).findings[
                len(reading.findings) :
            ]
        }

    for text in (
        "echo x >> rc",
        "cp a src/tool",
        "cd src && sed -i s/a/b/ tool",
        "touch other",
        "touch fish/config.fish",
    ):
        assert "outside" in codes(text), text
    for text in ("cat rc", "touch src/tool2", "echo x > rc2", "touch src/rc"):
        assert codes(text) == set(), text
