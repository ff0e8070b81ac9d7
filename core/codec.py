"""The nouns as JSON and back: what the store keeps and what jobs pass on.

A dataclass becomes an object of its fields; where a field may hold one of several nouns, the object
names it in `type`. Fields equal to their default are left out, so that stored rows stay readable
when a noun gains a field.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import types
import typing
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from core.errors import InputError
from core.model import Json

T = TypeVar("T")
Reader = Callable[[Json], Any]
_PLAIN = frozenset((str, int, float, bool, type(None)))


def to_json(value: Any) -> Json:
    """JSON of a noun, or of a tuple, list or mapping of nouns; plain values stay as they are."""
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in _PLAIN else to_json(item) for item in value]
    if _is_noun(kind):
        return _object(value)
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_json(item) for item in value]
    return value


def from_json(cls: type[T] | Any, value: Json) -> T:
    """The noun `cls` from its JSON; unknown keys are ignored (a newer version may have written
    them).

    Raises InputError where a required field is missing or a value is of another kind.
    """
    try:
        return typing.cast(T, _reader(typing.cast(Any, cls))(value))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        name = getattr(cls, "__name__", str(cls))
        raise InputError(
            f"What is stored is not a {name}: {error}.", "It may come from another version."
        ) from error


_NOUNS: dict[str, type] = {}


def noun(cls: type[T]) -> type[T]:
    """Class decorator: `read_noun` knows this noun by its name. For rooms whose nouns others keep
    without knowing.
    """
    _NOUNS[cls.__name__] = cls
    return cls


def write_noun(value: Any) -> Json:
    """JSON that says itself which noun it is."""
    return {"type": type(value).__name__} | _object(value)


def read_noun(value: Json) -> Any:
    """The noun that `write_noun` wrote. Raises InputError for one whose class no loaded room
    declared.
    """
    name = value.get("type") if isinstance(value, dict) else None
    if name not in _NOUNS:
        raise InputError(
            f"What is stored is of an unknown kind ({name}).", "It may come from another version."
        )
    return from_json(_NOUNS[name], value)


def _object(value: Any) -> Json:
    cls: Any = type(value)
    found: dict[str, Json] = {}
    for name, default, tagged in _plan(cls):
        item = getattr(value, name)
        kind = type(item)
        if kind is type(default) and item == default:
            continue
        found[name] = item if kind in _PLAIN else _tagged(item) if tagged else to_json(item)
    return found


@functools.cache
def _is_noun(kind: Any) -> bool:
    return dataclasses.is_dataclass(kind)


@functools.cache
def _plan(cls: Any) -> tuple[tuple[str, Any, bool], ...]:
    """Each field of a noun: name, default (or a mark that equals nothing), whether it may hold
    several nouns.
    """
    hints = _hints(cls)
    return tuple(
        (field.name, _default(field), _choices(hints[field.name]))
        for field in dataclasses.fields(cls)
    )


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _tagged(item: Any) -> Json:
    """Nouns of a field that may hold several kinds, each with its `type`; also inside tuples and
    pairs.
    """
    if isinstance(item, list | tuple):
        return [_tagged(one) for one in item]
    kind: Any = type(item)
    if _is_noun(kind):
        return {"type": type(item).__name__} | _object(item)
    return to_json(item)


@functools.cache
def _reader(hint: Any) -> Reader:
    """How a value of this type is read, worked out once for each type."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return _same
    if origin in (typing.Union, types.UnionType):
        return _union_reader(arguments)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin in (list, typing.Sequence) or _is(origin, "Sequence"):
        item = _reader(arguments[0])
        return lambda value: [item(one) for one in value]
    if origin is dict or _is(origin, "Mapping"):
        held = _reader(arguments[1])
        return lambda value: {key: held(one) for key, one in value.items()}
    if dataclasses.is_dataclass(hint):
        return _object_reader(hint)
    return _plain_reader(hint)


def _same(value: Json) -> Any:
    return value


def _plain_reader(hint: Any) -> Reader:
    if hint is None or hint is type(None):
        return lambda value: None
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint
    return functools.partial(_plain, hint) if isinstance(hint, type) else _same


def _plain(hint: type, value: Json) -> Any:
    if isinstance(value, hint):
        return value
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    raise TypeError(f"{value!r:.60} is not {hint.__name__}")


def _tuple_reader(arguments: tuple[Any, ...]) -> Reader:
    parts = [_reader(one) for one in arguments if one is not Ellipsis]
    alike = len(arguments) == 2 and arguments[1] is Ellipsis

    def read(value: Json) -> Any:
        if not isinstance(value, list | tuple):
            raise TypeError(f"{value!r:.60} is not a list")
        if alike:
            return tuple([parts[0](item) for item in value])
        return tuple(part(item) for part, item in zip(parts, value, strict=True))

    return read


def _union_reader(arguments: tuple[Any, ...]) -> Reader:
    others: list[Any] = [one for one in arguments if one is not type(None)]
    kinds: list[Any] = [one for one in others if dataclasses.is_dataclass(one)]
    nouns: dict[str, Reader] = {one.__name__: _reader(one) for one in kinds}
    only = _reader(others[0]) if len(others) == 1 else None
    plain = next((_reader(one) for one in others if not dataclasses.is_dataclass(one)), None)

    def read(value: Json) -> Any:
        if value is None:
            return None
        if isinstance(value, dict) and value.get("type") in nouns:
            return nouns[value["type"]](value)
        if only:
            return only(value)
        if plain and not isinstance(value, dict):
            return plain(value)
        raise TypeError(f"type must be one of {', '.join(sorted(nouns))}")

    return read


def _object_reader(cls: Any) -> Reader:
    readers: dict[
        str, Reader
    ] = {}  # filled at the first object: a noun may hold nouns of its own kind

    def read(value: Json) -> Any:
        if not isinstance(value, dict):
            raise TypeError(f"{value!r:.60} is not an object")
        if not readers:
            hints = _hints(cls)
            readers.update(
                {
                    field.name: _reader(hints[field.name])
                    for field in dataclasses.fields(cls)
                    if field.init
                }
            )
        return cls(**{name: readers[name](item) for name, item in value.items() if name in readers})

    return read


def _is(origin: Any, name: str) -> bool:
    return getattr(origin, "__name__", "") == name


def _choices(hint: Any) -> bool:
    """Whether a field's type, or what its tuple holds, is one of several nouns."""
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return sum(1 for one in arguments if dataclasses.is_dataclass(one)) > 1
    return any(_choices(one) for one in arguments)


@functools.cache
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls, vars(importlib.import_module(cls.__module__)))
