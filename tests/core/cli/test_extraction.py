"""The verbs on texts: what they print, and when they fail."""

from __future__ import annotations

import gzip
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from core.cli import verbs
from core.cli.extraction_options import rounded
from core.desk import Desk
from core.errors import GroundworkError, InputError, RateLimited, SettingsError
from core.extraction.spires.prompt import spires_prompt
from core.model import Curator, Verdict
from core.services.documents import recipe_page
from core.services.documents.upload import InputText
from core.services.extract import schemas
from core.services.extract.run import find_schema
from core.services.review.decision import Judgement, decide
from tests.core.extraction.fakes import RuleModel
from tests.core.services.extracting import CURATOR, FIRST, RULES, TEXT, project


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk, _ = project(tmp_path)
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    (tmp_path / "answer.txt").write_text(FIRST, "utf-8")
    yield desk
    desk.close()


def run(desk: Desk, *words: str) -> int:
    verb = next(verb for verb in verbs() if verb.name == words[0])
    parser = ArgumentParser()
    verb.add_arguments(parser)
    return verb.run(desk, parser.parse_args([w.replace("@", f"{desk.folder}/") for w in words[1:]]))


def test_prompt_prints_the_prompt_and_nothing_else(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(desk, "prompt", "--schema", "trial", "--input", "@text.txt") == 0
    assert capsys.readouterr().out == spires_prompt(find_schema(desk, "trial"), "", TEXT)


def test_parse_gives_tree_and_problems(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("parse", "--schema", "trial", "--completion", "@answer.txt", "--input", "@text.txt")
    assert run(desk, *command) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["object"]["triples"][0] == {"text": "aspirin TREATS migraine"}
    assert content["problems"] == []


@pytest.mark.parametrize("answer", ["", "I am a fish.", "<script>alert(1)</script>"])
def test_an_answer_that_cannot_be_read_is_a_failure(
    desk: Desk, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    (desk.folder / "answer.txt").write_text(answer, "utf-8")
    assert (
        run(
            desk,
            "parse",
            "--schema",
            "trial",
            "--completion",
            "@answer.txt",
            "--input",
            "@text.txt",
        )
        == 1
    )
    assert "groundwork:" in capsys.readouterr().err


def test_extract_prints_the_draft(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--source", "PMID:7") == 0
    )
    content = json.loads(capsys.readouterr().out)
    assert {"object", "mentions", "statements", "problems", "run"} <= set(content)
    assert content["mentions"][0]["id"] == "CHEBI:15365"
    assert TEXT[content["mentions"][0]["start"] : content["mentions"][0]["end"]] == "Aspirin"
    assert content["statements"][1]["negated"] is True
    assert content["statements"][0]["evidence"][0]["document"] == "PMID:7"


def test_approved_examples_are_shown_before_they_go_to_the_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = "Aspirin was given for a migraine."
    desk, _ = project(tmp_path, {**RULES, other: "triples: none"})
    (tmp_path / "text.txt").write_text(TEXT, "utf-8")
    (tmp_path / "other.txt").write_text(other, "utf-8")
    run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--send")
    for record in desk.store.queue.records():
        decide(
            desk,
            record.id,
            record.version,
            Judgement(Verdict.APPROVE),
            curator=Curator(CURATOR, "Ada"),
        )
    command = ("extract", "--schema", "trial", "--examples", "3", "--input")
    run(desk, *command, "@other.txt")
    assert "the model: “Aspirin relieves migraine" in capsys.readouterr().err
    run(desk, *command, "@text.txt")
    assert "of another text" in capsys.readouterr().err
    desk.close()


def test_extract_sends_what_is_grounded_and_names_the_rest(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(
            desk,
            "extract",
            "--schema",
            "trial",
            "--input",
            "@text.txt",
            "--send",
            "--curator",
            CURATOR,
        )
        == 0
    )
    assert "sore heads" in capsys.readouterr().err
    assert desk.store.queue.count() == 1


def test_a_model_that_fails_is_a_failure_with_a_message(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk._parts["completer"] = RuleModel({TEXT: RateLimited("The endpoint asks to wait.")})
    with pytest.raises(GroundworkError, match="asks to wait"):
        run(desk, "extract", "--schema", "trial", "--input", "@text.txt")
    assert capsys.readouterr().out == ""


def test_a_nested_question_that_fails_is_reported_beside_the_rest(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk._parts["completer"] = RuleModel({**RULES, "ibuprofen NOT": RateLimited("Wait.")})
    assert run(desk, "extract", "--schema", "trial", "--input", "@text.txt") == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["object"]["triples"][0]["object"]["id"] == "MONDO:0005277"
    assert "triples 2: No answer" in err


def test_an_answer_in_prose_is_not_an_empty_success(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk._parts["completer"] = RuleModel(
        {TEXT: "Ask your doctor, who knows more about all of these things than I do."}
    )
    assert run(desk, "extract", "--schema", "trial", "--input", "@text.txt") == 1


def test_a_budget_may_be_asked_for(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--estimate") == 0
    estimate = json.loads(capsys.readouterr().out)
    assert 1 == estimate["least"] <= estimate["calls"] < estimate["most"]


def test_estimate_rounds_costs_to_what_it_can_know() -> None:
    assert rounded({"cost": 8.384999999999999e-05, "calls": 12, "cost_most": None}) == {
        "cost": 8.385e-05,
        "calls": 12,
        "cost_most": None,
    }


@pytest.mark.parametrize("chunk", ["sentences:1:0", "characters:60:10"])
def test_long_texts_are_cut(desk: Desk, capsys: pytest.CaptureFixture[str], chunk: str) -> None:
    rules = {
        "Ibuprofen": "triples: ibuprofen NOT TREATS sore heads",
        **dict(list(RULES.items())[1:]),
    }
    desk._parts["completer"] = RuleModel({**rules, "relieves": "triples: aspirin TREATS migraine"})
    run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--chunk", chunk)
    assert len(json.loads(capsys.readouterr().out)["object"]["triples"]) == 2


def test_a_cut_that_makes_no_sense_is_refused(desk: Desk) -> None:
    with pytest.raises(InputError):
        run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--chunk", "pages:2")


def test_batch_prints_a_line_for_each_document(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": "PMID:1", "text": TEXT},
        {"id": "PMID:2", "text": "unheard of"},
        {"id": "PMID:3", "text": " "},
    ]
    (desk.folder / "papers.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    batch = ("batch", "--schema", "trial", "--input", "@papers.jsonl")
    assert run(desk, *batch, "--estimate") == 0
    assert json.loads(capsys.readouterr().out)["calls"] > 2
    assert desk.store.jobs.find() == []
    assert run(desk, *batch) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["id"], line["status"]) for line in lines] == [
        ("PMID:1", "done"),
        ("PMID:2", "failed"),
        ("PMID:3", "refused"),
    ]
    assert len(lines[0]["statements"]) == 2


def test_schemas_are_listed_and_described(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(desk, "schemas") == 0
    assert "trial" in capsys.readouterr().out
    assert run(desk, "schemas", "trial") == 0
    assert json.loads(capsys.readouterr().out)["root"] == "Trial"


def test_a_missing_file_is_named(desk: Desk) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt"):
        run(desk, "prompt", "--schema", "trial", "--input", "nowhere.txt")


def test_gzip_file_that_is_cut_off_is_refused(desk: Desk) -> None:
    (desk.folder / "text.gz").write_bytes(gzip.compress(TEXT.encode() * 9, mtime=0)[:40])
    with pytest.raises(InputError, match=r"text\.gz is .*cut off"):
        run(desk, "extract", "--schema", "trial", "--input", "@text.gz")


def test_shapes_are_described_like_any_schema(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    shapes = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <https://example.org/s#> .
    ex:Trial a sh:NodeShape ; sh:property [ sh:path ex:drug ; sh:maxCount 1 ] ."""
    (desk.folder / "shapes.ttl").write_text(shapes, "utf-8")
    assert run(desk, "schemas", "@shapes.ttl") == 0
    content = json.loads(capsys.readouterr().out)
    assert (content["converted_from"], content["root"]) == ("SHACL", "Trial")
    assert run(desk, "schemas", "@shapes.ttl", "--linkml") == 0
    assert (
        yaml.safe_load(capsys.readouterr().out)["classes"]["Trial"]["attributes"]["drug"][
            "slot_uri"
        ]
        == "ex:drug"
    )


def test_a_json_schema_is_described_or_the_command_to_install_is_named(desk: Desk) -> None:
    json_schema = {"title": "Trial", "type": "object", "properties": {"drug": {"type": "string"}}}
    (desk.folder / "trial.json").write_text(json.dumps(json_schema), "utf-8")
    if schemas.how_to_install("JSON Schema"):
        with pytest.raises(SettingsError, match="pip install"):
            run(desk, "schemas", "@trial.json")
    else:
        assert run(desk, "schemas", "@trial.json") == 0


def test_the_species_of_a_run_may_be_named_in_words(desk: Desk) -> None:
    with pytest.raises(InputError, match="not a species"):
        run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--taxon", "blancmange")
    assert (
        run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--taxon", "mouse") == 0
    )


def test_draft_can_be_written_as_an_ontology(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--format", "owl") == 0
    printed = capsys.readouterr()
    assert "undecided" in printed.out
    assert "owl:Ontology" in printed.out
    assert "no owl annotations" in printed.err


def test_a_recipe_page_is_read_by_its_typed_address(
    desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def of_url(desk: Desk, url: str) -> InputText:
        asked.append(url)
        return InputText(TEXT, "doc:soup", "Soup")

    monkeypatch.setattr(recipe_page, "fetch_recipe_page", of_url)
    assert run(desk, "extract", "--schema", "trial", "--url", "https://soup.example/") == 0
    assert json.loads(capsys.readouterr().out)["document"] == "doc:soup"
    assert asked == ["https://soup.example/"]


@pytest.mark.parametrize("words", [(), ("--input", "-", "--url", "https://soup.example/")])
def test_a_text_has_one_source(desk: Desk, words: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        run(desk, "extract", "--schema", "trial", *words)


@pytest.mark.parametrize("words", [("--depth", "-3"), ("--max-calls", "-1")])
def test_a_number_below_zero_is_wrong_usage(desk: Desk, words: tuple[str, str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(desk, "extract", "--schema", "trial", "--input", "@text.txt", *words)
    assert ended.value.code == 2


@pytest.mark.parametrize(
    "chunk", ["sentences:0", "sentences:3:3", "characters:-5", "sentences:3:-1"]
)
def test_a_cut_of_no_size_is_refused(desk: Desk, chunk: str) -> None:
    with pytest.raises(InputError, match="to cut a"):
        run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--chunk", chunk)


def test_a_wrong_curator_is_reported_before_any_work(desk: Desk) -> None:
    with pytest.raises(InputError, match="ORCID"):
        run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--curator", "nobody")
    assert not desk.store.runs.find()


@pytest.mark.parametrize("source", ["PMID:1 or so", "PMID:1\nPMID:2", "<b>PMID:1</b>", "x" * 300])
def test_a_source_that_names_nothing_is_refused(desk: Desk, source: str) -> None:
    with pytest.raises(InputError, match=r"PMID:…"):
        run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--source", source)


@pytest.mark.parametrize(
    ("source", "kept"), [(" pmid:7\n", "PMID:7"), ("7", "PMID:7"), ("notes-1", "notes-1")]
)
def test_a_source_is_tidied(
    desk: Desk, capsys: pytest.CaptureFixture[str], source: str, kept: str
) -> None:
    assert (
        run(desk, "extract", "--schema", "trial", "--input", "@text.txt", "--source", source) == 0
    )
    content = json.loads(capsys.readouterr().out)
    assert content["statements"][0]["evidence"][0]["document"] == kept


def test_a_schema_with_errors_is_reported_with_the_draft(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    source = (desk.folder / "schemas" / "trial.yaml").read_text("utf-8")
    broken = source + "  Stray:\n    attributes:\n      odd: {range: Nowhere}\n"
    (desk.folder / "schemas" / "broken.yaml").write_text(broken, "utf-8")
    assert run(desk, "schemas", "broken") == 1
    capsys.readouterr()
    assert run(desk, "extract", "--schema", "broken", "--input", "@text.txt") == 1
    printed = capsys.readouterr()
    assert "Nowhere" in printed.err
    assert any(problem["severity"] == "error" for problem in json.loads(printed.out)["problems"])


def test_a_wrong_class_lists_what_can_be_filled(desk: Desk) -> None:
    with pytest.raises(InputError) as caught:
        run(
            desk,
            "extract",
            "--schema",
            "chemical_disease",
            "--class",
            "Nope",
            "--input",
            "@text.txt",
        )
    assert "ChemicalDiseaseDocument" in str(caught.value)
    assert "AnnotatorResult" not in str(caught.value)
