"""Corpora of annotated relations: which mentions of a text are related, by which family of
predicates, and which of the two acts.

A corpus is `CORPUS.jsonl.gz` beside `families.tsv`, which gives each of its relation types a family
of ours and a direction; the form is described in the README of such a folder.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.errors import InputError
from core.model import Category, Json, Span, fold_words

NONE = "none"  # the family of relations that we have no predicate for
# What the corpora call each kind; of UMLS, as SemRep abbreviates its semantic types.
_KINDS: Mapping[Category, str] = {
    Category.CHEMICAL: "ChemicalEntity Chemical Simple_chemical Drug Brand Group Drug_N Compound"
    " Hormone Chemicals_&_Drugs phsu orch antb strd clnd bacs horm vita inch",
    Category.GENE: "GeneOrGeneProduct GENE-Y GENE-N Gene_or_gene_product Protein Complex Gene"
    " Gene_or_protein Genes_&_Molecular_Sequences Genes/Proteins Individual_protein RNA DNA"
    " Protein_family_or_group Protein_complex Protein-family Protein-complex Protein-domain"
    " Protein_Family Gene_Family Protein_Domain Promoter Specific_miRNAs Non-Specific_miRNAs"
    " gngm aapp enzy",
    Category.VARIANT: "SequenceVariant SNP_&_Sequence_variations Limited_variation Haplotype"
    " Genomic_variation",
    Category.DISEASE: "DiseaseOrPhenotypicFeature Disease Diseases Diseases_&_Disorders Cancer"
    " AdverseEffect dsyn neop sosy patf fndg mobd inpo",
    Category.PHENOTYPE: "Phenotype",
    Category.FOOD: "Food",
    Category.ORGANISM: "Microorganism Organism OrganismTaxon humn popg podg mamm bact virs fngs",
    Category.ENVIRONMENT: "Habitat Geographical Environmental_Factor",
    Category.ANATOMY: "Tissue Cellular_component bpoc tisu blor bsoj bdsu celc",
    Category.CELL: "cell",
    Category.PROCESS: "Pathway Regulatory_Network celf moft genf orgf",
    Category.PROCEDURE: "topp",
}
KIND_OF_TYPE = {name.casefold(): kind for kind, names in _KINDS.items() for name in names.split()}
# Our rules' names for the families of the table.
_FAMILIES = {
    "associated gene-disease": "associate",
    "lives in / found in": "locate",
    "has phenotype": "phenotype",
}


@dataclass(frozen=True, slots=True)
class CorpusThing:
    """One thing of a text by its identifier, or by its words where the corpus has none."""

    key: str
    kind: Category
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CorpusRelation:
    """Two things by their keys; `is_directed`: the first is said to act on the second."""

    subject: str
    object: str
    family: str
    is_directed: bool


@dataclass(frozen=True, slots=True)
class RelationDocument:
    """A text with its things and what relates them. `open` pairs are neither related nor not."""

    id: str
    text: str
    things: tuple[CorpusThing, ...]
    relations: frozenset[CorpusRelation]
    open: frozenset[tuple[str, str]] = frozenset()

    def of_kind(self, kind: Category) -> list[CorpusThing]:
        return [thing for thing in self.things if thing.kind is kind]


def kind_of_type(name: str) -> Category | None:
    """The kind that a corpus's type of mentions means; None where it is none of ours."""
    return KIND_OF_TYPE.get(name.replace(" ", "_").casefold())


def read_relation_corpus(folder: Path, corpus: str) -> list[RelationDocument]:
    """The documents of a corpus. Raises InputError where the folder does not hold it."""
    path = folder / f"{corpus}.jsonl.gz"
    if not path.is_file():
        raise InputError(f"{path} is not a file.", "Name the folder of the corpora with --data.")
    directions = _directions(folder / "families.tsv")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [_document(json.loads(line), corpus, directions) for line in lines]


@cache
def _directions(table: Path) -> Mapping[tuple[str, ...], tuple[str, str]]:
    """Family and direction by corpus, relation type and the types of both ends."""
    with table.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {
        (row["corpus"], row["relation"], row["subject_type"], row["object_type"]): (
            _FAMILIES.get(row["family"], row["family"]),
            row["direction"].split()[0],
        )
        for row in rows
    }


def _document(
    row: Json, corpus: str, directions: Mapping[tuple[str, ...], tuple[str, str]]
) -> RelationDocument:
    keys, types, spans = _things(row["mentions"])
    relations = set()
    open_pairs = {_ends(pair, keys) for pair in row.get("uncertain", ())}
    for relation in row["relations"]:
        ends = _ends(relation, keys)
        if relation.get("negated") or relation.get("speculated"):
            open_pairs.add(ends)
            continue
        for first in types[ends[0]]:
            for second in types[ends[1]]:
                known = directions.get((corpus, relation["type"], first, second))
                if known and known[0] != NONE:
                    relations.add(_relation(ends, *known))
                elif known:
                    open_pairs.add(ends)
    things = [
        CorpusThing(key, kind, tuple(spans[key]))
        for key in types
        if (kind := next((kind for t in types[key] if (kind := kind_of_type(t))), None))
    ]
    return RelationDocument(
        str(row.get("pmid") or row["id"]),
        row["text"],
        tuple(things),
        relations=frozenset(relations),
        open=frozenset(open_pairs),
    )


def _things(
    mentions: Iterable[Json],
) -> tuple[list[str], dict[str, list[str]], dict[str, list[Span]]]:
    """The key of each mention; by key, its types and its places in text order."""
    keys: list[str] = []
    types: dict[str, list[str]] = defaultdict(list)
    spans: dict[str, list[Span]] = defaultdict(list)
    for mention in mentions:
        key = "|".join(mention["ids"]) or fold_words(mention["text"])
        keys.append(key)
        if mention["type"] not in types[key]:
            types[key].append(mention["type"])
        spans[key].append(Span(mention["start"], mention["end"]))
    for places in spans.values():
        places.sort(key=lambda span: (span.start, span.end))
    return keys, types, spans


def _ends(relation: Json, keys: list[str]) -> tuple[str, str]:
    subject, object_ = (
        keys[end] if isinstance(end, int) else str(end)
        for end in (relation["subject"], relation["object"])
    )
    return subject, object_


def _relation(ends: tuple[str, str], family: str, direction: str) -> CorpusRelation:
    subject, object_ = reversed(ends) if direction == "reverse" else ends
    return CorpusRelation(subject, object_, family, direction in ("forward", "reverse"))
