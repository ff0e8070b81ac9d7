"""Genes of a disease where NCBI's links are not served: those whose records name it, then OMIM
entries that belong to a form of it.
"""

from __future__ import annotations

import re

from core.genes.kinds.phenotype import RANKED, CandidateGene, gene_disease_tie, named_by
from core.genes.kinds.resolution import gene_summaries, why_unfit
from core.genes.session import NcbiSession
from core.ncbi.call import NcbiDatabase, Search
from core.ncbi.omim import OmimEntryType
from core.ncbi.record import NcbiRecord, UnusedRecord

MAX_SPEAKING = 100  # gene records that are read because they speak of the disease
MAX_RANKED = 6  # genes that are shown, unconfirmed, because OMIM ranks them first


def search_words(name: str) -> str:
    """The name as search words; in small letters AND, OR and NOT are no operators of Entrez."""
    plain = re.sub(r"[^\w\s,.()'/-]+", " ", name).strip()
    return re.sub(r"\b(?:AND|OR|NOT)\b", lambda operator: operator[0].lower(), plain)


def from_gene_database(
    session: NcbiSession, name: str, chosen: list[NcbiRecord], entries: list[NcbiRecord]
) -> list[CandidateGene]:
    """Genes whose records name the disease; then entries marked * that belong to a form of it."""
    case_by_gene: dict[str, CandidateGene] = {}
    search = session.ask(
        Search(NcbiDatabase.GENE, _gene_query(name), MAX_SPEAKING),
        f"Genes whose records mention {name}.",
    )
    if search.reading.count > len(search.reading.ids):
        progress = f"{len(search.reading.ids)} of {search.reading.count}"
        session.lack(f"{progress} gene records that mention {name} read")
    if search.reading.ids:
        genes, call = gene_summaries(
            session, search.reading.ids, "Whether their records name the disease."
        )
        for gene in genes:
            if case := gene_disease_tie(gene, call, name, chosen, _call_of(session, chosen)):
                case_by_gene[gene.id] = case
        session.drop(
            [
                UnusedRecord(gene.id, "its record does not name the disease")
                for gene in genes
                if gene.id not in case_by_gene
            ]
        )
    for entry, phenotype, how in _gene_entries(entries, name, chosen, case_by_gene):
        case = _by_entry(session, entry, phenotype, how)
        case_by_gene.setdefault(case.gene.id, case)
    return list(case_by_gene.values())


def _call_of(session: NcbiSession, records: list[NcbiRecord]) -> str:
    """The answer that holds the first of these records."""
    return next(
        (
            step.call
            for step in session.steps
            if records and any(record.id == records[0].id for record in step.records)
        ),
        "",
    )


def _gene_query(name: str) -> str:
    query = search_words(name)
    return query if re.search(r"\b(and|or|not)\b", query, re.I) else f"{query} AND human[orgn]"


def _gene_entries(
    entries: list[NcbiRecord],
    name: str,
    chosen: list[NcbiRecord],
    case_by_gene: dict[str, CandidateGene],
) -> list[tuple[NcbiRecord, NcbiRecord | None, str]]:
    """Entries marked * that are not known yet: those the disease's name names, then, for each form
    of the disease that has no gene, those that OMIM ranks first for the disease's words.
    """
    tied_numbers = {number for case in case_by_gene.values() for number in case.gene.get("mim", [])}
    genes = [
        ncbi_record
        for ncbi_record in entries
        if ncbi_record.get("kind") in (OmimEntryType.GENE, OmimEntryType.GENE_AND_PHENOTYPE)
    ]
    untied = [
        ncbi_record
        for ncbi_record in genes
        if ncbi_record.id.partition(":")[2] not in tied_numbers
        and ncbi_record.get("symbol")
        and ncbi_record not in chosen
    ]
    chosen_entries: list[tuple[NcbiRecord, NcbiRecord | None, str]] = [
        (ncbi_record, chosen[0] if chosen else None, "it is named in the disease's name")
        for ncbi_record in untied
        if named_by(ncbi_record, name)
    ]
    without = [
        ncbi_record
        for ncbi_record in chosen
        if not any(case.phenotype == ncbi_record for case in case_by_gene.values())
    ]
    room = min(len(without) - len(chosen_entries), MAX_RANKED)
    if len(chosen) == 1 and (case_by_gene or chosen_entries):
        room = 0
    unnamed = [ncbi_record for ncbi_record in untied if not named_by(ncbi_record, name)]
    for number, entry in enumerate(unnamed[: max(room, 0)]):
        chosen_entries.append(
            (entry, without[min(number, len(without) - 1)] if len(chosen) == 1 else None, RANKED)
        )
    return chosen_entries


def _by_entry(
    session: NcbiSession, entry: NcbiRecord, phenotype: NcbiRecord | None, how: str
) -> CandidateGene:
    """The gene record that carries this OMIM number: one at hand, else one that is searched for;
    the OMIM entry itself where no gene record is to be had.
    """
    symbol, number = str(entry.get("symbol")), entry.id.partition(":")[2]
    if gene_and_call := _gene_already_read(session, symbol, number):
        return CandidateGene(*gene_and_call, f"{how} ({entry.id})", phenotype)
    search = session.ask(
        Search(NcbiDatabase.GENE, f"{symbol}[sym] AND human[orgn]"),
        f"The gene of {entry.id} ({symbol}).",
    )
    if search.reading.ids:
        gene_summaries(session, search.reading.ids, f"Whether its record carries OMIM {number}.")
        if gene_and_call := _gene_already_read(session, symbol, number):
            return CandidateGene(*gene_and_call, f"{how} ({entry.id})", phenotype)
    session.note(f"{symbol} is only in {entry.id}: no gene record confirms the symbol.")
    call = next(
        (
            step.call
            for step in session.steps
            if any(record.id == entry.id for record in step.records)
        ),
        "",
    )
    return CandidateGene(entry, call, f"{how} ({entry.id})", phenotype)


def _gene_already_read(
    session: NcbiSession, symbol: str, number: str
) -> tuple[NcbiRecord, str] | None:
    """A live human gene of an answer so far that carries the OMIM number, else one with the symbol,
    and its call.
    """
    genes = [
        (record, step.call)
        for step in session.steps
        for record in step.records
        if record.db == "gene" and record.get("symbol") and not why_unfit(record, "human")
    ]
    carrying = [
        gene_and_call for gene_and_call in genes if number in gene_and_call[0].get("mim", [])
    ]
    return next(
        iter(
            [
                *carrying,
                *(
                    gene_and_call
                    for gene_and_call in genes
                    if gene_and_call[0].get("symbol") == symbol
                ),
            ]
        ),
        None,
    )
