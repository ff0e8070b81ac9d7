"""Formulas as words: MathML and TeX on one line, each formula once however many forms it is given
in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

_BEST = ("math", "textual-form", "table", "p", "tex-math", "chem-struct", "preformat", "code")
_HIDDEN = ("annotation", "annotation-xml", "mphantom", "mspace")
# What a LaTeX formula holds; its preamble is no text of the paper
_DOCUMENT = re.compile(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", re.DOTALL)


def best_alternative(alternatives: Element) -> Iterable[Element]:
    """The one of several forms of a thing that is best to read; none when all are pictures."""
    for name in _BEST:
        for child in alternatives:
            if _local(child) == name:
                return (child,)
    return tuple(child for child in alternatives if "".join(child.itertext()).strip())[:1]


def tex_body(text: str) -> str:
    """TeX without the document that PMC wraps around it."""
    if match := _DOCUMENT.search(text):
        text = match[1]
    return " ".join(re.sub(r"^\s*\$+|\$+\s*$|\\[()\[\]]", "", text.strip()).split())


def plain_mathml(math: Element) -> str:
    """MathML on a line: `a/b`, `x^2`, `√x`; a blank only where the source gives one between
    words.
    """
    return " ".join(_term(math).split())


def _term(element: Element) -> str:
    name, parts = (
        _local(element),
        [_term(child) for child in element if _local(child) not in _HIDDEN],
    )
    if name in _HIDDEN:
        return ""
    if not parts:
        return (element.text or "").strip() if name != "mtext" else (element.text or "")
    if name == "mfrac" and len(parts) == 2:
        return "/".join(bracketed_part(part) for part in parts)
    if name in ("msup", "mover") and len(parts) == 2:
        return f"{parts[0]}^{bracketed_part(parts[1])}" if name == "msup" else "".join(parts)
    if name == "msubsup" and len(parts) == 3:
        return f"{parts[0]}{parts[1]}^{bracketed_part(parts[2])}"
    if name == "msub" and len(parts) == 2 and parts[0][-1:].isdigit() and parts[1][:1].isdigit():
        return "_".join(parts)
    if name in ("msqrt", "mroot"):
        return "√" + bracketed_part("".join(parts[:1] if name == "mroot" else parts))
    if name == "mfenced":
        inside = (element.get("separators", ",")[:1] or "").join(parts)
        return element.get("open", "(") + inside + element.get("close", ")")
    if name in ("mtr", "mlabeledtr", "mtable"):
        return " ".join(parts)
    return "".join(parts)


def bracketed_part(part: str) -> str:
    """In brackets when it is more than a number or a name."""
    return part if re.fullmatch(r"[\w.]*|\(.*\)|[−-]?[\d.]+", part) else f"({part})"


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2].rpartition(":")[2] if isinstance(element.tag, str) else ""
