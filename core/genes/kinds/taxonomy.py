"""What NCBI's taxonomy says of an organism: its number, names and rank."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.genes.answer import AnswerStatus, AnswerValue, Asking, GeneAnswer, RecordProof, Thing
from core.genes.kinds.gene_record import told
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.verification.evidence_rules import value_is_held
from core.ncbi.call import NcbiDatabase, Search, Summary
from core.ncbi.record import NcbiRecord

ASKED = (  # what is asked for, and the field that says it; the number where none is named
    (r"\brank(?:ed|s)?\b", "rank"),
    (r"\b(?:common|everyday|english|vernacular) names?\b", "commonname"),
    (r"\b(?:scientific|latin|binomial|species) names?\b", "scientificname"),
    (r"\b(?:which|what) (?:organism|species|animal)\b", "scientificname"),
    (r"\bdivision\b", "division"),
)  # fmt: skip


def field_asked(words: str) -> str:
    return next((field for pattern, field in ASKED if re.search(pattern, words, re.I)), "uid")


def is_it(record: NcbiRecord, name: str) -> bool:
    """Whether the record bears the name, or the number."""
    known = (record.get("scientificname"), record.get("commonname"), record.get("uid"))
    singular = name.casefold().removesuffix("s")
    return any(str(one).casefold().removesuffix("s") == singular for one in known if one)


def value_of(record: NcbiRecord, call: str, words: str) -> AnswerValue | None:
    name = field_asked(words)
    raw = str(record.get(name))
    if not raw:
        return None
    value = record.id if name == "uid" else raw
    label = str(record.get("scientificname") or record.id)
    own = RecordProof(call, record.id, record.pointers.get("uid", ""), str(record.get("uid")))
    at, thing = record.pointers[name], Thing(label, record.id)
    return AnswerValue(value, record.id, at, raw, call, thing, Thing(value), "", (), (own,))


def plan(asking: Asking) -> GeneAnswer:
    """One call for a number, two for a name."""
    name = asking.question.subject
    ids: tuple[str, ...] = (name,)
    if not name.isdigit():
        found = asking.ask(Search(NcbiDatabase.TAXONOMY, name), f"Organisms called {name}.")
        ids = found.reading.ids
    if not ids:
        return asking.not_found(f"NCBI's taxonomy knows no organism called {name}.")
    answer = asking.ask(Summary(NcbiDatabase.TAXONOMY, ids), "What these organisms are.")
    asking.gaps += [one.record for one in answer.reading.dropped]
    known = [record for record in answer.records if is_it(record, name)]
    if not known and len(answer.records) == 1:  # NCBI's index of names holds more than a summary
        known = list(answer.records)
        asking.note(f"NCBI's taxonomy finds {known[0].get('scientificname')} by the name {name}.")
    if not known:
        return asking.not_found(f"None of {len(answer.records)} organisms is called {name}.")
    for one in known:
        about = ", ".join(filter(None, (one.text("commonname"), one.text("rank"))))
        asking.note(f"{one.id}: {one.get('scientificname')} ({about}).")
    if len(known) > 1:
        asking.note(f"{name} is the name of several organisms.")
        return asking.answer(AnswerStatus.AMBIGUOUS, [one.id for one in known])
    value = value_of(known[0], answer.stored, asking.question.text)
    return told(asking, [value] if value else [], f"The record of {name} does not state that.")


def rule(asking: Asking) -> Iterator[AnswerValue]:
    for record, step in value_is_held(asking, "taxonomy"):
        value = value_of(record, step.call, asking.question.text)
        if value and is_it(record, asking.question.subject):
            yield value


KIND = GeneKind(
    "taxonomy of an organism",
    Topic.ORGANISM,
    "What is the NCBI taxonomy ID of zebrafish?",
    plan,
    "",
    ("taxonomy",),
    rule,
    words=(
        r"\btaxonom\w+\b|\btax(?:on)?[ -]?ids?\b|\btaxid\b|\btaxon\b"
        r"|\b(?:scientific|latin|binomial|common|vernacular) names?\b"
    ),
    one_value=True,
    whole_text=True,
)
