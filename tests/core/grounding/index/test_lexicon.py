"""A vocabulary compiled once and reopened; files that are wrong are explained."""

from __future__ import annotations

import gzip
import threading

import pytest

from core.errors import InputError
from core.grounding.index import build
from core.grounding.index.lexicon import open_lexicon
from core.grounding.match import normalise
from core.grounding.readers.record import SynonymScope


def test_terms_keep_their_names_parents_and_version(mini, tmp_path):
    lexicon = open_lexicon(mini, tmp_path / "i.sqlite")
    term = lexicon.term("M:2")
    assert (term.label, term.parents) == ("heart failure", ("M:1",))
    assert [(name.text, name.scope) for name in term.names][1] == (
        "cardiac insufficiency",
        SynonymScope.EXACT,
    )
    assert (lexicon.version, lexicon.term_count, lexicon.prefixes) == ("3", 17, {"M": 17})


def test_an_index_is_reopened_and_not_built_again(mini, tmp_path, monkeypatch):
    open_lexicon(mini, tmp_path / "i.sqlite")
    monkeypatch.setattr(build, "build_index", None)
    assert open_lexicon(mini, tmp_path / "i.sqlite").term("M:1").label == "disease"


def test_a_changed_file_is_built_again(mini, tmp_path):
    open_lexicon(mini, tmp_path / "i.sqlite")
    mini.write_text(mini.read_text() + "M\tM:18\tnew\tnew\tlabel\n")
    assert open_lexicon(mini, tmp_path / "i.sqlite").term("M:18").label == "new"


def test_a_damaged_index_is_built_again(mini, tmp_path):
    (tmp_path / "i.sqlite").write_bytes(b"SQLite format 3\0 and nothing more")
    assert open_lexicon(mini, tmp_path / "i.sqlite").term("M:1")


def test_two_builders_at_once_leave_one_good_index(mini, tmp_path):
    threads = [
        threading.Thread(target=open_lexicon, args=(mini, tmp_path / "i.sqlite")) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert open_lexicon(mini, tmp_path / "i.sqlite").term_count == 17
    assert not list(tmp_path.glob(".*.part"))


def test_one_lexicon_serves_many_threads(mini, tmp_path):
    lexicon, labels = open_lexicon(mini, tmp_path / "i.sqlite"), []
    threads = [
        threading.Thread(target=lambda: labels.append(lexicon.term("M:3").label)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert labels == ["breast cancer"] * 8


def test_obsolete_ids_lead_to_what_took_their_place(mini, tmp_path):
    lexicon = open_lexicon(mini, tmp_path / "i.sqlite")
    assert lexicon.obsolete("M:90") == (True, "M:2")
    assert lexicon.obsolete("M:2") == (False, "")


def test_ancestors_follow_is_a(mini, tmp_path):
    assert open_lexicon(mini, tmp_path / "i.sqlite").ancestors("M:14") == {"M:13", "M:1"}


def test_search_takes_the_last_word_as_a_beginning(mini, tmp_path):
    assert [hit.id for hit in open_lexicon(mini, tmp_path / "i.sqlite").search("malig hyper")] == []
    assert [
        hit.id for hit in open_lexicon(mini, tmp_path / "i.sqlite").search("malignant hyper")
    ] == ["M:5"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"\x00\x01\xff", "binary"),
        (b"hello\nworld\n", "format that is known"),
    ],
)
def test_a_file_that_is_not_a_vocabulary_is_refused_with_the_reason(tmp_path, content, says):
    path = tmp_path / "x.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        open_lexicon(path, tmp_path / "i.sqlite")
    assert not (tmp_path / "i.sqlite").exists()


def test_a_truncated_gzip_is_refused_with_the_reason(mini, tmp_path):
    path = tmp_path / "cut.tsv.gz"
    path.write_bytes(gzip.compress(mini.read_bytes() * 50)[:-40])
    with pytest.raises(InputError, match=r"damaged|cut short"):
        open_lexicon(path, tmp_path / "i.sqlite")


def test_two_labels_of_one_id_are_both_kept_and_reported(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("id\tlabel\nX:1\tfirst\nX:1\tsecond\n")
    lexicon = open_lexicon(path, tmp_path / "i.sqlite")
    assert [problem.code for problem in lexicon.problems] == ["duplicate-id"]
    assert [name.text for name in lexicon.term("X:1").names] == ["first", "second"]


def test_malformed_lines_are_reported_by_number_and_the_rest_is_kept(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("id\tlabel\nX:1\tfirst\nno tab here\nnot an id\tlost\nX:2\tsecond\n")
    lexicon = open_lexicon(path, tmp_path / "i.sqlite")
    assert [(problem.code, problem.where) for problem in lexicon.problems] == [
        ("malformed-line", "line 3"),
        ("malformed-id", "line 4"),
    ]
    assert lexicon.term_count == 2


def test_prefixes_are_written_as_the_desk_writes_them(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("prefix\tid\tlabel\nmesh\tD000001\tone\nmesh\tmesh:D000002\ttwo\n")
    assert open_lexicon(path, tmp_path / "i.sqlite").term("mesh:d000001").id == "MESH:D000001"


def test_every_name_is_found_by_its_own_words_and_others_are_not(mini, tmp_path):
    lexicon = open_lexicon(mini, tmp_path / "i.sqlite")
    names = [name.text for number in range(1, 18) for name in lexicon.term(f"M:{number}").names]
    assert all(lexicon.names(normalise.name_key(name)) for name in names)
    assert not any(lexicon.has(("no", "such", "name", str(number))) for number in range(1000))


def test_near_names_share_rare_words(mini, tmp_path):
    lexicon = open_lexicon(mini, tmp_path / "i.sqlite")
    hits = [hit.id for hit in lexicon.similar_names(("kleefstra", "syndrome"))]
    assert set(hits[:2]) == {"M:13", "M:14"}
    assert lexicon.similar_names(("unheard",)) == []


def test_near_names_that_lack_a_needed_word_are_left_out(mini, tmp_path):
    lexicon = open_lexicon(mini, tmp_path / "i.sqlite")
    stems = ("kleefstra", "1")
    assert "M:13" in {hit.id for hit in lexicon.similar_names(stems)}
    assert {hit.id for hit in lexicon.similar_names(stems, stems)} == {"M:14"}
    assert lexicon.similar_names((*stems, "unheard"), ("unheard",)) == []


def test_a_rebuilt_index_leaves_no_old_names_behind(mini, tmp_path):
    open_lexicon(mini, tmp_path / "i.sqlite")
    mini.write_text(mini.read_text() + "M\tM:18\tnew\tnew\tlabel\n")
    open_lexicon(mini, tmp_path / "i.sqlite")
    assert len(list(tmp_path.glob("i.*.names"))) == 1


def test_words_with_equal_length_and_beginning_are_looked_up_correctly(tmp_path):
    table = tmp_path / "rare.tsv"
    names = ("smolka", "smołka", "smolkanitis", "smołkanit", "tmolka")
    rows = [f"R:{n}\t{name}" for n, name in enumerate(names)]
    table.write_text("id\tlabel\n" + "\n".join(rows) + "\n", encoding="utf-8")
    lexicon = open_lexicon(table, tmp_path / "i.sqlite")
    assert set(lexicon.words_like("smolka", 1)) == {"smolka", "smołka"}
    assert set(lexicon.words_like("smolkanit", 2)) == {"smolkanitis", "smołkanit"}
