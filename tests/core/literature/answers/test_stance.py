"""How a sentence speaks of a question, and what papers say to one of yes or no."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.literature.answers.answer import read_answer
from core.literature.answers.carried import sentence_support
from core.literature.answers.soundness import soundness
from core.literature.answers.stance import judged_sentences, sentence_stance
from core.literature.answers.yes_or_no import asks_yes_or_no, verdict_of_passages
from core.literature.chunk import Chunk

COLD = "Does zinc prevent the common cold?"


def passage(number: int, text: str) -> Chunk:
    return Chunk(f"PMID:{number}@0", f"PMID:{number}", text)


@pytest.mark.parametrize(
    ("sentence", "stance"),
    [
        ("We hypothesised that zinc prevents the common cold.", "hypothesis"),
        ("The aim was to test whether zinc prevents colds.", "aim"),
        ("To compare zinc with placebo in children.", "aim"),
        ("Zinc had no effect on the common cold.", "negated"),
        ("Our results refute the hypothesis that zinc prevents colds.", "negated"),
        ("These results support the hypothesis that zinc prevents colds.", "finding"),
        ("Previous studies reported that zinc prevents colds.", "background"),
        ("Zinc may prevent colds.", "unclear"),
        ("Zinc prevented colds in 200 children.", "finding"),
        ("Zinc not only shortens colds but prevents them.", "finding"),
    ],
)
def test_a_sentence_has_a_stance(sentence: str, stance: str) -> None:
    assert sentence_stance(sentence) == stance


def test_a_sentence_is_judged_with_its_neighbours() -> None:
    text = (
        "Zinc and colds. Zinc prevents many colds. We aimed to test that. Children took zinc."
        " Zinc prevents colds."
    )
    assert [str(one.stance) for one in judged_sentences(text)] == [
        "finding",
        "background",
        "aim",
        "finding",
        "finding",
    ]
    headed = judged_sentences("BACKGROUND: Zinc cures colds. RESULTS: Zinc did not cure colds.")
    assert headed[0].stance == "background"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "We hypothesised that zinc prevents the common cold."
            " Zinc had no effect on the common cold.",
            "no",
        ),
        ("We hypothesised that zinc prevents the common cold. It did not.", "no"),
        ("We hypothesised that zinc prevents the common cold.", "unclear"),
        ("Zinc prevents the common cold.", "yes"),
        ("Zinc may prevent the common cold.", "unclear"),
        ("Bread is baked.", "unclear"),
    ],
)
def test_only_findings_answer(text: str, answer: str) -> None:
    verdict = verdict_of_passages(COLD, [passage(1, text)])
    assert verdict is not None and verdict.answer == answer


def test_papers_are_counted_not_sentences() -> None:
    verdict = verdict_of_passages(
        COLD,
        [
            passage(1, "Zinc prevents the common cold. Zinc prevented the common cold again."),
            passage(2, "Zinc did not prevent the common cold."),
            passage(3, "Bread is baked."),
        ],
    )
    assert verdict is not None and verdict.answer == "mixed"
    assert {str(a): n for a, n in verdict.counts.items() if n} == {"yes": 1, "no": 1, "unclear": 1}
    assert [one.document for one in verdict.deciding] == ["PMID:1", "PMID:2"]


def test_no_difference_is_yes_where_sameness_is_asked() -> None:
    text = "There was no difference in mortality between open and closed surgery."
    for question, answer in (
        ("Is mortality similar in open and closed surgery?", "yes"),
        ("Does mortality differ between open and closed surgery?", "no"),
    ):
        verdict = verdict_of_passages(question, [passage(1, text)])
        assert verdict is not None and verdict.answer == answer


@pytest.mark.parametrize(
    ("question", "asks"),
    [(COLD, True), ("Zinc in colds: is it useful?", True), ("Which metal is it?", False)],
)
def test_questions_of_yes_or_no_are_known(question: str, asks: bool) -> None:
    assert asks_yes_or_no(question) is asks


@pytest.mark.parametrize(
    ("answer", "carried", "clauses"),
    [
        ('"Zinc had no effect on the common cold." [1]', "true", ()),
        ('Zinc had no effect: "Zinc had no effect on the common cold" [1].', "true", ()),
        (
            '"Zinc had no effect on the common cold" and vitamin C cures the disease [1].',
            "partly",
            ("vitamin C cures the disease",),
        ),
        (
            'Zinc cures the common cold: "Zinc had no effect on the common cold" [1].',
            "false",
            ("Zinc cures the common cold",),
        ),
        (
            'Zinc had no effect in 300 children: "Zinc had no effect on the common cold" [1].',
            "false",
            ("Zinc had no effect in 300 children",),
        ),
    ],
)
def test_a_clause_that_no_quote_carries_is_named(
    answer: str, carried: str, clauses: tuple[str, ...]
) -> None:
    chunk = passage(1, "We gave zinc to 200 children. Zinc had no effect on the common cold.")
    (sentence,) = read_answer(answer, [chunk]).sentences
    support = sentence_support(sentence, {chunk.id: chunk})
    assert (support.carried, support.not_carried) == (carried, clauses)


def test_the_unfinished_end_of_a_cut_answer_is_dropped_and_named() -> None:
    chunk = passage(1, "Zinc had no effect on the common cold.")
    said = '"Zinc had no effect on the common cold" [1]. Vitamin C was als'
    answer = replace(read_answer(said, [chunk], whole=False), cut=True)
    sound = soundness([answer], [chunk])
    assert len(answer.sentences) == 1 and answer.dropped == "Vitamin C was als"
    assert (sound.certain, sound.complete) == (False, False)
    assert "Vitamin C was als" in " ".join(sound.missing)


def test_a_model_that_says_the_contrary_of_the_papers_is_not_certain() -> None:
    chunk = passage(1, "Zinc did not prevent the common cold.")
    answer = read_answer('Yes: "Zinc did not prevent the common cold" [1].', [chunk])
    sound = soundness([answer], [chunk], verdict_of_passages(COLD, [chunk]))
    assert not sound.certain and "the passages say no" in " ".join(sound.reasons)


@pytest.mark.parametrize(
    ("question", "said", "answer"),
    [
        (COLD, "Zinc had no effect on the common cold.", "no"),
        ("Does zinc prevent colds?", "Zinc had no effect on colds.", "no"),
        ("Does zinc suppress fever?", "Zinc had no effect on fever.", "no"),
        ("Does zinc prevent the common cold?", "Zinc prevented the common cold.", "yes"),
        ("Does zinc lower fever?", "Zinc did not lower fever.", "no"),
    ],
)
def test_a_verb_that_the_sentence_does_not_repeat_is_answered(
    question: str, said: str, answer: str
) -> None:
    verdict = verdict_of_passages(question, [passage(1, said)])
    assert verdict is not None and verdict.answer == answer


@pytest.mark.parametrize(
    "answer",
    [
        'Zinc works: "Zinc had no effect on the common cold" [1].',
        '"Zinc had no effect on the common cold" [1].',
        "Zinc had no effect.",
        '"Zinc had no effect on the common cold" [1], and vitamin C cures the disease.',
    ],
)
def test_the_verdict_on_a_sentence_and_what_is_carried_of_it_agree(answer: str) -> None:
    chunk = passage(1, "We gave zinc to 200 children. Zinc had no effect on the common cold.")
    (sentence,) = read_answer(answer, [chunk]).sentences
    support = sentence_support(sentence, {chunk.id: chunk})
    agree = {"true": "supports", "partly": "unclear", "false": "silent"}
    assert support.verdict.verdict == agree[support.carried]
    assert support.verdict.reasons
