"""The kinds of question that come nearest to one that no rule knows, each as a question that can be
asked: the same subject in the words of the kind's example.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.registry import KINDS
from core.genes.question.question import GeneQuestion

MOST = 3  # kinds that are offered
# what people say instead of a kind's own words: stems of the question, and the kind they lead to
_MEANT = (
    (r"express|tissue|pathway|interact|partner|regulat|domain|structure|why", "function of a gene"),
    (r"pathway|interact|bind|cell|compartment|organelle|express|partner", "GO terms of a gene"),
    (
        r"length|long|big|size|heavy|weight|start|end|neighbou?r|near",
        "coordinates of a gene",
    ),
    (r"domain|structure|residue|amino|length|weight|heavy|size", "proteins of a gene"),
    (r"drug|treat|therap|inhibit|syndrome|patient|mutation", "diseases of a gene"),
    (r"discover|who|when|cloned|first|patent|evidence|stud(?:y|ies)", "papers on a gene"),
    (r"paralog|family|relative|conserved|evolution|species", "orthologs of a gene"),
    (r"domain|isoform|splice", "transcripts of a gene"),
    (r"splice|junction", "exons and introns of a transcript"),
    (r"cause|disease|drug|treat|severe|risk|effect", "clinical significance of a variant"),
    (r"common|rare|population|often|frequen|where|position|coordinat", "rs number of a change"),
    (r"common|rare|population|often", "allele frequency of a variant"),
    (r"change|codon|amino|protein|base|nucleotide", "HGVS names of a variant"),
    (r"damag|effect|impact|function", "consequence of a variant"),
    (r"cure|treat|common|symptom|cause|prevalen|risk", "genes of a disease"),
    (r"famil|hereditar|child|parent|risk", "inheritance of a disease"),
)
# an example's own subject, which the question's takes the place of
_SUBJECT = re.compile(
    r"\b(?:17q21\.31|BRAF V600E|TP53|BRCA1|KRT12|LMP10|rs\d+|Meesmann corneal dystrophy|zebrafish"
    r"|ENSG\d+|N[PM]_\d+\.\d)\b"
)
_ORDER = {  # where nothing in the words tells, what is asked most often
    Topic.GENE: ("function of a gene", "gene location", "diseases of a gene"),
    Topic.VARIANT: ("clinical significance of a variant", "gene of a SNP", "SNP location"),
    Topic.CHANGE: ("clinical significance of a change", "rs number of a change"),
    Topic.DISEASE: ("genes of a disease", "inheritance of a disease"),
    Topic.SEQUENCE: ("DNA to human genome", "DNA to species", "aliases of a sequence's gene"),
    Topic.ORGANISM: ("taxonomy of an organism", "lineage of an organism"),
    Topic.ACCESSION: ("protein record", "nucleotide record"),
    Topic.REGION: ("genes of a region",),
}


@dataclass(frozen=True, slots=True)
class NearKind:
    """A kind that could be asked instead, and how."""

    kind: str
    question: str


def nearest_kinds(question: GeneQuestion, topic: Topic | None) -> tuple[NearKind, ...]:
    """Up to three kinds on what the question is about, those whose words it shares first."""
    if topic is None:
        return ()
    text = question.text.casefold()
    of_topic = [kind for kind in KINDS.values() if kind.topic is topic]
    usual = _ORDER[topic]

    def rank(kind: GeneKind) -> tuple[int, int]:
        cue_count = sum(
            1 for pattern, name in _MEANT if name == kind.name and re.search(pattern, text)
        )
        shared = len(_stems(kind.name) & _stems(text))
        place = usual.index(kind.name) if kind.name in usual else len(usual)
        return -(2 * cue_count + shared), place

    ranked = sorted(of_topic, key=rank)
    good = [kind for kind in ranked if rank(kind)[0] < 0 or kind.name in usual]
    return tuple(
        NearKind(kind.name, _example_question(kind, question.subject)) for kind in good[:MOST]
    )


def _stems(text: str) -> set[str]:
    words = re.findall(r"[a-z]{4,}", text.casefold())
    return {word[:5] for word in words} - {"gene", "genes", "which", "varia", "disea"}


def _example_question(kind: GeneKind, subject: str) -> str:
    if not subject or kind.topic is Topic.SEQUENCE:
        return kind.example
    return _SUBJECT.sub(lambda match: subject, kind.example, count=1)
