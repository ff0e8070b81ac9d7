"""The APIs that ship: in code a new one is one file and one name here; by description one file in
`descriptions/`. Other packages add theirs.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.apis import biotools, blast, described, ensembl, mygene, oncokb, pubtator
from core.apis.agent import Api
from core.plugins import Registry

DESCRIPTIONS = Path(__file__).parent / "descriptions"


def shipped_descriptions() -> tuple[Api, ...]:
    """The described APIs that ship, by name. Their hosts are ours, not a curator's, so they are not
    inert. Raises InputError for a wrong one, which a test would have found.
    """
    texts = [path.read_text(encoding="utf-8") for path in sorted(DESCRIPTIONS.glob("*.yaml"))]
    return tuple(replace(described.read(text), added=False) for text in texts)


SHIPPED = Registry(
    "groundwork.apis",
    Api,
    (
        *(module.API for module in (blast, oncokb, biotools, mygene, pubtator, ensembl)),
        oncokb.DEMONSTRATION,
        *shipped_descriptions(),
    ),
)
