"""opencode: the plug-in that asks asimi, what it sends and how it wants to be answered."""

from __future__ import annotations

from asimi.core import wire
from asimi.core.files import LIST, READ, SEARCH, WRITE
from asimi.doors.hooks.agent import LOGIN, PATCH, REASON, Agent, End, Event, FileTool, Mode, SettingsFile

_SWAP = ("oldString", "newString")

_FILES = {
    "read": FileTool(READ, ("filePath",)),
    "write": FileTool(WRITE, ("filePath",), text="content"),
    "edit": FileTool(WRITE, ("filePath",), swap=_SWAP),
    "multiedit": FileTool(WRITE, ("filePath",), swap=_SWAP, edits="edits"),
    "apply_patch": FileTool(PATCH, ("patchText",)),
    "patch": FileTool(PATCH, ("patchText",)),
    "grep": FileTool(SEARCH, ("path",), names="include", here=True),
    "glob": FileTool(LIST, ("path",), names="pattern", here=True),
    "list": FileTool(LIST, ("path",), here=True),
}

_CHANGES = ["bash", "shell", "write", "edit", "multiedit", "apply_patch", "patch"]

PLUGIN = """\
// Written by `asimi hook install opencode`, and removed by `asimi hook uninstall opencode`.
// opencode runs no tool whose plug-in throws, so whatever goes wrong here throws.
import { spawn } from "node:child_process"

const HOOK = {command}
const JUDGED = {tools}
const CHANGES = {changes}

const allowed = (envelope, env) =>
  new Promise((resolve, reject) => {
    const blocked = (why) => reject(new Error(`asimi blocks this command, because its hook ${why}`))
    const hook = spawn(HOOK, { shell: true, env })
    let out = ""
    let err = ""
    hook.stdout.setEncoding("utf8").on("data", (text) => (out += text))
    hook.stderr.setEncoding("utf8").on("data", (text) => (err += text))
    hook.stdin.on("error", () => {})
    hook.on("error", (fault) => blocked(`could not run: ${fault.message}`))
    hook.on("close", (code) => {
      let answer
      try {
        answer = JSON.parse(out)
      } catch {}
      if (code === 0 && answer?.decision === "allow") resolve(answer.args)
      else if (answer?.reason || err) reject(new Error(answer?.reason ?? err.trim()))
      else blocked(`said nothing and ended with ${code}`)
    })
    hook.stdin.end(JSON.stringify(envelope))
  })

export const Asimi = async ({ directory }) => {
  let shell = process.env.SHELL ?? ""
  return {
    config: async (config) => {
      shell = config.shell ?? shell
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (!JUDGED.includes(tool)) return
      const before = JSON.stringify(args)
      const other = await allowed({ sessionID, callID, tool, directory, args }, { ...process.env, SHELL: shell })
      if (JSON.stringify(args) !== before) throw new Error("asimi blocks this command: it was changed meanwhile")
      Object.freeze(Object.assign(args, other)) // what is judged is what runs, whatever plug-ins come next
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }) => {
      if (!CHANGES.includes(tool)) return
      const ended = { sessionID, callID, tool, directory, args, ended: true }
      await allowed(ended, { ...process.env, SHELL: shell }).catch(() => {}) // nothing is answered
    },
  }
}
"""
"""The plug-in; the command line, as a string of JavaScript's, stands for `{command}`, its tools for `{tools}`, those
that may change files for `{changes}`."""

AGENT = Agent(
    name="opencode",
    title="opencode",
    known="1.18.33, run against a model of our own, 2026-11-22",
    sources=(
        "https://opencode.ai/docs/plugins/",
        "npm @opencode-ai/plugin 1.18.33: dist/index.d.ts (Hooks)",
        "anomalyco/opencode packages/opencode/src/{session/tools.ts,tool/shell.ts,shell/shell.ts}",
    ),
    events=(
        Event(
            "tool.execute.before",
            allow={"decision": "allow"},
            ask=None,
            deny={"decision": "deny", "reason": REASON},
            passes={"decision": "allow"},  # to the plug-in, which then lets opencode go on
        ),
    ),
    event="",
    ends=(End("tool.execute.after", "ran", "ended"),),  # of a command that failed, too, not of a tool that did
    call="callID",
    present={"sessionID": str, "callID": str, "tool": str, "directory": str, "args": dict},
    absent=("hook_event_name", "tool_name", "toolCall"),
    tool="tool",
    tools={"bash": LOGIN},
    files=_FILES,
    input="args",
    command="command",
    directory=("workdir", "directory"),
    roots=("directory",),
    session="sessionID",
    modes=(Mode("every mode", "runs", "1.18.33, its types: a plug-in only lets a command pass, or throws"),),
    sample={
        "sessionID": "asimi-doctor",
        "callID": "asimi-doctor",
        "tool": "bash",
        "directory": "{directory}",
        "args": {"command": "{command}", "description": "asimi hook doctor"},
    },
    settings=SettingsFile(
        file=".config/opencode/plugins/asimi.js",
        moved=("XDG_CONFIG_HOME", "opencode/plugins/asimi.js"),
        plugin=PLUGIN.replace("{tools}", wire.dumps([*_CHANGES[:2], *_FILES])).replace(
            "{changes}", wire.dumps(_CHANGES)
        ),
    ),
    notes=(
        "An allow is not a grant: opencode still asks where its own permissions say so.",
        "Another plug-in that changes a command before asimi's sees it: asimi judges the changed one.",
        "--pure and OPENCODE_PURE turn all plug-ins off.",
    ),
)
