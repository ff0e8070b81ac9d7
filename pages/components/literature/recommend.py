"""Recommended articles for a paragraph that one has written."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.model import JobState
from core.services.literature import article_vectors, curation, triage
from core.services.literature.curation import RecommendedArticle
from core.services.literature.recommendation_table import (
    COLUMNS,
    FORMATS,
    RecommendationRow,
    link,
    recommendation_file,
    recommendation_rows,
)
from core.services.literature.search_page import AnswerTemplate
from pages.components.literature.answer import show_answer
from pages.components.literature.question import namespaces_in_address
from pages.components.literature.references import references_panel
from pages.components.shared import state
from pages.components.shared.empty import empty_state
from pages.components.shared.job import job_panel
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import say_what_goes
from pages.components.shared.page import acting_orcid
from pages.components.shared.problem import show_error

CHOSEN = 3  # recommended articles that are chosen at first


def recommend_panel(desk: Desk, names: Sequence[str]) -> None:
    """Articles to cite for a paragraph that one has written."""
    now = list(namespaces_in_address(names)) or [names[0]]
    chosen = st.multiselect(
        "Namespaces",
        list(names),
        default=now,
        key=state.key("recommend-ns", *now),
        select_all=False,
    )
    paragraph = st.text_area(
        "Your paragraph", key="paragraph", height=160, max_chars=10_000, persist_state="session"
    )
    if where := article_vectors.paragraph_goes_to(desk):
        st.caption(escaped(f"It will be sent to {where}, to find the articles nearest to it.", 400))
    if not paragraph.strip() or not chosen:
        empty_state(
            "Paste a paragraph that you have written.",
            "Articles for it are listed with score, summary and citation.",
        )
        return
    by_sentence = st.toggle("For each sentence", key="recommend-by-sentence")
    try:
        articles = curation.recommended_articles(desk, chosen, paragraph)
        rows = recommendation_rows(desk, chosen, paragraph, by_sentence=by_sentence)
    except GroundworkError as error:
        show_error(error)
        return
    _table(desk, chosen, rows, by_sentence)
    cited = [recommended.document for recommended in articles]
    references_panel(lambda: triage.known_citations(desk, chosen, cited), "articles", "recommended")
    _beyond(desk, chosen, paragraph, articles)
    _summary(desk, paragraph, articles)
    for place, recommended in enumerate(articles):
        with st.container(border=True):
            left, right = st.columns([9, 1])
            left.text(
                f"{recommended.score:.2f}  {recommended.chunk.marked_title or recommended.document}"
            )
            right.checkbox("Choose", place < CHOSEN, key=state.key("choose", recommended.document))
            if recommended.chunk.flags and not recommended.chunk.status:
                st.text("⚠️ " + ", ".join(recommended.chunk.flags))
            st.text(recommended.summary)
            st.code(curation.citation_line(recommended.chunk), language=None, wrap_lines=True)


def _beyond(
    desk: Desk, names: Sequence[str], paragraph: str, articles: Sequence[RecommendedArticle]
) -> None:
    """Articles that no namespace chosen holds, by the project's article vectors."""
    near = article_vectors.nearest_articles(desk, names, paragraph, articles)
    if near is None:
        return
    with st.expander(f"Beyond these namespaces ({len(near.articles)})", expanded=True):
        if not near.articles:
            st.caption(
                "None of the articles found by your words has a vector, so none can be compared."
            )
            return
        if near.model:
            st.caption(f"Nearest to your paragraph by {escaped(near.model)}.")
        else:
            anchors = escaped(", ".join(near.anchors))
            st.caption(f"Nearest to the articles that match your words: {anchors}.")
        st.dataframe(
            [
                {"paper": a.document, "similarity": a.cosine, "link": link(a.document)}
                for a in near.articles
            ],
            hide_index=True,
            key="recommend-beyond",
            column_config={
                "similarity": st.column_config.NumberColumn(format="%.2f"),
                "link": st.column_config.LinkColumn(display_text="open"),
            },
        )
        st.caption("To read one here, add it to a namespace by its PMID.")


def _table(
    desk: Desk, names: Sequence[str], rows: Sequence[RecommendationRow], by_sentence: bool
) -> None:
    """Every article with its scores and its address, sorted by a click on a column."""
    table_rows = [{name: getattr(row, name) for name in COLUMNS} for row in rows]
    if not by_sentence:
        table_rows = [
            {name: value for name, value in row.items() if name != "part"} for row in table_rows
        ]
    share = st.column_config.NumberColumn
    st.dataframe(
        table_rows,
        hide_index=True,
        key="recommend-table",
        column_config={
            "part": "sentence",
            "document": "paper",
            "score": share(help="1 is the best score for this text", format="%.2f"),
            "held": share(
                "words covered",
                help="Share of the text's words, by weight, that the best passage contains",
                format="percent",
            ),
            "link": st.column_config.LinkColumn(display_text="open"),
        },
    )
    with st.container(horizontal=True):
        for form in FORMATS:
            st.download_button(
                form.upper(),
                recommendation_file(desk, names, rows, form),
                f"recommended.{form}",
                disabled=not rows,
                key=f"recommend·{form}",
                icon=":material/download:",
            )


def _summary(desk: Desk, paragraph: str, articles: Sequence[RecommendedArticle]) -> None:
    """A summary of the chosen articles, cited."""
    names = [recommended.document for recommended in articles]
    st.button(
        "Summarise the chosen",
        icon=":material/edit_note:",
        on_click=_summarise,
        key="do·Summarise",
        args=(desk, paragraph, articles),
        disabled=not names,
    )
    if names:
        say_what_goes(desk, "answers", "", "Your paragraph and the chosen articles")
    if job := state.url_value("summary_job"):
        working = job_panel(desk, job, "Summarising")
        if working is None or working.state is not JobState.DONE:
            return
    if run := state.url_value("summary"):
        with st.container(border=True):
            show_answer(desk, run, AnswerTemplate.PARAGRAPH)


def _summarise(desk: Desk, paragraph: str, articles: Sequence[RecommendedArticle]) -> None:
    chosen = [
        recommended
        for place, recommended in enumerate(articles)
        if state.get(state.key("choose", recommended.document), place < CHOSEN)
    ]
    try:
        job = curation.start_summary(desk, paragraph, chosen, acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(summary=str(job.arguments["run"]), summary_job=job.id)
