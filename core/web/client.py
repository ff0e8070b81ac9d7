"""The Fetcher that goes out: time limit, size cap, retries, allowed hosts."""

from __future__ import annotations

import email.utils
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
from core.web.address import Pinned, Watched, below, is_public_address, origin, resolve_host
from core.web.pace import Breaker, Pace
from core.web.request import (
    Attempt,
    Fetch,
    Fetched,
    is_private_field,
    is_telling_secret,
    mask_secrets,
)

RETRIED = (429, 500, 502, 503, 504)
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
        pace: Pace | None = None,
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
            found, error = self._try(request, host)
            used += (seconds := time.monotonic() - began)
            if found is not None and found.status < 400:
                why = why or ("pace" if waited > 0.01 else "")
                return replace(found, waited=waited, why_waited=why, attempts=tuple(tried))
            why = (
                f"{host} answered {found.status}" if found is not None else f"{host} did not answer"
            )
            tried.append(found.attempt(why) if found is not None else Attempt(0, why, seconds))
            tried[-1] = replace(tried[-1], waited=paced)
            delay = self._delay(found, attempt)
            # the time limit is that of the request: a silent host is not given it again
            if delay is None or attempt == self.retries or used >= request.timeout:
                failed = error or self._explain(found, host)
                failed.attempts = tuple(tried)
                raise failed
            self.wait(delay, f"{why}; it is asked again")
            waited += delay
        raise AssertionError("unreachable")

    def check(self, url: str) -> str:
        """The host of an address that may be asked. Raises Refused."""
        parts = urlsplit(url)
        host = (parts.hostname or "").casefold()
        if origin(url) in self.own and not parts.username:
            return host
        if (
            parts.scheme != "https"
            or parts.username
            or parts.password
            or parts.port not in (None, 443)
        ):
            raise Refused(
                f"{mask_secrets(url, self.secrets)[:100]} is not asked:"
                " only plain https addresses are."
            )
        if host not in self.hosts:
            raise Refused(
                f"{host[:100] or 'An address without a host'} is not among the hosts that may be"
                " asked."
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
                raise Refused(f"{host} leads to the private address {address} and is not asked.")
        return resolved

    def _try(self, request: Fetch, host: str) -> tuple[Fetched | None, RemoteError | None]:
        try:
            found = self._send(request)
        except requests.Timeout:
            said = f"{host} did not answer within {request.timeout:.0f} seconds."
            error: RemoteError = Unreachable(said, "Try again later.")
        except requests.RequestException as trouble:
            error = Unreachable(
                f"{host} could not be reached ({_why(trouble)}).", "Check the network connection."
            )
        else:
            self.breaker.note(host, found.status not in RETRIED)
            return found, None
        self.breaker.note(host, False)
        return None, error

    def _send(self, request: Fetch) -> Fetched:
        start, url, hops = time.monotonic(), request.url, 0
        while True:
            with self._session().request(
                request.method,
                url,
                params=None if hops else [*request.params, *self._missing(request)],
                **_body(request),
                headers=dict((*self.headers, *self._headers(url), *request.headers)),
                timeout=request.timeout,
                stream=True,
                allow_redirects=False,
            ) as answer:
                self.pace.arrived()
                if answer.is_redirect and not self.redirects:
                    raise Refused(
                        f"{urlsplit(url).hostname} sends on to another address, which is not"
                        " followed."
                    )
                if answer.is_redirect and hops < 5 and request.method == "GET":
                    url, hops = urljoin(url, answer.headers["Location"]), hops + 1
                    self.check(url)
                    continue
                text, cut = _read(answer, request.max_bytes, start + request.timeout)
                seconds = time.monotonic() - start
                text = mask_secrets(
                    text, tuple(filter(is_telling_secret, self.secrets))
                )  # an error page may repeat what was sent
                return Fetched(answer.status_code, text, _shown(answer.headers), seconds, cut)

    @contextmanager
    def stream(
        self, url: str, headers: Sequence[tuple[str, str]] = (), timeout: float = 60.0
    ) -> Iterator[requests.Response]:
        """The answer to a GET while it streams, for downloads; hosts and redirects are checked as
        in `fetch`. Nothing is tried again. Raises Refused, Unreachable; status errors are the
        caller's.
        """
        host, hops = self.check(url), 0
        try:
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
                    url, hops = urljoin(url, answer.headers["Location"]), hops + 1
                    host = self.check(url)
        except requests.RequestException as error:
            raise Unreachable(
                f"{host} could not be reached ({_why(error)}).", "Check the network connection."
            ) from error

    def _headers(self, url: str) -> Sequence[tuple[str, str]]:
        found = next((given for base, given in self.by_header.items() if below(url, base)), ())
        return [(name, value) for name, value in found if value]

    def _missing(self, request: Fetch) -> list[tuple[str, str]]:
        if any(below(request.url, base) for base in self.by_header):
            return []
        form = request.data if isinstance(request.data, tuple) else ()
        there = {name for name, _ in (*request.params, *form)}
        return [(name, value) for name, value in self.added if value and name not in there]

    def _session(self) -> requests.Session:
        if not hasattr(self._sessions, "one"):
            session = requests.Session()
            session.trust_env = not self.own
            session.auth = _unchanged  # else a .netrc would take the place of a token
            session.mount("https://", Pinned(self._resolved))
            for scheme, host, port in self.own:
                session.mount(f"{scheme}://{host}:{port}", Watched())
                session.mount(f"{scheme}://{host}/", Watched())
            self._sessions.one = session
        return cast(requests.Session, self._sessions.one)

    def _delay(self, found: Fetched | None, attempt: int) -> float | None:
        """Seconds before the next try; None when trying again is no use."""
        if found is not None and found.status not in RETRIED:
            return None
        asked = retry_after(found.headers) if found is not None else None
        if asked is not None:
            return asked if asked <= LONGEST_WAIT else None
        return float(min(2**attempt, 30))

    def _explain(self, found: Fetched | None, host: str) -> RemoteError:
        assert found is not None
        said = mask_secrets(" ".join(found.text.split()), self.secrets)[:120]
        if found.status in (401, 403):
            return Unauthorised(
                f"{host} refused the request ({found.status}).", "Check the key in the environment."
            )
        if found.status == 429:
            asked = retry_after(found.headers)
            when = f" and asks to wait {asked:.0f} seconds" if asked else ""
            return RateLimited(f"{host} gets too many requests{when}.", "Try again later.")
        if found.status in (404, 405, 410, 501):
            return NotServed(f"{host} answered {found.status}: {said}")
        if found.status >= 500:
            return Unreachable(
                f"{host} has trouble of its own ({found.status}).", "Try again later."
            )
        return BadAnswer(f"{host} answered {found.status}: {said}")


def _unchanged(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds asked for by `Retry-After` (a number, or a date), or None."""
    value = {name.casefold(): value for name, value in headers.items()}.get(
        "retry-after", ""
    ).strip()
    if not value:
        return None
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    try:
        return max(email.utils.parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except ValueError:
        return None


def _body(request: Fetch) -> dict[str, Any]:
    if request.data is None:
        return {}
    if isinstance(request.data, dict | list):
        return {"json": request.data}
    body = request.data.encode("utf-8") if isinstance(request.data, str) else request.data
    return {"data": list(body) if isinstance(body, tuple) else body}


def _read(answer: requests.Response, cap: int, deadline: float) -> tuple[str, bool]:
    """The body up to `cap` bytes, and whether there was more; a body that drips past the deadline
    is a timeout.
    """
    parts, size = [], 0
    for part in answer.iter_content(65536):
        parts.append(part)
        size += len(part)
        if size > cap:
            break
        if time.monotonic() > deadline:
            raise requests.Timeout
    charset = answer.encoding if "charset" in answer.headers.get("Content-Type", "") else "utf-8"
    try:
        return b"".join(parts)[:cap].decode(charset or "utf-8", "replace"), size > cap
    except LookupError:
        return b"".join(parts)[:cap].decode("utf-8", "replace"), size > cap


_KEPT = (
    "content-type",
    "retry-after",
    "content-length",
    "last-modified",
    "x-ratelimit-remaining",
    "location",
)


def _shown(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.casefold(): value for name, value in headers.items() if name.casefold() in _KEPT}


def _why(error: requests.RequestException) -> str:
    """One word of what went wrong: never the address, which may hold a key."""
    names = {
        "SSLError": "its certificate is not valid",
        "ConnectionError": "connection refused or dropped",
    }
    return names.get(type(error).__name__, "the answer broke off")
