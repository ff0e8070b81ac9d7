from __future__ import annotations

import pytest

from core.errors import InputError
from core.services.shared.screen import curator


@pytest.mark.parametrize(
    "orcid", ["0000-0002-1825-0097", "https://orcid.org/0000-0001-5109-3700", "0000-0002-9079-593x"]
)
def test_an_orcid_with_its_check_digit_is_taken(orcid: str) -> None:
    assert curator(orcid, "  Ada   Example ").name == "Ada Example"


@pytest.mark.parametrize("orcid", ["", "0000-0002-1825-0098", "1234", "0000-0002-1825-009X"])
def test_any_other_is_refused(orcid: str) -> None:
    with pytest.raises(InputError):
        curator(orcid, "Ada")
