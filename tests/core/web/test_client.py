from __future__ import annotations

import multiprocessing
import socket
import threading
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request as Asked
from werkzeug import Response

from core.errors import BadAnswer, RateLimited, Refused, Unauthorised, Unreachable
from core.text.retry_after import retry_after
from core.web import Breaker, Fetch, Fetched, Pace, WebClient, mask_secrets, masked_url


class Clock:
    def __init__(self) -> None:
        self.now, self.slept = 1000.0, []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(httpserver: HTTPServer, clock: Clock) -> WebClient:
    return WebClient(own=[httpserver.url_for("/")], sleep=clock.sleep, breaker=Breaker(clock=clock))


def test_an_answer_has_status_text_and_time(httpserver: HTTPServer, client: WebClient) -> None:
    httpserver.expect_request("/a", query_string={"term": "β catenin"}).respond_with_data(
        "grün", content_type="text/plain; charset=utf-8"
    )
    fetched = client.fetch(Fetch(httpserver.url_for("/a"), params=(("term", "β catenin"),)))
    assert (fetched.status, fetched.text, fetched.cut) == (200, "grün", False)
    assert fetched.seconds > 0
    assert fetched.headers["content-type"].startswith("text/plain")


def test_a_form_and_json_are_posted(httpserver: HTTPServer, client: WebClient) -> None:
    httpserver.expect_request("/form", method="POST", data="a=1&b=2").respond_with_data("form")
    httpserver.expect_request("/json", method="POST", json={"a": 1}).respond_with_data("json")
    form = Fetch(httpserver.url_for("/form"), "POST", data=(("a", "1"), ("b", "2")))
    assert client.fetch(form).text == "form"
    assert client.fetch(Fetch(httpserver.url_for("/json"), "POST", data={"a": 1})).text == "json"


def test_wait_before_the_next_try_is_shown_to_who_waits(
    httpserver: HTTPServer, client: WebClient
) -> None:
    httpserver.expect_ordered_request("/").respond_with_data("slow down", 429, {"Retry-After": "7"})
    httpserver.expect_ordered_request("/").respond_with_data("good")
    waits: list[tuple[float, str]] = []
    mine = client.waiting(lambda seconds, why: waits.append((seconds, why)))
    assert mine.fetch(Fetch(httpserver.url_for("/"))).waited == 7
    assert [(seconds, why.partition(" ")[2]) for seconds, why in waits] == [
        (7, "answered 429; trying again")
    ]
    assert mine.pace is client.pace and mine.breaker is client.breaker


def test_a_body_longer_than_the_cap_is_cut(httpserver: HTTPServer, client: WebClient) -> None:
    httpserver.expect_request("/").respond_with_data("x" * 300_000)
    fetched = client.fetch(Fetch(httpserver.url_for("/"), max_bytes=1000))
    assert (len(fetched.text), fetched.cut) == (1000, True)


def test_web_client_waits_as_long_as_the_server_asks(
    httpserver: HTTPServer, client: WebClient, clock: Clock
) -> None:
    httpserver.expect_ordered_request("/").respond_with_data("slow down", 429, {"Retry-After": "7"})
    httpserver.expect_ordered_request("/").respond_with_data("ok")
    fetched = client.fetch(Fetch(httpserver.url_for("/")))
    assert (fetched.text, clock.slept, fetched.waited) == ("ok", [7.0], 7.0)
    assert "429" in fetched.why_waited


def test_web_client_backs_off_from_a_failing_server(
    httpserver: HTTPServer, client: WebClient, clock: Clock
) -> None:
    for _ in range(4):
        httpserver.expect_ordered_request("/").respond_with_data("no", 500)
    with pytest.raises(Unreachable, match="an internal error"):
        client.fetch(Fetch(httpserver.url_for("/")))
    assert clock.slept == [1.0, 2.0, 4.0]


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, Unauthorised),
        (403, Unauthorised),
        (404, BadAnswer),
        (400, BadAnswer),
        (429, RateLimited),
    ],
)
def test_a_refusal_is_explained_in_words(
    httpserver: HTTPServer, client: WebClient, status: int, error: type
) -> None:
    httpserver.expect_request("/").respond_with_data("because", status, {"Retry-After": "9999"})
    with pytest.raises(error, match="localhost"):
        client.fetch(Fetch(httpserver.url_for("/")))
    assert len(httpserver.log) == 1


def test_no_key_is_in_any_message_or_shown_address(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/").respond_with_data("bad key sk-1 of me@x.org", 400)
    added = [("api_key", "sk-1"), ("email", "me@x.org"), ("tool", "groundwork")]
    client = WebClient(own=[httpserver.url_for("/")], added=added)
    request = Fetch(httpserver.url_for("/?key=abc"), params=(("api_key", "sk-1"), ("term", "x")))
    with pytest.raises(BadAnswer) as caught:
        client.fetch(request)
    assert "sk-1" not in str(caught.value)
    assert "me@x.org" not in str(caught.value)
    assert masked_url(request).endswith("/?key=***&api_key=***&term=x")
    sent = httpserver.log[0][0]
    assert (sent.args["api_key"], sent.args["email"], sent.args["tool"]) == (
        "sk-1",
        "me@x.org",
        "groundwork",
    )


def test_a_refused_connection_is_reported_without_the_address(clock: Clock) -> None:
    client = WebClient(own=["http://127.0.0.1:9"], sleep=clock.sleep)
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1 could not") as caught:
        client.fetch(Fetch("http://127.0.0.1:9/x", params=(("api_key", "sk-1"),)))
    assert "sk-1" not in str(caught.value)
    assert len(clock.slept) == 3


def test_a_slow_answer_is_a_timeout(httpserver: HTTPServer, clock: Clock) -> None:
    over = threading.Event()
    httpserver.expect_request("/").respond_with_handler(
        lambda _: Response("late") if over.wait(5) else Response("")
    )
    client = WebClient(own=[httpserver.url_for("/")], retries=0, sleep=clock.sleep)
    with pytest.raises(Unreachable, match="within 0 seconds"):
        client.fetch(Fetch(httpserver.url_for("/"), timeout=0.05))
    over.set()


@pytest.mark.parametrize(
    "url",
    [
        "http://good.org/",
        "https://evil.org/",
        "https://good.org:8443/",
        "https://user@good.org/",
        "https://good.org@evil.org/",
        "file:///etc/passwd",
        "ftp://good.org/",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/",
        "",
        "javascript:alert(1)",
        "https://GOOD.org.evil.org/",
        "https://good.org./",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://127.1/",
        "https://[::ffff:7f00:1]/",
        "https://:secret@good.org/",
        "https://good.org\\@evil.org/",
        "https://evil.org#good.org",
        "https://evil.org?good.org",
    ],
)
def test_web_client_asks_only_its_own_host_and_https(url: str) -> None:
    with pytest.raises(Refused):
        WebClient(["good.org"], resolve=lambda host, port: ["93.184.216.34"]).check(url)


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.1.2.3",
            "192.168.0.1",
            "169.254.169.254",
            "::1",
            "fe80::1",
            "fd00::1",
            "0.0.0.0",
        ),
        *(
            "100.64.0.1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "::127.0.0.1",
            "fec0::1",
        ),
        *("224.0.0.1", "240.0.0.1", "ff02::1", "192.0.2.1"),
    ],
)
def test_a_name_that_leads_inside_is_refused(address: str) -> None:
    with pytest.raises(Refused, match="private"):
        WebClient(["good.org"], resolve=lambda host, port: ["93.184.216.34", address]).check(
            "https://good.org/"
        )
    assert (
        WebClient(["good.org"], resolve=lambda host, port: ["93.184.216.34"]).check(
            "https://Good.org/a"
        )
        == "good.org"
    )


class Door:
    """Where connections would go; none is made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.tried: list[tuple[str, int]] = []
        monkeypatch.setattr("urllib3.util.connection.create_connection", self.connect)
        for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.delenv(name, raising=False)

    def connect(self, address: tuple[str, int], *arguments: object, **named: object) -> None:
        self.tried.append(address)
        raise OSError("nobody is there")


def test_a_name_that_leads_elsewhere_a_moment_later_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    door, turns = Door(monkeypatch), iter([["93.184.216.34"], ["127.0.0.1"]])
    web = WebClient(["good.org"], retries=0, resolve=lambda host, port: next(turns))
    with pytest.raises(Refused, match="private"):
        web.fetch(Fetch("https://good.org/"))
    assert door.tried == []


def test_web_client_connects_to_the_checked_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    door = Door(monkeypatch)
    web = WebClient(
        ["good.org"], retries=0, resolve=lambda host, port: ["2606:2800:220:1::1", "93.184.216.34"]
    )
    with pytest.raises(Unreachable, match=r"good\.org could not"):
        web.fetch(Fetch("https://good.org/"))
    assert door.tried == [("2606:2800:220:1::1", 443), ("93.184.216.34", 443)]


def test_a_proxy_of_the_operator_s_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        heard: list[bytes] = []

        def listen() -> None:
            line, _ = proxy.accept()
            with line:
                heard.append(line.recv(1000))

        listening = threading.Thread(target=listen, daemon=True)
        listening.start()
        with pytest.raises(Unreachable):
            web = WebClient(["good.org"], retries=0, resolve=lambda host, port: ["93.184.216.34"])
            web.fetch(Fetch("https://good.org/"))
        listening.join(5)
    assert heard[0].startswith(b"CONNECT good.org:443 ")


def test_netrc_file_does_not_replace_a_token(
    httpserver: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("default login me password other\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    httpserver.expect_request("/").respond_with_handler(
        lambda asked: Response(asked.headers["Authorization"])
    )
    web = WebClient(own=[httpserver.url_for("/")])
    web._session().trust_env = True
    assert (
        web.fetch(Fetch(httpserver.url_for("/"), headers=(("Authorization", "Bearer t"),))).text
        == "Bearer t"
    )


def test_a_redirect_off_the_allowed_hosts_is_not_followed(
    httpserver: HTTPServer, client: WebClient
) -> None:
    for number, there in enumerate(
        ("http://169.254.169.254/", "https://evil.org/", "file:///etc/passwd")
    ):
        httpserver.expect_request(f"/{number}").respond_with_data("", 302, {"Location": there})
        with pytest.raises(Refused):
            client.fetch(Fetch(httpserver.url_for(f"/{number}")))


def test_a_redirect_within_them_is_followed(httpserver: HTTPServer, client: WebClient) -> None:
    httpserver.expect_request("/old").respond_with_data("", 302, {"Location": "/new"})
    httpserver.expect_request("/new").respond_with_data("here")
    assert client.fetch(Fetch(httpserver.url_for("/old"))).text == "here"


def test_a_host_that_answers_again_is_asked_again_at_once() -> None:
    breaker = Breaker(limit=2)
    for good in (False, False, True):  # a request that was under way when the limit was reached
        breaker.note("a.example", good)
    breaker.check("a.example")


def test_after_failures_in_a_row_a_host_is_left_alone(
    httpserver: HTTPServer, client: WebClient, clock: Clock
) -> None:
    httpserver.expect_request("/").respond_with_data("no", 500)
    for _ in range(2):
        with pytest.raises(Unreachable):
            client.fetch(Fetch(httpserver.url_for("/")))
    asked = len(httpserver.log)
    with pytest.raises(Unreachable, match="not asked again"):
        client.fetch(Fetch(httpserver.url_for("/")))
    assert len(httpserver.log) == asked
    clock.now += 120
    httpserver.clear()
    httpserver.expect_request("/").respond_with_data("well again")
    assert client.fetch(Fetch(httpserver.url_for("/"))).text == "well again"


def test_requests_keep_their_distance(clock: Clock) -> None:
    pace = Pace(0.4, clock=clock, sleep=clock.sleep)
    assert [round(pace.wait(), 3) for _ in range(3)] == [0.0, 0.4, 0.4]
    clock.now += 5
    assert pace.wait() == 0.0


def test_an_answer_that_begins_lets_the_next_follow_unless_another_went_before(
    clock: Clock,
) -> None:
    pace = Pace(0.4, travel=0.15, clock=clock, sleep=clock.sleep)
    pace.wait()
    pace.arrived()
    assert round(pace.wait(), 3) == 0.4  # the answer was there at once
    assert round(pace.wait(), 3) == 0.55  # no answer yet: it may still be on its way

    other = threading.Thread(target=pace.wait)
    other.start()
    other.join()
    pace.arrived()  # of the request before the other's
    assert round(pace.wait(), 3) == 0.55


def test_pace_is_shared_by_two_clients_through_a_file(tmp_path: Path, clock: Clock) -> None:
    first_client, second_client = (
        Pace(0.4, tmp_path / "pace", clock=clock, sleep=clock.sleep) for _ in range(2)
    )
    assert [
        round(pace.wait(), 3) for pace in (first_client, second_client, first_client, second_client)
    ] == [0.0, 0.4, 0.4, 0.4]


def _take(file: Path, times: int, moments: Path) -> None:
    import time

    pace = Pace(0.02, file)
    for _ in range(times):
        pace.wait()
        with moments.open("a") as lines:
            lines.write(f"{time.time()}\n")


def test_two_processes_keep_one_pace(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    files = [tmp_path / name for name in ("one", "other")]
    both = [spawn.Process(target=_take, args=(tmp_path / "pace", 8, file)) for file in files]
    for process in both:
        process.start()
    for process in both:
        process.join(30)
    moments_in_order = sorted(float(at) for file in files for at in file.read_text().split())
    assert len(moments_in_order) == 16
    assert moments_in_order[-1] - moments_in_order[0] >= 15 * 0.02 - 0.03


def test_a_broken_pace_file_or_a_clock_set_back_does_not_stop_the_desk(
    tmp_path: Path, clock: Clock
) -> None:
    (tmp_path / "pace").write_text("nonsense")
    assert Pace(0.4, tmp_path / "pace", clock=clock, sleep=clock.sleep).wait() == 0.0
    (tmp_path / "pace").write_text(str(clock.now + 86_400))
    assert Pace(0.4, tmp_path / "pace", clock=clock, sleep=clock.sleep).wait() == 0.0


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7.0), ("0.5", 0.5), ("", None), ("soon", None), ("-3", 0.0)]
)
def test_retry_after_is_read(header: str, seconds: float | None) -> None:
    assert retry_after({"Retry-After": header}) == seconds


def test_retry_after_may_be_a_date() -> None:
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


def test_a_cut_or_broken_answer_says_so_when_read_as_json() -> None:
    with pytest.raises(BadAnswer, match="was cut off"):
        Fetched(200, '{"a": ', cut=True).json()
    with pytest.raises(BadAnswer, match="is not JSON"):
        Fetched(200, "<html>").json()
    with pytest.raises(BadAnswer, match="is not JSON"):
        Fetched(200, "[" * 100_000).json()


def test_a_secret_is_masked_as_addresses_and_pages_write_it() -> None:
    pages = ("a%2bb%40x.org", "a%2Bb%40x.org", "a%252Bb%2540x.org", "a+b@x.org")
    assert [mask_secrets(page, ("a+b@x.org",)) for page in pages] == ["***"] * 4


def test_keys_in_a_servers_error_are_masked_before_it_is_shortened(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/bad").respond_with_data("x" * 115 + "me%40lab.org 0123456789", 400)
    httpserver.expect_request("/good").respond_with_data("key 0123456789 of me@lab.org")
    web = WebClient(
        own=[httpserver.url_for("/")], added=(("api_key", "0123456789"), ("email", "me@lab.org"))
    )
    assert web.fetch(Fetch(httpserver.url_for("/good"))).text == "key *** of ***"
    with pytest.raises(BadAnswer) as caught:
        web.fetch(Fetch(httpserver.url_for("/bad")))
    assert "*** *" in str(caught.value)


def test_longer_secrets_are_masked_before_their_parts() -> None:
    assert mask_secrets("key abcdef and abc", ("abc", "abcdef", "")) == "key *** and ***"


def test_a_header_given_goes_with_the_request(httpserver: HTTPServer, client: WebClient) -> None:
    def answer(request: Asked) -> Response:
        return Response(f"{request.headers['X-Own']} {request.headers['User-Agent']}")

    httpserver.expect_request("/").respond_with_handler(answer)
    fetched = client.fetch(Fetch(httpserver.url_for("/"), headers=(("X-Own", "yes"),)))
    assert fetched.text.startswith("yes groundwork")


def test_redirect_within_the_host_is_refused_where_none_is_allowed(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/old").respond_with_data("", 302, {"Location": "/new"})
    with pytest.raises(Refused, match="not followed"):
        WebClient(own=[httpserver.url_for("/")], redirects=False).fetch(
            Fetch(httpserver.url_for("/old"))
        )
    assert len(httpserver.log) == 1


def test_an_address_that_takes_its_key_in_a_header_gets_no_parameters(
    httpserver: HTTPServer,
) -> None:
    httpserver.expect_request("/data/v2/gene").respond_with_data("one")
    httpserver.expect_request("/other").respond_with_data("two")
    web = WebClient(
        own=[httpserver.url_for("/")],
        added=[("api_key", "k"), ("email", "a@b.c"), ("tool", "t")],
        by_header={httpserver.url_for("/data/v2"): [("api-key", "k")]},
    )
    web.fetch(Fetch(httpserver.url_for("/data/v2/gene")))
    web.fetch(Fetch(httpserver.url_for("/other")))
    (first, _), (second, _) = httpserver.log
    assert first.query_string == b"" and first.headers["api-key"] == "k"
    assert b"api_key=k" in second.query_string and "api-key" not in second.headers


def test_a_silent_host_is_not_given_its_time_limit_again(
    httpserver: HTTPServer, clock: Clock
) -> None:
    over, asked = threading.Event(), list[int]()

    def silent(_: object) -> Response:
        asked.append(1)
        over.wait(5)
        return Response("")

    httpserver.expect_request("/").respond_with_handler(silent)
    client = WebClient(own=[httpserver.url_for("/")], retries=3, sleep=clock.sleep)
    with pytest.raises(Unreachable) as caught:
        client.fetch(Fetch(httpserver.url_for("/"), timeout=0.05))
    over.set()
    assert len(asked) == 1 and [attempt.status for attempt in caught.value.attempts] == [0]


def test_web_client_records_what_each_try_got(httpserver: HTTPServer, clock: Clock) -> None:
    httpserver.expect_ordered_request("/").respond_with_data("busy", 503)
    httpserver.expect_ordered_request("/").respond_with_data("good")
    fetched = WebClient(own=[httpserver.url_for("/")], sleep=clock.sleep).fetch(
        Fetch(httpserver.url_for("/"))
    )
    assert [(attempt.status, attempt.size, attempt.body) for attempt in fetched.attempts] == [
        (503, 4, "busy")
    ]
