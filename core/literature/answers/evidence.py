"""Evidence for a statement: chunks that name both of its things, first those that do so in one
sentence with a cue.

The two things are fixed keywords with all their names; the predicate's cue words count, but need
not be there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.literature.query.keyword import Keyword, LiteratureQuery, keyword_spans
from core.literature.query.plan import SearchOptions
from core.literature.ranking.registry import DEFAULT_MODE
from core.literature.ranking.search import Searcher, SearchHit
from core.model import Literal, Span, Statement, Term, Thing
from core.text.grid import is_heading_row
from core.text.sentence import split_sentences

CUES = {
    "treat": ("treat", "therapy", "effective", "improve", "relieve", "efficacy", "response"),
    "cause": (
        "cause",
        "induce",
        "provoke",
        "associated",
        "lead to",
        "result in",
        "due to",
        "following",
    ),
    "induce": ("induce", "cause", "provoke", "trigger", "associated"),
    "inhibit": ("inhibit", "block", "suppress", "antagonist", "reduce", "decrease"),
    "activate": ("activate", "stimulate", "agonist", "increase", "enhance"),
    "regulate": ("regulate", "control", "modulate", "mediate"),
    "interact": ("interact", "bind", "complex", "associate"),
    "express": ("express", "level", "upregulated", "downregulated"),
    "associate": ("associated", "linked", "correlated", "risk", "related"),
    "prevent": ("prevent", "protect", "reduce", "prophylaxis"),
    "part": ("part of", "component", "contain", "consist"),
    "located": ("located", "found in", "localized", "present in"),
}
DEPTH = 100
Names = Callable[[Term], Sequence[str]]


@dataclass(frozen=True, slots=True)
class EvidencePassage:
    """A chunk that may prove the statement. `sentence` is the span in the chunk's text that a
    curator would quote.
    """

    result: SearchHit
    sentence: Span
    together: bool  # both things in that sentence
    cue: bool


def question_of(statement: Statement, names: Names) -> LiteratureQuery:
    """What is looked for: both things by all their names, fixed, and the predicate's cues."""
    keywords = [
        k
        for thing in (statement.subject, statement.object)
        if (k := _keyword(thing, names)) is not None
    ]
    cues = cues_of(statement.predicate)
    text = " ".join([*(keyword.text for keyword in keywords), *cues[:1]])
    chips = [*keywords, *([Keyword(cues[0], synonyms=tuple(cues[1:]))] if cues else [])]
    return LiteratureQuery(text, tuple(chips))


def _keyword(thing: Thing, names: Names) -> Keyword | None:
    if isinstance(thing, Literal):
        return Keyword(thing.value) if thing.value.strip() else None
    others = [
        name
        for name in (names(thing) if isinstance(thing, Term) else ())
        if name.casefold() != thing.label.casefold()
    ]
    return (
        Keyword(thing.label, fixed=True, synonyms=tuple(dict.fromkeys(others)))
        if thing.label.strip()
        else None
    )


def cues_of(predicate: Term) -> tuple[str, ...]:
    """Cue words of a predicate, its own label first."""
    label = " ".join(predicate.label.replace("_", " ").split())
    known_cues = (
        cues
        for stem, cues in CUES.items()
        if stem in label.casefold() or stem in predicate.id.casefold()
    )
    return tuple(
        dict.fromkeys(([label] if label else []) + [cue for cues in known_cues for cue in cues])
    )


def search_evidence(
    searcher: Searcher, statement: Statement, names: Names, k: int = 20
) -> list[EvidencePassage]:
    """Chunks for a statement: both things in one sentence first, with a cue before those without,
    then by score.
    """
    question = question_of(statement, names)
    fixed_keywords = [keyword for keyword in question.keywords if keyword.fixed]
    if not fixed_keywords:
        return []
    results = searcher.search(question, DEFAULT_MODE, DEPTH, SearchOptions(repair=False)).results
    best = ((result, best_sentence(result.chunk.text, question)) for result in results)
    evidence_passages = [
        EvidencePassage(result, sentence.span, sentence.together, sentence.cue)
        for result, sentence in best
        if sentence is not None
    ]
    evidence_passages.sort(
        key=lambda passage: (not passage.together, not passage.cue, -passage.result.score)
    )
    return evidence_passages[:k]


@dataclass(frozen=True, slots=True)
class BestSentence:
    """A sentence of a text that may prove the statement."""

    span: Span
    together: bool
    cue: bool


def best_sentence(text: str, question: LiteratureQuery) -> BestSentence | None:
    """The sentence that names most of the things, with a cue before one without; None when none is
    named.
    """
    fixed_keywords = [keyword for keyword in question.keywords if keyword.fixed]
    cues = [keyword for keyword in question.keywords if not keyword.fixed]
    places = keyword_spans(question.keywords, text)
    best: tuple[int, bool, Span] | None = None
    for sentence in split_sentences(text):
        if is_heading_row(sentence.quote(text)):
            continue
        named_count = sum(
            any(sentence.overlaps(span) for span in places[keyword.text])
            for keyword in fixed_keywords
        )
        cue = any(sentence.overlaps(span) for keyword in cues for span in places[keyword.text])
        if named_count and (best is None or (named_count, cue) > best[:2]):
            best = (named_count, cue, sentence)
    return BestSentence(best[2], best[0] == len(fixed_keywords), best[1]) if best else None
