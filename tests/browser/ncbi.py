"""A loopback NCBI that knows the records shipped as examples: other searches find nothing, other
calls are refused.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from core.errors import NotServed
from core.ncbi.example import ExampleFetcher
from core.web import Fetch

NOTHING = {"esearchresult": {"count": "0", "idlist": []}}


class Ncbi(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        try:
            body = (
                ExampleFetcher().fetch(Fetch(parts.path, params=tuple(parse_qsl(parts.query)))).text
            )
        except NotServed:
            body = json.dumps(NOTHING) if "esearch" in parts.path else ""
        self.send_response(200 if body else 404)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: tests read what the page says."""


@contextmanager
def loopback() -> Iterator[dict[str, str]]:
    """The environment in which the app asks this NCBI, with a key and an e-mail that must not be
    seen.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), Ncbi)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    yield {
        "GROUNDWORK_NCBI_EUTILS_URL": f"{base}/entrez/eutils",
        "GROUNDWORK_NCBI_BLAST_URL": f"{base}/blast/Blast.cgi",
        "GROUNDWORK_NCBI_INTERVAL": "0.01",
        "NCBI_API_KEY": "key-0123456789abcdef",
        "NCBI_EMAIL": "ada@mail.example",
    }
    server.shutdown()
    server.server_close()
