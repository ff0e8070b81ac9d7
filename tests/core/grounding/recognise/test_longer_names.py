"""Parts of longer names are no mentions, and names said together are told apart (public cases A36,
A38 and A39).
"""

from __future__ import annotations

import pytest

from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.match.coordination import expand_coordination
from core.grounding.recognise.recogniser import Recogniser
from core.model import Outcome

ROWS = """\
id	label	synonym	scope
CHEBI:1	glucagon	glucagon	label
CHEBI:2	glucose	glucose	label
CHEBI:3	thallium	thallium	label
CHEBI:4	angiotensin	angiotensin	label
G:1	TAK	TAK	label
G:2	SIK1	SIK1	label
G:3	SIK2	SIK2	label
G:4	MLH1	MLH1	label
G:5	MSH2	MSH2	label
G:6	EP2	EP2	label
G:7	ABL	ABL	label
G:8	BCR	BCR	label
G:9	TPMT	TPMT	label
G:9	TPMT	thiopurine S-methyltransferase	EXACT
D:1	SARS	SARS	label
D:2	type 1 diabetes	type 1 diabetes mellitus	EXACT
D:2	type 1 diabetes	type 1 diabetes	label
D:3	type 2 diabetes	type 2 diabetes	label
D:3	type 2 diabetes	type 2 diabetes mellitus	EXACT
D:4	type 1 diabetes mellitus 2	type 1 diabetes mellitus 2	label
D:5	hepatitis A	hepatitis A	label
D:6	hepatitis B	hepatitis B	label
D:7	lung cancer	lung cancer	label
D:8	Alzheimer disease	Alzheimer disease	label
D:8	Alzheimer disease	AD	EXACT
D:9	mass spectrosis	MS	EXACT
D:10	factor V deficiency	factor V deficiency	label
D:11	factor VIII deficiency	factor VIII deficiency	label
D:12	pneumocystosis	pneumocystosis	label
D:12	pneumocystosis	PCP	EXACT
E:1	phencyclidine	PCP	EXACT
"""


@pytest.fixture(scope="module")
def grounder(tmp_path_factory: pytest.TempPathFactory) -> Grounder:
    folder = tmp_path_factory.mktemp("names")
    path = folder / "names.tsv"
    path.write_text(ROWS, encoding="utf-8")
    return Grounder(VocabularyRegistry(None, folder / "indexes", files=[path]))


def recognised(grounder: Grounder, text: str) -> list[tuple[str, str]]:
    marks = Recogniser(grounder).annotate(text, {"": Constraint(("names",))})
    return [(mark.span.quote(text), mark.candidates[0].term.id) for mark in marks]


@pytest.mark.parametrize(
    "text",
    [
        "A glucagon receptor agonist was given.",
        "We gave TAK-788 daily.",
        "Spread of SARS-CoV-2 slowed.",
        "The glucose-6-phosphate was low.",
        "It was analysed by LC-MS.",
        "An angiotensin-receptor blocker.",
    ],
)
def test_a_part_of_a_longer_unknown_name_is_no_mention(grounder: Grounder, text: str):
    assert recognised(grounder, text) == []


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("lung cancer patients", ["D:7"]),
        ("EP2 receptor knockdown", ["G:6"]),
        ("glucose-induced secretion", ["CHEBI:2"]),
        ("thallium-201 uptake", ["CHEBI:3"]),
        ("BCR-ABL fusion", ["G:8", "G:7"]),
        ("glucose levels and SARS-infected cells", ["CHEBI:2", "D:1"]),
    ],
)
def test_ordinary_words_around_a_name_leave_it_a_mention(
    grounder: Grounder, text: str, ids: list[str]
):
    assert [id for _, id in recognised(grounder, text)] == ids


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        (
            "type 1 and type 2 diabetes rose",
            [("type 1", "D:2"), ("type 2 diabetes", "D:3")],
        ),
        ("types 1 and 2 diabetes mellitus", [("types 1", "D:2"), ("2 diabetes mellitus", "D:3")]),
        ("hepatitis A and B rose", [("hepatitis A", "D:5"), ("B", "D:6")]),
        ("MLH1/MSH2 loss", [("MLH1", "G:4"), ("MSH2", "G:5")]),
        ("SIK1/2 inhibition", [("SIK1", "G:2"), ("2", "G:3")]),
        ("groups 1 and 2 had lung cancer", [("lung cancer", "D:7")]),
        ("type 1 diabetes mellitus 2 is rare", [("type 1 diabetes mellitus 2", "D:4")]),
    ],
)
def test_names_said_together_are_mentions_each(
    grounder: Grounder, text: str, mentions: list[tuple[str, str]]
):
    assert recognised(grounder, text) == mentions


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("type 1 and type 2 diabetes", ("type 1 diabetes", "type 2 diabetes")),
        ("hepatitis A and B", ("hepatitis A", "hepatitis B")),
        ("mucopolysaccharidosis I and II", ("mucopolysaccharidosis I", "mucopolysaccharidosis II")),
        (
            "factor V and factor VIII deficiency",
            ("factor V deficiency", "factor VIII deficiency"),
        ),
        ("diabetes mellitus type 1, 2", ("diabetes mellitus type 1", "diabetes mellitus type 2")),
        ("long QT syndrome 1, 2 and 3", tuple(f"long QT syndrome {n}" for n in (1, 2, 3))),
        ("2 patients with type 1 diabetes", ()),
        ("type 1 diabetes (2 cases)", ()),
    ],
)
def test_numbers_said_together_are_written_out(words: str, names: tuple[str, ...]):
    assert expand_coordination(words) == names


def test_no_name_is_made_of_the_numbers_of_two(grounder: Grounder):
    for words in ("type 1 and type 2 diabetes", "diabetes mellitus type 1, 2"):
        candidates = grounder.ground(words, Constraint(("names",)))
        assert "D:4" not in [candidate.term.id for candidate in candidates]
        assert choose_candidate(candidates)[0]


@pytest.mark.parametrize(
    ("words", "context", "chosen"),
    [
        ("AD", "The patients had AD with eczema and itching.", ""),
        ("AD", "", ""),
        ("AD", "In Alzheimer disease the brain shrinks; AD is common.", "D:8"),
        ("PCP", "The patient took PCP and became agitated.", ""),
        ("PCP", "Pneumocystosis was suspected, and PCP was found.", "D:12"),
        ("PCP", "After phencyclidine (PCP) the patient was agitated.", "E:1"),
    ],
)
def test_a_short_form_that_the_text_does_not_explain_is_undecided(
    grounder: Grounder, words: str, context: str, chosen: str
):
    candidates = grounder.ground(words, Constraint(("names",)), context=context)
    term, outcome = choose_candidate(candidates)
    assert (term.id if term else "") == chosen
    assert (outcome is Outcome.AMBIGUOUS) == (not chosen)
    assert candidates  # they are offered


def test_a_short_form_and_its_long_form_are_one_thing(grounder: Grounder):
    text = "Thiopurine methyltransferase (TPMT) varies. TPMT is low."
    assert recognised(grounder, text) == [
        ("Thiopurine methyltransferase", "G:9"),
        ("TPMT", "G:9"),
        ("TPMT", "G:9"),
    ]


def test_a_short_form_means_nothing_where_the_text_says_otherwise(grounder: Grounder):
    assert recognised(grounder, "The total particle mass transfer (TPMT) rose. TPMT fell.") == []
