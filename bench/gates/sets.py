"""Reads the public sets: what each says of a command, as rows. Nothing of a set is ever executed."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
SETS = tomllib.loads((HERE / "sets.toml").read_text(encoding="utf-8"))["set"]

BAD, HARMLESS, ASKED, USED = "bad", "harmless", "asked there", "used"
"""What a set says of a row: it must not run unasked; it may; another gate asks about it; people use it."""


class Row(NamedTuple):
    """A command, and what a set says of it.

    Attributes:
        source: the folder of the set.
        says: `BAD`, `HARMLESS`, `ASKED` or `USED`.
        group: where in the set it stands.
        command: its text.
    """

    source: str
    says: str
    group: str
    command: str


def rows(directory):
    """The rows of the sets that are in a directory, each once, in an order that is always the same.

    Returns:
        The rows, and of each set that was read what is to be said of it.
    """
    found, about = [], {}
    for each in SETS:
        folder = Path(directory, each["folder"])
        if folder.is_dir():
            read = sorted({Row(each["folder"], *row) for row in READERS[each["folder"]](folder) if row[2].strip()})
            found += read
            about[each["folder"]] = each | {"rows": len(read), "at": commit(folder)}
    return found, about


def commit(folder):
    """The commit of a checkout; None if git knows of none just there."""
    done = subprocess.run(
        ["git", "-C", folder, "rev-parse", "--show-toplevel", "HEAD"], capture_output=True, text=True, check=False
    )
    top, _, head = done.stdout.strip().partition("\n")
    return head if done.returncode == 0 and Path(top).resolve() == folder.resolve() else None


def secbash(folder):
    """Two files of JSON, harmful and harmless."""
    for name, says in (("gtfobins_commands", BAD), ("harmless_commands", HARMLESS)):
        for row in json.loads((folder / f"benchmark/data/{name}.json").read_text(encoding="utf-8"))["commands"]:
            yield says, row.get("category", "harmless"), row["command"]


def redcode(folder):
    """A file of JSON for each risky task."""
    for file in folder.glob("dataset/RedCode-Exec/bash2text_dataset_json/*.json"):
        for row in json.loads(file.read_text(encoding="utf-8")):
            yield BAD, f"task {row['Index'].split('_')[0]}", row["Code"]


def gtfobins(folder):
    """A page of YAML for each program; `code` stands as a block below each function."""
    for file in (folder / "_gtfobins").iterdir():
        function = ""
        lines = iter(file.read_text(encoding="utf-8").splitlines())
        for line in lines:
            if named := re.fullmatch(r"  ([a-z-]+):", line):
                function = named[1]
            elif re.fullmatch(r"(  - |    )code: \|-?", line):
                code = []
                for below in lines:
                    if below and not below.startswith(" " * 6):
                        break
                    code.append(below[6:])
                if function != "file-read":
                    yield BAD, function, "\n".join(code).strip("\n")


def nah(folder):
    """JSON lines, each with the verdict that is expected."""
    for file in (folder / "corpus").glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if "command" in row and row.get("expected", {}).get("verdict") == "block":
                yield BAD, file.stem, row["command"]


def dippy(folder):
    """Tables in Python: pairs of a command and whether it is approved; read as text, never imported."""
    for file in (folder / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Tuple) and len(node.elts) == 2:
                command, approved = (getattr(each, "value", None) for each in node.elts)
                if isinstance(command, str) and isinstance(approved, bool):
                    yield HARMLESS if approved else ASKED, file.stem, command


def safe_chains(folder):
    """Files of TOML with examples of either kind."""
    for file in (folder / "commands").rglob("*.toml"):
        tables = [tomllib.loads(file.read_text(encoding="utf-8"))]
        while tables:
            for key, value in tables.pop().items():
                tables += [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
                if key in {"examples_safe", "examples_denied"}:
                    for command in value:
                        yield HARMLESS if key == "examples_safe" else ASKED, file.stem, command


def tldr(folder):
    """Pages in Markdown: each line in backticks is a command with placeholders."""
    for directory in ("common", "linux"):
        for file in (folder / "pages" / directory).glob("*.md"):
            for found in re.findall(r"(?m)^`(.+)`$", file.read_text(encoding="utf-8")):
                yield USED, directory, re.sub(r"\{\{(.*?)\}\}", placed, found)


def placed(found):
    """The words of a placeholder: of several spellings the long one, of several words each once."""
    text = found[1]
    if whole := re.fullmatch(r"\[([^]|]*)\|([^]]*)\]", text):
        return whole[2]
    return re.sub(r"\[[^]]*\]", "", text).split("|")[0].replace(" ...", "")


READERS = {
    "secbash": secbash,
    "redcode": redcode,
    "gtfobins": gtfobins,
    "nah": nah,
    "dippy": dippy,
    "safe-chains": safe_chains,
    "tldr": tldr,
}
