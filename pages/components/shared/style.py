"""The stylesheet of the desk's own markup: one colour a category, line style for state, light and
dark.
"""

from __future__ import annotations

from core.services.shared.colour import CATEGORY_COLOURS
from pages.components.shared.term import category_colour

LINK_LIGHT, LINK_DARK = "#1F4FA8", "#7FB2FF"  # as legible as words: the browser's own blue is not

# Streamlit writes white on a primary button; on the light teal of the dark theme that is 2.4 : 1.
ON_PRIMARY_DARK = "#0C1616"
_DARK_PRIMARY = f'[data-testid^="stBaseButton-primary"]:not(:disabled){{color:{ON_PRIMARY_DARK}}}'
_RULES = """
[data-testid="stMainBlockContainer"]{padding:2.6rem 2rem 3rem}
[data-testid="stMainBlockContainer"] h1{font-size:1.55rem;padding:.2rem 0}
[data-testid="stMain"] [data-testid="stPageLink"] p{overflow:hidden;text-overflow:ellipsis;
  white-space:nowrap}
[data-testid="stSidebarHeader"]{height:1.6rem}
[data-testid="stSidebarUserContent"]{padding-bottom:1rem}
[data-testid="stSidebar"] [data-testid="stPageLink"]{margin:-.125rem 0}
[data-testid="stSidebar"] [data-testid="stForm"] [data-testid="stVerticalBlock"]{gap:.25rem}
[data-testid="stToastContainer"]{top:auto!important;bottom:1rem!important}
[data-testid="stDataFrame"] [data-testid="stElementToolbar"]{top:-.35rem!important}
.st-key-gw-script{display:none}
[data-testid="stSidebar"] hr{margin:.2rem 0}
[data-testid="stMainBlockContainer"] h2{font-size:1.25rem;padding:.3rem 0}
[data-testid="stMainBlockContainer"] h3{font-size:1.1rem;padding:.3rem 0}
.gw-wide .gw-text{max-width:none;line-height:1.75;font-size:.95rem}
.gw-text{white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.85;font-size:1rem;max-width:75ch}
.gw-mark{background:color-mix(in srgb,var(--gw) 14%,transparent);border-bottom:2px solid var(--gw);
  border-radius:3px 3px 0 0;padding:0 1px;cursor:help}
.gw-dashed{border-bottom-style:dashed}
.gw-dotted{border-bottom-style:dotted;background:transparent}
.gw-focus{outline:2px solid var(--gw);outline-offset:1px;
  background:color-mix(in srgb,var(--gw) 32%,transparent)}
.gw-quote{background:color-mix(in srgb,#E6C229 26%,transparent);border-radius:3px}
.gw-term{color:var(--gw);font-weight:600}
.gw-id{font-size:.82em;padding:0 .25em;overflow-wrap:anywhere}
.gw-link{text-decoration:none}.gw-link:hover{text-decoration:underline}
.gw-none{opacity:.7;font-size:.85em;font-style:italic}
.gw-predicate{font-style:italic;padding:0 .3em}
.gw-not{border:1.5px solid currentColor;border-radius:4px;padding:0 .3em;font-size:.82em;
  font-weight:700;text-transform:uppercase}
.gw-qualifier{font-size:.88em;border:1px solid color-mix(in srgb,currentColor 30%,transparent);
  border-radius:4px;padding:0 .35em}
.gw-literal{font-variant-numeric:tabular-nums}
.gw-statement{line-height:1.9;overflow-wrap:anywhere}
.gw-why{font-size:.8rem;opacity:.85;margin:-.6rem 0 .1rem .2rem;overflow-wrap:anywhere}
[data-testid=stColumn]:has(.st-key-gw-preview){position:sticky;top:3.5rem;align-self:flex-start;
  max-height:calc(100vh - 4.5rem);overflow-y:auto}
.gw-answer{font-size:1.7rem;font-weight:600;line-height:1.3;overflow-wrap:anywhere}
.gw-raw{font-family:monospace;font-size:.82rem;overflow-wrap:anywhere}
[class*="st-key-gw-source"] textarea{font-family:monospace;font-size:.82rem;white-space:pre;
  overflow-x:auto}
.gw-raw .gw-text{display:inline;line-height:1.5;font-size:inherit}
.gw-legend{font-size:.82rem;line-height:1.9}
.gw-progress{font-size:.75rem;padding-left:2.6rem;overflow-wrap:anywhere}
.gw-line{overflow-wrap:anywhere}
.gw-key{display:flex;flex-wrap:wrap;gap:0 1rem;line-height:1.9}
.gw-key i{display:inline-block;width:.7rem;height:.7rem;margin-right:.3rem}
.gw-bars{position:relative;height:12rem;display:flex;margin:.4rem 0 1.8rem}
.gw-bars u{position:absolute;left:0;right:0;
  border-top:1px solid color-mix(in srgb,currentColor 15%,transparent)}
.gw-bars s{position:absolute;right:100%;top:-.75em;padding-right:.4rem;text-decoration:none;
  white-space:nowrap}
.gw-week{position:relative;flex:1;display:flex;gap:1px;padding:0 min(1rem,1%)}
.gw-week b{flex:1;display:flex;flex-direction:column-reverse;max-width:2.2rem}
.gw-week i{flex:none}
.gw-week span{position:absolute;top:100%;left:0;white-space:nowrap;overflow:hidden;max-width:100%;
  padding:.2rem .3rem 0 0}
"""


def stylesheet(dark: bool) -> str:
    """CSS for `st.html`; emitted once a page by `begin_page`."""
    colours = "".join(
        f".gw-{name}{{--gw:{category_colour(name, dark)}}}" for name in CATEGORY_COLOURS
    )
    link = f".gw-link{{color:{LINK_DARK if dark else LINK_LIGHT}}}"
    pressed = _DARK_PRIMARY if dark else ""
    return f"<style>{colours}{link}{_RULES}{pressed}</style>"
