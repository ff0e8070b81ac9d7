"""Which gene a name means, and the four kinds of question about one gene: symbol, conversion, place and type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from core.errors import RemoteError
from core.genes.answer import Answer, Asking, Status, Thing, bound
from core.genes.question import Kind
from core.ncbi.blast_report import chromosome as title_chromosome
from core.ncbi.call import Database, FullRecord, GeneType, Search, Summary
from core.ncbi.gene import TAXA
from core.ncbi.record import Dropped, Record


class Match(IntEnum):
    """How a name met a gene record, best first."""

    SYMBOL = 0
    SYMBOL_CASE = 1  # the official symbol, in other letters
    ALIAS = 2
    ALIAS_CASE = 3
    DESIGNATION = 4
    SEARCH = 5  # NCBI's own index of ids


@dataclass(frozen=True, slots=True)
class Resolved:
    """Genes that a name fits equally well, in NCBI's order; `call` is the stored answer they were read from."""

    match: Match
    genes: tuple[Record, ...]
    call: str
    others: tuple[Record, ...] = ()

    @property
    def gene(self) -> Record:
        return self.genes[0]


def match(record: Record, name: str) -> Match | None:
    """How `name` fits the record's symbol, aliases or designations; None when it is not there."""
    aliases, designations = record.get("aliases", []), record.get("designations", [])
    if record.get("symbol") == name:
        return Match.SYMBOL
    if str(record.get("symbol")).casefold() == name.casefold():
        return Match.SYMBOL_CASE
    if name in aliases:
        return Match.ALIAS
    if name.casefold() in [str(one).casefold() for one in aliases]:
        return Match.ALIAS_CASE
    return Match.DESIGNATION if name.casefold() in [str(one).casefold() for one in designations] else None


def resolve(asking: Asking, name: str) -> Resolved | None:
    """The genes of the question's species that bear `name`: two calls, four when the field search finds nothing."""
    species = asking.question.species
    for term, why in (
        (f"{name}[sym] AND {species}[orgn]", f"Genes of {species} with the symbol or alias {name}."),
        (f'"{name}" AND {species}[orgn]', f"No symbol or alias field holds {name}; any field of {species} genes."),
    ):
        found = asking.ask(Search(Database.GENE, term), why)
        if found.reading.ids and (resolved := _among(asking, found.reading.ids, name)):
            return resolved
    return None


def _among(asking: Asking, ids: tuple[str, ...], name: str) -> Resolved | None:
    records, call = summaries(asking, ids, "What these genes are called.")
    fits = [(how, record) for record in records if (how := match(record, name)) is not None]
    asking.drop(
        [
            Dropped(one.id, f"{name} is neither its symbol nor among its other names")
            for one in records
            if match(one, name) is None
        ]
    )
    if not fits:
        return None
    placed = [(how, one) for how, one in fits if one.get("location")]
    if placed and len(placed) < len(fits):
        asking.drop(
            [
                Dropped(one.id, "a mapped phenotype or locus without a place in the genome")
                for how, one in fits
                if not one.get("location")
            ]
        )
        fits = placed
    best = min(how for how, _ in fits)
    return Resolved(best, tuple(r for how, r in fits if how == best), call, tuple(r for how, r in fits if how != best))


def summaries(asking: Asking, ids: tuple[str, ...], why: str) -> tuple[list[Record], str]:
    """Live genes of the question's species; withdrawn ids lead to the gene that took their place."""
    answer = asking.ask(Summary(Database.GENE, ids), why)
    records, call = list(answer.records), answer.stored
    known = {record.id for record in records}
    live, dropped, moved = [], [], []
    for record in records:
        if target := record.get("replaced_by"):
            dropped.append(Dropped(record.id, f"replaced by NCBIGene:{target}"))
            moved += [str(target)] if f"NCBIGene:{target}" not in known else []
        elif record.get("taxid") and record.get("taxid") != TAXA.get(asking.question.species):
            dropped.append(Dropped(record.id, f"a gene of {record.get('species')}"))
        else:
            live.append(record)
    asking.drop(dropped)
    if moved and not live:
        return summaries(asking, tuple(dict.fromkeys(moved)), "The genes that took the place of withdrawn records.")
    return live, call


def thing(record: Record) -> Thing:
    return Thing(str(record.get("symbol")), record.id)


# ------------------------------------------------------------------ the kinds of question about one gene
def alias(asking: Asking) -> Answer:
    """The official symbol of a gene known by another name."""
    name = asking.question.subject
    resolved = resolve(asking, name)
    if resolved is None:
        return asking.not_found(f"No {asking.question.species} gene in NCBI Gene bears the name {name}.")
    if resolved.match <= Match.SYMBOL_CASE:
        asking.note(f"{resolved.gene.get('symbol')} is an official symbol itself.")
    if resolved.others:
        asking.note(
            "Less exactly, the name also fits " + ", ".join(str(one.get("symbol")) for one in resolved.others[:8]) + "."
        )
    if resolved.gene.get("official") != "Official":
        asking.note(f"The symbol's nomenclature status is {resolved.gene.get('official') or 'not given'}.")
    found = tuple(
        bound(one, "symbol", str(one.get("symbol")), resolved.call, subject=thing(one), object=Thing(name))
        for one in resolved.genes
    )
    return _one_of(asking, found, f"{name} is a name of several genes")


def conversion(asking: Asking) -> Answer:
    """The symbol of an Ensembl gene id: NCBI's index ties the id to the gene record."""
    name = asking.question.subject
    search = asking.ask(
        Search(Database.GENE, f"{name} AND {asking.question.species}[orgn]"),
        f"Genes of {asking.question.species} with the id {name}.",
    )
    if not search.reading.ids and asking.question.species == "human":
        search = asking.ask(Search(Database.GENE, name), f"Genes of any species with the id {name}.")
    if not search.reading.ids:
        return asking.not_found(f"No gene in NCBI Gene is linked to {name}.")
    records, call = summaries(asking, search.reading.ids, "What these genes are called.")
    if not records:
        return asking.not_found(f"No {asking.question.species} gene in NCBI Gene is linked to {name}.")
    if len(records) > 1:
        asking.note(f"NCBI links {name} to {len(records)} genes.")
    found = tuple(
        bound(one, "symbol", str(one.get("symbol")), call, subject=thing(one), object=Thing(name, f"ENSEMBL:{name}"))
        for one in records
    )
    return _one_of(asking, found, f"{name} is linked to several genes")


def location(asking: Asking) -> Answer:
    """The chromosome of a gene, with coordinates in the notes."""
    name = asking.question.subject
    resolved = resolve(asking, name)
    if resolved is None:
        return clone_location(asking, name)
    placed = [one for one in resolved.genes if one.get("chromosome") and one.get("chromosome") != "Un"]
    if not placed:
        return asking.not_found(f"The record of {resolved.gene.get('symbol')} states no chromosome.")
    found = []
    for one in placed:
        asking.note(describe_place(one))
        for part in re.split(r"[|,;]\s*| and ", str(one.get("chromosome"))):
            found.append(
                bound(one, "chromosome", chromosome(part), resolved.call, subject=thing(one), object=place(one, part))
            )
    if resolved.match > Match.SYMBOL_CASE:
        asking.note(f"{name} is another name of {', '.join(str(one.get('symbol')) for one in resolved.genes)}.")
    chromosomes = list(dict.fromkeys(one.value for one in found))
    if len(chromosomes) == 1:
        return asking.answer(Status.ANSWERED, chromosomes[0], tuple(found))
    if len(placed) == 1:
        return asking.answer(Status.ANSWERED, chromosomes, tuple(found))
    asking.note(f"{name} is a name of genes on different chromosomes.")
    return asking.answer(Status.AMBIGUOUS, chromosomes, tuple(found))


CLONE = re.compile(
    r"(?P<accession>[A-Z]{2}\d{6})\.\d+|(?P<clone>(?:RP\d+|CT[ABCD]|KB|GS1|XX\w*|LA16c|CH\d+|LL\w*)-[A-Z0-9]+)\.\d+",
    re.I,
)


def clone_location(asking: Asking, name: str) -> Answer:
    """A gene named after the clone it was found on (`AC018712.2`, `RP11-17A4.3`) lies on the clone's chromosome."""
    nothing = f"No {asking.question.species} gene in NCBI Gene bears the name {name}."
    found = CLONE.fullmatch(name)
    if found is None or asking.question.species != "human":
        return asking.not_found(nothing)
    asking.note(nothing)
    records, call = _clone_records(asking, found["accession"], found["clone"])
    named = [
        (one, where) for one in records if (where := one.get("chromosome") or title_chromosome(str(one.get("title"))))
    ]
    places = {where for _, where in named}
    if len(places) != 1:
        return asking.not_found(
            "Its name is that of a clone, whose chromosome no record states."
            if not places
            else f"The clone's records name chromosomes {', '.join(sorted(places))}."
        )
    record, where = named[0]
    clone = found["accession"] or found["clone"]
    asking.note(
        f"{name} is named after the clone {clone}, which lies on chromosome {where} ({record.id}); the gene itself has no record."
    )
    field = "chromosome" if record.get("chromosome") else "title"
    value = bound(
        record,
        field,
        chromosome(str(where)),
        call,
        subject=Thing(name),
        object=Thing(chromosome(str(where))),
        relation="clone",
    )
    return asking.answer(Status.ANSWERED, chromosome(str(where)), (value,))


def _clone_records(asking: Asking, accession: str | None, clone: str | None) -> tuple[list[Record], str]:
    """Nucleotide records of the clone; failing that, the human genes whose records cite its accession."""
    term = f"{accession}[accn]" if accession else f'"{clone}" AND human[orgn]'
    search = asking.ask(Search(Database.NUCCORE, term), f"The sequence of the clone {accession or clone}.")
    if search.reading.ids:
        answer = asking.ask(Summary(Database.NUCCORE, search.reading.ids[:10]), "Which chromosome the clone is from.")
        wanted = re.compile(rf"(?<![\w-]){re.escape(accession or clone or '')}(?![\w-])", re.I)
        fits = [one for one in answer.records if accession or wanted.search(str(one.get("title")))]
        return [one for one in fits if one.get("taxid") in ("", "9606")], answer.stored
    if accession:
        return _citing_genes(asking, asking.question.subject)
    return [], ""


def _citing_genes(asking: Asking, name: str) -> tuple[list[Record], str]:
    """Genes whose records cite the accession: three at least, or they say nothing."""
    ids = next((step.ids for step in asking.steps if step.tool == "esearch" and step.ids), ())
    last = next((step for step in asking.steps if step.tool == "esummary" and step.arguments.get("db") == "gene"), None)
    if not ids or last is None:
        return [], ""
    human = [one for one in last.records if one.get("taxid") == TAXA["human"] and one.get("chromosome")]
    return (human, last.call) if len(human) >= 3 else ([], "")


def chromosome(name: str) -> str:
    """`chr16` of 16; what is no number or X, Y, MT stays as it is."""
    name = name.strip().removeprefix("chr")
    return f"chr{name}" if re.fullmatch(r"\d{1,2}|X|Y|MT|Un|[IVX]+", name) else name


def place(record: Record, part: str) -> Thing:
    accession = str(record.get("location")).partition(":")[0]
    return Thing(chromosome(part), f"refseq:{accession}" if accession else "")


def describe_place(record: Record) -> str:
    """Species, band, coordinates (1-based, inclusive) and assembly in one sentence."""
    where = record.get("location")
    inside = (
        f", {where} ({record.get('assembly') or 'assembly not stated'}, 1-based)" if where else ", no coordinates given"
    )
    band = f", {record.get('band')}" if record.get("band") else ""
    return f"{record.get('symbol')} ({record.get('species')}): chromosome {record.get('chromosome')}{band}{inside}."


# ------------------------------------------------------------------ protein-coding or not
PSEUDO = re.compile(r"\bpseudogene|\(pseudogene\)", re.I)
RNA = re.compile(
    r"non-?protein coding|\bmicroRNA\b|antisense RNA|long (?:intergenic )?non-?coding|small (?:nuclear|nucleolar|cajal)|"
    r"\bRNA, (?:U\d|7SK|5S|5-8S|18S|28S|45S|Y\d|small|vault)|ribosomal RNA|transfer RNA|\btRNA-|divergent transcript|intronic transcript|"
    r"overlapping transcript|host gene|vault RNA|Y RNA|non-?coding RNA|\blncRNA|\bpiR|readthrough \(NMD",
    re.I,
)


def coding(asking: Asking) -> Answer:
    """Whether a gene is protein-coding: from its recorded type; from its names, and said so, where no type is served."""
    name = asking.question.subject
    resolved = resolve(asking, name)
    if resolved is None:
        return asking.not_found(f"No {asking.question.species} gene in NCBI Gene bears the name {name}.")
    gene = resolved.gene
    typed = gene_type(asking, gene)
    if typed is not None:
        record, call = typed
        kind = str(record.get("type"))
        found = bound(record, "type", kind, call, subject=thing(gene), object=_type_thing(kind))
        return asking.answer(Status.ANSWERED, "Yes" if kind == "protein-coding" else "No", (found,))
    return _from_names(asking, gene, resolved.call)


def gene_type(asking: Asking, gene: Record) -> tuple[Record, str] | None:
    """The record with `type`, from Datasets where it is reachable, else from efetch; None where neither serves it."""
    uid = gene.id.partition(":")[2]
    datasets = bool(asking.ncbi.addresses.datasets)
    call = GeneType((uid,)) if datasets else FullRecord(Database.GENE, (uid,))
    try:
        answer = asking.ask(call, "The recorded type of the gene.")
    except RemoteError:
        asking.note("No recorded gene type is served here.")
        return None
    record = next((one for one in answer.records if one.id == gene.id and one.get("type")), None)
    return (record, answer.stored) if record else None


def _type_thing(kind: str) -> Thing:
    terms = {
        "protein-coding": ("protein_coding_gene", "SO:0001217"),
        "pseudo": ("pseudogene", "SO:0000336"),
        "pseudogene": ("pseudogene", "SO:0000336"),
    }
    label, curie = terms.get(kind, ("ncRNA_gene", "SO:0001263") if "rna" in kind.lower() else (kind, ""))
    return Thing(label, curie)


def inferred_type(gene: Record) -> tuple[str, str]:
    """A type read from names, and the field it was read from. Protein-coding records list protein names as designations."""
    words = {name: gene.text(name) for name in ("name", "designations")}
    for kind, pattern in (("pseudogene", PSEUDO), ("ncRNA", RNA)):
        if hit := next((name for name, text in words.items() if pattern.search(text)), ""):
            return kind, hit
    if not gene.get("designations") and re.match(r"uncharacterized\b", str(gene.get("name"))):
        return "ncRNA", "name"
    if not gene.get("designations") and str(gene.get("symbol")).startswith(("LINC", "MIR", "SNOR", "RNU")):
        return "ncRNA", "symbol"
    if gene.get("designations"):
        return "protein-coding", "designations"
    return "", ""


def _from_names(asking: Asking, gene: Record, call: str) -> Answer:
    kind, where = inferred_type(gene)
    if not kind:
        return asking.not_found(f"Neither a type nor a telling name of {gene.get('symbol')} is in its record.")
    asking.note(
        f"The type of {gene.get('symbol')} is inferred from its {where} ({kind}), not read from a recorded gene type."
    )
    found = bound(gene, where, kind, call, subject=thing(gene), object=_type_thing(kind), relation="inferred")
    return asking.answer(Status.ANSWERED, "Yes" if kind == "protein-coding" else "No", (found,))


def _one_of(asking: Asking, found: tuple, why: str) -> Answer:
    values = list(dict.fromkeys(one.value for one in found))
    if len(values) == 1:
        return asking.answer(Status.ANSWERED, values[0], found)
    asking.note(f"{why}: {', '.join(values)}.")
    return asking.answer(Status.AMBIGUOUS, values, found)


KINDS = {Kind.ALIAS: alias, Kind.CONVERSION: conversion, Kind.GENE_LOCATION: location, Kind.CODING: coding}
