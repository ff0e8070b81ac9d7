from __future__ import annotations

from core.model import Call, CallState
from pages.components.shared.trace import answer_text, request_text, totals_line


def call(**changes: object) -> Call:
    return Call(
        **(
            {"id": "c", "run": "r", "path": "", "kind": "model", "request": {}, "request_hash": "h"}
            | changes
        )
    )  # type: ignore[arg-type]


def test_a_prompt_is_shown_as_its_text() -> None:
    assert request_text({"messages": [{"role": "user", "content": "Find <b>"}]}) == "Find <b>"


def test_a_conversation_names_its_turns() -> None:
    turns = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}]
    assert request_text({"messages": turns}) == "[system]\nBe brief.\n\n[user]\nWhy?"


def test_a_fetch_shows_its_address() -> None:
    assert request_text({"url": "https://a.org/x", "method": "GET"}) == "GET https://a.org/x"


def test_an_answer_is_its_text_and_the_tools_it_named() -> None:
    assert (
        answer_text({"text": "", "calls": [{"name": "gene", "arguments": "{}"}]}) == "\n→ gene({})"
    )
    assert answer_text(None) == ""


def test_totals_tell_reuse_time_and_cost() -> None:
    calls = [
        call(seconds=1.25, tokens_in=10, tokens_out=5, cost=0.001),
        call(reused="c0", state=CallState.DONE),
    ]
    assert (
        totals_line(calls)
        == "2 calls · 1 answered from the record · 1.2 s · 10 + 5 tokens · 0.0010 US$"
    )


def test_totals_say_that_a_price_is_not_known() -> None:
    assert totals_line([call(tokens_in=3)]).endswith("price not known")


def test_totals_name_calls_of_unknown_price_beside_what_is_known() -> None:
    paid = call(tokens_in=10, tokens_out=5, cost=0.001)
    assert totals_line([paid, call(tokens_in=3)]).endswith(
        "0.0010 US$ · and 1 call of unknown price"
    )
    free = call(reused="c0", cost=0.0)
    assert totals_line([free, call(tokens_in=3)]).endswith("3 + 0 tokens · price not known")
