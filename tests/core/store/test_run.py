from core.extraction.tree import Branch, Extraction, Leaf, LeafKind
from core.model import Mention, Outcome, Problem, Run, Span, Term
from core.store import MentionChoice, Store


def test_adding_a_run_again_gives_the_one_that_is_kept(store: Store) -> None:
    first = store.runs.add(
        Run(
            "r1", "extract", "builtin", settings={"chunk": 2000}, created="2026-11-20T12:00:00.000Z"
        )
    )
    assert store.runs.add(Run("r1", "extract", "spires")) == first
    assert store.runs.get("r1").settings == {"chunk": 2000}


def test_runs_are_listed_newest_first_by_kind(store: Store) -> None:
    for n, kind in enumerate(("extract", "ask", "extract")):
        store.runs.add(Run(f"r{n}", kind, "builtin"))
    assert [run.id for run in store.runs.find("extract")] == ["r2", "r0"]
    assert store.runs.count("ask") == 1


def test_an_extraction_comes_back_as_it_went_in(store: Store) -> None:
    leaf = Leaf("drug", "aspirin", "Drug", LeafKind.ENTITY, "aspirin", (Span(0, 7),), 1.0)
    mention = Mention(
        "aspirin", "drug", "Drug", chosen=Term("CHEBI:1", "aspirin"), outcome=Outcome.GROUNDED
    )
    whole = Extraction(
        Branch("", "Treatment", "", (("drug", (leaf,)),)), (mention,), (Problem("echo", "says"),)
    )
    assert store.runs.extraction("r1") is None
    store.runs.save_extraction("r1", whole)
    store.runs.save_extraction("r1", whole)
    assert store.runs.extraction("r1") == whole


def test_the_latest_choice_of_a_slot_wins_and_the_others_stay(store: Store) -> None:
    term = Term("CHEBI:1", "aspirin")
    store.runs.add_choice(MentionChoice("r1", "a", Outcome.GROUNDED, term, "c", "1"))
    store.runs.add_choices(
        [
            MentionChoice("r1", "a", Outcome.NO_TERM_FITS, None, "c", "2"),
            MentionChoice("r1", "b", Outcome.GROUNDED, term, "c", "2"),
        ]
    )
    assert store.runs.choices("r1")["a"].outcome == Outcome.NO_TERM_FITS
    assert store.runs.choices("r1")["b"].term == term
    assert len(store.runs.choice_history("r1")) == 3


def test_a_result_is_any_json(store: Store) -> None:
    store.runs.save_result("r1", {"answer": ["A", None, 1.5]})
    assert store.runs.result("r1") == {"answer": ["A", None, 1.5]}
    assert store.runs.result("r2") is None
