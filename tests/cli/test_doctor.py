"""`asimi doctor` leads with what makes asimi refuse everything, and says so only then."""

from __future__ import annotations

import ctypes
import fcntl
import os
import re
import shutil
import subprocess

import pytest
from helpers import PATIENCE, PYTHON, ROOT
from helpers.home import Home
from helpers.samples import sample

from asimi.world.host.places import places_of
from asimi.world.host.state_files import KINDS, unusable

CONFIG = 'coreTools = ["run_shell_command"]\n'
LIBC = ctypes.CDLL(None)


STATES_SHOWN = ["fault", "works", "to do", "note ", "ok   "]


def _ordinary():
    """Root without its right to read and write everything (capabilities(7): 1 and 2, dropped by prctl(2) 24)."""
    for capability in (1, 2):
        LIBC.prctl(24, capability, 0, 0, 0)


ORDINARY = {} if os.geteuid() else {"preexec_fn": _ordinary}


@pytest.fixture
def home(tmp_path):
    one = Home(tmp_path, CONFIG)
    assert one.asimi("run", "true").returncode == 0
    yield one
    subprocess.run(["chmod", "-R", "u+rwX", tmp_path], check=True)


def moved(path, to):
    path.rename(path.parent / to)
    path.symlink_to(to)


def in_place_of(path, *, directory=False):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    path.mkdir(0o700) if directory else path.touch(0o600)


def project_entry(home):
    home.asimi("policy", "add", "--project", "--deny", "x")
    (path,) = (home.state / "projects").glob("*.toml")
    return path


def trust(home):
    project = home.root / ".asimi" / "config.toml"
    project.parent.mkdir()
    project.write_text(CONFIG)
    (home.state / "trust.json").touch(0o600)


def ticket(home, mode=0o600):
    home.environ["ASIMI_SESSION"] = "x"
    path = home.home / "run" / "asimi" / "session-name-x.json"
    path.parent.mkdir(0o700)
    path.write_text("")
    path.chmod(mode)


def approved(home, mode):
    home.asimi("policy", "add", "--deny", "x")
    home.config.with_name("config.approved.toml").chmod(mode)


def project_file(home, text, mode=0o600):
    path = home.root / ".asimi" / "config.toml"
    path.parent.mkdir()
    path.write_text(text)
    path.chmod(mode)


def environment(name, value):
    return lambda home: home.environ.update({name: value})


# What makes asimi refuse everything, where the first line must say it is, and what must be done about it.
STATES = {
    "state open to its group": (lambda home: home.state.chmod(0o750), "state/asimi: ", "chmod 700"),
    "state open to all": (lambda home: home.state.chmod(0o777), "state/asimi: ", "chmod 700"),
    "state unreadable": (lambda home: home.state.chmod(0), "state/asimi/log.head: ", "chmod u+rwx"),
    "state is a link": (lambda home: moved(home.state, "moved"), "state/asimi: is a symbolic link", "move it away"),
    "state is a file": (lambda home: in_place_of(home.state), "state/asimi: is not a directory", "move it away"),
    "state cannot be made": (
        lambda home: (shutil.rmtree(home.state), home.state.parent.chmod(0o500)),
        "state/asimi: the directory cannot be made",
        "chmod u+rwx",
    ),
    "log open": (lambda home: (home.state / "log.jsonl").chmod(0o666), "asimi/log.jsonl: ", "chmod 600"),
    "log unreadable": (lambda home: (home.state / "log.jsonl").chmod(0), "asimi/log.jsonl: ", "chmod u+rw"),
    "log is a directory": (
        lambda home: in_place_of(home.state / "log.jsonl", directory=True),
        "asimi/log.jsonl: ",
        "Is a directory",
    ),
    "log is a link": (lambda home: moved(home.state / "log.jsonl", "x"), "asimi/log.jsonl: ", "move it away"),
    "head broken": (lambda home: (home.state / "log.head").write_text("x"), "asimi/log.head: ", "move it away"),
    "head open": (lambda home: (home.state / "log.head").chmod(0o644), "asimi/log.head: ", "chmod 600"),
    "project's entries open": (lambda home: project_entry(home).chmod(0o644), "/projects/", "chmod 600"),
    "project's entries unreadable": (lambda home: project_entry(home).parent.chmod(0), "/projects", "chmod u+rwx"),
    "trust broken": (trust, "trust.json", "remove it"),
    "configuration broken": (lambda home: home.config.write_text("coreTools = 5\n"), "config.toml:1: ", "an array"),
    "configuration unreadable": (lambda home: home.config.chmod(0), "config.toml: ", "chmod u+rw"),
    "configuration's directory unreadable": (
        lambda home: home.config.parent.chmod(0),
        "config.toml: ",
        "chmod u+rwx",
    ),
    "configuration is a directory": (
        lambda home: in_place_of(home.config, directory=True),
        "config.toml: is not a regular file",
        "remove it",
    ),
    "configuration's directory is a file": (
        lambda home: in_place_of(home.config.parent),
        "config/asimi is not a directory",
        "remove it",
    ),
    "configuration links to nowhere": (
        lambda home: (home.config.unlink(), home.config.symlink_to("nowhere")),
        "config.toml: is a link to ",
        "fix the link",
    ),
    "entries open": (lambda home: approved(home, 0o666), "config.approved.toml: ", "chmod o-w"),
    "project's file broken": (lambda home: project_file(home, "x ="), ".asimi/config.toml:1: ", "not valid TOML"),
    "project's file unreadable": (lambda home: project_file(home, "", 0), ".asimi/config.toml: ", "chmod u+rw"),
    "ticket broken": (ticket, "session-name-x.json: ", "remove it"),
    "ticket open": (lambda home: ticket(home, 0o644), "session-name-x.json: ", "chmod 600"),
    "no bash": (environment("PATH", "/nowhere"), "No bash on PATH", "install it"),
    "no root": (environment("ASIMI_ROOT", "/nowhere"), "'/nowhere' is not a directory", "--root"),
    "session's name": (environment("ASIMI_SESSION", "x" * 300), "The name of a session", "too long"),
    "a doctor's own session": (
        environment("ASIMI_SESSION", "x asimi-doctor"),
        "A session may not be called",
        "what `asimi doctor` calls its own",
    ),
}


@pytest.mark.parametrize("state", sample(STATES, 4))
def test_the_first_line_says_what_makes_asimi_refuse_everything(home, state):
    make, where, remedy = STATES[state]
    make(home)
    assert home.asimi("run", "true", **ORDINARY).returncode == 125
    done = home.doctor(**ORDINARY)
    first = done.stdout.splitlines()[0]
    assert (done.returncode, first[:7], done.stderr) == (1, "fault  ", "")
    assert where in first
    assert remedy in first


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("name", ["", "log.jsonl"])
def test_files_of_another_user_are_named_first(home, name):
    os.chown(home.state / name, 1, 1)
    assert home.asimi("run", "true").returncode == 125
    done = home.doctor()
    assert f"{home.state / name}".rstrip("/") + ": belongs to user 1" in done.stdout.splitlines()[0]


@pytest.mark.parametrize(
    ("options", "fill", "words"),
    [
        ("size=64k", 'head -c 1000000 /dev/zero > "$0/full"', "No space left on device"),
        ("ro", ":", "Read-only file system"),
    ],
)
def test_a_full_or_read_only_file_system_is_named_first(home, options, fill, words):
    script = (
        f'mount -t tmpfs -o mode=700 none "$0" && {{ {fill.replace("1000000", "100000000")} 2>/dev/null; true; }} && '
        f'mount -o remount,{options} "$0"; "$1" -m asimi run true >&2; echo $?; "$1" -m asimi doctor'
    )
    script = script.replace("mode=700", "mode=700,size=64k") if options != "ro" else script
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, home.state, PYTHON],
        cwd=home.root, env=home.environ, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    if "unshare" in done.stderr or "mount: " in done.stderr:
        pytest.skip("file systems cannot be mounted here")
    code, first, *_ = done.stdout.splitlines()
    assert code == "125", done.stderr
    assert first.startswith("fault  call: ")
    assert f"{home.state}" in first
    assert words in first


IMPATIENT = """\
from asimi.__main__ import main
from asimi.world.host import places
places.PATIENCE = 2.0
main()
"""
"""asimi, which waits less long for a lock."""


def test_a_lock_that_another_process_keeps_is_named_first(home):
    with open(home.state / "log.head", "rb") as head:
        fcntl.flock(head, fcntl.LOCK_EX)
        run, doctor = (
            home.start(*words, program=[PYTHON, "-c", IMPATIENT]) for words in (("run", "true"), ("doctor",))
        )
        out, _ = doctor.communicate(timeout=2 * PATIENCE)
        run.communicate(timeout=2 * PATIENCE)
    assert (run.returncode, doctor.returncode) == (125, 1)
    assert "log.jsonl: another process has held the lock" in out.decode().splitlines()[0]


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("output", "logs", "jobs"), id="output logs jobs"),
        pytest.param(("projects", "calls", "of-tomorrow"), id="projects calls of-tomorrow", marks=pytest.mark.long),
    ],
)
def test_every_directory_of_asimis_own_is_looked_at(home, names):
    """Some at a time, for a doctor names five and counts the rest."""
    directories = [home.state / name for name in names]
    for each in directories:
        each.mkdir(0o700, exist_ok=True)
        (each / "file").touch(0o600)
    for paths in (directories, [each / "file" for each in directories]):
        before = [path.stat().st_mode for path in paths]
        for path in paths:
            path.chmod(0o777)
        done = home.doctor()
        assert done.returncode == 1
        said = sorted(line.partition(" so ")[0] for line in done.stdout.splitlines()[: len(paths)])
        assert said == sorted(f"fault  files: {path}: is open to other users," for path in paths)
        for path, mode in zip(paths, before, strict=True):
            path.chmod(mode)
    assert home.doctor().returncode == 0


STORED = ["state/asimi/hooks.json", "run/asimi/session-tty-1.json", "run/asimi/questions/1.json",
          "state/asimi/jobs/1.json", "state/asimi/checks/1.json", "state/asimi/proposals/1.json"]  # fmt: skip


@pytest.mark.parametrize("names", sample([STORED[:3], STORED[3:]], 2), ids=["some", "others"])
@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [("{", 0o600, "; remove it"), ('{"version": 1}', 0, "; chmod 600 ")],
    ids=["broken", "unreadable"],
)
def test_a_file_that_is_broken_or_cannot_be_read_is_a_fault(home, names, text, mode, said):
    for path in (home.home / name for name in names):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
    (home.home / "run" / "asimi").chmod(0o700) if names[0] == STORED[0] else None
    done = home.doctor(**ORDINARY)
    for path in (home.home / name for name in names):
        (fault,) = [line for line in done.stdout.splitlines() if line.startswith("fault") and str(path) in line]
        assert said in fault
    assert done.returncode == 1


def test_a_file_in_the_place_of_each_directory_is_found(home):
    places = places_of(home.environ)
    for kind in KINDS:
        if kind.directory and kind.name:
            path = home.home / kind.path(places)
            path.parent.mkdir(0o700, exist_ok=True)
            shutil.rmtree(path, ignore_errors=True)
            path.touch(0o600)
            assert f"{path}: is not a directory" in "\n".join(unusable(places))
            path.unlink()


def test_the_list_names_every_file_that_a_day_leaves(home):
    home.asimi("run", "seq 1 9 & seq 1 9; sleep 0.1 &")
    home.asimi("policy", "add", "--deny", "x")
    home.asimi("policy", "add", "--deny", "--project", "x")
    home.asimi("hook", "install", "codex")
    home.asimi("untrust")
    places = places_of(home.environ)
    named = {kind.path(places) for kind in KINDS}
    for directory in (places.state, places.runtime, places.config):
        there = os.listdir(directory) if os.path.isdir(directory) else []
        assert {os.path.join(directory, name.removesuffix(".lock").lstrip(".")) for name in there} <= named


def test_the_list_and_the_page_about_files_name_the_same():
    shown = {name: name.upper() for name in ("config", "state", "runtime", "cache")}
    shown["managed"] = "/etc/asimi/config.toml"
    rows = [
        line.split("|")[1]
        for line in (ROOT / "docs/reference/files.md").read_text().splitlines()
        if line.startswith("| `")
    ]
    written = {name.rstrip("/") for row in rows for name in re.findall("`(.*?)`", row)}
    listed = {f"{shown[kind.place]}/{kind.name}".rstrip("/") for kind in KINDS}
    elsewhere = {
        "ROOT/.asimi/config.toml",
        "ROOT/.asimi/programs",
        "/etc/asimi/programs",
        "RUNTIME/session-*.json",
        "RUNTIME/box-*",
    }
    assert written - listed == elsewhere
    assert listed - written == {"STATE", "RUNTIME"}


def test_a_healthy_machine_has_no_fault_and_leads_with_what_works_and_what_to_type(home):
    home.config.unlink()
    done = home.asimi("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    box = "" if "bubblewrap: not here" in done.stdout else "box, "
    first, shell, to_do, *_, last = done.stdout.splitlines()
    assert first.startswith(f"works  {box}hook, undo, deny, reading: ")
    assert shell.startswith("works  shell: ")
    assert re.fullmatch("to do  .*: asimi init", to_do if box else done.stdout.splitlines()[3])
    assert re.fullmatch("ok     [0-9]+ more; see them with: asimi doctor --verbose", last)
    assert len(done.stdout.splitlines()) < 12
    assert "fault" not in done.stdout
    lines = home.asimi("doctor", "--verbose").stdout.splitlines()
    assert "ok     call: `true` ran, as any command that is allowed would" in lines
    assert [line[:5] for line in lines] == sorted((line[:5] for line in lines), key=STATES_SHOWN.index)
    assert len(lines) == len(done.stdout.splitlines()) - 1 + int(re.findall("[0-9]+", last)[0])


def test_a_configuration_without_undo_is_noted(home):
    note = f"note   undo: it is off here: no [undo] keep in {home.config}"
    assert note in home.doctor().stdout.splitlines()
    home.config.write_text(CONFIG + "[undo]\nkeep = '1d'\n")
    assert note not in home.doctor().stdout.splitlines()


def test_what_the_policy_denies_does_not_keep_doctor_from_trying(home):
    home.config.write_text('excludeTools = ["run_shell_command", "execute_command"]\n')
    assert home.asimi("run", "true").returncode == 126
    assert home.asimi("doctor").returncode == 0


def test_a_log_that_was_changed_is_noted(home):
    home.asimi("run", "false")
    log = home.state / "log.jsonl"
    log.write_text(log.read_text().replace("false", "truer"))
    assert home.asimi("run", "true").returncode == 0
    done = home.doctor()
    assert done.returncode == 0
    assert f"note   log: {log}:" in done.stdout
    assert "asimi log verify" in done.stdout


def test_a_log_that_may_lack_lines_is_noted(home):
    home.config.write_text(CONFIG + "audit.required = false\n")
    (home.state / "log.head").write_text("x")
    done = home.doctor()
    assert done.returncode == 0
    assert f"note   log: The log cannot be written ({home.state}/log.head: " in done.stdout


def test_a_configuration_that_its_group_can_change_is_noted(home):
    home.config.chmod(0o664)
    done = home.doctor()
    assert done.returncode == 0
    assert f"note   configuration: {home.config}: other users can change it" in done.stdout


def test_doctor_names_the_agents_that_have_the_hook(home):
    said = home.doctor().stdout
    assert re.search("hooks: no agent has asimi's hook.*; install it with: asimi hook install AGENT", said)
    for agent in ("codex", "claude-code"):
        assert home.asimi("hook", "install", agent).returncode == 0
    said = home.doctor("--verbose").stdout
    for agent, title in (("codex", "Codex CLI"), ("claude-code", "Claude Code")):
        assert f"ok     hook: {title} has asimi's hook; test it with: asimi hook doctor {agent}" in said
    assert "no agent" not in said


def test_doctor_says_whether_the_checks_are_confirmed(home):
    (home.root / "Makefile").write_text("test:\n\ttrue\n")
    assert "checks:" not in home.doctor().stdout
    home.config.write_text(CONFIG + '[[rules]]\ndecision = "allow"\nchecks = true\n')
    (note,) = re.findall("to do  checks: .*", home.doctor().stdout)
    assert note.endswith(" (make test); see and confirm them with: asimi trust")
    with home.at_terminal("trust") as person:
        person.sees("[y/n] ")
        person.enters("y")
        assert person.ended() == 0
    assert "ok     checks: confirmed as they are now: make test" in home.doctor("--verbose").stdout
    (home.root / "Makefile").write_text("test:\n\tfalse\n")
    assert "to do  checks: asked about" in home.doctor().stdout


def test_an_old_bash_is_noted(home, tmp_path):
    bash = tmp_path / "bin" / "bash"
    bash.parent.mkdir()
    bash.write_text('#!/bin/sh\n[ "$1" = --norc ] && echo 3.2.57 || exec /bin/sh "$@"\n')
    bash.chmod(0o755)
    home.environ["PATH"] = f"{bash.parent}:{home.environ['PATH']}"
    assert home.asimi("run", "true").returncode == 0
    done = home.doctor()
    assert done.returncode == 0
    assert "note   shell: " in done.stdout
    assert "3.2.57, older than 4.4" in done.stdout


def test_a_directory_that_is_gone_is_named_first(home):
    gone = home.root / "gone"
    gone.mkdir()
    script = 'cd gone && rmdir ../gone && "$0" -m asimi run true; echo $?; "$0" -m asimi doctor'
    done = subprocess.run(
        ["sh", "-c", script, PYTHON], cwd=home.root, env=home.environ, capture_output=True, text=True,
        timeout=PATIENCE, check=False,
    )  # fmt: skip
    code, first, *_ = done.stdout.splitlines()
    assert code == "125"
    assert first.startswith("fault  call: The directory asimi was started in is gone")


def probes(home, **environ):
    done = home.asimi("doctor", "--verbose", environ=environ)
    lines = [(line[:5].strip(), line[7:].partition(":")[0]) for line in done.stdout.splitlines()]
    return done.returncode, {what: state for state, what in lines}


def test_what_asimi_promises_is_tried_and_nothing_is_left(home):
    files = sorted(home.home.rglob("*"))
    code, found = probes(home)
    assert code == 0
    assert {found[what] for what in ("reading", "deny", "hook", "undo")} == {"ok"}
    assert ("box" in found) == (found["bubblewrap"] == "ok")
    assert sorted(home.home.rglob("*")) == files


def test_a_bash_that_runs_more_than_the_text_says_is_noticed(home):
    real = shutil.which("bash", path=home.environ["PATH"])
    directory = home.home / "bin"
    directory.mkdir()
    text = f'#!{real}\n[[ $1 = -c && $2 = *\\;* ]] && exec {real} -c "$2\nmore" "${{@:3}}"\nexec {real} "$@"\n'
    (directory / "bash").write_text(text)
    (directory / "bash").chmod(0o755)
    code, found = probes(home, PATH=f"{directory}:{home.environ['PATH']}")
    assert (code, found["reading"]) == (1, "fault")


def test_self_test_is_another_name_of_doctor(home):
    assert home.asimi("self-test", "--verbose").stdout.count("ok     reading:") == 1
