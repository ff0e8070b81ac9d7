"""What a project has learnt from its curators about names: which words mean a term, which never do,
and for which no term fits yet.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from core.curie import is_curie
from core.desk_parts import HasProjectTerms, HasStore
from core.errors import InputError, NotFound
from core.extraction.tree import Extraction  # loaded: runs are stored as it
from core.grounding.index.lexicon import Lexicon
from core.grounding.match import normalise
from core.grounding.readers.ledger import Ledger
from core.kb.read.sssom import declared_prefixes, id_in_file
from core.model import Category, Problem, Role, Severity, Term
from core.model.mapping import EXACT_MATCH, NO_TERM
from core.services.vocabularies import mappings
from core.services.vocabularies.prefix_context import keep_prefixes
from core.text.separated import readable_table

MEANS, NOT, NEVER = "means", "not", "never"
MOST_NAMED = 1_000  # rows that cannot be read, each with its reason
ROWS_TOGETHER = 500  # rows of a table that are stored in one transaction
_COLUMNS = (
    "subject_id", "subject_label", "subject_type", "predicate_id", "predicate_modifier",
    "object_id", "object_label", "mapping_justification", "author_id", "mapping_date", "comment",
    "subject_category",
)  # fmt: skip
_KEYS = {MEANS: "synonym", NOT: "rule", NEVER: "rule"}


@dataclass(frozen=True, slots=True)
class RememberedName:
    """`verdict` is means, not (not this term) or never (no term at all); `key` removes it. `scope`
    is the category where it holds, empty: everywhere.
    """

    key: str
    verdict: str
    words: str
    id: str
    label: str
    scope: str
    reason: str
    curator: str
    time: str


@dataclass(frozen=True, slots=True)
class TermRequest:
    """Words for which curators found no term, and how often."""

    words: str
    category: str
    times: int
    curators: tuple[str, ...]
    last: str


def remembered_names(desk: HasStore, search: str = "") -> list[RememberedName]:
    """Everything in force, oldest first; with `search`, what holds it in words, label or id."""
    names = [
        RememberedName(
            f"synonym-{synonym.id}",
            MEANS,
            synonym.words,
            id=synonym.term.id,
            label=synonym.term.label,
            scope=_scope(synonym.term.category),
            reason=synonym.reason,
            curator=synonym.curator,
            time=synonym.time,
        )
        for synonym in desk.store.synonyms.all()
    ]
    names += [
        RememberedName(
            f"rule-{rule.id}",
            NOT if rule.term else NEVER,
            rule.words,
            id=rule.term.id if rule.term else "",
            label=rule.term.label if rule.term else "",
            scope=_scope(rule.category),
            reason=rule.reason,
            curator=rule.curator,
            time=rule.time,
        )
        for rule in desk.store.link_rules.all()
    ]
    search_words = search.casefold().strip()
    return [
        name
        for name in sorted(names, key=lambda name: (name.time, name.key))
        if not search_words or search_words in f"{name.words}\n{name.label}\n{name.id}".casefold()
    ]


def remember_meaning(
    desk: HasProjectTerms,
    words: str,
    id: str,
    curator: str,
    *,
    label: str = "",
    scope: str = "",
    reason: str = "",
) -> None:
    """From now on `words` mean the term `id`, whatever was remembered before. Raises InputError,
    and Forbidden for a reader.
    """
    desk.store.curators.need(curator, Role.CURATOR)
    term = _term(desk.vocabulary_registry.all(), id, label, scope)
    _keep_meaning(desk, words, term, curator, reason=reason)


def _keep_meaning(
    desk: HasStore, words: str, term: Term, curator: str, *, reason: str = ""
) -> None:
    key = normalise.name_key(words)
    desk.store.synonyms.add(_words(words), key, term, curator, " ".join(reason.split()))


def remember_refusal(
    desk: HasProjectTerms,
    words: str,
    curator: str,
    *,
    id: str = "",
    reason: str = "",
    scope: str = "",
) -> None:
    """From now on `words` never mean the term `id`; without an id, they are never linked. Raises
    InputError, and Forbidden for a reader.
    """
    desk.store.curators.need(curator, Role.CURATOR)
    term = _term(desk.vocabulary_registry.all(), id, "", scope) if id else None
    _keep_refusal(desk, words, curator, term, reason=reason, scope=scope)


def _keep_refusal(
    desk: HasStore, words: str, curator: str, term: Term | None, *, reason: str, scope: str
) -> None:
    desk.store.link_rules.add(
        _words(words),
        normalise.name_key(words),
        term,
        curator,
        category=_category(scope),
        reason=" ".join(reason.split()),
    )


def forget_name(desk: HasStore, key: str, curator: str) -> None:
    """Take back what was remembered under `key`. Raises NotFound, and Forbidden for a reader."""
    desk.store.curators.need(curator, Role.CURATOR)
    if key not in {name.key for name in remembered_names(desk)}:
        raise NotFound(f"Nothing is remembered under {key[:40]!r}.", "`memory list` shows keys.")
    kind, _, number = key.partition("-")
    if kind == _KEYS[MEANS]:
        desk.store.synonyms.remove(int(number))
    else:
        desk.store.link_rules.remove(int(number))


def term_requests(desk: HasStore, search: str = "") -> list[TermRequest]:
    """Words for which a curator said that no term fits, most often asked for first; with `search`,
    those that hold it, or whose kind does.
    """
    groups: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for run, slot, curator, time in desk.store.link_rules.unfit():
        extraction: Extraction | None = desk.store.runs.extraction(run)
        for mention in extraction.mentions if extraction else ():
            if slot == mention.slot:
                key = (normalise.name_key(mention.text), str(mention.cls))
                groups.setdefault(key, []).append((mention.text, curator, time))
    term_requests = [
        TermRequest(
            rows[0][0],
            cls,
            len(rows),
            curators=tuple(sorted({curator for _, curator, _ in rows})),
            last=max(time for _, _, time in rows),
        )
        for (_, cls), rows in groups.items()
        if search.casefold() in f"{rows[0][0]} {cls}".casefold()
    ]
    return sorted(
        term_requests,
        key=lambda request: (-request.times, request.words.casefold(), request.category),
    )


def requests_table(requests: Sequence[TermRequest]) -> str:
    """The request list as a table (TSV) for those who keep a vocabulary."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter="\t", lineterminator="\n")
    writer.writerow(("words", "kind", "times", "curators", "last"))
    for request in requests:
        writer.writerow(
            (
                request.words,
                request.category,
                request.times,
                " ".join(request.curators),
                request.last,
            )
        )
    return file.getvalue()


def to_sssom(desk: HasStore) -> str:
    """What is remembered as SSSOM literal mappings (TSV). What words do not mean has the modifier
    `Not`; words that are never linked have `sssom:NoTermFound` as their object.
    """
    file = io.StringIO()
    file.write("#curie_map:\n#  skos: http://www.w3.org/2004/02/skos/core#\n")
    file.write("#  sssom: https://w3id.org/sssom/\n#mapping_set_title: Project memory\n")
    writer = csv.DictWriter(file, _COLUMNS, dialect="excel-tab", lineterminator="\n")
    writer.writeheader()
    for name in remembered_names(desk):
        writer.writerow(
            {
                "subject_label": name.words,
                "subject_type": "rdfs literal",
                "predicate_id": EXACT_MATCH,
                "predicate_modifier": "Not" if name.verdict == NOT else "",
                "object_id": name.id or NO_TERM,
                "object_label": name.label,
                "mapping_justification": "semapv:ManualMappingCuration",
                "author_id": name.curator,
                "mapping_date": name.time[:10],
                "comment": name.reason,
                "subject_category": name.scope,
            }
        )
    return file.getvalue()


def from_sssom(
    desk: HasProjectTerms,
    text: str,
    curator: str,
    advance: Callable[[int], object] = lambda rows_read: None,
) -> tuple[int, list[Problem]]:
    """Remember the literal mappings of an SSSOM table, and keep its rows of two ids as mappings of
    the project: how many rows were taken, and what is wrong with the others; the last problem says
    which columns are not kept. Ids are read by the file's `curie_map`, whose prefixes the project
    keeps. Each `ROWS_TOGETHER` rows are stored in one transaction, and `advance` is told how many
    were read; the same table again adds nothing. Raises InputError for what is no SSSOM, Forbidden
    for a reader.
    """
    desk.store.curators.need(curator, Role.CURATOR)
    with readable_table("This SSSOM table"):
        columns = _rows(text).fieldnames
        for _ in _rows(text):  # all of it can be read before any of it is kept
            pass
    if not {"subject_label", "object_id"} <= set(columns or ()):
        raise InputError(
            "This is not an SSSOM table: it lacks the columns subject_label and object_id.",
            "Give tab-separated SSSOM with a header.",
        )
    taken_count, problems, unread = 0, list[Problem](), 0
    prefixes = {}
    with suppress(InputError):  # a comment that only looks like a head
        prefixes = declared_prefixes(text.encode("utf-8", "replace"))
    keep_prefixes(desk, prefixes)
    of_ids: list[dict[str, str]] = []
    ledger = Ledger()
    lexicons = desk.vocabulary_registry.all()
    rows = enumerate(_rows(text), 1)
    while batch := list(islice(rows, ROWS_TOGETHER)):
        with desk.store.together():
            for number, cells in batch:
                row = {key: value or "" for key, value in cells.items() if key}
                ledger.leave_cells(row, _KEPT)
                try:
                    row |= _ids_in_file(row, prefixes)
                    if mappings.is_of_ids(row):
                        mappings.check_mapping(row)
                        of_ids.append(row)
                    else:
                        _take(desk, lexicons, row, curator)
                    taken_count += 1
                except InputError as error:
                    unread += 1
                    if unread <= MOST_NAMED:
                        problems.append(_bad_row(f"row {number}", error))
        advance(number)
    if unread > MOST_NAMED:
        more = InputError(f"So were {unread - MOST_NAMED:,} more rows.")
        problems.append(_bad_row("the rest", more))
    if words := ledger.line():
        problems.append(Problem("bad-mapping", words, Severity.NOTE, where="the file"))
    if of_ids:
        mappings.keep_mappings(desk, of_ids)
    return taken_count, problems


_KEPT = {*_COLUMNS, *mappings.COLUMNS}


def _rows(text: str) -> csv.DictReader[str]:
    lines = (line for line in io.StringIO(text, None) if not line.startswith("#"))
    return csv.DictReader(lines, dialect="excel-tab")


def _ids_in_file(row: dict[str, str], prefixes: dict[str, str]) -> dict[str, str]:
    """The ids of a row as the desk writes them; what is no id is said where it is used."""
    ids = {}
    for column in ("subject_id", "predicate_id", "object_id"):
        if (id := row.get(column, "")) and id != NO_TERM:
            with suppress(InputError):
                ids[column] = id_in_file(id, prefixes)
    return ids


def _bad_row(where: str, error: InputError) -> Problem:
    return Problem("bad-mapping", error.message, Severity.WARNING, where=where, hint=error.hint)


def _take(desk: HasStore, lexicons: Sequence[Lexicon], row: dict[str, str], curator: str) -> None:
    who = row.get("author_id", "") or curator
    words, id, scope = row["subject_label"], row["object_id"], row.get("subject_category", "")
    if id == NO_TERM or row.get("predicate_modifier", "").casefold() == "not":
        id = "" if id == NO_TERM else id
        term = _term(lexicons, id, "", scope) if id else None
        _keep_refusal(desk, words, who, term, reason=row.get("comment", ""), scope=scope)
    else:
        term = _term(lexicons, id, row.get("object_label", ""), scope)
        _keep_meaning(desk, words, term, who, reason=row.get("comment", ""))


def _term(lexicons: Iterable[Lexicon], id: str, label: str, scope: str) -> Term:
    if not is_curie(id):
        raise InputError(f"{id[:60]!r} is not an id of the form PREFIX:123.", "Check the id.")
    label_in_vocabulary = next(
        (term.label for lexicon in lexicons if (term := lexicon.term(id))), ""
    )
    if not label_in_vocabulary and not label:
        raise InputError(f"No vocabulary of this project has {id}.", "Add the vocabulary first.")
    return Term(id, label_in_vocabulary or label, _category(scope))


def _words(words: str) -> str:
    on_one_line = " ".join(words.split())
    if not normalise.fold_words(on_one_line):
        raise InputError("There are no words.", "Enter the words as they appear in texts.")
    return on_one_line[:500]


def _category(scope: str) -> Category:
    name = scope.strip().lower()
    if name and name not in set(Category):
        raise InputError(f"{scope[:40]!r} is not a category.", f"Known: {', '.join(Category)}.")
    return Category(name) if name else Category.THING


def _scope(category: Category) -> str:
    return "" if category is Category.THING else str(category)
