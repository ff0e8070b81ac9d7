"""A model names tools; what it makes up is refused, and what stands in no record is unsupported."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest

from core.errors import ContextExceeded, GroundworkError, Refused, Stopped, Unreachable
from core.genes.answer import AnswerStatus, AnswerStep, GeneAnswer
from core.genes.export import answer_report
from core.genes.strategies.tools import CALLS, REPEATS, answer
from core.llm.completer import Reply, Request, Tool, ToolCall
from core.ncbi.client import Ncbi, WaitPolicy
from core.ncbi.example import ExampleFetcher
from core.ncbi.record import NcbiRecord
from core.web import Fetch, Fetched

QUESTION = "What is the official gene symbol of LMP10?"
LOOK = ("esummary", {"db": "gene", "id": "5699"})
FINAL = '{"answer": "PSMB10", "evidence": [], "status": "answered"}'
HOSTILE = "http://169.254.169.254/latest/meta-data/"


class Model:
    """Says these things in turn, the last one for good: text, or (tool, arguments)."""

    def __init__(self, *replies: object):
        self.said, self.asked = list(replies), []

    model = "made-up"

    def complete(self, request: Request, on_text: object = None) -> Reply:
        self.asked.append(request)
        next_reply = self.said.pop(0) if len(self.said) > 1 else self.said[0]
        if isinstance(next_reply, str | Reply):
            return Reply(next_reply) if isinstance(next_reply, str) else next_reply
        name, arguments = next_reply
        return Reply(
            "",
            (
                ToolCall(
                    "1", name, arguments if isinstance(arguments, str) else json.dumps(arguments)
                ),
            ),
            "tool_calls",
        )


class Watched(ExampleFetcher):
    def __init__(self) -> None:
        self.urls: list[str] = []

    def fetch(self, request: Fetch) -> Fetched:
        self.urls.append(request.url)
        return super().fetch(request)


def asked(model: Model, fetcher: ExampleFetcher | None = None) -> GeneAnswer:
    return answer(Ncbi(fetcher or ExampleFetcher()), model, QUESTION)


def test_an_answer_is_bound_to_the_record_that_holds_it():
    reply = asked(Model(LOOK, FINAL))
    assert (reply.status, reply.text, reply.values[0].record) == (
        AnswerStatus.ANSWERED,
        "PSMB10",
        "NCBIGene:5699",
    )


def test_plain_words_after_answer_are_taken_too():
    assert asked(Model(LOOK, "Answer: PSMB10")).status is AnswerStatus.ANSWERED


def test_words_in_no_record_are_unsupported():
    reply = asked(Model(LOOK, "Answer: MADEUP1"))
    assert (reply.status, reply.values) == (AnswerStatus.UNSUPPORTED, ())


@pytest.mark.parametrize(
    "call",
    [
        ("esearch", {"db": "gene", "term": HOSTILE}),
        ("esearch", {"db": "gene", "term": "x", "url": HOSTILE}),
        ("esearch", {"db": "gene", "term": "x", "host": "169.254.169.254"}),
        ("esearch", '{"db": gene,'),
        ("run_shell", {"command": "id"}),
        ("esummary", {"db": "gene", "id": "../../x"}),
        ("blast_get", {"rid": "http://x/"}),
        ("esearch", "[]"),
    ],
)
def test_hostile_calls_are_refused_and_reported_to_the_model(call: tuple):
    fetcher, model = Watched(), Model(call, LOOK, FINAL)
    reply = asked(model, fetcher)
    assert reply.steps[0].status == "refused" and reply.status is AnswerStatus.ANSWERED
    assert "error" in model.asked[1].messages[-1].content
    assert all(url.startswith("https://eutils.ncbi.nlm.nih.gov/") for url in fetcher.urls)


def test_a_model_that_repeats_itself_is_stopped():
    model = Model(LOOK)
    reply = asked(model)
    assert reply.status is AnswerStatus.FAILED and len(model.asked) == REPEATS + 1


def test_rounds_are_bounded():
    calls: Sequence[object] = [("esummary", {"db": "snp", "id": str(n)}) for n in range(40)]
    assert asked(Model(*calls)).status is AnswerStatus.FAILED


@pytest.mark.parametrize(
    "written",
    [
        '{"tool": "esummary", "arguments": {"db": "gene", "id": "5699"}}',
        "[https://eutils.ncbi.nlm.nih.gov/entrez/eutils/esummary.fcgi?db=gene&id=5699]",
    ],
)
def test_a_call_may_be_written_as_json_or_as_an_address(written: str):
    model = Model(written, FINAL)
    assert asked(model).status is AnswerStatus.ANSWERED
    assert model.asked[1].messages[-1].role == "user"


def test_an_address_elsewhere_is_refused_and_reported_to_the_model():
    fetcher, model = Watched(), Model(f"<script>alert(1)</script>\n[{HOSTILE}]", LOOK, FINAL)
    reply = asked(model, fetcher)
    assert (reply.steps[0].tool, reply.steps[0].status, reply.status) == (
        "address",
        "refused",
        AnswerStatus.ANSWERED,
    )
    assert len(fetcher.urls) == 1


def test_a_slow_model_uses_up_the_questions_time():
    seconds = iter(range(0, 100_000, 500))
    ncbi = Ncbi(
        ExampleFetcher(), patience=WaitPolicy(clock=lambda: float(next(seconds))), max_seconds=1200
    )
    gene_answer = answer(ncbi, Model(LOOK), QUESTION)
    assert gene_answer.status is AnswerStatus.FAILED and "1200 seconds" in gene_answer.notes[0]


def test_an_answer_from_memory_is_asked_again_with_the_tools_in_the_prompt():
    model = Model(FINAL, LOOK, FINAL)
    assert asked(model).status is AnswerStatus.ANSWERED
    assert [request.tools_in_text for request in model.asked] == [False, True, True]
    assert asked(Model(FINAL)).status is AnswerStatus.UNSUPPORTED


def test_prose_is_asked_for_as_values_once():
    prose = "The official symbol of LMP10 is **PSMB10**."
    model = Model(LOOK, prose, FINAL)
    assert (
        asked(model).status is AnswerStatus.ANSWERED
        and "JSON" in model.asked[2].messages[-1].content
    )
    again = Model(LOOK, prose)
    assert asked(again).status is AnswerStatus.UNSUPPORTED and len(again.asked) == 3


def test_truncated_model_output_is_not_an_answer():
    model = Model(LOOK, Reply("Answer: PSMB10", finish="length"))
    reply = asked(model)
    assert (reply.status, reply.text) == (AnswerStatus.FAILED, "") and "cut off" in reply.notes[0]


def test_a_tools_name_is_not_markup_in_the_trace():
    reply = asked(Model(("![](http://169.254.169.254/)<script>", {}), FINAL))
    assert reply.steps[0].tool == "_http_169.254.169.254_script_"
    assert "<" not in re.sub(r"\\.", "", answer_report(reply, "r", "tools"))


def test_calls_of_one_round_are_capped():
    calls = tuple(ToolCall(str(n), "run_shell", str(n)) for n in range(1000))
    model = Model(Reply("", calls, "tool_calls"), FINAL)
    assert len(asked(model).steps) == CALLS
    assert len(model.asked[1].messages[2].calls) == CALLS


def test_stop_is_noticed_between_rounds():
    def check() -> None:
        raise Stopped("Stopped.")

    with pytest.raises(Stopped):
        answer(Ncbi(ExampleFetcher(), patience=WaitPolicy(check=check)), Model(FINAL), QUESTION)


def test_record_text_reaches_the_model_as_quoted_data_capped():
    model = Model(LOOK, FINAL)
    asked(model)
    quoted = model.asked[1].messages[-1].content
    assert quoted.startswith("<<<data") and quoted.endswith("data>>>") and len(quoted) < 7000


class ShortModel(Model):
    """Reads so many characters of messages at once, and says when they are more."""

    def __init__(self, most: int, *replies: object):
        super().__init__(*replies)
        self.most, self.sizes = most, []

    def complete(self, request: Request, on_text: object = None) -> Reply:
        self.sizes.append(sum(len(message.content) for message in request.messages))
        if self.sizes[-1] > self.most:
            raise ContextExceeded("The text is longer than the model can read at once.")
        return super().complete(request, on_text)


def test_a_context_that_is_too_short_for_any_record_is_reported():
    reply = asked(ShortModel(len(QUESTION) + 50, LOOK, FINAL))
    assert reply.status is AnswerStatus.FAILED
    assert "longer than the" in reply.notes[-1]


def test_yes_is_supported_by_the_record_of_the_gene():
    model = Model(("esummary", {"db": "gene", "id": "5699"}), "Answer: Yes")
    gene_answer = answer(Ncbi(ExampleFetcher()), model, "Is PSMB10 a protein-coding gene?")
    assert (gene_answer.status, gene_answer.values[0].record, gene_answer.values[0].relation) == (
        AnswerStatus.ANSWERED,
        "NCBIGene:5699",
        "inferred",
    )
    model = Model(("esummary", {"db": "gene", "id": "5699"}), "Answer: No")
    assert (
        answer(Ncbi(ExampleFetcher()), model, "Is PSMB10 a protein-coding gene?").status
        is AnswerStatus.UNSUPPORTED
    )


class Agent:
    """An API agent as a tool: it answers, or raises."""

    tool = Tool(
        "api_mygene", "MyGene.info", {"type": "object", "properties": {"query": {"type": "string"}}}
    )

    def __init__(self, error: GroundworkError | None = None):
        self.error = error

    def use(self, parameters: object, path: str) -> tuple[str, tuple[NcbiRecord, ...], str]:
        if self.error:
            raise self.error
        return (
            "x" * 100_000,
            (NcbiRecord("mygene:1", "api", {"symbol": "PSMB10"}, {"symbol": "/hits/0"}),),
            "c1",
        )


@pytest.mark.parametrize(
    ("error", "status"),
    [(None, "done"), (Unreachable("Down."), "failed"), (Refused("Inert."), "refused")],
)
def test_an_api_agent_is_one_more_tool_and_each_use_of_it_one_step(
    error: GroundworkError | None, status: str
):
    seen: list[AnswerStep] = []
    model = Model(("api_mygene", {"query": "LMP10"}), FINAL)
    gene_answer = answer(Ncbi(ExampleFetcher()), model, QUESTION, seen.append, [Agent(error)])
    assert [(step.tool, step.status) for step in gene_answer.steps] == [
        ("api_mygene", status)
    ] and len(seen) == 1
    assert "api_mygene" in [tool.name for tool in model.asked[0].tools]
    assert len(model.asked[1].messages[-1].content) < 7000
    assert (gene_answer.status is AnswerStatus.ANSWERED) == (error is None)


def test_a_short_context_is_shown_shorter_pieces_of_the_records():
    """Three results of 6,000 characters each, before a model that reads 5,000 in all."""
    looks = [("api_mygene", {"query": name}) for name in ("LMP10", "MECL1", "LMP10")]
    model = ShortModel(5000, *looks, FINAL)
    gene_answer = answer(Ncbi(ExampleFetcher()), model, QUESTION, extra=[Agent()])
    assert (gene_answer.status, gene_answer.text) == (AnswerStatus.ANSWERED, "PSMB10")
    assert any("only in part" in note for note in gene_answer.notes)
    pieces = [
        message.content
        for message in model.asked[-1].messages
        if message.content.startswith("<<<data")
    ]
    assert len(pieces) == 3
    assert all(piece.endswith("is left out\ndata>>>") for piece in pieces)
    assert len(model.asked[-1].messages) == 8  # no turn is lost
