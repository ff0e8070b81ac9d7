"""What prompts say besides the schema: words that a project adds for a schema, in versions, and
approved statements as examples. What a run was told is stored in the run.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.codec import from_json, to_json
from core.desk_parts import HasFolder, HasProject, HasStore
from core.errors import InputError
from core.extraction.guidance import PLAIN, ApprovedExample, Guidance
from core.extraction.spires.prompt import spires_prompt
from core.model import (
    Json,
    Role,
    Run,
    State,
    Statement,
    TextGround,
    Verdict,
    thing_words,
)
from core.schema.catalogue import schema_named
from core.schema.definition import Schema
from core.store import QueueFilter, StatementRecord
from core.text.clean import clean_text, text_version

__all__ = [
    "MOST_EXAMPLES",
    "PLAIN",
    "ApprovedExample",
    "ApprovedStatements",
    "Guidance",
    "PromptNote",
    "examples_for",
    "guidance_for",
    "guidance_of",
    "note_of",
    "note_versions",
    "preview_prompt",
    "relation_names",
    "set_note",
]

LONGEST_NOTE = 4000  # characters
LONGEST_QUOTE = 400
MOST_EXAMPLES = 12
LOOKED_AT = 1000  # newest approved statements of a schema
WORD = re.compile(r"[^\W_]{2,}")
KEY = "prompt words "


@dataclass(frozen=True, slots=True)
class PromptNote:
    """Words that stand in every prompt of a schema. Versions count from 1; 0 is none at all."""

    text: str = ""
    version: int = 0
    time: str = ""
    curator: str = ""


def note_of(desk: HasStore, schema: str) -> PromptNote:
    """The words in force."""
    versions = note_versions(desk, schema)
    return versions[-1] if versions else PromptNote()


def note_versions(desk: HasStore, schema: str) -> list[PromptNote]:
    """Every version, oldest first."""
    return [from_json(PromptNote, row) for row in desk.store.project.get(KEY + schema) or ()]


def set_note(desk: HasStore, schema: str, text: str, curator: str = "") -> PromptNote:
    """Keep other words for a schema's prompts as a new version; empty words add nothing. Raises
    InputError for too many, Forbidden for a reader.
    """
    if curator:
        desk.store.curators.need(curator, Role.CURATOR)
    words = text.replace("\r\n", "\n").strip()
    if len(words) > LONGEST_NOTE:
        raise InputError(f"The words are longer than {LONGEST_NOTE:,} characters.", "Shorten them.")
    versions = note_versions(desk, schema)
    if words == (versions[-1].text if versions else ""):
        return versions[-1] if versions else PromptNote()
    note = PromptNote(words, len(versions) + 1, desk.clock(), curator)
    desk.store.project.set(KEY + schema, [to_json(version) for version in [*versions, note]])
    return note


# ------------------------------------------------------------------ approved statements


class ApprovedStatements:
    """The approved statements of a schema that rest on quotes, to choose examples from."""

    def __init__(self, desk: HasStore, schema: str, relations: Mapping[str, str] | None = None):
        """`relations` are the schema's own words for relations, by their ids."""
        approved_of_schema = QueueFilter(states=(State.APPROVED,), schema=schema)
        records = desk.store.queue.records(approved_of_schema, limit=LOOKED_AT, newest=True)
        self._known = [
            example for record in records if (example := _example(record, relations or {}))
        ]
        counts = Counter(word for known in self._known for word in known.words)
        # A word in one of 100 examples weighs 4.6, one in all of them 0.7.
        self._weights = {word: math.log(1 + len(self._known) / n) for word, n in counts.items()}

    def nearest(self, text: str, document: str, sha: str, count: int) -> list[ApprovedExample]:
        """Those whose quotes share the most telling words with a text, best first; never one that
        rests on the document that is read, or on words that stand in the text: the same paper may
        have come in under another name, with a line more.
        """
        words, folded = _words(text), _folded(text)
        rated: list[tuple[float, str, ApprovedExample]] = []
        for known in self._known:
            if known.rests_on(document, sha, folded):
                continue
            example, own = known.example, known.words
            shared = sum(self._weights[word] for word in own & words)
            if shared:
                # By the root of the length: a long example shares more words by chance, but is not
                # worthless.
                score = shared / math.sqrt(sum(self._weights[word] for word in own))
                rated.append((-score, example.statement, example))
        return [example for *_, example in sorted(rated, key=lambda row: row[:2])[:count]]


@dataclass(frozen=True, slots=True)
class _KnownStatement:
    """A statement as an example, its quote's words, and all documents, texts and (folded) quotes
    that it rests on.
    """

    example: ApprovedExample
    words: frozenset[str]
    sources: frozenset[str]
    quotes: frozenset[str]

    def rests_on(self, document: str, sha: str, folded_text: str) -> bool:
        known = document in self.sources or sha in self.sources
        return known or any(quote in folded_text for quote in self.quotes)


def _example(record: StatementRecord, relations: Mapping[str, str]) -> _KnownStatement | None:
    """None without a proven quote."""
    rejected = {d.evidence for d in record.decisions if d.verdict is Verdict.REJECT}
    grounds = [piece for piece in record.evidence if isinstance(piece.ground, TextGround)]
    for piece in grounds:
        ground = piece.ground
        if piece.id in rejected or not isinstance(ground, TextGround):
            continue
        quote = " ".join(ground.quote.split())
        if 0 < len(quote) <= LONGEST_QUOTE:
            text_grounds = [g.ground for g in grounds if isinstance(g.ground, TextGround)]
            sources = {x for g in text_grounds for x in (g.document, g.version)}
            states = statement_in_words(record.statement, relations)
            example = ApprovedExample(record.id, ground.document, quote, states)
            quotes = frozenset(_folded(g.quote) for g in text_grounds)
            return _KnownStatement(example, frozenset(_words(quote)), frozenset(sources), quotes)
    return None


def relation_names(schema: Schema) -> dict[str, str]:
    """What a schema calls its relations, by the ids that it gives them."""
    values = (value for enum in schema.enums.values() for value in enum.values)
    return {value.meaning: value.name for value in values if value.meaning}


def statement_in_words(statement: Statement, relations: Mapping[str, str]) -> str:
    """`aspirin TREATS migraine`, with NOT before the relation where it is denied."""
    predicate = statement.predicate
    relation = relations.get(predicate.id) or predicate.label or predicate.id
    negation = "NOT " if statement.negated else ""
    return f"{thing_words(statement.subject)} {negation}{relation} {thing_words(statement.object)}"


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.casefold()))


def examples_for(
    desk: HasProject, schema: str, text: str, source: str, *, count: int
) -> list[ApprovedExample]:
    """The examples that a run over a text would be shown, before it is begun. Raises InputError for
    a text or schema that cannot be used.
    """
    words = clean_text(text)
    sha = text_version("", words).sha
    document = source or f"doc:{sha[:16]}"
    own = desk.store.documents.own_ids([document]).get(document, document)
    found_schema = schema_named(schema, desk.schemas, cache_folder=desk.schema_cache_folder)
    approved = ApprovedStatements(desk, found_schema.name, relation_names(found_schema))
    return approved.nearest(words, own, sha, min(count, MOST_EXAMPLES))


def preview_prompt(desk: HasFolder, schema: str, note: str) -> str:
    """The first prompt of a text with these words."""
    found_schema = schema_named(schema, desk.schemas, cache_folder=desk.schema_cache_folder)
    return spires_prompt(found_schema, "", "(the text)\n", beside=Guidance(note.strip()).everywhere)


# ------------------------------------------------------------------ of a run


def guidance_for(
    desk: HasStore,
    schema: Schema,
    text: str,
    document: str,
    *,
    sha: str,
    examples: int,
    approved: ApprovedStatements | None = None,
) -> Guidance:
    """The guidance of a run over a text; `examples` is how many approved statements, 0 for none."""
    note = note_of(desk, schema.name)
    status = desk.store.document_overview.notices([document]).get(document, "")
    chosen: Sequence[ApprovedExample] = ()
    if examples:
        approved = approved or ApprovedStatements(desk, schema.name, relation_names(schema))
        chosen = approved.nearest(text, document, sha, min(examples, MOST_EXAMPLES))
    return replace(
        PLAIN, note=note.text, version=note.version, examples=tuple(chosen), status=status
    )


def guidance_of(run: Run) -> Guidance:
    """The guidance that a run had."""
    stored_guidance: Json = run.settings.get("guidance")
    return from_json(Guidance, stored_guidance) if stored_guidance else PLAIN
