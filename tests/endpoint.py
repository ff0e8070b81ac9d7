"""An OpenAI-compatible server as another author would write one: on the standard library, with
fields in another order, fields that nobody asked for, nulls, words of its own for how an answer
ended, tokens counted in its own way, and a context that ends.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Said = str | dict[str, Any]  # words, or a tool call {name, arguments}
Answering = Callable[[dict[str, Any]], Said]
Sent = tuple[bytes, str, int]  # of an answer: its body, the kind of that, the status
Tamper = Callable[[str, Sent], Sent]
TOKEN = re.compile(r"\s?[^\W\d_]{1,5}|\d{1,3}|[^\w\s]|_|\s\s+")


def count_tokens(text: str) -> int:
    """As this server's models count: by pieces of words, figures and signs."""
    return len(TOKEN.findall(text))


@dataclass
class Endpoint:
    """`answering` is its model. `context` is the tokens that it reads at once (0: any number), and
    `beyond` what becomes of longer prompts: `refuses`, or `cuts` them in silence; `tells`: its list
    of models says the length. `usage` off: it counts for itself. `pause` is seconds before a word,
    `stops_after` the pieces of an answer after which it falls silent, `trickle` seconds between the
    pieces of one that comes whole. `tamper` gets "GET /v1/…" and
    what would be sent, and gives what is sent instead
    (status 100: that it will answer, for ever).
    """

    answering: Answering
    context: int = 0
    beyond: str = "refuses"
    tells: bool = False
    usage: bool = True
    pause: float = 0.0
    stops_after: int = -1
    trickle: float = 0.0
    tamper: Tamper | None = None
    bodies: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    free: threading.Event = field(default_factory=threading.Event)
    url: str = ""


def dressed(answer: Said, streamed: bool) -> tuple[dict[str, Any], str]:
    """A message of this server, and how it says that it ended."""
    if isinstance(answer, dict):
        function = {
            "arguments": answer["arguments"],
            "name": answer["name"],
        }  # an object, not a text
        call = {"function": function, "type": "function", "id": "abc123DEF", "extra": None}
        return {"tool_calls": [call], "content": None, "refusal": None}, "tool_use"
    thought = 'triples: a thought; ["a thought"]'
    parts: Any = answer if streamed else [{"type": "text", "text": answer}]
    return {"reasoning_content": thought, "content": parts, "annotations": []}, "eos"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    endpoint: Endpoint

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            row = {"owned_by": "someone", "max_model_len": self.endpoint.context or None}
            rows = [{"id": "theirs", "created": None} | (row if self.endpoint.tells else {})]
            self._send({"data": rows, "first_id": "theirs", "has_more": False})
        elif self.path.startswith("/v1/batches/"):
            self._send(self._batch(self.path.split("/")[3]))
        elif self.path.startswith("/v1/files/") and self.path.endswith("/content"):
            data = self.endpoint.files.get(self.path.split("/")[3])
            if data is None:
                self._send({"detail": "no such file"}, 404)
            else:
                self._raw(data, "application/octet-stream")
        else:
            self._send({"detail": "Not Found"}, 404)

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length") or 0))
        if not self.path.startswith("/v1/"):
            self._send({"detail": "Not Found"}, 404)
            return
        if self.path == "/v1/files":
            self._upload(data)
            return
        if self.path.endswith("/cancel"):
            batch = self.endpoint.batches[self.path.split("/")[3]]
            batch["status"] = "cancelled"
            self._send(batch)
            return
        body = json.loads(data)
        self.endpoint.bodies.append(body)
        if self.path == "/v1/chat/completions":
            self._chat(body)
        elif self.path == "/v1/embeddings":
            rows = [
                {"embedding": [float(len(text)), 1.0], "index": n, "object": "embedding"}
                for n, text in enumerate(body["input"])
            ]
            self._send({"data": rows[::-1], "model": "theirs"})
        elif self.path == "/v1/batches":
            self._begin(body)
        else:
            self._send({"detail": "Not Found"}, 404)

    # ---------------------------------------------------------- answers

    def _chat(self, body: dict[str, Any]) -> None:
        body, tokens, refused = self._read(body)
        if refused:
            self._send(refused, 400)
            return
        if self.endpoint.pause:
            self.endpoint.free.wait(self.endpoint.pause)
        answer = self.endpoint.answering(body)
        if body.get("stream"):
            self._stream(answer, tokens)
        else:
            self._send(self.whole(answer, tokens))

    def _read(self, body: dict[str, Any]) -> tuple[dict[str, Any], int, Any]:
        """What the model reads of a request, its tokens, and a refusal."""
        endpoint = self.endpoint
        texts = [str(message.get("content") or "") for message in body["messages"]]
        tokens = sum(map(count_tokens, texts)) + count_tokens(json.dumps(body.get("tools") or ""))
        if not endpoint.context or tokens <= endpoint.context:
            return body, tokens, None
        if endpoint.beyond == "refuses":
            refusal = (
                f"This model's maximum context length is {endpoint.context} tokens, got {tokens}"
            )
            return body, tokens, {"object": "error", "message": refusal, "code": 40303}
        pieces = TOKEN.findall(texts[-1])
        kept = "".join(pieces[-max(1, endpoint.context - (tokens - len(pieces))) :])
        messages = [*body["messages"][:-1], {**body["messages"][-1], "content": kept}]
        return body | {"messages": messages}, endpoint.context, None

    def whole(self, answer: Said, tokens: int) -> dict[str, Any]:
        message, finish = dressed(answer, streamed=False)
        used = {"total_tokens": None, "completion_tokens": 9, "prompt_tokens": tokens}
        return {
            "timings": {"predicted_ms": 1.5},
            "choices": [{"finish_reason": finish, "logprobs": None, "message": message}],
            "model": "theirs-q4",
            "usage": used if self.endpoint.usage else None,
        }

    def _stream(self, answer: Said, tokens: int) -> None:
        message, finish = dressed(answer, streamed=True)
        events: list[dict[str, Any]] = [{"delta": {"role": "assistant", "content": None}}]
        events.append({"delta": {"reasoning_content": message.get("reasoning_content")}})
        text = message["content"] or ""
        events += [{"delta": {"content": text[n : n + 40]}} for n in range(0, len(text), 40)]
        if message.get("tool_calls"):
            events.append({"delta": {"tool_calls": message["tool_calls"]}})
        events.append({"finish_reason": finish, "delta": {}})
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        self.wfile.write(b": still here\r\n\r\n")
        for number, event in enumerate(events):
            if number == self.endpoint.stops_after:
                self._repeat(b": still here\r\n\r\n")
                return
            line = json.dumps({"choices": [event], "model": "theirs-q4"}, ensure_ascii=False)
            self.wfile.write(f"event: chunk\r\ndata:{line}\r\n\r\n".encode())
        if self.endpoint.usage:
            used = {"usage": {"prompt_tokens": tokens, "completion_tokens": 9}, "choices": None}
            self.wfile.write(f"data: {json.dumps(used)}\r\n\r\n".encode())
        self.wfile.write(b"data: [DONE]\r\n\r\n")

    def _repeat(self, sign: bytes) -> None:
        """Signs of life, and no word more."""
        self.close_connection = True
        try:
            while not self.endpoint.free.wait(0.05):
                self.wfile.write(sign)
                self.wfile.flush()
        except OSError:
            return

    # ---------------------------------------------------------- batches

    def _upload(self, data: bytes) -> None:
        """A form of several parts: the one with a file name is kept."""
        edge = self.headers["content-type"].partition("boundary=")[2].strip('"').encode()
        part = next(p for p in data.split(b"--" + edge) if b"filename=" in p)
        name = f"file-{len(self.endpoint.files)}"
        self.endpoint.files[name] = part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
        self._send({"purpose": "batch", "id": name, "object": "file", "filename": "x.jsonl",
                    "bytes": 1, "created_at": 1, "status": "processed"})  # fmt: skip

    def _begin(self, body: dict[str, Any]) -> None:
        name = f"batch-{len(self.endpoint.batches)}"
        self.endpoint.batches[name] = {
            "id": name, "object": "batch", "endpoint": body["endpoint"], "created_at": 1,
            "completion_window": "24h", "input_file_id": body["input_file_id"], "looks": 0,
            "status": "validating", "request_counts": {"total": 0, "completed": 0, "failed": 0},
        }  # fmt: skip
        self._send(self.endpoint.batches[name])

    def _batch(self, name: str) -> dict[str, Any]:
        """One that is done when it is looked at for the second time; answers in another order."""
        batch = self.endpoint.batches[name]
        batch["looks"] += 1
        if batch["looks"] < 2 or batch["status"] in ("completed", "cancelled"):
            batch["status"] = {"validating": "in_progress"}.get(batch["status"], batch["status"])
            return batch
        rows = [json.loads(x) for x in self.endpoint.files[batch["input_file_id"]].splitlines()]
        good, bad = [], []
        for row in reversed(rows):
            body, tokens, refused = self._read(row["body"])
            status = 400 if refused else 200
            body = refused or self.whole(self.endpoint.answering(body), tokens)
            response = {"body": body, "status_code": status, "request_id": "r"}
            line = json.dumps({"custom_id": row["custom_id"], "response": response, "error": None})
            (bad if refused else good).append(line)
        for kind, lines in (("output", good), ("error", bad)):
            file = f"{kind}-{name}"
            self.endpoint.files[file] = "\n".join(lines).encode()
            batch[f"{kind}_file_id"] = file if lines else None
        counts = {"completed": len(good), "failed": len(bad), "total": len(rows)}
        batch |= {"status": "completed", "request_counts": counts}
        return batch

    def _send(self, body: Any, status: int = 200) -> None:
        self._raw(json.dumps(body).encode(), "application/json", status)

    def _raw(self, data: bytes, kind: str, status: int = 200) -> None:
        if self.endpoint.tamper:
            asked = f"{self.command} {self.path}"
            data, kind, status = self.endpoint.tamper(asked, (data, kind, status))
        if status == 100:
            self._repeat(b"HTTP/1.1 100 Continue\r\n\r\n")
            return
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        size = 16_384 if self.endpoint.trickle else max(len(data), 1)
        for start in range(0, len(data), size):
            self.wfile.write(data[start : start + size])
            self.endpoint.free.wait(self.endpoint.trickle)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


@contextmanager
def served(answering: Answering, **how: Any) -> Iterator[Endpoint]:
    """The endpoint on a port of its own, while the context lasts."""
    endpoint = Endpoint(answering, **how)
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"endpoint": endpoint}))
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield endpoint
    finally:
        endpoint.free.set()
        server.shutdown()
        server.server_close()


def wait_for(there: Callable[[], object], seconds: float = 20.0) -> None:
    """Until something is there. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not there():
        if time.monotonic() > end:
            raise TimeoutError("it did not come")
        time.sleep(0.02)
