"""The verb `metrics`: figures for a watcher, printed or served beside the app."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from core.cli.output import print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import GroundworkError, InputError

if TYPE_CHECKING:
    from http.server import ThreadingHTTPServer

FORMAT = "text/plain; version=0.0.4; charset=utf-8"


def metrics_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--listen",
        default="",
        metavar="ADDRESS:PORT",
        help="serve /metrics and /healthz there until stopped (default: print once)",
    )


def metrics(desk: Desk, args: Namespace) -> int:
    from core.services.settings.metrics import metrics_text

    if not args.listen:
        print(metrics_text(desk), end="")
        return 0
    server = server_for(desk, args.listen)
    host, port = server.server_address[:2]
    print_note(f"http://{host!s}:{port}/metrics and /healthz; stop with Ctrl-C")
    with server:
        server.serve_forever()
    return 0


def server_for(desk: Desk, listen: str) -> ThreadingHTTPServer:
    """A server of the project's figures. Raises InputError for what is no address, or one that
    other machines reach while nothing says that they may.
    """
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    from core.services.people.sign_in import is_loopback
    from core.services.settings.metrics import metrics_text

    host, _, port = listen.rpartition(":")
    if not port.isdecimal() or int(port) > 65_535:
        raise InputError(f"{listen!r} is not an address.", "For example 127.0.0.1:9100.")
    host = host or "127.0.0.1"
    if not (is_loopback(host) or desk.settings.open_to_anyone):
        raise InputError(
            f"Other machines reach {host}, and anyone could read the figures there.",
            "Listen on 127.0.0.1, or set GROUNDWORK_OPEN_TO_ANYONE=on.",
        )

    class Handler(BaseHTTPRequestHandler):
        timeout = 10.0

        def do_GET(self) -> None:
            status, text = self._answer()
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", FORMAT)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _answer(self) -> tuple[int, str]:
            if self.path not in ("/metrics", "/healthz"):
                return 404, "Only /metrics and /healthz are served here.\n"
            try:
                figures = metrics_text(desk)
            except (GroundworkError, OSError) as error:
                return 503, f"{error}\n"
            return 200, figures if self.path == "/metrics" else "ok\n"

        def log_message(self, format: str, *args: object) -> None:
            """A watcher asks every few seconds: nothing to log."""

    try:
        return ThreadingHTTPServer((host, int(port)), Handler)
    except OSError as error:
        raise InputError(
            f"{host}:{port} cannot be listened on: {error.strerror or error}.",
            "Another program may have the port: choose another, or stop that program.",
        ) from error


VERBS = (
    Verb(
        "metrics",
        "print or serve metrics for monitoring (Prometheus text format)",
        metrics_arguments,
        metrics,
    ),
)
