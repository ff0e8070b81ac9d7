"""Which records of ClinVar are about a variant, and the fields that say so.

A search finds whatever mentions the words. A record counts where its cross-reference is the rs
number, or where its gene and its change are those that were asked for: in its title
(`NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)`), or, numbered on another transcript, among its protein
changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.genes.answer import GeneAnswer, RecordProof
from core.genes.kinds.gene_record import the_gene
from core.genes.kinds.resolution import match_name
from core.genes.kinds.search_pages import search_all, summaries_of
from core.genes.question.change_name import (
    GeneChange,
    may_be_bases,
    notations_in,
    read_change,
)
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database
from core.ncbi.call import NcbiDatabase, Search
from core.ncbi.record import NcbiRecord

MOST_CLINVAR = 500  # records of one search that are read


# `NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)`: one variant, numbered on one gene's transcript. The
# genes of a record may be several that overlap; a haplotype's title lists several variants.
SINGLE_VARIANT = re.compile(
    r"(?P<transcript>[NX][MR]_[0-9]+)(?:\.[0-9]+)?\((?P<gene>[^()\s]{1,30})\):(?!.*;).{1,600}$"
)


@dataclass(frozen=True, slots=True)
class ClinvarRecord:
    """A record of ClinVar, the stored answer that it stands in, and the fields that tie it to the
    variant; `title_names_it` is false where only its list of protein changes does.
    """

    record: NcbiRecord
    call: str
    ties: tuple[RecordProof, ...]
    title_names_it: bool = True


def clinvar_record_of_rs(record: NcbiRecord, call: str, rs: str) -> ClinvarRecord | None:
    """The record with the cross-reference to this rs number; None where it has none."""
    link = next((link for link in record.get("dbsnp", []) if f"rs{link['id']}" == rs), None)
    if link is None:
        return None
    xref = RecordProof(call, f"DBSNP:{rs}", link["pointer"], link["id"])
    return ClinvarRecord(record, call, (xref,))


def clinvar_record_of_change(
    record: NcbiRecord, call: str, change: GeneChange
) -> ClinvarRecord | None:
    """The record with the fields that name gene (or transcript) and change; None where one of the
    two stands in no field.
    """
    title = str(record.get("title"))
    titled = SINGLE_VARIANT.match(title)
    if titled is None:
        return None
    in_title = RecordProof(call, record.id, record.pointers.get("title", ""), title)
    named = change.notation in notations_in(title)
    if change.gene and titled["gene"] != change.gene:
        return None
    if change.on_transcript:
        same = titled["transcript"] == change.reference.partition(".")[0]
        return ClinvarRecord(record, call, (in_title,)) if same and named else None
    genes = record.get("gene_records", [])
    gene = next((gene for gene in genes if gene["symbol"] == change.reference), None)
    if gene is None or titled["gene"] != change.reference:
        return None
    own_gene = RecordProof(call, record.id, gene["pointer"], gene["symbol"])
    if named:
        return ClinvarRecord(record, call, (in_title, own_gene))
    listed = str(record.get("protein_changes"))
    if change.notation not in notations_in(listed):
        other = _other_name(record, change)
        proof = other and RecordProof(call, record.id, other["pointer"], other["name"])
        ties = (proof, own_gene) if proof else ()
        return ClinvarRecord(record, call, ties, title_names_it=False) if ties else None
    in_list = RecordProof(call, record.id, record.pointers.get("protein_changes", ""), listed)
    return ClinvarRecord(record, call, (in_list, own_gene), title_names_it=False)


def _other_name(record: NcbiRecord, change: GeneChange) -> dict[str, str] | None:
    """The entry of ClinVar's other names that is this change, where its letters may be bases: C677T
    is also written 677C>T and 677C-T.
    """
    if not may_be_bases(change.notation):
        return None
    before, number, after = re.findall(r"[A-Z]|\d+", change.notation.removeprefix("p."))
    written = {f"{before}{number}{after}", f"{number}{before}>{after}", f"{number}{before}-{after}"}
    names = record.get("other_names", [])
    return next((name for name in names if name["name"].removeprefix("c.") in written), None)


def best_named(records: Iterable[ClinvarRecord | None]) -> list[ClinvarRecord]:
    """The records whose title names the change; those that number it on another transcript only
    where there is no such title.
    """
    tied = [record for record in records if record is not None]
    return [record for record in tied if record.title_names_it] or tied


def read_of_rs(session: NcbiSession) -> list[ClinvarRecord]:
    """ClinVar's records of the question's rs number: two calls."""
    rs = session.question.subject
    return [
        tied
        for record, call in _read(session, rs, f"ClinVar's records of {rs}.")
        if (tied := clinvar_record_of_rs(record, call, rs))
    ]


def read_of_change(session: NcbiSession) -> list[ClinvarRecord]:
    """ClinVar's records of the question's change of a gene: two calls; where the gene is named by
    another name than its symbol, two to find the symbol and two more.
    """
    change = read_change(session.question.subject)
    tied = _read_change(session, change)
    if not tied and not change.on_transcript:
        gene = the_gene(session, change.reference)
        if not isinstance(gene, GeneAnswer) and gene.gene.get("symbol") != change.reference:
            tied = _read_change(session, GeneChange(str(gene.gene.get("symbol")), change.notation))
    if may_be_bases(change.notation) and "p." not in session.question.text:
        by_other_name = tied and all(
            "/aliases/" in tied_record.ties[0].field for tied_record in tied
        )
        if not by_other_name:
            _say_bases_not_looked_for(session, change.notation.removeprefix("p."), bool(tied))
    return tied


def _say_bases_not_looked_for(session: NcbiSession, short: str, is_tied: bool) -> None:
    """`F5 G1691A` is what people call a change of bases, by a number from before HGVS."""
    unread = (
        f"{short} was read as a change of amino acids, not as one of bases (write p.{short} to be"
        " certain, or give the rs number)"
    )
    if is_tied:
        session.lack(unread)
    else:
        session.note(f"{unread}.")


def changes_at_hand(session: NcbiSession) -> list[ClinvarRecord]:
    """Of the records that a model had fetched, those of the question's change; a gene record at
    hand says the symbol of a gene named otherwise.
    """
    change = read_change(session.question.subject)
    symbols = {change.reference} | {
        str(gene.get("symbol"))
        for gene, _ in records_of_database(session, "gene")
        if match_name(gene, change.reference) is not None
    }
    return best_named(
        clinvar_record_of_change(record, step.call, GeneChange(symbol, change.notation))
        for record, step in records_of_database(session, "clinvar")
        for symbol in sorted(symbols)
    )


def _read_change(session: NcbiSession, change: GeneChange) -> list[ClinvarRecord]:
    records = list(_read(session, search_term(change), f"ClinVar's records of {change.subject}."))
    tied = best_named(clinvar_record_of_change(record, call, change) for record, call in records)
    if records and not tied:
        titles = "; ".join(str(record.get("title")) for record, _ in records[:3])
        session.note(f"ClinVar's search leads to records of other variants: {titles}.")
    for tied_record in tied:
        where = (
            "" if tied_record.title_names_it else ", which numbers the change on another transcript"
        )
        if "/aliases/" in tied_record.ties[0].field:
            where = f", which lists {tied_record.ties[0].raw} among its other names"
        session.note(
            f"{tied_record.record.get('accession')} is {tied_record.record.get('title')}{where}."
        )
    return tied


def search_term(change: GeneChange) -> str:
    """As ClinVar's help, "How to search ClinVar", writes it: `NM_000314.8:c.395G>T`, `BRCA1[gene]
    AND S803R`.
    """
    if change.on_transcript:
        return f"{change.reference}:{change.notation}"
    return f"{change.reference}[gene] AND {change.notation.removeprefix('p.')}"


def _read(session: NcbiSession, term: str, why: str) -> Iterator[tuple[NcbiRecord, str]]:
    call = Search(NcbiDatabase.CLINVAR, term, 100)
    ids = search_all(session, call, why, "ClinVar records", most=MOST_CLINVAR)
    purpose = "What ClinVar says of it."
    for record, answer in summaries_of(session, NcbiDatabase.CLINVAR, ids, purpose) if ids else ():
        yield record, answer.stored
