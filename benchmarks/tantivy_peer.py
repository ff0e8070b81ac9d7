"""Tantivy's CPU seconds for the chunks of `literature.py`; run by it in an environment of its own.

    PYTHON_OF_TANTIVY benchmarks/tantivy_peer.py < chunks.jsonl

Input: a line {id, title, text} for each chunk, then one with the questions; output: {build, query},
seconds of one core: for the whole index, with stems, positions and stored texts, and the median of
the questions' ten best.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time

import tantivy


def main() -> None:
    *chunks, questions = map(json.loads, sys.stdin)
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    for name in ("title", "text"):
        builder.add_text_field(name, stored=True, tokenizer_name="en_stem")
    with tempfile.TemporaryDirectory(prefix="tantivy-") as folder:
        started = time.process_time()
        index = tantivy.Index(builder.build(), folder)
        writer = index.writer(300_000_000, 1)
        for chunk in chunks:
            writer.add_document(tantivy.Document(**chunk))
        writer.commit()
        writer.wait_merging_threads()
        built = time.process_time() - started
        index.reload()
        searcher, spent = index.searcher(), []
        for question in questions:
            started = time.process_time()
            asked, _ = index.parse_query_lenient(question, ["title", "text"])
            for _, address in searcher.search(asked, 10).hits:
                searcher.doc(address)
            spent.append(time.process_time() - started)
    json.dump({"build": built, "query": statistics.median(spent)}, sys.stdout)


if __name__ == "__main__":
    main()
