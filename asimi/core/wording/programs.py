"""Rows of the catalogue in words: what a program does, and which of its arguments decide that.

`asimi explain` prints these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.programs.effects import WORDS, broad, in_order, possibly
from asimi.core.programs.program import OF_ROLES, notation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from asimi.core.programs.program import Option, Program

ROLES = notation("roles")
TOLD = notation("told")
"""What is said of a program's traits."""


def facts(words: Iterable[str], row: Program) -> dict[str, Any]:
    """What the catalogue says of a program or a subcommand, as JSON has it.

    Args:
        words: the words that lead to the row, such as `git` and `push`.
        row: the row.
    """
    return {
        "program": " ".join(words),
        "names": [name for name in (row.name, *row.aliases) if name],
        **_effects(row.kinds),
        "possible": in_order(row.may),
        "operands": [
            {"role": _role(each.role), "many": each.many, "unless": list(each.unless)} for each in row.syntax.operands
        ],
        "options": [_option(each) for each in _options(row)],
        "subcommands": [
            {"names": [each.name, *each.aliases], **_effects(each.kinds), "possible": in_order(each.may)}
            for each in _subcommands(row)
        ],
        "starts": row.starts is not None or any(option.reader == "COMMAND" for option in _options(row)),
        "traits": sorted(row.traits),
    }


def explain_program(found: dict[str, Any]) -> str:
    """The same in words, a block for each kind of argument."""
    others = [name for name in found["names"] if name != found["program"].rpartition(" ")[2]]
    head = found["program"] + (f" (also {', '.join(others)})" if others else "")
    if found["kinds"] is not None:
        does = [f"  {kind}: {WORDS[kind]}" for kind in found["kinds"]] or ["  none: it has no effect"]
    elif found["subcommands"] or any(option["instead"] for option in found["options"]):
        does = ["  What it does is decided by its arguments."]
    else:
        does = ["  What it does is not known, so no rule by effects allows it."]
    does += [f"  {kind}: it {possibly(WORDS[kind])}" for kind in found["possible"]]
    does += [f"  {said}" for trait, said in TOLD.items() if trait in found["traits"]]
    if found["starts"]:
        does.append("  It starts a command, which is judged by itself.")
    blocks = [[head, *does]]
    blocks.append(["Operands:", *_two_columns(_operands(found["operands"]))])
    blocks.append(["Subcommands:", *_two_columns(_of_subcommands(found["subcommands"]))])
    deciding = [each for each in found["options"] if _decides(each, found["kinds"])]
    blocks.append(["Options that decide:", *_two_columns((_option_form(each), _adds(each)) for each in deciding)])
    rest = [", ".join(each["names"]) for each in found["options"] if each not in deciding]
    blocks.append(["Options that change nothing of this:", *_fill_lines(rest)])
    return "\n\n".join("\n".join(block) for block in blocks if len(block) > 1)


def _decides(option: dict[str, Any], kinds: list[str] | None) -> bool:
    """Whether an option has an effect that its program does not have anyway, or takes one away."""
    return bool(option["instead"] or option["operands"] or not {*option["kinds"]} <= {*(kinds or ())})


def summaries(words: tuple[str, ...], row: Program) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each row of a program that says what it does: the words that lead to it, and its effects with what decides."""
    kinds = None if row.kinds is None else in_order(row.kinds)
    said = [] if kinds is None else [" ".join(kinds) or "none"]
    said += [f"{', '.join(names)} {adds}" for adds, names in _deciding_options(row, kinds).items()]
    if said:
        yield words, "; ".join(said)
    for each in _subcommands(row):
        yield from summaries((*words, each.name), each)
    if row.others is not None and row.others is not row:
        yield from summaries((*words, "…"), row.others)


def _deciding_options(row: Program, kinds: list[str] | None) -> dict[str, list[str]]:
    """The options that change the effects of a row, by what they add or take away."""
    options: dict[str, list[str]] = {}
    for option in map(_option, _options(row)):
        if _decides(option, kinds):
            options.setdefault(_briefly(option), []).append(option["names"][0])
    return options


def _briefly(option: dict[str, Any]) -> str:
    """What an option adds or takes away, in a few words."""
    return f"{'only' if option['instead'] else 'also'} {' '.join(option['kinds']) or 'none'}"


def _effects(kinds: frozenset[str] | None) -> dict[str, list[str] | None]:
    """Effects, and the kinds of them as far as they are known, as JSON has them."""
    if kinds is None:
        return {"effects": None, "kinds": None}
    return {"effects": in_order(broad(kinds)), "kinds": in_order(kinds)}


def _subcommands(row: Program) -> list[Program]:
    """Its subcommands, each once."""
    return list({id(each): each for each in row.subcommands.values()}.values())


def _options(row: Program) -> Iterator[Option]:
    """Its options, each once."""
    syntax = row.syntax
    known = {id(each): each for each in (*syntax.options.values(), *(option for _, option in syntax.beginnings))}
    yield from known.values()


def _option(option: Option) -> dict[str, Any]:
    """An option, as JSON has it; a value that names a file adds its effect."""
    role = OF_ROLES.get(option.reader)
    return {
        "names": list(option.names),
        "value": option.value,
        "role": _role(option.reader) if option.reader else None,
        **_effects(option.kinds | {role} if role else option.kinds),
        "instead": option.instead,
        "operands": option.turns or None,
    }


def _role(role: str) -> str:
    """A role, or what stands for a reader of its own: `text`."""
    return role if role in ROLES else "text"


def _operands(operands: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The roles of operands, by their places."""
    many = next((index for index, each in enumerate(operands) if each["many"]), len(operands))
    for index, each in enumerate(operands):
        place = "any number" if each["many"] else f"{index + 1}." if index < many else f"{len(operands) - index}. last"
        what = ROLES.get(each["role"], "a text that asimi reads, or a value that it looks at")
        yield place, what + (f"; not with {', '.join(each['unless'])}" if each["unless"] else "")


def _of_subcommands(subcommands: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for each in subcommands:
        kinds = each["kinds"]
        yield ", ".join(each["names"]), "its arguments decide" if kinds is None else " ".join(kinds) or "none"


def _option_form(option: dict[str, Any]) -> str:
    """An option as its manual writes it."""
    value = {"": "", "=": "=VALUE", "[=": "[=VALUE]"}.get(option["value"], " VALUE" * len(option["value"]))
    return ", ".join(option["names"]).removesuffix("=" if value else "") + value


def _adds(option: dict[str, Any]) -> str:
    """What an option adds or takes away, in words."""
    said = _briefly(option)
    if option["role"] == "text":
        said += ", unless asimi finds its value harmless"
    elif option["role"] in OF_ROLES:
        said += f"; the value is {ROLES[option['role']]}"
    return said + (f"; an operand becomes {ROLES[option['operands']]}" if option["operands"] else "")


def _two_columns(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Rows below each other; a long first cell pushes the second one to the right."""
    listed = list(rows)
    width = min(34, max((len(first) for first, _ in listed), default=0))
    return [f"  {first:{width}}  {second}" for first, second in listed]


def _fill_lines(names: list[str]) -> list[str]:
    """Names in lines of a hundred columns."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) < 98:
            lines[-1] += f"  {name}"
        else:
            lines.append(f"  {name}")
    return lines
