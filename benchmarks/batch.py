"""A batch on one core and on all of them, and what the queue itself costs.

    python benchmarks/batch.py [--documents 400] [--units 5000 20000]

Documents of eight sentences are read by the built-in engine through the product's own path
(`batch`), first by one process and then by one a core, each in a project of its own with the
vocabularies that come with the app; seconds count from the first unit to the last, without taking
the documents in. Then units that do nothing are claimed and finished, to see what state costs and
whether that grows. Printed: documents a second by the clock, processor milliseconds a document
(which a busy machine changes little), the ratios, memory, what the database holds a document, and
bytes and processor milliseconds of state a unit. The ratio by the processor is what all cores would
give on a machine of one's own: what a worker costs to begin is in it. Beside it stands what a plain
loop of Python gains from all cores in the same minute, which is the most that any program can.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import load_services, open_desk
from core.jobs import pool
from core.jobs.units import AT_ONCE, UnitResult, register_units, work_through
from core.model import Job, JobState
from core.services.extract import batch
from core.settings import load_settings
from core.store import Store
from core.store.unit import JobUnit, UnitState

SENTENCES = (
    "Aspirin reduces the risk of stroke in patients with asthma.",
    "Cisplatin caused acute renal failure in rats.",
    "Lithium treats bipolar disorder.",
    "No effect of ibuprofen on fever was seen.",
    "Naloxone reverses the antihypertensive effect of clonidine.",
    "Patients received metformin for diabetes mellitus.",
    "Cocaine induced cardiac arrest in two patients.",
    "Haloperidol was associated with parkinsonism.",
    "Propranolol prevented migraine in most patients.",
    "Amiodarone induced hypothyroidism after a year.",
)


def documents(count: int) -> list[tuple[str, str]]:
    chance = random.Random(1)
    return [
        (f"PMID:{9_000_000 + n}", " ".join(chance.sample(SENTENCES, 8)) + f" This was case {n}.")
        for n in range(count)
    ]


@dataclass(frozen=True)
class Reading:
    """A batch on so many cores. Seconds by the clock, and of all processors together; `size` is
    bytes that the database holds a document, with its text, its run and what was found.
    """

    taken_in: float
    taking_in: float  # processor
    seconds: float
    processor: float
    size: float


def processor() -> float:
    """Seconds of this process and of its children that ended."""
    here, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return here.ru_utime + here.ru_stime + children.ru_utime + children.ru_stime


def read_all(folder: Path, count: int, cores: int) -> Reading:
    """Take documents in, and read them on so many cores."""
    pool.usable_cores = lambda: cores
    desk = open_desk(load_settings(folder))
    began, used = time.perf_counter(), processor()
    job = batch.start_batch(desk, "chemical_disease", documents(count), engine="builtin")
    taken_in, taking_in = time.perf_counter(), processor()
    ended = desk.runner.wait(job.id)
    seconds, reading = time.perf_counter() - taken_in, processor() - taking_in
    assert ended.state is JobState.DONE, ended
    assert desk.store.units.counts(job.id)[UnitState.DONE] == count
    with desk.store.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    size = Path(desk.store.database.address).stat().st_size / count
    desk.close()
    return Reading(taken_in - began, taking_in - used, seconds, reading, size)


LOOP = "n = 0\nfor i in range(20_000_000): n += i * i % 7"


def gain_of_a_plain_loop(cores: int) -> float:
    """How many times as much a loop does on so many cores as on one, by the clock."""

    def seconds(processes: int) -> float:
        began = time.perf_counter()
        children = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(processes)]
        for child in children:
            child.wait()
        return time.perf_counter() - began

    return cores * seconds(1) / seconds(cores)


def state(folder: Path, count: int) -> tuple[float, float]:
    """Bytes, and milliseconds of the processor, of state a unit, without any work."""
    store = Store(f"sqlite:///{folder / f'{count}.db'}")
    store.jobs.add(Job("j", "nothing", {}))
    store.units.add([JobUnit("j", n, f"PMID:{n}", f"{n:032x}") for n in range(count)])
    register_units("nothing")(lambda context, unit, check: UnitResult(UnitState.DONE, "done"))
    log = folder / f"{count}.db-wal"
    with store.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    size = (folder / f"{count}.db").stat().st_size + log.stat().st_size
    began = processor()
    assert work_through(store.units, None, "j", "nothing", "w", at_once=AT_ONCE) == count
    seconds = processor() - began
    store.close()
    return ((folder / f"{count}.db").stat().st_size - size) / count, seconds / count * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--units", type=int, nargs="*", default=[5000, 20_000])
    options = parser.parse_args()
    all_cores = pool.usable_cores()
    load_services()
    by_clock, by_processor = {}, {}
    for cores in dict.fromkeys((1, all_cores)):
        with TemporaryDirectory() as folder:
            measured = read_all(Path(folder), options.documents, cores)
        each = 1000 / options.documents
        by_clock[cores] = options.documents / measured.seconds
        by_processor[cores] = options.documents * cores / measured.processor
        print(
            f"{cores} core(s): {options.documents} documents taken in {measured.taken_in:.1f} s"
            f" ({measured.taking_in * each:.2f} ms of processor each), read in"
            f" {measured.seconds:.1f} s, {by_clock[cores]:.0f} a second by the clock;"
            f" {measured.processor * each:.2f} ms of processor each,"
            f" which is {by_processor[cores]:.0f} a second of {cores} core(s)"
        )
    for name, rates in (("the clock", by_clock), ("the processor", by_processor)):
        print(f"all cores to one by {name}: {rates[all_cores] / rates[1]:.2f}")
    print(f"a plain loop, all cores to one by the clock: {gain_of_a_plain_loop(all_cores):.2f}")
    here, children = (
        resource.getrusage(who).ru_maxrss / 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(
        f"memory: {here:.0f} MB in this process, {children:.0f} MB in the largest worker; database:"
        f" {measured.size:,.0f} bytes a document with its text and what was found"
    )
    for count in options.units:
        with TemporaryDirectory() as folder:
            size, milliseconds = state(Path(folder), count)
        print(
            f"{count:,} units: {size:.0f} bytes more and {milliseconds:.2f} ms of processor for"
            " state each"
        )


if __name__ == "__main__":
    main()
