"""What one project writes another takes in: the same statements, their origin, and of one's own
bundle the decisions.
"""

from __future__ import annotations

import hashlib
import io
import json
import tracemalloc
import zipfile
from dataclasses import replace

import pytest

from core.errors import InputError, Refused, Stopped
from core.kb.formats.bundle import CURATORS, LOG, MANIFEST, PROJECT
from core.kb.read import archive as archive_reader
from core.kb.read import bundle
from core.kb.read.bundle import MOST_PROBLEMS
from core.kb.read.kgx import read_kgx
from core.model import (
    Category,
    Evidence,
    JobState,
    Qualifier,
    Reason,
    ReferenceGround,
    State,
    Term,
    Verdict,
)
from core.services.graph import knowledge_base, statement_import
from core.store.id_batches import row_batches
from tests import reviewing
from tests.core.services.releases.test_releases import judge
from tests.reviewing import (
    ADULTS,
    AMOUNT,
    BEN,
    HAS_DOSE,
    HEADACHE,
    NOT_NAUSEA,
    RELIEVES,
    SHA,
    WORDS,
)

APPROVED = (RELIEVES, NOT_NAUSEA, ADULTS, HAS_DOSE, AMOUNT)


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    extraction = reviewing.filled(tmp_path_factory.mktemp("in") / "p")
    for statement in APPROVED:
        judge(extraction, statement)
    judge(extraction, WORDS, Verdict.REJECT, Reason.BOUNDARY, "no chemical", BEN)
    yield extraction
    extraction.close()


@pytest.fixture
def other(tmp_path):
    other_desk = reviewing.empty(tmp_path / "other")
    yield other_desk
    other_desk.close()


def written(desk, name: str) -> bytes:
    return knowledge_base.export_approved(desk, name).content


def unzipped(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "file"), [("ttl", "a.ttl"), ("kgx", "a.zip"), ("bundle", "b.zip")]
)
def test_a_file_of_ours_gives_the_same_statements_as_proposals(desk, other, name, file):
    imported = statement_import.import_file(other, file, written(desk, name))
    assert set(imported.proposal.new) == {claim.id for claim in APPROVED}
    assert {record.state for record in other.store.queue.records()} == {State.PROPOSED}
    assert imported.problems == ()


def test_the_run_of_an_import_says_which_file_it_was(desk, other):
    imported = statement_import.import_file(other, "folder/kb.zip", written(desk, "bundle"))
    (run,) = other.store.statements.get(imported.proposal.new[0]).runs
    settings = other.store.runs.get(run).settings
    assert settings["file"] == "kb.zip"
    assert settings["source"] == desk.base_iri
    assert len(settings["sha256"]) == 64


def test_a_bundle_restores_decisions_in_an_empty_project_of_the_same_name(desk, other):
    content = written(desk, "bundle")
    restored = statement_import.restore_bundle(other, "kb.zip", content)
    assert len(restored.proposal.new) == len(APPROVED) + 1
    for statement in (*APPROVED, WORDS):
        mine, theirs = (d.store.statements.get(statement.id) for d in (desk, other))
        assert (mine.state, mine.version) == (theirs.state, theirs.version)
        assert mine.decisions == theirs.decisions
        assert mine.evidence == theirs.evidence
        assert {piece.id for piece in theirs.evidence} <= set(restored.proposal.evidence)
    assert other.base_iri == desk.base_iri
    again = statement_import.restore_bundle(other, "kb.zip", content)
    assert again.proposal.new == again.proposal.evidence == ()
    assert other.store.curators.get(BEN.orcid) is not None


def test_a_bundle_is_parsed_once(desk, other, monkeypatch):
    parsed: list[int] = []
    read_row = bundle._logged_row
    monkeypatch.setattr(
        bundle, "_logged_row", lambda at, line: parsed.append(at) or read_row(at, line)
    )
    statement_import.restore_bundle(other, "kb.zip", written(desk, "bundle"))
    assert parsed == list(range(1, len(APPROVED) + 2))


def test_a_restoring_that_is_stopped_keeps_what_it_stored_and_can_go_on(desk, other, monkeypatch):
    monkeypatch.setattr(statement_import, "row_batches", lambda rows, _=0: row_batches(rows, 2))
    content, progress = written(desk, "bundle"), []

    def stop(done: int, total: int) -> None:
        progress.append((done, total))
        if done == 4:
            raise Stopped("stopped")

    with pytest.raises(Stopped):
        statement_import.restore_bundle(other, "kb.zip", content, on_progress=stop)
    assert progress == [(2, 6), (4, 6)]
    assert other.store.queue.count() == 4
    again = statement_import.restore_bundle(other, "kb.zip", content)
    assert (len(again.proposal.new), len(again.proposal.already_known)) == (2, 4)
    record = other.store.statements.get(RELIEVES.id)
    assert record.decisions == desk.store.statements.get(RELIEVES.id).decisions


def test_a_large_file_is_imported_by_a_job(desk, other):
    content = written(desk, "bundle")
    job = other.runner.wait(
        statement_import.start_import(other, "kb.zip", content, decisions=True).id
    )
    assert job.state is JobState.DONE, job.error
    assert job.result["words"] == "6 statements were read: 6 new, 0 known."
    assert "doc:willow" in job.result["remark"]
    assert statement_import.import_problems(job) == ()
    assert other.store.statements.get(WORDS.id).state is State.REJECTED
    assert not list((other.folder / "uploads" / "statements").iterdir())


def test_decisions_of_another_knowledge_base_are_not_taken_over(desk, tmp_path):
    other = reviewing.filled(tmp_path / "other")
    with pytest.raises(Refused, match="own decisions"):
        statement_import.restore_bundle(other, "kb.zip", written(desk, "bundle"))
    assert other.store.statements.get(RELIEVES.id).state is State.PROPOSED
    other.close()


def test_a_bundle_that_was_changed_is_refused(desk, other):
    files = unzipped(written(desk, "bundle"))
    files[LOG] = files[LOG].replace(b"Headache", b"Backache")
    with pytest.raises(InputError, match="changed or damaged"):
        statement_import.import_file(other, "b.zip", zipped(files))


def rewritten(desk, name: str, change) -> bytes:
    """The bundle with the JSON of one file changed, and a manifest that fits."""
    files = unzipped(written(desk, "bundle"))
    rows = [json.loads(line) for line in files[name].splitlines()]
    change(rows[0])
    files[name] = "\n".join(json.dumps(row) for row in rows).encode()
    files[MANIFEST] = "".join(
        f"{hashlib.sha256(content).hexdigest()}  {path}\n" for path, content in files.items()
    ).encode()
    return zipped(files)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda row: row.update(decisions=row["decisions"] * 2), "the same version"),
        (lambda row: row["decisions"][0].update(version=10**30), "the same version"),
        (lambda row: row["evidence"][0].update(score=float("nan")), "between 0 and 1"),
        (lambda row: row["statement"]["subject"].update(label="x" * 9_999), "2,000 characters"),
        (lambda row: row["evidence"][0]["ground"].update(quote="\ud83d"), "half a character"),
        (lambda row: row["decisions"][0].update(note="\udc00"), "half a character"),
        (lambda row: row["evidence"][0]["ground"].update(document="PMID:\u202e8"), "not an id"),
    ],
)
def test_bundle_rows_that_cannot_be_stored_are_left_out_by_name(desk, other, change, says):
    content = rewritten(desk, LOG, change)
    restored = statement_import.restore_bundle(other, "kb.zip", content)
    assert len(restored.proposal.new) == len(APPROVED)
    (problem,) = restored.problems
    assert says in problem.message


@pytest.mark.parametrize("base", ["javascript:alert(1)//", "https://x/> <urn:x> .\n", "file:///"])
def test_a_bundle_whose_base_is_not_a_web_address_is_refused(desk, other, base):
    content = rewritten(desk, PROJECT, lambda row: row.update(base_iri=base))
    with pytest.raises(InputError):
        statement_import.restore_bundle(other, "kb.zip", content)
    assert other.store.queue.count() == 0


def test_a_person_without_an_orcid_is_not_a_curator_of_the_project(desk, other):
    content = rewritten(desk, CURATORS, lambda row: row.update({"<script>": "x" * 9_999}))
    statement_import.restore_bundle(other, "kb.zip", content)
    assert other.store.curators.get("<script>") is None


def test_a_score_that_is_not_a_number_leaves_its_statement_out(desk, other):
    lines = written(desk, "ttl").decode().replace('gw:score "0.9"', 'gw:score "NaN"', 1)
    imported = statement_import.import_file(other, "a.ttl", lines.encode())
    assert len(imported.proposal.new) == len(APPROVED) - 1
    assert "between 0 and 1" in imported.problems[0].message


def test_a_bundle_names_what_was_rejected_and_why_and_is_an_ro_crate(desk):
    content = written(desk, "bundle")
    assert content == written(desk, "bundle")
    files = unzipped(content)
    assert b"entity boundary\tno chemical" in files["rejected.tsv"]
    crate = {
        described["@id"]: described
        for described in json.loads(files["ro-crate-metadata.json"])["@graph"]
    }
    assert crate["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    assert {part["@id"] for part in crate["./"]["hasPart"]} == files.keys() - {
        "ro-crate-metadata.json",
        "manifest-sha256.txt",
    }
    assert reviewing.TEXT.encode() not in b"".join(files.values())


def draft(*rows: dict[str, object]) -> bytes:
    """Statements of *aspirin*, as a draft has them, each with what is special about it."""
    plain = {
        "subject": {"id": "CHEBI:15365", "label": "aspirin"},
        "predicate": {"id": "biolink:treats", "label": "treats"},
        "object": {"id": "HP:0002315", "label": "Headache"},
    }
    return "\n".join(json.dumps(plain | row) for row in rows).encode()


def quote(words: str, document: str = "PMID:77", **more: str) -> dict[str, object]:
    place = {"document": document, "version": SHA, "start": 0, "end": len(words)}
    return {"evidence": [place | {"quote": words} | more]}


@pytest.mark.parametrize(
    "id", ["PMID:77\udc00", "PMID:7 7", "PMID:\u202e77", "PMID:77\n", "PMID:\0", "x" * 501]
)
def test_an_id_with_signs_that_no_id_has_leaves_its_statement_out(other, id):
    thing = {"id": id, "label": "Nausea"}
    rows = [{"object": thing}, {"object": {**thing, "id": "HP:0002018"}, **quote("a", id)}, {}]
    imported = statement_import.import_file(other, "a.jsonl", draft(*rows))
    assert len(imported.proposal.new) == 1
    assert all("not an id" in problem.message for problem in imported.problems)
    assert other.store.documents.all() == []


def test_words_of_evidence_that_no_page_can_show_are_made_plain(other):
    hostile = quote("half \ud83d", path="\u202ea", engine="x\0")
    imported = statement_import.import_file(other, "a.jsonl", draft(hostile))
    (piece,) = other.store.statements.get(imported.proposal.new[0]).evidence
    assert (piece.ground.quote, piece.path, piece.engine) == ("half \ufffd", "a", "x\ufffd")


def test_a_statement_on_several_lines_keeps_the_evidence_of_each(other):
    imported = statement_import.import_file(other, "a.jsonl", draft(quote("ab"), quote("abc")))
    (record,) = other.store.statements.of_ids(imported.proposal.new)
    assert [piece.ground.quote for piece in record.evidence] == ["ab", "abc"]


def test_import_counts_cleaned_statements_as_new(other):
    row = {"object": {"id": "", "label": "a\u202eb", "category": "disease"}}
    imported = statement_import.import_file(other, "a.jsonl", draft(row))
    assert (len(imported.proposal.new), len(imported.proposal.already_known)) == (1, 0)
    again = statement_import.import_file(other, "a.jsonl", draft(row))
    assert (len(again.proposal.new), len(again.proposal.already_known)) == (0, 1)


def test_sssom_comes_back_with_what_it_denies(desk, other):
    same = Term("skos:exactMatch", "exact match", Category.RELATION)
    mappings = [
        replace(RELIEVES, predicate=same, negated=negated, document="") for negated in (False, True)
    ]
    for claim in mappings:
        desk.store.statements.propose([(claim, [Evidence(claim.id, ReferenceGround("PMID:1"))])])
        judge(desk, claim)
    imported = statement_import.import_file(other, "a.sssom.tsv", written(desk, "sssom"))
    assert set(imported.proposal.new) == {mapping.id for mapping in mappings}


def test_kgx_of_another_is_read_as_far_as_it_goes(other):
    nodes = (
        b"id\tcategory\tname\n"
        b"CHEBI:1\tbiolink:ChemicalEntity\tdrug\nMONDO:1\tbiolink:Disease\tache\n"
    )
    edges = (
        b"id\tsubject\tpredicate\tobject\tpublications\n"
        b"urn:1\tCHEBI:1\tbiolink:treats\tMONDO:1\tPMID:1|PMID:2\n"
        b"urn:2\tCHEBI:1\tbiolink:treats\tno id at all\t\n"
    )
    imported = statement_import.import_file(
        other, "k.zip", zipped({"x_nodes.tsv": nodes, "x_edges.tsv": edges})
    )
    record = other.store.statements.get(imported.proposal.new[0])
    assert record.statement.subject == Term("CHEBI:1", "drug", Category.CHEMICAL)
    assert len(record.evidence) == 2
    assert imported.problems[0].where == "row 2"


def test_a_row_of_ours_that_was_changed_is_left_out(desk, other):
    files = unzipped(written(desk, "kgx"))
    files["edges.tsv"] = files["edges.tsv"].replace(b"population_context_qualifier=adults", b"")
    imported = statement_import.import_file(other, "k.zip", zipped(files))
    assert ADULTS.id not in imported.proposal.new
    assert "match its id" in imported.problems[0].message


def test_qualifiers_that_are_terms_or_quantities_come_back_from_kgx(tmp_path, other):
    desk = reviewing.filled(tmp_path / "q")
    claim = replace(
        RELIEVES, qualifiers=(Qualifier("species_context_qualifier", HEADACHE), *ADULTS.qualifiers)
    )
    desk.store.statements.propose([(claim, [reviewing.quoted(claim, "Aspirin")])])
    judge(desk, claim)
    imported = statement_import.import_file(other, "k.zip", written(desk, "kgx"))
    assert imported.proposal.new == (claim.id,)
    desk.close()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.zip", b"PK nonsense"),
        ("a.zip", zipped({"readme.txt": b"x"})),
        ("a.tsv", b"a\tb\n1\t2\n"),
        ("a.sssom.tsv", b"subject_id\tpredicate_id\tobject_id\n"),
        ("b.zip", zipped({LOG: b"{}\n"})),
    ],
)
def test_import_refuses_an_unknown_kind_of_file(other, name, content):
    with pytest.raises(InputError):
        statement_import.import_file(other, name, content)
    assert other.store.queue.count() == 0


def large_bundle(desk, line: bytes, lines: int) -> bytes:
    """The bundle with these lines after those of its log, and a manifest that fits."""
    files = unzipped(written(desk, "bundle"))
    files[LOG] += (line + b"\n") * lines
    files[MANIFEST] = "".join(
        f"{hashlib.sha256(content).hexdigest()}  {path}\n" for path, content in files.items()
    ).encode()
    return zipped(files)


@pytest.mark.parametrize(
    ("line", "says"),
    [(b"{}" + b" " * 100_000, "not a logged"), (b"0" * 5_000_000, "4,000,000 bytes")],
)
def test_a_bundle_is_read_line_by_line(desk, other, line, says):
    """Otherwise one that unpacks to the most that is allowed took 1.4 GB before it was refused."""
    content = large_bundle(desk, line, 50_000_000 // len(line))
    tracemalloc.start()
    restored = statement_import.restore_bundle(other, "kb.zip", content)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 25_000_000
    assert {claim.id for claim in APPROVED} <= set(restored.proposal.new)
    assert says in restored.problems[0].message


def test_a_bundle_of_very_many_lines_that_are_nothing_is_refused_early(desk, other):
    content = large_bundle(desk, b"{}", 100 * MOST_PROBLEMS)
    with pytest.raises(InputError, match="More than 1,000 lines"):
        statement_import.restore_bundle(other, "kb.zip", content)
    assert other.store.queue.count() == 0


def test_kgx_is_read_as_it_unpacks():
    nodes = b"id\tcategory\tname\nCHEBI:1\tbiolink:ChemicalEntity\tdrug\n"
    edges = b"id\tsubject\tpredicate\tobject\nurn:1\tCHEBI:1\tbiolink:treats\tMONDO:1\n"
    padded = b"id\tsubject\tattribute\tvalue\tpadding\n"
    padded += (b"urn:2\tCHEBI:1\tbiolink:dose\t5\t" + b"x" * 1_000 + b"\n") * 20_000
    files = {"k_nodes.tsv": nodes, "k_edges.tsv": edges, "attributes.tsv": padded}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    tracemalloc.start()
    kgx = read_kgx(packed.getvalue())
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(kgx.proposals) == 2
    assert most < 3_000_000 < len(padded)


def test_kgx_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(archive_reader, "MAX_UNPACKED", 20)
    with pytest.raises(InputError, match="more than 20 bytes"):
        read_kgx(zipped({"k_nodes.tsv": b"id\n" * 9, "k_edges.tsv": b"id\n"}))


@pytest.mark.parametrize(
    "content",
    [
        b'{"http://e.org/b":' * 5_000 + b'"x"' + b"}" * 5_000,  # its parser ends the process
        b'{"@graph":[' * 4_000 + b"]}" * 4_000,  # and is given minutes of work by this
    ],
)
def test_deeply_nested_json_ld_is_refused_before_it_is_parsed(tmp_path, content):
    desk = reviewing.empty(tmp_path / "p")
    with pytest.raises(InputError, match="nested more than 100 levels deep"):
        statement_import.import_file(desk, "kb.jsonld", content)
    desk.close()
