"""The Fetcher that goes out: time limit, size cap, retries, allowed hosts.

The session of the HTTP package, without what it would do by itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import replace
from typing import Any, cast
from urllib.parse import urljoin, urlsplit

import requests

from core.errors import (
    BadAnswer,
    NotServed,
    RateLimited,
    Refused,
    RemoteError,
    Unauthorised,
    Unreachable,
)
from core.text.retry_after import retry_after
from core.web.address import (
    OperatorAdapter,
    PinnedAdapter,
    is_below,
    is_public_address,
    origin,
    resolve_host,
)
from core.web.deadline import Deadline
from core.web.pace import Breaker, JointPace, Pace
from core.web.request import (
    Attempt,
    Fetch,
    Fetched,
    is_private_field,
    is_telling_secret,
    mask_secrets,
)
from core.web.response_body import kept_headers, read_body


class OwnSession(requests.Session):
    """Follows no redirect, and does not look where one leads: the client checks that, and an
    address that is none would raise in the package.
    """

    def resolve_redirects(self, *all: Any, **named: Any) -> Iterator[Any]:
        return iter(())


def new_session(
    resolve: Callable[..., Sequence[str]], own: Iterable[tuple[str, str, int]]
) -> requests.Session:
    """One that connects to the addresses that `resolve` gives, and to the operator's `own`."""
    own = tuple(own)
    session = OwnSession()
    session.trust_env = not own
    session.auth = _unchanged  # else a .netrc would take the place of a token
    session.mount("https://", PinnedAdapter(resolve))
    for scheme, host, port in own:
        session.mount(f"{scheme}://{host}:{port}", OperatorAdapter())
        session.mount(f"{scheme}://{host}/", OperatorAdapter())
    return session


def _unchanged(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


RETRIED = (429, 500, 502, 503, 504)
LONGEST_STREAM = 4 * 3600.0  # seconds: a download that takes longer is resumed, not waited for
LONGEST_WAIT = 120.0  # seconds: a longer Retry-After is an error for a person to read


class WebClient:
    """The Fetcher that goes out.

    `hosts` are names that may be asked over https; `own` are base URLs set by the operator, which
    may be plain http and private addresses. `added` are parameters sent with every request (tool,
    e-mail, key), never stored; below the base URLs of `by_header` these headers go out in their
    place. `redirects`: whether any is followed.
    """

    def __init__(
        self,
        hosts: Sequence[str] = (),
        own: Sequence[str] = (),
        *,
        interval: float = 0.0,
        pace: Pace | JointPace | None = None,
        retries: int = 3,
        added: Sequence[tuple[str, str]] = (),
        by_header: Mapping[str, Sequence[tuple[str, str]]] | None = None,
        redirects: bool = True,
        headers: Sequence[tuple[str, str]] = (),
        secrets: Sequence[str] = (),
        breaker: Breaker | None = None,
        sleep: Callable[[float], None] = time.sleep,
        resolve: Callable[[str, int], Sequence[str]] | None = None,
        user_agent: str = "groundwork (a curation desk)",
    ):
        self.hosts = frozenset(host.casefold() for host in hosts)
        self.own = frozenset(origin(url) for url in own if url)
        self.pace = pace or Pace(interval, sleep=sleep)
        self.retries, self.sleep, self.breaker = retries, sleep, breaker or Breaker()
        self.added, self.headers = tuple(added), (("User-Agent", user_agent), *headers)
        self.by_header, self.redirects = dict(by_header or {}), redirects
        self.secrets = (*secrets, *(value for name, value in added if is_private_field(name)))
        self.resolve = resolve or resolve_host
        self.wait: Callable[[float, str], None] = lambda seconds, why: self.sleep(seconds)
        self._sessions = threading.local()

    def waiting(self, wait: Callable[[float, str], None]) -> WebClient:
        """This client for one piece of work, with the same pace: `wait(seconds, why)` takes the
        place of a plain sleep before a next try, so that the wait is seen and can be stopped.
        """
        path = copy(self)
        path.wait = wait
        return path

    def fetch(self, request: Fetch) -> Fetched:
        """One request, tried again after 429, 5xx and dropped connections. The answer's status is
        below 400.
        """
        host = self.check(request.url)
        self.breaker.check(host)
        waited, why, used = 0.0, "", 0.0
        tried: list[Attempt] = []
        for attempt in range(self.retries + 1):
            paced, began = self.pace.wait(), time.monotonic()
            waited += paced
            answer, error = self._try(request, host, request.timeout - used)
            used += (seconds := time.monotonic() - began)
            if answer is not None and answer.status < 400:
                why = why or ("pace" if waited > 0.01 else "")
                return replace(answer, waited=waited, why_waited=why, attempts=tuple(tried))
            why = (
                f"{host} answered {answer.status}"
                if answer is not None
                else f"{host} did not answer"
            )
            tried.append(answer.attempt(why) if answer is not None else Attempt(0, why, seconds))
            tried[-1] = replace(tried[-1], waited=paced)
            delay = self._delay(answer, attempt)
            # the time limit is that of the request and of all its tries together, waits aside
            if delay is None or attempt == self.retries or used >= request.timeout:
                failed = error or self._explain(answer, host)
                failed.attempts = tuple(tried)
                raise failed
            self.wait(delay, f"{why}; trying again")
            waited += delay
        raise AssertionError("unreachable")

    def check(self, url: str) -> str:
        """The host of an address that may be asked. Raises Refused."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise Refused(
                f"{mask_secrets(url, self.secrets)[:100]} is not a web address."
            ) from None
        host = (parts.hostname or "").casefold()
        if origin(url) in self.own and not parts.username:
            return host
        if parts.scheme != "https" or parts.username or parts.password or port not in (None, 443):
            raise Refused(
                f"{mask_secrets(url, self.secrets)[:100]} is not used:"
                " only plain https addresses are."
            )
        if host not in self.hosts:
            raise Refused(
                f"{host[:100] or 'An address without a host'} is not among the hosts that may"
                " be used."
            )
        self._resolved(host)
        return host

    def _resolved(self, host: str, port: int = 443) -> Sequence[str]:
        """The addresses of a host. Raises Refused when one of them is not on the open internet."""
        try:
            resolved = self.resolve(host, port)
        except OSError as error:
            raise Unreachable(
                f"{host} cannot be found.", "Check the network connection."
            ) from error
        for address in resolved:
            if not is_public_address(address):
                raise Refused(f"{host} leads to the private address {address} and is not used.")
        return resolved

    def _try(
        self, request: Fetch, host: str, seconds: float
    ) -> tuple[Fetched | None, RemoteError | None]:
        try:
            answer = self._within(request, seconds)
        except requests.Timeout:
            message = f"{host} did not answer within {request.timeout:.0f} seconds."
            error: RemoteError = Unreachable(message, "Try again later.")
        except requests.RequestException as trouble:
            error = Unreachable(
                f"{host} could not be reached ({_why(trouble)}).", "Check the network connection."
            )
        else:
            self.breaker.note(host, answer.status not in RETRIED)
            return answer, None
        self.breaker.note(host, False)
        return None, error

    def _within(self, request: Fetch, seconds: float) -> Fetched:
        """One try in at most these seconds. Raises requests.Timeout, and what `_send` raises."""
        with Deadline(seconds) as deadline:
            try:
                fetched = self._send(request, deadline)
            except (requests.RequestException, OSError) as trouble:
                if deadline.passed:
                    raise requests.Timeout from trouble
                raise
        if deadline.passed:  # a body without a stated length only ends when it is shut
            raise requests.Timeout
        return fetched

    def _send(self, request: Fetch, deadline: Deadline) -> Fetched:
        start, url, hops = time.monotonic(), request.url, 0
        while True:
            with self._session().request(
                request.method,
                url,
                params=None if hops else [*request.params, *self._missing(request)],
                **_body(request),
                headers=dict((*self.headers, *self._headers(url), *request.headers)),
                timeout=deadline.left(),
                stream=True,
                allow_redirects=False,
            ) as answer:
                self.pace.arrived()
                if answer.is_redirect and not self.redirects:
                    raise Refused(
                        f"{urlsplit(url).hostname} redirects to another address, which is not "
                        "followed."
                    )
                if answer.is_redirect and hops < 5 and request.method == "GET":
                    url, hops = self._redirected(url, answer), hops + 1
                    continue
                text, cut = read_body(answer, request.max_bytes)
                seconds = time.monotonic() - start
                text = mask_secrets(
                    text, tuple(filter(is_telling_secret, self.secrets))
                )  # an error page may repeat what was sent
                return Fetched(
                    answer.status_code, text, kept_headers(answer.headers), seconds=seconds, cut=cut
                )

    @contextmanager
    def stream(
        self,
        url: str,
        headers: Sequence[tuple[str, str]] = (),
        timeout: float = 60.0,
        longest: float = LONGEST_STREAM,
    ) -> Iterator[requests.Response]:
        """The answer to a GET while it streams, for downloads; hosts and redirects are checked as
        in `fetch`. Nothing is tried again. `timeout` is for each piece, `longest` for all of it,
        both in seconds. Raises Refused, Unreachable; status errors are the caller's.
        """
        host, deadline = self.check(url), Deadline(longest)
        try:
            with deadline:
                yield from self._streamed(url, headers, timeout)
        except requests.RequestException as error:
            if not deadline.passed:
                raise Unreachable(
                    f"{host} could not be reached ({_why(error)}).", "Check the network connection."
                ) from error
        if deadline.passed:
            raise Unreachable(
                f"{host} did not send the whole answer within {longest:,.0f} seconds.",
                "Try again later.",
            )

    def _streamed(
        self, url: str, headers: Sequence[tuple[str, str]], timeout: float
    ) -> Iterator[requests.Response]:
        hops = 0
        while True:
            with self._session().get(
                url,
                headers=dict((*self.headers, *self._headers(url), *headers)),
                timeout=timeout,
                stream=True,
                allow_redirects=False,
            ) as answer:
                if not answer.is_redirect or hops == 5:
                    yield answer
                    return
                url, hops = self._redirected(url, answer), hops + 1

    def _redirected(self, url: str, answer: requests.Response) -> str:
        """The address that an answer leads to. Raises Refused."""
        location = answer.headers["Location"]
        with suppress(ValueError):  # no web address, which `check` says
            location = urljoin(url, location)
        self.check(location)
        return location

    def _headers(self, url: str) -> Sequence[tuple[str, str]]:
        headers = next(
            (base_headers for base, base_headers in self.by_header.items() if is_below(url, base)),
            (),
        )
        return [(name, value) for name, value in headers if value]

    def _missing(self, request: Fetch) -> list[tuple[str, str]]:
        if any(is_below(request.url, base) for base in self.by_header):
            return []
        form = request.data if isinstance(request.data, tuple) else ()
        sent_names = {name for name, _ in (*request.params, *form)}
        return [(name, value) for name, value in self.added if value and name not in sent_names]

    def _session(self) -> requests.Session:
        if not hasattr(self._sessions, "one"):
            self._sessions.one = new_session(self._resolved, self.own)
        return cast(requests.Session, self._sessions.one)

    def _delay(self, answer: Fetched | None, attempt: int) -> float | None:
        """Seconds before the next try; None when trying again is no use."""
        if answer is not None and answer.status not in RETRIED:
            return None
        seconds = retry_after(answer.headers) if answer is not None else None
        if seconds is not None:
            return seconds if seconds <= LONGEST_WAIT else None
        return float(min(2**attempt, 30))

    def _explain(self, answer: Fetched | None, host: str) -> RemoteError:
        assert answer is not None
        excerpt = mask_secrets(" ".join(answer.text.split()), self.secrets)[:120]
        if answer.status in (401, 403):
            return Unauthorised(
                f"{host} refused the request ({answer.status}).",
                "Check the key in the environment.",
            )
        if answer.status == 429:
            seconds = retry_after(answer.headers)
            when = f" and asks to wait {seconds:.0f} seconds" if seconds else ""
            return RateLimited(f"{host} is getting too many requests{when}.", "Try again later.")
        if answer.status in (404, 405, 410, 501):
            return NotServed(f"{host} answered {answer.status}: {excerpt}")
        if answer.status >= 500:
            return Unreachable(
                f"{host} reports an internal error ({answer.status}).", "Try again later."
            )
        return BadAnswer(f"{host} answered {answer.status}: {excerpt}")


def _body(request: Fetch) -> dict[str, Any]:
    if request.data is None:
        return {}
    if isinstance(request.data, dict | list):
        return {"json": request.data}
    body = request.data.encode("utf-8") if isinstance(request.data, str) else request.data
    return {"data": list(body) if isinstance(body, tuple) else body}


def _why(error: requests.RequestException) -> str:
    """One word of what went wrong: never the address, which may hold a key."""
    names = {
        "SSLError": "its certificate is not valid",
        "ConnectionError": "connection refused or dropped",
    }
    return names.get(type(error).__name__, "the answer broke off")
