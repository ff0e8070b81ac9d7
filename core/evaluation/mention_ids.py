"""Mentions that people annotated with ids, against what the product recognises in the same texts
and what it takes it for: a corpus in the form of the relation corpora (JSON Lines with `mentions`),
or one in two files, `NAME.docs.jsonl.gz` beside `NAME.mentions.jsonl.gz`.

A mention counts as found where the desk marks exactly its words, and as right where the chosen id
is one of the annotators' ids, or is tied to one by mappings (SSSOM, exact matches, at most two
steps; without files those of the base set). Ids of spaces that no mapping reaches count against us;
`reachable` says how many mentions have an id that some vocabulary here holds, itself or by a
mapping. What the desk takes the words for if it is told where they stand (`given`) is counted too.
"""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from core.desk import Desk
from core.errors import InputError
from core.evaluation.corpus import current_ids
from core.evaluation.name_recognition import registry_of
from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.install.base_set import FOLDER
from core.grounding.readers.record import identifier
from core.grounding.recognise.recogniser import Recogniser
from core.grounding.recognise.variant_names import written_variants
from core.model import Category, Json, Span
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage, LazyValue

# The types of the corpora: what of, and the vocabularies of that kind in the order of preference
_GENES = (Category.GENE, ("hgnc", "mgi", "rgd", "sgd", "ncbigene"))
_DISEASES = (Category.DISEASE, ("mondo", "mesh", "doid", "hp"))
_CHEMICALS = (Category.CHEMICAL, ("chebi", "mesh", "drugbank", "unii"))
_PHENOTYPES = (Category.PHENOTYPE, ("hp", "mesh", "mondo"))
_ORGANISMS = (Category.ORGANISM, ("ncbitaxon",))
_CELL_LINES = (Category.CELL, ("cellosaurus",))
KINDS = {
    "GeneOrGeneProduct": _GENES,
    "DiseaseOrPhenotypicFeature": _DISEASES,
    "ChemicalEntity": _CHEMICALS,
    "OrganismTaxon": _ORGANISMS,
    "CellLine": _CELL_LINES,
    "Gene": _GENES,
    "Disease": _DISEASES,
    "Phenotype": _PHENOTYPES,
    "Chemical": _CHEMICALS,
    "Species": _ORGANISMS,
}
VARIANT = "SequenceVariant"  # recognised by grammar, and by no vocabulary
DBSNP = "dbSNP"
_RS = re.compile(r"rs\d+")
CELLOSAURUS = "Cellosaurus"  # its ids in the base set: Cellosaurus:CVCL_0045
_ACCESSION = re.compile(r"CVCL_\w+")
_STEPS = 2  # of mappings between two ids of one thing

Ties = Mapping[str, frozenset[str]]  # CURIE → CURIEs of the same thing


@dataclass(frozen=True, slots=True)
class MentionCounts:
    """Of `gold` annotated mentions `found` were marked with exactly their words, of these `chosen`
    got an id and `right` a right one; for `reachable` a right id was to be had. `marked` are all
    marks of the type. Of all that were given by their words, `given` got an id, `given_right` a
    right one.
    """

    gold: int = 0
    found: int = 0
    chosen: int = 0
    right: int = 0
    reachable: int = 0
    marked: int = 0
    given: int = 0
    given_right: int = 0

    def plus(self, other: Iterable[int]) -> MentionCounts:
        return MentionCounts(*(a + b for a, b in zip(self.as_row(), other, strict=True)))

    def as_row(self) -> tuple[int, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--input",
        type=Path,
        required=True,
        help="corpus: JSON Lines, or .gz; or its .docs.jsonl.gz",
    )
    parser.add_argument(
        "--type",
        choices=sorted(KINDS),
        help="what all mentions are, where the corpus says otherwise",
    )
    parser.add_argument(
        "--vocabulary",
        action="append",
        default=[],
        help="vocabulary name or file (repeat); without it all of the project's",
    )
    parser.add_argument(
        "--mapping",
        type=Path,
        action="append",
        default=[],
        help="SSSOM file (repeat); without it those of the base set",
    )
    parser.add_argument("--limit", type=int, default=0, help="only the first so many documents")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A unit a document."""
    documents = list(_rows(args.input, args.type))[: args.limit or None]
    registry = registry_of(desk, args.vocabulary)
    mappings = args.mapping or sorted((FOLDER / "mappings").glob("*.sssom.tsv.xz"))
    ties = LazyValue(lambda: ties_of(mappings))
    grounder = LazyValue(lambda: Grounder(registry, equivalents=desk.grounder().equivalents))

    def measure(place: int, run: str) -> Json:
        counts = counts_of(grounder(), documents[place], ties())
        return {kind: list(count.as_row()) for kind, count in counts.items()}

    rows = yield EvaluationStage("documents", [str(row["id"]) for row in documents], measure)
    table: dict[str, MentionCounts] = {}
    for row in rows:
        for kind, counts in row.items():
            table[kind] = table.get(kind, MentionCounts()).plus(counts)
    return EvaluationReport(_text(table) if args.format == "text" else _json(table))


def counts_of(grounder: Grounder, document: Json, ties: Ties) -> dict[str, MentionCounts]:
    """The counts of one document, by the corpus's types."""
    grounder = grounder.steady()
    text, gold = document["text"], _gold(document)
    constraints = {
        kind: Constraint(KINDS[kind][1], category=KINDS[kind][0])
        for kind in sorted({kind for kind, _, _ in gold if kind in KINDS})
    }
    chosen: dict[tuple[str, Span], str] = {}
    for mark in Recogniser(grounder).annotate(text, constraints):
        term, _ = choose_candidate(mark.candidates)
        chosen[mark.key, mark.span] = term.id if term else ""
    if VARIANT in {kind for kind, _, _ in gold}:
        for variant in written_variants(text):
            words = variant.span.quote(text)
            chosen[VARIANT, variant.span] = f"{DBSNP}:{words}" if variant.form == "rs" else ""
    holds = _holder(grounder, constraints)
    current = current_ids(grounder.vocabulary_registry)
    counts: dict[str, MentionCounts] = {}
    for kind, span, ids in gold:
        same = _same_things({*ids, *map(current, ids)}, ties)
        id = chosen.get((kind, span))
        given = ""
        if kind in constraints:
            term, _ = choose_candidate(
                grounder.ground(span.quote(text), constraints[kind], context=text, span=span)
            )
            given = term.id if term else ""
        row = (
            *(1, id is not None, bool(id), bool(id) and id in same, holds(kind, same), 0),
            *(bool(given), given in same),
        )
        counts[kind] = counts.get(kind, MentionCounts()).plus(map(int, row))
    for kind, _ in chosen:
        counts[kind] = counts[kind].plus((0, 0, 0, 0, 0, 1, 0, 0))
    return counts


def _holder(
    grounder: Grounder, constraints: Mapping[str, Constraint]
) -> Callable[[str, frozenset[str]], bool]:
    lexicons = {kind: grounder.lexicons(constraint) for kind, constraint in constraints.items()}
    return lambda kind, ids: any(
        lexicon.term(id) for _, lexicon in lexicons.get(kind, ()) for id in ids
    )


def ties_of(files: Iterable[Path]) -> Ties:
    """The ids that SSSOM files call the same, each with its neighbours."""
    ties: dict[str, set[str]] = {}
    for path in files:
        with _opened(path) as file:
            lines = (line for line in file if not line.startswith("#"))
            for row in csv.DictReader(lines, delimiter="\t"):
                if row.get("predicate_id", "").endswith("exactMatch"):
                    one, other = (identifier(row[f"{end}_id"]) for end in ("subject", "object"))
                    ties.setdefault(one, set()).add(other)
                    ties.setdefault(other, set()).add(one)
    return {id: frozenset(others) for id, others in ties.items()}


def _same_things(ids: Iterable[str], ties: Ties) -> frozenset[str]:
    same = frozenset(ids)
    for _ in range(_STEPS):
        same = same.union(*(ties.get(id, frozenset()) for id in same))
    return same


def _gold(document: Json) -> list[tuple[str, Span, tuple[str, ...]]]:
    """The mentions with ids: their type, place and ids."""
    mentions = []
    for mention in document["mentions"]:
        curies = tuple(filter(None, map(_curie, mention["ids"])))
        if (mention["type"] in KINDS and curies) or mention["type"] == VARIANT:
            span = Span(mention["start"], mention["end"])
            mentions.append((mention["type"], span, curies))
    return mentions


def _curie(id: str) -> str:
    if _RS.fullmatch(id):
        return f"{DBSNP}:{id}"
    accession = _ACCESSION.search(id)
    return f"{CELLOSAURUS}:{accession[0]}" if accession else identifier(id)


def _rows(path: Path, type: str | None = None) -> Iterator[Json]:
    """The documents; `type` is what all their mentions are."""
    apart = _mentions_apart(path)
    for row in _lines(path):
        if apart is not None:
            row = {"id": row["doc"], "text": row["text"], "mentions": apart.get(row["doc"], [])}
        if not {"id", "text", "mentions"} <= row.keys():
            raise InputError(f"{path} has a line without id, text and mentions.")
        if type:
            row["mentions"] = [mention | {"type": type} for mention in row["mentions"]]
        yield row


def _mentions_apart(path: Path) -> dict[str, list[Json]] | None:
    """The mentions by document, if the corpus has them in a file of their own; else None. One that
    stands for several things has an id of each.
    """
    if ".docs.jsonl" not in path.name:
        return None
    mentions: dict[str, list[Json]] = {}
    for row in _lines(path.with_name(path.name.replace(".docs.", ".mentions."))):
        row["ids"] = [part for id in row["ids"] for part in str(id).replace("|", "+").split("+")]
        mentions.setdefault(row["doc"], []).append(row)
    return mentions


def _lines(path: Path) -> Iterator[Json]:
    with _opened(path) as file:
        for line in filter(str.strip, file):
            row = json.loads(line)
            if not isinstance(row, dict):
                raise InputError(f"{path} has a line that is no object.")
            yield row


def _opened(path: Path) -> IO[str]:
    if not path.is_file():
        raise InputError(f"There is no file {path}.")
    match path.suffix:
        case ".gz":
            return gzip.open(path, "rt", encoding="utf-8")
        case ".xz":
            return lzma.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _text(table: Mapping[str, MentionCounts]) -> str:
    heads = (
        *("mentions", "found", "right id", "precision", "reachable", "marked"),
        *("given", "precision"),
    )
    lines = [f"{'type':<28}" + "".join(f"{head:>11}" for head in heads)]
    for kind, counts in table.items():
        gold, chosen = max(1, counts.gold), max(1, counts.chosen)
        lines.append(
            f"{kind:<28}{counts.gold:>11,}{counts.found / gold:>11.1%}{counts.right / gold:>11.1%}"
            f"{counts.right / chosen:>11.1%}{counts.reachable / gold:>11.1%}{counts.marked:>11,}"
            f"{counts.given_right / gold:>11.1%}{counts.given_right / max(1, counts.given):>11.1%}"
        )
    return "\n".join(lines)


def _json(table: Mapping[str, MentionCounts]) -> str:
    names = MentionCounts.__slots__
    return "\n".join(
        json.dumps({"type": kind, **dict(zip(names, counts.as_row(), strict=True))})
        for kind, counts in table.items()
    )
