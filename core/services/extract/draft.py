"""One run as a file: a draft that says *undecided* inside. Only `export` passes the gate
(docs/command-line.md).
"""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import yaml

from core.desk_parts import HasProject, HasStore
from core.errors import InputError
from core.extraction.json_view import mention_json, plain_object, problems_json, statement_json
from core.model import (
    NOT_JUDGED,
    Evidence,
    Json,
    Literal,
    Problem,
    Statement,
    Support,
    TextGround,
    Thing,
    status_mark,
)
from core.services.extract.completeness import gaps_of
from core.services.extract.result import ExtractionView, result_of_run
from core.services.support.shown_support import is_supported, support_json, supported_share

if TYPE_CHECKING:
    from core.kb.entry import KnowledgeBase
    from core.kb.formats.specification import ExportFormat

UNDECIDED = "undecided draft: proposed by a machine (text-mining), decided by nobody"
COLUMNS = (
    "status", "id", "subject_id", "subject", "negated", "predicate_id", "predicate", "object_id",
    "object", "unit", "qualifiers", "document", "start", "end", "quote", "support", "probability",
    "complete", "missing", "calibrated", "paper_status",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def as_json(run_view: ExtractionView) -> Json:
    """The whole draft with the keys of docs/command-line.md."""
    return {
        "object": plain_object(run_view.schema, run_view.extraction),
        "mentions": [mention_json(mention) for mention in run_view.extraction.mentions],
        "statements": [
            judged_statement(run_view, statement, evidence)
            for statement, evidence in run_view.statements
        ],
        **completeness_json(run_view),
        "supported": supported_share(
            is_supported(run_view.support_of(evidence)) for _, evidence in run_view.statements
        ),
        "problems": problems_json(run_view.problems),
        "run": run_view.run.id,
        "status": UNDECIDED,
        "document": run_view.document.id,
        "paper_status": run_view.paper_status,
        "schema": run_view.schema.name,
        "class": run_view.extraction.tree.cls,
        "engine": run_view.run.engine,
        "model": run_view.run.model,
        "usage": run_usage(run_view),
    }


def judged_statement(
    run_view: ExtractionView, statement: Statement, evidence: Sequence[Evidence]
) -> Json:
    """A statement of the draft with what its evidence says of it."""
    support = run_view.support_of(evidence)
    said = {"support": support_json(support), "supported": is_supported(support)}
    return statement_json(statement, evidence) | said


def completeness_json(run_view: ExtractionView) -> Json:
    """Whether all of the text was read, and what is missing, in words."""
    missing = [gap.says for gap in gaps_of(run_view) if gap.lost]
    return {"complete": not missing, "missing": missing}


def run_usage(run_view: ExtractionView) -> Json:
    """Calls, tokens, seconds and dollars; `cost` is null where a price is not known."""
    calls = run_view.calls
    costs = [call.cost for call in calls if not call.reused]
    return {
        "calls": len(calls),
        "reused": sum(bool(call.reused) for call in calls),
        "tokens_in": sum(call.tokens_in for call in calls),
        "tokens_out": sum(call.tokens_out for call in calls),
        "seconds": round(sum(call.seconds for call in calls), 3),
        "cost": None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs),
    }


def export_run(desk: HasProject, run_id: str, format: str = "json") -> str:
    """A run as text of this format. Raises InputError for an unknown format."""
    return render_run(desk, result_of_run(desk, run_id), format)


def render_run(desk: HasStore, run_view: ExtractionView, format: str) -> str:
    if format in DRAFT_WRITERS:
        return DRAFT_WRITERS[format](run_view)
    export = _shared().get("ttl" if format == "turtle" else format)
    if export is None:
        raise InputError(
            f"There is no format called {format}.", f"Choose one of {', '.join(FORMATS)}."
        )
    return export.write(knowledge_base(desk, run_view)).decode()


def knowledge_base(desk: HasStore, run_view: ExtractionView) -> KnowledgeBase:
    """The run as a draft that the export formats write."""
    from core.kb.formats.draft import draft_base

    prefixes = dict(run_view.schema.prefixes)
    return draft_base(
        run_view.statements,
        prefixes,
        desk.base_iri,
        documents=[run_view.document],
        notices={run_view.document.id: run_view.paper_status} if run_view.paper_status else {},
        schemas=[run_view.schema],
    )


def draft_remarks(desk: HasStore, run_view: ExtractionView, format: str) -> tuple[Problem, ...]:
    """What a person should know about a draft in this format."""
    shared = None if format in DRAFT_WRITERS else _shared().get(format)
    return tuple(shared.remarks(knowledge_base(desk, run_view))) if shared else ()


def to_json(run_view: ExtractionView) -> str:
    return json.dumps(as_json(run_view), ensure_ascii=False, indent=2) + "\n"


def to_yaml(run_view: ExtractionView) -> str:
    return yaml.safe_dump(as_json(run_view), allow_unicode=True, sort_keys=False, width=120)


def to_lines(run_view: ExtractionView) -> str:
    """A line for each statement."""
    rows = [
        judged_statement(run_view, s, e)
        | {"status": UNDECIDED, "run": run_view.run.id, "paper_status": run_view.paper_status}
        | completeness_json(run_view)
        for s, e in run_view.statements
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_csv(run_view: ExtractionView) -> str:
    """A row for each statement. A cell that a spreadsheet would run as a formula begins with an
    apostrophe.
    """
    from core.kb.formats.separated import number_cell

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(run_view):
        writer.writerow(
            [
                f"'{cell}" if cell.startswith(FORMULA) and not number_cell(cell) else cell
                for cell in row
            ]
        )
    return out.getvalue()


def to_markdown(run_view: ExtractionView) -> str:
    column_names = (
        "subject", "negated", "predicate", "object", "qualifiers", "quote", "support",
    )  # fmt: skip
    picks = [COLUMNS.index(name) for name in column_names]
    lines = [
        f"# {markdown_cell(run_view.schema.title or run_view.schema.name)}:"
        f" {status_mark(run_view.paper_status)}{markdown_cell(run_view.document.id)}",
        "",
        f"*{UNDECIDED}*",
        "",
    ]
    lines += ["| " + " | ".join(column_names) + " |", "|" + " --- |" * len(column_names)]
    lines += [
        "| " + " | ".join(markdown_cell(label_with_id(row, at)) for at in picks) + " |"
        for row in rows(run_view)
    ]
    lines += [
        "",
        "## Problems",
        "",
        *(f"- {markdown_cell(p.message)} ({p.code})" for p in run_view.problems),
    ]
    return "\n".join(lines) + "\n"


def to_html(run_view: ExtractionView) -> str:
    """A self-contained page: no script, no outside address, every outside word escaped."""
    head = "".join(f"<th>{name}</th>" for name in COLUMNS[1:])
    body = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row[1:]) + "</tr>"
        for row in rows(run_view)
    )
    notes = "\n".join(
        f"<li>{html.escape(p.message)} <code>{html.escape(p.code)}</code></li>"
        for p in run_view.problems
    )
    document = f"{status_mark(run_view.paper_status)}{run_view.document.id}"
    title = html.escape(f"{run_view.schema.title or run_view.schema.name}: {document}")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
        "<style>body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px"
        " solid #999;"
        "padding:.3em"
        " .5em;text-align:left;vertical-align:top}pre{white-space:pre-wrap}</style></head>\n"
        f"<body><h1>{title}</h1><p><strong>{html.escape(UNDECIDED)}</strong></p>\n<table><tr>{head}</tr>\n{body}\n"
        f"</table><h2>Problems</h2><ul>\n{notes}\n</ul><h2>Text</h2><pre>{html.escape(run_view.text.text)}</pre></body></html>\n"
    )


def rows(run_view: ExtractionView) -> Sequence[list[str]]:
    completeness = completeness_json(run_view)
    complete = ["yes" if completeness["complete"] else "no", "; ".join(completeness["missing"])]
    table = []
    for statement, evidence in run_view.statements:
        support = run_view.support_of(evidence)
        calibrated = "" if support is None else "yes" if support.is_calibrated else "no"
        cells = (*row(statement, evidence), *_support_cells(support), *complete, calibrated)
        table.append([*cells, run_view.paper_status])
    return table


def _support_cells(support: Support | None) -> list[str]:
    if support is None:
        return [NOT_JUDGED, ""]
    return [str(support.verdict), f"{support.probability:.2f}"]


def row(statement: Statement, evidence: Sequence[Evidence]) -> list[str]:
    subject, object = thing_columns(statement.subject), thing_columns(statement.object)
    unit = statement.object.unit if isinstance(statement.object, Literal) else ""
    qualifiers = "; ".join(f"{q.name}: {thing_columns(q.value)[1]}" for q in statement.qualifiers)
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


def thing_columns(thing: Thing) -> list[str]:
    return ["", thing.value] if isinstance(thing, Literal) else [thing.id, thing.label]


def label_with_id(row: list[str], at: int) -> str:
    """A label with its id behind it, where it has one."""
    name = COLUMNS[at]
    id = row[COLUMNS.index(f"{name}_id")] if f"{name}_id" in COLUMNS else ""
    return f"{row[at]} ({id})" if id else row[at]


def markdown_cell(words: str) -> str:
    """Words that stay words inside a Markdown table."""
    on_one_line = " ".join(words.split())
    return html.escape(
        "".join("\\" + c if c in "\\`*_{}[]()#|!~" else c for c in on_one_line), quote=False
    )


DRAFT_WRITERS: dict[str, Callable[[ExtractionView], str]] = {
    "json": to_json,
    "yaml": to_yaml,
    "jsonl": to_lines,
    "csv": to_csv,
    "md": to_markdown,
    "html": to_html,
}


def _shared() -> Mapping[str, ExportFormat]:
    """The export formats that may hold what nobody has decided. They bring the RDF libraries, which
    a draft in JSON does not need.
    """
    from core.kb.formats.registry import FORMATS

    return {export.name: export for export in FORMATS.values() if export.drafts}


class DraftFormats(Collection[str]):
    """The names of the formats that a draft can be written in. Those that need RDF libraries are
    looked up only where they are listed or asked for.
    """

    def __iter__(self) -> Iterator[str]:
        return iter((*DRAFT_WRITERS, *_shared()))

    def __len__(self) -> int:
        return len(DRAFT_WRITERS) + len(_shared())

    def __contains__(self, name: object) -> bool:
        return name in DRAFT_WRITERS or name in _shared()


FORMATS = DraftFormats()


def draft_suffix(format: str) -> str:
    """The ending of a file in a format."""
    return f".{format}" if format in DRAFT_WRITERS else _shared()[format].suffix
