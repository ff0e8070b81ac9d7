"""Classes and slots of a LinkML SchemaView as our definitions.

The instruction that a model gets for a slot: SPIRES §3, GeneratePrompt, as OntoGPT 1.1.0 words
it.

Own instruction (annotation `prompt`), else the description, else "semicolon-separated list of
NAMEs" or "the value for NAME"; a slot with a closed set of values ends with "Must be one of: A, B".

`DEVIATIONS` lists every way in which the wording differs from the reference on purpose.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from linkml_runtime import SchemaView
from linkml_runtime.linkml_model import meta

from core import curie
from core.model import Category
from core.schema.binding import annotations_of, annotator_names, enum_definition, prefixes_of
from core.schema.category import class_category
from core.schema.definition import (
    ClassDefinition,
    EnumDefinition,
    RangeKind,
    Slot,
    ValueSet,
    united_class,
)

DEVIATIONS: tuple[tuple[str, str, str], ...] = (
    # what, the reference, ours
    (
        "a plural name gets no second s",
        "semicolon-separated list of geness",
        "semicolon-separated list of genes",
    ),
    (
        "a space before the closed set",
        "What kind of change?Must be one of: ",
        "What kind of change? Must be one of: ",
    ),
    (
        "the kinds of a range of several classes",
        "semicolon-separated list of causes",
        "semicolon-separated list of causes. Kinds allowed: Drug, Food",
    ),
)


def slot_instruction(
    name: str,
    *,
    prompt: str = "",
    description: str = "",
    multivalued: bool = False,
    values: Sequence[str] = (),
    kinds: Sequence[str] = (),
    others: Sequence[str] = (),
) -> str:
    """What a model is told to write for the slot `name`; `values` are the names of a closed set,
    `others` what else may stand in place of one ("an integer"), `kinds` the names of several
    classes that its range allows.
    """
    text = prompt or description
    if not text:
        text = (
            f"semicolon-separated list of {plural_slot_name(name)}"
            if multivalued
            else f"the value for {name}"
        )
    if kinds:
        return f"{text.rstrip(' .')}. Kinds allowed: {', '.join(kinds)}"
    if not values:
        return text
    # Deviation: the reference puts no space between the instruction and the closed set.
    closed = "".join([", ".join(values), *(f"; or {other}" for other in others)])
    return f"{text}{'' if text[-1].isspace() else ' '}Must be one of: {closed}"


def plural_slot_name(name: str) -> str:
    """`name` with an s. Deviation: the reference also adds one to names that end in s."""
    return name if name.endswith("s") else name + "s"


def word_list(words: str) -> tuple[str, ...]:
    """The items of an annotation such as `prompt.examples: Imatinib, exercise`, split at semicolons
    or else commas.
    """
    separator = ";" if ";" in words else ","
    items = (re.sub(r"\s+", " ", item).strip(" .\"'") for item in words.split(separator))
    return tuple(item for item in items if item)


# Ranges that say nothing of a value, so that `any_of` beside them says it all.
_SAYS_NOTHING = frozenset(("string", "Any"))
_IN_WORDS = {
    "xsd:integer": "an integer", "xsd:double": "a number", "xsd:float": "a number",
    "xsd:decimal": "a number", "xsd:boolean": "true or false", "xsd:date": "a date",
    "xsd:string": "other words",
}  # fmt: skip
_DATATYPES = {
    "boolean": "xsd:boolean",
    "integer": "xsd:integer",
    "float": "xsd:double",
    "double": "xsd:double",
}


class LinkMLReader:
    """Reads one view; everything inherited and refined is applied."""

    def __init__(self, view: SchemaView):
        self.view = view
        self._classes: dict[str, meta.ClassDefinition] = {
            str(n): c for n, c in view.all_classes().items()
        }
        self._enums: dict[str, meta.EnumDefinition] = {
            str(n): e for n, e in view.all_enums().items()
        }
        self._types: dict[str, meta.TypeDefinition] = {
            str(n): t for n, t in view.all_types().items()
        }
        self._induced: dict[str, list[meta.SlotDefinition]] = {}
        self._grounded: dict[str, bool] = {}
        self._unions: dict[str, list[str]] = {}  # classes made for ranges of several classes

    @cached_property
    def enums(self) -> dict[str, EnumDefinition]:
        return {
            name: enum_definition(enum, self._enums, annotations_of(enum).get("category", ""))
            for name, enum in self._enums.items()
        }

    @cached_property
    def prefixes(self) -> dict[str, str]:
        prefixes: dict[str, str] = {}
        for schema in [self.view.schema, *(self.view.schema_map or {}).values()]:
            for prefix in schema.prefixes.values():
                prefixes.setdefault(str(prefix.prefix_prefix), str(prefix.prefix_reference))
        return prefixes

    def classes(self) -> dict[str, ClassDefinition]:
        """All classes, those of the main schema first, then enums that only name branches of a
        vocabulary: values of such an enum are terms to be grounded, so it is given as a class of
        entities.
        """
        definitions = {name: self._class(name, cls) for name, cls in self._classes.items()}
        open_sets = {
            name: enum for name, enum in self.enums.items() if enum.value_sets and not enum.values
        }
        definitions |= {
            name: self._value_class(enum)
            for name, enum in open_sets.items()
            if name not in definitions
        }
        for name, cls in self._classes.items():
            members = [str(member) for member in cls.union_of or ()]
            if members and all(map(self._grounds, members)) and not definitions[name].annotators:
                definitions[name] = self._united(
                    name, members, definitions, definitions[name].slots
                )
        return definitions | {
            name: self._united(name, members, definitions)
            for name, members in self._unions.items()
            if name not in definitions
        }

    def _united(
        self,
        name: str,
        members: Sequence[str],
        definitions: Mapping[str, ClassDefinition],
        slots: tuple[Slot, ...] = (),
    ) -> ClassDefinition:
        classes = [
            definitions.get(member) or self._value_class(self.enums[member]) for member in members
        ]
        united = united_class(name, classes)
        return replace(united, slots=slots) if slots else united

    # -------------------------------------------------------------- classes

    def _class(self, name: str, cls: meta.ClassDefinition) -> ClassDefinition:
        parents = tuple(
            str(parent) for parent in self.view.class_ancestors(name) if str(parent) != name
        )
        own = annotations_of(cls)
        slots = tuple(self._slot(slot) for slot in self._slots(name))
        id_slot = next((slot for slot in self._slots(name) if slot.identifier or slot.key), None)
        sets, enums = self._bound(
            [*(cls.values_from or ()), *((id_slot.values_from or ()) if id_slot else ())]
        )
        annotators = annotator_names(self._inherited(name, parents, "annotators"))
        prefixes = self._id_prefixes(name, parents) or prefixes_of(sets)
        uri = self._uri(str(cls.class_uri or ""))
        return ClassDefinition(
            name=name,
            description=_line(cls.description),
            uri=uri or self._default_uri(cls, name),
            parents=parents,
            abstract=bool(cls.abstract or cls.mixin),
            tree_root=bool(cls.tree_root),
            is_entity=self._is_entity(name, parents),
            is_triple="Triple" in (name, *parents),
            is_relation="RelationshipType" in (name, *parents),
            category=self._category(name, parents, prefixes, annotators, uri=uri),
            slots=slots,
            prompt=_line(self._inherited(name, parents, "prompt")),
            examples=_words(own),
            annotators=annotators,
            id_prefixes=prefixes,
            id_pattern=str((id_slot.pattern if id_slot else "") or ""),
            value_sets=sets,
            enums=enums,
            annotations=own,
        )

    def _value_class(self, enum: EnumDefinition) -> ClassDefinition:
        vocabularies = tuple(dict.fromkeys(value_set.vocabulary for value_set in enum.value_sets))
        prefixes = prefixes_of(enum.value_sets)
        return ClassDefinition(
            name=enum.name,
            description=_line(enum.description),
            is_entity=True,
            category=class_category(name=enum.name, prefixes=prefixes, annotators=vocabularies),
            annotators=vocabularies,
            id_prefixes=prefixes,
            value_sets=enum.value_sets,
        )

    def _category(
        self,
        name: str,
        parents: Iterable[str],
        prefixes: tuple[str, ...],
        annotators: tuple[str, ...],
        *,
        uri: str,
    ) -> Category:
        for candidate in (name, *parents):
            if (written := annotations_of(self._classes[candidate]).get("category")) is not None:
                return class_category(written=written)
        if "RelationshipType" in (name, *parents):
            return Category.RELATION
        return class_category(name=name, prefixes=prefixes, annotators=annotators, uri=uri)

    def _is_entity(self, name: str, parents: Iterable[str]) -> bool:
        return "NamedEntity" in (name, *parents) or any(s.identifier for s in self._slots(name))

    def _inherited(self, name: str, parents: Iterable[str], key: str) -> str:
        """The annotation of the class, or of its nearest ancestor that has it."""
        for candidate in (name, *parents):
            if value := annotations_of(self._classes[candidate]).get(key, ""):
                return value
        return ""

    def _id_prefixes(self, name: str, parents: Iterable[str]) -> tuple[str, ...]:
        for candidate in (name, *parents):
            if prefixes := self._classes[candidate].id_prefixes:
                return tuple(
                    dict.fromkeys(curie.preferred_prefix(str(prefix)) for prefix in prefixes)
                )
        return ()

    def _bound(self, names: Iterable[object]) -> tuple[tuple[ValueSet, ...], tuple[str, ...]]:
        enums = [
            self.enums[str(name)]
            for name in dict.fromkeys(map(str, names))
            if str(name) in self.enums
        ]
        sets = tuple(value_set for enum in enums for value_set in enum.value_sets)
        return sets, tuple(enum.name for enum in enums if enum.values)

    # -------------------------------------------------------------- slots

    def _slots(self, name: str) -> list[meta.SlotDefinition]:
        if name not in self._induced:
            self._induced[name] = list(self.view.class_induced_slots(name))
        return self._induced[name]

    def _slot(self, slot: meta.SlotDefinition) -> Slot:
        own = annotations_of(slot)
        range_name = self._range(slot)
        recurse = own.get("ner.recurse", "true").lower() not in ("false", "no", "0")
        enum = self.enums.get(range_name)
        alternatives = self._alternatives(slot, range_name)
        return Slot(
            name=str(slot.name),
            range=range_name,
            kind=self._kind(slot, range_name),
            uri=self._uri(str(slot.slot_uri or "")) or self._default_uri(slot, str(slot.name)),
            prompt=slot_instruction(
                str(slot.name),
                prompt=own.get("prompt", ""),
                description=str(slot.description or ""),
                multivalued=bool(slot.multivalued),
                values=[value.name for value in enum.values] if enum else (),
                kinds=self._members(range_name),
                others=[_IN_WORDS.get(kind, kind.partition(":")[2]) for kind in alternatives],
            ),
            multivalued=bool(slot.multivalued),
            required=bool(slot.required)
            and not slot.identifier,  # the desk gives ids, texts do not
            identifier=bool(slot.identifier or slot.key),
            skip="prompt.skip" in own and own["prompt.skip"].lower() not in ("false", "no", "0"),
            recurse=recurse,
            separator=own.get("prompt.separator", "").strip() or ";",
            examples=_words(own)
            + tuple(str(example.value) for example in slot.examples or () if example.value),
            exclude=word_list(own.get("exclude", "")),
            pattern=str(slot.pattern or ""),
            datatype=self._datatype(range_name),
            unit_slot=own.get("unit_slot", ""),
            title=_line(slot.title),
            description=_line(slot.description),
            inlined=bool(self.view.is_inlined(slot)),
            alternatives=alternatives,
            minimum=_bound(slot.minimum_value),
            maximum=_bound(slot.maximum_value),
            annotations=own,
        )

    def _range(self, slot: meta.SlotDefinition) -> str:
        """The range of a slot. Where it is any or exactly one of several classes of named things,
        the name of a class that stands for all of them.
        """
        written = str(slot.range or self.view.schema.default_range or "string")
        names = _choices(slot)
        members = [name for name in names if self._grounds(name)]
        if not members:
            return self._plain_range(names, written) if self._says_nothing(written) else written
        if len(members) == 1:
            return members[0]
        name = " or ".join(members)
        self._unions[name] = members
        return name

    def _plain_range(self, names: Sequence[str], written: str) -> str:
        """Of choices that are no named things: the value sets, taken together, else a class, else
        the one kind of literal.
        """
        sets = [name for name in names if name in self.enums]
        if len(sets) > 1:
            name = " or ".join(sets)
            values = (value for one in sets for value in self.enums[one].values)
            self.enums.setdefault(name, EnumDefinition(name, tuple(dict.fromkeys(values))))
            return name
        known = [*sets, *(name for name in names if name in self._classes)]
        return known[0] if known else names[0] if len(names) == 1 else written

    def _alternatives(self, slot: meta.SlotDefinition, range_name: str) -> tuple[str, ...]:
        """See `Slot`: types of literals beside a value set, a closed set beside a named thing.
        Plain words come last, for they take anything.
        """
        names = [name for name in _choices(slot) if name != range_name]
        if range_name in self.enums and not self._grounds(range_name):
            types = {self._datatype(name) for name in names if name in self._types}
            return tuple(sorted(types, key=lambda datatype: (datatype == "xsd:string", datatype)))
        closed = [name for name in names if name in self.enums and not self._grounds(name)]
        return tuple(closed) if self._kind(slot, range_name) is RangeKind.ENTITY else ()

    def _members(self, range_name: str) -> list[str]:
        """The classes that a range of several stands for; none where it is one class."""
        if range_name in self._unions:
            return self._unions[range_name]
        cls = self._classes.get(range_name)
        members = [str(member) for member in cls.union_of or ()] if cls else []
        return members if members and all(map(self._grounds, members)) else []

    def _says_nothing(self, range_name: str) -> bool:
        cls = self._classes.get(range_name)
        any_class = cls is not None and str(cls.class_uri or "") == "linkml:Any"
        return range_name in _SAYS_NOTHING or any_class

    def _grounds(self, name: str) -> bool:
        """Whether words that fill this range are grounded: a named thing, or an open value set.
        Looked at once: unions of unions share their members.
        """
        if name not in self._grounded:
            self._grounded[name] = self._is_grounded(name)
        return self._grounded[name]

    def _is_grounded(self, name: str) -> bool:
        if name in self.enums:
            return bool(self.enums[name].value_sets)
        if name not in self._classes:
            return False
        parents = [str(parent) for parent in self.view.class_ancestors(name)]
        members = [str(member) for member in self._classes[name].union_of or ()]
        of_named = bool(members) and all(
            member != name and self._grounds(member) for member in members
        )
        return of_named or self._is_entity(name, parents)

    def _kind(self, slot: meta.SlotDefinition, range_name: str) -> RangeKind:
        """A class without an identifier can only be inlined; one with an identifier is named,
        unless asked inline.
        """
        if range_name in self._unions:
            return RangeKind.ENTITY
        if range_name in self.enums:
            enum = self.enums[range_name]
            return RangeKind.ENTITY if enum.value_sets and not enum.values else RangeKind.ENUM
        cls = self._classes.get(range_name)
        if cls is None or str(cls.class_uri or "") == "linkml:Any" or range_name == "Any":
            return RangeKind.LITERAL
        parents = [str(parent) for parent in self.view.class_ancestors(range_name)]
        if "RelationshipType" in parents:
            return RangeKind.ENTITY
        is_named = self._is_entity(range_name, parents) or self._grounds(range_name)
        return RangeKind.ENTITY if is_named and not slot.inlined else RangeKind.OBJECT

    def _datatype(self, range_name: str) -> str:
        """The xsd type of a literal range, through `typeof` if need be."""
        for _ in range(10):
            if range_name in _DATATYPES:
                return _DATATYPES[range_name]
            kind = self._types.get(range_name)
            if kind is None:
                return "xsd:string"
            if kind.uri and (str(kind.uri).startswith("xsd:") or not kind.typeof):
                return str(kind.uri) if str(kind.uri).startswith("xsd:") else "xsd:string"
            range_name = str(kind.typeof or "")
        return "xsd:string"

    # -------------------------------------------------------------- names

    def _uri(self, uri: str) -> str:
        return curie.contract_iri(uri, self.prefixes) or uri if "://" in uri else uri

    def _default_uri(self, element: meta.Element, name: str) -> str:
        """The CURIE (or IRI) of an element without one: its schema's prefix and its name."""
        home = next(
            (s for s in (self.view.schema_map or {}).values() if s.id == element.from_schema),
            self.view.schema,
        )
        prefix = str(home.default_prefix or "")
        local = "_".join(name.split())
        if not prefix:
            return f"{str(home.id).rstrip('/')}/{local}"
        return f"{prefix.rstrip('/')}/{local}" if "://" in prefix else f"{prefix}:{local}"


def _bound(value: object) -> float | None:
    """A bound that is a number; LinkML allows any value, of a date for example."""
    try:
        bound = float(str(value)) if value is not None else math.nan
    except ValueError:
        return None
    return bound if math.isfinite(bound) else None


def _choices(slot: meta.SlotDefinition) -> list[str]:
    """The ranges of a slot's `any_of` and `exactly_one_of`, each once."""
    expression = slot.range_expression
    choices = [*(slot.any_of or ()), *(slot.exactly_one_of or ())]
    if expression:
        choices += [*(expression.any_of or ()), *(expression.exactly_one_of or ())]
    return list(dict.fromkeys(str(choice.range) for choice in choices if choice.range))


def _words(own: dict[str, str]) -> tuple[str, ...]:
    return word_list(own.get("prompt.examples", "")) + word_list(own.get("prompt.example", ""))


def _line(text: object) -> str:
    """One line of text."""
    return " ".join(str(text or "").split())
