"""Builds the base set: real vocabularies that come with the app, in `schemas/vocabularies/base`.

    python schemas/vocabularies/build_base_set.py DATA

DATA holds `grounding/lexicons_2026` (tables of names, parents and obsolete ids of the newest open
releases; their README says how they were made), `grounding/lexicons` and `vocabulary_files` (older
ones), and texts, which say what papers name. `base_set_sources.py` lists the vocabularies,
`base_set_rules.py` the rules by which terms are chosen, `base_set_names.py` those of their names.
Definitions are left out. The example starters (`schemas/vocabularies/*.tsv`) are merged in; HPO
alone stays as HPO wrote it: its licence forbids changes. Names of `base/stop_names.tsv` are not
looked for, those of `base/usual_names.tsv` are added, and ids of `base/former_ids.tsv` lead to
their successors, each for the reason that stands there. The same input gives the same bytes.
`manifest.json` says what each file is, of which date, under which licence, and how it was changed.
"""

from __future__ import annotations

import json
import lzma
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

import base_set_names as naming  # noqa: E402
from base_set_rules import (  # noqa: E402
    BaseTerm,
    Terms,
    WordsOfPapers,
    supplementary,
    with_broader,
)
from base_set_sources import (  # noqa: E402
    ELSEWHERE,
    PARENTS_ELSEWHERE,
    SOURCES,
    SourceVocabulary,
)
from base_set_tables import NEW, OLD, Tables, add, add_name, current_id, rows  # noqa: E402
from names_in_papers import words_of_papers  # noqa: E402

from core.grounding.readers import registry  # noqa: E402
from core.grounding.readers.mesh_tree import MESH_CATEGORIES, category_id  # noqa: E402
from core.grounding.readers.record import VocabularyReading  # noqa: E402

DATE = re.compile(r"\d{4}(?:-\d\d){0,2}")
COLUMNS = ("id", "label", "synonym", "scope", "parents", "taxon", "replaced_by")


class Builder:
    """The folder of tables and what the texts in it name."""

    def __init__(self, data: Path):
        self.data, self.tables = data, Tables(data)
        self.papers: WordsOfPapers = words_of_papers(data, data / NEW)

    def built(self, source: SourceVocabulary) -> Terms:
        """The terms of one vocabulary by id."""
        terms: Terms = {}
        if source.name in ELSEWHERE:  # the examples' own names go first: UCUM's "h" is the hour
            _starter(terms, source)
        for table in source.tables:
            for row in self.tables.table(table):
                add(terms, row, source.taxon)
        self._elsewhere(terms, source)
        if source.name == "cellosaurus":
            _without_accessions(terms)
        for table in source.tables:
            self._parents(terms, table)
        if source.name == "mesh":
            self._mesh(terms)
        if not source.unaltered:
            self._more_names(terms, source)
        if source.name == "mesh":
            naming.names_elsewhere(self.tables, terms)
            naming.name_combinations(terms)
        if "disease" in source.holds:
            naming.name_infections(self.tables, terms)
        if source.name == "go":
            naming.without_names_of_genes(self.tables, terms)
        if source.name == "ncbitaxon":
            naming.one_species_each(terms, self.papers.linked["mesh_ncbitaxon"])
        if source.name == "hgnc":
            naming.names_of_products(self.tables, terms)
        if source.name == "mondo":
            naming.animals_behind(terms)
        rows_added = naming.usual_names(self.tables, terms, source.name)
        usual = {current_id(row["id"]) for row in rows_added}
        if source.keep:
            terms = with_broader(terms, usual.union(source.keep(terms, self.papers)))
        if source.name == "cellosaurus":
            naming.name_lines(terms)
        if source.name == "chebi":
            naming.name_elements(terms)
            naming.name_drugs(self.tables, terms)
        if source.write_small:
            naming.write_small(terms)
        if not source.unaltered:
            _starter(terms, source)
            naming.without_stop_names(self.tables, terms, source.name)
        for table in source.tables:
            self._obsolete(terms, table, source.holds)
        self._former_ids(terms, source.name)
        _only_known_parents(terms)
        return terms

    def _elsewhere(self, terms: Terms, source: SourceVocabulary) -> None:
        """The terms of a vocabulary whose table is an older one, or a list of predicates."""
        if source.tables or source.name not in ELSEWHERE:
            return
        if table := ELSEWHERE[source.name][0]:
            for row in rows(self.data / OLD / f"{table}.tsv.gz"):
                if not (source.without and source.without.search(row["label"])):
                    add(terms, row, source.taxon)
            if parents := PARENTS_ELSEWHERE.get(source.name):
                path = self.data / "grounding" / "vocabulary_files" / parents
                for record in registry.read(path, VocabularyReading()):
                    if record.id in terms:
                        terms[record.id].parents = list(record.parents)
            return
        for row in rows(self.data / NEW / "predicates" / f"{source.name}.tsv"):
            obsolete = "true" in (row.get("obsolete"), row.get("deprecated"))
            term = terms[row["id"]] = BaseTerm(row["label"], obsolete=obsolete)
            term.parents = (row.get("parents") or row.get("parent") or "").split("|")
            term.replaced_by = row.get("replaced_by") or ""
            for name in (row.get("synonyms") or row.get("aliases") or "").split("|"):
                add_name(term, name.strip(), "EXACT")

    def _parents(self, terms: Terms, table: str) -> None:
        path = self.data / NEW / f"{table}.parents.tsv.gz"
        for row in rows(path) if path.exists() else ():
            id, parent = current_id(row["id"]), current_id(row["parent"])
            if id in terms and parent not in terms[id].parents:
                terms[id].parents.append(parent)

    def _mesh(self, terms: Terms) -> None:
        """The 16 categories on top of the descriptors, and the supplementary records under the
        headings that NLM maps them to, which also say what kind of thing a record is.
        """
        letters = self._letters_of_tops()
        for id, term in terms.items():  # a top that is new since 2015 has its children's letters
            for parent in term.parents:
                letters.setdefault(parent, set()).update(letters.get(id, ()))
        for id, term in terms.items():
            if not term.parents:
                term.parents = sorted(category_id(letter) for letter in letters.get(id, ()))
        for letter, label in MESH_CATEGORIES.items():
            terms[category_id(letter)] = BaseTerm(label)
        records: Terms = {}
        for row in self.tables.table("mesh_scr"):
            add(records, row)
        headings: dict[str, list[str]] = {}
        for row in rows(self.data / NEW / "mesh_scr.edges.tsv.gz"):
            headings.setdefault(row["id"], []).append(row["object"])
        tops: dict[str, tuple[str, ...]] = {}
        for id, record in records.items():
            record.parents = _kind_of_record(terms, headings.get(id, ()), tops)
        for id in list(supplementary(records, self.papers)):
            record = terms[id] = records[id]
            of_kind = [
                heading
                for heading in headings.get(id, ())
                if not set(record.parents).isdisjoint(_tops(terms, heading, tops))
            ]
            record.parents = of_kind or record.parents

    def _letters_of_tops(self) -> dict[str, set[str]]:
        path = self.data / "grounding" / "vocabulary_files" / "mesh_2015_tree-numbers.tsv.gz"
        letters: dict[str, set[str]] = {}
        for row in rows(path):
            if "." not in (number := row["mesh_tree_number"]):
                letters.setdefault(f"MESH:{row['mesh_id']}", set()).add(number[0])
        return letters

    def _more_names(self, terms: Terms, source: SourceVocabulary) -> None:
        for table in source.more:
            for row in self.tables.table(table):
                if term := terms.get(current_id(row["id"])):
                    add_name(term, row["synonym"].strip(), row["scope"])
        if not source.former:
            return
        owners: dict[str, set[str]] = {}
        for id, term in terms.items():
            for name in term.all_names():
                owners.setdefault(name.casefold(), set()).add(id)
        for table in source.former:
            for row in rows(self.data / OLD / f"{table}.tsv.gz"):
                id, name = current_id(row["id"]), row["synonym"].strip()
                taken = owners.get(name.casefold(), {id})
                if id in terms and id in taken and len(taken) == 1 and ", " not in name:
                    add_name(terms[id], name, row["scope"])

    def _former_ids(self, terms: Terms, vocabulary: str) -> None:
        """Ids that the tables have no more, and whose successors only papers tell."""
        for row in self.tables.former_ids:
            if row["vocabulary"] == vocabulary and row["id"] not in terms:
                by = row["replaced_by"] if row["replaced_by"] in terms else ""
                terms[row["id"]] = BaseTerm(row["label"], replaced_by=by, obsolete=True)

    def _obsolete(self, terms: Terms, table: str, holds: tuple[str, ...]) -> None:
        """The ids that a vocabulary has given up. A symbol of a gene that has a successor stays a
        name of that gene, where no other is called so: "GLUT4" is SLC2A4.
        """
        taken = {name.casefold() for term in terms.values() for name in term.all_names()}
        path = self.data / NEW / f"{table}.obsolete.tsv.gz"
        for row in rows(path) if path.exists() else ():
            id = current_id(row["id"])
            if id not in terms and ":" in id:
                replaced = row["replaced_by"].split("|")
                by = current_id(replaced[0]) if len(replaced) == 1 and replaced[0] else ""
                terms[id] = BaseTerm(row["label"], replaced_by=by, obsolete=True)
                if "gene" in holds and by in terms and row["label"].casefold() not in taken:
                    add_name(terms[by], row["label"], "PREVIOUS")
                    taken.add(row["label"].casefold())


def _kind_of_record(
    terms: Terms, headings: Iterable[str], known: dict[str, tuple[str, ...]]
) -> list[str]:
    """The categories of the headings of a supplementary record, most frequent first; mental
    disorders are named by their own heading.
    """
    tops = Counter(top for heading in headings for top in _tops(terms, heading, known))
    for letter in "CBDE":  # a substance mapped to a disease as well is that disease's record
        if tops[category_id(letter)]:
            return [category_id(letter)]
    return [tops.most_common(1)[0][0]] if tops else []


def _tops(terms: Terms, id: str, known: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    if id not in known:
        known[id] = ()
        parents = terms[id].parents if id in terms else []
        found = {top for parent in parents for top in _tops(terms, parent, known)}
        known[id] = tuple(sorted(found)) or (id,)
    return known[id]


def _without_accessions(terms: Terms) -> None:
    """An accession among the names is the id again."""
    for id, term in terms.items():
        term.names.pop(id.partition(":")[2], None)


def _starter(terms: Terms, source: SourceVocabulary) -> None:
    """The names of the example starter; its terms, where the published one lacks them."""
    starter = HERE / f"{source.name}.tsv"
    for row in rows(starter) if starter.exists() else ():
        known = current_id(row["id"]) in terms
        add(terms, row | {"parents": ""} if known else row, source.taxon)


def _only_known_parents(terms: Terms) -> None:
    live = {id for id, term in terms.items() if not term.obsolete}
    for id, term in terms.items():
        term.parents = sorted({parent for parent in term.parents if parent in live} - {id})


def table(source: SourceVocabulary, terms: Terms, facts: dict[str, Any]) -> str:
    """The file's text: heading, header, then one row a name; a label stands on its first row."""
    lines = [
        f"# vocabulary: {source.name}",
        f"# version: {facts['date'] or 'undated'} base set",
        f"# source: {facts['attribution']}; {facts['licence']}",
        *([f"# holds: {' '.join(source.holds)}"] if source.holds else []),
        "\t".join(COLUMNS),
    ]
    for id in sorted(terms):
        term = terms[id]
        scope = "OBSOLETE" if term.obsolete else "UNSPOKEN" if term.unspoken else "label"
        first = (id, term.label, term.label, scope)
        lines.append("\t".join((*first, " ".join(term.parents), term.taxon, term.replaced_by)))
        lines += ["\t".join((id, "", name, scope)) for name, scope in term.names.items()]
    return "\n".join(line.rstrip("\t") for line in lines) + "\n"


def published(source: SourceVocabulary, stats: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Date, attribution and licence of a vocabulary, as its tables' list says."""
    if source.name in ELSEWHERE:
        _, date, attribution, licence = ELSEWHERE[source.name]
    else:
        row = stats[source.tables[0]]
        attribution, licence = row["attribution"], row["licence"]
        date = row["version"]
        if said := DATE.match(date):  # "2024 (labels, is_a), synonyms 2021-2024" is of 2024
            date = said[0]
    return {"date": date, "attribution": f"{attribution} ({source.site})", "licence": licence}


def main(data: Path, names: Iterable[str] = ()) -> None:
    """Build the set, or those vocabularies of it that are named."""
    target = HERE / "base"
    target.mkdir(exist_ok=True)
    stats = {row["lexicon"]: row for row in json.loads((data / NEW / "STATS.json").read_text())}
    path = target / "manifest.json"
    wanted = set(names)
    known = {row["name"]: row for row in json.loads(path.read_text())} if wanted else {}
    builder, manifest = Builder(data), []
    for source in SOURCES:
        if wanted and source.name not in wanted:
            manifest.append(known[source.name])
            continue
        manifest.append(write(source, builder.built(source), published(source, stats), target))
        print(
            manifest[-1]["name"],
            manifest[-1]["terms"],
            manifest[-1]["names"],
            manifest[-1]["bytes"],
            flush=True,
        )
    files = {row["file"] for row in manifest}
    for old in target.glob("*.xz"):
        if old.name not in files:
            old.unlink()
    path.write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print("all", sum(row["names"] for row in manifest), sum(row["bytes"] for row in manifest))


def write(
    source: SourceVocabulary, terms: Terms, facts: dict[str, Any], target: Path
) -> dict[str, Any]:
    """Write a vocabulary's file; its row of the manifest."""
    packed = lzma.compress(table(source, terms, facts).encode(), preset=9 | lzma.PRESET_EXTREME)
    path = target / f"{source.name}.tsv.xz"
    path.write_bytes(packed)
    live = {id: term for id, term in terms.items() if not term.obsolete}
    prefixes = Counter(id.partition(":")[0] for id in live)
    return {
        "name": source.name,
        "title": source.title,
        "date": facts["date"],
        "file": path.name,
        "prefix": prefixes.most_common(1)[0][0],
        "terms": len(live),
        "names": sum(1 + len(term.names) for term in live.values()),
        "obsolete": len(terms) - len(live),
        "hierarchy": 2 * sum(bool(term.parents) for term in live.values()) >= len(live),
        "holds": list(source.holds),
        "attribution": facts["attribution"],
        "licence": facts["licence"],
        "changes": source.changes,
        "bytes": len(packed),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
