"""Loads asyncio for one command, without what one command does not use of it.

asyncio imports a third more modules than asimi itself, among them OpenSSL, logging, thread pools and what shows
tracebacks; of most it takes a name or two before somebody calls for them. So while it is imported, stand-ins are in
their places: each hands on what is asked of it to the real module, which is loaded then. A stand-in is in nobody's way:
who imports such a module gets the real one. What a newer Python takes besides is loaded at once, as without stand-ins.

Of asyncio itself, what one command does not use (`LATER`: queues, streams, locks) is loaded when a name of it is asked
for.
"""

from __future__ import annotations

import _contextvars
import _heapq
import _signal  # type: ignore[import-not-found]
import _socket
import _thread
import sys
from _weakrefset import WeakSet
from types import ModuleType

from asimi.core.startup import TYPE_CHECKING, deque, import_module, partial

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

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self._found()(*values, **named)


class _Logger(_Later):
    """asyncio's own logger. Where nobody has loaded `logging`, nobody wants to hear what only debugs."""

    def debug(self, *said: Any) -> None:
        """Tell those who debug."""
        if "logging" in sys.modules:
            self._found().debug(*said)


def _shown(function: Any) -> Any:
    """`reprlib.recursive_repr()`, when something is first shown."""
    made: list[Any] = []

    def shown(self: object) -> str:
        if not made:
            made.append(import_module("reprlib").recursive_repr()(function))
        return str(made[0](self))

    return shown


class _Optional:
    """`typing.Optional`."""

    def __class_getitem__(cls, kind: Any) -> Any:
        return kind | None


class _Enum:
    """`enum.Enum`, as far as asyncio has need of it: each member is one of a kind and has its name and value."""

    def __init_subclass__(cls) -> None:
        for name, value in [*vars(cls).items()]:
            if name[0] != "_":
                member: Any = cls()
                member.name, member.value = name, value
                setattr(cls, name, member)


class _Transports:
    """`weakref.WeakValueDictionary`, for what a loop asks of its transports; it is made when there is one."""

    def __init__(self) -> None:
        self._made: Any = {}

    def get(self, key: int) -> Any:
        """Return the transport of a descriptor, if there is one."""
        return self._made.get(key)

    def __getitem__(self, key: int) -> Any:
        return self._made[key]

    def __setitem__(self, key: int, transport: Any) -> None:
        if type(self._made) is dict:
            self._made = import_module("weakref").WeakValueDictionary()
        self._made[key] = transport

    def __delitem__(self, key: int) -> None:
        del self._made[key]


LATER = tuple(
    f"asyncio.{each}" for each in "locks runners queues streams subprocess taskgroups timeouts threads".split()
)
"""The modules of asyncio that wait until a name of them is asked for."""

TAKEN: dict[str, dict[str, object]] = {
    **{each: {} for each in LATER},
    "asyncio.format_helpers": {},
    "asyncio.log": {"logger": _Logger("logging", "getLogger", "asyncio")},
    "asyncio.sslproto": {},
    "asyncio.staggered": {},
    "asyncio.trsock": {},
    "collections": {"deque": deque, "abc": sys.modules["_collections_abc"]},
    "concurrent": {},
    "concurrent.futures": {each: each for each in ("FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED")},
    "contextvars": {"copy_context": _contextvars.copy_context},
    "enum": {"Enum": _Enum, "auto": object},
    "functools": {"partial": partial},
    "heapq": {each: getattr(_heapq, each) for each in ("heappush", "heappop", "heapify")},
    "inspect": {"isgenerator": _Later("inspect", "isgenerator")},
    "linecache": {},
    "logging": {"DEBUG": 10, "getLogger": lambda name: _Logger("logging", "getLogger", name)},
    "reprlib": {"recursive_repr": lambda: _shown},
    "selectors": {"EVENT_READ": 1, "EVENT_WRITE": 2},
    # all of it, because `_signal` knows no `signal.SIG_DFL`
    "signal": {name: each for name, each in vars(_signal).items() if name[0] != "_"},
    "socket": {
        each: getattr(_socket, each)
        for each in "AF_INET6 AF_UNIX AF_UNSPEC AI_PASSIVE SOCK_STREAM TCP_NODELAY socket socketpair".split()
    },
    "subprocess": {"PIPE": -1, "STDOUT": -2, "DEVNULL": -3},
    "threading": {"Lock": _thread.allocate_lock, "get_ident": _thread.get_ident, "local": _thread._local},  # noqa: SLF001
    "traceback": {"extract_stack": _Later("traceback", "extract_stack")},
    "typing": {"final": lambda kind: kind, "Optional": _Optional, "Type": type},
    "warnings": {"warn": _Later("warnings", "warn")},
    "weakref": {"WeakSet": WeakSet, "WeakValueDictionary": _Transports},
}
"""The modules that asyncio does without, and what it takes of them while it is imported or makes a loop."""


class _StandIn(ModuleType):
    """A module that is loaded when something of it is used that asyncio did not take when it was imported."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__all__":  # the machinery of imports asks, and does without
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
            if name in LATER:  # a star import of it gives asyncio the module itself
                vars(stand_in).update({"__all__": (own := name.rpartition(".")[2],), own: stand_in})
    if "collections" in made:  # a package, which a stand-in is not
        made["collections.abc"] = TAKEN["collections"]["abc"]  # type: ignore[assignment]
    sys.modules.update(made)  # type: ignore[arg-type]
    if "concurrent.futures" in made:
        sys.modules["concurrent"].futures = made["concurrent.futures"]  # type: ignore[attr-defined]
    try:
        import asyncio

        vars(asyncio)["__getattr__"] = partial(_later, vars(asyncio).pop("__all__"))
    finally:
        if (sockets := made.get("socket")) is not None:
            vars(sockets).pop("socket", None)  # Python's can do more than the one that it is made of
        for name in LATER:
            vars(made[name]).pop("__all__")
        for name, each in made.items():
            if sys.modules.get(name) is each:
                del sys.modules[name]
                package, _, last = name.rpartition(".")
                if package in sys.modules:
                    setattr(sys.modules[package], last, each)


_looking: set[int] = set()  # the threads that are importing what was left out; they ask what else there is


def _later(names: tuple[str, ...], name: str) -> Any:
    """A name of asyncio that was left out.

    Args:
        names: what a star import of asyncio takes; in place of the names of a module that was left out, its own.
        name: the name.

    Raises:
        AttributeError: there is none.
    """
    import asyncio

    if (thread := _thread.get_ident()) not in _looking:
        _looking.add(thread)
        try:
            for module in map(import_module, LATER):
                if name in module.__all__:
                    setattr(asyncio, name, getattr(module, name))
                    return getattr(module, name)
        finally:
            _looking.discard(thread)
    if name == "__all__":
        later = {each.rpartition(".")[2]: import_module(each).__all__ for each in LATER}
        return tuple(own for each in names for own in later.get(each, (each,)))
    raise AttributeError(f"module 'asyncio' has no attribute {name!r}")
