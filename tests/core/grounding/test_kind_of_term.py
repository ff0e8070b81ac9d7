"""What is asked for by its kind is no thing of another kind, and a short form has the senses that
things have, not the ids.
"""

from __future__ import annotations

import pytest

from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.equivalents import Equivalents
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.preference import ordered_names
from core.grounding.short_form import undecided_short_form
from core.model import Candidate, Category, MatchKind, Term

MESH = (
    "id\tlabel\tsynonym\tscope\tparents\n"
    "MESH:category-C\tDiseases\n"
    "MESH:category-D\tChemicals and Drugs\n"
    "MESH:D1\tHeart Failure\tHFpEF\tEXACT\tMESH:category-C\n"
    "MESH:C2\thalofuginone polystyrene\tHFPS\tEXACT\tMESH:category-D\n"
)
MONDO = (
    "id\tlabel\tsynonym\tscope\n"
    "MONDO:1\tgestational diabetes\tGDM\tEXACT\n"
    "MONDO:2\tacute myeloid leukemia\tAML\tEXACT\n"
    "MONDO:3\tleukemia by FAB classification\tAML, NOS\tEXACT\n"
    "MONDO:4\tcongenital rubella syndrome\tCRS\tEXACT\n"
    "MONDO:5\tcytokine release syndrome\tCRS\tEXACT\n"
    "MONDO:6\tsystolic heart failure\tHFrEF\tEXACT\n"
    "MONDO:7\taddictive gambling\taddictive gambling\tEXACT\n"
)
DOID = "id\tlabel\tsynonym\tscope\nDOID:1\tdiabetes of pregnancy\tGDM\tEXACT\n"


@pytest.fixture(scope="module")
def grounder(tmp_path_factory: pytest.TempPathFactory) -> Grounder:
    folder = tmp_path_factory.mktemp("kinds")
    files = []
    for name, text in (("mesh", MESH), ("mondo", MONDO), ("doid", DOID)):
        files.append(folder / f"{name}.tsv")
        files[-1].write_text(text, encoding="utf-8")
    registry = VocabularyRegistry(None, folder / "indexes", files=files)
    return Grounder(registry, equivalents=Equivalents(same=[("DOID:1", "MONDO:1")]))


@pytest.mark.parametrize(
    ("words", "category", "id"),
    [
        ("HFPS", Category.DISEASE, ""),
        ("HFPS", Category.CHEMICAL, "MESH:C2"),
        ("HFPS", Category.THING, "MESH:C2"),
        ("HFpEF", Category.CHEMICAL, ""),
        ("HFpEF", Category.PHENOTYPE, "MESH:D1"),
    ],
)
def test_a_term_of_another_branch_of_mesh_is_no_candidate(
    grounder: Grounder, words: str, category: Category, id: str
) -> None:
    found = grounder.ground(words, Constraint(("mesh",), category=category))
    assert [candidate.term.id for candidate in found] == ([id] if id else [])


@pytest.mark.parametrize(
    ("words", "id"),
    [
        ("GDM", "MONDO:1"),  # two ids of one thing
        ("AML", "MONDO:2"),  # another term is called so with words left out only
        ("CRS", ""),  # two things
        ("HFmrEF", ""),  # no misspelt HFrEF
    ],
)
def test_a_short_form_has_the_senses_of_things(grounder: Grounder, words: str, id: str) -> None:
    slot = Constraint(("mondo", "doid"), category=Category.DISEASE)
    term, _ = choose_candidate(grounder.ground(words, slot))
    assert (term.id if term else "") == id


def test_families_stand_before_genes_of_other_species() -> None:
    names = ordered_names(["mgi", "ncbigene", "famplex", "hgnc"], Category.GENE)
    assert names == ("hgnc", "famplex", "ncbigene", "mgi")


def test_a_label_far_down_the_order_decides_no_short_form() -> None:
    """MTR lists MS among its names; some other vocabulary has a term that is labelled so."""
    best = Candidate(Term("HGNC:7468", "MTR"), MatchKind.RELATED, 0.8, "MS")
    labelled = Candidate(Term("MESH:X", "MS"), MatchKind.LABEL, 1.0, "MS")
    decided = undecided_short_form("MS", [(0.8, best), (0.75, labelled)], "", ())
    assert choose_candidate([candidate for _, candidate in decided])[0] is None
    other = undecided_short_form("MS", [(1.0, labelled), (0.8, best)], "", ())
    assert choose_candidate([candidate for _, candidate in other])[0] == labelled.term
