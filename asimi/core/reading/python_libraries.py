"""What Python may use of libraries for data that others write, and still do no more than compute, print and read.

Sources: the manuals of NumPy 1.26 to 2.4, pandas 2.2 to 3.1, Polars 2.1, DuckDB 2.0, SciPy 1.17, PyArrow 26, PyYAML 6,
Pillow 13 and openpyxl 3.1. As in `python_names`, a method counts by its name. What evaluates a text, loads pickled data
or takes an address is not here.
"""

from __future__ import annotations

from asimi.core.facts import facts_of, names_of

_USED = facts_of(__package__, "python_libraries")
_NAMES = {name: names_of(lines) for name, lines in facts_of(__package__, "python_loaded").items()}

SAID = frozenset("__version__ __file__ __name__ __path__ VERSION version_info".split())
"""What each library may be asked for, because it only says which one it is."""

VERSIONED = _NAMES["versioned"]
"""Libraries that may be loaded."""

DATA = frozenset("PIL duckdb numpy openpyxl pandas polars pyarrow scipy yaml".split())
"""Those of them of which all is known that they load."""

LIBRARIES: dict[str, frozenset[str]] = {
    **dict.fromkeys(VERSIONED, SAID),
    **{name: names_of(lines) | SAID for name, lines in _USED.items() if not name.endswith("()")},
}
"""What may be used of each library, whatever it is given, also as a value."""

READERS = {**dict.fromkeys(_NAMES["readers"], 1), "numpy.fromfile": 2}
"""What reads the file that is its first argument, with how many arguments by place."""

READING = _NAMES["settings"]
"""Settings with which these load nothing and take no address; `engine` and `allow_pickle` are looked at."""

WRITERS = {
    **dict.fromkeys(_NAMES["writers"], _NAMES["writing"]),
    "numpy.save": frozenset(),
    "numpy.savetxt": frozenset("comments delimiter encoding fmt footer header newline".split()),
}
"""What writes the file that is its first argument, a method or a function, with its harmless settings."""

ENGINES = frozenset("c calamine fastparquet openpyxl pyarrow python pyxlsb xlrd xlsxwriter".split())

FUNCTIONAL = frozenset("agg aggregate apply transform".split())
"""What calls a method by a name that it is given, in pandas."""

NAMED = _NAMES["named"]
"""Names of such methods that change nothing."""

METHODS = {name[:-2]: " ".join(lines) for name, lines in _USED.items() if name.endswith("()")}
"""What values of these may be asked for, beside `KNOWN_METHODS`."""

LOADED = _NAMES["loaded"]
"""What those in `DATA` load, or would if it were there."""

SPARED = _NAMES["spared"]
"""Names of modules in a project that no library loads."""
