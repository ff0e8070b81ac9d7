"""Verbs that define classes, and that classify what was approved by them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.kb.reasoning.merge import MergedOntology
from core.kb.reasoning.reasoner import PYELK, reasoner_named
from core.services.graph import reasoning
from core.services.graph.export_file import replace_file
from core.services.graph.reasoning import DefinedClass, DefinedTie, ReasoningResult
from core.text.count import counted


def define_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="what the class is called")
    parser.add_argument(
        "--kind", default="", help="a class of a schema (schema:Recipe) or category:food"
    )
    parser.add_argument(
        "--tie",
        action="append",
        default=[],
        metavar="RELATION>…=TERM",
        help="by these relations tied to this term or one below it, all as ids",
    )
    parser.add_argument(
        "--either", action="store_true", help="one relation is enough (default: all are needed)"
    )
    parser.add_argument(
        "--apart",
        action="append",
        default=[],
        metavar="NAME",
        help="shares no member with this class",
    )
    parser.add_argument("--list", action="store_true", help="list the classes")
    parser.add_argument("--paths", action="store_true", help="list the relations to define by")
    parser.add_argument("--remove", metavar="NAME", help="remove a class")


def define(desk: Desk, args: Namespace) -> int:
    if args.remove:
        reasoning.remove(desk, args.remove)
    if args.paths:
        for way in reasoning.ways_to_define(desk):
            print("\t".join((way.kind or "any", ">".join(way.path), way.words, str(way.count))))
    if args.name:
        ties = tuple(tie_of(words) for words in args.tie)
        new_class = DefinedClass(args.name, args.kind, ties, args.either, tuple(args.apart))
        print(reasoning.definition_words(reasoning.define(desk, new_class)))
    elif args.list or not (args.remove or args.paths):
        for defined_class in reasoning.definitions(desk):
            print(f"{defined_class.name}\t{reasoning.definition_words(defined_class)}")
    return 0


def tie_of(words: str) -> DefinedTie:
    """`FOODON:00002420>RO:0002473=FOODON:00001141`."""
    path, _, term = words.rpartition("=")
    if not path or not term:
        raise InputError(
            f"{words[:80]!r} is not a relation to a term.",
            "Write RELATION=TERM, or two relations as A>B=TERM.",
        )
    return DefinedTie(tuple(relation.strip() for relation in path.split(">")), term.strip())


def classify_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--format", choices=reasoning.FORMATS, default="table")
    parser.add_argument(
        "--reasoner",
        default=PYELK.name,
        metavar="NAME",
        help="pyelk (default); where Java is: hermit, elk, or the path of the JAR of either",
    )
    parser.add_argument("--why", action="store_true", help="say why each member is one")
    parser.add_argument("--output", type=Path, help="the file to write (default: standard output)")


def classify(desk: Desk, args: Namespace) -> int:
    reasoner = reasoner_named(args.reasoner, desk.settings.reasoner_jars)
    ontology = reasoning.ontology_of(desk)
    reasoned = reasoning.reason(desk, ontology, reasoner)
    classification = reasoned.classification
    if args.format == "ttl":
        content = reasoning.inferred_turtle(reasoned)
    elif args.format == "json":
        content = f"{reasoning.inferred_json(desk, reasoned, ontology)}\n".encode()
    else:
        content = table(desk, reasoned, ontology, args.why).encode()
    if args.output:
        replace_file(args.output, [content])
    else:
        sys.stdout.buffer.write(content)
        sys.stdout.flush()
    print(
        f"groundwork: {reasoned.reasoner}: {counted(classification.axioms, 'axiom')},"
        f" {classification.module:,} of them from vocabularies;"
        f" {counted(len(classification.contradictions), 'contradiction')}",
        file=sys.stderr,
    )
    if classification.outside:
        print(
            f"groundwork: not reasoned over: {', '.join(classification.outside)}. More may follow.",
            file=sys.stderr,
        )
    return 0


def table(desk: Desk, reasoned: ReasoningResult, ontology: MergedOntology, why: bool) -> str:
    """A line a member: class, label, id, and why if asked."""
    lines = []
    for name, members in reasoned.classification.groups.items():
        for iri, label in members:
            because = "; ".join(reasoning.why(desk, ontology, iri, name)) if why else ""
            lines.append("\t".join(filter(None, (name, label, reasoned.key_of(iri), because))))
    explanations = reasoning.contradictions_explained(desk, reasoned, ontology)
    for (_, label), axioms in zip(
        reasoned.classification.contradictions, explanations, strict=True
    ):
        lines.append("\t".join(("cannot be", label, "; ".join(axioms))))
    return "".join(f"{' '.join(line.splitlines())}\n" for line in lines)


VERBS: tuple[Verb, ...] = (
    Verb(
        "define", "define a class: a kind of thing with certain relations", define_arguments, define
    ),
    Verb("classify", "group approved things by the defined classes", classify_arguments, classify),
)
