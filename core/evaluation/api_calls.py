"""Calls of web APIs and Python libraries from questions: the share that is built rightly, by rules
or by the configured model.

The cases are rows {api, question, parameters | call, source} (`tests/data/api_calls.jsonl`): the
questions of BioChatter's API benchmark (github.com/biocypher/biochatter) and ours. Nothing is
fetched. *expressible*: the API's parameters can say what is wanted at all.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import BaseModel

from core.apis import agent, builder, python_call, python_words
from core.apis.registry import SHIPPED
from core.desk import Desk
from core.errors import GroundworkError, InputError, SettingsError
from core.llm.completer import Completer
from core.model import Json
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage

DATA = Path(__file__).resolve().parents[2] / "tests" / "data" / "api_calls.jsonl"
PYTHON = "python"
Build = Callable[[agent.Api, str], Sequence[BaseModel]]


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """One case: whether it can be said, whether it was built as wanted, and what came instead."""

    api: str
    question: str
    source: str
    expressible: bool
    right: bool
    built: str = ""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, default=DATA, help="JSON lines of cases")
    parser.add_argument("--by", choices=("rules", "model"), default="rules")
    parser.add_argument(
        "--show", action="store_true", help="list the calls that differ from what was expected"
    )


def stages(desk: Desk, args: Namespace) -> Evaluation:
    by_model = args.by == "model"
    build = _by_model(desk) if by_model else _by_rules
    try:
        cases = [json.loads(line) for line in args.data.read_text("utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise InputError(f"{args.data} cannot be read.", "Give the cases with --data.") from error
    rows = yield EvaluationStage(
        "questions",
        [str(case["question"]) for case in cases],
        lambda place, run: asdict(call_outcome(cases[place], build)),
        threads=desk.settings.model_parallel if by_model else 1,
    )
    outcomes = [CallOutcome(**row) for row in rows]
    otherwise = [
        f"{case_outcome.api}: {case_outcome.question} | {case_outcome.built}"
        for case_outcome in outcomes
        if not case_outcome.right
    ]
    return EvaluationReport(
        "\n".join([api_call_table(outcomes, args.by), *(otherwise if args.show else ())])
    )


def _by_rules(api: agent.Api, question: str) -> Sequence[BaseModel]:
    return builder.by_rules(api, question)


def _by_model(desk: Desk) -> Build:
    """Raises SettingsError where no model is configured."""
    completer: Completer | None = desk.completer()
    if completer is None:
        raise SettingsError("No model is configured.", "Set one, or measure the rules.")
    model_completer = completer
    return lambda api, question: builder.by_model(model_completer, api, question).queries


def call_outcome(case: Json, build: Build = _by_rules) -> CallOutcome:
    name, question, source = str(case["api"]), str(case["question"]), str(case["source"])
    if name == PYTHON:
        return _python(question, str(case["call"]), source, build)
    api = SHIPPED[name]
    try:
        expected = agent.check_parameters(api, case["parameters"])
    except InputError as error:
        return CallOutcome(
            name, question, source, expressible=False, right=False, built=error.message
        )
    try:
        built = list(build(api, question))
    except GroundworkError as error:
        return CallOutcome(name, question, source, expressible=True, right=False, built=str(error))
    built_json = json.dumps([call.model_dump(exclude_defaults=True) for call in built])
    return CallOutcome(
        name, question, source, expressible=True, right=built == [expected], built=built_json
    )


def _python(question: str, expected: str, source: str, build: Build) -> CallOutcome:
    """A call of a library. A model fills the parameters of the function that is wanted."""
    function = expected.partition("(")[0]
    same_function = [call for call in python_call.CALLS if call.function == function]
    expressible = bool(same_function) or ".map(" in expected
    try:
        if build is _by_rules:
            built = python_words.call_for_question(question)
        else:
            call = same_function[0] if same_function else python_call.BY_NAME["anndata-map-values"]
            built = python_call.call_text(call, build(python_call.as_api(call), question)[0], True)
    except GroundworkError as error:
        return CallOutcome(
            PYTHON, question, source, expressible=expressible, right=False, built=str(error)
        )
    return CallOutcome(
        PYTHON, question, source, expressible=expressible, right=built == expected, built=built
    )


def api_call_table(outcomes: Sequence[CallOutcome], by: str) -> str:
    """A line a source and API."""
    lines = [
        f"API calls by {by}",
        f"{'source':14}{'api':14}{'cases':>7}{'expressible':>13}{'right':>7}",
    ]
    for source in dict.fromkeys(call_outcome.source for call_outcome in outcomes):
        of_source = [call_outcome for call_outcome in outcomes if call_outcome.source == source]
        for api in dict.fromkeys(call_outcome.api for call_outcome in of_source):
            lines.append(
                _line(
                    source,
                    api,
                    [call_outcome for call_outcome in of_source if call_outcome.api == api],
                )
            )
        lines.append(_line(source, "all", of_source))
    return "\n".join(lines)


def _line(source: str, api: str, outcomes: Sequence[CallOutcome]) -> str:
    able = sum(call_outcome.expressible for call_outcome in outcomes)
    right = sum(call_outcome.right for call_outcome in outcomes)
    return f"{source:14}{api:14}{len(outcomes):>7}{able:>13}{right:>7}"
