"""Which of a mention's candidates is picked, by how much it is the best, and where none is."""

from __future__ import annotations

from collections.abc import Sequence

from core.grounding.match import normalise
from core.grounding.recognise.species import HUMAN
from core.model import Candidate, MatchKind, Outcome, Term

LEAST = 0.5  # the least score that is picked without a curator
TIE = 0.004  # scores nearer than this are equal
KIN = 0.09  # how much better one of two genes of equal names must be: the species is not known
NAMESAKE = 0.05  # how much better one of two terms of one name must be, where that says nothing
SHORT_FORM = 3  # letters of a short form that may be short for anything
_WRITTEN_OUT = frozenset((MatchKind.ABBREVIATION, MatchKind.PARTIAL, MatchKind.LABEL))
NOT_WRITTEN_OUT = "a short form that the text does not write out"  # in `differed`: undecided
_CASE = "case"  # of letters, in `differed`
LONGER = "longer words: "  # how `differed` begins where more words than the mention's were read


def choose_candidate(candidates: Sequence[Candidate]) -> tuple[Term | None, Outcome]:
    """The rule that picks: the first candidate, if it is good enough, not obsolete, and no other of
    its id space is as good (then AMBIGUOUS: a curator decides). Genes of two species that bear one
    name, in whatever case of letters, are as good as each other: candidates of another species than
    the one that is known have lost most of their score.

    >>> virus = Candidate(Term("MONDO:0005709", "common cold"), MatchKind.EXACT, 0.98)
    >>> lung = Candidate(Term("MONDO:0005002", "COPD"), MatchKind.EXACT, 0.98)  # also called COLD
    >>> choose_candidate([virus])[1], choose_candidate([virus, lung])[1]
    (<Outcome.GROUNDED: 'grounded'>, <Outcome.AMBIGUOUS: 'ambiguous'>)
    """
    usable = _usable(candidates)
    if usable and NOT_WRITTEN_OUT in usable[0].differed:
        return None, Outcome.AMBIGUOUS
    if not usable or usable[0].score < LEAST:
        return None, Outcome.UNGROUNDED
    if tied_candidates(usable):
        return None, Outcome.AMBIGUOUS
    return usable[0].term, Outcome.GROUNDED


def tied_candidates(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Those that fit equally well, in their order: at least two, or none where the first is the
    best. Between terms of two id spaces the order of preference has decided; what a curator of the
    project chose before has no rival.

    >>> mouse = Candidate(Term("NCBIGene:22059", "Trp53"), MatchKind.LABEL, 1.0)
    >>> human = Candidate(Term("NCBIGene:7157", "TP53"), MatchKind.LABEL, 1.0)
    >>> tied_candidates([mouse, human]) == (mouse, human), tied_candidates([mouse])
    (True, ())
    """
    usable = _usable(candidates)
    if not usable or usable[0].match is MatchKind.PROJECT:
        return ()
    best = usable[0]
    rivals = [candidate for candidate in usable[1:] if _rival(best, candidate)]
    return (best, *rivals) if rivals else ()


def score_margin(candidates: Sequence[Candidate]) -> float:
    """How much better the first candidate is than the second, 0 to 1: 0 where several fit equally
    well, 1 where it is alone, 0 where there is none.

    >>> asthma = Candidate(Term("MONDO:0004979", "asthma"), MatchKind.LABEL, 1.0)
    >>> allergic = Candidate(Term("MONDO:0004784", "allergic asthma"), MatchKind.PARTIAL, 0.6)
    >>> score_margin([asthma, allergic]), score_margin([asthma]), score_margin([])
    (0.4, 1.0, 0.0)
    """
    usable = _usable(candidates)
    if len(usable) < 2:
        return float(len(usable))
    if tied_candidates(usable):
        return 0.0
    return round(max(0.0, usable[0].score - usable[1].score), 4)


def _usable(candidates: Sequence[Candidate]) -> list[Candidate]:
    return [
        candidate
        for candidate in candidates
        if not candidate.obsolete
        and candidate.term.id
        and not candidate.differed.startswith(LONGER)
    ]


def _rival(best: Candidate, rival: Candidate) -> bool:
    if abs(best.score - rival.score) < TIE and _space(rival) == _space(best):
        return True
    if best.score - rival.score < NAMESAKE and _namesake(best, rival):
        return True
    return best.score - rival.score < KIN and _kin(best, rival)


def _namesake(best: Candidate, rival: Candidate) -> bool:
    """Whether two terms of one vocabulary bear one short form that the text does not write out:
    what tells their scores apart says nothing of the meaning.
    """
    if best.match in _WRITTEN_OUT or _space(best) != _space(rival):
        return False
    short = len(best.surface) <= SHORT_FORM and best.surface.isupper()
    return short and _bare(best.surface) == _bare(rival.surface)


def _bare(surface: str) -> str:
    return "".join(filter(str.isalnum, surface))


def _kin(candidate: Candidate, rival: Candidate) -> bool:
    """Whether two genes of two species were met by one name. A symbol that is written as one of
    them has it, and the other has not, tells them apart: GSK3B is human, Gsk3b a mouse's.
    """
    if candidate.match is MatchKind.LABEL and rival.match is not MatchKind.LABEL:
        return False
    if _CASE in rival.differed and _CASE not in candidate.differed:
        return False  # "IL-3" is IL3, and no Il3
    if candidate.taxon == HUMAN and candidate.surface.isupper() and _CASE not in candidate.differed:
        return False  # the nomenclature writes human symbols in capitals, a rodent's small
    apart = candidate.taxon and rival.taxon and candidate.taxon != rival.taxon
    return bool(apart) and normalise.name_key(candidate.surface) == normalise.name_key(
        rival.surface
    )


def _space(candidate: Candidate) -> str:
    return candidate.term.id.partition(":")[0]
