"""Models on the Settings page: endpoints, which model does what, what is known of each, tests."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from core.desk import Desk
from core.errors import GroundworkError
from core.services.settings import editing, models
from core.services.settings.models import EndpointState, ModelProfile
from pages.components.shared import page, state
from pages.components.shared.job import ACTIVE, job_panel
from pages.components.shared.markdown_escape import escaped

SIGNS = {True: "✓", False: "✕", None: "?"}
BY_MEANING = "Ranking literature by meaning"
SIGN_WORDS = (
    "✓ works, ✕ does not, ? not tried. Embeddings are tried where a model of the same endpoint is"
    f" chosen for *{BY_MEANING}* above."
)
TRIED = ("answers", "schema", "tools", "streaming", "embeddings")
WIDTHS = {"model": 130, "tested": 84, **dict.fromkeys(TRIED[:3], 68), TRIED[3]: 82, TRIED[4]: 94}
WIDTHS |= {"context length": 100, "price, $ per million": 215}  # pixels: a page of 1280 shows all
FOR = {"model": "Everything, unless chosen below"} | {
    f"model_{task}": title for task, title in models.MODEL_TASKS.items()
}
FOR |= {"embedding_model": BY_MEANING}


def models_panel(desk: Desk, fixed: tuple[str, ...]) -> None:
    """`fixed` are the settings that the environment has set."""
    endpoints = models.model_endpoints(desk)
    left, right = st.columns([2, 3], gap="large")
    with left:
        _endpoints(desk, endpoints)
        _presets(opened=not endpoints)
    with right:
        if endpoints:
            _choices(desk, fixed)
        else:
            st.text(
                "No endpoint is set up, so the built-in engines do the work. Two lines set one up,"
                " as shown on the left; then restart."
            )
            if file := models.misnamed_secrets():
                st.warning(
                    f"There is a file {escaped(file)}. The app reads only .streamlit/secrets.toml:"
                    " move or rename it, and restart the app."
                )
    if endpoints:
        _known_models(desk)


# ------------------------------------------------------------------ endpoints


def _endpoints(desk: Desk, endpoints: list[EndpointState]) -> None:
    for endpoint in endpoints:
        with st.container(border=True):
            words, act = st.columns([3, 2], vertical_alignment="center")
            words.markdown(f"**{escaped(endpoint.name)}**")
            key = "with a key" if endpoint.has_key else "without a key"
            words.caption(escaped(f"{endpoint.address}, {key}", 200))
            act.button(
                "List its models",
                key=state.key("list", endpoint.name),
                on_click=_refresh,
                args=(desk, endpoint.name),
                width="stretch",
            )
            if endpoint.listed:
                st.caption(f"{endpoint.offer_words} ({_when(endpoint.listed)})")
    st.caption(
        "Addresses and keys come from the environment or Streamlit secrets, never from this page."
    )


def _refresh(desk: Desk, endpoint: str) -> None:
    try:
        refreshed = models.refresh_models(desk, endpoint)
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.show_message(f"{endpoint} offers {refreshed.offer_words}.")


def _presets(opened: bool) -> None:
    with st.expander("How to set up an endpoint", expanded=opened):
        st.text(
            "Copy two lines into the file .streamlit/secrets.toml in the folder that holds app.py"
            " (create both if they do not exist), put your key and address between the quotes, and"
            " restart the app. Or export them in the terminal that starts it."
        )
        for preset in models.PRESETS:
            st.markdown(f"**{preset.title}**")
            st.code("\n".join(preset.lines), language="toml", wrap_lines=True)
            st.caption(escaped(preset.note, 400))
        st.text(
            "LiteLLM, LM Studio and other servers with an OpenAI-compatible address are set up in"
            " the same way, under a name of your own."
        )
        st.text("A model of a named endpoint is written model@endpoint, such as llama3.1@ollama.")


# ------------------------------------------------------------------ which model does what


def _choices(desk: Desk, fixed: tuple[str, ...]) -> None:
    names = models.model_names(desk)
    st.markdown("**Which model does what**")
    with st.form("models", border=False):
        columns = st.columns(2)
        for n, (name, title) in enumerate(FOR.items()):
            value = str(getattr(desk.settings, name))
            columns[n % 2].selectbox(
                title,
                list(dict.fromkeys(["", value, *names])),
                index=1 if value else 0,
                key=f"setting {name}",
                format_func=_same if name.startswith("model_") else _none,
                accept_new_options=True,
                disabled=name in fixed,
                help="Set by the environment." if name in fixed else None,
            )
        st.caption("A name that is not listed can be typed: model@endpoint.")
        st.form_submit_button("Save the choice", type="primary", on_click=_save, args=(desk,))


def _same(name: str) -> str:
    return name or "as for everything"


def _none(name: str) -> str:
    return name or "none"


def _save(desk: Desk) -> None:
    changes: dict[str, Any] = {}
    for name in FOR:
        chosen = state.get(f"setting {name}")
        if chosen is not None and str(chosen).strip() != getattr(desk.settings, name):
            changes[name] = str(chosen).strip() or None
    _change(desk, changes)


def _change(desk: Desk, changes: dict[str, Any]) -> None:
    try:
        editing.change_settings(desk, changes, page.curator_orcid())
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    page.reopen_desks()
    state.show_message("Saved." if changes else "Nothing was changed.")


# ------------------------------------------------------------------ what is known


def _known_models(desk: Desk) -> None:
    profiles = models.known_profiles(desk)
    if not profiles:
        return
    st.markdown("**What is known about them**")
    st.dataframe(
        pd.DataFrame([_row(model_profile) for model_profile in profiles]),
        hide_index=True,
        row_height=76,  # of two lines: below this height none is broken
        column_config={
            name: st.column_config.TextColumn(width=width) for name, width in WIDTHS.items()
        },
    )
    st.caption(SIGN_WORDS)
    names = list(
        dict.fromkeys(
            [*(model_profile.model for model_profile in profiles), *models.model_names(desk)]
        )
    )
    chosen = st.selectbox("Model to test, or to set a price and length for", names, key="model")
    if chosen is None:
        return
    test, own = st.columns([3, 1], vertical_alignment="top")
    profile = models.model_profile(desk, chosen)
    test.button(
        f"Test {escaped(chosen, 200)}",
        key="test model",
        icon=":material/network_check:",
        on_click=_test,
        args=(desk, chosen),
    )
    test.caption(_takes(profile))
    with own.popover("Price and context length", width="stretch"):
        _own(desk, profile)
    if job := state.url_value("test"):
        running = job_panel(desk, job, "Testing")
        if running is not None and running.state in ACTIVE:
            return
    _checks(profile)


def _row(profile: ModelProfile) -> dict[str, str]:
    signs = {name: SIGNS[profile.can(name)] for name in TRIED}
    return {
        "model": profile.model,
        "tested": _when(profile.tested)[:10] if profile.tested else "never",
        **signs,
        "context length": _reads(profile),
        "price, $ per million": _price(profile),
    }


def _price(profile: ModelProfile) -> str:
    """What a model costs, and below it who says so and since when."""
    if profile.price is None:
        return "unknown"
    share = "unknown" if profile.batch_share is None else f"{profile.batch_share:.0%}"
    words = f"{profile.price[0]:g} in, {profile.price[1]:g} out, in a batch {share}"
    return f"{words}\n{profile.price_source}"


def _reads(profile: ModelProfile) -> str:
    """The tokens that a model reads at once, as far as anybody knows."""
    if profile.context:
        return f"{profile.context:,} tokens"
    return f"at least {profile.at_least:,} tokens" if profile.at_least else "unknown"


def _takes(model_profile: ModelProfile) -> str:
    words = f"A test sends short questions, and up to {models.TOKENS:,} tokens to find the length"
    if model_profile.context:
        words = "A test sends four short questions"
    elif model_profile.price:
        words += f" (about ${models.TOKENS * model_profile.price[0] / 1e6:.3f})"
    return escaped(words + ". Nothing of the project is sent.", 300)


def _test(desk: Desk, model: str) -> None:
    try:
        job = models.start_test(desk, model, page.acting_orcid(desk))
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    state.set_url(test=job.id)


def _checks(profile: ModelProfile) -> None:
    if not profile.tested:
        return
    with st.container(border=True, gap="xsmall"):
        seconds = f"{profile.seconds:.1f} s for a short answer"
        st.text(f"{profile.model}, tested {_when(profile.tested)}: {seconds}")
        for check in profile.checks:
            st.text(f"{SIGNS[check.works]} {check.name}: {check.says}")


def _own(desk: Desk, profile: ModelProfile) -> None:
    """What the project says of a model goes before what its endpoint or the price list says."""
    price = profile.price or (None, None)
    st.number_input(
        "Context length in tokens (0: not known)", 0, 100_000_000, profile.context, 1024,
        key=state.key("context", profile.model),
    )  # fmt: skip
    for name, value in (("in", price[0]), ("out", price[1])):
        st.number_input(
            f"Dollars per million tokens {name} (empty: not known)", 0.0, 1e6, value, 0.1,
            key=state.key("price", name, profile.model),
        )  # fmt: skip
    st.number_input(
        "Batch price, % of the usual price (empty: not known)", 0, 100,
        None if profile.batch_share is None else round(profile.batch_share * 100), 5,
        key=state.key("batch share", profile.model),
    )  # fmt: skip
    st.button("Save these values", type="primary", on_click=_keep, args=(desk, profile.model))


def _keep(desk: Desk, model: str) -> None:
    before = models.model_profile(desk, model)
    length = int(state.get(state.key("context", model)) or 0)
    typed = [state.get(state.key("price", name, model)) for name in ("in", "out")]
    price = (float(typed[0] or 0), float(typed[1] or 0))
    unknown = typed == [None, None]
    if not unknown and None in typed:
        state.show_message("Fill in both prices; enter 0 where nothing is charged.", "error")
        return
    own_price = (
        None if unknown or (price == before.price and before.price_from != models.SET) else price
    )
    own_length = None if length == before.context and before.context_from != models.SET else length
    batch = state.get(state.key("batch share", model))
    share = None if batch is None else float(batch) / 100
    kept_share = share == before.batch_share and before.batch_share_from != models.SET
    try:
        page.acting_orcid(desk)
        models.set_known(
            desk, model, own_length, own_price, batch_share=None if kept_share else share
        )
    except GroundworkError as error:
        state.show_message(str(error), "error")
        return
    page.reopen_desks()
    state.show_message(f"Saved for {model}.")


def _when(time: str) -> str:
    return time[:16].replace("T", " ")
