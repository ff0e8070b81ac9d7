"""A project's own relation rules: made from marked examples, tried on the project's texts before
they are kept, listed and taken back. They stand as rows of `relation_rules.tsv` beside the
project's schemas, which goes with every copy of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from core.desk_parts import HasFolder, HasProjectTerms
from core.errors import InputError, NotFound
from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import Recogniser
from core.learning.rule_of_examples import NOT_BE, pattern_of_examples
from core.model import Role, Span, status_mark
from core.support.reading.rule_table import (
    COLUMNS,
    FAMILIES,
    FILE,
    FORWARD,
    NEEDED,
    OWN,
    STATED,
    RelationRule,
    RuleTable,
    checked_rules,
    compile_pattern,
    read_rules,
)
from core.support.reading.stance import turned_round
from core.text.sentence import split_sentences
from core.whole_file import whole_file

RELATIONS = tuple(family.name for family in FAMILIES)
WEIGHT = 0.6  # what a rule is worth until decisions say more
MOST_TEXTS = 500  # the newest texts that a preview reads
TOGETHER = 50  # texts that are taken from the database at once
MOST_FOUND = 50  # sentences that a preview shows
HEAD = "# Relation rules of this project; Engine quality and the verb rules make and remove rows."


@dataclass(frozen=True, slots=True)
class RulePreview:
    """What a rule would find: sentences with its ends marked, each with its document. `read` texts
    of `texts`; `cut`: there are more sentences.
    """

    rule: RelationRule
    found: tuple[tuple[str, str], ...]
    read: int
    texts: int
    cut: bool = False


def rule_of_examples(family: str, examples: Sequence[str]) -> RelationRule:
    """A rule from sentences in which <subject> and [object] are marked. Raises InputError for
    examples that share nothing, or a family that there is not.
    """
    if family not in RELATIONS:
        raise InputError(f"There is no relation “{family}”.", f"One of: {', '.join(RELATIONS)}.")
    shared = pattern_of_examples(examples)
    compile_pattern(shared.pattern, False)  # raises for one that cannot be read
    ends = ("S", "O") if shared.direction == FORWARD else ("O", "S")
    words = shared.pattern.removeprefix(f"{NOT_BE} ")
    return RelationRule(
        f"{OWN}{ends[0]} {words} {ends[1]} ({family})",
        family,
        shared.direction,
        strength=STATED,
        weight=WEIGHT,
        pattern=shared.pattern,
        example=_one_line(examples[0]),
    )


def preview_rule(desk: HasProjectTerms, rule: RelationRule) -> RulePreview:
    """The sentences of the project's texts in which the rule joins two names that the vocabularies
    know; what happened to a paper stands before its sentences.
    """
    documents = [document.id for document in desk.store.documents.all()[::-1]]
    shown = documents[:MOST_TEXTS]
    notices = desk.store.document_overview.notices(shown)
    reader = _RuleReader(rule, Recogniser(desk.grounder()), desk.vocabulary_registry.ordered())
    found: list[tuple[str, str]] = []
    read = 0
    for start in range(0, len(shown), TOGETHER):
        part = shown[start : start + TOGETHER]
        texts = desk.store.documents.newest_texts(part)
        for document in part:
            read += 1
            for sentence in reader.joined(texts.get(document, "")):
                if len(found) == MOST_FOUND:
                    return RulePreview(rule, tuple(found), read, len(documents), cut=True)
                found.append((document, status_mark(notices.get(document, "")) + sentence))
    return RulePreview(rule, tuple(found), read, len(documents))


class _RuleReader:
    """Reads texts by one rule, between any two names that vocabularies know."""

    def __init__(self, rule: RelationRule, recogniser: Recogniser, vocabularies: Sequence[str]):
        self._rule, self._recogniser = rule, recogniser
        self._cue = re.compile(compile_pattern(rule.pattern, False))
        self._names, self._table = {"": Constraint(tuple(vocabularies))}, RuleTable((rule,))

    def joined(self, text: str) -> Iterator[str]:
        """The sentences of a text whose names the rule joins, with these marked."""
        for place in split_sentences(text):
            sentence = place.quote(text)
            if not self._cue.search(sentence.casefold()):
                continue
            mentions = self._recogniser.annotate(sentence, self._names)
            for first, second in pairwise(mention.span for mention in mentions):
                if self._joins(sentence, first, second):
                    yield _marked(sentence, first, second, forward=self._rule.direction == FORWARD)

    def _joins(self, sentence: str, first: Span, second: Span) -> bool:
        if first.end > second.start:
            return False
        rule, between = self._rule, Span(first.end, second.start)
        met = self._table.first(
            between.quote(sentence).casefold(), rule.family, rule.direction, rule.strength
        )
        if met is None:
            return False
        cue = Span(first.end + met[1], first.end + met[2])
        pair = Span(first.start, second.end)
        return not turned_round(sentence, pair, between, cue, rule=rule)


def _marked(sentence: str, first: Span, second: Span, *, forward: bool) -> str:
    (a, b), (c, d) = (("<", ">"), ("[", "]")) if forward else (("[", "]"), ("<", ">"))
    return _one_line(
        f"{sentence[: first.start]}{a}{first.quote(sentence)}{b}"
        f"{sentence[first.end : second.start]}{c}{second.quote(sentence)}{d}"
        f"{sentence[second.end :]}"
    )


def rule_words(rule: RelationRule) -> str:
    """A rule as it is shown: `S abrogat* O (inhibit)`."""
    return rule.name.removeprefix(OWN)


def own_rules(desk: HasFolder) -> list[RelationRule]:
    """The rules that curators of this project made, in the order in which they did."""
    path = _path(desk)
    rules = read_rules(path) if path.is_file() else []
    return [rule for rule in rules if rule.name.startswith(OWN)]


def add_rule(desk: HasProjectTerms, rule: RelationRule, curator: str) -> None:
    """Keep a rule: the next text is read with it. Raises InputError for one that is there, or a
    table of the project that cannot take it.
    """
    desk.store.curators.need(curator, Role.CURATOR)
    if rule.name in {known.name for known in own_rules(desk)}:
        raise InputError(f"The project has the rule “{rule_words(rule)}” already.")
    path = _path(desk)
    before = path.read_text(encoding="utf-8") if path.is_file() else f"{HEAD}\n"
    before += "\n" * (not before.endswith("\n"))
    if not _rows(before):
        before += "\t".join(COLUMNS) + "\n"
    columns = _rows(before)[0].split("\t")
    if missing := [name for name in COLUMNS[:NEEDED] if name not in columns]:
        raise InputError(
            f"{path} has no column {', '.join(missing)}.", f"Its head is: {' '.join(COLUMNS)}."
        )
    row = "\t".join(str(getattr(rule, name, "")) for name in columns)
    _write(path, f"{before}{row}\n")


def remove_rule(desk: HasProjectTerms, name: str, curator: str) -> None:
    """Take a rule back: no further text is read with it. Raises NotFound for one there is not."""
    desk.store.curators.need(curator, Role.CURATOR)
    if name not in {known.name for known in own_rules(desk)}:
        raise NotFound(f"The project has no rule “{name}”.", "`rules list` names those it has.")
    path = _path(desk)
    text = path.read_text(encoding="utf-8")
    at = _rows(text)[0].split("\t").index("name")
    kept = [line for line in text.splitlines() if line.split("\t")[at : at + 1] != [name]]
    _write(path, "".join(f"{line}\n" for line in kept))


def _path(desk: HasFolder) -> Path:
    return Path(desk.folder) / "schemas" / FILE


def _rows(text: str) -> list[str]:
    """The lines of a table that are no remarks, its header first, as `read_rules` takes them."""
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _write(path: Path, text: str) -> None:
    """Put a table in the place of the old one if it can be read. Raises InputError."""
    checked_rules(path, text)
    with whole_file(path) as stream:
        stream.write(text)


def _one_line(words: str) -> str:
    return " ".join(words.split())
