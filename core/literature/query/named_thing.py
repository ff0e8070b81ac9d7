"""Things that a question names: genes, diseases, chemicals and the like, found by the project's
vocabularies, each with all its names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import GroundworkError
from core.grounding.mesh_branch import mesh_kind
from core.grounding.readers.record import SynonymScope
from core.literature.index.tokens import ASKING_WORDS, STOP_WORDS, fold_token, text_units
from core.model import Candidate, Category, Span

if TYPE_CHECKING:
    from core.grounding.grounder import Grounder

# The vocabularies whose names are looked for in questions, with the kind of their terms.
VOCABULARIES = {
    "hgnc": Category.GENE,
    "mondo": Category.DISEASE,
    "doid": Category.DISEASE,
    "chebi": Category.CHEMICAL,
    "hp": Category.PHENOTYPE,
    "cl": Category.CELL,
    "uberon": Category.ANATOMY,
    "go": Category.PROCESS,
    "ncbitaxon": Category.ORGANISM,
    "maxo": Category.PROCEDURE,
    "mesh": Category.THING,
}
KINDS = tuple(dict.fromkeys(str(k) for k in VOCABULARIES.values() if k is not Category.THING))
SURE = 0.9  # of a candidate
NEARLY = 0.03  # below the best: the same thing in another vocabulary
MOST_NAMES = 40
MOST_TEXTS = 2000  # whose names are remembered
SHORTEST = 4  # letters of a name that is looked for besides the one that was typed


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A thing that a question names: where, which term, of which kind, and its other names."""

    span: Span
    words: str
    id: str
    label: str
    kind: Category
    names: tuple[str, ...] = ()

    @property
    def keyword(self) -> str:
        """The words on one line, as a chip shows them."""
        return " ".join(self.words.split())


@dataclass(frozen=True, slots=True)
class FoundThing:
    """A thing that a text names: where, which term, and of which kinds: several vocabularies may
    know it as well, as a disease and as a phenotype.
    """

    span: Span
    id: str
    label: str
    kinds: tuple[Category, ...]


FindNames = Callable[[str], Sequence[NamedThing]]
NamesOfText = Callable[[str], Sequence[FoundThing]]


class VocabularyNames:
    """Finds what a question names, by a project's vocabularies. Holds what it found last."""

    def __init__(self, grounder: Grounder):
        from core.grounding.recognise.recogniser import Recogniser

        self._grounder = grounder
        self._recogniser = Recogniser(grounder)
        self._found: dict[str, tuple[NamedThing, ...]] = {}
        self._in_text: dict[str, tuple[FoundThing, ...]] = {}
        self._kinds: dict[tuple[tuple[str, str], ...], tuple[Category, ...]] = {}

    def __call__(self, question: str) -> tuple[NamedThing, ...]:
        """The things named, in the order of the question; none where no vocabulary can be read."""
        if question not in self._found:
            if len(self._found) > 1000:
                self._found.clear()
            try:
                self._found[question] = tuple(self._things_named(question))
            except GroundworkError:
                return ()
        return self._found[question]

    def in_text(self, text: str) -> tuple[FoundThing, ...]:
        """What a passage names, in its order; none where no vocabulary can be read."""
        if text not in self._in_text:
            if len(self._in_text) > MOST_TEXTS:
                self._in_text.clear()
            try:
                things = [
                    FoundThing(span, same[0].term.id, same[0].term.label, self._kinds_of(same))
                    for span, _, same in self._sure(text)
                ]
            except GroundworkError:
                return ()
            self._in_text[text] = tuple(things)
        return self._in_text[text]

    def _things_named(self, question: str) -> Iterator[NamedThing]:
        for span, words, same in self._sure(question):
            names = tuple(self._names(words, _one_each(same)))
            best = same[0].term
            yield NamedThing(
                span, words, best.id, label=best.label, kind=self._kind_of(same), names=names
            )

    def _sure(self, text: str) -> Iterator[tuple[Span, str, list[Candidate]]]:
        """Mentions with their words, and the candidates that are as good as the best one."""
        from core.grounding.constraint.constraint import Constraint

        registry = self._grounder.vocabulary_registry
        own = registry.own()
        known = [name for name in registry.ordered() if name in own or name in VOCABULARIES]
        constraint = Constraint(tuple(known))
        for mark in self._recogniser.annotate(text, {"": constraint}):
            words = mark.span.quote(text)
            sure = [
                candidate
                for candidate in mark.candidates
                if candidate.score >= SURE and not candidate.obsolete
            ]
            if sure and _tells_something(words):
                best = sure[0].score
                yield (
                    mark.span,
                    words,
                    [candidate for candidate in sure if candidate.score >= best - NEARLY],
                )

    def _kind_of(self, same: Sequence[Candidate]) -> Category:
        return self._kinds_of(same)[0]

    def _kinds_of(self, same: Sequence[Candidate]) -> tuple[Category, ...]:
        """What is said of the candidates for one mention, the best one's first; THING where nothing
        is.
        """
        key = tuple((candidate.vocabulary, candidate.term.id) for candidate in same)
        if key not in self._kinds:
            kinds = dict.fromkeys(self._kind(candidate) for candidate in same)
            kinds.pop(Category.THING, None)
            self._kinds[key] = tuple(kinds) or (Category.THING,)
        return self._kinds[key]

    def _kind(self, candidate: Candidate) -> Category:
        """What a candidate is by its vocabulary; a MeSH term by its branch."""
        kind = VOCABULARIES.get(candidate.vocabulary, Category.THING)
        if kind is not Category.THING:
            return kind
        registry = self._grounder.vocabulary_registry
        held_kinds = registry.holds(candidate.vocabulary)
        if len(held_kinds) == 1 and held_kinds[0] in set(Category):
            return Category(held_kinds[0])
        if not candidate.term.id.startswith("MESH:"):
            return Category.THING
        return mesh_kind(registry.lexicon(candidate.vocabulary), candidate.term.id)

    def _names(self, words: str, candidates: Sequence[Candidate]) -> Iterator[str]:
        """Every other name of these terms, those that say just the same left out."""
        used_names = {" ".join(text_units(words))}
        for candidate in candidates:
            term = self._grounder.vocabulary_registry.lexicon(candidate.vocabulary).term(
                candidate.term.id
            )
            term_names = (
                [term.label, *(n.text for n in term.names if n.scope in _SAME)] if term else []
            )
            for name in term_names:
                units = " ".join(text_units(name))
                if (
                    units
                    and units not in used_names
                    and len(name) >= SHORTEST
                    and len(used_names) < MOST_NAMES
                ):
                    used_names.add(units)
                    yield name


_SAME = (SynonymScope.LABEL, SynonymScope.EXACT)


def _one_each(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The best candidate of each vocabulary."""
    best: dict[str, Candidate] = {}
    for candidate in candidates:
        best.setdefault(candidate.vocabulary, candidate)
    return list(best.values())


def _tells_something(words: str) -> bool:
    """`affect` and `era` are terms of some vocabulary, too."""
    units = text_units(words)
    common = len(words) <= 3 and words.islower()
    return (
        bool(units)
        and not common
        and not ASKING_WORDS.issuperset(units)
        and (fold_token(words) not in STOP_WORDS)
    )
