"""Place and methods of a study of samples, in plain words."""

from __future__ import annotations

import pytest

from core.extraction.builtin.study_value import study_values
from core.schema.definition import RangeKind, Slot
from core.text.sentence import split_sentences

PLACE = Slot(
    "location", "string", RangeKind.LITERAL, "x:p", "location",
    description="the place where the samples were taken, as written",
)  # fmt: skip
METHODS = Slot(
    "methods", "string", RangeKind.LITERAL, "x:m", "methods",
    description="list of the sequencing methods and instruments", multivalued=True,
)  # fmt: skip


def words(text: str, slot: Slot) -> list[str]:
    sentences = split_sentences(text)
    return [
        span.quote(text) for span in study_values(text, slot, sentences[0], sentences, named=())
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Microbes in the sediment of Brass Lake, China. It is cold.", "Brass Lake, China"),
        ("Cold life. Water was sampled at Muino da Veiga.", "Muino da Veiga"),
        ("Life in ice. Chukotka lies in the Arctic.", "Chukotka"),
        ("Life in ice. The region has DNA of Orlan.", ""),
    ],
)
def test_the_place_of_a_study_is_named_in_title_or_sampling(text: str, place: str) -> None:
    assert words(text, PLACE) == ([place] if place else [])


def test_methods_are_named_once_and_not_where_they_are_denied() -> None:
    text = "Samples. Illumina MiSeq was used. 16S rRNA gene amplicon sequencing was done."
    assert words(text, METHODS) == ["Illumina MiSeq", "16S rRNA gene amplicon sequencing"]
    assert words("Samples. Shotgun sequencing was not done.", METHODS) == []
