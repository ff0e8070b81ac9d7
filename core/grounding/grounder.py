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
from core.grounding.constraint import branch, permissible
from core.grounding.constraint.constraint import Constraint, NoSynonyms, Synonyms
from core.grounding.index.lexicon import Lexicon, LexiconTerm, NameHit
from core.grounding.index.vocabulary_registry import Shelf
from core.grounding.match import normalise, phrase
from core.grounding.match.fuzzy import misspelt_names
from core.grounding.match.name_match import NameMatch, exact_names, scale_match
from core.grounding.match.near import near_names
from core.grounding.readers.record import Scope, identifier
from core.grounding.recognise import names_in_text, species
from core.model import Candidate, MatchKind, Outcome, Problem, Severity, Span, Term

GOOD = 0.75  # with a match this good, parts and misspellings are not looked for
LEAST = 0.5  # the least score that is picked without a curator
TIE = 0.004
NEVER_LINKED = ""  # among the ids that words do not mean: they mean none
PREFERENCE = 0.05  # how much better a match in a less preferred vocabulary must be
LATER = 0.01
CONTEXT = 0.02
FOREIGN = 0.03  # how much better a term of another prefix than the vocabulary's own must be
REPLACED = 0.03
OTHERWISE = 0.7  # the share of its score that a name keeps where the text says what it is short for
SAME = 0.01
FOREIGN_SPECIES = 0.4  # the share of its score that a gene of another species keeps
KIN = (
    0.09  # how much better one of two genes of equal names must be, where the species is not known
)
MOST_KNOWN = 50_000  # words whose candidates a steady grounder keeps

_Ranked = list[tuple[float, Candidate]]
_Asked = tuple[str, Constraint, str]  # words, what is allowed, the words written out


class Grounder:
    """Grounds words to the vocabularies of a shelf. Holds no state of its own (a steady one what it
    found before); safe to share between threads.

    `taxon` is the species (a NCBITaxon CURIE) of genes where the text names no organism; empty: it
    is not known.
    """

    def __init__(self, shelf: Shelf, synonyms: Synonyms | None = None, taxon: str = ""):
        self.shelf = shelf
        self.synonyms = synonyms or NoSynonyms()
        self.taxon = taxon
        self._steady: Grounder | None = None
        self._known: dict[_Asked, _Ranked] | None = None  # of a steady grounder

    def of(self, taxon: str) -> Grounder:
        """The same grounder, with another species for texts that name none."""
        other = Grounder(self.shelf, self.synonyms, taxon)
        other._known = self._known
        return other

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
        refused = self.synonyms.refused(normalise.name_key(words), constraint.category)
        if NEVER_LINKED in refused:
            return ()
        if taxon := self.species_at(context, span, constraint)[0]:
            constraint = replace(constraint, taxon=taxon)
        long = _written_out(words, context, [lexicon for _, lexicon in self.lexicons(constraint)])
        if loose or self._known is None:
            found = self._found(words, long, constraint, context if loose else None)
        else:
            key = (words, constraint, long)
            if key not in self._known:
                if len(self._known) >= MOST_KNOWN:
                    self._known.clear()
                self._known[key] = self._found(words, long, constraint)
            found = self._known[key]
        usable = [pair for pair in found if pair[1].term.id not in refused] if refused else found
        return self._ranked(usable, context)[:limit]

    def _found(
        self, words: str, long: str, constraint: Constraint, context: str | None = None
    ) -> _Ranked:
        """Every candidate with its rank; parts and misspellings too where there is a context, be it
        empty.
        """
        ranks = self.lexicons(constraint)
        found = [
            *self._project(long or words, constraint),
            *permissible.permissible_candidates(words, constraint.enums),
        ]
        if long:  # what a curator said of a short form holds where the text says nothing else
            found += [(rank * OTHERWISE, one) for rank, one in self._project(words, constraint)]
        for rank, lexicon in ranks:
            found += self._candidates(lexicon, rank, _named(lexicon, words), constraint)
            found += self._candidates(lexicon, rank, _matches(lexicon, words, long), constraint)
        if context is not None and max((one.score for _, one in found), default=0.0) < GOOD:
            for rank, lexicon in ranks:
                matches = _loose(lexicon, words, long, context)
                found += self._candidates(lexicon, rank, matches, constraint)
        return found + self._same(ranks, found, constraint)

    def species_at(self, text: str, span: Span | None, constraint: Constraint) -> tuple[str, str]:
        """The taxon of a mention and where it is from: `text` for the organism named nearest, else
        `document`.

        Both are empty where nothing says it, and where no vocabulary of the constraint tells
        species apart.
        """
        taxa = self.taxa(constraint)
        if constraint.taxon or not taxa:
            return constraint.taxon, ""
        named = (
            species.nearest_species(text, span, self.organisms(text, taxa)) if text and span else ""
        )
        return (named, "text") if named else (self.taxon, "document" if self.taxon else "")

    def taxa(self, constraint: Constraint) -> frozenset[str]:
        """The species that the constraint's vocabularies have terms of."""
        return frozenset[str]().union(*(lexicon.taxa for _, lexicon in self.lexicons(constraint)))

    def organisms(self, text: str, taxa: frozenset[str]) -> tuple[species.Place, ...]:
        """Where `text` names an organism that has genes in some vocabulary, or that is commonly
        studied.
        """
        known = tuple(
            lexicon
            for lexicon in self.shelf.lexicons((species.PREFIX.lower(),))
            if lexicon.term_count
        )
        return names_in_text.named_organisms(text, known, taxa)

    def steady(self) -> Grounder:
        """The same grounder for one piece of work: the vocabularies' files and what curators said
        are looked at once.
        """
        if self._known is not None:
            return self
        shelf, synonyms, before = self.shelf.steady(), self.synonyms.steady(), self._steady
        if before is None or before.shelf is not shelf or before.synonyms is not synonyms:
            before = self._steady = Grounder(shelf, synonyms, self.taxon)
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
        known = [one for _, one in self.lexicons(constraint)]
        for lexicon in [
            *known,
            *self.shelf.lexicons((curie.partition(":")[0],)),
            *self.shelf.all(),
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
        lexicons = [one for _, one in self.lexicons(constraint)] if constraint else self.shelf.all()
        candidates: dict[str, Candidate] = {}
        for lexicon in lexicons:
            term = lexicon.term(identifier(text)) if identifier(text) else None
            if term:
                candidates[term.id] = _candidate(
                    lexicon, term.id, term.label, NameMatch(_hit(term), MatchKind.LABEL, 1.0)
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
        return tuple(sorted(allowed, key=lambda one: (-one.score, len(one.surface), one.term.id)))[
            :limit
        ]

    def problems(self, constraint: Constraint) -> tuple[Problem, ...]:
        """What of a constraint this project cannot honour: missing vocabularies, branches that
        cannot be checked.
        """
        found = [
            Problem(
                "missing-vocabulary",
                f"The vocabulary {name} is not in this project.",
                where=name,
                hint="Add it on the page Vocabularies.",
            )
            for name in self.shelf.missing(constraint.vocabularies)
        ]
        if constraint.value_sets:
            found += [
                branch.unchecked(one)
                for _, one in self.lexicons(constraint)
                if not one.has_hierarchy and not self.shelf.holds(one.name)
            ]
        return tuple(found)

    # ------------------------------------------------------------

    def lexicons(self, constraint: Constraint) -> list[tuple[int, Lexicon]]:
        """The constraint's vocabularies with their rank: those of one name share a rank."""
        return self.shelf.ranked(constraint.vocabularies or constraint.prefixes)

    def _project(self, words: str, constraint: Constraint) -> list[tuple[float, Candidate]]:
        terms = self.synonyms.lookup(normalise.name_key(words), constraint.category)
        kept = [term for term in terms if constraint.allows(term.id)]
        taxa = [self._taxon(term.id, constraint) for term in kept]
        own = [
            term
            for term, of in zip(kept, taxa, strict=True)
            if not (constraint.taxon and of) or of == constraint.taxon
        ]
        return [
            (1.1, Candidate(term, MatchKind.PROJECT, 1.0, words, vocabulary="project"))
            for term in own[:1]
        ]

    def _taxon(self, id: str, constraint: Constraint) -> str:
        """The species of a term, where a vocabulary of the constraint says it."""
        found = (lexicon.term(id) for _, lexicon in self.lexicons(constraint) if lexicon.taxa)
        return next((term.taxon for term in found if term and term.taxon), "")

    def _candidates(
        self, lexicon: Lexicon, rank: int, matches: Iterable[NameMatch], constraint: Constraint
    ) -> list[tuple[float, Candidate]]:
        found = []
        flat = constraint.value_sets and not lexicon.has_hierarchy
        kinds = self.shelf.holds(lexicon.name) if flat else ()
        for match in matches:
            candidate = self._current(lexicon, match, constraint)
            if constraint.allows(candidate.term.id) and branch.in_value_sets(
                lexicon, candidate.term.id, constraint.value_sets, kinds, constraint.category
            ):
                cost = _order_cost(rank) + self._prefix_cost(lexicon, candidate, constraint)
                found.append((candidate.score - cost, candidate))
        return found

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
        one = _candidate(lexicon, hit.id, hit.label, match, constraint)
        if constraint.taxon and hit.taxon and hit.taxon != constraint.taxon:
            one = replace(
                one,
                score=round(one.score * FOREIGN_SPECIES, 4),
                differed=_joined(one.differed, "species"),
            )
        if not hit.obsolete:
            return one
        if now := lexicon.successor(hit.replaced_by):
            term = Term(now.id, now.label, constraint.category)
            note = _joined(one.differed, f"replaces {hit.id}")
            return replace(one, term=term, score=one.score - REPLACED, differed=note)
        return replace(one, obsolete=True, replaced_by=hit.replaced_by, score=one.score * 0.45)

    def _same(
        self,
        ranks: Sequence[tuple[int, Lexicon]],
        found: Sequence[tuple[float, Candidate]],
        constraint: Constraint,
    ) -> list[tuple[float, Candidate]]:
        """Terms of more preferred vocabularies that bear the label of a candidate: one thing under
        two ids.
        """
        places = {lexicon.name: rank for rank, lexicon in ranks}
        known = {one.term.id for _, one in found}
        added = []
        for _, one in sorted(found, key=lambda pair: -pair[0])[:3]:
            better = [
                (rank, lexicon) for rank, lexicon in ranks if rank < places.get(one.vocabulary, 0)
            ]
            for rank, lexicon in better:
                hits = [
                    hit
                    for hit in lexicon.names(normalise.name_key(one.term.label))
                    if hit.scope is Scope.LABEL
                ]
                if len(hits) == 1 and hits[0].id not in known and not hits[0].obsolete:
                    match = NameMatch(
                        hits[0],
                        one.match,
                        one.score - SAME,
                        (_joined(one.differed, f"as {one.term.id}"),),
                    )
                    added += self._candidates(lexicon, rank, [match], constraint)
        return added

    def _ranked(
        self, found: Sequence[tuple[float, Candidate]], context: str
    ) -> tuple[Candidate, ...]:
        best: dict[str, tuple[float, Candidate]] = {}
        for rank, one in found:
            key = one.term.id or one.term.label
            if key not in best or (rank, one.score) > (best[key][0], best[key][1].score):
                best[key] = (rank, one)
        ranked = sorted(best.values(), key=lambda pair: (-pair[0], -pair[1].score, pair[1].term.id))
        if context and len(ranked) > 1 and ranked[0][0] - ranked[1][0] < TIE:
            ranked = self._by_context(ranked, context.casefold())
        return tuple(one for _, one in ranked)

    def _by_context(
        self, ranked: list[tuple[float, Candidate]], context: str
    ) -> list[tuple[float, Candidate]]:
        """Among equals the term goes first that the text also names otherwise, if there is only one
        such.
        """
        tied = [pair for pair in ranked if ranked[0][0] - pair[0] < TIE]
        counts = [self._named_otherwise(one, context) for _, one in tied]
        if counts.count(max(counts)) != 1:
            return ranked
        rank, one = tied[counts.index(max(counts))]
        note = _joined(one.differed, "chosen by context")
        others = [pair for pair in ranked if pair[1] is not one]
        lowered = [
            (r, replace(o, score=max(0.0, o.score - CONTEXT)) if r > rank - TIE else o)
            for r, o in others
        ]
        return [(rank, replace(one, differed=note)), *lowered]

    def _named_otherwise(self, candidate: Candidate, context: str) -> int:
        term = next(
            (
                t
                for x in self.shelf.all()
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
        found = []
        if not constraint.allows(term.id):
            allowed = ", ".join(constraint.prefixes) or constraint.pattern
            found.append(
                _error("wrong-prefix", f"{term.id} is not allowed here.", f"Allowed: {allowed}.")
            )
        if term.obsolete:
            hint = f"Use {term.replaced_by}." if term.replaced_by else "Choose another term."
            found.append(_error("obsolete-id", f"{term.id} ({term.label}) is obsolete.", hint))
        if constraint.value_sets and not lexicon.has_hierarchy:
            found.append(branch.unchecked(lexicon))
        elif not branch.in_value_sets(lexicon, term.id, constraint.value_sets):
            names = ", ".join(value_set.name for value_set in constraint.value_sets)
            found.append(
                _error("outside-value-set", f"{term.id} ({term.label}) is not in {names}.")
            )
        match = NameMatch(_hit(term), MatchKind.CURATOR, 1.0)
        one = _candidate(lexicon, term.id, term.label, match, constraint)
        return replace(one, obsolete=term.obsolete, replaced_by=term.replaced_by), tuple(found)


def choose_candidate(candidates: Sequence[Candidate]) -> tuple[Term | None, Outcome]:
    """The rule that picks: the first candidate, if it is good enough, not obsolete, and no other of
    its id space is as good (then AMBIGUOUS: a curator decides). Genes of two species that bear one
    name, in whatever case of letters, are as good as each other: candidates of another species than
    the one that is known have lost most of their score.
    """
    usable = [candidate for candidate in candidates if not candidate.obsolete and candidate.term.id]
    if not usable or usable[0].score < LEAST:
        return None, Outcome.UNGROUNDED
    first = usable[0]
    rivals = [
        candidate
        for candidate in usable[1:]
        if abs(first.score - candidate.score) < TIE and _space(candidate) == _space(first)
    ]
    rivals += [
        candidate
        for candidate in usable[1:]
        if first.score - candidate.score < KIN and _kin(first, candidate)
    ]
    if rivals and first.match is not MatchKind.PROJECT:
        return None, Outcome.AMBIGUOUS
    return first.term, Outcome.GROUNDED


def _order_cost(place: int) -> float:
    """What standing later in an order of preference costs; far down little more, never nothing."""
    return PREFERENCE * min(place, 4) + LATER * max(place - 4, 0)


def _kin(candidate: Candidate, other: Candidate) -> bool:
    """Whether two genes of two species were met by one name."""
    apart = candidate.taxon and other.taxon and candidate.taxon != other.taxon
    return bool(apart) and normalise.name_key(candidate.surface) == normalise.name_key(
        other.surface
    )


def _space(candidate: Candidate) -> str:
    return candidate.term.id.partition(":")[0]


def _written_out(words: str, context: str, lexicons: Sequence[Lexicon]) -> str:
    """What the text says that the words are short for; empty where it does not say."""
    if not context:
        return ""
    if long := phrase.written_out(words, context):
        return long
    for before in phrase.said_before(words, context):
        if any(
            met[0].score >= GOOD for lexicon in lexicons if (met := exact_names(lexicon, before))
        ):
            return before
    return ""


def _matches(lexicon: Lexicon, words: str, long: str) -> list[NameMatch]:
    """Names that equal the words, the words without brackets, or `long`, what the text says they
    abbreviate.
    """
    plain = exact_names(lexicon, words)
    for part in phrase.other_words(words):
        plain += [
            scale_match(match, MatchKind.ABBREVIATION, part.worth, part.note)
            for match in exact_names(lexicon, part.text)
        ]
    if bare := phrase.without_brackets(words):
        plain += [
            scale_match(match, MatchKind.NORMALISED, 0.97, "brackets")
            for match in exact_names(lexicon, bare)
        ]
    if not long:
        return plain
    written = [
        scale_match(match, MatchKind.ABBREVIATION, 0.97, f"short for “{long}”")
        for match in exact_names(lexicon, long)
    ]
    meant = {match.hit.id for match in written}
    return written + [
        match if match.hit.id in meant else replace(match, score=match.score * OTHERWISE)
        for match in plain
    ]


def _named(lexicon: Lexicon, words: str) -> list[NameMatch]:
    """The term whose id the words are: models answer with ids at times."""
    curie = identifier(words) if ":" in words else ""
    term = lexicon.term(curie) if curie else None
    return [NameMatch(_hit(term), MatchKind.EXACT, 0.98, ("id",))] if term else []


def _loose(lexicon: Lexicon, words: str, long: str, context: str) -> list[NameMatch]:
    """Parts of the phrase and misspellings, for want of better."""
    found = []
    for form in dict.fromkeys((words, phrase.without_brackets(words), long)):
        if form:
            found += misspelt_names(lexicon, form)
            for part in (*phrase.phrase_parts(form), *phrase.longer_names(form)):
                matches = exact_names(lexicon, part.text) or misspelt_names(lexicon, part.text)
                found += [
                    scale_match(match, MatchKind.PARTIAL, part.worth, part.note)
                    for match in matches[:3]
                ]
            found += near_names(lexicon, form, context)
    return found


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


def _hit(term: LexiconTerm) -> NameHit:
    return NameHit(
        term.id, term.label, term.label, Scope.LABEL, term.obsolete, term.replaced_by, term.taxon
    )


def _joined(*notes: str) -> str:
    return ", ".join(note for note in notes if note)


def _error(code: str, message: str, hint: str = "") -> Problem:
    return Problem(code, message, Severity.ERROR, hint=hint)
