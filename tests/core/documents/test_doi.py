from __future__ import annotations

import re

from core.documents.doi import DOI_IN_TEXT, doi_in_field, doi_of_field

WILEY = "10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2"


def test_an_angle_bracket_belongs_to_a_doi_in_a_field_and_ends_one_in_a_text() -> None:
    assert doi_in_field(f"https://doi.org/{WILEY} (2019)") == WILEY
    match = re.search(DOI_IN_TEXT, "<a>10.1000/willow.1</a>")
    assert match and match[0] == "10.1000/willow.1"


def test_field_labelled_as_doi_may_have_a_short_registrant() -> None:
    assert doi_of_field("doi: 10.1/x") == doi_of_field("https://dx.doi.org/10.1/x") == "10.1/x"
    assert doi_of_field("see 10.1/x") == doi_in_field("10.1/x") == ""
