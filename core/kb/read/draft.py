"""JSON, JSON Lines and YAML drafts back into statements and evidence, as `extract` writes them; all
are proposals.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import yaml

from core.errors import InputError
from core.kb.read.rdf import ReadStatements
from core.kb.read.unread import MOST, UnreadParts
from core.model import (
    Category,
    Evidence,
    Json,
    Literal,
    Modality,
    Node,
    Qualifier,
    Span,
    Statement,
    Term,
    TextGround,
    Thing,
)
from core.text import yaml_guard
from core.text.json_fault import json_fault

MAX_DRAFT = 50_000_000  # bytes
NOT_OURS = "It is not in the form in which `extract` writes statements."
SUFFIXES = (".json", ".jsonl", ".yaml", ".yml")
Proposal = tuple[Statement, tuple[Evidence, ...]]


def read_draft(content: bytes, suffix: str) -> ReadStatements:
    """The statements of a draft, and what of it could not be read. Raises InputError when it is
    none.
    """
    if len(content) > MAX_DRAFT:
        raise InputError(f"The file has more than {MAX_DRAFT:,} bytes.", "Split it.")
    proposals: dict[str, Proposal] = {}
    unread = UnreadParts()
    for number, row in enumerate(_rows(content, suffix), 1):
        try:
            statement, evidence = _proposal(row)
            _, before = proposals.get(statement.id, (statement, ()))
            proposals[statement.id] = (statement, tuple(dict.fromkeys((*before, *evidence))))
        except InputError as error:
            unread.add(str(error), f"statement {number}")
        except (ValueError, TypeError, KeyError, AttributeError):
            unread.add(NOT_OURS, f"statement {number}")
        if unread.too_many:
            raise InputError(
                f"More than {MOST:,} statements of this file cannot be read, the first because:"
                f" {unread.first_reason}",
                "Give a draft that `extract` wrote.",
            )
    if not proposals and not unread:
        raise InputError("This file contains no statements.", "Give a draft that `extract` wrote.")
    return ReadStatements(tuple(proposals[name] for name in sorted(proposals)), unread.problems())


def _rows(content: bytes, suffix: str) -> Iterator[Json]:
    try:
        text = content.decode("utf-8-sig")
        if suffix == ".jsonl":
            yield from (json.loads(line) for line in text.split("\n") if line.strip())
            return
        draft = json.loads(text) if suffix == ".json" else yaml_guard.load_yaml(text)
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        raise InputError(
            f"This {suffix[1:].upper()} cannot be read: {json_fault(error)}.",
            "Give a draft that `extract` wrote.",
        ) from error
    statements = draft.get("statements") if isinstance(draft, dict) else draft
    if not isinstance(statements, list):
        raise InputError("This file contains no statements.", "Give a draft that `extract` wrote.")
    yield from statements


def _proposal(row: Json) -> Proposal:
    subject, predicate = _thing(row["subject"]), _thing(row["predicate"])
    if isinstance(subject, Literal) or not isinstance(predicate, Term):
        raise InputError("The subject and the predicate of a statement must be things, not values.")
    evidence = row.get("evidence", [])
    statement = Statement(
        subject,
        predicate,
        _thing(row["object"]),
        negated=row.get("negated", False) is True,
        modality=Modality(row.get("modality", Modality.ASSERTED)),
        qualifiers=tuple(_qualifier(qualifier) for qualifier in row.get("qualifiers", [])),
        document=_text(
            row.get("document")
            or next((piece["document"] for piece in evidence if piece.get("document")), "")
        ),
    )
    if row.get("id") not in (None, statement.id):
        raise InputError("Its id does not match its content: the file was changed by hand.")
    return statement, tuple(_evidence(piece, statement) for piece in evidence if "quote" in piece)


def _qualifier(row: Mapping[str, Json]) -> Qualifier:
    value = _thing(row["value"])
    if isinstance(value, Node):
        raise InputError("A qualifier must be a term or a value.")
    return Qualifier(_text(row["name"]), value)


def _thing(row: Mapping[str, Json]) -> Thing:
    if "node" in row:
        return Node(
            _text(row["node"]), _text(row["class"]), _text(row.get("label", "")), _category(row)
        )
    if "value" in row:
        return Literal(
            _text(row["value"]),
            _text(row.get("datatype", "xsd:string")),
            _text(row.get("unit", "")),
        )
    return Term(_text(row["id"] or ""), _text(row["label"]), _category(row))


def _category(row: Mapping[str, Json]) -> Category:
    return Category(row.get("category", Category.THING))


def _evidence(row: Mapping[str, Json], statement: Statement) -> Evidence:
    start, end = row["start"], row["end"]
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        raise InputError("The place of its quote must be two numbers, the smaller first.")
    ground = TextGround(
        _text(row["document"]), _text(row["version"]), Span(start, end), _text(row["quote"])
    )
    path, engine = _text(row.get("path", "")), _text(row.get("engine", ""))
    return Evidence(
        statement.id, ground, path=path, engine=engine, score=float(row.get("score", 1.0))
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise InputError(f"A {type(value).__name__} was found where text is expected.")
    return value
