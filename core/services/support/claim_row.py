"""Claims from outside (JSON rows of the verb `support`), judged: their ends may be words or ids of
installed vocabularies, whose names are looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.curie import is_curie
from core.desk_parts import HasVocabularies
from core.errors import InputError
from core.model import Category, Json, Modality, Support
from core.schema.category import class_category
from core.services.support.shown_support import support_json
from core.support.claim import Claim, ClaimEnd, Passage
from core.support.judge import Judge
from core.support.verdict import judge

LONGEST_PASSAGE = 200_000  # characters
MOST_NAMES = 60  # of a term that a passage is searched for


def judged_rows(
    desk: HasVocabularies, rows: Iterable[Json | InputError], judges: Sequence[Judge] = ()
) -> Iterator[Json]:
    """A result for each row, in order; a row that cannot be judged gives its error. `judges` are
    asked in their order (default: all that are registered).
    """
    for number, row in enumerate(rows, 1):
        name = row.get("id", str(number)) if isinstance(row, Mapping) else str(number)
        try:
            if isinstance(row, InputError):
                raise row
            yield {"id": name, **support_json(judged_row(desk, row, judges))}
        except InputError as error:
            yield {"id": name, "error": error.message}


def judged_row(desk: HasVocabularies, row: Json, judges: Sequence[Judge] = ()) -> Support:
    """Raises InputError where the row is no claim."""
    if not isinstance(row, Mapping):
        raise InputError("A claim is a JSON object.", 'For example {"subject": "lithium", …}.')
    passage = row.get("passage", row.get("text", ""))
    if not isinstance(passage, str) or not passage.strip():
        raise InputError("The claim has no passage.", "Give the text that is to say it.")
    if len(passage) > LONGEST_PASSAGE:
        raise InputError(f"The passage is longer than {LONGEST_PASSAGE:,} characters.", "Cut it.")
    claim = Claim(
        claim_end(desk, row.get("subject"), "subject"),
        predicate_words(desk, row.get("predicate")),
        claim_end(desk, row.get("object"), "object"),
        negated=row.get("negated") in (True, "true", "1", 1),
        modality=_modality(row.get("modality", "")),
    )
    return judge(claim, Passage(passage), judges)


def claim_end(desk: HasVocabularies, given: Json, role: str) -> ClaimEnd:
    """An end from words, a CURIE, or {id, label, category, names}. Raises InputError."""
    fields = given if isinstance(given, Mapping) else {"label": given}
    label, id = str(fields.get("label") or ""), str(fields.get("id") or "")
    if not id and is_curie(label) and names_of(desk, label):
        label, id = "", label
    known = names_of(desk, id) if id else ()
    more = fields.get("names")
    more = more if isinstance(more, list) else []
    names = tuple(dict.fromkeys(n for n in (label, *map(str, more), *known) if n.strip()))
    if not names:
        missing = f"{id} is in no installed vocabulary." if id else f"The claim has no {role}."
        raise InputError(missing, "Give words, or an id together with a label.")
    return ClaimEnd(names[:MOST_NAMES], category_of(id, str(fields.get("category") or "")), (), id)


def names_of(desk: HasVocabularies, id: str) -> tuple[str, ...]:
    """The names of a term, its label first, in the vocabularies that know it."""
    for lexicon in desk.vocabulary_registry.all():
        if term := lexicon.term(id):
            return tuple(dict.fromkeys((term.label, *(name.text for name in term.names))))
    return ()


def category_of(id: str, written: str = "") -> Category:
    """What kind of thing a CURIE stands for, by its prefix, unless somebody says."""
    return class_category(written=written, prefixes=[id.partition(":")[0]] if ":" in id else [])


def predicate_words(desk: HasVocabularies, given: Json) -> str:
    """A predicate in words: those of a CURIE that an installed vocabulary knows are its label."""
    words = given.get("label") or given.get("id") if isinstance(given, Mapping) else given
    if not isinstance(words, str) or not words.strip():
        raise InputError("The claim has no predicate.", "For example “treats” or biolink:treats.")
    if is_curie(words) and (names := names_of(desk, words)):
        return names[0]
    return words


def _modality(words: Json) -> Modality:
    known = {str(modality): modality for modality in Modality}
    return known.get(str(words).strip().casefold(), Modality.ASSERTED)
