"""Which kinds of things may stand at the ends of a relation, where no vocabulary of relations says
it: a disease treats no chemical, and a place lies in no organism.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.model import Category

_AGENTS = frozenset(
    (
        Category.CHEMICAL,
        Category.GENE,
        Category.PROTEIN,
        Category.VARIANT,
        Category.FOOD,
        Category.PROCEDURE,
        Category.DEVICE,
    )
)
_CONDITIONS = frozenset((Category.DISEASE, Category.PHENOTYPE))
_PLACES = frozenset((Category.ANATOMY, Category.ENVIRONMENT))
_MOLECULES = frozenset((Category.CHEMICAL, Category.GENE, Category.PROTEIN))
_BEARERS = _AGENTS | {Category.DISEASE, Category.ORGANISM}
# Family → pairs of kinds that the relation cannot join: (of the subject, of the object).
_NEVER: Mapping[str, tuple[tuple[frozenset[Category], frozenset[Category]], ...]] = {
    "treat": ((_CONDITIONS, _AGENTS), (_PLACES, _CONDITIONS | _AGENTS), (_AGENTS, _PLACES)),
    "prevent": ((_CONDITIONS, _AGENTS), (_PLACES, _CONDITIONS | _AGENTS)),
    "cause": ((_CONDITIONS, _AGENTS),),
    "exacerbate": ((_CONDITIONS, _AGENTS),),
    "phenotype": (
        (frozenset((Category.PHENOTYPE,)), _BEARERS),
        (_CONDITIONS, _AGENTS),
    ),
    "locate": (
        (_PLACES, _MOLECULES | _CONDITIONS | {Category.ORGANISM, Category.CELL, Category.PROCESS}),
        (frozenset((Category.FOOD,)), frozenset((Category.ORGANISM,))),
        (frozenset((Category.ORGANISM, Category.CELL)), _MOLECULES | {Category.PROCESS}),
    ),
    "bind": ((_CONDITIONS, _MOLECULES), (_MOLECULES, _CONDITIONS)),
    "phosphorylate": ((_CONDITIONS, _MOLECULES), (_MOLECULES, _CONDITIONS)),
}
# Of two such things it is the second that acts, unless words say that the first does: a drug on a
# gene, a variant on a trait. Of 1,500 true claims of the corpora in which no words were read none
# was of these kinds, of 110 with exchanged ends 32.
_ENZYMES = frozenset((Category.GENE, Category.PROTEIN))
_DRUGS = frozenset((Category.CHEMICAL,))
_VARIANTS = frozenset((Category.VARIANT,))
_ACTED_ON: Mapping[str, tuple[tuple[frozenset[Category], frozenset[Category]], ...]] = {
    "inhibit": ((_ENZYMES | _CONDITIONS, _DRUGS), (frozenset(Category) - _VARIANTS, _VARIANTS)),
    "activate": ((_ENZYMES | _CONDITIONS, _DRUGS), (frozenset(Category) - _VARIANTS, _VARIANTS)),
    "regulate": (
        (_CONDITIONS | {Category.PROCESS}, _DRUGS | _ENZYMES),
        (frozenset(Category) - _VARIANTS, _VARIANTS),
    ),
}
_ARTICLES = {"a": "an", "e": "an", "o": "an"}


def misfit(family: str, subject: Category, object_: Category) -> str:
    """Why a relation of the family cannot join things of these kinds, in words; "" where it can, or
    where a kind is not known.
    """
    for subjects, objects in _NEVER.get(family, ()):
        if subject in subjects and object_ in objects:
            verb = _VERBS[family].format(with_article(object_))
            return f"{with_article(subject)} {verb}"
    return ""


def acts_the_other_way(family: str, subject: Category, object_: Category) -> bool:
    """Whether, of such things, it is the object that acts where no words say otherwise."""
    return any(
        subject in subjects and object_ in objects
        for subjects, objects in _ACTED_ON.get(family, ())
    )


_VERBS = {
    "treat": "does not treat {}",
    "prevent": "does not prevent {}",
    "cause": "does not cause {}",
    "exacerbate": "does not worsen {}",
    "phenotype": "does not have {} for its sign",
    "locate": "does not lie in {}",
    "bind": "does not bind {}",
    "phosphorylate": "does not phosphorylate {}",
}


def with_article(category: Category) -> str:
    return f"{_ARTICLES.get(category[0], 'a')} {category}"
