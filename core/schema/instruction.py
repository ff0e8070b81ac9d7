"""The instruction that a model gets for a slot: SPIRES §3, GeneratePrompt, as OntoGPT 1.1.0 words
it.

Own instruction (annotation `prompt`), else the description, else "semicolon-separated list of
NAMEs" or "the value for NAME"; a slot with a closed set of values ends with "Must be one of: A, B".

`DEVIATIONS` lists every way in which the wording differs from the reference on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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
) -> str:
    """What a model is told to write for the slot `name`; `values` are the names of a closed set,
    `kinds` those of several classes that its range allows.
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
    return f"{text}{'' if text[-1].isspace() else ' '}Must be one of: {', '.join(values)}"


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
