"""The species of gene mentions, whatever engine found them: from the text, the run's default, or a
curator.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from core.extraction.assemble import with_mentions
from core.extraction.mention_grounding import Grounding
from core.extraction.tree import Extraction
from core.model import Mention, Outcome


def with_species(extraction: Extraction, text: str, grounding: Grounding) -> Extraction:
    """The extraction with the taxon of each mention whose candidates are of a species.

    An engine that saw a part of the text only may have met a tie that the whole of it resolves:
    such a mention is grounded again.
    """
    mentions = {
        m.slot: _of_text(m, text, grounding) for m in extraction.mentions if names_a_species(m)
    }
    return with_mentions(extraction, mentions) if mentions else extraction


def names_a_species(mention: Mention) -> bool:
    """Whether some candidate belongs to one species."""
    return any(candidate.taxon for candidate in mention.candidates)


def mentions_in_species(
    extraction: Extraction,
    slots: Collection[str],
    text: str,
    taxon: str,
    *,
    curator: str,
    grounding: Grounding,
) -> dict[str, Mention]:
    """The mentions at `slots` as they are when a curator says of which species they are."""
    of_taxon = grounding.of_species(taxon)
    chosen = [mention for mention in extraction.mentions if mention.slot in slots]
    return {
        m.slot: replace(of_taxon.ground(m, m.text, text), taxon=taxon, taxon_by=curator)
        for m in chosen
    }


def _of_text(mention: Mention, text: str, grounding: Grounding) -> Mention:
    span = mention.spans[0] if mention.spans else None
    taxon, by = grounding.grounder.species_at(text, span, grounding.constraint(mention.cls))
    best = next(
        (c for c in mention.candidates if mention.chosen and c.term.id == mention.chosen.id), None
    )
    foreign = best is not None and best.taxon not in ("", taxon)
    if (
        taxon
        and mention.chosen_by != "project"
        and (foreign or mention.outcome is Outcome.AMBIGUOUS)
    ):
        mention = grounding.ground(mention, mention.text, text)
    return replace(mention, taxon=taxon, taxon_by=by)
