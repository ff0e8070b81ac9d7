"""The one HTTP client: time limit, size cap, retries, allowed hosts, a shared pace and a circuit breaker.

Only https and only allowed hosts are asked, unless the operator set a base URL of their own; no redirect leaves
them, and no name that resolves to a private, loopback or link-local address is followed. Nothing here knows what it
fetches. Seconds and bytes throughout.
"""

from __future__ import annotations

import email.utils
import hashlib
import ipaddress
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, Protocol
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError

from core.errors import BadAnswer, NotServed, RateLimited, Refused, RemoteError, Unauthorised, Unreachable
from core.model import Json

MASK = "***"
PRIVATE = ("api_key", "apikey", "key", "token", "access_token", "email", "tool_email", "password")
RETRIED = (429, 500, 502, 503, 504)
LONGEST_WAIT = 120.0  # seconds: a longer Retry-After is an error for a person to read


@dataclass(frozen=True, slots=True)
class Fetch:
    """A request. `params` and `headers` are (name, value) pairs in order; `path` is its place in the run's tree.

    `data` is a form (pairs), JSON (dict or list), a text body, or bytes, which are on record by their digest.
    `fresh`: never answered from the cache (polling).
    """

    url: str
    method: str = "GET"
    params: tuple[tuple[str, str], ...] = ()
    data: Any = None
    headers: tuple[tuple[str, str], ...] = ()
    kind: str = "api"
    path: str = ""
    max_bytes: int = 5_000_000
    timeout: float = 30.0
    fresh: bool = False

    def payload(self) -> Json:
        """The request as JSON without keys, e-mail addresses and its place: what is stored, shown and hashed."""
        parts = urlsplit(self.url)
        params = [*parse_qsl(parts.query, keep_blank_values=True), *self.params]
        data = [list(pair) for pair in self.data] if isinstance(self.data, tuple) else self.data
        if isinstance(data, bytes):
            data = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        return {
            "method": self.method,
            "url": urlunsplit(parts._replace(query="", fragment="")),
            "params": [[name, value] for name, value in params if not private(name)],
            "data": [pair for pair in data if not private(pair[0])] if isinstance(self.data, tuple) else data,
        }


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer. `seconds` from sending to the last byte, `waited` before that and why; `cut` when the body was longer
    than the cap. `call` is the id of the stored Call, `reused` that of the earlier call whose answer this is."""

    status: int
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    cut: bool = False
    call: str = ""
    waited: float = 0.0
    why_waited: str = ""
    reused: str = ""

    def json(self) -> Json:
        """The body as JSON. Raises BadAnswer."""
        try:
            return json.loads(self.text)
        except ValueError as error:
            what = "was cut off" if self.cut else "is not JSON"
            raise BadAnswer(f"The answer {what}: {self.text[:80]!r}.", "Try again later.") from error


class Fetcher(Protocol):
    """Anything that answers a Fetch. Raises the RemoteError tree, or Refused for an address that is not allowed."""

    def fetch(self, request: Fetch) -> Fetched: ...


def private(name: str) -> bool:
    """Whether a parameter or header holds a key or a person's address."""
    return name.casefold().replace("-", "_") in (*PRIVATE, "authorization", "x_api_key", "cookie")


def mask(text: str, secrets: Sequence[str] = ()) -> str:
    """`text` with secret values, and the values of parameters named like one, as stars."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


def masked_url(request: Fetch) -> str:
    """The full address as a person may see it."""
    parts = urlsplit(request.url)
    pairs = [*parse_qsl(parts.query, keep_blank_values=True), *request.params]
    shown = urlencode([(name, MASK if private(name) else value) for name, value in pairs], safe="*:,[]()/")
    return urlunsplit(parts._replace(query=shown, fragment=""))


class Pace:
    """At least `interval` seconds between the arrivals of requests, for threads and, through `file`, for processes.

    A request is thought to arrive within `travel` seconds of its sending, or by the time its answer begins (`arrived`).
    Who waits keeps the lock, so that one that wakes up late delays the next and does not meet it.
    """

    def __init__(
        self,
        interval: float,
        file: Path | None = None,
        *,
        travel: float = 0.0,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ):
        self.interval, self.file, self.travel, self.clock, self.sleep = interval, file, travel, clock, sleep
        self._lock, self._kept, self._mine = threading.Lock(), (0.0, 0), threading.local()

    def wait(self) -> float:
        """Wait for the next free moment, take it, and say how many seconds that took."""
        if self.interval <= 0:
            return 0.0
        began = self.clock()
        with self._turn() as (free, number, keep):
            now = self.clock()
            if free - now > 60 * max(self.interval, 1):  # a clock that was set back
                free = now
            if free > now:
                self.sleep(free - now)
            start = max(free, self.clock())
            self._mine.number = number + 1
            keep(start + self.travel + self.interval, number + 1)
        return max(start - began, 0.0)

    def arrived(self) -> None:
        """The answer to this thread's last request begins: the next may follow, if none has gone out since."""
        if self.interval <= 0 or self.travel <= 0:
            return
        with self._turn() as (free, number, keep):
            if number == getattr(self._mine, "number", None):
                keep(min(free, self.clock() + self.interval), number)

    @contextmanager
    def _turn(self) -> Iterator[tuple[float, int, Callable[[float, int], None]]]:
        """The next free moment, how many were taken, and how to keep new ones; nobody else has the turn meanwhile."""
        with self._lock:
            if self.file is None:
                yield *self._kept, self._keep
                return
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a+") as held, _locked(held):
                yield *_moment(held), partial(_write, held)

    def _keep(self, free: float, number: int) -> None:
        self._kept = (free, number)


def _moment(file: IO[str]) -> tuple[float, int]:
    file.seek(0)
    free, _, number = file.read(100).partition(" ")
    try:
        return float(free or 0), int(number or 0)
    except ValueError:
        return 0.0, 0


def _write(file: IO[str], free: float, number: int) -> None:
    file.seek(0)
    file.truncate()
    file.write(f"{free!r} {number}")
    file.flush()


@contextmanager
def _locked(file: IO[str]) -> Any:
    try:
        import fcntl
    except ImportError:  # Windows: processes of one installation are not held to one pace there
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


class Breaker:
    """After `limit` failures in a row a host is left alone for `rest` seconds; then one request may try."""

    def __init__(self, limit: int = 5, rest: float = 60.0, clock: Callable[[], float] = time.monotonic):
        self.limit, self.rest, self.clock = limit, rest, clock
        self._failures: dict[str, int] = {}
        self._until: dict[str, float] = {}
        self._lock = threading.Lock()

    def check(self, host: str) -> None:
        with self._lock:
            left = self._until.get(host, 0.0) - self.clock()
            if left > 0:
                raise Unreachable(
                    f"{host} failed {self.limit} times in a row and is left alone for {left:.0f} more seconds.",
                    "Try again then.",
                )

    def note(self, host: str, good: bool) -> None:
        with self._lock:
            self._failures[host] = 0 if good else self._failures.get(host, 0) + 1
            if self._failures[host] >= self.limit:
                self._until[host] = self.clock() + self.rest


class WebClient:
    """The Fetcher that goes out.

    `hosts` are names that may be asked over https; `own` are base URLs set by the operator, which may be plain http
    and private addresses. `added` are parameters sent with every request (tool, e-mail, key), never stored; below the
    base URLs of `by_header` these headers go out in their place. `redirects`: whether any is followed.
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
        self.own = frozenset(_origin(url) for url in own if url)
        self.pace = pace or Pace(interval, sleep=sleep)
        self.retries, self.sleep, self.breaker = retries, sleep, breaker or Breaker()
        self.added, self.headers = tuple(added), (("User-Agent", user_agent), *headers)
        self.by_header, self.redirects = dict(by_header or {}), redirects
        self.secrets = (*secrets, *(value for name, value in added if private(name)))
        self.resolve = resolve or addresses
        self._sessions = threading.local()

    def fetch(self, request: Fetch) -> Fetched:
        """One request, tried again after 429, 5xx and dropped connections. The answer's status is below 400."""
        host = self.check(request.url)
        self.breaker.check(host)
        waited, why = 0.0, ""
        for attempt in range(self.retries + 1):
            waited += self.pace.wait()
            found, error = self._try(request, host)
            if found is not None and found.status < 400:
                return _waiting(found, waited, why or ("pace" if waited > 0.01 else ""))
            delay = self._delay(found, attempt)
            if delay is None or attempt == self.retries:
                raise error or self._explain(found, host)
            why = f"{host} answered {found.status}" if found is not None else f"{host} did not answer"
            self.sleep(delay)
            waited += delay
        raise AssertionError("unreachable")

    def check(self, url: str) -> str:
        """The host of an address that may be asked. Raises Refused."""
        parts = urlsplit(url)
        host = (parts.hostname or "").casefold()
        if _origin(url) in self.own and not parts.username:
            return host
        if parts.scheme != "https" or parts.username or parts.password or parts.port not in (None, 443):
            raise Refused(f"{mask(url[:100], self.secrets)} is not asked: only plain https addresses are.")
        if host not in self.hosts:
            raise Refused(f"{host[:100] or 'An address without a host'} is not among the hosts that may be asked.")
        self._resolved(host)
        return host

    def _resolved(self, host: str, port: int = 443) -> Sequence[str]:
        """The addresses of a host. Raises Refused when one of them is not on the open internet."""
        try:
            found = self.resolve(host, port)
        except OSError as error:
            raise Unreachable(f"{host} cannot be found.", "Check the network connection.") from error
        for address in found:
            if not public(address):
                raise Refused(f"{host} leads to the private address {address} and is not asked.")
        return found

    def _try(self, request: Fetch, host: str) -> tuple[Fetched | None, RemoteError | None]:
        try:
            found = self._send(request)
        except requests.Timeout:
            said = f"{host} did not answer within {request.timeout:.0f} seconds."
            error: RemoteError = Unreachable(said, "Try again later.")
        except requests.RequestException as trouble:
            error = Unreachable(f"{host} could not be reached ({_why(trouble)}).", "Check the network connection.")
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
                    raise Refused(f"{urlsplit(url).hostname} sends on to another address, which is not followed.")
                if answer.is_redirect and hops < 5 and request.method == "GET":
                    url, hops = urljoin(url, answer.headers["Location"]), hops + 1
                    self.check(url)
                    continue
                text, cut = _read(answer, request.max_bytes, start + 4 * request.timeout)
                seconds = time.monotonic() - start
                return Fetched(answer.status_code, text, _shown(answer.headers), seconds, cut)

    def _headers(self, url: str) -> Sequence[tuple[str, str]]:
        found = next((given for base, given in self.by_header.items() if _below(url, base)), ())
        return [(name, value) for name, value in found if value]

    def _missing(self, request: Fetch) -> list[tuple[str, str]]:
        if any(_below(request.url, base) for base in self.by_header):
            return []
        form = request.data if isinstance(request.data, tuple) else ()
        there = {name for name, _ in (*request.params, *form)}
        return [(name, value) for name, value in self.added if value and name not in there]

    def _session(self) -> requests.Session:
        if not hasattr(self._sessions, "one"):
            self._sessions.one = requests.Session()
            self._sessions.one.trust_env = not self.own
            self._sessions.one.auth = _unchanged  # else a .netrc would take the place of a token
            self._sessions.one.mount("https://", _Pinned(self._resolved))
            for scheme, host, port in self.own:
                self._sessions.one.mount(f"{scheme}://{host}:{port}", HTTPAdapter())
                self._sessions.one.mount(f"{scheme}://{host}/", HTTPAdapter())
        return self._sessions.one

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
        said = mask(" ".join(found.text.split())[:120], self.secrets)
        if found.status in (401, 403):
            return Unauthorised(f"{host} refused the request ({found.status}).", "Check the key in the environment.")
        if found.status == 429:
            asked = retry_after(found.headers)
            when = f" and asks to wait {asked:.0f} seconds" if asked else ""
            return RateLimited(f"{host} gets too many requests{when}.", "Try again later.")
        if found.status in (404, 405, 410, 501):
            return NotServed(f"{host} answered {found.status}: {said}")
        if found.status >= 500:
            return Unreachable(f"{host} has trouble of its own ({found.status}).", "Try again later.")
        return BadAnswer(f"{host} answered {found.status}: {said}")


def addresses(host: str, port: int) -> list[str]:
    """The IP addresses of a host name, in the order in which they are best tried."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]).partition("%")[0] for one in found))


def public(address: str) -> bool:
    """Whether an address is on the open internet; an IPv4 address inside an IPv6 one counts as itself."""
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        found = inner or found
    return found.is_global and not (found.is_multicast or found.is_reserved or getattr(found, "is_site_local", False))


_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def _unchanged(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


class _Pinned(HTTPAdapter):
    """Connects to the addresses that were looked up and found public, so that a name cannot lead elsewhere a moment
    later. Through a proxy of the operator's the proxy looks the name up itself."""

    def __init__(self, resolve: Callable[[str, int], Sequence[str]]):
        class Connection(HTTPSConnection):
            def _new_conn(self) -> socket.socket:
                name, trouble = self._dns_host, None
                try:
                    for address in resolve(name, self.port or 443):
                        self._dns_host = address
                        try:
                            return super()._new_conn()
                        except NewConnectionError as error:
                            trouble = error
                finally:
                    self._dns_host = name
                raise trouble or NewConnectionError(self, "no address")

        class Pool(HTTPSConnectionPool):
            ConnectionCls = Connection

        self.pool = Pool
        super().__init__()

    def init_poolmanager(self, *given: Any, **named: Any) -> None:
        super().init_poolmanager(*given, **named)
        self.poolmanager.pool_classes_by_scheme = {"https": self.pool}


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds asked for by `Retry-After` (a number, or a date), or None."""
    value = {name.casefold(): value for name, value in headers.items()}.get("retry-after", "").strip()
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
    """The body up to `cap` bytes, and whether there was more; a body that drips past the deadline is a timeout."""
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


def _origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        port = -1
    return parts.scheme, (parts.hostname or "").casefold(), port


def _below(url: str, base: str) -> bool:
    return bool(base) and (url == base or url.startswith(base.rstrip("/") + "/"))


def _waiting(found: Fetched, waited: float, why: str) -> Fetched:
    return Fetched(found.status, found.text, found.headers, found.seconds, found.cut, "", waited, why)


_KEPT = ("content-type", "retry-after", "content-length", "last-modified", "x-ratelimit-remaining", "location")


def _shown(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.casefold(): value for name, value in headers.items() if name.casefold() in _KEPT}


def _why(error: requests.RequestException) -> str:
    """One word of what went wrong: never the address, which may hold a key."""
    names = {"SSLError": "its certificate is not valid", "ConnectionError": "connection refused or dropped"}
    return names.get(type(error).__name__, "the answer broke off")
