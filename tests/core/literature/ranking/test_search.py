"""Searching: modes, options and what they say."""

from __future__ import annotations

import pytest

from core.errors import InputError, SettingsError, Unreachable
from core.literature.query.keyword import Keyword, LiteratureQuery, parse_query
from core.literature.query.plan import SearchOptions
from core.literature.ranking import vectors
from core.literature.ranking.search import Searcher
from core.literature.ranking.vectors import Vectors
from tests.core.literature.corpus import TEXTS, index, searcher


def documents(search_result) -> list[str]:
    return [result.chunk.document for result in search_result.results]


@pytest.mark.parametrize(
    "mode",
    [
        "coverage",
        "bm25",
        "pes2",
        "broaden",
        "bm25-published",
    ],
)
def test_every_mode_finds_the_chunk_with_the_words(tmp_path, mode):
    assert (
        documents(searcher(tmp_path).search(LiteratureQuery("kinase tau neurons"), mode))[0] == "D0"
    )


def test_cohesive_words_become_one_keyword(tmp_path):
    keywords = (
        searcher(tmp_path).plan(LiteratureQuery("Does the drug bring renal failure?")).keywords
    )
    assert [keyword.text for keyword in keywords] == ["drug", "bring", "renal failure"]


@pytest.mark.parametrize("query", ["il10", "IL-10", "IL 10"])
def test_symbols_are_found_however_they_are_written(tmp_path, query):
    assert documents(searcher(tmp_path).search(LiteratureQuery(query)))[0] == "D3"


def test_counts_and_coverage_explain_a_result(tmp_path):
    best = searcher(tmp_path).search(parse_query("#**acute** *renal failure*")).results[0]
    assert best.chunk.document == "D4" and best.coverage == 1.0
    assert best.counts == {"acute": 1, "renal failure": 2}
    parts = best.parts
    assert best.score == pytest.approx(
        (parts["words"] + parts["consecutive words"]) * parts["times coverage"]
        + parts.get("like other good passages", 0)
        + parts.get("words close together", 0),
        rel=1e-3,
    )


@pytest.mark.parametrize(
    ("written", "searched"),
    [("fibrosis", "fibrotic"), ("bacteria", "bacterial"), ("Wilson's", "Wilson")],
)
def test_latin_endings_and_possessives_are_one_word(tmp_path, written, searched):
    results = searcher(tmp_path, [f"A case of {written} lung.", "Bread."]).search(
        LiteratureQuery(f"{searched} lung")
    )
    assert results.results[0].coverage == 1.0


def test_words_that_ask_weigh_less_than_what_is_asked_about(tmp_path):
    corpus = searcher(tmp_path, ["A mechanism.", "A kinase.", "Bread.", "Water."])
    plain = corpus.search(LiteratureQuery("mechanism kinase")).results
    assert (
        documents(corpus.search(LiteratureQuery("mechanism kinase")))[0] == "D1"
        and plain[0].score > 2 * plain[1].score
    )
    named = corpus.search(parse_query("#*mechanism* *kinase*")).results
    assert named[0].score == pytest.approx(named[1].score)


def test_a_fixed_keyword_puts_its_chunks_first(tmp_path):
    question = LiteratureQuery(
        "renal failure heart", (Keyword("renal failure"), Keyword("heart", fixed=True))
    )
    assert documents(searcher(tmp_path).search(question)) == ["D5", "D4"]


def test_a_strict_question_leaves_the_others_out(tmp_path):
    assert documents(searcher(tmp_path).search(parse_query("##*renal failure* **heart**"))) == [
        "D5"
    ]


def test_a_typing_error_is_repaired_and_reported(tmp_path):
    results = searcher(tmp_path).search(LiteratureQuery("phosphorilates tau"))
    assert [(r.word, r.instead) for r in results.repairs] == [("phosphorilates", "phosphorylates")]
    assert documents(results)[0] == "D0"
    assert (
        searcher(tmp_path)
        .search(LiteratureQuery("phosphorilates"), options=SearchOptions(repair=False))
        .results
        == ()
    )


def test_another_gene_symbol_is_not_a_spelling(tmp_path):
    assert searcher(tmp_path).search(LiteratureQuery("p54 level")).repairs == ()


@pytest.mark.parametrize(
    "asked", ["tau kinase", "AROM+ kinase", "AROM kinase", "FOXO3 kinase", "β-catenin", "NETosis"]
)
def test_a_symbol_that_no_chunk_holds_is_left_as_typed_and_its_nearest_word_offered(
    tmp_path, asked
):
    corpus = searcher(
        tmp_path, ["A kinase.", "Tac, aroma, ketosis, FOXP3.", "The bexa catenin.", "Bread."]
    )
    results = corpus.search(LiteratureQuery(asked))
    assert results.repairs == () and results.question.text == asked
    offers = [
        problem.message + problem.hint
        for problem in results.problems
        if problem.code == "unknown-symbol"
    ]
    assert asked.startswith("β") or any(
        near in offers[0] for near in ("“tac”", "“aroma”", "“foxp3”", "“ketosis”")
    )


@pytest.mark.parametrize(
    ("asked", "near"),
    [("how to bake bread", "base"), ("Paris bread", "pairs"), ("winter bread", "winner")],
)
def test_real_word_is_left_as_typed_and_its_nearest_word_offered(tmp_path, asked, near):
    corpus = searcher(tmp_path, ["The base pairs of a winner.", "Bread.", "Water."])
    results = corpus.search(LiteratureQuery(asked))
    assert results.repairs == () and results.question.text == asked
    assert any(f"“{near}”" in problem.hint for problem in results.problems)


def test_a_word_made_of_one_that_chunks_hold_is_not_a_typing_error(tmp_path):
    corpus = searcher(tmp_path, ["Drugs treat gout.", "A testable idea.", "Bread."])
    results = corpus.search(LiteratureQuery("is gout treatable"))
    assert results.repairs == () and results.question.text == "is gout treatable"
    assert [r.instead for r in corpus.search(LiteratureQuery("gout testible")).repairs] == [
        "testable"
    ]


@pytest.mark.parametrize(
    ("asked", "instead"),
    [("metfromin", "metformin"), ("glucsse lower", "glucose")],
)
def test_typo_in_a_long_word_or_beside_the_other_words_is_corrected(tmp_path, asked, instead):
    corpus = searcher(tmp_path, ["Metformin may lower glucose.", "Q phosphorylates tau.", "Bread."])
    assert [r.instead for r in corpus.search(LiteratureQuery(asked)).repairs] == [instead]


def test_a_symbol_is_repaired_where_the_other_words_of_the_question_stand_beside_its_nearest_word(
    tmp_path,
):
    corpus = searcher(tmp_path, ["Kinase Q phosphorylates FOXP3 in cells.", "Bread."])
    assert [
        r.instead
        for r in corpus.search(LiteratureQuery("Which kinase phosphorylates FOXPP3?")).repairs
    ] == ["foxp3"]


def test_a_synonym_counts_as_the_keyword(tmp_path):
    question = LiteratureQuery(
        "kidney insufficiency", (Keyword("kidney insufficiency", synonyms=("renal failure",)),)
    )
    results = searcher(tmp_path).search(question, options=SearchOptions(repair=False))
    assert set(documents(results)[:2]) == {"D4", "D5"} and results.results[0].coverage == 1.0


def test_query_of_stop_words_alone_is_refused(tmp_path):
    with pytest.raises(InputError, match="only stop words"):
        searcher(tmp_path).search(LiteratureQuery("what is it of the"))


@pytest.mark.parametrize("query", ["# *the* **of**", "#*** **", "#**", "##"])
def test_starred_stop_words_and_signs_are_refused(tmp_path, query):
    with pytest.raises(InputError, match="only stop words"):
        searcher(tmp_path).search(parse_query(query))


@pytest.mark.parametrize("mode", ["coverage", "pes2"])
def test_required_keywords_that_no_chunk_holds_together_are_named(tmp_path, mode):
    results = searcher(tmp_path).search(parse_query("##**tau** **bread**"), mode)
    assert results.results == () and results.problems[0].message.endswith(" keywords: tau, bread.")


def test_the_keyword_that_no_chunk_holds_is_named(tmp_path):
    results = searcher(tmp_path).search(
        parse_query("#**tau** *zebrafish*"), options=SearchOptions(repair=False)
    )
    assert results.problems[0].message == "No passage contains zebrafish."


def test_search_without_results_says_so(tmp_path):
    results = searcher(tmp_path).search(
        LiteratureQuery("zebrafish"), options=SearchOptions(repair=False)
    )
    assert results.results == () and results.problems[0].message == "No passage contains zebrafish."


def test_results_do_not_depend_on_how_the_corpus_is_cut(tmp_path):
    whole = searcher(tmp_path).search(LiteratureQuery("renal failure drug common"))
    parts = Searcher([index(tmp_path, TEXTS[:4], "a"), index(tmp_path, TEXTS[4:], "b")])
    results = parts.search(LiteratureQuery("renal failure drug common"))
    assert [r.chunk.text for r in results.results] == [r.chunk.text for r in whole.results]
    assert [r.score for r in results.results] == pytest.approx(
        [r.score for r in whole.results], rel=1e-5
    )


@pytest.mark.parametrize("mode", ["coverage", "pes2"])
def test_synonym_groups_work_in_every_mode(tmp_path, mode):
    options = SearchOptions(repair=False, synonyms={"kidney": ("renal",)})
    assert set(
        documents(searcher(tmp_path).search(LiteratureQuery("kidney"), mode, options=options))
    ) == {
        "D4",
        "D5",
    }


def test_marks_of_the_curator_count(tmp_path):
    options = SearchOptions(marks=True, excluded=frozenset({"D4"}))
    assert documents(
        searcher(tmp_path).search(LiteratureQuery("renal failure"), options=options)
    ) == ["D5"]


def test_broadening_shows_what_it_added(tmp_path):
    assert "neuron" in searcher(tmp_path).search(LiteratureQuery("kinase tau"), "broaden").added


class Letters:
    """Embeds by counting a few letters."""

    model = "letters"
    calls = 0

    def embed(self, texts):
        Letters.calls += 1
        return [[text.lower().count(letter) + 0.01 for letter in "tkbrfw"] for text in texts]


def test_embeddings_rank_by_cosine_and_are_kept(tmp_path):
    corpus = Searcher([index(tmp_path)], vectors=Vectors(Letters()))
    assert corpus.search(LiteratureQuery(TEXTS[7]), "pes1").results[0].chunk.document == "D7"
    before = Letters.calls
    corpus.search(LiteratureQuery("bread"), "pes1")
    assert Letters.calls == before + 1


class Failing(Letters):
    """Answers `left` times, then fails; `size` numbers a vector."""

    model, left, size = "failing", 2, 6

    def embed(self, texts):
        if not self.left:
            raise Unreachable("The endpoint does not answer.")
        self.left -= 1
        self.asked = [*getattr(self, "asked", ()), *texts]
        return [vector[: self.size] for vector in super().embed(texts)]


def test_passages_embedded_before_a_fault_are_not_embedded_again(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "BATCH", 3)
    embedder = Failing()
    corpus = Searcher([index(tmp_path)], vectors=Vectors(embedder))
    with pytest.raises(Unreachable):
        corpus.search(LiteratureQuery("bread"), "pes1")
    embedder.left = 9
    assert corpus.search(LiteratureQuery(TEXTS[7]), "pes1").results[0].chunk.document == "D7"
    assert embedder.asked.count(TEXTS[0]) == 1


def test_model_whose_vectors_change_length_is_asked_again(tmp_path):
    embedder = Failing()
    corpus = Searcher([index(tmp_path)], vectors=Vectors(embedder))
    corpus.search(LiteratureQuery("bread"), "pes1")
    embedder.left, embedder.size = 9, 4
    assert corpus.search(LiteratureQuery(TEXTS[0]), "pes1").results


def test_rebuilt_index_asks_for_no_vector_twice(tmp_path):
    embedder = Failing()
    embedder.left = 9
    part = index(tmp_path)
    assert Vectors(embedder).make(part) == len(TEXTS)
    for file in part.folder.glob("vectors-*"):
        file.unlink()  # as when the index is made anew
    asked = len(embedder.asked)
    progress = []
    Vectors(embedder).make(part, lambda done, total: progress.append((done, total)))
    assert embedder.asked[asked:] == [TEXTS[0]]  # how long a vector is
    assert progress == [(len(TEXTS), len(TEXTS))]


def test_words_and_meaning_are_joined_by_their_places(tmp_path):
    corpus = Searcher([index(tmp_path)], vectors=Vectors(Letters()))
    best = corpus.search(LiteratureQuery(TEXTS[7]), "hybrid").results[0]
    assert best.chunk.document == "D7"
    assert best.parts == {"place by words": 1.0, "place by meaning": 1.0}
    assert best.score == pytest.approx(2 / 61, abs=1e-6)


def test_without_an_endpoint_embeddings_say_what_they_need(tmp_path):
    with pytest.raises(SettingsError, match="no embedding model"):
        searcher(tmp_path).search(LiteratureQuery("tau"), "pes1")


def test_a_pathological_keyword_does_not_hang(tmp_path):
    results = searcher(tmp_path).search(
        LiteratureQuery("tau", (Keyword("(a|a)*$" * 20), Keyword("tau"))), "pes2"
    )
    assert documents(results) == ["D0"]


@pytest.mark.parametrize("mode", ["coverage", "bm25", "pes2", "broaden"])
def test_pages_of_a_long_list_hold_every_chunk_once(tmp_path, mode):
    texts = [f"Kinase Q {'meets tau ' * (n % 5)}in cell {n}." for n in range(730)]
    corpus = searcher(tmp_path, texts)
    pages = [
        corpus.search(LiteratureQuery("kinase tau"), mode, 100, skip=at)
        for at in range(0, 800, 100)
    ]
    listed = [document for page in pages for document in documents(page)]
    assert len(listed) == len(set(listed)) == 730 == pages[0].total and pages[7].skipped == 700
    assert listed[:10] == documents(corpus.search(LiteratureQuery("kinase tau"), mode, 10))


ABSENT = ("S1P1 receptors in 1 cell.", "Breast cancer in 2 families.", "Bread.")


def test_a_symbol_that_the_corpus_lacks_finds_nothing_and_is_named(tmp_path):
    results = searcher(tmp_path, ABSENT).search(LiteratureQuery("BRCA1"))
    assert results.results == ()
    assert [problem.message for problem in results.problems] == ["No passage contains BRCA1."]


def test_a_word_that_the_corpus_lacks_is_named_among_others_and_counts_in_the_coverage(tmp_path):
    results = searcher(tmp_path, ABSENT).search(LiteratureQuery("BRCA1 in breast cancer families"))
    assert documents(results) == ["D1"] and 0 < results.results[0].coverage < 0.75
    assert "No passage contains BRCA1." in [problem.message for problem in results.problems]


@pytest.mark.parametrize("asked", ["IL10", "interleukin-10", "TGF-β1"])
def test_pieces_of_a_symbol_are_not_the_symbol(tmp_path, asked):
    texts = ["In group 10 it fell.", "Factor 1 rose.", "Bread."]
    assert searcher(tmp_path, texts).search(LiteratureQuery(asked)).results == ()


@pytest.mark.parametrize(
    ("asked", "written"),
    [("IL10", "IL 10"), ("TGF-β1", "TGF-beta 1"), ("TGF-β1", "TGFB1"), ("TGFB1", "TGF-β1")],
)
def test_a_symbol_is_found_as_a_unit_however_it_is_parted(tmp_path, asked, written):
    texts = [f"The {written} level rose.", "IL 6 and 10 more.", "TGF in 1 case of beta."]
    results = searcher(tmp_path, texts).search(LiteratureQuery(asked))
    assert documents(results) == ["D0"]


def test_no_chunk_covers_more_than_the_share_of_keywords_that_it_shows(tmp_path):
    texts = ["Failure of the renal graft in a dog.", "Renal failure of a cat.", "Bread."]
    question = LiteratureQuery("renal failure dog", (Keyword("renal failure"), Keyword("dog")))
    hits = {hit.chunk.document: hit for hit in searcher(tmp_path, texts).search(question).results}
    assert hits["D0"].counts["renal failure"] == 0 and hits["D0"].coverage <= 0.5


def test_words_that_only_ask_are_no_keywords(tmp_path):
    plan = searcher(tmp_path).plan(LiteratureQuery("What is the role of tau in bread?"))
    assert [keyword.text for keyword in plan.keywords] == ["tau", "bread"]


@pytest.mark.parametrize("typed", ["wich kinase phosphorylates tau", "waht kinase of tau"])
def test_a_mistyped_question_word_is_not_a_word_of_the_papers(tmp_path, typed):
    results = searcher(tmp_path, (*TEXTS, "A rich diet.", "A wheat diet.")).search(
        LiteratureQuery(typed)
    )
    assert results.repairs[0].instead in ("which", "what")
    assert not {"rich", "wheat", "wich", "waht"} & {keyword.text for keyword in results.keywords}
    assert not results.problems


@pytest.mark.parametrize("typed", ["whats the kinase of tau", "why doesnt kinase hit tau"])
def test_a_question_word_without_its_apostrophe_is_not_a_word_of_the_papers(tmp_path, typed):
    results = searcher(tmp_path, (*TEXTS, "HATs acetylate.", "HATs work.")).search(
        LiteratureQuery(typed)
    )
    assert not {"hats", "whats", "doesnt"} & {k.text.casefold() for k in results.keywords}


def test_versus_is_not_a_keyword(tmp_path):
    results = searcher(tmp_path).search(LiteratureQuery("tau vs p53"))
    assert [keyword.text for keyword in results.keywords] == ["tau", "p53"]


@pytest.mark.parametrize("mode", ["coverage", "bm25", "pes2"])
@pytest.mark.parametrize("asked", ["10^6", "10⁶", "10<sup>6</sup>", "10(6)"])
def test_a_power_of_ten_is_one_keyword_and_no_other_number(tmp_path, mode, asked):
    texts = ["10^6 cells", "10⁶ cells", "10(6) cells", "106 cells", "10 to 6", "10⁻⁶ M"]
    ranked = searcher(tmp_path, texts).search(parse_query(asked), mode)
    assert sorted(documents(ranked)) == ["D0", "D1", "D2"]
    assert [result.counts for result in ranked.results] == [{"10^6": 1}] * 3
    assert documents(searcher(tmp_path, texts).search(parse_query("106"), mode)) == ["D3"]


@pytest.mark.parametrize("mode", ["coverage", "bm25", "pes2"])
def test_als_is_not_the_al_of_et_al(tmp_path, mode):
    texts = ["Genes of ALS are known.", "As shown by Roe et al. in genes.", "Nothing of it."]
    ranked = searcher(tmp_path, texts).search(parse_query("als"), mode)
    assert documents(ranked) == ["D0"]
