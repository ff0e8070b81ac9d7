"""How long a nested extraction waits: SPIRES in parallel waves against the same calls one after
another.

    python benchmarks/extraction.py [--delay 200] [--parallel 24]

A stand-in model on loopback, in a process of its own, answers each call after `delay` milliseconds,
through the `openai` client. The text is a recipe that takes 39 calls, three levels deep. Printed:
calls, seconds, the ratio, and our own time a call: of the engine, and of the processor for a whole
run with every call recorded in a project's database; then the whole path that a page takes
(endpoint, client, record, result), in seconds and processor time a call. Last, what our client
takes of the processor for a call beside the plain `openai` client, whole and streamed, over one
that answers at once.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import open_desk
from core.extraction.budget import Limits
from core.extraction.spires.engine import Spires
from core.llm.completer import Message, OnText, Reply, Request
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter
from core.schema.load import load_schema
from core.services.extract.run import extract_and_keep, keep_text, new_run
from core.services.extract.run_options import RunOptions
from core.settings import load_settings as settings

SCHEMA = """
id: https://example.org/supper
name: supper
prefixes: {linkml: 'https://w3id.org/linkml/', ex: 'https://example.org/supper/'}
default_prefix: ex
default_range: string
imports: ['linkml:types']
classes:
  Supper:
    tree_root: true
    attributes:
      dish: {}
      parts: {range: Part, multivalued: true, inlined: true, inlined_as_list: true}
      steps: {range: Step, multivalued: true, inlined: true, inlined_as_list: true}
  Part:
    attributes:
      food: {range: Food, inlined: true}
      amount: {range: Amount, inlined: true}
  Food: {attributes: {kind: {}, state: {}}}
  Amount: {attributes: {value: {}, unit: {}}}
  Step:
    attributes:
      action: {}
      tool: {range: Tool, inlined: true}
  Tool: {attributes: {kind: {}}}
"""
FOODS = (
    "spaghetti",
    "tomatoes",
    "onions",
    "garlic",
    "basil",
    "oil",
    "salt",
    "pepper",
    "cheese",
    "wine",
)
STEPS = ("boil", "chop", "fry", "stir")
PARTS = [f"{number + 2} spoons of {food}" for number, food in enumerate(FOODS)]
TEXT = (
    "Supper. "
    + ". ".join(PARTS)
    + ". "
    + ". ".join(f"{step} in pan {step}" for step in STEPS)
    + "."
)


def answer(text: str) -> str:
    """What the stand-in says about a piece of the recipe."""
    text = text.strip().removesuffix("===").strip()
    if text == TEXT:
        steps = "; ".join(f"{step} in pan {step}" for step in STEPS)
        return f"dish: Supper\nparts: {'; '.join(PARTS)}\nsteps: {steps}"
    if " spoons of " in text:
        amount, _, food = text.partition(" of ")
        return f"food: {food}\namount: {amount}"
    if text.endswith("spoons"):
        return f"value: {text.split()[0]}\nunit: spoons"
    if " in pan " in text:
        return f"action: {text.split()[0]}\ntool: {text.partition(' in ')[2]}"
    return f"kind: {text}"


def streamed(words: str) -> bytes:
    """An answer in pieces of a word or so, with its count of tokens."""
    shared = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "stand-in"}
    pieces = [words[at : at + 6] for at in range(0, len(words), 6)]
    events: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}
        for piece in pieces
    ]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    events.append({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 9}})
    lines = [f"data: {json.dumps(shared | event)}\n\n" for event in events]
    return ("".join(lines) + "data: [DONE]\n\n").encode()


class StandIn(BaseHTTPRequestHandler):
    delay = 0.2
    answer = staticmethod(answer)
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one piece: in two, the system waits 40 ms between them

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        time.sleep(self.delay)
        words = self.answer(body["messages"][-1]["content"].rpartition("Text:\n")[2])
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": words},
        }
        reply = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "stand-in",
            "choices": [choice],
        }
        data, kind = json.dumps(reply).encode(), "application/json"
        if body.get("stream"):
            data, kind = streamed(words), "text/event-stream"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128


class Watched:
    """Remembers what was asked, so that the same calls can be sent one after another."""

    def __init__(self, inner: OpenAICompleter):
        self.inner, self.model, self.asked = inner, inner.model, []

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.asked.append(request)
        return self.inner.complete(request, on_text)


class Instant:
    """Answers at once: what is left is our own time."""

    model = "instant"

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        return Reply(answer(request.messages[-1].content.rpartition("Text:\n")[2]))


def seconds(work) -> float:  # type: ignore[no-untyped-def]
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def recorded_runs(limits: Limits, base: str = "", times: int = 5) -> list[tuple[float, float]]:
    """Seconds, and processor seconds, of runs of which the text, each call and the result are kept;
    asked at `base`, or answered at once. The first run opens what the others find open.
    """
    with TemporaryDirectory() as folder:
        place = {"GROUNDWORK_MODEL": "stand-in", "OPENAI_API_KEY": "x"}
        place |= {"OPENAI_BASE_URL": base, "GROUNDWORK_MODEL_PARALLEL": str(limits.parallel)}
        desk = open_desk(settings(Path(folder), place))
        if not base:
            desk.completer = lambda *_: Instant()  # type: ignore[method-assign, assignment]
        path = desk.folder / "schemas" / "supper.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SCHEMA)
        chosen = RunOptions(reuse=False, calls=limits.calls)

        def run() -> tuple[float, float]:
            entered = keep_text(desk, "supper", TEXT)
            work = new_run(desk, entered, "spires", curator="", options=chosen)
            start, processor = time.perf_counter(), time.process_time()
            extract_and_keep(desk, work)
            return time.perf_counter() - start, time.process_time() - processor

        runs = [run() for _ in range(times + 1)]
        desk.close()
        return runs[1:]


def client_times(base: str, calls: int = 100) -> dict[str, float]:
    """Processor seconds a call of the plain `openai` client and of ours, each the least of five
    rounds; the endpoint works in a process of its own.
    """
    from openai import OpenAI

    plain = OpenAI(api_key="x", base_url=base, max_retries=0)
    words = "Text:\n" + TEXT * 5
    messages: list[Any] = [{"role": "user", "content": words}]
    ours = {
        "ours, whole": OpenAICompleter("stand-in", EndpointOptions("x", base)),
        "ours, streamed": OpenAICompleter("stand-in", EndpointOptions("x", base, streams=True)),
    }
    request = Request((Message("user", words),))
    ways = {
        "openai, whole": lambda: plain.chat.completions.create(model="m", messages=messages),
        "openai, streamed": lambda: list(
            plain.chat.completions.create(model="m", messages=messages, stream=True)
        ),
    } | {name: partial(client.complete, request) for name, client in ours.items()}

    def round_of(way: Callable[[], object]) -> float:
        start = time.process_time()
        for _ in range(calls):
            way()
        return (time.process_time() - start) / calls

    return {name: min(round_of(way) for _ in range(3)) for name, way in ways.items()}


@contextmanager
def endpoint(delay: float) -> Iterator[str]:
    """The address of a stand-in, in a process of its own, that answers after `delay` ms."""
    command = [sys.executable, __file__, "--serve", "--delay", str(delay)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()


def serve(delay: float) -> int:
    StandIn.delay = delay / 1000
    server = Server(("127.0.0.1", 0), StandIn)
    print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
    server.serve_forever()
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--delay", type=float, default=200.0, help="milliseconds an answer takes")
    parser.add_argument("--parallel", type=int, default=24, help="calls under way at once")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        return serve(args.delay)
    schema, limits = load_schema(SCHEMA), Limits(parallel=args.parallel)
    with endpoint(args.delay) as base:
        client = OpenAICompleter("stand-in", EndpointOptions("x", base, parallel=args.parallel))
        client.complete(Request((Message("user", "Text:\nwarm up"),)))
        watched = Watched(client)
        waves = seconds(lambda: Spires(watched, limits=limits).extract(schema, "Supper", TEXT))
        one_by_one = seconds(lambda: [client.complete(request) for request in watched.asked])
        paths = recorded_runs(limits, base)
    own = min(
        seconds(lambda: Spires(Instant(), limits=limits).extract(schema, "Supper", TEXT))
        for _ in range(5)
    )
    calls = len(watched.asked)
    processor = min(spent for _, spent in recorded_runs(limits))
    print(f"calls {calls}  depth 3  delay {args.delay:.0f} ms  at once {args.parallel}")
    print(f"in waves      {waves:6.2f} s")
    print(f"one by one    {one_by_one:6.2f} s   ratio {one_by_one / waves:.1f}")
    print(f"our own time  {own / calls * 1000:6.2f} ms a call")
    print(f"with storage  {processor / calls * 1000:6.2f} ms a call")
    whole, processor = (median(row[n] for row in paths) for n in (0, 1))
    print(
        f"whole path    {whole:6.2f} s, {processor / calls * 1000:.2f} ms of the processor a call"
    )
    with endpoint(0) as base:
        times = client_times(base)
    for name, spent in times.items():
        more = spent - times[name.replace("ours", "openai")]
        print(f"{name:17} {spent * 1000:6.2f} ms a call  ({more * 1000:+.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
