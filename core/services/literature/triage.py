"""Triage of papers: verdicts in the store, precision of each ranking, the judged set
exported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.desk_parts import HasStore
from core.errors import InputError
from core.literature.chunk import Chunk
from core.literature.query.plan import SearchOptions
from core.literature.ranking.search import SearchResults
from core.literature.triage.citation import FORMATS, Citation, known_citation
from core.literature.triage.citation_style import references
from core.literature.triage.verdict import PaperVerdict, PrecisionAtTen, precision
from core.model import Role
from core.store import RelevanceJudgement

MOST_PRESSES = 1000  # at once


@dataclass(frozen=True, slots=True)
class VerdictPress:
    """A key pressed on the page: the chunk that was on screen and the verdict on its paper that
    stood there ("": none). `number` counts the presses of one window.
    """

    number: int
    chunk: str
    verdict: str
    reason: str = ""
    seen: str = ""


def judge_paper(
    desk: HasStore,
    namespace: str,
    document: str,
    verdict: PaperVerdict | str,
    *,
    reason: str = "",
    chunk: str = "",
    question: str = "",
    curator: str = "",
) -> None:
    """Keep a verdict on a paper; later ones take its place, and none is lost. Raises NotFound for a
    namespace that is gone, Forbidden for a reader.
    """
    desk.store.curators.need(curator, Role.CURATOR)
    try:
        verdict = PaperVerdict(verdict)
    except ValueError:
        raise InputError(
            f"{str(verdict)[:30]!r} is not a verdict.", f"Use one of {', '.join(PaperVerdict)}."
        ) from None
    desk.store.namespaces.get(namespace)
    desk.store.judgements.add(
        RelevanceJudgement(
            namespace,
            document,
            verdict,
            chunk=chunk,
            reason=reason.strip()[:500],
            question=question,
            curator=curator,
        )
    )


def presses_of_page(message: object, after: int = 0) -> list[VerdictPress]:
    """The presses of a page's JSON, in order; those up to number `after` are kept already."""
    rows = (
        [row for row in message if isinstance(row, Mapping)]
        if isinstance(message, Sequence)
        else []
    )
    key_presses = [_press(row) for row in rows[:MOST_PRESSES]]
    return sorted(
        (press for press in key_presses if press.number > after), key=lambda press: press.number
    )


def _press(row: Mapping[str, object]) -> VerdictPress:
    number, words = (
        row.get("number"),
        (str(row.get(name) or "") for name in ("chunk", "verdict", "reason", "seen")),
    )
    return VerdictPress(number if isinstance(number, int) else 0, *words)


def keep_presses(
    desk: HasStore,
    namespaces: Sequence[str],
    search_results: SearchResults,
    key_presses: Iterable[VerdictPress],
    *,
    question: str,
    curator: str,
) -> list[tuple[int, str]]:
    """Keep what was pressed, in order. What was refused (number, words): a paper that was judged in
    another window since it was shown, or a chunk that is not in the list.
    """
    chunk_by_id = {result.chunk.id: result.chunk for result in search_results.results}
    refused = []
    for press in key_presses:
        chunk = chunk_by_id.get(press.chunk)
        if press.verdict == PaperVerdict.UNDONE:
            refusal = _take_back(desk, namespaces, chunk.document if chunk else "", curator)
        elif chunk is None:
            refusal = f"{press.chunk[:80]} is not in this list any more; search again."
        else:
            refusal = _take(desk, namespaces, press, chunk, question=question, curator=curator)
        if refusal:
            refused.append((press.number, refusal))
    return refused


def _take(
    desk: HasStore,
    namespaces: Sequence[str],
    press: VerdictPress,
    chunk: Chunk,
    *,
    question: str,
    curator: str,
) -> str:
    stands = paper_verdicts(desk, namespaces).get(chunk.document, "")
    if stands != press.seen:
        was = f"was judged “{stands}”" if stands else "lost its verdict"
        return f"{chunk.document} {was} since it was shown: look at it again, then judge."
    home = next(iter(desk.store.namespaces.holders(namespaces, chunk.document)), namespaces[0])
    judge_paper(
        desk,
        home,
        chunk.document,
        press.verdict,
        reason=press.reason,
        chunk=chunk.id,
        question=question,
        curator=curator,
    )
    return ""


def _take_back(desk: HasStore, namespaces: Sequence[str], document: str, curator: str) -> str:
    """What to say: nothing where the page knows what it takes back."""
    undone_document = undo_verdict(desk, namespaces, curator, document)
    if undone_document and not document:
        return f"The verdict on {undone_document} is taken back."
    return "" if undone_document else "You have no verdict to undo here."


def undo_verdict(
    desk: HasStore, namespaces: Sequence[str], curator: str, document: str = ""
) -> str:
    """Take this curator's last verdict back (the last on `document`, when named): the paper has the
    verdict that it had before. The document, or "". Raises Forbidden for a reader.
    """
    desk.store.curators.need(curator, Role.CURATOR)
    counts: Counter[tuple[str, str]] = Counter()
    for judgement in reversed(desk.store.judgements.of_namespaces(namespaces)):
        place = (judgement.namespace, judgement.document)
        if judgement.curator != curator or document not in ("", judgement.document):
            continue
        if judgement.verdict == PaperVerdict.UNDONE:
            counts[place] += 1
        elif counts[place]:
            counts[place] -= 1
        else:
            desk.store.judgements.add(
                RelevanceJudgement(*place, PaperVerdict.UNDONE, curator=curator)
            )
            return judgement.document
    return ""


def judged_papers(desk: HasStore, namespaces: Sequence[str]) -> dict[str, RelevanceJudgement]:
    """The judgement that counts for each paper of these namespaces: the last one that was not taken
    back.
    """
    history_by_document: dict[str, list[RelevanceJudgement]] = {}
    for judgement in desk.store.judgements.of_namespaces(namespaces):
        history = history_by_document.setdefault(judgement.document, [])
        if judgement.verdict != PaperVerdict.UNDONE:
            history.append(judgement)
        elif history:
            history.pop(_last_of(history, judgement.curator))
    return {document: history[-1] for document, history in history_by_document.items() if history}


def _last_of(history: Sequence[RelevanceJudgement], curator: str) -> int:
    """The place of a curator's last judgement: an undo takes one's own back, never another's."""
    return next(
        (at for at in range(len(history) - 1, -1, -1) if history[at].curator == curator), -1
    )


def paper_verdicts(desk: HasStore, namespaces: Sequence[str]) -> dict[str, str]:
    return {
        document: judgement.verdict
        for document, judgement in judged_papers(desk, namespaces).items()
    }


def options_with_marks(
    desk: HasStore, namespaces: Sequence[str], options: SearchOptions
) -> SearchOptions:
    """Search options with the papers that were marked in these namespaces, when marks count."""
    verdict_by_document = paper_verdicts(desk, namespaces) if options.marks else {}
    return replace(
        options,
        included=frozenset(d for d, v in verdict_by_document.items() if v == PaperVerdict.INCLUDE),
        excluded=frozenset(d for d, v in verdict_by_document.items() if v == PaperVerdict.EXCLUDE),
    )


def ranking_precisions(
    results_by_mode: Mapping[str, SearchResults], verdict_by_document: Mapping[str, str]
) -> dict[str, PrecisionAtTen]:
    """Precision@10 of what was judged, for each ranking by name."""
    return {
        name: precision([r.chunk.document for r in search_results.results], verdict_by_document)
        for name, search_results in results_by_mode.items()
    }


def judged_entries(desk: HasStore, namespaces: Sequence[str]) -> list[Citation]:
    """The judged papers with what is known of them, by document."""
    relevance_judgements = judged_papers(desk, namespaces)
    title_and_body = desk.store.namespaces.known_of(list(namespaces), list(relevance_judgements))
    citations = []
    for document, judgement in sorted(relevance_judgements.items()):
        title, body = title_and_body.get(document, ("", {}))
        citations.append(
            replace(
                known_citation(document, title, body),
                verdict=judgement.verdict,
                reason=judgement.reason,
                curator=judgement.curator,
                time=judgement.time,
            )
        )
    return _with_statuses(desk, citations)


def _with_statuses(desk: HasStore, citations: Sequence[Citation]) -> list[Citation]:
    """The papers with what the project knows now of them, beside what their source said."""
    notices = desk.store.document_overview.notices([entry.document for entry in citations])
    return [
        replace(entry, flags=tuple(dict.fromkeys((*_parts(said), *entry.flags))))
        if (said := notices.get(entry.document, ""))
        else entry
        for entry in citations
    ]


def _parts(status: str) -> list[str]:
    """`retracted, corrected; marked by a curator: why` in its parts."""
    return [flag.strip() for part in status.split("; ") for flag in part.split(", ")]


def known_citations(
    desk: HasStore, namespaces: Sequence[str], documents: Sequence[str]
) -> list[Citation]:
    """These papers as they are cited, in this order; those of no namespace by their id alone."""
    title_and_body = desk.store.namespaces.known_of(namespaces, documents)
    known = [known_citation(id, *title_and_body.get(id, ("", {}))) for id in documents]
    return _with_statuses(desk, known)


def reference_list(
    desk: HasStore, namespaces: Sequence[str], style: str, verdict: str = PaperVerdict.INCLUDE
) -> str:
    """The papers with a verdict as references in a citation style, one a line."""
    chosen = [entry for entry in judged_entries(desk, namespaces) if entry.verdict == verdict]
    return "".join(f"{line}\n" for line in references(chosen, style)) if chosen else ""


def export_judged(desk: HasStore, namespaces: Sequence[str], form: str) -> str:
    """The judged set as csv, ris or bib."""
    if form not in FORMATS:
        raise InputError(
            f"{form[:20]!r} is not a format for a judged set.", f"Use one of {', '.join(FORMATS)}."
        )
    return FORMATS[form](judged_entries(desk, namespaces))
