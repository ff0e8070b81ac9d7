"""The verb `models`: endpoints, what they offer, and tests of what a model can do."""

from __future__ import annotations

from argparse import ArgumentParser

from core.cli.verb import LazyRun, Verb


def models_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=("list", "test", "set", "presets"),
        default="list",
        help="list: endpoints and what they offer; test: try a model; set: its price and length;"
        " presets: how to set one up",
    )
    parser.add_argument(
        "model",
        nargs="*",
        help="with test: models, such as gpt-4.1-mini or llama3.1@ollama (default: the project's)",
    )
    parser.add_argument(
        "--price",
        nargs=2,
        type=float,
        metavar=("IN", "OUT"),
        help="with set: US dollars per million tokens sent, and per million received",
    )
    parser.add_argument(
        "--context", type=int, metavar="N", help="with set: its context length in tokens"
    )
    parser.add_argument("--format", choices=("text", "jsonl"), default="text", help="of the output")


VERBS = (
    Verb(
        "models",
        "list and test endpoints and models, set a price",
        models_arguments,
        LazyRun("models_run:models"),
    ),
)
