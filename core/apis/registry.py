"""The APIs that ship: a new one is one file and one name here."""

from __future__ import annotations

from core.apis import biotools, blast, ensembl, mygene, oncokb, pubtator
from core.apis.agent import Api

SHIPPED: tuple[Api, ...] = tuple(
    one.API for one in (blast, oncokb, biotools, mygene, pubtator, ensembl)
)
