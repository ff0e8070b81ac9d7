"""A recipe on the web, as plain text: its address is typed by a curator and never comes from a
model or a text.

Only that host is asked, over https and at a public address (`core.web`). The page is read by
recipe-scrapers, an optional extra; the operator can switch this way in off with
GROUNDWORK_RECIPE_PAGES=off.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from core.desk import APP_VERSION
from core.desk_parts import HasFolder, HasProjectNetwork
from core.errors import InputError, SettingsError
from core.model import Document, Run
from core.services.documents.upload import InputText
from core.text.clean import clean_text
from core.web import Fetch, Fetcher

EXTRA = "recipe-scrapers"
INSTALL = 'pip install "recipe-scrapers>=15,<16"'
MAX_PAGE = 5_000_000  # bytes
MAX_ADDRESS = 2000  # characters
_TAG = re.compile(r"<[/!a-zA-Z][^<>]{0,500}>")


def why_no_recipe_pages(desk: HasFolder) -> str:
    """Why recipe pages cannot be read here, and what to do about it; "" when they can."""
    if not desk.settings.recipe_pages:
        return "Web pages are switched off in this installation (GROUNDWORK_RECIPE_PAGES)."
    if find_spec("recipe_scrapers") is None:
        return f"Reading recipe pages needs the package {EXTRA}. Install it with: {INSTALL}"
    return ""


def fetch_recipe_page(
    desk: HasProjectNetwork, address: str, web: Fetcher | None = None
) -> InputText:
    """Title, ingredients and steps of a recipe page; the call is recorded, and the page is a
    document of its own.

    Raises SettingsError without the extra, InputError for no address or no recipe, Refused and
    RemoteError.
    """
    url = checked_address(address)
    if why := why_no_recipe_pages(desk):
        raise SettingsError(why)
    run = desk.store.runs.add(
        Run(desk.new_id(), "fetch", "recipe page", app_version=APP_VERSION, created=desk.clock())
    )
    way = desk.recorder(run.id).fetcher(web or desk.web("recipe", recipe_hosts(url)))
    fetched = way.fetch(Fetch(url, kind="api", path="fetch", max_bytes=MAX_PAGE))
    if fetched.cut:
        raise InputError(
            f"The page is larger than {MAX_PAGE:,} bytes.", "Copy the recipe into the text box."
        )
    title, text = read_recipe_page(fetched.text, url)
    source = f"doc:{recipe_slug(url)}"
    desk.store.documents.add(Document(source, f"{title} ({url})"[:500]))
    return InputText(text, source, title)


def checked_address(address: str) -> str:
    """An https address without a user name. Raises InputError."""
    url = address.strip()
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    is_plain_https = (
        url.startswith("https://") and "@" not in parts.netloc and port in (None, 443)
        if host
        else False
    )
    if not is_plain_https or len(url) > MAX_ADDRESS or re.search(r"[\s<>\"\x00-\x1f]", url):
        raise InputError(
            f"{url[:80]!r} is not the address of a web page.", "Give one that begins with https://."
        )
    return url


def recipe_hosts(url: str) -> Sequence[str]:
    """The host that was typed, with and without www: sites send readers from one to the other."""
    host = (urlsplit(url).hostname or "").casefold()
    bare = host.removeprefix("www.")
    return [bare, f"www.{bare}"]


def recipe_slug(url: str) -> str:
    words = (
        re.sub(r"[^a-z0-9]+", "-", url.removeprefix("https://").casefold())
        .strip("-")[:60]
        .strip("-")
    )
    return f"{words}-{hashlib.sha256(url.encode()).hexdigest()[:12]}"


def read_recipe_page(page: str, url: str) -> tuple[str, str]:
    """Title and text of the recipe on a page. Raises InputError when there is none."""
    from recipe_scrapers import scrape_html  # an optional extra

    try:
        recipe = scrape_html(page, org_url=url, supported_only=False)
    except Exception as error:  # any of the hundreds of readers may fail on a page in its own way
        raise InputError(
            "No recipe was found on this page.", "Copy its text into the text box."
        ) from error
    title = " ".join(without_markup(_field_or(recipe, "title", "")).split()) or "Recipe"
    ingredients = _lines(_field_or(recipe, "ingredients", []))
    steps = _lines(_field_or(recipe, "instructions_list", []))
    if not ingredients and not steps:
        raise InputError(
            "The recipe on this page has no ingredients and no steps.",
            "Copy its text into the text box.",
        )
    return title, clean_text(
        written_recipe(title, without_markup(_field_or(recipe, "yields", "")), ingredients, steps)
    )


def written_recipe(
    title: str, serves: str, ingredients: Sequence[str], steps: Sequence[str]
) -> str:
    parts = [title, *([f"Makes {serves}."] if serves else []), ""]
    parts += ["Ingredients", *(f"- {line}" for line in ingredients), ""] if ingredients else []
    parts += (
        ["Method", *(f"{number}. {line}" for number, line in enumerate(steps, 1))] if steps else []
    )
    return "\n".join(parts).strip() + "\n"


def _field_or(recipe: Any, field: str, otherwise: Any) -> Any:
    """What a page says, or `otherwise`: its readers raise where it says nothing."""
    try:
        return getattr(recipe, field)() or otherwise
    except Exception:
        return otherwise


def _lines(items: object) -> list[str]:
    lines = (
        (" ".join(without_markup(item).split()) for item in items)
        if isinstance(items, list)
        else ()
    )
    return [line for line in lines if line]


def without_markup(words: object) -> str:
    """Plain words: tags and entities that pages leave in them are taken out."""
    return _TAG.sub(" ", html.unescape(str(words))).replace("\x00", "")
