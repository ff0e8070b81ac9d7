"""Columns as every database takes them: JSON, text without deceptive signs, flags and numbers."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Boolean, Column, Float, Integer, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from core.model import Json
from core.text.clean import without_deceptive_signs

_dense = json.JSONEncoder(separators=(",", ":")).encode  # made once: `json.dumps` makes one a call


class JsonText(TypeDecorator[Json]):
    """JSON as ASCII text: the same in every database, and safe for NUL and lone surrogates."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Json, dialect: Dialect) -> str | None:
        return None if value is None else _dense(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Json:
        return None if value is None else json.loads(value)


class PortableText(TypeDecorator[str]):
    """Text that any database takes, without signs that deceive (`without_deceptive_signs`)."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else without_deceptive_signs(value)


class FixedText(TypeDecorator[str]):
    """A text as it was fixed at entry; NUL and lone surrogates, which it has none of, would become
    U+FFFD.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return value.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def words(name: str, **options: Any) -> Column[str]:
    return Column(name, PortableText, nullable=False, server_default="", **options)


def flag(name: str, default: bool = False) -> Column[bool]:
    return Column(name, Boolean, nullable=False, default=default)


def count(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, default=0)


def number(name: str, default: str) -> Column[float]:
    return Column(name, Float, nullable=False, server_default=default)


def key(name: str = "id") -> Column[str]:
    return Column(name, PortableText, primary_key=True)


def order() -> Column[int]:
    """Rows in the order they were added."""
    return Column("seq", Integer, primary_key=True, autoincrement=True)
