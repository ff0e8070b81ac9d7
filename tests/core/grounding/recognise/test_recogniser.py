"""Names found in texts: the longest, every time, and not where something else is meant."""

from __future__ import annotations

import pytest

from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.recognise.recogniser import Recogniser
from core.grounding.recognise.text_words import split_into_words


def recognised(grounder, text, **constraints):
    marks = Recogniser(grounder).annotate(text, constraints or {"": Constraint(("mini",))})
    return [(mark.span.quote(text), mark.candidates[0].term.id) for mark in marks]


def test_the_longest_name_wins_and_every_occurrence_is_given(grounder):
    text = "Kleefstra syndrome 1 differs. Kleefstra syndrome; kleefstra syndrome 1!"
    assert recognised(grounder, text) == [
        ("Kleefstra syndrome 1", "M:14"),
        ("Kleefstra syndrome", "M:13"),
        ("kleefstra syndrome 1", "M:14"),
    ]


def test_abbreviations_of_the_text_count_as_their_long_form(grounder):
    text = "Mitral stenosis (MS) was treated. MS returned."
    assert recognised(grounder, text) == [("Mitral stenosis", "M:6"), ("MS", "M:6"), ("MS", "M:6")]


@pytest.mark.parametrize("text", ["A cat sat.", "They lead him.", "M s", "The disease."])
def test_common_words_and_symbols_in_another_case_are_not_names(grounder, text):
    assert recognised(grounder, text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hypertensive rats.", "Hypertensive"),
        ("CAT activity", "CAT"),
        ("breast  cancers are", "breast  cancers"),
        ("(hypertension)", "hypertension"),
        ("hypertension's cause", "hypertension"),
    ],
)
def test_recognised_mentions_have_exact_offsets(grounder, text, words):
    assert [quote for quote, _ in recognised(grounder, text)] == [words]


def test_a_name_never_runs_over_the_end_of_a_sentence(grounder):
    assert recognised(grounder, "It struck the heart. Failure came later.") == []


def test_mentions_of_one_key_do_not_overlap_and_keys_are_apart(grounder):
    both = {"a": Constraint(("mini",)), "b": Constraint(("mini",), prefixes=("HP",))}
    marks = Recogniser(grounder).annotate("heart failure", both)
    assert [mark.key for mark in marks] == ["a"]


def test_offsets_count_code_points(grounder):
    text = "𝛼𝛽 é: naloxone"
    mark = Recogniser(grounder).annotate(text, {"": Constraint(("mini",))})[0]
    assert (mark.span.start, mark.span.end) == (6, 14)


def test_an_empty_text_has_no_mentions(grounder):
    assert Recogniser(grounder).annotate("", {"": Constraint(("mini",))}) == []


def test_a_long_text_in_sections_has_the_mentions_of_the_whole(grounder):
    sentence = (
        "Kleefstra syndrome 1 came with heart failure, then breast cancers and hypertension. "
    )
    once = recognised(grounder, sentence)
    assert recognised(grounder, sentence * 400) == once * 400


def test_progress_goes_up_to_its_end_and_can_stop_the_work(grounder):
    steps = []
    text = "Heart failure and hypertension. " * 600
    Recogniser(grounder).annotate(
        text, {"": Constraint(("mini",))}, lambda *step: steps.append(step)
    )
    assert len(steps) > 600
    assert steps == sorted(steps)
    assert {total for _, total in steps} == {2 * len(text)}

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Recogniser(grounder).annotate(text, {"": Constraint(("mini",))}, stop)


@pytest.fixture
def things(tmp_path):
    path = tmp_path / "things.tsv"
    path.write_text(
        "id\tlabel\tsynonym\tscope\ttaxon\n"
        "D:1\tcardiac arrest\t\t\t\n"
        "P:2\tinduced cardiac arrest\t\t\t\n"
        "D:3\tnimodipine\tBrain\tEXACT\t\n"
        "G:4\tFBN1\tMarfan syndrome\tPREVIOUS\tNCBITaxon:9606\n"
        "D:5\tarrestin\t\t\t\n"
        "D:6\tretrospective study\t\t\t\n"
        "CHEBI:7\tthyroid\t\t\t\n"
        "G:8\tEEF1A2\tstatin\tEXACT\tNCBITaxon:9606\n"
        "D:9\tdissociation\t\t\t\n"
        "D:10\tvaccinia\t\t\t\n"
        "P:11\tvaccination\t\t\t\n"
    )
    return Grounder(VocabularyRegistry(None, tmp_path / "i", files=[path]))


def test_name_inside_counts_where_the_longest_is_of_another_kind(things):
    text = "Lidocaine induced cardiac arrest in one of them."
    assert recognised(things, text, d=Constraint(("things",), ("D",))) == [
        ("cardiac arrest", "D:1")
    ]
    everything = recognised(things, text, d=Constraint(("things",)))
    assert everything == [("induced cardiac arrest", "P:2")]


@pytest.mark.parametrize(
    "text",
    [
        "Brain metastases responded.",  # a trade name
        "Marfan syndrome is inherited.",  # a gene listed under its disease
        "An arrest in one patient.",  # ends with a stop word
        "In this retrospective study of adults.",  # how the text came about
        "A carcinoma of the thyroid.",  # a gland, and no preparation of it
        "Patients on statins did better.",  # drugs, and no gene
        "Curare dissociation was fast.",  # of a molecule
    ],
)
def test_words_that_mean_another_thing_are_no_names(things, text):
    assert recognised(things, text, d=Constraint(("things",))) == []


def test_a_procedure_is_not_a_disease_by_another_form_of_its_name(things):
    text = "Vaccination was free."
    assert recognised(things, text, d=Constraint(("things",), ("D",))) == []
    assert recognised(things, text, p=Constraint(("things",), ("P",))) == [("Vaccination", "P:11")]


@pytest.fixture
def conditions(tmp_path):
    rows = [
        ("HP:1", "Localized", ""), ("HP:2", "Breast cancer", ""), ("HP:3", "Ovarian cancer", ""),
        ("HP:4", "Transient ischemic attack", "TIA"), ("HP:5", "Prolonged QT interval", ""),
        ("HP:6", "Pain", ""), ("HP:7", "Cardiac failure", "heart failure"),
        ("HP:8", "Skin cancer", ""), ("HP:9", "Tooth and mouth diseases", ""),
    ]  # fmt: skip
    file = tmp_path / "conditions.tsv"
    lines = ["prefix\tid\tlabel\tsynonym\tscope"]
    for id, label, other in rows:
        lines += [f"HP\t{id}\t{label}\t{label}\tlabel"]
        lines += [f"HP\t{id}\t{label}\t{other}\tEXACT"] * bool(other)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Grounder(VocabularyRegistry(None, tmp_path / "index", files=[file]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We localized the receptor.", []),
        ("Breast and ovarian cancers", [("Breast", "HP:2"), ("ovarian cancers", "HP:3")]),
        ("breast, or ovarian cancer", [("breast", "HP:2"), ("ovarian cancer", "HP:3")]),
        ("Pain and ovarian cancer", [("Pain", "HP:6"), ("ovarian cancer", "HP:3")]),
        ("breast cancer and skin lesions", [("breast cancer", "HP:2")]),
        ("cancer of the skin", [("cancer of the skin", "HP:8")]),
        ("mouth and tooth diseases", [("mouth and tooth diseases", "HP:9")]),
        ("toxicity and heart failure", [("heart failure", "HP:7")]),
        ("a TIA after surgery", [("TIA", "HP:4")]),
        ("the peptide rho-TIA binds", []),
        ("It caused QT prolongation.", [("QT prolongation", "HP:5")]),
        ("QTc interval prolongation", [("QTc interval prolongation", "HP:5")]),
    ],
)
def test_words_are_read_as_a_careful_reader_would(conditions, text, expected):
    known = {"": Constraint(("conditions",))}
    mentions = Recogniser(conditions).annotate(text, known)
    assert [(m.span.quote(text), m.candidates[0].term.id) for m in mentions] == expected


def test_a_long_text_is_cut_where_no_name_runs_on():
    words = split_into_words("heart failure of old age. " * 2_000)
    edges = list(words.sections())
    assert len(edges) > 3
    assert [edges[0][0], *(end for _, end in edges)] == [
        *(begin for begin, _ in edges),
        len(words.folded),
    ]
    assert not any(words.joined[begin] for begin, _ in edges)
    assert list(split_into_words("").sections()) == [(0, 0)]
