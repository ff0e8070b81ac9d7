"""A store in a folder of its own, and small nouns to keep in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.model import Category, Decision, Evidence, Span, Statement, Term, TextGround, Verdict
from core.store import Store


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'groundwork.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = Store(url)
    yield opened
    opened.close()


TREATS = Term("biolink:treats", "treats", Category.RELATION)


def claim(n: int = 1, **changes: object) -> Statement:
    """Statement number n: another disease each time."""
    subject = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)
    return Statement(
        subject, TREATS, Term(f"MONDO:{n}", f"disease {n}", Category.DISEASE), **changes
    )  # type: ignore[arg-type]


def ground(statement: Statement, start: int = 0, document: str = "doc:1") -> Evidence:
    return Evidence(
        statement.id, TextGround(document, "sha", Span(start, start + 7), "aspirin"), engine="test"
    )


def verdict(
    statement: Statement, version: int, verdict: Verdict = Verdict.APPROVE, id: str = "d1"
) -> Decision:
    return Decision(
        id, statement.id, version, verdict, "0000-0002-1825-0097", "2026-11-20T12:00:00.000Z"
    )
