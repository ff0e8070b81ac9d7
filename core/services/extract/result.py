"""A finished extraction as a use case: look at it, choose terms, send statements to review.

Starting one is in `run`, its options are in `run_options`. The extraction is stored as the engine
left it, and the curator's choices are laid over it whenever it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.desk_parts import HasProject, HasProjectJobs, HasProjectTerms, HasStore
from core.errors import GroundworkError, InputError, NotFound
from core.extraction.choice import identical_mentions, with_choices
from core.extraction.mention_grounding import grounding
from core.extraction.statements import Proposed, extracted_statements, incomplete_triples
from core.extraction.text_section import TextSection, part_of, with_sections
from core.extraction.tree import Extraction
from core.grounding.choice import LEAST
from core.grounding.match import normalise
from core.model import (
    Call,
    Document,
    Evidence,
    Job,
    Json,
    Mention,
    Outcome,
    Problem,
    Role,
    Run,
    Severity,
    Span,
    Statement,
    Support,
    Term,
    TextVersion,
)
from core.schema.definition import Schema
from core.services.documents.text_reading import LOOK, UNSEEN, text_reading
from core.services.extract.readiness import untyped_terms, why_held
from core.services.extract.run import (
    schema_of,
)
from core.services.extract.species import with_set_species
from core.services.support.evidence_support import (
    EvidenceJudge,
    judge_statements,
    things_of,
)
from core.services.support.shown_support import best_support
from core.services.vocabularies.remote import answered_terms
from core.store.run import MentionChoice

NONE_FITS = "no term fits"  # the reason that is stored with each refusal


@dataclass(frozen=True, slots=True)
class ExtractionView:
    """A run as it is now: the curator's choices are in the mentions, and the statements follow from
    them.
    """

    run: Run
    schema: Schema
    document: Document
    text: TextVersion
    extraction: Extraction
    statements: tuple[Proposed, ...]
    problems: tuple[Problem, ...]
    calls: tuple[Call, ...]
    usage: Json = None
    part: TextSection | None = None  # what of the text was read; None: all of it
    support: Mapping[str, Support] = field(default_factory=dict)  # by the evidence that was asked
    paper_status: str = ""  # what happened to the paper that was read; "" for nothing

    @property
    def read(self) -> Span:
        """What of the text was read."""
        return self.part.span if self.part else Span(0, len(self.text.text))

    def support_of(self, evidence: Sequence[Evidence]) -> Support | None:
        """Whether a statement's evidence says it; None where nobody could be asked."""
        return best_support(self.support, evidence)

    def grounding_of(self, statement: Statement) -> float | None:
        """How surely the two ends are the things that the text means, 0 to 1: the score of the less
        sure one. None where an end has no term, or nobody chose it by a name.
        """
        scores = [self._scores.get(end.id) for end in statement_terms(statement)]
        known = [score for score in scores if score is not None]
        return min(known) if known and len(known) == len(scores) else None

    @property
    def _scores(self) -> dict[str, float]:
        """The best score by which a mention of the text was given each id."""
        best: dict[str, float] = {}
        for mention in self.extraction.mentions:
            if mention.chosen and mention.chosen.id:
                of_it = (c.score for c in mention.candidates if c.term.id == mention.chosen.id)
                score = max(of_it, default=1.0)
                best[mention.chosen.id] = max(best.get(mention.chosen.id, 0.0), score)
        return best

    @property
    def failed(self) -> bool:
        """Whether a part of the work did not come about."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)


def statement_terms(statement: Statement) -> list[Term]:
    """The ends of a statement that are terms: what can be another thing than is meant."""
    return [end for end in (statement.subject, statement.object) if isinstance(end, Term)]


@dataclass(frozen=True, slots=True)
class SendResult:
    """What sending did: ids of statements that are new or were known, and those held back, each
    with the reason.
    """

    new: tuple[str, ...] = ()
    already_known: tuple[str, ...] = ()
    held_back: tuple[tuple[Statement, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TermChoiceResult:
    """What choosing did: the slots it was applied to, and what is to be said about the term."""

    slots: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    term: Term | None = None


# ------------------------------------------------------------------ looking


def has_result(desk: HasStore, run: str) -> bool:
    """Whether a run has a result to look at."""
    return desk.store.runs.extraction(run) is not None


def is_of_pasted_answer(desk: HasStore, run: str) -> bool:
    """Whether a curator pastes the model's answer into this run."""
    return desk.store.runs.get(run).model == "pasted"


def calls_of(desk: HasStore, run: str) -> list[Call]:
    """The calls of a run so far, in order."""
    return desk.store.calls.of_run(run)


def result_of_run(desk: HasProject, run_id: str) -> ExtractionView:
    """A finished run with the choices made so far. Raises NotFound before it has a result."""
    store = desk.store
    run = store.runs.get(run_id)
    raw: Extraction | None = store.runs.extraction(run_id)
    if raw is None:
        raise NotFound(f"Run {run_id} has no result yet.", "Wait for its job, or resume it.")
    raw = with_set_species(desk, run_id, raw)
    schema, document = schema_of(desk, run), store.documents.get(run.document)
    text = store.documents.text(run.text_version, run.document)
    extraction = with_choices(raw, store.runs.choices(run_id))
    claims = extracted_statements(
        schema, extraction, document.id, text, run=run.id, engine=run.engine
    )
    part = part_of(run.settings.get("part"))
    claims = with_sections(claims, part) if part else claims
    errors = (problem for problem in schema.problems if problem.severity is Severity.ERROR)
    problems = (
        *errors, *extraction.problems, *incomplete_triples(schema, extraction),
        *unseen_reading(desk, run_id),
    )  # fmt: skip
    calls = tuple(store.calls.of_run(run_id))
    return ExtractionView(
        run,
        schema,
        document,
        text=text,
        extraction=extraction,
        statements=tuple(claims),
        problems=problems,
        calls=calls,
        usage=store.calls.usage(run_id),
        part=part,
        support=_support(desk, claims, extraction, text),
        paper_status=store.document_overview.notices([document.id]).get(document.id, ""),
    )


def unseen_reading(desk: HasStore, run_id: str) -> list[Problem]:
    """What nobody has looked at yet of how the source of a run's text was read."""
    sha = desk.store.runs.get(run_id).text_version
    reading = text_reading(desk, sha)
    if reading is None or not reading.is_blocking:
        return []
    return [Problem(UNSEEN, warning, Severity.WARNING, hint=LOOK) for warning in reading.warnings]


def _support(
    desk: HasStore, claims: Sequence[Proposed], extraction: Extraction, text: TextVersion
) -> dict[str, Support]:
    """What the judges say of each piece of evidence of a draft."""
    asker = EvidenceJudge(desk, things_of(extraction))
    return {
        piece.id: verdict
        for statement, evidence in claims
        for piece in evidence
        if (verdict := asker.support_of(statement, piece, text.text))
    }


# ------------------------------------------------------------------ choosing


def choose_term(
    desk: HasProjectTerms,
    run_id: str,
    slot: str,
    curator: str,
    *,
    term_id: str = "",
    outcome: Outcome | None = None,
    everywhere: bool = False,
    remember: bool = True,
) -> TermChoiceResult:
    """Choose a term for a mention by its id, or say that no term fits; `everywhere`: for all
    mentions of these words.

    A typed id is proven first: it exists, its prefix fits, it is of the branch. The choice is
    remembered, if asked: as a project synonym, or that the words mean none of the terms that were
    offered (a term that a later vocabulary brings may fit). Raises InputError where the id cannot
    stand there.
    """
    run_view = result_of_run(desk, run_id)
    mention = next((m for m in run_view.extraction.mentions if m.slot == slot), None)
    if mention is None:
        raise NotFound(f"Run {run_id} has no mention at {slot}.")
    term, problems = (
        (None, ())
        if outcome is Outcome.NO_TERM_FITS
        else proven_term(desk, run_view.schema, mention, term_id)
    )
    same = identical_mentions(run_view.extraction, mention) if everywhere else [mention]
    chosen_outcome = Outcome.NO_TERM_FITS if term is None else Outcome.GROUNDED
    time = desk.clock()
    desk.store.runs.add_choices(
        [
            MentionChoice(run_id, m.slot, chosen_outcome, term=term, curator=curator, time=time)
            for m in same
        ]
    )
    if remember:
        _remember(desk, mention, term, curator)
    return TermChoiceResult(tuple(m.slot for m in same), problems, term)


def proven_term(
    desk: HasProjectTerms, schema: Schema, mention: Mention, term_id: str
) -> tuple[Term, tuple[Problem, ...]]:
    """The term of an id, with what is to be said against it. Raises InputError where it cannot
    stand in this slot.
    """
    curie = term_id.strip()
    proposed = next((c for c in mention.candidates if c.term.id == curie), None)
    if proposed is not None:
        return proposed.term, ()
    constraint = grounding(schema, desk.grounder()).constraint(mention.cls)
    candidate, problems = desk.grounder().check(curie, constraint)
    if (
        candidate is None
        and constraint.allows(curie)
        and (remote_answer := answered_terms(desk).get(curie))
    ):
        message = f"{curie} is known from {remote_answer.vocabulary or 'a service'} alone."
        hint = "Install the vocabulary, so that its place in the hierarchy can be checked."
        return replace(remote_answer.term, category=mention.category), (
            Problem("remote-term", message, hint=hint),
        )
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    if candidate is None or errors:
        message_of_check = (
            " ".join(p.message for p in errors or problems)
            or f"{curie or 'Nothing'} is in no installed vocabulary."
        )
        raise InputError(
            message_of_check, "Type another id, choose a candidate, or say that no term fits."
        )
    return candidate.term, problems


def _refused_terms(mention: Mention) -> tuple[Term, ...]:
    """What a curator who says that no term fits refuses: the terms that the words could be linked
    to by themselves in another text. Those that only resemble the words are never taken without a
    curator.
    """
    return tuple(
        candidate.term
        for candidate in mention.candidates
        if candidate.term.id and candidate.score >= LEAST and not candidate.obsolete
    )


def _remember(desk: HasStore, mention: Mention, term: Term | None, curator: str) -> None:
    normal = normalise.name_key(mention.text)
    if term is not None:
        desk.store.synonyms.add(mention.text, normal, term, curator)
        return
    for refused in _refused_terms(mention):
        desk.store.link_rules.add(
            mention.text, normal, refused, curator, category=mention.category, reason=NONE_FITS
        )


# ------------------------------------------------------------------ sending


def send_to_review(
    desk: HasProject,
    run_id: str,
    curator: str,
    *,
    only: Collection[str] | None = None,
    include_ungrounded: bool = False,
    looked: bool = False,
) -> SendResult:
    """Propose statements to review: all, or those of the ids `only`. What has no term, or a term
    of an unknown kind, or no words that state it, is held back and named, unless it is asked for.
    `looked`: the curator looked at how the source of the text was read. Raises InputError where
    somebody must look first.
    """
    if curator:
        desk.store.curators.need(curator, Role.CURATOR)
    run_view = result_of_run(desk, run_id)
    if unseen := [problem for problem in run_view.problems if problem.code == UNSEEN]:
        if not looked:
            raise InputError(unseen[0].message, unseen[0].hint)
        desk.store.text_readings.look_at([run_view.text.sha], curator)
    going: list[Proposed] = []
    held_back: list[tuple[Statement, str]] = []
    untyped = untyped_terms(run_view.schema, run_view.extraction)
    for statement, evidence in run_view.statements:
        if only is not None and statement.id not in only:
            continue
        said = run_view.support_of(evidence)
        if (why := why_held(statement, untyped, evidence, said)) and not include_ungrounded:
            held_back.append((statement, why))
        else:
            going.append((statement, evidence))
    proposal = desk.store.statements.propose(going, run_id, curator)
    ids = (*proposal.new, *proposal.strengthened)
    judge_statements(desk, ids, things_of(run_view.extraction))
    return SendResult(tuple(proposal.new), tuple(proposal.already_known), tuple(held_back))


def wait_for_job(desk: HasProjectJobs, job: Job) -> ExtractionView:
    """Wait for a job and give what it made. Raises GroundworkError with what went wrong."""
    ended = desk.runner.wait(job.id)
    if not ended.result:
        raise GroundworkError(ended.error or f"The extraction is {ended.state}.")
    return result_of_run(desk, ended.result["run"])


STEP = re.compile(r"([A-Za-z_]\w*)(?:\[(\d+)\])?(?:\+\d+)?")
CHUNK = re.compile(r"chunk\[(\d+)\]((?:\.\d+)*)(?:/|$)")


def place_words(path: str) -> str:
    """Counted from 1, for people; what is no place of a tree stays as it is."""
    chunk = CHUNK.match(path)
    words = []
    if chunk:
        numbers = [chunk[1], *filter(None, chunk[2].split("."))]
        words.append("part " + "-".join(str(int(number) + 1) for number in numbers))
    path_in_chunk = path[chunk.end() :] if chunk else path
    for step in path_in_chunk.split(".") if path_in_chunk else []:
        step_match = STEP.fullmatch(step)
        if step_match is None:
            return path
        number = f" {int(step_match[2]) + 1}" if step_match[2] else ""
        words.append(step_match[1].replace("_", " ") + number)
    return ", ".join(words)


def problems_in_words(problems: Iterable[Problem]) -> list[Problem]:
    """Problems with their places in words."""
    return [replace(problem, where=place_words(problem.where)) for problem in problems]
