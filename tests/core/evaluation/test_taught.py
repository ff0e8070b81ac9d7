"""What a curator would correct on other texts, and that the desk then knows it."""

from __future__ import annotations

from core.desk import open_desk
from core.evaluation.taught import (
    SeenName,
    TaughtName,
    grounder_with_memory,
    names_to_teach,
    taught_memory,
)
from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.settings import load_settings


def test_a_name_is_corrected_once_to_what_people_meant_most_often() -> None:
    seen = [
        SeenName("Dyskinesia", ("M:2",), "M:1", "disease"),
        SeenName("dyskinesia", ("M:2",), "M:1", "disease"),
        SeenName("dyskinesia", ("M:1",), "M:1", "disease"),
    ]
    assert list(names_to_teach(seen)) == [TaughtName("Dyskinesia", "M:2", "disease")]


def test_correction_that_is_wrong_as_often_as_right_is_not_taught() -> None:
    seen = [SeenName("x", ("M:1",), "M:1"), SeenName("x", ("M:2",), "M:1")]
    assert list(names_to_teach(seen)) == []


def test_words_that_mean_nothing_three_times_are_never_linked() -> None:
    seen = [SeenName("model", (), "M:9", "disease")] * 3
    assert list(names_to_teach(seen)) == [TaughtName("model", "", "disease")]
    assert list(names_to_teach(seen[:2])) == []


def test_lessons_are_used_and_leave_the_project_alone(tmp_path) -> None:
    file = tmp_path / "v.tsv"
    file.write_text("id\tlabel\nM:1\tdyskinesia\nM:2\tdrug dyskinesia\n")
    desk = open_desk(load_settings(tmp_path / "p"))
    grounder = Grounder(VocabularyRegistry(None, tmp_path / "i", files=[file]))
    with taught_memory(
        desk, [TaughtName("dyskinesia", "M:2"), TaughtName("drug dyskinesia", "")]
    ) as memory:
        taught = grounder_with_memory(grounder, memory)
        term, _ = choose_candidate(taught.ground("Dyskinesia", Constraint(("v",))))
        assert term is not None
        assert term.id == "M:2"
        assert taught.ground("drug dyskinesia", Constraint(("v",))) == ()
    assert desk.store.synonyms.all() == []
