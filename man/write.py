"""Writes the manual pages beside this file, from `--help`, the table of keys and the pages about rules: `make man`.

A page is dated by the day on which what it says last changed, or by SOURCE_DATE_EPOCH.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from roff import bold, escaped, example, filled, italic, marked, of_markdown, paragraphs, tagged  # noqa: E402

from asimi import __version__  # noqa: E402
from asimi.doors.cli.completing import outline  # noqa: E402
from asimi.doors.cli.program import ABOUT, EXAMPLES  # noqa: E402
from asimi.world.config.describe import TITLES, toml_of  # noqa: E402
from asimi.world.config.keys import HOST_KEYS, KEYS, RULE_KEYS, TABLES  # noqa: E402
from asimi.world.host.state_files import KINDS  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from asimi.doors.cli.completing import Outline, Parameter
    from asimi.world.config.keys import Key

RULES = ("rules", "keeping")
"""The pages that asimi-rules(7) has."""

PLACES = {
    "managed": "/etc/asimi/config.toml",
    "config": "~/.config/asimi",
    "state": "~/.local/state/asimi",
    "runtime": "$XDG_RUNTIME_DIR/asimi",
    "cache": "~/.cache/asimi",
}
"""Where the files of each field of `Places` are, where no variable says otherwise."""

STATUS = {
    "0": "It went well; of asimi check: the command would run.",
    "1": "Of asimi check: the command would be a question. Of the commands that look for faults: there is one.",
    "2": "The usage is wrong.",
    "3": "Of asimi check: the command is denied.",
    "124": "The command took too long.",
    "125": "asimi itself failed: a configuration that is broken, a directory that is missing.",
    "126": "The command was not allowed, by the policy or by a person.",
    "127": "The command was not found.",
    "128+n": "The command died of signal n.",
}

VARIABLES = {
    "ASIMI_ROOT, ASIMI_SESSION, ASIMI_HOST": "As --root, --session and --host.",
    "ASIMI_NON_INTERACTIVE": "1 is as --non-interactive.",
    "ASIMI_PLAIN": "1 is for screen readers: no tables, nothing drawn.",
    "NO_COLOR": "Anything means no colours.",
    "PAGER": "What shows the log and pages of help that are longer than the screen; cat for none.",
    "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR": "Where asimi's files are; see FILES.",
}

FROM_A_PROJECT = {
    "never": "It is never read from a project's file.",
    "stricter": "A project's file can only make it stricter.",
    "trusted": "A project's file can make it stricter, and more lax once you trust the file.",
    "managed": "It is read from the administrator's file only.",
}


HEADS = {".SH", ".SS"}
"""Macros behind which a paragraph begins by itself."""


def main() -> None:
    """Write the pages whose text has changed."""
    today = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    for name, page in PAGES.items():
        path = HERE / name
        if not path.exists() or path.read_text(encoding="ascii") != page(dated(path)):
            path.write_text(page(today), encoding="ascii")


def dated(path: Path) -> str:
    """The date of a page that was written."""
    return path.read_text(encoding="ascii").partition("\n.TH ")[2].split()[2]


def _page(name: str, section: int, date: str, about: str, text: Iterator[str], see: str) -> str:
    """A page: its head, its text, what else to read."""
    kinds = {1: "User Commands", 5: "File Formats", 7: "Miscellanea"}
    body = list(text)
    lines = [
        r".\" Written by man/write.py: change what it reads, and run `make man`.",
        f'.TH {name.upper()} {section} {date} "asimi {__version__}" "{kinds[section]}"',
        ".nh",
        ".ad l",
        ".SH NAME",
        rf"{escaped(name)} \- {escaped(about)}",
        *(line for line, before in zip(body, ("", *body), strict=False) if line != ".PP" or before[:3] not in HEADS),
        '.SH "SEE ALSO"',
        *see.split("\n"),
    ]
    return "\n".join(lines) + "\n"


def program(date: str) -> str:
    """asimi(1)."""
    return _page(
        "asimi",
        1,
        date,
        "the gate between AI agents and your shell",
        _program(),
        _see("asimi-config 5", "asimi-rules 7"),
    )


def _program() -> Iterator[str]:
    whole = outline()
    yield from (
        ".SH SYNOPSIS",
        rf"{bold('asimi')} {escaped(whole.usage)}",
        ".br",
        rf"{italic('agent')} | {bold('asimi')}",
    )
    yield from (".SH DESCRIPTION", *paragraphs(ABOUT.partition("\n\n")[2]))
    yield from (".SH OPTIONS", "Every command has these options.", *_options(whole.taken))
    yield ".SH COMMANDS"
    for heading in dict.fromkeys(command.heading for command in whole.below):
        yield f'.SS "{heading}"'
        for command in whole.below:
            if command.heading == heading:
                for each in command.all():
                    yield from _command(each)
    yield '.SH "EXIT STATUS"'
    yield "A command that asimi runs ends with its own. These are asimi\\(aqs:"
    yield from _table(STATUS)
    yield ".SH ENVIRONMENT"
    yield from _table(VARIABLES)
    yield ".SH FILES"
    yield from _files(lambda _: True)
    yield ".SH EXAMPLES"
    yield from example("\n".join(line.removeprefix("  ") for line in EXAMPLES.split("\n")[1:]))


def _command(command: Outline) -> Iterator[str]:
    """A command, what it takes, and its own options."""
    yield from tagged(f"{bold(' '.join(('asimi', *command.words)))} {escaped(command.usage)}", _inside(command.help))
    if rows := [*command.operands, *command.options]:
        yield from (".RS", *_options(rows), ".RE")


def _inside(text: str) -> Iterator[str]:
    """Paragraphs beside a tag."""
    for line in paragraphs(text):
        yield ".IP" if line == ".PP" else line


def _options(taken: tuple[Parameter, ...] | list[Parameter]) -> Iterator[str]:
    """Options and other words, each with what the help says of it."""
    for each in taken:
        names = ", ".join(map(bold, each.names))
        tag = f"{names} {italic(each.metavar)}" if names and each.metavar else names or italic(each.metavar)
        yield from tagged(tag, filled(marked(each.help)))


def _table(rows: dict[str, str]) -> Iterator[str]:
    """Words and what they mean."""
    for name, text in rows.items():
        yield from tagged(bold(name), filled(marked(text)))


def _files(wanted: Callable[[str], bool]) -> Iterator[str]:
    """The files that asimi reads or keeps, in places that are wanted."""
    for kind in KINDS:
        if wanted(kind.place):
            path = f"{PLACES[kind.place]}/{kind.name}" if kind.name else PLACES[kind.place]
            yield from tagged(bold(path), filled(escaped(f"{kind.what}: {kind.keeper}")))


def configuration(date: str) -> str:
    """asimi-config(5)."""
    about = "what asimi lets run, asks about and refuses"
    return _page("asimi-config", 5, date, about, _configuration(), _see("asimi 1", "asimi-rules 7"))


def _configuration() -> Iterator[str]:
    yield ".SH DESCRIPTION"
    yield from paragraphs(
        "A configuration file is TOML. The administrator's file is strongest, then yours, or the one that `--config` "
        "names, then that of the project; a weaker file can only make a stronger one stricter. A deny wins over "
        "everything, then an ask, then an allow; the order in a file never matters. A file with an unknown key or a "
        "value of a wrong kind is not used, and asimi runs nothing until it is mended.\n\n"
        "`asimi config init` writes a file, `asimi config check` looks for faults, `asimi config show` says what is in "
        "force and from which line, `asimi config schema` prints a JSON Schema for editors. Each key is shown with its "
        "default."
    )
    for table in ("", *TABLES):
        keys = [key for key in KEYS if key.name.rpartition(".")[0] == table and key.kind not in {"rules", "hosts"}]
        yield from (f'.SH "[{table}]"', *filled(escaped(TITLES[table]))) if table else ('.SH "TOP LEVEL"',)
        for key in keys:
            yield from _key(key)
    for title, comment, keys_of in (
        ("[hosts.NAME]", "Other machines that commands can run on.", HOST_KEYS),
        ("[[rules]]", "Rules that say more than an entry can; see\n.BR asimi-rules (7).", RULE_KEYS),
    ):
        yield from (f'.SH "{title}"', comment)
        yield from _table(keys_of)
    yield ".SH FILES"
    yield from _files({"managed", "config"}.__contains__)


def _key(key: Key) -> Iterator[str]:
    """A key with its default."""
    name = key.name.rpartition(".")[2]
    value = "" if key.example else f" = {toml_of(key, key.default)}"
    said = f"{key.comment} {FROM_A_PROJECT[key.project]}"
    yield from tagged(bold(f"{name}{value}"), filled(marked(said)))


def rules(date: str) -> str:
    """asimi-rules(7), from the pages about rules."""
    pages = [(HERE.parent / "docs" / "use" / f"{name}.md").read_text(encoding="utf-8") for name in RULES]
    first, *rest = of_markdown("\n".join([pages[0], *(f"#{page}" for page in pages[1:])]))
    assert first == ".PP", "the page begins with a paragraph"
    about = "what rules say, and which of them wins"
    return _page("asimi-rules", 7, date, about, iter([".SH DESCRIPTION", *rest]), _see("asimi 1", "asimi-config 5"))


def _see(*pages: str) -> str:
    """Other pages."""
    return "\n".join(f".BR {name} ({section})," for name, section in map(str.split, pages)) + "\n.BR bash (1)"


PAGES: dict[str, Callable[[str], str]] = {
    "asimi.1": program,
    "asimi-config.5": configuration,
    "asimi-rules.7": rules,
}
"""The pages, each made with its date."""

if __name__ == "__main__":
    main()
