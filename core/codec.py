"""The nouns as JSON and back, by cattrs: what the store keeps and what jobs pass on.

A dataclass becomes an object of its fields; where a field may hold one of several nouns, the object
names it in `type`. Fields equal to their default are left out, so that stored rows stay readable
when a noun gains a field; keys that a noun does not have are ignored.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping, Set
from enum import StrEnum
from typing import Any, TypeVar

from cattrs import Converter

from core.errors import InputError
from core.model import Json

T = TypeVar("T")


def to_json(value: Any) -> Json:
    """JSON of a noun, or of a tuple, list or mapping of nouns; plain values stay as they are."""
    return _CONVERTER.unstructure(value)


def from_json(cls: type[T] | Any, value: Json) -> T:
    """The noun `cls` from its JSON; unknown keys are ignored (a newer version may have written
    them).

    Raises InputError where a required field is missing or a value is of another kind.
    """
    try:
        return typing.cast(T, _CONVERTER.structure(value, typing.cast(Any, cls)))
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
    return {"type": type(value).__name__} | to_json(value)


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


def _alternatives(hint: Any) -> list[type]:
    """The nouns among the members of a union, else nothing."""
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return []
    members: list[type] = list(typing.get_args(hint))
    return [member for member in members if dataclasses.is_dataclass(member)]


def _is_choice(hint: Any) -> bool:
    return len(_alternatives(hint)) > 1


def _write_choice(_hint: Any) -> Callable[[Any], Json]:
    def write(value: Any) -> Json:
        is_noun = dataclasses.is_dataclass(value)
        return write_noun(value) if is_noun else to_json(value)

    return write


def _read_choice(hint: Any) -> Callable[[Json, Any], Any]:
    nouns = {member.__name__: member for member in _alternatives(hint)}
    plain = [member for member in typing.get_args(hint) if not dataclasses.is_dataclass(member)]

    def read(value: Json, _hint: Any) -> Any:
        if isinstance(value, dict) and value.get("type") in nouns:
            return _CONVERTER.structure(value, nouns[value["type"]])
        if value is None and type(None) in plain:
            return None
        if isinstance(value, tuple(plain)):
            return value
        raise TypeError(f"type must be one of {', '.join(sorted(nouns))}")

    return read


def _read_plain(value: Json, kind: type) -> Any:
    """A value of the kind that its field names, and no other: `3` is no text, `"3"` no number."""
    if isinstance(value, kind):
        return value
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    raise TypeError(f"{value!r:.60} is not {kind.__name__}")


def _converter() -> Converter:
    converter = Converter(
        omit_if_default=True,
        detailed_validation=False,
        unstruct_collection_overrides={tuple: list, Set: list, Mapping: dict},
    )
    for kind in (str, int, float, bool):
        converter.register_structure_hook(kind, _read_plain)
    converter.register_structure_hook(StrEnum, lambda value, kind: kind(value))
    converter.register_structure_hook_factory(_is_choice, _read_choice)
    converter.register_unstructure_hook_factory(_is_choice, _write_choice)
    return converter


_CONVERTER = _converter()
