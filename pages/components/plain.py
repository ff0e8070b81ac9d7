"""Words from outside where Streamlit reads markdown (labels of buttons, captions, options): every sign escaped."""

from __future__ import annotations

SIGNS = frozenset(r"\`*_{}[]()#+-.!|<>~$:^=@&")


def plain(words: str, most: int = 200) -> str:
    """One line of text that markdown shows as it is; cut after `most` characters."""
    line = " ".join(words.split())
    line = line if len(line) <= most else line[: most - 1] + "…"
    return "".join(f"\\{sign}" if sign in SIGNS else sign for sign in line)
