"""The judges of support, measured: true claims of public relation corpora, and the same claims made
false by a denial put into their sentence, by exchanged ends, and by a foreign sentence.

A claim is held where the verdict is that its passage contradicts it or does not say it: of true
claims as few as possible, of forged ones as many. On BC5CDR also: how well the probability of
“causes” tells the pairs that the corpus relates from others of the same texts (AUC), and how far
it is from how often it is right (calibration error, ten bins).
"""

from __future__ import annotations

import gzip
import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.desk import Desk
from core.evaluation.data_folder import BESIDE, data_folder
from core.evaluation.forged_claims import Forgery, denied, foreign, number_of, swapped
from core.evaluation.relation_corpus import (
    CorpusPair,
    corpus_documents,
    named_things,
    related_pairs,
)
from core.model import Json, Span
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage
from core.support.claim import Claim, ClaimEnd, Passage
from core.support.verdict import judge
from core.text.sentence import split_sentences

HOLDS = "public relation corpora in one form (CORPUS.jsonl.gz beside families.tsv)"
KINDS = ("true", *Forgery)
AT_ONCE = 25  # texts of BC5CDR that are one part of the work


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, default=BESIDE / "relations", help=f"folder of {HOLDS}"
    )
    parser.add_argument("--corpus", nargs="*", help="only these corpora (default: all)")
    parser.add_argument("--most", type=int, default=100, help="claims of a corpus (default: 100)")
    parser.add_argument("--bc5cdr", type=Path, help="annotated texts (JSON Lines, gzipped)")


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A line a corpus, and all; then the figures of BC5CDR, where its texts are given."""
    folder = data_folder(args.data, HOLDS)
    corpora = args.corpus or [
        path.name.removesuffix(".jsonl.gz") for path in sorted(folder.glob("*.jsonl.gz"))
    ]

    def measure(place: int, run: str) -> Json:
        return held_of(claims_of(folder, corpora[place], args.most))

    rows = yield EvaluationStage("corpora", corpora, measure, worth=1)
    lines = ["\t".join(("corpus", "claims", *(f"{kind}: held" for kind in KINDS), "ms a claim"))]
    counted = [(name, row) for name, row in zip(corpora, rows, strict=True) if row["claims"]]
    lines += [_line(name, row) for name, row in counted]
    lines.append(_line("all", _sum([row for _, row in counted])))
    if args.bc5cdr:
        documents = _documents(args.bc5cdr)
        parts = range(0, len(documents), AT_ONCE)

        def weigh(place: int, run: str) -> Json:
            return weighed(documents[parts[place] : parts[place] + AT_ONCE])

        found = yield EvaluationStage("texts", [str(part) for part in parts], weigh, worth=1)
        lines.append(_discrimination([pair for part in found for pair in part]))
    return EvaluationReport("\n".join(lines))


def claims_of(folder: Path, corpus: str, most: int) -> list[CorpusPair]:
    """Relations of a corpus that it does not deny, chosen by a digest, at most so many."""
    pairs = [
        pair
        for document in corpus_documents(folder, corpus)
        for pair in related_pairs(folder, corpus, document)
        if not pair.negated
    ]
    return sorted(pairs, key=number_of)[:most]


def held_of(pairs: Sequence[CorpusPair]) -> Json:
    """How many claims of each kind there are and are held, and the seconds that judging took."""
    counts: dict[str, list[int]] = {kind: [0, 0] for kind in KINDS}
    seconds = 0.0
    for pair in pairs:
        for kind, made in _claims(pair, pairs):
            started = time.perf_counter()
            support = judge(*made)
            seconds += time.perf_counter() - started
            counts[kind][0] += 1
            counts[kind][1] += support.held
    return {"claims": len(pairs), "seconds": seconds, **counts}


def _claims(
    pair: CorpusPair, others: Sequence[CorpusPair]
) -> Iterator[tuple[str, tuple[Claim, Passage]]]:
    made = {
        "true": (pair.claim, pair.passage),
        Forgery.DENIED: denied(pair),
        Forgery.SWAPPED: swapped(pair),
        Forgery.FOREIGN: foreign(pair, others),
    }
    yield from ((kind, claim) for kind, claim in made.items() if claim)


def _sum(rows: Sequence[Json]) -> Json:
    total = {"claims": sum(row["claims"] for row in rows)}
    total["seconds"] = sum(row["seconds"] for row in rows)
    return total | {kind: [sum(row[kind][at] for row in rows) for at in (0, 1)] for kind in KINDS}


def _line(name: str, row: Json) -> str:
    asked = sum(row[kind][0] for kind in KINDS)
    cells = [f"{row[kind][1]} of {row[kind][0]}" for kind in KINDS]
    return "\t".join(
        (name, str(row["claims"]), *cells, f"{1000 * row['seconds'] / (asked or 1):.1f}")
    )


def _documents(path: Path) -> list[Json]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def weighed(documents: Sequence[Json]) -> list[tuple[float, bool]]:
    """The probability of “causes” for each chemical and disease that a sentence names together, and
    whether the corpus relates them.
    """
    return [
        (judge(claim, passage).probability, stated)
        for document in documents
        for claim, passage, stated in text_claims(document)
    ]


def text_claims(document: Json) -> Iterator[tuple[Claim, Passage, bool]]:
    """Claims with the whole text for their passage, and whether the corpus states them."""
    text = f"{document['title']} {document['abstract']}"
    mentions = [m for m in document["mentions"] if m["ids"] and m["ids"][0] not in ("-1", "")]
    things = named_things(mentions)
    gold = {(r["chemical"], r["disease"]) for r in document["relations"]}
    sentences = split_sentences(text)
    passage = Passage(text, title=Span(0, len(document["title"])), things=things)
    for chemical in (thing for thing in things if thing.category == "chemical"):
        for disease in (thing for thing in things if thing.category == "disease"):
            if any(
                any(s.start <= p.start < s.end for p in chemical.spans)
                and any(s.start <= p.start < s.end for p in disease.spans)
                for s in sentences
            ):
                subject, object_ = (
                    ClaimEnd((t.spans[0].quote(text),), t.category, t.spans, t.key)
                    for t in (chemical, disease)
                )
                stated = (chemical.key, disease.key) in gold
                yield Claim(subject, "causes", object_), passage, stated


def _discrimination(pairs: Sequence[tuple[float, bool]]) -> str:
    right = sorted(chance for chance, stated in pairs if stated)
    wrong = sorted(chance for chance, stated in pairs if not stated)
    area = area_under_curve(right, wrong)
    bins: dict[int, list[tuple[float, bool]]] = {}
    for chance, stated in pairs:
        bins.setdefault(min(int(chance * 10), 9), []).append((chance, stated))
    error = sum(abs(sum(c for c, _ in group) - sum(s for _, s in group)) for group in bins.values())
    return (
        f"BC5CDR: {len(pairs):,} pairs, AUC {area:.3f}, calibration error"
        f" {error / (len(pairs) or 1):.3f}"
    )


def area_under_curve(right: Sequence[float], wrong: Sequence[float]) -> float:
    """The chance that a stated pair has a higher probability than one that is not, ties half."""
    better = 0.0
    low = equal = 0
    for chance in right:
        while low < len(wrong) and wrong[low] < chance:
            low += 1
        equal = max(equal, low)
        while equal < len(wrong) and wrong[equal] <= chance:
            equal += 1
        better += low + (equal - low) / 2
    return better / (len(right) * len(wrong) or 1)
