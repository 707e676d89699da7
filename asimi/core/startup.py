"""What all of asimi takes of Python's library at its start, made cheaper: `NamedTuple`, `pattern`, names of types.

asimi starts again for every command of an agent, so the cost of a start is kept small. To a type checker, and to
whoever uses the values, all are the originals.

`NamedTuple`: asimi's values are named tuples, some forty of them. With `typing`'s, which compiles an expression for
each annotation and a constructor for each class, they were a third of what asimi itself adds to the start of Python.
Here a constructor is compiled when many values were made.

`pattern`: asimi knows some hundred regular expressions, of which an ordinary text needs a few. To compile them all
would be a tenth of what it adds. Here each is compiled when it is first used.

`sha256`: that of `hashlib` loads OpenSSL, a quarter of Python's own start. This is what `hashlib` falls back to.

`TYPE_CHECKING`, `Generic`, `Literal`, `TypeVar`: `typing` takes a quarter as long to import as Python to start, and
what runs needs nothing of it. A type checker takes any constant that is called `TYPE_CHECKING` as true.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from contextlib import nullcontext, suppress
    from hashlib import sha256
    from importlib import import_module
    from re import compile as pattern
    from typing import Generic, Literal, NamedTuple, TypeVar
else:
    import sys
    from _collections import _tuplegetter  # what `collections` itself uses

    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

    FEW = 50
    """How many values of a kind cost less to make one by one than to compile a constructor for."""

    _made: dict[type, int] = {}

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
        for field in fields[len(values) :]:
            if field not in named and field not in defaults:
                raise TypeError(f"{kind.__name__} is made without its {field}")
            values += (named.pop(field) if field in named else defaults[field],)
        if named or len(values) > len(fields):
            raise TypeError(f"{kind.__name__} takes {', '.join(fields)}, each once")
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
            getters = {field: _tuplegetter(index, "") for index, field in enumerate(fields)}
            made = {"__slots__": (), "__match_args__": fields, "_fields": fields, "_field_defaults": defaults}
            return type(name, (tuple,), {**_SHARED, **made, **getters, **space})

    class NamedTuple(metaclass=_Definition):
        """The base that a class names."""

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

    _METHODS = ("match", "fullmatch", "search", "finditer", "findall", "split", "sub", "subn")

    class pattern:  # noqa: N801 - called like a function
        """A regular expression that compiles itself when a method of it is first asked for."""

        def __init__(self, text: str, flags: int = 0) -> None:
            self._text, self._flags = text, flags

        def __getattr__(self, name: str):  # noqa: ANN204
            """The first method that is asked for; from then on all of them are there."""
            if name not in _METHODS:
                raise AttributeError(name)
            import re

            compiled = re.compile(self._text, self._flags)
            for each in _METHODS:
                setattr(self, each, getattr(compiled, each))
            return getattr(compiled, name)

    class Literal:
        """The type of a value that is one of a few words, or None where it says so."""

        def __init__(self, words: tuple[str | None, ...]) -> None:
            self.__args__ = words

        def __class_getitem__(cls, words):  # noqa: ANN001, ANN204
            return cls(words if isinstance(words, tuple) else (words,))

        def __or__(self, other):  # noqa: ANN001, ANN204
            return Literal((*self.__args__, None)) if other is None else NotImplemented

    TypeVar = str

    class Generic:
        """A base that takes the names of types, and forgets them."""

        def __class_getitem__(cls, _):  # noqa: ANN001, ANN204
            return cls


__all__ = [
    "TYPE_CHECKING",
    "Generic",
    "Literal",
    "NamedTuple",
    "TypeVar",
    "import_module",
    "nullcontext",
    "pattern",
    "sha256",
    "suppress",
]
