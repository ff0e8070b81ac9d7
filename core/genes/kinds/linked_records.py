"""What NCBI links to a gene: the diseases of OMIM and the papers of PubMed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.genes.answer import AnswerStatus, AnswerValue, GeneAnswer, RecordProof, StatementEnd
from core.genes.kinds.gene_record import answer_with_values, the_gene
from core.genes.kinds.kind import GeneKind, Topic
from core.genes.kinds.paper_years import PaperYears, years_of
from core.genes.kinds.phenotype import disease_words
from core.genes.kinds.resolution import gene_thing
from core.genes.kinds.search_pages import summaries_of
from core.genes.session import NcbiSession
from core.genes.verification.evidence_rules import records_of_database, subject_records
from core.ncbi.call import Link, NcbiDatabase
from core.ncbi.omim import OmimEntryType
from core.ncbi.record import NcbiRecord
from core.text.phrases import phrases

MOST_PAPERS = 200  # papers that are listed of one gene
MOST_DATED = 1_000  # papers whose dates are read for those of some years


def value_of(
    gene: NcbiRecord,
    record: NcbiRecord,
    link: tuple[str, str],
    call: str,
    *,
    years: PaperYears | None = None,
) -> AnswerValue:
    """A linked record as a value; `link` is the stored answer and the pointer of the link. A paper
    of certain years rests on its date too.
    """
    stored, place = link
    number = record.id.partition(":")[2]
    title = str(record.get("title") or record.id)
    raw = record.raw.get("title") or title
    title_proof = RecordProof(call, record.id, record.pointers.get("title", ""), raw)
    own = RecordProof(stored, gene.id, "/linksets/0/ids/0", gene.id.partition(":")[2])
    ends = (gene_thing(gene), StatementEnd(title, record.id))
    subject, target = ends[::-1] if record.db == "pubmed" else ends  # a paper mentions a gene
    date = (years.proof(record, call),) if years else ()
    return AnswerValue(
        f"{title} ({record.id})",
        record.id,
        place,
        raw=number,
        call=stored,
        subject=subject,
        object=target,
        proofs=(title_proof,),
        ties=(own, *date),
    )


def linked(
    session: NcbiSession, db: NcbiDatabase, record_title: str, most: int = MOST_PAPERS
) -> GeneAnswer:
    """Two calls for the gene, one for the links, one for the summaries of what is linked (one for
    each 200 of them, at most `most`).
    """
    resolved = the_gene(session)
    if isinstance(resolved, GeneAnswer):
        return resolved
    gene = resolved.gene
    uid, symbol = gene.id.partition(":")[2], gene.get("symbol")
    links = session.ask(
        Link(NcbiDatabase.GENE, db, (uid,)), f"The {record_title} linked to {symbol}."
    )
    ids = links.reading.ids[:most]
    if not ids:
        return session.not_found(f"NCBI links no {record_title} to {symbol}.")
    if len(links.reading.ids) > len(ids):
        session.lack(f"{len(ids)} of {len(links.reading.ids)} {record_title} listed")
    years = years_of(session.question.text) if db is NcbiDatabase.PUBMED else None
    values = [
        value_of(gene, record, (links.stored, links.reading.places.get(_pair(gene, record), "")),
                 answer.stored, years=years)
        for record, answer in summaries_of(session, db, ids, f"What these {record_title} are.")
        if _is_answer(record, years)
    ]  # fmt: skip
    none = f"is from {years.period}" if years else "is a disease"
    return answer_with_values(session, values, f"None of the {len(ids)} linked entries {none}.")


def _pair(gene: NcbiRecord, record: NcbiRecord) -> str:
    return f"{gene.id.partition(':')[2]}>{record.id.partition(':')[2]}"


def _is_answer(record: NcbiRecord, years: PaperYears | None = None) -> bool:
    """Papers are, of the years that are asked for; of OMIM's entries only diseases are, never the
    entry of the gene itself.
    """
    if years is not None:
        return years.include(record)
    kinds = (OmimEntryType.PHENOTYPE, OmimEntryType.GENE_AND_PHENOTYPE)
    return record.db != "omim" or record.get("kind") in kinds


def _rule(db: str, session: NcbiSession) -> Iterator[AnswerValue]:
    years = years_of(session.question.text) if db == "pubmed" else None
    for gene, _ in subject_records(session):
        for record, step in records_of_database(session, db):
            for source in session.steps:
                place = source.places.get(_pair(gene, record))
                gene_to = source.arguments.get("dbfrom") == "gene"
                if place and source.tool == "elink" and gene_to and _is_answer(record, years):
                    yield value_of(gene, record, (source.call, place), step.call, years=years)


def diseases(session: NcbiSession) -> GeneAnswer:
    """The diseases linked to a gene; of a yes-or-no question those that are the one it names."""
    answer = linked(session, NcbiDatabase.OMIM, "diseases")
    name = session.question.claim
    if not name or not answer.values:
        return answer
    fitting = tuple(
        value
        for value in answer.values
        if disease_words(name) and disease_words(name) <= disease_words(value.object.label)
    )
    if fitting:
        titles = "; ".join(dict.fromkeys(value.object.label for value in fitting))
        return session.answer(AnswerStatus.ANSWERED, f"Yes ({titles})", fitting)
    return session.not_found(
        f"NCBI links {len(answer.values)} entries to {session.question.subject}; none is called"
        f" {name}. That does not show that the two are unrelated."
    )


def papers(session: NcbiSession) -> GeneAnswer:
    """All papers, or those of the years that are asked for: PubMed's dates are read of more."""
    most = MOST_DATED if years_of(session.question.text) else MOST_PAPERS
    return linked(session, NcbiDatabase.PUBMED, "papers", most)


def disease_rule(session: NcbiSession) -> Iterator[AnswerValue]:
    return _rule("omim", session)


def paper_rule(session: NcbiSession) -> Iterator[AnswerValue]:
    return _rule("pubmed", session)


DISEASES = GeneKind(
    "diseases of a gene",
    Topic.GENE,
    "Which diseases are associated with the gene KRT12?",
    plan=diseases,
    claim="DiseaseClaim",
    needs=("gene", "omim"),
    rule=disease_rule,
    words=(
        r"\b(?:which|what|list|all|every|name|find|show)(?: \w+){0,3} (?:diseases?|disorders?"
        r"|syndromes?|phenotypes?|conditions?|illness\w*)\b(?! (?:genes?|loci)\b)"
        r"|^(?:the )?(?:diseases|disorders|phenotypes|conditions) (?:for|in|with) [A-Z][\w-]+$"
        r"|\b(?:diseases?|disorders?|phenotypes?|conditions?) (?:of|caused by|due to|linked to"
        r"|(?:associated|linked) with|from mutations in)\b"
        r"|\bOMIM phenotypes?\b|\bphenotypes?(?: in)? OMIM\b"
        r"|(?<=[\w-]) (?:diseases|disorders)$"
    ),
    listed=True,
)
# What chooses among the papers on a gene: no link says it
SOME_PAPERS = phrases(
    {
        r"(?:latest|newest|most recent|recent|oldest|earliest|first|last|most cited|reviews?)\b": (
            "the latest papers"
        ),
        r"(?:from|since|between|until|before|after|(?:published )?in)"
        r" (?:[12]\d{3}\b.*|(?:the )?(?:last|past|this)\b.*)$": "papers since 2019",
        r"by [A-Z][\w'’-]+.*$": "papers by Miller",
    },
    after="",
    flags=re.NOFLAG,
)
PAPERS = GeneKind(
    "papers on a gene",
    Topic.GENE,
    "Which papers are about the gene KRT12?",
    plan=papers,
    claim="PaperClaim",
    needs=("gene", "pubmed"),
    rule=paper_rule,
    words=(  # never the paper that a name was read in (`I have CD95 in a 1998 paper`)
        r"\b(?<!in a )(?<!from a )(?:papers?|publications?|articles?|literature|pubmed|pmids?"
        r"|references?|citations?|reviews?(?! (?:status|stars?))|(?:which|what) studies)\b"
        r"(?<!\d{4} paper)(?<!\d{4} article)(?<!\d{4} publication)"
    ),
    listed=True,
)
