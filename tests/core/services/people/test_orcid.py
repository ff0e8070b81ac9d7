from __future__ import annotations

import pytest

from core.errors import InputError
from core.services.people.orcid import checked_curator


@pytest.mark.parametrize(
    "orcid", ["0000-0002-1825-0097", "https://orcid.org/0000-0001-5109-3700", "0000-0002-9079-593x"]
)
def test_an_orcid_with_its_check_digit_is_taken(orcid: str) -> None:
    assert checked_curator(orcid, "  Ada   Example ").name == "Ada Example"


@pytest.mark.parametrize("orcid", ["orcid.org/0000-0002-1825-0097/", "ORCID:0000-0002-1825-0097"])
def test_an_orcid_as_sites_write_it_is_the_same_person(orcid: str) -> None:
    assert checked_curator(orcid, "Ada").orcid == "0000-0002-1825-0097"


def test_a_name_that_deceives_or_cannot_be_stored_is_made_plain() -> None:
    assert checked_curator(
        "0000-0002-1825-0097", "\u202eadA\ud83d\0\n B" + "x" * 999
    ).name.startswith("adA\ufffd\ufffd B")


@pytest.mark.parametrize(
    "orcid",
    [
        "",
        "0000-0002-1825-0098",
        "1234",
        "0000-0002-1825-009X",
        "mallory0000-0002-1825-0097",
        "https://orcid.org.evil.example/0000-0002-1825-0097",
        "https://evil.example/0000-0002-1825-0097",
        "\uff10\uff10\uff10\uff10-0002-1825-0097",
        "\u0660\u0660\u0660\u0660-\u0660\u0660\u0660\u0662-\u0661\u0668\u0662\u0665-\u0660\u0660\u0669\u0667",
        "0000-0002-1825-0097\n0000-0001-5109-3700",
    ],
)
def test_any_other_is_refused(orcid: str) -> None:
    with pytest.raises(InputError):
        checked_curator(orcid, "Ada")
