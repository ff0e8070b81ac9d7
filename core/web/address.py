"""Addresses: what belongs to a base URL, what is on the open internet, and connecting only to what
was checked.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError


def origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        port = -1
    return parts.scheme, (parts.hostname or "").casefold(), port


def below(url: str, base: str) -> bool:
    return bool(base) and (url == base or url.startswith(base.rstrip("/") + "/"))


def resolve_host(host: str, port: int) -> list[str]:
    """The IP addresses of a host name, in the order in which they are best tried."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(one[4][0]).partition("%")[0] for one in found))


def is_public_address(address: str) -> bool:
    """Whether an address is on the open internet; an IPv4 address inside an IPv6 one counts as
    itself.
    """
    i_pv4_address = ipaddress.ip_address(address)
    if isinstance(i_pv4_address, ipaddress.IPv6Address):
        inner = i_pv4_address.ipv4_mapped or i_pv4_address.sixtofour
        if i_pv4_address in _NAT64:
            inner = ipaddress.IPv4Address(int(i_pv4_address) & 0xFFFFFFFF)
        i_pv4_address = inner or i_pv4_address
    if i_pv4_address in _SIXTOFOUR_RELAY:
        return False
    return i_pv4_address.is_global and not (
        i_pv4_address.is_multicast
        or i_pv4_address.is_reserved
        or getattr(i_pv4_address, "is_site_local", False)
    )


# 6to4 relays (RFC 7526 withdrew them): Python calls the block global, but whoever is nearest
# answers
_SIXTOFOUR_RELAY = ipaddress.ip_network("192.88.99.0/24")
LONGEST_HEADERS = 60.0  # seconds, where a request sets no time


_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class _Watched:
    """A connection whose answer must begin in time: a host that sends its headers letter by letter
    would hold it for ever, because each letter starts the time of one reading anew.
    """

    timeout: Any
    sock: socket.socket | None
    too_late = False

    def getresponse(self) -> Any:
        seconds = self.timeout if isinstance(self.timeout, int | float) else LONGEST_HEADERS
        timer = threading.Timer(2 * seconds, self._cut)
        timer.daemon = True
        timer.start()
        try:
            answer = super().getresponse()  # type: ignore[misc]
        finally:
            timer.cancel()
        if self.too_late:
            raise TimeoutError("the headers took too long")
        return answer

    def _cut(self) -> None:
        self.too_late = True
        if self.sock is not None:
            with suppress(OSError):  # below TLS, which another thread is reading
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


class _PlainConnection(_Watched, HTTPConnection):
    pass


class _SecureConnection(_Watched, HTTPSConnection):
    pass


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _PlainConnection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


class Watched(HTTPAdapter):
    """For the operator's own addresses, plain http among them."""

    def init_poolmanager(self, *given: Any, **named: Any) -> None:
        super().init_poolmanager(*given, **named)
        self.poolmanager.pool_classes_by_scheme = {"https": _SecurePool, "http": _PlainPool}


class Pinned(HTTPAdapter):
    """Connects to the addresses that were looked up and found public, so that a name cannot lead
    elsewhere a moment later. Through a proxy of the operator's the proxy looks the name up itself.
    """

    def __init__(self, resolve: Callable[[str, int], Sequence[str]]):
        class Connection(_Watched, HTTPSConnection):
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
