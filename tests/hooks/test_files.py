"""What each agent's own tools for files may touch: the same hook, and the same verdict as the command that does it."""

from __future__ import annotations

import json
import os
import re
import shlex
from urllib.parse import quote

import pytest
from helpers import TESTS
from helpers.hooks import envelope
from hypothesis import HealthCheck, settings
from hypothesis import given as drawn
from hypothesis import strategies as st

from asimi.compose import Options
from asimi.compose.gate import open_judge
from asimi.core.call import FileUse, Place, Request, Touch, Verdict
from asimi.core.files import request_of
from asimi.doors.hooks import AGENTS, GUESTS
from asimi.doors.hooks.agent import agent_of
from asimi.doors.hooks.settings import hook_entries

CASES = [
    (agent, index, row)
    for agent in (*AGENTS, *GUESTS)
    for index, row in enumerate(json.loads((TESTS / "hooks" / "files" / f"{agent}.json").read_text()))
]
"""Calls of every such tool, with FILE for a path; those of the agents that run here were sent by them."""

FILES = """\
[files]
deny = ["vault/**"]
"""


def call(agent, tool, given, root, **changes):
    """What an agent sends before a call of one of its tools."""
    value = envelope("claude-code" if agent in GUESTS else agent, "x", root)
    if agent == "vscode":
        value = {
            "timestamp": "2026-11-26T10:30:00.000Z",
            "cwd": str(root),
            "sessionId": "s1",
            "hookEventName": "PreToolUse",
            "transcript_path": f"{root}/t.json",
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": "tool-1",
        }
    elif agent == "antigravity":
        value["toolCall"] = {"name": tool, "args": given}
    elif agent == "copilot-cli":
        value |= {"toolName": tool, "toolArgs": json.dumps(given)}
    elif agent == "opencode":
        value |= {"tool": tool, "args": given}
    elif agent == "cursor":
        del value["command"]
        reads = tool == "beforeReadFile"
        value |= {"hook_event_name": tool, **given} if reads else {"hook_event_name": "preToolUse"}
        value |= {} if reads else {"tool_name": tool, "tool_input": given}
    else:
        value |= {"tool_name": tool, "tool_input": given}
    return value | changes


def hook_of(agent):
    """Whose hook hears what an agent sends."""
    return "claude-code" if agent in GUESTS else agent


def put(given, path):
    """A call's parameters with a path in the place of FILE."""
    return json.loads(json.dumps(given).replace("FILE", json.dumps(str(path))[1:-1]))


def decision(agent, said):
    """What an answer says: `deny`, `ask`, or nothing; never an allow that would skip the agent's own prompt."""
    assert said.code == 0, said
    if not said.out:
        return ""
    text = json.dumps(said.json)
    found = re.search(r'"(?:permissionDecision|permission|decision)": "(\w+)"', text)
    word = found[1] if found else ""
    if word == "allow":
        assert agent in {"antigravity", "opencode", "cursor"}, "an allow that is a grant"
        return ""
    return "ask" if word == "force_ask" else word


@pytest.mark.parametrize(("agent", "index", "row"), CASES, ids=[f"{a}-{i}-{row['tool']}" for a, i, row in CASES])
def test_every_tool_of_every_agent_is_judged(home, agent, index, row):
    del index
    home.config.write_text(home.config.read_text() + FILES)
    (home.root / "src").mkdir()
    (home.root / "a.txt").write_text("one\ntwo\n")

    def said(path):
        sent = call(agent, row["tool"], put(row["given"], path), home.root)
        return decision(agent, home.hook(hook_of(agent), sent))

    assert said("src/new.py") == ""
    assert home.log()[-1]["event"] == "file"
    assert row["does"] in {each["does"] for each in home.log()[-1]["files"]}
    assert said("vault/x") == "deny"
    assert home.log()[-1]["reasons"][0]["code"] == "denied_by_rule"
    if row["does"] != "list":  # to list names is no reading
        assert said(".env") in {"ask", "deny"}
        assert home.log()[-1]["reasons"][0]["code"] == "secret"


@pytest.mark.parametrize("agent", AGENTS)
def test_the_installed_hook_is_asked_about_every_tool(agent):
    data = agent_of(agent)
    assert {row["tool"] for each, _, row in CASES if each == agent} == set(data.files)
    if agent == "opencode":
        listed = json.loads(re.search(r"const JUDGED = (\[.*\])", data.settings.plugin)[1])
        assert set(data.files) | set(data.tools) <= set(listed)
        return
    answered = [entry for path, entry in hook_entries(data) if path[-1] in {event.name for event in data.events}]
    matchers = [entry["matcher"] for entry in answered if "matcher" in entry]
    events = {path[-1] for path, _ in hook_entries(data)}
    for tool in data.files:
        assert tool in events or agent == "copilot-cli" or any(re.fullmatch(each, tool) for each in matchers), tool


PROJECT = ["a.txt", "src/new/x.py", "./a.txt", "src/../a.txt", "lib/[id].ts", "na me.txt", "-f", "#x", "a;b"]
PATHS = [
    *PROJECT, ".env", "src/../.env", ".env.example", "~/.bashrc", "@HOME@/.bashrc", "~/.ssh/id_rsa", "key", "out/x",
    "out/../.env", ".git/hooks/x", ".git/config", ".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json",
    ".cursor/hooks.json", ".opencode/plugins/x.js", "AGENTS.md", "/etc/passwd", "/etc/shadow", "../out", "/tmp/x",
    "missing/deep/x", "missing/../.env", "@HOME@/config/asimi/config.toml", "@HOME@/state/asimi/log.jsonl", "/dev/sda",
    "/proc/self/environ", "vault/x", ".envrc", ".github/workflows/x.yml", "nb.ipynb", "~", "/",
]  # fmt: skip
NOT_OF_FILES = {"unlisted", "redirection", "rejected"}

WRITES = {"unset": "", "project": 'write = ["."]\n', "all": 'write = ["**"]\n', "nowhere": "write = []\n"}


@pytest.fixture(params=WRITES.values(), ids=WRITES)
def judge(request, home, monkeypatch):
    """A gate that judges, in a project with links that lead out of it."""
    home.config.write_text(f'{FILES}{request.param}[[rules]]\ndecision = "deny"\ncommand = "cat"\n')
    for name, value in home.environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(home.root)
    (home.home / ".ssh").mkdir()
    (home.home / ".ssh" / "id_rsa").write_text("key")
    (home.root / ".git" / "hooks").mkdir(parents=True)
    (home.root / "out").symlink_to(home.home)
    (home.root / "key").symlink_to(home.home / ".ssh" / "id_rsa")
    (home.root / "up").symlink_to("..")
    return open_judge(Options(root=str(home.root)))


def touching(home, does, path):
    """The request of a tool that touches a path."""
    root = os.path.realpath(home.root)
    use = FileUse(does, (Touch(does, path.replace("@HOME@", str(home.home))),))
    return request_of(use, Place(root, root, inside=True), root, str(home.home))


@pytest.mark.parametrize("does", ["read", "write", "delete"])
def test_the_verdict_is_that_of_the_command_that_does_it(judge, home, does):
    for path in PATHS:
        request = touching(home, does, path)
        found, place = judge.judge(request), request.place
        words = map(shlex.quote, shlex.split(request.command)[1:])
        text = f"head {' '.join(words)}" if does == "read" else f"printf x > {' > '.join(words)}"
        text = request.command if does == "delete" else text
        shell = Request("run_shell_command", text, None, place)
        told = judge.judge(shell)
        mine = {reason.code for reason in found.reasons} - {"allowed_by_rule"}
        theirs = {reason.code for reason in told.reasons} - NOT_OF_FILES
        if found.verdict is Verdict.ASK and "write =" not in home.config.read_text():
            mine.discard("outside")  # what runs by itself, where a command asks about every redirection
        assert mine == theirs, (path, request.command, mine, theirs)
        assert found.verdict is not Verdict.ALLOW or not theirs, path


BELOW_HOME = [".ssh/id_rsa", ".bashrc", ".claude/settings.json", "config/asimi/config.toml", ".env", "x"]
BELOW_ROOT = [
    ".env",
    "a.txt",
    "vault/x",
    ".git/hooks/x",
    ".git/config",
    ".codex/hooks.json",
    "src/.envrc",
    "key",
    "up/x",
]
ELSEWHERE = ["/etc/passwd", "/dev/sda", "/root/.ssh/id_rsa", "/home/other/.ssh/id_ed25519", "/home/other/.bashrc", "/"]
BEFORE = [
    "",
    "./",
    "src/../",
    "out/../",
    "missing/../",
    "src/./missing/../../",
    ".//",
    "out/../root/",
    "up/root/",
    "../root/",
]
SAME = [
    lambda path: path,
    lambda path: f" {path}\t",
    lambda path: f"file://{quote(path)}" if path[:1] == "/" else path,
    lambda path: f"file://localhost{path}" if path[:1] == "/" else path,
    lambda path: re.sub(r"([ .a-z])", r"\\\1", path),
    lambda path: path.replace("/", "//"),
    lambda path: path.replace("/", "/./"),
    lambda path: f"{'src/../' * 300}{path}" if path[:1] not in {"/", "~"} else f"/proc/self/root{path}"[: 1 << 12],
]
"""What stands for one path in some tool: what is trimmed, a URI, backslashes, steps that lead nowhere."""


@st.composite
def spelled(draw, home, root):
    """A way to write a path, and where it leads."""
    kind = draw(st.sampled_from(["root", "home", "link", "absolute", "elsewhere"]))
    if kind == "root":
        below = draw(st.sampled_from(BELOW_ROOT))
        path, leads = draw(st.sampled_from(BEFORE)) + below, f"{root}/{below}"
    elif kind == "elsewhere":
        path = leads = draw(st.sampled_from(ELSEWHERE))
        path = draw(st.sampled_from([path, f"../../../../../../../../../../..{path}"]))
    else:
        below = draw(st.sampled_from(BELOW_HOME))
        before = {"home": "~/", "link": "out/", "absolute": f"{home}/"}[kind]
        path, leads = before + below, f"{home}/{below}"
    return draw(st.sampled_from(SAME[: 7 if path[:1] in {"/", "~"} else None]))(path), leads


@drawn(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@pytest.mark.parametrize("judge", WRITES.values(), ids=WRITES, indirect=True)
@pytest.mark.parametrize("does", ["read", "write", "delete"])
def test_no_spelling_is_judged_more_freely_than_the_command_where_it_leads(judge, home, does, data):
    root = os.path.realpath(home.root)
    path, leads = data.draw(spelled(os.path.realpath(home.home), root))
    text = {"read": "head {}", "write": "printf x > {}", "delete": "rm -- {}"}[does].format(shlex.quote(leads))
    told = judge.judge(Request("run_shell_command", text, None, Place(root, root, inside=True)))
    found = judge.judge(touching(home, does, path))
    mine, theirs = ({reason.code for reason in each.reasons} for each in (found, told))
    assert theirs - NOT_OF_FILES - {"allowed_by_rule", "outside"} <= mine, (path, text)
    if "outside" in theirs and found.verdict is Verdict.ALLOW:  # where it is not set, only what runs by itself is
        assert "write =" not in home.config.read_text(), (path, text)


SAID = """
read  a.txt                    allow
read  /etc/passwd              allow
read  .env                     ask secret
read  src/../.env              ask secret
read  key                      ask secret
read  out/.ssh/id_rsa          ask secret
read  ~/.ssh/id_rsa            ask secret
read  ../root/.env             ask secret
read  missing/../.env          ask secret
read  vault/x                  deny denied_by_rule
read  .claude/settings.json    allow
write a.txt                    allow
write missing/deep/x           allow
write .env                     ask secret
write key                      ask secret
write ~/.bashrc                ask outside
write out/.bashrc              ask outside
write .git/hooks/x             ask outside
write .git/config              ask outside
write .claude/settings.json    ask protected
write .codex/hooks.json        ask protected
write ~/.gemini/settings.json  ask protected
write @HOME@/config/asimi/config.toml ask protected
write .asimi/config.toml       ask protected
write /dev/sda                 ask floor
write vault/x                  deny denied_by_rule
"""
"""What is said of a path wherever `files.write` says that files may be written, and where it says nothing."""


@pytest.mark.parametrize("row", SAID.strip().splitlines())
@pytest.mark.parametrize("judge", [WRITES["unset"], WRITES["all"]], ids=["unset", "all"], indirect=True)
def test_what_is_said_of_a_path(judge, home, row):
    does, path, verdict, *code = row.split()
    found = judge.judge(touching(home, does, path))
    assert (found.verdict.word, [*dict.fromkeys(each.code for each in found.reasons)][: len(code)]) == (verdict, code)


@pytest.mark.parametrize("judge", [WRITES["project"]], ids=["project"], indirect=True)
def test_what_is_written_outside_is_asked_about_where_files_write_is_set(judge, home):
    for path in ("../out", "/tmp/x", "/etc/passwd", "out/x", "src/../../x"):
        assert {each.code for each in judge.judge(touching(home, "write", path)).reasons} == {"outside"}, path
        assert judge.judge(touching(home, "read", path)).verdict is Verdict.ALLOW, path


RULES = """
[[rules]]
decision = "deny"
effects = ["write"]
"""


def test_rules_by_effect_hold_for_tools_and_those_by_a_programs_name_do_not(home):
    home.config.write_text('excludeTools = ["run_shell_command(cat)", "run_shell_command(ls)"]\nunlisted = "reject"\n')
    for tool in ("Read", "Write", "LS"):
        sent = {"file_path": "a.txt", "content": "x", "path": "."}
        assert decision("claude-code", home.hook("claude-code", call("claude-code", tool, sent, home.root))) == ""
    home.config.write_text(RULES)
    sent = call("claude-code", "Write", {"file_path": "a.txt", "content": "x"}, home.root)
    assert decision("claude-code", home.hook("claude-code", sent)) == "deny"
    sent = call("claude-code", "Read", {"file_path": "a.txt"}, home.root)
    assert decision("claude-code", home.hook("claude-code", sent)) == ""


PATCH = """\
*** Begin Patch
*** Add File: new.txt
+one
+*** Delete File: .env
*** Update File: a.txt
*** Move to: b.txt
@@
-one
+uno
 *** Delete File: sub/x
*** End Patch
"""


def test_a_patch_touches_all_that_its_lines_name(home):
    sent = call("codex", "apply_patch", {"command": PATCH}, home.root)
    assert decision("codex", home.hook("codex", sent)) == ""
    assert [(each["does"], each["path"], each["added"], each["removed"]) for each in home.log()[-1]["files"]] == [
        ("write", "new.txt", 2, 0),
        ("delete", "a.txt", None, None),
        ("write", "b.txt", 1, 1),
        ("delete", "sub/x", None, None),
    ]
    for name in (".env", "../../x/.env", "x\N{LINE SEPARATOR}/../.env", "  .env", ".env\r"):
        moved = PATCH.replace("b.txt", name)
        sent = call("codex", "apply_patch", {"command": moved}, home.root)
        assert decision("codex", home.hook("codex", sent)) == "deny"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("*.py", ""), ("", ""), ("!*.py", ""), ("**/*", ""), (".env", "ask"), ("conf/.env", "ask"), ("{a,.env}", "ask"),
        ("*.py .env", "ask"), ("*.py,.env", "ask"), (".e*", "ask"), ("*.pem", "ask"), ("+(.env)", "ask"),
        ("@(a|.env)", "ask"), (["*.py", ".env"], "ask"), ("~/.ssh/*", "ask"), ("*.py,vault/*", "deny"), ([5], ""),
    ],
)  # fmt: skip
def test_a_search_for_names_of_secrets_is_asked_about(home, names, expected):
    home.config.write_text(f'{home.config.read_text()}[files]\ndeny = ["vault", "vault/**"]\n')
    given = {"pattern": "x", "glob": names}
    sent = call("claude-code", "Grep", given, home.root, permission_mode="default")
    assert decision("claude-code", home.hook("claude-code", sent)) == expected


MANY = [
    ("claude-code", "Grep", {"glob": " ".join(f"d{at}/*.py" for at in range(20_000))}),
    ("copilot-cli", "grep", {"paths": ["d"] * 2000, "glob": " ".join(f"e{at}/*" for at in range(2000))}),
    ("claude-code", "Grep", {"glob": " ".join(f"*{at}.py" for at in range(50_000))}),
    ("claude-code", "Grep", {"glob": "{a,b}" * 30}),
    ("gemini-cli", "read_many_files", {"paths": [f"d{at}/**" for at in range(5000)]}),
    ("codex", "apply_patch", {"command": "\n".join(f"*** Add File: f{at}\n+x" for at in range(20_000))}),
]  # fmt: skip


@pytest.mark.parametrize(("agent", "tool", "given"), MANY, ids=[f"{tool}-{at}" for at, (_, tool, _) in enumerate(MANY)])
def test_what_is_too_much_to_check_is_denied_before_the_agent_grows_tired(home, agent, tool, given):
    said = home.hook(agent, call(agent, tool, {"pattern": "x"} | given, home.root))
    assert decision(agent, said) == "deny"


@pytest.mark.parametrize(
    "given",
    [{}, {"file_path": ""}, {"file_path": 5}, {"file_path": "a\0b"}, {"file_path": ["a", 1]}, {"file_path": {"a": 1}}],
)
@pytest.mark.parametrize("tool", ["Read", "Edit"])
def test_a_call_that_names_no_path_is_denied(home, tool, given):
    assert decision("claude-code", home.hook("claude-code", call("claude-code", tool, given, home.root))) == "deny"


@pytest.mark.parametrize("patch", [None, "", "rm x", "*** Begin Patch\n*** End Patch"])
def test_a_patch_that_names_no_file_is_denied(home, patch):
    sent = call("codex", "apply_patch", {"command": patch}, home.root)
    assert decision("codex", home.hook("codex", sent)) == "deny"


def test_the_log_has_paths_and_numbers_and_no_contents(home):
    (home.root / "a.txt").write_text("first\nsecond-old\nlast\n")
    given = {"file_path": "a.txt", "content": "first\nsecret-new\nmore\nlast\n"}
    sent = call("claude-code", "Write", given, home.root, permission_mode="default")
    assert decision("claude-code", home.hook("claude-code", sent)) == ""
    given["file_path"] = ".env"
    sent = call("claude-code", "Write", given, home.root, permission_mode="default")
    assert decision("claude-code", home.hook("claude-code", sent)) == "ask"
    first, second = home.log()[-2:]
    assert (first["event"], first["tool"], first["command"]) == ("file", "Write", "tee a.txt")
    touched = {"does": "write", "path": "a.txt", "names": "", "size": 27, "added": 2, "removed": 1}
    assert first["files"] == [touched]
    assert (second["event"], second["verdict"], second["files"][0]["added"]) == ("passed", "ask", 4)
    text = (home.state / "log.jsonl").read_text()
    assert not [word for word in ("secret-new", "second-old", "first") if word in text]
    shown = home.asimi("log").stdout
    assert "Write: write a.txt (+2 -1 lines, 27 bytes)" in shown
    assert "passed" in shown
    assert home.asimi("log", "verify").returncode == 0
    assert home.asimi("log", "report").returncode == 0


def test_a_yes_is_for_this_change_alone(home):
    given = {"file_path": ".env", "old_string": "A=1", "new_string": "A=2"}
    sent = call("claude-code", "Edit", given, home.root)
    said = home.hook("claude-code", sent)
    assert decision("claude-code", said) == "deny"
    name = re.search(r"asimi approve ([a-z2-7]{8})", said.out)[1]
    with home.at_terminal("approve", name) as person:
        person.asked()
        person.sees("Edit, the agent's own tool")
        person.sees("-A=1")
        person.sees("+A=2")
        person.presses("y")
        assert person.ended() == 0
    other = call("claude-code", "Edit", given | {"new_string": "A=3"}, home.root)
    assert decision("claude-code", home.hook("claude-code", other)) == "deny"
    assert decision("claude-code", home.hook("claude-code", sent)) == ""
    assert home.log()[-1]["approval"]["by"] == "queue"
    assert decision("claude-code", home.hook("claude-code", sent)) == "deny"  # it was one yes


def test_the_hook_imports_no_more_for_a_file_than_for_a_command(home):
    code = (
        "import sys\nfrom asimi.doors.hooks.driver import main\n"
        "main(None, 'claude-code'); print(*sys.modules, file=sys.stderr)"
    )

    def loaded(sent):
        from helpers import PYTHON, ROOT

        line = [PYTHON, "-I", "-S", "-c", f"import sys; sys.path.append({str(ROOT)!r})\n{code}"]
        return set(home.started(line, json.dumps(sent).encode()).err.split())

    command = loaded(envelope("claude-code", "git status", home.root))
    for tool, given in (("Read", {"file_path": "a.txt"}), ("Edit", {"file_path": "a.txt", "new_string": "x"})):
        more = loaded(call("claude-code", tool, given, home.root)) - command
        judging = {f"asimi.core.judging.{name}" for name in ("known", "overwriting", "recovery")}
        assert more <= {"asimi.doors.hooks.files", *judging, "_sha2", "_sha256"}, more


def test_undo_takes_back_what_a_tool_changed(home):
    home.config.write_text(home.config.read_text() + '[undo]\nkeep = "1d"\n')
    (home.root / "a.txt").write_text("one\n")
    given = {"file_path": "a.txt", "content": "two\n"}
    sent = call("claude-code", "Write", given, home.root)
    assert decision("claude-code", home.hook("claude-code", sent)) == ""
    (home.root / "a.txt").write_text("two\n")
    home.hook("claude-code", sent | {"hook_event_name": "PostToolUse", "tool_response": {}})
    assert "tee a.txt" in home.asimi("undo").stdout
    assert [line["event"] for line in home.log()] == ["file"]


VS_CODE = {
    "run_in_terminal": ({"command": "git status", "explanation": "e"}, "allow"),
    "a command that is denied": ({"command": "rm x"}, "deny"),
    "a command that nothing lists": ({"command": "curl x"}, "deny"),
    "create_and_run_task": ({"task": {"command": "rm x"}}, "ask"),
    "manage_todo_list": ({"todoList": []}, ""),
    "mcp_some_tool": ({"query": "x"}, "ask"),
    "mcp_shell": ({"cmd": "rm x"}, "deny"),
}


@pytest.mark.parametrize("hook", ["claude-code", "copilot-cli"])
@pytest.mark.parametrize("tool", VS_CODE)
def test_vs_code_is_answered_in_the_hooks_that_it_reads(home, hook, tool):
    given, expected = VS_CODE[tool]
    name = "run_in_terminal" if tool.startswith("a command") else tool
    said = home.hook(hook, call("vscode", name, given, home.root))
    found = re.search(r'"permissionDecision": "(\w+)"', said.out)
    assert (said.code, found[1] if found else "") == (0, expected), said
    if expected:
        assert home.log()[-1]["agent"] == "vscode"


def test_what_vs_code_tells_afterwards_is_no_question(home):
    for tool, given in (("create_file", {"filePath": "a.txt"}), ("mcp_some_tool", {}), ("manage_todo_list", {})):
        sent = call("vscode", tool, given, home.root, hookEventName="PostToolUse", tool_response="done")
        assert home.hook("claude-code", sent) == ("", "", 0)


def test_vs_code_has_no_settings_of_its_own(home):
    done = home.asimi("hook", "install", "vscode")
    assert (done.returncode, "claude-code or copilot-cli" in done.stderr) == (125, True)


@pytest.mark.parametrize("agent", AGENTS)
def test_an_observing_asimi_lets_every_tool_go(home, agent):
    home.config.write_text('unlisted = "observe"\n')
    rows = [row for each, _, row in CASES if each == agent]
    row = next(row for row in rows if row["does"] == "read")
    said = home.hook(hook_of(agent), call(agent, row["tool"], put(row["given"], ".env"), home.root))
    assert decision(agent, said) == ""
    assert home.log()[-1]["event"] == "observed"
