"""The genes of a disease, each with what ties it.

OMIM finds the phenotypes; NCBI's links lead from them to genes. Only where links are not served is
a gene taken because its own record names the phenotype (OMIM's symbol among its aliases, the
disease in its summary), because the disease's name names the gene, or last, unconfirmed, because
OMIM ranks its entry first. An entry marked `*` is a gene, never a disease.

Genes of a disease where NCBI's links are not served: those whose records name it, then OMIM
entries that belong to a form of it.
"""

from __future__ import annotations

import re

from core.errors import NotServed, RemoteError
from core.genes.answer import RecordProof
from core.genes.kinds.phenotype import (
    RANKED,
    CandidateGene,
    gene_disease_tie,
    named_by,
    phenotypes,
    title_fit,
)
from core.genes.kinds.resolution import gene_summaries, why_unfit
from core.genes.kinds.search_pages import PAGE, search_all, summaries_of
from core.genes.session import NcbiSession
from core.ncbi.call import Link, NcbiDatabase, Search
from core.ncbi.client import NcbiResponse
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
            if case := gene_disease_tie(
                gene, call, name, chosen, title_call=_call_of(session, chosen)
            ):
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
        return from_gene_database(session, name, chosen=[], entries=[])
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
    return search_all(session, call, f"OMIM entries on {name}.", "OMIM entries", most=MAX_ENTRIES)


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
                CandidateGene(gene, call, "linked by NCBI", phenotype=phenotype, tie=field)
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
