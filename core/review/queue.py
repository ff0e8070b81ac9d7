"""Who is reviewed together: the statements of one Node, in the order of the text they came from."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.model import Evidence, Node, RecordGround, Statement, TextGround

Piece = tuple[Statement, tuple[Evidence, ...]]


def nodes_in(statement: Statement) -> tuple[Node, ...]:
    """The nodes that a statement is about, subject first."""
    nodes = (thing for thing in (statement.subject, statement.object) if isinstance(thing, Node))
    return tuple(dict.fromkeys(nodes))


def node_group(statement: Statement) -> Node | None:
    """The node whose statements belong together with this one: its subject, or the one that it
    introduces.
    """
    nodes = nodes_in(statement)
    return nodes[0] if nodes else None


def order_of_node(pieces: Iterable[Piece], node: str) -> list[Statement]:
    """A node's statements: first those that lead to it, then its own in the order of the tree."""
    return [
        statement
        for statement, _ in sorted(
            pieces, key=lambda piece: (order_in_queue(piece, node), piece[0].id)
        )
    ]


def order_in_queue(piece: Piece, node: str) -> tuple[bool, tuple[tuple[int, str], ...], int]:
    statement, evidence = piece
    own = isinstance(statement.subject, Node) and statement.subject.id == node
    path = min((tree_order(e.path) for e in evidence), default=())
    return own, path, min((evidence_start(e) for e in evidence), default=0)


def tree_order(path: str) -> tuple[tuple[int, str], ...]:
    """Sorts `steps[2]` before `steps[10]`."""
    parts = re.findall(r"\d+|[^\d\[\].]+", path)
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)


def evidence_start(evidence: Evidence) -> int:
    match evidence.ground:
        case TextGround(span=span):
            return span.start
        case RecordGround():
            return 0
    return 0
