"""The disease that a question on genes names: what follows, or goes before, the words that tie
genes to it.
"""

from __future__ import annotations

import re

from core.text.phrases import one_of, phrases

_CAUSE = (
    r"(?:related|linked|tied|connected)\s+(?:to|with)|associat(?:ed|ion|ions)?\s+(?:with|to)"
    r"|(?:cause|causes|causing|underl(?:ie|ies|ying)|behind)|(?:lead|leads|leading|contribut(?:e|es|ing))\s+to"
    r"|(?:responsible|involved|implicated|mutated|deleted|disrupted|mutations?|known|defective|altered|faulty)\s+(?:for|in|to\s+cause)"
    r"|(?:susceptibility|predispos\w+)\s+to"
)
_CAUSED = (
    r"(?:caused|explained|due|triggered|brought\s+about)\s+(?:by|to)|(?:related|linked|tied)\s+(?:to|with)"
    r"|associated\s+(?:with|to)|the\s+result\s+of"
)
_NOUN = (
    r"\b(?:syndromes?|diseases?|disorders?|deficienc(?:y|ies)|cancers?|tumou?rs?|palsy|dystroph(?!in\b)\w+|atroph\w+|anomal\w+|defects?"
    r"|malformations?|epileps\w+|ataxias?|retardation|blindness|deafness|(?!organism|polymorphism|mechanism|metabolism)\w{3,}(?:itis|osis|oses|emia|opathy|oma|omas|plasia"
    r"|trophy|uria|algia|axia|philia|asthenia|opsia|plegia|ism|iasis|cephaly|dactyly|phrenia)"
    r"|diabetes|dementia|epidermolysis|xeroderma|porphyria|lupus|progeria|asthma|bifida|strokes?"
    r"|obesity|hypertension|gout|migraines?|(?:pre-?)?eclampsia|cataracts?|short stature"
    r"|cleft (?:lip|palate)|infertility|sterility|(?:hearing|vision) loss|long QT"
    r"|(?:heart|kidney|liver) failure|vitiligo|eczema|narcolepsy|hernias?|myopia|rickets"
    r"|(?:cardio)?myopath(?:y|ies)|goit(?:er|re)s?|malaria|addiction|stuttering|dyslexia"
    r"|(?:Alzheimer|Parkinson|Huntington|Crohn|Marfan|Tourette|Noonan|Fabry|Gaucher|Dravet)(?:['’]?s)?)\b"
)
_GENES = r"\bgenes?\b|\bgenetic\b|\bmutat|\bloci\b"
_ASK = r"(?:which|what)\s+(?:\w+\s+)?(?:genes?|mutations?|loci)"
_LEAD = (
    r"^(?:(?:which|what)\s+genes?\s+(?:causes?|underlies?|underlie|leads?\s+to)\s+)?(?:of\s+)?(?:the\s+|a\s+|an\s+)?"
    r"(?:(?:disease|disorder|condition)\s+(?!of\b))?"
)
_TAIL = (
    r"\s+(?:located|found|lies?|sits?|maps?(?:\s+to)?|resides?|on\s+(?:which|what)\s+chromosomes?|in\s+humans?|please"
    r"|to\s+be\s+found|on)\s*$"
)
# what is said of the genes, not of the disease: `epidermolysis bullosa causal genes`
_OF_GENES = (
    r"\s+(?:causal|causative|causing|risk|susceptibility|candidate|associated|related|linked)$"
)


_PRODUCT = re.compile(
    r"\b(?:proteins?|enzymes?|hormones?|receptors?|antigens?|pathways?|(?<!sickle )cells?)$", re.I
)


def names_disease(words: str) -> bool:
    """Whether a word of a disease stands there (`syndrome`, `…itis`)."""
    return bool(re.search(_NOUN, words, re.I))


def disease_of(bare: str) -> str:
    """The disease of a question about its genes; nothing when the question is not of that kind."""
    bare = bare.replace("(s)", "s")
    if not re.search(_GENES, bare, re.I) or _CHANGES.search(bare):
        return ""
    return _carrying(bare) or _after(bare) or _before(bare) or _trait_of(bare)


_HOW = r"(?:inherited|transmitted|passed (?:on|down)|heritable|hereditary)"
_MODE = (
    r"(?:(?:mode|pattern|type|form|kind|manner)s? of (?:inheritance|transmission|heredity)"
    r"|(?:inheritance|transmission|hereditary)(?: (?:mode|pattern|type|form)s?)?)"
)
# Blanks are counted: a name of any length beside any number of them would be tried in every way.
_INHERITED = (
    r"^how (?:do|does|can) (?:one|you|people|children|a child) inherit (?P<name>.+)$",
    rf"^(?:how|in (?:which|what) way)\s{{1,5}}(?:is|are|does|do"
    rf"|can)\s{{1,5}}(?P<name>.+?)\s{{1,5}}(?:be\s{{1,5}})?(?:{_HOW}|run in"
    r" families)\b",
    rf"^(?:is|are)\s{{1,5}}(?P<name>.+?)\s{{1,5}}(?:(?-i:an?)\s{{1,5}})?"
    rf"(?:{_HOW}|autosomal|(?:x|y)[- ]linked"
    rf"|dominant(?:ly)?"
    r"|recessive(?:ly)?|mitochondrial(?:ly)?|maternally)\b",
    r"^(?:does|do)\s{1,5}(?P<name>.+?)\s{1,5}(?:follow|have|show|run)\b",
    rf"\b{_MODE}(?:\s{{1,5}}(?:of|for|in)\s{{1,5}}|\s{{0,5}}[,:–-]\s{{0,5}})(?P<name>.+)$",
    rf"\b{_MODE}\s{{1,5}}(?:does|do|is|has)\s{{1,5}}(?P<name>.+?)"
    r"(?:\s{1,5}(?:have|has|show|follow|known for))?$",
    rf"^(?P<name>[^:?]+?)(?:'s)?\s{{0,5}}[:,–-]?\s{{1,5}}{_MODE}$",
)


def inherited_disease(bare: str) -> str:
    """The disease of a question on how it is inherited; nothing when it asks for genes, places or
    diseases instead.
    """
    if re.search(rf"{_GENES}|\b(?:which|what)\s+(?:\w+\s+)?(?:diseases?|disorders?)\b", bare, re.I):
        return ""
    for pattern in _INHERITED:
        if match := re.search(pattern, bare, re.I):
            name = re.sub(r"^(?:the|a|an)\s+", "", match["name"].strip(" \"'“”.,;:"), flags=re.I)
            return name if len(name) > 2 and len(name.split()) <= 12 else ""
    return ""


def _carrying(bare: str) -> str:
    """`people with NAME have mutations in which gene`."""
    match = re.search(
        rf"\b(?:with|of) (?P<name>.+?) (?:have|has|carry|carries|show) .*\bin {_ASK}$", bare, re.I
    )
    return _name(match["name"]) if match else ""


_CHANGES = phrases(  # `the most common mutation in CFTR` names no disease
    {
        r"(?:common|frequent|many|known|first|rare|which|what)\b(?! genes?\b).{0,20}"
        r"\b(?:mutation|variant)s? (?:are known )?in [A-Z][A-Z0-9-]+": (
            "the most common mutation in CFTR"
        ),
        r"[A-Z][A-Z0-9-]*\d[A-Z0-9-]* (?:gene )?(?:mutation|variant)s? in": "BRCA1 variants in …",
    },
    flags=re.NOFLAG,
)


_BRIEF = re.compile(
    # `all candidate genes in …`
    r"(?:the |all |known )*(?:candidate |risk |causal |causative |susceptibility |disease )?"
    r"(?:genes?|loci) (?:(?:in|for|of) )?"
    # `… Alzheimer disease`; not `… with introns`, not `… BRCA1 …`
    r"(?!with |panel |(?-i:[A-Z][A-Z0-9-]+) (?!syndrome|disease|disorder))(?P<name>.+)$",
    re.I,
)


# A trait that no pattern lists (`baldness genes`): small letters, and the last word is a noun that
# is no class of genes (`ribosomal`, `housekeeping`, `homeobox`, `odorant receptor`)
_TRAIT = re.compile(
    r"^(?:(?:the|all|list|find|show|which|what|known|human) )*"
    r"(?P<name>(?-i:[a-z][a-z'-]+)(?: (?-i:[a-z][a-z'-]+)){0,3}) genes$",
    re.I,
)
_CLASS_ENDS = one_of("""
    al ic ing ed ive ar ous ory ary able less ine box finger ase in or ors like specific target
    rna dna human mouse rat yeast fly worm plant virus gene protein receptor channel histone
    kinase immune stress repair cycle growth death housekeeping maintenance more many some other
    these those my your our same disease family pathway cluster group candidate risk marker
    reference control novel new orphan fusion silent dead live model query input output
""")
_CLASS = re.compile(rf"{_CLASS_ENDS}$")


def _trait_of(bare: str) -> str:
    match = _TRAIT.match(bare)
    if match is None or _CLASS.search(match["name"]) or _PRODUCT.search(match["name"]):
        return ""
    return match["name"]


def _is_brief(name: str) -> bool:
    return names_disease(name) and not _PRODUCT.search(name)


def _after(bare: str) -> str:
    """`genes related to NAME`, `genes for NAME`."""
    match = re.search(rf"\b(?:{_CAUSE})\s+(?P<name>.+)$", bare, re.I)
    if match is None and (brief := _BRIEF.match(bare)) and _is_brief(brief["name"]):
        match = brief
    if match is None:
        match = re.search(r"\bgenes?\s+(?:for|of)\s+(?P<name>.+)$", bare, re.I)
        if match is None or (len(match["name"].split()) < 2 and not names_disease(match["name"])):
            return ""
        name = _name(match["name"])
        single = len(name.split()) < 2 and not names_disease(name)
        if single or _PRODUCT.search(name):
            return ""
    if inner := re.match(
        rf"(?:which|what)\s+genes?\s+(?:{_CAUSE})\s+(?P<name>.+)$", match["name"], re.I
    ):
        match = inner
    return _name(match["name"])


def _before(bare: str) -> str:
    """`NAME: which genes?`, `NAME is caused by which genes`, `where are NAME genes located`."""
    asked = rf"(?:(?:in\s+)?{_ASK}|(?:its\s+|the\s+)?genes?)"
    match = re.match(rf"(?P<name>[^:;?]+?)\s*[:;?,–-]+\s+{asked}\b", bare, re.I)
    match = match or re.match(
        rf"(?P<name>.+?)\s+(?:is|are|can\s+be)\s+(?:{_CAUSED})\s+{_ASK}\b", bare, re.I
    )
    if match is None:
        begin = r"^(?:.*\b(?:are|is|the|all|list|name|find|of|do|lie)\s+)?"
        match = re.match(
            rf"{begin}(?P<name>(?:[\w.'-]+\s+){{0,6}}?[\w'-]+)\s+(?:genes?|loci)\b", bare, re.I
        )
    if match is None or not re.search(_NOUN, match["name"], re.I):
        return ""
    if re.match(r"\W*[A-Z][A-Z0-9]+\b", bare[match.end() :]):
        return ""  # `the retinoblastoma gene RB1` is a gene
    return _name(match["name"])


def _name(text: str) -> str:
    """The name alone: no article, no second question, no verb at its end."""
    text = re.sub(
        r"\s+(?:at|on) the (?:gene|genetic|molecular) level\b|\s+and$", "", text, flags=re.I
    )
    first_question = re.split(
        r"\?|\s*[:,;]\s*(?:and\s+)?(?:where|on\s+(?:which|what))\b|\s+and\s+(?:where|on\s+(?:which|what)|their|its)\b",
        text,
    )[0]
    name = re.sub(_TAIL, "", first_question.strip(" \"'“”.,;:"), flags=re.I)
    name = re.sub(_LEAD, "", name, count=1, flags=re.I)
    name = re.sub(_OF_GENES, "", name, flags=re.I)
    return name if len(name) > 2 else ""
