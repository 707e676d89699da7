"""`asimi policy`: add, remove and list rules, and test them."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose.configuration import configuration_of
from asimi.compose.stores import log_of
from asimi.core.call import Place, Request, Verdict
from asimi.core.errors import AsimiError
from asimi.core.extras import load
from asimi.core.judging.leaving_box import never_reason
from asimi.core.judging.offers import without_force
from asimi.core.judging.rules import SHELL, WITHOUT_FORCE, EntryError, no_program, rule_of
from asimi.core.syntax import quote
from asimi.core.wire import dumps
from asimi.core.wording.breadth import better_entry, breadth, in_any_spelling, spelling_gap
from asimi.doors.cli.base import Command, Group, UsageError, application, configuration_for, options_of
from asimi.doors.cli.policy_test import run_table
from asimi.doors.cli.printing import fit, out
from asimi.doors.cli.require_person import UNATTENDED, confirm_at_terminal, require_person
from asimi.world.config.keys import duration
from asimi.world.config.rule_tables import is_entry, wanted_entry
from asimi.world.config.store import RuleStore
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from asimi.compose import Options
    from asimi.core.judging.rules import Rule
    from asimi.core.programs.program import Program
    from asimi.world.config import Configuration

policy = application(
    cls=Group, help="Manage what may run: add, remove and list rules, and test them.", no_args_is_help=True
)

Entries = Annotated[
    list[str],
    typer.Argument(metavar="ENTRY...", show_default=False, help='TOOL, TOOL(WORDS) or plain words: "npm test".'),
]
Deny = Annotated[bool, typer.Option("--deny", help="Never run it (an entry of excludeTools).")]
Ask = Annotated[bool, typer.Option("--ask", help="Always ask about it (an entry of ask).")]
Project = Annotated[bool, typer.Option("--project", help="Only in this project.")]


@policy.command(cls=Command)
def add(
    context: typer.Context,
    entries: Entries,
    deny: Deny = False,  # noqa: FBT002 - a flag of the command line
    ask: Ask = False,  # noqa: FBT002
    project: Project = False,  # noqa: FBT002
    effects: Annotated[
        str, typer.Option(metavar="E,...", show_default=False, help="Only as far as it does no more: read, write, ...")
    ] = "",
    exact: Annotated[bool, typer.Option("--exact", help="Only with exactly these words.")] = False,  # noqa: FBT002
    checks: Annotated[bool, typer.Option("--checks", help="Only as one of the project's checks.")] = False,  # noqa: FBT002
    without_force: Annotated[  # noqa: FBT002
        bool, typer.Option("--without-force", help="Only where it forces, deletes and renames nothing: git push.")
    ] = False,
    here: Annotated[  # noqa: FBT002
        bool,
        typer.Option("--here", help="Only to the remote and branch, in the namespace, of the script as now."),
    ] = False,
    outside: Annotated[bool, typer.Option("--outside", help="Also outside of a box around an agent.")] = False,  # noqa: FBT002
    expires: Annotated[
        str,
        typer.Option(metavar="TIME", show_default=False, help="How long it holds: 30m, 2h, 7d."),
    ] = "",
) -> None:
    """Allow commands, deny them, or always ask.

    An entry holds for every command that begins with its words; the output says how wide that is. With --deny or
    --ask, options count in any spelling: "rm -rf" is also rm -fr and rm --recursive --force. --effects, --exact and
    --checks narrow it: `policy add git --effects read,write`, `policy add run_shell_command --effects read`. --outside
    also lets it out of the box of `asimi wrap`: `policy add "git push" --outside`.

    Allowing more must be confirmed at the terminal, even with --yes. For images and CI, a file named with --config is
    written without a question. asimi keeps the entries in a file of its own beside the configuration file.
    """
    verdict = _verdict(deny=deny, ask=ask) or Verdict.ALLOW
    options = options_of(context)
    host = options.host or ""
    if host:
        load("hosts")
    if host and project:
        raise UsageError("--project and --host cannot be combined: say always to a question of that project there.")
    configuration = _changeable(options._replace(host=None))
    store = RuleStore(configuration)
    until = _until(expires, time.time()) if expires else None
    keys = {"effects": effects.split(",")} if effects else {}
    narrower = keys | ({"exact": True} if exact else {}) | ({"checks": True} if checks else {})
    wanted = narrower | ({"outside": True} if outside else {})
    rules = [store.rule_for(text, verdict, expires=until, narrower=wanted, host=host) for text in entries]
    _check_words(configuration, rules)
    if outside:
        _check_outside(rules)
    if without_force:
        rules = _forceless(rules, verdict, narrower)
    if here:
        rules = _here(configuration, rules, verdict, plain=not (wanted or without_force or host))
    rules = rules if project else [store.bind_to_root(rule) for rule in rules]
    unattended = configuration.is_unattended and not project
    asked = verdict is Verdict.ALLOW and not unattended
    if asked:
        when = "From now on" if until is None else f"{_expiry_note(rules[0].expires).strip().capitalize()},"
        where = f" in this project ({printable(configuration.root)})" if project else ""
        _agree(
            fit(f"{when} asimi would allow{where}:"),
            describe_rules(rules, configuration.programs().programs),
            project=project,
        )
    log = log_of(configuration)
    for rule in rules:
        file = store.place_of_entries(project=project)
        by = "--config" if unattended else "terminal" if verdict is Verdict.ALLOW else "command line"
        said = {"decision": rule.verdict.word, "entry": rule.entry, "file": file, "by": by}
        with log.write_changes("policy add", said):
            store.remember((rule,), project=project)
        held = f"{', in this project' if project else ''}{_scope_note(rule)}{_expiry_note(rule.expires)}"
        out(fit(f"{rule.verdict.word}  {printable(rule.entry)}{held}  ({file})"))
        described = configuration.programs().programs
        if note := "" if asked else breadth(rule, described) if verdict is Verdict.ALLOW else _spelling_note(rule):
            out(fit(f"  note: {printable(note)}", indent=8))


def _agree(head: str, lines: str, *, project: bool) -> None:
    """Go on only if a person at the terminal wants what some lines say."""
    if not confirm_at_terminal(f"{head}\n{lines}\nDo you want that?", otherwise="" if project else UNATTENDED):
        raise typer.Exit(126)


def _check_words(configuration: Configuration, rules: Sequence[Rule]) -> None:
    """Make sure that rules may match a command, and that those that allow one by its path do.

    Raises:
        UsageError: one of them never does.
    """
    for rule in rules:
        words = tuple(each[0] for each in rule.words or ())
        if said := no_program(words, rule.tool or SHELL) if words else None:
            raise UsageError(f"{printable(rule.entry)} {printable(said[0])}. Write {printable(said[1])}.")
        if rule.verdict is Verdict.ALLOW and any("/" in each for each in words) and not rule.host:
            place = Place.at(configuration.root, configuration.root)
            request = Request(SHELL, " ".join(map(quote, words)), None, place)
            if why := configuration.settings().policy.bar_reason(rule, request):
                raise UsageError(f"{printable(why)}. Put the file elsewhere, and add a rule for it there.")


def _check_outside(rules: Sequence[Rule]) -> None:
    """Make sure that rules may let something out of a box.

    Raises:
        UsageError: one of them never does.
    """
    for rule in rules:
        if rule.words and (why := never_reason([each[0] for each in rule.words])):
            raise UsageError(f"{printable(rule.entry)} would let nothing out of a box: {why}.")


def _forceless(rules: Sequence[Rule], verdict: Verdict, narrower: Mapping[str, object]) -> list[Rule]:
    """Return rules that allow, in the width without force.

    Raises:
        UsageError: one of them has no such width.
    """
    narrow = [without_force(rule) for rule in rules]
    if verdict is not Verdict.ALLOW or narrower or None in narrow:
        known = ", ".join(" ".join(words) for words in WITHOUT_FORCE)
        raise UsageError(f"--without-force is for entries that allow {known}, and goes with no other narrower option.")
    return [rule for rule in narrow if rule is not None]


def _here(configuration: Configuration, rules: Sequence[Rule], verdict: Verdict, *, plain: bool) -> list[Rule]:
    """Return rules that allow, for what their words are aimed at from this directory now.

    Raises:
        UsageError: one of them is aimed at nothing that is known.
    """
    place, policy = Place.at(os.path.realpath(os.curdir), configuration.root, os.sep), configuration.settings().policy

    def narrower_rules(rule: Rule) -> tuple[Rule, ...]:
        words = tuple(each[0] for each in rule.words or ())
        found = policy.aim_rules(Request(SHELL, " ".join(map(quote, words)), None, place)) if rule.tool == SHELL else ()
        return found if all(each.words for each in found) else ()

    narrow = [narrower_rules(rule) for rule in rules]
    if verdict is not Verdict.ALLOW or not plain or not all(narrow):
        known = "git push, kubectl and the scripts of a package, where asimi can tell what they are aimed at"
        raise UsageError(f"--here is for entries that allow {known}, and goes with no other narrower option.")
    return [each._replace(expires=rule.expires) for rule, found in zip(rules, narrow, strict=True) for each in found]


def describe_rules(rules: Sequence[Rule], described: Mapping[str, Program]) -> str:
    """Return rules that allow, each with how wide it is, for whoever is asked about them."""
    lines = ((f"  {printable(rule.entry)}", f"      {printable(breadth(rule, described))}") for rule in rules)
    return "\n".join(fit(line, indent=8) for two in lines for line in two)


@policy.command(cls=Command)
def remove(
    context: typer.Context,
    entries: Entries,
    deny: Annotated[bool, typer.Option("--deny", help="Only if it denies.")] = False,  # noqa: FBT002 - a flag
    ask: Annotated[bool, typer.Option("--ask", help="Only if it asks.")] = False,  # noqa: FBT002
    project: Project = False,  # noqa: FBT002
) -> None:
    """Remove what policy add, or an answer "always" or "never", stored.

    ENTRY is a number or a line of `asimi policy list`, an entry, or the whole command that was always allowed. An entry
    is removed in this project and everywhere; --project, or its number, takes one of them.

    asimi does not change a file that you wrote by hand; the message names the file and line. Removing a deny or an ask
    allows more, so it must be confirmed at the terminal.
    """
    verdict = _verdict(deny=deny, ask=ask)
    configuration = _changeable(options_of(context))
    store = RuleStore(configuration)
    meant = [(text, _rules_matching(configuration, text, verdict)) for text in entries]
    if verdict is not Verdict.ALLOW and _loosens(configuration, meant, verdict):
        named = [entry for text, rules in meant for entry in ([rule.entry for rule in rules] or [wanted_entry(text)])]
        lines = "\n".join(fit(f"  {printable(entry)}", indent=8) for entry in named)
        _agree("asimi would no longer deny or ask about:", lines, project=project)
    log = log_of(configuration)
    for text, rules in meant:
        said = [{"decision": rule.verdict.word, "entry": rule.entry, "file": rule.source} for rule in rules]
        if not said:
            said = [{"decision": None if verdict is None else verdict.word, "entry": text, "file": None}]
        with log.write_changes("policy remove", *said):
            removed = [each for rule in rules for each in store.remove_rule(rule)]
            removed = removed or [*store.remove(text, verdict, project=project)]
        for rule in removed:
            out(f"removed  {rule.verdict.word}  {printable(_text(configuration, rule))}")


@policy.command("list", cls=Command)
def list_(
    context: typer.Context,
    json: Annotated[bool, typer.Option("--json", help="A line of JSON for each.")] = False,  # noqa: FBT002
) -> None:
    """Show every rule in force by its number, and the file and line it comes from."""
    configuration = configuration_for(context)
    rules = _rules_in_order(configuration)
    if json:
        for number, rule in enumerate(rules, 1):
            row = {"number": number, "decision": rule.verdict.word, "entry": rule.entry, "source": rule.source}
            row |= {"expires": rule.expires}
            row |= {"directory": rule.directory, "below": rule.below} if rule.directory else {}
            row |= {"enforce": "exec"} if rule.enforced else {}
            row |= {"sandbox": rule.sandbox} if rule.sandbox != "off" else {}
            row |= {"outside": True} if rule.outside else {}
            row |= {"project": configuration.root} if configuration.is_of_project(rule) else {}
            out(dumps(row | ({"terminal": True} if rule.terminal else {})))
        return
    for number, rule in enumerate(rules, 1):
        left = _time_left(rule.expires)
        text = f"{number:3}  {rule.verdict.word:5}  {printable(_text(configuration, rule))}{left}  ({rule.source})"
        out(fit(text, indent=12))
    if (shared := configuration.team_policy()) is not None:
        out(fit(f"{shared.path} is {printable(shared.words)}", indent=0))
    if not rules:
        rest = configuration.settings().policy.rest
        does = {"ask": "asks about", "deny": "denies", "sandbox": "runs in a sandbox, or asks about,"}[rest]
        more = "`asimi policy add` allows a command, `asimi init` writes a file to start from."
        out(fit(f"No rules: asimi {does} every command. {more}", indent=0))


@policy.command("test", cls=Command)
def try_(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", show_default=False, help="JSONL, or TOML with [[case]] tables.")
    ],
    json: Annotated[bool, typer.Option("--json", help="A line of JSON for each row.")] = False,  # noqa: FBT002
    in_box: Annotated[  # noqa: FBT002
        bool, typer.Option("--in-box", help="Judge as the gate of `asimi wrap` does, around an agent.")
    ] = False,
    hook: Annotated[  # noqa: FBT002
        bool, typer.Option("--hook", help="Judge as an agent's hook does, which judges substitutions.")
    ] = False,
) -> None:
    """Judge every row of a file and compare with what it expects. This runs nothing.

    A row is {"command", "id"?, "tool"?, "args"?, "directory"?, "coreTools"?, "excludeTools"?, "expect"?}; its lists
    replace those in force. expect is allow, ask, deny, not_allow, or reject (denied because of a substitution or its
    size). A line of `asimi log --json` is a row too, and expects what was decided then. The exit code is 0 if every
    row is as expected, else 1.
    """
    raise typer.Exit(run_table(options_of(context), file, as_json=json, boxed=in_box, behind=hook))


def _verdict(*, deny: bool, ask: bool) -> Verdict | None:
    """Return the verdict that the options name, or None.

    Raises:
        UsageError: they name both.
    """
    if deny and ask:
        raise UsageError("--deny and --ask cannot be combined.")
    return Verdict.DENY if deny else Verdict.ASK if ask else None


def _changeable(options: Options) -> Configuration:
    """Return the configuration, if it may be changed from here.

    Raises:
        AsimiError: a command that asimi runs started this asimi.
    """
    require_person("change the policy")
    return configuration_of(options)


def _rules_in_order(configuration: Configuration) -> list[Rule]:
    """Return every rule in force, in the order of `policy list`: what forbids first."""
    return sorted(configuration.rules(), key=lambda rule: -rule.verdict)


def _text(configuration: Configuration, rule: Rule) -> str:
    """Return a rule as `policy list` shows it, without its verdict and its source."""
    here = ", in this project" if configuration.is_of_project(rule) else ""
    return f"{rule.entry}{here}{_scope_note(rule)}{_expiry_note(rule.expires)}"


def _rules_matching(configuration: Configuration, text: str, verdict: Verdict | None) -> list[Rule]:
    """Return the rules that a number, a listed line or a whole command means; none where it can only be an entry.

    Raises:
        UsageError: there is no such number.
    """
    listed = _rules_in_order(configuration)
    if text.isascii() and text.isdecimal():
        if not 0 < int(text) <= len(listed):
            raise UsageError(f"There is no rule number {text}; `asimi policy list` shows {len(listed)} rules.")
        return [listed[int(text) - 1]]
    given, spelt = " ".join(text.split()), _in_any_spelling(text)

    def is_meant(number: int, rule: Rule) -> bool:
        shown = printable(_text(configuration, rule))
        forms = [shown, f"{rule.verdict.word} {shown}", f"{number} {rule.verdict.word} {shown}"]
        forms += [f"{form} ({rule.source})" for form in forms]
        alike = given in [" ".join(form.split()) for form in forms] and not (is_entry(rule) and text == rule.entry)
        return verdict in (None, rule.verdict) and (alike or text == rule.line or rule.entry == spelt)

    return [rule for number, rule in enumerate(listed, 1) if is_meant(number, rule)]


def _in_any_spelling(text: str) -> str:
    """Return the entry that `policy add --deny` makes of an entry with options; empty where it makes no other one."""
    try:
        rule = in_any_spelling(rule_of(wanted_entry(text), Verdict.DENY))
    except EntryError:  # a listed line, the words of an approval
        return ""
    return "" if rule is None else rule.entry


def _loosens(configuration: Configuration, meant: list[tuple[str, list[Rule]]], verdict: Verdict | None) -> bool:
    """Return whether one of the rules to remove denies or asks, and it takes a person to remove it."""
    wanted = {text for each, rules in meant if not rules for text in (each, wanted_entry(each))}
    found = [rule for rule in configuration.rules() if rule.entry in wanted and verdict in (None, rule.verdict)]
    found += [rule for _, rules in meant for rule in rules]
    free = (
        configuration.file,
        *([configuration.approved, configuration.imported] if configuration.is_unattended else []),
    )
    kept = [rule for rule in found if not (rule.source or "").startswith(tuple(f"{path}:" for path in free))]
    return any(rule.verdict is not Verdict.ALLOW for rule in kept)  # asimi removes nothing that a person wrote


def _spelling_note(rule: Rule) -> str:
    """Return what a rule that denies or asks does about the spelling of its options; empty if it has none."""
    if rule.options_any:
        return "in any spelling and order of the options"
    return f"{text}; what sees them is {better_entry(rule)}" if (text := spelling_gap(rule)) else ""


def _until(text: str, now: float) -> float:
    """Return the time at which a duration from now ends.

    Raises:
        UsageError: it is not a duration.
    """
    try:
        return now + duration(text)
    except AsimiError as error:
        raise UsageError(f"--expires: {error}") from None


def _scope_note(rule: Rule) -> str:
    """Return where a rule holds, if not everywhere, for what else, and if only a person at a terminal may answer it."""
    where = f", in {printable(rule.directory)}{' and below' if rule.below else ''}" if rule.directory else ""
    where += ", also for what a command starts" if rule.enforced else ""
    where += f", only in a sandbox ({rule.sandbox})" if rule.sandbox != "off" else ""
    return where + (", only at a terminal" if rule.terminal else "")


def _expiry_note(expires: float | None) -> str:
    """Return when a rule ends, in words."""
    if expires is None:
        return ""

    return time.strftime("  until %Y-%m-%d %H:%M", time.localtime(expires))


def _time_left(expires: float | None) -> str:
    """Return what is left of the time of a rule that ends today."""
    minutes = -1 if expires is None else int(expires - time.time()) // 60
    return f", {minutes // 60} h {minutes % 60} min left" if 0 <= minutes < 24 * 60 else ""
