"""Which records are one paper: ours beside bib-dedupe and asreview-datatools, in one run on the
same records.

    python -m venv /tmp/peers && /tmp/peers/bin/pip install bib-dedupe==0.11 asreview-datatools
    python benchmarks/same_paper.py --data ../shared/data --peers /tmp/peers/bin/python

Three sets: the cases of bib-dedupe's own tests (`reports/dedupe`, a third of which decided
nothing here), the near twins and false merges of `reports/b`, and a library of 2,000 records of
667 papers as three databases give them, added to a namespace. Its papers are invented around real
titles and abstracts; in every tenth there is a paper of the same title that is not it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import open_desk
from core.documents.paper import ABSTRACT, Paper, PaperSection
from core.documents.read_document import papers_of
from core.identity.judge import Identity, judge_identity
from core.identity.record import PaperRecord
from core.services.literature import namespaces
from core.settings import Settings

PEER = Path(__file__).parent / "same_paper_peer.py"
PAPERS = 667
Row = dict[str, Any]
FALSE_MERGES = (
    "17_dedupe_parts_I_II_no_doi.ris",
    "18x_false_merge_m1_no_ids_other_pages.ris",
    "18x_false_merge_m3_third_matches_second.ris",
)
SAME_OF_FALSE_MERGES = {("18x_false_merge_m3_third_matches_second.ris", 1, 2)}
NAMES = (
    "Müller, Jörg", "García López, Ana", "van der Berg, Jan", "O'Neill, Hayley", "Li, Zhi Ming",
    "Sørensen, Åse", "Smith, John A.", "Kowalski, Łukasz", "Dupont, Élise", "Tanaka, Yuki",
    "Nguyen, Thi Lan", "Brown, Peter", "Rossi, Giulia", "Silva, João", "Haas, Eva",
)  # fmt: skip
JOURNALS = (("Proceedings of the National Academy of Sciences of the United States of America",
             "Proc Natl Acad Sci U S A"), ("The Lancet", "Lancet"),
            ("Journal of Clinical Investigation", "J Clin Invest"), ("PLoS ONE", "PLoS One"),
            ("European Journal of Heart Failure", "Eur J Heart Fail"))  # fmt: skip


def record_of(row: Row) -> PaperRecord:
    """A BibTeX record as ours is compared."""
    doi, author = row.get("doi"), row.get("author") or ""
    return PaperRecord(
        title=row.get("title") or "",
        authors=tuple(author.split(" and ")) if author else (),
        year=str(row.get("year") or ""),
        journal=row.get("journal") or row.get("booktitle") or "",
        volume=row.get("volume") or "",
        issue=row.get("number") or "",
        pages=(row.get("pages") or "").replace("--", "-"),
        abstract=row.get("abstract") or "",
        ids=(f"DOI:{doi}",) if doi else (),
        kind=row.get("ENTRYTYPE") or "",
    )


def row_of(paper: Paper) -> Row:
    """A paper as BibTeX fields."""
    return {
        "ENTRYTYPE": "article",
        "title": paper.title,
        "author": " and ".join(paper.authors),
        "year": paper.year,
        "journal": paper.journal,
        "volume": paper.volume,
        "number": paper.issue,
        "pages": paper.pages.replace("-", "--"),
        "doi": paper.doi,
        "abstract": " ".join(section.text for section in paper.sections),
    }


def case_pairs(data: Path) -> Iterator[tuple[str, Row, Row, bool]]:
    """Set, two records, whether they are one paper."""
    for case in json.loads((data / "reports/dedupe/cases.json").read_text())["cases"]:
        yield "dedupe", case["record_a"], case["record_b"], case["expected_duplicate"]
    for file in sorted((data / "reports/b/dd_near_twins").iterdir()):
        one, other = map(row_of, papers_of(file.read_bytes(), file.name))
        yield "near twins", one, other, True
    for name in FALSE_MERGES:
        rows = list(map(row_of, papers_of((data / "reports/b" / name).read_bytes(), name)))
        for a, b in combinations(range(len(rows)), 2):
            yield "false merges", rows[a], rows[b], (name, a, b) in SAME_OF_FALSE_MERGES


def library(data: Path) -> tuple[list[Row], list[int]]:
    """Records of a library in an order of chance, and the paper of each."""
    chance = random.Random(31)
    rows: list[tuple[Row, int]] = []
    with gzip.open(
        data / "literature/cdr_traindev_evidence/corpus.jsonl.gz", "rt", encoding="utf-8"
    ) as corpus:
        texts = [text for text in map(json.loads, corpus) if text["title"] and text["text"]]
    for number, text in enumerate(texts[:PAPERS]):
        paper = _invented(number, text, chance)
        rows += [(row, number) for row in _three_databases(paper, chance)]
        if number % 10 == 0:  # another paper of that title: a reply, a second part, a year later
            other = paper | {
                "pages": f"{900 + number}--{905 + number}",
                "volume": "99",
                "doi": f"10.5555/other.{number}",
                "abstract": "We thank the authors.",
            }
            rows.append((other, PAPERS + number))
    chance.shuffle(rows)
    return [row for row, _ in rows][:2000], [number for _, number in rows][:2000]


def _invented(number: int, text: Row, chance: random.Random) -> Row:
    first = 10 + 17 * number
    full, short = chance.choice(JOURNALS)
    return {
        "ENTRYTYPE": "article", "title": text["title"], "abstract": text["text"],
        "author": " and ".join(chance.sample(NAMES, chance.randint(1, 6))),
        "year": str(chance.randint(1995, 2024)), "journal": full, "short": short,
        "volume": str(chance.randint(1, 60)), "number": str(chance.randint(1, 12)),
        "pages": f"{first}--{first + 8}", "doi": f"10.5555/paper.{number}",
    }  # fmt: skip


def _three_databases(paper: Row, chance: random.Random) -> Iterator[Row]:
    """PubMed, Embase and Scopus as they differ: journal, names, spelling, year, what is missing."""
    plain = str.maketrans("üöåøŁłÉéíã", "uoaoLlEeia")
    initials = " and ".join(
        f"{family} {''.join(name[0] for name in given.split())}"
        for family, _, given in (one.partition(", ") for one in paper["author"].split(" and "))
    )
    yield paper | {"journal": paper["short"], "author": initials}
    british = paper["title"].replace("tumor", "tumour").replace("ization", "isation")
    embase = paper | {"title": british.rstrip("."), "author": initials.translate(plain), "doi": ""}
    if chance.random() < 0.2:
        embase |= {"year": str(int(paper["year"]) + 1)}
    yield embase
    scopus = paper | {"title": paper["title"].replace("&", "&amp;").title().rstrip(".")}
    if chance.random() < 0.3:
        scopus |= {"abstract": ""}
    if chance.random() < 0.2:
        scopus |= {"doi": "", "pages": "", "number": ""}
    yield scopus


def our_library(rows: list[Row]) -> tuple[list[str], int, float]:
    """The document of each record in a namespace, how many pairs are asked, and the seconds."""
    papers = [
        Paper(
            f"DOI:{row['doi'].lower()}" if row["doi"] else f"doc:record-{number}",
            row["title"],
            (PaperSection("", row["abstract"]),) if row["abstract"] else (),
            ABSTRACT,
            (f"DOI:{row['doi'].lower()}",) if row["doi"] else (f"doc:record-{number}",),
            year=row["year"],
            journal=row["journal"],
            authors=tuple(row["author"].split(" and ")),
            volume=row["volume"],
            issue=row["number"],
            pages=row["pages"].replace("--", "-"),
        )
        for number, row in enumerate(rows)
    ]
    with tempfile.TemporaryDirectory() as folder:
        desk = open_desk(Settings(project=Path(folder) / "p"))
        namespaces.create_namespace(desk, "library")
        started = time.perf_counter()
        namespaces.add_papers(desk, "library", papers)
        seconds = time.perf_counter() - started
        # each record again: the same record is what it was
        ids = [id for start in range(0, len(papers), 400)
               for id in _again(desk, papers[start : start + 400])]  # fmt: skip
        asked = len(desk.store.identity.asked(ids))
        desk.close()
    return ids, asked, seconds


def _again(desk: Any, papers: list[Paper]) -> tuple[str, ...]:
    members = [namespaces.member_of(paper) for paper in papers]
    return desk.store.namespaces.add_members("library", members).ids


def counted_pairs(groups: list[list[int]], truth: list[int]) -> tuple[int, int]:
    """Pairs of rows that are joined rightly and wrongly."""
    joined = [pair for group in groups for pair in combinations(group, 2)]
    right = sum(truth[a] == truth[b] for a, b in joined)
    return right, len(joined) - right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--peers", type=Path, help="python of an environment that has the peers")
    args = parser.parse_args()
    cases = list(case_pairs(args.data))
    rows, truth = library(args.data)
    ours = [judge_identity(record_of(a), record_of(b)).outcome for _, a, b, _ in cases]
    found: dict[str, list[bool]] = {"ours": [said is Identity.SAME for said in ours]}
    ids, asked, seconds = our_library(rows)
    groups: dict[str, list[int]] = {}
    for number, id in enumerate(ids):
        groups.setdefault(id, []).append(number)
    joined = {"ours": (*counted_pairs(list(groups.values()), truth), seconds)}
    if args.peers:
        task = {"pairs": [[a, b] for _, a, b, _ in cases], "library": rows}
        done = subprocess.run(
            [str(args.peers), str(PEER)],
            input=json.dumps(task),
            capture_output=True,
            text=True,
            check=True,
        )
        for name, said in json.loads(done.stdout).items():
            found[name] = said["pairs"]
            linked = [tuple(pair) for pair in said["library"]]
            joined[name] = (
                (*counted_pairs([list(group) for group in _closed(linked)], truth), said["seconds"])
                if name == "bib-dedupe"
                else (-1, len(linked), said["seconds"])
            )
    for kind in ("dedupe", "near twins", "false merges"):
        of_kind = [n for n, case in enumerate(cases) if case[0] == kind]
        for name, said in found.items():
            right = sum(said[n] == cases[n][3] for n in of_kind)
            wrong = sum(said[n] and not cases[n][3] for n in of_kind)
            print(f"{kind:13} {name:20} right {right} of {len(of_kind)}, false merges {wrong}")
        open_pairs = sum(ours[n] is Identity.ASK for n in of_kind)
        print(f"{kind:13} {'ours':20} asked {open_pairs}")
    pairs = sum(truth[a] == truth[b] for a, b in combinations(range(len(truth)), 2))
    for name, (right, wrong, took) in joined.items():
        if right < 0:
            print(f"library       {name:20} {wrong} records removed; {took:.1f} s")
            continue
        print(f"library       {name:20} {right} of {pairs} pairs, {wrong} wrong; {took:.1f} s")
    print(f"library       {'ours':20} asked {asked}; {len(set(ids))} papers of {len(set(truth))}")


def _closed(pairs: list[tuple[int, ...]]) -> list[set[int]]:
    """Rows that pairs join, directly or not."""
    of_row: dict[int, set[int]] = {}
    for a, b in pairs:
        group = of_row.get(a, {a}) | of_row.get(b, {b})
        for row in group:
            of_row[row] = group
    return list({id(group): group for group in of_row.values()}.values())


if __name__ == "__main__":
    main()
