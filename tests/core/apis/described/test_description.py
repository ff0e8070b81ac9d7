"""A description: every mistake at once, each with its line; addresses that stay on their host."""

from __future__ import annotations

import json
import textwrap

import pytest

from core.apis import agent, described
from core.apis.described.address import leads_elsewhere
from core.errors import BadAnswer, InputError
from core.web import Fetch, Fetched

EXAMPLE = textwrap.dedent((described.__doc__ or "").partition("```yaml\n")[2].partition("```")[0])
COMMENT = next(line for line in EXAMPLE.splitlines() if line.startswith("# token"))
PATTERN = '    pattern: "^[A-Za-z0-9-]+$"\n'


class Fake:
    def __init__(self, *answers: str):
        self.answers, self.asked = list(answers), []

    def fetch(self, request: Fetch) -> Fetched:
        self.asked.append(request)
        return Fetched(200, self.answers.pop(0))


def said(text: str) -> str:
    return "\n".join(
        f"{problem.where} | {problem.message} {problem.hint}"
        for problem in described.check_description(text).problems
    )


def test_example_on_the_page_is_a_complete_api_description():
    api = described.read(EXAMPLE)
    docs = {"response": {"docs": [{"hgnc_id": "HGNC:1", "symbol": "AB"}]}}
    fake = Fake(json.dumps(docs), json.dumps(docs))
    answer = agent.ask_api(api, agent.check_parameters(api, {"symbol": "AB"}), fake, token="t")
    assert [request.url for request in fake.asked] == [
        "https://rest.genenames.org/search/symbol/AB",
        "https://rest.genenames.org/fetch/hgnc_id/HGNC%3A1",
    ]
    assert (
        answer.reading.values == ("AB",)
        and answer.reading.hits[0].pointers["symbol"] == "/response/docs/0/symbol"
    )
    assert answer.reading.hits[0].id == "HGNC:1" and api.added


def test_no_second_request_follows_a_first_answer_without_names():
    api, fake = described.read(EXAMPLE), Fake('{"response": {"docs": []}}')
    answer = agent.ask_api(api, agent.check_parameters(api, {"symbol": "AB"}), fake)
    assert answer.reading.values == () and "no id to" in answer.reading.note


def test_every_mistake_is_named_with_its_line():
    text = (
        EXAMPLE.replace("title: HGNC", "titel: HGNC")
        .replace("base: https", "base: http")
        .replace("request:", "ask:")
    )
    assert [line.partition(" | ")[0] for line in said(text).splitlines()] == [
        *("request", "Line 2: titel", "Line 4: base", "Line 13: ask")
    ]
    title, *_ = (line for line in said(text).splitlines() if "titel" in line)
    assert "no such field" in title and "needed" in said(text).splitlines()[0]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("name: genenames", "name: ../x", "Line 1: name |"),
        ("/search/symbol/{symbol}", "/search/{nothing}", "{nothing} is not a parameter. The parameters are symbol."),  # noqa: E501
        ("/search/symbol/{symbol}", "/search/{symbol", "A brace { or } has no partner."),
        ("/search/symbol/{symbol}", "/a?x={symbol}", "What follows a ? goes under query."),
        ("/search/symbol/{symbol}", "/a#{symbol}", "no ?, # or spaces"),
        ("/search/symbol/{symbol}", "'@evil.org/{symbol}'", "Begin with /"),
        ("/search/symbol/{symbol}", "//evil.org/{symbol}", "No part of the path may be empty"),
        ("/search/symbol/{symbol}", "/../admin/{symbol}", "No part of the path may be empty, . or .."),  # noqa: E501
        ("/search/symbol/{symbol}", "/%2e%2e/{symbol}", "No part of the path may be empty, . or .."),  # noqa: E501
        ("type: string", "type: text", "Input should be 'string', 'integer'"),
        ('"^[A-Za-z0-9-]+$"', '"("', "Its pattern is not a regular expression"),
        ('"^[A-Za-z0-9-]+$"', '"(?=a)b"', "leave look-ahead"),
        ("required: true", "required: false", "The path needs symbol, which may be left empty."),
        ("required: true", "default: A!", "Its default does not fit it"),
        ("{symbol: TP53}", "{sym: TP53}", "This example does not fit the parameters: symbol"),
        ("  symbol:\n", "  model_config:\n", "model_config is reserved by this program."),
        ("  symbol:\n", "  schema:\n", "schema is reserved by this program."),
        (COMMENT, "token: HGNC\ntoken_header: Host", "A token cannot be sent as Host."),
        (COMMENT, 'token: HGNC\ntoken_prefix: "x\\r\\nHost: y"', "token_prefix"),
        ("value: symbol", "value: symbl", "symbl is not among the fields."),
        ("records: /response/docs", "records: response", "Line 19: answer.records | 'response' is not allowed here."),  # noqa: E501
        ("value: symbol", "value: symbol\n  total: \"header: Set-Cookie\"", "answer.total"),
        ("{format: json}", "{format: json, q: '{other}'}", "{other} is not a parameter."),
        ("documentation: What", "documentation: " + "x" * 50_001, "at most 50000 characters"),
    ],
)  # fmt: skip
def test_a_wrong_description_says_what_is_wrong(old: str, new: str, expected: str):
    assert old in EXAMPLE
    changed = EXAMPLE.replace(old, new, 1)
    assert expected in said(changed) and described.check_description(changed).api is None


@pytest.mark.parametrize(
    "base",
    [
        *(
            "http://rest.genenames.org",
            "https://127.0.0.1/x",
            "https://localhost",
            "https://user@host.org",
        ),
        *(
            "https://host.org:8443",
            "https://x.internal",
            "file:///etc",
            "https://[::1]/",
            "https://host",
            "//host.org",
        ),
        *(
            "https://2130706433/",
            "https://0x7f000001/",
            "https://127.1/",
            "https://0177.0.0.1/",
            "https://host.org./",
        ),
        *(
            "https://[::ffff:127.0.0.1]/",
            "https://host.org@evil.org/",
            "https://host.org?x=1",
            "https://host.org#x",
        ),
        *(
            "https://host.org/../x",
            "https://host.org/%2e%2e/x",
            "https://host.org\\@evil.org",
            "https://bücher.de",
        ),
        *(
            "https://host.org:443@evil.org",
            "javascript:alert(1)",
            "https://a.test",
            "https://",
            "https://host.org:x",
        ),
    ],
)
def test_only_public_https_hosts_can_be_described(base: str):
    with pytest.raises(InputError, match="base"):
        described.read(EXAMPLE.replace("https://rest.genenames.org", json.dumps(base)))


def test_a_value_cannot_leave_its_place_in_the_address():
    api = described.read(EXAMPLE.replace(PATTERN, ""))
    request = api.first(agent.check_parameters(api, {"symbol": "a/b?y=1#z@evil.org\r\nHost: x"}))
    assert (
        request.url
        == "https://rest.genenames.org/search/symbol/a%2Fb%3Fy%3D1%23z%40evil.org%0D%0AHost%3A%20x"
    )
    for symbol in ("..", "a/../../x", ".", "%2e%2e", "a\\..\\x"):
        with pytest.raises(InputError, match="change the path"):
            api.first(agent.check_parameters(api, {"symbol": symbol}))


def test_a_value_of_the_first_answer_cannot_leave_its_place_either():
    api = described.read(EXAMPLE)
    answer = Fetched(
        200, json.dumps({"response": {"docs": [{"hgnc_id": "../../x?key=1@evil.org"}]}})
    )
    with pytest.raises(InputError, match="change the path"):
        api.second(agent.check_parameters(api, {"symbol": "AB"}), answer)


@pytest.mark.parametrize(
    ("path", "leads"), [("/a/b", False), ("/a/../b", True), ("/a/.%2E", True), ("/a..b", False)]
)
def test_dots_that_lead_elsewhere(path: str, leads: bool):
    assert leads_elsewhere(path) is leads


PLAIN = """
name: plain
base: https://host.org/v1
parameters:
  ids: {type: list, enum: [1, 2, 3]}
  all: {type: boolean}
request:
  path: /x
  query: {id: "{ids}", all: "{all}"}
"""


def test_lists_go_with_commas_or_again_and_again():
    api = described.read(PLAIN)
    assert api.first(agent.check_parameters(api, {"ids": "1, 3"})).params == (("id", "1,3"),)
    assert api.first(agent.check_parameters(api, {"all": False})).params == (("all", "false"),)
    again = described.read(PLAIN.replace("path: /x", "path: /x\n  repeat: [id]"))
    assert again.first(agent.check_parameters(again, {"ids": ["1", "3"]})).params == (
        ("id", "1"),
        ("id", "3"),
    )
    with pytest.raises(InputError, match="ids"):
        agent.check_parameters(api, {"ids": "1,4"})


@pytest.mark.parametrize(
    ("answer", "records", "values", "pointer"),
    [
        ('[{"a": 1}, {"a": 2}]', "", ("1", "2"), "/0/a"),
        ('{"a": 1}', "", ("1",), "/a"),
        ('{"a": 1}', "/", ("1",), "/a"),  # as a person writes the whole answer
        ('{"r": {"a": 1}}', "/r", ("1",), "/r/a"),
        ('{"r": null}', "/r", (), ""),
        ('{"r": ["x", "y"]}', "/r", ("x", "y"), "/r/0"),
        ('{"q": [{"r": [{"a": true}]}]}', "/q/r", ("true",), "/q/0/r/0/a"),
    ],
)
def test_records_are_read_where_they_stand(answer: str, records: str, values: tuple, pointer: str):
    api = described.read(PLAIN + f"answer: {{records: {records!r}}}\n")
    reading = agent.ask_api(api, agent.check_parameters(api, {}), Fake(answer)).reading
    assert reading.values == values
    assert not pointer or reading.hits[0].pointers[reading.field] == pointer


@pytest.mark.parametrize("answer", ['{"a": []}', '"word"', "3", "<html>", "{", "", "[" * 100_000])
def test_an_answer_of_another_shape_is_a_bad_answer(answer: str):
    api = described.read(PLAIN + "answer: {records: /r}\n")
    with pytest.raises(BadAnswer):
        agent.ask_api(api, agent.check_parameters(api, {}), Fake(answer))
