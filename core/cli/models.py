"""The verb `models`: endpoints, what they offer, and tests of what a model can do."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from core import COMMAND
from core.cli.output import print_line, print_note
from core.cli.verb import Verb
from core.desk import Desk
from core.errors import InputError, RemoteError

if TYPE_CHECKING:
    from core.services.settings.models import ModelProfile


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


def models(desk: Desk, args: Namespace) -> int:
    if args.action == "presets":
        return presets()
    if args.action == "set":
        return set_known(desk, args)
    return test(desk, args) if args.action == "test" else listing(desk, args)


def presets() -> int:
    from core.services.settings import models as service

    for preset in service.PRESETS:
        print(f"{preset.title}\n  {preset.lines[0]}\n  {preset.lines[1]}\n  {preset.note}\n")
    print("Then name a model: GROUNDWORK_MODEL=model, or model@endpoint for a named endpoint.")
    return 0


def listing(desk: Desk, args: Namespace) -> int:
    """Each endpoint is asked for its models now. Status 1 when one does not answer."""
    from core.services.settings import models as service

    endpoints = service.model_endpoints(desk)
    if not endpoints:
        raise InputError("No endpoint is set up.", f"`{COMMAND} models presets` says how.")
    failed = False
    for endpoint in endpoints:
        try:
            endpoint_models = service.refresh_models(desk, endpoint.name)
        except RemoteError as error:
            failed = True
            print_note(f"{endpoint.name}: {error}")
            continue
        if endpoint_models.offers > len(endpoint_models.models):
            print_note(f"{endpoint.name}: {endpoint_models.offer_words}")
        for name in endpoint_models.models:
            put(service.model_profile(desk, name), args.format)
    return 1 if failed else 0


def test(desk: Desk, args: Namespace) -> int:
    """Status 1 when a model does not answer."""
    from core.services.settings import models as service

    names = args.model or [desk.settings.model]
    good = True
    for name in names:
        model_profile = service.try_out(desk, name)
        good = good and bool(model_profile.can("answers"))
        put(model_profile, args.format)
    return 0 if good else 1


def set_known(desk: Desk, args: Namespace) -> int:
    """What is not given stays as it is."""
    from core.services.settings import models as service

    if len(args.model) != 1 or (args.price is None and args.context is None):
        raise InputError("Nothing is set.", "Use: models set MODEL --price IN OUT, or --context N.")
    (name,) = args.model
    settings = desk.settings
    price = settings.prices.get(name) if args.price is None else (args.price[0], args.price[1])
    context = settings.contexts.get(name) if args.context is None else args.context
    batch_share = settings.batch_shares.get(name)
    service.set_known(desk, name, context, price, batch_share=batch_share)
    listed = service.model_profile(desk, name)
    if price:
        date = listed.price_date if listed.price == price else desk.clock()[:10]
        listed = replace(listed, price=price, price_from=service.SET, price_date=date)
    listed = replace(listed, context=context, context_from=service.SET) if context else listed
    put(listed, args.format)
    return 0


def put(profile: ModelProfile, format: str) -> None:
    if format == "jsonl":
        print_line(asdict(profile))
        return
    print(f"{profile.model}\t{length(profile)}\t{price(profile)}")
    for check in profile.checks:
        sign = {True: "yes", False: "no", None: "not known"}[check.works]
        print(f"  {check.name}: {sign}. {check.says}")
    if profile.tested:
        print(f"  tested {profile.tested}, {profile.seconds:.1f} s for a short answer")


def length(profile: ModelProfile) -> str:
    if profile.context:
        return f"{profile.context:,} tokens ({profile.context_from})"
    return f"at least {profile.at_least:,} tokens" if profile.at_least else "length unknown"


def price(profile: ModelProfile) -> str:
    if profile.price is None:
        return "price unknown"
    share = f"{profile.batch_share:.0%} of it" if profile.batch_share is not None else "unknown"
    return (
        f"${profile.price[0]:g} in, ${profile.price[1]:g} out a million ({profile.price_source}),"
        f" in a batch {share}"
    )


VERBS = (
    Verb("models", "list and test endpoints and models, set a price", models_arguments, models),
)
