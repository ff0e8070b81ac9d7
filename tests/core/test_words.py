"""What docstrings and comments set in backticks is the name of something: a name that was changed
in the code and not beside it is found here.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from core.cli import verbs

ROOT = Path(__file__).resolve().parents[2]
FILES = [ROOT / "app.py", *(p for f in ("core", "pages") for p in sorted((ROOT / f).rglob("*.py")))]
IN_BACKTICKS = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
NAME = re.compile(r"[^\W\d]\w*(?:\.\w+)*(?:\(\))?")
OUR_FILE = re.compile(r"[\w./-]+\.(?:py|md)")
OTHERS_FILE = re.compile(r".*\.(?:gz|json|npy|toml|tsv|txt|xml)")
CHAPTER = re.compile(r'architecture\.md, "?([A-Z][a-z ]+?[a-z])\b(?="|[.,;:)])')

# Names that are not ours, and words of texts, by why they stand in backticks.
FOREIGN = {
    "words of a question or a text that a rule is for": """
        AC018712.2 Apoe BRCA1 C677T CO2 CO₂ CM DRTA1 DRTA2 Drug ENST00000357654 F508del G1691A
        GeneReviews IL10 NFkB NAME_at Noonan OF R213X R34X SMN1 TARGETS TGFB1 TP53 TREATS
        V600E Val158Met Val600Glu Xq28 affect braf cause chopped chr16 chr5 chromsome dystrophin
        e6v era exercize g.3352delG homeobox not p.E746_A750del NP_000537.3 p.Q1756fs p.V600E
        p.Val37Ile p53 pizza pls receptor ribosomal role rs334 servings symptoms u waht wich
        antibodies haemoglobin hemoglobin muenchen munchen xQ28 zebrafish
    """,
    "ids and schemas of examples": """
        D008750 GeneProduct HAS_FEATURE MONDO_0005148 Orphanet_558 chebi gene_product hp
        mesh step.inputs therapies therapy C
    """,
    "fields and tags of the files and services that are read": """
        AN C2 C5 DB DO N1 UR chrpos_prev_assm email mdat missense_variant name_0 omim_gene retmax
        owl.fstring subject_qualifier text_mining_agent reachable_from Not
        v2reportsGeneDataReports v2reportsProductDescriptor v2reportsTranscript IntersectionOf
        ObjectSomeValuesFrom on yes SHACL object_direction_qualifier
    """,
    "other packages, and Python itself": """
        dask.distributed.Client json.dumps pl.scatter re repr seurat st.data_editor st.dataframe
        statistics.variance wilcoxon with
    """,
    "values and keys that another module writes": """
        auto manual notice same_as seconds subject_category subject_label supported supports
        unplaced work
    """,
    "the installed package": "groundwork groundwork_desk citations",
}


def docstrings(tree: ast.Module) -> dict[int, ast.Constant]:
    """The docstrings of a module and of all in it, by the identity of their node."""
    strings = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                strings[id(first.value)] = first.value
    return strings


@dataclass(frozen=True, slots=True)
class Names:
    """What is kept of a module: its tree would fill the memory.

    `said` stands in backticks, `own` is what the module defines, takes, imports, asks of others or
    writes in a string, `shared` what others may name, `members` what its classes have.
    """

    said: tuple[str, ...]
    own: frozenset[str]
    shared: frozenset[str]
    members: dict[str, set[str]]


@cache
def names_of(path: Path) -> Names:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    return Names(
        said_in_backticks(tree, text), own_names(tree), shared_names_of(tree), members_of(tree)
    )


def said_in_backticks(tree: ast.Module, text: str) -> tuple[str, ...]:
    said = [word for d in docstrings(tree).values() for word in IN_BACKTICKS.findall(str(d.value))]
    if re.search("#.*`", text):
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                said += IN_BACKTICKS.findall(token.string)
    return tuple(said)


def own_names(tree: ast.Module) -> frozenset[str]:
    said, names = docstrings(tree), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and id(node) not in said:
                names.update(re.findall(r"\w+", node.value))
            continue
        for kind in ("id", "arg", "attr", "name", "asname", "module"):
            if isinstance(name := getattr(node, kind, None), str):
                names.update(name.split("."))
    return frozenset(names)


def shared_names_of(tree: ast.Module) -> frozenset[str]:
    names = set[str]()
    for node in tree.body:
        match node:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                names.add(name)
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
                names.add(name)
    return frozenset(names)


def members_of(tree: ast.Module) -> dict[str, set[str]]:
    return {
        cls.name: {
            name
            for node in ast.walk(cls)
            for kind in ("id", "attr", "name")
            if isinstance(name := getattr(node, kind, None), str)
        }
        for cls in tree.body
        if isinstance(cls, ast.ClassDef)
    }


@cache
def shared_names() -> frozenset[str]:
    """Modules, their functions, classes and constants, and the verbs of the command line."""
    names = {verb.name for verb in verbs()}
    for path in FILES:
        names.update(path.relative_to(ROOT).with_suffix("").parts, names_of(path).shared)
    return frozenset(names)


@cache
def members() -> dict[str, set[str]]:
    """Class → what it has, its bases' names among it."""
    return {name: has for path in FILES for name, has in names_of(path).members.items()}


@cache
def our_files() -> frozenset[str]:
    folders = ("core", "pages", "tests", "docs", "schemas", "benchmarks")
    below = (path for folder in folders for path in (ROOT / folder).rglob("*.*"))
    return frozenset(path.name for path in (*below, *ROOT.glob("*.*")))


def exists(word: str, path: Path) -> bool:
    if word in foreign():
        return True
    if OUR_FILE.fullmatch(word):
        places = (ROOT / word, path.parent / word)
        return any(p.exists() for p in places) or ("/" not in word and word in our_files())
    parts = word.removesuffix("()").split(".")
    if len(parts) == 2 and parts[0] in members():
        return parts[1] in members()[parts[0]]
    known = names_of(path).own
    return all(part in known or part in shared_names() for part in parts)


@cache
def foreign() -> frozenset[str]:
    return frozenset(word for words in FOREIGN.values() for word in words.split())


def unknown_words(path: Path) -> list[str]:
    said = names_of(path).said
    names = [word for word in said if NAME.fullmatch(word) or OUR_FILE.fullmatch(word)]
    return [w for w in names if not OTHERS_FILE.fullmatch(w) and not exists(w, path)]


def test_what_stands_in_backticks_exists() -> None:
    unknown = {str(path.relative_to(ROOT)): unknown_words(path) for path in FILES}
    assert {name: words for name, words in unknown.items() if words} == {}


def test_a_word_that_names_nothing_is_found(tmp_path: Path) -> None:
    path = tmp_path / "lesson.py"
    path.write_text(
        '"""See `no_such_thing`, `Statement.no_such_field` and `learn`."""\n\nlearn = 1\n'
    )
    assert unknown_words(path) == ["no_such_thing", "Statement.no_such_field"]


def test_every_foreign_word_is_still_said() -> None:
    said = {word for path in FILES for word in names_of(path).said}
    assert foreign() - said == set()


@pytest.mark.parametrize("path", [ROOT / "docs" / "architecture.md"])
def test_chapters_that_docstrings_name_exist(path: Path) -> None:
    headings = set(re.findall(r"(?m)^#+ (.+)$", path.read_text(encoding="utf-8")))
    named = {c for file in FILES for c in CHAPTER.findall(file.read_text(encoding="utf-8"))}
    assert named and named <= headings
