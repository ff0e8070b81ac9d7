"""A text with everything laid over it, and marking in place: select words, choose terms and a
predicate, save; drag the edge of a mention to correct its words (`browser/span_edges.js`). The
browser holds the work (`browser/marking.js`), also through a reload (`browser/draft.js`); what is
saved comes here numbered, is kept in the store, and the numbers kept are told back, so that nothing
is lost or taken twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import Candidate, Category, Curator, Modality, Outcome, relation_words
from core.services.documents import annotated, marking_row
from core.services.documents.annotated import AnnotatedText, TextMark
from core.services.documents.marking import propose_marking
from core.services.extract import schema_building, schemas
from core.services.vocabularies.relations import predicate_by_curie
from pages.components.shared import page, state
from pages.components.shared.browser_component import browser_component
from pages.components.shared.term import LINES, STATE_ICONS, statement_label

KEPT, RESULTS, FOUND, MOVED = "_marked", "_marking_results", "_marking_found", "_marking_moved"
MOST_AT_ONCE = 50  # markings in one message of the browser
_marker = browser_component("marking", Path(__file__).parent / "browser")


@st.fragment
def marking_desk(desk: Desk, annotated_text: AnnotatedText, person: Curator | None) -> None:
    """The text, the form and the statements of the document, side by side."""
    if state.get(MOVED):  # a mention has other words now: the text is laid out anew
        state.drop(MOVED)
        st.rerun()
    now = annotated.statements_of_document(desk, annotated_text.text)
    key = state.key("marking", annotated_text.text.sha)
    _marker(
        key=key,
        data={
            "document": annotated_text.document.id,
            "version": annotated_text.text.sha,
            "draft": _draft_name(annotated_text, person),
            "stamp": " ".join(
                [
                    *(f"{in_text.id}:{in_text.state}" for in_text in now),
                    *(f"{mark.span.start}-{mark.span.end}" for mark in annotated_text.marks),
                ]
            ),
            "text": annotated_text.text.text,
            "marks": [_mark(mark) for mark in annotated_text.marks],
            "sentences": [[span.start, span.end] for span in annotated_text.sentences],
            "statements": [
                {
                    "label": statement_label(in_text.statement),
                    "icon": STATE_ICONS[in_text.state],
                    "state": str(in_text.state),
                    "decided": in_text.decided,
                    "start": in_text.quote.start if in_text.quote else None,
                    "end": in_text.quote.end if in_text.quote else None,
                    "link": _address("Review", id=in_text.id, state="all"),
                }
                for in_text in now
            ],
            "kinds": [str(category) for category in Category],
            "modalities": [str(modality) for modality in Modality],
            "predicates": _predicates(desk),
            "schemas": [
                {"name": choice.name, "title": choice.title}
                for choice in schemas.schema_choices(desk)
                if choice.own
            ],
            "builder": _address("Schemas"),
            "found": state.get(FOUND),
            "kept": state.get(KEPT, {}),
            "results": state.get(RESULTS, {}),
            "off": person is None,
        },
        on_marker_change=lambda: _heard(desk, person, key),
    )


def _draft_name(annotated_text: AnnotatedText, person: Curator | None) -> str:
    """Under what the browser keeps a statement that is not saved yet."""
    whose = (page.current_project(), person.orcid if person else "")
    return " ".join(("marking", *whose, annotated_text.document.id, annotated_text.text.sha))


def _address(page_name: str, **query: str) -> str:
    """The address of another page over this project."""
    known = {"project": page.current_project()} if page.current_project() else {}
    return f"{page_name}?{urlencode(known | query)}"


def _predicates(desk: Desk) -> list[dict[str, Any]]:
    """Each predicate under a name of its own; `also` says what else it is called."""
    listed = predicate_by_curie()
    by_label: dict[str, dict[str, Any]] = {}
    for term in annotated.predicate_choices(desk):
        words = relation_words(term)
        label = f"{words} · {term.id}" if words in by_label else words
        other = listed[term.id].words if term.id in listed else ()
        by_label[label] = {"id": term.id, "label": label, "also": list(other)}
    return list(by_label.values())


def _mark(mark: TextMark) -> dict[str, Any]:
    line = "dotted" if mark.origin == "vocabulary" else LINES.get(str(mark.outcome), "solid")
    origins = {"vocabulary": "known term", "curator": "marked by a curator"}
    origin = origins.get(mark.origin, str(mark.outcome))
    term = {"id": mark.term.id, "label": mark.term.label, "category": str(mark.term.category)}
    relates = mark.term.category is Category.RELATION
    return {
        "start": mark.span.start,
        "end": mark.span.end,
        "category": str(mark.term.category),
        "line": line,
        "title": f"{mark.term.label} {mark.term.id or 'no id'} · {mark.term.category} · {origin}",
        "term": term if mark.outcome is not Outcome.UNGROUNDED and not relates else None,
        "predicate": mark.term.label if relates else "",
    }


def _heard(desk: Desk, person: Curator | None, key: str) -> None:
    """Answer a search, and keep the markings that are new."""
    now: Mapping[str, Any] = (state.get(key) or {}).get("marker") or {}
    window = str(now.get("window"))[:40]
    ask, kept_find = now.get("ask"), state.get(FOUND) or {}
    number = ask.get("number") if isinstance(ask, Mapping) else None
    known = (kept_find.get("window"), kept_find.get("number"))
    if isinstance(ask, Mapping) and (window, number) != known:
        words = str(ask.get("words", ""))[:200]
        options = [_option(candidate) for candidate in annotated.term_candidates(desk, words)]
        state.put(FOUND, {"window": window, "number": number, "options": options})
    kept_numbers, results = dict(state.get(KEPT, {})), dict(state.get(RESULTS, {}))
    for marking in list(now.get("markings") or ())[:MOST_AT_ONCE]:
        number = marking.get("number") if isinstance(marking, Mapping) else None
        if not isinstance(number, int) or number <= kept_numbers.get(window, 0):
            continue
        result = _keep(desk, person, marking)
        kept_numbers[window] = number
        results[window] = [*results.get(window, ()), (number, *result)][-MOST_AT_ONCE:]
    state.put(KEPT, kept_numbers)
    state.put(RESULTS, results)


def _keep(
    desk: Desk, person: Curator | None, message: Mapping[str, Any]
) -> tuple[bool, str, dict[str, Any] | None]:
    """Whether it was kept, what became of it, and words that are worth remembering for a term."""
    if person is None:
        return False, "enter your name in the sidebar first.", None
    try:
        if message.get("kind") == "remember":
            words, term = marking_row.words_and_term(desk, message)
            marking_row.remember_words(desk, words, term, person)
            return True, f"from now on “{words[:80]}” means {term.label}", None
        if message.get("kind") == "span":
            document, version, span, meant = marking_row.span_from_page(desk, message)
            corrected = marking_row.correct_span(
                desk, document, version, span, term=meant, curator=person
            )
            state.put(MOVED, True)
            words = corrected.mention.text
            lesson = {"words": words, "term": message.get("term")} if corrected.teaches else None
            return True, f"the mention is now “{words[:80]}”", lesson
        if message.get("kind") == "predicate":
            name, schema, ends = marking_row.predicate_from_page(message)
            schema_building.add_predicate(desk, schema, name, ends, curator=person.orcid)
            return True, f"“{name[:80]}” is now a predicate of {schema}", None
        marking = marking_row.from_spans(desk, message)
        result = propose_marking(desk, marking, person, approve=message.get("approve") is True)
    except GroundworkError as error:
        return False, str(error), None
    label = statement_label(result.record.statement)
    note = "" if result.new else " (known before; this evidence was added)"
    waits = f". {result.waits_because}" if result.waits_because else ""
    return True, f"{label} · {result.record.state}{note}{waits}", None


def _option(candidate: Candidate) -> dict[str, Any]:
    why = f"{candidate.match} · {candidate.vocabulary} · {candidate.score:.2f}"
    return {
        "id": candidate.term.id,
        "label": candidate.term.label,
        "category": str(candidate.term.category),
        "why": f"{why} · obsolete" if candidate.obsolete else why,
    }
