"""Loads asyncio for one command, without what one command does not use of it.

asyncio imports a third more modules than asimi itself, among them OpenSSL, logging, thread pools and what shows
tracebacks; of most it takes a name or two before somebody calls for them. So while it is imported, stand-ins are in
their places: each hands on what is asked of it to the real module, which is loaded then. A stand-in is in nobody's way:
who imports such a module gets the real one. What a newer Python takes besides is loaded at once, as without stand-ins.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import _socket
import sys
from types import ModuleType

from asimi.core.startup import TYPE_CHECKING, import_module

if TYPE_CHECKING:
    from typing import Any


class _Later:
    """Something that is found when an attribute of it, or a call, needs it."""

    def __init__(self, module: str, name: str, *given: str) -> None:
        self._where = module, name, given

    def _found(self) -> Any:
        module, name, given = self._where
        found = getattr(import_module(module), name)
        return found(*given) if given else found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._found(), name)

    def __call__(self, *values: Any) -> Any:
        return self._found()(*values)


class _Logger(_Later):
    """asyncio's own logger. Where nobody has loaded `logging`, nobody wants to hear what only debugs."""

    def debug(self, *said: Any) -> None:
        """Tell those who debug."""
        if "logging" in sys.modules:
            self._found().debug(*said)


class _Optional:
    """`typing.Optional`."""

    def __class_getitem__(cls, kind: Any) -> Any:
        return kind | None


TAKEN: dict[str, dict[str, object]] = {
    "asyncio.sslproto": {},
    "asyncio.staggered": {},
    "concurrent.futures": {each: each for each in ("FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED")},
    "inspect": {"isgenerator": _Later("inspect", "isgenerator")},
    "linecache": {},
    "logging": {"DEBUG": 10, "getLogger": lambda name: _Logger("logging", "getLogger", name)},
    # all of it, because `_signal` knows no `signal.SIG_DFL`
    "signal": {name: each for name, each in vars(_signal).items() if name[0] != "_"},
    "socket": {
        each: getattr(_socket, each)
        for each in "AF_INET6 AF_UNIX AF_UNSPEC AI_PASSIVE SOCK_STREAM TCP_NODELAY socket socketpair".split()
    },
    "subprocess": {"PIPE": -1, "STDOUT": -2, "DEVNULL": -3},
    "traceback": {"extract_stack": _Later("traceback", "extract_stack")},
    "typing": {"final": lambda kind: kind, "Optional": _Optional, "Type": type},
}
"""The modules that asyncio does without, and what it takes of them while it is imported or makes a loop."""


class _StandIn(ModuleType):
    """A module that is loaded when something of it is used that asyncio did not take when it was imported."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # the machinery of imports asks, and does without
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        found = getattr(import_module(self.__name__), name)
        setattr(self, name, found)
        return found


def load_asyncio() -> None:
    """Import asyncio, unless somebody has."""
    if "asyncio" in sys.modules:
        return
    made: dict[str, ModuleType | None] = {} if "ssl" in sys.modules else {"ssl": None}  # as in a Python without it
    for name, taken in TAKEN.items():
        if name not in sys.modules:
            made[name] = stand_in = _StandIn(name)
            vars(stand_in).update(taken)
    sys.modules.update(made)  # type: ignore[arg-type]
    if "concurrent.futures" in made:
        import_module("concurrent").futures = made["concurrent.futures"]  # type: ignore[attr-defined]
    try:
        import asyncio  # noqa: F401 - for what is imported next
    finally:
        if (sockets := made.get("socket")) is not None:
            vars(sockets).pop("socket", None)  # Python's can do more than the one that it is made of
        for name, each in made.items():
            if sys.modules.get(name) is each:
                del sys.modules[name]
                package, _, last = name.rpartition(".")
                if package:
                    setattr(sys.modules[package], last, each)
