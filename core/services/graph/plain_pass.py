"""The short way through the gate: what one person approved, with proven quotes and proven ids,
passes as it is stored, without being made into nouns.

It says *passes* only where the gate itself would, without a remark; about everything else it says
nothing, and the gate looks at it (`core.kb.gate`). Both are compared in the tests.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.errors import InputError
from core.kb.rdf import iri
from core.model import ENDS, Json, Term, Verdict
from core.services.graph.authority import ProjectIds, StoredSources
from core.store.plain_approval import PlainApproval

Names = tuple[str, str]  # a term's id and label


class PlainPass:
    """Remembers which ids are proven and which datatypes are known."""

    def __init__(self, sources: StoredSources, ids: ProjectIds, prefixes: Mapping[str, str]):
        self._sources, self._ids, self._prefixes = sources, ids, prefixes
        self._proven: dict[Names, bool] = {}
        self._called: dict[Names, bool] = {}  # predicates that go by their label
        self._known: dict[str, bool] = {}  # CURIEs that have an IRI

    def bodies(self, approvals: Iterable[PlainApproval]) -> Iterator[tuple[PlainApproval, str]]:
        """Those that pass, each with its entry as the gate's memory stores it."""
        parsed = [
            (plain_approval, json.loads(plain_approval.statement)) for plain_approval in approvals
        ]
        self._ids.prove(
            id_and_label for _, statement_json in parsed for id_and_label in _ends(statement_json)
        )
        for approval, statement_json in parsed:
            try:
                passes = self._passes(approval, statement_json)
            except (KeyError, TypeError, AttributeError):  # not as we write it
                continue
            if passes:
                yield approval, _body(approval)

    def _passes(self, approval: PlainApproval, statement_json: Json) -> bool:
        decision = json.loads(approval.decision)
        pieces = [json.loads(piece) for piece in approval.evidence]
        return (
            decision["verdict"] == str(Verdict.APPROVE)
            and not decision.get("evidence")
            and decision["version"] == len(pieces)  # the curator saw them all
            and bool(pieces)
            and all(map(self._is_proven, pieces))
            and any(piece.get("path") != ENDS for piece in pieces)
            and self._predicate_is_fine(statement_json["predicate"])
            and all(map(self._is_fine, _values(statement_json)))
        )

    def _is_proven(self, piece: Json) -> bool:
        """Whether it is a quote that its text holds, or a typed reference."""
        ground = piece["ground"]
        if ground["type"] == "TextGround":
            text, quote, span = (
                self._sources.text(ground["version"]),
                ground["quote"],
                ground["span"],
            )
            return (
                text is not None
                and bool(quote.strip())
                and text[span["start"] : span["end"]] == quote
            )
        return ground["type"] == "ReferenceGround" and bool(ground["reference"].strip())

    def _is_fine(self, thing: Json) -> bool:
        """Whether it is a proven term, or a value of a known datatype."""
        if thing["type"] == "Literal":
            datatype = thing.get("datatype", "")
            return not datatype or self._is_known(datatype)
        return thing["type"] == "Term" and self._term_is_fine((thing["id"], thing["label"]))

    def _term_is_fine(self, id_and_label: Names) -> bool:
        if id_and_label not in self._proven:
            is_known = bool(id_and_label[0]) and self._is_known(id_and_label[0])
            self._proven[id_and_label] = is_known and not self._ids.of_term(Term(*id_and_label))
        return self._proven[id_and_label]

    def _predicate_is_fine(self, predicate: Json) -> bool:
        id_and_label = (predicate["id"], predicate["label"])
        if id_and_label not in self._called:
            is_called = not self._ids.of_predicate(Term(*id_and_label))
            self._called[id_and_label] = is_called and self._is_known(predicate["id"])
        return self._called[id_and_label]

    def _is_known(self, curie: str) -> bool:
        if curie not in self._known:
            try:
                self._known[curie] = bool(iri.term_iri(curie, self._prefixes))
            except InputError:
                self._known[curie] = False
        return self._known[curie]


def _values(statement_json: Json) -> Sequence[Json]:
    """Subject, object and the qualifiers' values."""
    return [
        statement_json["subject"],
        statement_json["object"],
        *(qualifier["value"] for qualifier in statement_json.get("qualifiers", ())),
    ]


def _ends(statement_json: Json) -> Iterator[Names]:
    """Ids and labels of subject and object, where they are terms."""
    for end in (statement_json.get("subject", {}), statement_json.get("object", {})):
        if end.get("type") == "Term" and end.get("id"):
            yield end["id"], end.get("label", "")


def _body(approval: PlainApproval) -> str:
    """The same JSON that `gate_memory.stored_result` makes of its entry."""
    evidence = ",".join(approval.evidence)
    return (
        f'{{"statement":{approval.statement},"evidence":[{evidence}],'
        f'"approvals":[{approval.decision}]}}'
    )
