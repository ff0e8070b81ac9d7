"""Signed nanopublications, checked with the `nanopub` package and its own reading of the rules."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from nanopub import Nanopub, NanopubConf
from nanopub.trustyuri.rdf import RdfHasher, RdfUtils
from nanopub.utils import MalformedNanopubError
from rdflib import ConjunctiveGraph, Literal, Namespace

from core.errors import InputError
from core.kb.formats.nanopub import nanopub, read_key
from tests.core.kb.formats.test_turtle import CLAIM, VARIED, kb

NPX = Namespace("http://purl.org/nanopub/x/")
AS_WRITTEN = NanopubConf(
    add_prov_generated_time=False,
    add_pubinfo_generated_time=False,
    attribute_assertion_to_profile=False,
    attribute_publication_to_profile=False,
)


def pem(key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


@pytest.fixture(scope="module")
def key():
    return rsa.generate_private_key(65537, 2048)


def read(content: bytes) -> ConjunctiveGraph:
    graph_read = ConjunctiveGraph()
    graph_read.parse(data=content, format="trig")
    return graph_read


def signed(key, *claims) -> bytes:
    return nanopub(replace(kb(*claims), signing_key=pem(key)))


@pytest.mark.parametrize("claim", VARIED, ids=range(len(VARIED)))
def test_the_nanopub_package_finds_the_name_and_the_signature_right(key, claim):
    checked = Nanopub(rdf=read(signed(key, claim)), conf=AS_WRITTEN)
    assert checked.is_valid and checked.has_valid_trusty and checked.has_valid_signature


def test_the_signature_is_of_all_but_itself(key):
    graph = read(signed(key, CLAIM))
    ((node, _, signature),) = graph.triples((None, NPX.hasSignature, None))
    graph.remove((node, NPX.hasSignature, None))
    name = next(iter(graph.objects(node, NPX.hasSignatureTarget)))
    words = RdfHasher.normalize_quads(RdfUtils.get_quads(graph), " ", f"{name}#")
    signature_bytes = base64.b64decode(str(signature))
    key.public_key().verify(signature_bytes, words.encode(), padding.PKCS1v15(), hashes.SHA256())
    with pytest.raises(InvalidSignature):
        key.public_key().verify(signature_bytes, b"else", padding.PKCS1v15(), hashes.SHA256())


def test_altered_nanopub_no_longer_matches_its_trusty_name(key):
    content = signed(key, CLAIM).decode()
    graph = read(content.replace("2026-01-02", "2026-01-03").encode())
    with pytest.raises(MalformedNanopubError, match="is not valid"):
        Nanopub(rdf=graph, conf=AS_WRITTEN).has_valid_trusty  # noqa: B018


def test_equal_content_and_key_give_equal_bytes(key):
    assert signed(key, *VARIED) == signed(key, *reversed(VARIED))


def test_the_public_key_stands_in_it(key):
    (key_literal,) = read(signed(key, CLAIM)).objects(None, NPX.hasPublicKey)
    public = serialization.load_der_public_key(base64.b64decode(str(key_literal)))
    assert isinstance(key_literal, Literal) and public == key.public_key()


@pytest.mark.parametrize(
    "content",
    [
        b"no key",
        pem(ec.generate_private_key(ec.SECP256R1())),
        pem(rsa.generate_private_key(65537, 1024)),
    ],
    ids=["text", "elliptic", "short"],
)
def test_key_that_is_not_rsa_is_refused(content):
    with pytest.raises(InputError, match="to sign with"):
        read_key(content)
