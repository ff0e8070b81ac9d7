"""The evaluations: what `evaluate` calls each, and the module that measures it. A new one is a
module with `add_arguments` and `stages`, and a line here; other packages add theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.plugins import Registry


@dataclass(frozen=True, slots=True)
class EvaluationSpec:
    """An evaluation. `module` is the dotted name of what measures it, which is imported when it
    runs.
    """

    name: str
    module: str


EVALUATIONS = Registry(
    "groundwork.evaluations",
    EvaluationSpec,
    (
        EvaluationSpec("answers", "core.evaluation.answers"),
        EvaluationSpec("api-calls", "core.evaluation.api_calls"),
        EvaluationSpec("bc5cdr", "core.evaluation.bc5cdr"),
        EvaluationSpec("gene-ablation", "core.evaluation.gene_ablation"),
        EvaluationSpec("gene-wordings", "core.evaluation.gene_wordings"),
        EvaluationSpec("genehop", "core.evaluation.gene_benchmark"),
        EvaluationSpec("geneturing", "core.evaluation.gene_benchmark"),
        EvaluationSpec("grounding", "core.evaluation.grounding"),
        EvaluationSpec("mentions", "core.evaluation.mention_ids"),
        EvaluationSpec("names", "core.evaluation.name_recognition"),
        EvaluationSpec("reading", "core.evaluation.pdf_reading"),
        EvaluationSpec("relations", "core.evaluation.relations"),
        EvaluationSpec("retrieval", "core.evaluation.retrieval"),
        EvaluationSpec("support", "core.evaluation.support"),
        EvaluationSpec("triage", "core.evaluation.triage"),
    ),
)
