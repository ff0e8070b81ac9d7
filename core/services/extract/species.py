"""The species of genes in a run, as a curator sets it: for one mention, for equal ones, or for the
whole text.
"""

from __future__ import annotations

from core.codec import from_json, to_json
from core.desk_parts import HasProjectTerms, HasStore, HasVocabularies
from core.errors import InputError, NotFound
from core.extraction.assemble import with_mentions
from core.extraction.choice import identical_mentions
from core.extraction.mention_grounding import grounding
from core.extraction.species import mentions_in_species, names_a_species
from core.extraction.tree import Extraction
from core.grounding.recognise import species
from core.model import Json, Mention
from core.services.extract.run import schema_of

KIND = "species"


def species_choices(desk: HasVocabularies) -> dict[str, str]:
    """The species that the project's genes are of, then those that are commonly studied: id →
    scientific name.
    """
    taxa = {taxon for lexicon in desk.vocabulary_registry.all() for taxon in lexicon.taxa}
    return {taxon: _label(desk, taxon) for taxon in (*sorted(taxa, key=_order), *species.LABELS)}


def set_species(
    desk: HasProjectTerms,
    run_id: str,
    slot: str,
    curator: str,
    *,
    taxon: str,
    everywhere: bool = False,
) -> tuple[str, ...]:
    """Say of which species the gene at `slot` is; with `everywhere` equal mentions too, with slot
    "" every gene of the text. The term is selected anew; a term that a curator chose by hand stays.
    An empty `taxon` takes it back.

    Gives the slots that it was applied to. Raises InputError for words that are no species.
    """
    if not curator:
        raise InputError(
            "A species is stored with the name of the person who set it.", "Say who you are."
        )
    run, raw = desk.store.runs.get(run_id), desk.store.runs.extraction(run_id)
    if raw is None:
        raise NotFound(f"Run {run_id} has no result yet.", "Wait for its job, or resume it.")
    slots = _slots(raw, run_id, slot, everywhere)
    taxon_id, species_mentions = species.taxon_curie(taxon), _stored_choices(desk, run_id)
    if taxon_id:
        schema, text = (
            schema_of(desk, run),
            desk.store.documents.text(run.text_version, run.document).text,
        )
        mentions = mentions_in_species(
            raw,
            slots,
            text,
            taxon_id,
            curator=curator,
            grounding=grounding(schema, desk.grounder()),
        )
        species_mentions |= {slot_name: to_json(mention) for slot_name, mention in mentions.items()}
    else:
        species_mentions = {
            slot_name: mention
            for slot_name, mention in species_mentions.items()
            if slot_name not in slots
        }
    desk.store.runs.save_result(run_id, species_mentions, KIND)
    return tuple(slots)


def with_set_species(desk: HasStore, run_id: str, extraction: Extraction) -> Extraction:
    """The extraction with the mentions whose species a curator set."""
    species_mentions = _stored_choices(desk, run_id)
    return (
        with_mentions(
            extraction,
            {
                slot: from_json(Mention, mention_body)
                for slot, mention_body in species_mentions.items()
            },
        )
        if species_mentions
        else extraction
    )


def _slots(extraction: Extraction, run_id: str, slot: str, everywhere: bool) -> list[str]:
    if not slot:
        return [mention.slot for mention in extraction.mentions if names_a_species(mention)]
    mention = next((m for m in extraction.mentions if m.slot == slot), None)
    if mention is None:
        raise NotFound(f"Run {run_id} has no mention at {slot}.")
    return [m.slot for m in identical_mentions(extraction, mention)] if everywhere else [slot]


def _stored_choices(desk: HasStore, run_id: str) -> dict[str, Json]:
    return dict(desk.store.runs.result(run_id, KIND) or {})


def _label(desk: HasVocabularies, taxon: str) -> str:
    terms = (
        lexicon.term(taxon)
        for lexicon in desk.vocabulary_registry.lexicons((species.PREFIX.lower(),))
    )
    return next((term.label for term in terms if term), species.LABELS.get(taxon, taxon))


def _order(taxon: str) -> tuple[int, str]:
    """Commonly studied species first, in their order; then the others."""
    common = list(species.LABELS)
    return (common.index(taxon) if taxon in common else len(common), taxon)
