"""What 40 decisions teach: order and proposals of later texts, with gold facts as the curator.

    python benchmarks/decisions_teach.py --facts FOLDER --bc5cdr dev.jsonl.gz [--splits 5]

For each split a fresh project reads 30 abstracts and 60 that follow (30 of the facts, which are 60
in all), and everything that the built-in engine proposes goes to Review. `--decisions` statements
of the first 30, drawn at random, are decided as the gold says: approved, rejected with the reason
that fits, or, with --correct, corrected where only a term is wrong. Then the order is learned by
the service that the page calls. Printed for each set: the average precision (0 to 1) of what waits
of the later abstracts, by the engine's score and in the learned order; and precision, recall and F1
(0 to 100) of what the engine proposes for them before the decisions and after.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.learn_drafts import load_judge
from core.desk import Desk, open_desk
from core.evaluation.corpus import AnnotatedDocument, read_corpus
from core.learning.feature import shipped_score
from core.learning.order_model import average_precision
from core.model import Curator, Reason, State, Statement, Term, Verdict
from core.services.extract import draft, result
from core.services.extract.run import start_run
from core.services.learning import ranking
from core.services.review.decision import Judgement, correct, decide
from core.settings import load_settings
from core.store import QueueFilter

CURATOR = Curator("0000-0002-1825-0097", "The gold")
TAUGHT, LATER = 30, 60  # abstracts
INDUCES = "RO:0003302"


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What the gold says of one abstract's statements. `right` by id of a statement; None: neither
    right nor wrong. `met` of `firm` facts are proposed. `terms` are the ids that would be right, by
    the id that is not; a statement of `wrong_terms` has an end that the text does not name.
    """

    right: dict[str, bool | None]
    met: int
    firm: int
    corrected: dict[str, dict[str, Term]]
    wrong_terms: frozenset[str]


class Gold(Protocol):
    """A set of abstracts with its facts."""

    documents: list[tuple[str, str, str]]  # id, schema, text

    def verdicts(self, id: str, answer: dict[str, Any]) -> Verdicts: ...


class MarkedRelations:
    """BC5CDR: chemicals that induce diseases, as pairs of MeSH ids of an abstract."""

    def __init__(self, path: Path) -> None:
        self.of = {document.id: document for document in read_corpus(path)}
        self.documents = [(d.id, "chemical_disease_mesh", d.text) for d in self.of.values()]

    def verdicts(self, id: str, answer: dict[str, Any]) -> Verdicts:
        gold = self.of[id]
        named = {known for mention in gold.mentions for known in mention.ids}
        right: dict[str, bool | None] = {}
        corrected: dict[str, dict[str, Term]] = {}
        proposed, wrong_terms = set(), set()
        for row in answer["statements"]:
            ends = row["subject"]["id"], row["object"]["id"]
            if row["predicate"]["id"] != INDUCES or row["negated"]:
                right[row["id"]] = None
                continue
            proposed.add(ends)
            right[row["id"]] = ends in gold.relations
            if not named.issuperset(ends):
                wrong_terms.add(row["id"])
                meant = {
                    end: term
                    for end in ends
                    if end not in named and (term := self._meant(gold, answer, end))
                }
                if tuple(meant[end].id if end in meant else end for end in ends) in gold.relations:
                    corrected[row["id"]] = meant
        met = len(proposed & gold.relations)
        return Verdicts(right, met, len(gold.relations), corrected, frozenset(wrong_terms))

    def _meant(self, gold: AnnotatedDocument, answer: dict[str, Any], id: str) -> Term | None:
        """The term that people gave the words which the engine gave this id."""
        places = {tuple(s) for m in answer["mentions"] if m["id"] == id for s in m["spans"]}
        for mention in gold.mentions:
            if (mention.span.start, mention.span.end) in places and mention.ids:
                return Term(mention.ids[0], mention.text)
        return None


class GoldFacts:
    """The facts of five fields, held against statements by the judge that stands beside them."""

    def __init__(self, folder: Path) -> None:
        import json

        self.judge: ModuleType = load_judge(folder)
        lines = (folder / "gold.jsonl").read_text(encoding="utf-8").splitlines()
        self.of = {row["id"]: row for row in map(json.loads, lines)}
        self.documents = [(row["id"], row["schema"], row["text"]) for row in self.of.values()]

    def verdicts(self, id: str, answer: dict[str, Any]) -> Verdicts:
        rows, missed, firm = self.judge.judge(self.of[id], answer)
        right: dict[str, bool | None] = {}
        wrong_terms = set()
        for statement, row in zip(answer["statements"], rows, strict=True):
            verdict = row["verdict"]
            right[statement["id"]] = None if verdict == "ignored" else verdict == "right"
            if verdict == "near" and row["why"] == "identifier":
                wrong_terms.add(statement["id"])
        return Verdicts(right, len(firm) - len(missed), len(firm), {}, frozenset(wrong_terms))


@dataclass
class Outcome:
    """What one split gave: average precision in both orders, and P, R, F1 before and after."""

    by_score: float
    learned: float
    before: tuple[float, float, float]
    after: tuple[float, float, float]


def read(desk: Desk, gold: Gold, ids: Sequence[str], send: bool) -> dict[str, Verdicts]:
    """What the built-in engine proposes for these abstracts, and what the gold says of it."""
    texts = {id: (schema, text) for id, schema, text in gold.documents}
    said = {}
    for id in ids:
        schema, text = texts[id]
        job = start_run(
            desk, schema, text, source=f"x:{id}", engine="builtin", curator=CURATOR.orcid
        )
        view = result.wait_for_job(desk, job)
        said[id] = gold.verdicts(id, draft.as_json(view))
        if send:
            result.send_to_review(desk, view.run.id, CURATOR.orcid, include_ungrounded=True)
    return said


def scores(said: dict[str, Verdicts]) -> tuple[float, float, float]:
    """Precision, recall and F1 over abstracts, 0 to 100."""
    judged = [right for one in said.values() for right in one.right.values() if right is not None]
    precision = 100 * sum(judged) / (len(judged) or 1)
    recall = 100 * sum(v.met for v in said.values()) / (sum(v.firm for v in said.values()) or 1)
    return precision, recall, 2 * precision * recall / (precision + recall or 1)


def decide_as(desk: Desk, said: dict[str, Verdicts], ids: Sequence[str], corrects: bool) -> None:
    """Decide statements as the gold of their abstracts says."""
    for id in ids:
        record = desk.store.statements.get(id)
        if record.state is not State.PROPOSED:
            continue
        verdicts = [one for one in said.values() if one.right.get(id) is not None]
        if any(one.right[id] for one in verdicts):
            decide(desk, id, record.version, Judgement(Verdict.APPROVE), curator=CURATOR)
        elif corrects and (
            terms := next((v.corrected[id] for v in verdicts if id in v.corrected), None)
        ):
            fixed = with_terms(record.statement, terms)
            correct(desk, id, record.version, fixed, curator=CURATOR, approve=True)
        else:
            wrong_term = any(id in one.wrong_terms for one in verdicts)
            reason = Reason.WRONG_TERM if wrong_term else Reason.NO_RELATION
            decide(desk, id, record.version, Judgement(Verdict.REJECT, reason), curator=CURATOR)


def with_terms(statement: Statement, terms: dict[str, Term]) -> Statement:
    """The same statement with other terms, by the ids of those that were wrong."""
    for role in ("subject", "object"):
        thing = getattr(statement, role)
        if isinstance(thing, Term) and thing.id in terms:
            meant = replace(terms[thing.id], category=thing.category)
            statement = (
                replace(statement, subject=meant)
                if role == "subject"
                else replace(statement, object=meant)
            )
    return statement


def measure(gold: Gold, seed: int, decisions: int, corrects: bool) -> Outcome:
    draw = random.Random(seed)
    ids = [id for id, _, _ in gold.documents]
    draw.shuffle(ids)
    first, later = ids[:TAUGHT], ids[TAUGHT : TAUGHT + LATER]
    with tempfile.TemporaryDirectory() as folder:
        desk = open_desk(load_settings(Path(folder)))
        try:
            taught_on = read(desk, gold, first, send=True)
            before = read(desk, gold, later, send=True)
            decidable = sorted(
                {
                    id
                    for one in taught_on.values()
                    for id, right in one.right.items()
                    if right is not None
                }
            )
            draw.shuffle(decidable)
            decide_as(desk, taught_on, decidable[:decisions], corrects)
            ranking.make_ranking(desk)
            orders = order_figures(desk, before)
            after = read(desk, gold, later, send=False)
            return Outcome(*orders, scores(before), scores(after))
        finally:
            desk.close()


def order_figures(desk: Desk, said: dict[str, Verdicts]) -> tuple[float, float]:
    """Average precision of what waits of these abstracts: by score, and in the learned order."""
    waiting = desk.store.queue.records(QueueFilter(states=(State.PROPOSED,)))
    truth = {
        id: right for one in said.values() for id, right in one.right.items() if right is not None
    }
    waiting = [record for record in waiting if record.id in truth]
    right = [bool(truth[record.id]) for record in waiting]
    likely = ranking.approval_likelihoods(desk, [record.id for record in waiting])
    return (
        average_precision([shipped_score(record.evidence) for record in waiting], right),
        average_precision([likely[record.id] for record in waiting], right),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--facts", type=Path, help="the folder of gold.jsonl and score.py")
    parser.add_argument("--bc5cdr", type=Path, help="a file of annotated chemical–disease texts")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--decisions", type=int, default=40)
    parser.add_argument("--correct", action="store_true", help="wrong terms are corrected")
    args = parser.parse_args()
    sets: list[tuple[str, Gold]] = []
    if args.facts:
        sets.append(("facts", GoldFacts(args.facts)))
    if args.bc5cdr:
        sets.append(("BC5CDR", MarkedRelations(args.bc5cdr)))
    print("set\tsplit\tAP by score\tAP learned\tP R F1 before\tP R F1 after")
    for name, gold in sets:
        outcomes = []
        for seed in range(args.splits):
            outcomes.append(measure(gold, seed, args.decisions, args.correct))
            print_line(name, str(seed), outcomes[-1])
        print_line(name, "mean", mean_of(outcomes))


def mean_of(outcomes: Sequence[Outcome]) -> Outcome:
    def triple(rows: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
        first, second, third = (statistics.mean(column) for column in zip(*rows, strict=True))
        return first, second, third

    return Outcome(
        statistics.mean(one.by_score for one in outcomes),
        statistics.mean(one.learned for one in outcomes),
        triple([one.before for one in outcomes]),
        triple([one.after for one in outcomes]),
    )


def print_line(name: str, split: str, one: Outcome) -> None:
    before, after = (" ".join(f"{x:.1f}" for x in three) for three in (one.before, one.after))
    print(f"{name}\t{split}\t{one.by_score:.3f}\t{one.learned:.3f}\t{before}\t{after}", flush=True)


if __name__ == "__main__":
    main()
