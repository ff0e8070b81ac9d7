"""What a prompt says besides the schema and the text: words that a project adds, and
statements that curators approved in other texts. Data, as the text is: the form of the answer stays
the schema's.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD = "Examples from other texts, which curators approved:"
NOTE = "Please note:"
ABOUT = "About this paper:"


@dataclass(frozen=True, slots=True)
class ApprovedExample:
    """An approved statement as a prompt shows it: the words of a text, and what they state."""

    statement: str
    document: str
    quote: str
    states: str

    @property
    def line(self) -> str:
        return f"“{self.quote}” states: {self.states}"


@dataclass(frozen=True, slots=True)
class Guidance:
    """`note` stands in every prompt, `examples` in the first of a text only; `version` is the
    note's. `status` is what happened to the paper that the text is of, as every prompt says.
    """

    note: str = ""
    version: int = 0
    examples: tuple[ApprovedExample, ...] = ()
    status: str = ""

    @property
    def everywhere(self) -> str:
        """The words of every prompt; "" for none."""
        about = f"{ABOUT} {self.status}.\n\n" if self.status else ""
        return about + (f"{NOTE}\n{self.note}\n\n" if self.note else "")

    @property
    def first(self) -> str:
        """The words of the first prompt of a text; "" for none."""
        if not self.examples:
            return self.everywhere
        lines = "\n".join(example.line for example in self.examples)
        return f"{self.everywhere}{HEAD}\n{lines}\n\n"


PLAIN = Guidance()
