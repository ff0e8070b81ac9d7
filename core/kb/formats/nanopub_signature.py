"""Signatures and trusty names of nanopublications (https://trustyuri.net/spec, module RA;
https://nanopub.net/guidelines): the name of a nanopublication holds the digest of all that it says,
and an RSA key signs that.

Until the digest is known its place in every IRI is a space, as the specification asks.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from core.errors import InputError
from core.kb.rdf.fact import IRI, PLAIN, Described, Fact
from core.kb.rdf.node import XSD, RdfNamespace

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
