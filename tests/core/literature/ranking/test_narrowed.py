"""What was wide_search, as single sentences and by the kinds of thing that are named."""

from __future__ import annotations

import pytest

from core.literature.chunk import Chunk
from core.literature.index.build import build_index
from core.literature.query.keyword import LiteratureQuery
from core.literature.query.named_thing import FoundThing
from core.literature.ranking.narrowed import NamingFilter, narrowed_results, things_named
from core.literature.ranking.search import Searcher
from core.model import Category, Span

TEXTS = {
    "PMID:1": "Clonidine lowers pressure. Naloxone reverses clonidine in rats. Nobody was harmed.",
    "PMID:2": "Rats ate well. Clonidine was not given.",
    "PMID:3": "Clonidine made hypotension worse. It rained.",
}
THINGS = {
    "clonidine": ("CHEBI:1", Category.CHEMICAL),
    "naloxone": ("CHEBI:2", Category.CHEMICAL),
    "hypotension": ("MONDO:1", Category.DISEASE),
}


def names_of(text: str) -> list[FoundThing]:
    places = ((word, text.casefold().find(word)) for word in THINGS)
    return [
        FoundThing(Span(at, at + len(word)), THINGS[word][0], word, (THINGS[word][1],))
        for word, at in places
        if at >= 0
    ]


@pytest.fixture
def wide_search(tmp_path):
    chunks = [Chunk(f"{id}@0", id, text) for id, text in TEXTS.items()]
    searcher = Searcher([build_index(tmp_path / "index", chunks)])
    return searcher.search(LiteratureQuery("Does naloxone reverse clonidine?"), k=200)


def test_sentences_come_with_their_own_offsets_the_best_first(wide_search):
    first_page = narrowed_results(wide_search, NamingFilter(), names_of, sentences=True, k=2)
    best = first_page.results[0].chunk
    assert best.text == "Naloxone reverses clonidine in rats."
    assert TEXTS["PMID:1"][best.start : best.start + len(best.text)] == best.text
    assert first_page.results[0].coverage == 1 and first_page.results[0].counts["clonidine"] == 1
    assert (
        len(first_page.results) == 2 and first_page.total == 4
    )  # two sentences hold nothing of it
    second_page = narrowed_results(
        wide_search, NamingFilter(), names_of, sentences=True, k=2, skip=2
    )
    ids = [hit.chunk.id for hit in (*first_page.results, *second_page.results)]
    assert len(set(ids)) == 4 and second_page.skipped == 2


def test_only_passages_that_name_each_kind_are_shown(wide_search):
    kinds = NamingFilter(("chemical", "disease"))
    results = narrowed_results(wide_search, kinds, names_of, sentences=False, k=10)
    assert [hit.chunk.document for hit in results.results] == ["PMID:3"]
    thing = NamingFilter(things=("CHEBI:2",))
    results = narrowed_results(wide_search, thing, names_of, sentences=False, k=10)
    assert [hit.chunk.document for hit in results.results] == ["PMID:1"]


def test_a_sentence_must_name_the_kind_itself(wide_search):
    shown = narrowed_results(
        wide_search, NamingFilter(things=("CHEBI:1",)), names_of, sentences=True, k=10
    )
    assert all("lonidine" in hit.chunk.text for hit in shown.results)
    none = narrowed_results(wide_search, NamingFilter(("gene",)), names_of, sentences=True, k=10)
    assert not none.results and none.problems[-1].code == "names-nothing"


def test_things_are_counted_by_passages(wide_search):
    first = things_named((hit.chunk for hit in wide_search.results), names_of)[0]
    assert (first.id, first.kind, first.passages) == ("CHEBI:1", "chemical", 3)
