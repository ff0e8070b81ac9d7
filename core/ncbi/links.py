"""ELink's answer: link sets in JSON or XML, and the ids that they lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from core.errors import BadAnswer
from core.model import Json
from core.ncbi.call import Link
from core.ncbi.record import NcbiReading


@dataclass(frozen=True, slots=True)
class LinkBase:
    """Links of one name to one database; each link is the target's id and its pointer."""

    db: str
    name: str
    links: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LinkSet:
    sources: tuple[str, ...]
    bases: tuple[LinkBase, ...]
    error: str = ""


def read_links(call: Link, sets: Sequence[LinkSet]) -> NcbiReading:
    """Target ids by source id, with the pointer of each. Where NCBI names its links, only the plain
    ones (`omim_gene`) count. A link set that says ERROR has failed.
    """
    link_name, links = f"{call.source}_{call.db}", dict[str, tuple[str, ...]]()
    places, failed = dict[str, str](), list[str]()
    for linked in sets:
        sources = linked.sources or call.ids[:1]
        if linked.error:
            failed += sources
            continue
        own_links = [base for base in linked.bases if base.db == call.db and base.name == link_name]
        bases = own_links or [base for base in linked.bases if base.db == call.db]
        targets = {uid: place for base in bases for uid, place in base.links if uid.isdigit()}
        for source in sources:
            links[source] = tuple(dict.fromkeys((*links.get(source, ()), *targets)))
            for uid, place in targets.items():
                places.setdefault(f"{source}>{uid}", place)
    ids = tuple(dict.fromkeys(target for targets_of in links.values() for target in targets_of))
    return NcbiReading(
        ids=ids, count=len(ids), links=links, places=places, failed=tuple(dict.fromkeys(failed))
    )


def json_link_sets(answer: Mapping[str, Json]) -> list[LinkSet]:
    """Raises BadAnswer where there is none."""
    sets = answer.get("linksets")
    if not isinstance(sets, list) or not sets:
        raise BadAnswer("NCBI returned no links.", "Try again in a minute.")
    link_sets = []
    for number, link_set in enumerate(sets):
        if not isinstance(link_set, Mapping):
            continue
        bases = []
        for place, base in enumerate(link_set.get("linksetdbs") or []):
            if isinstance(base, Mapping):
                at = f"/linksets/{number}/linksetdbs/{place}/links/"
                links = tuple((_id(to), f"{at}{n}") for n, to in enumerate(base.get("links") or []))
                bases.append(LinkBase(str(base.get("dbto")), str(base.get("linkname")), links))
        sources = tuple(_id(uid) for uid in link_set.get("ids") or [])
        error = str(link_set.get("ERROR") or link_set.get("error") or "")
        link_sets.append(LinkSet(sources, tuple(bases), error))
    return link_sets


def _id(link: Json) -> str:
    return (
        str(link.get("id") or link.get("value") or "") if isinstance(link, Mapping) else str(link)
    )


def xml_link_sets(root: ET.Element) -> list[LinkSet]:
    """Raises BadAnswer where there is none."""
    if root.find(".//LinkSet") is None:
        raise BadAnswer("NCBI returned no links.", "Links are not served at this address.")
    return [
        LinkSet(
            tuple(id_element.text or "" for id_element in group.iterfind("IdList/Id")),
            tuple(
                LinkBase(
                    base.findtext("DbTo") or "",
                    base.findtext("LinkName") or "",
                    tuple((to.text or "", "LinkSetDb/Link/Id") for to in base.iterfind("Link/Id")),
                )
                for base in group.iter("LinkSetDb")
            ),
            (group.findtext("ERROR") or "").strip(),
        )
        for group in root.iter("LinkSet")
    ]
