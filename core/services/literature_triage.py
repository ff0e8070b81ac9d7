"""Triage of papers: verdicts kept in the store, precision of each ranking, the judged set exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.desk import Desk
from core.errors import InputError, StaleVersion
from core.literature.citation import Entry, bibtex, csv_text, ris
from core.literature.search import Found, Options
from core.literature.triage import Precision, Verdict, latest, precision
from core.store import Judgement

FORMATS = {"csv": csv_text, "ris": ris, "bib": bibtex}


def judge(
    desk: Desk,
    namespace: str,
    document: str,
    verdict: Verdict | str,
    *,
    reason: str = "",
    chunk: str = "",
    question: str = "",
    curator: str = "",
    seen: str | None = None,
) -> None:
    """Keep a verdict on a paper; later ones take its place, and none is lost. `seen` is `stand` of the paper when it
    was shown: raises StaleVersion when it was judged since."""
    try:
        verdict = Verdict(verdict)
    except ValueError:
        raise InputError(f"{str(verdict)[:30]!r} is no verdict.", f"Use one of {', '.join(Verdict)}.") from None
    if seen is not None and seen != stand(desk, [namespace], document):
        raise StaleVersion(f"{document} was judged since it was shown.", "Look again.")
    desk.store.add_judgement(Judgement(namespace, document, verdict, chunk, reason.strip()[:500], question, curator))


def undo(desk: Desk, namespace: str, curator: str) -> str:
    """Take this curator's last verdict back: the paper has the verdict that it had before. The document, or ""."""
    made = desk.store.judgements(namespace)
    taken: dict[str, int] = {}
    for one in reversed([one for one in made if one.curator == curator]):
        if one.verdict == Verdict.UNDONE:
            taken[one.document] = taken.get(one.document, 0) + 1
        elif taken.get(one.document):
            taken[one.document] -= 1
        else:
            desk.store.add_judgement(Judgement(namespace, one.document, Verdict.UNDONE, curator=curator))
            return one.document
    return ""


def judged(desk: Desk, namespaces: Sequence[str]) -> dict[str, Judgement]:
    """The judgement that counts for each paper of these namespaces."""
    kept: dict[str, list[Judgement]] = {}
    for name in namespaces:
        for one in desk.store.judgements(name):
            history = kept.setdefault(one.document, [])
            if one.verdict != Verdict.UNDONE:
                history.append(one)
            elif history:
                history.pop()
    return {document: history[-1] for document, history in kept.items() if history}


def stand(desk: Desk, namespaces: Sequence[str], document: str) -> str:
    """What changes whenever a paper is judged, or a judgement of it is taken back."""
    made = (one for name in namespaces for one in desk.store.judgements(name) if one.document == document)
    return " ".join(f"{one.time}{one.verdict}" for one in made)


def verdicts(desk: Desk, namespaces: Sequence[str]) -> dict[str, str]:
    found = judged(desk, namespaces)
    return latest((document, one.verdict) for document, one in found.items())


def options(desk: Desk, namespaces: Sequence[str], marks: bool, **more: object) -> Options:
    """Search options with the curator's own marks, when they are to count."""
    given = verdicts(desk, namespaces) if marks else {}
    return Options(
        marks=marks,
        included=frozenset(d for d, v in given.items() if v == Verdict.INCLUDE),
        excluded=frozenset(d for d, v in given.items() if v == Verdict.EXCLUDE),
        **more,  # type: ignore[arg-type]
    )


def precisions(found: Mapping[str, Found], given: Mapping[str, str]) -> dict[str, Precision]:
    """Precision@10 of what was judged, for each ranking by name."""
    return {name: precision([r.chunk.document for r in one.results], given) for name, one in found.items()}


def entries(desk: Desk, namespaces: Sequence[str]) -> list[Entry]:
    """The judged papers with what is known of them, by document."""
    found = judged(desk, namespaces)
    known = desk.store.known_of(list(namespaces), list(found))
    made = []
    for document, one in sorted(found.items()):
        title, body = known.get(document, ("", {}))
        made.append(
            Entry(
                document,
                title,
                str(body.get("year", "")),
                str(body.get("journal", "")),
                tuple(body.get("authors", ())),
                str(body.get("doi", "")),
                one.verdict,
                one.reason,
                one.curator,
                one.time,
                tuple(body.get("flags", ())),
            )
        )
    return made


def export(desk: Desk, namespaces: Sequence[str], form: str) -> str:
    """The judged set as csv, ris or bib."""
    if form not in FORMATS:
        raise InputError(f"{form[:20]!r} is no format of a judged set.", f"Use one of {', '.join(FORMATS)}.")
    return FORMATS[form](entries(desk, namespaces))
