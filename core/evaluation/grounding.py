"""The paper's grounding table: labels of GO, EMAPA and MONDO through a model's recorded answers to
their ids.

SPIRES (Caufield et al. 2024) gave 100 labels of each vocabulary to two models as a text, extracted
the terms and grounded them. The recorded answers are replayed here: each term of an answer is
grounded to the vocabulary's labels, as it stands and with mention expansion, and a label counts
when its own id was reached.

Deviation: the words of an answer are matched after normalisation, not by OAK's exact text
annotation; and expansion is ours, the paper has none.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from core.codec import from_json, to_json
from core.desk import Desk
from core.errors import InputError
from core.evaluation.data_folder import BESIDE, data_folder, missing_data
from core.evaluation.grounding_gold import gold_lines
from core.grounding.choice import choose_candidate
from core.grounding.constraint.constraint import Constraint
from core.grounding.grounder import Grounder
from core.grounding.index.vocabulary_registry import VocabularyRegistry
from core.grounding.recognise import expansion
from core.model import Json, Span
from core.services.evaluation.stage import Evaluation, EvaluationReport, EvaluationStage
from core.settings import CODE

HOLDS = "the models' recorded answers (completions.jsonl.gz) and label tables (grounding_table/)"
GOLD = "annotated corpora (gold/) and the vocabularies they were annotated with (lexicons/)"
ONTOLOGIES = ("GO", "EMAPA", "MONDO")
MODELS = ("gpt-3.5-turbo-16k", "gpt-4-1106-preview")
PAPER = {"GO": (98, 97), "EMAPA": (100, 100), "MONDO": (97, 18)}
IDEAL = {"GO": (99, 99), "EMAPA": (100, 100), "MONDO": (98, 18)}
DIRECT = {"GO": (3, 1), "EMAPA": (0, 0), "MONDO": (0, 1)}
_ID_LINE = re.compile(r"(\S+) ! (.*)")


@dataclass(frozen=True, slots=True)
class GroundingTableRow:
    """Labels of 100 that reached their id, for one vocabulary and model."""

    ontology: str
    model: str
    plain: int
    expanded: int
    paper: int
    ideal: int
    direct: int


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        default=CODE / BESIDE / "spires",
        help=f"folder of {HOLDS}",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="a table (default), or JSON lines",
    )
    parser.add_argument(
        "--gold", action="store_true", help="measure the annotated corpora in --grounding as well"
    )
    parser.add_argument(
        "--grounding",
        type=Path,
        default=CODE / BESIDE / "grounding",
        help=f"for --gold: folder of {GOLD}",
    )
    parser.add_argument(
        "--corpus", action="append", default=[], help="only this corpus of --gold; may be repeated"
    )
    parser.add_argument(
        "--taught",
        action="store_true",
        help="measure --gold again after what was wrong on the training half was corrected once",
    )


def stages(desk: Desk, args: Namespace) -> Evaluation:
    """A unit a vocabulary; with --gold one for each document of the corpora."""
    data = data_folder(args.data, HOLDS)
    folder = data_folder(args.grounding, GOLD, "--grounding") if args.gold else None
    tables = yield EvaluationStage(
        "vocabularies",
        ONTOLOGIES,
        lambda place, run: to_json(rows_of(data, ONTOLOGIES[place], desk.indexes)),
        worth=1,
    )
    rows: list[GroundingTableRow] = []
    for part in tables:
        rows += from_json(list[GroundingTableRow], part)
    lines = (
        [json.dumps(asdict(row)) for row in rows] if args.format == "json" else [text_table(rows)]
    )
    if folder is not None:
        lines += yield from gold_lines(desk, folder, args)
    return EvaluationReport("\n".join(lines))


def grounding_table(data: Path, indexes: Path) -> list[GroundingTableRow]:
    """The table from the folder `data`; indexes of the label tables are kept in `indexes`. Raises
    InputError.
    """
    return [row for ontology in ONTOLOGIES for row in rows_of(data, ontology, indexes)]


def rows_of(data: Path, ontology: str, indexes: Path) -> list[GroundingTableRow]:
    """The rows of one vocabulary, a model each."""
    completions = _completions(data / "completions.jsonl.gz")
    folder = data / "grounding_table"
    labels = _lines(folder / f"{ontology.lower()}_terms_select.tsv")
    grounder, constraint, expected = label_vocabulary(folder, ontology, labels, indexes)
    rows = []
    for number, model in enumerate(MODELS):
        recorded = _recorded(completions, ontology, model, labels)
        counts = replay_answers(grounder, constraint, recorded, expected)
        figures = (PAPER[ontology][number], IDEAL[ontology][number], DIRECT[ontology][number])
        rows.append(GroundingTableRow(ontology, model, *counts, *figures))
    return rows


def label_vocabulary(
    folder: Path, ontology: str, labels: Sequence[str], indexes: Path
) -> tuple[Grounder, Constraint, dict[str, str]]:
    """The label table as a vocabulary, and the id that each label must reach."""
    path = _as_table(folder / f"{ontology.lower()}_terms.tsv.gz", ontology, indexes)
    grounder = Grounder(VocabularyRegistry(None, indexes, files=[path]))
    lexicon = grounder.vocabulary_registry.lexicon(f"{ontology.lower()}_terms")
    ids = {
        hit.text: hit.id
        for label in labels
        for hit in lexicon.names(_key(label))
        if hit.text == label
    }
    return grounder, Constraint((lexicon.name,), (ontology,)), ids


def replay_answers(
    grounder: Grounder, constraint: Constraint, recorded: Json, expected: dict[str, str]
) -> tuple[int, int]:
    """How many labels reached their id: by the answer's terms as they stand, and with mention
    expansion.
    """
    text = recorded["text"]
    grounded: set[str] = set()
    expanded: set[str] = set()
    for words in terms_of_answer(recorded["completion"]):
        term, _ = choose_candidate(grounder.ground(words, constraint, loose=False))
        if term:
            grounded.add(term.id)
        for span in places_of_words(text, words):
            longer = expansion.longer_names(grounder, text, span, constraint)
            expanded.update(longer_name.candidate.term.id for longer_name in longer[:1])
    ids = set(expected.values())
    return len(grounded & ids), len((grounded | expanded) & ids)


def terms_of_answer(completion: str) -> list[str]:
    """The values of the answer's `terms` field: what stands before the next field, split at
    semicolons.
    """
    body = re.split(r"(?m)^\s*label\s*:", completion, maxsplit=1)[0]
    body = re.sub(r"^\s*terms\s*:", "", body)
    values = (value.strip().rstrip(".").strip() for value in re.split(r"[;\n]", body))
    return list(dict.fromkeys(value for value in values if value))


def places_of_words(text: str, words: str) -> list[Span]:
    """Every place of the words in the text, or of their last two words where the whole is a
    paraphrase.
    """
    tries = [words, *(" ".join(words.split()[start:]) for start in range(1, len(words.split())))]
    tries += [" ".join(words.split()[:end]) for end in range(len(words.split()) - 1, 0, -1)]
    for wording in (wording for wording in tries if len(wording) > 3):
        pattern = rf"(?<![^\W_]){re.escape(wording)}"
        if spans := [Span(*m.span()) for m in re.finditer(pattern, text, re.IGNORECASE)]:
            return spans
    return []


def text_table(rows: Iterable[GroundingTableRow]) -> str:
    """The table as text, in columns."""
    lines = [
        f"{'vocabulary':<11}{'model':<20}{'ours':>6}{'expanded':>10}{'paper':>7}{'ideal':>7}"
        f"{'ids asked directly':>20}"
    ]
    for row in rows:
        cells = f"{row.plain:>6}{row.expanded:>10}{row.paper:>7}{row.ideal:>7}{row.direct:>20}"
        lines.append(f"{row.ontology:<11}{row.model:<20}{cells}")
    lines.append(
        "Labels of 100 that reach their own id. Paper: Caufield et al. 2024; ideal: every label in"
        " the answer."
    )
    return "\n".join(lines)


def _key(label: str) -> str:
    from core.grounding.match import normalise

    return normalise.name_key(label)


def _as_table(path: Path, ontology: str, folder: Path) -> Path:
    """The label table (`ID ! label`, other prefixes mixed in) as a vocabulary file of one
    prefix.
    """
    target = folder / f"{ontology.lower()}_terms.tsv"
    rows = (match for line in _lines(path) if (match := _ID_LINE.fullmatch(line)))
    term_rows = [
        f"{row[1]}\t{row[2]}"
        for row in rows
        if row[1].startswith(f"{ontology}:") and row[2] != "None"
    ]
    content = "\n".join(["id\tlabel", *term_rows]) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.read_text(encoding="utf-8") != content:
        target.write_text(content, encoding="utf-8")
    return target


def _lines(path: Path) -> list[str]:
    if not path.exists():
        raise missing_data(f"{HOLDS}; {path.name} is missing")
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        return [line.strip() for line in raw.decode("utf-8").split("\n") if line.strip()]
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path} is a damaged gzip file.", "Download it again.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text in UTF-8.", "Download it again.") from error


def _completions(path: Path) -> list[Json]:
    try:
        return [json.loads(line) for line in _lines(path)]
    except ValueError as error:
        raise InputError(f"{path} is not JSON, one answer a line.", "Download it again.") from error


def _recorded(
    completions: Sequence[Json], ontology: str, model: str, labels: Sequence[str]
) -> Json:
    """The answer recorded for exactly these labels."""
    template = f"{ontology.lower()}_simple.OntologyTermSet"
    for row in completions:
        if (
            row["template"] == template
            and row["model"] == model
            and set(labels) <= set(row["text"].split("\n"))
        ):
            return row
    raise InputError(f"No answer of {model} over the {ontology} labels is recorded.")
