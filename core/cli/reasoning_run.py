"""What the verbs define and classify do."""

from __future__ import annotations

import sys
from argparse import Namespace

from core.desk import Desk
from core.errors import InputError
from core.kb.reasoning.merge import MergedOntology
from core.kb.reasoning.reasoner import reasoner_named
from core.services.graph import reasoning
from core.services.graph.export_file import replace_file
from core.services.graph.reasoning import DefinedClass, MembershipCondition, ReasoningResult
from core.text.count import counted

TOO_MUCH = "(too many statements are involved to name the reasons)"
NOT_ASKED = f"(the first {reasoning.MOST_EXPLAINED} are explained)"


def define(desk: Desk, args: Namespace) -> int:
    if args.remove:
        reasoning.remove_definition(desk, args.remove)
    if args.paths:
        for way in reasoning.ways_to_define(desk):
            print("\t".join((way.kind or "any", ">".join(way.path), way.words, str(way.count))))
    if args.name:
        ties = tuple(membership_condition(words) for words in args.tie)
        new_class = DefinedClass(args.name, args.kind, ties, args.either, tuple(args.apart))
        print(reasoning.definition_words(reasoning.define_class(desk, new_class)))
    elif args.list or not (args.remove or args.paths):
        for defined_class in reasoning.class_definitions(desk):
            print(f"{defined_class.name}\t{reasoning.definition_words(defined_class)}")
    return 0


def membership_condition(words: str) -> MembershipCondition:
    """`FOODON:00002420>RO:0002473=FOODON:00001141`."""
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
    if reasoned.left_out:
        print(
            f"groundwork: left out of the reasoning: {', '.join(reasoned.left_out)}.",
            file=sys.stderr,
        )
    return 0


def table(desk: Desk, reasoned: ReasoningResult, ontology: MergedOntology, why: bool) -> str:
    """A line a member: class, label, id, and why if asked."""
    lines = []
    for name, members in reasoned.classification.groups.items():
        for iri, label in members:
            because = "; ".join(reasoning.why_member(desk, ontology, iri, name)) if why else ""
            lines.append("\t".join(filter(None, (name, label, reasoned.key_of(iri), because))))
    explanations = reasoning.contradictions_explained(desk, reasoned, ontology)
    for at, ((_, label), axioms) in enumerate(
        zip(reasoned.classification.contradictions, explanations, strict=True)
    ):
        unexplained = TOO_MUCH if at < reasoning.MOST_EXPLAINED else NOT_ASKED
        lines.append("\t".join(("cannot be", label, "; ".join(axioms) or unexplained)))
    return "".join(f"{' '.join(line.splitlines())}\n" for line in lines)
