"""The taxa above an organism: all of them, or the one of a rank (its family, its order)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.gene_record import answer_with_values
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.taxonomy import is_named, named_records, organism_ids
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database
from core.ncbi.call import FullRecord, NcbiDatabase
from core.ncbi.record import NcbiRecord

RANKS = (
    "superkingdom|kingdom|subkingdom|domain|superphylum|phylum|subphylum|superclass|subclass|class"
    "|superorder|suborder|order|superfamily|subfamily|family|tribe|subgenus|genus"
)
# Asked for the taxon right above, not for the whole lineage: "the direct parent"
PARENT = re.compile(r"\bparent\b|\b(?:direct|immediate|next) (?:higher )?tax\w+\b", re.I)
# NCBI called its highest rank superkingdom until 2024 and calls it domain since
RANK_NAMES = {"superkingdom": ("superkingdom", "domain"), "domain": ("domain", "superkingdom")}


def requested_rank(words: str) -> str:
    """The rank that is asked for; nothing where the whole lineage is."""
    if re.search(r"\b(?:lineage|ancest\w+|classif\w+)\b", words, re.I):
        return ""
    match = re.search(rf"\b({RANKS})\b", words, re.I)
    return match[1].lower() if match else ""


def values_of(record: NcbiRecord, call: str, words: str) -> list[AnswerValue]:
    above = record.get("lineage", [])
    rank_wanted = requested_rank(words)
    if PARENT.search(words):
        above = above[-1:]
    elif rank_wanted:
        names = RANK_NAMES.get(rank_wanted, (rank_wanted,))
        above = [taxon for taxon in above if taxon["rank"].casefold() in names]
    label = str(record.get("scientificname") or record.id)
    own = RecordProof(call, record.id, record.pointers.get("uid", ""), str(record.get("uid")))
    values = []
    for taxon in above:
        curie = f"NCBITaxon:{taxon['id']}" if taxon["id"] else ""
        about = "; ".join(filter(None, (taxon["rank"], curie)))
        ties = (own, RecordProof(call, curie, f"{taxon['pointer']}/TaxId", taxon["id"]))
        values.append(
            AnswerValue(
                f"{taxon['name']} ({about})" if about else taxon["name"],
                record.id,
                f"{taxon['pointer']}/ScientificName",
                raw=taxon["name"],
                call=call,
                subject=StatementEnd(label, record.id),
                object=StatementEnd(taxon["name"], curie),
                ties=ties if curie else (own,),
            )
        )
    return values


def plan(session: NcbiSession) -> GeneAnswer:
    """One call for a number, two for a name."""
    name = session.question.subject
    ids = organism_ids(session)
    if not ids:
        return session.not_found(f"NCBI's taxonomy knows no organism called {name}.")
    answer = session.ask(FullRecord(NcbiDatabase.TAXONOMY, ids), "The taxa above it.")
    matching = named_records(session, answer.records)
    if not matching:
        return session.not_found(f"None of {len(answer.records)} organisms is called {name}.")
    if len(matching) > 1:
        session.note(f"{name} is the name of several organisms.")
        return session.answer(AnswerStatus.AMBIGUOUS, [record.id for record in matching])
    session.note(
        f"{matching[0].id}: {matching[0].get('scientificname')} ({matching[0].get('rank')})."
    )
    words = session.question.text
    rank = requested_rank(words)
    nothing = f"NCBI's taxonomy gives {matching[0].get('scientificname')} no {rank or 'lineage'}."
    return answer_with_values(session, values_of(matching[0], answer.stored, words), nothing)


def rule(session: NcbiSession) -> Iterator[AnswerValue]:
    for record, step in records_of_database(session, "taxonomy"):
        if record.get("lineage") and is_named(record, session.question.subject):
            yield from values_of(record, step.call, session.question.text)


KIND = GeneKind(
    "lineage of an organism",
    Topic.ORGANISM,
    "What is the lineage of zebrafish?",
    plan=plan,
    claim="",
    needs=("taxonomy",),
    rule=rule,
    words=(
        r"\blineage\b|\bancest(?:or|ors|ry)\b"
        r"|\b(?:taxonomic|biological|scientific) classification\b|\bparent tax\w+\b"
        r"|\bparent of\b.{0,40}\btaxonomy\b|\bclassified\b.{0,20}\btaxonom\w+"
        rf"|\b(?:which|what)(?: (?:taxonomic|biological))? (?:{RANKS}) (?:do|does|is|are)\b"
        rf"|\b(?:which|what) (?:is|are) (?:the )?(?:taxonomic )?(?:{RANKS}) of\b"
        rf"|\btaxonomic (?:{RANKS})\b"
        rf"|^(?:the )?(?:{RANKS}) of (?-i:[A-Z][a-z]+ [a-z]+)$"
    ),
    listed=True,
)
