"""Questions that hold a sequence: where it lies, whose it is, which gene or protein has it.

The DNA sequence in a question: one piece, lines, blocks of ten with numbers, or FASTA.
"""

from __future__ import annotations

import re

from core.genes.kinds import protein_sequence, sequence_symbol
from core.genes.question.gene_name import ASSEMBLY
from core.genes.question.kind_words import PLACE, species_named_in
from core.genes.question.normalisation import mend_typos, without_answer_instructions
from core.genes.question.out_of_scope import asks_negative, other_genome
from core.genes.question.question import GeneQuestion, QuestionKind
from core.ncbi.call import sequence_of

# Bases, also in blocks with numbers as GenBank prints them: "1 acgtacgtac gtacgt"
_BLOCKS = re.compile(
    r"(?<![A-Za-z])[ACGTUN]{4,}(?![A-Za-z])(?:[\s\d]+[ACGTUN]+(?![A-Za-z]))*", re.I
)
_CODES = re.compile(
    r"(?<![A-Za-z])[ACGTUNRYSWKMBDHV]{20,}(?![A-Za-z])", re.I
)  # with the letters of doubtful bases


def find_sequence(text: str) -> str:
    """The longest run of bases (20 or more), written in one piece, in lines or in blocks of ten."""
    body = "\n".join("" if line.lstrip().startswith(">") else line for line in text.splitlines())
    runs = [_joined(match[0]) for match in _BLOCKS.finditer(body)]
    runs += [
        run
        for run in _CODES.findall(body)
        if len(re.sub("[^ACGTUN]", "", run, flags=re.I)) > 0.85 * len(run)
    ]
    longest = max(runs, key=len, default="")
    return sequence_of(longest) if len(longest) >= 20 else ""


# Ten or more amino acids; shorter runs are words ("PLATELETS" has nine letters)
_RESIDUES = re.compile(
    r"(?<![A-Za-z])[ACDEFGHIKLMNPQRSTVWYX]{10,}(?![A-Za-z])(?:\s+[ACDEFGHIKLMNPQRSTVWYX]{10,}(?![A-Za-z]))*"
)


def find_residues(text: str) -> str:
    """The longest run of amino acids (20 or more, in capitals), in one piece or in blocks of ten
    and more; nothing for bases.
    """
    body = "\n".join("" if line.lstrip().startswith(">") else line for line in text.splitlines())
    runs = ["".join(match[0].split()) for match in _RESIDUES.finditer(body)]
    longest = max(runs, key=len, default="")
    return longest if len(longest) >= 20 and len(set(longest)) > 5 else ""


def _joined(run: str) -> str:
    """Blocks of bases as one; a last block of one to three letters belongs to them in lines or
    blocks of one width.
    """
    blocks = re.findall(r"[A-Za-z]+", run)
    widths = {len(block) for block in blocks[:-1]}
    if len(blocks[-1]) < 4 and not (
        re.search(r"\n[\s\d]*[A-Za-z]+$", run) or (len(blocks) > 2 and len(widths) == 1)
    ):
        blocks = blocks[:-1]
    return "".join(blocks)


_ALIASES = (
    r"\balias\w*|\bsynonym|\b(?:other|alternative|every|all)\s+(?:\w+\s+)?(?:names?|symbols?)\b"
    r"|\balso (?:known|called)|\bgene\b.* known"
    r" as\b|\belse\b.*\bgene\b.*\bcalled\b|\bgene\b.*\belse\b.*\bcalled\b"
)
_ORGANISM = (
    r"\borganisms?\b|\bspecies\b|\banimals?\b|\bcreatures?\b|\btaxon\w*|\bliving"
    r" (?:thing|being)|\bgenus\b"
)
# "Which gene does it belong to", "What gene is this": one human gene, not a family or a function
_WHOSE = (
    r"\b(?:which|what|whose)\s+(?:human\s+)?gene\b(?!\s+(?:famil|part|region|cluster|function|set))"
    r"(?!.*\band\b.*\b(?:what|which|where|how)\b)"
    r".*\b(?:belong|part|comes?|from|contain|include|hold|has|have|in|is)"
)
_ORIGIN = (
    r"comes? from|\borigin|derived? from|belongs? to|\bwhose\b|\bwho\b.*\bbelong|\bfrom an? \w+"
    r"|\bor (?:something|what)"
    r" else|\b(?:human|mouse|rat|worm|yeast|fly|zebrafish|chicken)\b.*\bor\b"
)


def question_on_sequence(text: str, words: str, sequence: str) -> GeneQuestion:
    """The question on a DNA sequence; `text` keeps its lines, which FASTA headers need."""
    headers = re.findall(r"^\s*>.*$", text, re.M)
    if len(headers) > 1:
        return GeneQuestion(
            words,
            QuestionKind.UNKNOWN,
            sequence,
            why="It contains several sequences; ask about one at a time.",
        )
    words_left = re.sub(
        r"[ACGTUN]{10,}",
        " ",
        without_answer_instructions(mend_typos(re.sub(r"^\s*>.*$", " ", text, flags=re.M))),
        flags=re.I,
    )
    why = (
        "It contains a sequence but not what to find: its position, its species, its gene or that"
        " gene's aliases."
    )
    kind: str = QuestionKind.UNKNOWN
    if re.search(_ALIASES, words_left, re.I):
        kind = QuestionKind.SEQUENCE_ALIASES
    elif re.search(_ORGANISM, words_left, re.I):
        kind = QuestionKind.SPECIES_ALIGNMENT
    elif match := re.search(
        r"\b(?:which|what|whose)\s+(?:\w+\s+)?(?P<part>genes?|proteins?|exons?|transcripts?)\b",
        words_left,
        re.I,
    ):
        part = match["part"].casefold()
        if species_named_in(words_left) == "human" and re.search(_WHOSE, words_left, re.I):
            kind = sequence_symbol.KIND.name
        why = f"It asks for the {part} of a sequence; you can ask which gene it belongs to."
    elif re.search(r"\bchromosom", words_left, re.I):
        kind = QuestionKind.HUMAN_ALIGNMENT
    elif re.search(_ORIGIN, words_left, re.I):
        kind = QuestionKind.SPECIES_ALIGNMENT
    elif re.search(rf"\balign\w*|\bblast\b|human genome|{ASSEMBLY}|{PLACE}", words_left, re.I):
        kind = QuestionKind.HUMAN_ALIGNMENT
    if kind is QuestionKind.HUMAN_ALIGNMENT and (
        refusal := other_genome(words_left, species_named_in(words_left))
    ):
        kind, why = QuestionKind.UNKNOWN, refusal
    if asks_negative(words_left):
        kind, why = QuestionKind.UNKNOWN, "It asks for something that is not the case."
    return GeneQuestion(words, kind, sequence, why=why if kind is QuestionKind.UNKNOWN else "")


def question_on_residues(words: str, residues: str) -> GeneQuestion:
    """The question on a protein sequence: which protein it is."""
    words_left = words.replace(residues, " ")
    beyond_match = re.search(
        r"\b(?:chromosom\w*|genome|genes?|alias\w*|fold\w*|structure|domains?|function|locat\w*)\b",
        words_left,
        re.I,
    )
    if asks_negative(words_left) or beyond_match:
        why = "It contains a protein sequence; you can only ask which protein has it."
        return GeneQuestion(words, QuestionKind.UNKNOWN, residues, why=why)
    return GeneQuestion(words, protein_sequence.KIND.name, residues)
