"""What a record says, in words: an entry of NCBI's links is told as a link, since the value that
stands there is only a number.
"""

from __future__ import annotations

from core.model import Literal, RecordGround, Statement, Thing

LINKS_OF_JSON, LINKS_OF_XML = "/linksets/", "LinkSetDb/"  # where an answer of elink holds links
ASKED_FOR = "/ids/"  # where it repeats the records whose links were asked for


def record_words(ground: RecordGround, *ends: tuple[str, str]) -> str:
    """An entry of a link set in words, else the text of the field, whole. `ends` are the id and the
    label of the things that a statement joins.

    >>> link = RecordGround("c1", "NCBIGene:672", "/linksets/0/linksetdbs/0/links/0", "604370")
    >>> record_words(link, ("NCBIGene:672", "BRCA1"), ("OMIM:604370", "breast-ovarian cancer"))
    'NCBI links OMIM:604370 (breast-ovarian cancer) to NCBIGene:672'
    """
    if not ground.pointer.startswith((LINKS_OF_JSON, LINKS_OF_XML)):
        return ground.value
    if ASKED_FOR in ground.pointer:
        return f"NCBI was asked what it links to {ground.record}"
    others = [end for end in ends if any(end) and end[0] != ground.record]
    far_id, label = others[-1] if others else ("", "what was asked about")
    linked = f"{far_id} ({label})" if far_id and label not in ("", far_id) else label or far_id
    return f"NCBI links {linked} to {ground.record}"


def statement_ends(statement: Statement) -> tuple[tuple[str, str], tuple[str, str]]:
    """Id and label of the subject and of the object."""
    return _named(statement.subject), _named(statement.object)


def _named(thing: Thing) -> tuple[str, str]:
    return ("", thing.value) if isinstance(thing, Literal) else (thing.id, thing.label)
