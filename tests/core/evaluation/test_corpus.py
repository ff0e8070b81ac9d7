"""One small document, written here in each of the four formats, is read the same."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.evaluation.corpus import AnnotatedDocument, CorpusMention, mesh_curies, read_corpus
from core.model import Span

TITLE, ABSTRACT = "Veratin and tremor.", "Veratin caused tremor."

PUBTATOR = f"""1|t|{TITLE}
1|a|{ABSTRACT}
1\t0\t7\tVeratin\tChemical\tD000001
1\t12\t18\ttremor\tDisease\tD014202
1\tCID\tD000001\tD014202
"""
LINE = {
    "pmid": "1",
    "title": TITLE,
    "abstract": ABSTRACT,
    "mentions": [
        {"start": 0, "end": 7, "text": "Veratin", "type": "Chemical", "ids": ["D000001"]},
        {"start": 12, "end": 18, "text": "tremor", "type": "Disease", "ids": ["D014202"]},
    ],
    "relations": [{"type": "CID", "chemical": "D000001", "disease": "D014202"}],
}


def annotation(start: int, length: int, words: str, kind: str, id: str) -> dict[str, object]:
    return {
        "infons": {"type": kind, "MESH": id},
        "text": words,
        "locations": [{"offset": start, "length": length}],
    }


BIOC = {
    "documents": [
        {
            "id": "1",
            "passages": [
                {
                    "offset": 0,
                    "text": TITLE,
                    "annotations": [
                        annotation(0, 7, "Veratin", "Chemical", "D000001"),
                        annotation(12, 6, "tremor", "Disease", "D014202"),
                    ],
                },
                {"offset": len(TITLE) + 1, "text": ABSTRACT, "annotations": []},
            ],
            "relations": [
                {"infons": {"relation": "CID", "Chemical": "D000001", "Disease": "D014202"}}
            ],
        }
    ]
}
XML = f"""<collection><document><id>1</id>
<passage><offset>0</offset><text>{TITLE}</text>
<annotation id="0"><infon key="type">Chemical</infon><infon key="MESH">D000001</infon>
<location offset="0" length="7"/><text>Veratin</text></annotation>
<annotation id="1"><infon key="type">Disease</infon><infon key="MESH">D014202</infon>
<location offset="12" length="6"/><text>tremor</text></annotation></passage>
<passage><offset>{len(TITLE) + 1}</offset><text>{ABSTRACT}</text></passage>
<relation id="R0"><infon key="relation">CID</infon><infon key="Chemical">D000001</infon>
<infon key="Disease">D014202</infon></relation></document></collection>"""

EXPECTED = AnnotatedDocument(
    "1",
    f"{TITLE} {ABSTRACT}",
    (
        CorpusMention(Span(0, 7), "Veratin", "Chemical", ("MESH:D000001",)),
        CorpusMention(Span(12, 18), "tremor", "Disease", ("MESH:D014202",)),
    ),
    frozenset({("MESH:D000001", "MESH:D014202")}),
)


@pytest.mark.parametrize(
    "text",
    [PUBTATOR, json.dumps(LINE), json.dumps(BIOC), XML],
    ids=["pubtator", "lines", "json", "xml"],
)
def test_every_format_gives_the_same_document(tmp_path: Path, text: str) -> None:
    path = tmp_path / "corpus"
    path.write_text(text)
    assert read_corpus(path) == [EXPECTED]


def test_gzipped_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "corpus.gz"
    path.write_bytes(gzip.compress(json.dumps(LINE).encode()))
    assert read_corpus(path) == [EXPECTED]


@pytest.mark.parametrize(
    "text", ["", "prose without marks", "<collection><document>", "{not json}"]
)
def test_a_file_in_no_known_format_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "strange.txt"
    path.write_text(text)
    with pytest.raises(InputError, match="strange"):
        read_corpus(path)


def test_ids_become_curies_and_missing_ones_are_left_out() -> None:
    assert mesh_curies(["D000001|MESH:C500001", "-1", ""]) == ("MESH:D000001", "MESH:C500001")
