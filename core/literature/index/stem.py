"""Porter's stems (Porter 1980, by PyStemmer), of words in one spelling, without the Latin and Greek
endings of medicine.

Porter's steps leave fibrosi and fibrot, bacteria, bacteri and bacterium: their endings are dropped
too, so that fibrosis and fibrotic, or bacteria and bacterial, are one. Words with digits or outside
a–z are left as they are: gene symbols and Greek names have no English suffixes.

One form for the ways in which a word is written: British and American, singular and irregular
plural.

The form is only for looking up, the same for texts and questions; what is shown stays as written.
A rule may make a word that is none (`exercize`), but must not make two words of medicine one.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import lru_cache

import Stemmer

# British → American, with an example where it is not plain.
_SPELLINGS = {
    "haem": "hem",  # haemoglobin
    "aemi": "emi",  # leukaemia, ischaemic
    "paed": "ped",  # orthopaedic
    "aetiolog": "etiolog",
    "aesth": "esth",  # anaesthesia
    "faec": "fec",
    "gynaec": "gynec",
    "caesar": "cesar",
    "palaeo": "paleo",
    "caec": "cec",  # caecum
    "naev": "nev",
    "chimaer": "chimer",
    "oedem": "edem",
    "rrhoea": "rrhea",
    "pnoea": "pnea",  # apnoea
    "coeliac": "celiac",
    "foet": "fet",
    "homoeo": "homeo",
    "amoeb": "ameb",
    "manoeuv": "maneuv",
    "sulph": "sulf",
    "aluminium": "aluminum",
    "mould": "mold",
    "tumour": "tumor",
    "colour": "color",
    "behaviour": "behavior",
    "labour": "labor",
    "favour": "favor",
    "flavour": "flavor",
    "humour": "humor",
    "vapour": "vapor",
    "harbour": "harbor",
    "neighbour": "neighbor",
    "rigour": "rigor",
    "endeavour": "endeavor",
}
_SPELLING = re.compile("|".join(_SPELLINGS))
_BY_PLACE = (
    (re.compile(r"\Ao(?=esophag|estr)"), ""),  # but gastroesophageal, xenoestrogen
    (re.compile(r"\A(mal)?odour"), r"\1odor"),  # but iodouracil
    (re.compile(r"(?<=\w)coele(s?)\Z"), r"cele\1"),  # meningocoele, but coelectrophoresis
    (re.compile(r"programme(s?)\Z"), r"program\1"),  # but programmed
    # fibre, centre, millilitre
    (re.compile(r"(fib|cent|lit|tit|calib|met|spect|theat)re(s?)\Z"), r"\1er\2"),
    # randomise, hospitalisation; exercise becomes a word that is none
    (re.compile(r"(?<=\w{3})is(e|ed|es|er|ers|ing|ation|ations)\Z"), r"iz\1"),
    (re.compile(r"lyz(e|ed|es|er|ers|ing|able)\Z"), r"lys\1"),  # analyzed as analysed
    (re.compile(r"(?<=\w{3}og)ue(s?)\Z"), r"\1"),  # analogue
    (re.compile(r"(?<=\w{3})mata\Z"), "ma"),  # carcinomata, stigmata
    (re.compile(r"(?<=\wy)ses\Z"), "sis"),  # analyses, dialyses
)
# Letters that a word holds, and a place where it ends or begins, if a rule is to change it.
_HELD = re.compile("ae|oe|ou|ulph|alumin")
_PLACED = re.compile(
    r"\Ao(?:esoph|estr)|\A(?:mal)?odour|coeles?\Z|(?:mme|re|ue)s?\Z|is(?:e[drs]?|ers|ing|ations?)\Z"
    r"|lyz(?:e[drs]?|ers|ing|able)\Z|mata\Z|yses\Z"
)
_IRREGULAR = """
    mice:mouse lice:louse women:woman men:man children:child teeth:tooth feet:foot geese:goose
    oxen:ox leaves:leaf calves:calf wolves:wolf halves:half hooves:hoof criterion:criteria
    phenomena:phenomenon ganglia:ganglion spermatozoa:spermatozoon automata:automaton genera:genus
    sera:serum ova:ovum viscera:viscus femora:femur foci:focus loci:locus fungi:fungus
    nuclei:nucleus stimuli:stimulus bacilli:bacillus emboli:embolus thrombi:thrombus uteri:uterus
    cocci:coccus rami:ramus sulci:sulcus gyri:gyrus villi:villus calculi:calculus indices:index
    appendices:appendix matrices:matrix vertices:vertex cortices:cortex apices:apex helices:helix
    vortices:vortex crises:crisis axes:axis pharynges:pharynx larynges:larynx phalanges:phalanx
    larvae:larva vitae:vita mitochondrion:mitochondria als:alss
"""  # ALS, the disease, is not several "al" of "et al.": the stemmer leaves a double s
_PLURALS = dict(pair.split(":") for pair in _IRREGULAR.split())


def american_singular(word: str) -> str:
    """A folded word of letters in American spelling and in the singular, where the plural is
    irregular. Regular plurals are left to the stemmer.
    """
    word = _PLURALS.get(word, word)
    if len(word) < 5:
        return word
    if _HELD.search(word):
        word = _SPELLING.sub(lambda match: _SPELLINGS[match[0]], word)
    if _PLACED.search(word):
        for pattern, instead in _BY_PLACE:
            word = pattern.sub(instead, word)
    return word


SHORTEST = 3
CLASSICAL = {  # ending as Porter leaves it → letters that must stay
    "osi": 4,
    "os": 4,
    "ot": 4,
    "iti": 4,
    "ium": 5,
    "ia": 4,
    "i": 5,
    "ic": 5,
    "al": 5,
    "um": 5,
    "a": 5,
}
_LAST = frozenset(ending[-1] for ending in CLASSICAL)
_OF_THREAD = threading.local()  # a Stemmer must not be shared by threads


@lru_cache(maxsize=200_000)
def stem_word(word: str) -> str:
    """The stem of a lower-case word; words shorter than three letters are their own."""
    if len(word) < SHORTEST or not (word.isascii() and word.isalpha() and word.islower()):
        return word
    return _classical(_porter().stemWord(american_singular(word)))


def stem_plain_words(words: Iterable[str]) -> list[str]:
    """The stems of many words of at least three lower-case letters a–z, in order."""
    stems = _porter().stemWords(list(map(american_singular, words)))
    return list(map(_classical, stems))


def _porter() -> Stemmer.Stemmer:
    stemmer = getattr(_OF_THREAD, "stemmer", None)
    if stemmer is None:
        stemmer = _OF_THREAD.stemmer = Stemmer.Stemmer("porter", 0)  # stem_word remembers
    return stemmer


def _classical(word: str) -> str:
    if word[-1] not in _LAST:
        return word
    for size in (3, 2, 1):  # the longest ending first
        least_left = CLASSICAL.get(word[-size:])
        if least_left is not None and len(word) - size >= least_left:
            return word[:-size]
    return word
