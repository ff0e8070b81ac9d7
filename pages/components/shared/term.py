"""Things on screen: label first, then the CURIE in monospace linked to its source, in the colour of
its category.

Colour is never the only sign: words, icons and line styles say the same.
"""

from __future__ import annotations

from html import escape

from core.model import (
    Category,
    Literal,
    Modality,
    Node,
    Outcome,
    State,
    Statement,
    Term,
    Thing,
    relation_words,
)
from core.services.shared.colour import CATEGORY_COLOURS
from core.services.shared.screen import web_link

OUTCOME_ICONS = {
    Outcome.GROUNDED: "✓",
    Outcome.AMBIGUOUS: "≟",
    Outcome.UNGROUNDED: "○",
    Outcome.NO_TERM_FITS: "∅",
}

STATE_ICONS = {
    State.PROPOSED: "○",
    State.APPROVED: "✓",
    State.REJECTED: "✕",
    State.UNSURE: "?",
    State.SUPERSEDED: "↷",
}

LINES = {
    "grounded": "solid",
    "ambiguous": "dashed",
    "ungrounded": "dotted",
    "no term fits": "dotted",
    "proposed": "dotted",
    "unsure": "dashed",
    "approved": "solid",
    "rejected": "dashed",
}


def drawable_text(words: str) -> str:
    """Words that a browser takes: what it cannot (half a character, from an old import) as `?`."""
    return words.encode("utf-8", "replace").decode()


def category_colour(category: Category, dark: bool = False) -> str:
    """The hex colour of a category, for charts; markup uses the classes of `stylesheet`."""
    colours = CATEGORY_COLOURS.get(category, CATEGORY_COLOURS[Category.THING])
    return colours.dark if dark else colours.light


def term_label(term: Term) -> str:
    """Plain text: the label, then the CURIE; `no id` while ungrounded."""
    return drawable_text(f"{term.label} ({term.id or 'no id'})")


def thing_label(thing: Thing) -> str:
    """Plain text of a term, a node or a literal."""
    match thing:
        case Term():
            return term_label(thing)
        case Node(label=label, cls=cls):
            return drawable_text(f"{label or 'unnamed'} [{cls}]")
        case Literal(value=value, unit=unit):
            return drawable_text(f"{value} {unit}".strip())
    return str(thing)


def curie_html(curie: str) -> str:
    """A CURIE in monospace, linked to the page of its source when one is known."""
    if not curie:
        return '<span class="gw-none">no id</span>'
    code = f'<code class="gw-id">{escape(curie)}</code>'
    address = web_link(curie)
    if not address.startswith(("https://", "http://")):
        return code
    return (
        f'<a class="gw-link" href="{escape(address, quote=True)}" target="_blank"'
        f' rel="noopener">{code}</a>'
    )


def term_html(term: Term, with_id: bool = True) -> str:
    """A term: label in its category's colour, then its CURIE."""
    label = (
        f'<span class="gw-term gw-{term.category}"'
        f' title="{escape(str(term.category))}">{escape(term.label)}</span>'
    )
    return drawable_text(f"{label} {curie_html(term.id)}" if with_id else label)


def thing_html(thing: Thing, with_id: bool = True) -> str:
    """A term, node or literal as escaped HTML."""
    match thing:
        case Term():
            return term_html(thing, with_id)
        case Node(label=label, cls=cls, category=category):
            name = f'<span class="gw-term gw-{category}">{escape(label or "unnamed")}</span>'
            return f'{name} <span class="gw-none">{escape(cls)}</span>'
        case Literal():
            return f'<span class="gw-literal">{escape(thing_label(thing))}</span>'
    return escape(str(thing))


def statement_html(statement: Statement, with_id: bool = True) -> str:
    """Subject, predicate, object on one line, with *not*, modality and qualifiers spelled out."""
    flags = ['<span class="gw-not">not</span>'] if statement.negated else []
    if statement.modality is not Modality.ASSERTED:
        flags.append(f'<span class="gw-not">{escape(str(statement.modality))}</span>')
    predicate = f'<span class="gw-predicate">{escape(relation_words(statement.predicate))}</span>'
    parts = [
        thing_html(statement.subject, with_id),
        *flags,
        predicate,
        thing_html(statement.object, with_id),
    ]
    for qualifier in statement.qualifiers:
        name = escape(qualifier.name.replace("_", " "))
        parts.append(
            f'<span class="gw-qualifier">{name}: {thing_html(qualifier.value, with_id)}</span>'
        )
    return drawable_text(f'<div class="gw-statement">{" ".join(parts)}</div>')


def statement_label(statement: Statement) -> str:
    """A statement as plain text, for tables."""
    words = [
        thing_name(statement.subject),
        "NOT" if statement.negated else "",
        relation_words(statement.predicate),
    ]
    words.append(thing_name(statement.object))
    if statement.modality is not Modality.ASSERTED:
        words.append(f"({statement.modality})")
    return drawable_text(" ".join(word for word in words if word))


def thing_name(thing: Thing) -> str:
    """The name alone, for tables."""
    return thing_label(thing) if isinstance(thing, Literal) else thing.label


def legend_html(categories: list[Category]) -> str:
    """What the colours of a text mean."""
    names = dict.fromkeys(categories)
    return " ".join(
        f'<span class="gw-mark gw-{name} gw-solid">{escape(str(name))}</span>' for name in names
    )
