"""`asimi programs` and `asimi explain`: what is known of programs, and what people describe besides."""

from __future__ import annotations

import json as written
import os
from typing import TYPE_CHECKING, Annotated

import typer

from asimi.compose.configuration import configuration_of
from asimi.compose.stores import log_of
from asimi.core.call import Place, Request, Verdict
from asimi.core.errors import AsimiError, ConfigError
from asimi.core.programs import NAMES, find
from asimi.core.wording.programs import explain_program, facts, summaries
from asimi.core.wording.visible import changed_lines
from asimi.doors.cli.base import Command, Group, application, configuration_for
from asimi.doors.cli.forms import Wrong
from asimi.doors.cli.printing import fit, out, quote_words, with_bars
from asimi.doors.cli.require_person import confirm_at_terminal, require_person
from asimi.world.config.described import ProgramFile, read_file
from asimi.world.config.projects import confirm_programs
from asimi.world.config.sources import content_of
from asimi.world.host.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from asimi.compose import Options
    from asimi.world.config import Configuration

programs = application(
    cls=Group,
    help="Describe programs that asimi does not know; `asimi help programs` shows how.",
    no_args_is_help=True,
)

Files = Annotated[
    list[str] | None,
    typer.Argument(metavar="[FILE]...", show_default=False, help="A file; without one, all that are in force."),
]


@programs.command("list", cls=Command)
def list_(context: typer.Context) -> None:
    """Show the files that describe programs, whether they count, and the programs in them."""
    configuration = configuration_for(context)
    own = configuration.programs()
    for file in own.files:
        out(f"{file.state:8}{printable(file.path)}")
        if file.level != "project" or file.counts:
            names = dict.fromkeys(row.name for row in read_file(file).programs.values())
            out(f"        {', '.join(names) or 'no programs'}")
    for notice in own.notices:
        out(fit(f"note: {printable(notice)}", indent=6))
    if not own.files:
        out(_none(configuration))


@programs.command(cls=Command)
def check(context: typer.Context, files: Files = None) -> None:
    """Say what files mean: each subcommand, what it does, and what would become of it once the file counts.

    FILE may be one that is not in force yet. What is wrong is told with its line, and ends with 125.
    """
    configuration = configuration_for(context)
    for file in _files_to_show(configuration, files):
        out(f"{printable(file.path)}  ({_state_words(file)})")
        for line in _describe(configuration, file):
            out(line)
        for notice in configuration.programs().notices:
            if notice.startswith(f"{file.path}:"):
                out(fit(f"note: {printable(notice)}", indent=6))
    if not files and not configuration.programs().files:
        out(_none(configuration))


@programs.command(cls=Command)
def confirm(context: typer.Context, files: Files = None) -> None:
    """Let files that describe programs count, after you saw what they say and what it changes.

    Rules by effects then allow what a file says. It counts with exactly this content: after any change, asimi asks
    about its programs until you confirm the file again. What a project describes is confirmed with `asimi trust`.
    """
    require_person("confirm what programs do")
    configuration = configuration_for(context)
    known = {os.path.realpath(file.path): file for file in configuration.programs().files if file.level == "user"}
    wanted = [known.get(os.path.realpath(path)) for path in files] if files else list(known.values())
    for path, file in zip(files or known, wanted, strict=True):
        if file is None:
            where = os.path.join(os.path.dirname(configuration.file), "programs")
            raise AsimiError(f"{path} is no file in {where} that ends in .txt; what a project describes: asimi trust")
        if file.counts:
            out(f"already confirmed  {file.path}")
        elif not confirm_file(configuration, file):
            raise typer.Exit(126)
    if not known:
        raise AsimiError(_none(configuration))


def confirm_file(configuration: Configuration, file: ProgramFile) -> bool:
    """Let a file that describes programs count, once the person has seen it and says yes; return whether they do.

    Raises:
        ConfigError: something in it is wrong.
    """
    meaning = "\n".join(_describe(configuration, file))
    text = with_bars(file.text.removesuffix("\n").split("\n"))
    if file.before is not None and file.before.text:
        changed = changed_lines(file.before.text, file.text, 3) or ["only the end of the last line"]
        text = f"What changed since you confirmed it:\n{with_bars(changed)}\nAll of it:\n{text}"
    said = "asimi cannot check whether these programs do what this says."
    if not confirm_at_terminal(
        f"{printable(file.path)}\n{text}\nIt means:\n{meaning}\n{said}\nMay it count as it is now?"
    ):
        return False
    with log_of(configuration).write_changes("programs confirm", {"file": file.path, "by": "terminal"}):
        confirm_programs(configuration, file)
    out(f"confirmed  {printable(file.path)}")
    return True


def _files_to_show(configuration: Configuration, files: list[str] | None) -> Iterator[ProgramFile]:
    """Yield the files that are named, which may be anywhere, or all that are in force.

    Raises:
        ConfigError: one cannot be read.
    """
    if not files:
        yield from configuration.programs().files
        return
    for path in files:
        content = content_of(path, project=True)
        if content is None:
            raise ConfigError("there is no such file", path)
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            raise ConfigError("this is not UTF-8", path, content[: error.start].count(b"\n") + 1) from None
        real, there = os.path.realpath(path), configuration.programs().files
        known = next((each for each in there if os.path.realpath(each.path) == real and each.text == text), None)
        yield known or ProgramFile(path, "draft", text, counts=False)


def _none(configuration: Configuration) -> str:
    """Return what is said where nobody described a program."""
    where = os.path.join(os.path.dirname(configuration.file), "programs", "NAME.txt")
    return f"No programs are described; a file for them is {printable(where)} (asimi help programs)"


def _state_words(file: ProgramFile) -> str:
    """Say whether a file counts, and what makes it."""
    if file.counts:
        return "counts"
    if file.level == "draft":
        return "not in force: asimi reads programs/*.txt beside your configuration, and .asimi/programs/*.txt"
    how = "asimi trust" if file.level == "project" else "asimi programs confirm"
    return f"{file.state}: nothing in it counts until you confirm it with `{how}`"


def _describe(configuration: Configuration, file: ProgramFile) -> list[str]:
    """Return what a file says, a line for each row, with what would become of it.

    Raises:
        ConfigError: something in it is wrong.
    """
    found = read_file(file).programs
    policy = configuration.settings().policy.with_programs({**configuration.programs().programs, **found})
    place = Place.at(configuration.root, configuration.root)
    said = []
    for program in dict.fromkeys(found.values()):
        for words, does in summaries((program.name,), program):
            verdict = policy.decide(Request("run_shell_command", quote_words([*words]), None, place)).verdict
            becomes = {Verdict.ALLOW: "runs without a question", Verdict.ASK: "asks"}.get(verdict, "is denied")
            said.append((" ".join(words), does, "" if "…" in words else becomes))
    widths = [max((len(line[column]) for line in said), default=0) for column in (0, 1)]
    return [f"  {name:{widths[0]}}  {does:{widths[1]}}  {becomes}".rstrip() for name, does, becomes in said]


def explain(options: Options, words: list[str], json: bool = False) -> int:  # noqa: FBT001, FBT002 - a flag of the command line
    """Show what asimi knows of a program: its effects, and which subcommands, options and operands change them.

    `asimi check` says what a whole command would do, and whether it may.
    """
    from difflib import get_close_matches

    names = [words[0].rpartition("/")[2], *words[1:]]
    row = find(names[0]) or configuration_of(options).programs().programs.get(names[0])
    if row is None:
        raise Wrong(_unknown_name_text(words))
    for index, name in enumerate(names[1:], 1):
        below = row.subcommand(name) if name[:1] != "-" else None
        near = [] if name in row.subcommands else get_close_matches(name, list(row.subcommands), 1, 0.75)
        if below is None or near:
            raise Wrong(_no_subcommand(names, index, near))
        row = below
    found = facts(names, row)
    if json:
        out(written.dumps(found, ensure_ascii=False))
    else:
        for line in explain_program(found).split("\n"):
            out(fit(printable(line), indent=6))
    return 0


def _unknown_name_text(words: list[str]) -> str:
    """Return what is said of a name that is in no row."""
    if words[0].split()[1:]:
        return f"PROGRAM is a name. For a whole command there is:\n  asimi check {quote_words([words[0]])}"
    from difflib import get_close_matches

    near = get_close_matches(words[0], " ".join(NAMES.values()).split(), 3, 0.6)
    hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"asimi knows no program {words[0]!r}, so what it does is unknown, and no rule by effects allows it.{hint}"


def _no_subcommand(names: list[str], index: int, near: list[str]) -> str:
    """Return what is said of a word that is no subcommand."""
    if near:
        hint = f"Did you mean {near[0]!r}?"
    else:
        hint = f"For a whole command there is:\n  asimi check {quote_words([quote_words(names)])}"
    return f"asimi knows no subcommand {names[index]!r} of {' '.join(names[:index])}. {hint}"
