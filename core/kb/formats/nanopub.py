"""Nanopublications (https://nanopub.net/guidelines), TriG: one for each statement, with its
assertion, its provenance (quotes, papers, who approved it) and its publication info.

With an RSA key (`export --sign KEY.pem`; on the page the key that GROUNDWORK_NANOPUB_KEY names)
each is signed and named by its digest, ready to be published; without one they are neither signed
nor given trusty names.
"""

from __future__ import annotations

import base64
import hashlib
import tempfile
from collections.abc import Iterable, Iterator

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from core.curie import PREFIXES
from core.errors import InputError
from core.kb.entry import (
    ExportEntry,
    KnowledgeBase,
    document_of,
    settle_labels,
    thing_key,
    things_in,
)
from core.kb.formats.specification import ExportFormat
from core.kb.rdf import iri
from core.kb.rdf.association import (
    KNOWLEDGE_LEVEL,
    TYPED,
    VALIDATED,
    claim_facts,
    description,
    namespaces,
    other_id_facts,
    plain_triple,
    support_facts,
)
from core.kb.rdf.fact import IRI, PLAIN, Described, Fact, text_fact
from core.kb.rdf.node import (
    BIOLINK,
    DCTERMS,
    FIXED,
    GW,
    PROV,
    RDF,
    RDFS,
    XSD,
    RdfNamespace,
    approval_iri,
    curator_node,
    document_node,
    evidence_iri,
    statement_iri,
)
from core.kb.rdf.provenance import (
    approval_facts,
    evidence_facts,
    paper_description,
    person_description,
)
from core.kb.rdf.turtle_block import ShortNames, subject_blocks
from core.model import Node, Term

NP = RdfNamespace("http://www.nanopub.org/nschema#")
READ_SIZE = 1 << 20  # bytes
GRAPH_NAMES = ("head", "assertion", "provenance", "pubinfo")


def nanopub(kb: KnowledgeBase) -> bytes:
    """The whole export; the same bytes for the same content."""
    return b"".join(nanopub_stream(kb))


def nanopub_stream(kb: KnowledgeBase) -> Iterator[bytes]:
    """The export, TriG, in bounded memory: the prefixes stand first and are known last, so the body
    waits in a file.
    """
    prefixes = {"np": str(NP), "npx": str(NPX), "skos": PREFIXES["skos"]}
    names = ShortNames({**FIXED, **namespaces(kb), **prefixes})
    labels = settle_labels(kb.entries)
    key = read_key(kb.signing_key) if kb.signing_key else None
    with tempfile.TemporaryFile() as body:
        for name, entry in kb.identified():
            for written in nanopublication(name, entry, kb, labels, names=names, key=key):
                body.write(f"{written}\n".encode())
        yield f"{names.header}\n".encode()
        body.truncate(max(0, body.tell() - 1))  # graphs have an empty line between them
        body.seek(0)
        yield from iter(lambda: body.read(READ_SIZE), b"")


def nanopublication(
    name: str,
    entry: ExportEntry,
    kb: KnowledgeBase,
    labels: dict[str, Term | Node],
    *,
    names: ShortNames,
    key: RSAPrivateKey | None = None,
) -> Iterator[str]:
    """The four named graphs of one statement, whose id is `name`."""
    start = iri.local_iri(kb.base_iri, "nanopub", name if key is None else "")
    nanopub_iri, sign = (start, "/") if key is None else (start + HOLE, "#")
    graphs = {part: f"{nanopub_iri}{sign}{part}" for part in GRAPH_NAMES}
    described_parts: tuple[Iterable[Described], ...] = (
        head_graph(nanopub_iri, graphs),
        assertion_graph(name, entry, kb, labels),
        provenance_graph(graphs["assertion"], entry, kb),
        pubinfo_graph(nanopub_iri, name, entry, kb, labels=labels),
    )
    facts_by_graph = [
        (graphs[part], list(described))
        for part, described in zip(GRAPH_NAMES, described_parts, strict=True)
    ]
    for graph, described in signed(nanopub_iri, facts_by_graph, key) if key else facts_by_graph:
        blocks = "".join(subject_blocks(described, names, "    "))
        yield f"{names.iri(graph)} {{\n{blocks}}}\n"


def head_graph(nanopub_iri: str, graphs: dict[str, str]) -> Iterator[Described]:
    yield (
        nanopub_iri,
        [
            (RDF.type, NP.Nanopublication, IRI),
            (NP.hasAssertion, graphs["assertion"], IRI),
            (NP.hasProvenance, graphs["provenance"], IRI),
            (NP.hasPublicationInfo, graphs["pubinfo"], IRI),
        ],
    )


def assertion_graph(
    name: str, entry: ExportEntry, kb: KnowledgeBase, labels: dict[str, Term | Node]
) -> Iterator[Described]:
    """What is claimed: one triple where that says all of it, else an association. An unnamed thing
    says what it is.
    """
    if entry.is_plain and not kb.draft:
        yield plain_triple(entry.statement, kb)
    else:
        yield statement_iri(name, kb), claim_facts(entry.statement, kb)
    for thing in things_in(entry.statement):
        if isinstance(thing, Node):
            yield from description(
                labels[thing_key(thing, entry.statement.document)], entry.statement.document, kb
            )


def provenance_graph(claimed: str, entry: ExportEntry, kb: KnowledgeBase) -> Iterator[Described]:
    """What the assertion rests on, and who judged it."""
    facts: list[Fact] = [
        (BIOLINK.knowledge_level, KNOWLEDGE_LEVEL, PLAIN),
        (BIOLINK.agent_type, VALIDATED if entry.by_machine else TYPED, PLAIN),
        *support_facts(entry.statement.id, kb),
    ]
    for piece in entry.evidence:
        node = evidence_iri(piece, kb)
        facts.append((PROV.wasDerivedFrom, node, IRI))
        yield node, evidence_facts(piece, kb)
        if paper := document_of(piece):
            facts.append((PROV.hadPrimarySource, document_node(paper, kb), IRI))
            yield paper_description(paper, kb)
    for decision in entry.approvals:
        node = approval_iri(decision, kb)
        facts.append((PROV.wasAttributedTo, curator_node(decision.curator), IRI))
        facts.append((PROV.wasGeneratedBy, node, IRI))
        yield node, approval_facts(decision)
        yield person_description(decision.curator, kb.name_of(decision))
    yield claimed, facts


def pubinfo_graph(
    nanopub_iri: str,
    name: str,
    entry: ExportEntry,
    kb: KnowledgeBase,
    *,
    labels: dict[str, Term | Node],
) -> Iterator[Described]:
    """By whom and when the nanopublication came about, and what its terms are called."""
    statement = entry.statement
    facts: list[Fact] = [(PROV.wasDerivedFrom, statement_iri(name, kb), IRI)]
    if kb.draft:
        facts.append((GW.state, "undecided", PLAIN))
    for decision in entry.approvals:
        person = curator_node(decision.curator)
        facts.append((DCTERMS.creator, person, IRI))
        if known_name := kb.name_of(decision):
            yield person, [text_fact(RDFS.label, known_name)]
    if entry.approvals:
        facts.append((DCTERMS.created, entry.approvals[-1].time, XSD.dateTime))
    yield nanopub_iri, facts
    for thing in things_in(statement):
        if isinstance(thing, Term):
            label = labels[thing_key(thing, statement.document)].label
            names = [text_fact(RDFS.label, label)] if label else []
            names += other_id_facts(thing, kb)
            if names:
                yield iri.thing_iri(thing, statement.document, kb.base_iri, kb.prefixes), names


NANOPUB = ExportFormat(
    "nanopub",
    "Nanopublications (TriG)",
    ".nanopub.trig",
    mime="application/trig",
    chunks=nanopub_stream,
    drafts=True,
    signable=True,
)


NPX = RdfNamespace("http://purl.org/nanopub/x/")
HOLE = " "  # where the digest will stand; no IRI holds one otherwise
LEAST_BITS = 2_048
Graph = tuple[str, list[Described]]  # a named graph
Quad = tuple[str, str, str, bool, str, str]  # graph, subject, predicate, is a value, text, datatype


def read_key(pem: bytes) -> rsa.RSAPrivateKey:
    """An RSA key without a pass phrase. Raises InputError for anything else."""
    try:
        key = serialization.load_pem_private_key(pem, None)
    except (ValueError, TypeError) as error:
        raise InputError(
            "The key to sign with cannot be read.", "Give an RSA key in PEM without a pass phrase."
        ) from error
    if not isinstance(key, rsa.RSAPrivateKey) or key.key_size < LEAST_BITS:
        raise InputError(f"The key to sign with is not an RSA key of at least {LEAST_BITS} bits.")
    return key


def signed(iri: str, graphs: Iterable[Graph], key: rsa.RSAPrivateKey) -> list[Graph]:
    """The graphs of a nanopublication, named by its digest; `iri` is its IRI with the hole, and
    the last graph takes the signature.
    """
    *others, (pubinfo, about) = [
        (name, list(map(_as_rdflib_reads, descriptions))) for name, descriptions in graphs
    ]
    node = f"{iri}#sig"
    facts: list[Fact] = [
        (NPX.hasPublicKey, _public(key), PLAIN),
        (NPX.hasAlgorithm, "RSA", PLAIN),
        (NPX.hasSignatureTarget, iri, IRI),
    ]
    words = normal_form([*others, (pubinfo, [*about, (node, facts)])])
    signature = key.sign(words.encode(), padding.PKCS1v15(), hashes.SHA256())
    facts.append((NPX.hasSignature, base64.b64encode(signature).decode(), PLAIN))
    everything = [*others, (pubinfo, [*about, (node, facts)])]
    digest = hashlib.sha256(normal_form(everything).encode()).digest()
    code = "RA" + base64.urlsafe_b64encode(digest).decode().rstrip("=")
    return [
        (_filled(name, code), [_with_code(description, code) for description in descriptions])
        for name, descriptions in everything
    ]


def normal_form(graphs: Iterable[Graph]) -> str:
    """Four lines for each statement: graph, subject, predicate, object; sorted, each once."""
    quads: set[Quad] = {
        (name, subject, predicate, datatype != IRI, text, _datatype(datatype))
        for name, descriptions in graphs
        for subject, facts in descriptions
        for predicate, text, datatype in facts
    }
    return "".join(line for quad in sorted(quads) for line in _lines(quad))


def _lines(quad: Quad) -> Iterator[str]:
    graph, subject, predicate, is_value, text, datatype = quad
    yield f"{graph}\n{subject}\n{predicate}\n"
    words = text.replace("\\", "\\\\").replace("\n", "\\n")
    yield f"^{datatype} {words}\n" if is_value else f"{text}\n"


def _datatype(datatype: str) -> str:
    return XSD.string if datatype == PLAIN else "" if datatype == IRI else datatype


def _as_rdflib_reads(described: Described) -> Described:
    """Values in the form that rdflib reads them back in, so that the digest is the same there."""
    from rdflib import Literal as RdfValue
    from rdflib import URIRef

    subject, facts = described
    return subject, [
        (predicate, text, datatype)
        if datatype in (IRI, PLAIN)
        else (predicate, str(RdfValue(text, datatype=URIRef(datatype))), datatype)
        for predicate, text, datatype in facts
    ]


def _public(key: rsa.RSAPrivateKey) -> str:
    encoding, form = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    return base64.b64encode(key.public_key().public_bytes(encoding, form)).decode()


def _filled(iri: str, code: str) -> str:
    return iri.replace(HOLE, code)


def _with_code(described: Described, code: str) -> Described:
    subject, facts = described
    return _filled(subject, code), [
        (predicate, _filled(text, code) if datatype == IRI else text, datatype)
        for predicate, text, datatype in facts
    ]
