"""How fast the knowledge base is written and read, beside rdflib's own serializer and pyoxigraph.

python benchmarks/export.py [statements]
Seconds are of the processor, which a busy machine changes least; each with its ratio to the peer.
The files are written piece by piece, as *Export* does; the last line is the most memory it took.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pyoxigraph
from rdflib import Graph

from core.kb.entry import ExportEntry, KnowledgeBase
from core.kb.formats.registry import FORMATS
from core.kb.formats.turtle import turtle
from core.kb.read.rdf import read
from core.model import Category, Decision, Evidence, Span, Statement, Term, TextGround, Verdict

TREATS = Term("biolink:treats", "treats", Category.RELATION)
QUOTE = "a sentence of about the usual length that says what the statement claims"


def knowledge_base(count: int) -> KnowledgeBase:
    return KnowledgeBase("https://kb.example.org/", tuple(entry(number) for number in range(count)))


def entry(number: int) -> ExportEntry:
    drug = Term(f"CHEBI:{number % 997}", f"drug {number % 997}", Category.CHEMICAL)
    disease = Term(f"MONDO:{number:07}", f"disease {number}", Category.DISEASE)
    claim = Statement(
        drug, TREATS, disease, negated=number % 7 == 0, document=f"PMID:{number % 313}"
    )
    ground = TextGround(claim.document, "ab" * 32, Span(0, len(QUOTE)), QUOTE)
    approval = Decision(
        f"d{number}", claim.id, 1, Verdict.APPROVE, "0000-0002-1825-0097", "2026-01-02T03:04:05Z"
    )
    return ExportEntry(
        claim, (Evidence(claim.id, ground, "r1", "", "dictionary", 0.9),), (approval,)
    )


def graph(kb: KnowledgeBase) -> Graph:
    return Graph(bind_namespaces="none").parse(data=turtle(kb), format="turtle")


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def peak() -> int:
    """The most memory that this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(count: int) -> None:
    kb = knowledge_base(count)
    written = {}
    before = peak()
    for wanted in FORMATS.values():
        took, size = seconds(lambda wanted=wanted: sum(map(len, wanted.chunks(kb))))
        written[wanted.title] = took, size, peak()
    content = turtle(kb)
    parsing, triples = seconds(
        lambda: sum(1 for _ in pyoxigraph.parse(content, format=pyoxigraph.RdfFormat.TURTLE))
    )
    reading, back = seconds(lambda: read(content, {}))
    rdf_graph = graph(kb)
    plain, _ = seconds(lambda: rdf_graph.serialize(format="turtle"))
    print(f"{count:,} statements, {triples:,} triples; {before} MB before anything is written")
    print(f"{'rdflib, Turtle of a graph that is there':50} {plain:7.2f} s  1.00")
    for title, (took, size, memory) in written.items():
        print(f"{title:50} {took:7.2f} s  {took / plain:4.2f}  {size:>12,} bytes  {memory} MB")
    print(f"{'pyoxigraph, triples of the file':50} {parsing:7.2f} s  1.00")
    print(
        f"{'read back as statements and evidence':50} {reading:7.2f} s  {reading / parsing:4.2f} "
        f" {len(back.proposals):,} read"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000)
