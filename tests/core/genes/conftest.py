"""The fakes and the stand-in of NCBI's own tests serve gene questions too."""

from tests.core.ncbi.conftest import fake, served, stand_in

__all__ = ["fake", "served", "stand_in"]
