"""Chips of a question: what vocabularies know, and phrases that the corpus bears out."""

from __future__ import annotations

from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.literature.query.keyword import Keyword, LiteratureQuery
from core.literature.query.named_thing import NamedThing, VocabularyNames
from core.literature.query.plan import SearchOptions
from core.literature.ranking.search import Searcher
from core.model import Category, Span
from tests.core.literature.corpus import index

TEXTS = (
    "De novo VPS4A mutations cause a disease of the brain.",
    "Azidothymidine was given to adults with heart failure.",
    "Zidovudine was given to children. Heart failure followed.",
    "Bread is baked from flour.",
)
WORDS = "zidovudine"
THING = NamedThing(
    Span(4, 14), WORDS, "MESH:D015215", "Zidovudine", Category.CHEMICAL, ("Azidothymidine",)
)


def names(question: str) -> list[NamedThing]:
    return [THING] if question[4:14] == WORDS else []


def test_four_words_of_a_question_in_a_row_are_no_chip(tmp_path):
    corpus = Searcher([index(tmp_path, TEXTS)])
    chips = corpus.plan(
        LiteratureQuery("Which disease is caused by de novo VPS4A mutations?")
    ).keywords
    assert [chip.text for chip in chips] == [
        "disease",
        "de",
        "novo",
        "VPS4A",
        "mutations",
    ]


def test_a_phrase_found_in_the_corpus_is_one_chip(tmp_path):
    corpus = Searcher([index(tmp_path, TEXTS)])
    chips = corpus.plan(LiteratureQuery("children with heart failure")).keywords
    assert [chip.text for chip in chips] == ["children", "heart failure"]


def test_a_thing_is_found_by_its_other_names_and_its_chip_tells_its_kind(tmp_path):
    corpus = Searcher([index(tmp_path, TEXTS)], find_names=names)
    results = corpus.search(LiteratureQuery("Was zidovudine given?"))
    assert {hit.chunk.document for hit in results.results[:2]} == {"D1", "D2"}
    chip = results.keywords[0]
    assert (chip.text, chip.kind, chip.synonyms) == (WORDS, "chemical", ("Azidothymidine",))


def test_other_names_are_left_alone_when_asked(tmp_path):
    corpus = Searcher([index(tmp_path, TEXTS)], find_names=names)
    plan = corpus.plan(LiteratureQuery("Was zidovudine given?"), options=SearchOptions(names=False))
    assert plan.keywords[0].kind == "chemical"
    assert plan.keywords[0].synonyms == ()


def test_chips_that_a_curator_kept_keep_their_names(tmp_path):
    corpus = Searcher([index(tmp_path, TEXTS)], find_names=names)
    asked = LiteratureQuery("Was zidovudine given?", (Keyword(WORDS),))
    assert corpus.plan(asked).keywords[0].synonyms == ("Azidothymidine",)


def test_a_vocabulary_names_what_a_question_holds(tmp_path):
    (tmp_path / "mondo.tsv").write_text(
        "prefix\tid\tlabel\tsynonym\tscope\n"
        "MONDO\tMONDO:0004975\tAlzheimer disease\tAlzheimer disease\tlabel\n"
        "MONDO\tMONDO:0004975\tAlzheimer disease\tpresenile dementia\tEXACT\n",
        encoding="utf-8",
    )
    find = VocabularyNames(Grounder(VocabularyRegistry(tmp_path, tmp_path / "indexes")))
    (thing,) = find("What causes Alzheimer's disease?")
    assert (thing.id, thing.kind) == ("MONDO:0004975", Category.DISEASE)
    assert "presenile dementia" in thing.names
