"""Derived from the table of keys: the commented example, the JSON Schema, the effective values with their origins."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from asimi.core.call import SANDBOX_MODES, Verdict
from asimi.core.facts import table_of
from asimi.core.judging.rules import REACH, TOOLS
from asimi.core.programs.effects import WORDS, in_order
from asimi.core.values import NamedTuple
from asimi.world.config.keys import (
    BY_NAME,
    FACTS,
    HOST_KEYS,
    HOST_PATTERN,
    KEYS,
    RULE_KEYS,
    TABLES,
    UNITS,
    Key,
    with_unit,
)
from asimi.world.config.layer import LISTS
from asimi.world.host.places import MANAGED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from asimi.core.settings import Host
    from asimi.world.config.effective import MergedLayers

SCHEMA_FILE = "schema.json"
"""The JSON Schema that is shipped, beside this module."""

TITLES = {table: title.format(managed=MANAGED) for table, title in table_of(FACTS["tables"]).items()}

_HEAD = """\
#:schema {schema}
# What an agent's commands may do on this machine. Every key is here, with its default.
# A deny wins over everything, then an ask entry, then an allow; the order in this file never matters.
"""


def schema_path() -> str:
    """Return where the shipped JSON Schema is."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), SCHEMA_FILE)


def example(schema: str | None = None) -> str:
    """Return a configuration file with every key, its default and a line of comment.

    Args:
        schema: the schema that its first line names, or None for the shipped schema's path.
    """
    lines = [_HEAD.format(schema=schema or schema_path())]
    for key in KEYS:
        if "." not in key.name and key.kind not in {"rules", "hosts"}:
            lines += [f"# {key.comment}", f"{key.name} = {toml_of(key, key.default)}", ""]
    for table in TABLES:
        keys = [key for key in KEYS if key.name.startswith(f"{table}.")]
        mark = "# " if all(key.project == "managed" for key in keys) else ""  # it would be an error in a person's file
        lines += [f"# {TITLES[table]}", f"{mark}[{table}]"]
        for key in keys:
            name = key.name.partition(".")[2]
            value = f"# {name} = {key.example}" if key.example else f"{mark}{name} = {toml_of(key, key.default)}"
            lines.append(f"{value}  # {key.comment}")
        lines.append("")
    lines += [f"# {BY_NAME['hosts'].comment}", *_example("host", HOST_KEYS), ""]
    lines += [f"# {BY_NAME['rules'].comment}", *_example("rule", RULE_KEYS), ""]
    return "\n".join(lines)


def _example(what: str, keys: dict[str, str]) -> Iterator[str]:
    """Yield the lines of an example, each key with what it is."""
    return (f"# {line.format(**keys)}" for line in FACTS[f"{what}-example"])


class Row(NamedTuple):
    """One effective value, for `config show`.

    Attributes:
        name: the key's full name.
        value: the value as TOML.
        origin: where it comes from, `FILE:LINE`, `--sandbox` or `default`.
    """

    name: str
    value: str
    origin: str


def rows(what: MergedLayers) -> list[Row]:
    """Return every effective value of the files."""
    shown: list[Row] = []
    names = {verdict: name for name, verdict in LISTS.items()}
    for key in KEYS:
        if key.kind == "entries":
            listed = [rule for rule in what.rules if names[rule.verdict] == key.name]
            shown += [Row(key.name, json.dumps(rule.entry, ensure_ascii=False), rule.source or "") for rule in listed]
            if not listed:
                shown.append(Row(key.name, "[]", "default"))
        elif key.kind == "hosts" and what.values[key.name]:
            shown += [
                Row(f"hosts.{name}", _host(host), str(what.source(f"hosts.{name}")))
                for name, host in what.values[key.name]
            ]
        elif key.kind != "rules":
            origins = ", ".join(what.sources[key.name])
            value = "unset" if key.example and not origins else toml_of(key, what.values[key.name])
            shown.append(Row(key.name, value, origins or "default"))
    return shown


def _host(host: Host) -> str:
    """Return a host as an inline table of TOML, without what is not said."""
    said = {name: value for name, value in host._asdict().items() if name != "name" and value}
    said |= {name: with_unit(said[name], "seconds") for name in ("patience", "answer")}
    return f"{{ {', '.join(f'{name} = {json.dumps(value, ensure_ascii=False)}' for name, value in said.items())} }}"


def toml_of(key: Key, value: Any) -> str:
    """Return a value as a file would have it."""
    if key.kind in UNITS:
        value = with_unit(value, key.kind)
    if key.kind == "prefixes":
        value = [" ".join(words) for words in value]
    if key.kind == "patterns":
        value = list(dict.fromkeys(pattern for layer in value for pattern in layer))
    if key.kind == "signers":
        value = [" ".join(signer) for signer in value]
    if key.kind == "variables":
        pairs = ", ".join(f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in value)
        return f"{{ {pairs} }}" if pairs else "{}"
    return json.dumps(0 if key.kind == "count" and value is None else value, ensure_ascii=False)


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 7) of a configuration file."""
    properties: dict[str, Any] = {}
    for key in KEYS:
        table, _, name = key.name.rpartition(".")
        described = {"description": key.comment, **_shape(key)}
        if not table:
            properties[name] = described
            continue
        holder = properties.setdefault(
            table,
            {"type": "object", "description": TITLES[table], "additionalProperties": False, "properties": {}},
        )
        holder["properties"][name] = described
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Configuration of asimi",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }


def _shape(key: Key) -> dict[str, Any]:
    """Return the schema of a key's value."""
    if key.kind == "rules":
        return {"type": "array", "items": _rule_shape()}
    if key.kind == "hosts":
        return {"type": "object", "propertyNames": {"pattern": HOST_PATTERN}, "additionalProperties": _host_shape()}
    if key.kind in UNITS:
        units = "|".join(UNITS[key.kind])
        least = 0 if key.default is None else key.least
        number = {"type": "integer" if key.kind == "bytes" else "number", "minimum": least}
        shape: dict[str, Any] = {"anyOf": [number, {"type": "string", "pattern": rf"^[0-9]+(\.[0-9]+)?({units})$"}]}
    elif key.kind == "count":
        shape = {"type": "integer", "minimum": 0, "maximum": key.most}
    elif key.kind == "choice":
        shape = {"enum": list(key.choices)}
    elif key.kind == "flag":
        shape = {"type": "boolean"}
    elif key.kind in ("url", "receiver", "machine", "file"):
        shape = {"type": "string"}
    elif key.kind == "variables":
        shape = {"type": "object", "additionalProperties": {"type": "string"}}
    else:
        items: dict[str, Any] = {"type": "string"}
        if key.kind == "entries":
            items["pattern"] = rf"^\s*({'|'.join((*TOOLS, REACH))})\s*($|\()"
        shape = {"type": "array", "items": items}
    return shape if key.example else shape | {"default": json.loads(toml_of(key, key.default))}


def _host_shape() -> dict[str, Any]:
    words: dict[str, Any] = {"type": "array", "minItems": 1, "items": {"type": "string"}}
    seconds = {"anyOf": [{"type": "number", "minimum": 1}, {"type": "string"}]}
    shapes = {
        "reach": words,
        "root": {"type": "string", "minLength": 1},
        "program": {"anyOf": [{"type": "string"}, words]},
        "trusted": {"type": "boolean", "default": False},
        "patience": seconds,
        "answer": seconds,
    }
    properties = {name: shapes[name] | {"description": HOST_KEYS[name]} for name in HOST_KEYS}
    return {"type": "object", "additionalProperties": False, "required": ["reach"], "properties": properties}


def _rule_shape() -> dict[str, Any]:
    text, flag = {"type": "string"}, {"type": "boolean"}
    many = {"type": "array", "items": text}
    shapes: dict[str, Any] = dict.fromkeys(RULE_KEYS, text)
    lists = ("except", "hosts", "options_any", "args_any", "args_none", "at", "match", "not_match")
    shapes |= dict.fromkeys(lists, many)
    shapes["effects"] = {"type": "array", "minItems": 1, "items": {"enum": in_order(WORDS)}}
    shapes["exact"] = {**flag, "default": False}
    shapes["checks"] = shapes["undo"] = {**flag, "default": False}
    shapes["below"] = {**flag, "default": True}
    shapes["terminal"] = {**flag, "default": False}
    shapes["outside"] = {**flag, "default": False}
    shapes["decision"] = {"enum": [verdict.word for verdict in Verdict]}
    shapes["enforce"] = {"enum": ["exec"]}
    shapes["sandbox"] = {"enum": list(SANDBOX_MODES[1:])}
    shapes["tool"] = {"enum": list(TOOLS)}
    shapes["command"] = {"anyOf": [text, {"type": "array", "minItems": 1, "items": {"anyOf": [text, many]}}]}
    del shapes["expires"]  # a TOML date has no type in JSON
    properties: dict[str, Any] = {name: {**shapes.get(name, {}), "description": RULE_KEYS[name]} for name in RULE_KEYS}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["decision"],
        "not": {"required": ["command", "line"]},
        "properties": properties,
    }
