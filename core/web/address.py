"""Addresses: what belongs to a base URL, what is on the open internet, and connecting only to what
was checked.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError

from core.web.deadline import DeadlineConnection


def origin(url: str) -> tuple[str, str, int]:
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        port = -1
    return parts.scheme, (parts.hostname or "").casefold(), port


def is_below(url: str, base: str) -> bool:
    return bool(base) and (url == base or url.startswith(base.rstrip("/") + "/"))


def resolve_host(host: str, port: int) -> list[str]:
    """The IP addresses of a host name, in the order in which they are best tried."""
    resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[4][0]).partition("%")[0] for address in resolved))


def is_public_address(address: str) -> bool:
    """Whether an address is on the open internet; an IPv4 address inside an IPv6 one counts as
    itself.
    """
    parsed = ipaddress.ip_address(address)
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour
        if parsed in _NAT64:
            inner = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
        parsed = inner or parsed
    if any(parsed in network for network in _CALLED_GLOBAL):
        return False
    return parsed.is_global and not (
        parsed.is_multicast or parsed.is_reserved or getattr(parsed, "is_site_local", False)
    )


# What Python calls global and is not: 6to4 relays (RFC 7526 withdrew them: whoever is nearest
# answers), a dummy among the addresses for protocols (RFC 7600), examples (RFC 9637)
_CALLED_GLOBAL = tuple(
    ipaddress.ip_network(network) for network in ("192.88.99.0/24", "192.0.0.0/24", "3fff::/20")
)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class _PlainConnection(DeadlineConnection, HTTPConnection):
    pass


class _SecureConnection(DeadlineConnection, HTTPSConnection):
    pass


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _PlainConnection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


class OperatorAdapter(HTTPAdapter):
    """For the operator's own addresses, plain http among them."""

    def init_poolmanager(self, *arguments: Any, **keywords: Any) -> None:
        super().init_poolmanager(*arguments, **keywords)
        self.poolmanager.pool_classes_by_scheme = {"https": _SecurePool, "http": _PlainPool}


class PinnedAdapter(HTTPAdapter):
    """Connects to the addresses that were looked up and found public, so that a name cannot lead
    elsewhere a moment later. Through a proxy of the operator's the proxy looks the name up itself.
    """

    def __init__(self, resolve: Callable[[str, int], Sequence[str]]):
        class Connection(DeadlineConnection, HTTPSConnection):
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

    def init_poolmanager(self, *arguments: Any, **keywords: Any) -> None:
        super().init_poolmanager(*arguments, **keywords)
        self.poolmanager.pool_classes_by_scheme = {"https": self.pool}
