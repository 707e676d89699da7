"""What a command does, by the tables of `effects/`: a line each, the effects or `?`, then the command."""

from pathlib import Path

import pytest

from asimi.core.programs import NAMES, rows_of
from asimi.core.programs.effects import EFFECTS
from asimi.core.reading.reader import Reader
from asimi.core.syntax import parse

TABLES = sorted((Path(__file__).parent / "effects").glob("*.txt"))
LINES = [
    (table.stem, *map(str.strip, line.split("|", 1)))
    for table in TABLES
    for line in table.read_text().splitlines()
    if line.strip() and not line.startswith("#")
]
DONE = frozenset(table.stem for table in TABLES)


def effects(text):
    """The effects of the first command of a text."""
    reader = Reader(judge_substitutions=True)
    reader.script(parse(text))
    return reader.finish().commands[0].effects


@pytest.mark.parametrize(("family", "expected", "text"), LINES, ids=[f"{line[0]}: {line[2]}" for line in LINES])
def test_the_effects_of_a_command(family, expected, text):
    assert family in NAMES
    found = effects(text)
    said = "?" if found is None else " ".join(each for each in EFFECTS if each in found) or "none"
    assert said == expected


@pytest.mark.parametrize("family", sorted(DONE))
def test_each_program_of_a_family_is_in_its_table(family):
    """One whose effects are known is there at least once, so nobody says them without having looked."""
    named = {part.rpartition("/")[2] for line in LINES if line[0] == family for part in line[2].split()}
    missing = [row.name for row in rows_of(family) if row.effects is not None and row.name not in named]
    assert missing == []
