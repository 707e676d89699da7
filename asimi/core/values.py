"""Named tuples that cost a start little: asimi starts again for every command of an agent, and has over a hundred.

`typing.NamedTuple` compiles an expression for each annotation and a constructor for each class, which are a third of
what a hook costs. Here a constructor is compiled when the first value of a class is made. All else is the same, and to
a type checker it is `typing`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import _tuplegetter

    def _new(kind, /, *values, **named):  # noqa: ANN001, ANN002, ANN003, ANN202
        """Make the first value of a kind, and the constructor of all: the fields are its parameters."""
        names = ", ".join(kind._fields)
        make = eval(f"lambda _cls, {names}: _new(_cls, ({names},))", {"_new": tuple.__new__})  # noqa: S307 - ours
        make.__defaults__ = tuple(kind._field_defaults.values())
        make.__name__ = make.__qualname__ = kind.__name__  # what an error says
        kind.__new__ = make
        return make(kind, *values, **named)

    def _replace(self, /, **named):  # noqa: ANN001, ANN003, ANN202
        """Return the same value with some fields changed."""
        values = tuple(map(named.pop, self._fields, self))
        if named:
            raise TypeError(f"{type(self).__name__} has no field {', '.join(named)}")
        return tuple.__new__(type(self), values)

    def _repr(self):  # noqa: ANN001, ANN202
        fields = ", ".join(f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({fields})"

    _SHARED = {
        "__slots__": (),
        "__new__": _new,
        "__getnewargs__": lambda self: tuple(self),  # noqa: PLW0108 - a type is no method
        "__repr__": _repr,
        "_make": classmethod(lambda kind, values: kind(*values)),
        "_replace": _replace,
        "_asdict": lambda self: dict(zip(self._fields, self, strict=True)),
    }

    class _Definition(type):
        """Makes a tuple of a class with annotations."""

        def __new__(cls, name, bases, space):  # noqa: ANN001, ANN204
            if not bases:
                return type.__new__(cls, name, bases, space)
            fields = tuple(space.get("__annotations__", ()))
            defaults = {field: space.pop(field) for field in fields if field in space}
            getters = {field: _tuplegetter(at, "") for at, field in enumerate(fields)}
            made = {"__match_args__": fields, "_fields": fields, "_field_defaults": defaults}
            return type(name, (tuple,), {**_SHARED, **made, **getters, **space})

    class NamedTuple(metaclass=_Definition):
        """The base that a class names."""
