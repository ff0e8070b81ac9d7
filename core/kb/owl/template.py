"""A schema's `owl.template`: Jinja that writes OWL functional syntax, run in a sandbox and read
back into axioms.

Hostile templates cannot hang or grow: `core.schema.owl` takes no construct that repeats by itself,
and loops and output are counted. Values come in as marks, so that no words of a text are ever read
as syntax.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from core.errors import InputError
from core.kb.owl.form import Iri, OwlForm, OwlLiteral, Part
from core.kb.owl.functional import Expand, parse_axioms, value_mark
from core.schema.owl import FILTERS, TESTS, template_trouble

if TYPE_CHECKING:  # a third of a second to import, and few schemas have templates
    from jinja2 import Template
    from jinja2.runtime import Context

MAX_STEPS = 200_000  # turns of loops and values written, in one run of a template
MAX_TEXT = 4_000_000  # characters that a template writes
_FIELD = re.compile(r"\{(\w+)\}")


class TemplateText(str):
    """A value that templates see as text, and axioms as what it is."""

    part: Part

    def __new__(cls, words: str, part: Part) -> TemplateText:
        template_text = super().__new__(cls, words)
        template_text.part = part
        return template_text

    def __iter__(self) -> Iterator[str]:
        raise InputError("a text is not a list")


class TemplateThing:
    """A thing with its slots, for templates: `step.inputs`; where it is written it is its class
    expression or IRI.
    """

    __slots__ = ("_slots", "part")

    def __init__(self, part: Part, slots: Mapping[str, object]):
        self.part, self._slots = part, slots

    def __getitem__(self, name: str) -> object:
        return self._slots[name]

    def __iter__(self) -> Iterator[object]:
        raise InputError("a single thing is not a list")

    def __str__(self) -> str:
        return self.part.iri if isinstance(self.part, Iri) else ""


class TemplateValues:
    """The values of a multivalued slot; every turn of a loop over them is counted."""

    __slots__ = ("_items", "_spend")

    def __init__(self, items: tuple[object, ...], spend: Callable[[], None]):
        self._items, self._spend = items, spend

    def __iter__(self) -> Iterator[object]:
        for item in self._items:
            self._spend()
            yield item

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, at: int) -> object:
        return self._items[at]


class TemplateSteps:
    """Counts what a template does. Raises InputError when it is too much."""

    def __init__(self, most: int = MAX_STEPS):
        self.left = most

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise InputError(f"it takes more than {MAX_STEPS:,} steps")


def fill_template(
    template: str, slots: Mapping[str, object], steps: TemplateSteps, expand: Expand
) -> list[OwlForm]:
    """The axioms that a template makes of an object's slots. Raises InputError that says what
    cannot be honoured.
    """
    values: list[object] = []
    text = _rendered(template, slots, steps, values)
    return parse_axioms(text, values, expand)


def filled_fstring(
    template: str, slots: Mapping[str, object], value: object, expand: Expand
) -> list[OwlForm]:
    """The axioms of an `owl.fstring`: `{slot}` is a slot's value, `{V}` the value at hand."""
    values: list[object] = []

    def put(placeholder: re.Match[str]) -> str:
        values.append(value if placeholder[1] == "V" else slots.get(placeholder[1], ""))
        return value_mark(len(values) - 1)

    return parse_axioms(_FIELD.sub(put, template), values, expand)


def _rendered(
    template: str, slots: Mapping[str, object], steps: TemplateSteps, values: list[object]
) -> str:
    if trouble := trouble_of(template):
        raise InputError(trouble)
    from jinja2 import TemplateError

    parts, size = [], 0
    try:
        for piece in _compiled(template).generate(
            {**slots, "tr": _translated, " values": values, " steps": steps}
        ):
            parts.append(piece)
            size += len(piece)
            if size > MAX_TEXT:
                raise InputError(f"it writes more than {MAX_TEXT:,} characters")
    except (
        TemplateError,
        TypeError,
        ValueError,
        KeyError,
        IndexError,
        AttributeError,
        RecursionError,
    ) as error:
        raise InputError(" ".join(str(error).split())[:200] or type(error).__name__) from error
    return "".join(parts)


trouble_of = lru_cache(maxsize=256)(template_trouble)


@lru_cache(maxsize=256)
def _compiled(template: str) -> Template:
    from jinja2 import pass_context
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(finalize=pass_context(_finalize), autoescape=False)
    environment.globals.clear()
    environment.filters = {
        name: function for name, function in environment.filters.items() if name in FILTERS
    }
    environment.tests = {
        name: function for name, function in environment.tests.items() if name in TESTS
    }
    return environment.from_string(template)


def _finalize(context: Context, value: object) -> str:
    """What is written for a value: a mark. `pass_context` also keeps Jinja from working things out
    beforehand.
    """
    from jinja2 import Undefined

    context[" steps"].spend()
    if value is None or isinstance(value, Undefined):
        return ""
    if isinstance(value, TemplateValues):
        return " ".join(_finalize(context, part) for part in value)
    values: list[object] = context[" values"]
    values.append(value)
    return (
        f" {value_mark(len(values) - 1)} "
        if isinstance(value, TemplateThing | OwlForm | Iri | OwlLiteral)
        else value_mark(len(values) - 1)
    )


def _translated(value: object) -> object:
    """`tr(x)`: the class expression of a value."""
    return value.part if isinstance(value, TemplateThing | TemplateText) else value
