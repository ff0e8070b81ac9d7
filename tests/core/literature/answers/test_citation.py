"""Citations stay with their sentence, in whatever form a model writes them."""

from __future__ import annotations

import pytest

from core.literature.answers.answer import QuoteProof, read_answer
from core.literature.chunk import Chunk

CHUNKS = [
    Chunk(f"PMID:{n}@0", f"PMID:{n}", f"Kinase {name} phosphorylates tau [12] in neurons.")
    for n, name in enumerate("QRSTUV", start=1)
]
QUOTE = "phosphorylates tau"

FORMS = [
    # what a model writes; the passages that each of its sentences cites
    (f'Kinase Q "{QUOTE}" [1]. Kinase R does too [2].', [[1], [2]]),
    (f'It does: "Kinase Q {QUOTE}." [1]. Kinase R does too [2].', [[1], [2]]),
    (f'It does: “Kinase Q {QUOTE}.” [1] Next comes kinase R [2].', [[1], [2]]),
    (f'It does (as "Kinase Q {QUOTE}.") [1] Kinase R does too. [2]', [[1], [2]]),
    (f'It does: "Kinase Q {QUOTE}".[1] Kinase R does too.[2]', [[1], [2]]),
    (f'It does: "Kinase Q {QUOTE}." (1) Kinase R does too (2).', [[1], [2]]),
    (f'It does: "Kinase Q {QUOTE}" [passage 1]. Kinase R does too [Passage 2].', [[1], [2]]),
    (f'It does: "Kinase Q {QUOTE}" (passage 1). Kinase R does too (passages 2 and 3).',
     [[1], [2, 3]]),
    (f'It does: "Kinase Q {QUOTE}"【1】. Kinase R does too【2†source】.', [[1], [2]]),
    (f'All do: "{QUOTE}" [1, 3–5]. Kinase R does too [2-3].', [[1, 3, 4, 5], [2, 3]]),
    (f'All do: "{QUOTE}" [1][3]. Kinase R does too [2; 4].', [[1, 3], [2, 4]]),
    (f'All do: "{QUOTE}" [1 and 3]. Kinase R does too [^2].', [[1, 3], [2]]),
    (f'[1] Kinase Q does: "{QUOTE}". [2] Kinase R does too.', [[1], [2]]),
    (f'- Kinase Q does: "{QUOTE}." [1]\n- Kinase R does too [[2]]', [[1], [2]]),
    (f'Kinase Q does, "{QUOTE}" [1](#1). Kinase R does too [#2].', [[1], [2]]),
    (f'Lee et al. [1] say it "{QUOTE}". Kinase R does too [2]!', [[1], [2]]),
    (f'It "{QUOTE} [12] in neurons" [1]. Kinase R does too [2].', [[1], [2]]),
    (f'It "{QUOTE} [1]". Kinase R does too [2].', [[1], [2]]),
    (f'Kinase Q "{QUOTE}" [1]. Kinase R does too (2).', [[1], [2]]),
    (f'Kinase Q "{QUOTE}" (1). Kinase R does too [2].', [[1], [2]]),
    (f'It does: "Kinase Q {QUOTE}." (1) Kinase R does too. [2] So does T (3, 4).',
     [[1], [2], [3, 4]]),
    (f'It "{QUOTE} [12] in neurons" (1). Kinase R does too (2).', [[1], [2]]),
    (f'Three of them (3) "{QUOTE}" [1]. In adults (2), kinase R does too [2].', [[1], [2]]),
    (f'In adults (2), kinase Q "{QUOTE}." [1] Kinase R does too (2).', [[1], [2]]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "passages"), FORMS, ids=[text[:60] for text, _ in FORMS])
def test_citations_stay_with_their_sentence(text: str, passages: list[list[int]]) -> None:
    answer = read_answer(text, CHUNKS)
    assert [list(sentence.chunks) for sentence in answer.sentences] == [
        [f"PMID:{number}@0" for number in numbers] for numbers in passages
    ]
    assert answer.sentences[0].quotes[0].proof is QuoteProof.EXACT
    assert not {"no-citation", "wrong-citation"} & {problem.code for problem in answer.problems}


def test_numbers_in_round_brackets_that_are_no_passages_are_words() -> None:
    answer = read_answer("The dose was (20). It rests on nothing.", CHUNKS)
    assert [sentence.chunks for sentence in answer.sentences] == [(), ()]
