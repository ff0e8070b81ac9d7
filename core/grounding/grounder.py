"""Words to terms (SPIRES §3.4, §3.5): every candidate with how it was met, best first, and the rule
that picks one.

Order of matches: project synonym, label, exact synonym, normalised, narrow, broad and related
synonym, abbreviation, part, misspelling. Earlier vocabularies of a constraint go before later ones
where matches are about as good.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.grounding.candidates import (
    FOREIGN_SPECIES,
    RankedCandidates,
    best_of_each_term,
    candidates_of,
    joined_notes,
)
from core.grounding.choice import TIE
from core.grounding.constraint import branch, permissible
from core.grounding.constraint.constraint import Constraint, NoSynonyms, Synonyms
from core.grounding.constraint.excerpt import NOTHING, excerpt_of
from core.grounding.equivalents import Equivalents, EquivalentsSource
from core.grounding.index.lexicon import Lexicon
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.match import normalise
from core.grounding.match.mention_match import (
    GOOD,
    NAMED,
    OTHERWISE,
    exact_matches,
    hit_of_term,
    is_as_written,
    loose_matches_of,
    matches_by_id,
    written_out_here,
)
from core.grounding.match.name_match import NameMatch
from core.grounding.match.shared_name import own_label_first, types_beside
from core.grounding.readers.record import SynonymScope
from core.grounding.recognise import names_in_text, species
from core.grounding.short_form import SOME, undecided_short_form
from core.grounding.term_search import search_terms
from core.grounding.tie import settle_tie
from core.grounding.typed_id import check_id, typed_curie
from core.model import Candidate, MatchKind, Problem, Span

NEVER_LINKED = ""  # among the ids that words do not mean: they mean none
SAME = 0.01
MOST_BY_LABEL = 12  # vocabularies of a slot in which a candidate's label is looked up again
OF_SPECIES = "the gene of this symbol in the species that the text names"
MOST_KNOWN = 50_000  # words whose candidates a steady grounder keeps

_Asked = tuple[str, Constraint, str, bool]  # words, what is allowed, written out, loosely


class Grounder:
    """Grounds words to the vocabularies of a registry. Holds no state of its own (a steady one what
    it found before); safe to share between threads.

    `taxon` is the species (a NCBITaxon CURIE) of genes where the text names no organism; empty: it
    is not known.
    """

    def __init__(
        self,
        registry: VocabularyRegistry,
        synonyms: Synonyms | None = None,
        taxon: str = "",
        *,
        equivalents: EquivalentsSource | None = None,
    ):
        self.vocabulary_registry = registry
        self.synonyms = synonyms or NoSynonyms()
        self.taxon = taxon
        self.equivalents = equivalents or Equivalents()
        self._steady: Grounder | None = None
        self._known: dict[_Asked, RankedCandidates] | None = None  # of a steady grounder

    def of(self, taxon: str) -> Grounder:
        """The same grounder, with another species for texts that name none."""
        copy = Grounder(
            self.vocabulary_registry, self.synonyms, taxon, equivalents=self.equivalents
        )
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
        ranks = self.lexicons(constraint)
        taxon = self.species_at(context, span, constraint)[0]
        if taxon != constraint.taxon:
            constraint = replace(constraint, taxon=taxon)
        long = (
            written_out_here(words, context, [lexicon for _, lexicon in ranks]) if context else ""
        )
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
        if len(words) <= SOME and not long:
            lexicons = [lexicon for _, lexicon in ranks]
            same = self.equivalents.steady().same
            ranked = undecided_short_form(words, ranked, context, lexicons, same=same)
        if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < TIE:
            ranked = settle_tie(ranked, context, self.vocabulary_registry.all())
        return tuple([candidate for _, candidate in ranked[:limit]])

    def _candidates_by_rank(
        self, words: str, long: str, constraint: Constraint, context: str | None = None
    ) -> RankedCandidates:
        """Every candidate with its rank, best first; parts and misspellings too where there is a
        context, be it empty.
        """
        ranks = self.lexicons(constraint)
        pairs = self._project(long or words, constraint)
        pairs += permissible.permissible_candidates(words, constraint.enums)
        if long:  # what a curator said of a short form holds where the text says nothing else
            pairs += [
                (rank * OTHERWISE, candidate)
                for rank, candidate in self._project(words, constraint)
            ]
        names_another = False
        for rank, lexicon in ranks:
            if by_id := matches_by_id(lexicon, words):
                pairs += self._candidates(lexicon, rank, by_id, constraint)
            if not (matches := exact_matches(lexicon, words, long)):
                continue
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
        pairs += self._same(ranks, pairs, constraint)
        pairs += self._of_species(ranks, pairs, constraint)
        ranked = best_of_each_term(pairs)
        if len(constraint.prefixes) > 1:
            return ranked  # an order of prefixes is what was asked for: it goes before labels
        return types_beside(
            [lexicon for _, lexicon in ranks],
            own_label_first(ranked, self.equivalents.steady().same),
        )

    def species_at(self, text: str, span: Span | None, constraint: Constraint) -> tuple[str, str]:
        """The taxon of a mention and where it is from: `text` for the organism named nearest, else
        `document`.

        Both are empty where nothing says it, and where no vocabulary of the constraint tells
        species apart.
        """
        taxa = self.taxa(constraint)
        if constraint.taxon or not taxa:
            return constraint.taxon, ""
        organism = self._organism(text, span, constraint, taxa) if text and span else ""
        return (organism, "text") if organism else (self.taxon, "document" if self.taxon else "")

    def _organism(self, text: str, span: Span, constraint: Constraint, taxa: frozenset[str]) -> str:
        """The organism that is said of the mention, else the one named nearest; of several that an
        earlier sentence names together, or that the text only mentions, the one whose gene is
        written so, letter by letter.
        """
        organisms = self.organisms(text, taxa)
        if own := organisms.said_of(span):
            return own
        nearest = organisms.nearest(span)
        together = organisms.named_together(span)
        if nearest and len(together) < 2:
            return nearest
        lexicons = [lexicon for _, lexicon in self.lexicons(constraint) if lexicon.taxa]
        words = " ".join(span.quote(text).split())
        rivals = together or (organisms.taxa & taxa)
        return names_in_text.taxon_as_written(words, lexicons, rivals) or nearest

    def taxa(self, constraint: Constraint) -> frozenset[str]:
        """The species that the constraint's vocabularies have terms of."""
        taxa = [lexicon.taxa for _, lexicon in self.lexicons(constraint) if lexicon.taxa]
        return frozenset[str]().union(*taxa) if len(taxa) > 1 else taxa[0] if taxa else frozenset()

    def organisms(self, text: str, taxa: frozenset[str]) -> species.OrganismsInText:
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
        registry, synonyms, equivalents, before = (
            self.vocabulary_registry.steady(),
            self.synonyms.steady(),
            self.equivalents.steady(),
            self._steady,
        )
        if (
            before is None
            or before.vocabulary_registry is not registry
            or before.synonyms is not synonyms
            or before.equivalents is not equivalents
        ):
            before = self._steady = Grounder(
                registry, synonyms, self.taxon, equivalents=equivalents
            )
            before._known = {}
        return before

    def check(
        self, id: str, constraint: Constraint
    ) -> tuple[Candidate | None, tuple[Problem, ...]]:
        """An id that a person typed: the term, and what is wrong with it. None when no vocabulary
        knows it.
        """
        lexicons = [
            *(lexicon for _, lexicon in self.lexicons(constraint)),
            *self.vocabulary_registry.lexicons((typed_curie(id, constraint).partition(":")[0],)),
            *self.vocabulary_registry.all(),
        ]
        return check_id(id, constraint, lexicons)

    def search(
        self, text: str, constraint: Constraint | None = None, limit: int = 25
    ) -> tuple[Candidate, ...]:
        """Terms whose names hold the words of `text`, or whose id it is; for a search box."""
        lexicons = (
            [lexicon for _, lexicon in self.lexicons(constraint)]
            if constraint
            else self.vocabulary_registry.all()
        )
        return search_terms(text, lexicons, constraint, limit)

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
                if branch.cannot_check(
                    lexicon,
                    constraint.value_sets,
                    self.vocabulary_registry.holds(lexicon.name),
                    constraint.category,
                )
            ]
        return tuple(troubles)

    # ------------------------------------------------------------

    def lexicons(self, constraint: Constraint) -> list[tuple[int, Lexicon]]:
        """The constraint's vocabularies with their rank: those of one name share a rank."""
        return self.vocabulary_registry.ranked(constraint.vocabularies or constraint.prefixes)

    def _project(self, words: str, constraint: Constraint) -> RankedCandidates:
        terms = self.synonyms.lookup(normalise.name_key(words), constraint.category)
        if not terms:
            return []
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
        self, lexicon: Lexicon, place: int, matches: Iterable[NameMatch], constraint: Constraint
    ) -> RankedCandidates:
        flat = constraint.value_sets and not lexicon.has_hierarchy
        kinds = self.vocabulary_registry.holds(lexicon.name) if flat else ()
        excerpt = excerpt_of(self.vocabulary_registry.starters, lexicon.name) if flat else NOTHING
        return candidates_of(lexicon, place, matches, constraint, kinds=kinds, excerpt=excerpt)

    def _of_species(
        self,
        ranks: Sequence[tuple[int, Lexicon]],
        pairs: RankedCandidates,
        constraint: Constraint,
    ) -> RankedCandidates:
        """The gene of the known species that has the symbol of the best one of another, in any case
        of letters, where no name of its own was met: "ghrelin" of a mouse is Ghrl. (Of 19,000 genes
        that HGNC ties to mouse genes 87 % have one symbol.)
        """
        if not constraint.taxon or any(
            candidate.taxon == constraint.taxon for _, candidate in pairs
        ):
            return []
        foreign = max(
            (candidate for _, candidate in pairs if candidate.taxon and not candidate.obsolete),
            key=lambda candidate: candidate.score,
            default=None,
        )
        if foreign is None:
            return []
        added: RankedCandidates = []
        for rank, lexicon in ranks:
            if constraint.taxon in lexicon.taxa:
                hits = [
                    hit._replace(text=foreign.surface)
                    for hit in lexicon.names(normalise.name_key(foreign.term.label))
                    if hit.taxon == constraint.taxon
                    and hit.scope is SynonymScope.LABEL
                    and hit.label.casefold() == foreign.term.label.casefold()
                ]
                score = foreign.score / FOREIGN_SPECIES - SAME
                note = (joined_notes(foreign.differed.removesuffix("species"), OF_SPECIES),)
                matches = [NameMatch(hit, foreign.match, score, note) for hit in hits]
                added += self._candidates(lexicon, rank, matches, constraint)
        return added

    def _same(
        self,
        ranks: Sequence[tuple[int, Lexicon]],
        pairs: Sequence[tuple[float, Candidate]],
        constraint: Constraint,
    ) -> RankedCandidates:
        """Terms of more preferred vocabularies that are a candidate's thing under another id: by
        the mappings, else by its label.
        """
        if len(ranks) < 2:
            return []
        equivalents = self.equivalents.steady()
        places = {lexicon.name: rank for rank, lexicon in ranks}
        candidate_ids = {candidate.term.id for _, candidate in pairs}
        # What names the words itself is not asked by way of another: "Magnesium sulfate" of
        # DrugBank is mapped to ChEBI's heptahydrate, beside ChEBI's magnesium sulfate.
        naming = {candidate.vocabulary for _, candidate in pairs if candidate.score >= NAMED}
        added = []
        for _, candidate in sorted(pairs, key=lambda pair: -pair[0])[:3]:
            better = [
                (rank, lexicon)
                for rank, lexicon in ranks
                if rank < places.get(candidate.vocabulary, 0) and lexicon.name not in naming
            ]
            mapped = equivalents.of(candidate.term.id) if better else ()
            for rank, lexicon in better:
                hits = [
                    hit_of_term(term)
                    for id in sorted(mapped)
                    if id.partition(":")[0] in lexicon.prefixes and (term := lexicon.term(id))
                ]
                # One that is the same thing is as good, however its own names were met.
                known = () if hits else candidate_ids
                if not hits and len(ranks) <= MOST_BY_LABEL:
                    hits = [
                        hit
                        for hit in lexicon.names(normalise.name_key(candidate.term.label))
                        if hit.scope is SynonymScope.LABEL and hit.taxon in ("", candidate.taxon)
                    ]
                if len(hits) == 1 and hits[0].id not in known and not hits[0].obsolete:
                    match = NameMatch(
                        hits[0]._replace(text=candidate.surface),
                        candidate.match,
                        candidate.score - SAME,
                        (joined_notes(candidate.differed, f"as {candidate.term.id}"),),
                    )
                    added += self._candidates(lexicon, rank, [match], constraint)
        return added


def _by_word_form(candidate: Candidate) -> bool:
    return "word form" in candidate.differed
