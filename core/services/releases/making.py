"""Making a release: what it would hold, what changed since the last one and why, and the release
itself, which never changes again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any

from core.codec import from_json, to_json
from core.curie import is_curie, preferred_prefix, split_curie
from core.desk_parts import HasProjectTerms, HasStore, HasTermJobs, HasVocabularies
from core.errors import Refused
from core.grounding.install.catalogue import RELEASES
from core.jobs.runner import JobContext, register_job
from core.kb.entry import (
    ExportEntry,
    KnowledgeBase,
    claim_words,
    document_of,
    settle_labels,
    terms_in,
    thing_key,
)
from core.kb.gate.gate import GateReport
from core.kb.rdf import iri
from core.kb.rdf.association import descriptions
from core.kb.rdf.sorting import gather_by_subject
from core.kb.release.difference import ReleaseDifference, release_difference
from core.kb.release.release import (
    ReleaseDescription,
    ReleaseForm,
    RetractedPaper,
    UsedVocabulary,
)
from core.model import (
    Document,
    Job,
    Json,
    Literal,
    Modality,
    State,
    Statement,
    is_withdrawn,
    json_digest,
)
from core.review.statement_state import folded_state
from core.services.graph import knowledge_base
from core.services.graph.gate_memory import GateMemory
from core.services.releases import base_iri
from core.services.releases.catalogue import (
    ReleaseContext,
    newest_release,
    release_entries,
    release_fingerprint,
)
from core.services.releases.form import checked_form, proposed_form
from core.services.releases.policy import release_policy
from core.services.releases.released_log import (
    LONGEST_QUOTE,
    WrittenLog,
    is_long,
    released_log,
    written_log,
)
from core.services.shared.document_label import documents_with_titles
from core.services.vocabularies.same_things import SameThing, same_things
from core.services.vocabularies.vocabularies import Vocabulary
from core.services.vocabularies.vocabularies import vocabulary_entries as vocabularies
from core.store import QueueFilter, StatementRecord, StoredRelease
from core.text.count import counted

JOB = "release-make"


@dataclass(frozen=True, slots=True)
class ReleasePreview:
    """What a release would be if it were made now. `form` is what to propose."""

    form: ReleaseForm
    previous: str
    base_iri: str
    statements: int
    held_back: int
    changes: ReleaseDifference
    retracted: tuple[RetractedPaper, ...]
    vocabularies: tuple[UsedVocabulary, ...]
    turned_down: int  # statements that were rejected or replaced, of the whole project
    same: tuple[SameThing, ...] = ()  # things that its statements name by more than one id


@dataclass(frozen=True, slots=True)
class _Material:
    """What a release is made of: the knowledge base with one id for each thing, and its entries as
    they were decided.
    """

    kb: KnowledgeBase
    decided: Sequence[ExportEntry]
    report: GateReport
    digests: Mapping[str, str]  # statement → digest of its entry as JSON
    previous: ReleaseDescription | None
    changes: ReleaseDifference


def preview_release(desk: HasProjectTerms, report: GateReport | None = None) -> ReleasePreview:
    """What a release would hold now, and the form to propose for it."""
    material = _material(desk, report)
    held_back = {
        rejection.statement.id for rejection in material.report.rejections if not rejection.evidence
    }
    return ReleasePreview(
        proposed_form(desk, material.kb.entries, material.previous, material.changes),
        material.previous.number if material.previous else "",
        material.kb.base_iri,
        statements=len(material.kb.entries),
        held_back=len(held_back),
        changes=material.changes,
        retracted=_retracted(material.kb),
        vocabularies=used_vocabularies(desk, material.kb.entries),
        turned_down=desk.store.queue.count(QueueFilter(states=(State.REJECTED, State.SUPERSEDED))),
        same=_same(desk, material.decided),
    )


def _same(desk: HasProjectTerms, decided: Iterable[ExportEntry]) -> tuple[SameThing, ...]:
    """The things that the statements of the release name by more than one id."""
    ids = {term.id for entry in decided for term in terms_in(entry.statement)}
    return tuple(thing for thing in same_things(desk) if len(ids.intersection(thing.ids)) > 1)


def start_release(
    desk: HasTermJobs, form: ReleaseForm, curator: str, changes: ReleaseDifference | None = None
) -> Job:
    """Make the release in the background. Raises what `checked_form` raises, and Refused where
    `changes` (by default what changed by now) are none.
    """
    previous = newest_release(desk)
    ready = checked_form(form, previous)
    base_iri.need_own_base(desk, form.base_iri, placeholder=form.placeholder_iri)
    _check_news(previous, changes or _material(desk).changes, ready)
    return desk.runner.start(JOB, {"form": to_json(ready)}, curator)


@register_job(JOB)
def _work(context: JobContext, arguments: Json) -> Json:
    context.progress(0, 2, "checking every statement")
    form: ReleaseForm = from_json(ReleaseForm, arguments["form"])
    desk: HasProjectTerms = context.context
    numbers = [release.number for release in desk.store.releases.all()]
    if form.number in numbers:  # the job was cut after its release was written
        return {"number": form.number}
    release = make_release(desk, form, context.job.curator)
    context.progress(2, 2, f"release {release.number}")
    return {"number": release.number}


def make_release(
    desk: HasProjectTerms, form: ReleaseForm, curator: str = "", report: GateReport | None = None
) -> ReleaseDescription:
    """Freeze what passes the gate now as a release. Raises InputError for a form that is not whole,
    Refused where nothing is approved, nothing changed, the number is taken, or its addresses would
    be the placeholder's and nobody confirmed that.
    """
    base_iri.need_own_base(desk, form.base_iri, placeholder=form.placeholder_iri)
    if form.base_iri:
        base_iri.say_base(desk, form.base_iri)
    material = _material(desk, report, with_rejections=form.with_rejections)
    _check_content(material.kb.entries)
    form = checked_form(form, material.previous)
    _check_news(material.previous, material.changes, form)
    with written_log(released_log(material.kb) if form.with_rejections else ()) as log:
        context = _context(desk, material.kb, log, form)
        context_digest, digests = json_digest(context), material.digests
        description = _described(desk, material, form)
        release = replace(description, digest=release_fingerprint(context_digest, digests))
        stored = StoredRelease(
            release.number, desk.clock(), curator, context=context_digest, body=to_json(release)
        )
        entries = (
            (material.digests[entry.statement.id], to_json(entry)) for entry in material.kb.entries
        )
        contents = chain([(context_digest, context)], log.contents(), entries)
        desk.store.releases.add(stored, digests, contents)
    return release


def _check_content(entries: Sequence[ExportEntry]) -> None:
    if not entries:
        raise Refused(
            "There is nothing to release.",
            "Approve statements on Review. The Export tab lists what is held back.",
        )
    if long := sorted(set(_long_quotes(entries))):
        raise Refused(
            f"{counted(len(long), 'quote has', 'quotes have')} more than {LONGEST_QUOTE:,}"
            f" characters ({', '.join(long[:5])}): a release contains quotes, never whole "
            "articles.",
            "Reject these pieces of evidence on Review, and mark the sentences that matter.",
        )


def _check_news(
    previous: ReleaseDescription | None, changes: ReleaseDifference, form: ReleaseForm
) -> None:
    same = (form.title, form.licence, form.creators, form.summary)
    if previous and changes.is_empty and same == (
        previous.title, previous.licence, previous.creators, previous.summary,
    ):  # fmt: skip
        raise Refused(f"Nothing has changed since release {previous.number}.", "Use that release.")


def _long_quotes(entries: Iterable[ExportEntry]) -> Iterator[str]:
    """The papers of quotes that are too long, one for each."""
    for entry in entries:
        for piece in entry.evidence:
            if is_long(piece):
                yield f"{document_of(piece)} in {entry.statement.id[:15]}"


def _material(
    desk: HasProjectTerms, report: GateReport | None = None, *, with_rejections: bool = True
) -> _Material:
    report = report or GateMemory().report(desk)
    kb = knowledge_base.export_base(desk, report.entries)
    renamed = {
        decision.statement: entry.statement
        for entry in kb.entries
        for decision in entry.approvals
        if decision.statement != entry.statement.id
    }
    kb = replace(kb, documents=documents_with_titles(desk, kb.documents.values()))
    digests = {
        entry.statement.id: json_digest(to_json(entry))
        for entry in sorted(kb.entries, key=lambda entry: entry.statement.id)
    }
    previous = newest_release(desk)
    before = desk.store.releases.statements(previous.number) if previous else {}
    mine = {entry.statement.id: entry for entry in kb.entries}
    differing = {name: at for name, at in before.items() if digests.get(name) != at}
    gone = [name for name in differing if name not in mine]
    changes = release_difference(
        (previous.number if previous else "", ""),
        release_entries(desk, differing),
        {name: entry for name, entry in mine.items() if before.get(name) != digests[name]},
        reasons=withdrawal_reasons(
            desk, [name for name in gone if name not in renamed], report, in_full=with_rejections
        )
        | {name: _renamed_words(renamed[name]) for name in gone if name in renamed},
        retracted=(previous.retracted if previous else (), _retracted(kb)),
    )
    return _Material(
        kb, report.entries, report, digests=digests, previous=previous, changes=changes
    )


def _renamed_words(instead: Statement) -> str:
    return f"its things have one id each now: {claim_words(instead)}, {instead.id}"


def _context(desk: HasStore, kb: KnowledgeBase, log: WrittenLog, form: ReleaseForm) -> Json:
    papers = kb.documents.keys() | log.papers
    documents = documents_with_titles(
        desk,
        (document for document in desk.store.documents.all(joined=True) if document.id in papers),
    )
    orcids = {d.curator for entry in kb.entries for d in entry.approvals} | log.curators
    orcids |= {wording.curator for wording in kb.wordings}
    names = {orcid: name for orcid, name in sorted(kb.curators.items()) if orcid in orcids}
    return to_json(
        ReleaseContext(
            kb.base_iri,
            dict(sorted(kb.prefixes.items())),
            tuple(documents[name] for name in sorted(documents)),
            curators=names,
            wordings=kb.wordings,
            schemas=kb.schemas,
            notices=dict(sorted(kb.notices.items())),
            logged=tuple(log.digests) if form.with_rejections else None,
            same=dict(sorted(kb.same.items())),
            by_reference=dict(sorted(kb.by_reference.items())),
            support=dict(sorted(kb.support.items())),
        )
    )


def _described(desk: HasProjectTerms, material: _Material, form: ReleaseForm) -> ReleaseDescription:
    kb, changes = material.kb, material.changes
    labelled = settle_labels(kb.entries)
    ends = {
        thing_key(thing, entry.statement.document)
        for entry in kb.entries
        for thing in (entry.statement.subject, entry.statement.object)
        if not isinstance(thing, Literal)
    }
    predicates = Counter(
        iri.term_iri(entry.statement.predicate.id, kb.prefixes) for entry in kb.entries
    )
    said: dict[str, Any] = {field.name: getattr(form, field.name) for field in fields(form)}
    # Where it is from and whether that leads nowhere is read from the project, not from the form.
    said |= {"base_iri": "", "placeholder_iri": base_iri.is_placeholder(kb.base_iri)}
    return ReleaseDescription(
        **said,
        dataset=kb.base_iri,
        date=desk.clock()[:10],
        previous=material.previous.number if material.previous else "",
        counts=release_counts(kb)
        | {"things": len(ends), "relations": len(predicates), "triples": triple_count(kb)},
        categories=dict(sorted(Counter(str(labelled[name].category) for name in ends).items())),
        predicates=dict(sorted(predicates.items())),
        vocabularies=used_vocabularies(desk, kb.entries),
        retracted=_retracted(kb),
        added=len(changes.added),
        withdrawn={withdrawal.id: withdrawal.why for withdrawal in changes.withdrawn},
        changed={change.id: change.why for change in changes.changed},
        policy=release_policy(desk, kb.entries, _retracted(kb)),
    )


def release_counts(kb: KnowledgeBase) -> dict[str, int]:
    """How much there is, by what a person would call it."""
    statements = [entry.statement for entry in kb.entries]
    pieces = [piece for entry in kb.entries for piece in entry.evidence]
    return {
        "statements": len(statements),
        "negated": sum(statement.negated for statement in statements),
        "hypotheses": sum(statement.modality is not Modality.ASSERTED for statement in statements),
        "pieces of evidence": len(pieces),
        "papers": len({document_of(piece) for piece in pieces} - {""}),
        "curators": len({d.curator for entry in kb.entries for d in entry.approvals}),
    }


def triple_count(kb: KnowledgeBase) -> int:
    """Triples of the Turtle, without those that describe the release itself."""
    return sum(len(facts) for _, facts in gather_by_subject(descriptions(kb)))


def _retracted(kb: KnowledgeBase) -> tuple[RetractedPaper, ...]:
    return retracted_papers(kb.entries, kb.notices, kb.documents)


def withdrawal_reasons(
    desk: HasStore, gone: Sequence[str], report: GateReport, *, in_full: bool = True
) -> dict[str, str]:
    """Why statements are no longer released: what curators decided and for what reason (`in_full`:
    also who, and with what note), or what the gate holds them for.
    """
    reasons_by_statement: dict[str, list[str]] = {}
    for rejection in report.rejections:
        if not rejection.evidence:
            detail = f" ({rejection.detail})" if rejection.detail else ""
            reasons_by_statement.setdefault(rejection.statement.id, []).append(
                f"{rejection.why}{detail}"
            )
    records = {record.id: record for record in desk.store.statements.of_ids(list(gone))}
    return {
        name: _reason(desk, records[name], reasons_by_statement.get(name, []), in_full)
        if name in records
        else "it is not in this project any more"
        for name in gone
    }


def _reason(
    desk: HasStore, record: StatementRecord, gate_reasons: Sequence[str], in_full: bool
) -> str:
    log = folded_state(record)
    decision = log.deciding
    if decision is None:
        return "its approval was taken back"
    curator = desk.store.curators.get(decision.curator)
    by_whom = f" by {curator.name if curator and curator.name else decision.curator}"
    who = by_whom if in_full else ""
    if log.state is State.REJECTED:
        why = f": {decision.reason}" if decision.reason else ""
        note = f" ({decision.note})" if decision.note and in_full else ""
        return f"rejected{who}{why}{note}"
    if log.state is State.SUPERSEDED:
        statement_records = desk.store.statements.of_ids([decision.replacement])
        instead = f": {claim_words(statement_records[0].statement)}" if statement_records else ""
        return f"corrected{who}{instead}"
    if log.state is State.UNSURE:
        return f"marked unsure{who}"
    return "; ".join(gate_reasons) or "it is held back by the gate"


# Vocabularies of relations and datatypes that are never installed as files.
_KNOWN = {
    "biolink": ("Biolink Model", "CC0 1.0"),
    "schema": ("schema.org", "CC BY-SA 3.0"),
    "skos": ("SKOS", "W3C Document License"),
    "rdfs": ("RDF Schema", "W3C Document License"),
    "owl": ("OWL 2", "W3C Document License"),
    "RO": ("Relation Ontology", "CC0 1.0"),
    "DBSNP": ("dbSNP", "public domain"),
    "NCBIGene": ("NCBI Gene", "public domain"),
    "PMID": ("PubMed", "public domain"),
}


def used_vocabularies(
    desk: HasVocabularies, entries: Iterable[ExportEntry]
) -> tuple[UsedVocabulary, ...]:
    """The vocabularies that the terms of these entries are from, by name, with how many terms."""
    ids = {term.id for entry in entries for term in terms_in(entry.statement) if is_curie(term.id)}
    counts: dict[str, int] = {}
    for curie in ids:
        prefix = preferred_prefix(split_curie(curie)[0])
        counts[prefix] = counts.get(prefix, 0) + 1
    by_prefix: dict[str, list[Vocabulary]] = {}
    for vocabulary in vocabularies(desk):
        for prefix, _ in vocabulary.prefixes:
            by_prefix.setdefault(preferred_prefix(prefix), []).append(vocabulary)
    vocabularies_used = [
        _used(prefix, counts[prefix], by_prefix.get(prefix, [])) for prefix in sorted(counts)
    ]
    return tuple(
        sorted(
            vocabularies_used, key=lambda vocabulary: (vocabulary.title.casefold(), vocabulary.name)
        )
    )


def _used(prefix: str, terms: int, candidates: list[Vocabulary]) -> UsedVocabulary:
    """The largest vocabulary of a prefix: what the ids of its terms are proven by."""
    if not candidates or prefix in _KNOWN:
        title, licence = _KNOWN.get(prefix, (prefix, ""))
        return UsedVocabulary(prefix, title, licence=licence, terms=terms)
    best = max(
        candidates,
        key=lambda vocabulary: (
            dict(vocabulary.prefixes).get(prefix, 0),
            vocabulary.terms,
            vocabulary.name,
        ),
    )
    licence = best.licence or (RELEASES[best.name].licence if best.name in RELEASES else "")
    return UsedVocabulary(
        prefix, best.title or best.name, best.version, licence=licence, terms=terms
    )


def paper_notices(desk: HasStore, papers: Iterable[str]) -> dict[str, str]:
    """Paper → what happened to it, for papers that were retracted or deleted: as their source says
    (PubMed, when the paper was read or its namespace updated), or as a curator marked them.
    """
    return desk.store.document_overview.notices(sorted(papers))


def retracted_papers(
    entries: Iterable[ExportEntry], notices: Mapping[str, str], documents: Mapping[str, Document]
) -> tuple[RetractedPaper, ...]:
    """Each retracted or deleted paper with the statements that rest on it, by id."""
    resting: dict[str, list[str]] = {}
    withdrawn = {paper for paper, notice in notices.items() if is_withdrawn(notice)}
    for entry in entries:
        for paper in {document_of(piece) for piece in entry.evidence} & withdrawn:
            resting.setdefault(paper, []).append(entry.statement.id)
    return tuple(
        RetractedPaper(
            paper,
            documents[paper].title if paper in documents else "",
            notices[paper],
            tuple(sorted(resting[paper])),
        )
        for paper in sorted(resting)
    )
