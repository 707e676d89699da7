"""What Python may use and still do no more than compute, print and read: modules, builtins, methods, syntax.

Sources: The Python Standard Library 3.8 to 3.14. A name is here only if nothing that it is given makes it write, start,
import or loosen something. Whoever adds one looks at all values that a text can come by: a method counts by its name,
because the type of what it is called on is not known.
"""

from __future__ import annotations

import builtins
import sys

from asimi.core.facts import facts_of, names_of, table_of

_FACTS = facts_of(__package__, "python_names")
_NAMES = {name: names_of(lines) for name, lines in _FACTS.items()}

MODULES = {name: names_of(lines) for name, lines in facts_of(__package__, "python_modules").items()}
"""What may be used of each module, whatever it is given, also as a value."""

PACKAGES = frozenset(name.rpartition(".")[0] for name in MODULES if "." in name)
"""What modules are in."""

BUILTINS = _NAMES["builtins"]
"""Builtins that may be used, whatever they are given, also as values."""

FILERS = {
    **dict.fromkeys(("os.makedirs", "os.mkdir"), (1, frozenset({"exist_ok"}))),
    **dict.fromkeys(("shutil.copy", "shutil.copy2", "shutil.copyfile"), (2, frozenset())),
    **dict.fromkeys(("tarfile.is_tarfile", "xml.dom.minidom.parse", "zipfile.is_zipfile"), (1, frozenset())),
    "filecmp.cmp": (2, frozenset({"shallow"})),
    "py_compile.compile": (1, frozenset({"doraise", "quiet"})),
}
"""Functions of which only so many arguments are files, all of them literal, with the settings that do no harm."""

LOOKED_AT = _NAMES["looked-at"]
"""Functions that may be called in some ways."""

OPENERS = _NAMES["openers"]
"""Functions that open a literal path, to read if their mode says so."""

WATCHED = frozenset({"compile", "getattr", "hasattr", "open", "type"})
"""Builtins that may be called in some ways, and are never values."""

TAKEN = frozenset("print apply copyright credits execfile file help license reload".split())
"""Names that a text does not bind, beside builtins that it may not use: they mean something in some Pythons."""

UNBINDABLE = TAKEN | WATCHED | (frozenset(dir(builtins)) - BUILTINS)
"""Names that a text must not bind: elsewhere in it they could still mean what they mean by themselves."""

KNOWN_METHODS = _NAMES["methods"]
"""Attributes that do no harm on any value that a text can come by."""

BARRED = {module: frozenset(names.split()) for module, names in table_of(_FACTS["barred"]).items()}
"""What a value of a module may not be asked for: it changes a file, opens one, or takes a text that is evaluated."""

TEXTS = _NAMES["texts"]
"""Methods whose results are no paths."""

TEXT_MAKERS = frozenset({"repr", "re.sub", "re.subn", "str"})
"""Functions whose results are no paths, and hold none."""

PLAIN = _NAMES["syntax"]
"""Syntax that does nothing by itself; classes are not among it, because Python calls their methods by itself."""

STANDARD = frozenset(
    sys.stdlib_module_names | {"annotationlib", "asynchat", "asyncore", "compression", "distutils", "imp"}
)
"""The modules of the standard library, of this Python and of others."""

FOREIGN = {"org": "python", "tzdata": "zoneinfo"}
"""What they try to load that is not theirs: to 3.12 `copy` loads `org.python.core`; `zoneinfo` loads `tzdata.zoneinfo`.

Nothing of that name is found later, so a directory does without `__init__.py` (Python reference, Namespace packages).
"""

LOADED = STANDARD | FOREIGN.keys() | {"pip"}

NEVER_LOADED = frozenset("__future__ antigravity idlelib lib2to3 test this tkinter turtle turtledemo".split())
"""Those of them that no module above loads."""
