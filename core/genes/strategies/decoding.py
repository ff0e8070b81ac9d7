"""The way *decoding*: GeneGPT's inference (Jin et al. 2024, Algorithm 1), for reproduction.

The prompt holds an instruction, two documentations (Dc.1 E-utilities, Dc.2 BLAST) and four
demonstrations (Dm.1 alias, Dm.2 SNP, Dm.3 disease, Dm.4 alignment), each switched by one bit of a
mask. The model writes an address and stops at "->"; the call it means is made, its result appended,
and so on until it writes none. Deviation: the address is parsed into a typed call and never fetched
as written; a result is projected records, not the first 10,000 bytes; an address that is no call
gives an error as result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.errors import (
    GroundworkError,
    InputError,
    NotFound,
    OverBudget,
    Refused,
    RemoteError,
    Stopped,
)
from core.genes.answer import AnswerStatus, GeneAnswer
from core.genes.kinds.registry import KINDS
from core.genes.session import NcbiSession, OnStep
from core.genes.strategies.strategy import Strategy, StrategyInput
from core.genes.strategies.toolbox import (
    call_of_address,
    last_address,
    result_text,
    tool_of_address,
)
from core.genes.verification.answer_verification import asked_in, cut_off, verify_conclusion
from core.llm.completer import Completer, Message, Request
from core.ncbi.call import Alignment
from core.ncbi.client import Ncbi
from core.ncbi.example import SEQUENCE

MASKS = {"full": "111111", "slim": "001001"}
HOPS = "Let's decompose the question to sub-questions and solve them step by step."
MAX_CALLS = 10
REPEATS = 3  # the same address again: recorded models do it once or twice and then answer
EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
BLAST = "https://blast.ncbi.nlm.nih.gov/blast/Blast.cgi"

INSTRUCTION = (
    "Hello. Your task is to use NCBI's web services to answer genomic questions. Write the address"
    " of a call in square brackets followed by an arrow, and its result will be put after the"
    " arrow.\n"
)
DC_EUTILS = f"""You can call E-utilities:
{EUTILS}/[esearch|efetch|esummary].fcgi?db=[gene|snp|omim]&retmax=[number]&[term|id]=[words or ids].
esearch takes search words and gives ids; efetch and esummary take ids and give records.
Use db gene for genes, snp for SNPs, omim for diseases.
"""
BLAST_QUERY = (
    "PROGRAM=blastn&MEGABLAST=on&DATABASE=nt&FORMAT_TYPE=[XML|Text]"
    "&QUERY=[sequence]&HITLIST_SIZE=[number]"
)
DC_BLAST = f"""For DNA sequences you can call BLAST: {BLAST}?CMD=[Put|Get]&{BLAST_QUERY}.
Put takes a sequence and gives a request id (RID); Get takes the RID and gives the hits.
"""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A question, the addresses called for it, and its answer."""

    question: str
    addresses: tuple[str, ...]
    answer: str


DEMONSTRATIONS = (
    Demonstration(
        "What is the official gene symbol of LMP10?",
        (
            f"{EUTILS}/esearch.fcgi?db=gene&retmax=5&retmode=json&sort=relevance&term=LMP10",
            f"{EUTILS}/efetch.fcgi?db=gene&retmax=5&retmode=json&id=5699,8138",
        ),
        "PSMB10",
    ),
    Demonstration(
        "Which gene is SNP rs1217074595 associated with?",
        (f"{EUTILS}/esummary.fcgi?db=snp&retmax=10&retmode=json&id=1217074595",),
        "LINC01270",
    ),
    Demonstration(
        "What are genes related to Meesmann corneal dystrophy?",
        (
            f"{EUTILS}/esearch.fcgi?db=omim&retmax=20&retmode=json&sort=relevance&term=Meesmann+corneal+dystrophy",
            f"{EUTILS}/esummary.fcgi?db=omim&retmax=20&retmode=json&id=122100,618767,300778,601687,148043",
        ),
        "KRT12, KRT3",
    ),
    Demonstration(
        f"Align the DNA sequence to the human genome:{SEQUENCE}",
        (
            f"{BLAST}?CMD=Put&PROGRAM=blastn&MEGABLAST=on&DATABASE=nt&FORMAT_TYPE=XML&QUERY={SEQUENCE}&HITLIST_SIZE=5",
            f"{BLAST}?CMD=Get&FORMAT_TYPE=Text&RID=EXAMPLE0016",
        ),
        "chr15:91950805-91950932",
    ),
)
ALIGNMENT_RESULTS = (
    '{"rid": "EXAMPLE0016"}',
    (
        '{"count": 1, "records": [{"record": "RefSeq:NC_000015.10", "accession": "NC_000015.10",'
        ' "organism": "Homo sapiens", "chromosome": "15", "assembly": "GRCh38", "location":'
        ' "NC_000015.10:91950805-91950932(+)"}]}'
    ),
)  # typed by us


def mask_of(name: str) -> str:
    """Six bits of `full`, `slim` or bits. Raises InputError."""
    mask = MASKS.get(name, name)
    if not re.fullmatch(r"[01]{6}", mask):
        raise InputError(
            f"{name[:20]!r} is not a mask.",
            "Give full, slim, or six bits for Dc.1–2 and Dm.1–4, such as 101110.",
        )
    return mask


def prompt_header(mask: str, recorded: Ncbi, live: Ncbi | None = None) -> str:
    """Everything before the question. Demonstrations run on `recorded` (our typed records), or
    live.
    """
    bits = [bit == "1" for bit in mask_of(mask)]
    parts = [INSTRUCTION]
    parts += [text for included, text in zip(bits, (DC_EUTILS, DC_BLAST), strict=False) if included]
    chosen = [
        example for included, example in zip(bits[2:], DEMONSTRATIONS, strict=True) if included
    ]
    if chosen:
        parts.append("Here are some examples:\n")
    return "".join(parts) + "".join(worked_example(example, live or recorded) for example in chosen)


def worked_example(example: Demonstration, ncbi: Ncbi) -> str:
    """One worked example: each address with its result, then the answer."""
    lines = [f"Question: {example.question}\n"]
    for number, address in enumerate(example.addresses):
        if "Blast.cgi" in address:
            result = ALIGNMENT_RESULTS[number]
        else:
            result = result_text(
                ncbi.ask(call_of_address(address), f"demonstration[{number}]").reading
            )
        lines.append(f"[{address}]->[{result}]\n")
    return "".join(lines) + f"Answer: {example.answer}\n\n"


def answer(  # noqa: PLR0917
    ncbi: Ncbi, completer: Completer, text: str, head: str, watch: OnStep = lambda step: None
) -> GeneAnswer:
    """Algorithm 1 for one question."""
    question = asked_in(text)
    session = NcbiSession(ncbi, question, origin="model", watch=watch)
    spec = KINDS.get(question.kind)
    hops = spec is not None and spec.hops and HOPS not in question.text
    prompt = f"{head}Question: {question.text}{' ' + HOPS if hops else ''}\n"
    try:
        return _decode(session, completer, prompt)
    except (RemoteError, Refused) as error:
        session.note(str(error))
        return session.answer(AnswerStatus.FAILED)


def _decode(session: NcbiSession, completer: Completer, prompt: str) -> GeneAnswer:
    previous_address, repeats = "", 0
    for number in range(MAX_CALLS + 1):
        session.ncbi.check()
        reply = completer.complete(
            Request(
                (Message("user", prompt),), stop=("->", "\n\nQuestion"), path=f"decode[{number}]"
            )
        )
        written = reply.text
        if not (address := last_address(written, cut_short=not reply.whole)):
            return _concluded(session, written) if reply.whole else cut_off(session, reply)
        session.part = sub_question(written) or session.part
        repeats = repeats + 1 if address == previous_address else 0
        if repeats >= REPEATS:
            return session.no_conclusion("The model asked for the same address again and again.")
        previous_address = address
        step = written[: written.rfind(address) + len(address)]
        prompt = f"{prompt}{step}]->[{_result(session, address)}]\n"
    return session.no_conclusion(f"The model had no answer after {MAX_CALLS} calls.")


def sub_question(written: str) -> str:
    """The last sub-question that the model set itself."""
    sub_questions = re.findall(r"Sub-question \d+:\s*(.{1,200})", written)
    return str(sub_questions[-1]).strip() if sub_questions else ""


def _result(session: NcbiSession, address: str) -> str:
    """What stands after the arrow: projected records, or what was wrong; their own arrows are
    softened.
    """
    try:
        call = call_of_address(address)
        reading = (
            session.report(call, "Decoded.").reading
            if isinstance(call, Alignment)
            else session.ask(call, "Decoded.").reading
        )
        return result_text(reading).replace("]->[", "] -> [")
    except (Stopped, OverBudget, NotFound):
        raise
    except GroundworkError as error:
        if not isinstance(error, RemoteError):
            session.refused(tool_of_address(address), address, str(error))
        return f"error: {error}"


def _concluded(session: NcbiSession, written: str) -> GeneAnswer:
    """Deviation: the paper stops at a blank line and takes the text; here the text after `Answer:`
    is taken.
    """
    text = written.split("\n\nQuestion")[0].strip()
    return verify_conclusion(session, text)


def _answer(strategy_input: StrategyInput) -> GeneAnswer:
    if strategy_input.completer is None or strategy_input.examples is None:
        raise TypeError("decoding needs a model and the shipped examples")
    head = prompt_header(
        strategy_input.mask,
        strategy_input.examples,
        strategy_input.ncbi if strategy_input.live else None,
    )
    strategy_input.ncbi.calls = 0  # the demonstrations are not the question's
    return answer(
        strategy_input.ncbi,
        strategy_input.completer,
        strategy_input.question,
        head=head,
        watch=strategy_input.watch,
    )


STRATEGY = Strategy(
    "decoding",
    "Decoding: GeneGPT's own algorithm, for reproduction",
    needs_model=True,
    answer=_answer,
    masked=True,
)
