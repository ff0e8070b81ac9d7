"""Of which species a gene is: what the text says, and the curator's word, which selects the term
anew.
"""

from __future__ import annotations

import streamlit as st

from core.errors import GroundworkError
from core.model import Mention
from pages.components.extract.mention_table import MentionServices
from pages.components.shared import state

WHENCE = {"": "", "text": "named in the text", "document": "the default of this run"}


def species_choice(mention: Mention, run: str, choosing: MentionServices, everywhere: bool) -> None:
    """The species of this gene, of equal mentions where `everywhere`, or of every gene of the
    text.
    """
    options = list(
        dict.fromkeys(["", *([mention.taxon] if mention.taxon else []), *choosing.species])
    )
    names = {"": "not known", **choosing.species}
    key = state.key("species", run, mention.slot, mention.taxon, mention.taxon_by)
    every_gene = st.checkbox("For every gene of this text", key=state.key("species-all", run))
    st.selectbox(
        "Species",
        options,
        index=options.index(mention.taxon),
        key=key,
        format_func=lambda taxon: names.get(taxon, taxon),
        on_change=_set,
        args=(key, mention.slot, choosing, everywhere, every_gene),
    )
    whence = WHENCE.get(mention.taxon_by, "set by hand")
    if whence:
        st.caption(f"Species: {whence}.")


def _set(  # noqa: PLR0917
    key: str, slot: str, choosing: MentionServices, everywhere: bool, every_gene: bool
) -> None:
    try:
        choosing.set_species("" if every_gene else slot, str(state.get(key) or ""), everywhere)
    except GroundworkError as error:
        state.show_message(str(error), "error")
