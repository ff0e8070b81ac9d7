"""The flow of papers through a review: found, removed, screened, excluded and included."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from core.desk_parts import HasStore
from core.errors import InputError
from core.literature.triage.flow import ReviewFlow, flow_csv, flow_svg, review_flow
from core.services.literature import triage

__all__ = ["flow_as", "flow_csv", "flow_svg", "paper_flow"]


def paper_flow(desk: HasStore, names: Sequence[str]) -> ReviewFlow:
    """How many papers were found, came twice, were screened, excluded (by reason) and included."""
    sources: Counter[str] = Counter()
    wordless = 0
    for name in names:
        for past_import in desk.store.namespaces.get(name).settings.get("imports", ()):
            label = past_import["source"] if len(names) == 1 else f"{name}: {past_import['source']}"
            sources[label] += int(past_import["records"])
            wordless += int(past_import.get("wordless", 0))
    documents = {id for name in names for id in desk.store.namespaces.member_bodies(name)}
    judged = triage.judged_papers(desk, names)
    standing = [
        (judgement.verdict, judgement.reason) for id, judgement in judged.items() if id in documents
    ]
    return review_flow(sources, len(documents), standing, wordless)


def flow_as(desk: HasStore, names: Sequence[str], form: str) -> str:
    """The flow as csv, svg or json."""
    review_flow_of_names = paper_flow(desk, names)
    forms = {
        "csv": lambda: flow_csv(review_flow_of_names),
        "svg": lambda: flow_svg(review_flow_of_names),
        "json": lambda: (
            json.dumps(
                [
                    {"step": step, "what": counted, "papers": n}
                    for step, counted, n in review_flow_of_names.rows()
                ],
                ensure_ascii=False,
                indent=1,
            )
            + "\n"
        ),
    }
    if form not in forms:
        raise InputError(
            f"{form[:20]!r} is not a format for the flow.", f"Use one of {', '.join(forms)}."
        )
    return forms[form]()
