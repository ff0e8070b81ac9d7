"""Sign-in with a real OpenID provider: nobody is who they only say they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests import reviewing
from tests.browser.conftest import Server
from tests.browser.journey import ready
from tests.browser.oidc_provider import CLIENT, SECRET, Provider
from tests.reviewing import ANNA, BEN, RELIEVES

SECRETS = """
[auth]
redirect_uri = "{url}/oauth2callback"
cookie_secret = "a long text that only this test knows"
client_id = "{client}"
client_secret = "{secret}"
server_metadata_url = "{issuer}/.well-known/openid-configuration"
"""


@pytest.fixture
def provider() -> Iterator[Provider]:
    provider = Provider({"sub": ANNA.orcid, "name": "Anna"})
    yield provider
    provider.close()


@pytest.fixture
def guarded(tmp_path: Path, provider: Provider) -> Iterator[Server]:
    """The app behind the provider, whose subject is an ORCID iD."""
    pytest.importorskip("authlib")
    reviewing.filled(tmp_path / "guarded").close()
    secrets = tmp_path / "secrets.toml"
    server = Server(
        tmp_path / "guarded",
        {"GROUNDWORK_ORCID_CLAIM": "sub"},
        ("--secrets.files", str(secrets)),
    )
    secrets.write_text(
        SECRETS.format(url=server.url, client=CLIENT, secret=SECRET, issuer=provider.issuer)
    )
    server.start()
    yield server
    server.kill()


def test_signed_in_curator_decides_in_their_own_name_whatever_the_cookies_say(
    page: Page, guarded: Server
) -> None:
    forged = quote(f"{BEN.orcid}|Ben", safe="")
    page.context.add_cookies([{"name": "groundwork_curator", "value": forged, "url": guarded.url}])
    page.goto(f"{guarded.url}/Review?id={RELIEVES.id}")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{guarded.url}/**")
    expect(page.get_by_test_id("stSidebar").get_by_text("Anna")).to_be_visible()
    page.goto(f"{guarded.url}/Review?id={RELIEVES.id}")
    ready(page)
    expect(page.get_by_test_id("stSidebar").get_by_text("Anna")).to_be_visible()
    expect(page.get_by_test_id("stSidebar").get_by_text("Ben")).to_have_count(0)
    expect(page.get_by_label("Your ORCID iD")).to_have_count(0)
