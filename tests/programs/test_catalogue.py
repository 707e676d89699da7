"""The catalogue of programs: what holds of every row."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from asimi.core.facts import content_in
from asimi.core.programs import NAMES, find, rows_of
from asimi.core.programs.effects import EFFECTS, WORDS, broad, in_order, phrases, possibly
from asimi.core.programs.program import GROUPS, OF_ROLES, _options, notation
from asimi.core.reading.account import HERE, OF_CHANGES, unchanged_words
from asimi.core.reading.escapes import STARTED
from asimi.core.reading.reader import Reader
from asimi.core.reading.values import HOMES, reader_of, value_readers
from asimi.core.syntax import parse
from asimi.core.wording.programs import explain_program, facts


def rows(program, path=()):
    """A program and all its subcommands, with the words that lead to them."""
    path = (*path, program.name)
    yield " ".join(path), program
    for each in {id(row): row for row in program.subcommands.values()}.values():
        yield from rows(each, path)
    if program.others is not None:
        yield f"{' '.join(path)} *", program.others


ROLES, TRAITS, SYNTAX = map(notation, ("roles", "traits", "syntax"))
READERS = {*" ".join(HOMES.values()).split(), *filter(str.isupper, value_readers())}
PROGRAMS = [program for family in NAMES for program in rows_of(family)]
ROWS = [row for program in PROGRAMS for row in rows(program)]


def test_no_name_is_in_two_rows():
    names = [name for program in PROGRAMS for name in (program.name, *program.aliases)]
    assert sorted(names) == sorted(set(names))


def test_the_index_is_what_make_catalogue_would_write():
    spec = spec_from_file_location("index", Path(__file__).parents[2] / "packaging" / "index.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert content_in("asimi.core.programs", "index.txt").decode() == "\n".join(module.index()) + "\n"


def test_each_row_can_be_explained():
    for path, row in ROWS:
        found = facts(path.split(), row)
        said = explain_program(json.loads(json.dumps(found)))
        assert said.startswith(path), path
        for option in found["options"]:
            assert option["names"][0].removesuffix("=") in said, path


def test_each_subcommand_has_one_row():
    for path, row in ROWS:
        names = [name for each in set(row.subcommands.values()) for name in (each.name, *each.aliases)]
        assert sorted(names) == sorted(set(names)), path


def test_no_option_is_in_two_groups():
    """Where an option is harmless and dangerous at once, the later group would win in silence."""
    for path, row in ROWS:
        options = [each for group in GROUPS for each in _options(getattr(row, group), group, words=row.syntax.words)]
        named = {(name, option.does) for option in options for name in option.names}
        assert len(named) == len({name for name, _ in named}), path


@pytest.mark.parametrize("home", HOMES)
def test_each_reader_is_where_the_table_says(home):
    assert sorted(import_module(f"asimi.core.reading.{home}").READERS) == HOMES[home].split()


@pytest.mark.parametrize("name", sorted(READERS))
def test_each_reader_reads(name):
    assert isinstance(reader_of(name)("x=1"), str)


def test_a_row_says_only_what_is_defined():
    for path, row in ROWS:
        assert row.how <= set(SYNTAX), path
        assert row.traits <= set(TRAITS), path
        known = [*row.syntax.options.values(), *(option for _, option in row.syntax.beginnings)]
        roles = [option.reader for option in known if option.reader] + [each.role for each in row.syntax.operands]
        assert set(roles) <= {*ROLES, *READERS, *STARTED}, path


def test_at_most_one_role_may_be_there_any_number_of_times():
    for path, row in ROWS:
        assert sum(each.many for each in row.syntax.operands) <= 1, path


@pytest.mark.parametrize(
    ("name", "program"),
    [
        ("gmake", "make"), ("pip3", "pip"), ("pip3.11", "pip"), ("python3.13", "python"), ("nerdctl", "docker"),
        ("podman", "docker"), ("tofu", "terraform"), ("nodejs", "node"), ("gcc-12", "gcc"), ("gsed", "sed"),
        ("ld-linux-x86-64.so.2", "ld.so"), ("md5sum", "sha256sum"), ("ls", "ls"),
    ],
)  # fmt: skip
def test_another_name_is_the_same_program(name, program):
    found = find(name)
    assert found is not None
    assert found is find(program)


@pytest.mark.parametrize("name", ["", "7", "x7", "nobody-knows-this", "git-2x"])
def test_an_unknown_name_has_no_row(name):
    assert find(name) is None


def read(text):
    """The first command of a text."""
    reader = Reader(judge_substitutions=True)
    reader.script(parse(text))
    return reader.finish().commands[0]


@pytest.mark.parametrize("path", [path for path, row in ROWS if row.effects and "write" in row.effects])
def test_what_writes_and_names_no_file_writes_where_it_runs(path):
    command = read(path.replace("*", "something"))
    if "write" in (command.effects or ()):
        assert any(each.how in OF_CHANGES or each.how in {"", "repository"} for each in command.account.touches), path


@pytest.mark.parametrize(
    "path", ["ruff format", "npm pkg set a=b", "gcc a.c", "terraform fmt", "go mod init x", "ctags"]
)
def test_a_writer_without_a_word_for_a_file_writes_where_it_runs(path):
    assert (HERE, "write") in {(each.word, each.how) for each in read(path).account.touches}


@pytest.mark.parametrize(
    ("path", "row"), [(path, row) for path, row in ROWS if not row.options and "builtin" not in row.traits]
)
def test_no_row_without_options_proves_that_an_unknown_option_changes_nothing(path, row):
    command = read(f"{path.replace('*', 'something')} --surely-no-option=x")
    assert row.starts is not None or row.shell or not unchanged_words(command) & {len(command.words) - 1}, path


def test_an_option_has_the_same_role_with_its_value_attached():
    for path, row in ROWS:
        for beginning, option in row.syntax.beginnings:
            alone = row.syntax.options.get(beginning)
            if alone is not None and alone.value and alone.reader.islower():
                assert option.reader == alone.reader, f"{path}: {beginning}"


def test_each_effect_and_kind_has_words_and_each_kind_an_effect():
    assert {*EFFECTS} <= {*WORDS}
    assert broad(frozenset(WORDS)) == {*EFFECTS}
    assert len({*WORDS.values()}) == len(WORDS)
    assert in_order(WORDS)[:2] == ["read", "read.secret"]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("system.process", "may end processes"),
        ("system.install", "may install or remove software"),
        ("publish.package", "may publish a package or a release"),
        ("code.fetched", "may run what it downloads"),
        ("network", "may use the network"),
    ],
)
def test_what_may_happen_has_the_words_for_what_happens(kind, words):
    assert possibly(WORDS[kind]) == words


def test_each_kind_is_one_of_a_row_and_each_row_that_is_not_known_says_less_than_all():
    """`code.input` and `code.given` are read off a command's words."""
    kinds = {kind for _, row in ROWS for kind in (*(row.kinds or ()), *row.may)}
    kinds |= {kind for _, row in ROWS for option in row.syntax.options.values() for kind in option.kinds}
    kinds |= {OF_ROLES[each.role] for _, row in ROWS for each in row.syntax.operands if each.role in OF_ROLES}
    assert {*WORDS} - kinds == {"code.input", "code.given"}
    assert not [path for path, row in ROWS if row.may and row.kinds is not None]


def test_the_page_about_programs_says_each_kind_in_its_words():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "programs.md").read_text()
    assert [
        kind for kind, words in WORDS.items() if f"`{kind}`" not in page or ("." in kind and words not in page)
    ] == []


def test_what_a_row_is_said_to_do_is_each_of_its_effects():
    """Words that leave an effect out say what includes it; no words name an effect that the row does not have."""
    for path, row in ROWS:
        said = phrases(row.kinds or frozenset())
        assert {*said} <= {*(row.kinds or ())}, path
        covered = {"network"} if "publish" in (row.effects or ()) else set()
        covered |= {"write", "delete"} if "system.install" in said else set()
        covered |= {"system"} if "delete.disk" in said else set()
        assert (row.effects or set()) - broad(frozenset(said)) <= covered | {"read"}, path
        assert bool(said) == bool(row.kinds), path


def test_what_starts_commands_here_is_no_leave_for_them():
    """A rule by effects would let all of them run; `loose` is for what starts them elsewhere, or runs code anyway."""
    every = [pair for program in PROGRAMS for pair in rows(program)]
    loose = [(name, row) for name, row in every if row.starts is not None and row.starts.loose]
    assert [name for name, row in loose if row.kinds is not None and broad(row.kinds) <= {"read", "write"}] == []
