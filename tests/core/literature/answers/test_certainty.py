"""Whether passages answer a question, and what is quoted from them."""

from __future__ import annotations

import numpy as np
import pytest

from core.evaluation.answers import learned
from core.literature.answers import extractive
from core.literature.answers.certainty import (
    FIGURES,
    NO_NAMES,
    AskedConcept,
    answer_likelihood,
    probable_from,
    question_weights,
    sure_from,
)
from core.literature.answers.extractive import extract_sentences, figures_of_certainty, sentences_of
from core.literature.chunk import Chunk
from core.literature.index.build import build_index
from core.literature.index.tokens import text_units
from core.literature.query.keyword import LiteratureQuery
from core.literature.query.named_thing import NamedThing
from core.literature.ranking.search import Searcher
from core.model import Category, Span
from tests.core.literature.corpus import index, searcher

OTHER = ("Azidothymidine",)


def figures(tmp_path, question: str) -> dict[str, float]:
    results = searcher(tmp_path).search(LiteratureQuery(question))
    chunks = [hit.chunk for hit in results.results]
    values = figures_of_certainty(question, chunks, question_weights(results.plan))
    return dict(zip(FIGURES, values, strict=True))


def test_names_with_capitals_count_where_one_sentence_holds_them(tmp_path):
    both = figures(tmp_path, "Does tau bind AZT?")
    none = figures(tmp_path, "does tau bind it?")
    assert both["names in one sentence"] != none["names in one sentence"] == NO_NAMES


def test_figures_say_how_much_of_a_question_is_there(tmp_path):
    answerable = figures(tmp_path, "Which kinase phosphorylates tau?")
    absent = figures(tmp_path, "Which phosphatase binds BRCA1 in yeast with tau?")
    assert answerable["words beside the rarest"] > 0.99 > absent["words beside the rarest"]
    assert answerable["score beside its most"] > absent["score beside its most"]
    assert answerable["absent from the corpus"] == 0 < absent["absent from the corpus"]
    assert (
        0
        <= answer_likelihood(tuple(absent.values()))
        < answer_likelihood(tuple(answerable.values()))
        <= 1
    )
    assert 0 < probable_from() < sure_from() < 1


def test_a_sentence_with_another_name_of_a_thing_holds_it(tmp_path):
    texts = ("Azidothymidine slows the virus.", "Bread is baked.", "Zidovudine is white.")
    thing = NamedThing(
        Span(0, 10), "Zidovudine", "MESH:1", "", Category.CHEMICAL, ("Azidothymidine",)
    )
    corpus = Searcher([index(tmp_path, texts)], find_names=lambda question: [thing])
    results = corpus.search(LiteratureQuery("Zidovudine slows which virus?"))
    weights = question_weights(results.plan)
    answer = extract_sentences(
        results.question.text, [hit.chunk for hit in results.results], weights
    )
    assert answer.sentences[0].text == "Azidothymidine slows the virus."


def test_a_title_is_not_part_of_the_sentence_after_it():
    chunk = Chunk("a@0", "a", "Tau\nKinase Q phosphorylates tau.", title="Tau")
    assert [span.quote(chunk.text) for span in sentences_of(chunk)] == [
        "Tau",
        "Kinase Q phosphorylates tau.",
    ]


def test_words_that_only_ask_are_not_missed(tmp_path):
    results = searcher(tmp_path).search(LiteratureQuery("What causes renal failure?"))
    assert not results.problems


def test_the_rule_is_learned_from_figures():
    chance = np.random.default_rng(1)
    values = chance.random((200, len(FIGURES)))
    is_present = values[:, 0] > 0.5
    rule = learned(values, is_present, ~is_present)
    assert rule[FIGURES[0]] > 5 * max(abs(rule[name]) for name in FIGURES[1:])
    assert set(rule) == {*FIGURES, "constant", "probable from", "sure from"}
    wrong = [answer_likelihood(row, rule) >= rule["sure from"] for row in values[~is_present]]
    assert sum(wrong) <= 0.06 * len(wrong)


@pytest.mark.parametrize(
    ("likely", "question", "outcome"),
    [
        (0.99, "Do ducks eat bread?", "answered"),
        (0.0, "Do ducks eat bread?", "probable"),  # a sentence holds every word of the question
        (0.0, "Do ducks eat snails?", "unknown"),
    ],
)
def test_answer_probable_answer_and_none_are_distinguished(monkeypatch, likely, question, outcome):
    chunks = [Chunk("a@0", "a", "Ducks may eat stale bread."), Chunk("b@0", "b", "It rains.")]
    monkeypatch.setattr(extractive, "answer_likelihood", lambda values: likely)
    answer = extract_sentences(question, chunks)
    assert outcome == (
        "unknown" if answer.unknown else "probable" if answer.probable else "answered"
    )


@pytest.mark.parametrize(
    ("question", "probable"),
    [("Is royal jelly antimicrobial?", True), ("Is royal jelly antibacterial?", False)],
)
def test_answer_is_uncertain_where_no_passage_has_a_word_of_the_question(
    tmp_path, monkeypatch, question, probable
):
    texts = ["Royal jelly is antibacterial.", "Royal jelly feeds queens.", "Bread.", "Water."]
    results = searcher(tmp_path, texts).search(LiteratureQuery(question))
    monkeypatch.setattr(extractive, "answer_likelihood", lambda values: 0.99)
    chunks = [hit.chunk for hit in results.results]
    assert extract_sentences(question, chunks, question_weights(results.plan)).probable is probable


@pytest.mark.parametrize(
    ("sentence", "probable"),
    [("Wings of royal ants.", True), ("Royal ants do have wings.", False)],
)
def test_words_without_a_verb_are_no_sure_answer_to_a_yes_or_no_question(
    monkeypatch, sentence, probable
):
    monkeypatch.setattr(extractive, "answer_likelihood", lambda values: 0.99)
    answer = extract_sentences("Do royal ants have wings?", [Chunk("a@0", "a", sentence)])
    assert answer.probable is probable


@pytest.mark.parametrize(
    ("sentence", "answered"),
    [
        ("We enrolled 120 elderly patients in two hospitals.", True),
        ("A total of 1,204 participants were recruited.", True),
        ("Patients took 20 mg of the drug.", False),
        ("Adults with asthma were enrolled in 2019.", False),
    ],
)
def test_one_paper_answers_how_many_it_studied(sentence, answered):
    texts = (sentence, "Bread was baked.", "Water is cold.")
    chunks = [Chunk(f"PMID:1@{n}", "PMID:1", text) for n, text in enumerate(texts)]
    answer = extract_sentences("How many patients were included?", chunks, document="PMID:1")
    assert answer.unknown is not answered
    if answered:
        assert answer.sentences[0].text == sentence


def test_a_count_of_others_is_not_an_answer():
    chunks = [Chunk("PMID:1@0", "PMID:1", "We enrolled 120 patients. Some died. Bread was baked.")]
    assert extract_sentences("How many patients died of stroke?", chunks, document="PMID:1").unknown


def test_words_of_one_thing_that_stand_far_apart_do_not_name_it():
    units = tuple(text_units("cystic fibrosis"))
    weights = extractive.QuestionWeights(dict.fromkeys(units, 3.0), 6.0, (AskedConcept(units),))
    far = Chunk("PMID:1@0", "PMID:1", "Cystic kidney disease and liver fibrosis have many causes.")
    near = Chunk("PMID:2@0", "PMID:2", "CFTR mutations are what causes cystic fibrosis.")
    assert extract_sentences("what causes cystic fibrosis", [far], weights).unknown
    both = extract_sentences("what causes cystic fibrosis", [far, near], weights)
    assert [sentence.text for sentence in both.sentences] == [near.text]


def test_a_question_for_a_number_is_not_answered_by_a_name_with_a_digit():
    chunk = Chunk("PMID:1@0", "PMID:1", "Some breast cancers are HER2 positive.")
    question = "what percent of breast cancers are HER2 positive"
    assert extract_sentences(question, [chunk]).unknown
    counted = Chunk("PMID:1@0", "PMID:1", "Some 20 percent of breast cancers are HER2 positive.")
    assert not extract_sentences(question, [counted]).unknown


@pytest.mark.parametrize(
    ("question", "answered"),
    [
        ("which genes are not linked to autism", False),
        ("which genes are linked to autism", True),
        ("are genes linked to autism or not", True),
    ],
)
def test_negative_question_is_not_answered_by_a_positive_sentence(question, answered):
    chunk = Chunk("PMID:1@0", "PMID:1", "The genes SHANK3 and EHMT1 are linked to autism.")
    assert extract_sentences(question, [chunk]).unknown is not answered


def test_the_second_of_two_questions_is_answered_of_the_same_thing():
    ticks = Chunk("PMID:2@0", "PMID:2", "Spirochetes are transmitted by ticks.")
    ebola = Chunk("PMID:1@0", "PMID:1", "Ebola is a deadly virus of bats.")
    question = "what is ebola and how is it transmitted"
    answer = extract_sentences(question, [ebola, ticks], always=True)
    assert [sentence.text for sentence in answer.sentences] == [ebola.text]


def test_a_passage_on_a_gene_of_a_like_name_makes_no_sure_answer(tmp_path):
    asked = "Which is the role of the IFIT1 gene in lupus?"
    results = searcher(tmp_path).search(LiteratureQuery(asked))
    texts = {
        "PMID:1": "The role of the gene IFITM1 in lupus: IFITM1 is up-regulated in lupus.",
        "PMID:2": "IFIT1 was measured.",
    }
    chunks = [Chunk(f"{id}@0", id, text) for id, text in texts.items()]
    answer = extract_sentences(asked, chunks, question_weights(results.plan))
    assert answer.unknown or answer.probable or "IFIT1" in answer.sentences[0].text


@pytest.mark.parametrize(
    ("title", "is_sure"),
    [
        ("Trial 0 of metformin in type 2 diabetes", False),
        ("Trial 0 of metformin enrolled patients with type 2 diabetes", True),
    ],
)
def test_a_title_without_a_verb_says_neither_yes_nor_no(tmp_path, title, is_sure):
    body = "We enrolled ten patients with type 2 diabetes. They were followed for a year."
    trials = [f"Trial {number} of metformin in type 2 diabetes" for number in range(1, 30)]
    papers = [(name, body) for name in (title, *trials)]
    papers += [(f"Statin {number} and pain", "Pain was recorded.") for number in range(100)]
    chunks = [
        Chunk(f"P{number}@0", f"P{number}", f"{name}\n{body}", title=name)
        for number, (name, body) in enumerate(papers)
    ]
    searching = Searcher([build_index(tmp_path / "index", chunks)])
    question = "Did trial 0 of metformin enrol patients with type 2 diabetes?"
    results = searching.search(LiteratureQuery(question), k=5)
    passages = [hit.chunk for hit in results.results]
    answer = extract_sentences(question, passages, question_weights(results.plan))
    assert answer.sentences[0].text == title and not answer.unknown
    assert answer.probable is not is_sure


@pytest.mark.parametrize(("name", "is_sure"), [("TNF", True), ("IL-6", False)])
def test_a_sure_answer_holds_every_name_of_the_question(tmp_path, name, is_sure):
    sentence = f"A blocker of {name} is the usual treatment of rheumatoid arthritis here."
    others = [f"Statin {number} eased pain in group {number}." for number in range(100)]
    aside = "TNF was measured."
    passages = [f"{sentence} {aside}", *others]
    searching = Searcher([index(tmp_path, passages)])
    question = "Which treatment of rheumatoid arthritis is a blocker of TNF?"
    results = searching.search(LiteratureQuery(question), k=5)
    chunks = [hit.chunk for hit in results.results]
    answer = extract_sentences(question, chunks, question_weights(results.plan))
    assert [answer_sentence.text for answer_sentence in answer.sentences] == [
        sentence
    ] and not answer.unknown
    assert answer.probable is not is_sure
