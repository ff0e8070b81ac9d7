"""Builds `base/mappings`: which ids of different vocabularies are one thing, as SSSOM.

    python schemas/vocabularies/build_mappings.py DATA

From `grounding/lexicons_2026/mappings` of DATA those exact matches are taken whose two ids an
answer or a vocabulary of the desk can bring, the curated ones first, then what mapping sets say
without a reason, then equal names. A mapping is left out if it would put two ids of one vocabulary
into one group: of such sets one row is wrong, or the vocabularies cut the world differently
(`left_out.tsv` counts them). Orthologues are no equivalents and stand in a file of their own.
"""

from __future__ import annotations

import gzip
import json
import lzma
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

from build_base_set import NEW, current_id  # noqa: E402

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
_SETS = (
    "mondo", "hgnc_genes", "famplex", "biomappings", "uberon", "mp_hp", "mesh_ncbitaxon", "ncit",
    "chebi", "mesh_by_name", "unii_by_name",
)  # fmt: skip
# how sure a row is of itself: a lower number goes first
_TRUST = {"semapv:ManualMappingCuration": 0, "semapv:UnspecifiedMatching": 1}
_HEADER = (
    "subject_id", "predicate_id", "object_id", "mapping_justification", "mapping_provider",
)  # fmt: skip
_SUFFIX = ".sssom.tsv.xz"


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


class Groups:
    """Ids that are one thing; no group holds two ids of one vocabulary."""

    def __init__(self) -> None:
        self._group: dict[str, str] = {}
        self._members: dict[str, set[str]] = {}

    def join(self, one: str, other: str) -> bool:
        """Put two ids into one group; False where that would bring two of a vocabulary together."""
        first, second = self._group.get(one, one), self._group.get(other, other)
        if first == second:
            return True
        mine, theirs = self._members.get(first, {one}), self._members.get(second, {other})
        prefixes = Counter(id.partition(":")[0] for id in (*mine, *theirs))
        if max(prefixes.values()) > 1:
            return False
        for id in theirs:
            self._group[id] = first
        self._group[one] = first
        self._members[first] = mine | theirs
        self._members.pop(second, None)
        return True


def main(data: Path) -> None:
    folder, target = data / NEW / "mappings", HERE / "base" / "mappings"
    target.mkdir(parents=True, exist_ok=True)
    rows = [row for name in _SETS for row in read(folder / f"{name}.sssom.tsv.gz", name)]
    rows = [row for row in rows if row.predicate == "skos:exactMatch" and _is_known(row)]
    order = {name: place for place, name in enumerate(_SETS)}
    rows.sort(key=lambda row: (row.trust, order[row.set], row.subject, row.object))
    groups, kept = Groups(), {name: [] for name in _SETS}
    left_out: Counter[tuple[str, str]] = Counter()
    for row in rows:
        pair = "-".join(sorted({row.subject.partition(":")[0], row.object.partition(":")[0]}))
        if groups.join(row.subject, row.object):
            kept[row.set].append(row)
        else:
            left_out[row.set, pair] += 1
    orthologs = list(read(folder / "hgnc_orthologs.sssom.tsv.gz", "hgnc_orthologs"))
    stats = json.loads((folder / "STATS.json").read_text())
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
    main(Path(sys.argv[1]))
