"""Words to terms (SPIRES §3.4, §3.5): every candidate with how it was met, best first, and the rule
that picks one.

Order of matches: project synonym, label, exact synonym, normalised, narrow, broad and related
synonym, abbreviation, part, misspelling. Earlier vocabularies of a constraint go before later ones
where matches are about as good.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.curie import preferred_prefix
from core.grounding.choice import TIE
from core.grounding.constraint import branch, permissible
from core.grounding.constraint.constraint import Constraint, NoSynonyms, Synonyms
from core.grounding.index.lexicon import Lexicon, LexiconTerm
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.match import normalise, phrase
from core.grounding.match.mention_match import (
    OTHERWISE,
    exact_matches,
    hit_of_term,
    is_as_written,
    loose_matches_of,
    matches_by_id,
)
from core.grounding.match.name_match import NameMatch, exact_names
from core.grounding.match.shared_name import own_label_first, types_beside
from core.grounding.readers.record import Scope, identifier
from core.grounding.recognise import names_in_text, species
from core.model import Candidate, MatchKind, Problem, Severity, Span, Term

GOOD = 0.75  # with a match this good, parts and misspellings are not looked for
NEVER_LINKED = ""  # among the ids that words do not mean: they mean none
PREFERENCE = 0.05  # how much better a match in a less preferred vocabulary must be
LATER = 0.01  # the same far down the order, and of matches that are none of the whole words
LOOSE = frozenset((MatchKind.PARTIAL, MatchKind.FUZZY))
CONTEXT = 0.02
FOREIGN = 0.03  # how much better a term of another prefix than the vocabulary's own must be
REPLACED = 0.03
SAME = 0.01
FOREIGN_SPECIES = 0.4  # the share of its score that a gene of another species keeps
MOST_KNOWN = 50_000  # words whose candidates a steady grounder keeps

_Ranked = list[tuple[float, Candidate]]
_Asked = tuple[str, Constraint, str, bool]  # words, what is allowed, written out, loosely


class Grounder:
    """Grounds words to the vocabularies of a registry. Holds no state of its own (a steady one what
    it found before); safe to share between threads.

    `taxon` is the species (a NCBITaxon CURIE) of genes where the text names no organism; empty: it
    is not known.
    """

    def __init__(
        self, registry: VocabularyRegistry, synonyms: Synonyms | None = None, taxon: str = ""
    ):
        self.vocabulary_registry = registry
        self.synonyms = synonyms or NoSynonyms()
        self.taxon = taxon
        self._steady: Grounder | None = None
        self._known: dict[_Asked, _Ranked] | None = None  # of a steady grounder

    def of(self, taxon: str) -> Grounder:
        """The same grounder, with another species for texts that name none."""
        copy = Grounder(self.vocabulary_registry, self.synonyms, taxon)
        copy._known = self._known
        return copy

    def ground(
        self,
        words: str,
        constraint: Constraint,
        *,
        context: str = "",
        span: Span | None = None,
        limit: int = 10,
        loose: bool = True,
    ) -> tuple[Candidate, ...]:
        """What `words` may mean, best first, at most one candidate an id; only ids in the
        constraint's id space.

        `context` is the whole text and `span` the words' place in it: in-text abbreviations are
        written out and ties are broken by what else the text names. Without `loose`, parts and
        misspellings are not looked for.
        """
        words = " ".join(words.split())
        if not words:
            return ()
        refused = self.synonyms.refused(" ".join(normalise.name_words(words)), constraint.category)
        if NEVER_LINKED in refused:
            return ()
        if taxon := self.species_at(context, span, constraint)[0]:
            constraint = replace(constraint, taxon=taxon)
        long = _written_out(words, context, self.lexicons(constraint)) if context else ""
        if self._known is None or (loose and context):
            ranked = self._candidates_by_rank(words, long, constraint, context if loose else None)
        else:
            key = (words, constraint, long, loose)
            if (ranked_here := self._known.get(key)) is None:
                ranked_here = self._candidates_by_rank(
                    words, long, constraint, "" if loose else None
                )
                if len(self._known) >= MOST_KNOWN:
                    self._known.clear()
                self._known[key] = ranked_here
            ranked = ranked_here
        if refused:
            ranked = [pair for pair in ranked if pair[1].term.id not in refused]
        if context and len(ranked) > 1 and ranked[0][0] - ranked[1][0] < TIE:
            ranked = self._by_context(ranked, context.casefold())
        return tuple(candidate for _, candidate in ranked[:limit])

    def _candidates_by_rank(
        self, words: str, long: str, constraint: Constraint, context: str | None = None
    ) -> _Ranked:
        """Every candidate with its rank, best first; parts and misspellings too where there is a
        context, be it empty.
        """
        ranks = self.lexicons(constraint)
        pairs = [
            *self._project(long or words, constraint),
            *permissible.permissible_candidates(words, constraint.enums),
        ]
        if long:  # what a curator said of a short form holds where the text says nothing else
            pairs += [
                (rank * OTHERWISE, candidate)
                for rank, candidate in self._project(words, constraint)
            ]
        names_another = False
        for rank, lexicon in ranks:
            pairs += self._candidates(lexicon, rank, matches_by_id(lexicon, words), constraint)
            matches = exact_matches(lexicon, words, long)
            allowed = self._candidates(lexicon, rank, matches, constraint)
            names_another = names_another or (
                all(_by_word_form(candidate) for _, candidate in allowed)
                and any(map(is_as_written, matches))
            )
            pairs += allowed
        if names_another and context is None:
            pairs = [pair for pair in pairs if not _by_word_form(pair[1])]
        if (
            context is not None
            and max((candidate.score for _, candidate in pairs), default=0.0) < GOOD
        ):
            for rank, lexicon in ranks:
                matches = loose_matches_of(lexicon, words, long, context)
                pairs += self._candidates(lexicon, rank, matches, constraint)
        ranked = _ranked(pairs + self._same(ranks, pairs, constraint))
        if len(constraint.prefixes) > 1:
            return ranked  # an order of prefixes is what was asked for: it goes before labels
        return types_beside([lexicon for _, lexicon in ranks], own_label_first(ranked))

    def species_at(self, text: str, span: Span | None, constraint: Constraint) -> tuple[str, str]:
        """The taxon of a mention and where it is from: `text` for the organism named nearest, else
        `document`.

        Both are empty where nothing says it, and where no vocabulary of the constraint tells
        species apart.
        """
        taxa = self.taxa(constraint)
        if constraint.taxon or not taxa:
            return constraint.taxon, ""
        organism = (
            species.nearest_species(text, span, self.organisms(text, taxa)) if text and span else ""
        )
        return (organism, "text") if organism else (self.taxon, "document" if self.taxon else "")

    def taxa(self, constraint: Constraint) -> frozenset[str]:
        """The species that the constraint's vocabularies have terms of."""
        taxa = [lexicon.taxa for _, lexicon in self.lexicons(constraint) if lexicon.taxa]
        return frozenset[str]().union(*taxa) if len(taxa) > 1 else taxa[0] if taxa else frozenset()

    def organisms(self, text: str, taxa: frozenset[str]) -> tuple[species.Place, ...]:
        """Where `text` names an organism that has genes in some vocabulary, or that is commonly
        studied.
        """
        lexicons_of_species = tuple(
            lexicon
            for lexicon in self.vocabulary_registry.lexicons((species.PREFIX.lower(),))
            if lexicon.term_count
        )
        return names_in_text.named_organisms(text, lexicons_of_species, taxa)

    def steady(self) -> Grounder:
        """The same grounder for one piece of work: the vocabularies' files and what curators said
        are looked at once.
        """
        if self._known is not None:
            return self
        registry, synonyms, before = (
            self.vocabulary_registry.steady(),
            self.synonyms.steady(),
            self._steady,
        )
        if (
            before is None
            or before.vocabulary_registry is not registry
            or before.synonyms is not synonyms
        ):
            before = self._steady = Grounder(registry, synonyms, self.taxon)
            before._known = {}
        return before

    def check(
        self, id: str, constraint: Constraint
    ) -> tuple[Candidate | None, tuple[Problem, ...]]:
        """An id that a person typed: the term, and what is wrong with it. None when no vocabulary
        knows it.
        """
        curie = identifier(id, self._only_prefix(constraint))
        if not curie:
            return None, (
                _error("malformed-id", f"{id[:60]!r} is not an id of the form PREFIX:123."),
            )
        searched = [lexicon for _, lexicon in self.lexicons(constraint)]
        for lexicon in [
            *searched,
            *self.vocabulary_registry.lexicons((curie.partition(":")[0],)),
            *self.vocabulary_registry.all(),
        ]:
            if term := lexicon.term(curie):
                return self._checked(lexicon, term, constraint)
        message = f"No vocabulary of this project has {curie}."
        return None, (
            _error("unknown-id", message, "Look for a typing error, or add the vocabulary."),
        )

    def search(
        self, text: str, constraint: Constraint | None = None, limit: int = 25
    ) -> tuple[Candidate, ...]:
        """Terms whose names hold the words of `text`, or whose id it is; for a search box."""
        lexicons = (
            [lexicon for _, lexicon in self.lexicons(constraint)]
            if constraint
            else self.vocabulary_registry.all()
        )
        candidates: dict[str, Candidate] = {}
        for lexicon in lexicons:
            term = lexicon.term(identifier(text)) if identifier(text) else None
            if term:
                candidates[term.id] = _candidate(
                    lexicon, term.id, term.label, NameMatch(hit_of_term(term), MatchKind.LABEL, 1.0)
                )
            for match in exact_names(lexicon, text):
                candidates.setdefault(
                    match.hit.id, _candidate(lexicon, match.hit.id, match.hit.label, match)
                )
            for hit in lexicon.search(text, limit):
                share = len(normalise.fold_words(text)) / max(
                    1, len(normalise.fold_words(hit.text))
                )
                part = NameMatch(hit, MatchKind.PARTIAL, 0.5 * min(1.0, share))
                candidates.setdefault(hit.id, _candidate(lexicon, hit.id, hit.label, part))
        allowed = [
            candidate
            for candidate in candidates.values()
            if constraint is None or constraint.allows(candidate.term.id)
        ]
        return tuple(
            sorted(
                allowed,
                key=lambda candidate: (-candidate.score, len(candidate.surface), candidate.term.id),
            )
        )[:limit]

    def problems(self, constraint: Constraint) -> tuple[Problem, ...]:
        """What of a constraint this project cannot honour: missing vocabularies, branches that
        cannot be checked.
        """
        troubles = [
            Problem(
                "missing-vocabulary",
                f"The vocabulary {name} is not in this project.",
                where=name,
                hint="Add it on the page Vocabularies.",
            )
            for name in self.vocabulary_registry.missing(constraint.vocabularies)
        ]
        if constraint.value_sets:
            troubles += [
                branch.unchecked(lexicon)
                for _, lexicon in self.lexicons(constraint)
                if not lexicon.has_hierarchy and not self.vocabulary_registry.holds(lexicon.name)
            ]
        return tuple(troubles)

    # ------------------------------------------------------------

    def lexicons(self, constraint: Constraint) -> list[tuple[int, Lexicon]]:
        """The constraint's vocabularies with their rank: those of one name share a rank."""
        return self.vocabulary_registry.ranked(constraint.vocabularies or constraint.prefixes)

    def _project(self, words: str, constraint: Constraint) -> list[tuple[float, Candidate]]:
        terms = self.synonyms.lookup(normalise.name_key(words), constraint.category)
        allowed = [term for term in terms if constraint.allows(term.id)]
        taxa = [self._taxon(term.id, constraint) for term in allowed]
        own = [
            term
            for term, of in zip(allowed, taxa, strict=True)
            if not (constraint.taxon and of) or of == constraint.taxon
        ]
        return [
            (1.1, Candidate(term, MatchKind.PROJECT, 1.0, words, vocabulary="project"))
            for term in own[:1]
        ]

    def _taxon(self, id: str, constraint: Constraint) -> str:
        """The species of a term, where a vocabulary of the constraint says it."""
        terms = (lexicon.term(id) for _, lexicon in self.lexicons(constraint) if lexicon.taxa)
        return next((term.taxon for term in terms if term and term.taxon), "")

    def _candidates(
        self, lexicon: Lexicon, rank: int, matches: Iterable[NameMatch], constraint: Constraint
    ) -> list[tuple[float, Candidate]]:
        pairs = []
        flat = constraint.value_sets and not lexicon.has_hierarchy
        kinds = self.vocabulary_registry.holds(lexicon.name) if flat else ()
        for match in matches:
            candidate = self._current(lexicon, match, constraint)
            if constraint.allows(candidate.term.id) and branch.in_value_sets(
                lexicon, candidate.term.id, constraint.value_sets, kinds, constraint.category
            ):
                loose = candidate.match in LOOSE
                cost = LATER * rank if loose else _order_cost(rank)
                cost += self._prefix_cost(lexicon, candidate, constraint)
                pairs.append((candidate.score - cost, candidate))
        return pairs

    def _prefix_cost(self, lexicon: Lexicon, candidate: Candidate, constraint: Constraint) -> float:
        """What a candidate loses by its prefix: the later in the constraint's order the more;
        without an order, when it is not the vocabulary's own.
        """
        prefix = preferred_prefix(candidate.term.id.partition(":")[0])
        order = [preferred_prefix(name) for name in constraint.prefixes]
        if len(order) > 1:
            return _order_cost(order.index(prefix)) if prefix in order else 0.0
        return 0.0 if prefix == next(iter(lexicon.prefixes), "") else FOREIGN

    def _current(self, lexicon: Lexicon, match: NameMatch, constraint: Constraint) -> Candidate:
        """The candidate of a match; a term that was replaced gives way to the one that took its
        place.
        """
        hit = match.hit
        candidate = _candidate(lexicon, hit.id, hit.label, match, constraint)
        if constraint.taxon and hit.taxon and hit.taxon != constraint.taxon:
            candidate = replace(
                candidate,
                score=round(candidate.score * FOREIGN_SPECIES, 4),
                differed=_joined(candidate.differed, "species"),
            )
        if not hit.obsolete:
            return candidate
        if now := lexicon.successor(hit.replaced_by):
            term = Term(now.id, now.label, constraint.category)
            note = _joined(candidate.differed, f"replaces {hit.id}")
            return replace(candidate, term=term, score=candidate.score - REPLACED, differed=note)
        return replace(
            candidate, obsolete=True, replaced_by=hit.replaced_by, score=candidate.score * 0.45
        )

    def _same(
        self,
        ranks: Sequence[tuple[int, Lexicon]],
        pairs: Sequence[tuple[float, Candidate]],
        constraint: Constraint,
    ) -> list[tuple[float, Candidate]]:
        """Terms of more preferred vocabularies that bear the label of a candidate: one thing under
        two ids.
        """
        places = {lexicon.name: rank for rank, lexicon in ranks}
        candidate_ids = {candidate.term.id for _, candidate in pairs}
        added = []
        for _, candidate in sorted(pairs, key=lambda pair: -pair[0])[:3]:
            better = [
                (rank, lexicon)
                for rank, lexicon in ranks
                if rank < places.get(candidate.vocabulary, 0)
            ]
            for rank, lexicon in better:
                hits = [
                    hit
                    for hit in lexicon.names(normalise.name_key(candidate.term.label))
                    if hit.scope is Scope.LABEL
                ]
                if len(hits) == 1 and hits[0].id not in candidate_ids and not hits[0].obsolete:
                    match = NameMatch(
                        hits[0]._replace(text=candidate.surface),
                        candidate.match,
                        candidate.score - SAME,
                        (_joined(candidate.differed, f"as {candidate.term.id}"),),
                    )
                    added += self._candidates(lexicon, rank, [match], constraint)
        return added

    def _by_context(self, ranked: _Ranked, context: str) -> _Ranked:
        """Among equals the term goes first that the text also names otherwise, if there is only one
        such.
        """
        tied = [pair for pair in ranked if ranked[0][0] - pair[0] < TIE]
        counts = [self._named_otherwise(candidate, context) for _, candidate in tied]
        if counts.count(max(counts)) != 1:
            return ranked
        rank, winner = tied[counts.index(max(counts))]
        note = _joined(winner.differed, "chosen by context")
        others = [pair for pair in ranked if pair[1] is not winner]
        lowered = [
            (r, replace(o, score=max(0.0, o.score - CONTEXT)) if r > rank - TIE else o)
            for r, o in others
        ]
        return [(rank, replace(winner, differed=note)), *lowered]

    def _named_otherwise(self, candidate: Candidate, context: str) -> int:
        term = next(
            (
                t
                for x in self.vocabulary_registry.all()
                if x.name == candidate.vocabulary and (t := x.term(candidate.term.id))
            ),
            None,
        )
        names = {name.text.casefold() for name in term.names} if term else set()
        return sum(
            len(name) > 3 and name != candidate.surface.casefold() and name in context
            for name in names
        )

    def _only_prefix(self, constraint: Constraint) -> str:
        return preferred_prefix(constraint.prefixes[0]) if len(constraint.prefixes) == 1 else ""

    def _checked(
        self, lexicon: Lexicon, term: LexiconTerm, constraint: Constraint
    ) -> tuple[Candidate, tuple[Problem, ...]]:
        troubles = []
        if not constraint.allows(term.id):
            allowed = ", ".join(constraint.prefixes) or constraint.pattern
            troubles.append(
                _error("wrong-prefix", f"{term.id} is not allowed here.", f"Allowed: {allowed}.")
            )
        if term.obsolete:
            hint = f"Use {term.replaced_by}." if term.replaced_by else "Choose another term."
            troubles.append(_error("obsolete-id", f"{term.id} ({term.label}) is obsolete.", hint))
        if constraint.value_sets and not lexicon.has_hierarchy:
            troubles.append(branch.unchecked(lexicon))
        elif not branch.in_value_sets(lexicon, term.id, constraint.value_sets):
            names = ", ".join(value_set.name for value_set in constraint.value_sets)
            troubles.append(
                _error("outside-value-set", f"{term.id} ({term.label}) is not in {names}.")
            )
        match = NameMatch(hit_of_term(term), MatchKind.CURATOR, 1.0)
        candidate = _candidate(lexicon, term.id, term.label, match, constraint)
        return replace(candidate, obsolete=term.obsolete, replaced_by=term.replaced_by), tuple(
            troubles
        )


def _ranked(pairs: _Ranked) -> _Ranked:
    """The best of each term, best first."""
    best: dict[str, tuple[float, Candidate]] = {}
    for rank, candidate in pairs:
        key = candidate.term.id or candidate.term.label
        if key not in best or (rank, candidate.score) > (best[key][0], best[key][1].score):
            best[key] = (rank, candidate)
    return sorted(best.values(), key=lambda pair: (-pair[0], -pair[1].score, pair[1].term.id))


def _order_cost(place: int) -> float:
    """What standing later in an order of preference costs; far down little more, never nothing."""
    return PREFERENCE * min(place, 4) + LATER * max(place - 4, 0)


def _written_out(words: str, context: str, lexicons: Sequence[tuple[int, Lexicon]]) -> str:
    """What the text says that the words are short for; empty where it does not say."""
    if long := phrase.written_out(words, context):
        return long
    for before in phrase.said_before(words, context):
        if any(
            met[0].score >= GOOD for _, lexicon in lexicons if (met := exact_names(lexicon, before))
        ):
            return before
    return ""


def _by_word_form(candidate: Candidate) -> bool:
    return "word form" in candidate.differed


def _candidate(
    lexicon: Lexicon, id: str, label: str, match: NameMatch, constraint: Constraint | None = None
) -> Candidate:
    term = Term(id, label or id, constraint.category) if constraint else Term(id, label or id)
    return Candidate(
        term,
        match.kind,
        round(max(0.0, min(1.0, match.score)), 4),
        match.hit.text,
        ", ".join(match.differed),
        lexicon.name,
        lexicon.version,
        match.hit.obsolete,
        match.hit.replaced_by,
        match.hit.taxon,
    )


def _joined(*notes: str) -> str:
    return ", ".join(note for note in notes if note)


def _error(code: str, message: str, hint: str = "") -> Problem:
    return Problem(code, message, Severity.ERROR, hint=hint)
