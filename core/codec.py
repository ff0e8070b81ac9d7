"""The nouns as JSON and back, by cattrs: what the store keeps and what jobs pass on.

A dataclass becomes an object of its fields; where a field may hold one of several nouns, the object
names it in `type`. Fields equal to their default are left out, so that stored rows stay readable
when a noun gains a field; keys that a noun does not have are ignored.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
import types
import typing
from collections.abc import Callable, Mapping, Set
from enum import StrEnum
from typing import Any, TypeVar

from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from core.errors import InputError
from core.model import Json

T = TypeVar("T")
STORED_AS = "stored as"


def stored_as(name: str) -> Mapping[str, str]:
    """Metadata of a field that is stored under another name than it has now, so that what earlier
    versions stored is still read: `field(metadata=stored_as("found"))`.
    """
    return {STORED_AS: name}


def to_json(value: Any) -> Json:
    """JSON of a noun, or of a tuple, list or mapping of nouns; plain values stay as they are."""
    return _CONVERTER.unstructure(value)


def from_json(cls: type[T] | Any, value: Json) -> T:
    """The noun `cls` from its JSON; unknown keys are ignored (a newer version may have written
    them).

    Raises InputError where a required field is missing or a value is of another kind.
    """
    try:
        return typing.cast(T, _reader(typing.cast(Any, cls))(value, cls))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        name = getattr(cls, "__name__", str(cls))
        raise InputError(
            f"What is stored is not a {name}: {error}.", "It may come from another version."
        ) from error


@functools.cache
def _reader(cls: Any) -> Callable[[Json, Any], Any]:
    """cattrs' reader of a noun, found once."""
    return _CONVERTER.get_structure_hook(cls)


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
    simple_types = [
        member for member in typing.get_args(hint) if not dataclasses.is_dataclass(member)
    ]

    def read_value(value: Json, _hint: Any) -> Any:
        if isinstance(value, dict) and value.get("type") in nouns:
            cls = nouns[value["type"]]
            return _reader(cls)(value, cls)
        if value is None and type(None) in simple_types:
            return None
        if isinstance(value, tuple(simple_types)):
            return value
        raise TypeError(f"type must be one of {', '.join(sorted(nouns))}")

    return read_value


def _read_plain(value: Json, kind: type) -> Any:
    """A value of the kind that its field names, and no other: `3` is no text, `"3"` no number."""
    if isinstance(value, kind):
        return sys.intern(value) if type(value) is str else value  # ids and names come a lot
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    raise TypeError(f"{value!r:.60} is not {kind.__name__}")


def _stored_names(cls: Any) -> dict[str, Any]:
    """The fields of a noun that are stored under another name, with that name."""
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    return {
        field.name: override(rename=field.metadata[STORED_AS])
        for field in fields
        if STORED_AS in field.metadata
    }


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
    converter.register_structure_hook_factory(
        lambda cls: bool(_stored_names(cls)),
        lambda cls: make_dict_structure_fn(
            cls, converter, _cattrs_detailed_validation=False, **_stored_names(cls)
        ),
    )
    converter.register_unstructure_hook_factory(
        lambda cls: bool(_stored_names(cls)),
        lambda cls: make_dict_unstructure_fn(
            cls, converter, _cattrs_omit_if_default=True, **_stored_names(cls)
        ),
    )
    return converter


_CONVERTER = _converter()
