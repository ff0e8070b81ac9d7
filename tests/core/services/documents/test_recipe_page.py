"""A recipe's page: which addresses are asked, and the text that comes of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.desk import Desk, open_desk
from core.errors import InputError, Refused, SettingsError, Unreachable
from core.services.documents import recipe_page
from core.settings import Settings
from core.settings import load_settings as load_settings
from core.web import Fetch, Fetched, WebClient

URL = "https://www.soup.example/soup"
RECIPE = {
    "@context": "https://schema.org",
    "@type": "Recipe",
    "name": "Red <b>lentil</b> soup",
    "recipeYield": "4 servings",
    "recipeIngredient": ["200 g red lentils", "1 onion &amp; a carrot"],
    "recipeInstructions": [
        {"@type": "HowToStep", "text": "Fry the onion."},
        {"@type": "HowToStep", "text": "Boil the lentils for 20 minutes."},
    ],
}
PAGE = (
    "<html><head><script"
    f' type="application/ld+json">{json.dumps(RECIPE)}</script></head><body>x</body></html>'
)


@dataclass
class Web:
    """Answers every address with one page."""

    page: str = PAGE
    cut: bool = False
    asked: list[str] = field(default_factory=list)

    def fetch(self, request: Fetch) -> Fetched:
        self.asked.append(request.url)
        return Fetched(200, self.page, cut=self.cut)


class Scraper:
    """As the extra gives a recipe: some of its readers raise."""

    def __init__(self, **fields: object):
        self.given = fields

    def __getattr__(self, name: str) -> object:
        if name not in self.given:
            raise AttributeError(name)
        return lambda: self.given[name]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = open_desk(Settings(tmp_path))
    yield desk
    desk.close()


@pytest.fixture
def scraper(monkeypatch: pytest.MonkeyPatch) -> Scraper:
    """Stands in for the extra, so that this is tried without it too."""
    fake = Scraper(
        title=RECIPE["name"],
        ingredients=RECIPE["recipeIngredient"],
        instructions_list=["Fry the onion.", "Boil the lentils for 20 minutes."],
        yields="4 servings",
    )
    monkeypatch.setitem(
        sys.modules, "recipe_scrapers", SimpleNamespace(scrape_html=lambda *_, **__: fake)
    )
    monkeypatch.setattr(recipe_page, "find_spec", lambda name: True)
    return fake


def test_a_recipe_becomes_a_text_of_ingredients_and_steps(desk: Desk, scraper: Scraper) -> None:
    brought = recipe_page.fetch_recipe_page(desk, URL, Web())
    assert brought.text.splitlines() == [
        *("Red lentil soup", "Makes 4 servings.", ""),
        *("Ingredients", "- 200 g red lentils", "- 1 onion & a carrot", ""),
        *("Method", "1. Fry the onion.", "2. Boil the lentils for 20 minutes."),
    ]
    assert URL in desk.store.documents.get(brought.source).title


def test_the_extra_reads_the_page_itself(desk: Desk) -> None:
    pytest.importorskip("recipe_scrapers")
    text = recipe_page.fetch_recipe_page(desk, URL, Web()).text
    assert "- 200 g red lentils" in text
    assert "2. Boil the lentils for 20 minutes." in text
    with pytest.raises(InputError, match="No recipe"):
        recipe_page.fetch_recipe_page(
            desk, "https://soup.example/none", Web("<html>Nothing here.</html>")
        )


def test_the_call_is_recorded(desk: Desk, scraper: Scraper) -> None:
    recipe_page.fetch_recipe_page(desk, URL, Web())
    (run,) = desk.store.runs.find("fetch")
    assert desk.store.calls.of_run(run.id)[0].request["url"] == URL


@pytest.mark.parametrize(
    "address",
    [
        "",
        "soup",
        "http://soup.example/",
        "https://me:word@soup.example/",
        "https://soup.example:8443/",
        "file:///etc/x",
        "https://",
        "https://[",
        "javascript:alert(1)",
        "https://soup.example/a b",
        "https://soup.example/" + "a" * 2000,
    ],
)
def test_recipe_page_must_have_a_plain_https_address(
    desk: Desk, scraper: Scraper, address: str
) -> None:
    web = Web()
    with pytest.raises(InputError):
        recipe_page.fetch_recipe_page(desk, address, web)
    assert web.asked == []


def test_only_the_typed_host_is_asked_and_no_private_address() -> None:
    client = WebClient(recipe_page.recipe_hosts(URL), resolve=lambda host, port: ["10.0.0.1"])
    with pytest.raises(Refused, match="private address"):
        client.check(URL)
    with pytest.raises(Refused, match="not among the"):
        client.check("https://elsewhere.example/")


def test_without_a_network_the_error_is_plain(desk: Desk, scraper: Scraper) -> None:
    def nowhere(host: str, port: int) -> list[str]:
        raise OSError

    with pytest.raises(Unreachable, match="cannot be found"):
        recipe_page.fetch_recipe_page(
            desk, URL, WebClient(recipe_page.recipe_hosts(URL), resolve=nowhere)
        )


def test_without_the_extra_it_says_what_to_install(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipe_page, "find_spec", lambda name: None)
    web = Web()
    with pytest.raises(SettingsError, match='pip install "recipe-scrapers'):
        recipe_page.fetch_recipe_page(desk, URL, web)
    assert web.asked == []


def test_the_operator_can_switch_it_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWORK_RECIPE_PAGES", "off")
    desk = open_desk(load_settings(tmp_path))
    assert "switched off" in recipe_page.why_no_recipe_pages(desk)
    with pytest.raises(SettingsError):
        recipe_page.fetch_recipe_page(desk, URL, Web())


def test_a_page_that_is_too_large_or_has_no_recipe_is_refused(desk: Desk, scraper: Scraper) -> None:
    with pytest.raises(InputError, match="larger"):
        recipe_page.fetch_recipe_page(desk, URL, Web(cut=True))
    scraper.given = {"title": "Nothing"}
    with pytest.raises(InputError, match="no ingredients"):
        recipe_page.fetch_recipe_page(desk, "https://soup.example/other", Web())
