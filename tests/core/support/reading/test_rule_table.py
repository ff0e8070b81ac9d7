"""Relation rules are rows of a readable table; each row's sentences are read by that row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.errors import InputError
from core.model import Span
from core.support.reading.predicate import Predicate
from core.support.reading.relation import Relation, pair_relations
from core.support.reading.rule_table import (
    COLUMNS,
    FILE,
    RelationRule,
    RuleTable,
    compile_pattern,
    read_rules,
    rules_for,
    shipped_rules,
)


def read_marked(sentence: str, rules: RuleTable, family: str) -> Relation | None:
    """The relation of <subject> and [object] in a marked sentence."""
    text, spans = "", {}
    for piece in re.split(r"(<[^>]*>|\[[^\]]*\])", sentence):
        words = piece.strip("<>[]") if piece[:1] in "<[" and piece else piece
        if piece[:1] in ("<", "["):
            spans[piece[0]] = Span(len(text), len(text) + len(words))
        text += words
    asked = [Predicate(family)]
    relations = pair_relations(
        text, Span(0, len(text)), [spans["<"]], [spans["["]], predicates=asked, rules=rules
    )
    return relations[0] if relations else None


@pytest.mark.parametrize("rule", shipped_rules().rules, ids=lambda rule: rule.name)
def test_a_row_joins_its_example(rule: RelationRule) -> None:
    relation = read_marked(rule.example, shipped_rules(), rule.family)
    assert relation is not None
    assert (relation.rule, relation.negated) == (rule.name, False)


@pytest.mark.parametrize("rule", shipped_rules().rules, ids=lambda rule: rule.name)
def test_a_row_leaves_its_counterexample_alone(rule: RelationRule) -> None:
    assert read_marked(rule.counterexample, RuleTable((rule,)), rule.family) is None


def test_row_names_are_unique() -> None:
    names = [rule.name for rule in shipped_rules().rules]
    assert len(set(names)) == len(names)


def table(folder: Path, *rows: str) -> Path:
    path = folder / FILE
    lines = ["\t".join(COLUMNS), *(row.replace("|", "\t") for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_project_can_add_its_own_rules(tmp_path: Path) -> None:
    table(tmp_path, "S begets O|cause|S…O|stated|0.7|beget*|<A> begets [b].|<A> and [b].")
    relation = read_marked("<Veratin> begets [tremor].", rules_for([tmp_path]), "cause")
    assert relation is not None
    assert (relation.rule, relation.score) == ("S begets O", 0.7)
    assert read_marked("<Veratin> begets [tremor].", shipped_rules(), "cause") is None


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("x|cause|S>O|stated|0.7|beget|a|b", "direction"),
        ("x|cause|S…O|maybe|0.7|beget|a|b", "strength"),
        ("x|beget|S…O|stated|0.7|beget|a|b", "family"),
        ("x|cause|S…O|stated|7|beget|a|b", "weight"),
        ("x|cause|S…O|stated|0.7|(a+)+|a|b", "is not a word"),
        ("x|cause|S…O|stated|0.7||a|b", "pattern"),
        ("x|cause|S…O|stated|0.7|..3 of|a|b", "begins"),
    ],
)
def test_a_bad_row_is_refused_with_its_name(tmp_path: Path, row: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_rules(table(tmp_path, row))


def test_a_row_may_ask_for_words_before_the_first_mention(tmp_path: Path) -> None:
    path = tmp_path / FILE
    cells = ("own", "cause", "S…O", "stated", "0.6", "swallowing | trembl* with", "", "")
    path.write_text("\t".join(COLUMNS) + "\n" + "\t".join(cells) + "\n", encoding="utf-8")
    rules = RuleTable(tuple(read_rules(path)))
    for lead, name in (("On swallowing", "own"), ("On touching", None)):
        relation = read_marked(f"{lead} <veratin> he trembled with [fear].", rules, "cause")
        assert (relation.rule if relation else None) == name


@pytest.mark.parametrize("pattern", [f"a {'a? ' * 24}b", f"a {'..8 a ' * 8}b"])
def test_a_pattern_that_could_match_in_endless_ways_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match="too many gaps"):
        compile_pattern(pattern, False)
