"""Verbs on what literature says: answer, evidence."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.cli.decision import curator
from core.cli.literature import (
    namespace_names,
    queries,
    say_what_is_embedded,
)
from core.cli.output import print_json, print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.model import Json

if TYPE_CHECKING:
    from core.literature.answers.soundness import SoundSentence
    from core.literature.chunk import Chunk
    from core.literature.ranking.search import Searcher


PASSAGES = 5  # that an answer rests on


ENGINES = ("auto", "model", "extractive")


def answer_arguments(parser: ArgumentParser) -> None:
    from core.literature.ranking.registry import DEFAULT_MODE, mode_names

    parser.add_argument("namespace", help="the namespace; separate several with commas")
    parser.add_argument("question", nargs="?", default="", help="one question")
    parser.add_argument(
        "--input", default="", help="JSON lines {id, text}, or - for standard input"
    )
    parser.add_argument(
        "--mode", choices=mode_names(), default=DEFAULT_MODE, help="how passages are ranked"
    )
    parser.add_argument(
        "-k",
        type=int,
        default=PASSAGES,
        help=f"number of passages to answer from (default {PASSAGES})",
    )
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default="auto",
        help="auto: the model where one is configured, the best sentences elsewhere",
    )
    parser.add_argument("--model", default="", help="the model, such as llama3.1@ollama")
    parser.add_argument(
        "--after",
        default="",
        metavar="RUN",
        help="the question follows up this answer, over the same passages",
    )
    parser.add_argument(
        "--with-retracted",
        action="store_true",
        help="also rest on papers that were retracted or deleted, each marked (default: not)",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "jsonl"),
        default="text",
        help="output format (default: text)",
    )


def evidence_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", help="a statement")
    parser.add_argument(
        "--namespace", required=True, help="where to look; several namespaces with commas"
    )
    parser.add_argument("-k", type=int, default=10, help="passages (default 10)")
    parser.add_argument(
        "--add", default="", metavar="CHUNK", help="add this passage's sentence as evidence"
    )
    parser.add_argument("--curator", default="", help="your ORCID iD, for --add")


def print_rows(rows: Sequence[Json], form: str) -> None:
    """Rows as JSON lines, or as one JSON value (`one`: of the only row)."""
    if form == "jsonl":
        for row in rows:
            print_line(row)
    else:
        value = rows[0] if form == "one" and len(rows) == 1 else list(rows)
        print_json(value, indent=1)


NOTED = ("answered-in-parts", "only-mentions")


def answer(desk: Desk, args: Namespace) -> int:
    """{id, status, certain, complete, supported, missing, reasons, answer, sentences: [{text,
    chunk, document, proof, supported, stance}]} for each question; one of yes or no also has
    verdict and counts.
    """
    from core.services.literature import searching
    from core.services.settings.models import asked_at

    if not args.question and not args.input:
        raise InputError("Give a question, or --input with JSON lines {id, text}.")
    if args.k < 1:
        raise InputError("-k must be at least 1.")
    if args.engine != "extractive" and (where := asked_at(desk, "answers", args.model)):
        print_note(f"each question and up to {args.k} passages will be sent to {where}")
    if not args.after:
        say_what_is_embedded(desk, args.mode)
    searcher = searching.namespace_searcher(desk, namespace_names(args))
    rows = [{"id": "", "text": args.question}] if args.question else queries(args.input)
    answered = []
    for row in rows:
        answered_row = _answered(desk, searcher, row, args)
        if args.format == "jsonl":
            print_line(answered_row)
        elif args.format == "text":
            print(_as_text(answered_row), flush=True)
        else:
            answered.append(answered_row)
    if args.format == "json":
        print_rows(answered, "one" if args.question else "json")
    return 0


def _answered(desk: Desk, searcher: Searcher, row: Json, args: Namespace) -> Json:
    """An answer as a row; a question with nothing to look for, or without a passage, is unknown."""
    from core.literature.query.keyword import parse_query
    from core.services.literature import answer as answers

    id, empty = row.get("id", ""), _nothing_found()
    if args.after:
        words = str(row["text"])
        run = answers.follow_up(desk, args.after, words, model=args.model, engine=args.engine)
        return _row(desk, id, run)
    try:
        match = searcher.search(parse_query(str(row["text"])), args.mode, args.k)
    except InputError as error:
        print_note(f"question {id}: {error}".replace("question :", "question:"))
        return {"id": id, **empty}
    for problem in match.problems:
        print_note(f"{problem.message} {problem.hint}".strip())
    chunks = [hit.chunk for hit in match.results]
    if not chunks:
        return {"id": id, **empty}
    try:
        run = answers.begin_answer(
            desk,
            str(row["text"]),
            chunks,
            engine=args.engine,
            mode=args.mode,
            model=args.model,
            plan=match.plan,
            with_withdrawn=args.with_retracted,
        )
    except answers.OnlyWithdrawn as error:
        print_note(str(error))
        gone = {f"{chunk.document} ({chunk.status})": None for chunk in chunks}
        return {"id": id, **empty, **_about_papers({}, list(gone))}
    return _row(desk, id, run)


def _row(desk: Desk, id: Json, run: str) -> Json:
    """The answer of a run as a row; what is not whole is said on standard error."""
    from core.services.literature import answer as answers
    from core.services.support.shown_support import support_json

    stored_answer = answers.answer_run(desk, run)
    for engine_answer in stored_answer.answers:
        for problem in engine_answer.problems:
            if problem in engine_answer.shortcomings or problem.code in NOTED:
                print_note(f"{problem.message} {problem.hint}")
    by_id = {chunk.id: chunk for chunk in stored_answer.chunks}
    sentences = [
        sound for part in stored_answer.answers for sound in stored_answer.sound_sentences(part)
    ]
    unknown = all(engine_answer.unknown for engine_answer in stored_answer.answers)
    return {
        "id": id,
        "status": "unknown" if unknown else "answered",
        **stored_answer.soundness.json,
        **answers.verdict_json(stored_answer.verdict),
        "support": support_json(answers.support_of_answer(stored_answer)),
        "answer": "" if unknown else stored_answer.text,
        "sentences": [_sentence(sound, by_id) for sound in sentences],
        "engine": stored_answer.engine,
        "run": run,
        **_about_papers(stored_answer.withdrawn, stored_answer.left_out),
    }


def statuses_of(chunks: Sequence[Chunk]) -> dict[str, str]:
    """Document → what happened to it, of those passages whose papers have a status."""
    return {chunk.document: chunk.status for chunk in chunks if chunk.status}


def _about_papers(statuses: Mapping[str, str], left_out: Sequence[str]) -> dict[str, Json]:
    """The papers of an answer that have a status, and retracted ones that it does not rest on."""
    said: dict[str, Json] = {"paper_status": dict(statuses), "left_out": list(left_out)}
    return {name: value for name, value in said.items() if value}


def _nothing_found() -> dict[str, Json]:
    """The row of a question for which there is no passage."""
    from core.literature.answers.soundness import soundness

    lacking = soundness((), ()).json
    return {
        "status": "unknown",
        **lacking,
        "complete": True,
        "support": None,
        "answer": "",
        "sentences": [],
    }


def _sentence(sound: SoundSentence, chunks: dict[str, Chunk]) -> Json:
    from core.literature.answers.answer import QuoteProof
    from core.services.support.shown_support import support_json

    sentence, carried = sound.sentence, sound.support
    cited = [chunks[id] for id in sentence.chunks if id in chunks]
    proofs = {quote.proof for quote in sentence.quotes}
    worst_first = (QuoteProof.NOT_FOUND, QuoteProof.CUT, QuoteProof.NORMALISED, QuoteProof.EXACT)
    return {
        "text": sentence.text,
        "chunk": cited[0].id if cited else "",
        "chunks": [chunk.id for chunk in cited],
        "document": cited[0].document if cited else "",
        **({"paper_status": marks} if (marks := statuses_of(cited)) else {}),
        "proof": str(next((proof for proof in worst_first if proof in proofs), "")),
        "support": support_json(carried.verdict),
        "stance": str(sound.stance),
        "supported": carried.carried.as_json,
        "missing": [*carried.not_carried, *([carried.reason] if carried.reason else [])],
    } | ({"problems": [p.code for p in sentence.problems]} if sentence.problems else {})


def _as_text(row: Json) -> str:
    """The answer, which begins with yes or no where that is asked, what it lacks, its sentences."""
    from core.literature.answers.soundness import PROBABLY

    if row["status"] == "answered":
        sure = "" if row["certain"] else "Probably: "
        head = f"{sure if PROBABLY in row['reasons'] else ''}{row['answer']}"
    else:
        head = "I don't know." + (" The nearest sentences:" if row["sentences"] else "")
    verdict = [row["verdict_words"]] if row.get("verdict_words") else []
    told = row["reasons"] if row["status"] == "answered" else []
    lacks = [f"  Not certain: {reason}" for reason in told if reason != PROBABLY]
    cited = [f"  {s['text']}\n    {_rests_on(s)}" for s in row["sentences"]]
    marks = [f"  ⚠ {id}: {status}" for id, status in row.get("paper_status", {}).items()]
    out = row.get("left_out", ())
    gone = [f"  Not read, because retracted or deleted: {', '.join(out)}"] if out else []
    return "\n".join([*verdict, head, *lacks, *marks, *gone, *cited])


def _rests_on(sentence: Json) -> str:
    """`PMID:1@0, PMID:3@0 (exact; hypothesis)`; a sentence may name a passage without quoting it,
    or none.
    """
    if not sentence["chunks"]:
        return "no passage"
    said = [sentence["proof"] or "no quote"]
    said += [sentence["stance"]] if sentence["stance"] != "finding" else []
    said += ["supported in part"] if sentence["supported"] == "partly" else []
    said += ["not supported"] if sentence["supported"] is False and sentence["proof"] else []
    said += [status.upper() for status in sentence.get("paper_status", {}).values()]
    return f"{', '.join(sentence['chunks'])} ({'; '.join(said)})"


def evidence(desk: Desk, args: Namespace) -> int:
    """Passages that may prove a statement: {chunk, document, score, sentence, together, cue,
    support, supported}; `supported`: the sentence says it, as far as judges looked.
    """
    from core.services.literature import curation
    from core.services.support.shown_support import is_supported, support_json

    statement = curation.statement_of(desk, args.id).statement
    evidence_passages = curation.find_evidence(desk, statement, namespace_names(args), args.k)
    if not args.add:
        verdicts = curation.support_of_passages(desk, statement, evidence_passages)
        for evidence_passage, support in zip(evidence_passages, verdicts, strict=True):
            chunk = evidence_passage.result.chunk
            print_line(
                {
                    "chunk": chunk.id,
                    "document": chunk.document,
                    "score": evidence_passage.result.score,
                    "sentence": evidence_passage.sentence.quote(chunk.text),
                    "together": evidence_passage.together,
                    "cue": evidence_passage.cue,
                    "support": support_json(support),
                    "supported": is_supported(support),
                    **({"status": chunk.status} if chunk.status else {}),
                }
            )
        return 0
    chosen = next(
        (passage for passage in evidence_passages if passage.result.chunk.id == args.add), None
    )
    if chosen is None:
        raise InputError(
            f"{args.add} is not among the {len(evidence_passages)} passages for this statement.",
            "List them without --add, or raise -k.",
        )
    person = curator(args)
    try:
        curation.add_evidence(
            desk, args.id, chosen.result.chunk, chosen.sentence, curator=person.orcid
        )
    except GroundworkError as error:
        print_line({"chunk": args.add, "status": "refused", "problem": str(error)})
        return 1
    print_line({"chunk": args.add, "status": "kept"})
    return 0


VERBS = (
    Verb(
        "answer",
        "answer a question from a namespace, citing every sentence",
        answer_arguments,
        answer,
    ),
    Verb("evidence", "find passages that may prove a statement", evidence_arguments, evidence),
)
