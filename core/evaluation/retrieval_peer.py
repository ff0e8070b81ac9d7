"""Other people's ranking beside ours: on the same passages, in the same run, where it is installed.

A peer has one frozen setting, its package's own default with English stems, so that figures of
different days compare. It is never needed: what is not installed is named and left out.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from core.literature.chunk import Chunk

PeerSearch = Callable[[str, int], Sequence[str]]  # question, chunks → documents, the best first


@dataclass(frozen=True, slots=True)
class RetrievalPeer:
    """A package that ranks. `settings` says how it is run; `build_search` indexes chunks."""

    name: str
    settings: str
    build_search: Callable[[Sequence[Chunk]], PeerSearch]

    def is_installed(self) -> bool:
        return find_spec(self.name) is not None


def _bm25s_search(chunks: Sequence[Chunk]) -> PeerSearch:
    bm25s, stem = import_module("bm25s"), import_module("Stemmer").Stemmer("english")

    def tokens(texts: list[str]) -> list[list[str]]:
        read = bm25s.tokenize(
            texts, stopwords="en", stemmer=stem, return_ids=False, show_progress=False
        )
        return [list(words) for words in read]

    model = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    model.index(tokens([f"{chunk.title} {chunk.text}" for chunk in chunks]), show_progress=False)
    documents = [chunk.document for chunk in chunks]

    def search(question: str, k: int) -> list[str]:
        ranked_ids, scores = model.retrieve(
            tokens([question]), k=min(k, len(documents)), show_progress=False
        )
        pairs = zip(ranked_ids[0], scores[0], strict=True)
        return [documents[place] for place, score in pairs if score > 0]

    return search


def _tantivy_search(chunks: Sequence[Chunk]) -> PeerSearch:
    tantivy = import_module("tantivy")
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("document", stored=True, tokenizer_name="raw")
    for name in ("title", "text"):
        builder.add_text_field(name, tokenizer_name="en_stem")
    folder = tempfile.TemporaryDirectory(prefix="tantivy-")
    index = tantivy.Index(builder.build(), folder.name)
    writer = index.writer(num_threads=1)
    for chunk in chunks:
        fields = {"document": chunk.document, "title": chunk.title, "text": chunk.text}
        writer.add_document(tantivy.Document(**fields))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(question: str, k: int, folder: object = folder) -> list[str]:  # which is kept alive
        query, _ = index.parse_query_lenient(question, ["title", "text"])
        hits = searcher.search(query, k).hits
        return [searcher.doc(address)["document"][0] for _, address in hits]

    return search


PEERS = (
    RetrievalPeer(
        "bm25s", "Lucene's BM25, k1 1.5, b .75, English stop words and stems", _bm25s_search
    ),
    RetrievalPeer(
        "tantivy", "BM25 over title and text, English stems, the question as typed", _tantivy_search
    ),
)


def installed_peers() -> list[RetrievalPeer]:
    return [peer for peer in PEERS if peer.is_installed()]


def peer_notes() -> str:
    """How each peer was run, or how to have it beside."""
    lines = [
        f"{peer.name}: {peer.settings}."
        if peer.is_installed()
        else f"{peer.name} is not installed, so its line is missing: pip install {peer.name}"
        for peer in PEERS
    ]
    return "\n".join(lines)
