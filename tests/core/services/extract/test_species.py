"""The species of genes in a run: its default, what a curator sets, and what stays when it is set."""  # noqa: E501

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.desk import Desk
from core.errors import InputError
from core.model import Mention, Outcome
from core.services.extract import result
from core.services.extract.result import ExtractionView
from core.services.extract.run import start_run
from core.services.extract.run_options import RunOptions
from core.services.extract.species import set_species, species_choices
from tests.core.services.extracting import CURATOR, project

HUMAN, MOUSE = "NCBITaxon:9606", "NCBITaxon:10090"
SCHEMA = """
id: https://example.org/g
name: g
prefixes: {linkml: https://w3id.org/linkml/}
imports: ['linkml:types', core]
classes:
  Report: {tree_root: true, attributes: {genes: {range: Gene, multivalued: true}}}
  Gene: {is_a: NamedEntity, annotations: {annotators: genes}}
"""
GENES = f"id\tlabel\ttaxon\nG:1\tABC1\t{HUMAN}\nG:2\tABC1\t{MOUSE}\nG:3\tDEF2\t{HUMAN}\nG:4\tDEF2\t{MOUSE}\n"  # noqa: E501
TEXT = "ABC1 rose while DEF2 fell. Later ABC1 fell as well."


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk, model = project(tmp_path)
    model.rules = {TEXT: "genes: ABC1; DEF2"}
    (desk.folder / "schemas" / "g.yaml").write_text(SCHEMA)
    (desk.folder / "vocabularies" / "genes.tsv").write_text(GENES)
    yield desk
    desk.close()


def run(desk: Desk, engine: str = "builtin", taxon: str = "") -> ExtractionView:
    started = start_run(desk, "g", TEXT, engine=engine, options=RunOptions(taxon=taxon))
    return result.wait_for_job(desk, started)


def ids(view: ExtractionView) -> list[str]:
    return [mention.chosen.id if mention.chosen else "" for mention in view.extraction.mentions]


def first(view: ExtractionView) -> Mention:
    return view.extraction.mentions[0]


@pytest.mark.parametrize("engine", ["builtin", "spires", "one-call"])
def test_every_engine_shows_a_tie_and_takes_the_default(desk: Desk, engine: str) -> None:
    tied = run(desk, engine)
    assert first(tied).outcome is Outcome.AMBIGUOUS
    assert {candidate.taxon for candidate in first(tied).candidates} == {HUMAN, MOUSE}
    view = run(desk, engine, "mouse")
    assert ids(view) == ["G:2", "G:4"]
    assert (first(view).taxon, first(view).taxon_by) == (MOUSE, "document")


def test_a_species_that_nobody_knows_is_refused_before_the_run(desk: Desk) -> None:
    with pytest.raises(InputError, match="species"):
        run(desk, taxon="blancmange")


def test_a_curator_sets_the_species_of_a_mention_and_of_a_text(desk: Desk) -> None:
    read_result = run(desk)
    set_species(desk, read_result.run.id, first(read_result).slot, CURATOR, taxon="mouse")
    view = result.result_of_run(desk, read_result.run.id)
    assert ids(view) == ["G:2", ""] and first(view).taxon_by == CURATOR
    set_species(desk, read_result.run.id, slot="", curator=CURATOR, taxon=HUMAN)
    assert ids(result.result_of_run(desk, read_result.run.id)) == ["G:1", "G:3"]


def test_taking_it_back_shows_the_tie_again(desk: Desk) -> None:
    read_result = run(desk)
    set_species(desk, read_result.run.id, slot="", curator=CURATOR, taxon=MOUSE)
    set_species(desk, read_result.run.id, slot="", curator=CURATOR, taxon="")
    assert ids(result.result_of_run(desk, read_result.run.id)) == ["", ""]


def test_a_term_chosen_by_hand_stays(desk: Desk) -> None:
    read_result = run(desk)
    result.choose_term(
        desk, read_result.run.id, first(read_result).slot, CURATOR, term_id="G:1", remember=False
    )
    set_species(desk, read_result.run.id, slot="", curator=CURATOR, taxon=MOUSE)
    assert ids(result.result_of_run(desk, read_result.run.id)) == ["G:1", "G:4"]


def test_the_project_offers_the_species_that_it_has_genes_of_first(desk: Desk) -> None:
    choices = species_choices(desk)
    assert list(choices.items())[:2] == [(HUMAN, "Homo sapiens"), (MOUSE, "Mus musculus")]
