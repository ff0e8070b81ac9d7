"""Verbs on what literature says: answer, recommend, triage, evidence."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.cli.literature import print_line, queries, say
from core.cli.review import curator
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import GroundworkError, InputError
from core.literature.answers.answer import CitedSentence, QuoteProof
from core.literature.chunk import Chunk
from core.literature.query.keyword import parse_query
from core.literature.ranking.registry import DEFAULT, mode_names
from core.literature.ranking.search import Searcher
from core.literature.triage.verdict import PaperVerdict
from core.model import Json
from core.services.literature import answer as answers
from core.services.literature import curation, namespaces, triage
from core.text.sentence import split_sentences

PASSAGES = 5  # that an answer rests on
ENGINES = ("auto", "model", "extractive")
WORST_FIRST = (QuoteProof.NOT_FOUND, QuoteProof.CUT, QuoteProof.NORMALISED, QuoteProof.EXACT)


def _names(args: Namespace) -> list[str]:
    return [name for name in args.namespace.split(",") if name]


def _output(rows: Sequence[Json], form: str) -> None:
    if form == "jsonl":
        for row in rows:
            print_line(row)
    else:
        value = rows[0] if form == "one" and len(rows) == 1 else list(rows)
        sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")


# ------------------------------------------------------------------ answer


def answer_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("namespace", help="the namespace; several with commas")
    parser.add_argument("question", nargs="?", default="", help="one question")
    parser.add_argument(
        "--input", default="", help="JSON lines {id, text}, or - for standard input"
    )
    parser.add_argument("--mode", choices=mode_names(), default=DEFAULT, help="how passages rank")
    parser.add_argument(
        "-k", type=int, default=PASSAGES, help=f"passages to answer from (default {PASSAGES})"
    )
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default="auto",
        help="auto: the model where one is configured, the best sentences elsewhere",
    )
    parser.add_argument("--format", choices=("text", "json", "jsonl"), default="text")


def answer(desk: Desk, args: Namespace) -> int:
    """{id, status, answer, sentences: [{text, chunk, document, proof}]} for each question."""
    if not args.question and not args.input:
        raise InputError("Give a question, or --input with JSON lines {id, text}.")
    if args.k < 1:
        raise InputError("-k is at least 1.")
    searcher = namespaces.searcher(desk, _names(args))
    rows = [{"id": "", "text": args.question}] if args.question else queries(args.input)
    made = []
    for row in rows:
        one = _answered(desk, searcher, row, args)
        if args.format == "jsonl":
            print_line(one)
        elif args.format == "text":
            print(_as_text(one), flush=True)
        else:
            made.append(one)
    if args.format == "json":
        _output(made, "one" if args.question else "json")
    return 0


def _answered(desk: Desk, searcher: Searcher, row: Json, args: Namespace) -> Json:
    """An answer as a row; a question with nothing to look for, or without a passage, is unknown."""
    id, empty = row.get("id", ""), {"status": "unknown", "answer": "", "sentences": []}
    try:
        match = searcher.search(parse_query(str(row["text"])), args.mode, args.k)
    except InputError as error:
        say(f"question {id}: {error}".replace("question :", "question:"))
        return {"id": id, **empty}
    for problem in match.problems:
        say(f"{problem.message} {problem.hint}".strip())
    chunks = [hit.chunk for hit in match.results]
    if not chunks:
        return {"id": id, **empty}
    run = answers.begin(
        desk, str(row["text"]), chunks, engine=args.engine, mode=args.mode, plan=match.plan
    )
    stored_answer = answers.answer_run(desk, run)
    by_id = {chunk.id: chunk for chunk in chunks}
    said = [sentence for one in stored_answer.answers for sentence in one.sentences]
    unknown = all(one.unknown for one in stored_answer.answers)
    return {
        "id": id,
        "status": "unknown" if unknown else "answered",
        "answer": "" if unknown else stored_answer.text,
        "sentences": [_sentence(sentence, by_id) for sentence in said],
        "engine": stored_answer.engine,
        "run": run,
    }


def _sentence(sentence: CitedSentence, chunks: dict[str, Chunk]) -> Json:
    cited = [chunks[id] for id in sentence.chunks if id in chunks]
    proofs = {quote.proof for quote in sentence.quotes}
    return {
        "text": sentence.text,
        "chunk": cited[0].id if cited else "",
        "document": cited[0].document if cited else "",
        "proof": str(next((proof for proof in WORST_FIRST if proof in proofs), "")),
    } | ({"problems": [p.code for p in sentence.problems]} if sentence.problems else {})


def _as_text(one: Json) -> str:
    if one["status"] == "answered":
        head = one["answer"]
    else:
        head = "I don't know." + (" The nearest sentences:" if one["sentences"] else "")
    cited = [f"  {s['text']}\n    {s['chunk']} ({s['proof']})" for s in one["sentences"]]
    return "\n".join([head, *cited])


# ------------------------------------------------------------------ recommend


def recommend_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("namespace", help="the namespace; several with commas")
    parser.add_argument("text", nargs="?", default="", help="what you have written")
    parser.add_argument(
        "--input", default="", help="a text file, JSON lines {id, text}, or - for standard input"
    )
    parser.add_argument(
        "--by",
        choices=("paragraph", "sentence"),
        default="paragraph",
        help="articles for the whole, or for each sentence",
    )
    parser.add_argument("-k", type=int, default=10, help="articles (default 10)")
    parser.add_argument("--format", choices=("tsv", "json", "jsonl"), default="tsv")


def recommend(desk: Desk, args: Namespace) -> int:
    """Articles to cite for a text that one has written."""
    if not args.text and not args.input:
        raise InputError("Give a text, or --input with a file.")
    if args.k < 1:
        raise InputError("-k is at least 1.")
    rows: list[Json] = []
    for id, words in _paragraphs(args):
        recommendeds = curation.recommended(desk, _names(args), words, args.k)
        results = [
            {
                "document": recommended.document,
                "title": recommended.chunk.title,
                "year": recommended.chunk.year,
                "score": recommended.score,
                "chunk": recommended.chunk.id,
                "summary": recommended.summary,
                "citation": curation.citation(recommended.chunk),
            }
            for recommended in recommendeds
        ]
        rows.append({"id": id, "text": words, "results": results})
    if args.format != "tsv":
        _output(rows, args.format)
        return 0
    print("id\tdocument\ttitle\tyear\tscore\tcitation")
    for row in rows:
        for result in row["results"]:
            names = ("document", "title", "year", "score", "citation")
            cells = [row["id"], *(result[name] for name in names)]
            print("\t".join(" ".join(str(cell).split()) for cell in cells))
    return 0


def _paragraphs(args: Namespace) -> Iterator[tuple[str, str]]:
    if args.text:
        given = [("1", args.text)]
    elif args.input.endswith((".jsonl", ".jsonl.gz")):
        given = [(str(row.get("id", "")), str(row["text"])) for row in queries(args.input)]
    else:
        given = [("1", _file_text(args.input))]
    for id, text in given:
        if args.by == "paragraph":
            yield id, text
            continue
        for place, span in enumerate(split_sentences(text), start=1):
            yield f"{id}.{place}", span.quote(text)


def _file_text(name: str) -> str:
    if name == "-":
        return sys.stdin.read()
    try:
        return Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name} cannot be read as text.", "Save it as UTF-8.") from error


# ------------------------------------------------------------------ triage


def triage_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("namespace", help="the namespace; several with commas")
    parser.add_argument("action", choices=("judge", "export", "counts"))
    parser.add_argument("document", nargs="?", default="", help="for judge: the paper")
    parser.add_argument(
        "verdict", nargs="?", default="", help=f"for judge: {', '.join(PaperVerdict)}"
    )
    parser.add_argument("--reason", default="", help="why")
    parser.add_argument("--curator", default="", help="your ORCID iD")
    parser.add_argument(
        "--input", default="", help="for judge: JSON lines {document, verdict, reason}, or -"
    )
    parser.add_argument("--format", choices=tuple(triage.FORMATS), default="csv")
    parser.add_argument("--output", type=Path, help="for export: a file, else standard output")


def triage_papers(desk: Desk, args: Namespace) -> int:
    """Judge papers, export what was judged, or count it."""
    for name in _names(args):
        desk.store.namespaces.get(name)
    if args.action == "judge":
        return _judge(desk, args)
    if args.action == "export":
        text = triage.export(desk, _names(args), args.format)
        if args.output:
            args.output.write_text(text, "utf-8")
        else:
            sys.stdout.write(text)
        return 0
    counts = Counter(triage.verdicts(desk, _names(args)).values())
    papers = sum(desk.store.namespaces.count_members(name) for name in _names(args))
    print_line({"papers": papers, "judged": sum(counts.values()), **dict(sorted(counts.items()))})
    return 0


def _judge(desk: Desk, args: Namespace) -> int:
    """A line of result for each verdict, in order; 1 when any was refused."""
    person = curator(args)
    if args.input:
        rows = list(_verdict_rows(args.input))
    else:
        rows = [{"document": args.document, "verdict": args.verdict, "reason": args.reason}]
    refused = 0
    for row in rows:
        document, verdict = str(row.get("document", "")), str(row.get("verdict", ""))
        try:
            home = next(iter(desk.store.namespaces.holders(_names(args), document)), None)
            if home is None:
                raise InputError(
                    f"{document or 'No paper'} is in none of these namespaces.",
                    "Name a paper of the namespace, for example PMID:123.",
                )
            if verdict == PaperVerdict.UNDONE:
                triage.undo(desk, _names(args), person.orcid, document)
            else:
                reason = str(row.get("reason", ""))
                triage.judge(desk, home, document, verdict, reason=reason, curator=person.orcid)
            print_line({"document": document, "verdict": verdict, "status": "kept"})
        except InputError as error:
            refused += 1
            print_line({"document": document, "status": "refused", "problem": str(error)})
    return 1 if refused else 0


def _verdict_rows(name: str) -> Iterator[Json]:
    text = _file_text(name)
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, dict):
                raise InputError(
                    f"Line {number} of {name} is no verdict.",
                    "Each line is an object {document, verdict, reason}.",
                )
            yield row


# ------------------------------------------------------------------ evidence


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


def evidence(desk: Desk, args: Namespace) -> int:
    """Passages that may prove a statement: {chunk, document, score, sentence, together, cue}."""
    statement = curation.statement_of(desk, args.id).statement
    evidence_passages = curation.find_evidence(desk, statement, _names(args), args.k)
    if not args.add:
        for evidence_passage in evidence_passages:
            chunk = evidence_passage.result.chunk
            print_line(
                {
                    "chunk": chunk.id,
                    "document": chunk.document,
                    "score": evidence_passage.result.score,
                    "sentence": evidence_passage.sentence.quote(chunk.text),
                    "together": evidence_passage.together,
                    "cue": evidence_passage.cue,
                }
            )
        return 0
    chosen = next((one for one in evidence_passages if one.result.chunk.id == args.add), None)
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
    Verb("answer", "what a namespace says, every sentence cited", answer_arguments, answer),
    Verb("recommend", "articles to cite for a text", recommend_arguments, recommend),
    Verb("triage", "judge papers and export what was judged", triage_arguments, triage_papers),
    Verb("evidence", "passages that may prove a statement", evidence_arguments, evidence),
)
