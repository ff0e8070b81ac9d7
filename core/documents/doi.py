"""How a DOI is recognised: `10.`, four to nine digits, a slash, and a suffix that its registrant
chooses (DOI Handbook, §2.2).

Two patterns, because the suffix may hold any printable sign. A field that is meant for identifiers
holds whole DOIs, also `10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2`. In
running text and in what a person types a bracket, a quote or a bar ends the DOI.
"""

from __future__ import annotations

import re

DOI_IN_FIELD = r"10\.\d{4,9}/\S+"
DOI_IN_TEXT = r"10\.\d{4,9}/[^\s<>\"{}|\\^`]+"
DOI_ADDRESS = r"https?://(?:dx\.)?doi\.org/"
# A DOI alone, after "doi:", or as an address
NAMED_DOI_IN_TEXT = rf"(?:{DOI_ADDRESS}|doi:?\s*)?(?P<doi>{DOI_IN_TEXT})"

_FIELD = re.compile(DOI_IN_FIELD)
_STORED = re.compile(rf"(?:{DOI_ADDRESS}|doi:\s*)?(10\.\S+)", re.IGNORECASE)


def doi_in_field(value: str) -> str:
    """The first DOI in a field of a record, as written there, or ""."""
    match = _FIELD.search(value)
    return match[0] if match else ""


def doi_of_field(value: str) -> str:
    """The DOI that a field of JATS or PubMed consists of ("https://doi.org/10.1/x", "doi: 10.1/x"),
    or "". The publisher says that it is one: also what a registrant of fewer digits issued.
    """
    match = _STORED.fullmatch(value)
    return match[1] if match else ""
