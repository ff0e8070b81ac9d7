"""Each correction is needed once: what is remembered is used, listed, moved and taken back."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from core import cli
from core.desk import Desk, open_desk
from core.errors import InputError, NotFound
from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import Recogniser
from core.model import Category, Outcome
from core.services.vocabularies import memory
from core.settings import Settings
from core.store.run import MentionChoice
from tests import reviewing
from tests.reviewing import ANNA

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


def test_the_newest_of_two_opposites_counts(desk):
    memory.remember_refusal(desk, "fever", WHO)
    memory.remember_meaning(desk, "fever", "X:2", WHO, reason="our texts mean the heat")
    assert meant(desk, "fever") == "X:2"
    memory.remember_refusal(desk, "fever", WHO, id="X:2")
    assert meant(desk, "fever") == "X:1"
    (rule,) = memory.remembered_names(desk)
    assert (rule.verdict, rule.id) == ("not", "X:2")


def test_memory_entry_applies_to_its_scope_only(desk):
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
def test_memory_refuses_unusable_entries(desk, words, id):
    with pytest.raises(InputError):
        memory.remember_meaning(desk, words, id, WHO)


def test_removing_an_unknown_memory_entry_is_refused(desk):
    with pytest.raises(NotFound):
        memory.forget_name(desk, "rule-7", WHO)


def test_the_first_thousand_bad_rows_of_a_table_are_named(desk: Desk) -> None:
    table = "subject_label\tobject_id\n" + "word\tno id\n" * 5_000
    taken, problems = memory.from_sssom(desk, table, WHO)
    assert taken == 0 and len(problems) == 1_001
    assert "4,000 more rows" in problems[-1].message


def test_a_long_table_is_stored_in_parts_and_tells_how_far_it_is(desk: Desk) -> None:
    lines = [f"name {number}\tX:1" for number in range(1_100)]
    lines[700] = "name 700\tno id"
    rows_read: list[int] = []
    taken, problems = memory.from_sssom(
        desk, "subject_label\tobject_id\n" + "\n".join(lines), WHO, rows_read.append
    )
    assert (taken, [problem.where for problem in problems]) == (1_099, ["row 701"])
    assert rows_read == [500, 1_000, 1_100]
    assert len(memory.remembered_names(desk, "name")) == 1_099


def test_a_table_whose_import_was_killed_keeps_what_was_stored_and_can_be_sent_again(
    desk: Desk,
) -> None:
    table = "subject_label\tobject_id\n" + "".join(f"name {i}\tX:1\n" for i in range(1_100))

    def kill_at_second_part(number: int) -> None:
        if number > 500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.from_sssom(desk, table, WHO, kill_at_second_part)
    assert len(memory.remembered_names(desk, "name")) == 1_000
    assert memory.from_sssom(desk, table, WHO) == (1_100, [])
    assert len(memory.remembered_names(desk, "name")) == 1_100


def test_words_without_a_term_are_a_list_that_can_be_searched_and_saved(tmp_path, capsys):
    desk = reviewing.filled(tmp_path)
    mention = desk.store.runs.extraction("r1").mentions[0]
    desk.store.runs.add_choice(
        MentionChoice("r1", mention.slot, Outcome.NO_TERM_FITS, None, ANNA.orcid, desk.clock())
    )
    (request,) = memory.term_requests(desk)
    assert (request.words, request.times, request.curators) == (mention.text, 1, (ANNA.orcid,))
    assert memory.term_requests(desk, mention.text.upper()) == [request]
    assert memory.term_requests(desk, request.category) == [request]
    assert memory.term_requests(desk, "elephant") == []
    folder = desk.folder
    desk.close()
    alone = [sys.executable, "-m", "core", "--project", str(folder), "memory", "requests"]
    printed = subprocess.run(alone, check=True, capture_output=True, text=True).stdout
    assert json.loads(printed)["words"] == mention.text
    for words, rows in ((mention.text, 2), ("elephant", 1)):
        cli.main(["--project", str(folder), "memory", "requests", words, "--tsv"])
        table = capsys.readouterr().out.splitlines()
        assert table[0] == "words\tkind\ttimes\tcurators\tlast"
        assert len(table) == rows


def test_columns_of_a_table_that_are_not_kept_are_counted(desk):
    table = (
        "subject_label\tsubject_type\tpredicate_id\tobject_id\tobject_label\tconfidence\tlicense\n"
        "frost\trdfs literal\tskos:exactMatch\tLAB:1\tFrost\t0.9\t\n"
    )
    taken, problems = memory.from_sssom(desk, table, ANNA.orcid)
    assert taken == 1
    assert [problem.message for problem in problems] == ["Not kept: columns confidence (1)."]
