"""Codex: `prefix_rule(...)` in its `*.rules` files.

https://developers.openai.com/codex/rules: a command that begins with the words of `pattern` gets `decision`, the
strictest where several match. The files are Starlark; only calls with literals are read here, and nothing is executed.
"""

from __future__ import annotations

import ast
import json
import os
import shlex
import warnings
from itertools import islice, product
from typing import TYPE_CHECKING

from asimi.core.call import Verdict
from asimi.core.errors import AsimiError
from asimi.core.judging.rules import entry_for
from asimi.core.syntax import quote
from asimi.core.wording.breadth import in_any_spelling
from asimi.extras.permissions.entries import Agent, Example, Permission, Written, check_number, files_in, sources_at
from asimi.extras.permissions.wildcards import rule_about

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from asimi.core.judging.rules import Rule
    from asimi.extras.permissions.entries import InForce, Plain, Source, Where

_DECISIONS = {"allow": Verdict.ALLOW, "prompt": Verdict.ASK, "forbidden": Verdict.DENY}
_WORDS = {verdict: word for word, verdict in _DECISIONS.items()}
_PARAMETERS = ("pattern", "decision", "match", "not_match", "justification")
_OTHERS = {
    "host_executable": "asimi allows a program only by the name that it is called with, and denies it by every path",
    "network_rule": "asimi judges commands, not what they connect to",
}
_UNREAD = "asimi reads only calls with literals, and executes nothing"
_HIDDEN = "{} could forbid it, and asimi cannot read that line: it executes nothing"
_MOST_SPELT = 64


def _find(where: Where) -> list[Source]:
    home = where.environ.get("CODEX_HOME") or os.path.join(where.home, ".codex")
    own = [os.path.join(where.system, "etc", "codex", "rules"), os.path.join(home, "rules")]
    project = os.path.join(where.root, ".codex", "rules")
    return sources_at([path for each in own for path in files_in(each, ".rules")], files_in(project, ".rules"))


def _read(sources: Sequence[Source], where: Where) -> list[Permission]:
    del where
    found: list[Permission] = []
    for source in sources:
        statements = _statements(source)
        check_number(source, len(statements))
        lines = source.text.split("\n")
        for each in statements:
            text = " ".join(" ".join(lines[each.lineno - 1 : each.end_lineno]).split())
            found.append(_statement(Permission(text, source, each.lineno, None, "skipped", _UNREAD), each))
    unread = next((each for each in found if each.why == _UNREAD), None)
    if unread is None:
        return found
    why = _HIDDEN.format(unread.place)
    return [each.skipped(why) if each.says is Verdict.ALLOW else each for each in found]


def _statements(source: Source) -> list[ast.stmt]:
    """The statements of a file.

    Raises:
        AsimiError: it is not what Codex could read.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python warns of is none of its person's business here
            return ast.parse(source.text.replace("\r\n", "\n")).body
    except SyntaxError as error:
        raise AsimiError(f"{source.path}:{error.lineno or 1}: {error.msg}; mend it and import again") from None
    except (ValueError, RecursionError, MemoryError):
        raise AsimiError(f"{source.path}: cannot be read: it holds NUL, or is nested too deeply") from None


def _statement(entry: Permission, statement: ast.stmt) -> Permission:
    """One statement, and what it becomes."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return entry.skipped("a text by itself says nothing")
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return entry
    if call.func.id in _OTHERS:
        return entry.skipped(_OTHERS[call.func.id])
    try:
        given = dict(zip(_PARAMETERS, map(ast.literal_eval, call.args), strict=False))
        given |= {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
    except (ValueError, TypeError, RecursionError, MemoryError):
        return entry
    twice = len(given) < len(call.args) + len(call.keywords)
    known = call.func.id == "prefix_rule" and not twice and set(given) <= set(_PARAMETERS)
    words = _words(given.get("pattern"))
    verdict = _DECISIONS.get(str(given.get("decision", "allow")))
    if not known or words is None or verdict is None:
        return entry
    return _prefix(entry._replace(says=verdict), verdict, words, given)


def _words(pattern: object) -> tuple[tuple[str, ...], ...] | None:
    """The words of a pattern, each with its alternatives; None where Codex would not take it."""
    if not isinstance(pattern, list):
        return None
    words = [tuple(each) if isinstance(each, list) else (each,) for each in pattern]
    usable = words and all(each and all(isinstance(word, str) and _is_text(word) for word in each) for each in words)
    return tuple(words) if usable and all(words[0]) else None


def _is_text(word: str) -> bool:
    """Whether an argument of a program can be this: it has no NUL and no half of a character."""
    return "\0" not in word and not any("\ud800" <= character <= "\udfff" for character in word)


def _prefix(
    entry: Permission, verdict: Verdict, words: tuple[tuple[str, ...], ...], given: dict[str, object]
) -> Permission:
    """What a rule for the beginning of commands becomes."""
    justification = given.get("justification")
    reason = f"{justification} ({entry.place})" if isinstance(justification, str) else f"Codex's rules, {entry.place}"
    rule = rule_about(verdict, words, reason)
    examples = (
        *_edges(words, verdict),
        *_examples(given.get("match"), verdict),
        *_examples(given.get("not_match"), None),
    )
    entry = entry._replace(outcome="exact", why="", rules=(rule,), examples=examples)
    spelt = [] if verdict is Verdict.ALLOW else _spelt(rule)
    if not spelt:
        return entry
    options = ", ".join(dict.fromkeys(option for each in spelt for option in each.options_any))
    return entry._replace(outcome="stricter", rules=(rule, *spelt), why=f"{options} counts in any spelling and place")


def _spelt(rule: Rule) -> list[Rule]:
    """The rules for the same options in any spelling; none where that says no more."""
    found = []
    for words in islice(product(*(rule.words or ())), _MOST_SPELT):
        better = in_any_spelling(rule._replace(words=tuple((word,) for word in words)))
        found += [] if better is None else [better._replace(entry=entry_for(better))]
    return list(dict.fromkeys(found))


def _edges(words: tuple[tuple[str, ...], ...], verdict: Verdict) -> Iterator[Example]:
    """Commands at the edges of a pattern."""
    for chosen in dict.fromkeys((tuple(each[0] for each in words), tuple(each[-1] for each in words))):
        yield _example(chosen, verdict)
        yield _example((*chosen, "x"), verdict)
        yield _example((*chosen[:-1], f"{chosen[-1]}x"), None)


def _examples(given: object, verdict: Verdict | None) -> Iterator[Example]:
    """The commands of `match` or `not_match`, which a rule brings along itself."""
    for each in given if isinstance(given, list) else ():
        try:
            words = shlex.split(each) if isinstance(each, str) else each
        except ValueError:
            continue
        if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
            yield _example(words, verdict)


def _example(words: Sequence[str], verdict: Verdict | None) -> Example:
    return Example(" ".join(map(quote, words)), verdict)


def _knows(path: str, text: str) -> bool:
    return path.endswith(".rules") and any(each in text for each in ("prefix_rule", *_OTHERS))


def _write(in_force: InForce) -> Written:
    lines, notes = [], []
    for rule in in_force.rules:
        told, note = _told(rule)
        lines += told
        if note:
            shown = " ".join("|".join(each) for each in rule.words) or "every command"
            notes.append(f"{note}: {_WORDS[rule.verdict]} {shown}")
    if in_force.deny or in_force.secret:
        notes.append("left out: Codex has no rules about files")
    if in_force.rejects:
        notes.append("left out: Codex's approval_policy says what becomes of what no rule is about")
    notes.append("weaker there: Codex sees neither `sh -c` nor options before a subcommand")
    notes.append("its own doing there: what is allowed runs outside of its sandbox")
    return Written("".join(f"{line}\n" for line in lines), tuple(dict.fromkeys(notes)))


def _told(rule: Plain) -> tuple[list[str], str]:
    """The lines for a rule, and what is to be said of it."""
    if not rule.words:
        return [], "left out: Codex has no rule for every command"
    if rule.verdict is Verdict.ALLOW:
        return ([], "left out: Codex allows by first words, never exactly these") if rule.exact else ([_line(rule)], "")
    if rule.options:
        each = [_line(rule._replace(words=(*rule.words, (option,)))) for option in rule.options]
        return each, f"weaker there: {'|'.join(rule.options)} counts only as the next word"
    if rule.arguments:
        return [_line(rule._replace(verdict=Verdict.ASK))], "wider there, and only asked about, whatever the arguments"
    return [_line(rule)], "wider there: whatever follows" if rule.exact else ""


def _line(rule: Plain) -> str:
    """One call of `prefix_rule`."""
    pattern = [each[0] if len(each) == 1 else list(each) for each in rule.words]
    parts = [f"pattern = {json.dumps(pattern, ensure_ascii=False)}", f'decision = "{_WORDS[rule.verdict]}"']
    parts += [f"justification = {json.dumps(rule.reason, ensure_ascii=False)}"] if rule.reason else []
    return f"prefix_rule({', '.join(parts)})"


AGENT = Agent("codex", "Codex", _find, _read, _knows, _write)
