"""The published tables of which the base set is made: rows, ids as the desk writes them, terms by
id, and which ids of two vocabularies mapping sets call one thing.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

from base_set_rules import BaseTerm, Terms

from core.curie import preferred_prefix

NEW, OLD = Path("grounding/lexicons_2026"), Path("grounding/lexicons")
BASE = Path(__file__).resolve().parent / "base"
STOP_NAMES, USUAL_NAMES = BASE / "stop_names.tsv", BASE / "usual_names.tsv"
FORMER_IDS = BASE / "former_ids.tsv"


def rows(path: Path) -> Iterator[dict[str, str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as lines:
        table = (line.rstrip("\r\n") for line in lines if not line.startswith("# "))
        yield from csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)


def current_id(id: str) -> str:
    """An id as the desk writes it: `cellosaurus:0030` is Cellosaurus:CVCL_0030."""
    prefix, _, local = id.partition(":")
    if prefix == "cellosaurus":
        return f"Cellosaurus:CVCL_{local}"
    return f"{preferred_prefix(prefix)}:{local}"


def add(terms: Terms, row: dict[str, str], taxon: str = "") -> None:
    """One row of a table: a name of a term, which is made when it is met first."""
    label = row["label"].strip()
    term = terms.setdefault(current_id(row["id"]), BaseTerm(label, taxon=row.get("taxon") or taxon))
    for name, scope in ((label, "EXACT"), (row.get("synonym") or "", row.get("scope") or "EXACT")):
        add_name(term, name.strip(), scope)
    for parent in (row.get("parents") or "").replace("|", " ").split():
        if parent not in term.parents:
            term.parents.append(parent)


def add_name(term: BaseTerm, name: str, scope: str) -> None:
    if name and name != term.label:
        term.names.setdefault(name, "EXACT" if scope == "label" else scope)


class Tables:
    """The tables of a data folder, and the lists of names beside the base set."""

    def __init__(self, data: Path):
        self.data = data
        self.stop_names = {(row["vocabulary"], row["name"].casefold()) for row in rows(STOP_NAMES)}
        self.usual_names = list(rows(USUAL_NAMES))
        self.former_ids = list(rows(FORMER_IDS))

    def table(self, name: str) -> Iterator[dict[str, str]]:
        """The rows of one of today's tables."""
        return rows(self.data / NEW / f"{name}.tsv.gz")

    def former(self, name: str) -> Iterator[dict[str, str]]:
        """The rows of an older table."""
        return rows(self.data / OLD / f"{name}.tsv.gz")

    def mapped(self, prefix: str, mesh: str = "MESH:D") -> dict[str, str]:
        """MeSH's terms to the one id with a prefix that a mapping set links them to."""
        linked: dict[str, set[str]] = {}
        for name in ("mesh_by_name", "biomappings", "mondo"):
            path = self.data / NEW / "mappings" / f"{name}.sssom.tsv.gz"
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    cells = line.split("\t")
                    if len(cells) > 3 and cells[2] == "skos:exactMatch":
                        ids = sorted((cells[0], cells[3]), key=lambda id: id.startswith("MESH:"))
                        if ids[0].startswith(prefix) and ids[1].startswith(mesh):
                            linked.setdefault(ids[1], set()).add(ids[0])
        return {id: next(iter(others)) for id, others in linked.items() if len(others) == 1}
