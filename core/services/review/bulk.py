"""Many statements in one gesture: what it would do, then the deed. What is stale, gone or
unsupported is left out and told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.desk_parts import HasProjectTerms, HasStore
from core.errors import NotFound, Refused
from core.kb.gate.proof import Sources, is_supported, source_is_missing
from core.model import Curator, Decision, Literal, State, Support, Verdict, json_digest
from core.services.review.authority import IdRemarks, StoredSources
from core.services.review.decision import Judgement, permitted_author
from core.services.support.evidence_support import judge_statements
from core.services.support.shown_support import best_support, support_words
from core.store import QueueFilter, StatementRecord

MOST_IN_BATCH = 2_000
MOST_UNSEEN = 10  # statements that may be decided in one gesture without a preview
SAMPLES = 10  # statements that a preview shows


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What a batch did: decisions made, and what was left out with the reason."""

    id: str
    done: tuple[Decision, ...]
    left: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class BatchPreview:
    """What a batch would do: how many it decides, samples of them, and what it leaves out and why.
    `id` is what `decide_many` wants to see for more than a handful.
    """

    id: str
    judgement: Judgement
    seen: tuple[tuple[str, int], ...]
    count: int
    samples: tuple[StatementRecord, ...]
    left: tuple[tuple[StatementRecord, str], ...]
    unsure: int = 0  # of `count`, those that somebody set aside


def preview_many(
    desk: HasProjectTerms, seen_versions: Iterable[tuple[str, int]], judgement: Judgement
) -> BatchPreview:
    """What `decide_many` would do, without doing it. Samples are spread over the whole batch."""
    judgement = judgement.checked()
    batch = _batch_of(seen_versions)
    records = desk.store.statements.of_ids([statement for statement, _ in batch])
    versions, sources = dict(batch), StoredSources(desk.store)
    remarks = IdRemarks(desk, records)
    judged = _judged(desk, records, judgement)
    good: list[StatementRecord] = []
    left_out: list[tuple[StatementRecord, str]] = []
    for record in records:
        why = "It changed since it was shown." if record.version != versions[record.id] else ""
        if not why and judgement.verdict is Verdict.APPROVE:
            try:
                need_support(record, sources, judged.get(record.id))
                remarks.need_own_names(record.statement)
            except Refused as error:
                why = str(error)
        if why:
            left_out.append((record, why))
        else:
            good.append(record)
    step = max(len(good) / SAMPLES, 1)
    places = sorted({int(n * step) for n in range(SAMPLES) if int(n * step) < len(good)})
    samples = tuple(good[place] for place in places)
    token = _preview_id(batch, judgement)
    unsure = sum(record.state is State.UNSURE for record in good)
    return BatchPreview(
        token,
        judgement,
        tuple(batch),
        count=len(good),
        samples=samples,
        left=tuple(left_out),
        unsure=unsure,
    )


def _judged(
    desk: HasProjectTerms, records: Sequence[StatementRecord], judgement: Judgement
) -> dict[str, dict[str, Support]]:
    """What the judges of support say; asked only of what is to be approved."""
    if judgement.verdict is not Verdict.APPROVE:
        return {}
    return judge_statements(desk, [record.id for record in records])


def _preview_id(batch: Sequence[tuple[str, int]], judgement: Judgement) -> str:
    judgement_parts = [str(judgement.verdict), str(judgement.reason or ""), judgement.note]
    return json_digest([[list(pair) for pair in batch], judgement_parts])


def _batch_of(seen_versions: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    batch = list(dict.fromkeys(seen_versions))
    if len(batch) > MOST_IN_BATCH:
        raise Refused(
            f"A batch can have at most {MOST_IN_BATCH:,} statements.", "Narrow the filter."
        )
    return batch


def statements_alike(desk: HasStore, record: StatementRecord, by: str) -> list[tuple[str, int]]:
    """Statements that wait and share with this one what `by` says: `pair` (subject and object),
    `subject`, `object`, `predicate` or `rule` (of an engine, on any piece of evidence); each as
    (id, version), in the order of the queue.
    """
    statement = record.statement
    subject, object_ = statement.subject, statement.object
    waiting = QueueFilter(states=(State.PROPOSED, State.UNSURE))
    if by == "predicate":
        filters = [replace(waiting, predicate=statement.predicate.id)]
    elif by == "rule":
        rules = dict.fromkeys(piece.rule for piece in record.evidence if piece.rule)
        filters = [replace(waiting, rule=rule) for rule in rules]
    else:
        thing = object_ if by == "object" else subject
        if isinstance(thing, Literal) or not thing.id:
            return []
        filters = [replace(waiting, thing=thing.id)]
    claims = {
        id: (version, claim)
        for narrowed in filters
        for id, version, claim in desk.store.queue.seen_claims(narrowed, limit=MOST_IN_BATCH)
    }
    return [
        (id, version)
        for id, (version, claim) in claims.items()
        if by in ("predicate", "rule")
        or (by == "subject" and claim.subject == subject)
        or (by == "object" and claim.object == object_)
        or (claim.subject == subject and claim.object == object_)
    ]


def decide_many(
    desk: HasProjectTerms,
    seen_versions: Iterable[tuple[str, int]],
    judgement: Judgement,
    curator: Curator,
    *,
    preview: str = "",
) -> BatchResult:
    """One judgement on many statements, each as (id, version seen), undone in one gesture. More
    than `MOST_UNSEEN` of them need the `preview` of this very batch: what `preview_many` gave.

    What is stale or gone is left out and told; unsupported statements, and those with an id that
    means something else than its label says, are never approved in bulk
    (docs/architecture.md, Contracts).
    """
    judgement = judgement.checked()
    chosen = _batch_of(seen_versions)
    if len(chosen) > MOST_UNSEEN and preview != _preview_id(chosen, judgement):
        raise Refused(
            f"More than {MOST_UNSEEN} statements are decided at once only after a preview.",
            "Look at the preview, then decide.",
        )
    batch, sources = desk.new_id(), StoredSources(desk.store)
    decider = permitted_author(desk, curator)
    records = {
        record.id: record
        for record in desk.store.statements.of_ids([statement for statement, _ in chosen])
    }
    remarks = IdRemarks(desk, records.values())
    judged = _judged(desk, list(records.values()), judgement)
    outcomes: list[tuple[Decision, State, bool]] = []
    left_out: list[tuple[str, str]] = []
    for statement, version in chosen:
        try:
            record = known_record(records, statement)
            if judgement.verdict is Verdict.APPROVE:
                need_support(record, sources, judged.get(record.id))
                remarks.need_own_names(record.statement)
        except (NotFound, Refused) as error:
            left_out.append((statement, str(error)))
            continue
        decision = decider.decision(statement, version, judgement.verdict)
        decision = replace(decision, reason=judgement.reason, note=judgement.note, batch=batch)
        after = decider.refolded(record, decision)
        outcomes.append((decision, after.state, after.has_news))
    late = desk.store.statements.decide_many(outcomes)
    left_out += [
        (decision.statement, str(late[decision.id]))
        for decision, _, _ in outcomes
        if decision.id in late
    ]
    return BatchResult(
        batch,
        tuple(decision for decision, _, _ in outcomes if decision.id not in late),
        tuple(left_out),
    )


def known_record(records: Mapping[str, StatementRecord], statement: str) -> StatementRecord:
    if statement not in records:
        raise NotFound(f"No statement {statement[:80]} is stored in this project.")
    return records[statement]


def need_support(
    record: StatementRecord, sources: Sources, said: Mapping[str, Support] | None = None
) -> None:
    """Raises Refused where nothing proves the statement, or what proves it does not say it."""
    if any(is_supported(piece, sources) for piece in record.evidence):
        support = best_support(said or {}, record.evidence)
        if support and support.held:
            raise Refused(support_words(support), "Open it and decide it on its own.")
        return
    if any(source_is_missing(piece, sources) for piece in record.evidence):
        raise Refused(
            "The quoted text is not in this project.",
            "Open it and paste the text, then decide.",
        )
    raise Refused(
        "It has neither a proven quote nor a recorded answer.", "Open it and decide it on its own."
    )
