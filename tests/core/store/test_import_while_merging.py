"""One process brings records in, another makes papers one at the same time: nothing is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from core.identity.judge import Identity
from core.model import Document
from core.store import Store

ROOT = Path(__file__).parents[3]
PAPERS = 24
IMPORT = """
import sys
from core.model import Document, TextVersion
from core.store import Member, Store
store = Store(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for n in range(int(sys.argv[2])):
    names = (f"PMID:{2 * n + 2}", f"DOI:10.1000/late.{n}")
    text = TextVersion(f"sha{n}", names[0], f"Title {n}\\nText {n}.", "abstract")
    body = {"year": "2019", "journal": f"J{n}"}
    store.namespaces.add_members("n", [Member(Document(names[0], f"Title {n}", names), text, body)])
"""


def test_an_import_while_another_process_merges(tmp_path) -> None:
    url = f"sqlite:///{tmp_path / 'p.db'}"
    store = Store(url)
    store.namespaces.add("n")
    store.documents.add_many([Document(f"PMID:{n + 1}", f"Paper {n}") for n in range(2 * PAPERS)])
    command = [sys.executable, "-c", IMPORT, url, str(PAPERS)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdin and other.stdout
        assert other.stdout.readline() == "ready\n"
        other.stdin.write("go\n")
        other.stdin.flush()
        for n in range(PAPERS):
            store.identity.say(f"PMID:{2 * n + 1}", f"PMID:{2 * n + 2}", Identity.SAME, "me")
    assert other.returncode == 0
    stands = {document.id for document in store.documents.all()}
    assert len(stands) == PAPERS
    members = {member.document.id: member for member in store.namespaces.members("n")}
    assert members.keys() == stands
    for n in range(PAPERS):
        owner = store.documents.get(f"DOI:10.1000/late.{n}").id
        assert owner == store.documents.get(f"PMID:{2 * n + 1}").id
        said = [record.body.get("journal") for record in store.identity.records(owner)]
        assert f"J{n}" in said and len(said) == 3
        assert members[owner].body["journal"] == f"J{n}"
