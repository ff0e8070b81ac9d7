"""A host that begins its answer and then sends a few bytes for ever."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Drip = Callable[[bytes, bytes], str]


@contextmanager
def dripping_host() -> Iterator[Drip]:
    """Gives the address of a host that says the first bytes once and the others again and again."""
    over, servers = threading.Event(), []

    def drip(server: socket.socket, start: bytes, more: bytes) -> None:
        while not over.is_set():
            try:
                connection, _ = server.accept()
                with connection:
                    connection.sendall(start)
                    while not over.wait(0.02):
                        connection.sendall(more)
            except OSError:  # hung up on: the next try
                continue

    def serve(start: bytes, more: bytes) -> str:
        server = socket.create_server(("127.0.0.1", 0))
        server.settimeout(0.2)
        servers.append(server)
        threading.Thread(target=drip, args=(server, start, more), daemon=True).start()
        return f"http://127.0.0.1:{server.getsockname()[1]}/"

    try:
        yield serve
    finally:
        over.set()
        for server in servers:
            server.close()
