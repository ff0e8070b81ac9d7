"""A whole paper (PMC5344628, about 13,000 tokens) over endpoints that read 2,000 or 8,000 tokens at
once: whole, or with a true message. The table in docs/model-endpoints.md is what this test found.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from core.desk import Desk, open_desk
from core.errors import GroundworkError
from core.literature.chunk import Chunk
from core.llm.connection import Connection
from core.services.documents.upload import read_uploaded_text
from core.services.extract.completeness import find_gaps, may_be_incomplete
from core.services.extract.run import extract_in_thread, keep_text, new_run
from core.services.extract.run_options import RunOptions
from core.services.literature import answer as literature
from core.settings import Settings
from core.text.sentence import split_sentences
from tests.endpoint import served

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "model-endpoints.md"
SCHEMA = """
id: https://example.org/oils
name: oils
title: Oils
prefixes: {linkml: 'https://w3id.org/linkml/', ex: 'https://example.org/oils/'}
default_prefix: ex
default_range: string
imports: ['linkml:types', core]
classes:
  Paper:
    tree_root: true
    is_a: TextWithTriples
    slot_usage:
      triples: {range: Effect, annotations: {prompt: semicolon-separated list of effects}}
  Effect:
    is_a: Triple
    slot_usage: {subject: {range: Oil}, object: {range: Microbe}, predicate: {range: Verb}}
  Oil: {is_a: NamedEntity}
  Microbe: {is_a: NamedEntity}
  Verb: {is_a: RelationshipType}
"""
OILS = ("thyme", "clove", "rosemary", "tea tree", "eugenol", "carvacrol", "thymol", "cineole")
MICROBES = ("Penicillium", "Aspergillus", "Escherichia coli", "Staphylococcus aureus", "Listeria",
            "Candida", "Bacillus", "Salmonella", "mould", "fungi")  # fmt: skip
QUESTION = "Which oil inhibits moulds?"


def effects(text: str) -> list[tuple[str, str]]:
    """What a careful reader finds: oil and microbe named in one sentence, in any order."""
    pairs = {}
    for span in split_sentences(text):
        words = span.quote(text)
        for oil in OILS:
            for microbe in MICROBES:
                if re.search(rf"\b{oil}\b", words, re.I) and re.search(rf"\b{microbe}", words):
                    pairs[oil, microbe] = None
    return list(pairs)


def read_well(body: dict[str, Any]) -> str:
    """A model that answers from what it was given to read, and from nothing else."""
    whole = "\n".join(str(message.get("content") or "") for message in body["messages"])
    if QUESTION in whole:
        passages = re.findall(r"\[(\d+)\] (.*?)(?=\n\n\[|\n\nQuestion)", whole, re.S)
        cited = [(n, oil) for n, text in passages for oil, _ in effects(text)[:1]]
        return " ".join(f'"{oil}" [{n}].' for n, oil in cited) or "I don't know"
    text = whole.rpartition("Text:\n")[2].rpartition("\n\n===")[0]
    if "numbered passages" in whole or ("Text:" not in whole and "===" not in whole):
        return "I don't know"  # the question itself was cut away
    if "response_format" in body:
        rows = [{"subject": o, "predicate": "INHIBITS", "object": m} for o, m in effects(text)]
        return json.dumps({"triples": rows})
    if relation := re.fullmatch(r"(.+) INHIBITS (.+)", text.strip()):
        return f"subject: {relation[1]}\npredicate: INHIBITS\nobject: {relation[2]}"
    return "triples: " + "; ".join(f"{o} INHIBITS {m}" for o, m in effects(text))


WAYS: dict[str, dict[str, Any]] = {
    "no end": {},
    "8,000, told": {"context": 8000, "tells": True},
    "8,000, refused": {"context": 8000},
    "8,192, cut in silence": {"context": 8192, "beyond": "cuts"},
    "2,000, told": {"context": 2000, "tells": True},
    "2,000, refused": {"context": 2000},
    "2,048, cut in silence": {"context": 2048, "beyond": "cuts"},
}


@pytest.fixture(scope="module")
def paper(shared: Path) -> str:
    path = shared / "data" / "pdf" / "PMC5344628.xml.gz"
    return read_uploaded_text("PMC5344628.xml", gzip.decompress(path.read_bytes())).text


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    from core.services.settings import models

    folder = tmp_path_factory.mktemp("context")
    (folder / "schemas").mkdir()
    (folder / "schemas" / "oils.yaml").write_text(SCHEMA, "utf-8")
    with ExitStack() as stack:
        served_ways = [stack.enter_context(served(read_well, **how)) for how in WAYS.values()]
        endpoints = {
            f"e{n}": Connection(f"e{n}", endpoint.url, "k")
            for n, endpoint in enumerate(served_ways)
        }
        desk = open_desk(
            Settings(folder, endpoints=endpoints, model="m", model_retries=0, base_set=False)
        )
        for n, how in enumerate(WAYS.values()):
            if how.get("tells"):
                models.refresh_models(desk, f"e{n}")
        yield desk
        desk.close()


def reading(desk: Desk, model: str, engine: str, paper: str) -> tuple[set[tuple[str, str]], str]:
    """What was found, and what is said of it."""
    entered = keep_text(desk, "oils", paper)
    run = new_run(
        desk, entered, engine, curator="", options=RunOptions(model=model, reuse=False, calls=2000)
    )
    view = extract_in_thread(desk, run)
    words = {mention.slot: mention.text for mention in view.mentions}
    pairs = {
        (words[slot], words[slot.replace("subject", "object")])
        for slot in words
        if slot.endswith("subject") and slot.replace("subject", "object") in words
    }
    missing = find_gaps(view.problems, len(pairs), len(words))
    parts = [p for p in view.problems if p.code == "read-in-parts"]
    parts_read = re.search(r"in (\d+) parts", parts[0].message) if parts else None
    notice = f"in {parts_read[1]} parts" if parts_read else ""
    return pairs, f"{notice} {missing[0].says}".strip() if may_be_incomplete(missing) else notice


def answering(desk: Desk, model: str, paper: str) -> tuple[int, str]:
    """How many of the passages that hold an answer were cited, and what is said of the others."""
    size = 1500
    texts = [paper[at : at + size] for at in range(0, 45_000, size)]
    chunks = [Chunk(f"PMC:1@{n}", "PMC:1", text) for n, text in enumerate(texts)]
    run = literature.begin_answer(desk, QUESTION, chunks, engine="model", model=model)
    answer = literature.answer_run(desk, run).answers[0]
    cited = {chunk for sentence in answer.sentences for chunk in sentence.chunks}
    wrong = [p for p in answer.problems if p.code in ("wrong-citation", "quote-not-found")]
    assert not wrong
    return len(cited), f"{answer.left} of {len(chunks)} passages not read" if answer.left else ""


def test_paper_is_read_whole_or_the_result_says_what_is_missing(desk: Desk, paper: str) -> None:
    everything = set(effects(paper))
    assert len(paper) > 50_000 and len(everything) > 20
    rows = []
    for n, title in enumerate(WAYS):
        model, cells = f"theirs@e{n}", [title]
        for engine in ("spires", "one-call"):
            try:
                pairs, notice = reading(desk, model, engine, paper)
            except GroundworkError as error:
                cells.append(f"“{error.message}”")
                raise
            assert pairs == everything or "not" in notice or "cut" in notice, (
                title,
                engine,
                notice,
            )
            assert pairs == everything, (title, engine, notice, everything - pairs)
            cells.append(", ".join(filter(None, [f"{len(pairs)} of {len(everything)}", notice])))
        cited, notice = answering(desk, model, paper)
        assert notice or cited == answering(desk, "theirs@e0", paper)[0]
        cells.append(", ".join(filter(None, [f"{cited} cited", notice])))
        rows.append(f"| {' | '.join(cells)} |")
    head = "| Tokens read at once | SPIRES: effects found | one call | literature answer |"
    table = "\n".join([head, "|---|---|---|---|", *rows])
    if os.environ.get("GROUNDWORK_WRITE_DOCS"):
        text = DOCUMENT.read_text(encoding="utf-8")
        text = re.sub(r"\| Tokens read at once \|.*(?:\n\|.*)*", lambda _: table, text)
        DOCUMENT.write_text(text, encoding="utf-8")
    assert table in DOCUMENT.read_text(encoding="utf-8")
