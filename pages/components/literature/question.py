"""The question of the Literature page: namespaces, words, mode, and the keywords as chips that can
be changed.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.desk import Desk
from core.services.literature.embedding import embedding_place
from core.services.literature.search_page import (
    DEFAULT_MODE,
    MEANING_MODES,
    MODES,
    Keyword,
    SearchOptions,
    SearchRequest,
    SearchResults,
)
from pages.components.literature.paper_filter import filter_of, naming_of
from pages.components.shared import state
from pages.components.shared.markdown_escape import escaped
from pages.components.shared.model_choice import choose_model, say_what_goes

SEPARATOR = "\x1f"  # between the keywords in the address
LAST = 100_000  # page
LONGEST = 2000  # characters of a question: it stands in the address
KEYWORD_MODEL = "keyword-model"
OPTIONS = {
    "repair": (
        "Correct typos",
        True,
        "A word that no passage contains is replaced by the most similar one that does occur.",
    ),
    "expand": (
        "Abbreviations",
        True,
        "Keywords are also searched in the other form, long or short, if the papers define one.",
    ),
    "names": (
        "Other names",
        True,
        "Genes, diseases and chemicals that the vocabularies know are searched under all their"
        " names.",
    ),
    "synonyms": (
        "Synonyms",
        False,
        "Other names of your own keywords, from the vocabularies and approved mentions.",
    ),
    "marks": (
        "My marks",
        False,
        "Words of papers you included are added to the search; papers you excluded are left out.",
    ),
    "model": (
        "Keywords by the model",
        False,
        "The model chooses the keywords. Otherwise rules do, without a model.",
    ),
    "case": ("Match case", False, "Upper and lower case differ in gene names: p53 is not P53."),
}


def namespaces_in_address(names: Sequence[str]) -> tuple[str, ...]:
    """Those of the namespaces that the address names, as `ns`, or as `namespace` with commas."""
    return tuple(name for name in _named_namespaces() if name in names)


def _named_namespaces() -> tuple[str, ...]:
    typed = state.url_value("namespace").split(",")
    return _list("ns") or tuple(name.strip() for name in typed if name.strip())


def asked_of(names: Sequence[str]) -> SearchRequest | None:
    """What the address asks; None while there is no question or its namespaces are gone."""
    chosen = namespaces_in_address(names)
    if not chosen and len(names) == 1 and not _named_namespaces():
        chosen = tuple(names)
    text = state.url_value("q").strip()
    if not text or not chosen:
        return None
    mode = state.url_value("mode", DEFAULT_MODE)
    flags = {
        name: state.url_value(name, "1" if default else "0") == "1"
        for name, (_, default, _) in OPTIONS.items()
    }
    keywords, fixed = _list("keywords"), _list("fixed")
    merged = tuple(tuple(group.split("|")) for group in _list("merged"))
    mode = mode if mode in MODES else DEFAULT_MODE
    page = min(max(_number(state.url_value("page")), 1), LAST)
    return SearchRequest(
        chosen,
        text[:LONGEST],
        mode,
        keywords=keywords,
        fixed=tuple(w for w in fixed if w),
        merged=merged,
        page=page,
        only=filter_of(),
        keyword_model=str(state.get(KEYWORD_MODEL) or ""),
        sentences=state.url_value("sentences") == "1",
        naming=naming_of(),
        case=flags["case"],
        options=SearchOptions(
            repair=flags["repair"],
            expand=flags["expand"],
            names=flags["names"],
            marks=flags["marks"],
        ),
        synonyms=flags["synonyms"],
        model=flags["model"],
    )


def _number(words: str) -> int:
    return int(words) if words.isascii() and words.isdigit() else 1


def ask_anew(**values: str) -> None:
    """Ask with other words or options: from the first page on."""
    state.set_url(**values, page="")


def pager(search_results: SearchResults, page: int) -> None:
    """Which part of the list is in view, and the way to the others; nothing where all of it is."""
    first_place, last_place = (
        search_results.skipped + 1,
        search_results.skipped + len(search_results.results),
    )
    if search_results.total <= len(search_results.results):
        return
    now = search_results.skipped // page + 1
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(f"Passages {first_place:,}–{last_place:,} of {search_results.total:,}, best first")
        st.space("stretch")
        for words, to, off in (
            ("First", 1, now == 1),
            (f"Previous {page}", now - 1, now == 1),
            (
                f"Next {min(page, search_results.total - last_place) or page}",
                now + 1,
                last_place >= search_results.total,
            ),
        ):
            st.button(
                words, key=f"page·{words.split()[0]}", disabled=off, on_click=_turn, args=(to,)
            )


def _turn(page: int) -> None:
    state.set_url(page=str(page) if page > 1 else "")


def _list(name: str) -> tuple[str, ...]:
    return tuple(part for part in state.url_value(name).split(SEPARATOR) if part)


def question_form(desk: Desk, names: Sequence[str], search_results: SearchResults | None) -> None:
    """Question, mode and options; below them the chips that were used."""
    chosen = list(namespaces_in_address(names)) or [names[0]]
    with st.form("question", border=False):
        left, middle, right, button_column = st.columns([4, 10, 4, 2], vertical_alignment="bottom")
        left.multiselect(
            "Namespaces",
            list(names),
            default=chosen,
            key=state.key("ns", *names, *chosen),
            select_all=False,
        )
        middle.text_input(
            "Question", state.url_value("q"), key=state.key("q", state.url_value("q")),
            placeholder="Which kinases phosphorylate tau?",
        )  # fmt: skip
        mode = state.url_value("mode", DEFAULT_MODE)
        right.selectbox(
            "Mode", list(MODES), index=list(MODES).index(mode) if mode in MODES else 0,
            format_func=lambda name: MODES[name], key=state.key("mode", mode),
        )  # fmt: skip
        keys = (
            state.key("ns", *names, *chosen),
            state.key("q", state.url_value("q")),
            state.key("mode", mode),
        )
        button_column.form_submit_button(
            "Search", type="primary", on_click=_search, args=keys, width="stretch"
        )
    if where := embedding_place(desk):
        modes = " and ".join(f"*{mode}*" for mode in MEANING_MODES)
        goes = f"send the question, and passages that have no vector yet, to {where}."
        st.caption(f"The modes {modes} {escaped(goes, 400)}")
    if search_results:
        _chips(desk, search_results)
    else:
        _options(desk)


def _search(namespaces: str, question: str, mode: str) -> None:
    chosen = SEPARATOR.join(state.get(namespaces) or [])
    text = " ".join(str(state.get(question) or "").split())
    if len(text) > LONGEST:
        state.show_message(
            f"The question has {len(text):,} characters; its first {LONGEST:,} are asked.",
            "warning",
        )
        text = text[:LONGEST].rpartition(" ")[0] or text[:LONGEST]
    values = {"ns": chosen, "q": text, "mode": str(state.get(mode) or "")}
    if text != state.url_value("q"):
        values |= {"keywords": "", "fixed": "", "merged": "", "repair": "", "expand": ""}
    ask_anew(**values, answer="")


def _options(desk: Desk) -> None:
    with st.popover("Options"):
        for name, (label, default, help_text) in OPTIONS.items():
            now = state.url_value(name, "1" if default else "0") == "1"
            key = state.key("option", name, now)
            st.toggle(label, now, key=key, help=help_text, on_change=_option, args=(name, key))
        if desk.settings.has_model_for("keywords"):  # said before the switch is pressed: it sends
            model = choose_model(desk, "keywords", KEYWORD_MODEL)
            say_what_goes(desk, "keywords", model, "With keywords by the model, the question")


def _option(name: str, key: str) -> None:
    ask_anew(**{name: "1" if state.get(key) else "0"})


def _chips(desk: Desk, search_results: SearchResults) -> None:
    """Keywords: drop, add, fix, merge. An empty list goes back to those found by rules."""
    words = [keyword.text for keyword in search_results.keywords]
    fixed = [keyword.text for keyword in search_results.keywords if keyword.fixed]
    kinds = {keyword.text: keyword.kind for keyword in search_results.keywords}

    def with_kind(word: str) -> str:
        return f"{word} ({kind})" if (kind := kinds.get(word)) not in (None, "", "thing") else word

    chips_key = state.key("chips", *words)
    left, middle, right, options_column = st.columns([8, 5, 3, 3], vertical_alignment="bottom")
    left.multiselect(
        "Keywords", words, default=words, key=chips_key, accept_new_options=True,
        format_func=with_kind,
        on_change=lambda: _chosen(state.get(chips_key) or [], fixed),
        select_all=False,
    )  # fmt: skip
    pinned = state.key("fixed", *words, "now", *fixed)
    middle.multiselect(
        "Fixed: passages with these come first", words, default=fixed, key=pinned,
        on_change=lambda: ask_anew(
            fixed=SEPARATOR.join(state.get(pinned) or []), keywords=SEPARATOR.join(words)
        ),
        select_all=False,
    )  # fmt: skip
    with options_column:
        _options(desk)
    with right.popover("Merge", disabled=len(words) < 2):
        key = state.key("merge", *words)
        names, act = st.columns(
            [2, 1], vertical_alignment="bottom"
        )  # the open list would cover a button below it
        names.multiselect("Names of one thing", words, key=key, select_all=False)
        act.button("Merge these", on_click=_merge, args=(key, words, fixed), type="primary")
    if other_names := also_counted(search_results.keywords):
        st.text(f"Also counted: {other_names}")


def also_counted(keywords: Sequence[Keyword]) -> str:
    """The other names of keywords; a semicolon parts them, for "Hypertension, Pulmonary" is one."""
    return " · ".join(
        f"{keyword.text} = {'; '.join(keyword.synonyms[:12])}"
        f"{' …' if len(keyword.synonyms) > 12 else ''}"
        for keyword in keywords
        if keyword.synonyms
    )


def _chosen(words: Sequence[str], fixed: Sequence[str]) -> None:
    """The chips as they now are; what was merged into one that is still there stays merged, what
    was fixed stays so.
    """
    merged = [
        part
        for part in state.url_value("merged").split(SEPARATOR)
        if part and part.split("|")[0] in words
    ]
    fixed_left = SEPARATOR.join(word for word in fixed if word in words)
    ask_anew(keywords=SEPARATOR.join(words), merged=SEPARATOR.join(merged), fixed=fixed_left)


def _merge(key: str, words: Sequence[str], fixed: Sequence[str]) -> None:
    group = [word for word in words if word in (state.get(key) or [])]
    if len(group) > 1:
        merged = [part for part in state.url_value("merged").split(SEPARATOR) if part]
        joined = SEPARATOR.join([*merged, "|".join(group)])
        fixed_group = [group[0]] if set(group) & set(fixed) else []
        fixed_words = [*fixed_group, *(word for word in fixed if word not in group)]
        ask_anew(keywords=SEPARATOR.join(words), merged=joined, fixed=SEPARATOR.join(fixed_words))
