"""Words that a text says in another order or form: what counts as a paraphrase, and its score."""

from __future__ import annotations

import pytest

from core.model import Span
from core.text.quote import QuoteMatch, find_whole_words

BEST = 0.9  # of a paraphrase that holds every word, side by side


def paraphrases(text: str, words: str, near_span: Span | None = None) -> list[str]:
    match = find_whole_words(text, words, near_span=near_span)
    assert match.kind in ("paraphrase", "none")
    return [span.quote(text) for span in match.spans]


def score(text: str, words: str) -> float:
    return find_whole_words(text, words).score


@pytest.mark.parametrize(
    ("in_text", "asked"),
    [
        ("rats", "rat"),
        ("babies", "baby"),
        ("healing", "heal"),
        ("healed", "heal"),
        ("masses", "mass"),
        ("patient's", "patients"),
        ("Crohn’s", "Crohn"),
        ("mice'", "mice"),
        ("Sjögren", "Sjogren"),
        ("TNFα", "TNFalpha"),
    ],
)
def test_forms_of_a_word_are_the_same_word(in_text: str, asked: str) -> None:
    assert paraphrases(f"{in_text} lung", f"lung {asked}") == [f"{in_text} lung"]
    assert paraphrases(f"{asked} lung", f"lung {in_text}") == [f"{asked} lung"]


@pytest.mark.parametrize(
    ("in_text", "asked"),
    [("gas", "ga"), ("loss", "los"), ("virus", "viru"), ("basis", "basi"), ("exceed", "exce")],
)
def test_an_ending_that_is_part_of_the_word_is_kept(in_text: str, asked: str) -> None:
    """`sodium` alone is more than half of what was asked for."""
    assert paraphrases(f"{in_text} sodium", f"sodium {asked}") == ["sodium"]


@pytest.mark.parametrize(
    ("in_text", "asked"),
    [
        ("kidnney", "kidney"),
        ("haemorrhage", "hemorrhage"),
        ("randomised", "randomized"),
        ("phossphate", "phosphates"),
        ("hypertenssion", "hypertension"),
    ],
)
def test_a_long_word_may_be_spelled_a_little_differently(in_text: str, asked: str) -> None:
    assert paraphrases(f"{in_text} pneumonia", f"pneumonia {asked}") == [f"{in_text} pneumonia"]


@pytest.mark.parametrize(
    ("in_text", "asked"),
    [
        ("hearrt", "heart"),  # five letters
        ("symptomatic", "asymptomatic"),
        ("asymptomatic", "symptomatic"),
        ("hypertension", "hypotension"),
        ("hypoglycemia", "hyperglycemia"),
        ("intercellular", "intracellular"),
        ("microscopic", "macroscopic"),
        ("perioperative", "preoperative"),
        ("nitrate", "nitrite"),
        ("sulfides", "sulfate"),
        ("SMARCA4", "SMARCA2"),
        ("caspase8", "caspase3"),
    ],
)
def test_a_word_that_says_something_else_is_not_a_spelling(in_text: str, asked: str) -> None:
    """`pneumonia kidney` alone is more than half of what was asked for."""
    assert paraphrases(f"{in_text} kidney pneumonia", f"pneumonia kidney {asked}") == [
        "kidney pneumonia"
    ]


def test_a_word_weighs_by_its_length_up_to_eight_letters() -> None:
    assert score("hypertension", "kidney hypertension") == 0.562  # 2.25 of 4
    assert score("hypertension", "lung hypertension") == 0.643  # 2.25 of 3.5
    assert score("hypertension", "hypercalcemia hypertension") == 0.0  # half: no paraphrase


def test_a_common_word_weighs_little() -> None:
    assert score("hypertension", "the lung in hypertension") == 0.592  # 2.25 of 3.8
    assert score("hypertension of the kidney", "kidney in hypertension") == 0.872


def test_same_words_in_another_order_are_the_best_paraphrase() -> None:
    assert score("kidney hypertension", "hypertension kidney") == BEST


def test_a_paraphrase_begins_at_55_percent_of_the_weight() -> None:
    words = "k pneumonia hypertension"  # 0.5 + 2.25 + 2.25
    assert find_whole_words("hypertension k", words).score == 0.55
    assert find_whole_words("hypertension", words) == QuoteMatch()


def test_words_far_apart_score_less_and_too_far_apart_are_no_paraphrase() -> None:
    """Two words may lie in 2 × 2 + 4 words of the text."""
    between = ["one", "two", "three", "four", "five", "six"]
    assert score(" ".join(["cells", *between, "virus"]), "virus cells") == 0.616  # (2/8) ** 0.35
    assert score(" ".join(["cells", *between, "or", "virus"]), "virus cells") == 0.0


def test_a_far_word_that_loosens_the_paraphrase_is_left_out() -> None:
    text = "kidney cancer one two three four five six seven ab"
    assert paraphrases(text, "ab cancer kidney") == ["kidney cancer"]


def test_a_paraphrase_begins_and_ends_with_a_word_that_says_something() -> None:
    text = "In failure of the kidney of the rat"
    assert paraphrases(text, "kidney failure in the of") == ["failure of the kidney"]
    assert paraphrases("kidney failure in rats", "in failure kidney") == ["kidney failure"]


def test_repeated_words_are_counted_where_they_come_first() -> None:
    text = "failure of the kidney, a kidney"
    assert paraphrases(text, "kidney failure") == ["failure of the kidney"]


def test_a_worse_place_is_left_out_and_an_equal_one_is_named() -> None:
    text = (
        "Lung hypertension. One two three four five six seven hypertension one two three four five "
        "six seven. The lung hypertension is back."
    )
    words = "hypertension lung"
    assert paraphrases(text, words) == ["Lung hypertension", "lung hypertension"]
    last = text.rindex("lung")
    assert find_whole_words(text, words, near_span=Span(last, len(text))).spans[0].start == last


def test_places_that_overlap_a_better_one_are_left_out() -> None:
    assert paraphrases("kidney failure kidney failure", "failure of kidney") == [
        "kidney failure",
        "kidney failure",
    ]


def test_at_most_fifty_paraphrases_are_kept_and_the_nearest_is_among_them() -> None:
    text = "lung hypertension one two three four five six. " * 51
    assert len(paraphrases(text, "hypertension lung")) == 50
    last = Span(50 * 47, 51 * 47)
    assert find_whole_words(text, "hypertension lung", near_span=last).spans[0].start == last.start


def test_only_the_first_forty_words_are_looked_for() -> None:
    names = [f"g{number:03}" for number in range(41)]
    assert score(" ".join(reversed(names[:30])), " ".join(names)) == 0.75  # 30 of 40


def test_a_paraphrase_is_looked_for_at_the_first_twenty_thousand_hits() -> None:
    text = "kidney " * 19_999 + "one two three four five six seven eight failure of the kidney"
    assert paraphrases(text, "kidney failure") == ["failure of the kidney"]
    assert paraphrases("kidney " + text, "kidney failure") == []


@pytest.mark.parametrize("words", ["★ ★", "of the in", "kidney"])
def test_words_that_are_not_there_are_no_paraphrase(words: str) -> None:
    assert find_whole_words("The lung of the rat in the cage", words) == QuoteMatch()
