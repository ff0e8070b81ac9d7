"""A batch on one core and on all of them, and what the queue itself costs.

    python benchmarks/batch.py [--documents 400] [--units 5000 20000]

Documents of eight sentences are read by the built-in engine through the product's own path
(`batch`), first by one process and then by one a core, each in a project of its own with the
vocabularies that come with the app; seconds count from the first unit to the last, without taking
the documents in. Then units that do nothing are claimed and finished, to see what state costs and
whether that grows. Printed: documents a second, the ratio, memory, what the database holds a
document, and bytes and milliseconds of state a document.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.desk import load_services, open_desk
from core.jobs import pool
from core.jobs import units as unit_work
from core.jobs.units import UnitResult, work_through
from core.model import Job, JobState
from core.services.extract import batch
from core.settings import load_settings
from core.store import Store
from core.store.unit import Unit, UnitState

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
    made = random.Random(1)
    return [
        (f"PMID:{9_000_000 + n}", " ".join(made.sample(SENTENCES, 8)) + f" This was case {n}.")
        for n in range(count)
    ]


def read_all(folder: Path, count: int, cores: int) -> tuple[float, float, float]:
    """Seconds to take the documents in, and to read them, on so many cores; bytes that the database
    holds a document, with its text, its run and what was found.
    """
    pool.usable_cores = lambda: cores
    desk = open_desk(load_settings(folder))
    began = time.perf_counter()
    job = batch.start(desk, "chemical_disease", documents(count), "builtin")
    taken_in = time.perf_counter()
    ended = desk.runner.wait(job.id)
    seconds = time.perf_counter() - taken_in
    assert ended.state is JobState.DONE, ended
    assert desk.store.units.counts(job.id)[UnitState.DONE] == count
    with desk.store.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    size = Path(desk.store.database.address).stat().st_size / count
    desk.close()
    return taken_in - began, seconds, size


def state(folder: Path, count: int) -> tuple[float, float]:
    """Bytes and milliseconds of state a unit, without any work."""
    store = Store(f"sqlite:///{folder / f'{count}.db'}")
    store.jobs.add(Job("j", "nothing", {}))
    store.units.add([Unit("j", n, f"PMID:{n}", f"{n:032x}") for n in range(count)])
    unit_work._WORK["nothing"] = lambda context, unit, check: UnitResult(UnitState.DONE, "done")
    log = folder / f"{count}.db-wal"
    with store.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    size = (folder / f"{count}.db").stat().st_size + log.stat().st_size
    began = time.perf_counter()
    assert work_through(store.units, None, "j", "nothing", "w", at_once=4) == count
    seconds = time.perf_counter() - began
    store.close()
    return ((folder / f"{count}.db").stat().st_size - size) / count, seconds / count * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--units", type=int, nargs="*", default=[5000, 20_000])
    given = parser.parse_args()
    all_cores = pool.usable_cores()
    load_services()
    rates = {}
    for cores in dict.fromkeys((1, all_cores)):
        with TemporaryDirectory() as folder:
            taken_in, seconds, size = read_all(Path(folder), given.documents, cores)
        rates[cores] = given.documents / seconds
        print(
            f"{cores} core(s): {given.documents} documents taken in {taken_in:.1f} s, read in"
            f" {seconds:.1f} s, {rates[cores]:.0f} a second"
        )
    print(f"all cores to one: {rates[all_cores] / rates[1]:.2f}")
    here, children = (
        resource.getrusage(who).ru_maxrss / 1024
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(
        f"memory: {here:.0f} MB in this process, {children:.0f} MB in the largest worker; database:"
        f" {size:,.0f} bytes a document with its text and what was found"
    )
    for count in given.units:
        with TemporaryDirectory() as folder:
            size, milliseconds = state(Path(folder), count)
        print(f"{count:,} units: {size:.0f} bytes more and {milliseconds:.2f} ms of state each")


if __name__ == "__main__":
    main()
