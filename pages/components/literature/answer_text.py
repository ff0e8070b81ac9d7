"""An answer as HTML in its template, all escaped: citations by number, quotes with what became of
their check.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from core.services.literature.answer import (
    AnswerLine,
    AnswerVerdict,
    SoundSentence,
    StoredAnswer,
    verdict_words,
)
from core.services.literature.search_page import PROOFS, AnswerTemplate, CheckedQuote

STYLE = """<style>
.gw-answer{max-width:90ch;line-height:1.7;overflow-wrap:anywhere}
.gw-answer p,.gw-answer ul{margin:.2rem 0 .6rem}
.gw-answer li{margin:.15rem 0}
.gw-answer h4{font-size:.95rem;margin:.8rem 0 .1rem;padding:0}
.gw-answer p,.gw-answer li,.gw-answer table{font-size:1rem;font-weight:400;line-height:1.65}
.gw-answer table{border-collapse:collapse;width:100%;margin:.3rem 0 .6rem}
.gw-answer td:nth-child(2){white-space:nowrap}
.gw-answer th,.gw-answer td{border:1px solid color-mix(in srgb,currentColor 20%,transparent);
  padding:.3rem .6rem;text-align:left;vertical-align:top}
.gw-answer .gw-cite{font-size:.85em;opacity:.8;white-space:nowrap}
.gw-answer a.gw-cite{color:inherit;text-decoration:underline;cursor:pointer}
.gw-proof{border-bottom:2px solid currentColor}
.gw-proof-normalised{border-bottom-style:dashed}
.gw-proof-not-found{border-bottom-style:dotted;
  background:color-mix(in srgb,#C44E00 18%,transparent)}
.gw-verdict{font-weight:600}
.gw-verdict-mixed,.gw-verdict-unclear{font-weight:500}
.gw-lacks{font-size:.85em;background:color-mix(in srgb,#C44E00 18%,transparent);
  border-radius:.3rem;padding:0 .3em;margin:0 .2em}
.gw-badge{font-size:.75em;white-space:nowrap;border:1px solid currentColor;border-radius:.3rem;
  padding:0 .3em;margin:0 .2em;opacity:.85}
</style>"""
SAID_AS = {
    "aim": "an aim, not a finding",
    "hypothesis": "supposed, not found",
    "background": "said before the study",
    "unclear": "only possible",
}
UNKNOWN = "I don’t know."
ONLY_MENTIONS = "No sentence found says what {} is; these only mention it:"
PROBABLY = "Probably an answer, found without a model; read it in its passage before you use it:"
NEAREST = "I don’t know. These sentences are the nearest, not an answer:"


def answer_html(stored_answer: StoredAnswer) -> str:
    """The whole answer; one part a paper where each paper was asked alone."""
    parts = [_verdict(stored_answer, verdict)] if (verdict := stored_answer.verdict) else []
    titles = {
        chunk.document: chunk.marked_title or chunk.document for chunk in stored_answer.chunks
    }
    if stored_answer.left_out:
        gone = escape(", ".join(stored_answer.left_out))
        parts.append(f"<p>Not read, because retracted or deleted: {gone}.</p>")
    for answer in stored_answer.answers:
        if answer.document:
            parts.append(
                f"<h4>{escape(titles.get(answer.document, ''))} · {escape(answer.document)}</h4>"
            )
        if answer.only_mentions:
            parts.append(f"<p>{ONLY_MENTIONS.format(escape(answer.only_mentions))}</p>")
        elif answer.unknown:
            parts.append(f"<p>{NEAREST if answer.sentences else UNKNOWN}</p>")
        elif answer.probable:
            parts.append(f"<p>{PROBABLY}</p>")
        if answer.sentences:
            sound = stored_answer.sound_sentences(answer)
            parts.append(_body(stored_answer, stored_answer.lines(answer), sound))
    return f'{STYLE}<div class="gw-answer">{"".join(parts)}</div>'


def _verdict(stored_answer: StoredAnswer, verdict: AnswerVerdict) -> str:
    """Yes or no, with the counts of papers, and the sentence by which each says so."""
    numbers = {chunk.id: number for number, chunk in enumerate(stored_answer.chunks, start=1)}
    sentences = "".join(
        f"<li>{escape(str(one.answer).capitalize())}: “{escape(one.text)}” [{numbers[one.chunk]}]"
        "</li>"
        for one in verdict.deciding
    )
    papers = f"<details><summary>By these sentences</summary><ul>{sentences}</ul></details>"
    words = escape(verdict_words(verdict))
    kind = f"gw-verdict gw-verdict-{verdict.answer}"
    return f'<p class="{kind}">{words}</p>{papers if sentences else ""}'


def _body(
    stored_answer: StoredAnswer, lines: list[AnswerLine], sound: Sequence[SoundSentence]
) -> str:
    if stored_answer.template is AnswerTemplate.TABLE:
        head = "<tr><th>Finding</th><th>Paper</th><th>Quote</th></tr>"
        rows = (_row(stored_answer, *pair) for pair in zip(lines, sound, strict=True))
        return f"<table>{head}{''.join(rows)}</table>"
    sentences = [
        f"{_words(line)} {_cites(stored_answer, line)}{_status(line)}{_marks(one)}"
        for line, one in zip(lines, sound, strict=True)
    ]
    if stored_answer.template is AnswerTemplate.BULLETS:
        return f"<ul>{''.join(f'<li>{sentence}</li>' for sentence in sentences)}</ul>"
    return f"<p>{' '.join(sentences)}</p>"


def _status(line: AnswerLine) -> str:
    """What happened to the papers that a sentence cites."""
    marks = (f' <span class="gw-badge">⚠ {escape(status)}</span>' for status in line.statuses)
    return "".join(marks)


def _marks(one: SoundSentence) -> str:
    """What the sentence is other than a finding, and the clauses of it that no quote carries."""
    said_as = SAID_AS.get(str(one.stance), "")
    marks = f' <span class="gw-badge">{said_as}</span>' if said_as else ""
    support = one.support
    lacks = [f"no quote carries: “{clause}”" for clause in support.not_carried]
    lacks += [f"not supported: {support.reason}"] if support.reason else []
    return marks + "".join(f' <span class="gw-lacks">{escape(words)}</span>' for words in lacks)


def _row(stored_answer: StoredAnswer, line: AnswerLine, one: SoundSentence) -> str:
    quotes = "<br>".join(_proof(quote) for quote in line.quotes)
    papers = "<br>".join(map(escape, [*line.papers, *line.statuses]))
    return (
        f"<tr><td>{escape(line.words)}{_marks(one)}</td><td>{papers}"
        f" {_cites(stored_answer, line)}</td><td>{quotes}</td></tr>"
    )


def _words(line: AnswerLine) -> str:
    """The sentence with its quotes marked where they stand in it, and after it where they do
    not.
    """
    parts, after, at = [], [], 0
    for quote in line.quotes:
        if quote.words.split() == line.words.split():  # the whole sentence is the quote
            after.append(_badge(quote))
            continue
        place = line.words.find(quote.words, at)
        if place < 0:
            after.append(_proof(quote))
            continue
        parts += [escape(line.words[at:place]), _proof(quote)]
        at = place + len(quote.words)
    return "".join([*parts, escape(line.words[at:]), *after])


def _proof(quote: CheckedQuote) -> str:
    kind = f"gw-proof gw-proof-{str(quote.proof).replace(' ', '-')}"
    return (
        f'<span class="{kind}"'
        f' title="{escape(quote.chunk)}">{escape(quote.words)}</span>{_badge(quote)}'
    )


def _badge(quote: CheckedQuote) -> str:
    return f'<span class="gw-badge">{PROOFS[quote.proof]}</span>'


def _cites(stored_answer: StoredAnswer, line: AnswerLine) -> str:
    """The numbers of the chunks that are cited, their ids on hover; a click on one shows the chunk
    in the list with the quoted words highlighted (triage.js).
    """
    if not line.cites:
        return '<span class="gw-cite">[no passage]</span>'
    quoted = {quote.chunk: quote.words for quote in line.quotes}
    links = []
    for number in line.cites:
        id = escape(stored_answer.chunks[number - 1].id, quote=True)
        words = escape(quoted.get(stored_answer.chunks[number - 1].id, ""), quote=True)
        links.append(
            f'<a class="gw-cite" href="#passage" title="{id}" data-passage="{id}"'
            f' data-words="{words}">{number}</a>'
        )
    return f'<span class="gw-cite">[{", ".join(links)}]</span>'
