"""What became of each letter of a text's source, as a bar of shares with their names."""

from __future__ import annotations

from html import escape

import streamlit as st

from core.services.documents.text_reading import TextReading, shares_of
from pages.components.shared.markdown_escape import escaped

# Colours that are told apart by colour-blind eyes (Okabe and Ito); the names stand below the bar
_COLOURS = {
    "body": "#0072b2",
    "title": "#56b4e9",
    "heading": "#56b4e9",
    "caption": "#009e73",
    "table": "#e69f00",
    "references": "#999999",
    "front": "#cc79a7",
    "left out": "#cccccc",
    "missing": "#d55e00",
}
_OTHER = "#f0e442"


def show_reading(reading: TextReading | None) -> None:
    """The bar, and the warnings that nobody has looked at; nothing where no ledger is kept."""
    if reading is None:
        return
    st.html(_bar(reading))
    for warning in reading.warnings if reading.is_blocking else ():
        st.warning(escaped(warning, 600), icon=":material/rule:")


def _bar(reading: TextReading) -> str:
    shares = shares_of(reading.ledger)
    parts = "".join(
        f"<div style='flex:{share:.4f};background:{_COLOURS.get(name, _OTHER)}'"
        f" title='{escape(name)} {share:.1%}'></div>"
        for name, share in shares
    )
    names = " · ".join(
        f"<span style='color:{_COLOURS.get(name, _OTHER)}'>■</span> {escape(name)} {share:.0%}"
        if share >= 0.005
        else f"<span style='color:{_COLOURS.get(name, _OTHER)}'>■</span> {escape(name)} &lt;1%"
        for name, share in shares
    )
    reasons = "; ".join(
        f"{escape(reason)} {count:,}" for reason, count in reading.ledger["left_out"].items()
    )
    tip = f" title='Left out, in letters: {reasons}'" if reasons else ""
    letters = f"{reading.ledger['letters']:,} letters of the source"
    return (
        "<div class='gw-reading' style='display:flex;height:8px;border-radius:4px;overflow:hidden'"
        f" role='img' aria-label='What the source was read as'>{parts}</div>"
        f"<div class='gw-none'{tip}>{letters}: {names}</div>"
    )
