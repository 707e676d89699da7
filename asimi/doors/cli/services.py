"""`asimi serve`, which serves until it is told to end, or its stream does."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from asimi.core.extras import is_installed, load
from asimi.doors.cli.forms import Wrong

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from asimi.compose import Options


def serve(options: Options, jobs: int = 1) -> int:
    """Answer JSON tool calls on standard input.

    Each call gets one line of JSON. A call is a JSON value on one line or over several, or an array of them, in any of
    these forms:

    \b
      {"command": ...}                                      the bare parameters
      {"id", "name", "arguments" | "args" | "input"}
      {"type": "function", "function": {...}}               OpenAI chat
      {"type": "function_call", "call_id", ...}             OpenAI responses
      {"type": "tool_use", "id", "name", "input"}           Anthropic
      {"functionCall": {"name", "args"}}                    Gemini
      {"function_call": {"name", "args"}}                   google-genai

    Answers come in the order of the calls. asimi asks on the terminal and never reads an answer from the stream. The
    exit code is 0 when the stream ends, 130 after SIGINT and 143 after SIGTERM; running calls are killed and answered.
    """  # noqa: D301 - below a backspace, click leaves lines as they are
    import sys

    if sys.stdin is None:
        raise Wrong("Standard input is closed; tool calls are read from it.")
    if sys.stdout is None:
        raise Wrong("Standard output is closed; answers are written to it.")
    from asimi.compose.gate import open_gate
    from asimi.doors.running import run
    from asimi.doors.serving.service import serve as service

    gate = open_gate(options, shared=True)
    with sending(options):
        return run(lambda stop: service(gate, stop, jobs))


def sending(options: Options) -> AbstractContextManager[None]:
    """Send what the log says for as long as the context lasts, where a receiver is configured."""
    found: AbstractContextManager[None]
    found = load("telemetry", "sending").sending(options) if is_installed("telemetry") else nullcontext()
    return found
