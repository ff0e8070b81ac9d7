"""One IRI for one thing where the knowledge base is asked: what it says of a thing under any of its
ids stands under one of them, and a query that names another of them means that one.

    renamed(describe_export(kb), {".../mesh/D012640": ".../HP_0001250"})
    rewritten("SELECT * { ?s ?p mesh:D012640 }", aliases, prefixes)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from core.kb.rdf.fact import IRI, Described
from core.kb.rdf.node import RDFS, SKOS

Aliases = Mapping[str, str]  # IRI of a thing → the one that it stands under
# An IRI, a declared prefix or a prefixed name of SPARQL 1.1 (rules IRIREF, PrefixDecl and PNAME_LN,
# without the backslash escapes); texts and comments are passed over.
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^\'\\]|\\.|\'(?!\'\'))*\'\'\''  # a long text
    r'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|#[^\n]*'  # a text, a comment
    r"|\bprefix\s+(?P<declared>[\w.-]*):\s*<(?P<meant>[^<>\s]*)>"  # PREFIX ex: <http://…>
    r"|<(?P<iri>[^<>\s]*)>"  # <http://…>
    r"|(?<![\w?$:@.-])(?P<prefix>[A-Za-z][\w.-]*):(?P<local>\w(?:[\w.:-]*[\w:-])?)",  # ex:name
    re.DOTALL | re.IGNORECASE,
)


def renamed(described: Iterable[Described], aliases: Aliases) -> Iterator[Described]:
    """What is said, with one IRI for each thing: under the id that stands for all, without the
    labels of the others, which would repeat the rows of an answer. That ids are one thing is said
    as it was.
    """
    for subject, facts in described:
        instead = aliases.get(subject)
        if instead is not None:
            facts = [fact for fact in facts if fact[0] != RDFS.label]
        same = [fact for fact in facts if fact[0] == SKOS.exactMatch]
        others = [
            (said, aliases.get(text, text) if kind == IRI else text, kind)
            for said, text, kind in facts
            if said != SKOS.exactMatch
        ]
        yield instead or subject, others
        if same:
            yield subject, same


def rewritten(
    query: str, aliases: Aliases, prefixes: Mapping[str, str]
) -> tuple[str, frozenset[str]]:
    """The query with the IRI that stands for a thing in place of its others, wherever a query can
    name it; and the IRIs that it then names. `prefixes` are those that it may use without declaring
    them.
    """
    known = dict(prefixes)
    all_named = set[str]()

    def put(found: re.Match[str]) -> str:
        if found["meant"] is not None:
            known[found["declared"]] = found["meant"]
            return found[0]
        named = found["iri"]
        if found["local"]:
            named = known.get(found["prefix"], "") + found["local"]
        instead = aliases.get(named or "")
        if named:
            all_named.add(instead or named)
        return f"<{instead}>" if instead else found[0]

    text = _TOKEN.sub(put, query)
    return text, frozenset(all_named)
