"""The web site of a release: whole, escaped, and asking nothing of any other address."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from core.errors import Refused
from core.kb.entry import ExportEntry, KnowledgeBase
from core.kb.release.difference import ReleaseDifference
from core.kb.release.release import ReleaseDescription
from core.kb.site.site import site_files
from core.model import Evidence, Span, TextGround, TextVersion
from core.services.documents.overview import mark_withdrawn
from core.services.releases import web_site
from tests import reviewing
from tests.core.services.releases.test_releases import judge, released
from tests.reviewing import AMOUNT, ANNA, ASPIRIN, HAS_DOSE, HOSTILE, NOT_NAUSEA, RELIEVES

ROOT = Path(__file__).resolve().parents[4]
RELEASE = ReleaseDescription(
    number="1.0.0",
    dataset="https://kb.example.org/",
    title="<i>Title</i>",
    date="2026-01-02",
    licence="https://creativecommons.org/publicdomain/zero/1.0/",
    creators=(ANNA,),
)


class Links(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, text: str):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    statements = (RELIEVES, NOT_NAUSEA, HOSTILE, HAS_DOSE, AMOUNT)
    entries = tuple(
        ExportEntry(statement, (reviewing.quoted(statement, "Aspirin relieves headache"),))
        for statement in statements
    )
    kb = KnowledgeBase("https://kb.example.org/", entries, release=RELEASE)
    return {
        name: b"".join(pieces).decode()
        for name, pieces in site_files(kb, ReleaseDifference("", "1.0.0"), {})
    }


def test_every_statement_has_a_page_with_the_words_it_rests_on(pages):
    statement_pages = [text for name, text in pages.items() if name.startswith("statements/")]
    assert len(statement_pages) == 5
    assert all(
        "<blockquote>Aspirin relieves headache</blockquote>" in text for text in statement_pages
    )
    assert sum('<strong class="not">NOT</strong>' in text for text in statement_pages) == 1


def test_every_way_within_the_site_leads_to_a_page(pages):
    for name, text in pages.items():
        for tag, attributes in Links(text).tags if name.endswith(".html") else ():
            target = attributes.get("href") or attributes.get("src") or ""
            if tag in ("a", "link", "script") and not target.startswith(("http", "#")):
                place = (Path("/") / name).parent / unquote(target)
                assert str(place.resolve())[1:] in pages, (name, target)


def test_no_page_loads_anything_from_another_address(pages):
    for name, text in pages.items():
        for tag, attributes in Links(text).tags if name.endswith(".html") else ():
            if tag != "a":
                assert not str(attributes.get("src") or attributes.get("href") or "").startswith(
                    ("http", "//")
                )
            assert tag not in ("img", "iframe", "style")
            assert not any(
                attribute.startswith("on") or attribute == "style" for attribute in attributes
            )
        assert "Content-Security-Policy" in text or not name.endswith(".html")


def test_html_and_script_in_names_are_escaped_on_every_page(pages):
    for name, text in pages.items():
        if name.endswith(".html"):
            assert "<img" not in text
            assert "<i>Title" not in text
    assert "</script>" not in pages["search-index.js"].split("CHEBI:1")[0][-5:]


def test_file_names_hold_nothing_that_a_file_system_minds(pages):
    assert all(re.fullmatch(r"[A-Za-z0-9._/-]+", name) for name in pages)
    assert len({name.casefold() for name in pages}) == len(pages)


def test_a_site_is_a_new_folder_and_a_full_one_is_left_alone(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    judge(desk, RELIEVES)
    released(desk)
    assert web_site.to_folder(desk, "1.0.0", tmp_path / "site") > 15
    assert (tmp_path / "site" / "downloads" / "p-1.0.0.ttl").is_file()
    with pytest.raises(Refused):
        web_site.to_folder(desk, "1.0.0", tmp_path / "site")
    assert web_site.to_archive(desk, "1.0.0") == web_site.site_archive(desk, "1.0.0").stat().st_size
    desk.close()


def test_a_whole_article_is_not_a_quote(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    long = replace(RELIEVES, negated=True)
    piece = reviewing.quoted(long, "Aspirin relieves headache")
    assert isinstance(piece.ground, TextGround)
    article = "word " * 1000
    desk.store.documents.add_text(TextVersion("cd" * 32, reviewing.DOCUMENT, article))
    ground = TextGround(reviewing.DOCUMENT, "cd" * 32, Span(0, len(article)), article)
    desk.store.statements.propose([(long, [Evidence(long.id, ground)])])
    judge(desk, long)
    with pytest.raises(Refused, match="never whole articles"):
        released(desk)
    desk.close()


def test_the_page_of_changes_names_papers_that_were_retracted_since(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    judge(desk, RELIEVES)
    released(desk)
    mark_withdrawn(desk, "doc:willow", "figures were reused", ANNA)
    web_site.to_folder(desk, released(desk).number, tmp_path / "site")
    page = (tmp_path / "site" / "changes.html").read_text()
    assert "Retracted papers (1)" in page
    assert "figures were reused" in page
    desk.close()


def test_the_home_page_lists_what_people_look_for_and_not_its_unnamed_parts(pages):
    listed = re.findall(r'<li><a href="things/[^"]*">([^<]*)</a>', pages["index.html"])
    assert listed[0] == ASPIRIN.label
    assert reviewing.DOSE.label not in listed


CHILD = """
import resource, sys, time
from pathlib import Path
from core.desk import open_desk
from core.errors import GroundworkError
from core.services.releases import web_site
from core.settings import load_settings
desk = open_desk(load_settings(Path(sys.argv[1]), {}))
def wait(done, total):
    print("writing", flush=True)
    time.sleep(60)
def fill(done=0, total=0):
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
told = wait if sys.argv[2] == "wait" else fill
if sys.argv[2] == "full":
    web_site.FORMATS = {"ttl": web_site.FORMATS["ttl"]}
    fill()
try:
    if sys.argv[3] == "archive":
        web_site.to_archive(desk, "1.0.0", told)
    else:
        web_site.to_folder(desk, "1.0.0", Path(sys.argv[3]), told)
except GroundworkError as error:
    sys.exit(str(error))
"""


@pytest.fixture
def site_desk(tmp_path):
    desk = reviewing.filled(tmp_path / "p")
    judge(desk, RELIEVES)
    released(desk)
    yield desk
    desk.close()


def child(desk, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, str(desk.folder), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT)


def killed_while_writing(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None and process.stdout.readline() == "writing\n"
    process.kill()
    process.communicate()


def test_a_killed_site_is_not_there_and_the_next_one_clears_up(site_desk, tmp_path):
    folder = tmp_path / "www" / "site"
    killed_while_writing(child(site_desk, "wait", str(folder)))
    assert not folder.exists()
    assert len(list(folder.parent.iterdir())) == 1
    web_site.to_folder(site_desk, "1.0.0", folder)
    assert list(folder.parent.iterdir()) == [folder]


def test_a_killed_archive_leaves_the_old_one_whole(site_desk):
    web_site.to_archive(site_desk, "1.0.0")
    before = web_site.site_archive(site_desk, "1.0.0").read_bytes()
    killed_while_writing(child(site_desk, "wait", "archive"))
    file = web_site.site_archive(site_desk, "1.0.0")
    assert file.read_bytes() == before
    web_site.to_archive(site_desk, "1.0.0")
    assert list(file.parent.iterdir()) == [file]


def test_a_disk_that_fills_leaves_nothing_of_a_site_and_the_old_archive_whole(site_desk, tmp_path):
    folder = tmp_path / "www" / "site"
    _, messages = child(site_desk, "fill", str(folder)).communicate()
    assert f"{folder} could" in messages and "File too large. Free" in messages
    assert list(folder.parent.iterdir()) == []
    _, messages = child(site_desk, "full", str(folder)).communicate()
    assert f"{folder} could" in messages and "File too large. Free" in messages
    web_site.to_archive(site_desk, "1.0.0")
    file = web_site.site_archive(site_desk, "1.0.0")
    before = file.read_bytes()
    _, messages = child(site_desk, "fill", "archive").communicate()
    assert "File too large" in messages
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]
