"""KGX back into statements: nodes.tsv, edges.tsv and, of ours, attributes.tsv and statements.jsonl
in a ZIP.

A file of ours gives the same statements with the same evidence; a row that was changed since is
left out. One of another's gives an edge as a statement with its original predicate, its
publications as references. Biolink's columns of qualifiers (`object_direction_qualifier`,
`qualified_predicate`, …) are qualifiers, for without them two edges that say the opposite would be
one; an edge whose frequency is *Excluded* (HP:0040285) denies. Edges that say the same, from two
sources, are one statement with the evidence of both; columns that are not kept are named.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain

from core.curie import is_curie, normal_curie
from core.errors import InputError
from core.kb.entry import ExportEntry, settle_labels, thing_key
from core.kb.formats import kgx
from core.kb.formats.separated import unquoted_line
from core.kb.rdf import iri
from core.kb.read.archive import archive_lines as lines_of
from core.kb.read.archive import archive_names, opened_file
from core.kb.read.in_full import Proposal, read_in_full
from core.kb.read.qualifier_readings import NUMBERS, readings, statement_with_id
from core.kb.read.rdf import ReadStatements
from core.kb.read.unread import UnreadParts
from core.model import (
    Category,
    Evidence,
    Literal,
    Modality,
    Node,
    Qualifier,
    ReferenceGround,
    Statement,
    Term,
    Thing,
)
from core.text.separated import readable_table

Row = Mapping[str, str]
EXCLUDED = "HP:0040285"  # a frequency of HPO: the disease does not have the phenotype
MOST_NAMED = 8  # columns that a remark names
FREQUENCY = "frequency_qualifier"
_OTHERS = ("has_evidence", "qualified_predicate")
# Support is asked anew of what is read.
_KEPT = frozenset((*kgx.EDGES, *kgx.ATTRIBUTES, *kgx.SUPPORT, kgx.NOTICE, *_OTHERS))


def read_kgx(content: bytes) -> ReadStatements:
    """Raises InputError when it is no KGX, or nothing of it can be read."""
    files = {name.rpartition("/")[2]: name for name in sorted(archive_names(content))}
    edges = next((n for n in sorted(files) if n.endswith("edges.tsv")), "")
    nodes = next((n for n in sorted(files) if n.endswith("nodes.tsv")), "")
    if not edges or not nodes:
        raise InputError("This ZIP contains no nodes.tsv and edges.tsv.", "Give KGX, or a bundle.")
    thing_by_id = {row["id"]: _thing(row) for row in _rows(content, files[nodes]) if row.get("id")}
    tables = [files[name] for name in (edges, "attributes.tsv") if name in files]
    rows = chain.from_iterable(_rows(content, name) for name in tables)
    lines = lines_of(content, files[kgx.STATEMENTS]) if kgx.STATEMENTS in files else ()
    in_full = {whole[0].id: whole for line in lines if (whole := read_in_full(line))}
    by_id: dict[str, Proposal] = {}
    unread, unkept = UnreadParts(), Counter[str]()
    for number, row in enumerate(rows, 1):
        unkept.update(name for name, value in row.items() if value and not _is_kept(name))
        try:
            whole = in_full.get(row.get("id", ""))
            if whole:
                _check_unchanged(row, whole[0])
                by_id[whole[0].id] = whole
            else:
                statement = _statement(row, thing_by_id)
                before = by_id[statement.id][1] if statement.id in by_id else ()
                pieces = {piece.id: piece for piece in (*before, *_evidence(row, statement))}
                by_id[statement.id] = (statement, tuple(pieces.values()))
        except (InputError, KeyError, ValueError) as error:
            unread.add(str(error), f"row {number}")
    if unkept:
        names = ", ".join(f"{name} ({times:,})" for name, times in unkept.most_common(MOST_NAMED))
        more = f" and {len(unkept) - MOST_NAMED:,} more" if len(unkept) > MOST_NAMED else ""
        unread.add(f"Columns that are not kept: {names}{more}.", edges)
    # Denials that Biolink has no word for have no row: a file of ours holds them in full only.
    labels = settle_labels(ExportEntry(statement) for statement, _ in in_full.values())
    by_id |= {name: whole for name, whole in in_full.items() if kgx.is_overstated(whole[0], labels)}
    if not by_id:
        raise InputError(
            "No statement of this KGX could be read.",
            unread.first_reason or "It has no edges.",
        )
    return ReadStatements(tuple(by_id[name] for name in sorted(by_id)), unread.problems())


def _is_kept(column: str) -> bool:
    return column in _KEPT or column.endswith("_qualifier")


def _check_unchanged(row: Row, statement: Statement) -> None:
    """Raises InputError where a row says something else than the statement of its id."""
    object_, document = statement.object, statement.document
    cells = {
        "subject": kgx.node_id(thing_key(statement.subject, document)),
        "negated": "true" if statement.negated else "false",
        "modality": str(statement.modality),
        "qualifiers": kgx.join_values(map(kgx.kgx_qualifier, statement.qualifiers)),
    }
    if isinstance(object_, Literal):
        cells |= {"attribute": statement.predicate.id, "value": object_.value}
        cells |= {"unit": object_.unit, "datatype": object_.datatype}
    else:
        cells |= {"original_predicate": statement.predicate.id}
        cells |= {"object": kgx.node_id(thing_key(object_, document))}
    changed = [name for name, words in cells.items() if row.get(name) != unquoted_line(words)]
    if changed:
        raise InputError(
            f"{statement.id[:15]} does not match its id: {', '.join(changed)} was changed."
        )


def _rows(content: bytes, name: str) -> Iterator[Row]:
    with (
        opened_file(content, name) as file,
        io.TextIOWrapper(file, "utf-8-sig", "replace", newline="") as source,
        readable_table("A table of this KGX"),
    ):
        for row in csv.DictReader(source, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield {
                str(column): _cell(value)
                for column, value in row.items()
                if column and isinstance(value, str)
            }


def _cell(words: str) -> str:
    # KGX puts no quotation marks around a cell, other writers do: `"a ""b"" c"` is `a "b" c`.
    inner = words[1:-1]
    if len(words) < 2 or words[0] + words[-1] != '""' or '"' in inner.replace('""', ""):
        return words
    return inner.replace('""', '"')


def _thing(row: Row) -> Term | Node:
    classes = row.get("category", "").split("|")
    category = next(
        (
            iri.CATEGORIES[address]
            for name in classes
            if (address := iri.BIOLINK + name.removeprefix("biolink:")) in iri.CATEGORIES
        ),
        Category.THING,
    )
    name, label = row["id"], row.get("name", "")
    if name.startswith(f"{kgx.NODE_PREFIX}:"):
        return Node(name.partition(":")[2], classes[0].removeprefix("biolink:"), label, category)
    return Term(_curie(name), label, category)


def _curie(name: str) -> str:
    if not is_curie(name):
        raise InputError(f"{name[:60]!r} is not an id of the form PREFIX:123.")
    return normal_curie(name)


def _statement(row: Row, thing_by_id: Mapping[str, Term | Node]) -> Statement:
    subject = thing_by_id.get(row["subject"]) or Term(_curie(row["subject"]), "")
    predicate = Term(
        _curie(row.get("original_predicate") or row.get("attribute") or row["predicate"]),
        row.get("predicate_label") or row.get("attribute_label", ""),
        Category.RELATION,
    )
    if "object" in row:
        object_: Thing = thing_by_id.get(row["object"]) or Term(_curie(row["object"]), "")
    else:
        object_ = Literal(row["value"], row.get("datatype") or "xsd:string", row.get("unit", ""))
    negated = row.get("negated", "").casefold() in ("true", "1", "yes")
    modality = Modality(row.get("modality") or Modality.ASSERTED)
    written = [words.partition("=") for words in row.get("qualifiers", "").split("|") if words]
    ways = [[Qualifier(name, way) for way in _ways(words)] for name, _, words in written]

    def build(qualifiers: tuple[Qualifier, ...]) -> Statement:
        return Statement(
            subject, predicate, object_, negated=negated, modality=modality, qualifiers=qualifiers
        )

    wanted_id = row.get("id", "")
    if not wanted_id.startswith("s1-"):
        own = [Qualifier(name, next(_ways(words))) for name, words in _biolink_qualifiers(row)]
        negated = negated or row.get(FREQUENCY) == EXCLUDED
        return build((*next(readings(ways)), *own))
    statement = statement_with_id(wanted_id, ways, build)
    if statement is None:
        raise InputError(
            f"{wanted_id[:15]} does not match its id: the row was changed, or its qualifiers "
            "cannot be read."
        )
    return statement


def _biolink_qualifiers(row: Row) -> Iterator[tuple[str, str]]:
    """The columns of an edge that narrow what it says, and their words."""
    for column, words in sorted(row.items()):
        is_qualifier = column.endswith("_qualifier") or column == "qualified_predicate"
        if is_qualifier and words.strip() and (column, words) != (FREQUENCY, EXCLUDED):
            for each in words.split("|"):
                yield column, each.strip()


def _ways(value: str) -> Iterator[Term | Literal]:
    """What the words of a qualifier can mean."""
    if is_curie(value):
        yield Term(value, "")
    yield Literal(value)
    number, _, unit = value.partition(" ")
    for datatype in NUMBERS:
        yield Literal(value, datatype)
        if unit:
            yield Literal(number, datatype, unit)


def _evidence(row: Row, statement: Statement) -> Iterator[Evidence]:
    """Each publication is a reference; a single quote and the source it came from are its note."""
    quotes = [quote for quote in row.get("supporting_text", "").split("|") if quote]
    note = quotes[0] if len(quotes) == 1 else ""
    if not row.get("id", "").startswith("s1-"):
        sources = (row.get("primary_knowledge_source", ""), row.get("has_evidence", ""))
        note = ". ".join(filter(None, (note, *sources)))
    for paper in row.get("publications", "").split("|"):
        if paper.strip():
            ground = ReferenceGround(paper.strip(), note=note)
            yield Evidence(statement.id, ground, engine="import")
