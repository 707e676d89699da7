"""What is to hold a command on a host is set up there, or nothing starts; its administrator's denies hold."""

import hashlib
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
from typing import get_type_hints

import pytest
from helpers.hosts import Hosted, host_at

from asimi.core import call, json_values
from asimi.core.call import Sandbox
from asimi.core.errors import HostError
from asimi.extras.hosts import frames
from asimi.extras.hosts.link import Link
from asimi.world.executors.confining import ability

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="sandbox and exec rules need Linux")


@LINUX
@pytest.mark.skipif(bool(ability.unkept(Sandbox("project"))), reason="no sandbox can be set up here")
def test_a_sandbox_holds_there(there, tmp_path):
    (tmp_path / "other").mkdir()
    assert there.link.ask("unkept", Sandbox("project")) == ""
    result = there(f"touch in; touch {tmp_path}/other/out; echo $TMPDIR", sandbox={"mode": "project"})
    assert (tmp_path / "root/in").exists()
    assert not (tmp_path / "other/out").exists()
    assert result.stdout.text.startswith(f"{tmp_path}/home/.local/state/asimi/sandbox/")


@LINUX
def test_a_sandbox_that_would_open_asimis_own_files_there_is_told(there, tmp_path):
    assert "among asimi's own files" not in there.link.ask("opened_to", Sandbox("project"))
    opened = Sandbox("project", writable=(str(tmp_path / "home"),))
    assert "asimi's own files" in there.link.ask("opened_to", opened)


@LINUX
def test_a_sandbox_that_cannot_be_kept_there_starts_nothing(there, tmp_path):
    result = there("touch ran", sandbox={"mode": "project", "backend": "landlock", "hidden": ("/x",)})
    assert result.failure.kind == "setup"
    assert not (tmp_path / "root/ran").exists()


@LINUX
@pytest.mark.skipif(bool(ability.lacking_exec_rules()), reason="no exec rules can be set up here")
def test_exec_rules_hold_there_and_what_they_refuse_is_told_here(there):
    result = there("sh -c 'git push'; echo $?", enforced=("git push",))
    assert result.stdout.text == "126\n"
    assert [each.argv for each in result.refused] == [("git", "push")]
    assert [each.argv for _, each in there.refused] == [("git", "push")]


@pytest.mark.skipif(not shutil.which("unshare") or os.geteuid() != 0, reason="needs another /etc, and so root")
def test_the_administrators_denies_there_are_told_and_hold(tmp_path):
    shutil.copytree("/etc", tmp_path / "etc", symlinks=True, ignore=lambda *_: ["asimi"])
    (tmp_path / "etc/asimi").mkdir(mode=0o755)
    managed = tmp_path / "etc/asimi/config.toml"
    managed.write_text('excludeTools = ["run_shell_command(touch)"]\ncoreTools = ["run_shell_command(true)"]\n')
    host = host_at(tmp_path / "home", tmp_path / "root")
    script = f'mount --bind {tmp_path}/etc /etc && exec "$@"'
    unshare = ("unshare", "-m", "sh", "-c", script, "sh")
    if subprocess.run((*unshare, "true"), capture_output=True, check=False).returncode:
        pytest.skip("no mount of its own can be made here")
    it = Hosted(tmp_path / "home", tmp_path / "root", host._replace(reach=(*unshare, *host.reach)))
    assert [(each.entry, each.source) for each in it.link.facts.managed] == [
        ("run_shell_command(touch)", "/etc/asimi/config.toml:1")
    ]
    assert it("echo free").stdout.text == "free\n"
    result = it("touch ran")
    assert result.failure.kind == "setup"
    assert "/etc/asimi/config.toml:1" in result.failure.message
    managed.write_text('excludeTools = ["run_shell_command(echo)"]\n')
    assert it("echo free").failure.kind == "setup"
    managed.write_text("broken")
    assert it("true").failure is not None
    it.end()
    with pytest.raises(HostError, match="is not valid TOML"):
        Link(it.host)


def _asked(link, answers):
    answers.put(link.ask("kind", "/"))
    os._exit(0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_copy_of_the_process_has_a_link_of_its_own(there):
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    copy = context.Process(target=_asked, args=(there.link, answers))
    copy.start()
    copy.join(60)
    assert copy.exitcode == 0
    assert there.link.ask("kind", "/")
    assert there("echo here").stdout.text == "here\n"


def _shape(kind, seen):
    """All fields of a value that travels, with their types, and those of the values in it."""
    if not hasattr(kind, "_fields"):
        for each in getattr(kind, "__args__", ()):
            _shape(each, seen)
        return
    if kind.__name__ in seen:
        return
    seen[kind.__name__] = dict(kind.__annotations__)  # as they are written: Pythons print types in different ways
    for each in get_type_hints(kind, localns=json_values._NAMES).values():
        _shape(each, seen)


def test_the_shape_of_what_travels_is_that_of_this_protocol():
    """Where a value changes, two ends of one protocol would not understand each other: raise PROTOCOL, then this."""
    seen = {}
    for kind in (*frames.NEAR.values(), *frames.FAR.values(), call.Deed, Sandbox):
        _shape(kind, seen)
    digest = hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:16]
    assert (frames.PROTOCOL, digest) == (5, "61c0e70bba572e6e")
