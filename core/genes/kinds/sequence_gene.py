"""The gene that a DNA sequence belongs to, and all its names.

Human RefSeq transcripts are asked first; only a sequence that is in none (an intron, a region
between genes) is looked for in the human genome, and there the gene is the one that lies at that
place. A name comes from a record of RefSeq or of NCBI Gene, never from the title of a clone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from core.genes.answer import AnswerStatus, GeneAnswer, StatementEnd, bound_value
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.resolution import gene_summaries, gene_thing, resolve_gene
from core.genes.kinds.search_pages import PAGE, search_all
from core.genes.kinds.sequence import HBB, MIN_COVER, NEAR, top_score
from core.genes.question.question import QuestionKind
from core.genes.session import NcbiSession
from core.ncbi.call import Align, NcbiDatabase, Search
from core.ncbi.record import NcbiRecord, UnusedRecord

MOST_TRIED = 4  # names that are looked up of one report


class HitEvidence(IntEnum):
    """What a hit says of a gene, the surest first."""

    CURATED = 0  # a transcript that RefSeq's curators keep (NM_, NR_)
    PREDICTED = 1  # one that NCBI's annotation predicts (XM_, XR_)
    GENE_REGION = 2  # RefSeqGene: the region of a gene (NG_)
    SUBMITTED = 3  # an mRNA of INSDC whose title names the gene
    LOCUS = 4  # what has no name but its number (LOC…), such as a regulatory region


@dataclass(frozen=True, slots=True)
class NamedHit:
    """A hit of a report, the gene that its record names, and how sure that is."""

    hit: NcbiRecord
    symbol: str
    witness: HitEvidence


_GENE = re.compile(r"\(([A-Za-z0-9][A-Za-z0-9.@-]{0,19})\)")
_NO_GENE = re.compile(r"(?:LRG_\d+|\d+|human|mouse|rat|homo|clone|partial)", re.I)


def gene_symbol(title: str) -> str:
    """The symbol in a title such as `Homo sapiens keratin 3 (KRT3), mRNA`: the last brackets before
    what it is.
    """
    head = re.split(
        r",\s*(?:transcript variant|mRNA|RefSeqGene|non-coding RNA|ncRNA|long"
        r" non-coding|microRNA|complete cds|partial)"
        r"|,? on chromosome",
        title,
    )[0]
    symbols = [bracketed for bracketed in _GENE.findall(head) if not _NO_GENE.fullmatch(bracketed)]
    return symbols[-1] if symbols else ""


def kind_of_record(hit: NcbiRecord) -> HitEvidence | None:
    """What kind of record names the gene; None for clones, assemblies and constructs, whose titles
    prove no name.
    """
    accession, title = str(hit.get("accession")), str(hit.get("title"))
    if re.fullmatch(r"LOC\d+", gene_symbol(title)):
        return HitEvidence.LOCUS
    for start, kind in (
        (("NM_", "NR_"), HitEvidence.CURATED),
        (("XM_", "XR_"), HitEvidence.PREDICTED),
        (("NG_",), HitEvidence.GENE_REGION),
    ):
        if accession.startswith(start):
            return kind
    match = re.search(r"\bm?RNA\b|\bcomplete cds\b|\bpartial cds\b", title)
    return HitEvidence.SUBMITTED if match and not re.search(r"\bclone\b", title, re.I) else None


def hits_with_genes(hits: Sequence[NcbiRecord]) -> list[NamedHit]:
    """The human hits that score nearly as well as the best one and name a gene: surest kind first,
    within a kind the better score.
    """
    human = [ncbi_record for ncbi_record in hits if ncbi_record.get("organism") == "Homo sapiens"]
    near_best = [
        ncbi_record
        for ncbi_record in human
        if float(ncbi_record.get("bits", 0)) >= NEAR * top_score(human)
    ]
    named_hits = []
    for hit in near_best:
        symbol, kind = gene_symbol(str(hit.get("title"))), kind_of_record(hit)
        if symbol and kind is not None:
            named_hits.append(NamedHit(hit, symbol, kind))
    return sorted(
        named_hits, key=lambda named_hit: (named_hit.witness, -float(named_hit.hit.get("bits", 0)))
    )


def rival_genes(named_hits: Sequence[NamedHit]) -> list[str]:
    """The genes that hits of the surest kind name with the best score of that kind."""
    if not named_hits:
        return []
    surest_hits = [
        named_hit for named_hit in named_hits if named_hit.witness is named_hits[0].witness
    ]
    best = max(float(named_hit.hit.get("bits", 0)) for named_hit in surest_hits)
    return list(
        dict.fromkeys(
            named_hit.symbol
            for named_hit in surest_hits
            if float(named_hit.hit.get("bits", 0)) == best
        )
    )


def aliases_of_gene(session: NcbiSession) -> GeneAnswer:
    """All symbols of the gene: the official one first."""
    session.part = "Which gene contains the sequence?"
    sequence = session.question.subject
    transcripts = Align(sequence, "refseq_rna", organism="human")
    report = session.align(transcripts, "Which human transcripts of RefSeq contain the sequence.")
    named_hits = hits_with_genes(_covering(report.records, sequence))
    if not named_hits:
        genome = session.align(
            Align(sequence, assembly="GRCh38"),
            "No transcript contains it: where it lies in GRCh38.",
        )
        hits = _covering(genome.records, sequence)
        named_hits = hits_with_genes(hits)
        if not named_hits and (at := _gene_at(session, hits)):
            return _names(session, *at)
        if not named_hits:
            nothing = not (genome.records or report.records)
            return session.not_found(
                "BLAST reports no hit." if nothing else "BLAST's best hits name no human gene."
            )
    return _resolved(session, named_hits)


def _covering(hits: Sequence[NcbiRecord], sequence: str) -> list[NcbiRecord]:
    """Hits that hold at least half of the sequence, as far as the report says."""
    least = MIN_COVER * len(sequence)
    return [
        ncbi_record for ncbi_record in hits if float(ncbi_record.get("identity", least)) >= least
    ]


def _resolved(session: NcbiSession, named_hits: list[NamedHit]) -> GeneAnswer:
    """The first name that NCBI Gene knows as one gene; names that tie with it make it ambiguous."""
    best_hit = named_hits[0]
    session.note(f"{best_hit.hit.get('accession')}: {best_hit.hit.get('title')}.")
    tied = rival_genes(named_hits)
    for symbol in list(dict.fromkeys((*tied, *(named_hit.symbol for named_hit in named_hits))))[
        :MOST_TRIED
    ]:
        session.part = f"What are the names of {symbol}?"
        resolved = resolve_gene(session, symbol)
        if resolved is None:
            session.note(f"NCBI Gene has no human gene {symbol}.")
            continue
        if len(resolved.genes) > 1:
            session.note(f"{symbol} is a name of {len(resolved.genes)} genes.")
            continue
        others = [rival for rival in tied if rival != symbol]
        if others and symbol in tied:
            session.note(f"It fits {', '.join(others)} as well.")
        if symbol not in tied:
            session.note(f"{', '.join(tied)}, named by the best hits, is in no gene record.")
        doubt = bool(others) or symbol not in tied
        return _names(session, resolved.gene, resolved.call, doubt=doubt)
    return session.not_found("No record of NCBI Gene has a name given by the best hits.")


def _gene_at(session: NcbiSession, hits: Sequence[NcbiRecord]) -> tuple[NcbiRecord, str] | None:
    """The one gene that lies where the best hit on a chromosome of GRCh38 lies."""
    placed = [
        ncbi_record
        for ncbi_record in hits
        if ncbi_record.get("kind") == "GRCh38 chromosome" and ncbi_record.get("subject")
    ]
    best = [
        ncbi_record
        for ncbi_record in placed
        if float(ncbi_record.get("bits", 0)) == top_score(placed)
    ]
    if len(best) != 1 or best[0].get("equal", 1) > 1:
        return None
    low, high = sorted(best[0].get("subject"))
    chromosome = str(best[0].get("chromosome"))
    session.note(f"It lies at {best[0].get('location')} (GRCh38).")
    term = f"{chromosome}[CHR] AND {low}:{high}[CHRPOS] AND human[orgn] AND alive[prop]"
    search = Search(NcbiDatabase.GENE, term)
    ids = search_all(
        session, search, "Genes at that position.", "genes at that position", most=PAGE
    )
    if not ids:
        return None
    genes, call = gene_summaries(session, ids, "What these genes are called.")
    genes_at_place = [gene for gene in genes if _overlaps_gene(gene, low, high)]
    named_genes = [
        gene for gene in genes_at_place if not re.fullmatch(r"LOC\d+", str(gene.get("symbol")))
    ] or genes_at_place
    session.drop(
        [
            UnusedRecord(gene.id, "it does not lie at that position")
            for gene in genes
            if gene not in genes_at_place
        ]
    )
    if len(named_genes) > 1:
        session.note(
            f"Several genes lie there: {', '.join(gene.text('symbol') for gene in named_genes)}."
        )
    return (named_genes[0], call) if len(named_genes) == 1 else None


def _overlaps_gene(gene: NcbiRecord, low: int, high: int) -> bool:
    """Whether one of the gene's places overlaps these bases."""
    for place in gene.get("places", []):
        ends = re.search(r":(\d+)-(\d+)\(", place["location"])
        if ends and int(ends[1]) <= high and int(ends[2]) >= low:
            return True
    return False


def _names(session: NcbiSession, gene: NcbiRecord, call: str, *, doubt: bool = False) -> GeneAnswer:
    symbol = str(gene.get("symbol"))
    if re.search(r"\bpseudogene\b", str(gene.get("name")), re.I):
        session.note(f"{symbol} is a pseudogene: {gene.get('name')}.")
    own = {"subject": gene_thing(gene), "object": StatementEnd(symbol), "relation": "itself"}
    values = [bound_value(gene, "symbol", symbol, call, **own)]
    values += [
        bound_value(
            gene, "aliases", alias, call, subject=gene_thing(gene), object=StatementEnd(alias)
        )
        for alias in gene.get("aliases", [])
    ]
    status = AnswerStatus.AMBIGUOUS if doubt else AnswerStatus.ANSWERED
    return session.answer(status, [value.value for value in values], tuple(values))


KIND = GeneKind(
    QuestionKind.SEQUENCE_ALIASES,
    Topic.SEQUENCE,
    f"What are the aliases of the gene that contains this sequence: {HBB}",
    plan=aliases_of_gene,
    claim="AliasClaim",
    needs=("blast",),
    listed=True,
    hops=True,
)
