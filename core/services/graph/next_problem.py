"""Where on Review a statement that the gate holds back is settled: the address of a view that holds
the others of the same reason too, so that the next one follows.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.kb.gate.gate import ExportRejection, HoldReason
from core.model import Node, State
from core.services.review.queue import ALL, NEWS

NOTHING_TO_DO = frozenset({HoldReason.REJECTED, HoldReason.SUPERSEDED})
_QUEUES: dict[HoldReason, str] = {
    HoldReason.UNDECIDED: State.PROPOSED,
    HoldReason.UNSURE: State.UNSURE,
    HoldReason.REJECTED: State.REJECTED,
    HoldReason.SUPERSEDED: State.SUPERSEDED,
    HoldReason.WAITING: NEWS,
}


def review_address(rejection: ExportRejection) -> dict[str, str]:
    """The query of Review's address: the queue of this reason, with the statement in view.

    For a node that nothing approved leads to, everything said of that node: what leads to it is
    among it.
    """
    statement, why = rejection.statement, rejection.why
    if why in _QUEUES:
        view = {"state": str(_QUEUES[why])}
    elif why is HoldReason.UNREACHED and isinstance(statement.subject, Node):
        view = {"state": ALL, "thing": statement.subject.id}
    else:
        view = {"state": str(State.APPROVED), "held": str(why)}
    return {**view, "id": statement.id}


def queue_address(rejection: ExportRejection) -> dict[str, str]:
    """The same queue at its beginning, so that all of this reason follow in its order. Of a node
    that nothing leads to, the statement itself: the queue holds more than what is held.
    """
    address = review_address(rejection)
    if rejection.why is not HoldReason.UNREACHED:
        del address["id"]
    return address


def first_problem(rejections: Iterable[ExportRejection]) -> ExportRejection | None:
    """The first that a curator can solve; rejected and replaced ones are settled."""
    return next((rejection for rejection in rejections if rejection.why not in NOTHING_TO_DO), None)
