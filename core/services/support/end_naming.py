"""How a claim's ends may be called: by the names of their ids and of ids that are the same thing;
and, where a passage writes none of these, by words that the recognition of names reads as the thing
or as a kind of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.desk_parts import HasStore, HasVocabularies
from core.grounding.constraint.constraint import Constraint
from core.grounding.recognise.recogniser import RecognisedMention, Recogniser
from core.model import Span
from core.support.claim import ClaimEnd, Passage

LONGEST_READ = 20_000  # characters of a text whose names are looked for
MOST_TEXTS = 32  # whose names are remembered
LIKELY = 2  # candidates of a mention that count, the best first


class EndNaming:
    """What it reads of a project it reads once. A project without vocabularies knows the names that
    its curators gave.
    """

    def __init__(self, desk: HasStore):
        self._desk = desk
        self._terms: HasVocabularies | None = (
            desk if hasattr(desk, "vocabulary_registry") else None  # type: ignore[assignment]
        )
        self._taught: dict[str, list[str]] | None = None
        self._names: dict[str, tuple[str, ...]] = {}
        self._same: dict[str, frozenset[str]] = {}
        self._mentions: dict[tuple[str, tuple[str, ...]], list[RecognisedMention]] = {}

    def names(self, id: str) -> tuple[str, ...]:
        """The names that curators gave a term, then those of its vocabulary, then those that other
        vocabularies give the same thing.
        """
        if id and id not in self._names:
            taught = self._by_curators().get(id, ())
            ids = (id, *sorted(self.same(id) - {id}))
            known = (name for one in ids for name in self._names_in_vocabularies(one))
            self._names[id] = tuple(dict.fromkeys((*taught, *known)))
        return self._names.get(id, ())

    def _by_curators(self) -> dict[str, list[str]]:
        if self._taught is None:
            self._taught = {}
            for synonym in self._desk.store.synonyms.all():
                self._taught.setdefault(synonym.term.id, []).append(synonym.words)
        return self._taught

    def same(self, id: str) -> frozenset[str]:
        """The ids of the thing, this one among them."""
        if id not in self._same:
            equivalents = getattr(self._desk, "equivalents", None)
            self._same[id] = equivalents().of(id) if equivalents and id else frozenset((id,))
        return self._same[id]

    def _names_in_vocabularies(self, id: str) -> Iterator[str]:
        for lexicon in self._terms.vocabulary_registry.all() if self._terms else ():
            yield from lexicon.names_of(id)

    def read_places(self, end: ClaimEnd, passage: Passage) -> tuple[list[Span], list[Span]]:
        """Where the passage's quote writes the end in words of its own ("AZT", "leucocytoclastic
        vasculitis"), and where a kind of it ("hepatitis" for “Liver Diseases”).
        """
        own, kinds = [], []
        same, quoted = self.same(end.id), passage.quoted
        for mention in self._read(end.id, passage):
            if not (quoted.start <= mention.span.start and mention.span.end <= quoted.end):
                continue
            ids = [candidate.term.id for candidate in mention.candidates[:LIKELY]]
            if not same.isdisjoint(ids):
                own.append(mention.span)
            elif any(not same.isdisjoint(self._above(id)) for id in ids[:1]):
                kinds.append(mention.span)
        return own, kinds

    def _above(self, id: str) -> Iterator[str]:
        for lexicon in self._terms.vocabulary_registry.all() if self._terms else ():
            yield from lexicon.ancestors(id)

    def _read(self, id: str, passage: Passage) -> list[RecognisedMention]:
        if not id or self._terms is None:
            return []
        same, lexicons = self.same(id), self._terms.vocabulary_registry.all()
        names = tuple(own.name for own in lexicons if any(own.names_of(one) for one in same))
        whole = len(passage.text) <= LONGEST_READ
        text = passage.text if whole else passage.quoted.quote(passage.text)
        if not names or len(text) > LONGEST_READ:
            return []
        if (found := self._mentions.get((text, names))) is None:
            if len(self._mentions) >= MOST_TEXTS:
                self._mentions = {}
            recogniser = Recogniser(self._terms.grounder())
            found = recogniser.annotate(text, {"": Constraint(names)})
            self._mentions[text, names] = found
        shift = 0 if whole else passage.quoted.start
        return [
            RecognisedMention(Span(m.span.start + shift, m.span.end + shift), m.key, m.candidates)
            for m in found
        ]
