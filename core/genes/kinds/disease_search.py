"""The genes of a disease, each with what ties it.

OMIM finds the phenotypes; NCBI's links lead from them to genes. Only where links are not served is
a gene taken because its own record names the phenotype (OMIM's symbol among its aliases, the
disease in its summary), because the disease's name names the gene, or last, unconfirmed, because
OMIM ranks its entry first. An entry marked `*` is a gene, never a disease.
"""

from __future__ import annotations

import re

from core.errors import NotServed, RemoteError
from core.genes.answer import RecordProof
from core.genes.kinds.phenotype import CandidateGene, phenotypes, title_fit
from core.genes.kinds.resolution import gene_summaries
from core.genes.kinds.search_pages import PAGE, search_all, summaries_of
from core.genes.kinds.unlinked_genes import from_gene_database, search_words
from core.genes.session import NcbiSession
from core.ncbi.call import Link, NcbiDatabase, Search
from core.ncbi.client import NcbiResponse
from core.ncbi.omim import OmimEntryType
from core.ncbi.record import NcbiRecord, UnusedRecord

MAX_ENTRIES = 600  # OMIM entries that are read of one search: its first three pages
MAX_ALONE = 30  # forms whose links are asked for one by one, where NCBI fails on all together
LINKS_NOT_SERVED = "Links from OMIM to genes are not available at this NCBI address."
MOST_NAMED = 5  # entries that a note names


def genes_of_disease(session: NcbiSession) -> list[CandidateGene]:
    """Genes of the disease, each with what ties it."""
    name = session.question.subject
    session.part = f"Which OMIM entries are {name}?"
    ids = _search(session, name)
    if not ids:
        session.note(f"OMIM has no entry on {name}.")
        return from_gene_database(session, name, [], [])
    entries = _entries(session, ids)
    if gene := next(
        (
            entry
            for entry in entries
            if entry.get("kind") == OmimEntryType.GENE and _called(entry, name)
        ),
        None,
    ):
        session.note(f"{name} is itself a gene ({gene.id}), not a disease.")
        return []
    chosen = phenotypes(entries, name)
    session.drop(
        [UnusedRecord(entry.id, _why_not(entry)) for entry in entries if entry not in chosen]
    )
    if chosen:
        session.note(f"The disease is read as {_entry_list(chosen)}.")
    if chosen and title_fit(chosen[0], name) < 1.0:
        session.note(f"No OMIM title contains all words of {name}; the nearest was used.")
        if other := _other_disease(chosen[0], name):
            session.lack(f"{other} not looked at: no OMIM title holds both; ask for one at a time")
    session.part = "Which genes do they point to, and where do these lie?"
    linked = _linked(session, chosen)
    if linked is None:
        return from_gene_database(session, name, chosen, entries)
    return linked or from_gene_database(session, name, chosen, [])


def _other_disease(entry: NcbiRecord, name: str) -> str:
    """The second of two diseases that are named together (`cystic fibrosis and gout`), where the
    entry is the first, or the first where it is the second; nothing where it is not so.
    """
    sides = re.split(r",? and ", name, maxsplit=1)
    fits = [title_fit(entry, side) for side in sides]
    return sides[fits.index(0.0)] if sorted(fits) == [0.0, 1.0] else ""


def _entry_list(entries: list[NcbiRecord]) -> str:
    """`OMIM:122100 (CORNEAL DYSTROPHY, MEESMANN, 1)`; of several the first, and how many more."""
    named = "; ".join(f"{entry.id} ({_full_title(entry)})" for entry in entries[:MOST_NAMED])
    more = len(entries) - MOST_NAMED
    return f"{named} and {more} more entries of OMIM" if more > 0 else named


def _full_title(entry: NcbiRecord) -> str:
    return ", ".join(filter(None, (str(entry.get("title")), str(entry.get("qualifier") or ""))))


def _search(session: NcbiSession, name: str) -> tuple[str, ...]:
    """OMIM entries on the disease, page by page, at most MAX_ENTRIES; what is left out is said."""
    call = Search(NcbiDatabase.OMIM, search_words(name), PAGE)
    return search_all(session, call, f"OMIM entries on {name}.", "OMIM entries", MAX_ENTRIES)


def _entries(session: NcbiSession, ids: tuple[str, ...]) -> list[NcbiRecord]:
    why = "What these entries are: genes (*) or phenotypes (#, %)."
    return [entry for entry, _ in summaries_of(session, NcbiDatabase.OMIM, ids, why)]


def _called(entry: NcbiRecord, name: str) -> bool:
    return str(entry.get("symbol")).casefold() == name.casefold()


def _why_not(entry: NcbiRecord) -> str:
    if entry.get("kind") == OmimEntryType.GENE:
        return "marked *: a gene, not a disease"
    return "moved or removed" if entry.get("kind") == OmimEntryType.REMOVED else "another disease"


# ------------------------------------------------------------------ by links
def _linked(session: NcbiSession, chosen: list[NcbiRecord]) -> list[CandidateGene] | None:
    """Genes that NCBI links to each phenotype; None where links are not served, which other trouble
    does not say.
    """
    if not chosen:
        return None
    by_number = {ncbi_record.id.partition(":")[2]: ncbi_record for ncbi_record in chosen}
    try:
        links = _links(session, tuple(by_number)) if session.ncbi.addresses.links else None
    except NotServed:
        links = None
    if links is None:
        session.note(LINKS_NOT_SERVED)
        return None
    sources: dict[str, list[tuple[NcbiRecord, RecordProof]]] = {}
    for number, link in links.items():
        for uid, field in link.items():
            sources.setdefault(uid, []).append((by_number[number], field))
    if not sources:
        session.note("NCBI links no gene to these entries.")
        return []
    genes, call = gene_summaries(session, tuple(sources), "The linked genes.")
    cases = []
    for gene in genes:
        linked = sources.get(gene.id.partition(":")[2], [])
        # a record that took the place of a linked one is not what NCBI linked
        if not linked:
            cases.append(CandidateGene(gene, call, "replaced a linked record", chosen[0]))
        elif not gene.get("location") and _is_phenotype_itself(gene, linked[0][0]):
            why = "a mapped phenotype without a position in the genome, no gene"
            session.drop([UnusedRecord(gene.id, why)])
        else:
            cases += [
                CandidateGene(gene, call, "linked by NCBI", phenotype, field)
                for phenotype, field in linked
            ]
    return cases


LinkFields = dict[str, RecordProof]  # gene id → where the link stands


def _links(session: NcbiSession, numbers: tuple[str, ...]) -> dict[str, LinkFields]:
    """The links of every form, of all at once; a server that heard only some of the numbers is
    asked for the others. Where NCBI fails on all together each form is asked for alone, and those
    that fail are counted.
    """
    links_by_number: dict[str, LinkFields] = {}
    failed: dict[str, RemoteError | None] = {}
    alone = False
    while pending := tuple(
        number for number in numbers if number not in links_by_number and number not in failed
    ):
        requested = pending[:1] if alone or links_by_number or failed else pending[:PAGE]
        try:
            answer = session.ask(
                Link(NcbiDatabase.OMIM, NcbiDatabase.GENE, requested),
                f"Genes linked to OMIM {', '.join(requested)}.",
            )
        except NotServed:
            raise
        except RemoteError as error:
            alone = True
            if len(requested) == 1 or len(requested) > MAX_ALONE:
                failed |= dict.fromkeys(requested, error)
            continue
        reading = answer.reading
        failed |= dict.fromkeys((number for number in reading.failed if number in requested), None)
        heard = {
            number: targets for number, targets in reading.links.items() if number in requested
        }
        if not heard and not reading.failed:
            heard = {requested[0]: reading.ids}
        for number, targets in heard.items():
            links_by_number[number] = {uid: _proof_of_link(answer, number, uid) for uid in targets}
    retried = {number: error for number, error in failed.items() if number not in links_by_number}
    if retried and not links_by_number:
        raise next((error for error in retried.values() if error), RemoteError(_FAILED, _AGAIN))
    if retried:
        session.lack(
            f"{len(numbers) - len(retried)} of {len(numbers)} forms followed; the links of"
            f" {', '.join('OMIM:' + number for number in list(retried)[:5])} failed"
        )
    return {number: links_by_number[number] for number in numbers if number in links_by_number}


_FAILED = "NCBI could not look up the links of this disease."
_AGAIN = "Try again in a minute."


def _proof_of_link(answer: NcbiResponse, number: str, uid: str) -> RecordProof:
    place = answer.reading.places.get(f"{number}>{uid}", "")
    return RecordProof(answer.stored, f"NCBIGene:{uid}", place, uid)


def _is_phenotype_itself(gene: NcbiRecord, phenotype: NcbiRecord) -> bool:
    """Whether a gene record is the phenotype itself, under its symbol."""
    return bool(phenotype.get("symbol")) and gene.get("symbol") == phenotype.get("symbol")


# ------------------------------------------------------------------ without links
