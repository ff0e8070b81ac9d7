"""Addresses and hosts that mean harm."""

import socket
import threading
import time

import pytest

from core.errors import Refused, Unreachable
from core.web import Fetch, WebClient
from core.web.address import is_public_address


@pytest.mark.parametrize(
    "address",
    ["192.88.99.1", "::ffff:192.88.99.1", "2002:c058:6301::", "64:ff9b::7f00:1", "::7f00:1",
     "169.254.169.254", "0.0.0.0", "100.64.0.1", "fec0::1", "2001:0:7f00:1::"],
)  # fmt: skip
def test_address_that_leads_inside_is_not_public(address):
    assert not is_public_address(address)


def test_name_that_changes_between_check_and_connection_is_not_followed():
    answers = iter([["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"], ["127.0.0.1"]])
    client = WebClient(["example.org"], retries=0, resolve=lambda host, port: next(answers))
    with pytest.raises(Refused, match="private address"):
        client.fetch(Fetch("https://example.org/"))


def test_headers_that_come_letter_by_letter_end_in_time():
    server = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def drip():
        connection, _ = server.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
            while not over.wait(0.05):
                try:
                    connection.sendall(b"x")
                except OSError:
                    return

    threading.Thread(target=drip, daemon=True).start()
    url = f"http://127.0.0.1:{server.getsockname()[1]}/"
    began = time.monotonic()
    with pytest.raises(Unreachable):
        WebClient(own=[url], retries=0).fetch(Fetch(url, timeout=0.3))
    over.set()
    server.close()
    assert time.monotonic() - began < 5
