"""What is exported, imported and exported again is the same: statements with their labels and
kinds, evidence with its origin, and of a bundle every byte of every format.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.kb.entry import thing_key, things_in
from core.kb.formats.registry import FORMATS, format_named
from core.kb.read.kgx import read_kgx
from core.kb.read.rdf import read
from core.kb.read.sssom import read_sssom
from core.model import (
    Category,
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
    TextVersion,
)
from core.services.graph import knowledge_base, statement_import
from tests import reviewing
from tests.core.kb.formats.test_turtle import entry, kb
from tests.core.services.releases.test_releases import judge

WORDS = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=12)
PREFIXES = {"my": "https://my.example.org/#"}
IDS = st.sampled_from(["CHEBI:1", "my:b", "MESH:D1", "HP:0002315"])
TERMS = st.builds(Term, IDS, WORDS, st.sampled_from(Category))
NODES = st.builds(
    Node, st.just("n1-" + "ab" * 12), st.just("Dose"), WORDS, st.sampled_from(Category)
)
LITERALS = st.builds(
    Literal,
    WORDS,
    st.sampled_from(["", "xsd:string", "xsd:decimal", "my:t"]),
    st.sampled_from(["", "g", "mg/kg"]),
)
QUALIFIERS = st.one_of(
    st.builds(Qualifier, st.just("a b"), TERMS),
    st.builds(Qualifier, st.just("stage_qualifier"), st.just(Literal("2.50", "xsd:double", "mg"))),
    st.builds(Qualifier, st.just("sex_qualifier"), st.builds(Literal, WORDS)),
)
CLAIMS = st.builds(
    Statement,
    TERMS | NODES,
    TERMS,
    TERMS | NODES | LITERALS,
    st.booleans(),
    st.sampled_from(Modality),
    st.lists(QUALIFIERS, max_size=3, unique_by=lambda qualifier: qualifier.name).map(
        lambda chosen: tuple(sorted(chosen, key=lambda qualifier: qualifier.name))
    ),
    st.sampled_from(["", "PMID:1", "doc:a b/c"]),
).filter(lambda claim: names_each_thing_once(claim))
PAPERS = st.sampled_from(["PMID:1", "doc:a b", "DOI:10.1/x(y)"])
GROUNDS = st.one_of(
    st.builds(TextGround, PAPERS, st.just("ab" * 32), st.just(Span(2, 9)), WORDS, WORDS),
    st.builds(RecordGround, st.just("c1"), st.just("NCBIGene:5699"), WORDS, WORDS),
    st.builds(ReferenceGround, PAPERS, WORDS, WORDS),
)


def names_each_thing_once(claim: Statement) -> bool:
    """Whether no thing stands twice in the statement under two names: RDF has one place for it."""
    named: dict[str, set] = {}
    for thing in things_in(claim):
        named.setdefault(thing_key(thing), set()).add(thing)
    return all(len(things) == 1 for name, things in named.items() if name)


@st.composite
def entries(draw, claims):
    """Statements, each with evidence of any kind, sorted by id."""
    proposals = []
    for claim in draw(
        st.lists(claims, min_size=1, max_size=4, unique_by=lambda statement: statement.id)
    ):
        pieces = [
            Evidence(claim.id, ground, run, path, engine, score, rule, cue)
            for ground, run, path, engine, score, rule, cue in draw(
                st.lists(
                    st.tuples(
                        *(GROUNDS, st.sampled_from(["", "r 1"]), WORDS, WORDS),
                        *(st.floats(0.001, 1), WORDS, WORDS),
                    ),
                    min_size=1,
                    max_size=3,
                )
            )
        ]
        by_id = {piece.id: piece for piece in pieces}
        proposals.append((claim, tuple(by_id[name] for name in sorted(by_id))))
    return tuple(sorted(proposals, key=lambda pair: pair[0].id))


READERS = {"ttl": lambda c: read(c, PREFIXES), "nt": lambda c: read(c, PREFIXES, ".nt")}
READERS |= {"kgx": read_kgx, "sssom": read_sssom}


def written(claims, name: str) -> bytes:
    whole = replace(
        kb(),
        entries=tuple(entry(*claim_and_evidence) for claim_and_evidence in _flat(claims)),
        prefixes=PREFIXES,
    )
    return format_named(name).write(whole)


def _flat(claims):
    return ((claim, *evidence) for claim, evidence in claims)


@pytest.mark.parametrize("name", ["ttl", "nt", "kgx"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(proposals=entries(CLAIMS))
def test_any_statements_come_back_equal_with_all_their_evidence(name, proposals):
    content = written(proposals, name)
    back = READERS[name](content)
    assert back.problems == ()
    assert back.proposals == proposals
    assert written(back.proposals, name) == content


MAPPED = st.builds(
    Statement,
    TERMS,
    st.sampled_from([Term("skos:exactMatch", "EXACT_MATCH", Category.RELATION)]),
    TERMS,
    st.booleans(),
    document=PAPERS,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(proposals=entries(MAPPED))
def test_any_mappings_come_back_equal_from_sssom_with_all_their_evidence(proposals):
    content = written(proposals, "sssom")
    back = read_sssom(content)
    assert (back.proposals, back.problems) == (proposals, ())
    assert written(back.proposals, "sssom") == content


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    extraction = reviewing.filled(tmp_path_factory.mktemp("round") / "p")
    approved = [statement for statement, _ in reviewing.PROPOSED if statement != reviewing.WORDS]
    called = replace(reviewing.ASPIRIN, label="acetylsalicylic acid")
    headache = replace(reviewing.HEADACHE, category=Category.DISEASE)
    other = replace(reviewing.NOT_NAUSEA, subject=called, object=headache)
    extraction.store.statements.propose([(other, [reviewing.quoted(other, "Aspirin")])], "r1")
    for statement in (*approved, other):
        judge(extraction, statement)
    yield extraction
    extraction.close()


@pytest.mark.parametrize(
    ("name", "file"), [("ttl", "a.ttl"), ("nt", "a.nt"), ("jsonld", "a.jsonld"), ("kgx", "a.zip")]
)
def test_a_project_that_takes_a_file_in_holds_equal_records(desk, tmp_path, name, file):
    other = reviewing.empty(tmp_path / "other")
    content = knowledge_base.export_approved(desk, name).content
    taken = statement_import.import_file(other, file, content)
    for identifier in taken.proposal.new:
        theirs, ours = (d.store.statements.get(identifier) for d in (desk, other))
        assert ours.statement == theirs.statement
        assert ours.evidence == theirs.evidence
    assert len(taken.proposal.new) == 6
    other.close()


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_restored_bundle_is_exported_as_the_same_bytes(desk, tmp_path_factory, name):
    assert knowledge_base.export_approved(restored(desk, tmp_path_factory), name).content == (
        knowledge_base.export_approved(desk, name).content
    )


_RESTORED: dict[Path, object] = {}


def restored(desk, tmp_path_factory):
    """A project into which the bundle of the other was restored, made once."""
    if desk not in _RESTORED:
        _RESTORED[desk] = reviewing.empty(tmp_path_factory.mktemp("restored") / "p")
        shutil.copytree(desk.vocabularies, _RESTORED[desk].vocabularies)
        _RESTORED[desk].store.documents.add(Document(reviewing.DOCUMENT, "A note on willow bark"))
        text = TextVersion(reviewing.SHA, reviewing.DOCUMENT, reviewing.TEXT)
        _RESTORED[desk].store.documents.add_text(text)
        content = knowledge_base.export_approved(desk, "bundle").content
        statement_import.restore_bundle(_RESTORED[desk], "kb.zip", content)
    return _RESTORED[desk]
