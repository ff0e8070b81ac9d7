"""The DNA sequence in a question: one piece, lines, blocks of ten with numbers, or FASTA."""

from __future__ import annotations

import re

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
