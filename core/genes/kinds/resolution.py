"""Which gene a name means: records of the right species whose symbol, aliases or designations list
it, the best fit first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from core.genes.answer import StatementEnd
from core.genes.kinds.search_pages import read_on
from core.genes.session import NcbiSession
from core.ncbi.call import NcbiDatabase, Search, Summary
from core.ncbi.gene import WITHDRAWN
from core.ncbi.record import NcbiReading, NcbiRecord, UnusedRecord
from core.ncbi.species import SCIENTIFIC_NAMES, TAXA, species_search_term

MOST_NAMED = 200  # records of one search that are looked through for a name
MAX_TIED = 10  # genes that one Ensembl id may be tied to
ENSEMBL = re.compile(r"ENS[A-Z]{0,4}G\d{11}")


class NameFit(IntEnum):
    """How a name met a gene record, best first."""

    ID = -1  # its number in NCBI Gene or OMIM
    SYMBOL = 0
    SYMBOL_CASE = 1  # the official symbol, in other letters
    ALIAS = 2
    ALIAS_CASE = 3
    DESIGNATION = 4
    SEARCH = 5  # NCBI's own index of ids


@dataclass(frozen=True, slots=True)
class ResolvedGenes:
    """Genes that a name fits equally well, in NCBI's order; `call` is the stored answer they were
    read from.
    """

    match: NameFit
    genes: tuple[NcbiRecord, ...]
    call: str
    others: tuple[NcbiRecord, ...] = ()

    @property
    def gene(self) -> NcbiRecord:
        return self.genes[0]


def match_name(record: NcbiRecord, name: str) -> NameFit | None:
    """How `name` fits the record's numbers, symbol, aliases or designations; None when it is not
    there.
    """
    if name in ids_of(record):
        return NameFit.ID
    aliases, designations = record.get("aliases", []), record.get("designations", [])
    if record.get("symbol") == name:
        return NameFit.SYMBOL
    if str(record.get("symbol")).casefold() == name.casefold():
        return NameFit.SYMBOL_CASE
    if name in aliases:
        return NameFit.ALIAS
    if name.casefold() in [str(alias).casefold() for alias in aliases]:
        return NameFit.ALIAS_CASE
    return (
        NameFit.DESIGNATION
        if name.casefold() in [str(designation).casefold() for designation in designations]
        else None
    )


def ids_of(record: NcbiRecord) -> tuple[str, ...]:
    """The record's numbers in NCBI Gene and OMIM, as a question may name it."""
    return (record.id, *(f"MIM:{number}" for number in record.get("mim", [])))


def resolve_gene(session: NcbiSession, name: str) -> ResolvedGenes | None:
    """The genes of the question's species that bear `name`: two calls, four when the field search
    finds nothing.
    """
    species = session.question.species
    if ENSEMBL.fullmatch(name):
        return _by_ensembl(session, name)
    authority, _, number = name.partition(":")
    if authority == "NCBIGene":
        return _among(session, (number,), name)
    if authority == "MIM":
        listing = session.ask(
            Search(NcbiDatabase.GENE, f"{number}[mim]"), f"Genes with the OMIM number {number}."
        ).reading
        return _among(session, listing.ids, name) if listing.ids else None
    for term, why in (
        (
            f"{name}[sym] AND {species_search_term(species)}[orgn]",
            f"Genes of {species} with the symbol or alias {name}.",
        ),
        (
            f'"{name}" AND {species_search_term(species)}[orgn]',
            f"No symbol or alias field contains {name}; any field of {species} genes.",
        ),
    ):
        call = Search(NcbiDatabase.GENE, term)
        search = session.ask(call, why).reading
        resolved = _among(session, search.ids, name) if search.ids else None
        if search.count > len(search.ids) and not _exact(resolved):
            all_uids = read_on(
                session, call, search, why, record_title=f"gene records on {name}", most=MOST_NAMED
            )
            if later := tuple(uid for uid in all_uids if uid not in search.ids):
                further = _among(session, later, name)
                resolved = min(filter(None, (resolved, further)), key=_fit, default=None)
        if resolved:
            return resolved
    return None


def _fit(resolved: ResolvedGenes) -> NameFit:
    return resolved.match


def _exact(resolved: ResolvedGenes | None) -> bool:
    """Whether no further record could bear the name better: it is the symbol of a gene."""
    return resolved is not None and resolved.match <= NameFit.SYMBOL_CASE


def _by_ensembl(session: NcbiSession, name: str) -> ResolvedGenes | None:
    """Ensembl ids are not in summaries: NCBI's own index ties them to genes."""
    species = session.question.species
    search = session.ask(
        Search(NcbiDatabase.GENE, f"{name} AND {species_search_term(species)}[orgn]"),
        f"Genes of {species} with the id {name}.",
    )
    if not (ids := tied_gene_ids(search.reading, name)):
        return None
    genes, call = gene_summaries(session, ids, "What these genes are called.")
    return ResolvedGenes(NameFit.SEARCH, tuple(genes), call) if genes else None


def tied_gene_ids(search: NcbiReading, name: str) -> tuple[str, ...]:
    """Genes that NCBI's index ties to an id of another database; none where the search passed over
    the id, or found more than one id can have.
    """
    passed = any(name.casefold() in phrase.casefold() for phrase in search.unfound)
    return () if passed or search.count > MAX_TIED else search.ids


def _among(session: NcbiSession, ids: tuple[str, ...], name: str) -> ResolvedGenes | None:
    records, call = gene_summaries(session, ids, "What these genes are called.")
    fits = [(how, record) for record in records if (how := match_name(record, name)) is not None]
    session.drop(
        [
            UnusedRecord(record.id, f"{name} is neither its symbol nor among its other names")
            for record in records
            if match_name(record, name) is None
        ]
    )
    if not fits:
        return None
    placed = [(how, record) for how, record in fits if record.get("location")]
    if placed and len(placed) < len(fits):
        session.drop(
            [
                UnusedRecord(
                    record.id, "a mapped phenotype or locus without a position in the genome"
                )
                for how, record in fits
                if not record.get("location")
            ]
        )
        fits = placed
    best = min(how for how, _ in fits)
    if session.gaps and best > NameFit.SYMBOL_CASE:
        kept_back = ", ".join(list(dict.fromkeys(session.gaps))[:5])
        session.note(f"NCBI did not send {kept_back}, which may have the name too.")
    return ResolvedGenes(
        best,
        tuple(r for how, r in fits if how == best),
        call,
        tuple(r for how, r in fits if how != best),
    )


def gene_summaries(
    session: NcbiSession, ids: tuple[str, ...], why: str
) -> tuple[list[NcbiRecord], str]:
    """Live genes of the question's species; withdrawn ids lead to the gene that took their
    place.
    """
    answer = session.ask(Summary(NcbiDatabase.GENE, ids), why)
    records, call = list(answer.records), answer.stored
    session.gaps += [dropped.record for dropped in answer.reading.dropped]
    known_ids = {record.id for record in records}
    live = [record for record in records if not why_unfit(record, session.question.species)]
    moved = [f"{record.get('replaced_by')}" for record in records if record.get("replaced_by")]
    session.drop(
        [
            UnusedRecord(record.id, why_unfit(record, session.question.species))
            for record in records
            if record not in live
        ]
    )
    moved = [uid for uid in moved if f"NCBIGene:{uid}" not in known_ids]
    if moved and not live:
        return gene_summaries(
            session,
            tuple(dict.fromkeys(moved)),
            "The genes that replaced withdrawn records.",
        )
    return live, call


def why_unfit(record: NcbiRecord, species: str) -> str:
    """Why a gene record is no gene of this species that stands; nothing when it is one."""
    if target := record.get("replaced_by"):
        return f"replaced by NCBIGene:{target}"
    if str(record.get("status")).casefold() in WITHDRAWN:
        return "withdrawn by NCBI without a replacement"
    return (
        ""
        if is_gene_of_species(record, species)
        else f"a gene of {record.get('species') or 'another species'}"
    )


def is_gene_of_species(record: NcbiRecord, species: str) -> bool:
    """Whether a gene record is of this species, by number or, where that is gone, by name. One that
    states no species at all counts as what was searched for.
    """
    if taxid := record.get("taxid"):
        return bool(taxid == TAXA.get(species))
    return record.get("species") in ("", SCIENTIFIC_NAMES.get(species))


def gene_thing(record: NcbiRecord) -> StatementEnd:
    return StatementEnd(str(record.get("symbol")), record.id)
