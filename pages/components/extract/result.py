"""What an extraction gave: the text with its mentions, the terms to check, the statements that
follow, the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import (
    Candidate,
    Category,
    Mention,
    Outcome,
    Span,
)
from core.services.extract import draft as extraction_draft
from core.services.extract import mention_choice, result
from core.services.extract.difference import RunDifference
from core.services.extract.engines import engine_line
from core.services.extract.guidance import guidance_of
from core.services.extract.mention_choice import ask_service, kind_words, search_terms
from core.services.extract.readiness import (
    hints_of_nothing,
    why_nothing,
)
from core.services.extract.readiness import vocabularies_lacking as lacking_lines
from core.services.extract.result import ExtractionView, problems_in_words
from core.services.extract.species import set_species
from core.services.shared.document_label import marked_title
from core.services.vocabularies import own_files, remote
from core.services.vocabularies.obstacles import (
    Obstacle,
    Remedy,
    as_problem,
    dated_line,
    schema_obstacles,
)
from core.services.vocabularies.schema_use import (
    kinds_asked,
    unused_lines,
    unused_vocabularies,
    use_words,
)
from pages.components.extract.gaps import show_gaps
from pages.components.extract.guidance import show_guidance
from pages.components.extract.mention_form import mention_form
from pages.components.extract.mention_table import (
    MentionServices,
    label_of,
    mention_status,
    mention_table,
    only_here_key,
)
from pages.components.extract.start import species_choice
from pages.components.extract.statements import orcid_or_warning, reader_of, show_statements
from pages.components.shared import page, state
from pages.components.shared.empty import empty_state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_problems
from pages.components.shared.term import (
    OUTCOME_ICONS,
    legend_html,
)
from pages.components.shared.text import MarkedWords, highlighted_html
from pages.components.shared.trace import show_calls
from pages.components.vocabularies.listing import start_install

SHOWN_TEXT = 400_000  # characters of a text that are drawn
TEXT_HEIGHT, TEXT_ROWS, ROW = 270, 9, 90  # of the box: pixels, lines, letters a line, about


def show_result(desk: Desk, run_view: ExtractionView, apart: RunDifference) -> None:
    """The whole result: tabs keep their places while choices are made. `apart` is how it differs
    from what is in review.
    """
    _headline(desk, run_view, marked_title(desk, run_view.document.id))
    terms, claims, source, steps = st.tabs(_tabs(run_view), key=state.key("tabs", run_view.run.id))
    with terms:
        show_terms(desk, run_view)
    with claims:
        show_statements(desk, run_view, apart)
    with source:
        show_text(run_view)
    with steps:
        show_problems(
            problems_in_words(run_view.problems),
            "note about this run",
            "notes about this run",
            expanded=not run_view.calls,
        )
        show_guidance(guidance_of(run_view.run))
        show_calls(run_view.calls, key=state.key("calls", run_view.run.id))
        _download(desk, run_view)


def _download(desk: Desk, run_view: ExtractionView) -> None:
    """The run as a file: a draft that says inside that nobody decided."""
    left, right = st.columns([2, 5], vertical_alignment="bottom")
    format = left.selectbox(
        "Download this draft as", tuple(extraction_draft.FORMATS), key="extract·format"
    )
    text = extraction_draft.render_run(desk, run_view, format)
    name = f"draft-{run_view.run.id[:8]}{extraction_draft.draft_suffix(format)}"
    right.download_button("Download the draft", text, name, on_click="ignore")
    if remarks := extraction_draft.draft_remarks(desk, run_view, format):
        show_problems(remarks, "note about this file", "notes about this file")


def _tabs(run_view: ExtractionView) -> list[str]:
    return [
        f"Terms ({len(run_view.extraction.mentions)})",
        f"Statements ({len(run_view.statements)})",
        "Text",
        "How it was read",
    ]


def _headline(desk: Desk, run_view: ExtractionView, name: str) -> None:
    engine = engine_line(run_view.run.engine, run_view.run.model)
    counts = {
        outcome: sum(m.outcome is outcome for m in run_view.extraction.mentions)
        for outcome in Outcome
    }
    terms = " · ".join(
        f"{OUTCOME_ICONS[outcome]} {number} {outcome}"
        for outcome, number in counts.items()
        if number
    )
    title = run_view.schema.title or run_view.schema.name
    code = "`" + run_view.document.id.replace("`", "") + "`"
    st.caption(f"{escaped(title)} · {escaped(name)} {code} · {escaped(engine)}  \n{terms}")
    show_gaps(desk, run_view)
    show_obstacles(desk, run_view)


def show_terms(desk: Desk, run_view: ExtractionView) -> None:
    """The text on the left, the table below it, the form on the right."""
    mentions = run_view.extraction.mentions
    if not mentions:
        empty_state(
            "No mentions were found.",
            escaped(why_nothing(run_view.problems, 0, reader_of(run_view)), 400),
            *(escaped(hint) for hint in hints_of_nothing(run_view.problems)),
        )
        return
    run = run_view.run.id
    choosing = MentionServices(
        _choose(desk, run),
        _search(desk, run),
        _set_species(desk, run),
        species=species_choice(desk),
        take_back=_take_back(desk, run),
        takeable=mention_choice.undoable_slots(desk, run),
        ask=_ask(desk, run),
        services={name: service.title for name, service in remote.usable_services(desk).items()},
        kinds=lambda cls, candidate: kind_words(run_view.schema, cls, candidate),
    )
    version = _version(mentions)
    left, right = st.columns([5, 2], gap="medium")
    with left:
        place = st.container(height=_height(run_view.text.text), border=True)
        focus = mention_table(mentions, run_view.run.id, version, choosing, text=run_view.text.text)
        with place:
            st.html(f'<div class="gw-wide">{marked_text(run_view, focus)}</div>')
    if focus is not None:
        with right:
            mention_form(focus, mentions, run_view.text.text, run_view.run.id, choosing=choosing)


def _ask(desk: Desk, run: str) -> Callable[[str, str, str], Sequence[Candidate]]:
    return lambda service, cls, words: ask_service(
        desk, run, cls, service, words=words, curator=page.acting_orcid(desk)
    )


def _height(text: str) -> Literal["content"] | int:
    """Pixels for the text: a short one leaves the table below it in view."""
    rows = sum(1 + len(line) // ROW for line in text.splitlines())
    return "content" if rows < TEXT_ROWS else TEXT_HEIGHT


def _version(mentions: Sequence[Mention]) -> str:
    """Changes when any choice does."""
    return str(
        hash(tuple((m.slot, m.chosen.id if m.chosen else "", m.outcome, m.taxon) for m in mentions))
    )


def marked_text(run_view: ExtractionView, focus: Mention | None = None) -> str:
    """The source text with every mention marked; the one in focus stands out."""
    marks = [
        MarkedWords(span, m.category, _title(m), state=m.outcome,
             focus=focus is not None and m.slot == focus.slot and span == m.spans[0])
        for m in run_view.extraction.mentions
        for span in m.spans
    ]  # fmt: skip
    start = run_view.read.start
    marks = [
        mark._replace(span=Span(mark.span.start - start, mark.span.end - start)) for mark in marks
    ]
    return highlighted_html(
        run_view.read.quote(run_view.text.text)[:SHOWN_TEXT], list(dict.fromkeys(marks))
    )


def _title(mention: Mention) -> str:
    chosen = mention.chosen
    if chosen is None:
        return f"{mention.cls}: {mention_status(mention)}"
    return f"{mention.cls}: {label_of(chosen, mention.category)} {chosen.id}"


def show_text(run_view: ExtractionView) -> None:
    """The text at its full length, with what the colours mean."""
    st.html(
        "<div"
        ' class="gw-legend">'
        f"{legend_html([m.category for m in run_view.extraction.mentions])}</div>"
    )
    st.caption("Solid: grounded. Dashed: several terms fit. Dotted: no term yet.")
    st.html(marked_text(run_view))
    size = run_view.read.end - run_view.read.start
    if run_view.part:
        st.caption(
            f"Read: characters {run_view.part.start:,} to {run_view.part.end:,} of"
            f" {len(run_view.text.text):,}."
        )
    if size > SHOWN_TEXT:
        st.caption(f"The first {SHOWN_TEXT:,} of {size:,} characters are shown.")


# ------------------------------------------------------------------ choosing


def _choose(desk: Desk, run: str) -> Any:
    def keep(slot: str, term: str, outcome: Outcome | None, everywhere: bool) -> int:
        orcid = orcid_or_warning(desk)
        if not orcid:
            return 0
        if not term and outcome is None:
            outcome = Outcome.NO_TERM_FITS
        choice = result.choose_term(
            desk, run, slot, orcid, term_id=term, outcome=outcome, everywhere=everywhere,
            remember=not state.get(only_here_key(run), False),
        )  # fmt: skip
        for problem in choice.problems:
            state.show_message(f"⚠ {problem.message} {problem.hint}", "toast")
        return len(choice.slots)

    return keep


def _take_back(desk: Desk, run: str) -> Any:
    def back(slot: str) -> int:
        return (
            len(mention_choice.take_back_choice(desk, run, slot)) if orcid_or_warning(desk) else 0
        )

    return back


def _set_species(desk: Desk, run: str) -> Any:
    def keep(slot: str, taxon: str, everywhere: bool) -> None:
        if orcid := orcid_or_warning(desk):
            set_species(desk, run, slot, orcid, taxon=taxon, everywhere=everywhere)

    return keep


def _search(desk: Desk, run: str) -> Any:
    def look(cls: str, words: str) -> Sequence[Candidate]:
        return search_terms(desk, run, cls, words)

    return look


# ------------------------------------------------------------------ statements


MOST = 4  # lines that the header of a result names


def show_obstacles(desk: Desk, run_view: ExtractionView) -> None:
    """Draws nothing where there is no obstacle."""
    standing = schema_obstacles(desk, run_view.schema)
    missing = [as_problem(obstacle) for obstacle in standing if obstacle.help]
    lacking = [*unused_lines(desk, run_view.schema), *lacking_lines(run_view.problems, missing)]
    lines = [f"⚠️ {escaped(line, 400)}" for line in lacking]
    more = len(lines) - MOST
    lines = lines[:MOST]
    if more > 0:
        lines.append(f"And {more} more: see *How it was read*.")
    if dated := dated_line(desk, standing):
        lines.append(f"⚠️ {escaped(dated, 400)}")
    if not lines:
        return
    words, button = st.columns([5, 2], vertical_alignment="center")
    words.caption("  \n".join(lines))
    with button.popover("What helps", icon=":material/library_books:", width="stretch"):
        _actions(desk, standing)
        _own_vocabularies(desk, run_view)


def _own_vocabularies(desk: Desk, run_view: ExtractionView) -> None:
    """Buttons that let the schemas use vocabularies of one's own for a kind of thing."""
    for name in unused_vocabularies(desk):
        for kind in kinds_asked(run_view.schema):
            st.button(
                f"Use {name} for the kind “{kind}”",
                key=f"use·{name}·{kind}",
                on_click=_use,
                args=(desk, name, kind),
                width="stretch",
            )


def _use(desk: Desk, name: str, kind: Category) -> None:
    try:
        own_files.say_kinds(desk, name, [kind], acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"{use_words(desk, name)} Run the text again.")


def _actions(desk: Desk, standing: list[Obstacle]) -> None:
    """A button for each release that can be installed, and the way to the page for the rest."""
    installable = {o.vocabulary: o for o in standing if o.action is Remedy.INSTALL}
    for name, obstacle in installable.items():
        st.button(
            obstacle.button,
            key=f"mend·{name}",
            on_click=start_install,
            args=(desk, name),
            width="stretch",
        )
    if installable:
        st.caption(
            "The download runs in the background; *Vocabularies* shows its progress. Run the text"
            " again once it is installed."
        )
    if st.button("Open Vocabularies", icon=":material/library_books:", width="stretch"):
        st.switch_page("pages/7_Vocabularies.py")
