"""The nouns of the desk (docs/architecture.md): values that every room shares, and how they are identified.

Everything here is immutable and knows nothing of storage, screens or networks. Offsets are
half-open and count Unicode code points. Scores are between 0 and 1. Times are ISO 8601 strings in
UTC.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

Json = Any
MANUAL = "manual"  # the engine of what a curator marked by hand; agent type in exports


def digest(value: Json) -> str:
    """SHA-256 (hex) of the canonical JSON of `value`: sorted keys, no white space, UTF-8."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def now() -> str:
    """This moment, UTC, to the millisecond: `2026-11-20T13:46:15.123Z`. The default of every
    injected clock.
    """
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# ------------------------------------------------------------------ texts


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open offsets into one text version; `text[start:end]` is the quote."""

    start: int
    end: int

    def quote(self, text: str) -> str:
        return text[self.start : self.end]

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Document:
    """One paper or text. `id` is its best identifier: a CURIE (PMID:1, PMCID:…, DOI:…) or `doc:` +
    a digest.

    `ids` holds every known identifier of the same paper, sorted.
    """

    id: str
    title: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextVersion:
    """A text of a document, fixed at entry: line ends are LF, no NUL, the title included. `sha` is
    its SHA-256.
    """

    sha: str
    document: str
    text: str
    kind: str = "pasted"  # abstract, full text, pasted, …


# ------------------------------------------------------------------ things


class Category(StrEnum):
    """What kind of thing a term is; decides its colour everywhere and its Biolink class in exports."""

    CHEMICAL = "chemical"
    DISEASE = "disease"
    GENE = "gene"
    VARIANT = "variant"
    PROTEIN = "protein"
    PHENOTYPE = "phenotype"
    ANATOMY = "anatomy"
    CELL = "cell"
    PROCESS = "process"
    PATHWAY = "pathway"
    ORGANISM = "organism"
    FOOD = "food"
    ENVIRONMENT = "environment"
    PROCEDURE = "procedure"
    DEVICE = "device"
    QUALITY = "quality"
    UNIT = "unit"
    RELATION = "relation"
    PUBLICATION = "publication"
    THING = "thing"


@dataclass(frozen=True, slots=True)
class Term:
    """A thing with a name. `id` is a CURIE, and empty while the term is ungrounded."""

    id: str
    label: str
    category: Category = Category.THING


@dataclass(frozen=True, slots=True)
class Node:
    """An unnamed thing in a document, such as one ingredient of a recipe. Make its id with
    `node_id`.
    """

    id: str
    cls: str
    label: str
    category: Category = Category.THING


def node_id(document: str, parent: str, slot: str, words: str, occurrence: int) -> str:
    """`n1-` + digest of where a node was first extracted; it stays when the node's words are
    edited.

    `parent` is the parent's node id or CURIE ("" at the root), `words` those first extracted
    (case-folded, white space collapsed), `occurrence` counts equal words in one slot of one parent
    from 0.
    """
    return "n1-" + digest([document, parent, slot, fold_words(words), occurrence])[:24]


def fold_words(words: str) -> str:
    """Case-folded words with single spaces: how ungrounded words are compared."""
    return " ".join(words.casefold().split())


def relation_words(relation: Term) -> str:
    """How a relation reads: `HAS_FEATURE` of a schema as `has feature`, any other label as it is,
    else its id.
    """
    label = relation.label
    return (
        label.replace("_", " ").lower()
        if label.isupper()
        else label.replace("_", " ") or relation.id
    )


@dataclass(frozen=True, slots=True)
class Literal:
    """A value with a datatype (a CURIE such as xsd:decimal) and, for quantities, a UCUM unit code."""

    value: str
    datatype: str = "xsd:string"
    unit: str = ""


Thing = Term | Node | Literal


class MatchKind(StrEnum):
    """How the words of a mention met a name of a term, best first."""

    PROJECT = "project"  # a curator chose it before
    LABEL = "label"
    EXACT = "exact synonym"
    NORMALISED = "normalised"  # case, hyphen, plural, Greek, word order, …
    NARROW = "narrow synonym"
    BROAD = "broad synonym"
    RELATED = "related synonym"
    ABBREVIATION = "abbreviation"
    PARTIAL = "partial"
    FUZZY = "fuzzy"
    CURATOR = "curator"  # typed by hand
    ENUM = "value set"  # a permissible value of the schema
    REMOTE = "remote"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A term that may be meant. `surface` is the name that matched, `differed` says what was folded
    to match it.
    """

    term: Term
    match: MatchKind
    score: float
    surface: str = ""
    differed: str = ""
    vocabulary: str = ""
    version: str = ""
    obsolete: bool = False
    replaced_by: str = ""
    taxon: str = ""  # a NCBITaxon CURIE, where the vocabulary says of which species the term is


class Outcome(StrEnum):
    """What became of a mention's grounding."""

    GROUNDED = "grounded"
    AMBIGUOUS = "ambiguous"
    UNGROUNDED = "ungrounded"
    NO_TERM_FITS = "no term fits"


@dataclass(frozen=True, slots=True)
class Mention:
    """Words in a text and what they may mean.

    `slot` is the place in the tree (`triples[0].subject`), `cls` the schema class of that place,
    `spans` every occurrence with the primary one first (empty: not in the text). `chosen_by` is an
    ORCID, or `engine`, `project`. `taxon` is the species that a gene is of, a NCBITaxon CURIE;
    `taxon_by` says whence: `text` (the organism named nearest), `document` (the run's default), or
    the ORCID of who set it.
    """

    text: str
    slot: str
    cls: str
    category: Category = Category.THING
    spans: tuple[Span, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    chosen: Term | None = None
    chosen_by: str = ""
    outcome: Outcome = Outcome.UNGROUNDED
    flags: tuple[str, ...] = ()  # "not in text", "echo", "paraphrase"
    taxon: str = ""
    taxon_by: str = ""


# ------------------------------------------------------------------ statements


class Modality(StrEnum):
    ASSERTED = "asserted"
    HYPOTHESIS = "hypothesis"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True)
class Qualifier:
    """A modifier of a statement: its name (`subject_qualifier`) and its value."""

    name: str
    value: Term | Literal


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim. `document` tells apart ungrounded words of different documents and is part of the
    id only then.
    """

    subject: Term | Node
    predicate: Term
    object: Thing
    negated: bool = False
    modality: Modality = Modality.ASSERTED
    qualifiers: tuple[Qualifier, ...] = ()
    document: str = ""
    derived_from: str = ""

    @property
    def id(self) -> str:
        """`s1-` + SHA-256 of what is claimed; labels, run, time and `derived_from` are not part of
        it.
        """
        qualifiers = sorted([q.name, identity(q.value, self.document)] for q in self.qualifiers)
        return "s1-" + digest(
            [
                identity(self.subject, self.document),
                identity(self.predicate, self.document),
                identity(self.object, self.document),
                bool(self.negated),
                str(self.modality),
                qualifiers,
            ]
        )


def identity(thing: Thing, document: str) -> list[str]:
    """What makes a thing the same thing, as canonical JSON."""
    match thing:
        case Term(id="", label=label, category=category):
            return ["words", fold_words(label), str(category), document]
        case Term(id=curie):
            return ["term", curie]
        case Node(id=node):
            return ["node", node]
        case Literal(value, datatype, unit):
            return ["literal", value, datatype, unit]
    raise TypeError(f"not a thing: {thing!r}")


@dataclass(frozen=True, slots=True)
class TextGround:
    """Words in a text version. `quote` is what the text holds at `span`; `section` is where, if
    known.
    """

    document: str
    version: str
    span: Span
    quote: str
    section: str = ""


@dataclass(frozen=True, slots=True)
class RecordGround:
    """A value in a stored answer: the call, the record's id (`NCBIGene:5699`), a JSON pointer or
    XPath, the value.
    """

    call: str
    record: str
    pointer: str
    value: str


@dataclass(frozen=True, slots=True)
class ReferenceGround:
    """Typed by a curator: a reference (a document id), a locator (Fig 3B) and a note."""

    reference: str
    locator: str = ""
    note: str = ""


Ground = TextGround | RecordGround | ReferenceGround


@dataclass(frozen=True, slots=True)
class Evidence:
    """A ground of a statement, and where it was found."""

    statement: str
    ground: Ground
    run: str = ""
    path: str = ""
    engine: str = ""
    score: float = 1.0

    @property
    def id(self) -> str:
        """`e1-` + digest of statement and ground: the same words proposed by another run are the
        same evidence.
        """
        match self.ground:
            case TextGround(document, version, span, _):
                ground: Json = ["text", document, version, span.start, span.end]
            case RecordGround(_, record, pointer, value):
                ground = ["record", record, pointer, value]
            case ReferenceGround(reference, locator, note):
                ground = ["reference", reference, locator, note]
        return "e1-" + digest([self.statement, ground])[:24]


# ------------------------------------------------------------------ decisions


class Verdict(StrEnum):
    APPROVE = "approve"
    REJECT = "reject"
    UNSURE = "unsure"
    SUPERSEDE = "supersede"  # a correction took its place
    UNDO = "undo"


class State(StrEnum):
    """What the decisions on a statement, folded, say."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    UNSURE = "unsure"
    SUPERSEDED = "superseded"


class Reason(StrEnum):
    """Why a statement was rejected: a closed list, in the order of keys 1–9."""

    BOUNDARY = "entity boundary"
    WRONG_TERM = "wrong term"
    GENERALITY = "too general or too specific"
    SPECIES = "wrong species"
    NO_RELATION = "no relation stated"
    WRONG_RELATION = "wrong relation or direction"
    NEGATED = "negated"
    HYPOTHESIS = "hypothesis"
    BACKGROUND = "background"
    DUPLICATE = "duplicate"
    OUT_OF_SCOPE = "out of scope"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Curator:
    """A person who decides: ORCID iD (0000-0000-0000-0000) and name."""

    orcid: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """One judgement on a statement, or on one piece of its evidence. Append-only.

    `version` is the statement's version (count of its evidence and decisions) that the curator saw.
    `undoes` is the id of the decision taken back (verdict UNDO); `batch` groups decisions made in
    one gesture; `replacement` is the id of the statement that takes its place (verdict SUPERSEDE).
    """

    id: str
    statement: str
    version: int
    verdict: Verdict
    curator: str
    time: str
    evidence: str = ""
    reason: Reason | None = None
    note: str = ""
    batch: str = ""
    undoes: str = ""
    replacement: str = ""


# ------------------------------------------------------------------ the trace


class CallState(StrEnum):
    STARTED = "started"
    DONE = "done"
    FAILED = "failed"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Call:
    """One request to something outside, and its answer. `request` never holds keys or e-mail
    addresses.

    `path` is the place in the run's tree, which orders calls; `occurrence` counts equal requests in
    one run from 0.
    """

    id: str
    run: str
    path: str
    kind: str  # model, ncbi, api, ontology
    request: Json
    request_hash: str
    occurrence: int = 0
    state: CallState = CallState.STARTED
    answer: Json = None
    error: str = ""
    started: str = ""
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None  # US dollars; None: the model's price is not known
    reused: str = ""  # id of the earlier call whose answer this is


@dataclass(frozen=True, slots=True)
class Run:
    """What is needed to repeat a piece of work without a network; its calls are kept beside it."""

    id: str
    kind: str  # extract, ask, answer, …
    engine: str
    schema: str = ""  # name
    schema_text: str = ""
    document: str = ""
    text_version: str = ""
    model: str = ""
    settings: Mapping[str, Json] = field(default_factory=dict)
    vocabularies: Mapping[str, str] = field(default_factory=dict)  # name → version
    app_version: str = ""
    created: str = ""
    curator: str = ""


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"  # running, but its heartbeat is dead


@dataclass(frozen=True, slots=True)
class Job:
    """Long work as a row. `done` of `total` units; `total` 0 means not known yet."""

    id: str
    name: str
    arguments: Json
    state: JobState = JobState.QUEUED
    heartbeat: str = ""
    done: int = 0
    total: int = 0
    message: str = ""
    result: Json = None
    error: str = ""
    created: str = ""
    curator: str = ""


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Problem:
    """Expected trouble in data. `code` is stable and hyphenated (`not-in-text`); `where` is a path,
    line or record.
    """

    code: str
    message: str
    severity: Severity = Severity.WARNING
    where: str = ""
    hint: str = ""
