"""Tree → statements: a Triple is one statement, any other object a Node with one statement a value
(docs/architecture.md, nouns).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from core.extraction.literal import ucum_code
from core.extraction.negation import HEDGES_ALONE, is_hedge, is_negation, negating_qualifier
from core.extraction.quotation import EvidenceFinder
from core.extraction.tree import Branch, Extraction, Leaf, LeafKind
from core.model import (
    Category,
    Evidence,
    Literal,
    Mention,
    Modality,
    Node,
    Outcome,
    Problem,
    Qualifier,
    Severity,
    Statement,
    Term,
    TextVersion,
    Thing,
    fold_words,
    node_id,
)
from core.schema.definition import MANY, ClassDefinition, Schema, Slot

Proposed = tuple[Statement, list[Evidence]]
Claim = tuple[Statement, Callable[[EvidenceFinder], list[Evidence]]]  # and how it is shown
CORE = ("subject", "predicate", "object")
NAMES = ("label", "name")
MAX_LABEL = 80  # characters of a node's label


def extracted_statements(
    schema: Schema,
    extraction: Extraction,
    document: str,
    version: TextVersion,
    *,
    run: str,
    engine: str,
) -> list[Proposed]:
    """What an extraction, with the curator's choices in its mentions, claims; each once, in the
    order of the tree.

    A statement whose words are not in the text has no evidence: it is unsupported.
    """
    proof = EvidenceFinder(document, version, run, engine)
    proposed: dict[str, Proposed] = {}
    for id, (statement, evidence_by) in _claims(schema, extraction, document):
        evidence = evidence_by(proof)
        if (earlier := proposed.get(id)) is None:
            proposed[id] = (statement, evidence)
            continue
        ids = {ground.id for ground in earlier[1]}
        earlier[1].extend(ground for ground in evidence if ground.id not in ids)
    return list(proposed.values())


def count_statements(schema: Schema, extraction: Extraction, document: str) -> int:
    """How many statements `extracted_statements` gives; nothing is looked for in the text."""
    return len({id for id, _ in _claims(schema, extraction, document)})


def _claims(schema: Schema, extraction: Extraction, document: str) -> Iterator[tuple[str, Claim]]:
    """Every claim of an extraction with the id of its statement."""
    claims = _Claims(schema, extraction, document)
    for claim in claims.of_object(extraction.tree, _Place("", slot="", words="", occurrence=0)):
        yield claim[0].id, claim


def incomplete_triples(schema: Schema, extraction: Extraction) -> list[Problem]:
    """Triples that lack a subject, a predicate or an object, and so claim nothing."""
    problems = []
    for branch in extraction.tree.walk():
        if isinstance(branch, Branch) and schema.definition(branch.cls).is_claim:
            missing = [name for name in CORE if not branch.get(name)]
            if missing and branch.slots:
                message = (
                    f"A relation without {' and '.join(missing)} makes no statement:"
                    f" {words_of_value(branch)[:120]}"
                )
                problems.append(
                    Problem("incomplete-triple", message, Severity.WARNING, branch.path)
                )
    return problems


def ungrounded_terms(statement: Statement) -> list[Term]:
    """The terms of a statement that have words but no id."""
    things = [
        statement.subject,
        statement.predicate,
        statement.object,
        *(q.value for q in statement.qualifiers),
    ]
    return [thing for thing in things if isinstance(thing, Term) and not thing.id]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands: what its node's id is made of. Parents are known by the words first
    extracted from the text, never by an id that a curator may change, so that correcting a parent
    leaves the nodes below it alone.
    """

    parent: str
    slot: str
    words: str
    occurrence: int

    def node(self, document: str) -> str:
        return node_id(document, self.parent, self.slot, self.words, occurrence=self.occurrence)


_Placed = tuple[Slot, Branch | Leaf, _Place]


def _shown_by_pair(
    statement: Statement, branch: Branch, subject: Branch | Leaf, object: Branch | Leaf
) -> Callable[[EvidenceFinder], list[Evidence]]:
    return lambda proof: proof.of_pair(statement, branch, subject, object)


@dataclass
class _Claims:
    schema: Schema
    extraction: Extraction
    document: str
    mentions: dict[str, Mention] = field(init=False)

    def __post_init__(self) -> None:
        self.mentions = {mention.slot: mention for mention in self.extraction.mentions}

    def of_object(self, branch: Branch, at: _Place) -> Iterator[Claim]:
        """The statements that an object makes, those below it included."""
        cls = self.schema.definition(branch.cls)
        if cls.is_claim:
            yield from self.of_triple(cls, branch, at)
            return
        if branch.cls.endswith(MANY):
            for _, value, below in self.values(cls, branch, at):
                assert isinstance(value, Branch)
                yield from self.of_object(value, replace(below, parent=at.parent, slot=at.slot))
            return
        subject = self.thing(branch, at)
        for slot, value, below in self.values(cls, branch, at):
            if isinstance(value, Branch):
                if not self.schema.classes[value.cls].is_claim:
                    yield self.claim(
                        slot, subject, self.thing(value, below), parent=branch, value=value
                    )
                yield from self.of_object(value, below)
            elif not self.is_name(cls, slot, value) and not self.is_unit(cls, slot):
                yield self.claim(
                    slot,
                    subject,
                    self.value(value, below, slot, branch),
                    parent=branch,
                    value=value,
                )

    def claim(  # noqa: PLR0917
        self, slot: Slot, subject: Term | Node, object: Thing, parent: Branch, value: Branch | Leaf
    ) -> Claim:
        predicate = Term(slot.uri, slot.title or slot.name.replace("_", " "), Category.RELATION)
        statement = Statement(subject, predicate, object, document=self.document)
        everywhere = parent.path == "" and isinstance(value, Leaf) and value.kind is LeafKind.ENTITY
        return statement, lambda proof: proof.of_value(statement, value, everywhere=everywhere)

    # ---------------------------------------------------------- triples

    def of_triple(self, cls: ClassDefinition, branch: Branch, at: _Place) -> Iterator[Claim]:
        """Every subject with every predicate and object. "NOT" in a qualifier, the predicate or the
        words negates.
        """
        values = list(self.values(cls, branch, at))
        ends = [list(self.ends(branch, name, values)) for name in CORE]
        qualifiers, negated, modality = self.modifiers(branch, values)
        for (subject, s), (predicate, p), (object, o) in product(*ends):
            if not isinstance(predicate, Term) or isinstance(subject, Literal):
                continue
            no = negated or (isinstance(p, Leaf) and is_negation(p.text))
            stance = Modality.HYPOTHESIS if isinstance(p, Leaf) and is_hedge(p.text) else modality
            statement = Statement(
                subject,
                predicate,
                object,
                negated=no,
                modality=stance,
                qualifiers=qualifiers,
                document=self.document,
            )
            yield statement, _shown_by_pair(statement, branch, s, o)
        for slot, value, below in values:
            if isinstance(value, Branch) and slot.name in CORE:
                yield from self.of_object(value, below)

    def ends(
        self, branch: Branch, name: str, values: Sequence[_Placed]
    ) -> Iterator[tuple[Thing, Branch | Leaf]]:
        for slot, value, below in values:
            if slot.name != name:
                continue
            if isinstance(value, Branch):
                yield self.thing(value, below), value
            else:
                thing = self.value(value, below, slot, branch)
                is_words = isinstance(thing, Literal) and name == "predicate"
                category = Category.RELATION if is_words else Category.THING
                yield (
                    (
                        Term("", value.value or value.text, category)
                        if is_words or self.is_plain(thing, name)
                        else thing
                    ),
                    value,
                )

    def is_plain(self, thing: Thing, name: str) -> bool:
        """A subject that the schema calls a string: words that stand for a thing."""
        return isinstance(thing, Literal) and name == "subject"

    def modifiers(
        self, branch: Branch, values: Sequence[_Placed]
    ) -> tuple[tuple[Qualifier, ...], bool, Modality]:
        # Words of the text in which an engine read a relation may deny or doubt another thing.
        is_own = not branch.stated
        negated = is_own and is_negation(branch.text)
        is_supposed = is_own and is_hedge(branch.text)
        modality = Modality.HYPOTHESIS if is_supposed else Modality.ASSERTED
        qualifiers = []
        for slot, value, below in values:
            if slot.name in CORE:
                continue
            words = value.text if isinstance(value, Leaf) else words_of_value(value)
            if negating_qualifier(slot.name, words):
                negated = True
                continue
            if slot.name == "qualifier" and is_hedge(words):
                modality = Modality.HYPOTHESIS
                if fold_words(words) in HEDGES_ALONE:
                    continue
            thing = (
                Literal(words)
                if isinstance(value, Branch)
                else self.value(value, below, slot, branch)
            )
            qualifiers.append(
                Qualifier(slot.name, Literal(words) if isinstance(thing, Node) else thing)
            )
        return tuple(qualifiers), negated, modality

    # ---------------------------------------------------------- things

    def values(self, cls: ClassDefinition, branch: Branch, at: _Place) -> Iterator[_Placed]:
        """Every value of an object with its slot and its place; equal words in one slot are
        counted.
        """
        parent = at.node(self.document)
        for name, values in branch.slots:
            slot = cls.slot(name)
            times_seen: Counter[str] = Counter()
            for value in values:
                words = fold_words(value.text or words_of_value(value))
                if slot is not None and not slot.identifier:
                    yield slot, value, _Place(parent, name, words, times_seen[words])
                times_seen[words] += 1

    def thing(self, branch: Branch, at: _Place) -> Term | Node:
        """An object of an entity class is the term of its name; any other is a node."""
        cls = self.schema.definition(branch.cls)
        name = next((leaf for n in NAMES for leaf in branch.get(n) if isinstance(leaf, Leaf)), None)
        if cls.is_entity and name is not None and name.path in self.mentions:
            return self.grounded(self.mentions[name.path], at)
        words = words_of_value(branch) if at.parent else branch.text or self.document
        label = (name.text if name else "") or words or cls.name
        label = " ".join(label.split())
        return Node(at.node(self.document), cls.name, label[:MAX_LABEL], cls.category)

    def grounded(self, mention: Mention, at: _Place) -> Term | Node:
        """The chosen term; a node of its own where no term fits; else words without a term."""
        if mention.chosen is not None:
            return mention.chosen
        if mention.outcome is Outcome.NO_TERM_FITS:
            return Node(at.node(self.document), mention.cls, mention.text, mention.category)
        return Term("", mention.text, mention.category)

    def value(self, leaf: Leaf, at: _Place, slot: Slot, parent: Branch) -> Thing:
        if leaf.kind is LeafKind.ENTITY and leaf.path in self.mentions:
            return self.grounded(self.mentions[leaf.path], at)
        if leaf.kind is LeafKind.ENUM:
            return self.permissible(leaf, slot)
        datatype = leaf.cls if leaf.cls in slot.alternatives else slot.datatype
        return Literal(leaf.value or leaf.text, datatype, self.unit(slot, parent))

    def permissible(self, leaf: Leaf, slot: Slot) -> Thing:
        enum = self.schema.enums.get(leaf.cls)
        value = next((v for v in enum.values if v.name == leaf.value), None) if enum else None
        if value is not None and value.meaning:
            category = Category.RELATION if slot.name == "predicate" else Category.THING
            return Term(value.meaning, value.name, category)
        return Literal(leaf.value or leaf.text)

    def unit(self, slot: Slot, parent: Branch) -> str:
        """The UCUM code of the sibling that holds this quantity's unit, or its words in braces (a
        UCUM annotation).
        """
        leaf = next(iter(parent.get(slot.unit_slot)), None) if slot.unit_slot else None
        if not isinstance(leaf, Leaf):
            return ""
        mention = self.mentions.get(leaf.path)
        chosen = mention.chosen.id if mention and mention.chosen else ""
        plain_words = "".join(
            c for c in leaf.text if c.isascii() and c.isprintable() and c not in "{}"
        )
        return (
            ucum_code(chosen)
            or ucum_code(leaf.text)
            or ("{" + plain_words + "}" if plain_words else "")
        )

    def is_unit(self, cls: ClassDefinition, slot: Slot) -> bool:
        return any(sibling.unit_slot == slot.name for sibling in cls.slots)

    def is_name(self, cls: ClassDefinition, slot: Slot, leaf: Leaf) -> bool:
        """Whether a value is its object's label and not a statement about it."""
        return (
            slot.uri == "rdfs:label"
            or slot.name == "label"
            or (cls.is_entity and slot.name in NAMES)
        )


def words_of_value(value: Branch | Leaf) -> str:
    """The words of a value: its own, or those of everything below it."""
    if value.text or isinstance(value, Leaf):
        return value.text
    return " ".join(leaf.text for leaf in value.leaves())
