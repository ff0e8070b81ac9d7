"""Which kinds of things a relation may join, where a schema leaves them open: nothing is located in
a disease, and no statistic treats one.

What a thing is follows from the prefix of its CURIE, in MeSH and GO from what is broader. A thing
of which that is not known may be any.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum, auto

from core.model import Span
from core.support.reading.relation import Relation
from core.support.reading.rule_table import DECHALLENGE, HINT, RuleTable


class EndKind(StrEnum):
    """The kind of thing at an end of a relation. `OTHER` takes part in none: a method, a group of
    people, a kind of publication.
    """

    MOLECULE = auto()
    GENE = auto()
    TREATMENT = auto()
    CONDITION = auto()
    PROCESS = auto()
    CELL = auto()
    PLACE = auto()
    OTHER = auto()


_PREFIXES = {
    "CHEBI": EndKind.MOLECULE,
    "HGNC": EndKind.GENE,
    "NCBIGene": EndKind.GENE,
    "UniProtKB": EndKind.GENE,
    "MONDO": EndKind.CONDITION,
    "DOID": EndKind.CONDITION,
    "HP": EndKind.CONDITION,
    "UBERON": EndKind.PLACE,
    "CL": EndKind.CELL,
    "MAXO": EndKind.TREATMENT,
}
# What a vocabulary of conditions has beside them: how rare, how severe, how inherited.
_TOPS = {"MONDO": "MONDO:0000001", "HP": "HP:0000118"}
# The categories of MeSH's tree, the telling ones first; of the others nothing is known (organisms,
# psychology), or they take part in no relation.
_MESH_CATEGORIES = {
    "D": EndKind.MOLECULE,
    "C": EndKind.CONDITION,
    "A": EndKind.PLACE,
    "G": EndKind.PROCESS,
}
_MESH_OTHER = "HIJKLMNVZ"
_MESH_THERAPIES = frozenset(("MESH:D013812", "MESH:D013514"))  # therapeutics, operations
_MESH_FOODS = frozenset(("MESH:D005502", "MESH:D001628"))  # food, beverages
_MESH_MENTAL_DISORDERS = "MESH:D001523"
_GO_COMPONENT = "GO:0005575"

_MOLECULES = frozenset((EndKind.MOLECULE, EndKind.GENE))
_PARTS = _MOLECULES | {EndKind.PROCESS, EndKind.CELL}
_EFFECTS = frozenset((EndKind.CONDITION, EndKind.PROCESS))
_GIVEN = frozenset((EndKind.MOLECULE, EndKind.TREATMENT))
_AGENTS = _GIVEN | _MOLECULES
_SUBJECTS: Mapping[str, frozenset[EndKind]] = {
    "cause": _AGENTS | _EFFECTS | {EndKind.CELL},
    "treat": _AGENTS,
    "prevent": _AGENTS,
    "exacerbate": _AGENTS | _EFFECTS,
    "activate": _AGENTS | _PARTS,
    "inhibit": _AGENTS | _PARTS,
    "regulate": _AGENTS | _PARTS,
    "bind": _MOLECULES,
    "phosphorylate": _MOLECULES,
}
_OBJECTS: Mapping[str, frozenset[EndKind]] = {
    "cause": _EFFECTS,
    "treat": frozenset((EndKind.CONDITION,)),
    "prevent": frozenset((EndKind.CONDITION,)),
    "exacerbate": _EFFECTS,
    "activate": _PARTS,
    "inhibit": _PARTS | {EndKind.CONDITION},
    "regulate": _PARTS,
    "bind": _MOLECULES,
    "phosphorylate": _MOLECULES,
    "locate": frozenset((EndKind.PLACE, EndKind.CELL)),
}

_ACTS = frozenset(("activate", "inhibit", "regulate", "bind", "phosphorylate", "treat", "prevent"))
_ASSOCIATION = re.compile("associated|linked")
ONE_NAME = "S O, as one name"  # says least: both ends must be known to fit
LISTED_BEHIND = frozenset(("inhibitor of O, S", "activator of O, S"))

KindOf = Callable[[Span], EndKind | None]


def end_kind(curie: str, broader: frozenset[str]) -> EndKind | None:
    """What the thing of a CURIE is; `broader` holds the CURIEs of everything above it. None where
    that does not say.
    """
    prefix = curie.partition(":")[0]
    if broader and _TOPS.get(prefix, curie) not in broader | {curie}:
        return EndKind.OTHER
    if prefix == "GO" and broader:  # a component may be a place, or a complex of proteins
        return None if _GO_COMPONENT in broader else EndKind.PROCESS
    return _mesh_kind(broader | {curie}) if prefix == "MESH" else _PREFIXES.get(prefix)


def _mesh_kind(broader: frozenset[str]) -> EndKind | None:
    for letter, kind in _MESH_CATEGORIES.items():
        if f"MESH:category-{letter}" in broader:
            # What is eaten stands among the processes of nutrition, and is none
            is_food = kind is EndKind.PROCESS and not _MESH_FOODS.isdisjoint(broader)
            return None if is_food else kind
    if _MESH_MENTAL_DISORDERS in broader:
        return EndKind.CONDITION
    if "MESH:category-E" in broader:
        return EndKind.OTHER if _MESH_THERAPIES.isdisjoint(broader) else EndKind.TREATMENT
    if any(f"MESH:category-{letter}" in broader for letter in _MESH_OTHER):
        return EndKind.OTHER
    return None


def joins_fitting_ends(
    relation: Relation, rules: RuleTable, kind_of: KindOf, lacking: bool = False
) -> bool:
    """Whether a relation's ends are of kinds that its rule may join. Where a cause is only hinted
    at, or called an association, the agent must be one that is given or taken: "TP53 is associated
    with Li-Fraumeni syndrome" does not say that it causes it. Of a subject that is `lacking`, only
    a gene may cause a disease: "loss of PTEN activates AKT1" does not say that PTEN does.
    """
    kinds = kind_of(relation.subject), kind_of(relation.object)
    if EndKind.OTHER in kinds:
        return False
    rule = rules.by_name.get(relation.rule)
    if rule is None:
        return True
    if rule.is_of_lack:
        return kinds[0] is not EndKind.MOLECULE
    takes_away = lacking and rule.name != DECHALLENGE
    if takes_away and (rule.family in _ACTS or kinds[0] is not EndKind.GENE):
        return False
    subjects = _SUBJECTS.get(rule.family)
    if rule.family == "cause" and (rule.strength == HINT or _ASSOCIATION.search(rule.name)):
        subjects = _GIVEN
    if rule.name in LISTED_BEHIND and kinds[0] is EndKind.GENE:
        return False  # "inhibitors of AKT, ERK and p38"
    if rule.name == ONE_NAME:
        return kinds[0] in _GIVEN and kinds[1] is EndKind.CONDITION
    allowed = subjects, _OBJECTS.get(rule.family)
    return all(
        kind is None or fitting is None or kind in fitting
        for kind, fitting in zip(kinds, allowed, strict=True)
    )
