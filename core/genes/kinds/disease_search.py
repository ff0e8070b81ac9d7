"""The genes of a disease, each with what ties it.

OMIM finds the phenotypes; NCBI's links lead from them to genes. Only where links are not served is
a gene taken because its own record names the phenotype (OMIM's symbol among its aliases, the
disease in its summary), because the disease's name names the gene, or last, unconfirmed, because
OMIM ranks its entry first. An entry marked `*` is a gene, never a disease.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.errors import NotServed, RemoteError
from core.genes.answer import Asking, RecordProof
from core.genes.kinds.phenotype import (
    RANKED,
    Case,
    gene_disease_tie,
    named_by,
    phenotypes,
    title_fit,
)
from core.genes.kinds.symbol import summaries, unfit
from core.ncbi.call import Link, NcbiDatabase, Search, Summary
from core.ncbi.client import Response
from core.ncbi.omim import OmimEntryType
from core.ncbi.record import Dropped, NcbiRecord

MAX_ENTRIES = 600  # OMIM entries that are read of one search: its first three pages
PAGE = 200  # results of a page, and ids of a call
MAX_ALONE = 30  # forms whose links are asked for one by one, where NCBI fails on all together
MAX_RANKED = 6  # genes that are shown, unconfirmed, because OMIM ranks them first


def cases(asking: Asking) -> list[Case]:
    """Genes of the disease, each with what ties it."""
    name = asking.question.subject
    asking.part = f"Which OMIM entries are {name}?"
    ids = _search(asking, name)
    if not ids:
        asking.note(f"OMIM has no entry on {name}.")
        return _from_gene_database(asking, name, [], [])
    entries = _entries(asking, ids)
    if gene := next(
        (
            entry
            for entry in entries
            if entry.get("kind") == OmimEntryType.GENE and _called(entry, name)
        ),
        None,
    ):
        asking.note(f"{name} is itself a gene ({gene.id}), not a disease.")
        return []
    chosen = phenotypes(entries, name)
    asking.drop([Dropped(entry.id, _why_not(entry)) for entry in entries if entry not in chosen])
    for ncbi_record in chosen:
        note = f" ({ncbi_record.get('qualifier')})" if ncbi_record.get("qualifier") else ""
        asking.note(f"{ncbi_record.id} {ncbi_record.get('mark')} {ncbi_record.get('title')}{note}.")
    if chosen and title_fit(chosen[0], name) < 1.0:
        asking.note(f"No OMIM title holds all words of {name}; the nearest was taken.")
    asking.part = "Which genes do they point to, and where do these lie?"
    linked = _linked(asking, chosen)
    if linked is None:
        return _from_gene_database(asking, name, chosen, entries)
    return linked or _from_gene_database(asking, name, chosen, [])


def _search(asking: Asking, name: str) -> tuple[str, ...]:
    """OMIM entries on the disease, page by page, at most MAX_ENTRIES; what is left out is said."""
    why, found = f"OMIM entries on {name}.", dict[str, None]()
    call = Search(NcbiDatabase.OMIM, _query(name), PAGE)
    reading = asking.ask(call, why).reading
    while set(reading.ids) - set(found):
        found |= dict.fromkeys(reading.ids)
        if len(found) >= min(reading.count, MAX_ENTRIES):
            break
        call = replace(call, retstart=len(found))
        try:
            reading = asking.ask(call, f"The next page of {why}").reading
        except RemoteError:
            break
    if reading.count > len(found):
        asking.lack(f"{len(found)} of {reading.count} OMIM entries read")
    return tuple(found)


def _entries(asking: Asking, ids: tuple[str, ...]) -> list[NcbiRecord]:
    """The summaries of OMIM entries, PAGE at a time."""
    entries: list[NcbiRecord] = []
    for start in range(0, len(ids), PAGE):
        summary = asking.ask(
            Summary(NcbiDatabase.OMIM, ids[start : start + PAGE]),
            "What these entries are: genes (*) or phenotypes (#, %).",
        )
        entries += summary.records
        asking.gaps += [one.record for one in summary.reading.dropped]
    return entries


def _called(entry: NcbiRecord, name: str) -> bool:
    return str(entry.get("symbol")).casefold() == name.casefold()


def _query(name: str) -> str:
    return re.sub(r"[^\w\s,.()'/-]+", " ", name).strip()


def _why_not(entry: NcbiRecord) -> str:
    if entry.get("kind") == OmimEntryType.GENE:
        return "marked *: a gene, not a disease"
    return "moved or removed" if entry.get("kind") == OmimEntryType.REMOVED else "another disease"


# ------------------------------------------------------------------ by links
def _linked(asking: Asking, chosen: list[NcbiRecord]) -> list[Case] | None:
    """Genes that NCBI links to each phenotype; None where links are not served, which other trouble
    does not say.
    """
    if not chosen:
        return None
    by_number = {ncbi_record.id.partition(":")[2]: ncbi_record for ncbi_record in chosen}
    try:
        links = _links(asking, tuple(by_number)) if asking.ncbi.addresses.links else None
    except NotServed:
        links = None
    if links is None:
        asking.note("Links from OMIM to genes are not served here.")
        return None
    sources: dict[str, list[tuple[NcbiRecord, RecordProof]]] = {}
    for number, link in links.items():
        for uid, field in link.items():
            sources.setdefault(uid, []).append((by_number[number], field))
    if not sources:
        asking.note("NCBI links no gene to these entries.")
        return []
    genes, call = summaries(asking, tuple(sources), "The linked genes.")
    cases = []
    for gene in genes:
        linked = sources.get(gene.id.partition(":")[2], [])
        # a record that took the place of a linked one is not what NCBI linked
        if not linked:
            cases.append(Case(gene, call, "took the place of a linked record", chosen[0]))
        elif not gene.get("location") and _is(gene, linked[0][0]):
            why = "a mapped phenotype without a place in the genome, no gene"
            asking.drop([Dropped(gene.id, why)])
        else:
            cases += [Case(gene, call, "linked by NCBI", one, field) for one, field in linked]
    return cases


LinkFields = dict[str, RecordProof]  # gene id → where the link stands


def _links(asking: Asking, numbers: tuple[str, ...]) -> dict[str, LinkFields]:
    """The links of every form, of all at once; a server that heard only some of the numbers is
    asked for the others. Where NCBI fails on all together each form is asked for alone, and those
    that fail are counted.
    """
    found: dict[str, LinkFields] = {}
    failed: dict[str, RemoteError | None] = {}
    alone = False
    while left := tuple(one for one in numbers if one not in found and one not in failed):
        asked = left[:1] if alone or found or failed else left[:PAGE]
        try:
            answer = asking.ask(
                Link(NcbiDatabase.OMIM, NcbiDatabase.GENE, asked),
                f"Genes linked to OMIM {', '.join(asked)}.",
            )
        except NotServed:
            raise
        except RemoteError as error:
            alone = True
            if len(asked) == 1 or len(asked) > MAX_ALONE:
                failed |= dict.fromkeys(asked, error)
            continue
        reading = answer.reading
        failed |= dict.fromkeys((one for one in reading.failed if one in asked), None)
        heard = {one: targets for one, targets in reading.links.items() if one in asked}
        if not heard and not reading.failed:
            heard = {asked[0]: reading.ids}
        for number, targets in heard.items():
            found[number] = {uid: _proof_of_link(answer, number, uid) for uid in targets}
    retried = {one: error for one, error in failed.items() if one not in found}
    if retried and not found:
        raise next((error for error in retried.values() if error), RemoteError(_FAILED, _AGAIN))
    if retried:
        asking.lack(
            f"{len(numbers) - len(retried)} of {len(numbers)} forms followed; the links of"
            f" {', '.join('OMIM:' + one for one in list(retried)[:5])} failed"
        )
    return {number: found[number] for number in numbers if number in found}


_FAILED = "NCBI could not look up the links of this disease."
_AGAIN = "Try again in a minute."


def _proof_of_link(answer: Response, number: str, uid: str) -> RecordProof:
    place = answer.reading.places.get(f"{number}>{uid}", "")
    return RecordProof(answer.stored, f"NCBIGene:{uid}", place, uid)


def _is(gene: NcbiRecord, phenotype: NcbiRecord) -> bool:
    """Whether a gene record is the phenotype itself, under its symbol."""
    return bool(phenotype.get("symbol")) and gene.get("symbol") == phenotype.get("symbol")


# ------------------------------------------------------------------ without links
def _from_gene_database(
    asking: Asking, name: str, chosen: list[NcbiRecord], entries: list[NcbiRecord]
) -> list[Case]:
    """Genes whose records name the disease; then entries marked * that belong to a form of it."""
    found: dict[str, Case] = {}
    search = asking.ask(
        Search(NcbiDatabase.GENE, _gene_query(name)), f"Genes whose records speak of {name}."
    )
    if search.reading.ids:
        genes, call = summaries(
            asking, search.reading.ids, "Whether their records name the disease."
        )
        for gene in genes:
            if case := gene_disease_tie(gene, call, name, chosen, _call_of(asking, chosen)):
                found[gene.id] = case
        asking.drop(
            [
                Dropped(gene.id, "its record does not name the disease")
                for gene in genes
                if gene.id not in found
            ]
        )
    for entry, phenotype, how in _gene_entries(entries, name, chosen, found):
        case = _by_entry(asking, entry, phenotype, how)
        found.setdefault(case.gene.id, case)
    return list(found.values())


def _call_of(asking: Asking, records: list[NcbiRecord]) -> str:
    """The answer that holds the first of these records."""
    return next(
        (
            step.call
            for step in asking.steps
            if records and any(record.id == records[0].id for record in step.records)
        ),
        "",
    )


def _gene_query(name: str) -> str:
    query = _query(name)
    return query if re.search(r"\b(and|or|not)\b", query, re.I) else f"{query} AND human[orgn]"


def _gene_entries(
    entries: list[NcbiRecord], name: str, chosen: list[NcbiRecord], found: dict[str, Case]
) -> list[tuple[NcbiRecord, NcbiRecord | None, str]]:
    """Entries marked * that are not known yet: those the disease's name names, then, for each form
    of the disease that has no gene, those that OMIM ranks first for the disease's words.
    """
    known = {number for case in found.values() for number in case.gene.get("mim", [])}
    genes = [
        ncbi_record
        for ncbi_record in entries
        if ncbi_record.get("kind") in (OmimEntryType.GENE, OmimEntryType.GENE_AND_PHENOTYPE)
    ]
    left = [
        ncbi_record
        for ncbi_record in genes
        if ncbi_record.id.partition(":")[2] not in known
        and ncbi_record.get("symbol")
        and ncbi_record not in chosen
    ]
    taken: list[tuple[NcbiRecord, NcbiRecord | None, str]] = [
        (ncbi_record, chosen[0] if chosen else None, "the disease's name names it")
        for ncbi_record in left
        if named_by(ncbi_record, name)
    ]
    without = [
        ncbi_record
        for ncbi_record in chosen
        if not any(case.phenotype == ncbi_record for case in found.values())
    ]
    room = min(len(without) - len(taken), MAX_RANKED)
    if len(chosen) == 1 and (found or taken):
        room = 0
    rest = [ncbi_record for ncbi_record in left if not named_by(ncbi_record, name)]
    for number, one in enumerate(rest[: max(room, 0)]):
        taken.append(
            (one, without[min(number, len(without) - 1)] if len(chosen) == 1 else None, RANKED)
        )
    return taken


def _by_entry(asking: Asking, entry: NcbiRecord, phenotype: NcbiRecord | None, how: str) -> Case:
    """The gene record that carries this OMIM number: one at hand, else one that is searched for;
    the OMIM entry itself where no gene record is to be had.
    """
    symbol, number = str(entry.get("symbol")), entry.id.partition(":")[2]
    if held := _held(asking, symbol, number):
        return Case(*held, f"{how} ({entry.id})", phenotype)
    search = asking.ask(
        Search(NcbiDatabase.GENE, f"{symbol}[sym] AND human[orgn]"),
        f"The gene of {entry.id} ({symbol}).",
    )
    if search.reading.ids:
        summaries(asking, search.reading.ids, f"Whether its record carries OMIM {number}.")
        if held := _held(asking, symbol, number):
            return Case(*held, f"{how} ({entry.id})", phenotype)
    asking.note(f"{symbol} stands in {entry.id} only: no gene record confirms the symbol.")
    call = next(
        (
            step.call
            for step in asking.steps
            if any(record.id == entry.id for record in step.records)
        ),
        "",
    )
    return Case(entry, call, f"{how} ({entry.id})", phenotype)


def _held(asking: Asking, symbol: str, number: str) -> tuple[NcbiRecord, str] | None:
    """A live human gene of an answer so far that carries the OMIM number, else one with the symbol,
    and its call.
    """
    genes = [
        (record, step.call)
        for step in asking.steps
        for record in step.records
        if record.db == "gene" and record.get("symbol") and not unfit(record, "human")
    ]
    carrying = [held for held in genes if number in held[0].get("mim", [])]
    return next(
        iter([*carrying, *(held for held in genes if held[0].get("symbol") == symbol)]), None
    )
