"""The genes of a disease, each with what ties it.

OMIM finds the phenotypes; NCBI's links lead from them to genes. Only where links are not served is
a gene taken because its own record names the phenotype (OMIM's symbol among its aliases, the
disease in its summary), because the disease's name names the gene, or last, unconfirmed, because
OMIM ranks its entry first. An entry marked `*` is a gene, never a disease.
"""

from __future__ import annotations

import re

from core.errors import NotServed
from core.genes.answer import Asking
from core.genes.kinds.phenotype import RANKED, Case, fit, named_by, phenotypes, tie
from core.genes.kinds.symbol import summaries, unfit
from core.ncbi.call import Link, NcbiDatabase, Search, Summary
from core.ncbi.omim import OmimEntryType
from core.ncbi.record import Dropped, NcbiRecord

MAX_PHENOTYPES = 8
MAX_ENTRIES = 6


def cases(asking: Asking) -> list[Case]:
    """Genes of the disease, each with what ties it."""
    name = asking.question.subject
    asking.part = f"Which OMIM entries are {name}?"
    search = asking.ask(Search(NcbiDatabase.OMIM, _query(name)), f"OMIM entries on {name}.")
    if not search.reading.ids:
        asking.note(f"OMIM has no entry on {name}.")
        return _from_gene_database(asking, name, [], [])
    summary = asking.ask(
        Summary(NcbiDatabase.OMIM, search.reading.ids),
        "What these entries are: genes (*) or phenotypes (#, %).",
    )
    entries = list(summary.records)
    if gene := next(
        (one for one in entries if one.get("kind") == OmimEntryType.GENE and _called(one, name)),
        None,
    ):
        asking.note(f"{name} is itself a gene ({gene.id}), not a disease.")
        return []
    asking.gaps += [one.record for one in summary.reading.dropped]
    chosen = phenotypes(entries, name)
    asking.drop([Dropped(one.id, _why_not(one)) for one in entries if one not in chosen])
    for one in chosen:
        note = f" ({one.get('qualifier')})" if one.get("qualifier") else ""
        asking.note(f"{one.id} {one.get('mark')} {one.get('title')}{note}.")
    if chosen and fit(chosen[0], name) < 1.0:
        asking.note(f"No OMIM title holds all words of {name}; the nearest was taken.")
    asking.part = "Which genes do they point to, and where do these lie?"
    linked = _linked(asking, chosen[:MAX_PHENOTYPES])
    if linked is None:
        return _from_gene_database(asking, name, chosen, entries)
    return linked or _from_gene_database(asking, name, chosen, [])


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
    by_number = {one.id.partition(":")[2]: one for one in chosen}
    try:
        links = _links(asking, tuple(by_number)) if asking.ncbi.addresses.links else None
    except NotServed:
        links = None
    if links is None:
        asking.note("Links from OMIM to genes are not served here.")
        return None
    tied: dict[str, NcbiRecord] = {}
    for number, targets in links.items():
        for uid in targets:
            tied.setdefault(uid, by_number.get(number, chosen[0]))
    if not tied:
        asking.note("NCBI links no gene to these entries.")
        return []
    genes, call = summaries(asking, tuple(tied), "The linked genes.")
    itself = [
        one for one in genes if not one.get("location") and _is(one, tied[one.id.partition(":")[2]])
    ]
    asking.drop(
        [
            Dropped(one.id, "a mapped phenotype without a place in the genome, no gene")
            for one in itself
        ]
    )
    kept = [one for one in genes if one not in itself]
    return [
        Case(one, call, "linked by NCBI", tied.get(one.id.partition(":")[2], chosen[0]))
        for one in kept
    ]


def _links(asking: Asking, numbers: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Gene ids by OMIM number, of all at once; a server that heard only some of the numbers is
    asked for the others.
    """
    found: dict[str, tuple[str, ...]] = {}
    while left := tuple(one for one in numbers if one not in found):
        given = left if not found else left[:1]
        answer = asking.ask(
            Link(NcbiDatabase.OMIM, NcbiDatabase.GENE, given),
            f"Genes linked to OMIM {', '.join(given)}.",
        )
        heard = {
            number: targets for number, targets in answer.reading.links.items() if number in given
        }
        found |= heard or dict.fromkeys(given[:1], answer.reading.ids)
    return {number: found[number] for number in numbers}


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
            if case := tie(gene, call, name, chosen):
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
        one
        for one in entries
        if one.get("kind") in (OmimEntryType.GENE, OmimEntryType.GENE_AND_PHENOTYPE)
    ]
    left = [
        one
        for one in genes
        if one.id.partition(":")[2] not in known and one.get("symbol") and one not in chosen
    ]
    taken: list[tuple[NcbiRecord, NcbiRecord | None, str]] = [
        (one, chosen[0] if chosen else None, "the disease's name names it")
        for one in left
        if named_by(one, name)
    ]
    without = [one for one in chosen if not any(case.phenotype == one for case in found.values())]
    room = min(len(without) - len(taken), MAX_ENTRIES)
    if len(chosen) == 1 and (found or taken):
        room = 0
    rest = [one for one in left if not named_by(one, name)]
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
        (step.call for step in asking.steps if any(one.id == entry.id for one in step.records)), ""
    )
    return Case(entry, call, f"{how} ({entry.id})", phenotype)


def _held(asking: Asking, symbol: str, number: str) -> tuple[NcbiRecord, str] | None:
    """A live human gene of an answer so far that carries the OMIM number, else one with the symbol,
    and its call.
    """
    genes = [
        (one, step.call)
        for step in asking.steps
        for one in step.records
        if one.db == "gene" and one.get("symbol") and not unfit(one, "human")
    ]
    carrying = [held for held in genes if number in held[0].get("mim", [])]
    return next(
        iter([*carrying, *(held for held in genes if held[0].get("symbol") == symbol)]), None
    )
