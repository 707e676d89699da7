"""What a request reaches: the places where its words lead."""

from __future__ import annotations

from asimi.core.lean import TYPE_CHECKING, NamedTuple
from asimi.core.reading.account import NOTHING
from asimi.core.reading.shapes import ANY

if TYPE_CHECKING:
    from asimi.core.call import Span
    from asimi.core.reading import Command
    from asimi.core.reading.account import Tree
    from asimi.core.reading.finding import Expression


class Sought(NamedTuple):
    """By what something is found.

    Attributes:
        expression: the expression of the search.
        action: the index of the word of its action that is reached; None where that is not known.
        written: where it starts, as it is written.
    """

    expression: Expression
    action: int | None
    written: str


class Place(NamedTuple):
    """Where a word leads.

    Attributes:
        path: the real path; with marks from its first part that is not known.
        how: what becomes of it, a role (`asimi.core.reading.account.Touch`).
        span: the place of the command in the request's text.
        by: the command, or None for a redirection.
        tree: what the command does to directories.
        found: the shape of the names of what a search finds below the path, if that is what counts: empty for any.
        sought: by which expression it is found; None where it is by none.
        brought: what a command copies there, or changes there as a whole.
        named: the names, links unresolved, of what a command puts there under another name.
        through: the real paths from which its word goes up by `..`.
    """

    path: str
    how: str
    span: Span | None
    by: Command | None = None
    tree: Tree = NOTHING
    found: str | None = None
    sought: Sought | None = None
    brought: tuple[Source, ...] = ()
    named: tuple[str, ...] = ()
    through: frozenset[str] = frozenset()

    @property
    def shape(self) -> str:
        """The shape of all that it may be."""
        if self.found is None:
            return self.path
        return f"{self.path.rstrip('/')}/{ANY}" + (f"/{self.found}" if self.found else "")


class Source(NamedTuple):
    """What is copied.

    Attributes:
        place: where it is.
        names: by which names it may be known where it arrives, from the target; with marks where one is not known.
        flat: whether what is below it arrives without its own name.
    """

    place: Place
    names: tuple[str, ...] = ()
    flat: bool = True


def whole(place: Place) -> Place:
    """A place of which everything below it is changed as well."""
    return place._replace(brought=(Source(place),))
