"""The export formats of OWL: one file each, and a line here."""

from core.kb.owl.formats.owl import OWL
from core.kb.owl.formats.owl_functional import OWL_FUNCTIONAL
from core.kb.owl.formats.owl_rdf_xml import OWL_RDF_XML

FORMATS = (OWL, OWL_FUNCTIONAL, OWL_RDF_XML)
