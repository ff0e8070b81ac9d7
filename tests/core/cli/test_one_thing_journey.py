"""A thing that three vocabularies hold, from the files through the texts to every export: it is one
thing wherever it is marked, shown, asked for, checked, released and written.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import rdflib

from core.cli import verbs
from core.desk import Desk
from core.kb.formats.registry import FORMATS
from core.kb.rdf import iri
from core.model import Category, State, Statement, Term, Verdict
from core.model.mapping import CROSS_REFERENCE
from core.services.documents.annotated import term_candidates
from core.services.graph.explore_memory import ExploreMemory
from core.services.graph.knowledge_base import export_approved
from core.services.graph.statement_import import import_file
from core.services.people.orcid import add_curator
from core.services.releases import catalogue, making
from core.services.review import decision
from core.services.review.decision import Judgement
from core.services.vocabularies import same_things
from core.settings import load_settings
from core.store import QueueFilter, SameVerdict
from tests.reviewing import ANNA, TREATS

Run = Callable[..., str]
OBO = "format-version: 1.2\nontology: {name}\n\n"
STANZA = "[Term]\nid: {id}\nname: {label}\nxref: {xref}\n\n"
FILES = {
    "mesh.tsv": "id\tlabel\nMESH:D999001\tZorblax syndrome\nMESH:D999002\tQuux ataxia\n",
    "chem.tsv": "id\tlabel\nCHEBI:1\tibuprofen\nCHEBI:2\taspirin\nCHEBI:3\tmetformin\n",
    "doid.obo": OBO.format(name="doid")
    + STANZA.format(id="DOID:9990001", label="zorblax disease", xref="MESH:D999001"),
    "mondo.obo": OBO.format(name="mondo")
    + STANZA.format(id="MONDO:9990001", label="zorblax fever", xref="DOID:9990001")
    + "[Term]\nid: MONDO:9990002\nname: quux ataxia\nxref: DOID:1\nxref: DOID:2\n",
}
PARTS = {"kgx": "nodes.tsv", "neo4j": "nodes.csv", "bundle": "knowledge-base.ttl"}
PREFERRED, OTHERS = "MONDO:9990001", {"DOID:9990001", "MESH:D999001"}
TEXTS = {
    "PMID:1": "Metformin induces zorblax syndrome.",
    "PMID:2": "Aspirin induces zorblax disease.",
    "PMID:3": "Ibuprofen induces zorblax fever.",
}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    settings = replace(load_settings(tmp_path / "kb"), base_set=False)
    opened = Desk(replace(settings, base_iri="https://kb.example/zorblax/"))
    add_curator(opened, ANNA.orcid, ANNA.name)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    yield opened
    opened.close()


@pytest.fixture
def run(desk: Desk, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> str:
        verb = next(verb for verb in verbs() if verb.name == words[0])
        parser = ArgumentParser()
        verb.add_arguments(parser)
        assert verb.run(desk, parser.parse_args(list(words[1:]))) == 0, words
        out = capsys.readouterr()
        return out.out + out.err

    return call


@pytest.fixture
def three_ids(desk: Desk, run: Run, tmp_path: Path) -> Run:
    """Three papers: two read as their vocabularies came in, one after the other, the third marked
    by a curator with the id that they typed. Each claim is approved.
    """
    run("vocabularies", "add", str(tmp_path / "chem.tsv"), "--holds", "chemical")
    for paper, file in (("PMID:2", "doid.obo"), ("PMID:3", "mondo.obo")):
        run("vocabularies", "add", str(tmp_path / file), "--holds", "disease")
        read(run, tmp_path, paper, "--send")
    run("vocabularies", "add", str(tmp_path / "mesh.tsv"), "--holds", "disease")
    read(run, tmp_path, "PMID:1")
    claim = ("--subject", "CHEBI:3", "--predicate", "RO:0003302", "--object", "MESH:D999001")
    words = ("--document", "PMID:1", "--quote", TEXTS["PMID:1"], "--curator", ANNA.orcid)
    run("propose", *claim, *words)
    approve_all(desk)
    return run


def read(run: Run, folder: Path, paper: str, *more: str) -> None:
    (folder / "text.txt").write_text(TEXTS[paper], encoding="utf-8")
    words = ("--input", str(folder / "text.txt"), "--source", paper, "--curator", ANNA.orcid)
    run("extract", "--schema", "chemical_disease", *words, *more)


def approve_all(desk: Desk) -> None:
    for id in desk.store.queue.ids(QueueFilter(states=(State.PROPOSED,))):
        version = desk.store.statements.get(id).version
        decision.decide(desk, id, version, Judgement(Verdict.APPROVE), curator=ANNA)


def written(desk: Desk, name: str) -> str:
    """An export as text; of a ZIP the part with its things."""
    content = export_approved(desk, name).content
    if name not in PARTS:
        return content.decode()
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        return parts.read(PARTS[name]).decode()


def objects(desk: Desk) -> list[str]:
    ids = desk.store.queue.ids(QueueFilter(states=(State.APPROVED, State.PROPOSED)))
    return sorted(desk.store.statements.get(id).statement.object.id for id in ids)


def listed(lines: str, key: str) -> list[dict]:
    rows = (json.loads(line) for line in lines.splitlines() if line.startswith("{"))
    return [row for row in rows if key in row]


def test_a_thing_of_three_ids_is_one_thing_on_the_way(desk: Desk, three_ids: Run) -> None:
    assert objects(desk) == ["DOID:9990001", "MESH:D999001", PREFERRED]
    for id in (PREFERRED, *OTHERS):
        known = listed(three_ids("vocabularies", "same", "list", id), "preferred")
        assert [row["id"] for row in known if row["preferred"]] == [PREFERRED]
        assert {row["id"] for row in known} == {PREFERRED, *OTHERS}
    # a term that refers to two ids of one vocabulary is tied to neither
    assert len(listed(three_ids("vocabularies", "same", "list", "MONDO:9990002"), "preferred")) == 1
    sets = listed(three_ids("vocabularies", "same", "list"), "vocabulary")
    assert [(row["vocabulary"], row["ties"], row["unused"]) for row in sets] == [
        ("doid", 1, 0),
        ("mondo", 1, 2),
    ]
    # searched or marked: the preferred one is offered first
    for words in ("Zorblax syndrome", "zorblax disease"):
        assert term_candidates(desk, words)[0].term.id == PREFERRED
    # waiting: under which other ids it is approved
    waiting = Statement(Term("CHEBI:9", "x", Category.CHEMICAL), TREATS, Term(PREFERRED, "x"))
    (said,) = same_things.also_words(desk, waiting)
    assert all(id in said for id in OTHERS)
    # explored and asked: one node, every paper, both ids shown
    points = ExploreMemory().graph(desk).points
    assert OTHERS.isdisjoint(points)
    assert set(points[PREFERRED].other_ids) == OTHERS
    for id in (PREFERRED, *OTHERS):
        asked = ("query", "--question", "subjects", "--set", f"thing={id}", "--format", "tsv")
        answer = three_ids(*asked, "--set", "relation=RO:0003302")
        assert [drug in answer for drug in ("ibuprofen", "aspirin", "metformin")] == [True] * 3
        assert all(other in answer for other in OTHERS)
    (thing,) = listed(three_ids("vocabularies", "same", "in-use"), "preferred")
    assert thing["preferred"]["id"] == PREFERRED
    assert f"same resolve {PREFERRED}" in three_ids("check")
    (shown,) = making.preview_release(desk).same
    assert shown.preferred.id == PREFERRED


def test_every_export_and_release_names_it_once_before_and_after_it_is_resolved(
    desk: Desk, three_ids: Run
) -> None:
    before = {name: written(desk, name) for name in FORMATS}
    for name, text in before.items():
        if name in ("gpad", "hpoa"):
            continue  # no statement of these has a row in them
        found = {id: own for id, own in matches_in(name, text).items() if id}
        assert found == {id: {PREFERRED} for id in OTHERS}, name
    form = replace(making.preview_release(desk).form, title="Zorblax", licence="CC0-1.0")
    making.make_release(desk, replace(form, creators=(ANNA,)), ANNA.orcid)
    kb = catalogue.knowledge_base(desk, "1.0.0")
    assert {entry.statement.object.id for entry in kb.entries} == {PREFERRED}
    assert set(kb.same[PREFERRED]) == OTHERS
    assert "exactMatch" in b"".join(catalogue.release_chunks(desk, "1.0.0", "ttl")).decode()
    statements = {entry.statement.id for entry in kb.entries}
    # one decision, which keeps approvals, gives the statements that were exported already
    (done,) = listed(three_ids("vocabularies", "same", "resolve", "--curator", ANNA.orcid), "batch")
    assert objects(desk) == [PREFERRED] * 3
    assert set(desk.store.queue.ids(QueueFilter(states=(State.APPROVED,)))) == statements
    after = {name: written(desk, name) for name in FORMATS}
    assert rows_of(after["tsv"]) == rows_of(before["tsv"])
    three_ids("decide", "--undo", done["batch"], "--curator", ANNA.orcid)
    assert objects(desk) == ["DOID:9990001", "MESH:D999001", PREFERRED]


def test_an_other_id_that_a_curator_ties_is_no_mere_cross_reference(
    desk: Desk, three_ids: Run
) -> None:
    pair = ("MONDO:9990001", "DOID:9990001")
    same_things.judge_pair(desk, *pair, SameVerdict.SAME, ANNA)
    lines = written(desk, "sssom").splitlines()
    (row,) = (line for line in lines if "DOID:9990001" in line and not line.startswith("#"))
    assert CROSS_REFERENCE not in row
    assert any(CROSS_REFERENCE in line for line in lines if "MESH:D999001" in line)


def test_a_statement_that_several_become_is_derived_from_each(desk: Desk, three_ids: Run) -> None:
    there = {"MESH:D999001", "DOID:9990001"}
    drug = Term("CHEBI:2", "aspirin", Category.CHEMICAL)
    for id in ("MESH:D999001", "MONDO:9990001"):
        claim = ("--subject", drug.id, "--predicate", "RO:0003302", "--object", id)
        words = ("--document", "PMID:2", "--quote", TEXTS["PMID:2"], "--curator", ANNA.orcid)
        three_ids("propose", *claim, *words)
    approve_all(desk)
    states = (State.APPROVED,)
    records = map(desk.store.statements.get, desk.store.queue.ids(QueueFilter(states=states)))
    claims = [record.statement for record in records if record.statement.subject.id == drug.id]
    origins = {
        f"{desk.base_iri}statement/{claim.id}" for claim in claims if claim.object.id in there
    }
    graph = rdflib.Graph().parse(data=written(desk, "ttl"), format="turtle")
    assert {str(origin) for origin in graph.objects(None, rdflib.PROV.wasDerivedFrom)} >= origins
    assert len(origins) == 2


def test_what_was_exported_is_known_when_it_comes_back(
    desk: Desk, three_ids: Run, tmp_path: Path
) -> None:
    content = export_approved(desk, "ttl").content
    graph = rdflib.Graph().parse(data=content, format="turtle")
    assert len(graph) > 50
    there = Desk(replace(load_settings(tmp_path / "there"), base_set=False))
    taken = import_file(there, "kb.ttl", content)
    assert len(taken.proposal.new) == 3
    assert not import_file(there, "kb.ttl", content).proposal.new
    there.close()


RDF = {"ttl": "turtle", "nt": "nt", "jsonld": "json-ld", "owl": "turtle", "rdfxml": "xml",
       "nanopub": "trig", "bundle": "turtle"}  # fmt: skip
TABLES = {"kgx": ("id", "same_as", "|"), "neo4j": ("id:ID", "same_as:string[]", "|")}


def matches_in(name: str, text: str) -> dict[str, set[str]]:
    """What a file names by an id that is not the preferred one: by the ids that it says are the
    same as it; an id that stands in another place is of nothing.
    """
    if name in RDF:
        return matches_in_rdf(text, RDF[name])
    if name == "ofn":
        lines = [line for line in text.splitlines() if any(i in line for i in map(iri_of, OTHERS))]
        assert all("exactMatch" in line and iri_of(PREFERRED) in line for line in lines)
        return {id: {PREFERRED} for id in OTHERS if any(iri_of(id) in line for line in lines)}
    found: dict[str, set[str]] = {}
    for own, others in pairs_in(name, text):
        for other in others:
            found.setdefault(other, set()).add(own)
    return found


def matches_in_rdf(text: str, form: str) -> dict[str, set[str]]:
    graph = rdflib.Dataset() if form == "trig" else rdflib.Graph()
    graph.parse(data=text, format=form)
    ids = {rdflib.URIRef(iri_of(id)): id for id in (PREFERRED, *OTHERS)}
    found: dict[str, set[str]] = {}
    for subject, predicate, value, *_ in graph:
        assert ids.get(subject) not in OTHERS and predicate not in map(iri_of, OTHERS)
        if ids.get(value) in OTHERS:
            assert predicate == rdflib.SKOS.exactMatch
            found.setdefault(ids[value], set()).add(ids[subject])
    return found


def pairs_in(name: str, text: str) -> list[tuple[str, list[str]]]:
    """Each id that a file of nodes or rows gives a thing, with those that it says are the same."""
    if name == "graphml":
        nodes = re.findall(r'<node id="([^"]+)">(.*)</node>', text)
        same = re.compile(r'node.same_as">([^<]*)')
        return [(id, m[1].split("|") if (m := same.search(facts)) else []) for id, facts in nodes]
    if name == "cx2":
        nodes = next(aspect["nodes"] for aspect in json.loads(text) if "nodes" in aspect)
        return [(node["v"]["represents"], node["v"].get("same_as", [])) for node in nodes]
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines, delimiter="," if name == "neo4j" else "\t"))
    if name == "tsv":
        return [(row["object"], row["object exact match"].split("; ")) for row in rows]
    if name == "sssom":
        assert {row["predicate_id"] for row in rows} == {"skos:exactMatch"}
        assert all(CROSS_REFERENCE in row["comment"] for row in rows)
        return [(row["subject_id"], [row["object_id"]]) for row in rows]
    id, same, sign = TABLES[name]
    return [(row[id], row[same].split(sign)) for row in rows]


def iri_of(id: str) -> str:
    return iri.term_iri(id, {})


def rows_of(table: str) -> list[tuple[str, ...]]:
    """Rows of the table without the times of decisions."""
    rows = csv.DictReader(io.StringIO(table), delimiter="\t")
    columns = ("statement", "subject", "predicate", "object", "publications", "quotes")
    return sorted(tuple(row[column] for column in columns) for row in rows)
