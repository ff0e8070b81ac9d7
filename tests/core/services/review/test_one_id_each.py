"""One thing under several ids: recognised, judged by a curator, and resolved in one decision."""

from __future__ import annotations

import json
import lzma
from argparse import Namespace

import pytest

from core.cli import vocabulary_same
from core.desk import Desk
from core.errors import InputError
from core.grounding.constraint.constraint import Constraint
from core.grounding.index.mapping_index import MappingIndex
from core.model import Category, Evidence, ReferenceGround, State, Statement, Term
from core.services.graph import knowledge_base
from core.services.review import decision
from core.services.review.consequences import resolve_same
from core.services.review.decision import Judgement, Verdict
from core.services.vocabularies import installation, own_files, same_things
from core.store import SameVerdict
from tests.reviewing import ANNA, DOCUMENT, TREATS, filled, quoted

TABLES = {
    "hp": "id\tlabel\nHP:0001250\tSeizure\n",
    "mesh": "id\tlabel\nMESH:D012640\tSeizures\nMESH:D005334\tFever\n",
}
SEIZURE = Term("HP:0001250", "Seizure", Category.PHENOTYPE)
SEIZURES = Term("MESH:D012640", "Seizures", Category.PHENOTYPE)
MAPPING = (
    "subject_id\tpredicate_id\tobject_id\tmapping_justification\tmapping_provider\n"
    "MESH:D012640\tskos:exactMatch\tHP:0001250\tsemapv:ManualMappingCuration\tbiomappings\n"
)
DRUG = Term("X:7", "drug", Category.CHEMICAL)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    project = filled(tmp_path)
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "biomappings.sssom.tsv.xz").write_bytes(lzma.compress(MAPPING.encode()))
    index = MappingIndex(tmp_path / "compiled", tmp_path / "sets")
    monkeypatch.setattr(Desk, "mapping_index", index)
    for name, text in TABLES.items():
        installation.add_upload(project, f"{name}.tsv", text.encode())
    for thing in (SEIZURE, SEIZURES):
        claim = Statement(DRUG, TREATS, thing, document=DOCUMENT)
        project.store.statements.propose([(claim, [quoted(claim, "Aspirin")])])
    return project


def approve(desk, thing):
    claim = Statement(DRUG, TREATS, thing, document=DOCUMENT)
    record = desk.store.statements.get(claim.id)
    decision.decide(desk, claim.id, record.version, Judgement(Verdict.APPROVE), curator=ANNA)
    return claim


def test_the_mappings_of_the_app_say_that_two_ids_are_one_thing(desk):
    [thing] = same_things.same_things(desk)
    assert (thing.preferred.id, [term.id for term in thing.others]) == (
        "HP:0001250",
        ["MESH:D012640"],
    )


def test_a_curator_says_that_they_are_not_and_takes_it_back(desk):
    pair = ("HP:0001250", "MESH:D012640")
    same_things.judge_pair(desk, *pair, SameVerdict.DIFFERENT, ANNA, note="one fit, many")
    assert same_things.same_things(desk) == []
    assert [row.note for row in same_things.judgements(desk)] == ["one fit, many"]
    same_things.judge_pair(desk, *reversed(pair), SameVerdict.WITHDRAWN, ANNA)
    assert len(same_things.same_things(desk)) == 1
    assert len(desk.store.equivalences.history()) == 2


def test_a_curator_adds_a_pair(desk):
    same_things.judge_pair(desk, "HP:0001945", "MESH:D005334", SameVerdict.SAME, ANNA)
    ids = {term.id for term in same_things.known_equivalents(desk, "MESH:D005334").terms}
    assert {"HP:0001945", "MESH:D005334"} <= ids


def test_an_id_is_not_the_same_as_itself_and_words_are_no_id(desk):
    for one, other in (("HP:1", "HP:1"), ("seizures", "HP:1")):
        with pytest.raises(InputError):
            same_things.judge_pair(desk, one, other, SameVerdict.SAME, ANNA)


def test_one_decision_lets_every_statement_name_the_preferred_id(desk):
    old = approve(desk, SEIZURES)
    done = resolve_same(desk, ANNA)
    [new] = done.done
    record = desk.store.statements.get(new)
    assert record.statement.object.id == "HP:0001250"
    assert record.state is State.APPROVED
    assert desk.store.statements.get(old.id).state is State.SUPERSEDED
    assert same_things.same_things(desk) == []
    assert {entry.batch for entry in desk.store.statements.decisions(limit=2)} == {done.batch}


def test_what_waits_names_the_preferred_id_and_still_waits(desk):
    [new] = resolve_same(desk, ANNA).done
    assert desk.store.statements.get(new).state is State.PROPOSED


def test_a_mark_is_told_that_another_id_is_preferred(desk):
    assert same_things.preferred_term(desk, SEIZURES) == SEIZURE
    assert same_things.preferred_term(desk, SEIZURE) is None


def test_review_says_under_which_other_id_a_thing_is_approved(desk):
    waiting = Statement(DRUG, TREATS, SEIZURE, document=DOCUMENT)
    assert same_things.also_words(desk, waiting) == []
    approve(desk, SEIZURES)
    assert same_things.also_words(desk, waiting) == [
        "HP:0001250 is also approved as MESH:D012640 (Seizures)."
    ]


def test_the_order_of_a_project_goes_before_that_of_the_app(desk):
    own_files.say_order(desk, Category.PHENOTYPE, ["mesh"])
    [thing] = same_things.same_things(desk)
    assert thing.preferred.id == "MESH:D012640"
    words, names = "seizures", desk.vocabulary_registry.ordered(Category.PHENOTYPE)
    assert desk.grounder().ground(words, Constraint(names))[0].term.id == "MESH:D012640"
    own_files.say_order(desk, Category.PHENOTYPE, [])
    names = desk.vocabulary_registry.ordered(Category.PHENOTYPE)
    assert desk.grounder().ground(words, Constraint(names))[0].term.id == "HP:0001250"


def test_the_verb_lists_and_resolves(desk, capsys):
    args = {"curator": ANNA.orcid, "name": ANNA.name}
    vocabulary_same.run(desk, Namespace(step="in-use"))
    vocabulary_same.run(desk, Namespace(step="list", id="MESH:D012640"))
    vocabulary_same.run(desk, Namespace(step="resolve", ids=["HP:0001250"], **args))
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["preferred"]["id"] == "HP:0001250"
    assert [line["preferred"] for line in lines if line.get("id") == "HP:0001250"] == [True]
    assert len(lines[-1]["statements"]) == 1


def test_an_approved_mapping_keeps_both_ids(desk):
    exactly = Term("skos:exactMatch", "exact match", Category.RELATION)
    narrower = Term("skos:narrowMatch", "narrow match", Category.RELATION)
    mappings = [Statement(SEIZURES, predicate, SEIZURE) for predicate in (exactly, narrower)]
    for mapping in mappings:
        ground = ReferenceGround("PMID:1", "Table 1")
        desk.store.statements.propose([(mapping, [Evidence(mapping.id, ground)])])
        decision.decide(desk, mapping.id, 1, Judgement(Verdict.APPROVE), curator=ANNA)
    approve(desk, SEIZURES), approve(desk, SEIZURE)
    passed = knowledge_base.gate_passage(desk)
    exported = knowledge_base.export_base(desk, passed.entries).entries
    assert {entry.statement.id for entry in exported} == {mapping.id for mapping in mappings}
    assert len(resolve_same(desk, ANNA).done) == 1
    assert {desk.store.statements.get(mapping.id).state for mapping in mappings} == {State.APPROVED}
    assert same_things.same_things(desk) == []


def test_ids_are_taken_as_people_write_them_and_doubts_are_named(desk):
    address = "http://purl.obolibrary.org/obo/HP_0001250"
    kept = same_things.judge_pair(desk, address, "MESH_D012640", SameVerdict.SAME, ANNA)
    assert {kept.first, kept.second} == {"HP:0001250", "MESH:D012640"}
    assert same_things.pair_remarks(desk, address, "MESH_D012640") == []
    assert "HP:9" in " ".join(same_things.pair_remarks(desk, "HP:9", "MESH:D012640"))
    assert "chemical" in " ".join(same_things.pair_remarks(desk, "HP:0001250", "CHEBI:1"))
