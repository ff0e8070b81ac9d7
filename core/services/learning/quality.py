"""How good the engines are, from the decisions of this project: precision with intervals,
calibration, time, corrections; and the decisions as a gold standard.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from core.desk_parts import HasStore
from core.errors import NotFound
from core.learning.feature import shipped_score
from core.learning.quality import CalibrationBin as CalibrationBin
from core.learning.quality import (
    PrecisionEstimate,
    calibration,
    calibration_error,
    median,
    precision,
)
from core.model import (
    Decision,
    Literal,
    State,
    Term,
    TextGround,
    Thing,
    Verdict,
    relation_words,
)
from core.review.statement_state import fold_log
from core.services.learning.rule_record import (
    RIGHT,
    machine_evidence,
    proposed_by_engine,
    was_right,
)
from core.services.support.shown_support import best_support
from core.store import QueueFilter, StatementRecord

CAUSES = re.compile(r"induc|caus", re.IGNORECASE)  # as `evaluate bc5cdr` reads predicates
BY = ("engine", "model", "schema", "predicate", "rule", "vocabulary")
PAUSE = 300.0  # seconds between two decisions beyond which a person did something else
MOST = 20_000  # the newest decided statements
_Relations = defaultdict[tuple[str, str], set[tuple[str, str, str]]]  # by document and text


@dataclass(frozen=True, slots=True)
class QualityRow:
    """Proposals of one engine, model, … that were decided."""

    name: str
    precision: PrecisionEstimate


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """What people changed: which part, from what to what, and how often."""

    part: str
    before: str
    after: str
    count: int


@dataclass(frozen=True, slots=True)
class EngineQuality:
    """Everything that the page shows. `groups` holds rows for each of `BY`; `seconds` is the middle
    of the time per decision, None where there is none to tell; `cut`: older ones were left out.
    """

    decided: int
    overall: PrecisionEstimate
    groups: dict[str, tuple[QualityRow, ...]]
    bins: tuple[CalibrationBin, ...]
    error: float
    seconds: float | None
    corrections: tuple[CorrectionRow, ...]
    reasons: tuple[tuple[str, int], ...]
    cut: bool = False
    support_bins: tuple[CalibrationBin, ...] = ()  # of the judges of support, the same way
    support_error: float = 0.0


def engine_quality(desk: HasStore) -> EngineQuality:
    """From what engines proposed and people decided; what people marked themselves is left out."""
    decided = decided_statements(desk)
    records = [record for record in decided if proposed_by_engine(record)]
    runs = _runs(desk)
    tallies: dict[str, dict[str, list[int]]] = {by: defaultdict(lambda: [0, 0]) for by in BY}
    for record in records:
        for by, names in _groups(record, runs).items():
            for name in names:
                tallies[by][name][0] += was_right(record)
                tallies[by][name][1] += 1
    bins = calibration(
        (shipped_score(machine_evidence(record)), was_right(record)) for record in records
    )
    judged = desk.store.support.of_statements([record.id for record in records])
    support_bins = calibration(
        (best.probability, was_right(record))
        for record in records
        if (best := best_support(judged.get(record.id, {}), record.evidence))
    )
    right = sum(was_right(record) for record in records)
    deciding = [fold_log(record.evidence, record.decisions).deciding for record in records]
    reasons = Counter(str(decision.reason) for decision in deciding if decision and decision.reason)
    return EngineQuality(
        len(records),
        precision(right, len(records)),
        {by: _rows(tally) for by, tally in tallies.items()},
        bins=tuple(bins),
        error=calibration_error(bins),
        seconds=median(list(_times(desk.store.statements.decisions(limit=MOST)))),
        corrections=tuple(_corrections(desk, records)),
        reasons=tuple(reasons.most_common()),
        cut=len(decided) == MOST,
        support_bins=tuple(support_bins),
        support_error=calibration_error(support_bins),
    )


def decisions_stamp(desk: HasStore) -> str:
    """Changes with every decision and every proposal."""
    decision, statement = desk.store.rankings.moment()
    return f"{decision}-{statement}"


def decided_statements(desk: HasStore) -> list[StatementRecord]:
    """Statements with a verdict in force, as they were proposed; the newest where there are very
    many.
    """
    return desk.store.queue.records(QueueFilter(states=tuple(RIGHT)), limit=MOST, newest=True)[::-1]


def gold_lines(desk: HasStore) -> Iterator[str]:
    """The decisions as JSON lines, one a text, that `evaluate bc5cdr --input` reads: {id, text,
    relations, rejected}. A relation is {type, chemical, disease, predicate}: the CURIEs of subject
    and object; its type is CID where the subject is said to cause the object. What
    people marked themselves is among them; what they denied is not, nor are texts that an import
    quotes and that are not in this project: `unseen_texts` counts them.
    """
    right, wrong = _by_text(desk)
    for document, version in sorted({*right, *wrong}):
        if not (text := _text(desk, document, version)):
            continue
        said, denied = right[document, version], wrong[document, version]
        line = {
            "id": document,
            "text": text,
            "relations": [_gold_relation(relation) for relation in sorted(said)],
            "rejected": [_gold_relation(relation) for relation in sorted(denied - said)],
        }
        yield json.dumps(line, ensure_ascii=False)


def unseen_texts(desk: HasStore) -> int:
    """How many texts with decisions on them a gold standard leaves out."""
    right, wrong = _by_text(desk)
    return sum(not _text(desk, *key) for key in {*right, *wrong})


def _text(desk: HasStore, document: str, version: str) -> str:
    """ "" where the project does not have it."""
    try:
        return desk.store.documents.text(version, document).text
    except NotFound:
        return ""


def _by_text(desk: HasStore) -> tuple[_Relations, _Relations]:
    """The relations that people approved and those that they rejected, of each text."""
    right: _Relations = defaultdict(set)
    wrong: _Relations = defaultdict(set)
    for record in desk.store.queue.records(QueueFilter(states=(State.APPROVED, State.REJECTED))):
        claim = record.statement
        if not isinstance(claim.subject, Term) or not isinstance(claim.object, Term):
            continue
        if claim.negated or not claim.subject.id or not claim.object.id:
            continue
        table = right if record.state is State.APPROVED else wrong
        relation = (claim.subject.id, claim.object.id, claim.predicate.label or claim.predicate.id)
        approved = record.state is State.APPROVED
        folded = fold_log(record.evidence, record.decisions)
        for piece in folded.accepted if approved else record.evidence:
            if isinstance(piece.ground, TextGround):
                table[piece.ground.document, piece.ground.version].add(relation)
    return right, wrong


def _gold_relation(relation: tuple[str, str, str]) -> dict[str, str]:
    subject, object_, predicate = relation
    kind = "CID" if CAUSES.search(predicate) else predicate
    return {"type": kind, "chemical": subject, "disease": object_, "predicate": predicate}


def _rows(tally: dict[str, list[int]]) -> tuple[QualityRow, ...]:
    rows = [QualityRow(name, precision(*counts)) for name, counts in tally.items() if name]
    return tuple(sorted(rows, key=lambda row: (-row.precision.decided, row.name)))


def _groups(record: StatementRecord, runs: dict[str, tuple[str, str]]) -> dict[str, set[str]]:
    statement, evidence = record.statement, machine_evidence(record)
    sources = [runs[id] for id in record.runs if id in runs]
    ends = (statement.subject, statement.object)
    return {
        "engine": {piece.engine for piece in evidence},
        "model": {model for model, _ in sources},
        "schema": {schema for _, schema in sources},
        "predicate": {relation_words(statement.predicate)},
        "rule": {piece.rule for piece in evidence},
        "vocabulary": {end.id.partition(":")[0] for end in ends if isinstance(end, Term)},
    }


def _runs(desk: HasStore) -> dict[str, tuple[str, str]]:
    """Run → model and schema."""
    return {run.id: (run.model, run.schema) for run in desk.store.runs.find(limit=MOST)}


def _times(log: list[Decision]) -> Iterator[float]:
    """Seconds from one decision of a person to their next, where they went on without a pause. A
    batch is one gesture.
    """
    last_by_curator: dict[str, Decision] = {}
    for decision in log:
        if decision.verdict is Verdict.UNDO:
            continue
        before = last_by_curator.get(decision.curator)
        last_by_curator[decision.curator] = decision
        if before is None or (decision.batch and decision.batch == before.batch):
            continue
        seconds = (_moment(decision.time) - _moment(before.time)).total_seconds()
        if 0 < seconds <= PAUSE:
            yield seconds


def _moment(time: str) -> datetime:
    return datetime.fromisoformat(time.replace("Z", "+00:00"))


def _corrections(desk: HasStore, records: list[StatementRecord]) -> list[CorrectionRow]:
    counts: Counter[tuple[str, str, str]] = Counter()
    replaced = {
        decision.replacement: record
        for record in records
        for decision in record.decisions
        if record.state is State.SUPERSEDED and decision.replacement and not was_right(record)
    }
    for record in desk.store.statements.of_ids(list(replaced)):
        before, after = replaced[record.id].statement, record.statement
        for part in ("subject", "predicate", "object"):
            words = _relation_words if part == "predicate" else _thing_words
            old, new = words(getattr(before, part)), words(getattr(after, part))
            if old != new:
                counts[part, old, new] += 1
        if before.negated != after.negated:
            negation_words = ("affirmed", "denied")
            counts[
                "negation",
                negation_words[bool(before.negated)],
                negation_words[bool(after.negated)],
            ] += 1
    return [
        CorrectionRow(*kind_before_after, count)
        for kind_before_after, count in counts.most_common()
    ]


def _relation_words(predicate: Term) -> str:
    words = relation_words(predicate)
    return f"{words} ({predicate.id})" if predicate.id and predicate.label else words


def _thing_words(thing: Thing) -> str:
    if isinstance(thing, Literal):
        return f"{thing.value} {thing.unit}".strip()
    return f"{thing.label} ({thing.id})" if thing.id else thing.label
