"""`--host`: commands that run on another machine, judged by what it says of itself: a real far end in another home."""

import asyncio
import json
import os
import re
import signal

import pytest
from helpers import PYTHON
from helpers.afar import Afar
from helpers.hooks import envelope

from asimi.core.call import Sandbox

KEPT = BOXED = "this kernel cannot keep a sandbox"
if os.name == "posix":
    from asimi.world.executors.confining.ability import unkept

    KEPT, BOXED = unkept(Sandbox("project")), unkept(Sandbox("project", backend="bubblewrap"))

NAMES = 'coreTools = ["run_shell_command(echo)", "run_shell_command(cat)", "run_shell_command(touch)"]\n'
READS = '[[rules]]\ndecision = "allow"\neffects = ["read"]\n'
PROJECT = '[files]\nwrite = ["**"]\n'
TRUSTED = "trusted = true\n"
NOT_TRUSTED = "gpu1 alone says, which is not trusted (trusted = true under [hosts.gpu1])"


def test_a_command_runs_there_and_what_it_gives_names_the_host(tmp_path):
    home = Afar(tmp_path, NAMES)
    done = home.asimi("run", "echo $HOME $THERE $PWD $ASIMI_CLI; touch made", "--host", "gpu1", "--json")
    result = json.loads(done.stdout)
    assert (result["stdout"], result["host"]) == (f"{home.far} yes {home.there} 1\n", "gpu1")
    assert (home.there / "made").exists()
    begun, ended = home.log()
    assert (begun["host"], begun["root"], ended["exit"]) == ("gpu1", str(home.there), 0)
    assert "[gpu1] echo" in home.asimi("log").stdout
    assert home.asimi("log", "--host", "gpu2").stdout == ""


def test_no_variable_of_this_machine_travels(tmp_path):
    home = Afar(tmp_path, NAMES + "[environment]\nset = { MINE = 'said' }\n")
    done = home.asimi("run", "echo -$NEAR-$MINE-$THERE", "--host", "gpu1", environ={"NEAR": "here"})
    assert done.stdout == "--said-yes\n"


@pytest.mark.parametrize("name", ["json", "asimi"])
def test_no_module_of_the_project_is_loaded_there(name, tmp_path):
    """Where what leads there starts in the project, as a container does in its WORKDIR."""
    home = Afar(tmp_path, NAMES)
    (home.there / f"{name}.py").write_text(f"open({str(home.far / 'loaded')!r}, 'w').close()\n")
    for reach in (home.reach, ["sh", "-c", f'cd {home.there} && exec "$@"', "sh", *home.reach]):
        home.reach = reach
        home.config.write_text(NAMES + home.table("gpu1"))
        assert home.asimi("run", "echo there", "--host", "gpu1").stdout == "there\n"
    assert not (home.far / "loaded").exists()


def test_the_variable_chooses_a_host_and_the_option_wins(tmp_path):
    home = Afar(tmp_path, NAMES)
    assert home.asimi("run", "echo $PWD", environ={"ASIMI_HOST": "gpu1"}).stdout == f"{home.there}\n"
    done = home.asimi("run", "echo $PWD", "--host", "nobody", environ={"ASIMI_HOST": "gpu1"})
    assert (done.returncode, done.stdout) == (125, "")


@pytest.mark.parametrize(
    ("name", "shown"),
    [("gpu2", "'gpu2'"), ("../x", "'../x'"), ("gpu1\nx", r"'gpu1\nx'"), ("\x1b[31m", r"'\x1b[31m'")],
)
def test_a_host_that_nobody_configured_is_an_error_and_nothing_runs_here(name, shown, tmp_path):
    home = Afar(tmp_path, NAMES)
    done = home.asimi("run", "touch made", "--host", name)
    assert done.returncode == 125
    assert done.stderr == f"asimi: there is no host {shown} under [hosts]; there are gpu1 (asimi help hosts)\n"
    assert not (home.root / "made").exists()


def test_without_trust_only_entries_by_name_allow(tmp_path):
    home = Afar(tmp_path, NAMES + READS + PROJECT)
    assert home.verdict("echo hello")[0] == "allow"
    verdict, codes, message = home.verdict("ls -l")
    assert (verdict, codes) == ("ask", ["unlisted"])
    assert message.endswith(f"by what {NOT_TRUSTED}")
    verdict, codes, message = home.verdict("touch made")
    assert (verdict, codes) == ("ask", ["outside"])
    assert message == f"this writes {home.there}/made, and where that is, {NOT_TRUSTED}"
    assert home.verdict("echo hello > made")[:2] == ("ask", ["redirection", "outside"])


def test_with_trust_effects_and_places_count(tmp_path):
    home = Afar(tmp_path, NAMES + READS + PROJECT, TRUSTED)
    for text in ("ls -l", "touch made", "echo hello > made"):
        assert home.verdict(text)[0] == "allow", text
    assert home.verdict("touch ../made")[:2] == ("ask", ["outside"])
    assert home.verdict("cat ~/.ssh/id_rsa")[:2] == ("ask", ["secret"])


def test_a_rule_for_a_directory_needs_trust_and_one_for_a_host_holds_there_alone(tmp_path):
    rule = '[[rules]]\ndecision = "allow"\ncommand = "make"\nhost = "gpu1"\n'
    home = Afar(tmp_path, rule)
    assert home.verdict("make")[0] == "allow"
    assert home.asimi("check", "make").returncode == 1
    home = Afar(tmp_path / "other", rule + f'directory = "{tmp_path}/other/far/work"\n')
    assert home.verdict("make")[:2] == ("ask", ["unlisted"])
    home.config.write_text(home.config.read_text() + TRUSTED)
    assert home.verdict("make")[0] == "allow"


def test_a_deny_holds_on_every_machine_and_one_for_a_host_there_alone(tmp_path):
    home = Afar(
        tmp_path,
        'coreTools = ["run_shell_command(echo)"]\nexcludeTools = ["run_shell_command(rm)"]\n'
        '[[rules]]\ndecision = "deny"\ncommand = "echo"\nhost = "gpu1"\n',
    )
    assert home.verdict("rm x")[0] == home.verdict("echo x")[0] == "deny"
    assert home.asimi("check", "echo x").returncode == 0


LIES = [
    "looks['resolve'] = lambda path: root + '/sub'",
    "looks['kind'] = lambda path: 'file'",
    "looks['links'] = lambda path: False",
    "looks['repository'] = lambda path: root + '/.git'",
]


@pytest.mark.parametrize("lie", [*LIES, "\n".join(LIES)])
def test_a_host_that_lies_about_paths_gains_no_allow(lie, tmp_path, monkeypatch):
    home = Afar(tmp_path, 'coreTools = ["run_shell_command"]\n' + READS + PROJECT, lies=lie)
    verdict = home.judge(monkeypatch)
    for text in (
        "cat ~/.ssh/id_rsa",
        "cat .env",
        "touch /etc/x",
        "touch sub/../../x",
        "cp a ../b",
        "echo x > ../y",
        "rm -rf ~",
        "rm -rf /usr",
        f"cat {home.far}/.config/asimi/config.toml > x",
        f"echo > {home.far}/.config/asimi/config.toml",
    ):
        assert verdict(text)[0] == "ask", text
    assert verdict("echo hello")[0] == "allow"


def test_a_trusted_host_is_judged_as_this_machine_is(tmp_path, monkeypatch):
    home = Afar(tmp_path, 'coreTools = ["run_shell_command(cp)", "run_shell_command(rm)"]\n' + READS + PROJECT, TRUSTED)
    (home.there / "link").symlink_to(home.far)
    for name in (".env", "sub/key.pem", "plain"):
        (home.there / name).write_text("x")
    texts = (
        "cat plain", "cat .env", "cat su*/key.pem", "cat */*.pem", "cat link/x", "cd link && cat .netrc",
        "cat ~/.ssh/x",
        "cat //etc//shadow", "cat $'a\\0b'", "cat a\udcffb", "cat " + "a/" * 5000, "ls ~/..", "find . -delete",
        "cp plain link/y", "cp -r . /tmp/x", "cp -r sub /tmp/x", "echo x > plain", "echo x > link/y", "rm -rf link/",
        "rm -rf *", "rm -rf /", "rm plain", "git checkout main", "git -C link status", "rg x link",
    )  # fmt: skip
    there, here = home.judge(monkeypatch), home.judge(monkeypatch, home.there)
    assert {text: there(text) for text in texts} == {text: here(text) for text in texts}
    assert {"allow", "ask"} <= {here(text)[0] for text in texts}


@pytest.mark.parametrize("home", ["/", "/tmp", "/nonexistent", "/proc/self/cwd"])
def test_a_host_that_lies_about_its_home_gains_no_allow(home, tmp_path):
    afar = Afar(tmp_path, 'coreTools = ["run_shell_command(cat)", "run_shell_command(rm)"]\n' + READS)
    afar.reach = [f"HOME={home}" if word.startswith("HOME=") else word for word in afar.reach]
    afar.config.write_text(afar.config.read_text().replace(f"HOME={afar.far}", f"HOME={home}"))
    for text in (
        "cat ~/.ssh/id_rsa",
        "cat $HOME/.ssh/id_rsa",
        f"cat {afar.far}/.ssh/id_rsa",
        "rm -rf ~",
        'rm -rf "$HOME"',
    ):
        assert afar.asimi("check", text, "--host", "gpu1").returncode != 0, text


def test_a_host_that_lies_about_its_directories_runs_nothing_outside_of_the_root(tmp_path):
    home = Afar(tmp_path, NAMES, lies="looks['resolve'] = lambda path: root + '/sub'")
    for directory in ("..", "sub/../..", "/"):
        done = home.asimi("run", "echo there", "--dir", directory, "--host", "gpu1")
        assert (done.returncode, done.stdout) == (126, ""), directory
        assert "directory: " in done.stderr


def test_a_directory_leads_out_of_the_root_there(tmp_path):
    home = Afar(tmp_path, NAMES)
    (home.there / "out").symlink_to(home.far)
    done = home.asimi("run", "echo there", "--dir", "out", "--host", "gpu1")
    assert (done.returncode, done.stdout) == (126, "")
    assert f"'out' leads outside the project root, to {home.far}" in done.stderr
    done = home.asimi("run", "echo there", "--dir", "none", "--host", "gpu1")
    assert (done.returncode, done.stdout) == (125, "")
    assert f"'none' does not exist, seen from the project root {home.there} on gpu1" in done.stderr
    assert home.asimi("run", "echo $PWD", "--dir", "sub", "--host", "gpu1").stdout == f"{home.there}/sub\n"


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        ("import time\nlooks['resolve'] = lambda path: time.sleep(60)", "did not answer a question within 1 seconds"),
        ("looks['resolve'] = lambda path: 'relative'", "which is no path"),
        ("looks['directory'] = lambda path: 7", "answered nonsense"),
        ("looks['resolve'] = lambda path: root + '/\\x1b[31m..'", None),
    ],
)
def test_nonsense_is_an_error(lie, said, tmp_path):
    home = Afar(tmp_path, NAMES, 'answer = "1s"\n', lies=lie)
    done = home.asimi("run", "echo there", "--dir", "sub", "--host", "gpu1")
    assert (done.returncode in {125, 126}, done.stdout) == (True, "")
    assert "\x1b" not in done.stderr
    assert said is None or ("gpu1" in done.stderr and said in done.stderr)


def test_what_asimi_runs_reaches_no_host(tmp_path):
    home = Afar(tmp_path, 'coreTools = ["run_shell_command"]\n')
    command = f"{home.program[0]} -m asimi run 'echo hi'"
    for words, environ in ((" --host gpu1", ""), ("", "ASIMI_HOST=gpu1 ")):
        home.asimi("run", f"{environ}{command}{words} 2> said", "--yes")
        said = (home.root / "said").read_text()
        name = "--host" if words else "ASIMI_HOST"
        assert said == f"asimi: {name} cannot be given from inside a command that asimi runs\n"


def test_a_projects_file_names_no_host(tmp_path):
    home = Afar(tmp_path, NAMES)
    (home.root / ".asimi").mkdir()
    (home.root / ".asimi" / "config.toml").write_text(
        home.table("gpu2") + '[[rules]]\ndecision = "allow"\ncommand = "ls"\nhost = "gpu1"\n'
        '[[rules]]\ndecision = "deny"\ncommand = "cat"\n'
    )
    assert home.asimi("run", "echo", "--host", "gpu2").returncode == 125
    assert home.verdict("ls")[0] == "ask"
    assert home.verdict("cat x")[0] == "deny"  # a project's file may always forbid
    said = home.asimi("config", "check").stdout
    assert "config.toml:2: hosts is never read from a project's file; it belongs in your own" in said
    assert ": a rule with host is never read from a project's file" in said


def test_an_approval_holds_on_the_host_that_it_was_given_for(tmp_path):
    home = Afar(tmp_path, "")
    home.config.write_text(home.config.read_text() + home.table("gpu2"))
    with home.at_terminal("run", "printf hello", "--host", "gpu1", "--session", "both") as person:
        person.asked()
        person.sees(f"gpu1:{home.there}"[:30])
        person.presses("s")
        person.sees("only on gpu1")
        person.presses("2")
        assert person.ended() == 0
    verdicts = {
        where: home.asimi("check", "printf x", "--session", "both", *words).returncode
        for where, words in {"gpu1": ("--host", "gpu1"), "gpu2": ("--host", "gpu2"), "here": ()}.items()
    }
    assert verdicts == {"gpu1": 0, "gpu2": 1, "here": 1}


def test_an_entry_that_policy_add_wrote_holds_on_this_machine_or_the_one_it_names(tmp_path):
    home = Afar(tmp_path, "")
    image = tmp_path / "image.toml"
    image.write_text(home.config.read_text())
    for words in (("printf",), ("seq", "--host", "gpu1")):
        done = home.asimi("policy", "add", *words, "--config", str(image))
        assert done.returncode == 0, done.stderr
    codes = {
        (text, bool(host)): home.asimi("check", text, "--config", str(image), *host).returncode
        for text in ("printf x", "seq 3")
        for host in ((), ("--host", "gpu1"))
    }
    assert codes == {("printf x", False): 0, ("printf x", True): 1, ("seq 3", False): 1, ("seq 3", True): 0}
    assert "run_shell_command(seq) on gpu1" in home.asimi("policy", "list", "--config", str(image)).stdout
    done = home.asimi("policy", "add", "ls", "--host", "gpu2", "--config", str(image))
    assert (done.returncode, "there is no host 'gpu2'" in done.stderr) == (125, True)


def test_what_was_refused_on_one_host_counts_on_no_other(tmp_path):
    home = Afar(tmp_path, "")
    home.config.write_text(home.config.read_text() + home.table("gpu2"))
    words = ("--session", "both", "--non-interactive")
    for _ in range(3):
        home.asimi("run", "rm -r sub", "--host", "gpu1", *words)
    codes = {
        name: home.asimi("check", "rm -r sub", "--session", "both", *host).returncode
        for name, host in {"gpu1": ("--host", "gpu1"), "gpu2": ("--host", "gpu2"), "here": ()}.items()
    }
    assert codes == {"gpu1": 3, "gpu2": 1, "here": 1}


def test_the_jobs_of_a_host_are_its_own(tmp_path):
    home = Afar(tmp_path, 'coreTools = ["run_shell_command(sh)", "run_shell_command(sleep)"]\n')
    done = home.asimi("run", "sleep 600 &", "--host", "gpu1", "--json")
    (pid,) = json.loads(done.stdout)["backgroundPids"]
    try:
        assert home.asimi("jobs", "list").stdout == "No background jobs.\n"
        (job,) = map(json.loads, home.asimi("jobs", "list", "--json", "--host", "gpu1").stdout.splitlines())
        assert (job["pids"], job["host"], job["directory"]) == ([pid], "gpu1", str(home.there))
        assert home.asimi("jobs", "log", job["id"], "--host", "gpu1").returncode == 0
    finally:
        done = home.asimi("jobs", "kill", job["id"], "--host", "gpu1")
    assert (done.returncode, done.stdout) == (0, f"killed  {job['id']}\n")
    assert home.asimi("jobs", "list", "--host", "gpu1").stdout == "No background jobs on gpu1.\n"


def test_a_host_cannot_tell_of_jobs_that_are_none(tmp_path):
    job = "('\\x1b[31m', 'x', None, '/', 1e300, (), None, False, 1)"
    home = Afar(tmp_path, lies=f"from asimi.world.executors.jobs import Job\nlooks['jobs'] = lambda: (Job(*{job}),)")
    done = home.asimi("jobs", "list", "--all", "--host", "gpu1")
    assert (done.returncode, done.stdout) == (125, "")
    assert r"host gpu1: tells of a job that asimi has not written down: '\x1b[31m'" in done.stderr


def test_a_question_waits_with_the_name_of_its_host_and_the_answer_counts_there_alone(tmp_path):
    home = Afar(tmp_path, "")
    words = ("run", "printf hello", "--session", "both")
    done = home.asimi(*words, "--host", "gpu1")
    assert done.returncode == 126
    (name,) = re.findall("asimi approve ([a-z2-7]+)", done.stderr)
    assert f"in gpu1:{home.there}" in home.asimi("approve", "--list").stdout
    with home.at_terminal("approve", name) as person:
        person.asked()
        person.sees("gpu1:")
        person.presses("y")
        assert person.ended() == 0
    assert home.asimi(*words).returncode == 126
    assert home.asimi(*words, "--host", "gpu1").stdout == "hello"
    assert home.asimi(*words, "--host", "gpu1").returncode == 126


def test_a_connection_that_was_lost_is_made_again_for_the_next_call(tmp_path):
    home = Afar(tmp_path, NAMES + PROJECT, TRUSTED)
    process = home.start("serve", "--host", "gpu1", "--non-interactive")
    try:
        ask(process, "echo $PPID")
        far = int(answer(process)["stdout"])
        os.kill(far, signal.SIGKILL)
        said = {"error": "lost"}
        while said["error"]:  # what was asked before the loss was noticed is refused, and was not run
            assert "lost" in said["error"], said
            ask(process, "touch made; echo again")
            said = answer(process)
        assert (said["stdout"], (home.there / "made").exists()) == ("again\n", True)
    finally:
        process.communicate()


@pytest.mark.skipif(bool(KEPT), reason=KEPT or "-")
def test_a_sandbox_is_kept_there(tmp_path):
    rule = '[[rules]]\ndecision = "allow"\ncommand = "touch"\nsandbox = "project"\n'
    home = Afar(tmp_path, rule, TRUSTED)
    done = home.asimi("run", "touch inside ../outside", "--host", "gpu1", "--json")
    assert json.loads(done.stdout)["sandbox"] == "project"
    assert ((home.there / "inside").exists(), (home.far / "outside").exists()) == (True, False)
    home.config.write_text(home.config.read_text().replace(TRUSTED, ""))
    verdict, codes, _ = home.verdict("touch inside")
    assert (verdict, codes[:1]) == ("ask", ["unlisted"])


@pytest.mark.skipif(bool(BOXED), reason=BOXED or "-")
def test_what_nothing_lists_runs_in_a_sandbox_there_only_if_it_is_trusted(tmp_path):
    home = Afar(tmp_path, 'unlisted = "sandbox"\n', TRUSTED)
    (home.there / ".env").write_text("secret")
    (home.there / "script.sh").write_text("touch inside; touch ../outside; cat .env")
    done = home.asimi("run", "sh script.sh", "--host", "gpu1", "--json")
    assert json.loads(done.stdout)["sandbox"] == "project"
    assert "secret" not in done.stdout
    assert ((home.there / "inside").exists(), (home.far / "outside").exists()) == (True, False)
    home.config.write_text(home.config.read_text().replace(TRUSTED, ""))
    assert home.verdict("python3 x.py")[:2] == ("ask", ["unlisted"])


def test_names_are_reached_from_this_machine_alone(tmp_path):
    home = Afar(tmp_path, NAMES + '[sandbox]\nmode = "project"\nnetwork = "named"\n')
    done = home.asimi("run", "touch made", "--host", "gpu1")
    assert (done.returncode, (home.there / "made").exists()) == (125, False)
    assert ":4: this sandbox cannot be kept here: `network` by name is for commands on this machine" in done.stderr


def test_what_cannot_be_kept_there_refuses(tmp_path):
    home = Afar(tmp_path, NAMES + '[sandbox]\nmode = "project"\n', lies="looks['unkept'] = lambda _: 'no such kernel'")
    done = home.asimi("run", "touch made", "--host", "gpu1")
    assert (done.returncode, (home.there / "made").exists()) == (125, False)
    assert "this sandbox cannot be kept here: on gpu1: no such kernel" in done.stderr


def test_one_connection_serves_all_calls_of_a_session(tmp_path):
    home = Afar(tmp_path, NAMES)
    lines = [{"command": f"echo {number}; cat /proc/$PPID/cmdline"} for number in range(3)]
    results = home.answers(*lines, words=("serve", "--host", "gpu1"))
    assert [result["stdout"].splitlines()[0] for result in results] == ["0", "1", "2"]
    assert {result["host"] for result in results} == {"gpu1"}
    ends = [record["pid"] for record in home.log() if record["event"] == "end"]
    assert len(set(ends)) == len(results)


def test_mcp_serves_the_tools_of_a_host_and_its_jobs(tmp_path):
    pytest.importorskip("mcp", reason="the MCP SDK is not installed: pip install 'asimi[mcp]'")
    from mcp import Client, StdioServerParameters

    home = Afar(tmp_path, 'coreTools = ["run_shell_command"]\n')
    words = ["-m", "asimi", "mcp", "--host", "gpu1"]

    async def test():
        server = StdioServerParameters(command=PYTHON, args=words, env=home.environ, cwd=home.root)
        async with Client(server) as client:
            ran = await client.call_tool("run_shell_command", {"command": "pwd; sleep 600 &"})
            assert (ran.structured_content["host"], ran.structured_content["stdout"]) == ("gpu1", f"{home.there}\n")
            (pid,) = ran.structured_content["backgroundPids"]
            listed = await client.call_tool("list_background_jobs", {})
            (job,) = listed.structured_content["jobs"]
            assert pid in job["pids"]
            ended = await client.call_tool("end_background_job", {"id": job["id"]})
            assert ended.structured_content["ended"]

    asyncio.run(asyncio.wait_for(test(), 100))


def test_check_and_doctor_tell_what_a_host_is(tmp_path):
    home = Afar(tmp_path, NAMES)
    done = home.doctor("--verbose", "--host", "gpu1")
    assert "ok     call: `true` ran" in done.stdout
    assert f"project root {home.there}, home {home.far}" in done.stdout
    assert "host gpu1: not trusted: only entries by name allow something there" in done.stdout
    assert "host gpu1: not tried; try it with: asimi doctor --host gpu1" in home.doctor().stdout
    shown = home.asimi("config", "show").stdout
    assert "hosts.gpu1" in shown
    assert str(home.config) in shown


@pytest.mark.parametrize(
    ("lie", "code"),
    [
        ("looks['looked'] = lambda deeds, directory, root: ()", 125),
        ("looks['looked'] = lambda deeds, *_: tuple(each._replace(command='ls', effects=()) for each in deeds)", 1),
    ],
)
def test_a_host_says_nothing_of_what_the_text_does(lie, code, tmp_path):
    home = Afar(tmp_path, "", lies=lie)
    done = home.asimi("check", "rm -r sub", "--json", "--host", "gpu1")
    assert done.returncode == code
    if code == 1:
        assert [(each["command"], each["effects"]) for each in json.loads(done.stdout)["does"]] == [
            ("rm -r sub", ["delete"])
        ]


def test_a_hook_has_no_host(tmp_path):
    home = Afar(tmp_path, NAMES)
    call = json.dumps(envelope("claude-code", "echo hi", str(home.root)))
    plain = home.asimi("hook", "claude-code", stdin=call)
    assert "allow" in plain.stdout
    assert home.asimi("hook", "claude-code", stdin=call, environ={"ASIMI_HOST": "gpu1"}).stdout == plain.stdout
    done = home.asimi("hook", "claude-code", "--host", "gpu1", stdin=call)
    assert '"allow"' not in done.stdout
    assert "--host means nothing to a hook" in done.stdout + done.stderr


def test_host_means_nothing_to_most_commands(tmp_path):
    home = Afar(tmp_path, NAMES)
    for words in (["policy", "list"], ["session", "list"], ["trust"]):
        done = home.asimi(*words, "--host", "gpu1")
        if done.returncode != 0:
            assert "--host is for run, exec, check" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs sh")
@pytest.mark.parametrize(
    ("reach", "said"),
    [
        (["sh", "-c", "exit 127"], "install asimi there (pipx install asimi), or set `program` to where it is"),
        (["/nonexistent/ssh"], "cannot be reached: /nonexistent/ssh: No such file or directory"),
        (["sh", "-c", r"printf '\0asimi executor 99 9.9\n'; sleep 60"], "update asimi here"),
        (["sh", "-c", r"printf '\0asimi executor 0 0.0\n'; sleep 60"], "update asimi there"),
        (["sh", "-c", "echo 'Host key verification failed.' >&2; exit 255"], "its host key is not the known one"),
        (["sh", "-c", "echo 'me@gpu1: Permission denied (publickey).' >&2; exit 255"], "ssh gets no terminal"),
        (["sh", "-c", "exec sleep 60"], "did not answer within 1 seconds"),
    ],
)
def test_what_cannot_be_reached_says_why_and_what_to_do(reach, said, tmp_path):
    home = Afar(tmp_path, NAMES, host=f'reach = {json.dumps(reach)}\npatience = "1s"\n')
    for words in (["run", "touch made"], ["check", "touch made"], ["doctor"]):
        done = home.asimi(*words, "--host", "gpu1")
        assert done.returncode == (1 if words == ["doctor"] else 125)
        assert "host gpu1: " in done.stdout + done.stderr
        assert said in done.stdout + done.stderr
    assert not (home.root / "made").exists()


def test_a_host_that_changes_in_the_configuration_ends_what_used_it(tmp_path):
    home = Afar(tmp_path, NAMES)
    process = home.start("serve", "--host", "gpu1")
    try:
        ask(process, "echo one")
        assert answer(process)["stdout"] == "one\n"
        home.config.write_text(home.config.read_text().replace(str(home.there), str(home.far)))
        ask(process, "echo two")
        assert "[hosts.gpu1] has changed; start asimi again" in answer(process)["error"]
    finally:
        process.communicate()


def test_a_host_that_is_trusted_later_is_trusted_at_once(tmp_path):
    home = Afar(tmp_path, READS)
    process = home.start("serve", "--host", "gpu1", "--non-interactive")
    try:
        ask(process, "ls")
        assert answer(process)["error"] is not None
        home.config.write_text(home.config.read_text() + TRUSTED)
        ask(process, "ls")
        assert answer(process)["stdout"] == "sub\n"
    finally:
        process.communicate()


def ask(process, command):
    process.stdin.write(json.dumps({"command": command}).encode() + b"\n")
    process.stdin.flush()


def answer(process):
    return json.loads(process.stdout.readline())
