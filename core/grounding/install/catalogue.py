"""Where vocabularies come from by name: the starters of the app, and the authorities' own releases.

Addresses are constants of this file; nothing else is ever fetched. Redirects may lead to `HOSTS`
only.
"""

from __future__ import annotations

from core.errors import BadAnswer, NotFound
from core.web import Fetch, Fetcher

HOSTS = (
    "purl.obolibrary.org",
    "github.com",
    "raw.githubusercontent.com",
    "objects.githubusercontent.com",
    "release-assets.githubusercontent.com",
    "current.geneontology.org",
    "ftp.ebi.ac.uk",
)
LARGEST = 600_000_000  # bytes
_OBO = "https://purl.obolibrary.org/obo/"
REMOTE: dict[str, str] = {
    "bto": f"{_OBO}bto.obo",
    "chebi": f"{_OBO}chebi/chebi_lite.obo",
    "cl": f"{_OBO}cl/cl-basic.obo",
    "doid": f"{_OBO}doid.obo",
    "emapa": f"{_OBO}emapa.obo",
    "envo": f"{_OBO}envo.obo",
    "foodon": f"{_OBO}foodon.owl",
    "go": f"{_OBO}go/go-basic.obo",
    "hp": f"{_OBO}hp.obo",
    "maxo": f"{_OBO}maxo.obo",
    "mondo": f"{_OBO}mondo.obo",
    "mp": f"{_OBO}mp.obo",
    "ncbitaxon": f"{_OBO}ncbitaxon/subsets/taxslim.obo",
    "ncit": f"{_OBO}ncit.obo",
    "pato": f"{_OBO}pato.obo",
    "ro": f"{_OBO}ro.obo",
    "so": f"{_OBO}so.obo",
    "uberon": f"{_OBO}uberon/basic.obo",
    "uo": f"{_OBO}uo.obo",
}


def download(fetcher: Fetcher, name: str) -> tuple[str, str]:
    """The text of a vocabulary's current release, and its file name. Raises NotFound and the
    RemoteError tree.
    """
    address = REMOTE.get(name)
    if address is None:
        raise NotFound(
            f"No vocabulary {name!r} can be downloaded.", f"There are: {', '.join(REMOTE)}."
        )
    found = fetcher.fetch(
        Fetch(address, kind="ontology", path=f"vocabulary/{name}", max_bytes=LARGEST, timeout=600.0)
    )
    if found.cut or not found.text.strip():
        raise BadAnswer(f"The download of {name} was cut short.", "Try again later.")
    return found.text, f"{name}.{address.rsplit('.', 1)[-1]}"
