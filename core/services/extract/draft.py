"""One run as a file: a draft that says *undecided* inside. Only `export` passes the gate
(docs/command-line.md).
"""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Sequence

import yaml

from core.desk import Desk
from core.errors import InputError
from core.extraction.json_view import mention_json, plain_object, problems_json, statement_json
from core.kb.entry import KnowledgeBase
from core.kb.formats.draft import draft_base
from core.kb.formats.registry import FORMATS as EXPORTS
from core.kb.formats.separated import number
from core.model import Evidence, Json, Literal, Problem, Statement, TextGround, Thing
from core.services.extract.result import ExtractionView, view

UNDECIDED = "undecided draft: proposed by a machine (text-mining), decided by nobody"
COLUMNS = (
    "status", "id", "subject_id", "subject", "negated", "predicate_id", "predicate", "object_id",
    "object", "unit", "qualifiers", "document", "start", "end", "quote",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def as_json(found: ExtractionView) -> Json:
    """The whole draft with the keys of docs/command-line.md."""
    return {
        "object": plain_object(found.schema, found.extraction),
        "mentions": [mention_json(mention) for mention in found.extraction.mentions],
        "statements": [
            statement_json(statement, evidence) for statement, evidence in found.statements
        ],
        "problems": problems_json(found.problems),
        "run": found.run.id,
        "status": UNDECIDED,
        "document": found.document.id,
        "schema": found.schema.name,
        "class": found.extraction.tree.cls,
        "engine": found.run.engine,
        "model": found.run.model,
        "usage": usage(found),
    }


def usage(found: ExtractionView) -> Json:
    """Calls, tokens, seconds and dollars; `cost` is null where a price is not known."""
    calls = found.calls
    costs = [call.cost for call in calls if not call.reused]
    return {
        "calls": len(calls),
        "reused": sum(bool(call.reused) for call in calls),
        "tokens_in": sum(call.tokens_in for call in calls),
        "tokens_out": sum(call.tokens_out for call in calls),
        "seconds": round(sum(call.seconds for call in calls), 3),
        "cost": None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs),
    }


def export(desk: Desk, run_id: str, format: str = "json") -> str:
    """A run as text of this format. Raises InputError for an unknown format."""
    return render(desk, view(desk, run_id), format)


def render(desk: Desk, found: ExtractionView, format: str) -> str:
    export = SHARED.get("ttl" if format == "turtle" else format)
    if export is not None:
        return export.write(knowledge_base(desk, found)).decode()
    if format not in WRITERS:
        raise InputError(
            f"There is no format called {format}.", f"Choose one of {', '.join(FORMATS)}."
        )
    return WRITERS[format](found)


def knowledge_base(desk: Desk, found: ExtractionView) -> KnowledgeBase:
    """The run as a draft that the export formats write."""
    prefixes = dict(found.schema.prefixes)
    return draft_base(found.statements, prefixes, desk.base_iri, [found.document], [found.schema])


def remarks(desk: Desk, found: ExtractionView, format: str) -> tuple[Problem, ...]:
    """What a person should know about a draft in this format."""
    shared = SHARED.get(format)
    return tuple(shared.remarks(knowledge_base(desk, found))) if shared else ()


def to_json(found: ExtractionView) -> str:
    return json.dumps(as_json(found), ensure_ascii=False, indent=2) + "\n"


def to_yaml(found: ExtractionView) -> str:
    return yaml.safe_dump(as_json(found), allow_unicode=True, sort_keys=False, width=120)


def to_lines(found: ExtractionView) -> str:
    """A line for each statement."""
    rows = [
        statement_json(s, e) | {"status": UNDECIDED, "run": found.run.id}
        for s, e in found.statements
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_csv(found: ExtractionView) -> str:
    """A row for each statement. A cell that a spreadsheet would run as a formula begins with an
    apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(found):
        writer.writerow(
            [f"'{cell}" if cell.startswith(FORMULA) and not number(cell) else cell for cell in row]
        )
    return out.getvalue()


def to_markdown(found: ExtractionView) -> str:
    shown = ("subject", "negated", "predicate", "object", "qualifiers", "quote")
    picks = [COLUMNS.index(name) for name in shown]
    lines = [
        f"# {cell(found.schema.title or found.schema.name)}: {cell(found.document.id)}",
        "",
        f"*{UNDECIDED}*",
        "",
    ]
    lines += ["| " + " | ".join(shown) + " |", "|" + " --- |" * len(shown)]
    lines += [
        "| " + " | ".join(cell(labelled(row, at)) for at in picks) + " |" for row in rows(found)
    ]
    lines += ["", "## Problems", "", *(f"- {cell(p.message)} ({p.code})" for p in found.problems)]
    return "\n".join(lines) + "\n"


def to_html(found: ExtractionView) -> str:
    """A page that stands alone: no script, no outside address, every outside word escaped."""
    head = "".join(f"<th>{name}</th>" for name in COLUMNS[1:])
    body = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row[1:]) + "</tr>"
        for row in rows(found)
    )
    notes = "\n".join(
        f"<li>{html.escape(p.message)} <code>{html.escape(p.code)}</code></li>"
        for p in found.problems
    )
    title = html.escape(f"{found.schema.title or found.schema.name}: {found.document.id}")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        "<style>body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px"
        " solid #999;"
        "padding:.3em"
        " .5em;text-align:left;vertical-align:top}pre{white-space:pre-wrap}</style></head>\n"
        f"<body><h1>{title}</h1><p><strong>{html.escape(UNDECIDED)}</strong></p>\n<table><tr>{head}</tr>\n{body}\n"
        f"</table><h2>Problems</h2><ul>\n{notes}\n</ul><h2>Text</h2><pre>{html.escape(found.text.text)}</pre></body></html>\n"
    )


def rows(found: ExtractionView) -> Sequence[list[str]]:
    return [row(statement, evidence) for statement, evidence in found.statements]


def row(statement: Statement, evidence: Sequence[Evidence]) -> list[str]:
    subject, object = ends(statement.subject), ends(statement.object)
    unit = statement.object.unit if isinstance(statement.object, Literal) else ""
    qualifiers = "; ".join(f"{q.name}: {ends(q.value)[1]}" for q in statement.qualifiers)
    ground = evidence[0].ground if evidence else None
    place = (
        [ground.document, str(ground.span.start), str(ground.span.end), ground.quote]
        if isinstance(ground, TextGround)
        else ["", "", "", ""]
    )
    negated = "NOT" if statement.negated else ""
    middle = [statement.predicate.id, statement.predicate.label]
    return [
        "undecided",
        statement.id,
        *subject,
        negated,
        *middle,
        *object,
        unit,
        qualifiers,
        *place,
    ]


def ends(thing: Thing) -> list[str]:
    return ["", thing.value] if isinstance(thing, Literal) else [thing.id, thing.label]


def labelled(row: list[str], at: int) -> str:
    """A label with its id behind it, where it has one."""
    name = COLUMNS[at]
    id = row[COLUMNS.index(f"{name}_id")] if f"{name}_id" in COLUMNS else ""
    return f"{row[at]} ({id})" if id else row[at]


def cell(words: str) -> str:
    """Words that stay words inside a Markdown table."""
    plain = " ".join(words.split())
    return html.escape(
        "".join("\\" + c if c in "\\`*_{}[]()#|!~" else c for c in plain), quote=False
    )


WRITERS: dict[str, Callable[[ExtractionView], str]] = {
    "json": to_json,
    "yaml": to_yaml,
    "jsonl": to_lines,
    "csv": to_csv,
    "md": to_markdown,
    "html": to_html,
}
SHARED = {export.name: export for export in EXPORTS if export.drafts}  # with the knowledge base
FORMATS = (*WRITERS, *SHARED)
SUFFIXES = {name: f".{name}" for name in WRITERS} | {
    name: export.suffix for name, export in SHARED.items()
}
