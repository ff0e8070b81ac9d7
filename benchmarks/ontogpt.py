"""OntoGPT beside us on the same stand-in model: calls, seconds of waiting, and how many items of
the answers are kept.

    python benchmarks/ontogpt.py --python /path/to/a/venv/bin/python [--delay 200]

`--python` is an interpreter that can import `ontogpt` (1.1.0 was measured). Two texts: the recipe
of 39 calls, and relations whose answers hold repeated blocks, bullets and numbers. Seconds are
counted from the first request to the last answer, so that neither pays for starting up.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import extraction as recipe

from core.extraction.budget import Limits
from core.extraction.json_view import plain_object
from core.extraction.spires.engine import Spires
from core.llm.endpoint_options import EndpointOptions
from core.llm.openai_client import OpenAICompleter
from core.model import Json
from core.schema.load import load_schema

RELATIONS = """
id: https://example.org/claims
name: claims
prefixes: {linkml: 'https://w3id.org/linkml/', ex: 'https://example.org/claims/'}
default_prefix: ex
default_range: string
imports: ['linkml:types']
classes:
  Claims:
    tree_root: true
    attributes:
      drugs: {multivalued: true, description: semicolon-separated list of drugs}
      relations: {range: Relation, multivalued: true, description: semicolon-separated list}
  Relation: {attributes: {drug: {}, verb: {}, disease: {}}}
"""
CLAIMS = (
    "Ruvitan eases gout and fever. Ruvitan also eases cough. Solbex causes rash, and Solbex causes"
    " ache."
)
FACTS = {"Ruvitan eases": ("gout", "fever", "cough"), "Solbex causes": ("rash", "ache")}
WANTED = {
    "recipe": [
        "Supper",
        *recipe.FOODS,
        *(part.split()[0] for part in recipe.PARTS),
        *["spoons"] * len(recipe.FOODS),
        *recipe.STEPS,
        *(f"pan {step}" for step in recipe.STEPS),
    ],
    "relations": [
        *(words.split()[0] for words in FACTS),
        *(word for words, ends in FACTS.items() for end in ends for word in (*words.split(), end)),
    ],
}


def answer(text: str) -> str:
    """What the stand-in says: about the claims, with the marks and repeated blocks that models
    write.
    """
    words = text.strip().removesuffix("===").strip()
    if words in FACTS:
        drug, verb = words.split()
        blocks = [f"drug: {drug}\nverb: {verb}\ndisease: {end}" for end in FACTS[words]]
        return (
            "\n\n".join(blocks)
            if drug == "Ruvitan"
            else "\n".join(f"{n}. {b}" for n, b in enumerate(blocks, 1))
        )
    if words == CLAIMS:
        return "**drugs**:\n- Ruvitan\n- Solbex\n\n**relations**: Ruvitan eases; Solbex causes"
    return recipe.answer(text)


class Watched(recipe.StandIn):
    """Notes when each request came and when it was answered."""

    answer = staticmethod(answer)
    seen: ClassVar[list[tuple[float, float]]] = []

    def do_POST(self) -> None:
        start = time.monotonic()
        super().do_POST()
        self.seen.append((start, time.monotonic()))


def leaves(value: Json) -> Iterator[str]:
    if isinstance(value, dict | list):
        for child in value.values() if isinstance(value, dict) else value:
            yield from leaves(child)
    elif value is not None:
        yield str(value).strip(" -*;.")


def kept(value: Json, wanted: list[str]) -> int:
    """How many of the items stand in the result, but for marks around them."""
    return sum((Counter(leaves(value)) & Counter(wanted)).values())


def ours(schema: str, text: str, base: str) -> Json:
    read = load_schema(schema)
    limits = Limits(parallel=24)
    client = OpenAICompleter("stand-in", EndpointOptions("x", base, parallel=24))
    return plain_object(read, Spires(client, limits=limits).extract(read, read.root, text))


def theirs(python: str, schema: str, text: str, base: str) -> Json:
    """OntoGPT's object, by its command line in a folder of its own; without its cache and its
    download of prices.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "schema.yaml").write_text(schema)
        (folder / "text.txt").write_text(text)
        arguments = [
            "extract",
            "-t",
            "schema.yaml",
            "-i",
            "text.txt",
            "-O",
            "json",
            "-o",
            "out.json",
        ]
        arguments += ["-m", "openai/stand-in", "--api-base", base]
        here = {"OPENAI_API_KEY": "x", "LITELLM_LOCAL_MODEL_COST_MAP": "True", "HOME": name}
        start = "from ontogpt.cli import main; main()"
        command, around = [python, "-c", start, *arguments], os.environ | here
        done = subprocess.run(
            command, cwd=folder, env=around, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"OntoGPT ended with status {done.returncode}:\n{done.stderr[-1500:]}")
        return json.loads((folder / "out.json").read_text()).get("extracted_object")


def measured(work: Callable[[], Json], wanted: list[str]) -> tuple[int, float, int]:
    """Calls, seconds from the first request to the last answer, items kept."""
    Watched.seen.clear()
    value = work()
    ends = [end for _, end in Watched.seen]
    waited = max(ends) - min(start for start, _ in Watched.seen) if ends else 0.0
    return len(ends), waited, kept(value, wanted)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", required=True, help="an interpreter that can import ontogpt")
    parser.add_argument("--delay", type=float, default=200.0, help="milliseconds an answer takes")
    args = parser.parse_args()
    Watched.delay = args.delay / 1000
    server = recipe.Server(("127.0.0.1", 0), Watched)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}/v1"
    print(f"{'text':10} {'program':9} {'calls':>5} {'seconds':>8}  kept")
    for name, schema, text in (
        ("recipe", recipe.SCHEMA, recipe.TEXT),
        ("relations", RELATIONS, CLAIMS),
    ):
        wanted = WANTED[name]
        for program, work in (
            ("OntoGPT", lambda s=schema, t=text: theirs(args.python, s, t, base)),
            ("Groundwork", lambda s=schema, t=text: ours(s, t, base)),
        ):
            calls, waited, items = measured(work, wanted)
            print(f"{name:10} {program:10} {calls:4} {waited:8.2f}  {items} of {len(wanted)}")
    server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
