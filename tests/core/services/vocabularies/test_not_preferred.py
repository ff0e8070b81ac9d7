"""Ids that came by no schema (imports, marks, gene answers) and are not those that the project
prefers: they are recognised, offered and renamed in one decision.
"""

from __future__ import annotations

import json

import pytest

from core.cli import main
from core.model import Category, Evidence, ReferenceGround, Run, State, Statement, Term
from core.services.graph import statement_import
from core.services.review.consequences import resolve_same
from core.services.vocabularies import same_things
from core.store import SameVerdict
from tests import reviewing
from tests.reviewing import ANNA

CAUSES = "biolink:causes"
FILE = """
    @prefix MESH: <http://id.nlm.nih.gov/mesh/> .
    @prefix HP: <http://purl.obolibrary.org/obo/HP_> .
    @prefix MONDO: <http://purl.obolibrary.org/obo/MONDO_> .
    @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
    @prefix biolink: <https://w3id.org/biolink/vocab/> .
    [] a biolink:Association ; rdf:subject MESH:D990 ; rdf:predicate biolink:causes ;
       rdf:object HP:990 ; biolink:publications <http://www.ncbi.nlm.nih.gov/pubmed/1> .
"""
ROWS = {
    "mesh": [("MESH:D990", "shaking disease", "EXACT"), ("MESH:D991", "still disease", "EXACT")],
    "mondo": [
        ("MONDO:990", "shaking disorder", "EXACT"),
        ("MONDO:991", "still disorder", "OBSOLETE"),
    ],
    "hp": [("HP:990", "Shaking", "EXACT")],
}


@pytest.fixture
def desk(tmp_path):
    project = reviewing.filled(tmp_path / "p")
    for name, rows in ROWS.items():
        lines = (
            f"{id.split(':')[0]}\t{id}\t{label}\t{label}\t{scope}\n" for id, label, scope in rows
        )
        file = project.vocabularies / f"{name}.tsv"
        file.write_text(reviewing.VOCABULARY.format(name=name) + "".join(lines))
    for number in (990, 991):
        project.store.equivalences.add(
            f"MESH:D{number}", f"MONDO:{number}", SameVerdict.SAME, ANNA.orcid
        )
    yield project
    project.close()


def imported(desk):
    return statement_import.import_file(desk, "theirs.ttl", FILE.encode(), ANNA.orcid)


def test_an_import_names_its_terms_as_the_vocabularies_do_and_says_which_ids_it_prefers(desk):
    result = imported(desk)
    statement = desk.store.statements.get(result.proposal.new[0]).statement
    assert (statement.subject.label, statement.object.label) == ("shaking disease", "Shaking")
    assert statement.object.category is Category.PHENOTYPE
    assert result.instead == (("MESH:D990", "MONDO:990"),)
    assert "MESH:D990 is MONDO:990" in result.remark


def test_an_import_of_which_only_a_part_was_looked_at_says_so(desk, monkeypatch):
    monkeypatch.setattr(statement_import, "MOST_LOOKED_AT", 1)
    assert "Among the first" not in imported(desk).remark
    second = FILE + "[] a biolink:Association ; rdf:subject MESH:D990 ; rdf:object HP:990 ;"
    second += " rdf:predicate biolink:treats ."
    other = second.replace("biolink:causes", "biolink:affects")
    result = statement_import.import_file(desk, "more.ttl", other.encode(), ANNA.orcid)
    assert len(result.proposal.new) == 2
    assert "Among the first 1 statements: this project" in result.remark


def test_a_label_and_a_kind_of_the_file_stay(desk):
    labelled = 'MESH:D990 a biolink:Disease ; <http://www.w3.org/2000/01/rdf-schema#label> "Fits" .'
    content = (FILE + labelled).encode()
    result = statement_import.import_file(desk, "theirs.ttl", content, ANNA.orcid)
    subject = desk.store.statements.get(result.proposal.new[0]).statement.subject
    assert (subject.label, subject.category) == ("Fits", Category.DISEASE)


def test_review_says_which_id_is_preferred_and_one_decision_renames_it(desk):
    result = imported(desk)
    record = desk.store.statements.get(result.proposal.new[0])
    (words,) = same_things.not_preferred_words(desk, record)
    assert "MESH:D990" in words and "MONDO:990 (shaking disorder)" in words
    (thing,) = same_things.not_preferred(desk)
    assert thing.ids == ("MONDO:990", "MESH:D990")
    (new,) = resolve_same(desk, ANNA, [thing]).done
    renamed = desk.store.statements.get(new)
    assert renamed.statement.subject.id == "MONDO:990"
    assert renamed.statement.derived_from == record.id
    assert renamed.state is State.PROPOSED
    assert same_things.not_preferred(desk) == []


def test_what_a_gene_question_answered_is_offered_the_preferred_id_too(desk):
    gene, fits = Term("NCBIGene:672", "BRCA1", Category.GENE), Term("MESH:D990", "fits")
    claim = Statement(gene, Term(CAUSES, "causes", Category.RELATION), fits)
    desk.store.runs.add(Run("answered", "ask", "planner"))
    ground = ReferenceGround("PMID:1")
    desk.store.statements.propose([(claim, [Evidence(claim.id, ground, "answered")])], "answered")
    record = desk.store.statements.get(claim.id)
    assert same_things.offered_terms(desk, record)["MESH:D990"].id == "MONDO:990"


def test_where_a_schema_asked_for_it_its_own_order_holds(desk):
    shaking = Term("MESH:D990", "shaking disease", Category.DISEASE)
    claim = Statement(shaking, Term(CAUSES, "causes", Category.RELATION), Term("HP:990", "Shaking"))
    piece = Evidence(claim.id, ReferenceGround("PMID:1"), "r1")
    desk.store.statements.propose([(claim, [piece])], "r1")
    assert same_things.offered_terms(desk, desk.store.statements.get(claim.id)) == {}


def test_an_obsolete_term_is_never_preferred(desk):
    still = Term("MESH:D991", "still disease", Category.DISEASE)
    assert same_things.preferred_term(desk, still) is None


def test_the_command_line_lists_and_renames_them(desk, capsys):
    imported(desk)
    project = str(desk.folder)
    assert main(["--project", project, "vocabularies", "same", "preferred"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["preferred"]["id"] == "MONDO:990"
    renaming = ["vocabularies", "same", "resolve", "MESH:D990", "--curator", ANNA.orcid]
    assert main(["--project", project, *renaming]) == 0
    assert len(json.loads(capsys.readouterr().out)["statements"]) == 1
