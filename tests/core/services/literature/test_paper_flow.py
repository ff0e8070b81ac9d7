"""The flow of papers through a review counts every record of a file."""

from __future__ import annotations

from core.desk import open_desk
from core.documents.paper import Paper
from core.services.literature import namespaces, screening
from core.settings import Settings


def test_a_record_without_title_and_abstract_was_found_and_removed(tmp_path):
    desk = open_desk(Settings(project=tmp_path / "p"))
    namespaces.create_namespace(desk, "n")
    papers = [Paper("PMID:1", "A title about willow bark"), Paper("PMID:2")]
    namespaces.add_papers(desk, "n", papers, source="scopus.ris")
    flow = screening.paper_flow(desk, ["n"])
    assert (flow.identified, flow.wordless, flow.duplicates, flow.papers) == (2, 1, 0, 1)
