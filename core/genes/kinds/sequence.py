"""Questions about a DNA sequence: where it lies in the human genome, and whose it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.genes.answer import (
    AnswerStatus,
    AnswerValue,
    GeneAnswer,
    RecordProof,
    StatementEnd,
    bound_value,
)
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.location import chromosome_name
from core.genes.question.question import QuestionKind
from core.genes.session import NcbiSession
from core.model import json_digest
from core.ncbi.call import Align
from core.ncbi.record import NcbiRecord, UnusedRecord
from core.ncbi.species import TAXA

SCIENTIFIC = {
    "Homo sapiens": "human",
    "Mus musculus": "mouse",
    "Rattus norvegicus": "rat",
    "Danio rerio": "zebrafish",
    "Gallus gallus": "chicken",
    "Caenorhabditis elegans": "worm",
    "Saccharomyces cerevisiae": "yeast",
    "Drosophila melanogaster": "fly",
}
NEAR = 0.9  # of the best score: hits that say nearly as much
WHOLE = 0.9  # of the sequence's bases in one alignment: below it coordinates are those of a part
MIN_COVER = 0.5  # of the sequence's bases that are identical in the hit: below it a hit says little


def sequence_thing(sequence: str) -> StatementEnd:
    """The sequence as a thing: its id is a digest of its bases."""
    return StatementEnd(
        f"DNA sequence of {len(sequence)} bases", f"sequence:{json_digest(sequence)[:24]}"
    )


def best_hits(hits: Sequence[NcbiRecord]) -> list[NcbiRecord]:
    """The hits with the highest score; the report is sorted, but a list by title may follow it."""
    return [
        ncbi_record for ncbi_record in hits if float(ncbi_record.get("bits", 0)) == top_score(hits)
    ]


def top_score(hits: Sequence[NcbiRecord]) -> float:
    """The highest score of these hits, in bits."""
    return max((float(ncbi_record.get("bits", 0)) for ncbi_record in hits), default=0.0)


def in_human_genome(session: NcbiSession) -> GeneAnswer:
    """Chromosome coordinates come from GRCh38 chromosomes only; other hits can at most name the
    chromosome.
    """
    sequence = session.question.subject
    report = session.align(Align(sequence, assembly="GRCh38"), "Where the sequence lies in GRCh38.")
    human = [
        record
        for record in report.records
        if record.get("organism") == "Homo sapiens" or record.get("kind") == "GRCh38 chromosome"
    ]
    if not human:
        return session.not_found(
            "BLAST reports no human hit." if report.records else "BLAST reports no hit."
        )
    if (covered := best_hits(human)[0].get("identity", len(sequence)) / len(sequence)) < MIN_COVER:
        return session.not_found(f"The best human hit shares only {covered:.0%} of the sequence.")
    chromosomal = [
        record
        for record in human
        if record.get("kind") == "GRCh38 chromosome" and record.get("subject")
    ]
    if chromosomal and top_score(chromosomal) >= NEAR * top_score(human):
        return _coordinates(session, best_hits(tuple(chromosomal)), report.stored, sequence)
    return _chromosome_only(
        session, best_hits(tuple(human)), human, report.stored, sequence=sequence
    )


def _coordinates(
    session: NcbiSession, hits: list[NcbiRecord], call: str, sequence: str
) -> GeneAnswer:
    places = []
    for hit in hits:
        session.note(
            f"{hit.get('location')} (GRCh38, 1-based): {hit.get('identity')} of {len(sequence)}"
            " bases identical."
        )
        places.append(coordinates(hit, call, sequence))
    values = [value.value for value in places]
    if (covered := hits[0].get("identity", 0) / len(sequence)) < WHOLE:
        session.note(
            f"Only {covered:.0%} of the sequence lies there in one piece: these are not the ends of"
            " all of it."
        )
        return session.answer(
            AnswerStatus.AMBIGUOUS, values[0] if len(values) == 1 else values, tuple(places)
        )
    if hits[0].get("equal", 1) > 1:
        session.note(
            f"It aligns equally well at {hits[0].get('equal')} positions of that chromosome; the"
            " first is given."
        )
        return session.answer(AnswerStatus.AMBIGUOUS, values[0], tuple(places[:1]))
    if len(hits) > 1 or hits[0].get("alignments", 1) > 1:
        session.note("The sequence aligns at more than one position; the best is given.")
    return session.answer(
        AnswerStatus.ANSWERED if len(values) == 1 else AnswerStatus.AMBIGUOUS,
        values[0] if len(values) == 1 else values,
        tuple(places),
    )


def coordinates(hit: NcbiRecord, call: str, sequence: str) -> AnswerValue:
    """The place of a hit on a chromosome of GRCh38, 1-based and inclusive."""
    low, high = sorted(hit.get("subject"))
    value = f"{chromosome_name(str(hit.get('chromosome')))}:{low}-{high}"
    ends = {"subject": sequence_thing(sequence), "object": StatementEnd(str(hit.get("location")))}
    return bound_value(hit, "subject", value, call, **ends)


def on_chromosome(hit: NcbiRecord, call: str, sequence: str) -> AnswerValue:
    """The chromosome that a hit names, without coordinates."""
    where = chromosome_name(str(hit.get("chromosome")))
    return bound_value(
        hit, "chromosome", where, call, subject=sequence_thing(sequence), object=StatementEnd(where)
    )


def _chromosome_only(
    session: NcbiSession,
    hits: list[NcbiRecord],
    human: list[NcbiRecord],
    call: str,
    *,
    sequence: str,
) -> GeneAnswer:
    with_chromosome = [ncbi_record for ncbi_record in hits if ncbi_record.get("chromosome")] or [
        ncbi_record for ncbi_record in human if ncbi_record.get("chromosome")
    ]
    session.drop(
        [
            UnusedRecord(record.id, f"{record.get('kind')}: its coordinates are not GRCh38's")
            for record in human
        ]
    )
    if not with_chromosome:
        return session.not_found("No hit is a GRCh38 chromosome, and none names a chromosome.")
    votes = Counter(str(ncbi_record.get("chromosome")) for ncbi_record in with_chromosome)
    (top_chromosome, count), *runners_up = votes.most_common(2)
    session.note(
        "No hit is a chromosome of GRCh38: the chromosome is known from hits on "
        + _kinds(with_chromosome)
        + ", the coordinates are not."
    )
    voters = [
        ncbi_record
        for ncbi_record in with_chromosome
        if ncbi_record.get("chromosome") == top_chromosome
    ]
    answer_values = tuple(on_chromosome(ncbi_record, call, sequence) for ncbi_record in voters[:3])
    if runners_up and runners_up[0][1] == count:
        session.note(f"Equally good hits name chromosomes {', '.join(sorted(votes))}.")
        return session.answer(
            AnswerStatus.AMBIGUOUS, sorted(map(chromosome_name, votes)), answer_values
        )
    only_chromosome_asked = re.search(
        r"\b(?:which|what) (?:human )?chromosome\b", session.question.text, re.I
    )
    # coordinates were asked for, and the chromosome alone is coarser
    status = AnswerStatus.ANSWERED if only_chromosome_asked else AnswerStatus.PARTLY
    return session.answer(status, chromosome_name(top_chromosome), answer_values)


def _kinds(hits: list[NcbiRecord]) -> str:
    return ", ".join(
        dict.fromkeys(f"{hit.get('accession')} ({hit.get('kind')})" for hit in hits[:3])
    )


def species_of(session: NcbiSession) -> GeneAnswer:
    """The species of the best hits; close relatives that score the same make it ambiguous."""
    sequence = session.question.subject
    report = session.align(Align(sequence), "Which species' sequences it is found in.")
    hits = [record for record in report.records if record.get("organism")]
    session.drop(
        [
            UnusedRecord(record.id, "a construct without a species")
            for record in report.records
            if not record.get("organism")
        ]
    )
    if not hits:
        return session.not_found(
            "BLAST reports no hit with a species." if report.records else "BLAST reports no hit."
        )
    first_hits = best_hits(tuple(hits))
    if (covered := first_hits[0].get("identity", 0) / len(sequence)) < MIN_COVER and first_hits[
        0
    ].get("identity"):
        return session.not_found(f"The best hit shares only {covered:.0%} of the sequence.")
    votes = Counter(str(ncbi_record.get("organism")) for ncbi_record in first_hits)
    (top_species, _), *runners_up = votes.most_common(2)
    tied = bool(runners_up)
    if votes.keys() - {top_species}:
        session.note(
            "Equally good hits are of "
            + ", ".join(f"{name} ({number})" for name, number in votes.most_common())
            + "."
        )
    if tied:
        top_species = Counter(
            str(hit.get("organism")) for hit in hits if hit.get("organism") in votes
        ).most_common(1)[0][0]
        session.note(f"{top_species} has most of the report's hits.")
    session.note(f"{first_hits[0].get('accession')}: {first_hits[0].get('title')}.")
    answer_values = tuple(
        species_in(ncbi_record, report.stored, sequence)
        for ncbi_record in first_hits
        if ncbi_record.get("organism") == top_species
    )[:5]
    return session.answer(
        AnswerStatus.AMBIGUOUS if tied else AnswerStatus.ANSWERED, top_species, answer_values
    )


def species_in(hit: NcbiRecord, call: str, sequence: str) -> AnswerValue:
    name = str(hit.get("organism"))
    taxon = TAXA.get(SCIENTIFIC.get(name, ""), "")
    raw = hit.raw.get("organism", name)
    proofs = (
        (RecordProof(call, f"NCBITaxon:{taxon}", hit.pointers["organism"], raw),) if taxon else ()
    )
    target = StatementEnd(name, f"NCBITaxon:{taxon}" if taxon else "")
    return bound_value(
        hit, "organism", name, call, subject=sequence_thing(sequence), object=target, proofs=proofs
    )


HBB = (  # the first exon of the gene of human beta globin
    "ACATTTGCTTCTGACACAACTGTGTTCACTAGCAACCTCAAACAGACACCATGGTGCATCTGACTCCTGAGGAGAAGTCT"
    "GCCGTTACTGCCCTGTGGGGCAAGGTGAACGTGGATGAAGTTGGTGGTGAGGCCCTGGGCAG"
)
KINDS = (
    GeneKind(
        QuestionKind.HUMAN_ALIGNMENT,
        Topic.SEQUENCE,
        f"Align this DNA sequence to the human genome: {HBB}",
        plan=in_human_genome,
        claim="SequencePlaceClaim",
        needs=("blast",),
        one_value=True,
        whole_text=True,
    ),
    GeneKind(
        QuestionKind.SPECIES_ALIGNMENT,
        Topic.SEQUENCE,
        f"Which organism does this DNA sequence come from: {HBB}",
        plan=species_of,
        claim="SequenceSpeciesClaim",
        needs=("blast",),
        one_value=True,
    ),
)
