"""The flow of papers through a review, as PRISMA 2020 counts it (Page et al. 2021, BMJ 372:n71):
found, duplicates, screened, excluded with reasons, included. A table and a diagram.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import wrap

from core.literature.triage.verdict import PaperVerdict

NO_TEXT = "no full text"  # the reason that PRISMA counts apart, as not retrieved
NO_REASON = "no reason given"
WITHOUT_TITLE_AND_ABSTRACT = "no title and no abstract"
WIDTH, GAP, LINE, LETTERS = 300, 60, 18, 38  # pixels; letters of a line in a box
_OUT = (PaperVerdict.EXCLUDE, PaperVerdict.NO_EVIDENCE)


@dataclass(frozen=True, slots=True)
class ReviewFlow:
    """Papers at each step. `sources`: records of each file or search; `papers`: those left without
    duplicates; `excluded`: by reason; `wordless`: records without title and abstract, which nobody
    can screen.
    """

    sources: Mapping[str, int]
    papers: int
    included: int = 0
    undecided: int = 0
    excluded: Mapping[str, int] = field(default_factory=dict)
    wordless: int = 0

    @property
    def identified(self) -> int:
        return sum(self.sources.values())

    @property
    def duplicates(self) -> int:
        return max(self.identified - self.papers - self.wordless, 0)

    @property
    def screened(self) -> int:
        return self.included + self.undecided + sum(self.excluded.values())

    @property
    def not_screened(self) -> int:
        return max(self.papers - self.screened, 0)

    @property
    def not_retrieved(self) -> int:
        return self.excluded.get(NO_TEXT, 0)

    def rows(self) -> list[tuple[str, str, int]]:
        """Step, what is counted, papers."""
        flow_rows = [("found", source, count) for source, count in self.sources.items()]
        flow_rows += [
            ("found", "all sources", self.identified),
            ("duplicates", "removed before screening", self.duplicates),
            (
                "other reasons",
                f"removed before screening: {WITHOUT_TITLE_AND_ABSTRACT}",
                self.wordless,
            ),
            ("screened", "papers with a verdict", self.screened),
            ("screened", "papers without a verdict", self.not_screened),
        ]
        flow_rows += [("excluded", reason, count) for reason, count in self.excluded.items()]
        flow_rows += [
            ("excluded", "all reasons", sum(self.excluded.values())),
            ("undecided", "maybe", self.undecided),
            ("included", "papers included", self.included),
        ]
        return flow_rows


def review_flow(
    sources: Mapping[str, int],
    papers: int,
    verdicts: Sequence[tuple[str, str]],
    wordless: int = 0,
) -> ReviewFlow:
    """The flow from (verdict, reason) of each judged paper. Papers of no known source are counted
    as one of their own.
    """
    counted_sources = dict(sources)
    unknown = papers + wordless - sum(counted_sources.values())
    if unknown > 0:
        counted_sources["other"] = unknown
    reasons = Counter(reason or NO_REASON for verdict, reason in verdicts if verdict in _OUT)
    standing = Counter(verdict for verdict, _ in verdicts)
    return ReviewFlow(
        counted_sources,
        papers,
        standing[PaperVerdict.INCLUDE],
        undecided=standing[PaperVerdict.MAYBE],
        excluded=dict(sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))),
        wordless=wordless,
    )


def flow_csv(flow: ReviewFlow) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("step", "what", "papers"))
    for step, counted, count in flow.rows():
        writer.writerow((step, "'" + counted if counted[:1] in "=+-@" else counted, count))
    return out.getvalue()


# ------------------------------------------------------------------ the diagram


def flow_svg(flow: ReviewFlow) -> str:
    """The diagram as a self-contained SVG: the way down at the left, what leaves at the
    right.
    """
    excluded = sum(flow.excluded.values()) - flow.not_retrieved
    reasons = [(r, n) for r, n in flow.excluded.items() if r != NO_TEXT]
    removed = [
        *_counted([("duplicates", flow.duplicates)]),
        *_unless(flow.wordless, f"other reasons: {WITHOUT_TITLE_AND_ABSTRACT}"),
    ]
    steps = [
        (
            "Identification",
            ["Records found", *_counted(flow.sources.items())],
            flow.identified,
            ["Removed before screening", *removed],
            flow.duplicates + flow.wordless,
        ),
        (
            "Screening",
            ["Records screened", *_unless(flow.not_screened, "not screened yet")],
            flow.screened,
            ["Records excluded", *_counted(reasons)],
            excluded,
        ),
        (
            "Retrieval",
            ["Reports sought for retrieval", *_unless(flow.undecided, "undecided")],
            flow.screened - excluded,
            ["Reports not retrieved"],
            flow.not_retrieved,
        ),
        ("Included", ["Papers included in the review"], flow.included, [], 0),
    ]
    drawn, top = list[str](), 20
    for place, (stage, lines, count, aside, out) in enumerate(steps):
        main, side = _lines(lines, count), _lines(aside, out) if aside else []
        height = 24 + LINE * max(len(main), len(side))
        drawn.append(_stage(stage, top, height))
        drawn.append(_box(50, top, height, main))
        if side:
            drawn.append(_box(50 + WIDTH + GAP, top, height, side))
            drawn.append(_arrow(50 + WIDTH, top + height // 2, 50 + WIDTH + GAP, top + height // 2))
        if place + 1 < len(steps):
            middle = 50 + WIDTH // 2
            drawn.append(_arrow(middle, top + height, middle, top + height + 30))
        top += height + 30
    width = 50 + 2 * WIDTH + GAP + 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" '
        f'viewBox="0 0 {width} {top}" font-family="sans-serif" font-size="13" role="img">'
        "<title>PRISMA flow diagram</title>"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#444"/></marker></defs>'
        f'<rect width="{width}" height="{top}" fill="#fff"/>{"".join(drawn)}</svg>\n'
    )


def _counted(pairs: Iterable[tuple[str, int]]) -> list[str]:
    return [f"– {name} (n = {count:,})" for name, count in pairs]


def _unless(count: int, words: str) -> list[str]:
    return [f"– {words} (n = {count:,})"] if count else []


def _lines(words: Sequence[str], count: int) -> list[str]:
    first_words, *more = words
    return [
        line for part in (f"{first_words} (n = {count:,})", *more) for line in wrap(part, LETTERS)
    ]


def _box(x_start: int, top: int, height: int, lines: Sequence[str]) -> str:
    texts = "".join(
        f'<text x="{x_start + 12}" y="{top + 26 + LINE * place}" fill="#111">{escape(line)}</text>'
        for place, line in enumerate(lines)
    )
    return (
        f'<rect x="{x_start}" y="{top}" width="{WIDTH}" height="{height}" rx="4" fill="#fff" '
        f'stroke="#444"/>{texts}'
    )


def _stage(name: str, top: int, height: int) -> str:
    x, y = 26, top + height // 2
    return (
        f'<rect x="12" y="{top}" width="26" height="{height}" rx="4" fill="#dbe7f3"/>'
        f'<text x="{x}" y="{y}" transform="rotate(-90 {x} {y})" text-anchor="middle" '
        f'dominant-baseline="central" font-size="10" fill="#111">{escape(name)}</text>'
    )


def _arrow(x1: int, y1: int, x2: int, y2: int) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#444" marker-end="url(#tip)"/>'
