"""Evaluations say what data they need and how to point at it, never where a developer keeps it."""

from __future__ import annotations

from argparse import ArgumentParser

import pytest

from core.errors import InputError
from core.evaluation import gene_benchmark, grounding, pdf_reading, retrieval


@pytest.mark.parametrize("task", [grounding, pdf_reading, retrieval])
def test_an_evaluation_without_its_data_says_what_it_needs(task, tmp_path):
    parser = ArgumentParser()
    task.add_arguments(parser)
    with pytest.raises(InputError) as caught:
        next(task.stages(None, parser.parse_args(["--data", str(tmp_path / "absent")])))
    assert task.HOLDS in str(caught.value)
    assert "--data FOLDER" in str(caught.value)
    assert "shared" not in str(caught.value)


def test_gene_questions_without_their_file_say_what_is_needed(tmp_path):
    with pytest.raises(InputError, match="questions of GeneTuring"):
        gene_benchmark.questions(tmp_path, "GeneTuring", 0, "")
