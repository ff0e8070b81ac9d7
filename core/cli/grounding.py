"""Verbs that read texts by vocabularies: ground mentions to them, find their names."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.cli.file_input import stored_text
from core.cli.output import print_line
from core.cli.verb import Verb
from core.cli.vocabulary import tab_cell
from core.desk import Desk
from core.errors import InputError
from core.model import Candidate, Category, Json, Span
from core.text.clean import check_size

if TYPE_CHECKING:
    from core.grounding.constraint.constraint import Constraint
    from core.grounding.grounder import Grounder


GROUND_HELP = """
Input: one mention a line; or JSON lines
  {"text": …, "document": …, "context": the whole text, "start": offset of the mention in it}.
Output: one line for each input line, in order.
  tsv    a header, then: text, id, label, match, score, outcome, vocabulary,
         candidates (id|label|score; …), margin, tie (id id …)
  jsonl  {text, id, label, match, score, outcome, margin, tie: [id],
         candidates: [{id, label, match, score, vocabulary, name, differed}]}
         and for coordinated names (breast and ovarian cancer) parts: [{text, id, label}]
`margin` is how much better the first candidate is than the second: 1 where it is alone. `tie` names
the terms that fit equally well: then the outcome is "ambiguous", the id empty and the margin 0.
Between equals of two vocabularies or prefixes the order of preference decides, which is no
tie. Scores are between 0 and 1. Vocabularies given first are preferred. Files are taken
directly (.tsv, .tsv.gz, OBO, …).
"""


ANNOTATE_HELP = """
Input: a text; or JSON lines {"id": …, "text": …}.
Output: one line a mention, in the order of the text. Offsets count Unicode code points, end
exclusive.
  tsv    a header, then: document, start, end, text, id, label, match, score, outcome, vocabulary
  jsonl  {document, start, end, text, id, label, match, score, outcome, margin, tie: [id],
         candidates: […]}
"""


def _ground_arguments(parser: ArgumentParser) -> None:
    _input_arguments(parser, GROUND_HELP)
    kinds = [str(category) for category in Category]
    parser.add_argument(
        "--type", type=str.lower, choices=kinds, default="", metavar="TYPE",
        help=f"what kind of thing the mentions are: {', '.join(kinds)} (default: any)",
    )  # fmt: skip
    parser.add_argument(
        "--prefix",
        action="append",
        default=[],
        help="only ids of this prefix; repeated: in order of preference",
    )
    parser.add_argument(
        "--taxon",
        default="",
        help="only genes of this taxon (NCBITaxon:9606), where terms have one",
    )
    parser.add_argument(
        "--limit", type=int, default=10, help="maximum number of candidates (default 10)"
    )


def _annotate_arguments(parser: ArgumentParser) -> None:
    _input_arguments(parser, ANNOTATE_HELP)
    parser.add_argument(
        "--prefix",
        action="append",
        default=[],
        help="only ids of this prefix; repeated: in order of preference",
    )


def _input_arguments(parser: ArgumentParser, text: str) -> None:
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = text
    parser.add_argument(
        "--vocabulary",
        action="extend",
        nargs="+",
        required=True,
        metavar="NAME|FILE",
        help="a vocabulary of the project, or a file; several in order of preference",
    )
    parser.add_argument(
        "--input",
        required=True,
        metavar="FILE|-",
        help="a file (its form: see below), or - for standard input",
    )
    parser.add_argument(
        "--format",
        choices=("tsv", "jsonl"),
        default="tsv",
        help="output format (default: tsv)",
    )


LONGEST_MENTION = 2_000  # characters


def ground(desk: Desk, args: Namespace) -> int:
    from core.grounding.constraint.constraint import Constraint
    from core.services.vocabularies import vocabularies
    from core.services.vocabularies.own_files import compiled_apart

    grounder, names = vocabularies.grounder_of(desk, args.vocabulary, compiled_apart)
    constraint = Constraint(
        names, tuple(args.prefix), category=_category(args.type), taxon=args.taxon
    )
    text = stored_text(args.input, "latin-1")
    if args.format == "tsv":
        print("text\tid\tlabel\tmatch\tscore\toutcome\tvocabulary\tcandidates\tmargin\ttie")
    for number, row in _mentions(text):
        grounded = _grounded(grounder, row, constraint, limit=max(1, args.limit), number=number)
        print_line(grounded) if args.format == "jsonl" else print(_ground_line(grounded))
    return 0


def _grounded(
    grounder: Grounder, row: Json, constraint: Constraint, *, limit: int, number: int
) -> Json:
    from core.grounding.choice import choose_candidate
    from core.grounding.match.coordination import expand_coordination

    text = str(row.get("text", ""))
    if len(text) > LONGEST_MENTION:
        raise InputError(
            f"Line {number} is too long: a mention has at most {LONGEST_MENTION:,} characters.",
            "One mention a line; `annotate` finds the mentions of a text.",
        )
    start = row.get("start")
    span = (
        Span(start, start + len(text))
        if isinstance(start, int) and not isinstance(start, bool)
        else None
    )
    context = str(row.get("context") or "")
    candidates = grounder.ground(text, constraint, context=context, span=span, limit=limit)
    extra = {key: row[key] for key in ("document", "start") if key in row}
    answer = {"text": text, **extra, **_answer(candidates)}
    if parts := expand_coordination(text):
        terms = {
            part: choose_candidate(grounder.ground(part, constraint, context=context))[0]
            for part in parts
        }
        answer["parts"] = [
            {"text": part, "id": term.id if term else "", "label": term.label if term else ""}
            for part, term in terms.items()
        ]
    return answer


def _answer(candidates: tuple[Candidate, ...]) -> Json:
    from core.grounding.choice import choose_candidate, score_margin, tied_candidates

    term, outcome = choose_candidate(candidates)
    best = next(
        (candidate for candidate in candidates if term and candidate.term.id == term.id), None
    )
    return {
        "id": term.id if term else "",
        "label": term.label if term else "",
        "match": str(best.match) if best else "none",
        "score": best.score if best else 0.0,
        "outcome": str(outcome),
        "margin": score_margin(candidates),
        "tie": [candidate.term.id for candidate in tied_candidates(candidates)],
        "candidates": [_candidate_json(candidate) for candidate in candidates],
    }


def _candidate_json(candidate: Candidate) -> Json:
    candidate_fields = {
        "id": candidate.term.id,
        "label": candidate.term.label,
        "match": str(candidate.match),
        "score": candidate.score,
    }
    candidate_fields |= {
        "vocabulary": candidate.vocabulary,
        "name": candidate.surface,
        "differed": candidate.differed,
    }
    return candidate_fields | (
        {"obsolete": True, "replaced_by": candidate.replaced_by} if candidate.obsolete else {}
    )


def _ground_line(grounded: Json) -> str:
    listed = "; ".join(
        f"{candidate['id']}|{candidate['label']}|{candidate['score']:.3f}"
        for candidate in grounded["candidates"]
    )
    chosen = next(
        (
            candidate["vocabulary"]
            for candidate in grounded["candidates"]
            if candidate["id"] == grounded["id"]
        ),
        "",
    )
    cells = (
        grounded["text"],
        grounded["id"],
        grounded["label"],
        grounded["match"],
        f"{grounded['score']:.3f}",
        grounded["outcome"],
    )
    extra_cells = (chosen, listed, f"{grounded['margin']:.3f}", " ".join(grounded["tie"]))
    return "\t".join(tab_cell(cell) for cell in (*cells, *extra_cells))


def annotate(desk: Desk, args: Namespace) -> int:
    from core.grounding.constraint.constraint import Constraint
    from core.grounding.recognise.recogniser import Recogniser
    from core.services.vocabularies import vocabularies
    from core.services.vocabularies.own_files import compiled_apart

    grounder, names = vocabularies.grounder_of(desk, args.vocabulary, compiled_apart)
    constraints = {"": Constraint(names, tuple(args.prefix))}
    content = stored_text(args.input, "latin-1")
    if args.format == "tsv":
        print("document\tstart\tend\ttext\tid\tlabel\tmatch\tscore\toutcome\tvocabulary")
    for document, text in _texts(content):
        for mark in Recogniser(grounder).annotate(text, constraints):
            place = {"document": document, "start": mark.span.start, "end": mark.span.end}
            annotation = {**place, "text": mark.span.quote(text), **_answer(mark.candidates)}
            print_line(annotation) if args.format == "jsonl" else print(_annotate_line(annotation))
    return 0


def _annotate_line(annotation: Json) -> str:
    first_vocabulary = annotation["candidates"][0]["vocabulary"] if annotation["candidates"] else ""
    cells = [
        annotation[key]
        for key in ("document", "start", "end", "text", "id", "label", "match", "score", "outcome")
    ]
    return "\t".join(tab_cell(cell) for cell in (*cells, first_vocabulary))


def _mentions(text: str) -> Iterator[tuple[int, Json]]:
    """Each line as a mention; an empty line is a mention without words, so that lines keep their
    order.
    """
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        yield (
            number,
            _row(line, number) if line.lstrip().startswith("{") else {"text": line.strip()},
        )


def _row(line: str, number: int) -> Json:
    try:
        mention_row = json.loads(line)
    except (ValueError, RecursionError) as error:
        where = f"see column {error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        reason = where or "it is nested too deeply, or has a number of thousands of digits"
        raise InputError(
            f"Line {number} begins like JSON, but is not: {reason}.", "One JSON object a line."
        ) from error
    if "text" not in mention_row:
        raise InputError(f"Line {number} has no “text”.", "One JSON object with text a line.")
    return mention_row


def _texts(text: str) -> Iterator[tuple[str, str]]:
    """Documents: JSON lines with a text each, or the whole input as one. Raises InputError for one
    that is too long.
    """
    if not text.lstrip().startswith('{"') or '"text"' not in text.lstrip().split("\n", 1)[0]:
        check_size(len(text), "characters")
        yield "", text
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            row = _row(line, number)
            document = next(
                (str(row[key]) for key in ("id", "document", "doc", "pmid") if row.get(key)),
                str(number),
            )
            words = str(row["text"])
            check_size(len(words), "characters")
            yield document, words


def _category(name: str) -> Category:
    categories = {str(category): category for category in Category}
    return categories.get(name.strip().lower(), Category.THING)


VERBS = (
    Verb("ground", "find terms for mentions, best first", _ground_arguments, ground),
    Verb(
        "annotate",
        "find every mention of a vocabulary's names in texts",
        _annotate_arguments,
        annotate,
    ),
)
