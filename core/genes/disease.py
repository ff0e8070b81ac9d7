"""Questions about a disease: its genes, and where they lie.

OMIM finds the phenotypes; NCBI's links lead from them to genes. Where links are not served, a gene is taken only when
its own record names the phenotype (OMIM's symbol among its aliases, the disease in its summary) or the disease's name
names the gene. An entry marked `*` is a gene, never a disease. OMIM's `locus` is used only for a gene without a gene
record, only where a second entry agrees and no gene record of the answer contradicts it, and it is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.errors import RemoteError
from core.genes.answer import Answer, Asking, Found, Proof, Status, Thing, bound, proof_of
from core.genes.question import Kind
from core.genes.symbol import summaries, thing
from core.ncbi.call import Database, Link, Search, Summary
from core.ncbi.gene import TAXA
from core.ncbi.omim import Entry
from core.ncbi.record import Dropped, Record

MAX_PHENOTYPES = 8
MAX_ENTRIES = 6
RANKED = "OMIM ranks its entry first for the disease's words; no record links them"
_STOP_WORDS = """
    a an and or of the with without due to in by from on for type form disease disorder syndrome autosomal dominant
    recessive linked
"""
_STOP = frozenset(_STOP_WORDS.split())
_SAME = {
    "tumour": "tumor",
    "anaemia": "anemia",
    "haemolytic": "hemolytic",
    "leukaemia": "leukemia",
    "oedema": "edema",
    "deficient": "deficiency",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A gene and what ties it to the disease: `phenotype` is the OMIM record, `call` the answer that says so."""

    gene: Record
    call: str
    how: str
    phenotype: Record | None = None


def words(text: str) -> frozenset[str]:
    """Content words of a disease name or title, folded; roman numerals and letters of types stay."""
    parts = re.findall(r"[a-z0-9]+", text.casefold().replace("'s", ""))
    return frozenset(_SAME.get(one, one) for one in parts if one not in _STOP)


def fit(entry: Record, name: str) -> float:
    """The share of the name's words in the entry's title, or in one of the titles it includes (0–1)."""
    wanted = words(name) or frozenset(re.findall(r"[a-z0-9]+", name.casefold()))
    titles = [str(entry.get("title")), *map(str, entry.get("included", []))]
    return max((len(wanted & words(one)) / len(wanted) for one in titles), default=0.0)


def phenotypes(entries: list[Record], name: str) -> list[Record]:
    """The entries that are the disease or a form of it; failing that, the best one that shares half its words."""
    able = [one for one in entries if one.get("kind") in (Entry.PHENOTYPE, Entry.GENE_AND_PHENOTYPE)]
    whole = [one for one in able if fit(one, name) == 1.0]
    if whole:
        exact = [one for one in whole if words(str(one.get("title"))) == words(name)]
        return exact if exact and not _numbered(exact, whole) else whole
    near = sorted((one for one in able if fit(one, name) >= 0.5), key=lambda one: -fit(one, name))
    return near[:1]


def _numbered(exact: list[Record], whole: list[Record]) -> bool:
    """Whether the others are numbered forms of the same disease (`DRTA1`, `DRTA2`), which belong to it."""
    title = words(str(exact[0].get("title")))
    return any(
        title < words(str(one.get("title")))
        and all(re.fullmatch(r"\d+[a-z]?|[ivx]+", extra) for extra in words(str(one.get("title"))) - title)
        for one in whole
    )


def cases(asking: Asking) -> list[Case]:
    """Genes of the disease, each with what ties it."""
    name = asking.question.subject
    asking.part = f"Which OMIM entries are {name}?"
    search = asking.ask(Search(Database.OMIM, _query(name)), f"OMIM entries on {name}.")
    if not search.reading.ids:
        asking.note(f"OMIM has no entry on {name}.")
        return _from_gene_database(asking, name, [], [])
    summary = asking.ask(
        Summary(Database.OMIM, search.reading.ids), "What these entries are: genes (*) or phenotypes (#, %)."
    )
    entries = list(summary.records)
    chosen = phenotypes(entries, name)
    asking.drop([Dropped(one.id, _why_not(one)) for one in entries if one not in chosen])
    for one in chosen:
        note = f" ({one.get('qualifier')})" if one.get("qualifier") else ""
        asking.note(f"{one.id} {one.get('mark')} {one.get('title')}{note}.")
    if chosen and fit(chosen[0], name) < 1.0:
        asking.note(f"No OMIM title holds all words of {name}; the nearest was taken.")
    asking.part = "Which genes do they point to, and where do these lie?"
    linked = _linked(asking, chosen[:MAX_PHENOTYPES])
    return linked if linked else _from_gene_database(asking, name, chosen, entries)


def _query(name: str) -> str:
    return re.sub(r"[^\w\s,.()'/-]+", " ", name).strip()


def _why_not(entry: Record) -> str:
    if entry.get("kind") == Entry.GENE:
        return "marked *: a gene, not a disease"
    return "moved or removed" if entry.get("kind") == Entry.REMOVED else "another disease"


def _linked(asking: Asking, chosen: list[Record]) -> list[Case]:
    """Genes that NCBI links to each phenotype; nothing where links are not served."""
    tied: dict[str, Record] = {}
    for one in chosen:
        try:
            answer = asking.ask(
                Link(Database.OMIM, Database.GENE, (one.id.partition(":")[2],)), f"Genes linked to {one.id}."
            )
        except RemoteError:
            asking.note("Links from OMIM to genes are not served here.")
            break
        for uid in answer.reading.ids:
            tied.setdefault(uid, one)
    if not tied:
        return []
    genes, call = summaries(asking, tuple(tied), "The linked genes.")
    return [Case(gene, call, "linked by NCBI", tied.get(gene.id.partition(":")[2], chosen[0])) for gene in genes]


# ------------------------------------------------------------------ without links
def _from_gene_database(asking: Asking, name: str, chosen: list[Record], entries: list[Record]) -> list[Case]:
    """Genes whose records name the disease; then entries marked * that belong to a form of it."""
    found: dict[str, Case] = {}
    search = asking.ask(Search(Database.GENE, _gene_query(name)), f"Genes whose records speak of {name}.")
    if search.reading.ids:
        genes, call = summaries(asking, search.reading.ids, "Whether their records name the disease.")
        for gene in genes:
            if case := tie(gene, call, name, chosen):
                found[gene.id] = case
        asking.drop(
            [Dropped(gene.id, "its record does not name the disease") for gene in genes if gene.id not in found]
        )
    for entry, phenotype, how in _gene_entries(entries, name, chosen, found):
        case = _by_entry(asking, entry, phenotype, how)
        found.setdefault(case.gene.id, case)
    return list(found.values())


def _gene_query(name: str) -> str:
    query = _query(name)
    return query if re.search(r"\b(and|or|not)\b", query, re.I) else f"{query} AND human[orgn]"


def tie(gene: Record, call: str, name: str, chosen: list[Record]) -> Case | None:
    names = {one.casefold() for one in gene.get("aliases", [])}
    for one in chosen:
        if one.get("symbol") and str(one.get("symbol")).casefold() in names and gene.get("location"):
            return Case(gene, call, f"its aliases hold {one.get('symbol')}, OMIM's symbol of the disease", one)
    wanted = words(name)
    if any(wanted <= words(sentence) for sentence in re.split(r"(?<=[.;])\s", str(gene.get("summary")))) and wanted:
        return Case(gene, call, "its summary names the disease", chosen[0] if chosen else None)
    if str(gene.get("symbol")) in re.findall(r"[A-Za-z0-9-]+", name):
        return Case(gene, call, "the disease's name names it", chosen[0] if chosen else None)
    return None


def _gene_entries(
    entries: list[Record], name: str, chosen: list[Record], found: dict[str, Case]
) -> list[tuple[Record, Record | None, str]]:
    """Entries marked * that are not known yet: those the disease's name names, then, for each form of the disease that
    has no gene, those that OMIM ranks first for the disease's words."""
    known = {number for case in found.values() for number in case.gene.get("mim", [])}
    genes = [one for one in entries if one.get("kind") in (Entry.GENE, Entry.GENE_AND_PHENOTYPE)]
    left = [one for one in genes if one.id.partition(":")[2] not in known and one.get("symbol") and one not in chosen]
    taken: list[tuple[Record, Record | None, str]] = [
        (one, chosen[0] if chosen else None, "the disease's name names it") for one in left if _names(one, name)
    ]
    without = [one for one in chosen if not any(case.phenotype == one for case in found.values())]
    room = min(len(without) - len(taken), MAX_ENTRIES)
    if len(chosen) == 1 and (found or taken):
        room = 0
    rest = [one for one in left if not _names(one, name)]
    for number, one in enumerate(rest[: max(room, 0)]):
        taken.append((one, without[min(number, len(without) - 1)] if len(chosen) == 1 else None, RANKED))
    return taken


def _names(entry: Record, name: str) -> bool:
    """Whether the disease is named after the gene: its symbol, or the words of its product, stand in the name."""
    product = words(re.split(r",| \d+$", str(entry.get("title")))[0])
    return str(entry.get("symbol")) in re.findall(r"[A-Za-z0-9-]+", name) or (bool(product) and product <= words(name))


def _by_entry(asking: Asking, entry: Record, phenotype: Record | None, how: str) -> Case:
    """The gene record that carries this OMIM number; the OMIM entry itself where no gene record is to be had."""
    symbol, number = str(entry.get("symbol")), entry.id.partition(":")[2]
    search = asking.ask(Search(Database.GENE, f"{symbol}[sym] AND human[orgn]"), f"The gene of {entry.id} ({symbol}).")
    if search.reading.ids:
        genes, call = summaries(asking, search.reading.ids, f"Whether its record carries OMIM {number}.")
        fits = [gene for gene in genes if number in gene.get("mim", []) or gene.get("symbol") == symbol]
        if fits:
            return Case(fits[0], call, f"{how} ({entry.id})", phenotype)
    asking.note(f"{symbol} stands in {entry.id} only: no gene record confirms the symbol.")
    call = next((step.call for step in asking.steps if any(one.id == entry.id for one in step.records)), "")
    return Case(entry, call, f"{how} ({entry.id})", phenotype)


# ------------------------------------------------------------------ answers
def genes_of(asking: Asking) -> Answer:
    """One value a gene."""
    name = asking.question.subject
    known = cases(asking)
    if not known:
        return asking.not_found(f"No gene record is tied to {name}.")
    found = []
    for case in known:
        asking.note(f"{case.gene.get('symbol')}: {case.how}.")
        found.append(gene_in(asking, case))
    return asking.answer(Status.ANSWERED, [one.value for one in found], tuple(found))


def gene_in(asking: Asking, case: Case) -> Found:
    """The gene of a case, as a value of the answer."""
    ranked = RANKED in case.how or case.gene.db == "omim"
    return bound(
        case.gene,
        "symbol",
        str(case.gene.get("symbol")),
        case.call,
        subject=thing(case.gene),
        object=_disease(case, asking.question.subject),
        relation="unconfirmed" if ranked else "",
        proofs=_phenotype_proof(asking, case),
    )


def band_in(case: Case, field: str = "band", relation: str = "") -> Found:
    """Where the gene of a case lies, as a value of the answer."""
    band, ranked = str(case.gene.get(field)), "unconfirmed" if RANKED in case.how else ""
    ends = {"subject": thing(case.gene), "object": Thing(band), "relation": relation or ranked}
    return bound(case.gene, field, band, case.call, **ends)


def _phenotype_proof(asking: Asking, case: Case) -> tuple[Proof, ...]:
    return proof_of(asking.steps, case.phenotype, "title") if case.phenotype else ()


def _disease(case: Case, name: str) -> Thing:
    return Thing(str(case.phenotype.get("title")), case.phenotype.id) if case.phenotype else Thing(name)


def places_of(asking: Asking) -> Answer:
    """The cytogenetic band of each gene, from its gene record."""
    name = asking.question.subject
    known = cases(asking)
    found: list[Found] = []
    trusted = loci_agree(asking)
    for case in known:
        field, relation = ("band", "") if case.gene.get("band") else ("unconfirmed_locus", "unconfirmed")
        band = str(case.gene.get(field))
        if relation and not (trusted and _confirmed(band, case, asking)):
            asking.note(f"{case.gene.get('symbol')}: no gene record states its place.")
            continue
        if relation:
            asking.note(f"{case.gene.get('symbol')}: {band} is OMIM's locus, not a gene record's.")
        asking.note(f"{case.gene.get('symbol')}: {band}; {case.how}.")
        found.append(band_in(case, field, relation))
    if not found:
        return asking.not_found(f"No gene record with a place is tied to {name}.")
    return asking.answer(Status.ANSWERED, list(dict.fromkeys(one.value for one in found)), tuple(found))


FILLER = "1p36"  # stands in many loci that have nothing to do with it


def loci_agree(asking: Asking) -> bool:
    """Whether OMIM's loci may be looked at: no gene record contradicts one, and they are not all the same."""
    records = [one for step in asking.steps for one in step.records]
    loci = {
        one.id.partition(":")[2]: str(one.get("unconfirmed_locus"))
        for one in records
        if one.db == "omim" and one.get("unconfirmed_locus")
    }
    if len(loci) > 2 and len(set(loci.values())) == 1:
        return False
    for gene in (one for one in records if one.db == "gene" and one.get("taxid") == TAXA["human"] and one.get("band")):
        for number in gene.get("mim", []):
            if number in loci and gene.get("band") not in re.split(r",\s*", loci[number]):
                asking.note(
                    f"OMIM's loci are not used: {loci[number]} for OMIM:{number} contradicts "
                    f"{gene.id} ({gene.get('band')})."
                )
                return False
    return True


def _confirmed(locus: str, case: Case, asking: Asking) -> bool:
    """Whether a form of the disease has the same locus."""
    forms = [
        one
        for step in asking.steps
        for one in step.records
        if one.db == "omim" and one.get("kind") == Entry.PHENOTYPE and one.id != case.gene.id
    ]
    return (
        bool(locus)
        and "," not in locus
        and locus != FILLER
        and any(locus in re.split(r",\s*", str(one.get("unconfirmed_locus"))) for one in forms)
    )


KINDS = {Kind.DISEASE_GENES: genes_of, Kind.DISEASE_LOCATIONS: places_of}
