"""A batch that waits for a model, on one Dask worker and on two; or on two that are killed.

    python benchmarks/cluster.py [--documents 120]
    python benchmarks/cluster.py --kills [--input ../shared/data/grounding/bc5cdr/*.jsonl.gz]
    python benchmarks/cluster.py --kills --here    # SQLite; the app and two more processes die

A PostgreSQL, a Dask scheduler, the stand-in endpoint of `../shared/servers` (each answer after
200 ms) and workers (`python -m core worker`, a core each) are started on loopback; the batch is
started as a user does, by `python -m core batch`. A worker waits for `--parallel` answers at once:
few, so that it waits and does not compute, and two cores are enough for two workers with all that
serves them. Printed: documents a second, the ratio of two workers to one, and whether the rows of
each run are those of an undisturbed run on this machine alone.

With `--kills` the endpoint has faults (too many requests, errors, answers that are no JSON), the
app, the scheduler, PostgreSQL or a worker dies at random, about every 20 seconds (`--every`), and
comes back; the batch is resumed, and what failed tried again, until all is read. Printed then: how
often who died, whether the rows are those of the undisturbed run, whether both knowledge bases, all
approved, are exported as the same bytes, and how many answers were paid twice: asked for again
although an answer had come. Statements come from the built-in engine, which reads the same
documents by the same queue and under the same kills; the random ids of runs, which stand in an
export as what it comes from, are replaced by the numbers of the documents. A question whose asker
died while it was under way is asked again by need; those are counted apart.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.batch import documents
from core.desk import Desk, open_desk
from core.model import Curator, Job, Verdict
from core.services.extract.result import send_to_review
from core.services.graph.knowledge_base import export_approved
from core.services.review.decision import Judgement, decide
from core.settings import load_settings
from core.store.unit import UnitState
from tests.postgresql import Server, postgresql_server

ROOT = Path(__file__).resolve().parents[1]
ENDPOINT = ROOT.parent / "shared" / "servers" / "openai_replay.py"
LOOKS = 5  # a second
PATIENCE = 120  # seconds for workers to join, on a busy machine
FAULTS = "429:0.03,500:0.03,badjson:0.03"  # such as pass
CURATOR, APPROVED = Curator("0000-0002-1825-0097", "Anna"), Judgement(Verdict.APPROVE)
SETTINGS = (
    "GROUNDWORK_DATABASE_URL", "GROUNDWORK_BASE_IRI", "OPENAI_BASE_URL", "OPENAI_API_KEY"
)  # fmt: skip
NOW = "2026-11-23T00:00:00Z"  # of sending, approving and exporting
STORED_WITHIN = 1.0  # seconds from an answer to its row, on a busy machine
Hands = dict[str, list[str]]  # who works beside the app → the command
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def process(
    command: list[str], environment: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """A process group of its own, gone at the end with all its children."""
    child = subprocess.Popen(
        command, cwd=ROOT, env=dict(environment), start_new_session=True, **QUIET
    )
    try:
        yield child
    finally:
        end(child)


def end(child: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


@contextmanager
def endpoint(milliseconds: int, faults: str = "") -> Iterator[str]:
    command = [sys.executable, str(ENDPOINT), "--port", "0", "--echo-fields", "--delay"]
    command += [str(milliseconds), "--fault", faults, "--seed", "7"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    try:
        yield child.stdout.readline().split()[1]
    finally:
        child.kill()
        child.wait()


@dataclass(frozen=True)
class Traffic:
    """What the endpoint saw since it was last asked: `answered` requests got a whole answer. Of
    those some were for a question that was answered before: `again` though the earlier answer had
    come, `lost` because who asked died while it was under way.
    """

    requests: int
    answered: int
    seconds: float  # from the first request to the last answer
    again: int
    lost: int


def traffic(url: str, deaths: Sequence[float] = ()) -> Traffic:
    address = url.removesuffix("/v1")
    with urllib.request.urlopen(f"{address}/__log", timeout=60) as answer:
        requests = json.load(answer)["requests"]
    urllib.request.urlopen(f"{address}/__reset", timeout=60).close()
    seconds = max(request["end"] for request in requests) - min(
        request["start"] for request in requests
    )
    answered = [request for request in requests if request["fault"] == "ok"]
    questions, came = Counter[str](), Counter[str]()
    for request in answered:
        question = json.dumps(request["body"]["messages"])
        died = any(request["start"] <= death <= request["end"] + STORED_WITHIN for death in deaths)
        questions[question] += 1
        came[question] += not died
    again = sum(max(times - 1, 0) for times in came.values())
    lost = len(answered) - len(questions) - again
    return Traffic(len(requests), len(answered), seconds, again, lost)


@dataclass
class Killing:
    """Who is killed, and when it happened (seconds since 1970)."""

    random: random.Random
    every: float  # seconds, on average
    deaths: list[tuple[str, float]] = field(default_factory=list)

    def note(self, who: str) -> None:
        self.deaths.append((who, time.time()))

    @property
    def times(self) -> list[float]:
        return [when for _, when in self.deaths]

    def words(self) -> str:
        counts = Counter(who for who, _ in self.deaths)
        return ", ".join(f"{who} {times}" for who, times in sorted(counts.items()))


def job_of(desk: Desk, engine: str) -> Job | None:
    """The batch of an engine, once it is written down."""
    return next((job for job in desk.store.jobs.find() if job.arguments["engine"] == engine), None)


def has_begun(environment: Mapping[str, str], engine: str) -> bool:
    """Whether documents are read: killed before, while they come in, it is to be begun anew."""
    desk = desk_of(environment)
    try:
        job = job_of(desk, engine)
        return job is not None and "documents" in job.arguments
    finally:
        desk.close()


def batch(environment: Mapping[str, str], *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "core", "batch", "--schema", "chemical_disease", *words]
    with words_of_batch(environment).open("wb") as said:
        return subprocess.Popen(
            command, cwd=ROOT, env=dict(environment), start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=said,
        )  # fmt: skip


def words_of_batch(environment: Mapping[str, str]) -> Path:
    """The file of what the last batch of a project said of itself."""
    return Path(environment["GROUNDWORK_PROJECT"] + ".log")


def run(
    environment: Mapping[str, str],
    file: Path,
    *,
    killing: Killing | None,
    others: Mapping[str, list[str]],
    database: Server | None = None,
    engine: str = "one-call",
) -> None:
    """The batch from its start to its end, with `others`: the scheduler and its workers. With
    `killing` all of them, the app and the database die on the way, and what failed is tried again
    until nothing does.
    """
    with ExitStack() as stack:
        hands = {
            who: stack.enter_context(process(command, environment))
            for who, command in others.items()
        }
        if "GROUNDWORK_SCHEDULER" in environment and others:
            await_workers(environment["GROUNDWORK_SCHEDULER"], others)
        child = batch(environment, "--engine", engine, "--input", str(file))
        while (status := child.poll()) is None or (
            status == 1 and not all_read(environment, engine)
        ):
            if status is not None:
                child = batch(environment, *resumed(environment, engine), "--retry")
            time.sleep(1 / LOOKS)
            if (
                killing is None
                or killing.random.random() > 1 / (LOOKS * killing.every)
                or not has_begun(environment, engine)
            ):
                continue
            who = killing.random.choice([*hands, "app", *(["database"] if database else [])])
            killing.note(who)
            if who == "app":
                end(child)
                child = batch(environment, *resumed(environment, engine))
            elif who in hands:
                end(hands[who])
                hands[who] = stack.enter_context(process(others[who], environment))
            elif database is not None:
                database.stop()
                time.sleep(1)
                database.start()
        assert status in (0, 1), f"the batch ended with status {status}: {last_words(environment)}"


def await_workers(scheduler: str, others: Mapping[str, list[str]]) -> None:
    """Wait until every worker has joined the scheduler: on a busy machine that takes long. Raises
    TimeoutError that says how many did.
    """
    from distributed import Client

    with Client(scheduler, timeout=PATIENCE) as client:
        client.wait_for_workers(sum("worker" in who for who in others), timeout=PATIENCE)


def last_words(environment: Mapping[str, str]) -> str:
    return words_of_batch(environment).read_text(encoding="utf-8", errors="replace")[-2000:]


def resumed(environment: Mapping[str, str], engine: str) -> list[str]:
    desk = desk_of(environment)
    job = job_of(desk, engine)
    desk.close()
    assert job is not None, f"no batch was begun: {last_words(environment)}"
    return ["--resume", job.id]


def all_read(environment: Mapping[str, str], engine: str) -> bool:
    desk = desk_of(environment)
    try:
        job = job_of(desk, engine)
        assert job is not None, f"no batch was begun: {last_words(environment)}"
        counts = desk.store.units.counts(job.id)
        return counts[UnitState.DONE] == sum(counts.values())
    finally:
        desk.close()


def desk_of(environment: Mapping[str, str]) -> Desk:
    chosen = {
        name: environment[name]
        for name in (
            "GROUNDWORK_DATABASE_URL",
            "GROUNDWORK_BASE_IRI",
            "OPENAI_BASE_URL",
            "OPENAI_API_KEY",
        )
        if name in environment
    }
    return open_desk(load_settings(Path(environment["GROUNDWORK_PROJECT"]), chosen))


def rows(environment: Mapping[str, str], engine: str = "one-call") -> dict[str, str]:
    """What each document gave, without ids and times of runs."""
    desk = desk_of(environment)
    try:
        job = job_of(desk, engine)
        assert job is not None
        units = desk.store.units.all(job.id)
        assert {unit.state for unit in units} == {UnitState.DONE}, desk.store.units.counts(job.id)
        return {
            unit.name: json.dumps(desk.store.runs.result(unit.run, "extraction"), sort_keys=True)
            for unit in units
        }
    finally:
        desk.close()


def exported(environment: Mapping[str, str]) -> bytes:
    """All that was read, sent to review, approved and exported as Turtle."""
    desk = desk_of(environment)
    desk.clock = lambda: NOW
    try:
        job = job_of(desk, "builtin")
        assert job is not None
        for unit in desk.store.units.all(job.id):
            sent = send_to_review(desk, unit.run, CURATOR.orcid)
            for record in desk.store.statements.of_ids(sent.new):
                decide(desk, record.id, record.version, APPROVED, curator=CURATOR)
        content = export_approved(desk, "ttl").content
        for unit in desk.store.units.all(job.id):
            content = content.replace(unit.run.encode(), f"run-{unit.number}".encode())
        return content
    finally:
        desk.close()


def told_export(alone: bytes, others: bytes) -> None:
    same = "the same bytes" if alone == others else "OTHER BYTES"
    print(f"export of all that was approved: {same}, {len(alone):,} of them", flush=True)


def texts(files: Sequence[Path], count: int) -> list[tuple[str, str]]:
    """Abstracts of corpus files (JSON lines, gzipped), or documents that are made up."""
    if not files:
        return documents(count)
    rows = []
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows += [json.loads(line) for line in lines]
    return [(f"PMID:{row['pmid']}", f"{row['title']} {row['abstract']}") for row in rows][:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--documents", type=int, default=400, help="at most so many")
    parser.add_argument("--input", type=Path, nargs="*", default=[], help="corpora to read")
    parser.add_argument("--parallel", type=int, default=4, help="answers a worker waits for")
    parser.add_argument("--kills", action="store_true", help="kill app and workers at random")
    parser.add_argument("--here", action="store_true", help="on one machine: SQLite, no scheduler")
    parser.add_argument("--every", type=float, default=20.0, help="seconds between two kills")
    options = parser.parse_args()
    faults = FAULTS if options.kills else ""
    with TemporaryDirectory() as folder, endpoint(200, faults) as url:
        file = Path(folder) / "documents.jsonl"
        lines = [{"id": id, "text": text} for id, text in texts(options.input, options.documents)]
        file.write_text("\n".join(json.dumps(line) for line in lines))
        base = os.environ | {
            "OPENAI_BASE_URL": url,
            "OPENAI_API_KEY": "none",
            "GROUNDWORK_MODEL": "replay",
            "GROUNDWORK_BASE_IRI": "https://example.org/kb/",
            "GROUNDWORK_MODEL_PARALLEL": str(options.parallel),
        }
        alone = base | {"GROUNDWORK_PROJECT": f"{folder}/alone"}
        run(alone, file, killing=None, others={})
        undisturbed = rows(alone)
        told("this machine, threads", len(undisturbed), traffic(url))
        rates = {}
        for count in (2,) if options.kills else (1, 2):
            killing = Killing(random.Random(count), options.every) if options.kills else None
            project = base | {"GROUNDWORK_PROJECT": f"{folder}/of-{count}"}
            place_of_work = one_machine if options.here else cluster
            with place_of_work(project) as (environment, first, database):
                others = first | workers_of(count)
                run(environment, file, killing=killing, others=others, database=database)
                read = rows(environment)
                if killing:
                    for place, hands in ((alone, {}), (environment, others)):
                        run(
                            place, file, killing=killing if hands else None,
                            others=hands, database=database, engine="builtin",
                        )  # fmt: skip
                    told_export(exported(alone), exported(environment))
                other = [id for id, row in undisturbed.items() if read.get(id) != row]
                same = f"{len(other)} OTHER ROWS, such as {other[0]}" if other else "the same rows"
                if other:
                    print(undisturbed[other[0]], read.get(other[0]), sep="\n")
            seen = traffic(url, killing.times if killing else ())
            kind = "second process(es)" if options.here else "Dask worker(s)"
            told(f"{count} {kind}, {same}", len(undisturbed), seen)
            rates[count] = len(undisturbed) / seen.seconds
            if killing:
                print(f"killed: {killing.words()}")
        if not options.kills:
            print(f"two workers to one: {rates[2] / rates[1]:.2f}")


def told(who: str, count: int, seen: Traffic) -> None:
    print(
        f"{who}: {count / seen.seconds:.1f} documents a second, {seen.requests} requests,"
        f" {seen.answered} answered; paid twice {seen.again}, after a death {seen.lost}",
        flush=True,
    )


def workers_of(count: int) -> dict[str, list[str]]:
    cores = sorted(os.sched_getaffinity(0))
    worker = [sys.executable, "-m", "core", "worker"]
    return {
        f"worker {n + 1}": ["taskset", "-c", str(cores[n % len(cores)]), *worker]
        for n in range(count)
    }


@contextmanager
def one_machine(base: Mapping[str, str]) -> Iterator[tuple[dict[str, str], Hands, None]]:
    """The environment of a desk on SQLite, which needs nobody else."""
    yield dict(base), {}, None


@contextmanager
def cluster(base: Mapping[str, str]) -> Iterator[tuple[dict[str, str], Hands, Server]]:
    """The environment of a desk on PostgreSQL with a Dask scheduler, the command that runs the
    scheduler, and the database.
    """
    port = free_port()
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1"]
    with postgresql_server() as database:
        environment = dict(base) | {
            "GROUNDWORK_DATABASE_URL": database.url,
            "GROUNDWORK_SCHEDULER": f"tcp://127.0.0.1:{port}",
        }
        command += ["--port", str(port), "--no-dashboard"]
        yield environment, {"scheduler": command}, database


if __name__ == "__main__":
    main()
