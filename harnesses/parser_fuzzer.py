"""Shell text under coverage guidance: it is read or refused, and its verdict has a reason, whatever the bytes are."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from asimi.core.syntax.nodes import Script


def check(data: bytes) -> None:
    """Fail if asimi reads a text otherwise than it promises.

    Args:
        data: the text, in any bytes.
    """
    from asimi.core.errors import ShellSyntaxError
    from asimi.core.syntax import parse

    text = data.decode("utf-8", "surrogateescape")
    verdict, reasons = _decided()(text)
    assert reasons, "a verdict has a reason"
    try:
        script = parse(text)
    except ShellSyntaxError as error:
        assert verdict == "deny", f"what is refused is denied, not {verdict}"
        assert 0 <= error.span[0] <= error.span[1] <= len(text) + 1
        return
    for node in (*script.commands, *script.redirections, *script.substitutions, *script.expansions):
        assert 0 <= node.start <= node.end <= len(text)
    for inner in _scripts(script):
        for command in inner.commands:
            assert command.words or command.assignments or command.redirections
            assert all(word.literal is None or word.head == word.literal for word in command.words)


def _scripts(script: Script) -> Iterator[Script]:
    """A script and those in its substitutions."""
    yield script
    for substitution in script.substitutions:
        yield from _scripts(substitution.script)


@cache
def _decided() -> Callable[[str], tuple[str, tuple[object, ...]]]:
    """What decides a text, by lists with something of everything."""
    from asimi.core.call import Place, Request, Verdict
    from asimi.core.judging.policy import Policy
    from asimi.core.judging.rules import rule_of

    entries = {"git": Verdict.ALLOW, "echo": Verdict.ALLOW, "git push": Verdict.DENY, "rm": Verdict.ASK}
    policy = Policy([rule_of(f"run_shell_command({entry})", verdict) for entry, verdict in entries.items()])
    place = Place("/project", "/project", inside=True)

    def decided(text: str) -> tuple[str, tuple[object, ...]]:
        decision = policy.decide(Request("run_shell_command", text, None, place))
        return decision.verdict.word, tuple(decision.reasons)

    return decided


if __name__ == "__main__":
    import atheris

    with atheris.instrument_imports(include=["asimi"]):
        _decided()
    check(b"git status")  # loads what is imported late
    atheris.Setup([*sys.argv, f"-dict={os.path.splitext(os.path.abspath(__file__))[0]}.dict"], check)
    atheris.Fuzz()
