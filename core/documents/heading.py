"""What a section is by its heading: the parts of a paper (introduction, methods, results,
discussion) by one name.
"""

from __future__ import annotations

import re

from core.documents.doi import DOI_ADDRESS, DOI_IN_TEXT

# The number before a heading: "2.1 Patients", "IV. Results"
_NUMBER = re.compile(
    r"^(?:\d+(?:\.\d+)*(?:[.):]\s*|\s+)(?=\S)|(?:I{1,3}|IV|VI{0,3}|IX|X)[.)]\s+(?=[A-Z]))"
)
_METHODS = (
    r"(?:(?:materials?|patients?|subjects?|participants?|animals?|data|study"
    r" design|experimental|star|online|"
    r"computational|statistical|general)[\s,★*&]*(?:and\s+)?)?(?:methods?|methodology|procedures?)"
    r"(?:\s+(?:and|&)\s+(?:materials?|subjects?|patients?|data))?(?:\s+(?:section|summary))?"
)
_PARTS = (
    (
        "Introduction",
        r"introduction|background|introduction and background|background and introduction",
    ),
    (
        "Methods",
        rf"{_METHODS}|experimental(?: section)?|(?:materials|patients|subjects) and measurements",
    ),
    (
        "Results and discussion",
        r"(?:results?|findings)\s*(?:and|&)\s*discussions?|discussions? and results?",
    ),
    ("Results", r"(?:main\s+)?(?:results?|findings)"),
    ("Discussion", r"(?:general\s+)?discussions?"),
    (
        "Conclusions",
        (
            r"(?:summary\s+and\s+)?(?:conclusions?|concluding"
            r" remarks)(?:\s+and\s+(?:outlook|perspectives?))?"
        ),
    ),
    ("Discussion and conclusions", r"discussions?\s*(?:and|&)\s*conclusions?"),
    ("Acknowledgments", r"acknowledge?ments?"),
    ("References", r"references|bibliography|(?:literature|works) cited"),
)


# A line of such ids and nothing else names the document, not one that it cites:
# "doi: 10.1234/x PMID: 31234567"
_ID = re.compile(
    rf"(?:\bdoi\W{{0,5}})?(?:{DOI_ADDRESS})?\b(?P<DOI>{DOI_IN_TEXT}(?<![.,;*)\]]))"
    r"|\bPMID\W{0,5}(?P<PMID>[0-9]{1,9})\b|\b(?:PMCID\W{0,5})?(?P<PMCID>PMC[0-9]{1,9})\b",
    re.IGNORECASE,
)


def is_references(heading: str) -> bool:
    """Whether the list of references begins at a heading."""
    return part_of(heading) == "References"


def ids_on_own_lines(text: str, otherwise: str = "") -> tuple[tuple[str, ...], str]:
    """The ids that stand on lines of their own in what comes before the first heading, the PMID
    first, and the DOI as it is written; the id `otherwise` where there are none.
    """
    values: dict[str, str] = {}
    for line in text.splitlines():
        if len(line) >= 300 or re.search(r"\w", _ID.sub("", line)):
            continue
        for match in _ID.finditer(line):
            values.setdefault(match.lastgroup or "", match[match.lastgroup or 0])
    doi = values.get("DOI", "")
    ids = [f"PMID:{int(values['PMID'])}"] if "PMID" in values else []
    ids += [f"PMCID:{values['PMCID'].upper()}"] if "PMCID" in values else []
    ids += [f"DOI:{doi.lower()}"] if doi else []
    return tuple(ids or [otherwise]), doi


def part_of(heading: str) -> str:
    """`2. MATERIALS AND METHODS` is Methods; a heading that names no usual part is itself without
    its number.
    """
    without_number = _NUMBER.sub("", " ".join(heading.split())).rstrip(" .:") or heading
    folded = without_number.casefold()
    return next((part for part, words in _PARTS if re.fullmatch(words, folded)), without_number)
