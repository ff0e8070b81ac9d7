"""Ways of spreading a search over parts: one contract for all."""

from __future__ import annotations

import pytest

from core.errors import SettingsError, Unreachable
from core.jobs.cluster import connect
from core.literature.index.cluster import spread_on_cluster, spread_on_threads
from core.literature.query.keyword import LiteratureQuery, parse_query
from core.literature.ranking.search import Searcher
from tests.core.literature.corpus import TEXTS, index, searcher


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("dask.distributed")
    with distributed.Client(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as llm_client:
        yield llm_client


@pytest.fixture(params=["here", "threads", "cluster"])
def spread(request):
    if request.param == "here":
        return map
    return (
        spread_on_threads(2)
        if request.param == "threads"
        else spread_on_cluster(request.getfixturevalue("client"))
    )


class TestSpread:
    @pytest.mark.parametrize("mode", ["coverage", "bm25", "pes2", "broaden"])
    @pytest.mark.parametrize(
        "query", ["renal failure drug common", "#**tau** *kinase* *p53*", "IL-10 macrophages"]
    )
    def test_index_in_several_parts_ranks_as_one_index_does(self, tmp_path, spread, mode, query):
        parts = [index(tmp_path, TEXTS[:3], "a"), index(tmp_path, TEXTS[3:], "b")]
        results = Searcher(parts, spread=spread).search(parse_query(query), mode)
        whole = searcher(tmp_path).search(parse_query(query), mode)
        assert [r.chunk.text for r in results.results] == [r.chunk.text for r in whole.results]
        assert [r.score for r in results.results] == pytest.approx(
            [r.score for r in whole.results], rel=1e-4
        )

    def test_an_empty_part_changes_nothing(self, tmp_path, spread):
        parts = [index(tmp_path, (), "none"), index(tmp_path)]
        assert (
            Searcher(parts, spread=spread).search(LiteratureQuery("tau")).results[0].chunk.document
            == "D0"
        )


def test_missing_scheduler_is_reported():
    with pytest.raises((Unreachable, SettingsError)):
        connect("tcp://127.0.0.1:9", timeout=0.2)
