"""Every use of a model in small, with what a good model would say: right, or an error is raised."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core.desk import Desk
from core.errors import GroundworkError
from core.genes.answer import AnswerStatus
from core.literature.answers.answer import QuoteProof
from core.literature.chunk import Chunk
from core.literature.query import keyword_model
from core.services.extract.run import extract_in_thread, keep_text, new_run
from core.services.extract.run_options import RunOptions
from core.services.genes import questions as genes
from core.services.literature import answer as literature
from tests.core.services.extracting import RULES, TEXT

LONG = TEXT + " " + " ".join(f"Patient {n} went home well." for n in range(260))
FINAL = (
    '{"answer": "PSMB10", "evidence": [{"record": "NCBIGene:5699", "field": "symbol"}], "status":'
    ' "answered"}'
)
TREE = {"triples": [{"subject": "aspirin", "predicate": "TREATS", "object": "migraine"}]}
CHUNKS = [
    Chunk(f"PMID:{n}@0", f"PMID:{n}", "Kinase Q phosphorylates tau in neurons. " + "It is. " * 400)
    for n in (1, 2, 3)
]


def words_for(body: dict[str, Any]) -> str | dict[str, Any]:
    """What a good model answers; an object is a tool call."""
    messages = body["messages"]
    whole = "\n".join(str(message.get("content") or "") for message in messages)
    if "biomedical keywords" in whole:
        return '["Kinase Q", "tau"]'
    if "numbered passages" in whole:
        return 'It does: "phosphorylates tau in neurons" [1].'
    if body.get("tools") or "To use a tool" in whole:
        if "PSMB10" in whole:
            return FINAL
        call = {"name": "esummary", "arguments": {"db": "gene", "id": "5699"}}
        if body.get("tools"):
            return call
        return json.dumps({"tool": call["name"], "arguments": call["arguments"]})
    if "response_format" in body:
        return json.dumps(TREE if "Aspirin" in whole else {"triples": []})
    asked = whole.rpartition("Text:\n")[2]
    if TEXT in asked:
        return str(RULES[TEXT])
    return str(next((answer for known, answer in RULES.items() if known in asked), "triples: none"))


def spires(desk: Desk, model: str) -> str:
    return extraction(desk, model, "spires")


def one_call(desk: Desk, model: str) -> str:
    return extraction(desk, model, "one-call")


def extraction(desk: Desk, model: str, engine: str) -> str:
    entered = keep_text(desk, "trial", LONG)
    run = new_run(desk, entered, engine, curator="", options=RunOptions(model=model, reuse=False))
    view = extract_in_thread(desk, run)
    ids = {mention.chosen.id for mention in view.mentions if mention.chosen}
    assert {"CHEBI:15365", "MONDO:0005277"} <= ids
    codes = {problem.code for problem in view.problems}
    reported = {"fell-back": "by questions", "read-in-parts": "in parts"}
    return ", ".join(["right", *(words for code, words in reported.items() if code in codes)])


def gene_tools(desk: Desk, model: str) -> str:
    settings = desk.settings
    desk.settings = replace(settings, model_interpretation=model)
    try:
        question = "What is the official gene symbol of LMP10?"
        answered = genes.ask_gene_question(
            desk, question, genes.AskOptions(way="tools", reuse=False)
        ).answer
    finally:
        desk.settings = settings
    if answered.status is AnswerStatus.FAILED:
        raise GroundworkError(" ".join(answered.notes))
    assert answered.text == "PSMB10"
    return "right"


def keywords(desk: Desk, model: str) -> str:
    completer = desk.completer(model=model)
    assert completer is not None
    asked, _ = keyword_model.ask_keywords(completer, "Does Kinase Q act on tau?")
    assert [request.text for request in asked] == ["Kinase Q", "tau"]
    return "right"


def literature_answer(desk: Desk, model: str) -> str:
    run = literature.begin_answer(
        desk, "Does Kinase Q act on tau?", CHUNKS, engine="model", model=model
    )
    answer = literature.answer_run(desk, run, on_text=lambda piece: None).answers[0]
    assert answer.sentences[0].quotes[0].proof is QuoteProof.EXACT
    assert answer.sentences[0].chunks[0] == "PMID:1@0"
    return "right, in parts" if answer.parts > 1 else "right"


USES: dict[str, Callable[[Desk, str], str]] = {
    "SPIRES": spires,
    "one call": one_call,
    "gene tools": gene_tools,
    "keywords": keywords,
    "literature answer": literature_answer,
}
