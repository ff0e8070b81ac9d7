"""The fakes and the stand-in of NCBI's own tests serve gene questions too."""

from tests.core.ncbi.conftest import answering, fake, served, stand_in

__all__ = ["answering", "fake", "served", "stand_in"]
