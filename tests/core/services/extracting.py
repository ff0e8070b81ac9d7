"""A project with a schema of its own, a small vocabulary and a model made of rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.desk import Desk, open_desk
from core.settings import Secret, Settings
from tests.core.extraction.fakes import RuleModel

SCHEMA = """
id: https://example.org/trial
name: trial
title: Trial
prefixes:
  linkml: https://w3id.org/linkml/
  ex: https://example.org/trial/
  CHEBI: http://purl.obolibrary.org/obo/CHEBI_
  MONDO: http://purl.obolibrary.org/obo/MONDO_
default_prefix: ex
default_range: string
imports: ['linkml:types', core]
classes:
  Trial:
    tree_root: true
    is_a: TextWithTriples
    slot_usage:
      triples:
        range: Treats
        annotations: {prompt: semicolon-separated list of treatments}
  Treats:
    is_a: Triple
    slot_usage:
      subject: {range: Drug}
      object: {range: Illness}
      predicate: {range: TreatsVerb}
  Drug:
    is_a: NamedEntity
    id_prefixes: [CHEBI]
    annotations: {annotators: 'sqlite:obo:chebi'}
  Illness:
    is_a: NamedEntity
    id_prefixes: [MONDO]
    annotations: {annotators: 'sqlite:obo:mondo'}
  TreatsVerb:
    is_a: RelationshipType
"""
HEAD = "prefix\tid\tlabel\tsynonym\tscope\n"
CHEBI = (
    HEAD
    + "CHEBI\tCHEBI:15365\taspirin\taspirin\tlabel\nCHEBI\tCHEBI:5855\tibuprofen\tibuprofen\tlabel\n"  # noqa: E501
)
MONDO = (
    HEAD + "MONDO\tMONDO:0005277\tmigraine\tmigraine\tlabel\nMONDO\tMONDO:1\tother\tother\tlabel\n"
)
TEXT = "Aspirin relieves migraine in most adults. Ibuprofen does not treat sore heads."
FIRST = "triples: aspirin TREATS migraine; ibuprofen NOT TREATS sore heads"
RULES: Mapping[str, str | Exception] = {
    TEXT: FIRST,
    "aspirin TREATS migraine": "subject: aspirin\npredicate: TREATS\nobject: migraine",
    "ibuprofen NOT": "subject: ibuprofen\npredicate: TREATS\nobject: sore heads\nqualifier: NOT",
}
CURATOR = "0000-0002-1825-0097"


def project(
    folder: Path, rules: Mapping[str, str | Exception] | None = RULES
) -> tuple[Desk, RuleModel]:
    """An open desk; without rules no model is configured."""
    for part, name, text in (
        ("schemas", "trial.yaml", SCHEMA),
        ("vocabularies", "chebi.tsv", CHEBI),
        ("vocabularies", "mondo.tsv", MONDO),
    ):
        (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / part / name).write_text(text, "utf-8")
    model = RuleModel(rules or {})
    settings = (
        Settings(folder, model="rules", openai_api_key=Secret("key"))
        if rules is not None
        else Settings(folder)
    )
    desk = open_desk(settings)
    if rules is not None:
        desk._parts["completer"] = model
    return desk, model
