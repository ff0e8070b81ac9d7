"""A vocabulary is compiled once, whoever asks, and no page waits for it."""

from __future__ import annotations

import threading

import pytest

from core.errors import InputError
from core.grounding.index import compile as compiling
from core.grounding.index.compile import (
    CompileTask,
    VocabularyPreparing,
    compile_once,
    in_children,
    index_is_ready,
)
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.install.base_set import BaseSet


@pytest.fixture
def task(tmp_path, mini):
    return CompileTask(mini, tmp_path / "i" / "mini.sqlite", "mini")


def test_concurrent_compilations_build_a_vocabulary_once(task, monkeypatch):
    built, build = [], compiling.lexicon_build.build_index
    monkeypatch.setattr(
        compiling.lexicon_build, "build_index", lambda *a, **k: (built.append(1), build(*a, **k))
    )
    threads = [threading.Thread(target=compile_once, args=(task,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert built == [1]
    assert index_is_ready(task)


def test_a_child_process_compiles_and_a_second_child_has_nothing_to_do(task):
    children = in_children([task])
    assert [child.wait(60) for child in children] == [0]
    assert index_is_ready(task)
    assert in_children([task]) == ()


def test_two_children_share_a_list_of_vocabularies(tmp_path, mini):
    tasks = [CompileTask(mini, tmp_path / "i" / f"{name}.sqlite", name) for name in "abc"]
    for child in in_children(tasks):
        assert child.wait(60) == 0
    assert all(map(index_is_ready, tasks))


def test_a_file_that_a_child_cannot_read_says_why(tmp_path, task):
    task.source.write_text("no table")
    compiling.main([str(task.source), str(task.index), "mini"])
    assert "that is known" in compiling.compile_failure(task.index)


def test_a_page_never_waits_for_a_large_file(tmp_path, mini, monkeypatch):
    (tmp_path / "v").mkdir()
    mini.rename(tmp_path / "v" / "mini.tsv")
    monkeypatch.setattr("core.grounding.index.open_lexicons.SMALL", 10)
    registry = VocabularyRegistry(tmp_path / "v", tmp_path / "i", starters=None, patient=False)
    with pytest.raises(VocabularyPreparing):
        registry.lexicon("mini")
    assert list(registry.preparing()) == ["mini"]
    for child in next(iter(registry._lexicons._children.values())):
        child.wait(60)
    assert registry.lexicon("mini").term_count == 17
    assert registry.preparing() == {}


def test_the_base_set_stands_in_when_it_is_compiled_and_starters_until_then(tmp_path):
    base = BaseSet(tmp_path / "cache")
    registry = VocabularyRegistry(tmp_path / "v", tmp_path / "i", base=base, patient=False)
    assert registry.files()["ucum"].suffix == ".tsv"
    compile_once(CompileTask(base.vocabularies["ucum"].path, base.index("ucum"), "ucum"))
    assert registry.files()["ucum"] == base.vocabularies["ucum"].path
    assert registry.lexicon("ucum").version == "undated base set"
    assert registry.holds("ucum") == ("unit",)


def test_a_patient_registry_compiles_what_it_is_asked_for_and_no_more(tmp_path):
    base = BaseSet(tmp_path / "cache")
    registry = VocabularyRegistry(tmp_path / "v", tmp_path / "i", base=base)
    assert [lexicon.name for lexicon in registry.lexicons(("UO",))] == ["uo"]
    assert [path.name.split("-")[0] for path in base.indexes.glob("*.sqlite")] == ["uo"]
    assert registry.versions()["mesh"] == base.vocabularies["mesh"].version


def test_unknown_name_is_answered_with_the_known_ones(tmp_path):
    with pytest.raises(InputError, match="There are"):
        VocabularyRegistry(tmp_path / "v", tmp_path / "i").lexicon("nothing")
