"""SPIRES §3, GeneratePrompt: the fields to fill, one instruction each, then the text.

The layout and the two opening lines are those of OntoGPT 1.1.0; the wording of instructions, and
where it deviates on purpose, is in `core.schema.from_linkml`.
"""

from __future__ import annotations

from core.errors import NotFound
from core.schema.definition import BASE, ClassDefinition, Schema, Slot

LONG = "From the text below, extract the following entities in the following format:"
SHORT = "Split the following piece of text into fields in the following format:"
SHORT_TEXT = 60  # code points: a single line up to this length is a piece to split


def spires_prompt(
    schema: Schema, cls: str, text: str, *, context: str = "", beside: str = ""
) -> str:
    """The prompt that asks a model to fill `cls` ("": the schema's root) from `text`. `beside` is
    what the project adds (see `guidance`), before the text.

    `context` is where the text stands, such as the parent's sentence; it is shown before the text
    and is not to be extracted from. Raises NotFound for a class that the schema does not have.
    """
    fields = "".join(f"{line}\n" for line in slot_instructions(class_of(schema, cls)))
    where = f"Context, for understanding only:\n{context.strip()}\n\n" if context.strip() else ""
    return f"{_opening(text)}\n\n{fields}\n\n{beside}{where}Text:\n{text}\n\n===\n\n"


def slot_instructions(cls: ClassDefinition) -> list[str]:
    """One line `name: <instruction>` for each slot that is asked for, in the schema's order."""
    return [f"{slot.name}: <{slot.prompt}>" for slot in asked_slots(cls)]


def asked_slots(cls: ClassDefinition) -> tuple[Slot, ...]:
    """The slots that a model is asked to fill."""
    return tuple(slot for slot in cls.slots if not slot.skip)


def class_of(schema: Schema, name: str) -> ClassDefinition:
    """The class, or the root for "". Raises NotFound with the names there are."""
    definition = schema.classes.get(name or schema.root)
    if definition is None:
        fillable = ", ".join(fillable_classes(schema)[:20])
        raise NotFound(
            f"The schema {schema.name} has no class {name}.",
            f"Those that can be filled: {fillable}.",
        )
    return definition


def fillable_classes(schema: Schema) -> list[str]:
    """The schema's own classes that a text can fill, sorted: not abstract, no relation, with
    something to ask for.
    """
    fillable = [
        cls
        for cls in schema.classes.values()
        if not (cls.abstract or cls.is_relation) and asked_slots(cls)
    ]
    own = [cls.name for cls in fillable if cls.name not in BASE or cls.name == schema.root]
    return sorted(own)


def _opening(text: str) -> str:
    return LONG if not text or "\n" in text or len(text) > SHORT_TEXT else SHORT
