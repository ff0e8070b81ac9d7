"""The verb rules: relation rules that the project makes from marked examples."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from core.cli.decision import curator
from core.cli.output import print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.text.count import counted

if TYPE_CHECKING:
    from core.support.reading.rule_table import RelationRule


def _arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="list|preview|add|remove", required=True)
    actions.add_parser("list", help="list the project's own rules, as JSON lines")
    for name, words in (
        ("preview", "print the sentences of the project's texts that a rule would join"),
        ("add", "keep a rule made from examples"),
    ):
        making = actions.add_parser(name, help=words)
        making.add_argument("relation", help="what the rule says: inhibit, cause, treat, bind, …")
        making.add_argument(
            "example",
            nargs="+",
            help="two or more sentences with the <subject> and the [object] marked",
        )
        whose = "your ORCID iD" + (", which only `rules add` needs" if name == "preview" else "")
        making.add_argument("--curator", default="", help=whose)
    removing = actions.add_parser("remove", help="take a rule back")
    removing.add_argument("name", help="its name, as `rules list` prints it")
    removing.add_argument("--curator", default="", help="your ORCID iD")


def rules(desk: Desk, args: Namespace) -> int:
    """list: {name, relation, direction, pattern, example}; preview: {document, sentence}, the ends
    marked; add: the rule as list prints it; remove: nothing.
    """
    from core.services.learning import own_rules

    if args.action == "list":
        for rule in own_rules.own_rules(desk):
            _print_rule(rule)
        return 0
    if args.action == "remove":
        own_rules.remove_rule(desk, args.name, curator(args).orcid)
        return 0
    rule = own_rules.rule_of_examples(args.relation, args.example)
    if args.action == "add":
        own_rules.add_rule(desk, rule, curator(args).orcid)
        _print_rule(rule)
        return 0
    preview = own_rules.preview_rule(desk, rule)
    for document, sentence in preview.found:
        print_line({"document": document, "sentence": sentence})
    more = "at least " if preview.cut else ""
    print_note(
        f"{rule.name}: {more}{counted(len(preview.found), 'sentence')} in"
        f" {preview.read:,} of {counted(preview.texts, 'text')}"
    )
    return 0


def _print_rule(rule: RelationRule) -> None:
    row = {"name": rule.name, "relation": rule.family, "direction": rule.direction}
    print_line(row | {"pattern": rule.pattern, "example": rule.example})


VERBS = (Verb("rules", "make relation rules from marked examples", _arguments, rules),)
