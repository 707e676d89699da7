"""asimi's main job as a demo: tool calls go in, one line of JSON comes out for each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.markup import escape

HERE = Path(__file__).parent
NOTES = {
    "1": "listed commands run; both parts of the line were judged",
    "2": "a program with arguments, no shell in between",
    "3": "`rm` is on excludeTools: nothing of the line runs",
    "4": "command substitution is denied, whatever the lists say",
    "5": "the call returns at once; what still runs is listed",
    "6": "the time limit ends the whole tree and keeps the output so far",
    "7": "not listed, nobody to ask: the answer names the missing entry",
    "8": "the same call in another dialect, the same answer in that dialect",
}


def main() -> int:
    """Run the example calls through `asimi serve` and show each with its answer."""
    console = Console(width=min(110, Console().width), highlight=False)
    calls = (HERE / "tool-calls.jsonl").read_text(encoding="utf-8").splitlines()
    lists = (HERE / "config.toml").read_text(encoding="utf-8").rstrip()
    console.print(f"[bold]The lists[/] (examples/config.toml)\n{escape(lists)}\n")
    with tempfile.TemporaryDirectory(prefix="asimi-demo-") as project:
        process = subprocess.Popen(
            [sys.executable, "-m", "asimi", "--config", str(HERE / "config.toml"), "--non-interactive", "serve"],
            cwd=project,
            env={**os.environ, "XDG_STATE_HOME": f"{project}/state", "ASIMI_ROOT": project},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        for call in calls:
            process.stdin.write(call + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            name = json.loads(call)["id"]
            console.rule(f"call {name}: {NOTES[name]}", align="left")
            console.print(f"[bold]call  [/] {escape(call)}")
            console.print(f"[bold]answer[/] {escape(answer.rstrip())}\n", soft_wrap=False)
        process.stdin.close()
        return process.wait()


if __name__ == "__main__":
    sys.exit(main())
