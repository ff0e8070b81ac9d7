"""Every name is found whole where a text writes it so, whatever signs it has."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from core.evaluation.name_recognition import found_names
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.recognise.recogniser import Recogniser
from core.settings import CODE

NAMES = """
    Smp_000010|PF3D7_0102300|CD4+ T cell|St. Louis encephalitis|Encephalitis|5% dextrose solution
    diet #5|omega~3 lipid|foo&bar disease|GC>TA|poly(A)=U tract|R&D syndrome; late form|47,XXY
    (+)-pinene|Ca2+|Ca2+ channel|NaCl 0.9%|16p11.2 deletion|E. coli O157:H7|del(5q)|T cell|p.G12D
    Alzheimer's|N-(2-(4-(1-(3,5-dimethyl-2-oxo-2H-pyran-6-yl)ethyl)-3-oxo-1-phenyl)-5-yl)-7-methylurea
"""
SOME_WORDS = "alpha Brenner kinase T2 loop 3,4 mulch 17b plasma Xenin ortho 2H varicose"
WORDS = SOME_WORDS.split()
SIGNS = [
    " ",
    "-",
    "_",
    "+ ",
    ". ",
    "; ",
    " & ",
    "%",
    " > ",
    "#",
    "=",
    " (",
    ") ",
    "/",
    "->",
    "~",
    "@",
]


def grounder_of(names: list[str], folder: Path) -> Grounder:
    rows = [f"T:{number}\t{name}" for number, name in enumerate(names, 1)]
    path = folder / "signs.tsv"
    path.write_text("\n".join(["id\tlabel", *rows]) + "\n", encoding="utf-8")
    return Grounder(VocabularyRegistry(None, folder / "indexes", files=[path]))


def quotes(grounder: Grounder, text: str) -> list[str]:
    marks = Recogniser(grounder).annotate(text, {"": Constraint(("signs",))})
    return [mark.span.quote(text) for mark in marks]


@pytest.fixture(scope="module")
def signs(tmp_path_factory: pytest.TempPathFactory) -> Grounder:
    names = [name for line in NAMES.split("\n") for name in line.strip().split("|") if name]
    return grounder_of(names, tmp_path_factory.mktemp("signs"))


def test_names_with_signs_are_found_whole(signs: Grounder):
    lexicon = signs.vocabulary_registry.lexicon("signs")
    counts = found_names(signs, lexicon, map(lexicon.name_at, range(lexicon.name_count)))
    assert (counts.missed, counts.found) == ([], lexicon.name_count)


def test_names_made_at_random_are_found_whole(tmp_path: Path):
    chance = random.Random(28)
    names = []
    for _ in range(400):
        words = chance.choices(WORDS, k=chance.randint(2, 7))
        names.append("".join(word + chance.choice(SIGNS) for word in words[:-1]) + words[-1])
    grounder = grounder_of(list(dict.fromkeys(names)), tmp_path)
    lexicon = grounder.vocabulary_registry.lexicon("signs")
    counts = found_names(grounder, lexicon, map(lexicon.name_at, range(lexicon.name_count)))
    assert counts.missed == []


def test_names_of_the_shipped_vocabularies_are_found_whole(tmp_path: Path):
    files = [CODE / "schemas" / "vocabularies" / f"{name}.tsv" for name in ("chebi", "mesh", "hp")]
    grounder = Grounder(VocabularyRegistry(None, tmp_path, files=files))
    for name in ("chebi", "mesh", "hp"):
        lexicon = grounder.vocabulary_registry.lexicon(name)
        counts = found_names(grounder, lexicon, map(lexicon.name_at, range(lexicon.name_count)))
        assert counts.share >= 0.995, counts.missed


@pytest.mark.parametrize(
    "text",
    [
        "It rose in St. Louis. Encephalitis was rare.",  # two sentences
        "The T; cell counts rose.",
        "A diet, 5 of them.",
    ],
)
def test_signs_that_a_name_does_not_have_divide_it(signs: Grounder, text: str):
    assert [quote for quote in quotes(signs, text) if quote != "Encephalitis"] == []


def test_a_stop_that_ends_the_sentence_is_no_part_of_a_name(tmp_path: Path):
    grounder = grounder_of(["Vibrio sp.", "Vibrio sp"], tmp_path)
    assert quotes(grounder, "We grew Vibrio sp. in agar.") == ["Vibrio sp."]
    assert quotes(grounder, "We grew Vibrio sp.") == ["Vibrio sp"]


def test_brackets_within_a_name_may_be_left_out(signs: Grounder):
    assert quotes(signs, "Many CD4(+) T cells died.") == ["CD4(+) T cells"]
