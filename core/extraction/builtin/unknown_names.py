"""Names that stand in the place of an end and are in no vocabulary: "Belzutifan inhibits EPAS1",
"irinotecan-induced cholinergic syndrome", "an XYZ3 inhibitor", "TAK-788", "F508del". They are
mentions without a term, so that what the text says of them is not said of a neighbour, and a
curator can teach them.

A name is told by its place (before "-induced", before or behind "inhibitor", subject of "inhibits")
together with its shape (a code, a symbol, a word that is no everyday one), or by its shape alone:
an ending of the WHO's list of drug names, a company's code, a variant's grammar.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from core.extraction.builtin.drug_names import drug_spans
from core.extraction.builtin.groups import MentionGroup
from core.grounding.constraint.constraint import Constraint
from core.grounding.match.word_forms import COMMON, PARTICLES
from core.grounding.recognise.variant_names import written_variants
from core.model import Category, Problem, Severity, Span, fold_words
from core.schema.category import category_of_prefix
from core.text.phrases import one_of, phrases
from core.text.span_index import CoveredParts

_WORD = r"[^\W\d_][^\W_]*(?:-[^\W_]+)*"
_TOKEN = re.compile(r"(?<![\w-])[^\W_]+(?:-[^\W_]+){0,4}(?![^\W_])")
# What a name in this place is: the word before "-induced" is a cause
_CAUSE = re.compile(
    rf"(?<![\w-])({_WORD}?)-(?:induced|treated|resistant|refractory|intoxicated|naive|naïve)\b"
)
_INHIBITORS = (
    r"(?:inhibitor|antagonist|agonist|blocker|activator|modulator|degrader|inverse agonist)"
)
_TARGET = re.compile(rf"(?<![\w-])({_WORD})[- ]{_INHIBITORS}s?\b")
_AGENT = re.compile(
    rf"\b{_INHIBITORS}s?,? ({_WORD})(?= (?:\(|was|is|were|and|or|in|on|at|to)|[,.;)])"
)
_GENE_PLACE = re.compile(
    rf"(?<![\w-])({_WORD})(?:[- ](?:genes?|mRNA|promoter|knockdown|knockout|overexpression|siRNA"
    r"|deficient|null|deficiency|haploinsufficiency)\b)"
)
_VERBS = (
    "inhibits?|inhibited|blocks?|blocked|activates?|activated|suppress(?:es|ed)?|targets|targeted"
    "|antagoni[sz]e[sd]?|stimulates?|stimulated|induces?|induced|lowers|lowered|prevents|prevented"
    "|attenuates|attenuated|ameliorates|ameliorated|reverses|reversed|potentiates|potentiated"
    "|downregulates?|downregulated|upregulates?|upregulated|treats|causes|caused|binds"
)
_SUBJECT = re.compile(
    # "Belzutifan potently inhibits"
    rf"(?:^|(?<=[.;:!?] )|(?<=\n)|(?<=\bthat )|(?<=, ))({_WORD})"
    rf" (?:(?:significantly|potently|selectively|directly|also|strongly|markedly) )?(?:{_VERBS})\b"
    # "Belzutifan, an oral inhibitor"
    rf"|(?:^|(?<=[.;:!?] ))({_WORD})"
    rf"(?=,? (?:is|was|an?)(?: an?)? (?:[\w-]+ ){{0,4}}{_INHIBITORS}\b)"
)
_CODE = re.compile(r"(?<![\w-])[A-Z]{2,5}-?\d{3,7}[A-Z]?(?![\w-])")
# "HK-2 cells", "the MDA-MB-468 cell line", "strain PAO1": letters and digits before or behind
_CELL_LINE = re.compile(
    r"(?<![\w-])(?!CD\d|Th?\d|NK|HLA)"  # not "CD4 cells"
    r"((?=[A-Za-z-]*[A-Z])(?=\S*\d)[A-Za-z][A-Za-z0-9]*(?:[-/][A-Za-z0-9]+){0,3})"  # "HK-2"
    r"(?: human| cancer| tumou?r| carcinoma)? (?:cells?|cell lines?|cultures)\b"
)
_STRAIN = re.compile(
    r"\b(?:strains?|serotypes?|serovars?|isolates?) "
    r"((?=\S*\d)[A-Z][A-Za-z]*[-:]?\d[A-Za-z0-9:-]*|\d+[A-Z][A-Za-z0-9:]*)"
)
_NO_CODES = re.compile(
    r"(?:NCT|GSE|GSM|PMID|PMC|ISO|ISRCTN|CAS|HLA|CVE|SRR|PRJNA|COVID|PM|LOC|ICD|DSM|ASA|OMIM|MIM"
    r"|HGNC|CD|EC|ATCC|NM|NP|ENSG|CVCL|ACTRN|DRKS|EU)-?\d"
)
_SYMBOL = re.compile(r"(?=.*[A-Z])(?=.*(?:\d|[A-Z].*[A-Z]))[A-Za-z][A-Za-z0-9]{1,7}(?:-\d{1,2})?")
# What a cause brings about, by the last word of the phrase behind "-induced"
_ILLNESS_ENDS = one_of(
    "itis osis a?emia pathy algia uria toxicity plegia penia paresis trophy megaly kinesia tonia"
    " plasia noma coma homa spasm rrhea"
)
_EFFECT = phrases(
    {
        f"[a-z]+{_ILLNESS_ENDS}": "isoniazid-induced hepatitis",
        "syndrome|disease|disorder|failure|injury|damage": "cisplatin-induced acute kidney injury",
        "dysfunction|deficiency|neoplasm|seizures?|ulcers?": "aspirin-related gastric ulcers",
        "hypersensitivity|shock|withdrawal": "penicillin-mediated hypersensitivity",
    },
    before=r"-(?:induced|associated|related|mediated)\s+((?:[a-z][a-z-]+\s+){0,3}",
    after=r")(?![\w-])",
    flags=re.NOFLAG,
)
# Ends like a disease, and is what cells do
_OF_CELLS = re.compile(r"(?:apopt|necropt|pyropt|ferropt|mit|mei|\w+cyt|an\w*ik|autoly)osis$")
_PHRASE_ENDS = re.compile(r"\b(?:in|of|on|and|or|with|by|for|to|from|is|was|were|are|the|an?)\b")
# How words of processes, states and people end, and none of a substance
_NO_SUBSTANCE = phrases(
    {
        "[tsc]ion|ments?|ing|ness|[ai]ty|ances?|ences?|ship|hood|ism": "treatment",
        "sis|itis|emia|aemia|xia|uria|pathy|trophy": "hypoxia",
        "plasty|ectomy|otomy|graphy|ology": "tomography",
        "[^aeiou]s|ers?|ors?|virus|cells?": "carrier",
        "ly|ed|ous|ful|ive|ical|able|ible|like|tic|ry": "genetic",
        "trauma|tumou?r|age|ure|stress|therapy": "exposure",
    },
    before="^.*",
    after="$",
)
_EVERYDAY = """
    drug self dose diet light heat noise smoke cold radiation radiotherapy chemotherapy hypoxia
    virus antigen hormone mitogen oxygen calcium water sugar protein peptide antibody ligand
    exercise trauma alcohol tobacco food salt pathogen bacteria endotoxin toxin venom agonist
    antagonist inhibitor placebo vehicle control combination compound agent enzyme receptor kinase
    cytokine chemokine gene patient human mouse animal tissue serum plasma blood extract overdose
    opioid steroid estrogen androgen statin antibiotic analog analogue metabolite derivative
    substance stimulus blockade lipid vitamin mineral metal nicotine however therefore these
    which study evidence data model what there here both neither either this that they those
    it we he she who further increased decreased recent clinical novel potent selective specific new
    first second third small several dual oral single standard immune tumor cancer fat carbohydrate
    lifestyle tension collagen allergen ozone chemical anesthesia anaesthesia stroke injury
    chemically experimentally medically drugs genetically electrically pharmacologically
"""
_WORDS = frozenset(_EVERYDAY.split()) | COMMON | PARTICLES
_LEAST = 6  # letters of a plain word that may be a name
KINDS = (
    Category.CHEMICAL,
    Category.GENE,
    Category.VARIANT,
    Category.DISEASE,
    Category.CELL,
    Category.ORGANISM,
)
MOST_NAMED = 6  # names that the message lists
_CELLS = re.compile(r" (?:cells?|cell lines?|mice|rats?|strains?)\b")


class UnknownName(NamedTuple):
    """A place of a name that no vocabulary has, and what kind of thing it is."""

    span: Span
    category: Category


def unknown_names(
    text: str, constraints: Mapping[str, Constraint], taken: Collection[Span]
) -> list[MentionGroup]:
    """A group without candidates for each such name outside the `taken` spans, under each of the
    classes that take its kind of thing; every place of the name counts. A phrase may hold a taken
    span that is not its end ("cholinergic" in "cholinergic syndrome"; see `outside_phrases`).
    """
    classes = {
        kind: [key for key, constraint in constraints.items() if _takes(constraint, kind)]
        for kind in KINDS
    }
    covered, last = bytearray(len(text)), {span.end for span in taken}
    for span in taken:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    kinds: dict[str, Category] = {}  # by the folded words of a name
    places: dict[str, set[Span]] = {}
    for name in _found(text):
        is_phrase = name.category is Category.DISEASE and name.span.end not in last
        is_free = is_phrase or 1 not in covered[name.span.start : name.span.end]
        if classes[name.category] and is_free:
            words = fold_words(name.span.quote(text))
            kinds.setdefault(words, name.category)
            places.setdefault(words, set()).add(name.span)
    for words, span in _said_again(text, kinds) if kinds else ():
        if 1 not in covered[span.start : span.end]:
            places[words].add(span)
    return [
        MentionGroup(words, cls, tuple(sorted(places[words], key=_start)), ())
        for words, kind in kinds.items()
        for cls in classes[kind]
    ]


def outside_phrases(
    groups: Sequence[MentionGroup], unknown: Sequence[MentionGroup]
) -> list[MentionGroup]:
    """The known things without their mentions within a longer unknown name."""
    longer = CoveredParts(span for group in unknown for span in group.spans)
    kept = (
        replace(group, spans=tuple(span for span in group.spans if not longer.overlap(span)))
        for group in groups
    )
    return [group for group in kept if group.spans]


def _takes(constraint: Constraint, kind: Category) -> bool:
    """Whether a class takes a kind of thing, alone or among others."""
    own = constraint.category
    if own is Category.THING:
        return any(category_of_prefix(prefix) is kind for prefix in constraint.prefixes)
    return own is kind or (kind is Category.GENE and own is Category.PROTEIN)


def _start(span: Span) -> int:
    return span.start


def unknown_name_problems(text: str, groups: Collection[MentionGroup]) -> list[Problem]:
    """One problem that lists the names without a term; none without any."""
    if not groups:
        return []
    names = list(dict.fromkeys(group.spans[0].quote(text) for group in groups))
    listed = ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")
    return [
        Problem(
            "drug-without-term",
            f"In no installed vocabulary: {listed}. Choose a term by hand, which is remembered, or"
            " install a vocabulary that has them.",
            Severity.WARNING,
        )
    ]


def _found(text: str) -> Iterator[UnknownName]:
    """The names by grammar; the surest first, for what stands in two places counts once."""
    for variant in written_variants(text):
        yield UnknownName(variant.span, Category.VARIANT)
    for span in drug_spans(text):
        yield UnknownName(span, Category.CHEMICAL)
    for pattern, kind in ((_CELL_LINE, Category.CELL), (_STRAIN, Category.ORGANISM)):
        for match in pattern.finditer(text):
            yield UnknownName(Span(*match.span(1)), kind)
    for match in _CODE.finditer(text):
        if not _NO_CODES.match(match[0]) and not _CELLS.match(text, match.end()):
            yield UnknownName(Span(*match.span()), Category.CHEMICAL)
    for match in _TARGET.finditer(text):
        if _SYMBOL.fullmatch(match[1]):
            yield UnknownName(Span(*match.span(1)), Category.GENE)
    for match in _GENE_PLACE.finditer(text):
        if _SYMBOL.fullmatch(match[1]):
            yield UnknownName(Span(*match.span(1)), Category.GENE)
    for match in _EFFECT.finditer(text):
        if not (_PHRASE_ENDS.search(match[1]) or _OF_CELLS.search(match[1])):
            yield UnknownName(Span(*match.span(1)), Category.DISEASE)
    for pattern in (_CAUSE, _SUBJECT, _AGENT):
        for match in pattern.finditer(text):
            group = match.lastindex or 1
            if _may_be_substance(match[group]):
                yield UnknownName(Span(*match.span(group)), Category.CHEMICAL)


def _may_be_substance(word: str) -> bool:
    """Whether a word is no everyday one: long, not of a process or a person, or of letters and
    digits.
    """
    folded = word.casefold()
    if folded in _WORDS or folded.removesuffix("s") in _WORDS:
        return False
    if any(map(str.isdigit, word)):
        return len(word) >= 4 and any(map(str.isalpha, word))
    return len(word) >= _LEAST and not word.isupper() and not _NO_SUBSTANCE.fullmatch(word)


def _said_again(text: str, names: Collection[str]) -> Iterator[tuple[str, Span]]:
    """Every place where one of the names (folded) stands, also before "-induced"."""
    for match in _TOKEN.finditer(text):
        end = match.end()
        while end > match.start():
            words = fold_words(text[match.start() : end])
            if words in names:
                yield words, Span(match.start(), end)
                break
            end = text.rfind("-", match.start(), end)
