"""A small vocabulary of our own, on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry

ROWS = """\
# vocabulary: mini
# version: 3
prefix	id	label	synonym	scope	parents
M	M:1	disease	disease	label
M	M:2	heart failure	heart failure	label	M:1
M	M:2	heart failure	cardiac insufficiency	EXACT
M	M:3	breast cancer	breast cancer	label	M:1
M	M:3	breast cancer	mammary carcinoma	RELATED
M	M:4	hypertension	hypertension	label	M:1
M	M:5	malignant hyperthermia	malignant hyperthermia	label	M:1
M	M:6	mitral stenosis	mitral stenosis	label	M:1
M	M:7	multiple sclerosis	multiple sclerosis	label	M:1
M	M:7	multiple sclerosis	MS	EXACT
M	M:8	CAT	CAT	label
M	M:9	twin one	twin name	EXACT
M	M:10	twin two	twin name	EXACT
M	M:10	twin two	second helper	EXACT
M	M:11	type 2 diabetes mellitus	type 2 diabetes mellitus	label	M:1
M	M:12	lead	lead	label
M	M:13	Kleefstra syndrome	Kleefstra syndrome	label	M:1
M	M:14	Kleefstra syndrome 1	Kleefstra syndrome 1	label	M:13
M	M:15	naloxone	naloxone	label
M	M:16	prednisone	prednisone	label
M	M:17	prednisolone	prednisolone	label
"""
OBSOLETE = "id\tlabel\treplaced_by\tconsider\nM:90\told heart failure\tM:2\t\nM:91\tgone\t\t\n"


@pytest.fixture
def mini(tmp_path: Path) -> Path:
    path = tmp_path / "mini.tsv"
    path.write_text(ROWS, encoding="utf-8")
    (tmp_path / "mini.obsolete.tsv").write_text(OBSOLETE, encoding="utf-8")
    return path


@pytest.fixture
def grounder(mini: Path, tmp_path: Path) -> Grounder:
    return Grounder(VocabularyRegistry(None, tmp_path / "indexes", files=[mini]))


@pytest.fixture
def anything() -> Constraint:
    return Constraint(("mini",))
