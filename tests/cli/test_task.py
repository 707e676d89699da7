"""`asimi task`: one yes, given by a person at a terminal, for what one agent does in one project for a while."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from helpers import PATIENCE, PYTHON
from helpers.home import Home
from helpers.puppet import puppet
from helpers.samples import sample

from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import command_line
from asimi.world.approvals.tasks import Task, Tasks
from asimi.world.host.clock import awake, boot_id
from asimi.world.host.places import bases_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing tells which agent calls")

CONFIG = """\
ask = ["run_shell_command(node a.js)"]
excludeTools = ["run_shell_command(node bad.js)"]
[hook]
resident = false
[files]
write = ["**"]
[undo]
keep = "1d"
[[rules]]
decision = "allow"
effects = ["read", "write"]
"""

URL = "https://example.org/shop.git"

KEPT = """
node a.js
node bad.js
rm -rf ~
cat .env
python3 tool.py > ~/.bashrc
touch .git/hooks/pre-commit
python3 "$(cat name)"
git push --force origin main
git push origin +main
git push origin other
git push second main
git push
sudo ls
kill 1
npm publish
curl example.org
npm install x
asimi policy add ls
asimi task done
cd / && python3 tool.py
"""
"""What no task answers, whatever its widths, or these do not name."""


@pytest.fixture
def home(tmp_path):
    home = Home(tmp_path, CONFIG)
    for words in (["init", "-q", "-b", "main"], ["remote", "add", "origin", URL]):
        subprocess.run(["git", *words], cwd=home.root, check=True)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for name in ("tool.py", "a.js", "bad.js", ".env"):
        (home.root / name).write_text("")
    subprocess.run([*git, "add", "tool.py"], cwd=home.root, check=True)
    subprocess.run([*git, "commit", "-qm", "one"], cwd=home.root, check=True)
    return home


def line_in(home):
    """What `hook install` would make Claude Code start in a home."""
    return command_line(agent_of("claude-code"), PYTHON, bases=bases_of(home.environ))


def granted(home, *words, answer="code", code=0, **options):
    """What is on the screen where a person grants a task, in one line; and the id of the task."""
    with home.at_terminal("task", *words, rows=40, **options) as person:
        person.sees(f"[{answer}/no] " if answer == "code" else "[y/n] " if answer in "yn" else "[code/no] ")
        shown = " ".join(person.display.split())
        person.enters(answer)
        assert person.ended() == code, person.display
    return shown


@pytest.fixture
def task(home):
    """A home in which a task is granted to the next agent that calls."""
    granted(home, "fix the login", "--code", "--push", "origin main")
    return home


def test_a_task_lets_its_agent_do_what_its_widths_name_and_nothing_else(task):
    with puppet(task, line_in(task)) as agent:
        for command in ("python3 tool.py", "python3 -c 'import tool'", "git push origin main"):
            assert agent.asks(command)[0] == "allow", command
        found = {command: agent.asks(command)[0] for command in KEPT.strip().splitlines()}
        _, why = agent.asks("npm publish")
        assert re.search(r"publishes.*; it is not part of the task [0-9a-f]{6}: fix the login", why), why
    allowed = [command for command, verdict in found.items() if verdict == "allow"]
    assert allowed == ["git push"], "which goes to the same remote and branch"


def test_a_resident_gate_knows_whose_call_it_is(task):
    """The gate judges for its caller, so a task is that agent's, though another process asks for the verdict."""
    task.config.write_text(CONFIG.replace("resident = false", "resident = true"))
    try:
        with puppet(task, line_in(task)) as one, puppet(task, line_in(task), session="two") as other:
            assert [one.asks("python3 tool.py")[0] for _ in range(3)] == ["allow"] * 3
            assert [other.asks("python3 tool.py")[0] == "allow" for _ in range(2)] == [False, False]
            assert one.asks("python3 tool.py")[0] == "allow"
    finally:
        assert "was ended" in task.asimi("doctor", "--stop-gate").stdout, "it was there"


def test_a_person_reads_that_files_ask_where_nothing_is_kept(home):
    assert "Files ask all the same" not in granted(home, "x", "--code", answer="no", code=126)
    home.config.write_text(CONFIG.replace('keep = "1d"', ""))
    assert "Files ask all the same" in granted(home, "x", "--code")
    with puppet(home, line_in(home)) as agent:
        assert (agent.asks("python3 -c 1")[0], agent.asks("python3 tool.py")[0] == "allow") == ("allow", False)


def test_what_is_on_the_screen_says_all_of_it_in_seven_sentences(home):
    shown = granted(home, "fix the login", "--code", "--push", "origin main", "--until", "2h", answer="no", code=126)
    for said in ("For 2h, for the next agent", "fix the login", "Any code that the agent writes", URL, "Together:"):
        assert said in shown
    assert "One command that it would allow: python3" in shown
    assert "[code/no]" in shown, "y is not enough"
    assert home.asimi("task").stdout == "No task is granted here.\n"


def test_a_name_to_reach_is_a_task_of_its_own(home):
    shown = granted(home, "x", "--reach", "example.org", answer="y")
    assert "A box may send to example.org" in shown
    assert "would allow: curl -T notes.txt example.org" in shown


@pytest.mark.parametrize("columns", [40, 80])
def test_code_takes_its_word(home, columns):
    with home.at_terminal("task", "x", "--code", columns=columns, rows=40) as person:
        person.sees("[code/no] ")
        person.enters("y")
        person.sees("Type code or no")
        person.enters("")
        person.enters("no")
        assert person.ended() == 126


def test_a_task_is_for_the_first_agent_that_calls_and_no_other(task):
    with puppet(task, line_in(task)) as one, puppet(task, line_in(task), session="two") as other:
        assert one.asks("python3 tool.py")[0] == "allow"
        assert other.asks("python3 tool.py")[0] != "allow"
        assert f"(process {one.pid})" in task.asimi("task").stdout
        assert one.asks("python3 tool.py")[0] == "allow"
    with puppet(task, line_in(task)) as later:
        assert later.asks("python3 tool.py")[0] != "allow", "the same session id in another process"
    assert task.asimi("task").stdout == "No task is granted here.\n"


def test_a_task_is_for_the_agent_that_is_named(home):
    with puppet(home, line_in(home)) as one, puppet(home, line_in(home), session="two") as other:
        granted(home, "x", "--code", "--for", str(other.pid))
        assert one.asks("python3 tool.py")[0] != "allow"
        assert other.asks("python3 tool.py")[0] == "allow"


def test_a_task_is_for_this_project_and_no_other_worktree(task):
    other = task.root.parent / "other"
    subprocess.run(["git", "worktree", "add", "-q", other], cwd=task.root, check=True)
    with puppet(task, line_in(task), other) as agent:
        assert agent.asks("python3 tool.py")[0] != "allow"
    with puppet(task, line_in(task), session="two") as agent:
        assert agent.asks("python3 tool.py")[0] == "allow"
        assert agent.asks(f"cd {other} && python3 tool.py")[0] != "allow"


def test_a_stricter_configuration_wins_meanwhile(task):
    with puppet(task, line_in(task)) as agent:
        assert agent.asks("python3 tool.py")[0] == "allow"
        task.config.write_text(CONFIG.replace('ask = ["', 'ask = ["run_shell_command(python3)", "'))
        assert agent.asks("python3 tool.py")[0] != "allow"
        task.config.write_text(CONFIG + "[session]\ntasks = false\n")
        assert agent.asks("git push origin main")[0] != "allow"
    with task.at_terminal("task", "x", "--code") as person:
        person.sees("tasks = false forbids asimi task here")
        assert person.ended() == 125


def test_a_remote_or_a_branch_that_is_another_one_now_asks(task):
    with puppet(task, line_in(task)) as agent:
        assert agent.asks("git push origin main")[0] == "allow"
        subprocess.run(["git", "branch", "-m", "main", "live"], cwd=task.root, check=True)
        assert agent.asks("git push origin live")[0] != "allow"
        assert agent.asks("git push")[0] != "allow"
        subprocess.run(["git", "branch", "-m", "live", "main"], cwd=task.root, check=True)
        subprocess.run(["git", "config", "remote.origin.pushurl", "https://evil.org/x"], cwd=task.root, check=True)
        assert agent.asks("git push origin main")[0] != "allow"


MOVED = (
    ("remote.origin.push", "refs/heads/main:refs/heads/live"),
    ("remote.origin.push", "+main"),
    ("remote.origin.mirror", "true"),
    ("push.recurseSubmodules", "on-demand"),
    ("push.followTags", "true"),
    ("url.https://evil.org/.pushInsteadOf", "https://example.org/"),
    ("url.https://evil.org/.insteadOf", "https://example.org/"),
    ("remote.origin.receivepack", "sh x"),
    ("remote.origin.vcs", "x"),
    ("remote.pushDefault", "https://evil.org/x"),
    ("branch.main.pushRemote", "https://evil.org/x"),
)
"""Settings of a repository by which a push goes elsewhere, takes more along, or starts something."""


@pytest.mark.parametrize(("name", "value"), sample(MOVED, 2))
@pytest.mark.parametrize("command", sample(["git push origin main", "git push"], 2, 1))
def test_code_that_moves_a_push_by_settings_does_not_move_the_yes(task, name, value, command):
    with puppet(task, line_in(task)) as agent:
        assert agent.asks(command)[0] == "allow"
        subprocess.run(["git", "config", name, value], cwd=task.root, check=True)
        named = command != "git push" and name.endswith(("pushDefault", "pushRemote"))
        assert (agent.asks(command)[0] == "allow") is named


@pytest.mark.parametrize(
    "words", sample(["other:main", "HEAD:main", "refs/heads/other:refs/heads/main", "main:other", "main~1:main"], 3)
)
def test_a_branch_under_another_name_is_no_part_of_a_push(task, words):
    subprocess.run(["git", "checkout", "-q", "-b", "other"], cwd=task.root, check=True)
    with puppet(task, line_in(task)) as agent:
        assert agent.asks(f"git push origin {words}")[0] != "allow"
        subprocess.run(["git", "branch", "-q", "-M", "other", "main"], cwd=task.root, check=True)
        assert agent.asks("git push origin main")[0] == "allow", "whatever it has: the yes was to its name"


def test_code_that_only_looks_like_the_projects_is_none(task):
    outside = task.home / "x.py"
    outside.write_text("")
    (task.root / "link.py").symlink_to(outside)
    (task.root / "links").symlink_to(task.home)
    subprocess.run(["git", "worktree", "add", "-q", "-b", "tree", "tree"], cwd=task.root, check=True)
    subprocess.run(["git", "init", "-q", "nested"], cwd=task.root, check=True)
    (task.root / "nested" / "x.py").write_text("")
    texts = (
        f"python3 {outside}",
        "python3 link.py",
        "python3 links/x.py",
        "python3 tree/tool.py",
        "cd tree && python3 tool.py",
        "python3 nested/x.py",
        f"ln -sf {outside} tool.py && python3 tool.py",
        f"cp -s {outside} tool.py; python3 tool.py",
        f"mv {outside} tool.py && python3 tool.py",
        f"python3 < {outside}",
        f"cat {outside} | python3",
        f"node -r {outside} a.js",
        "env PYTHONPATH=links python3 tool.py",
        "make -C links",
        "python3 -m http.server",
    )
    with puppet(task, line_in(task)) as agent:
        assert [each for each in texts if agent.asks(each)[0] == "allow"] == []
        assert agent.asks("python3 ./tool.py > out.txt")[0] == "allow"


def test_two_agents_have_their_own_tasks_at_once(home):
    with puppet(home, line_in(home)) as one, puppet(home, line_in(home), session="two") as other:
        granted(home, "one", "--code", "--for", str(one.pid))
        granted(home, "two", "--push", "origin main", "--for", str(other.pid), answer="y", code=0)
        for _ in range(2):
            assert (one.asks("python3 tool.py")[0], other.asks("python3 tool.py")[0] == "allow") == ("allow", False)
            assert (one.asks("git push")[0] == "allow", other.asks("git push")[0]) == (False, "allow")
        assert home.asimi("task", "done").returncode == 0
        assert {one.asks("python3 tool.py")[0], other.asks("git push")[0]}.isdisjoint({"allow"})


def test_the_next_of_a_task_ends_the_former_or_adds_to_it(home):
    with puppet(home, line_in(home)) as agent:
        granted(home, "one", "--code")
        assert agent.asks("python3 tool.py")[0] == "allow"
        granted(home, "two", "--push", "origin main", answer="y", code=0)
        assert agent.asks("git push origin main")[0] == "allow"
        assert agent.asks("python3 tool.py")[0] == "allow"
        shown = home.asimi("task").stdout
        assert "one" in shown
        assert "2 calls ran under it" in shown


KUBECONFIG = """\
apiVersion: v1
kind: Config
current-context: dev
contexts:
- context:
    cluster: dev
    namespace: web
    user: alex
  name: dev
"""


def test_a_command_as_an_example_is_of_its_subcommand_and_its_objects(home):
    (home.home / ".kube").mkdir()
    (home.home / ".kube" / "config").write_text(KUBECONFIG)
    shown = granted(home, "restart", "--like", "kubectl rollout restart deploy/web deploy/api", answer="y", code=0)
    assert "deployment/web, deployment/api there" in shown
    assert "would allow: kubectl rollout restart deployment/web" in shown
    inside = (
        "kubectl rollout restart deployment web",
        "kubectl -n web rollout restart deployments/web deployment/api",
        "kubectl rollout restart deployment api --context dev",
    )
    outside = (
        "kubectl rollout restart deployment/db",
        "kubectl rollout restart deployment web db",
        "kubectl rollout restart deployment",
        "kubectl rollout restart deployment -l app=web",
        "kubectl rollout restart statefulset/web",
        "kubectl rollout restart deployment/web -n live",
        "kubectl rollout undo deployment/web",
        "kubectl scale deployment/web --replicas=0",
    )
    with puppet(home, line_in(home)) as agent:
        assert [each for each in inside if agent.asks(each)[0] != "allow"] == []
        assert [each for each in outside if agent.asks(each)[0] == "allow"] == []


def test_a_command_without_a_name_is_of_all_objects_of_its_type(home):
    (home.home / ".kube").mkdir()
    (home.home / ".kube" / "config").write_text(KUBECONFIG)
    granted(home, "restart", "--like", "kubectl rollout restart deployment", answer="y", code=0)
    with puppet(home, line_in(home)) as agent:
        assert agent.asks("kubectl rollout restart deploy/db")[0] == "allow"
        assert agent.asks("kubectl rollout restart statefulset/db")[0] != "allow"


def test_it_ends_when_its_person_says_so_and_the_log_names_it(task):
    with puppet(task, line_in(task)) as agent:
        agent.asks("python3 tool.py")
        ended = task.asimi("task", "done")
        assert (ended.returncode, "ended" in ended.stdout) == (0, True)
        assert agent.asks("python3 tool.py")[0] != "allow"
    events = [line for line in task.log() if line.get("what") in {"task", "task done"}]
    assert [line["what"] for line in events] == ["task", "task done"]
    (start,) = [line for line in task.log() if line["event"] == "start"]
    assert re.fullmatch(r"task [0-9a-f]{6}: fix the login", start["reasons"][0]["source"])
    assert "fix the login" in task.asimi("log", "--why").stdout
    assert task.asimi("task", "done").returncode == 125


def test_it_ends_by_the_clock_that_nobody_sets_and_with_the_boot(task):
    tasks = Tasks(str(task.home / "run" / "asimi"))
    (one,) = tasks.all()
    assert 0 < one.seconds_left <= 4 * 3600
    tasks.grant(one._replace(until=awake() - 1))
    assert not tasks.all()
    tasks.grant(one._replace(since=time.time() + 10**6))
    assert tasks.all(), "the other clock says nothing"
    tasks.grant(one._replace(boot="another"))
    assert not tasks.all()
    assert boot_id() != "another"


def test_no_agent_and_no_command_of_asimi_grants_one(home):
    (home.root / "inner").write_text(f"'{PYTHON}' -m asimi task x --code\n")
    done = home.asimi("--yes", "run", "sh inner")
    assert "A command run by asimi cannot grant a task" in done.stderr
    assert home.asimi("--yes", "task", "x", "--code", stdin="code\n").returncode == 125, "no terminal"
    found = json.loads(home.asimi("check", "--json", "asimi task x --code").stdout)
    assert "protected" in {reason["code"] for reason in found["reasons"]}


def test_an_agent_in_a_terminal_of_its_own_grants_itself_nothing(home):
    with puppet(home, line_in(home)) as agent:
        agent.asks("ls")
        program = f"import pty, sys; sys.exit(pty.spawn([{PYTHON!r}, '-m', 'asimi', 'task', 'x', '--code']) >> 8)"
        (home.root / "try.sh").write_text(f"'{PYTHON}' -c {json.dumps(program)} < /dev/null > shown 2>&1\n")
        environ = home.environ | {"CLAUDECODE": "1"}
        done = subprocess.run(["sh", "try.sh"], cwd=home.root, env=environ, check=False, timeout=60)
        assert done.returncode != 0
        assert "cannot grant a task" in (home.root / "shown").read_text()
    assert not Tasks(str(home.home / "run" / "asimi")).all()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["x"], 2, "at least one of its options"),
        (["x", "--code", "--until", "9h"], 2, "up to 8h"),
        (["x", "y", "--code"], 2, "Quote the words"),
        (["--code"], 2, "in words of yours"),
        (["x", "--push", "origin nowhere"], 125, "no task may allow it"),
        (["x", "--push", "--force origin main"], 125, "no task may allow it"),
        (["x", "--like", "rm -rf x"], 125, "no task may allow it"),
        (["x", "--like", "sudo ls"], 125, "no task may allow it"),
        (["x", "--container", "nowhere"], 125, "no task may allow it"),
        (["x", "--install"], 125, "No package-lock.json"),
        (["x", "--code", "--for", "999999999"], 125, "no process"),
    ],
)
def test_what_no_task_can_be(home, words, code, said):
    with home.at_terminal("task", *words, columns=200) as person:
        person.sees(said)
        assert person.ended() == code


def test_a_person_undoes_a_task(task):
    with puppet(task, line_in(task)) as agent:
        agent.asks("python3 tool.py")
        (task.root / "tool.py").write_text("changed\n")
        agent.asks("git push origin main")
    (name,) = {
        each["reasons"][0]["source"][5:11] for each in task.log() if each["event"] == "start" and each["reasons"]
    }
    with task.at_terminal("undo", "--task", name, columns=200) as person:
        person.sees("no undo reaches", "git push origin main", "[y/n] ")
        person.enters("y")
        person.sees("taken back", "tool.py")
        person.ended()
    assert (task.root / "tool.py").read_text() == ""


def proposing(agent, *more):
    return agent.asks(f"asimi task propose 'fix the login' {' '.join(more)}")


def test_an_agent_proposes_and_a_person_decides(home):
    with puppet(home, line_in(home)) as agent:
        assert "a person decides" in proposing(agent, "--push", "'origin main'")[1]
        assert "waits already" in proposing(agent, "--code")[1]
        assert agent.asks("git push origin main")[0] != "allow", "a proposal allows nothing"
        with home.at_terminal("task", rows=40) as person:
            person.sees("[y/n] ")
            shown = person.display
            assert f"would allow: git push {URL} main" in " ".join(shown.split())
            assert shown.index(URL) < shown.index("whoever wrote what it reads") < shown.index("fix the login")
            person.enters("y")
            assert person.ended() == 0
        assert agent.asks("git push origin main")[0] == "allow"


def test_a_proposal_that_says_one_thing_shows_what_it_allows(home):
    with puppet(home, line_in(home)) as agent:
        agent.asks("asimi task propose 'read the docs\n\x1b[2Jonly' --code --until 8h")
        with home.at_terminal("task", rows=40) as person:
            person.sees("Any code that the agent writes", "[code/no] ")
            assert "\x1b[2J" not in person.display
            person.enters("no")
            person.sees("refused")
        assert agent.asks("python3 tool.py")[0] != "allow"


def test_three_refused_proposals_end_them(home):
    with puppet(home, line_in(home)) as agent:
        for _ in range(3):
            proposing(agent, "--code")
            with home.at_terminal("task", rows=40) as person:
                person.sees("[code/no] ")
                person.enters("no")
                person.ended()
        assert "propose no more" in proposing(agent, "--code")[1]
        with puppet(home, line_in(home), session="two") as other:
            granted(home, "x", "--code", "--for", str(other.pid))
        assert "propose no more" in proposing(agent, "--code")[1], "a task for another agent says nothing of this one"
        granted(home, "x", "--code", "--for", str(agent.pid))
        assert "a person decides" in proposing(agent, "--code")[1], "once a person has granted it one"
    assert [line["what"] for line in home.log() if line.get("what") == "task proposed"] == ["task proposed"] * 4


@pytest.mark.parametrize("text", ["x --code; ls", "x $(ls) --code", "x --code > y", "x --code && ls"])
def test_a_proposal_is_one_plain_command(home, text):
    with puppet(home, line_in(home)) as agent:
        verdict, why = agent.asks(f"asimi task propose {text}")
        assert (verdict, "nothing is proposed" in why) == ("deny", True)


def test_a_file_of_tasks_that_another_made_is_not_believed(home):
    directory = home.home / "run" / "asimi"
    directory.mkdir(mode=0o700)
    (directory / "tasks.json").write_text("{}")
    with puppet(home, line_in(home)) as agent:
        assert agent.asks("python3 tool.py")[0] == "deny"
    assert isinstance(Task._field_defaults, dict)
    assert os.path.exists(directory / "tasks.json")


@pytest.fixture
def narrow(home):
    """A home in which the next agent that calls is granted one branch to push, and no more."""
    subprocess.run(["git", "branch", "other"], cwd=home.root, check=True)
    subprocess.run(["git", "branch", "third"], cwd=home.root, check=True)
    granted(home, "fix the login", "--push", "origin main", answer="y")
    return home


def answered(home, agent, command, act, *words, **options):
    """What a hook decides about a command while a person looks at a terminal of asimi, and does something there."""
    with home.at_terminal(*(words or ("watch",)), rows=40, **options) as person, ThreadPoolExecutor(1) as thread:
        person.sees("Waiting for questions" if not words else "")
        said = thread.submit(agent.asks, command)
        person.asked()
        act(person)
        return said.result(PATIENCE)


@pytest.mark.parametrize("columns", [40, 80])
def test_a_person_widens_a_task_by_what_a_command_needs(narrow, columns):
    def widens(person):
        assert "[w] widen" in person.display
        person.presses("w")
        shown = " ".join(person.sees("widen the task?").replace("│", " ").split())
        for said in (
            "until the task ends",
            "Any code that the agent writes below",
            "Together: code of the agent's",
        ):
            assert said in shown, shown
        assert "It may push" not in shown, "which was granted before"
        assert shown.index("Together") < shown.index(": fix the login"), "which may be the words of an agent"
        person.presses("1")
        person.enters("yes")
        person.sees("Nothing was allowed: the word is code")
        person.presses("1")
        person.enters("code")

    (before,) = Tasks(str(narrow.home / "run" / "asimi")).all()
    with puppet(narrow, line_in(narrow)) as agent, puppet(narrow, line_in(narrow), session="two") as other:
        assert agent.asks("git push origin main")[0] == "allow"
        assert answered(narrow, agent, "python3 tool.py", widens, columns=columns)[0] == "allow"
        assert [agent.asks(each)[0] for each in ("python3 -c 1", "git push origin main")] == ["allow", "allow"]
        assert [agent.asks(each)[0] == "allow" for each in ("git push origin other", "npm publish")] == [False, False]
        assert other.asks("python3 tool.py")[0] != "allow"
        (after,) = Tasks(str(narrow.home / "run" / "asimi")).all()
        assert after._replace(rules=()) == before._replace(rules=(), holder=after.holder), "it ends when it did"
        shown = " ".join(narrow.asimi("task").stdout.split())
        assert "Any code that the agent writes" in shown
        assert "4 calls ran under it: git push origin main python3 tool.py python3 -c 1" in shown
    (event,) = [line for line in narrow.log() if line.get("what") == "task widened"]
    assert (event["entry"].startswith(after.source), event["by"]) == (True, "watch")
    assert f"code {narrow.root}" in event["entry"]
    assert (
        f"a person widened the task (any command at code {narrow.root}, {after.source})"
        in narrow.asimi("log", "--why").stdout
    )


def test_a_widening_says_all_that_comes_where_a_part_of_it_was_granted(home):
    (home.home / ".kube").mkdir()
    (home.home / ".kube" / "config").write_text(KUBECONFIG)
    granted(home, "restart", "--like", "kubectl rollout restart deploy/web", answer="y")

    def looks(person):
        person.presses("w")
        shown = " ".join(person.sees("widen the task?").replace("│", " ").split())
        assert "It may change the namespace web. It may change deployment/web there. In task" in shown, shown
        person.presses("n")

    with puppet(home, line_in(home)) as agent:
        assert answered(home, agent, "kubectl scale deploy/web --replicas=0", looks)[0] == "deny"


def test_what_ran_after_a_widening_is_undone_with_its_task(narrow):
    def widens(person):
        person.presses("w", "1")
        person.enters("code")

    with puppet(narrow, line_in(narrow)) as agent:
        assert answered(narrow, agent, "python3 tool.py", widens)[0] == "allow"
        (narrow.root / "tool.py").write_text("changed\n")
        assert answered(narrow, agent, "git push origin other", lambda person: person.presses("w", "1"))[0] == "allow"
        (task,) = Tasks(str(narrow.home / "run" / "asimi")).all()
        with narrow.at_terminal("undo", "--task", task.id, columns=200) as person:
            person.sees("no undo reaches  git push origin other", "[y/n] ")
            person.enters("y")
            person.sees("taken back", "tool.py")
            person.ended()
    assert (narrow.root / "tool.py").read_text() == ""


def test_a_widening_is_no_wider_than_the_command(narrow):
    with puppet(narrow, line_in(narrow)) as agent:
        push = "ls && git push origin other | cat"
        assert answered(narrow, agent, push, lambda person: person.presses("w", "1"))[0] == "allow"
        assert agent.asks("git push origin other")[0] == "allow"
        for command in ("git push origin third", "git push --force origin other", "python3 tool.py", "python3 -c 1"):
            assert agent.asks(command)[0] != "allow", command


def test_a_late_widening_is_for_the_calls_that_follow(narrow):
    with puppet(narrow, line_in(narrow)) as agent:
        assert agent.asks("git push origin other")[0] != "allow"
        with narrow.at_terminal("approve", rows=40) as person:
            person.asked()
            person.presses("w", "1")
            assert person.ended() == 0, person.display
        assert agent.asks("git push origin other")[0] == "allow"


@pytest.mark.parametrize(
    "command",
    sample(
        [
            "rm -rf ~",
            "npm publish",
            "sudo ls",
            "node a.js",
            "git push --force origin main",
            "python3 tool.py > ~/.bashrc",
        ],
        3,
    ),
)
def test_what_no_width_covers_widens_nothing(narrow, command):
    def refuses(person):
        assert "[w]" not in person.display
        person.presses("w")
        person.still_asks()
        person.presses("n")

    with puppet(narrow, line_in(narrow)) as agent:
        assert answered(narrow, agent, command, refuses)[0] == "deny"


def test_without_a_task_nothing_is_widened(home):
    def refuses(person):
        assert "[w]" not in person.display
        person.presses("n")

    with puppet(home, line_in(home)) as agent:
        assert answered(home, agent, "python3 tool.py", refuses)[0] == "deny"


def test_a_window_that_opens_by_itself_widens_nothing(narrow):
    """A voice starts what shows questions until none waits; there a grant is never confirmed."""
    narrow.config.write_text(CONFIG + "[session]\nwait = true\n")

    def refuses(person):
        assert "[w]" not in person.display
        person.presses("n")

    with puppet(narrow, line_in(narrow)) as agent, ThreadPoolExecutor(1) as thread:
        said = thread.submit(agent.asks, "git push origin other")
        end = time.monotonic() + PATIENCE
        while "git push" not in narrow.asimi("approve", "--list").stdout:
            assert time.monotonic() < end
        with narrow.at_terminal("watch", "--until-none-waits", rows=40, alone=1.1) as person:
            person.asked()
            refuses(person)
            assert said.result(PATIENCE)[0] == "deny"


def test_a_task_that_ended_meanwhile_is_not_widened(narrow):
    def widens(person):
        assert narrow.asimi("task", "done").returncode == 0
        person.presses("w", "1")

    with puppet(narrow, line_in(narrow)) as agent:
        verdict, why = answered(narrow, agent, "git push origin other", widens)
        assert (verdict, "has ended, so nothing can be added" in why) == ("deny", True), why


def test_a_task_that_is_forbidden_meanwhile_is_not_widened(narrow):
    def widens(person):
        narrow.config.write_text(CONFIG + "[session]\ntasks = false\n")
        person.presses("w", "1")

    with puppet(narrow, line_in(narrow)) as agent:
        verdict, why = answered(narrow, agent, "git push origin other", widens)
        assert (verdict, "tasks = false forbids" in why) == ("deny", True), why
        narrow.config.write_text(CONFIG)
        assert agent.asks("git push origin other")[0] != "allow"


SWAPS = {
    "an edit": ("echo changed > build.sh", True),
    "a link out": ("ln -sf {outside} build.sh", False),
    "a link to what git ignores": ("ln -sf ignored/build.sh build.sh", False),
    "a link to another file of the project": ("ln -sf tool.sh build.sh", True),
    "what is moved over it": ("mv tool.sh build.sh", True),
    "what is moved over it from elsewhere": ("mv {outside} build.sh", True),
    "another branch": ("git checkout -q other", True),
    "another repository around it": ("git init -q scripts", False),
    "nothing": ("rm build.sh", False),
    "a directory": ("rm build.sh; mkdir build.sh", False),
}
"""What a call between the yes and the next makes of a script, and whether the next runs it."""


@pytest.fixture
def scripted(home):
    """A home with a script of a shell and of a package, in two branches."""
    outside = home.home / "build.sh"
    (home.root / "scripts").mkdir()
    (home.root / "ignored").mkdir()
    (home.root / ".gitignore").write_text("ignored\n")
    (home.root / "package.json").write_text('{"scripts": {"build": "sh build.sh"}}')
    for path in (outside, *(home.root / name for name in ("build.sh", "tool.sh", "scripts/x.sh", "ignored/build.sh"))):
        path.write_text("true\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (
        ["add", "build.sh", "tool.sh", "scripts", "package.json", ".gitignore"],
        ["commit", "-qm", "two"],
        ["checkout", "-q", "-b", "other"],
        ["mv", "build.sh", "moved.sh"],
        ["mv", "tool.sh", "build.sh"],
        ["commit", "-qm", "three"],
        ["checkout", "-q", "main"],
    ):
        subprocess.run([*git, *words], cwd=home.root, check=True)
    return home


@pytest.mark.parametrize("swap", sample(SWAPS, 3))
def test_a_script_that_is_swapped_after_the_yes_runs_where_it_is_still_the_projects(scripted, swap):
    how, runs = SWAPS[swap]
    granted(scripted, "build it", "--code")
    command = "sh scripts/x.sh" if "scripts" in how else "sh build.sh"
    with puppet(scripted, line_in(scripted)) as agent:
        assert agent.asks(command)[0] == "allow"
        subprocess.run(how.format(outside=scripted.home / "build.sh"), shell=True, cwd=scripted.root, check=True)
        assert (agent.asks(command)[0] == "allow") is runs


PACKAGES = {
    "an edit of what it runs": ("echo changed > build.sh", "npm run build", True),
    "an edit of the package": ("sed -i s/build.sh/tool.sh/ package.json", "npm run build -- -x", True),
    "a package elsewhere": (
        "mv package.json {outside}.json; ln -s {outside}.json package.json",
        "npm run build",
        False,
    ),
    "no package": ("rm package.json", "npm run build", False),
    "the package of a directory": ("cp package.json scripts", "cd scripts && npm run build", False),
    "the same, by an option": ("cp package.json scripts", "npm run build --prefix scripts", False),
    "another script": ("true", "npm run start", False),
    "what would run first": ("true", "npm run build && npm run start", False),
    "its neighbour": ("true", "sh build.sh", False),
}
"""What a call between the yes and the next does, and whether the next runs under a yes to one script of a package."""


@pytest.mark.parametrize("swap", sample(PACKAGES, 3))
def test_a_yes_to_the_script_of_a_package_is_for_that_one_here(scripted, swap):
    how, command, runs = PACKAGES[swap]
    granted(scripted, "build it", "--script", "build", answer="y")
    with puppet(scripted, line_in(scripted)) as agent:
        assert agent.asks("npm run build")[0] == "allow"
        subprocess.run(how.format(outside=scripted.home / "package"), shell=True, cwd=scripted.root, check=True)
        assert (agent.asks(command)[0] == "allow") is runs


def test_two_worktrees_have_their_own_tasks_at_once(home):
    tree = home.root.parent / "tree"
    subprocess.run(["git", "worktree", "add", "-q", "-b", "tree", tree], cwd=home.root, check=True)
    with puppet(home, line_in(home)) as here, puppet(home, line_in(home), tree, session="two") as there:
        granted(home, "one", "--code", "--for", str(here.pid))
        assert there.asks("python3 tool.py")[0] != "allow"
        granted(home, "two", "--code", "--for", str(there.pid))
        assert there.asks("python3 tool.py")[0] != "allow", "that is for the other root"
        assert here.asks(f"cd {tree} && python3 tool.py")[0] != "allow"
        granted(home, "three", "--push", "origin tree", "--root", str(tree), "--for", str(there.pid), answer="y")
        assert there.asks("git push origin tree")[0] == "allow"
        assert here.asks("git push origin tree")[0] != "allow"
        assert (here.asks("python3 tool.py")[0], there.asks("python3 tool.py")[0] == "allow") == ("allow", False)


WRAPPED = {
    "./gradlew installDebug": True,
    "sh gradlew installDebug": True,
    "./gradlew publish": False,
    "./gradlew -x test uploadArchives": False,
    "./linked build": False,
    "ignored/gradlew build": False,
    "{outside}/gradlew build": False,
    "./gradlew $TARGET": False,
    "./git status": False,
    "./git push --force": False,
    "./rm -rf x": False,
}
"""Programs by a path whose names the catalogue knows, and whether a yes to code of the project is one to them."""


def test_a_program_of_the_project_is_its_code_whatever_its_name(scripted):
    for name in ("gradlew", "ignored/gradlew", "git", "rm", "../home/gradlew"):
        (scripted.root / name).write_text("#!/bin/sh\n")
        (scripted.root / name).chmod(0o755)
    (scripted.root / "linked").symlink_to(scripted.home / "gradlew")
    granted(scripted, "build it", "--code")
    with puppet(scripted, line_in(scripted)) as agent:
        found = {each: agent.asks(each.format(outside=scripted.home))[0] == "allow" for each in WRAPPED}
    assert found == WRAPPED
