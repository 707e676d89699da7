"""`asimi serve`: JSON tool calls on standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from asimi.doors.cli.base import Command, UsageError, application, options_of

if TYPE_CHECKING:
    from asimi.compose import Options

serve = application()


@serve.command(cls=Command)
def _serve(
    context: typer.Context,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Run up to N calls at the same time.")] = 1,
) -> None:
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
    answer_stream(options_of(context), jobs)


def answer_stream(options: Options, jobs: int) -> None:
    """Answer the calls on standard input, and end with the exit code.

    Raises:
        UsageError: standard input or output is closed.
    """
    import sys

    if sys.stdin is None:
        raise UsageError("Standard input is closed; tool calls are read from it.")
    if sys.stdout is None:
        raise UsageError("Standard output is closed; answers are written to it.")
    from asimi.compose.gate import open_gate
    from asimi.doors.running import run
    from asimi.doors.sending import sending
    from asimi.doors.serving.service import serve as service

    gate = open_gate(options, shared=True)
    with sending(options):
        raise typer.Exit(run(lambda stop: service(gate, stop, jobs)))
