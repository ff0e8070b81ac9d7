"""One thing under several ids: what is known of it, what a curator says of it, and which of its
ids stand in the project's statements.

    same_things(desk)    # [SameThing(preferred MONDO:0005148, others …, statements …)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.curie import curie_as_written
from core.desk_parts import HasProjectTerms
from core.errors import InputError, NotFound
from core.grounding.equivalents import groups
from core.grounding.index.cross_references import MOST_TIES, ReferenceCount
from core.grounding.index.mapping_index import MappingRow, MappingSet
from core.grounding.preference import preferred_id
from core.kb.one_id_each import with_preferred
from core.model import Candidate, Category, Curator, Statement, Term
from core.model.mapping import CROSS_REFERENCE, EXACT_MATCH
from core.schema.category import category_of_prefix
from core.services.people import roles
from core.services.vocabularies.mappings import same_rows
from core.store import Equivalence, SameVerdict, StatementRecord

__all__ = [
    "MOST_TIES",
    "KnownEquivalents",
    "SameThing",
    "SameVerdict",
    "also_approved",
    "also_words",
    "judge_pair",
    "judgements",
    "known_equivalents",
    "label_of",
    "mapping_sets",
    "not_preferred",
    "not_preferred_words",
    "offered_terms",
    "preferred_first",
    "preferred_of",
    "preferred_term",
    "reference_counts",
    "reference_pairs",
    "same_things",
]

_TYING = (EXACT_MATCH, CROSS_REFERENCE)
MOST_STATEMENTS = 100_000  # that are looked through for ids of one thing


@dataclass(frozen=True, slots=True)
class SameThing:
    """A thing that standing statements name by several ids. `preferred` is the id that is to stay;
    `statements` are those that name another.
    """

    preferred: Term
    others: tuple[Term, ...]
    statements: tuple[str, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.preferred.id, *(term.id for term in self.others))


@dataclass(frozen=True, slots=True)
class KnownEquivalents:
    """What is known of one id: the ids of its thing with their labels, the preferred one first,
    the rows of mapping sets that say so, and what curators said.
    """

    terms: tuple[Term, ...]
    rows: tuple[MappingRow, ...]
    judgements: tuple[Equivalence, ...]


def mapping_sets(desk: HasProjectTerms) -> tuple[MappingSet, ...]:
    """The sets that come with the app, with their sources and licences."""
    return desk.mapping_index.sets()


def reference_counts(desk: HasProjectTerms) -> tuple[ReferenceCount, ...]:
    """The project's own vocabularies that refer to others: how many of their cross-references tie
    two ids, and how many do not.
    """
    index = desk.cross_references()
    return index.counts() if index else ()


def reference_pairs(desk: HasProjectTerms, offset: int = 0, limit: int = 100) -> list[MappingRow]:
    """The pairs of ids that these cross-references tie, by id."""
    index = desk.cross_references()
    return index.pairs(offset, limit) if index else []


def judgements(desk: HasProjectTerms) -> list[Equivalence]:
    """What curators said of pairs of ids, and what is in force."""
    return desk.store.equivalences.current()


def known_equivalents(desk: HasProjectTerms, id: str) -> KnownEquivalents:
    """Everything that is known of the thing of an id. Raises InputError for what is no CURIE."""
    id = _checked(id)
    ids = desk.equivalents().of(id)
    preferred = preferred_of(desk, ids)
    terms = [
        Term(one, label_of(desk, one)) for one in sorted(ids, key=lambda i: (i != preferred, i))
    ]
    said_of = (desk.cross_references() or desk.mapping_index).rows
    rows = {
        row: None
        for one in sorted(ids)
        for row in said_of(one)
        if row.predicate in _TYING and row.subject in ids and row.object in ids
    }
    rows |= dict.fromkeys(same_rows(desk, ids))
    said = tuple(j for j in judgements(desk) if j.first in ids or j.second in ids)
    return KnownEquivalents(tuple(terms), tuple(rows), said)


def judge_pair(  # noqa: PLR0917
    desk: HasProjectTerms,
    one: str,
    other: str,
    verdict: SameVerdict,
    curator: Curator,
    *,
    note: str = "",
) -> Equivalence:
    """Say that two ids are one thing, or that they are not; WITHDRAWN takes back what was said.
    Raises InputError for ids that are none or equal, Forbidden for a reader.
    """
    roles.require_role(desk, curator.orcid)
    one, other = _checked(one), _checked(other)
    if one == other:
        raise InputError(f"{one} is given twice.", "Give two ids.")
    return desk.store.equivalences.add(one, other, verdict, curator.orcid, note=note)


def pair_remarks(desk: HasProjectTerms, one: str, other: str) -> list[str]:
    """What speaks against one thing: an id that the installed vocabulary of its prefix does not
    have, ids of vocabularies of different kinds. Raises InputError for ids that are none.
    """
    remarks = []
    kinds: set[Category] = set()
    for id in map(_checked, (one, other)):
        prefix = id.partition(":")[0]
        if desk.vocabulary_registry.lexicons(prefixes=(prefix,)) and not _is_living(desk, id):
            remarks.append(f"The vocabulary of {prefix} here has no current term {id}.")
        kinds |= {kind} if (kind := category_of_prefix(prefix)) else set()
    if len(kinds) > 1 and kinds != {Category.DISEASE, Category.PHENOTYPE}:
        remarks.append(f"One is of {' and the other of '.join(sorted(kinds))} vocabularies.")
    return remarks


def preferred_of(
    desk: HasProjectTerms,
    ids: Iterable[str],
    category: Category = Category.THING,
    prefixes: Sequence[str] = (),
) -> str:
    """Which id of a thing names it: by a slot's prefixes, else the project's order, else that of
    the kind.
    """
    order = desk.vocabulary_registry.order(category)
    return preferred_id(ids, category, prefixes=prefixes, project=order)


def preferred_term(desk: HasProjectTerms, term: Term, prefixes: Sequence[str] = ()) -> Term | None:
    """The term that is preferred for the thing of another, by a slot's prefixes where they are
    given; None where that is the preferred one, or no vocabulary here has it.
    """
    ids = desk.equivalents().of(term.id)
    if len(ids) < 2:
        return None
    held = [one for one in ids if one == term.id or _is_living(desk, one)]
    best = preferred_of(desk, held, term.category, prefixes)
    if best == term.id:
        return None
    return replace(term, id=best, label=label_of(desk, best) or best)


def preferred_first(
    desk: HasProjectTerms, candidates: Iterable[Candidate], prefixes: Sequence[str] = ()
) -> tuple[Candidate, ...]:
    """Candidates to choose from, each behind the preferred term of its thing, which is offered even
    where the words did not find it. `prefixes` are those that a slot takes, in order.
    """
    found = {candidate.term.id: candidate for candidate in candidates}
    offered: dict[str, Candidate] = {}
    for id, candidate in found.items():
        best = None if candidate.obsolete else preferred_term(desk, candidate.term, prefixes)
        if best is not None and best.id not in offered:
            prefix = best.id.partition(":")[0].lower()
            offer = replace(candidate, term=best, differed=f"preferred to {id}", vocabulary=prefix)
            offered[best.id] = found.get(best.id, offer)
        offered.setdefault(id, candidate)
    return tuple(offered.values())


def also_approved(desk: HasProjectTerms, terms: Iterable[Term]) -> dict[str, tuple[Term, ...]]:
    """Id → the other ids under which approved statements name its thing, for those that have any;
    the preferred one first.
    """
    equivalents = desk.equivalents()
    asked = {term.id: term for term in terms if term.id}
    others = {id: equivalents.of(id) - {id} for id in asked}
    used = desk.store.conflicts.approved_among(sorted({o for ids in others.values() for o in ids}))
    also: dict[str, tuple[Term, ...]] = {}
    for id, ids in others.items():
        if approved := sorted(ids & used):
            category = asked[id].category
            best = preferred_of(desk, approved, category)
            order = sorted(approved, key=lambda other: (other != best, other))
            also[id] = tuple(Term(one, label_of(desk, one) or one, category) for one in order)
    return also


def also_words(desk: HasProjectTerms, statement: Statement) -> list[str]:
    """What Review says of a statement whose things are approved under other ids, in sentences."""
    terms = [thing for thing in (statement.subject, statement.object) if isinstance(thing, Term)]
    return [
        f"{id} is also approved as {' and '.join(f'{term.id} ({term.label})' for term in others)}."
        for id, others in also_approved(desk, terms).items()
    ]


def same_things(desk: HasProjectTerms) -> list[SameThing]:
    """Every thing that standing statements name by more than one id, by its label. A statement that
    says that two ids are one thing names both on purpose.
    """
    terms = {term.id: term for term in desk.store.conflicts.terms()}
    shared = groups(terms, desk.equivalents())
    found = []
    for ids in sorted({tuple(sorted(several)) for several in shared.values()}):
        kinds = Counter(terms[id].category for id in ids)
        best = preferred_of(desk, ids, kinds.most_common(1)[0][0])
        others = [terms[id] for id in ids if id != best]
        statements = desk.store.conflicts.of_terms([term.id for term in others], MOST_STATEMENTS)
        instead = {term.id: terms[best] for term in others}
        named = tuple(
            record.id
            for record in desk.store.statements.of_ids(statements)
            if with_preferred(record.statement, instead) != record.statement
        )
        if named:
            found.append(SameThing(terms[best], tuple(others), named))
    return sorted(found, key=lambda thing: (thing.preferred.label.casefold(), thing.preferred.id))


def offered_terms(desk: HasProjectTerms, record: StatementRecord) -> dict[str, Term]:
    """Id → the term that this project prefers for its thing, for the ends of a statement that came
    by no schema: an import, a gene answer, a mark. Where a schema asked for it, its slots have an
    order of their own.
    """
    if any(_has_schema(desk, run) for run in sorted({e.run for e in record.evidence} - {""})):
        return {}
    ends = (record.statement.subject, record.statement.object)
    terms = [thing for thing in ends if isinstance(thing, Term) and thing.id]
    found = {term.id: preferred_term(desk, term) for term in terms}
    kept = with_preferred(record.statement, {id: term for id, term in found.items() if term})
    if kept is record.statement:  # the two ids are what it says
        return {}
    return {id: term for id, term in found.items() if term}


def not_preferred_words(desk: HasProjectTerms, record: StatementRecord) -> list[str]:
    """What Review says of ids of a statement for which this project prefers others."""
    return [
        f"{id} is {term.id} ({term.label}) in this project's order of vocabularies."
        for id, term in offered_terms(desk, record).items()
    ]


def not_preferred(desk: HasProjectTerms) -> list[SameThing]:
    """Every thing that standing statements which came by no schema name by an id that is not the
    preferred one of this project, by its label.
    """
    terms = {term.id: term for term in desk.store.conflicts.terms()}
    named: dict[str, Term] = {}
    for id, term in terms.items():
        if (best := preferred_term(desk, term)) is not None:
            named[id] = best
    ids = desk.store.conflicts.of_terms(sorted(named), MOST_STATEMENTS)
    others: dict[str, dict[str, Term]] = {}
    statements: dict[str, dict[str, None]] = {}
    best_terms: dict[str, Term] = {}
    for record in desk.store.statements.of_ids(ids):
        for id, best in offered_terms(desk, record).items():
            best_terms[best.id] = best
            others.setdefault(best.id, {})[id] = terms[id]
            statements.setdefault(best.id, {})[record.id] = None
    things = [
        SameThing(best, tuple(others[id].values()), tuple(statements[id]))
        for id, best in best_terms.items()
    ]
    return sorted(things, key=lambda thing: (thing.preferred.label.casefold(), thing.preferred.id))


def _is_living(desk: HasProjectTerms, id: str) -> bool:
    """Whether an installed vocabulary has an id, and not as an obsolete one."""
    lexicons = desk.vocabulary_registry.lexicons(prefixes=(id.partition(":")[0],))
    term = next((term for lexicon in lexicons if (term := lexicon.term(id))), None)
    return term is not None and bool(term.label) and not term.obsolete


def _has_schema(desk: HasProjectTerms, run: str) -> bool:
    try:
        return bool(desk.store.runs.get(run).schema)
    except NotFound:  # of another project: a bundle names its runs
        return False


def label_of(desk: HasProjectTerms, id: str) -> str:
    """The label of an id in an installed vocabulary; empty where none has it."""
    for lexicon in desk.vocabulary_registry.lexicons(prefixes=(id.partition(":")[0],)):
        if term := lexicon.term(id):
            return term.label
    return ""


def _checked(id: str) -> str:
    if not (curie := curie_as_written(id)):
        raise InputError(f"{id[:60]!r} is not an id of the form PREFIX:123.", "Check the id.")
    return curie
