"""Verbs that define classes, and that classify what was approved by them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import print_note, write_pieces
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError
from core.text.count import counted

if TYPE_CHECKING:
    from core.kb.reasoning.merge import MergedOntology
    from core.services.reasoning.reasoning import MembershipCondition, ReasoningResult


FORMATS = ("table", "json", "ttl")


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
        help="members are tied by these relations to this term or to one below it; all as ids",
    )
    parser.add_argument(
        "--either", action="store_true", help="one relation is enough (default: all are needed)"
    )
    parser.add_argument(
        "--apart",
        action="append",
        default=[],
        metavar="NAME",
        help="another class that shares no member with it",
    )
    parser.add_argument("--list", action="store_true", help="list the classes")
    parser.add_argument(
        "--paths", action="store_true", help="list the relations that a class can be defined by"
    )
    parser.add_argument("--remove", metavar="NAME", help="remove a class")


def classify_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--format", choices=FORMATS, default="table", help="output format (default: table)"
    )
    parser.add_argument(
        "--reasoner",
        default="pyelk",
        metavar="NAME",
        help="pyelk (default); with Java: hermit, elk, or the path of the JAR of either",
    )
    parser.add_argument("--why", action="store_true", help="say why each member is one")
    parser.add_argument("--output", type=Path, help="the file to write (default: standard output)")


TOO_MUCH = "(too many statements are involved to name the reasons)"


def define(desk: Desk, args: Namespace) -> int:
    from core.services.reasoning import reasoning
    from core.services.reasoning.reasoning import DefinedClass

    if args.remove:
        reasoning.remove_definition(desk, args.remove)
    if args.paths:
        for way in reasoning.ways_to_define(desk):
            print("\t".join((way.kind or "any", ">".join(way.path), way.words, str(way.count))))
    if args.name:
        ties = tuple(membership_condition(words) for words in args.tie)
        new_class = DefinedClass(
            args.name, args.kind, ties, either=args.either, apart=tuple(args.apart)
        )
        print(reasoning.definition_words(reasoning.define_class(desk, new_class)))
    elif args.list or not (args.remove or args.paths):
        for defined_class in reasoning.class_definitions(desk):
            print(f"{defined_class.name}\t{reasoning.definition_words(defined_class)}")
    return 0


def membership_condition(words: str) -> MembershipCondition:
    """`FOODON:00002420>RO:0002473=FOODON:00001141`."""
    from core.services.reasoning.reasoning import MembershipCondition

    path, _, term = words.rpartition("=")
    if not path or not term:
        raise InputError(
            f"{words[:80]!r} is not a relation to a term.",
            "Write RELATION=TERM, or two relations as A>B=TERM.",
        )
    return MembershipCondition(
        tuple(relation.strip() for relation in path.split(">")), term.strip()
    )


def classify(desk: Desk, args: Namespace) -> int:
    from core.kb.reasoning.reasoner import reasoner_named
    from core.services.reasoning import reasoning

    reasoner = reasoner_named(args.reasoner, desk.settings.reasoner_jars)
    ontology = reasoning.ontology_of(desk)
    reasoned = reasoning.run_reasoner(desk, ontology, reasoner)
    classification = reasoned.classification
    if args.format == "ttl":
        content = reasoning.inferred_turtle(reasoned)
    elif args.format == "json":
        content = f"{reasoning.inferred_json(desk, reasoned, ontology)}\n".encode()
    else:
        content = table(desk, reasoned, ontology, args.why).encode()
    write_pieces([content], args.output)
    print_note(
        f"{reasoned.reasoner}: {counted(classification.axioms, 'axiom')},"
        f" {classification.module:,} of them from vocabularies;"
        f" {counted(len(classification.contradictions), 'contradiction')}"
    )
    if reasoned.left_out:
        print_note(f"left out of the reasoning: {', '.join(reasoned.left_out)}.")
    return 0


def table(desk: Desk, reasoned: ReasoningResult, ontology: MergedOntology, why: bool) -> str:
    """A line a member: class, label, id, and why if asked."""
    from core.services.reasoning import reasoning

    not_asked = f"(the first {reasoning.MOST_EXPLAINED} are explained)"
    lines = []
    for name, members in reasoned.classification.groups.items():
        for iri, label in members:
            because = "; ".join(reasoning.why_member(desk, ontology, iri, name)) if why else ""
            lines.append("\t".join(filter(None, (name, label, reasoned.key_of(iri), because))))
    explanations = reasoning.contradictions_explained(desk, reasoned, ontology)
    for at, ((_, label), axioms) in enumerate(
        zip(reasoned.classification.contradictions, explanations, strict=True)
    ):
        unexplained = TOO_MUCH if at < reasoning.MOST_EXPLAINED else not_asked
        lines.append("\t".join(("cannot be", label, "; ".join(axioms) or unexplained)))
    return "".join(f"{' '.join(line.splitlines())}\n" for line in lines)


VERBS = (
    Verb(
        "define", "define a class: a kind of thing with certain relations", define_arguments, define
    ),
    Verb("classify", "group approved things by the defined classes", classify_arguments, classify),
)
