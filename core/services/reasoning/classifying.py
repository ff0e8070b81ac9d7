"""Classifying in the background: a job that can be stopped, and what the last one found."""

from __future__ import annotations

import json
from pathlib import Path

from core.codec import from_json, to_json
from core.desk_parts import HasFolder, HasProjectJobs, HasProjectTerms
from core.errors import InputError
from core.jobs.runner import JobContext, register_job
from core.kb.reasoning.reasoner import PYELK, Reasoner, reasoner_named, usable_reasoners
from core.model import Job, Json
from core.services.graph import knowledge_base
from core.services.graph.export_file import replace_file
from core.services.reasoning import reasoning
from core.services.reasoning.reasoning import ReasoningResult

__all__ = ["Reasoner"]

JOB = "classification"
FILE = "classified.json"  # in the project's indexes: it can be made again
CLASSIFYING_STEPS = 3


def available_reasoners(desk: HasFolder) -> list[Reasoner]:
    """The reasoners that can be used here, pyELK first."""
    return usable_reasoners(desk.settings.reasoner_jars)


def start_classifying(desk: HasProjectJobs, reasoner: str = PYELK.name, curator: str = "") -> Job:
    """Classify in the background; `last_classification` has what was found. Raises NotFound for a
    reasoner that is not here.
    """
    reasoner_named(reasoner, desk.settings.reasoner_jars)
    return desk.runner.start(JOB, {"reasoner": reasoner}, curator)


def last_classification(desk: HasFolder) -> ReasoningResult | None:
    """What was found last, whatever was decided since (see `is_current`); None before."""
    try:
        return from_json(ReasoningResult, json.loads(_file(desk).read_text("utf-8")))
    except (OSError, ValueError, InputError):  # of another version: it is made again
        return None


def is_current(desk: HasProjectTerms, reasoned: ReasoningResult) -> bool:
    """Whether nothing that a reasoner uses has changed since."""
    return reasoned.stamp == reasoning.reasoning_stamp(desk)


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    desk: HasProjectTerms = context.context
    reasoner = reasoner_named(str(arguments["reasoner"]), desk.settings.reasoner_jars)
    context.progress(0, CLASSIFYING_STEPS, "checking statements")
    report = knowledge_base.gate_passage(desk)
    context.progress(1, CLASSIFYING_STEPS, "reading the broader terms of the vocabularies")
    ontology = reasoning.ontology_of(desk, report)
    context.progress(
        2, CLASSIFYING_STEPS, f"{reasoner.title} is classifying {len(ontology.axioms):,} axioms"
    )
    reasoned = reasoning.run_reasoner(desk, ontology, reasoner, context.check)
    replace_file(_file(desk), [json.dumps(to_json(reasoned)).encode()])
    context.progress(CLASSIFYING_STEPS, CLASSIFYING_STEPS)
    classification = reasoned.classification
    return {
        "members": sum(map(len, classification.groups.values())),
        "contradictions": len(classification.contradictions),
    }


def _file(desk: HasFolder) -> Path:
    return desk.indexes / FILE
