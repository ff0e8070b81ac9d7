"""Statements written as Turtle and read back."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import Graph, URIRef
from rdflib.compare import isomorphic
from rdflib.namespace import RDF

from core.errors import InputError
from core.kb.entry import ExportEntry, KnowledgeBase
from core.kb.formats import ntriples
from core.kb.formats.turtle import turtle
from core.kb.rdf import iri, sorting, turtle_block
from core.kb.read.rdf import read
from core.model import (
    Category,
    Decision,
    Document,
    Evidence,
    Literal,
    Modality,
    Node,
    Qualifier,
    RecordGround,
    ReferenceGround,
    Span,
    Statement,
    Term,
    TextGround,
    Verdict,
    node_id,
)

BASE = "https://kb.example.org/"
ANNA = "0000-0002-1825-0097"
ASPIRIN = Term("CHEBI:15365", "aspirin", Category.CHEMICAL)
PAIN = Term("HP:0012531", "Pain", Category.PHENOTYPE)
TREATS = Term("biolink:treats", "treats", Category.RELATION)
CLAIM = Statement(ASPIRIN, TREATS, PAIN, document="PMID:1")
QUOTE = "Aspirin eased the pain"


def quoted(statement: Statement, quote: str = QUOTE) -> Evidence:
    ground = TextGround("PMID:1", "ab" * 32, Span(0, len(quote)), quote, "Results")
    return Evidence(statement.id, ground, "r1", "triples[0]", "builtin", 0.85)


def entry(statement: Statement, *evidence: Evidence) -> ExportEntry:
    approval = Decision("d1", statement.id, 1, Verdict.APPROVE, ANNA, "2026-01-02T03:04:05Z")
    return ExportEntry(statement, evidence or (quoted(statement),), (approval,))


def kb(*statements: Statement) -> KnowledgeBase:
    return KnowledgeBase(
        BASE,
        tuple(entry(statement) for statement in statements),
        documents={"PMID:1": Document("PMID:1", "Aspirin and pain")},
        curators={ANNA: "Anna"},
    )


def parsed(content: bytes) -> Graph:
    return Graph().parse(data=content, format="turtle")


def plain(statement: Statement, graph: Graph) -> bool:
    return (
        URIRef(iri.term_iri(statement.subject.id, {})),
        URIRef(iri.BIOLINK + "treats"),
        None,
    ) in graph


def test_a_statement_is_a_plain_triple_with_real_iris():
    assert (
        URIRef("http://purl.obolibrary.org/obo/CHEBI_15365"),
        URIRef("https://w3id.org/biolink/vocab/treats"),
        URIRef("http://purl.obolibrary.org/obo/HP_0012531"),
    ) in parsed(turtle(kb(CLAIM)))


@pytest.mark.parametrize(
    ("slot", "wanted"),
    [
        ("knowledge_level", "knowledge_assertion"),
        ("agent_type", "manual_validation_of_automated_agent"),
        ("negated", "false"),
        ("supporting_text", QUOTE),
        ("publications", "http://www.ncbi.nlm.nih.gov/pubmed/1"),
    ],
)
def test_the_association_says_where_the_statement_comes_from(slot, wanted):
    rdf_graph = parsed(turtle(kb(CLAIM)))
    node = rdf_graph.value(None, RDF.type, URIRef(iri.BIOLINK + "Association"))
    assert [str(value) for value in rdf_graph.objects(node, URIRef(iri.BIOLINK + slot))] == [wanted]


def test_turtle_credits_a_typed_statement_to_its_curator():
    typed = replace(
        kb(CLAIM), entries=(entry(CLAIM, Evidence(CLAIM.id, ReferenceGround("PMID:1", "Fig 3B"))),)
    )
    assert b'"manual_agent"' in turtle(typed)


def test_the_curator_is_an_orcid_and_the_time_is_given():
    written = turtle(kb(CLAIM)).decode()
    assert "orcid:0000-0002-1825-0097" in written
    assert '"2026-01-02T03:04:05Z"^^xsd:dateTime' in written


@pytest.mark.parametrize(
    "claim",
    [
        replace(CLAIM, negated=True),
        replace(CLAIM, modality=Modality.HYPOTHESIS),
        replace(CLAIM, qualifiers=(Qualifier("severity_qualifier", Literal("mild")),)),
    ],
    ids=["negated", "hypothesis", "qualified"],
)
def test_turtle_writes_negated_and_qualified_statements_as_associations_only(claim):
    rdf_graph = parsed(turtle(kb(claim)))
    assert not plain(claim, rdf_graph)
    assert (None, RDF.type, URIRef(iri.BIOLINK + "Association")) in rdf_graph


def recipe() -> list[Statement]:
    step = node_id("doc:soup", parent="", slot="ingredients", words="two onions", occurrence=0)
    onions = Node(step, "Ingredient", "two onions", Category.FOOD)
    soup = Term("FOODON:00002257", "onion soup", Category.FOOD)
    has_food, amount = Term("FOODON:00002420", "has ingredient"), Term("schema:amount", "amount")
    return [
        Statement(soup, has_food, onions, document="doc:soup"),
        Statement(onions, amount, Literal("200", "xsd:decimal", "g"), document="doc:soup"),
        Statement(onions, amount, Literal("02.50", "xsd:decimal"), document="doc:soup"),
    ]


VARIED = [
    CLAIM,
    replace(CLAIM, negated=True),
    replace(CLAIM, modality=Modality.BACKGROUND, derived_from=CLAIM.id),
    replace(
        CLAIM,
        qualifiers=(
            Qualifier("dose form", ASPIRIN),
            Qualifier("stage_qualifier", Literal("1", "xsd:integer")),
        ),
    ),
    replace(CLAIM, document="doc:pasted text/1", object=Literal('five "5"\n\\', "xsd:string")),
    *recipe(),
]


@pytest.mark.parametrize("claim", VARIED, ids=range(len(VARIED)))
def test_reading_back_gives_the_same_statement_and_evidence(claim):
    ((statement, evidence),) = read(turtle(kb(claim)), {}).proposals
    assert statement == claim
    assert statement.id == claim.id
    assert evidence == (quoted(claim),)


def test_reading_back_gives_them_all():
    proposals = read(turtle(kb(*VARIED)), {}).proposals
    assert [statement.id for statement, _ in proposals] == sorted(claim.id for claim in VARIED)


def test_records_and_references_come_back():
    record = Evidence(
        CLAIM.id,
        RecordGround("c1", "NCBIGene:5699", "/result/chromosome", "9"),
        "r1",
        "",
        "planner",
    )
    typed = Evidence(CLAIM.id, ReferenceGround("DOI:10.1/x", "Table S2", "row 3"))
    content = turtle(replace(kb(), entries=(entry(CLAIM, record, typed),)))
    ((_, evidence),) = read(content, {}).proposals
    assert set(evidence) == {record, typed}


def test_equal_content_is_equal_bytes():
    written = {
        turtle(kb(*order))
        for order in itertools.islice(itertools.permutations(VARIED), 0, 5000, 1000)
    }
    assert len(written) == 1


def test_the_bytes_do_not_depend_on_the_process():
    code = "import sys; sys.path += ['.', 'tests/core/kb/formats']; from test_turtle import *; "
    code += "print(turtle(kb(*VARIED)).decode())"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] == turtle(kb(*VARIED)) + b"\n"


HOSTILE = [
    'say "x"',
    "a\nb",
    "</script><script>alert(1)</script>",
    "\u202eevil",
    "back\\slash",
    '"""',
    "'",
    "tab\t\r",
]


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_are_only_text(label):
    claim = replace(CLAIM, subject=replace(ASPIRIN, label=label))
    ((statement, _),) = read(turtle(kb(claim)), {}).proposals
    assert statement.subject.label == label
    assert parsed(turtle(kb(claim)))


def test_nul_and_half_surrogates_are_replaced():
    claim = replace(CLAIM, subject=replace(ASPIRIN, label="a\x00b\ud800"))
    assert b"\x00" not in turtle(kb(claim))
    assert parsed(turtle(kb(claim)))


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_words_survive(label, value):
    claim = Statement(replace(ASPIRIN, label=label), TREATS, Literal(value), document="PMID:1")
    ((statement, _),) = read(turtle(kb(claim)), {}).proposals
    if "\x00" not in label + value:
        assert (statement.subject.label, statement.object) == (label, Literal(value))


@pytest.mark.parametrize("bad", ["NOPE:1", "no curie", "http://x y", "CHEBI:<1>"])
def test_an_id_that_has_no_iri_is_refused(bad):
    with pytest.raises(InputError):
        turtle(kb(replace(CLAIM, subject=replace(ASPIRIN, id=bad))))


def test_a_bad_namespace_is_refused_before_anything_is_written():
    claim = replace(CLAIM, subject=replace(ASPIRIN, id="my:1"))
    with pytest.raises(InputError, match="not an IRI"):
        turtle(replace(kb(claim), prefixes={"my": "http://x/<script>"}))


def test_a_draft_says_undecided_and_claims_nothing():
    draft = replace(kb(CLAIM), draft=True, entries=(replace(entry(CLAIM), approvals=()),))
    written = turtle(draft)
    assert b"undecided" in written
    assert b'"text_mining_agent"' in written
    assert not plain(CLAIM, parsed(written))


def test_words_without_a_term_come_back_from_a_draft():
    claim = replace(CLAIM, subject=Term("", "Willow bark", Category.CHEMICAL))
    draft = replace(kb(claim), draft=True)
    assert read(turtle(draft), {}).proposals[0][0] == claim


def test_another_desks_association_is_taken_with_its_publications():
    foreign = b"""@prefix b: <https://w3id.org/biolink/vocab/> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    <urn:x> a b:Association ; rdf:predicate b:treats ;
      rdf:subject <http://purl.obolibrary.org/obo/CHEBI_15365> ;
      rdf:object <http://purl.obolibrary.org/obo/HP_0012531> ;
      b:publications <http://www.ncbi.nlm.nih.gov/pubmed/9> ."""
    ((statement, evidence),) = read(foreign, {}).proposals
    assert statement.id == CLAIM.id
    assert evidence[0].ground == ReferenceGround("PMID:9")


@pytest.mark.parametrize(
    "content", [b"", b"<urn:a> <urn:b> <urn:c> .", b"not turtle", b"\xff\xfe\x00"]
)
def test_turtle_import_refuses_a_file_that_is_not_a_knowledge_base(content):
    with pytest.raises(InputError):
        read(content, {})


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"@context": "https://example.org/c.jsonld", "@graph": []}', "at another address"),
        (b'{"@context": {"@import": "file:///etc/passwd"}}', "at another address"),
        (b'{"http://x/a":' * 100_000, "nested more than 100 levels deep"),
        (b"[1, 2, 3]", r"."),
    ],
)
def test_json_ld_of_others_fetches_nothing_and_is_never_too_deep(content, says):
    with pytest.raises(InputError, match=says):
        read(content, {}, ".jsonld")


def test_a_broken_association_is_reported_and_the_rest_is_read():
    broken = turtle(kb(CLAIM)) + b"<urn:x> a biolink:Association ; rdf:subject <urn:y> .\n"
    back = read(broken, {})
    assert len(back.proposals) == 1
    assert back.problems[0].where == "urn:x"


def test_another_statement_leaves_the_lines_of_the_first_as_they_were():
    other = replace(CLAIM, negated=True)
    first, both = (
        turtle(kb(CLAIM)).decode().split("\n\n"),
        turtle(kb(CLAIM, other)).decode().split("\n\n"),
    )
    assert set(first) < set(both)


def test_turtle_sorted_on_disk_has_the_same_bytes(monkeypatch):
    knowledge_base = kb(*recipe())
    whole = [turtle(knowledge_base), ntriples.NTRIPLES.write(knowledge_base)]
    monkeypatch.setattr(turtle_block, "sort_texts", lambda items: sorting.sort_texts(items, 3))
    monkeypatch.setattr(
        turtle_block, "gather_by_subject", lambda items: sorting.gather_by_subject(items, 3)
    )
    monkeypatch.setattr(ntriples, "sort_texts", lambda items: sorting.sort_texts(items, 3))
    assert [turtle(knowledge_base), ntriples.NTRIPLES.write(knowledge_base)] == whole


def test_statement_about_another_statements_iri_is_kept():
    other = Term(f"kb:statement/{CLAIM.id}", 'the "first"\nclaim', Category.PUBLICATION)
    about = Statement(other, TREATS, Literal("02.50", "xsd:decimal"), document="PMID:1")
    knowledge = replace(kb(CLAIM, about), prefixes={"kb": BASE})
    written, lines = (
        turtle(knowledge),
        Graph().parse(data=ntriples.NTRIPLES.write(knowledge), format="nt"),
    )
    assert isomorphic(parsed(written), lines)
    assert written.decode().count(f"<{BASE}statement/{CLAIM.id}> a ") == 1


WORDS = st.text(max_size=12)
TERMS = st.builds(
    Term,
    st.sampled_from(["CHEBI:1", "my:a/b", "MESH:D_1-", "my:x."]),
    WORDS,
    st.sampled_from(Category),
)
LITERALS = st.builds(
    Literal,
    WORDS,
    st.sampled_from(["", "xsd:string", "xsd:token", "my:t"]),
    st.sampled_from(["", "g"]),
)
QUALIFIERS = st.builds(Qualifier, st.sampled_from(["a b", "stage_qualifier"]), TERMS)
CLAIMS = st.builds(
    Statement,
    TERMS,
    TERMS,
    TERMS | LITERALS,
    st.booleans(),
    st.sampled_from(Modality),
    st.lists(
        st.builds(Qualifier, st.sampled_from(["a b", "stage_qualifier"]), TERMS), max_size=2
    ).map(tuple),
    st.sampled_from(["", "PMID:1", "doc:a b/c"]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(CLAIMS, max_size=3, unique_by=lambda claim: claim.id), WORDS)
def test_rdflib_reads_the_same_graph_from_turtle_and_from_ntriples(claims, quote):
    knowledge = replace(
        kb(),
        entries=tuple(entry(claim, quoted(claim, quote or "q")) for claim in claims),
        prefixes={"my": "https://my.example.org/#"},
    )
    lines = Graph().parse(data=ntriples.NTRIPLES.write(knowledge), format="nt")
    assert isomorphic(parsed(turtle(knowledge)), lines)
    assert len(lines) == ntriples.NTRIPLES.write(knowledge).count(b" .\n")


def test_a_relation_in_capitals_reads_as_on_the_pages():
    """A schema's permissible value INDUCES is its name, not how people say it."""
    induces = Term("RO:0003302", "INDUCES", Category.RELATION)
    content = turtle(kb(replace(CLAIM, predicate=induces)))
    assert b'"induces"' in content
    assert b'"INDUCES"' not in content
