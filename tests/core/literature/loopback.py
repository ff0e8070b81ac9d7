"""A server on the loopback address whose answers a test gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Asked:
    """A request: path, parameters (of the address and of a form), body."""

    path: str
    params: dict[str, str]
    body: bytes = field(default=b"", repr=False)


Answer = tuple[int, bytes]
Answering = Callable[[Asked], Answer]


@contextmanager
def serving(answer: Answering, port: int = 0) -> Iterator[str]:
    """The base address; `answer` is called in the server's threads."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version, wbufsize = "HTTP/1.1", 1 << 20

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            params = dict(parse_qsl(parts.query))
            if "x-www-form-urlencoded" in (self.headers.get("Content-Type") or ""):
                params |= dict(parse_qsl(body.decode()))
            status, reply = answer(Asked(parts.path, params, body))
            self.send_response(abs(status))
            self.send_header(
                "Content-Length", str(len(reply) + (1000 if status < 0 else 0))
            )  # below 0: drops it
            if abs(status) in (429, 503):
                self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(reply)
            self.close_connection = status < 0

        do_POST = do_GET

        def log_message(self, *args: object) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
