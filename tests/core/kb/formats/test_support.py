"""Exports say of each statement whether its evidence says it; without that their bytes are as they
were.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace

import pytest
import rdflib

from core.kb.formats.registry import FORMATS
from core.kb.one_id_each import one_id_each
from core.kb.rdf.node import GW
from core.model import NOT_JUDGED, Support, SupportVerdict
from tests.core.kb.formats.test_turtle import ASPIRIN, CLAIM, entry, kb

SAYS = Support(SupportVerdict.SUPPORTS, 0.93)
DENIED = replace(CLAIM, negated=True)


def judged(**more: Support | None):
    return replace(kb(CLAIM, DENIED), support={CLAIM.id: SAYS, DENIED.id: None} | more)


def part(name: str, content: bytes) -> str:
    if not content.startswith(b"PK"):
        return content.decode()
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        file = next(one for one in parts.namelist() if "edges" in one or "relationships" in one)
        return parts.read(file).decode()


@pytest.mark.parametrize(
    ("name", "sign", "columns"),
    [
        ("tsv", "\t", ("support", "support probability")),
        ("kgx", "\t", ("support", "support_probability")),
        ("neo4j", ",", ("support", "support_probability:double")),
    ],
)
def test_tables_have_the_verdict_and_how_likely_it_is(
    name: str, sign: str, columns: tuple[str, str]
) -> None:
    text = part(name, FORMATS[name].write(judged()))
    rows = list(csv.DictReader(io.StringIO(text), delimiter=sign))
    assert {tuple(row[column] for column in columns) for row in rows} == {
        ("supports", "0.93"),
        (NOT_JUDGED, ""),
    }
    without = part(name, FORMATS[name].write(kb(CLAIM, DENIED)))
    assert not set(columns) & set(without.splitlines()[0].split(sign))


@pytest.mark.parametrize(("name", "form"), [("ttl", "turtle"), ("nt", "nt"), ("nanopub", "trig")])
def test_rdf_has_the_verdict_of_each_statement(name: str, form: str) -> None:
    graph = rdflib.Dataset(default_union=True)
    graph.parse(data=FORMATS[name].write(judged()), format=form)
    said = [
        (name, str(value))
        for name in ("support", "supportProbability")
        for _, _, value, *_ in graph.quads((None, rdflib.URIRef(GW[name]), None, None))
    ]
    assert sorted(said) == [
        ("support", NOT_JUDGED),
        ("support", "supports"),
        ("supportProbability", "0.93"),
    ]


def test_networks_have_the_probability_as_a_number() -> None:
    aspects = json.loads(FORMATS["cx2"].write(judged()))
    edges = next(aspect["edges"] for aspect in aspects if "edges" in aspect)
    assert {edge["v"]["support"]: edge["v"].get("support_probability") for edge in edges} == {
        "supports": 0.93,
        NOT_JUDGED: None,
    }


def test_what_several_become_has_the_best_verdict_of_them() -> None:
    asa = replace(ASPIRIN, id="DRUGBANK:DB00945", label="ASA")
    other = replace(CLAIM, subject=asa)
    several = replace(
        kb(),
        entries=(entry(CLAIM), entry(other)),
        support={CLAIM.id: None, other.id: SAYS},
    )
    (kept,) = one_id_each(several, {ASPIRIN.id: asa}).entries
    joined = one_id_each(several, {ASPIRIN.id: asa})
    assert joined.support == {kept.statement.id: SAYS}
