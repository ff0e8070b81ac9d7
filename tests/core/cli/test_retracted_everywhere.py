"""A retracted paper followed through what the command line prints: wherever its id, its title or
its words stand, its status stands, too.
"""

from __future__ import annotations

import argparse
import gzip
import io
import zipfile

import pytest

from core import cli
from core.kb.formats.registry import FORMATS
from core.services.documents import overview
from core.services.literature import namespaces
from tests import reviewing
from tests.reviewing import ANNA, DOCUMENT, RELIEVES

ITS_OWN = (DOCUMENT, "willow bark", "relieves headache in most")
MARK = "retract"
WHO = ("--curator", ANNA.orcid)
ASKED = "What relieves headache in adults?"
# One line a way out: verb and words
PRINTED = [
    *(("documents", action) for action in ("list", "merged")),
    ("documents", "show", DOCUMENT),
    ("documents", "sources", DOCUMENT),
    ("statements",),
    ("statements", "--state", "approved"),
    ("conflicts",),
    ("search", "ns", ASKED),
    ("search", "ns", ASKED, "--format", "jsonl"),
    ("search", "ns", ASKED, "--by", "sentence"),
    *(("answer", "ns", ASKED, "--engine", "extractive", "--format", form, *more)
      for form in ("text", "json", "jsonl") for more in ((), ("--with-retracted",))),
    ("evidence", RELIEVES.id, "--namespace", "ns"),
    *(("recommend", "ns", "Aspirin relieves headache in adults.", "--format", form)
      for form in ("tsv", "json", "jsonl", "csv", "ris", "bib")),
    *(("table", "ns", ASKED, "--engine", "extractive", "--format", form)
      for form in ("csv", "md", "json")),
    ("rules", "preview", "treat", "<Aspirin> relieves [headache].", "<Zinc> relieves [colds]."),
    ("triage", "ns", "next", "--question", ASKED),
    *(("triage", "ns", "export", "--format", form) for form in ("csv", "ris", "bib")),
    ("query", "--question", "paper", "--set", f"paper={DOCUMENT}", "--format", "json"),
    ("query", "--question", "about", "--set", "thing=CHEBI:15365", "--format", "json"),
    ("graph", "--format", "json"),
    *(("export", "--format", form) for form in FORMATS),
]  # fmt: skip
# What these print holds no paper that a project has stored, or only what its user hands in
ELSEWHERE = {
    "schemas", "prompt", "parse", "extract", "compare", "batch", "schema", "read", "vocabularies",
    "ground", "annotate", "memory", "ask", "namespace", "vectors", "decide", "propose", "support",
    "check", "import", "release", "define", "classify", "evaluate", "models", "learn", "quality",
    "projects", "people", "metrics", "backup", "restore", "move", "doctor", "jobs", "worker",
}  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    desk = reviewing.filled(tmp_path_factory.mktemp("project") / "p")
    desk.store.namespaces.add("ns")
    namespaces.add_project_documents(desk, "ns", ANNA.orcid)
    overview.mark_withdrawn(desk, DOCUMENT, "its images were made up", ANNA)
    parsed("decide", RELIEVES.id, "approve", "--version", "1", *WHO, desk=desk)
    parsed("triage", "ns", "judge", DOCUMENT, "include", *WHO, desk=desk)
    yield desk
    desk.close()


def parsed(verb: str, *words: str, desk) -> int:
    (spec,) = [known for known in cli.verbs() if known.name == verb]
    parser = argparse.ArgumentParser()
    spec.add_arguments(parser)
    return spec.run(desk, parser.parse_args(words))


def readable(out: bytes) -> str:
    """Words of an output, also of one that is packed."""
    if out[:2] == b"\x1f\x8b":
        out = gzip.decompress(out)
    if out[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(out)) as packed:
            return "\n".join(readable(packed.read(name)) for name in packed.namelist())
    return out.decode("utf-8", "replace")


@pytest.mark.parametrize("words", PRINTED, ids=" ".join)
def test_what_shows_the_paper_shows_that_it_was_retracted(desk, capfdbinary, words) -> None:
    capfdbinary.readouterr()
    parsed(*words, desk=desk)
    out = readable(capfdbinary.readouterr().out)
    assert not any(own in out for own in ITS_OWN) or MARK in out.casefold(), out[:2000]


def test_every_verb_is_followed_or_shows_no_stored_paper() -> None:
    followed = {verb for verb, *_ in PRINTED}
    assert {verb.name for verb in cli.verbs()} == (followed | ELSEWHERE) - (followed & ELSEWHERE)


def test_answers_rest_on_it_only_when_asked(desk, capfd) -> None:
    asked = ("answer", "ns", ASKED, "--engine", "extractive", "--format", "text")
    parsed(*asked, desk=desk)
    assert "relieves headache" not in capfd.readouterr().out
    parsed(*asked, "--with-retracted", desk=desk)
    assert "RETRACTED" in capfd.readouterr().out


def test_a_model_is_told(desk) -> None:
    from core.literature.answers.answer import answer_prompt
    from core.literature.query.keyword import LiteratureQuery
    from core.services.literature.searching import namespace_searcher

    hits = namespace_searcher(desk, ["ns"]).search(LiteratureQuery(ASKED)).results
    request = answer_prompt(ASKED, [hit.chunk for hit in hits])
    assert MARK in request.messages[-1].content.casefold()


@pytest.mark.parametrize("form", ["json", "yaml", "jsonl", "csv", "md", "html", "ttl"])
def test_a_draft_of_it_says_so(desk, tmp_path, capfdbinary, form) -> None:
    text = tmp_path / "text.txt"
    text.write_text("Aspirin relieves headache in adults. Ibuprofen causes nausea.")
    capfdbinary.readouterr()
    words = ("--schema", "chemical_disease", "--engine", "builtin", "--source", DOCUMENT)
    parsed("extract", *words, "--input", str(text), "--format", form, desk=desk)
    out = readable(capfdbinary.readouterr().out)
    assert DOCUMENT not in out or MARK in out.casefold(), out[:2000]


def test_a_model_that_extracts_is_told(desk) -> None:
    from core.extraction.spires.prompt import spires_prompt
    from core.services.extract.guidance import guidance_for
    from core.services.extract.run import find_schema

    schema = find_schema(desk, "chemical_disease")
    told = guidance_for(desk, schema, "A text.", DOCUMENT, sha="", examples=0)
    assert MARK in spires_prompt(schema, "", "A text.", beside=told.everywhere).casefold()
    other = guidance_for(desk, schema, "A text.", "PMID:99", sha="", examples=0)
    assert not other.everywhere
