"""KGX (https://github.com/biolink/kgx): nodes.tsv, edges.tsv and attributes.tsv in one ZIP.

Edges hold what relates two things, with Biolink's predicate and the original beside it. A value
("300 mg") is not a node: it is an attribute of its node, in the `attributes` column and, with
everything that supports it, as a row of attributes.tsv.

A negated edge has `negated` true; a hypothesis or a qualified statement says so in columns of its
own. A thing without a name, such as the dose of a trial, has an id of this project under the prefix
GROUNDWORK.NODE: Biolink lists no prefix for such things, so KGX's validator remarks on this one.
Readers that ignore these columns must not be given the file as plain edges, so `is_plain` says
which may be drawn. A denial whose relation Biolink knows only in wider words has no edge.

Where a thing has other ids, nodes have one more column, `same_as`.

Where a paper was retracted or deleted, edges and attributes have one more column, `notice`, which
names it on what rests on it. `support` says what a statement's evidence does to it as judges read
it, `support_probability` how likely the text says it.

`statements.jsonl`, which KGX tools pass over, holds each statement with its evidence in full, so
that the file can be imported again without a loss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.curie import PREFIXES, is_curie, preferred_prefix
from core.kb.entry import (
    ExportEntry,
    KnowledgeBase,
    document_of,
    notices_of,
    settle_labels,
    thing_key,
)
from core.kb.formats import biolink
from core.kb.formats.annotation import left_out_remark
from core.kb.formats.archive import zip_files
from core.kb.formats.in_full import statement_in_full
from core.kb.formats.separated import unquoted_tsv
from core.kb.formats.specification import ExportFormat
from core.kb.rdf import iri
from core.kb.rdf.association import KNOWLEDGE_LEVEL, TYPED, VALIDATED
from core.model import (
    Category,
    Literal,
    Node,
    Problem,
    Qualifier,
    Statement,
    Term,
    TextGround,
    Thing,
    relation_words,
)

NODES = ("id", "category", "name", "provided_by", "attributes")
EVIDENCE_COLUMNS = (
    "negated",
    "knowledge_level",
    "agent_type",
    "primary_knowledge_source",
    "publications",
    "supporting_text",
    "qualifiers",
    "modality",
    "is_plain",
)
EDGES = (
    "id",
    "subject",
    "predicate",
    "object",
    "category",
    "original_predicate",
    "predicate_label",
    *EVIDENCE_COLUMNS,
)
ATTRIBUTES = (
    "id",
    "subject",
    "attribute",
    "attribute_label",
    "value",
    "unit",
    "datatype",
    *EVIDENCE_COLUMNS,
)
SUPPORT = ("support", "support_probability")
NOTICE = "notice"
SAME = "same_as"  # Biolink's slot of a node for ids of the same thing
STATEMENTS = "statements.jsonl"
NODE_PREFIX = "GROUNDWORK.NODE"  # of things without a name: KGX takes CURIEs only

Labels = dict[str, Term | Node]
Row = tuple[str, ...]


def kgx(kb: KnowledgeBase) -> Iterator[bytes]:
    labels = settle_labels(kb.entries)
    node_columns, nodes = node_table(kb, labels)
    edge_columns, edges = edge_table(kb, labels)
    attribute_columns, attributes = _remarked(ATTRIBUTES, attribute_rows(kb), kb)
    yield from zip_files(
        (
            ("nodes.tsv", unquoted_tsv([node_columns], nodes)),
            ("edges.tsv", unquoted_tsv([edge_columns], edges)),
            ("attributes.tsv", unquoted_tsv([attribute_columns], attributes)),
            (STATEMENTS, (f"{statement_in_full(e)}\n".encode() for e in kb.sorted())),
        )
    )


def edge_table(kb: KnowledgeBase, labels: Labels) -> tuple[Row, Iterable[Row]]:
    """The columns of edges and their rows; NOTICE is the last where a paper was retracted."""
    return _remarked(EDGES, kgx_edges(kb, labels), kb)


def network_table(kb: KnowledgeBase, labels: Labels) -> tuple[Row, Iterable[Row]]:
    """The edges for files that are no Biolink graphs: a denial that Biolink has no words for is
    there with its own relation.
    """
    rows = (_own_edge(e, kb, labels) for e in kb.sorted() if ties_two_things(e))
    return _remarked(EDGES, rows, kb)


def _own_edge(entry: ExportEntry, kb: KnowledgeBase, labels: Labels) -> Row:
    edge = kgx_edge(entry, kb, labels)
    if not is_overstated(entry.statement, labels):
        return edge
    own = {"predicate": entry.statement.predicate.id, "category": f"{biolink.PREFIX}Association"}
    return tuple(own.get(column, value) for column, value in zip(EDGES, edge, strict=True))


def node_table(kb: KnowledgeBase, labels: Labels) -> tuple[Row, Iterable[Row]]:
    """The columns of nodes and their rows; the last is SAME where things have other ids."""
    rows = kgx_nodes(kb, labels)
    if not kb.same:
        return NODES, rows
    return (*NODES, SAME), ((*row, join_values(kb.same.get(row[0], ()))) for row in rows)


def _remarked(columns: Row, rows: Iterable[Row], kb: KnowledgeBase) -> tuple[Row, Iterable[Row]]:
    """A table of statements with the columns that only some knowledge bases have."""
    if kb.support:
        columns, rows = (*columns, *SUPPORT), ((*row, *kb.support_cells(row[0])) for row in rows)
    if notices := paper_notices(kb):
        columns, rows = (*columns, NOTICE), ((*row, notices.get(row[0], "")) for row in rows)
    return columns, rows


def paper_notices(kb: KnowledgeBase) -> dict[str, str]:
    """What is said of retracted papers, by the statement that rests on them."""
    if not kb.notices:
        return {}
    noticed = ((entry.statement.id, notices_of(entry, kb)) for entry in kb.entries)
    return {statement: join_values(notices) for statement, notices in noticed if notices}


def attribute_rows(kb: KnowledgeBase) -> Iterator[tuple[str, ...]]:
    """The statements whose object is a value, sorted by id."""
    return (kgx_attribute(entry, kb) for entry in kb.sorted() if not ties_two_things(entry))


def ties_two_things(entry: ExportEntry) -> bool:
    """Whether a statement ties two things; else its object is a value."""
    return not isinstance(entry.statement.object, Literal)


def kgx_nodes(kb: KnowledgeBase, labels: Labels) -> Iterator[tuple[str, ...]]:
    """Every end of an edge and every thing that has an attribute, once, sorted by key."""
    attributes: dict[str, list[str]] = {}
    for entry in kb.sorted():
        statement = entry.statement
        own = attributes.setdefault(thing_key(statement.subject, statement.document), [])
        if isinstance(statement.object, Literal):
            if entry.is_plain:
                own.append(f"{statement.predicate.id}={amount_words(statement.object)}")
        else:
            attributes.setdefault(thing_key(statement.object, statement.document), [])
    source = infores(kb.base_iri)
    for name in sorted(attributes):
        thing = labels[name]
        values = join_values(dict.fromkeys(attributes[name]))
        yield node_id(name), biolink.category_class(thing), thing.label, source, values


def kgx_edges(kb: KnowledgeBase, labels: Labels) -> Iterator[tuple[str, ...]]:
    """What ties two things, sorted by id; without what Biolink's words would say wrongly."""
    for entry in kb.sorted():
        if ties_two_things(entry) and not is_overstated(entry.statement, labels):
            yield kgx_edge(entry, kb, labels)


def is_overstated(statement: Statement, labels: Labels) -> bool:
    """Whether a denial would deny too much: "not phosphorylates" is no "not affects"."""
    if not statement.negated or isinstance(statement.object, Literal):
        return False
    return not biolink.says_the_same(statement.predicate, predicate_between(statement, labels)[1])


def overstated(kb: KnowledgeBase) -> tuple[Problem, ...]:
    """The denials that have no edge, with the reason."""
    labels = settle_labels(kb.entries)
    denials = [entry for entry in kb.sorted() if is_overstated(entry.statement, labels)]
    why = "Biolink has only a wider relation, and its denial would say more than was approved"
    return (left_out_remark(why, denials),) if denials else ()


def predicate_between(statement: Statement, labels: Labels) -> tuple[Category, str, Category]:
    """The kinds of both ends and the Biolink predicate between them."""
    ends = (thing_key(end, statement.document) for end in (statement.subject, statement.object))
    subject, object_ = (biolink.biolink_category(labels[name]) for name in ends)
    name = biolink.biolink_predicate(statement.predicate)
    return subject, biolink.fitting_predicate(name, subject, object_), object_


def kgx_edge(entry: ExportEntry, kb: KnowledgeBase, labels: Labels) -> tuple[str, ...]:
    statement = entry.statement
    subject, name, object_ = predicate_between(statement, labels)
    return (
        statement.id,
        node_id(thing_key(statement.subject, statement.document)),
        biolink.PREFIX + name,
        node_id(thing_key(statement.object, statement.document)),
        biolink.association_class(subject, name, object_),
        statement.predicate.id,
        relation_words(statement.predicate),
        *support_columns(entry, kb),
    )


def kgx_attribute(entry: ExportEntry, kb: KnowledgeBase) -> tuple[str, ...]:
    statement, value = entry.statement, entry.statement.object
    assert isinstance(value, Literal)
    return (
        statement.id,
        node_id(thing_key(statement.subject, statement.document)),
        statement.predicate.id,
        relation_words(statement.predicate),
        value.value,
        value.unit,
        value.datatype,
        *support_columns(entry, kb),
    )


def support_columns(entry: ExportEntry, kb: KnowledgeBase) -> tuple[str, ...]:
    """What a row rests on, and what narrows or negates it."""
    statement = entry.statement
    quotes = (p.ground.quote for p in entry.evidence if isinstance(p.ground, TextGround))
    papers = {kgx_publication(document_of(piece), kb) for piece in entry.evidence} - {""}
    return (
        "true" if statement.negated else "false",
        KNOWLEDGE_LEVEL,
        VALIDATED if entry.by_machine else TYPED,
        infores(kb.base_iri),
        join_values(sorted(papers)),
        join_values(quotes),
        join_values(kgx_qualifier(each_qualifier) for each_qualifier in statement.qualifiers),
        str(statement.modality),
        "true" if entry.is_plain else "false",
    )


def node_id(name: str) -> str:
    return f"{NODE_PREFIX}:{name}" if name.startswith("n1-") else name


def amount_words(literal: Literal) -> str:
    return f"{literal.value} {literal.unit}".strip()


def kgx_qualifier(qualifier: Qualifier) -> str:
    return f"{qualifier.name}={value_words(qualifier.value)}"


def value_words(thing: Thing) -> str:
    return amount_words(thing) if isinstance(thing, Literal) else thing.id


def kgx_publication(identifier: str, kb: KnowledgeBase) -> str:
    """A paper as a CURIE (PMID:1, DOI:10.1/x), or as the IRI that the Turtle gives it."""
    if not identifier:
        return ""
    has_known_prefix = (
        is_curie(identifier) and preferred_prefix(identifier.partition(":")[0]) in PREFIXES
    )
    return (
        identifier if has_known_prefix else iri.document_iri(identifier, kb.base_iri, kb.prefixes)
    )


def join_values(values: Iterable[str]) -> str:
    """Several values in one cell, set apart by KGX's bar.

    >>> join_values(["PMID:1", "PMID:2"]), join_values(["a|b", "c"])
    ('PMID:1|PMID:2', 'a¦b|c')
    """
    return "|".join(value.replace("|", "¦") for value in values)


def split_values(cell: str) -> list[str]:
    """The values that `join_values` set apart, each with its own bars again.

    >>> split_values(join_values(["a|b", "c"]))
    ['a|b', 'c']
    """
    return [value.replace("¦", "|") for value in cell.split("|")]


def infores(base_iri: str) -> str:
    """The project as a knowledge source: `infores:` and the last words of its base IRI.

    >>> infores("https://example.org/kb/Lung_Cancer/")
    'infores:lung-cancer'
    """
    words = re.sub(r"[^a-z0-9]+", "-", base_iri.rstrip("/#").rpartition("/")[2].casefold())
    return f"infores:{words.strip('-') or 'groundwork'}"


KGX = ExportFormat(
    "kgx",
    "KGX (nodes, edges and attributes, TSV in a ZIP)",
    ".kgx.zip",
    mime="application/zip",
    chunks=kgx,
    remarks=overstated,
)
