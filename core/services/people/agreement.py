"""Who judged what differently: statements to look at again, and agreement of each two people."""

from __future__ import annotations

from dataclasses import dataclass

from core.desk_parts import HasStore
from core.model import Decision, Role, Statement, TextGround, relation_words
from core.review.disagreement import agreements, disagreements, settled_by
from core.services.people.blind import blind_reader, is_hidden
from core.services.people.roles import list_people
from core.store import StatementRecord


@dataclass(frozen=True, slots=True)
class DifferentReadings:
    """A statement that people judged differently, with what each said last, and its quotes."""

    statement: Statement
    readings: tuple[Decision, ...]
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """Two people on one predicate ("" for all): statements judged by both, the share judged alike
    (0 to 1) and Cohen's kappa, None where chance alone explains everything.
    """

    first_person: str
    second_person: str
    predicate: str
    both: int
    share: float
    kappa: float | None


def to_settle(desk: HasStore, reader: str | None = None) -> list[DifferentReadings]:
    """Statements that people judged differently, as they were proposed, and that no reviewer who is
    neither of them settled; without those that a blind `reader` has still to judge.
    """
    reviewers = {
        person.orcid for person in list_people(desk) if person.role in (Role.REVIEWER, Role.OWNER)
    }
    blind = blind_reader(desk, reader) is not None
    records = {
        record.id: record
        for record in _judged_by_several(desk)
        if not is_hidden(record, reader or "", blind)
        and settled_by(record.decisions) not in reviewers
    }
    differing = disagreements((id, record.decisions) for id, record in records.items())
    return [
        DifferentReadings(
            records[disagreement.statement].statement,
            disagreement.last,
            _quotes(records[disagreement.statement]),
        )
        for disagreement in differing
    ]


def agreement_of_pairs(desk: HasStore) -> list[AgreementRow]:
    """Agreement of every two people who judged the same statements."""
    names = {curator.orcid: curator.name or curator.orcid for curator in desk.store.curators.all()}
    logs = [
        (record.id, relation_words(record.statement.predicate), record.decisions)
        for record in _judged_by_several(desk)
    ]
    return [
        AgreementRow(
            names.get(pair.first_person, pair.first_person),
            names.get(pair.second_person, pair.second_person),
            pair.predicate,
            both=pair.agreement.both,
            share=pair.agreement.share,
            kappa=pair.agreement.kappa,
        )
        for pair in agreements(logs)
    ]


def _quotes(record: StatementRecord) -> tuple[str, ...]:
    grounds = [piece.ground for piece in record.evidence]
    return tuple(ground.quote for ground in grounds if isinstance(ground, TextGround))


def _judged_by_several(desk: HasStore) -> list[StatementRecord]:
    return desk.store.statements.of_ids(desk.store.queue.judged_by_several())
