"""Does the learned order bring the right statements first? BC5CDR dev is the oracle.

    python benchmarks/learned_order.py --input ../shared/data/grounding/bc5cdr/dev.jsonl.gz

The built-in engine reads the texts in a project of its own, as a curator's project does; everything
proposed goes to Review. Then `--decisions` statements drawn at random are decided as the marked
relations say (approve what they hold, reject the rest), the ranking is made from these decisions by
the service that the page calls, and the first hundred of what waits are compared with a random
hundred. Repeated with other draws; each draw starts from the same undecided project.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import Desk, open_desk
from core.evaluation.corpus import AnnotatedDocument, read_corpus
from core.learning.feature import shipped_score
from core.model import Curator, RankOrder, Reason, State, Statement, Term, Verdict
from core.services.extract import result
from core.services.extract.run import start_run
from core.services.learning import ranking
from core.services.review.decision import Judgement, decide
from core.settings import load_settings
from core.store import QueueFilter

ORACLE = Curator("0000-0002-1825-0097", "BC5CDR")
INDUCES = "RO:0003302"
FIRST = 100


def filled(folder: Path, documents: list[AnnotatedDocument]) -> None:
    """A project in which the built-in engine has read all texts."""
    desk = open_desk(load_settings(folder))
    for document in documents:
        job = start_run(
            desk,
            "chemical_disease_mesh",
            document.text,
            source=document.id,
            engine="builtin",
            curator=ORACLE.orcid,
        )
        outcome = result.wait_for_job(desk, job)
        result.send_to_review(desk, outcome.run.id, ORACLE.orcid, include_ungrounded=True)
    desk.close()


def right(statement: Statement, gold: set[tuple[str, str]]) -> bool:
    """Whether the marked relations of any text hold it."""
    subject, object_ = statement.subject, statement.object
    if not isinstance(subject, Term) or not isinstance(object_, Term):
        return False
    induces = statement.predicate.id == INDUCES and not statement.negated
    return induces and (subject.id, object_.id) in gold


def draw(desk: Desk, gold: set[tuple[str, str]], decisions: int, seed: int) -> dict[str, float]:
    """Shares of right statements among the first hundred in each order, 0 to 1."""
    waiting = desk.store.queue.records(QueueFilter(states=(State.PROPOSED,)))
    truth = {record.id: right(record.statement, gold) for record in waiting}
    for record in random.Random(seed).sample(waiting, min(decisions, len(waiting))):
        verdict = Verdict.APPROVE if truth[record.id] else Verdict.REJECT
        reason = None if truth[record.id] else Reason.NO_RELATION
        decide(desk, record.id, record.version, Judgement(verdict, reason), curator=ORACLE)
    ranking.make_ranking(desk)
    left = desk.store.queue.records(QueueFilter(states=(State.PROPOSED,)))
    shipped = sorted(left, key=lambda record: -shipped_score(record.evidence))
    learned = ranking.proposed_ids(desk, RankOrder.LIKELY, FIRST)
    first = min(FIRST, len(left))
    return {
        "random": sum(truth[record.id] for record in left) / len(left),
        "shipped": sum(truth[record.id] for record in shipped[:FIRST]) / first,
        "learned": sum(truth[id] for id in learned) / first,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--input", type=Path, required=True)
    parser.add_argument("--project", type=Path, help="keep the filled project here, and use it")
    parser.add_argument("--limit", type=int, default=0, help="texts; 0: all")
    parser.add_argument("--decisions", type=int, default=200)
    parser.add_argument("--draws", type=int, default=3)
    args = parser.parse_args()
    documents = read_corpus(args.input)[: args.limit or None]
    gold = {pair for document in documents for pair in document.relations}
    with tempfile.TemporaryDirectory() as place:
        base = args.project or Path(place) / "base"
        if not base.exists():
            filled(base, documents)
        draws = []
        for seed in range(args.draws):
            folder = Path(place) / f"draw{seed}"
            shutil.copytree(base, folder)
            desk = open_desk(load_settings(folder))
            draws.append(draw(desk, gold, args.decisions, seed))
            desk.close()
    shares = {name: statistics.mean(draw[name] for draw in draws) for name in draws[0]}
    print(f"{len(documents)} texts, {args.decisions} decisions, {args.draws} draws")
    for name, share in shares.items():
        print(f"{name}\t{100 * share:.1f} of 100 right\t{share / shares['random']:.2f} x random")


if __name__ == "__main__":
    main()
