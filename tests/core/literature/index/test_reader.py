"""The index: what goes in comes out, in blocks or whole."""

from __future__ import annotations

import json
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import NotFound, StoreError
from core.literature.chunk import Chunk
from core.literature.index import build
from core.literature.index import build as indexing
from core.literature.index.build import UnitNumbers, build_index
from core.literature.index.reader import ChunkIndex
from core.literature.index.tokens import text_units
from core.literature.query.keyword import LiteratureQuery
from core.literature.ranking.search import Searcher
from tests.core.literature.corpus import TEXTS, chunks, index


def test_chunks_come_back_as_they_were(tmp_path):
    assert list(index(tmp_path).chunks()) == chunks()


def test_postings_count_and_sequences_keep_the_order(tmp_path):
    reader = index(tmp_path, ["tau kinase tau", "bread"])
    docs, counts = reader.postings(reader.unit("tau"))
    assert docs.tolist() == [0] and counts.tolist() == [2.0]
    assert [reader.units.word(int(unit)) for unit in reader.sequence(0)] == ["tau", "kinas", "tau"]


def test_sequences_of_several_chunks_stand_one_after_the_other(tmp_path):
    reader = index(tmp_path)
    line, sizes = reader.sequences(np.array([6, 0, 3]))
    apart = [reader.sequence(number).tolist() for number in (6, 0, 3)]
    assert line.tolist() == apart[0] + apart[1] + apart[2]
    assert sizes.tolist() == [len(units) for units in apart]


ODD_TEXTS = st.text(alphabet="aB9 .,:;?!\"[]'’-^()βσİé\u0301⁶₂10\n\u2009\xa0\ud800s", max_size=60)


@given(st.lists(ODD_TEXTS, max_size=4))
def test_an_index_counts_the_units_of_texts_however_their_words_are_remembered(texts):
    units = UnitNumbers()
    numbers, ends = units.of_texts([text.encode("utf-8", "surrogatepass") for text in texts])
    names = {number: name for name, number in units.numbers.items()}
    assert [names[n] for n in numbers.tolist()] == [u for text in texts for u in text_units(text)]
    assert ends.tolist() == list(accumulate(len(text_units(text)) for text in texts))


@pytest.mark.parametrize("remembered", [300_000, 2])
def test_small_blocks_give_the_same_index(tmp_path, monkeypatch, remembered):
    whole = index(tmp_path)
    monkeypatch.setattr(indexing, "BLOCK", 3)
    monkeypatch.setattr(indexing, "BLOCK_BYTES", 3)
    monkeypatch.setattr(build, "REMEMBERED", remembered)
    parts = index(tmp_path, name="two")
    for number in range(len(whole.units)):
        assert [x.tolist() for x in whole.postings(number)] == [
            x.tolist() for x in parts.postings(number)
        ]
    assert whole.lengths.tolist() == parts.lengths.tolist()


def test_a_title_counts_twice_where_a_paper_begins_and_stands_once_in_the_sequence(tmp_path):
    titled_chunks = [
        Chunk("a@0", "a", "Bread is baked.", title="Tau"),
        Chunk("a@9", "a", "Water is cold.", 9, title="Tau"),
    ]
    reader = build_index(tmp_path / "titled", titled_chunks)
    docs, counts = reader.postings(reader.unit("tau"))
    assert docs.tolist() == [0, 1] and counts.tolist() == [2.0, 1.0]
    assert [reader.units.word(int(unit)) for unit in reader.sequence(0)] == ["tau", "bread", "bake"]
    assert reader.lengths.tolist() == [4.0, 3.0]


def test_an_empty_index_finds_nothing(tmp_path):
    assert (
        Searcher([build_index(tmp_path / "none", [])]).search(LiteratureQuery("tau")).results == ()
    )


def test_a_stopped_build_leaves_the_old_index(tmp_path):
    index(tmp_path)

    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_index(tmp_path / "one", chunks(["new"]), on_chunk=stop)
    assert len(ChunkIndex(tmp_path / "one")) == len(TEXTS)
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_an_index_in_use_survives_being_replaced(tmp_path):
    old = index(tmp_path)
    index(tmp_path, ["other"])
    assert old.text(0) == TEXTS[0]


@pytest.mark.parametrize(
    "name", ["docs.bin", "texts.bin", "sequences.bin", "units.words", "index.json"]
)
def test_a_file_that_was_cut_off_is_reported(tmp_path, name):
    path = index(tmp_path).folder / name
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(StoreError, match="cannot be read"):
        ChunkIndex(tmp_path / "one")


def test_a_missing_or_foreign_index_is_reported(tmp_path):
    with pytest.raises(NotFound):
        ChunkIndex(tmp_path / "nowhere")
    index(tmp_path)
    (tmp_path / "one" / "index.json").write_text(json.dumps({"format": 99, "key": ""}))
    with pytest.raises(StoreError):
        ChunkIndex(tmp_path / "one")
