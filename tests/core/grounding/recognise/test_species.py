"""A gene is of the organism that is named nearest, or of the one that a person says; else equal
names tie.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.recognise import species
from core.grounding.recognise.recogniser import Recogniser
from core.model import Outcome, Span, Term
from core.store import Synonym

HUMAN, MOUSE, FLY = "NCBITaxon:9606", "NCBITaxon:10090", "NCBITaxon:7227"
GENES = f"id\tlabel\ttaxon\nG:1\tABC1\t{HUMAN}\nG:2\tAbc1\t{MOUSE}\nG:3\tABC1\tNCBITaxon:42\n"
ORGANISMS = (
    "id\tlabel\tsynonym\nNCBITaxon:42\tHugus parvus\tlesser hug\nNCBITaxon:43\tVirus\tpox virus\n"
)


@pytest.fixture
def grounder(tmp_path: Path) -> Grounder:
    for name, text in {"genes": GENES, "ncbitaxon": ORGANISMS}.items():
        (tmp_path / f"{name}.tsv").write_text(text)
    return Grounder(VocabularyRegistry(None, tmp_path / "i", files=sorted(tmp_path.glob("*.tsv"))))


def meant(grounder: Grounder, text: str, **constraint: str) -> tuple[str, Outcome]:
    span = Span(text.index("ABC1"), text.index("ABC1") + 4)
    term, outcome = choose_candidate(
        grounder.ground("ABC1", Constraint(("genes",), **constraint), context=text, span=span)
    )
    return term.id if term else "", outcome


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("In mice ABC1 rose.", "G:2"),
        ("Mice slept. In patients ABC1 rose.", "G:1"),
        ("Women and mice slept. ABC1 rose.", "G:1"),
        ("Mice slept. ABC1 rose. Patients woke.", "G:2"),
        ("ABC1 rose. Patients woke.", "G:1"),
        ("In the lesser hug, ABC1 rose.", "G:3"),
        ("In mice with pox virus ABC1 rose.", "G:2"),
    ],
)
def test_the_organism_that_the_text_speaks_of_selects_the_gene(
    grounder: Grounder, text: str, id: str
) -> None:
    assert meant(grounder, text) == (id, Outcome.GROUNDED)


def test_the_case_of_a_symbol_tells_which_of_two_organisms_is_meant(grounder: Grounder) -> None:
    text = "Women and mice slept. Abc1 rose."
    grounded = grounder.ground(
        "Abc1",
        Constraint(("genes",)),
        context=text,
        span=Span(text.index("A"), text.index("A") + 4),
    )
    assert grounded[0].term.id == "G:2"


def test_without_a_species_a_symbol_is_that_of_the_gene_with_its_letters(tmp_path: Path) -> None:
    file = tmp_path / "genes.tsv"
    file.write_text(f"id\tlabel\ttaxon\nG:1\tABC1\t{HUMAN}\nG:2\tAbc1\t{MOUSE}\n")
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[file]))
    assert meant(grounder, "ABC1 rose.") == ("G:1", Outcome.GROUNDED)


def test_without_a_species_genes_of_one_name_tie_whatever_their_case(grounder: Grounder) -> None:
    assert meant(grounder, "ABC1 rose.") == ("", Outcome.AMBIGUOUS)


def test_the_default_counts_where_the_text_names_none(grounder: Grounder) -> None:
    assert meant(grounder.of(MOUSE), "ABC1 rose.")[0] == "G:2"
    assert meant(grounder.of(MOUSE), "ABC1 rose in patients.")[0] == "G:1"


def test_a_species_that_is_demanded_goes_before_the_text(grounder: Grounder) -> None:
    assert meant(grounder, "ABC1 rose in patients.", taxon=MOUSE)[0] == "G:2"


def test_a_gene_of_another_species_is_offered_and_not_chosen(grounder: Grounder) -> None:
    assert meant(grounder, "In flies, ABC1 rose.".replace("flies", "Drosophila")) == (
        "",
        Outcome.UNGROUNDED,
    )
    grounded = grounder.ground("ABC1", Constraint(("genes",), taxon=FLY))
    assert grounded[0].taxon == HUMAN and "species" in grounded[0].differed


def test_a_whole_file_may_be_of_one_species(tmp_path: Path) -> None:
    path = tmp_path / "genes.tsv"
    path.write_text(f"# taxon: {MOUSE}\nid\tlabel\nG:2\tAbc1\n")
    grounded = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path])).ground(
        "Abc1", Constraint(("genes",))
    )
    assert grounded[0].taxon == MOUSE


def test_each_mention_in_a_text_has_its_own_species(grounder: Grounder) -> None:
    text = "In mice ABC1 rose. In patients ABC1 fell."
    marks = Recogniser(grounder).annotate(text, {"gene": Constraint(("genes",))})
    assert [choose_candidate(mark.candidates)[0].id for mark in marks] == ["G:2", "G:1"]


def test_a_remembered_choice_stays_with_its_species(grounder: Grounder) -> None:
    class Remembered:
        def lookup(self, normal: str, category: object = None) -> list[Term]:
            return [Term("G:2", "Abc1")] if normal == "abc1" else []

        def all(self) -> list[Synonym]:
            return [Synonym(1, "Abc1", "abc1", Term("G:2", "Abc1"), "", "")]

        def refused(self, normal: str, category: object = None) -> frozenset[str]:
            return frozenset()

        def steady(self) -> Remembered:
            return self

    knowing = Grounder(grounder.vocabulary_registry, Remembered())
    assert meant(knowing, "In patients ABC1 rose.")[0] == "G:1"
    assert meant(knowing, "In mice ABC1 rose.")[0] == "G:2"


@pytest.mark.parametrize("words", ["NCBITaxon:10090", "10090", "mouse", "Mus musculus", " MICE "])
def test_a_species_may_be_written_in_many_ways(words: str) -> None:
    assert species.taxon_curie(words) == MOUSE


def test_words_that_are_no_species_are_refused_with_an_example() -> None:
    with pytest.raises(InputError, match="NCBITaxon:9606"):
        species.taxon_curie("blancmange")


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("Patients slept. A mouse ran. It was cold. ABC1 rose.", "G:1"),  # one mouse is no subject
        ("Patients and mouse ABC1 were studied.", "G:2"),
        ("In patients, ABC1 of the mouse rose.", "G:2"),
        ("Mice slept in the room of human ABC1 carriers.", "G:1"),
        ("Patients had antibodies against yeast. ABC1 rose against yeast.", "G:1"),
    ],
)
def test_a_species_word_decides_for_the_gene_that_it_belongs_to(
    grounder: Grounder, text: str, id: str
) -> None:
    assert meant(grounder, text) == (id, Outcome.GROUNDED)


def test_a_gene_named_in_full_is_the_species_own_gene_of_that_symbol(tmp_path: Path) -> None:
    rows = (
        f"G:1\tABC1\tgrowlin\t{HUMAN}\nG:2\tAbc1\t\t{MOUSE}\nG:3\tXYZ1\thowlin\t{HUMAN}\n"
        f"G:4\tOther\t\t{MOUSE}\n"
    )
    (tmp_path / "genes.tsv").write_text(f"id\tlabel\tsynonym\ttaxon\n{rows}")
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[tmp_path / "genes.tsv"]))
    mouse = grounder.ground("growlin", Constraint(("genes",), taxon=MOUSE))
    assert choose_candidate(mouse)[0].id == "G:2"
    without = grounder.ground("howlin", Constraint(("genes",), taxon=MOUSE))
    assert choose_candidate(without)[0] is None
    assert [candidate.term.id for candidate in without] == ["G:3"]  # the human gene is offered
