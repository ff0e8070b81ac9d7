"""Which MeSH terms are chemicals and which diseases, for vocabulary files that hold names and
nothing else.

The lexicons of the task have no tree numbers. CTD's disease list (a vocabulary called medic…) says
what is a disease. A chemical is a supplementary record (C…), or a descriptor whose names look like
a substance's: the endings of chemical names, salts, locants, trade names. Written after looking at
the training set only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache

from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.lexicon import LexiconTerm
from core.grounding.recognise.recogniser import Annotation, Progress, Recogniser, unwatched
from core.model import Category

SIGN = re.compile(
    r"brand"
    r" of|hydrochloride|sodium|potassium|\bacids?\b|sulf|sulph|acetate|chlor|fluor|\boxides?\b|isomer|\bester"
    r"|anhydrous|bromide|phosph|tartrate|maleate|mesylate|citrate|calcium|nitr[aio]|\(\d|\d,\d|\b[A-Z]{2,}["
    r" -]?\d{2,}"
    r"|methyl|ethyl|hydroxy|phenyl|amino|amines?\b",
    re.IGNORECASE,
)
ENDING = re.compile(
    r"(?:[dlmnprtvz]ine|ide|[lnrt]ates?|[aeio]les?|nols?|[hrs]ols?|ones?|anes?|[lrt]enes?|ethyl|yls?|mycins?|cillins?"
    r"|[aeo]lam|pril|artan|triptan|[dhlnr]ium|acids?|salts?|caine?s?|statins?|oxin|urea|ose|steroids?|ethers?|rolimus"
    r"|alkaloids?|[oa]gens?|[aeo]rins?|[aeo]sins?|opins?|[lm]ins?|aldehyde|vir|mabs?|alcohols?|morphine|opioids?|trol"
    r"|contraceptives?, oral"
    r"|blockers|agents|drugs|depressants|relaxants|antibiotics|antipsychotics|analgesics|narcotics)$",
    re.IGNORECASE,
)
_WORDS_ELEMENTS = """
    hydrogen oxygen nitrogen carbon iron copper zinc lead mercury lithium gold silver arsenic cobalt manganese tin
    nickel aluminum
    aluminium iodine fluorine chlorine bromine sulfur phosphorus platinum selenium ethanol cannabis nicotine
    heparin insulin tobacco marijuana smoke
"""
ELEMENTS = frozenset(_WORDS_ELEMENTS.split())
NOT_SUBSTANCES = re.compile(
    r"\b(?:receptors?|channels?|cells?|rats?|mice|tests?|techniques?|therapy|surgery|syndromes?|genes?|proteins?|enzymes?"
    r"|medicine|urine|spine|intestines?|bones?|membranes?|machines?|hygiene|control|protocols?|routine|vaccines?"
    r"|climate|prostate|palate|mandate|rates?|phone|cones?|zones?|telephone|lines?|vagina|skin|brain|spin|kinases?"
    r"|methylation|dose|nose|glucose"
    r" tolerance|roles?|muscles?|particles?|vehicles?|articles?|people|scales?|females?"
    r"|plates?|males?|ventricles?|follicles?|testicles?|tubules?|capsules?|principles?|suicide|genocide|school|guide|hemoglobins?|gastrin"
    r"|actins?|albumins?|globulins?|antibodies|antigens|margins?|twins|basins|origins|engines?|examine|magazines?|air"
    r"|water"
    r"|peptides?|hormone|cytokines?|interferons?|factors?|lipoproteins?|transferases?|synthases?|reductases?|prolactin|rna|dna"
    r"|plans?|clones?|stones?|collagens?|renin|angiotensins?|acids)\b",
    re.IGNORECASE,
)


def is_substance(term: LexiconTerm) -> bool:
    """Whether a MeSH descriptor's names look like those of a chemical or drug."""
    head = term.label.split(",")[0].strip()
    if head.casefold() in ELEMENTS:
        return True
    if NOT_SUBSTANCES.search(term.label):
        return False
    signs = sum(bool(SIGN.search(name.text)) for name in term.names)
    return signs >= 2 or bool(ENDING.search(head))


class TypedAnnotator:
    """Recognition with each term under one of the two types only."""

    def __init__(self, grounder: Grounder):
        self.grounder = grounder
        self._substance = lru_cache(maxsize=100_000)(self._look)
        self._last: tuple[str, list[Annotation]] = ("", [])

    @cached_property
    def diseases(self) -> frozenset[str]:
        lists = [
            lexicon for lexicon in self.grounder.shelf.all() if lexicon.name.startswith("medic")
        ]
        return frozenset(term.id for lexicon in lists for term in lexicon.terms(0, 1_000_000))

    def annotate(
        self, text: str, constraints: Mapping[str, Constraint], progress: Progress = unwatched
    ) -> list[Annotation]:
        """Mentions of the task's two types. The last text's are kept: recognition and relations ask
        for the same.
        """
        if text != self._last[0]:
            found = Recogniser(self.grounder).annotate(text, constraints, progress)
            self._last = (
                text,
                [one for one in found if self.fits(one, constraints[one.key].category)],
            )
        return self._last[1]

    def fits(self, one: Annotation, category: Category) -> bool:
        if not self.diseases or not one.candidates:
            return True
        id = one.candidates[0].term.id
        if category is Category.DISEASE:
            return id in self.diseases
        return id not in self.diseases and (id.startswith("MESH:C") or self._substance(id))

    def _look(self, id: str) -> bool:
        terms = (lexicon.term(id) for lexicon in self.grounder.shelf.all())
        return any(is_substance(term) for term in terms if term)
