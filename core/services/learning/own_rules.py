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
from core.learning.rule_of_examples import pattern_of_examples
from core.model import Role, Span, status_mark
from core.support.reading.rule_table import (
    COLUMNS,
    FAMILIES,
    FILE,
    FORWARD,
    OWN,
    STATED,
    RelationRule,
    RuleTable,
    compile_pattern,
    read_rules,
)
from core.text.sentence import split_sentences
from core.whole_file import whole_file

RELATIONS = tuple(family.name for family in FAMILIES)
WEIGHT = 0.6  # what a rule is worth until decisions say more
MOST_TEXTS = 500  # the newest texts that a preview reads
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
    return RelationRule(
        f"{OWN}{ends[0]} {shared.pattern} {ends[1]} ({family})",
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
    documents = desk.store.documents.all()[::-1]
    found: list[tuple[str, str]] = []
    read = 0
    shown = documents[:MOST_TEXTS]
    notices = desk.store.document_overview.notices([document.id for document in shown])
    for document in shown:
        versions = desk.store.documents.texts(document.id)
        read += 1
        for sentence in _joined(desk, rule, versions[-1].text if versions else ""):
            if len(found) == MOST_FOUND:
                return RulePreview(rule, tuple(found), read, len(documents), cut=True)
            found.append((document.id, status_mark(notices.get(document.id, "")) + sentence))
    return RulePreview(rule, tuple(found), read, len(documents))


def _joined(desk: HasProjectTerms, rule: RelationRule, text: str) -> Iterator[str]:
    """The sentences of a text whose names the rule joins, with these marked."""
    cue = re.compile(compile_pattern(rule.pattern, False))
    recogniser = Recogniser(desk.grounder())
    names = Constraint(desk.vocabulary_registry.ordered())
    table = RuleTable((rule,))
    for place in split_sentences(text):
        sentence = place.quote(text)
        if not cue.search(sentence.casefold()):
            continue
        spans = [mention.span for mention in recogniser.annotate(sentence, {"": names})]
        for first, second in pairwise(spans):
            between = sentence[first.end : second.start].casefold()
            if first.end <= second.start and table.first(
                between, rule.family, rule.direction, rule.strength
            ):
                yield _marked(sentence, first, second, forward=rule.direction == FORWARD)


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
    """Keep a rule: the next text is read with it. Raises InputError for one that is there."""
    desk.store.curators.need(curator, Role.CURATOR)
    if rule.name in {known.name for known in own_rules(desk)}:
        raise InputError(f"The project has the rule “{rule.name}” already.")
    path = _path(desk)
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    head = "" if before else f"{HEAD}\n" + "\t".join(COLUMNS) + "\n"
    cells = [str(getattr(rule, name)) for name in COLUMNS]
    _write(
        path,
        head
        + before
        + ("\n" if before and not before.endswith("\n") else "")
        + "\t".join(cells)
        + "\n",
    )


def remove_rule(desk: HasProjectTerms, name: str, curator: str) -> None:
    """Take a rule back: no further text is read with it. Raises NotFound for one there is not."""
    desk.store.curators.need(curator, Role.CURATOR)
    if name not in {known.name for known in own_rules(desk)}:
        raise NotFound(f"The project has no rule “{name}”.", "`rules list` names those it has.")
    path = _path(desk)
    lines = path.read_text(encoding="utf-8").splitlines()
    _write(path, "".join(f"{line}\n" for line in lines if line.split("\t")[0] != name))


def _path(desk: HasFolder) -> Path:
    return Path(desk.folder) / "schemas" / FILE


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as stream:
        stream.write(text)


def _one_line(words: str) -> str:
    return " ".join(words.split())
