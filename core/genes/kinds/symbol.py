"""Which gene a name means, and the four kinds of question about one gene: symbol, conversion, place
and type.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from core.errors import RemoteError
from core.genes.answer import (
    AnswerStatus,
    AnswerValue,
    Asking,
    GeneAnswer,
    RecordProof,
    Thing,
    bound_value,
)
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.search_pages import read_on
from core.genes.question.normalisation import mend_typos
from core.genes.question.question import QuestionKind
from core.ncbi.call import GeneType, NcbiDatabase, Search, Summary
from core.ncbi.gene import NAMES, TAXA, WITHDRAWN, species_search_term
from core.ncbi.record import Dropped, NcbiReading, NcbiRecord

ALL_NAMES = re.compile(
    r"\b(?:aliases|synonyms|(?:alias|synonym) lists?"
    r"|(?:other|alternative|all|previous) (?:names?|symbols?))\b",
    re.I,
)
PREVIOUS = re.compile(r"\b(?:previous|former|old|earlier|withdrawn)\b", re.I)
ONE_NAME = (
    r"\b(?:official|approved|current|correct|preferred|resolve|convert|translate|map|which|one"
    r" of)\b"
)
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
class Resolved:
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


def match(record: NcbiRecord, name: str) -> NameFit | None:
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


def resolve(asking: Asking, name: str) -> Resolved | None:
    """The genes of the question's species that bear `name`: two calls, four when the field search
    finds nothing.
    """
    species = asking.question.species
    if ENSEMBL.fullmatch(name):
        return _by_ensembl(asking, name)
    authority, _, number = name.partition(":")
    if authority == "NCBIGene":
        return _among(asking, (number,), name)
    if authority == "MIM":
        listing = asking.ask(
            Search(NcbiDatabase.GENE, f"{number}[mim]"), f"Genes with the OMIM number {number}."
        ).reading
        return _among(asking, listing.ids, name) if listing.ids else None
    for term, why in (
        (
            f"{name}[sym] AND {species_search_term(species)}[orgn]",
            f"Genes of {species} with the symbol or alias {name}.",
        ),
        (
            f'"{name}" AND {species_search_term(species)}[orgn]',
            f"No symbol or alias field holds {name}; any field of {species} genes.",
        ),
    ):
        call = Search(NcbiDatabase.GENE, term)
        search = asking.ask(call, why).reading
        resolved = _among(asking, search.ids, name) if search.ids else None
        if search.count > len(search.ids) and not _exact(resolved):
            every = read_on(asking, call, search, why, f"gene records on {name}", MOST_NAMED)
            if later := tuple(uid for uid in every if uid not in search.ids):
                further = _among(asking, later, name)
                resolved = min(filter(None, (resolved, further)), key=_fit, default=None)
        if resolved:
            return resolved
    return None


def _fit(resolved: Resolved) -> NameFit:
    return resolved.match


def _exact(resolved: Resolved | None) -> bool:
    """Whether no further record could bear the name better: it is the symbol of a gene."""
    return resolved is not None and resolved.match <= NameFit.SYMBOL_CASE


def _by_ensembl(asking: Asking, name: str) -> Resolved | None:
    """Ensembl ids are not in summaries: NCBI's own index ties them to genes."""
    species = asking.question.species
    search = asking.ask(
        Search(NcbiDatabase.GENE, f"{name} AND {species_search_term(species)}[orgn]"),
        f"Genes of {species} with the id {name}.",
    )
    if not (ids := tied_gene_ids(search.reading, name)):
        return None
    genes, call = summaries(asking, ids, "What these genes are called.")
    return Resolved(NameFit.SEARCH, tuple(genes), call) if genes else None


def tied_gene_ids(search: NcbiReading, name: str) -> tuple[str, ...]:
    """Genes that NCBI's index ties to an id of another database; none where the search passed over
    the id, or found more than one id can have.
    """
    passed = any(name.casefold() in phrase.casefold() for phrase in search.unfound)
    return () if passed or search.count > MAX_TIED else search.ids


def _among(asking: Asking, ids: tuple[str, ...], name: str) -> Resolved | None:
    records, call = summaries(asking, ids, "What these genes are called.")
    fits = [(how, record) for record in records if (how := match(record, name)) is not None]
    asking.drop(
        [
            Dropped(record.id, f"{name} is neither its symbol nor among its other names")
            for record in records
            if match(record, name) is None
        ]
    )
    if not fits:
        return None
    placed = [(how, record) for how, record in fits if record.get("location")]
    if placed and len(placed) < len(fits):
        asking.drop(
            [
                Dropped(record.id, "a mapped phenotype or locus without a place in the genome")
                for how, record in fits
                if not record.get("location")
            ]
        )
        fits = placed
    best = min(how for how, _ in fits)
    if asking.gaps and best > NameFit.SYMBOL_CASE:
        asking.note(f"NCBI did not send {', '.join(asking.gaps[:5])}, which may bear the name too.")
    return Resolved(
        best,
        tuple(r for how, r in fits if how == best),
        call,
        tuple(r for how, r in fits if how != best),
    )


def summaries(asking: Asking, ids: tuple[str, ...], why: str) -> tuple[list[NcbiRecord], str]:
    """Live genes of the question's species; withdrawn ids lead to the gene that took their
    place.
    """
    answer = asking.ask(Summary(NcbiDatabase.GENE, ids), why)
    records, call = list(answer.records), answer.stored
    asking.gaps += [dropped.record for dropped in answer.reading.dropped]
    known_ids = {record.id for record in records}
    live = [record for record in records if not why_unfit(record, asking.question.species)]
    moved = [f"{record.get('replaced_by')}" for record in records if record.get("replaced_by")]
    asking.drop(
        [
            Dropped(record.id, why_unfit(record, asking.question.species))
            for record in records
            if record not in live
        ]
    )
    moved = [uid for uid in moved if f"NCBIGene:{uid}" not in known_ids]
    if moved and not live:
        return summaries(
            asking,
            tuple(dict.fromkeys(moved)),
            "The genes that took the place of withdrawn records.",
        )
    return live, call


def why_unfit(record: NcbiRecord, species: str) -> str:
    """Why a gene record is no gene of this species that stands; nothing when it is one."""
    if target := record.get("replaced_by"):
        return f"replaced by NCBIGene:{target}"
    if str(record.get("status")).casefold() in WITHDRAWN:
        return "withdrawn by NCBI, and nothing took its place"
    return (
        ""
        if of_species(record, species)
        else f"a gene of {record.get('species') or 'another species'}"
    )


def of_species(record: NcbiRecord, species: str) -> bool:
    """Whether a gene record is of this species, by number or, where that is gone, by name. One that
    states no species at all counts as what was searched for.
    """
    if taxid := record.get("taxid"):
        return bool(taxid == TAXA.get(species))
    return record.get("species") in ("", NAMES.get(species))


def gene_thing(record: NcbiRecord) -> Thing:
    return Thing(str(record.get("symbol")), record.id)


# ------------------------------------------------------------------ the kinds of question about one
# gene
def alias(asking: Asking) -> GeneAnswer:
    """The official symbol of a gene known by another name."""
    name = asking.question.subject
    resolved = resolve(asking, name)
    if resolved is None:
        return asking.not_found(
            f"No {asking.question.species} gene in NCBI Gene bears the name {name}."
        )
    question_text = mend_typos(asking.question.text)
    if ALL_NAMES.search(question_text) and not re.search(ONE_NAME, question_text, re.I):
        return _all_names(asking, resolved)
    if resolved.match <= NameFit.SYMBOL_CASE:
        asking.note(f"{resolved.gene.get('symbol')} is an official symbol itself.")
    if resolved.others:
        asking.note(
            "Less exactly, the name also fits "
            + ", ".join(str(ncbi_record.get("symbol")) for ncbi_record in resolved.others[:8])
            + "."
        )
    if resolved.gene.get("official") != "Official":
        asking.note(
            f"The symbol's nomenclature status is {resolved.gene.get('official') or 'not given'}."
        )
    answer_values = tuple(
        alias_in(ncbi_record, name, resolved.call) for ncbi_record in resolved.genes
    )
    return _one_of(asking, answer_values, f"{name} is a name of several genes")


def alias_in(gene: NcbiRecord, name: str, call: str) -> AnswerValue:
    """The symbol of a gene that bears `name`: it rests on the field that lists the name. The
    symbol itself is no alias, and what only NCBI's index ties to the gene is unconfirmed.
    """
    symbol = str(gene.get("symbol"))
    own = RecordProof(
        call,
        gene.id,
        gene.pointers.get("symbol", "symbol"),
        gene.raw.get("symbol") or gene.text("symbol"),
    )
    for field in ("aliases", "designations"):
        if listed := _listed_as(gene, field, name):
            return AnswerValue(
                symbol,
                gene.id,
                gene.pointers.get(field, field),
                listed,
                call,
                gene_thing(gene),
                Thing(listed),
                "inferred" if field == "designations" else "",
                (own,),
            )
    itself = symbol.casefold() == name.casefold() or name in ids_of(gene)
    return AnswerValue(
        symbol,
        own.record,
        own.field,
        own.raw,
        call,
        gene_thing(gene),
        Thing(name),
        "itself" if itself else "unconfirmed",
    )


def _listed_as(gene: NcbiRecord, field: str, name: str) -> str:
    """The name as a list of the record writes it; nothing where it is the symbol or not listed."""
    if str(gene.get("symbol")).casefold() == name.casefold():
        return ""
    names = [str(listed_name) for listed_name in gene.get(field, [])]
    if name in names:
        return name
    return next(
        (listed_name for listed_name in names if listed_name.casefold() == name.casefold()), ""
    )


def _all_names(asking: Asking, resolved: Resolved) -> GeneAnswer:
    """Every other name that the gene's record lists."""
    gene = resolved.gene
    if len(resolved.genes) > 1:
        asking.note(
            "The name fits"
            f" {', '.join(str(gene_record.get('symbol')) for gene_record in resolved.genes)}."
        )
        return asking.answer(AnswerStatus.AMBIGUOUS)
    names = [str(alias) for alias in gene.get("aliases", [])]
    if not names:
        return asking.not_found(f"The record of {gene.get('symbol')} lists no other name.")
    asking.note(
        f"{gene.get('symbol')} ({gene.get('species')}) is the official symbol; these are its other"
        " names."
    )
    answer_values = tuple(
        bound_value(
            gene, "aliases", name, resolved.call, subject=gene_thing(gene), object=Thing(name)
        )
        for name in names
    )
    if PREVIOUS.search(asking.question.text):
        asking.note("NCBI's record lists former symbols among its other names, unmarked.")
        return asking.answer(AnswerStatus.PARTLY, names, answer_values)
    return asking.answer(AnswerStatus.ANSWERED, names, answer_values)


def conversion(asking: Asking) -> GeneAnswer:
    """The symbol of an Ensembl gene id. NCBI's index finds the gene; that its record lists the id
    is read from Datasets, where that is served. Without it the tie is unconfirmed.
    """
    name = asking.question.subject
    search = asking.ask(
        Search(
            NcbiDatabase.GENE, f"{name} AND {species_search_term(asking.question.species)}[orgn]"
        ),
        f"Genes of {asking.question.species} with the id {name}.",
    )
    ids = tied_gene_ids(search.reading, name)
    records, call = listing_ensembl(asking, ids, name) if ids else ([], "")
    if ids and not records:
        records, call = summaries(asking, ids, "What these genes are called.")
    if not records:
        return asking.not_found(
            f"No {asking.question.species} gene in NCBI Gene is linked to {name}."
        )
    if len(records) > 1:
        asking.note(f"NCBI links {name} to {len(records)} genes.")
    answer_values = tuple(conversion_in(record, name, call) for record in records)
    if any(answer_value.relation == "unconfirmed" for answer_value in answer_values):
        asking.note(f"NCBI's search finds the gene by {name}; no record here lists the id.")
    return _one_of(asking, answer_values, f"{name} is linked to several genes")


def listing_ensembl(
    asking: Asking, ids: tuple[str, ...], name: str
) -> tuple[list[NcbiRecord], str]:
    """Records of Datasets that list the Ensembl id; none where Datasets is not served."""
    if not asking.ncbi.addresses.datasets:
        return [], ""
    try:
        answer = asking.ask(GeneType(ids), f"Whether their records list {name}.")
    except RemoteError:
        return [], ""
    return [record for record in answer.records if name in record.get("ensembl", [])], answer.stored


def conversion_in(gene: NcbiRecord, name: str, call: str) -> AnswerValue:
    """The symbol of a gene as the value of a conversion: it rests on the list of Ensembl ids."""
    symbol, target = str(gene.get("symbol")), Thing(name, f"ENSEMBL:{name}")
    own = RecordProof(call, gene.id, gene.pointers.get("symbol", "symbol"), symbol)
    listed = [str(ensembl_id) for ensembl_id in gene.get("ensembl", [])]
    if name not in listed:
        return AnswerValue(
            symbol, own.record, own.field, symbol, call, gene_thing(gene), target, "unconfirmed"
        )
    field = f"{gene.pointers['ensembl']}/{listed.index(name)}"
    ensembl_proof = RecordProof(call, target.id, field, name)
    return AnswerValue(
        symbol, gene.id, field, name, call, gene_thing(gene), target, "", (own,), (ensembl_proof,)
    )


def _one_of(asking: Asking, answer_values: tuple[AnswerValue, ...], why: str) -> GeneAnswer:
    values = list(dict.fromkeys(answer_value.value for answer_value in answer_values))
    if len(values) == 1:
        return asking.answer(AnswerStatus.ANSWERED, values[0], answer_values)
    asking.note(f"{why}: {', '.join(values)}.")
    return asking.answer(AnswerStatus.AMBIGUOUS, values, answer_values)


KINDS = (
    GeneKind(
        QuestionKind.ALIAS,
        Topic.GENE,
        "What is the official gene symbol of LMP10?",
        alias,
        "AliasClaim",
        ("gene",),
        one_value=True,
    ),
    GeneKind(
        QuestionKind.CONVERSION,
        Topic.GENE,
        "Convert ENSG00000141510 to official gene symbol.",
        conversion,
        "ConversionClaim",
        ("gene",),
        one_value=True,
    ),
)
