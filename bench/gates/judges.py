"""Asks one gate that is written in Python about many commands; the gate's own Python runs this, asimi is not needed.

    python judges.py NAME [LIST] < commands.json

Standard input is a list of commands, LIST a file of programs to allow, one a line. The current directory is the
project, and HOME one in which the gate's configuration may be written. Standard output is one word a command:
allow, ask, deny, or broke where the gate failed or took longer than `PATIENCE`.
"""

import contextlib
import io
import json
import os
import pathlib
import signal
import sys

HOME, HERE = pathlib.Path.home(), os.getcwd()
PATIENCE = 20  # seconds for one command


def nah(listed):
    """Its classifier as `nah test` has it, without a model."""
    from nah import config
    from nah.bash import classify_command

    if listed:
        config.apply_override({"classify": {"filesystem_read": listed}})
    words = {"allow": "allow", "ask": "ask", "block": "deny"}
    return lambda command: words[classify_command(command).final_decision]


def vetter(listed):
    """Its check, as `vetter check`; a list as `vetter import claude` writes it."""
    from vetter import engine
    from vetter.agents.importing import from_claude

    policy = ""
    if listed:
        policy = str(HOME / "policy.vet")
        allow = [f"Bash({each}:*)" for each in listed]
        pathlib.Path(policy).write_text(from_claude({"permissions": {"allow": allow}}), encoding="utf-8")
    loaded = engine.call("load_policy", policy, HERE, str(HOME))
    return lambda command: engine.call("check", loaded, command, "bash", HERE, str(HOME), HERE, None).decision


def dippy(listed):
    """Its analysis, from a checkout that DIPPY names."""
    sys.path.insert(0, f"{os.environ['DIPPY']}/src")
    from dippy.core.analyzer import analyze
    from dippy.core.config import parse_config

    config = parse_config("".join(f"allow {each}\n" for each in listed))
    return lambda command: analyze(command, config, pathlib.Path(HERE)).action


def bashgate(listed):
    """Its hook for Claude Code, called in this process, with the file that `bashgate install` copies, or a list."""
    import bashgate as gate

    config = pathlib.Path(gate.__file__).with_name("bashgate.default.json")
    if listed:
        config = HOME / "bashgate.json"
        config.write_text(json.dumps({"commands": listed}), encoding="utf-8")

    def judge(command):
        sys.stdin = io.StringIO(json.dumps({"tool_name": "Bash", "tool_input": {"command": command}, "cwd": HERE}))
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            gate.cmd_hook(["--config", str(config)])
        answer = json.loads(said.getvalue() or '{"hookSpecificOutput": {"permissionDecision": "ask"}}')
        return answer["hookSpecificOutput"]["permissionDecision"]  # silence leaves it to the agent's own question

    return judge


def claude_safety_guard(listed):
    """Its patterns; it has no list of what may run, and a warning does not stop a command."""
    from claude_safety_guard import evaluate

    assert not listed
    words = {"allow": "allow", "warn": "allow", "block": "deny"}
    return lambda command: words[evaluate(command).outcome]


def late(*_):
    """End the judging of one command."""
    raise TimeoutError


def main():
    """Answer each command."""
    name, *lists = sys.argv[1:]
    listed = [each for file in lists for each in pathlib.Path(file).read_text(encoding="utf-8").split()]
    judge = globals()[name](listed)
    signal.signal(signal.SIGALRM, late)
    for command in json.load(sys.stdin):
        signal.alarm(PATIENCE)
        try:
            word = judge(command)
        except (Exception, SystemExit):  # noqa: BLE001 (whatever a gate fails with)
            word = "broke"
        signal.alarm(0)
        print(word, file=sys.__stdout__)


if __name__ == "__main__":
    main()
