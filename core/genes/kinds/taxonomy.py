"""What NCBI's taxonomy says of an organism: its number, names and rank."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.gene_record import answer_with_values
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database
from core.ncbi.call import NcbiDatabase, Search, Summary
from core.ncbi.record import NcbiRecord

ASKED = (  # what is asked for, and the field that says it; the number where none is named
    (r"\brank(?:ed|s)?\b", "rank"),
    (r"\b(?:common|everyday|english|vernacular) names?\b", "commonname"),
    (r"\b(?:scientific|latin|binomial|species) names?\b", "scientificname"),
    (r"\b(?:which|what) (?:organism|species|animal)\b", "scientificname"),
    (r"\bdivision\b", "division"),
)  # fmt: skip


def requested_field(words: str) -> str:
    return next((field for pattern, field in ASKED if re.search(pattern, words, re.I)), "uid")


def is_named(record: NcbiRecord, name: str) -> bool:
    """Whether the record bears the name, or the number."""
    known_names = (record.get("scientificname"), record.get("commonname"), record.get("uid"))
    singular = name.casefold().removesuffix("s")
    return any(
        str(known_name).casefold().removesuffix("s") == singular
        for known_name in known_names
        if known_name
    )


def value_of(record: NcbiRecord, call: str, words: str) -> AnswerValue | None:
    name = requested_field(words)
    raw = str(record.get(name))
    if not raw:
        return None
    value = record.id if name == "uid" else raw
    label = str(record.get("scientificname") or record.id)
    own = RecordProof(call, record.id, record.pointers.get("uid", ""), str(record.get("uid")))
    at, labelled_end = record.pointers[name], StatementEnd(label, record.id)
    return AnswerValue(
        value,
        record.id,
        at,
        raw=raw,
        call=call,
        subject=labelled_end,
        object=StatementEnd(value),
        ties=(own,),
    )


def organism_ids(session: NcbiSession) -> tuple[str, ...]:
    """The number that was asked about, or those that NCBI's taxonomy finds by the name."""
    name = session.question.subject
    if name.isdigit():
        return (name,)
    search = session.ask(Search(NcbiDatabase.TAXONOMY, name), f"Organisms called {name}.")
    ids = search.reading.ids
    if search.reading.count > len(ids):
        session.lack(f"{len(ids)} of {search.reading.count} organisms read")
    return ids


def named_records(session: NcbiSession, records: Sequence[NcbiRecord]) -> list[NcbiRecord]:
    """The records that bear the name; the only one that was found also where it does not, since
    NCBI's index of names knows more names than a record.
    """
    name = session.question.subject
    matching = [record for record in records if is_named(record, name)]
    if not matching and len(records) == 1:
        matching = list(records)
        session.note(
            f"NCBI's taxonomy finds {matching[0].get('scientificname')} by the name {name}."
        )
    return matching


def plan(session: NcbiSession) -> GeneAnswer:
    """One call for a number, two for a name."""
    name = session.question.subject
    ids = organism_ids(session)
    if not ids:
        return session.not_found(f"NCBI's taxonomy knows no organism called {name}.")
    answer = session.ask(Summary(NcbiDatabase.TAXONOMY, ids), "What these organisms are.")
    session.gaps += [dropped.record for dropped in answer.reading.dropped]
    matching = named_records(session, answer.records)
    if not matching:
        return session.not_found(f"None of {len(answer.records)} organisms is called {name}.")
    for record in matching:
        about = ", ".join(filter(None, (record.text("commonname"), record.text("rank"))))
        session.note(f"{record.id}: {record.get('scientificname')} ({about}).")
    if len(matching) > 1:
        session.note(f"{name} is the name of several organisms.")
        return session.answer(AnswerStatus.AMBIGUOUS, [record.id for record in matching])
    value = value_of(matching[0], answer.stored, session.question.text)
    return answer_with_values(
        session, [value] if value else [], f"The record of {name} does not state that."
    )


def rule(session: NcbiSession) -> Iterator[AnswerValue]:
    for record, step in records_of_database(session, "taxonomy"):
        value = value_of(record, step.call, session.question.text)
        if value and is_named(record, session.question.subject):
            yield value


KIND = GeneKind(
    "taxonomy of an organism",
    Topic.ORGANISM,
    "What is the NCBI taxonomy ID of zebrafish?",
    plan=plan,
    claim="",
    needs=("taxonomy",),
    rule=rule,
    words=(
        r"\btaxonom\w+\b|\btax(?:on)?[ -]?ids?\b|\btaxid\b|\btaxon\b"
        r"|\b(?:scientific|latin|binomial|common|vernacular) names?\b"
    ),
    one_value=True,
    whole_text=True,
)
