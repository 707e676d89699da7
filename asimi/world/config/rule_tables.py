"""A rule as a `[[rules]]` table, in both directions."""

from __future__ import annotations

import os
import posixpath
from itertools import product
from typing import TYPE_CHECKING

from asimi.core.budget import COMMAND, WORD, Budget, OverBudgetError
from asimi.core.call import SANDBOX_MODES, Place, Request, Verdict
from asimi.core.judging.matching import complete_row, named_options
from asimi.core.judging.policy import Policy, Terms
from asimi.core.judging.rules import (
    EXEC,
    REACH,
    SHELL,
    TOOLS,
    EntryError,
    Rule,
    entry_for,
    entry_of,
    literal_words,
    read_entry,
)
from asimi.core.judging.widths import LASTING
from asimi.core.programs.effects import EFFECTS, WORDS, no_effect
from asimi.core.syntax.nodes import Word
from asimi.world.config.keys import HOST_NAME, RULE_KEYS, Unusable, is_host_name, strings
from asimi.world.config.toml import OWN

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from asimi.core.kinds import SandboxMode

    Table = dict[str, Any]

_VERDICTS = {verdict.word: verdict for verdict in Verdict}
_DECIDED = {Verdict.ALLOW: "allowed_by_rule", Verdict.ASK: "ask_by_rule", Verdict.DENY: "denied_by_rule"}
EXAMPLE = 150
"""What an example costs besides what it takes to read: the policy of its rule alone."""

_SAYS_WHAT = ("command", "line", "tool", "effects", "checks", "args_any", "options_any", "directory")


def rule_from(table: Mapping[str, Any], source: str, base: str | None, budget: Budget) -> Rule:
    """Return the rule that a table of `[[rules]]` describes.

    Args:
        table: its keys, as TOML gives them.
        source: where it is, `FILE:LINE`.
        base: what a relative `directory` is relative to; None if it must be absolute.
        budget: pays for what its options and examples take to check.

    Raises:
        OverBudgetError: that is too much.
        Unusable: it cannot be used, or does not decide what its `match` says.
    """
    verdict = _verdict(table)
    tool, line = _text(table, "tool"), _text(table, "line")
    words = None if line is not None else _command(table["command"]) if "command" in table else ()
    rule = Rule(
        verdict,
        tool,
        words,
        "",
        source,
        line=line,
        exact=_flag(table, "exact", default=False),
        args_any=_texts(table, "args_any", "patterns"),
        args_none=_texts(table, "args_none", "patterns"),
        at=_texts(table, "at", "places"),
        effects=_effects(table),
        excepted=_texts(table, "except", "programs"),
        hosts=_hosts(table),
        checks=_flag(table, "checks", default=False),
        undo=_flag(table, "undo", default=False),
        options_any=_options(table),
        sandbox=_sandbox(table),
        directory=_directory(_text(table, "directory"), base, host=_host(table)),
        below=_flag(table, "below", default=True),
        terminal=_flag(table, "terminal", default=False),
        enforced="enforce" in table,
        outside=_flag(table, "outside", default=False),
        host=_host(table),
        reason=_text(table, "reason") or "",
        expires=_moment(table.get("expires")),
    )
    _check(rule, table)
    _check_options(rule, budget)
    rule = rule._replace(entry=entry_for(rule))
    _try_out(rule, table, base, budget)
    return rule


def table_of(rule: Rule) -> Table:
    """Return a rule as a TOML table; `rule_from` gives the same rule again."""
    table: Table = {"decision": rule.verdict.word}
    if rule.line is not None:
        table["line"] = rule.line
    elif rule.words:
        table["command"] = [each[0] if len(each) == 1 else list(each) for each in rule.words]
    said = {
        "tool": rule.tool,
        "exact": rule.exact,
        "effects": list(rule.effects),
        "except": list(rule.excepted),
        "hosts": list(rule.hosts),
        "checks": rule.checks,
        "undo": rule.undo,
        "args_any": list(rule.args_any),
        "args_none": list(rule.args_none),
        "at": list(rule.at),
        "options_any": list(rule.options_any),
        "sandbox": rule.sandbox if rule.sandbox != "off" else "",
        **({} if rule.directory is None else {"directory": rule.directory, "below": rule.below}),
        "terminal": rule.terminal,
        "enforce": "exec" if rule.enforced else "",
        "outside": rule.outside,
        "host": rule.host,  # of this machine is what asimi writes without
        "reason": rule.reason,
    }
    table |= {key: value for key, value in said.items() if value or key == "below"}
    if rule.expires is not None:
        from datetime import UTC, datetime

        table["expires"] = datetime.fromtimestamp(int(rule.expires), UTC)
    return table


def narrow_rule(rule: Rule, keys: Mapping[str, Any]) -> Rule:
    """Return the rule of an entry with more keys of a table: `effects`, `exact`, `checks`.

    Raises:
        EntryError: they mean nothing with it.
    """
    try:
        return rule_from(table_of(rule) | dict(keys), "", None, Budget(OWN.work))
    except (Unusable, OverBudgetError) as error:
        raise EntryError(f"{rule.entry}: {error}") from None


def is_entry(rule: Rule) -> bool:
    """Return whether an entry of a list says all that the rule says."""
    if rule.line is not None or rule.words is None or rule.tool is None:
        return False
    plain = Rule(rule.verdict, rule.tool, rule.words, rule.entry, rule.source, kind=rule.kind)
    return plain == rule._replace(host=rule.host or None) and all(len(each) == 1 for each in rule.words)


def wanted_entry(text: str) -> str:
    """Return the entry that a person means: an entry as it is, plain words as words of `run_shell_command`.

    Raises:
        EntryError: it is neither.
    """
    tool, bracket, _ = text.partition("(")
    if tool.strip() in (*TOOLS, REACH) or (bracket and tool.strip().isidentifier()):
        read_entry(text)
        return text.strip()
    return entry_of(SHELL, literal_words(text, text))


def _command(value: object) -> tuple[tuple[str, ...], ...]:
    if isinstance(value, str):
        try:
            return tuple((word,) for word in literal_words(value, value))
        except EntryError as error:
            raise Unusable(str(error), "command") from None
    if not isinstance(value, list) or not value:
        raise Unusable("command must be a string, or an array of words", "command")
    words = []
    for index, item in enumerate(value):
        alternatives = (item,) if isinstance(item, str) else tuple(item) if isinstance(item, list) else ()
        if not alternatives or not all(isinstance(word, str) for word in alternatives):
            raise Unusable("a word of command must be a string, or an array of alternatives", "command", index)
        if (index == 0 and "" in alternatives) or any("\0" in word for word in alternatives):
            raise Unusable("command must begin with a program, and no word can contain NUL", "command", index)
        words.append(alternatives)
    return tuple(words)


def _texts(table: Mapping[str, Any], key: str, what: str) -> tuple[str, ...]:
    """Return the strings that a key of a rule holds."""
    try:
        texts = strings(table.get(key, []), what)
    except Unusable as error:
        raise Unusable(f"{key} {error}", key, *error.path) from None
    for index, text in enumerate(texts):
        if not text or "\0" in text:
            raise Unusable(f"{key} {text!r} is none of these {what}", key, index)
    return texts


def _verdict(table: Mapping[str, Any]) -> Verdict:
    """Return the decision of a table whose keys are known, and say what it is about."""
    for key in table:
        if key not in RULE_KEYS:
            raise Unusable(f"a rule has no key {key!r}; its keys are {', '.join(RULE_KEYS)}", key)
    verdict = _VERDICTS.get(table.get("decision", ""))
    if verdict is None:
        at = ("decision",) if "decision" in table else ()
        raise Unusable('a rule needs decision = "allow", "ask" or "deny"', *at)
    if not any(key in table for key in _SAYS_WHAT):
        raise Unusable(f"a rule must say what it is about, with one of {', '.join(_SAYS_WHAT)}")
    return verdict


def _effects(table: Mapping[str, Any]) -> tuple[str, ...]:
    effects = _texts(table, "effects", "effects")
    if "effects" in table and not effects:
        raise Unusable(f"effects must name at least one of {', '.join(EFFECTS)}", "effects")
    for index, effect in enumerate(effects):
        if effect not in WORDS:
            raise Unusable(f"{effect!r} {no_effect(effect)}", "effects", index)
    return effects


def _hosts(table: Mapping[str, Any]) -> tuple[str, ...]:
    hosts = _texts(table, "hosts", "hosts")
    if "hosts" in table:
        from asimi.core.reading.addresses import parse_host_pattern

        if not hosts:
            raise Unusable("hosts must name at least one host", "hosts")
        for index, host in enumerate(hosts):
            if parse_host_pattern(host) is None:
                example = "write localhost, example.org, *.example.org or example.org:8443, in small letters"
                raise Unusable(f"hosts {host!r} is no host: {example}", "hosts", index)
    return hosts


def _options(table: Mapping[str, Any]) -> tuple[str, ...]:
    options = _texts(table, "options_any", "options")
    for index, option in enumerate(options):
        if len(option) < 2 or option[0] != "-" or option == "--":
            raise Unusable(f"options_any {option!r} is not an option, such as -f or --force", "options_any", index)
    return options


def _sandbox(table: Mapping[str, Any]) -> SandboxMode:
    mode: SandboxMode = table.get("sandbox", "off")
    if "sandbox" in table and mode not in SANDBOX_MODES[1:]:
        raise Unusable('sandbox must be "project" or "read-only"', "sandbox")
    return mode


def _check(rule: Rule, table: Mapping[str, Any]) -> None:
    """Let a rule have no key that means nothing with its decision, or beside its other keys."""
    if rule.tool == REACH:
        from asimi.core.judging.network_verdict import name_in

        more = table.keys() - {"decision", "tool", "command", "line", "reason", "expires"}
        if name_in(rule) is None or more:
            raise Unusable(f"a rule for {REACH} is about one name alone, such as example.org:443", "tool")
    elif rule.tool not in {None, *TOOLS}:
        raise Unusable(f"tool must be {' or '.join(TOOLS)}, not {rule.tool!r}", "tool")
    if rule.line is not None and "command" in table:
        raise Unusable("a rule has a command or a line, not both", "line")
    if rule.terminal and rule.verdict is not Verdict.ASK:
        raise Unusable('terminal says who may answer, and only decision = "ask" asks', "terminal")
    if rule.exact and not rule.words:
        raise Unusable("exact says that command has all the words, so it needs command", "exact")
    if rule.args_any and rule.verdict is Verdict.ALLOW:
        raise Unusable("args_any is for ask and deny; an allow must know all arguments", "args_any")
    if rule.args_none and not (rule.effects and rule.words and rule.verdict is Verdict.ALLOW):
        raise Unusable("args_none narrows an allow with a command and effects", "args_none")
    if rule.at and not (rule.effects and rule.words and rule.verdict is Verdict.ALLOW):
        raise Unusable("at narrows an allow with a command and effects", "at")
    for index, each in enumerate(rule.at):
        if each.partition(" ")[0] not in LASTING or not each.partition(" ")[2]:
            raise Unusable(f"at {each!r} is none of {', '.join(LASTING)} with a name behind it", "at", index)
    if rule.undo and not (rule.effects and rule.verdict is Verdict.ALLOW):
        raise Unusable("undo is for an allow with effects: it covers a delete of what asimi keeps, too", "undo")
    if rule.excepted and not (rule.effects and rule.verdict is Verdict.ALLOW):
        raise Unusable('except narrows an allow with effects; decision = "deny" forbids a program', "except")
    if rule.hosts and not (rule.verdict is Verdict.ALLOW and "network" in rule.effects):
        raise Unusable('hosts narrows an allow with effects that name "network"', "hosts")
    if rule.effects and rule.line is not None:
        raise Unusable("a rule has effects or a line, not both: the line says already what it does", "effects")
    if rule.sandbox != "off" and rule.verdict is not Verdict.ALLOW:
        raise Unusable('sandbox is for decision = "allow": the command is allowed, but only in there', "sandbox")
    if rule.outside:
        _check_outside(rule)
    if rule.checks:
        _check_checks(rule, table)
    if rule.enforced:
        _check_enforced(rule, table["enforce"])


def _check_outside(rule: Rule) -> None:
    """Let a rule let out of a box only what it names or says what it may do."""
    if rule.verdict is not Verdict.ALLOW:
        raise Unusable('outside is for decision = "allow": what is denied or asked about runs nowhere', "outside")
    if rule.checks:
        raise Unusable("outside lets no checks out of a box: they run code that the box can have written", "outside")
    if rule.bare:
        raise Unusable("outside needs command, line or effects: what may leave a box", "outside")
    if rule.host:
        raise Unusable("outside is about boxes on this machine, and host names another one", "outside")


def _check_checks(rule: Rule, table: Mapping[str, Any]) -> None:
    """Let a rule for the project's checks say nothing that is not about these, or that only a project can tell."""
    if rule.verdict is not Verdict.ALLOW:
        raise Unusable('checks is for decision = "allow"; deny and ask name the command', "checks")
    for key in ("line", "effects", "options_any", "match", "not_match"):
        if key in table:
            raise Unusable(f"checks says which commands are meant; leave out {key}", key)


def _check_enforced(rule: Rule, value: object) -> None:
    """Let a rule hold for executions only where these show all that it is about: a program and its arguments."""
    if value != "exec":
        raise Unusable('enforce must be "exec"; without it, the rule is as [shell] enforce says', "enforce")
    from asimi.core.extras import missing_for

    if why := missing_for("rules.enforce", value):
        raise Unusable(f"enforce cannot be obeyed: {why}", "enforce")
    if rule.verdict is not Verdict.ALLOW and not rule.words:
        raise Unusable("enforce holds for programs, so it needs command: the first words of what is denied", "enforce")
    if rule.effects:
        raise Unusable("enforce cannot go by effects: name the programs by command, without effects", "enforce")
    if not rule.enforceable:
        raise Unusable('enforce is for decision = "deny": an execution can only be refused', "enforce")


def _check_options(rule: Rule, budget: Budget) -> None:
    """Let an allow rule rest on options only where it is certain which words are options."""
    if rule.verdict is not Verdict.ALLOW or not rule.options_any or rule.words is None:
        return
    instead = "write the option as a word of `command`, or the whole call as `line`"
    for words in product(*(rule.words or (("",),))):
        budget.spend(COMMAND + WORD * (len(words) + len(rule.options_any)))
        found = complete_row([Word(0, 0, word, word, single=True) for word in words])
        called = " ".join(words) or "every command"
        if found is None:
            message = f"options_any cannot allow {called!r}: asimi does not know all its options; {instead}"
            raise Unusable(message, "options_any")
        for index, option in enumerate(rule.options_any):
            if not named_options(option, found[0]):
                message = f"options_any {option!r} is not an option of {called!r} that asimi knows; {instead}"
                raise Unusable(message, "options_any", index)


def _host(table: Mapping[str, Any]) -> str | None:
    host = _text(table, "host")
    if host is not None and not is_host_name(host):
        raise Unusable(f"host must be {HOST_NAME}, not {host!r}", "host")
    return host


def _directory(value: str | None, base: str | None, *, host: str | None) -> str | None:
    if value is None:
        return None
    if host:
        if not value.startswith("/"):
            message = f"directory must be absolute on a host, whose real path it is, not {value!r}"
            raise Unusable(message, "directory")
        return posixpath.normpath(value)
    path = os.path.expanduser(value)
    if not os.path.isabs(path):
        if base is None:
            raise Unusable(f"directory must be absolute or begin with ~/, not {value!r}", "directory")
        path = os.path.join(base, path)
    return os.path.realpath(path)


def _moment(value: object) -> float | None:
    """Seconds since the epoch, from a TOML date or an RFC 3339 string; without a zone, local time."""
    if value is None:
        return None
    from datetime import date, datetime

    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            value = None
    elif isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day).astimezone()
    if not isinstance(value, datetime):
        raise Unusable("expires must be a date and time, such as 2030-01-31T18:00:00Z", "expires")
    try:
        return value.timestamp()
    except (OverflowError, ValueError, OSError):
        raise Unusable("expires is too far away", "expires") from None


def _text(table: Mapping[str, Any], key: str) -> str | None:
    value = table.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise Unusable(f"{key} must be a string", key)
    return value


def _flag(table: Mapping[str, Any], key: str, *, default: bool) -> bool:
    value = table.get(key, default)
    if not isinstance(value, bool):
        raise Unusable(f"{key} must be true or false", key)
    return value


def _try_out(rule: Rule, table: Mapping[str, Any], base: str | None, budget: Budget) -> None:
    """Judge the lines of `match` and `not_match` by this rule alone."""
    for key in ("match", "not_match"):
        try:
            lines = strings(table.get(key, []), "lines")
        except Unusable as error:
            raise Unusable(f"{key} {error}", key, *error.path) from None
        for index, line in enumerate(lines):
            if _decides(rule, line, base, budget) != (key == "match"):
                word = "does not decide" if key == "match" else "decides"
                raise Unusable(f"{key} is wrong: the rule {rule.entry} {word} {line!r}", key, index)


def _decides(rule: Rule, line: str, base: str | None, budget: Budget) -> bool:
    budget.spend(EXAMPLE)
    directory = rule.directory or base or "/"
    place = Place(directory, directory, inside=True, host=rule.host or "")
    if rule.tool == EXEC:
        program, *arguments = literal_words(line, line)
        request = Request(EXEC, program, tuple(arguments), place)
    else:
        request = Request(SHELL, line, None, place)
    from asimi.core.judging.services import at_own_services

    terms = Terms(unlisted=Verdict.ASK, protected=at_own_services)
    decision = Policy((rule._replace(expires=None),), terms).decide(request, budget=budget)
    budget.spend(0)  # a decision that went over it says nothing of the rule
    return any(reason.code == _DECIDED[rule.verdict] for reason in decision.reasons)
