"""`asimi help`: a page of the documentation, or the help of a command."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from asimi.doors.cli.base import Command, UsageError, application
from asimi.doors.cli.pager import show
from asimi.doors.cli.printing import fit, is_terminal, out

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

help_ = application()

ALL = "commands"
"""The topic that is the list of all commands."""

ABOUT = {
    "readme": "What asimi does, in one page.",
    "configuration": "Every setting with its default and a line about it.",
    "changelog": "What has changed.",
}
"""The pages without a first sentence that says what they are about."""

SHELVES = ("start", "use", "reference", "trust", "extras", "inside")
"""The folders of the documentation, in the order in which people need them."""


@help_.command(cls=Command)
def _help(
    context: typer.Context,
    topic: Annotated[
        list[str],
        typer.Argument(metavar="[TOPIC]", show_default=False, help="A page of the documentation, or a command."),
    ] = [],  # noqa: B006 - typer's way to say that it can be left out
) -> None:
    """Show a page of the documentation, or the help of a command; without TOPIC, list the pages.

    The topic `commands` lists all commands.

    On a terminal, a page is fitted to its width, and a long one goes to your pager (PAGER; PAGER=cat for none). In a
    pipe or a file, it is the Markdown as it was written.
    """
    known, topic = pages(), " ".join(topic).split()
    if not topic:
        _list()
    elif topic == [ALL]:
        _list_commands(context)
    elif len(topic) == 1 and topic[0].lower() in known:
        _show(known[topic[0].lower()])
    else:
        _show_command(context, topic, known)


def _list_commands(context: typer.Context) -> None:
    """Show every command under its heading."""
    from asimi.doors.cli.program import HEADINGS

    program = context.find_root()
    formatter = program.make_formatter()
    program.command.list_under(HEADINGS, program, formatter)  # type: ignore[attr-defined]
    out(formatter.getvalue().strip("\n"))


def _list() -> None:
    """Show what each page is about, on a terminal in one row, or below its name on a narrow one."""
    from asimi.world.host.terminal import ROOMY, look_of, shorten

    width = look_of(os.environ, 1).width
    out("Topics, for `asimi help TOPIC`:")
    shelves = _shelves()
    names = max(len(name) for pages in shelves.values() for name in pages)
    for shelf, pages in shelves.items():
        out(f"\n{shelf.capitalize()}")
        for name, page in pages.items():
            beside = "\n    " if is_terminal(1) and width < ROOMY else " " * (names + 2 - len(name))
            rows = f"  {name}{beside}{ABOUT.get(name) or _sentence(page)}".split("\n")
            out("\n".join(shorten(row, width) for row in rows) if is_terminal(1) else rows[0])
    out(fit("\n`asimi help COMMAND` is `asimi COMMAND --help`; `asimi help commands` lists all."))


def _show(page: Traversable) -> None:
    """Show a page: fitted to a terminal, else as it is."""
    text = page.read_text(encoding="utf-8").rstrip("\n")
    if is_terminal(1):
        from asimi.doors.cli.pages import render_page
        from asimi.world.host.terminal import look_of

        text = render_page(text if page.name.endswith(".md") else f"```\n{text}\n```", look_of(os.environ, 1))
    show(text.split("\n"), paged=True)


def _show_command(context: typer.Context, names: list[str], pages: dict[str, Traversable]) -> None:
    """Show the help of a command.

    Raises:
        UsageError: there is no such command.
    """
    from difflib import get_close_matches

    program = context.find_root()
    known: list[str] = [*pages, *program.command.list_commands(program)]  # type: ignore[attr-defined]
    here: Any = program
    for name in names:
        command = getattr(here.command, "get_command", lambda *_: None)(here, name)
        if command is None:
            near = get_close_matches(name, known, 1, 0.5)
            hint = (
                f"Did you mean '{near[0]}'?"
                if near
                else "`asimi help` lists the pages, `asimi help commands` the commands."
            )
            raise UsageError(f"There is no topic and no command '{name}'. {hint}")
        here = typer.Context(command, parent=here, info_name=name)
        known = list(getattr(command, "commands", {}))
    out(here.get_help())


def pages() -> dict[str, Traversable]:
    """Return the files of the documentation by their topics, the README first; they may be in an archive."""
    return {name: page for pages in _shelves().values() for name, page in pages.items()}


def _shelves() -> dict[str, dict[str, Traversable]]:
    """Return the same by the folders that they are in; what lies beside docs/ in a checkout is in one of them, too."""
    from importlib.resources import files
    from pathlib import Path

    docs: Traversable = files("asimi") / "docs"
    above = docs
    if not docs.is_dir():  # not installed
        above = Path(__file__).parents[3]
        docs = above / "docs"
    shelves: dict[str, dict[str, Traversable]] = {shelf: {} for shelf in SHELVES}
    shelves["start"]["readme"] = above / "README.md"
    shelves["reference"]["configuration"] = above / "config.example.toml"
    for shelf, found in shelves.items():
        for page in sorted((docs / shelf).iterdir(), key=lambda each: each.name):
            found[page.name.removesuffix(".md")] = page
    shelves["inside"]["changelog"] = above / "CHANGELOG.md"
    return shelves


def _sentence(page: Traversable) -> str:
    """Return the first sentence of a page, without the marks of Markdown."""
    blocks = re.sub(r"(?ms)^```.*?^```", "", page.read_text(encoding="utf-8")).split("\n\n")
    first = next(block for block in map(str.strip, blocks) if block and block[0] not in "#!")
    sentence = re.split(r"(?<=[.!?])\s", " ".join(first.split()))[0]
    return re.sub(r"\*\*|`|\[|\]\([^)]*\)", "", sentence)
