"""What all of asimi takes of Python's library at its start, made cheaper: values, expressions, names of types.

asimi starts again for every command of an agent, so the cost of a start is kept small. To a type checker, and to
whoever uses the values, all are the originals.

`NamedTuple`: asimi's values are named tuples, some forty of them. With `typing`'s, which compiles an expression for
each annotation and a constructor for each class, they were a third of what asimi itself adds to the start of Python.
Here a constructor is compiled when many values were made.

`IntEnum`: three small kinds of numbers with names; `enum`'s is as large as the rest of a start's classes.

`pattern`: asimi knows some hundred regular expressions, of which an ordinary text needs a few. Each is made when it is
first used: of the code that `re` compiled for it when asimi was installed (`core/expressions/`, a file for each Python,
which `packaging/expressions.py` writes), else by `re`, which costs half of Python's own start. The flags, `escape` and
`fnmatchcase` are here so that nobody imports `re` for them.

`cache`, `lru_cache`, `cached_property`, `partial`, `attrgetter`, `bisect_left`, `bisect_right`, `deque`: the modules
that hand these on take a quarter as long to import as Python to start, and most of what they hand on is written in C.

`late`: functions of a module that is loaded when one of them is called, because an ordinary command calls none.

`sha256`: that of `hashlib` loads OpenSSL, a quarter of Python's own start. This is what `hashlib` falls back to.

`TYPE_CHECKING`, `Generic`, `Literal`, `Protocol`, `TypeVar`: `typing` takes a quarter as long to import as Python to
start, and what runs needs nothing of it. A type checker takes any constant that is called `TYPE_CHECKING` as true.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from bisect import bisect_left, bisect_right
    from collections import deque
    from contextlib import nullcontext, suppress
    from enum import IntEnum
    from fnmatch import fnmatchcase
    from functools import cache, cached_property, lru_cache, partial
    from hashlib import sha256
    from importlib import import_module
    from operator import attrgetter
    from re import ASCII, DOTALL, IGNORECASE, MULTILINE, VERBOSE, escape
    from re import compile as pattern
    from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

    def late(module: str, *names: str) -> Any: ...  # noqa: D103 - a type checker sees the functions themselves
else:
    import sys
    from _bisect import bisect_left, bisect_right
    from _collections import _tuplegetter, deque  # what `collections` itself uses
    from _functools import _lru_cache_wrapper, partial
    from _operator import attrgetter
    from binascii import crc32

    try:
        if sys.version_info >= (3, 12):  # a search for what is not there takes as long as to load what is
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:
        from hashlib import sha256

    FEW = 50
    """How many values of a kind cost less to make one by one than to compile a constructor for."""

    _made: dict[type, int] = {}
    _getters: list[object] = []  # of the first field of a tuple, the second, …; all kinds share them

    def _compiled(kind: type) -> object:
        """A constructor with the fields as its parameters, as `collections.namedtuple` makes it."""
        names = ", ".join(kind._fields)
        text = f"lambda _cls, {names}: _new(_cls, ({names},))"
        make = eval(text, {"_new": tuple.__new__})  # noqa: S307 - the fields are ours
        make.__defaults__ = tuple(kind._field_defaults.values())
        return make

    def _new(kind, /, *values, **named):  # noqa: ANN001, ANN002, ANN003, ANN202
        """Make one of the first values of a kind, and at last the constructor of all others."""
        fields, defaults = kind._fields, kind._field_defaults
        _made[kind] = made = _made.get(kind, 0) + 1
        if made == FEW:
            kind.__new__ = _compiled(kind)
        if (many := len(values)) != len(fields) or named:
            left = fields[many:]
            given = {**defaults, **named}
            if many > len(fields) or not named.keys() <= {*left}:
                raise TypeError(f"{kind.__name__} takes {', '.join(fields)}, each once")
            if missing := [field for field in left if field not in given]:
                raise TypeError(f"{kind.__name__} is made without its {missing[0]}")
            values += tuple(map(given.__getitem__, left))
        return tuple.__new__(kind, values)

    def _make(kind, values):  # noqa: ANN001, ANN202
        """The value with these fields."""
        return kind(*values)

    def _replace(self, /, **named):  # noqa: ANN001, ANN003, ANN202
        """The same value with some fields changed."""
        values = tuple(map(named.pop, self._fields, self))
        if named:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(named)}")
        return tuple.__new__(type(self), values)

    def _asdict(self):  # noqa: ANN001, ANN202
        """The fields by their names."""
        return dict(zip(self._fields, self, strict=True))

    def _getnewargs(self):  # noqa: ANN001, ANN202
        """What `copy` and `pickle` hand to the constructor."""
        return tuple(self)

    def _repr(self):  # noqa: ANN001, ANN202
        """What makes this value."""
        fields = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({fields})"

    _SHARED = {
        "__new__": _new,
        "__getnewargs__": _getnewargs,
        "__repr__": _repr,
        "_make": classmethod(_make),
        "_replace": _replace,
        "_asdict": _asdict,
    }

    class _Definition(type):
        """Makes a tuple of a class with annotations."""

        def __new__(cls, name, bases, space):  # noqa: ANN001, ANN204
            if not bases:
                return type.__new__(cls, name, bases, space)
            fields = tuple(space.get("__annotations__", ()))
            defaults = {field: space.pop(field) for field in fields if field in space}
            while len(_getters) < len(fields):
                _getters.append(_tuplegetter(len(_getters), ""))
            getters = dict(zip(fields, _getters, strict=False))
            made = {"__slots__": (), "__match_args__": fields, "_fields": fields, "_field_defaults": defaults}
            return type(name, (tuple,), {**_SHARED, **made, **getters, **space})

    class NamedTuple(metaclass=_Definition):
        """The base that a class names."""

    class _Members(type):
        """Makes values of the whole numbers in a class, each once."""

        def __new__(cls, name, bases, space):  # noqa: ANN001, ANN204
            numbers = {key: each for key, each in space.items() if type(each) is int and key[0] != "_"}
            kind = type.__new__(cls, name, bases, {key: each for key, each in space.items() if key not in numbers})
            members = {key: int.__new__(kind, each) for key, each in numbers.items()}
            for key, each in members.items():
                each.__dict__.update(name=key, _name_=key, value=numbers[key], _value_=numbers[key])
                type.__setattr__(kind, key, each)
            type.__setattr__(kind, "__members__", members)
            return kind

        def __call__(cls, value):  # noqa: ANN001, ANN204
            for each in cls.__members__.values():
                if each == value:
                    return each
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")

        def __getitem__(cls, name):  # noqa: ANN001, ANN204
            return cls.__members__[name]

        def __iter__(cls):  # noqa: ANN204
            return iter(cls.__members__.values())

        def __reversed__(cls):  # noqa: ANN204
            return reversed(cls.__members__.values())

        def __contains__(cls, value: object) -> bool:
            return any(each == value for each in cls.__members__.values())

        def __len__(cls) -> int:
            return len(cls.__members__)

        def __setattr__(cls, name, value):  # noqa: ANN001, ANN204
            raise AttributeError(f"cannot reassign {name} of {cls.__name__}")

    class IntEnum(int, metaclass=_Members):
        """The base that a class names."""

        def __repr__(self) -> str:
            return f"<{type(self).__name__}.{self.name}: {self.value}>"

        def __str__(self) -> str:
            return int.__repr__(self)

        def __setattr__(self, name, value):  # noqa: ANN001, ANN204
            raise AttributeError(f"cannot change {self!r}")

        def __reduce_ex__(self, _):  # noqa: ANN001, ANN204
            return type(self), (self.value,)

    def _counts(*numbers):  # noqa: ANN002, ANN202
        """How often a cache was asked."""
        from functools import _CacheInfo

        return _CacheInfo(*numbers)

    def lru_cache(maxsize):  # noqa: ANN001, ANN201
        """Keeps what a function returned for the last arguments."""

        def kept(function):  # noqa: ANN001, ANN202
            made = _lru_cache_wrapper(function, maxsize, False, _counts)
            for name in ("__module__", "__name__", "__qualname__", "__doc__"):
                setattr(made, name, getattr(function, name))
            made.__wrapped__ = function
            return made

        return kept

    cache = lru_cache(None)

    class cached_property:  # noqa: N801
        """A property that is found once; the value then lies in front of it."""

        def __init__(self, function):  # noqa: ANN001, ANN204
            self._function, self.__doc__ = function, function.__doc__

        def __get__(self, owner, _kind=None):  # noqa: ANN001, ANN204
            if owner is None:
                return self
            found = owner.__dict__[self._function.__name__] = self._function(owner)
            return found

    class suppress:  # noqa: N801
        """Leaves a block silently at some exceptions."""

        def __init__(self, *kinds: type[BaseException]) -> None:
            self._kinds = kinds

        def __enter__(self) -> None:
            pass

        def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
            return kind is not None and issubclass(kind, self._kinds)

    class nullcontext:  # noqa: N801
        """Does nothing around a block, of a coroutine also."""

        def __init__(self, value: object = None) -> None:
            self._value = value

        def __enter__(self) -> object:
            return self._value

        def __exit__(self, *_: object) -> None:
            pass

        async def __aenter__(self) -> object:
            return self._value

        async def __aexit__(self, *_: object) -> None:
            pass

    def import_module(name: str) -> object:
        """The module of a whole name."""
        __import__(name)
        return sys.modules[name]

    def late(module, *names):  # noqa: ANN001, ANN002, ANN201
        """Functions of a module that is loaded when one of them is first called."""

        def of(name):  # noqa: ANN001, ANN202
            return lambda *values, **named: getattr(import_module(module), name)(*values, **named)  # noqa: PLW0108 - it loads

        return [of(name) for name in names]

    IGNORECASE, MULTILINE, DOTALL, VERBOSE, ASCII = 2, 8, 16, 64, 256  # as in `re`
    _METHODS = ("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn")
    _SPECIAL = "\\()[]{}?*+-|^$.&~# \t\n\r\v\f"  # the backslash first, because the others bring one
    _ready = {}  # what of expressions was compiled before; empty until one is needed

    def escape(text):  # noqa: ANN001, ANN201
        """A text as an expression that fits only that text."""
        if isinstance(text, bytes):
            return escape(text.decode("latin-1")).encode("latin-1")
        for each in _SPECIAL:
            if each in text:  # for a long text far quicker than `str.translate`
                text = text.replace(each, f"\\{each}")
        return text

    def fnmatchcase(name: str, shape: str) -> bool:
        """Whether a name fits a shape of a shell."""
        if "[" in shape or "?" in shape:
            from fnmatch import fnmatchcase

            return fnmatchcase(name, shape)
        first, *middle = shape.split("*")
        if not middle:
            return name == shape
        last, at = middle.pop(), len(first)
        for piece in middle:
            at = name.find(piece, at) + len(piece)
            if at < len(piece):
                return False
        return name.startswith(first) and len(name) - at >= len(last) and name.endswith(last)

    def _read_ready() -> None:
        """Take in the expressions that were compiled before for this Python, if there are any."""
        import _sre
        import marshal

        path = f"{__file__.rpartition('/')[0]}/expressions/{sys.implementation.cache_tag}-{_sre.MAGIC}.crc"
        try:
            with open(path, "rb") as file:
                content = file.read()
        except OSError:
            _ready[None] = b""
            return
        end = 8 + int.from_bytes(content[4:8], "big")
        if crc32(content[8:end], 1) != int.from_bytes(content[:4], "big"):
            raise ImportError(f"{path} is damaged; install asimi again")
        _ready[None] = content[end:]  # first, because other threads read this as well
        _ready.update(marshal.loads(content[8:end]))  # noqa: S302 - asimi's own, by its sum

    def _compile(text, flags: int):  # noqa: ANN001, ANN202
        """An expression, of the code that was compiled before if there is some."""
        if not _ready:
            _read_ready()
        start, end, known = _ready.get(crc32(repr(text).encode(), flags), (0, 0, 0))
        kept = _ready[None][start:end]
        if crc32(kept) != known:
            raise ImportError(f"the expressions in {__file__.rpartition('/')[0]} are damaged; install asimi again")
        import marshal

        of, whole, code, *named = marshal.loads(kept) if kept else (None, 0, b"")  # noqa: S302 - as above
        if of != (text, flags):
            import re

            return re.compile(text, flags)
        import _sre

        return _sre.compile(text, whole, memoryview(code).cast("I").tolist(), *named)

    class pattern:  # noqa: N801 - called like a function
        """A regular expression that is made when a method of it is first asked for."""

        def __init__(self, text: str, flags: int = 0) -> None:
            self._text, self._flags = text, flags

        def __getattr__(self, name: str):  # noqa: ANN204
            """The first method that is asked for; from then on all of them are there."""
            if name not in _METHODS:
                raise AttributeError(name)
            made = _compile(self._text, self._flags)
            for each in _METHODS:
                setattr(self, each, getattr(made, each))
            return getattr(made, name)

    class Literal:
        """The type of a value that is one of a few words, or None where it says so."""

        def __init__(self, words: tuple[str | None, ...]) -> None:
            self.__args__ = words

        def __class_getitem__(cls, words):  # noqa: ANN001, ANN204
            return cls(words if isinstance(words, tuple) else (words,))

        def __or__(self, other):  # noqa: ANN001, ANN204
            return Literal((*self.__args__, None)) if other is None else NotImplemented

    TypeVar, Protocol = str, object

    class Generic:
        """A base that takes the names of types, and forgets them."""

        def __class_getitem__(cls, _):  # noqa: ANN001, ANN204
            return cls


__all__ = [
    "ASCII",
    "DOTALL",
    "IGNORECASE",
    "MULTILINE",
    "TYPE_CHECKING",
    "VERBOSE",
    "Generic",
    "IntEnum",
    "Literal",
    "NamedTuple",
    "Protocol",
    "TypeVar",
    "attrgetter",
    "bisect_left",
    "bisect_right",
    "cache",
    "cached_property",
    "deque",
    "escape",
    "fnmatchcase",
    "import_module",
    "late",
    "lru_cache",
    "nullcontext",
    "partial",
    "pattern",
    "sha256",
    "suppress",
]
