"""Understanding a question by rules: what kind it is and what it asks about. What is not understood
says so.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.errors import InputError
from core.genes.kinds import orthologs, protein_sequence
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.registry import KINDS
from core.genes.question.disease_name import disease_of, inherited_disease, names_disease
from core.genes.question.gene_name import ASSEMBLY, symbol_in, symbols_in
from core.genes.question.normalisation import mend_typos, without_answer_instructions
from core.genes.question.organism_name import organism_of
from core.genes.question.out_of_scope import (
    asks_negative,
    beyond_disease,
    beyond_gene,
    beyond_orthologs,
    beyond_variant,
    names_species,
    other_genome,
    yes_or_no,
)
from core.genes.question.question import MAX_QUESTION, GeneQuestion, QuestionKind
from core.genes.question.sequence_parser import find_residues, find_sequence

_RS = re.compile(r"\brs\s?(\d{1,12})\b", re.I)
_ENSEMBL = re.compile(r"\bENS[A-Z]{0,4}G\d{11}(?:\.\d+)?\b", re.I)
_PLACE = (
    r"chromosom\w*|\bchrs?\b|locat\w*|locali[sz]\w*|locus|loci|position\w*|where\w*|coordinates?|cytogenetic|bands?"
    r"|cyto-?bands?|regions?|map(?:s|ped)?\b"
)
_NAMING = (
    r"\bsymbol|\bofficial|\bapproved|\balias|\bsynonym|\bnames?\b|\bcall(?:ed)?\b|\bconvert|\btranslate"
    r"|\bwhich gene is\b|known as|\b(?:re)?named\b"
)
_CODING = (
    r"protein[- ]?coding|\bcoding (?:for )?(?:a )?proteins?|\bcoding gene|\bnon-?\s?(?:protein[-"
    r" ])?coding"
    r"|\bpseudo-?\s?gene|\bcod(?:es?|ing) for (?:an? |any )?proteins?|\bencod(?:es?|ing) (?:an?"
    r" |any )?proteins?"
    r"|\b(?:makes?|produces?|yields?|gives?) (?:an? |any )?proteins?\b|\bproteins?"
    r" product\b|\btranslated into\b"
    r"|\b(?:type|kind|biotype) of (?:a )?gene\b|\bgene (?:bio)?type\b|\bbiotype\b"
)
_DOES = (
    r"\bfunctions?\b|\broles?\b|\bjobs?\b|\bsummary of (?:what )?the gene\b|\bgood for\b|\bdoes"
    r" .*\bdo\b"
    r"|\bgene\b.* (?:does|is for)\W*$|\bproduct\b"
    r"|responsible for what|involved in|\b(?:summari[sz]e|describe|explain|tell (?:me )?about)"
    r" (?:what )?the genes?\b"
)
_ALIASES = (
    r"\balias\w*|\bsynonym|\b(?:other|alternative|every|all)\s+(?:\w+\s+)?(?:names?|symbols?)\b"
    r"|\balso (?:known|called)|\bgene\b.* known"
    r" as\b|\belse\b.*\bgene\b.*\bcalled\b|\bgene\b.*\belse\b.*\bcalled\b"
)
_ORGANISM = (
    r"\borganisms?\b|\bspecies\b|\banimals?\b|\bcreatures?\b|\btaxon\w*|\bliving"
    r" (?:thing|being)|\bgenus\b"
)
_ORIGIN = (
    r"comes? from|\borigin|derived? from|belongs? to|\bwhose\b|\bwho\b.*\bbelong|\bfrom an? \w+"
    r"|\bor (?:something|what)"
    r" else|\b(?:human|mouse|rat|worm|yeast|fly|zebrafish|chicken)\b.*\bor\b"
)
_SPECIES = {
    "mouse": r"mouse|mice|mus musculus|murine",
    "rat": r"rats?|rattus norvegicus",
    "zebrafish": r"zebrafish|danio rerio",
    "chicken": r"chicken|gallus gallus",
    "worm": r"c\. ?elegans|caenorhabditis elegans",
    "yeast": r"yeast|saccharomyces cerevisiae",
    "fly": r"fruit ?fly|drosophila(?: melanogaster)?",
}
_ENSEMBL_SPECIES = {"": "human", "MUS": "mouse", "RNO": "rat", "DAR": "zebrafish", "GAL": "chicken"}


def understand(text: str) -> GeneQuestion:
    """The question as kind and subject. Raises InputError when it is empty or too long
    (`MAX_QUESTION`).
    """
    words = " ".join(text.split())
    if not words:
        raise InputError("The question is empty.", "Type a question, or choose an example.")
    if len(words) > MAX_QUESTION:
        raise InputError(
            f"The question has {len(words):,} characters; at most {MAX_QUESTION:,} are taken."
        )
    gene_question = _read(text, without_answer_instructions(mend_typos(words)))
    gene_question = _of_several(without_answer_instructions(mend_typos(words))) or gene_question
    return replace(gene_question, text=words)


def topic_of(question: GeneQuestion) -> Topic | None:
    """What a question that was not understood is about; None where it names nothing that is
    known.
    """
    subject = question.subject
    if not subject:
        return None
    if _RS.fullmatch(subject):
        return Topic.VARIANT
    if re.fullmatch(r"[A-Z]{2}_\d+(?:\.\d+)?", subject):
        return Topic.ACCESSION
    if find_sequence(subject) or find_residues(subject):
        return Topic.SEQUENCE
    named = re.search(r"\s", subject) or names_disease(subject)
    return Topic.DISEASE if named else Topic.GENE


MOST_NAMES = 20  # names that one question may hold


def _of_several(words: str) -> GeneQuestion | None:
    """A question on several genes that are named side by side (`LMP10, CD20 and HER2`): what is
    asked of the first is asked of each.
    """
    names = [one for one in symbols_in(words.rstrip("?.! ")) if re.search(r"\d|[A-Z].*[A-Z]", one)]
    if not 2 <= len(names) <= MOST_NAMES or _RS.search(words):
        return None
    between = r"\s*(?:,\s*and\s|,\s*or\s|,|;|&|/|\band\b|\bor\b)\s*(?:the\s+)?"
    listed = between.join(re.escape(name) for name in names)
    single, count = re.subn(rf"(?<![\w-]){listed}(?![\w-])", names[0], words, flags=re.I)
    if count != 1:
        return None
    found = _read(single, single)
    kind = KINDS.get(found.kind)
    if kind is None or kind.topic is not Topic.GENE or found.subject != names[0]:
        return None
    return replace(found, more=tuple(names[1:]))


def _read(text: str, words: str) -> GeneQuestion:
    """`words` is the text on one line, with slips in carrier words mended."""
    if sequence := find_sequence(text):
        return _of_sequence(text, words, sequence)
    if residues := find_residues(text):
        return _of_residues(words, residues)
    species = _species(words)
    if match := _RS.search(words):
        kind = chosen_by_words(words, Topic.VARIANT)
        if kind is not None and len({one.casefold() for one in _RS.findall(words)}) == 1:
            return GeneQuestion(words, kind.name, f"rs{match[1]}")
        return _of_variant(words, f"rs{match[1]}")
    bare = re.sub(r"\s*Let'?s (?:decompose|think).*$", "", words, flags=re.I).rstrip("?.! ")
    if (
        question := _of_accession(words)
        or _of_organism(words, bare)
        or _of_inheritance(words, bare)
    ):
        return question
    if question := _by_gene_words(words, bare, species):
        return question
    if match := _ENSEMBL.search(bare):
        return _of_ensembl(words, bare, match[0].upper().partition(".")[0])
    if disease := disease_of(bare):
        return _of_disease(words, bare, disease)
    return _of_gene(words, bare, symbol_in(bare), species, QuestionKind.ALIAS)


_BEYOND_RECORD = re.compile(
    r"\bgenes?\b|\bexons?\b|\bchromosom\w*|\balign\w*|\bexpress\w*|\bdiseases?\b|\bfunctions?\b"
    r"|\bhomolog\w*|\bortholog\w*|\bdomains?\b|\bstructure\b",
    re.I,
)


def _of_accession(words: str) -> GeneQuestion | None:
    """A question on a sequence record by its accession (`NP_000537.3`)."""
    kind = chosen_by_words(words, Topic.ACCESSION)
    if kind is None:
        return None
    named = list(dict.fromkeys(re.findall(kind.words, words)))
    if len(named) > 1:
        why = "It names several sequence records; ask for one at a time."
        return GeneQuestion(words, QuestionKind.UNKNOWN, named[0], why=why)
    if _BEYOND_RECORD.search(words) or asks_negative(words):
        why = f"It names the sequence record {named[0]}; what the record is can be asked, not more."
        return GeneQuestion(words, QuestionKind.UNKNOWN, named[0], why=why)
    return GeneQuestion(words, kind.name, named[0])


def _of_organism(words: str, bare: str) -> GeneQuestion | None:
    kind = chosen_by_words(bare, Topic.ORGANISM)
    name = organism_of(bare) if kind is not None else ""
    if kind is None or not name:
        return None
    if match := re.search(r"\b(?:lineage|parent|children|genomes?|ancest\w+)\b", bare, re.I):
        why = f"It asks for the {match[0]} of an organism; its number, names and rank can be asked."
        return GeneQuestion(words, QuestionKind.UNKNOWN, name, why=why)
    return GeneQuestion(words, kind.name, name)


def _of_inheritance(words: str, bare: str) -> GeneQuestion | None:
    kind = chosen_by_words(bare, Topic.DISEASE)
    name = inherited_disease(bare) if kind is not None else ""
    if kind is None or not name or asks_negative(bare):
        return None
    return GeneQuestion(words, kind.name, name)


_ENSEMBL_GIVEN = re.compile(r"\bensembl(?: gene)?[ -](?:ids?|identifiers?|accessions?)\b", re.I)


def _by_gene_words(words: str, bare: str, species: str) -> GeneQuestion | None:
    """A question of a registered kind about one gene: its words stand there, with one name that
    looks like a gene's (`TP53`, `p53`; never `Noonan`) and no name of a disease.
    """
    match = _ENSEMBL.search(bare)
    kind = chosen_by_words(_ENSEMBL_GIVEN.sub(" ", bare) if match else bare, Topic.GENE)
    if kind is None:
        return None
    if match:
        symbol = match[0].upper().partition(".")[0]
        letters = symbol.removeprefix("ENS").rstrip("0123456789").removesuffix("G")
        if letters not in _ENSEMBL_SPECIES:
            return None
        return GeneQuestion(words, kind.name, symbol, _ENSEMBL_SPECIES[letters])
    symbol = symbol_in(bare) or symbol_in(re.sub(kind.words, " ", bare, flags=re.I))
    telling = re.search(r"\d|[A-Z].*[A-Z]", symbol)
    disease = disease_of(bare)
    of_gene = not disease or (symbol in disease.split() and not names_disease(disease))
    relative = kind.name == orthologs.KIND.name
    if not telling or not of_gene or asks_negative(bare) or (names_species(bare) and not relative):
        return None
    if relative:
        if said := beyond_orthologs(bare):
            return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, why=said)
        known = _SPECIES | {"human": "humans?|homo sapiens"} | orthologs.MORE_SPECIES
        own, other = orthologs.species_of(bare, known)
        return GeneQuestion(words, kind.name, symbol, own, other_species=other)
    return GeneQuestion(words, kind.name, symbol, species)


def chosen_by_words(words: str, topic: Topic) -> GeneKind | None:
    """The first registered kind on this topic whose words stand in the question."""
    return next(
        (
            kind
            for kind in KINDS.values()
            if kind.topic is topic and kind.words and re.search(kind.words, words, re.I)
        ),
        None,
    )


def _species(words: str) -> str:
    return next(
        (
            name
            for name, pattern in _SPECIES.items()
            if re.search(rf"\b(?:{pattern})\b", words, re.I)
        ),
        "human",
    )


def _of_sequence(text: str, words: str, sequence: str) -> GeneQuestion:
    headers = re.findall(r"^\s*>.*$", text, re.M)
    if len(headers) > 1:
        return GeneQuestion(
            words,
            QuestionKind.UNKNOWN,
            sequence,
            why="It holds several sequences; ask for one at a time.",
        )
    rest = re.sub(
        r"[ACGTUN]{10,}",
        " ",
        without_answer_instructions(mend_typos(re.sub(r"^\s*>.*$", " ", text, flags=re.M))),
        flags=re.I,
    )
    why = "It holds a sequence, but not what to find: its place, its species or its gene's aliases."
    kind = QuestionKind.UNKNOWN
    if re.search(_ALIASES, rest, re.I):
        kind = QuestionKind.SEQUENCE_ALIASES
    elif re.search(_ORGANISM, rest, re.I):
        kind = QuestionKind.SPECIES_ALIGNMENT
    elif re.search(
        r"\b(?:which|what|whose)\s+(?:\w+\s+)?(?:genes?|proteins?|exons?|transcripts?)\b",
        rest,
        re.I,
    ):
        why = (
            "It asks for the gene of a sequence; the planner finds the aliases of the gene that"
            " contains it."
        )
    elif re.search(r"\bchromosom", rest, re.I):
        kind = QuestionKind.HUMAN_ALIGNMENT
    elif re.search(_ORIGIN, rest, re.I):
        kind = QuestionKind.SPECIES_ALIGNMENT
    elif re.search(rf"\balign\w*|\bblast\b|human genome|{ASSEMBLY}|{_PLACE}", rest, re.I):
        kind = QuestionKind.HUMAN_ALIGNMENT
    if kind is QuestionKind.HUMAN_ALIGNMENT and (said := other_genome(rest, _species(rest))):
        kind, why = QuestionKind.UNKNOWN, said
    if asks_negative(rest):
        kind, why = QuestionKind.UNKNOWN, "It asks for what is not so."
    return GeneQuestion(words, kind, sequence, why=why if kind is QuestionKind.UNKNOWN else "")


def _of_residues(words: str, residues: str) -> GeneQuestion:
    rest = words.replace(residues, " ")
    other = re.search(
        r"\b(?:chromosom\w*|genome|genes?|alias\w*|fold\w*|structure|domains?|function|locat\w*)\b",
        rest,
        re.I,
    )
    if asks_negative(rest) or other:
        why = "It holds a protein sequence; which protein has it can be asked, not more."
        return GeneQuestion(words, QuestionKind.UNKNOWN, residues, why=why)
    return GeneQuestion(words, protein_sequence.KIND.name, residues)


def _of_disease(words: str, bare: str, disease: str) -> GeneQuestion:
    rest = re.sub(
        r",? when (?:mutated|altered|defective|faulty)\b",
        "",
        bare.replace(disease, " "),
        flags=re.I,
    )
    why = (
        "It wants a yes or a no; ask for the genes of the disease."
        if yes_or_no(words)
        else beyond_disease(rest, disease)
    )
    if re.search(r"\bin (?:the |a )?\w+\W*$", disease) and (
        _species(disease) != "human" or names_species(disease)
    ):
        why = "OMIM's diseases are human; it names another species."
    if re.fullmatch(
        r"(?:diseases?|disorders?|syndromes?|illness\w*|conditions?|mutations?)\b.{0,12}",
        disease,
        re.I,
    ):
        why = "It names no disease."
    if re.match(r"genes?\s|\S+\s+gene$", disease, re.I) or re.search(r"\bcauses?\b", disease, re.I):
        why = "It names a gene where a disease should stand."
    if why:
        return GeneQuestion(words, QuestionKind.UNKNOWN, disease, why=why)
    return GeneQuestion(
        words,
        QuestionKind.DISEASE_LOCATIONS
        if re.search(_PLACE, rest, re.I)
        else QuestionKind.DISEASE_GENES,
        disease,
    )


def _of_variant(words: str, rs: str) -> GeneQuestion:
    if len({found.casefold() for found in _RS.findall(words)}) > 1:
        return GeneQuestion(
            words, QuestionKind.UNKNOWN, rs, why="It names several SNPs; ask for one at a time."
        )
    if said := beyond_variant(words):
        return GeneQuestion(words, QuestionKind.UNKNOWN, rs, why=said)
    if re.search(_DOES, words, re.I):
        return GeneQuestion(words, QuestionKind.SNP_FUNCTION, rs)
    asks_gene = re.search(
        r"\b(?:which|what|whose|name the|find the|list the)\s+(?:\w+\s+){0,2}genes?\b"
        r"|\bgene (?:is|of|for|contains|name|symbol)",
        words,
        re.I,
    )
    if re.search(_PLACE, words, re.I) and not asks_gene:
        return GeneQuestion(words, QuestionKind.SNP_LOCATION, rs)
    if re.search(r"\bgenes?\b", words, re.I):
        return GeneQuestion(words, QuestionKind.SNP_GENE, rs)
    if re.search(rf"\bgenome\b|{ASSEMBLY}", words, re.I):
        return GeneQuestion(words, QuestionKind.SNP_LOCATION, rs)
    return GeneQuestion(
        words,
        QuestionKind.UNKNOWN,
        rs,
        why=f"It names {rs}, but not what to find: its gene, its place, or what the gene does.",
    )


def _of_ensembl(words: str, bare: str, id: str) -> GeneQuestion:
    letters = id.removeprefix("ENS").rstrip("0123456789").removesuffix("G")
    if letters not in _ENSEMBL_SPECIES:
        return GeneQuestion(
            words,
            QuestionKind.UNKNOWN,
            id,
            why=f"{id} is of a species that the planner does not know.",
        )
    return _of_gene(words, bare, id, _ENSEMBL_SPECIES[letters], QuestionKind.CONVERSION)


def _of_gene(
    words: str, bare: str, symbol: str, species: str, default: QuestionKind
) -> GeneQuestion:
    if not symbol:
        several = [one for one in symbols_in(bare) if re.search(r"\d|[A-Z]{2}", one)]
        why = "No gene symbol, rs number, Ensembl id, disease or sequence was recognised in it."
        if len(several) > 1:
            why = f"It may name several genes ({', '.join(several[:5])}); ask for one at a time."
        return GeneQuestion(words, QuestionKind.UNKNOWN, why=why)
    coding = bool(re.search(_CODING, bare, re.I))
    if said := beyond_gene(bare, "ensembl" if default is QuestionKind.CONVERSION else ""):
        return GeneQuestion(words, QuestionKind.UNKNOWN, symbol, species, why=said)
    if coding:
        return GeneQuestion(words, QuestionKind.CODING, symbol, species)
    naming = bool(re.search(_NAMING, bare, re.I))
    if naming and yes_or_no(words) and len(symbols_in(bare)) > 1:
        return GeneQuestion(
            words,
            QuestionKind.UNKNOWN,
            symbol,
            species,
            why="It wants a yes or a no on two names; ask for one.",
        )
    place = re.sub(r"^\W*(?:please )?map\b", "", bare, flags=re.I) if naming else bare
    if re.search(rf"\b(?:{_PLACE})", place, re.I):
        return GeneQuestion(words, QuestionKind.GENE_LOCATION, symbol, species)
    if default is QuestionKind.CONVERSION or naming:
        return GeneQuestion(words, default, symbol, species)
    return GeneQuestion(
        words,
        QuestionKind.UNKNOWN,
        symbol,
        species,
        why=f"It names {symbol}, but not what to find: its symbol, place or type.",
    )
