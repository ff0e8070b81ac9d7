"""Words that --help lists, as the services that read them know them. They stand here too, so that
help need not wait for these services; a test holds the two equal.
"""

from __future__ import annotations

VERDICTS = ("approve", "reject", "unsure")
CONFLICT_ENDS = ("keep", "wrong", "duplicate", "different")
WAITING_ORDERS = ("likely", "uncertain")
DOCUMENT_ORDERS = ("newest", "oldest", "year", "title", "journal", "waiting", "statements")
DOCUMENT_SHOWS = ("all", "waiting", "decided", "none", "unread", "withdrawn")
PICTURES = ("svg", "png", "html")
THING_SIZES = ("statements", "evidence")
ASSERTION_KINDS = ("plain", "negated", "hypothetical", "background", "qualified")
PAPER_SET_FORMATS = ("csv", "ris", "bib")
READING_ORDERS = ("likely", "unsure", "added")
TABLE_FORMATS = ("csv", "md", "json")
