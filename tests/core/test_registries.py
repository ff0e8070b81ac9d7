"""One file and one line: a dummy of each family is added to a copy, and is there for everyone."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from core.extraction import registry as engines
from core.genes.strategies.registry import STRATEGIES
from core.literature.ranking import registry as modes

ROOT = Path(__file__).resolve().parents[2]

ENGINE = """
from dataclasses import replace

from core.extraction.builtin.spec import SPEC as BUILTIN

SPEC = replace(BUILTIN, name="dummy-engine", title="Dummy engine")
"""
FORMAT = """
from dataclasses import replace

from core.kb.formats.turtle import TURTLE

DUMMY = replace(TURTLE, name="dummy-format", title="Dummy format", drafts=True)
"""
READER = """
from core.grounding.readers import tsv

SUFFIXES = (".dummy",)
fits = tsv.fits
read = tsv.read
"""
API = """
from dataclasses import replace

from core.apis.mygene import API as MYGENE

API = replace(MYGENE, name="dummyapi", title="Dummy API")
"""
KIND = """
from dataclasses import replace

from core.genes.kinds import coding

KINDS = (replace(coding.KINDS[0], name="dummy kind", example="Is DUMMY1 a dummy gene?"),)
"""
STRATEGY = """
from dataclasses import replace

from core.genes.strategies import planner

STRATEGY = replace(planner.STRATEGY, name="dummy-strategy")
"""
MODE = """
from dataclasses import replace

from core.literature.ranking import coverage

MODE = replace(coverage.MODE, name="dummy-mode", title="Dummy mode")
"""
EVALUATION = """
from core.evaluation.triage import add_arguments, stages
"""
DESCRIPTION = """
name: dummydescribed
title: Dummy described API
summary: Approved dummies
base: https://dummy.example
documentation: How dummies are asked for.
parameters:
  symbol: {type: string, description: an approved symbol, pattern: "^[A-Z0-9]+$", required: true}
request:
  path: /search/{symbol}
answer:
  records: /docs
  id: id
  fields: {symbol: /symbol, id: /id}
  value: symbol
examples:
  - question: Is DUMMY1 approved?
    parameters: {symbol: DUMMY1}
"""
# The one file, what it holds, and the registry with the place where its line goes ("" where the
# file alone is enough).
FAMILIES = {
    "engine": ("core/extraction/dummy.py", ENGINE, "core/extraction/registry.py", "(BUILTIN, "),
    "format": ("core/kb/formats/dummy.py", FORMAT, "core/kb/formats/registry.py", "    TURTLE,\n"),
    "reader": (
        "core/grounding/readers/dummy.py",
        READER,
        "core/grounding/readers/registry.py",
        '    _spec("obo", "OBO", obo),\n',
    ),
    "api": ("core/apis/dummy.py", API, "core/apis/registry.py", "in (blast, "),
    "described api": ("core/apis/descriptions/dummy.yaml", DESCRIPTION, "", ""),
    "kind": (
        "core/genes/kinds/dummy.py",
        KIND,
        "core/genes/kinds/registry.py",
        "    *coding.KINDS,\n",
    ),
    "strategy": (
        "core/genes/strategies/dummy.py",
        STRATEGY,
        "core/genes/strategies/registry.py",
        "(planner.STRATEGY, ",
    ),
    "evaluation": (
        "core/evaluation/dummy.py",
        EVALUATION,
        "core/evaluation/registry.py",
        '        EvaluationSpec("triage", "core.evaluation.triage"),\n',
    ),
    "mode": (
        "core/literature/ranking/dummy.py",
        MODE,
        "core/literature/ranking/registry.py",
        "    coverage.MODE,\n",
    ),
}
LINES = {
    "engine": "{dummy}.SPEC, ",
    "format": "    {dummy}.DUMMY,\n",
    "reader": '    _spec("dummy-reader", "Dummy file", {dummy}),\n',
    "api": "{dummy}, ",
    "kind": "    *{dummy}.KINDS,\n",
    "strategy": "{dummy}.STRATEGY, ",
    "mode": "    {dummy}.MODE,\n",
    "evaluation": '        EvaluationSpec("dummy-evaluation", "core.evaluation.dummy"),\n',
}
SEEN = """
import argparse, json, sys
from core.cli import extraction, parser
from core.desk import open_desk
from core.settings import load_settings
from core.services.extract import draft, engines
from core.services.genes import api_catalogue, questions, strategy
from core.evaluation import retrieval
from core.services.evaluation.evaluation_job import task_named
from core.services.graph import knowledge_base
from core.services.literature import search_page
from core.grounding.readers import registry

def choices(verb, option):
    below = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    return [str(c) for a in below.choices[verb]._actions if option in (*a.option_strings, a.dest)
            for c in a.choices or ()]

desk = open_desk(load_settings(sys.argv[1]))
print(json.dumps({
    "engine": [choices("extract", "--engine"), list(engines.offered_engines(desk)),
               choices("batch", "--engine")],
    "format": [choices("export", "--format"), [extraction.draft_format("dummy-format")],
               list(knowledge_base.FORMATS), list(draft.FORMATS)],
    "reader": [list(registry.suffixes())],
    "api": [[api.name for api in api_catalogue.api_agents(desk)]],
    "described api": [[api.name for api in api_catalogue.api_agents(desk)]],
    "kind": [list(questions.example_questions())],
    "mode": [choices("search", "--mode"), list(retrieval.MODES), list(search_page.MODES),
             list(search_page.COMPARED)],
    "evaluation": [choices("evaluate", "task"),
                   ["dummy-evaluation"] * callable(task_named("dummy-evaluation").stages)],
    "strategy": [choices("ask", "--way"), [way.name for way in strategy.usable_strategies(desk)]],
}))
"""
NAMES = {
    "engine": "dummy-engine",
    "format": "dummy-format",
    "reader": ".dummy",
    "api": "dummyapi",
    "described api": "dummydescribed",
    "kind": "dummy kind",
    "strategy": "dummy-strategy",
    "mode": "dummy-mode",
    "evaluation": "dummy-evaluation",
}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[str]]]:
    """What command line and services offer in a copy of the app with a dummy of each family."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in ("core", "schemas"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for family, (file, source, registry, anchor) in FAMILIES.items():
        (copy / file).write_text(source)
        if not registry:
            continue
        module = file.removesuffix(".py").replace("/", ".")
        line = LINES[family].format(dummy=f"__import__({module!r}, fromlist=['x'])")
        text = (copy / registry).read_text()
        assert anchor in text, f"{registry} has changed: {anchor!r} is not in it"
        (copy / registry).write_text(text.replace(anchor, anchor + line, 1))
    command = [sys.executable, "-c", SEEN, str(copy / "project")]
    run = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-3000:]
    offered: dict[str, list[list[str]]] = json.loads(run.stdout)
    return offered


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_new_member_is_offered_everywhere(seen: dict[str, list[list[str]]], family: str) -> None:
    assert [place for place in seen[family] if NAMES[family] not in place] == []


# Names that are plain words too, and mean other things elsewhere.
PLAIN_WORDS = {"coverage", "tools"}
# Where a member of the family says its own name, or a paper's table asks for it by name.
OWN_ROOMS = (
    "core/extraction/builtin/",
    "core/extraction/spires/",
    "core/extraction/one_call/",
    "core/literature/ranking/",
    "core/genes/strategies/",
    "core/kb/formats/",
    "core/evaluation/",
)


def test_names_of_members_stand_in_their_own_rooms_only() -> None:
    names = {*engines.SPECS, *modes.MODES}
    names |= {*STRATEGIES, "nanopub"}
    names -= PLAIN_WORDS
    paths = [path for room in ("core", "pages") for path in sorted((ROOT / room).rglob("*.py"))]
    strays = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.value}"
        for path in paths
        if not str(path.relative_to(ROOT)).startswith(OWN_ROOMS)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in names
    ]
    assert strays == []
