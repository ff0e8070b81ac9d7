"""Words from outside where Streamlit reads markdown (labels, captions, options): signs escaped,
addresses no links.
"""

from __future__ import annotations

import re

LINKED = re.compile(r"(?<=:)(?=//|material/|streamlit:)|(?<=\bwww)(?=\.)|(?<=@)", re.IGNORECASE)
# has no width: Streamlit's markdown makes links of addresses, and pictures of the names of its
# icons, even where every sign is escaped
JOINER = "\u2060"
SIGNS = frozenset(r"\`*_{}[]()#+-.!|<>~$:^=@&")


def escaped(words: str, most: int = 200) -> str:
    """One line of text that markdown shows as it is; cut after `most` characters."""
    line = " ".join(words.split())
    line = line if len(line) <= most else line[: most - 1] + "…"
    line = LINKED.sub(JOINER, line)
    return "".join(f"\\{sign}" if sign in SIGNS else sign for sign in line)
