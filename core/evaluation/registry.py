"""The evaluations: what `evaluate` calls each, and the module of this folder that measures it. A
new one is a module with `add_arguments` and `stages`, and a line here.
"""

from __future__ import annotations

EVALUATIONS = {
    "answers": "answers",
    "api-calls": "api_calls",
    "bc5cdr": "bc5cdr",
    "gene-ablation": "gene_ablation",
    "gene-wordings": "gene_wordings",
    "genehop": "gene_benchmark",
    "geneturing": "gene_benchmark",
    "grounding": "grounding",
    "names": "name_recognition",
    "reading": "pdf_reading",
    "retrieval": "retrieval",
    "triage": "triage",
}
