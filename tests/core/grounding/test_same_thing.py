"""A name that only a less preferred vocabulary has is grounded to the preferred id of its thing."""

from __future__ import annotations

from pathlib import Path

from core.grounding.constraint.constraint import Constraint
from core.grounding.equivalents import Equivalents
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry

SLOT = Constraint(("chebi", "mesh"), ("CHEBI", "MESH"))
SAME = Equivalents(same=[("CHEBI:10033", "MESH:D014859")])


def grounder(folder: Path, equivalents: Equivalents | None) -> Grounder:
    files = []
    for name, text in (
        ("chebi", "id\tlabel\nCHEBI:10033\twarfarin sodium salt\n"),
        ("mesh", "id\tlabel\tsynonym\nMESH:D014859\tWarfarin\tCoumadin\n"),
    ):
        files.append(folder / f"{name}.tsv")
        files[-1].write_text(text, encoding="utf-8")
    registry = VocabularyRegistry(None, folder / "indexes", files=files)
    return Grounder(registry, equivalents=equivalents)


def test_the_mappings_bring_the_preferred_id(tmp_path: Path) -> None:
    best = grounder(tmp_path, SAME).ground("Coumadin", SLOT)[0]
    assert best.term.id == "CHEBI:10033"
    assert "as MESH:D014859" in best.differed


def test_without_a_mapping_the_name_means_what_bears_it(tmp_path: Path) -> None:
    assert grounder(tmp_path, None).ground("Coumadin", SLOT)[0].term.id == "MESH:D014859"


def test_a_slot_that_takes_one_vocabulary_keeps_to_it(tmp_path: Path) -> None:
    only = Constraint(("mesh",), ("MESH",))
    assert grounder(tmp_path, SAME).ground("Coumadin", only)[0].term.id == "MESH:D014859"


def test_what_names_the_words_itself_is_not_asked_by_way_of_another(tmp_path: Path) -> None:
    """DrugBank's "Magnesium sulfate" is mapped to ChEBI's heptahydrate."""
    both = grounder(tmp_path, SAME)
    (tmp_path / "chebi.tsv").write_text(
        "id\tlabel\nCHEBI:10033\twarfarin sodium salt\nCHEBI:10036\twarfarin\n", encoding="utf-8"
    )
    assert both.ground("Warfarin", SLOT)[0].term.id == "CHEBI:10036"


def test_however_its_own_names_were_met_the_preferred_id_names_the_thing(tmp_path: Path) -> None:
    """Dasatinib is MeSH's label, and among the related names of ChEBI's anhydrous dasatinib."""
    both = grounder(tmp_path, SAME)
    (tmp_path / "chebi.tsv").write_text(
        "id\tlabel\tsynonym\tscope\n"
        "CHEBI:10033\twarfarin sodium salt\twarfarin sodium salt\tlabel\n"
        "CHEBI:10033\twarfarin sodium salt\tcoumadins\tRELATED\n",
        encoding="utf-8",
    )

    for words in ("Warfarin", "warfarin", "Coumadin", "coumadins"):
        assert both.ground(words, SLOT)[0].term.id == "CHEBI:10033", words
