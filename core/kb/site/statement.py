"""The page of a statement: what it claims, the words it rests on, and who approved it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from core.kb.entry import ExportEntry, KnowledgeBase, claim_words, notices_of
from core.kb.rdf.node import statement_iri
from core.kb.record_words import record_words, statement_ends
from core.kb.site.markup import (
    SitePage,
    claim_html,
    html_table,
    identifier_html,
    paper_path,
    person_html,
    statement_path,
    thing_html,
)
from core.model import Evidence, Literal, RecordGround, ReferenceGround, TextGround

LONGEST = 1_000  # characters of a quote that are shown
ROOT = "../../"


def statement_page(entry: ExportEntry, kb: KnowledgeBase) -> SitePage:
    statement = entry.statement
    parts = [f'<p class="claim">{claim_html(statement, ROOT)}</p>']
    parts += [
        f'<p class="notice">⚠ It rests on a paper with a notice: {escape(notice)}</p>'
        for notice in notices_of(entry, kb)
    ]
    parts += ["<h2>Evidence</h2>", *(evidence_html(piece, entry, kb) for piece in entry.evidence)]
    parts += ["<h2>Approved by</h2><ul>", *approvals_html(entry, kb), "</ul>"]
    parts += ["<h2>In full</h2>", html_table(("", "name", "id", "category"), named_parts(entry))]
    parts.append(
        f"<dl><dt>Identifier</dt><dd><code>{escape(str(statement_iri(statement.id, kb)))}</code>"
        "</dd></dl>"
    )
    return SitePage(statement_path(statement.id), claim_words(statement), "\n".join(parts))


def named_parts(entry: ExportEntry) -> Iterator[tuple[str, ...]]:
    statement = entry.statement
    rows = [
        ("subject", statement.subject),
        ("relation", statement.predicate),
        ("object", statement.object),
        *(
            (qualifier.name.replace("_", " "), qualifier.value)
            for qualifier in statement.qualifiers
        ),
    ]
    for name, thing in rows:
        if isinstance(thing, Literal):
            kind = " ".join(part for part in (thing.datatype, thing.unit) if part)
            yield escape(name), escape(thing.value), f"<code>{escape(kind)}</code>", "value"
        else:
            object_html = (
                escape(thing.label)
                if thing is statement.predicate
                else thing_html(thing, statement.document, ROOT)
            )
            yield escape(name), object_html, identifier_html(thing.id), escape(str(thing.category))
    yield "negated", "yes" if statement.negated else "no", "", ""
    yield "said as", escape(str(statement.modality)), "", ""


def evidence_html(piece: Evidence, entry: ExportEntry, kb: KnowledgeBase) -> str:
    """A quote with its paper and place, a value with its record, or a reference."""
    match piece.ground:
        case TextGround(document, version, span, quote, section):
            shown_quote = quote if len(quote) <= LONGEST else f"{quote[:LONGEST]} …"
            place = f"characters {span.start:,} to {span.end:,} of the text <code>{version[:12]}"
            where = f"{escape(section)}, " if section else ""
            ground_html = (
                f"<blockquote>{escape(shown_quote)}</blockquote>{paper_link(document, kb)}<br>"
            )
            proposed_by = proposed_by_engine(piece)
            ground_html += f"<small>{where}{place}</code> (SHA-256 begins so){proposed_by}</small>"
        case RecordGround(record=record, pointer=pointer) as ground:
            words = record_words(ground, *statement_ends(entry.statement))
            ground_html = f"<blockquote>{escape(words)}</blockquote>{identifier_html(record)}"
            ground_html += (
                f" <small>at <code>{escape(pointer)}</code>{proposed_by_engine(piece)}</small>"
            )
        case ReferenceGround(reference, locator, note):
            ground_html = paper_link(reference, kb) + (f", {escape(locator)}" if locator else "")
            ground_html += f"<br><small>{escape(note[:LONGEST])}</small>" if note else ""
    return f'<section class="evidence">{ground_html}</section>'


def paper_link(document: str, kb: KnowledgeBase) -> str:
    known_document = kb.documents.get(document)
    title = escape(known_document.title if known_document and known_document.title else document)
    return f'<a href="{ROOT}{paper_path(document)}">{title}</a> {identifier_html(document)}'


def proposed_by_engine(piece: Evidence) -> str:
    return f", proposed by {escape(piece.engine)}" if piece.engine else ""


def approvals_html(entry: ExportEntry, kb: KnowledgeBase) -> Iterator[str]:
    for decision in entry.approvals:
        note = f": {escape(decision.note)}" if decision.note else ""
        yield f"<li>{person_html(decision.curator, kb)}, {escape(decision.time[:10])}{note}</li>"
