"""The lines of a PDF page with their size and place, by PDFium: spaces come from the gaps between
glyphs, and superscripts from their height, so that 10^6 is not 106.
"""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from threading import Lock
from typing import Any

from core.text.script import LOWERED, RAISED, marks_written_out

GLYPHS_SAMPLED = 200  # glyphs of a page that tell which way its lines run
LOCK = Lock()  # PDFium may be used by one thread at a time
LONGEST_FONT = 200  # bytes of a font's name
_CELL = 1.0  # of the line's height: a wider gap parts cells; blanks of justified lines are narrower
_BOLD = re.compile("bold|black|heavy|demi", re.IGNORECASE)  # in the name of a font
UNREADABLE = "\ufffd"
_SHIFT = 0.12  # of the line's height: a glyph that stands higher or lower is on another level
_SMALL = 0.88  # of the line's height: scripts are smaller than the words they stand at
_NO_LARGER, _BESIDE = 1.02, 0.15  # of the line's height: a raised letter of full size, and its gap
# Numbers of references after a word or a full stop: "as shown before12,13". Units are short (cm2).
_REFERENCE = re.compile(r"\d{1,3}(?:\s*[,;–‐-]\s*\d{1,3})*,?")
_CITING = re.compile(r"(?:[a-z]{4,}|[A-Z][a-z]{3}|[.,;:)\]”])\s?$")
_SEVERAL = re.compile(r"\d{1,3}(?:\s*[,;–‐]\s*\d{1,3})+")  # after any word: "oil34–36"
Place = Callable[[float, float], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class PlacedWords:
    """Words and where they stand, as shares (0–1) of the width of the page."""

    text: str
    left: float
    right: float


@dataclass(slots=True)
class PageLine:
    """A line of a page. Places are shares (0–1) of the page, from its top and left; `size` is the
    height of its letters in points, `font` the name of the font of most, "" where none is told.
    `parts` are words that wide gaps part, such as cells of a table; () for a line without a gap.
    """

    text: str
    size: float
    top: float
    left: float
    right: float
    bold: bool = False
    font: str = ""
    parts: tuple[PlacedWords, ...] = ()

    @property
    def placed(self) -> tuple[PlacedWords, ...]:
        """Its parts, or all of it as one."""
        return self.parts or (PlacedWords(self.text, self.left, self.right),)


@dataclass(slots=True)
class _Glyph:
    index: int  # on the page
    letter: str
    size: float
    base: float
    left: float
    right: float
    bold: bool
    apart: bool  # a blank stands before it


@dataclass(slots=True)
class _Run:
    """Glyphs on one line while it grows; levels are 0, 1 (raised) and -1 (lowered)."""

    glyphs: list[tuple[_Glyph, int]] = field(default_factory=list)
    base: float = 0.0
    size: float = 0.0

    def level_of(self, glyph: _Glyph) -> int | None:
        """The level on which a glyph goes on with this line; None when it begins another."""
        last_glyph = self.glyphs[-1][0]
        gap = glyph.left - last_glyph.right
        if glyph.left < last_glyph.left - 0.3 * max(self.size, glyph.size):
            return None  # letters of one ligature share their place
        shift = glyph.base - self.base
        if abs(shift) <= _SHIFT * self.size:
            return 0 if gap < 12 * self.size else None
        small = glyph.size < _SMALL * self.size
        # Word processors raise letters of full size: what follows without a gap is the same line's
        beside = glyph.size < _NO_LARGER * self.size and gap < _BESIDE * self.size
        if abs(shift) < 0.75 * self.size and ((small and gap < 0.8 * self.size) or beside):
            return 1 if shift > 0 else -1
        if len(self.glyphs) < 6 and self.size < _SMALL * glyph.size and gap < glyph.size:
            return self._rebased(glyph)
        return None

    def _rebased(self, glyph: _Glyph) -> int | None:
        """A line that begins with a script: what stands there is on another level than the rest."""
        if abs(glyph.base - self.base) > 0.75 * glyph.size:
            return None
        level = 1 if self.base > glyph.base else -1
        self.glyphs = [(own_glyph, level) for own_glyph, _ in self.glyphs]
        self.base, self.size = glyph.base, glyph.size
        return 0


def page_lines(page: Any) -> list[PageLine]:
    """The lines of an opened page, in the order of the file. The caller holds `LOCK`."""
    import pypdfium2.raw as raw

    page.set_rotation(0)  # glyphs are placed on the page as it is stored
    width, height = page.get_size()
    textpage = page.get_textpage()
    try:
        count = textpage.count_chars()
        turns = _turns(textpage.raw, raw, count)
        glyphs = _glyphs(textpage.raw, raw, count, partial(_place, turns, width, height))
        runs = list(_runs(glyphs))
        fonts = [_font(textpage.raw, raw, run) for run in runs]
    finally:
        textpage.close()
    if turns % 2:
        width, height = height, width
    if turns:
        downward = sum(below.base < above.base for above, below in pairwise(runs))
        if 2 * downward < len(runs) - 1:  # PDFium gives the lines of some such pages backwards
            runs.reverse()
            fonts.reverse()
    lines = (
        _line(run, font, width or 1, height or 1) for run, font in zip(runs, fonts, strict=True)
    )
    return [line for line in lines if line.text]


def _font(textpage: Any, raw: Any, run: _Run) -> str:
    """The name of the font of most of three letters of a line: its first, middle and last word.
    The six letters of a part of a font that is embedded are left out.
    """
    glyphs = [glyph for glyph, level in run.glyphs if not level] or [run.glyphs[0][0]]
    buffer, flags = ctypes.create_string_buffer(LONGEST_FONT), ctypes.c_int()
    names = Counter[str]()
    for place in dict.fromkeys((len(glyphs) // 5, len(glyphs) // 2, len(glyphs) * 4 // 5)):
        length = raw.FPDFText_GetFontInfo(
            textpage, glyphs[place].index, buffer, LONGEST_FONT, ctypes.byref(flags)
        )
        name = buffer.value.decode("utf-8", "replace") if 0 < length <= LONGEST_FONT else ""
        names[name.rpartition("+")[2]] += 1
    return names.most_common(1)[0][0]


def _turns(textpage: Any, raw: Any, count: int) -> int:
    """By how many quarters, clockwise, most letters of a page are turned."""
    quarters = Counter(
        round(raw.FPDFText_GetCharAngle(textpage, index) / (math.pi / 2)) % 4
        for index in range(0, count, max(1, count // GLYPHS_SAMPLED))
        if not chr(raw.FPDFText_GetUnicode(textpage, index)).isspace()
    )
    return quarters.most_common(1)[0][0] if quarters else 0


def _place(turns: int, width: float, height: float, x: float, y: float) -> tuple[float, float]:  # noqa: PLR0917
    """Where a point of a page is once the page is turned so that its lines are upright."""
    return {0: (x, y), 1: (height - y, x), 2: (width - x, height - y), 3: (y, width - x)}[turns]


def _glyphs(textpage: Any, raw: Any, count: int, place: Place) -> Iterator[_Glyph]:
    x, y, box = ctypes.c_double(), ctypes.c_double(), raw.FS_RECTF()
    apart, high = False, 0
    for index in range(count):
        code = raw.FPDFText_GetUnicode(textpage, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000 and high:  # two halves of one letter
            code = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00
        high = 0
        letter = _letter(code)
        if letter.isspace():
            apart = apart or letter not in "\r\n"
            continue
        raw.FPDFText_GetCharOrigin(textpage, index, x, y)
        raw.FPDFText_GetLooseCharBox(textpage, index, box)
        _, base = place(x.value, y.value)
        sides, levels = zip(place(box.left, box.bottom), place(box.right, box.top), strict=True)
        bold = raw.FPDFText_GetFontWeight(textpage, index) >= 600
        size = max(0.1, max(levels) - min(levels))
        yield _Glyph(
            index, letter, size, base, left=min(sides), right=max(sides), bold=bold, apart=apart
        )
        apart = False


def _letter(code: int) -> str:
    """The letter of a glyph; the sign for an unreadable one where the file does not say which it
    is. PDFium gives hyphens at the ends of lines as 2 or FFFE. Letters of formulas, which have
    signs of their own (a slanted mu), are plain letters.
    """
    if code in (0x02, 0xFFFE):
        return "-"
    if code < 0x20:
        return chr(code) if code in (0x0A, 0x0D, 0x09) else UNREADABLE
    if 0x1D400 <= code < 0x1D800:
        return unicodedata.normalize("NFKC", chr(code))
    private = 0xD800 <= code < 0xF900 or code >= 0xF0000
    return UNREADABLE if private or code == 0xFFFF else chr(code)


def _runs(glyphs: Iterator[_Glyph]) -> Iterator[_Run]:
    run = _Run()
    for glyph in glyphs:
        level = run.level_of(glyph) if run.glyphs else None
        if level is None:
            if run.glyphs:
                yield run
            run, level = _Run(base=glyph.base, size=glyph.size), 0
        run.glyphs.append((glyph, level))
    if run.glyphs:
        yield run


def _line(run: _Run, font: str, width: float, height: float) -> PageLine:
    glyphs = [glyph for glyph, _ in run.glyphs]
    bold = sum(glyph.bold for glyph in glyphs) > 0.7 * len(glyphs) or bool(_BOLD.search(font))
    sizes = Counter(round(glyph.size, 1) for glyph, level in run.glyphs if not level)
    size = sizes.most_common(1)[0][0] if sizes else run.size
    right = max(glyph.right for glyph in glyphs)
    top = 1 - (run.base + run.size) / height
    left = glyphs[0].left / width
    line = PageLine(_written(run), size, top, left=left, right=right / width, bold=bold, font=font)
    line.parts = _parts(run, width)
    return line


def _parts(run: _Run, width: float) -> tuple[PlacedWords, ...]:
    """What wide gaps part on a line; () where there is none."""
    begins = [0]
    for at, ((before, _), (glyph, _)) in enumerate(pairwise(run.glyphs), start=1):
        if glyph.left - before.right > _CELL * run.size:
            begins.append(at)
    if len(begins) == 1:
        return ()
    pieces = [run.glyphs[a:b] for a, b in pairwise([*begins, len(run.glyphs)])]
    return tuple(
        PlacedWords(
            _written(_Run(piece, run.base, run.size)),
            min(glyph.left for glyph, _ in piece) / width,
            max(glyph.right for glyph, _ in piece) / width,
        )
        for piece in pieces
    )


def _written(run: _Run) -> str:
    """The words of a line; numbers of references that are raised after a word are left out."""
    parts: list[str] = []
    script: list[str] = []
    before, last_glyph = 0, None
    for glyph, level in [*run.glyphs, (None, 0)]:
        if level != before and before:
            _close(parts, "".join(script), before)
            script = []
        if glyph is None:
            break
        blank = last_glyph is not None and (
            glyph.apart or glyph.left - last_glyph.right > 0.2 * run.size
        )
        if level:
            script.append(" " * (blank and bool(script)) + glyph.letter)
            if blank and len(script) == 1:
                parts.append(" ")
        else:
            parts.append(" " * blank + glyph.letter)
        before, last_glyph = level, glyph
    words = " ".join(marks_written_out("".join(parts)).split())
    return re.sub(f"{UNREADABLE}+", UNREADABLE, words)


def _close(parts: list[str], words: str, level: int) -> None:
    text_before = "".join(parts[-8:])
    if level > 0 and _REFERENCE.fullmatch(words) and _CITING.search(text_before):
        return
    if level > 0 and _SEVERAL.fullmatch(words) and text_before[-3:].isalpha():
        return
    parts.append(words.join(RAISED if level > 0 else LOWERED))
