"""How long a nested extraction waits: SPIRES in parallel waves against the same calls one after
another.

    python benchmarks/extraction.py [--delay 200] [--parallel 24]

A stand-in model on loopback answers each call after `delay` milliseconds, through the `openai`
client. The text is a recipe that takes 39 calls, three levels deep. Printed: calls, seconds, the
ratio, and our own time a call: of the engine, and of the processor for a whole run with every call
recorded in a project's database.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import open_desk
from core.extraction.engine import Limits
from core.extraction.spires.engine import Spires
from core.llm.completer import Message, OnText, Reply, Request
from core.llm.openai_client import OpenAICompleter
from core.schema.load import load_schema
from core.services.extract.run import RunOptions, extract, keep_text, new_run
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


class StandIn(BaseHTTPRequestHandler):
    delay = 0.2
    answer = staticmethod(answer)
    protocol_version = "HTTP/1.1"

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
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
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


def stored(limits: Limits, times: int = 5) -> float:
    """Processor seconds of a run of which the text, each call and the result are kept; the least of
    some runs.
    """
    with TemporaryDirectory() as folder:
        desk = open_desk(
            settings(Path(folder), {"GROUNDWORK_MODEL": "instant", "OPENAI_API_KEY": "x"})
        )
        desk.completer = Instant  # type: ignore[method-assign, assignment]
        path = desk.folder / "schemas" / "supper.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SCHEMA)
        chosen = RunOptions(reuse=False, calls=limits.calls)

        def run() -> float:
            entered = keep_text(desk, "supper", TEXT)
            work = new_run(desk, entered, "spires", "", chosen)
            start = time.process_time()
            extract(desk, work)
            return time.process_time() - start

        found = min(run() for _ in range(times))
        desk.close()
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--delay", type=float, default=200.0, help="milliseconds an answer takes")
    parser.add_argument("--parallel", type=int, default=24, help="calls under way at once")
    args = parser.parse_args()
    StandIn.delay = args.delay / 1000
    server = Server(("127.0.0.1", 0), StandIn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    client = OpenAICompleter(
        "stand-in", "x", f"http://127.0.0.1:{server.server_port}/v1", parallel=args.parallel
    )
    client.complete(Request((Message("user", "Text:\nwarm up"),)))
    schema, limits = load_schema(SCHEMA), Limits(parallel=args.parallel)
    watched = Watched(client)
    waves = seconds(lambda: Spires(watched, limits=limits).extract(schema, "Supper", TEXT))
    one_by_one = seconds(lambda: [client.complete(request) for request in watched.asked])
    own = min(
        seconds(lambda: Spires(Instant(), limits=limits).extract(schema, "Supper", TEXT))
        for _ in range(5)
    )
    calls = len(watched.asked)
    print(f"calls {calls}  depth 3  delay {args.delay:.0f} ms  at once {args.parallel}")
    print(f"in waves      {waves:6.2f} s")
    print(f"one by one    {one_by_one:6.2f} s   ratio {one_by_one / waves:.1f}")
    print(f"our own time  {own / calls * 1000:6.2f} ms a call")
    print(f"with storage  {stored(limits) / calls * 1000:6.2f} ms a call")
    server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
