"""Reads requests: the text of one, or its program with arguments, within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asimi.core.budget import MOST, Budget, OverBudgetError
from asimi.core.errors import ShellSyntaxError
from asimi.core.programs.program import NONE
from asimi.core.reading.reader import Reader
from asimi.core.syntax import argv_words, parse

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from asimi.core.call import Request
    from asimi.core.programs.program import Program
    from asimi.core.reading.commands import Reading

REMEMBERED = 64
"""Readings that are remembered; agents say the same few things again and again."""

LONGEST_REMEMBERED = 512
"""Characters of a text whose reading is remembered."""

LONGEST_WORD = 16_384
"""Characters of one word; a longer one hides how it ends from every reader, so no list answers for it."""


class Readings:
    """What requests would do; it follows from their text and their place alone, so it is remembered for a while.

    Args:
        wrappers: the first words of commands that start the command behind them, from the configuration.
        exported: names of the variables that commands inherit.
        free: names of the variables that a person lets be set; a name may end in `*`.
        judge_substitutions: whether the commands in substitutions are judged instead of refused.
        described: the programs that somebody described besides those of the catalogue, by name.
        home: the home directory; empty where it is not known.
    """

    def __init__(
        self,
        wrappers: Collection[tuple[str, ...]],
        exported: Collection[str],
        *,
        judge_substitutions: bool,
        free: Collection[str] = (),
        described: Mapping[str, Program] = NONE,
        home: str = "",
    ) -> None:
        self.described, self._home = described, home
        self.wrappers, self.exported, self.free = wrappers, exported, free
        self.judge_substitutions = judge_substitutions
        self.remembered: dict[tuple[object, ...], Reading] = {}
        self._last: tuple[tuple[object, ...], Reading] | None = None  # however long, as its words are told next
        self._over: tuple[object, ...] | None = None  # the last that was too much

    def of(self, request: Request, budget: Budget | None = None) -> Reading:
        """What a request would do; `budget` pays for it, by default `MOST`.

        Raises:
            ShellSyntaxError: its text cannot be read or given to a program.
            OverBudgetError: it is too much.
        """
        what = request.command, request.arguments, request.shell, request.place, request.file is None
        last = self._last
        known = last[1] if last is not None and last[0] == what else self.remembered.get(what)
        if known is None:
            if budget is None and self._over == what:
                raise OverBudgetError
            try:
                known = self._read_with_plain(request, Budget(MOST) if budget is None else budget)
            except OverBudgetError:
                self._over = what if budget is None else self._over
                raise
            self._last = what, known
            if is_remembered(request):
                if len(self.remembered) >= REMEMBERED:
                    self.remembered.clear()
                self.remembered[what] = known
        return known

    def _read_with_plain(self, request: Request, budget: Budget) -> Reading:
        """What a request would do; `plain` is the same by the catalogue alone if it names a described program."""
        reading = self._read(request, budget, self.described)
        described = any(command.name in self.described for command in reading.commands) if self.described else False
        return reading._replace(plain=self._read(request, budget, NONE)) if described else reading

    def _read(self, request: Request, budget: Budget, described: Mapping[str, Program]) -> Reading:
        arguments = request.arguments or ()
        budget.spend((len(request.command) + sum(map(len, arguments))) // 8 + 2 * len(arguments))
        decodable = _is_utf8(request)
        judges = self.judge_substitutions
        reader = Reader(
            *(self.wrappers, self.exported, budget),
            judge_substitutions=judges,
            free=self.free,
            described=described,
            home="" if request.place.host else self._home,
        )
        find = reader.notes.find
        if request.arguments is not None:
            reader.argv(argv_words(request))
        elif request.shell == "cmd":
            from asimi.core.reading.dialects import read_cmd

            read_cmd(request.command, reader)
        else:
            script = parse(request.command, budget)
            reader.script(script)
            if request.shell != "bash":
                from asimi.core.reading.dialects import is_plain

                if not is_plain(script):
                    message = "this shell does not read text as bash 5 does; only plain literal commands are understood"
                    find("dynamic", message, None, hidden=True)
        longest = max((len(word.head) for command in reader.commands for word in command.words), default=0)
        if longest > LONGEST_WORD:
            find("dynamic", f"a word of {longest} characters is too long to check", None)
        if not decodable:
            find("dynamic", "this holds bytes that are not UTF-8", None, hidden=True)
        if not request.place.inside:
            message = (
                f"this would run outside the project root, in {request.place.path}, which files.beside does not name"
            )
            find("directory", message, None)
        return reader.finish()


def is_remembered(request: Request) -> bool:
    """Whether what follows from a request's text alone is remembered for a while."""
    return len(request.command) <= LONGEST_REMEMBERED and not request.arguments


def _is_utf8(request: Request) -> bool:
    """Whether a request holds nothing but UTF-8; lone surrogates stand for other bytes.

    Raises:
        ShellSyntaxError: it cannot be given to a program at all.
    """
    decodable = True
    for text in (request.command, *(request.arguments or ())):
        if "\0" in text:
            place = text.index("\0")
            raise ShellSyntaxError("NUL cannot be given to a program", text, (place, place + 1))
        try:
            text.encode()
        except UnicodeEncodeError as error:
            decodable = False
            try:
                text.encode("utf-8", "surrogateescape")
            except UnicodeEncodeError:
                message, span = "a lone surrogate is not a character", (error.start, error.end)
                raise ShellSyntaxError(message, text, span) from None
    return decodable
