"""Other ways to say a mention: in-text abbreviations written out, brackets left out, parts of the
phrase.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from core.grounding.match.normalise import key
from core.grounding.match.word_forms import ADJECTIVES, FORMULAS, LEARNED
from core.text.abbreviation import abbreviations

_SPACE = re.compile(r"\s+")
_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
_PREPOSITION = re.compile(
    r"\s(?:of|in|with|due to|caused by|associated with|secondary to|induced"
    r" by|following|after|from|during)\s"
)
_COORDINATION = re.compile(r"\s+and/or\s+|,\s+(?:and|or)\s+|\s+(?:and|or)\s+|,\s+|/(?=[^\W\d_]{4})")
# Type I and II C2 deficiency
_NUMBERED = re.compile(
    r"(.*\b(?:types?|stages?|grades?))\s+([IVX]+|\d+[a-z]?)\s+(?:and|or)\s+([IVX]+|\d+[a-z]?)\s+(.+)",
    re.IGNORECASE,
)
_INDUCED = re.compile(r"\S+(?:[-\s]induced|[-\s]associated|[-\s]related) (.+)", re.IGNORECASE)
_CANCERS = "carcinoma carcinomas adenocarcinoma adenocarcinomas tumor tumors tumour tumours"
CANCERS = frozenset(_CANCERS.split())
_MODIFIERS = """
        acute chronic severe mild moderate transient recurrent persistent progressive idiopathic
    sporadic bilateral     unilateral left right early late early-onset late-onset primary
    secondary advanced fatal symptomatic asymptomatic     isolated mild marked profound massive
    extensive new-onset refractory intractable clinical experimental human mouse     rat adult
    pediatric elderly spontaneous suspected possible further worsening increased elevated
    prolonged
"""
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


@dataclass(frozen=True, slots=True)
class PhrasePart:
    """A piece of a mention and the share of its score that a match of the piece is worth."""

    text: str
    worth: float
    note: str


@lru_cache(maxsize=64)
def definitions(context: str) -> Mapping[str, str]:
    """Short form → long form as the text defines them; a plural short form means the same."""
    found = (
        {short: definition.long for short, definition in abbreviations(context).items()}
        if context
        else {}
    )
    plural = {f"{short}s": long for short, long in found.items()}
    return plural | found


def written_out(words: str, context: str) -> str:
    """The mention with every abbreviation that the text defines written out; the empty text when
    there is none.
    """
    known = definitions(context)
    if words in known:
        return known[words]
    parts = re.split(r"([\s/\-–]+)", words)
    changed = "".join(known.get(part, part) for part in parts)
    return changed if changed != words else ""


def without_brackets(words: str) -> str:
    """`G6 dehydrogenase (G6PD) deficiency` → `G6 dehydrogenase deficiency`; empty when nothing was
    in brackets.
    """
    changed = _SPACE.sub(" ", _BRACKETS.sub("", words)).strip()
    return changed if changed and changed != words and len(changed) > 3 else ""


def parts(words: str) -> Iterator[PhrasePart]:
    """Pieces that keep the head noun: without leading words, without what follows a preposition,
    without a tail.
    """
    tokens = words.split()
    if len(tokens) < 2:
        yield from _hyphenated(words)
        return
    if tokens[-1].casefold() in TAILS:
        head = " ".join(tokens[:-1])
        yield PhrasePart(head, 0.66, f"without “{tokens[-1]}”")
        yield from (PhrasePart(one.text, one.worth - 0.06, one.note) for one in _leading(head))
    yield from _shared_head(tokens)
    yield from _by_cause(words)
    if tokens[-1].casefold() in CANCERS:
        yield PhrasePart(f"{' '.join(tokens[:-1])} neoplasm", 0.68, f"“{tokens[-1]}” is a neoplasm")
    if found := _PREPOSITION.search(words):
        yield PhrasePart(
            words[: found.start()], 0.62, f"without “{words[found.start() :].strip()}”"
        )
    yield from _leading(words)


def coordinated(words: str) -> tuple[str, ...]:
    """The names that are said together, each written out; empty for a single name.

    `breast and ovarian cancers` → breast cancers, ovarian cancers; `Type I and II C2 deficiency` →
    Type I C2 deficiency, Type II C2 deficiency; `breast/ovarian cancer` likewise.
    """
    if found := _NUMBERED.fullmatch(words):
        before, one, other, after = found.groups()
        return f"{before} {one} {after}", f"{before} {other} {after}"
    pieces = [piece.strip() for piece in _COORDINATION.split(words)]
    if len(pieces) < 2 or not all(pieces) or len(pieces[-1].split()) < 2:
        return ()
    if any(len(piece.split()) > 2 for piece in pieces[:-1]):
        return ()
    head = pieces[-1].split()[-1]
    return (*(f"{piece} {head}" for piece in pieces[:-1]), pieces[-1])


def _shared_head(tokens: list[str]) -> Iterator[PhrasePart]:
    """`breast and ovarian cancer` is breast cancer and ovarian cancer."""
    for place, token in enumerate(tokens[:-2]):
        if token in ("and", "or", "and/or") and place:
            yield PhrasePart(f"{' '.join(tokens[:place])} {tokens[-1]}", 0.75, "one of several")
            yield PhrasePart(" ".join(tokens[place + 1 :]), 0.74, "one of several")


def _by_cause(words: str) -> Iterator[PhrasePart]:
    """`levodopa-induced dyskinesia` is a drug-induced dyskinesia."""
    if found := _INDUCED.match(words):
        for cause in ("drug", "substance", "chemically"):
            yield PhrasePart(f"{found[1]}, {cause}-induced", 0.72, f"{cause}-induced")
        yield PhrasePart(found[1], 0.66, "without its cause")


def _leading(words: str) -> Iterator[PhrasePart]:
    tokens = words.split()
    for start in range(1, len(tokens)):
        rest = " ".join(tokens[start:])
        if len(rest) < 4 or (len(tokens) - start == 1 and rest.casefold() in GENERIC):
            return
        dropped = [token.casefold() for token in tokens[:start]]
        light = all(word in MODIFIERS for word in dropped)
        share = (len(tokens) - start) / len(tokens)
        yield PhrasePart(
            rest, 0.72 if light else 0.5 + 0.14 * share, f"without “{' '.join(tokens[:start])}”"
        )


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
    """The same thing in other words: a formula, a laboratory abbreviation, a learned word."""
    for place, name in enumerate(FORMULAS.get(words, "").split("|")):
        if name:
            yield PhrasePart(name, 0.9 if place == 0 else 0.8, f"“{words}” is {name}")
    singular = key(words)
    if plain := LEARNED.get(ADJECTIVES.get(singular, singular)):
        yield PhrasePart(plain, 0.85, f"“{words}” is {plain}")


def longer_names(words: str) -> Iterator[PhrasePart]:
    """A disease's name is often shortened by its last word: `Huntington` for Huntington disease."""
    for tail in ("disease", "syndrome", "cell"):
        if not words.casefold().endswith(tail):
            yield PhrasePart(f"{words} {tail}", 0.6, f"with “{tail}”")
