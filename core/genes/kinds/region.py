"""The genes of a cytogenetic band, or at a place of the human genome.

NCBI Gene's index holds both: the band of a record (field *Default Map Location*) and, with the
chromosome, the bases that it spans on GRCh38 (field *Base Position*). What the index finds is read
again in each record: a gene counts only where its own band, or its own place, says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, StatementEnd
from core.genes.kinds.coordinates import coordinate_values
from core.genes.kinds.gene_record import field_value
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.location import band_ends, chromosome_name
from core.genes.kinds.resolution import gene_summaries, why_unfit
from core.genes.kinds.search_pages import PAGE, search_all
from core.genes.question.region_name import Region, region_of
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database
from core.ncbi.call import NcbiDatabase, Search
from core.ncbi.record import NcbiRecord, UnusedRecord

MOST_GENES = 1000  # of one region; a band of the human genome holds some hundreds
_CODING_ONLY = re.compile(r"\b(?:protein[- ])?coding\b", re.I)


def search_term(region: Region, words: str) -> str:
    """The search of NCBI Gene: live human genes of the region, coding ones where those are asked
    for.
    """
    if region.band:
        where = f"({region.band}[Default Map Location] OR {region.band}*[Default Map Location])"
    else:
        where = f"{region.chromosome}[CHR] AND {region.low}:{region.high}[CHRPOS]"
    kind = ' AND "genetype protein coding"[prop]' if _CODING_ONLY.search(words) else ""
    return f"{where} AND human[orgn] AND alive[prop]{kind}"


def lies_in(record: NcbiRecord, region: Region) -> bool:
    """Whether the record's own band is part of the band, or its place on GRCh38 shares a base with
    the interval.
    """
    if region.band:
        ends = band_ends(str(record.get("band", "")))
        return all(is_part(end, region.band) for end in ends)
    return any(_shares(place, region) for place in record.get("places", []))


def is_part(band: str, whole: str) -> bool:
    """`17q21.31` is part of `17q21.3` and of `17q21`; `17q2` is part of neither."""
    return band.startswith(whole)


def _shares(place: dict[str, str], region: Region) -> bool:
    if place["assembly"] != "GRCh38" or chromosome_name(place["chromosome"]) != chromosome_name(
        region.chromosome
    ):
        return False
    ends = re.search(r":(\d+)-(\d+)\(", place["location"])
    return bool(ends and int(ends[1]) <= region.high and int(ends[2]) >= region.low)


def value_of(record: NcbiRecord, call: str, region: Region) -> AnswerValue:
    """The gene's symbol; what ties it to the region is its own band or place."""
    symbol = str(record.get("symbol"))
    if region.band:
        return field_value(
            record, call, "band", symbol, target=StatementEnd(str(record.get("band")))
        )
    values_within = (
        value
        for value, place in zip(
            coordinate_values(record, call, "places"), record.get("places", []), strict=True
        )
        if _shares(place, region)
    )
    return replace(next(values_within), value=symbol)


def plan(session: NcbiSession) -> GeneAnswer:
    """Two calls for up to 200 genes."""
    region = region_of(session.question.subject)
    if region is None:
        return session.not_found(f"{session.question.subject} is neither a band nor a position.")
    if not region.band and not region.assembly_of(session.question.text):
        session.note("No assembly was named: the position is read on GRCh38.")
    term = search_term(region, session.question.text)
    search = Search(NcbiDatabase.GENE, term, retmax=PAGE)
    ids = search_all(session, search, f"Genes in {region}.", f"genes in {region}", most=MOST_GENES)
    records: list[tuple[NcbiRecord, str]] = []
    for start in range(0, len(ids), PAGE):
        genes, call = gene_summaries(session, ids[start : start + PAGE], "Where these genes lie.")
        outside = [gene for gene in genes if not lies_in(gene, region)]
        session.drop([UnusedRecord(gene.id, _why_outside(gene, region)) for gene in outside])
        records += [(gene, call) for gene in genes if gene not in outside]
    if not records:
        return session.not_found(f"No record of NCBI Gene places a gene in {region}.")
    values = tuple(value_of(record, call, region) for record, call in records)
    _describe(session, values, region)
    return session.answer(AnswerStatus.ANSWERED, [value.value for value in values], values)


def _why_outside(gene: NcbiRecord, region: Region) -> str:
    place = gene.get("band") if region.band else gene.get("location")
    return f"it lies at {place or 'no stated position'}, not only in {region}"


def _describe(session: NcbiSession, values: tuple[AnswerValue, ...], region: Region) -> None:
    numbered = sum(bool(re.fullmatch(r"LOC\d+", value.value)) for value in values)
    of_these = f", {numbered} of them without a name of their own (LOC…)" if numbered else ""
    session.note(f"{len(values)} records of NCBI Gene lie in {region}{of_these}.")
    if _CODING_ONLY.search(session.question.text):
        session.note("NCBI's search was limited to protein-coding genes.")


def rule(session: NcbiSession) -> Iterator[AnswerValue]:
    region = region_of(session.question.subject)
    for record, step in records_of_database(session, "gene") if region else ():
        if region and not why_unfit(record, "human") and lies_in(record, region):
            yield value_of(record, step.call, region)


KIND = GeneKind(
    "genes of a region",
    Topic.REGION,
    "Which genes lie in 17q21.31?",
    plan=plan,
    claim="GenePlaceClaim",
    needs=("gene",),
    rule=rule,
    words=r"\bgenes?\b|\bloc(?:us|i)\b|\bwhat(?:['’]s| is| lies| sits| maps)\b",
    listed=True,
)
