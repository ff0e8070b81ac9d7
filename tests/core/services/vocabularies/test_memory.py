"""Each correction is needed once: what is remembered is used, listed, moved and taken back."""

from __future__ import annotations

import pytest

from core.desk import Desk, open_desk
from core.errors import InputError, NotFound
from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import Recogniser
from core.model import Category
from core.services.vocabularies import memory
from core.settings import Settings

WHO = "0000-0002-1825-0097"
TABLE = "id\tlabel\tsynonym\tscope\nX:1\tfever\tfever\tlabel\nX:2\theat\tfever\tEXACT\n"


@pytest.fixture
def desk(tmp_path):
    (tmp_path / "vocabularies").mkdir(parents=True)
    (tmp_path / "vocabularies" / "x.tsv").write_text(TABLE)
    with_desk = open_desk(Settings(project=tmp_path))
    yield with_desk
    with_desk.close()


def meant(desk: Desk, words: str, category: Category = Category.THING) -> str:
    term, _ = choose_candidate(desk.grounder().ground(words, Constraint(("x",), category=category)))
    return term.id if term else ""


def test_an_id_that_words_do_not_mean_is_never_chosen_again(desk):
    assert meant(desk, "Fever") == "X:1"
    memory.remember_refusal(desk, "fever", WHO, id="X:1", reason="here it is heat")
    assert meant(desk, "Fever") == "X:2"
    (rule,) = memory.remembered_names(desk, "fev")
    assert (rule.verdict, rule.id, rule.reason, rule.curator) == (
        "not", "X:1", "here it is heat", WHO,
    )  # fmt: skip
    memory.forget_name(desk, rule.key, WHO)
    assert meant(desk, "Fever") == "X:1"


def test_words_that_are_never_linked_are_neither_grounded_nor_found_in_texts(desk):
    memory.remember_refusal(desk, "fever", WHO)
    assert meant(desk, "fevers") == ""
    assert Recogniser(desk.grounder()).annotate("He had fever.", {"": Constraint(("x",))}) == []


def test_a_rule_holds_in_its_scope_only(desk):
    memory.remember_refusal(desk, "fever", WHO, scope="gene")
    assert meant(desk, "fever", Category.GENE) == ""
    assert meant(desk, "fever", Category.DISEASE) == "X:1"


def test_of_opposites_the_newest_counts(desk):
    memory.remember_refusal(desk, "fever", WHO)
    memory.remember_meaning(desk, "fever", "X:2", WHO, reason="our texts mean the heat")
    assert meant(desk, "fever") == "X:2"
    memory.remember_refusal(desk, "fever", WHO, id="X:2")
    assert meant(desk, "fever") == "X:1"
    (rule,) = memory.remembered_names(desk)
    assert (rule.verdict, rule.id) == ("not", "X:2")


def test_what_holds_in_one_scope_leaves_the_others_as_they_are(desk):
    memory.remember_meaning(desk, "fever", "X:2", WHO)
    memory.remember_refusal(desk, "fever", WHO, scope="gene")
    assert meant(desk, "fever", Category.GENE) == ""
    assert meant(desk, "fever", Category.DISEASE) == "X:2"
    memory.remember_meaning(desk, "fever", "X:1", WHO, scope="gene")
    assert meant(desk, "fever", Category.GENE) == "X:1"


def test_memory_travels_as_sssom_with_not_rows(desk, tmp_path):
    memory.remember_meaning(desk, "hot feeling", "X:1", WHO, reason="as patients say")
    memory.remember_refusal(desk, "fever", WHO, id="X:2", reason="no")
    memory.remember_refusal(desk, "lead", WHO)
    text = memory.to_sssom(desk)
    (tmp_path / "other" / "vocabularies").mkdir(parents=True)
    (tmp_path / "other" / "vocabularies" / "x.tsv").write_text(TABLE)
    other = open_desk(Settings(project=tmp_path / "other"))
    assert memory.from_sssom(other, text, WHO) == (3, [])
    assert memory.to_sssom(other) == text
    other.close()


def test_rows_that_say_too_little_are_left_out_with_their_number(desk):
    text = "subject_id\tsubject_label\tobject_id\nA:1\tfever\tX:1\n\tfever\tnot an id\n"
    taken, problems = memory.from_sssom(desk, text, WHO)
    assert (taken, [problem.where for problem in problems]) == (0, ["row 1", "row 2"])
    with pytest.raises(InputError, match="not an SSSOM"):
        memory.from_sssom(desk, "hello\n", WHO)


@pytest.mark.parametrize(("words", "id"), [("", "X:1"), ("fever", "nothing"), ("fever", "X:99")])
def test_what_cannot_be_remembered_is_refused(desk, words, id):
    with pytest.raises(InputError):
        memory.remember_meaning(desk, words, id, WHO)


def test_what_is_not_remembered_cannot_be_removed(desk):
    with pytest.raises(NotFound):
        memory.forget_name(desk, "rule-7", WHO)
