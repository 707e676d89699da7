"""What leaves a box: real boxes, as root and as an ordinary user, and stand-ins that talk over real sockets."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from helpers import MODULES, PATIENCE
from helpers.leaving import Office
from helpers.samples import sample
from helpers.sandboxes import AS_NOBODY, USERS, nobodys_python, skip
from helpers.terminal import Person

from asimi.doors.wrap.outside import CLIENT
from asimi.world.executors.confining.ability import lacking_bubblewrap

EVIL = "#!/bin/sh\necho evil >> {0}/evil\n"


@pytest.fixture(params=USERS)
def office(request):
    if fault := lacking_bubblewrap():
        skip(fault)
    it = Office(nobody=request.param == "nobody")
    yield it
    it.end()


def evil(office):
    """Whether something of the project ran outside."""
    return (office.outside / "evil").exists()


def test_git_pushes_over_ssh_by_a_rule(office):
    said = office.does('tell(do("git push -u origin main 2>&1")), tell(do("git push"))')
    assert [each[0] for each in said] == [0, 0], said
    assert office.head
    assert "asimi: 2 ran outside of the box: git push -u origin main 2>&1; git push" in office.said
    starts = [line for line in office.log() if line["event"] == "start"]
    assert [(line["command"], line["runs"], line["agent"]) for line in starts] == [
        ("git push -u origin main 2>&1", "outside", "codex"),
        ("git push", "outside", "codex"),
    ]
    assert [line["exit"] for line in office.log() if line["event"] == "end"] == [0, 0]


@pytest.mark.parametrize("command", ["gh pr view 12", "docker ps", "kubectl get pods"])
def test_a_client_with_a_login_runs_outside_by_a_rule(office, command):
    told = office.does(f'tell(bash("cat ~/.netrc"))\ntell(do("{command}"))')
    assert told[0][0] == 1  # the login is not there inside
    assert told[1] == [0, "said by the daemon\n", ""]
    assert office.asked == [[*command.split(), "login-of-mine", str(office.root)]]


def test_output_and_exit_code_are_those_of_the_command(office):
    (told,) = office.does('tell(do("docker logs fails"))')
    assert told == [7, "said by the daemon\n", ""]


def test_an_agent_that_takes_no_other_command_gets_the_result_with_the_refusal(office):
    told = office.does('tell(do("docker logs fails"))', "qwen")
    said = "asimi: it ran outside of the box, and ended with exit code 7\nsaid by the daemon"
    assert told == [["no", said]]


def test_what_no_rule_lets_out_is_asked_about_and_does_not_run(office):
    told = office.does('tell(do("docker rm x"))\ntell(do("ssh host ls"))\ntell(do("asimi outside \'docker rm x\'"))')
    assert [each[0] for each in told] == ["no", "no", 126]
    assert "A person can allow it with `asimi approve" in told[0][1]
    assert not office.asked
    assert "asimi: 3 needed to leave the box and did not run: docker rm x; ssh host ls" in office.said


def test_asimi_outside_asks_for_the_same(office):
    (told,) = office.does('tell(do("asimi outside docker ps"))')
    assert told == [0, "said by the daemon\n", ""]


def test_everything_inside_stands_still_meanwhile(office):
    office.answers = lambda _: (
        (office.root / "count").read_bytes() + (time.sleep(0.3) or (office.root / "count").read_bytes())
    )
    program = """
subprocess.Popen(["bash", "-c", "while :; do echo $((++n)) > count.new; mv count.new count; done"])
while not os.path.exists("count"): time.sleep(0.01)
tell(do("docker ps"))
"""
    ((code, out, _),) = office.does(program)
    first, second = out.split()
    assert (code, first) == (0, second)


# ---- attacks ---------------------------------------------------------------------------------------------------------


def test_programs_are_the_gates_and_never_the_projects(office):
    office.write(office.root / "bin/docker", EVIL.format(office.outside), 0o755)
    program = """
os.makedirs("node_modules/.bin")
open("docker", "w").write("#!/bin/sh\\necho evil\\n")
os.chmod("docker", 0o755)
os.environ["PATH"] = os.getcwd() + ":" + os.environ["PATH"]
tell(do("docker ps"))
tell(do("./docker ps"))
tell(do("PATH=. docker ps"))
"""
    path = f"{office.root}/bin:.:{office.environ()['PATH']}"
    told = office.does(program, PATH=path)
    assert told[0] == [0, "said by the daemon\n", ""]
    assert len(office.asked) == 1
    assert not evil(office)


def test_contexts_are_the_gates_and_never_the_projects(office):
    program = (
        'os.environ["KUBECONFIG"] = "evil"\ntell(do("kubectl get pods"))\ntell(do("KUBECONFIG=evil kubectl get pods"))'
    )
    inside, kept = {"KUBECONFIG": "kubeconfig", "DOCKER_CONFIG": str(office.root / ".docker")}, str(office.home / "gh")
    told = office.does(program, **inside, GH_CONFIG_DIR=kept)
    assert [each[0] for each in told] == [0, "no"]
    assert office.asked == [["kubectl", "get", "pods", "login-of-mine", str(office.root), f"GH_CONFIG_DIR={kept}"]]


def test_settings_that_are_kept_in_the_project_are_not_written(office):
    for name in (".kube/config", ".docker/config.json", ".config/gh/config.yml", ".aws/config", ".ssh/config"):
        at = office.home / name
        at.parent.mkdir(parents=True, exist_ok=True)
        at.unlink(missing_ok=True)
        at.symlink_to(office.write(office.root / "dots" / name.replace("/", "-"), "mine"))
    office.own()
    program = """
for name in sorted(os.listdir("dots")):
    try:
        tell(open("dots/" + name, "a").write("evil"))
    except OSError as error:
        tell(error.strerror)
"""
    assert office.does(program) == ["Read-only file system"] * 5


@pytest.mark.parametrize(
    ("setting", "runs"),
    sample(
        [
            ("core.sshCommand=./evil.sh", False),
            ("core.hooksPath=hooks", True),
            ("core.fsmonitor=./evil.sh", False),
            ("remote.origin.receivepack=./evil.sh", False),
            ("remote.origin.proxy=./evil.sh", False),
            ("remote.origin.vcs=evil", False),
            ("credential.helper=!./evil.sh", False),
            ("include.path=../evil", False),
            ("url.ext::sh.insteadOf=ssh://forge.example/", False),
            ("remote.pushDefault=./nested", False),
            ("branch.main.remote=./nested", False),
            ("remote.origin.pushurl=./nested", False),
        ],
        3,
    ),
)
def test_a_setting_of_the_repository_starts_nothing_by_a_rule(office, setting, runs):
    office.write(office.root / "evil.sh", EVIL.format(office.outside), 0o755)
    office.write(office.root / "hooks/pre-push", EVIL.format(office.outside), 0o755)
    office.git("config", *setting.split("=", 1))
    office.own()
    told = office.does('tell(do("git push origin main")), tell(do("git push"))')
    assert not evil(office)
    assert (office.head != "") is runs or setting.startswith("core.hooksPath")
    assert runs or [each[0] for each in told] == ["no", "no"], told


def test_git_writes_through_no_link_that_the_box_has_made(office):
    office.git("push", "-q", str(office.forge), "main")
    program = f"""
for name in ("FETCH_HEAD", "logs/refs/remotes"):
    bash("mkdir -p .git/logs/refs; rm -rf .git/" + name + "; ln -s {office.outside}/kept .git/" + name)
    tell(do("git fetch origin"))
    bash("rm -f .git/" + name)
text, _ = hook("git fetch origin")
bash("ln -s {office.outside}/kept .git/FETCH_HEAD")
tell(bash(text))
"""
    told = office.does(program)
    assert len(told) == 3  # each found the link still there, or asimi had moved it away
    assert office.untouched()


def test_a_hook_of_the_repository_does_not_run(office):
    office.write(office.root / ".git/hooks/pre-push", EVIL.format(office.outside), 0o755)
    told = office.does('tell(do("git push origin main"))')
    assert (told[0][0], bool(office.head), evil(office)) == (0, True, False)


@pytest.mark.parametrize(
    "made",
    [
        "bash('git init -q --bare nested; mkdir -p nested/hooks; cp evil.sh nested/hooks/pre-receive')",
        "bash('mkdir -p .git/branches; echo /x > .git/branches/nested')",
        "bash('mkdir -p .git/remotes; echo URL: ext::sh -c ./evil.sh > .git/remotes/nested')",
    ],
)
def test_a_remote_that_the_box_can_make_is_asked_about(office, made):
    office.write(office.root / "evil.sh", EVIL.format(office.outside), 0o755)
    told = office.does(f'{made}\ntell(do("git push nested main")), tell(do("git push ./nested main"))')
    assert [each[0] for each in told] == ["no", "no"]
    assert not evil(office)


def test_a_submodule_that_the_box_makes_is_not_entered(office):
    office.write(office.root / "evil.sh", EVIL.format(office.outside), 0o755)
    office.git("push", "-q", str(office.forge), "main")
    program = """
bash('''git init -q sub; cd sub; git -c user.name=x -c user.email=x commit -q --allow-empty -m x
git config core.sshCommand ../evil.sh; git remote add origin ssh://x/y; cd ..
git update-index --add --cacheinfo 160000,$(git -C sub rev-parse HEAD),sub
printf '[submodule "sub"]\\n\\tpath = sub\\n\\turl = ssh://x/y\\n\\tfetchRecurseSubmodules = true\\n' > .gitmodules''')
tell(do("git fetch origin"))
tell(do("git fetch --recurse-submodules origin"))
"""
    office.does(program)
    assert not evil(office)


def test_a_repository_that_lies_open_in_the_project_is_none(office):
    subprocess.run(["rm", "-r", office.root / ".git"], check=True)
    office.write(office.root / "evil.sh", EVIL.format(office.outside), 0o755)
    program = """
bash('''mkdir objects refs; echo ref: refs/heads/main > HEAD
printf '[core]\\n\\tsshCommand = ./evil.sh\\n[remote "origin"]\\n\\turl = ssh://x/y\\n' > config''')
tell(do("git fetch origin")), tell(do("gh pr view 1"))
"""
    told = office.does(program)
    assert [each[0] for each in told] == ["no", "no"]
    assert not evil(office)


def test_words_that_lead_into_the_project_are_asked_about(office):
    commands = [
        "docker ps --format=@x",
        "kubectl get -f ./x.yaml",
        "kubectl get -f x.yaml",
        f"docker -H unix://{office.root}/s ps",
    ]
    told = office.does("".join(f"tell(do({command!r}))\n" for command in commands))
    assert [each[0] for each in told] == ["no"] * len(commands)
    assert not office.asked


def test_a_directory_that_the_box_can_replace_is_asked_about(office):
    program = "os.mkdir('sub')\ntell(do('docker ps', os.path.realpath('sub')))"
    ((said, why),) = office.does(program)
    assert (said, "it runs in sub, which the box can replace" in why) == ("no", True)
    assert not office.asked


def test_what_changed_since_the_box_began_is_asked_about(office):
    program = """
tell(do("docker ps"))
open("waits", "w").close()
while not os.path.exists("goes-on"): time.sleep(0.01)
tell(do("docker ps"))
tell(do("docker ps | cat"))
"""
    process = office.starts(program)
    while not (office.root / "waits").exists():
        assert process.poll() is None
        time.sleep(0.01)
    office.replace(office.root / ".git/config", (office.root / ".git/config").read_text() + "[user]\n\tname = x\n")
    (office.root / "goes-on").touch()
    out, _ = process.communicate(timeout=PATIENCE)
    first, *others = map(json.loads, out.splitlines())
    assert first[0] == 0
    assert [said for said, _ in others] == ["no", "no"]
    assert all(f"{office.root}/.git/config has changed since" in why for _, why in others), others


def test_a_ticket_is_for_one_run(office):
    told = office.does('text, _ = hook("docker ps")\ntell(bash(text)), tell(bash(text))')
    assert [each[0] for each in told] == [0, 126]
    assert "there is no such ticket" in told[1][2]
    assert len(office.asked) == 1


def test_a_ticket_is_for_its_directory(office):
    told = office.does('text, _ = hook("docker ps")\ntell(bash(text, "/"))\ntell(bash(text))')
    assert [each[0] for each in told] == [126, 126]
    assert "another directory" in told[0][2]
    assert not office.asked
    refusals = [line for line in office.log() if line["event"] == "refusal"]
    assert [(line["command"], line["code"]) for line in refusals] == [("docker ps", "ticket")]


def test_another_program_gets_nothing_for_a_ticket(office):
    program = r"""
import socket
text, _ = hook("docker ps")
gate = socket.socket(socket.AF_UNIX)
gate.connect("/run/asimi/gate")
gate.sendall(b"\0".join([b"asimi", os.getcwd().encode(), b"2", b"outside", text.split()[-1].encode(), b""]))
gate.shutdown(socket.SHUT_WR)
tell(gate.makefile().read())
tell(bash(text))
"""
    first, second = office.does(program)
    assert "was not used by asimi's client" in first
    assert second[0] == 126
    assert not office.asked


def test_another_process_has_the_text_run_that_was_shown_and_nothing_else(office):
    program = """
text, _ = hook("docker ps")
thief = subprocess.run(["setsid", *text.split()], capture_output=True, text=True)
tell([thief.returncode, thief.stdout]), tell(bash(text))
"""
    first, second = office.does(program)
    assert (first, second[0]) == ([0, "said by the daemon\n"], 126)
    assert [words[:2] for words in office.asked] == [["docker", "ps"]]


def test_a_ticket_is_nothing_outside_of_its_box(office):
    program = """
open("ticket", "w").write(hook("docker ps")[0])
while not os.path.exists("goes-on"): time.sleep(0.01)
"""
    process = office.starts(program)
    while not (office.root / "ticket").exists() or not (ticket := (office.root / "ticket").read_text()):
        assert process.poll() is None
        time.sleep(0.01)
    (gate,) = (office.home / ".local/state/asimi/run").glob("box-*/gate")
    talk = "import sys\nfrom asimi.doors.wrap.client import talk\n"
    talk += f"sys.exit(talk('asimi', ['outside', sys.argv[-1]], {str(gate)!r}))"
    python = [*AS_NOBODY, nobodys_python()] if office.nobody else [sys.executable]
    words, environ = [*python, "-c", talk, *ticket.split()], os.environ | MODULES
    said = subprocess.run(words, capture_output=True, text=True, cwd=office.root, env=environ, check=False)
    (office.root / "goes-on").touch()
    process.communicate(timeout=PATIENCE)
    assert (said.returncode, "used outside of its box" in said.stderr) == (126, True), said
    assert not office.asked


# ---- ends ------------------------------------------------------------------------------------------------------------

WAITS = """#!/bin/sh
trap 'echo term > {0}/ended; exit' TERM
echo $$ > {0}/began
while :; do sleep 0.05; done
"""


def began(office, process):
    while not (office.outside / "began").exists() or not (pid := (office.outside / "began").read_text()):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    return int(pid)


def test_what_runs_outside_gets_sigterm_when_the_session_ends(office):
    office.write(office.bin / "docker", WAITS.format(office.outside), 0o755)
    process = office.starts('tell(do("docker ps"))')
    began(office, process)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 143
    assert (office.outside / "ended").read_text() == "term\n"


def test_what_runs_outside_goes_on_after_a_kill_and_is_a_job(office):
    office.write(office.bin / "docker", WAITS.format(office.outside), 0o755)
    process = office.starts('tell(do("docker ps"))')
    pid = began(office, process)
    process.kill()
    process.communicate(timeout=PATIENCE)
    try:
        assert os.path.exists(f"/proc/{pid}")
        listed = office.asimi("jobs", "list").communicate(timeout=PATIENCE)[0]
        assert "docker ps" in listed
    finally:
        os.kill(pid, signal.SIGKILL)
        while any((office.home / ".local/state/asimi/boxes").iterdir()):  # the keeper removes what the box had made
            time.sleep(0.05)


def test_the_client_is_named_by_its_path_in_the_box(office):
    (told,) = office.does('tell(hook("docker ps")[0])')
    assert told.startswith(f"{CLIENT} outside ticket-")


def test_after_a_yes_at_the_terminal_the_program_goes_on_there(office):
    if office.nobody:
        pytest.skip("a person of the tests is who runs them")
    office.write(office.root / "agent.py", 'print("begins")\nprint("ended with", do("docker rm x")[:2])\n')
    environ = office.environ() | {"TERM": "xterm-256color"}
    words = [sys.executable, "-m", "asimi", "wrap", "codex", "agent.py"]
    with Person(words, environ, cwd=office.root) as person:
        person.sees("needs a daemon of this machine")
        time.sleep(0.6)  # a key counts half a second after the question is shown
        person.presses("y")
        person.sees("ended with [0, 'said by the daemon", "1 ran outside of the box: docker rm x")
    assert [words[:3] for words in office.asked] == [["docker", "rm", "x"]]


# ---- parts of a text -------------------------------------------------------------------------------------------------

PARTS = [
    ("kubectl get pods | tr a-z A-Z", "SAID BY THE DAEMON\n"),
    ('echo "<$(gh pr view 12)>"', "<said by the daemon>\n"),
    ("docker ps > out && cat out", "said by the daemon\n"),
    ("cd . && docker ps && pwd | wc -l", "said by the daemon\n1\n"),
    ("x=$(docker ps); docker images | cat; echo $x", "said by the daemon\nsaid by the daemon\n"),
    ("docker logs fails || echo $?", "said by the daemon\n7\n"),
    ("if docker ps >/dev/null; then echo yes; fi", "yes\n"),
    ("diff <(docker ps) <(docker images) && echo same", "same\n"),
    ("(docker ps; echo a) | sort", "a\nsaid by the daemon\n"),
    ("cat <<'E' && docker ps\ndocker rm x\nE", "docker rm x\nsaid by the daemon\n"),
    ("for n in api db; do docker logs $n | tr a-z A-Z; done", "SAID BY THE DAEMON\n" * 2),
    ('n=$(docker ps | wc -l); docker logs "api-$n" >&1', "said by the daemon\n"),
    ("timeout 20 nice docker logs fails || echo $?", "said by the daemon\n7\n"),
    ("echo api db | xargs -n1 docker logs", "said by the daemon\n" * 2),
]


def test_commands_of_a_text_run_outside_by_a_rule_and_the_rest_inside(office):
    told = office.does("".join(f"tell(do({text!r}))\n" for text, _ in PARTS), "gemini")
    assert told == [[0, out, ""] for _, out in PARTS]
    starts = [line for line in office.log() if line["event"] == "start"]
    assert [(line["command"], line["runs"], line.get("apart")) for line in starts[:2]] == [
        (PARTS[0][0], "agent", ["kubectl get pods"]),
        ("kubectl get pods", "outside", None),
    ]
    assert {line["directory"] for line in starts} == {str(office.root)}


def test_an_agent_that_takes_no_other_command_is_told_what_to_run_instead(office):
    program = """
said, why = hook("docker ps | tr a-z A-Z")
line = why.partition(":\\n")[2]
tell([said, line]), tell(do(line)), tell(do(line)[0])
tell(do(hook("docker ps | cat")[1].partition(":\\n")[2] + " | tr a-z A-Z"))
"""
    said, first, second, more = office.does(program, "qwen")
    assert said[0] is None
    assert said[1].startswith(f"{CLIENT} outside ticket-")
    assert first == [0, "SAID BY THE DAEMON\n", ""]
    assert second == "no"  # the ticket was for one run
    assert more == [0, "SAID BY THE DAEMON\n", ""]
    commands = [line["command"] for line in office.log() if line["event"] == "start"]
    assert commands[:2] == ["docker ps | tr a-z A-Z", "docker ps"]


@pytest.mark.parametrize("agent", ["gemini", "qwen"])
def test_a_command_that_asks_each_time_is_judged_by_the_words_that_it_has_then(office, agent):
    """It runs only as it would run alone, whatever was said of its text."""
    program = """
def run(text):
    line, why = hook(text)
    if line is None and ":\\n" in why:
        line, why = hook(why.partition(":\\n")[2])
    return ["no", "", why] if line is None else bash(line)

for text in TEXTS:
    tell(run(text))
"""
    texts = [
        "for n in api db; do docker logs $n | tr a-z A-Z; done",
        'docker logs "$(echo api)"; docker logs "$(echo --tlscacert=./x)" || echo $?',
        'docker logs "$(echo api)"; docker rm x',
    ]
    told = office.does(f"TEXTS = {texts!r}\n{program}", agent)
    assert told[0] == [0, "SAID BY THE DAEMON\n" * 2, ""]
    assert told[1][:2] == [0, "said by the daemon\n126\n"], told
    assert "docker logs --tlscacert=./x" in told[1][2]
    assert [said for said, *_ in told[2:]] == ["no"]
    assert [words[:3] for words in office.asked] == [
        ["docker", "logs", "api"],
        ["docker", "logs", "db"],
        ["docker", "logs", "api"],
    ]


@pytest.mark.parametrize("agent", ["gemini", "qwen"])
def test_a_line_with_a_ticket_is_judged_as_the_command_it_stands_for(office, agent):
    program = """
def line(text="docker ps | cat"):
    text, why = hook(text)
    return (text or why.partition(":\\n")[2]).removesuffix(" | cat")

for text in LINES:
    tell(do(text.replace("TICKET", line()))[:2])
"""
    lines = [
        "for i in 1 2; do TICKET; done",
        "f() { TICKET; }; f; f",
        "TICKET | cat; cat .env",
        "TICKET --tlscacert ./x | cat",
        "TICKETabc | cat",
        "cd sub && TICKET | cat",
        "eval 'TICKET' | cat",
        "HOME=x; TICKET | cat",
        "TICKET | cat; docker rm x",
        "DOCKER_HOST=x TICKET | cat",
        "echo x | TICKET | cat",
        f"{CLIENT} outside ticket-{'0' * 32} | cat",
    ]
    office.write(office.root / ".env", "SECRET=1")
    office.write(office.root / "sub/x", "")
    office.own()
    told = office.does(f"LINES = {lines!r}\n{program}", agent)
    assert [said for said, _ in told] == ["no"] * len(lines)
    assert all("run the commands themselves" in why for _, why in told), told
    assert not office.asked


def test_a_ticket_of_a_text_is_for_one_run_and_its_directory(office):
    office.write(office.root / "sub/x", "")
    office.own()
    program = """
text, _ = hook("docker ps | cat")
tell(bash(f"{text}; {text}"))
text, _ = hook("docker ps | cat")
tell(bash(f"cd sub; set -o pipefail; {text}"))
text, _ = hook("docker ps | cat")
tell(bash(f"docker() {{ echo evil; }}; alias docker=evil; export DOCKER_HOST=evil PATH=.:$PATH; {text}"))
text, _ = hook("docker ps | cat")
tell(bash(f"echo evil | {text}"))
"""
    twice, elsewhere, changed, given = office.does(program, "gemini")
    assert (twice[1], "there is no such ticket" in twice[2]) == ("said by the daemon\n", True)
    assert (elsewhere[0], "another directory" in elsewhere[2]) == (126, True)
    assert changed[1] == given[1] == "said by the daemon\n"
    assert {tuple(words) for words in office.asked} == {("docker", "ps", "login-of-mine", str(office.root))}


def test_a_command_that_must_be_asked_about_asks_about_the_whole_text(office):
    told = office.does('tell(do("docker ps && docker rm x"))\ntell(do("cd sub && docker ps"))')
    assert [each[0] for each in told] == ["no", "no"]
    assert not office.asked
    assert [line["command"] for line in office.log() if line["event"] == "refusal"] == [
        "docker ps && docker rm x",
        "cd sub && docker ps",
    ]


def test_what_nobody_reads_ends_the_client_as_it_ends_other_programs(office):
    office.answers = lambda _: b"line\n" * 100_000
    (told,) = office.does('tell(do("docker ps | head -1; echo ${PIPESTATUS[0]}"))', "gemini")
    assert told == [0, "line\n141\n", ""]
