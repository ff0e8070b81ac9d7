"""The remote services of terms; a new one is one more file and one more line in SERVICES."""

from __future__ import annotations

from core.grounding.remote import gilda, node_normalizer, ols
from core.grounding.remote.bioportal import AGROPORTAL, BIOPORTAL
from core.grounding.remote.service import RemoteService

SERVICES: dict[str, RemoteService] = {
    service.name: service
    for service in (ols.SERVICE, BIOPORTAL, AGROPORTAL, gilda.SERVICE, node_normalizer.SERVICE)
}
