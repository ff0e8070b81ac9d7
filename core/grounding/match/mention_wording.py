"""Other wordings of a mention, in the order in which they are tried: the long form of an
abbreviation that the text defines goes first, then the mention without brackets, and its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.grounding.match.coordination import expand_coordination
from core.grounding.match.normalise import name_key
from core.grounding.match.reading import reading
from core.grounding.match.word_forms import (
    ADJECTIVES,
    EQUAL,
    FORMULAS,
    HARM,
    LEARNED,
    LEARNED_PHRASES,
    STOP,
)
from core.text.abbreviation import find_abbreviations

_SPACE = re.compile(r"\s+")
_PIECES = re.compile(r"([\s/\-–]+)")  # of a mention, any of which may be a short form
_PLURAL = re.compile(r"[A-Z0-9]{2,}s")
_APPOSED = re.compile(r"[A-Z][\w-]{0,7}|[a-z]{1,2}[A-Z0-9][\w-]{0,5}")
_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_BRACKETED = re.compile(r"\(([\w-]{1,10})(?=[):;,])")
# "carcinoma of the breast": the head stands before, the rest is what it is of
_PREPOSITION = re.compile(
    r"\s(?:of|in|with|due to|caused by|associated with|secondary to|induced"
    r" by|following|after|from|during)\s"
)
_PREPOSITIONS = "of in with by to for from due after during following"
PREPOSITIONS = frozenset(_PREPOSITIONS.split())
# "cisplatin-induced nephropathy" is a nephropathy
_INDUCED = re.compile(r"\S+(?:[-\s]induced|[-\s]associated|[-\s]related) (.+)", re.IGNORECASE)
_CANCERS = "carcinoma carcinomas adenocarcinoma adenocarcinomas tumor tumors tumour tumours"
CANCERS = frozenset(_CANCERS.split())
_MODIFIERS = """
    acute chronic severe mild moderate transient recurrent persistent progressive idiopathic
    sporadic bilateral unilateral left right early late early-onset late-onset primary secondary
    advanced fatal symptomatic asymptomatic isolated mild marked profound massive extensive new-
    onset refractory intractable clinical experimental human mouse rat adult pediatric elderly
    spontaneous suspected possible further worsening autosomal dominant recessive dominantly
    recessively x-linked homozygous heterozygous complete partial classic classical episodic
    premature childhood adolescent juvenile infantile syndromic solid atypical typical generalized
    generalised localized focal diffuse multiple single mixed combined simple pure rare common
    rapidly slowly sustained nonsustained non-sustained posttransplant post-transplant intravenous
    oral unfractionated radiolabeled radiolabelled subclinical
    overt latent active stable unstable untreated treated acquired inherited maternal
    paternal seropositive seronegative and or stage stages type types grade grades
"""
# "Hereditary breast and ovarian cancer" is one syndrome, where a vocabulary has it.
_IN_FAMILIES = frozenset(("hereditary", "inherited", "familial"))
_NUMBER = re.compile(r"[IVX]{1,4}[ABCabc]?|\d{1,2}[a-c]?")
MODIFIERS = frozenset(_MODIFIERS.split())
_GENERIC = """
        disease diseases disorder disorders syndrome syndromes symptom symptoms patient patients
    cell cells activity     deficiency failure injury damage dysfunction abnormality abnormalities
    complication complications lesion lesions     effect effects reaction reactions condition
    conditions toxicity treatment therapy level levels dose use exposure     episode episodes
    attack attacks process function response system type acid salt ion compound compounds agent
    agents     drug drugs protein receptor gene tissue part region structure material product food
    anomaly defect defects change     changes loss impairment disturbance disturbances risk onset
"""
GENERIC = frozenset(_GENERIC.split())
_TAILS = """
        patient patients case cases family families carrier carriers treatment therapy
    administration exposure level levels     concentration concentrations dose doses symptoms
    symptom episode episodes attacks phenotype phenotypes gene genes     protein locus mutation
    mutations effect effects use abuse withdrawal injection injections infusion
"""
TAILS = frozenset(_TAILS.split())


BROADER = "broader than the words"
ONE_OF_SEVERAL = "one of several"
# The worth of a term that is broader than the words: it is offered, and not chosen. Of such answers
# 59 % were right on BC5CDR and NCBI Disease train; the more words it has, the better it is.
VAGUE, FULLER = 0.35, 0.14
# Words for something wrong with what stands before them.
_DISORDERS = """
        toxicity damage injury impairment dysfunction disturbance deficit involvement complication
    abnormality anomaly lesion defect problem manifestation disorder disease malfunction symptom
"""
DISORDERS = frozenset(_DISORDERS.split())


@dataclass(frozen=True, slots=True)
class PhrasePart:
    """A piece of a mention and the share of its score that a match of the piece is worth."""

    text: str
    score_share: float
    note: str
    reworded: bool = False  # words were added or exchanged, not only left out


@lru_cache(maxsize=64)
def definitions(context: str) -> Mapping[str, str]:
    """Short form → long form as the text defines them; a plural short form means the same.

    >>> definitions("Chronic kidney disease (CKD) is common.")["CKDs"]
    'Chronic kidney disease'
    """
    long_forms = (
        {short: definition.long for short, definition in find_abbreviations(context).items()}
        if context
        else {}
    )
    plural = {f"{short}s": long for short, long in long_forms.items()}
    singular = {short[:-1]: long for short, long in long_forms.items() if _PLURAL.fullmatch(short)}
    return plural | singular | long_forms


def said_before(short: str, context: str) -> tuple[str, ...]:
    """What may stand for a short form that the text puts in brackets behind it, the longest first:
    "cisplatin (CDDP)" has not the letters of its short form, but a vocabulary knows the name.

    Only up to six words, of which one begins with the first letter of the short form.

    >>> said_before("CDDP", "We gave cisplatin (CDDP) twice.")
    ('We gave cisplatin', 'gave cisplatin', 'cisplatin')
    """
    if not _APPOSED.fullmatch(short) or short not in _in_brackets(context):
        return ()
    return _apposed(short, context)


@lru_cache(maxsize=64)
def _in_brackets(context: str) -> frozenset[str]:
    """The words that a text puts at the beginning of brackets."""
    return frozenset(_BRACKETED.findall(context))


@lru_cache(maxsize=5_000)
def _apposed(short: str, context: str) -> tuple[str, ...]:
    pattern = re.compile(rf"[\w)]\s?\[?\({re.escape(short)}[):;,]")
    place = pattern.search(context, max(context.find(f"({short}") - 3, 0))
    if place is None:
        return ()
    before = re.split(r"[.;:,()\[\]]\s", context[max(place.start() - 120, 0) : place.start() + 1])[
        -1
    ]
    tokens = before.split()[-6:]
    tries = [" ".join(tokens[start:]) for start in range(len(tokens))]
    return tuple(words for words in tries if len(words) > 4 and _begun(words, short[0].casefold()))


def _begun(words: str, letter: str) -> bool:
    """Whether a word, or what follows a number or hyphen (17beta-estradiol), begins so."""
    return any(word[0] == letter for word in re.findall(r"[^\W_\d]+", words.casefold()))


def written_out(words: str, context: str) -> str:
    """The mention with every abbreviation that the text defines written out; the empty text when
    there is none.

    >>> written_out("CKD stage 3", "Chronic kidney disease (CKD) is common.")
    'Chronic kidney disease stage 3'
    """
    long_forms = definitions(context)
    if words in long_forms:
        return long_forms[words]
    if not long_forms:
        return ""
    parts = _PIECES.split(words)
    if long_forms.keys().isdisjoint(parts):
        return ""
    changed = "".join(long_forms.get(part, part) for part in parts)
    return changed if changed != words else ""


def without_brackets(words: str) -> str:
    """The words without what stands in brackets; empty when nothing does.

    >>> without_brackets("G6 dehydrogenase (G6PD) deficiency")
    'G6 dehydrogenase deficiency'
    """
    if "(" not in words and "[" not in words:
        return ""
    changed = _SPACE.sub(" ", _BRACKETS.sub("", words)).strip()
    return changed if changed and changed != words and len(changed) > 3 else ""


def phrase_parts(words: str) -> Iterator[PhrasePart]:
    """Pieces that keep the head noun: without leading words, without what follows a preposition,
    without a tail.

    >>> [part.text for part in phrase_parts("severe carcinoma of the lung")]
    ['severe carcinoma', 'carcinoma of the lung']
    """
    tokens = words.split()
    if len(tokens) < 2:
        yield from _hyphenated(words)
        return
    if tokens[-1].casefold() in TAILS:
        head = " ".join(tokens[:-1])
        yield PhrasePart(head, 0.66, f"without “{tokens[-1]}”")
        yield from (
            PhrasePart(phrase_part.text, phrase_part.score_share - 0.06, phrase_part.note)
            for phrase_part in _leading(head)
        )
    yield from _shared_head(words)
    yield from _by_cause(words)
    yield from _disordered(tokens)
    if tokens[-1].casefold() in CANCERS:
        yield PhrasePart(f"{' '.join(tokens[:-1])} neoplasm", 0.68, f"“{tokens[-1]}” is a neoplasm")
    if match := _PREPOSITION.search(words):
        yield PhrasePart(
            words[: match.start()],
            VAGUE + FULLER * match.start() / len(words),
            f"without “{words[match.start() :].strip()}”, {BROADER}",
        )
    yield from _leading(words)


def _shared_head(words: str) -> Iterator[PhrasePart]:
    """`breast and ovarian cancer` is breast cancer and ovarian cancer."""
    worth = 0.77 if words.split()[0].casefold() in _IN_FAMILIES else 0.82
    for place, part in enumerate(expand_coordination(words)):
        yield PhrasePart(part, worth - 0.01 * place, ONE_OF_SEVERAL, reworded=True)


def _by_cause(words: str) -> Iterator[PhrasePart]:
    """`levodopa-induced dyskinesia` is a drug-induced dyskinesia."""
    if match := _INDUCED.match(words):
        causes = ("drug", "substance", "chemically") if "induced" in words.casefold() else ()
        for cause in causes:
            yield PhrasePart(f"{match[1]}, {cause}-induced", 0.72, f"{cause}-induced")
        if match[1].casefold() not in GENERIC:  # "PLP-associated disease" is more than a disease
            yield PhrasePart(match[1], 0.66, "without its cause")


def _disordered(tokens: Sequence[str]) -> Iterator[PhrasePart]:
    """`renal damage`, `visual disturbances`: a disease of what the words before name."""
    head = name_key(tokens[-1])
    if head in DISORDERS:
        organ = " ".join(tokens[:-1])
        for place, kind in enumerate(("disease", "disorder")):
            note = f"“{tokens[-1]}” is a {kind}"
            yield PhrasePart(f"{organ} {kind}", 0.74 - 0.02 * place, note, reworded=True)


def _leading(words: str) -> Iterator[PhrasePart]:
    """Without its first words, one after another; what follows a preposition has lost its head."""
    tokens = words.split()
    ends = (place for place, token in enumerate(tokens) if token.casefold() in PREPOSITIONS)
    for start in range(1, next(ends, len(tokens))):
        ending = " ".join(tokens[start:])
        if len(ending) < 4 or (len(tokens) - start == 1 and ending.casefold() in GENERIC):
            return
        light = all(
            token.casefold() in MODIFIERS or _NUMBER.fullmatch(token) for token in tokens[:start]
        )
        fuller = VAGUE + FULLER * (len(tokens) - start) / len(tokens)
        note = f"without “{' '.join(tokens[:start])}”"
        yield PhrasePart(ending, 0.72 if light else fuller, note if light else f"{note}, {BROADER}")


def _hyphenated(words: str) -> Iterator[PhrasePart]:
    """`drug-induced` is not a part; `non-Hodgkin` and `anti-x` are not what follows the hyphen."""
    head, _, tail = words.rpartition("-")
    if (
        head
        and len(tail) >= 6
        and tail.isalpha()
        and head.casefold() not in ("non", "anti", "pre", "post", "pseudo")
    ):
        yield PhrasePart(tail, 0.5, f"without “{head}-”")


def other_words(words: str) -> Iterator[PhrasePart]:
    """The same thing in other words: a formula, a laboratory abbreviation, a Greek letter written
    otherwise, a learned word.

    >>> [part.text for words in ("5-FU", "IFN-g", "renal") for part in other_words(words)]
    ['fluorouracil', 'IFN-gamma']
    """
    if words in FORMULAS:
        for place, name in enumerate(FORMULAS[words].split("|")):
            yield PhrasePart(name, 0.9 if place == 0 else 0.8, f"“{words}” is {name}")
    if name := reading(words):
        yield PhrasePart(name, 0.9, f"“{words}” is {name}")
    singular = name_key(words)
    everyday_names = (
        LEARNED_PHRASES.get(singular) or LEARNED.get(ADJECTIVES.get(singular, singular)) or ""
    )
    for place, name in enumerate(filter(None, everyday_names.split("|"))):
        yield PhrasePart(name, 0.85 - 0.1 * place, f"“{words}” is {name}")
    for name in harmed(singular.split()):
        yield PhrasePart(name, 0.8, f"“{words}” is a {name}")


def harmed(folded: Sequence[str]) -> Iterator[str]:
    """What a vocabulary may call the harm that the last of some folded words says of those before.

    >>> list(harmed(["visual", "deficit"]))
    ['visual disease', 'visual disorder', 'vision disease', 'vision disorder']
    """
    if len(folded) < 2 or folded[-1] not in HARM or folded[0] in PREPOSITIONS | STOP:
        return
    for last in dict.fromkeys((folded[-2], EQUAL.get(folded[-2], folded[-2]))):
        organ = " ".join((*folded[:-2], last))
        yield from (f"{organ} {kind}" for kind in ("disease", "disorder"))


def longer_names(words: str) -> Iterator[PhrasePart]:
    """A disease's name is often shortened by its last word. Names said together that are one name
    so ("hereditary breast and ovarian cancer") mean that.

    >>> [part.text for part in longer_names("Huntington")]
    ['Huntington disease', 'Huntington syndrome', 'Huntington cell']
    """
    if len(words) < 3:
        return  # "B" is a letter, and no B cell
    worth = 0.85 if expand_coordination(words) else 0.6
    for tail in ("disease", "syndrome", "cell"):
        if not words.casefold().endswith(tail):
            yield PhrasePart(f"{words} {tail}", worth, f"with “{tail}”")
