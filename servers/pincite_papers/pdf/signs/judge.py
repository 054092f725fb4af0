"""Judge: which fonts of a page print something else than their codes say, and what they print.

A font is judged by what it does: boxes that are not those of the claimed characters, codes that no text holds, few
codes used singly between characters of other fonts. What such a font prints is read from the shapes of its glyphs;
it stays suspect until a known encoding or the characters around it agree with the shape.
"""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from pincite_papers.pdf.glyphs import Frame, Glyphs
from pincite_papers.pdf.scriptcodes import CodeSet
from pincite_papers.pdf.signs.boxes import misfits
from pincite_papers.pdf.signs.context import agrees
from pincite_papers.pdf.signs.encodings import alike, is_named_for_signs, known_at
from pincite_papers.pdf.signs.ligatures import LETTERS
from pincite_papers.pdf.signs.reading import CONTRADICTED, LIKE, RARE, Verdict, decide, is_sign
from pincite_papers.pdf.signs.rendering import Renderer
from pincite_papers.pdf.signs.shapes import Shape, known_shapes

_FEW = 12
"""Distinct codes of a font on a page, up to which it may be one of signs; an italic used for a phrase has more."""

_SINGLY = 0.2
"""Share of a font's glyphs that stand right behind another one of it: signs between text stand alone, words do not."""

_OFTEN = 0.22
"""Distance of the odd letter of a text font from the character that it is."""

_FARTHER, _TWICE, _FAR = 1.5, 2.0, 2.5
"""How many times farther the claimed character must be than the sign that is printed instead; where it is no farther
than CONTRADICTED; where it is a letter, at whose code no known encoding has the sign: a small capital G is as near to
a sigma, and its claimed g twice as far."""

_MANY, _IN_WORDS = 20, 0.5
"""Codes of a font on a page, and the share that stand behind one of their own, from which on it prints words."""

_WRONG = 0.25
"""Share of a font's codes that print other signs, from which on all of it is suspect; below, those codes alone are."""

_SAME_SIZE = 0.08
"""Ems by which the boxes of one glyph differ: rounding of hints stays below 0.02, Th and + are 0.3 apart."""

_BROKEN = 0.5
"""Share of misfits among ten codes or more, above which a font's em is not what it says and boxes tell nothing."""

_MOST_SHAPES = 400
"""Shapes looked at in a document, a bound on its time; papers need far fewer."""

_UNPRINTABLE = 0x1A
"""Code of a glyph whose character is lost."""
_RING, _ORDINAL = 0x02DA, 0xBA
"""Codes that stand for the degree sign in some fonts: ring above, masculine ordinal."""
_UNREAD = frozenset((*range(1, 0x20), 0x7F, 0xFFFD))


@dataclass(slots=True)
class Memory:
    """What the pages of a document have shown of its fonts so far."""

    verdicts: dict[tuple[str, int, int], Verdict] = field(default_factory=dict[tuple[str, int, int], Verdict])
    symbolic: set[str] = field(default_factory=set[str])
    plain: set[tuple[str, int, int]] = field(default_factory=set[tuple[str, int, int]])
    confirmed: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    shapes: int = 0


def read_signs(page: pdfium.PdfPage, glyphs: Glyphs, frame: Frame, memory: Memory) -> None:
    """Write what the symbol fonts of an open page print into its glyphs, and mark what is not certain, in place."""
    if not glyphs.objects or not len(glyphs.faces.places):
        return
    _keep_unmapped(glyphs)
    _write_degrees(glyphs)
    reader = _SignReader(glyphs, Renderer(page, glyphs, frame), memory)
    _confirm_unmapped(glyphs, reader, memory)
    samples = _samples(glyphs, memory.symbolic)
    if not samples:
        return
    known = len(memory.symbolic)
    wrong = reader.judge_fonts(samples)
    samples = _samples(glyphs, memory.symbolic) if len(memory.symbolic) > known else samples
    samples = [each for each in samples if each.font in memory.symbolic or each.key in wrong or each.code in _UNREAD]
    waiting: list[tuple[npt.NDArray[np.int64], str]] = []
    for sample in samples:
        at, verdict = _drawn_alike(glyphs, sample), reader.verdict(sample)
        if verdict is None:
            glyphs.suspects[at] |= sample.font in memory.symbolic and sample.code < 0x7F and not sample.named
            continue
        glyphs.judged[at] = True
        glyphs.suspects[at] = not verdict.sure
        if verdict.text is not None:
            glyphs.codes[at] = ord(verdict.text)
            glyphs.hyphens[at] = False
        if verdict.fits and not verdict.sure:
            waiting.append((at, verdict.text or chr(sample.code)))
    _ask_context(glyphs, waiting)


@dataclass(frozen=True, slots=True)
class _Sample:
    """One of the glyphs that a font prints for a code; ``distinct``: how many codes of the font the page holds;
    ``named``: the font is called one of signs, and sets no words;
    ``lone``: it has few codes, each set between characters of other fonts."""

    key: int
    font: str
    code: int
    place: int
    distinct: int
    named: bool
    lone: bool


def _keep_unmapped(glyphs: Glyphs) -> None:
    """Let a glyph that has ink, and no code at all, count as one that nobody can read instead of as nothing."""
    lost = (glyphs.codes == 0) & (glyphs.runs >= 0)
    if lost.any():
        inked = (glyphs.boxes[:, 2] > glyphs.boxes[:, 0]) & (glyphs.boxes[:, 3] > glyphs.boxes[:, 1])
        glyphs.codes[lost & inked] = _UNPRINTABLE


def _write_degrees(glyphs: Glyphs) -> None:
    """A ring behind a digit is a degree sign, and so is an ordinal's before C or F."""
    for i in np.flatnonzero((glyphs.codes == _RING) | (glyphs.codes == _ORDINAL)).tolist():
        after = bytes(int(code) for code in glyphs.codes[i + 1 : i + 3] if code < 0x7F).decode("ascii").lstrip()
        scale = after[:1] in ("C", "F") or glyphs.codes[i] == _RING
        if i and 0x30 <= int(glyphs.codes[i - 1]) <= 0x39 and scale:
            glyphs.codes[i] = 0xB0


def _confirm_unmapped(glyphs: Glyphs, reader: "_SignReader", memory: Memory) -> None:
    """Clear the mark of glyphs that the font maps to nothing, and draws as the character that their code is."""
    unmapped = glyphs.suspects & (glyphs.runs >= 0) & (glyphs.codes > 0x20)
    if not unmapped.any():
        return
    turned = np.array([run.angle != 0 for run in glyphs.objects], np.bool_)[glyphs.runs]
    keys: list[int] = np.unique(glyphs.faces.keys[unmapped]).tolist()
    for key in keys:
        at = np.flatnonzero(unmapped & (glyphs.faces.keys == key))
        code, level = int(glyphs.codes[at[0]]), at[~turned[at]]
        font = glyphs.objects[int(glyphs.runs[at[0]])].style.font
        if len(level):
            sample = _Sample(key, font, code, int(level[0]), 0, named=False, lone=False)
            if reader.draws_its_code(sample):
                memory.confirmed.add((font, code))
                glyphs.suspects[_drawn_alike(glyphs, sample)] = False
        if (font, code) in memory.confirmed:
            glyphs.suspects[at[turned[at]]] = False


def _samples(glyphs: Glyphs, symbolic: set[str]) -> list[_Sample]:
    """A glyph of each code of the fonts of signs, and of other codes that give reason to look at their shapes."""
    places = glyphs.faces.places
    codes = glyphs.codes[places]
    runs = glyphs.runs[places]
    solid = (runs >= 0) & (codes > 0) & (codes != 0x20) & ~glyphs.hyphens[places] & ~_in_ligature(glyphs, places)
    places, codes, runs = places[solid], codes[solid], runs[solid]
    fonts = glyphs.faces.of_run[runs]
    odd = misfits(glyphs, places, codes, runs)
    private = (codes >= 0xE000) & (codes <= 0xF8FF)
    rare = _RARE_CODES.among(codes)
    count = len(glyphs.faces.names)
    distinct = np.bincount(fonts, minlength=count)
    strange = np.bincount(fonts, weights=odd, minlength=count)
    broken = (distinct >= 10) & (strange > _BROKEN * distinct)
    behind = _behind_own(glyphs, count)
    words = (distinct >= _MANY) & (behind >= _IN_WORDS)
    named = np.array([is_named_for_signs(font) for font in glyphs.faces.names], np.bool_) & ~words
    certain = named | np.array([font in symbolic for font in glyphs.faces.names], np.bool_)
    single = (distinct <= _FEW) & (behind < _SINGLY)
    wanted = ~broken & (certain | single | (strange > 0) | (np.bincount(fonts, weights=rare, minlength=count) > 0))
    lone = single[fonts] & (codes < 0x7F)
    chosen = wanted[fonts] & ~private & (odd | rare | lone | certain[fonts])
    keys = glyphs.faces.keys[places]
    return [
        _Sample(
            int(keys[k]),
            glyphs.faces.names[int(fonts[k])],
            int(codes[k]),
            int(places[k]),
            int(distinct[fonts[k]]),
            bool(named[fonts[k]]),
            bool(lone[k]),
        )
        for k in np.flatnonzero(chosen).tolist()
    ]


def _in_ligature(glyphs: Glyphs, places: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which glyphs are letters of a ligature: PDFium gives each of them the box of the whole."""
    last = len(glyphs.codes) - 1
    found = np.zeros(len(places), np.bool_)
    for beside in (np.maximum(places - 1, 0), np.minimum(places + 1, last)):
        same = (glyphs.boxes[beside] == glyphs.boxes[places]).all(axis=1)
        found |= same & (glyphs.runs[beside] == glyphs.runs[places]) & (beside != places)
    return found


_RARE_CODES = CodeSet((*range(0x20), *map(ord, RARE)))


def word_fonts(glyphs: Glyphs) -> npt.NDArray[np.bool_]:
    """Bool (fonts): which fonts of the page print words, whatever they are called."""
    runs = glyphs.runs[glyphs.faces.places]
    printed = (runs >= 0) & (glyphs.codes[glyphs.faces.places] > 0x20)
    count = len(glyphs.faces.names)
    distinct = np.bincount(glyphs.faces.of_run[runs[printed]], minlength=count)
    return (distinct >= _MANY) & (_behind_own(glyphs, count) >= _IN_WORDS)


def _behind_own(glyphs: Glyphs, count: int) -> npt.NDArray[np.float64]:
    """The share of each font's glyphs that stand right behind another glyph of it."""
    printed = (glyphs.runs >= 0) & (glyphs.codes > 0x20)
    fonts = np.where(printed, glyphs.faces.of_run[glyphs.runs], count)
    behind = (fonts[1:] == fonts[:-1]) & printed[1:]
    every = np.bincount(fonts, minlength=count + 1)[:count]
    return np.bincount(fonts[1:][behind], minlength=count + 1)[:count] / np.maximum(every, 1)


class _SignReader:
    """Reads the shapes of a page's samples."""

    def __init__(self, glyphs: Glyphs, renderer: Renderer, memory: Memory) -> None:
        self._glyphs, self._renderer, self._memory = glyphs, renderer, memory
        self._seen: dict[int, dict[str, float] | None] = {}
        self._shapes: dict[int, Shape | None] = {}

    def judge_fonts(self, samples: list[_Sample]) -> set[int]:
        """The keys of samples that are not the characters they claim; fonts of signs are remembered as such."""
        symbolic = self._memory.symbolic
        wrong = [sample for sample in samples if sample.font not in symbolic and self._contradicted(sample)]
        counts = Counter(sample.font for sample in wrong)
        for sample in samples:
            if sample.named or counts[sample.font] >= max(1, _WRONG * sample.distinct):
                symbolic.add(sample.font)
        return {sample.key for sample in wrong}

    def _contradicted(self, sample: _Sample) -> bool:
        """Whether a glyph is clearly drawn as another character than the claimed one."""
        claimed, key = chr(sample.code), (sample.font, sample.code, self._box(sample))
        plain = self._memory.plain
        if key in plain or claimed not in known_shapes().rows:
            return False
        if not self._differs(sample, claimed):
            plain.add(key)
        return key not in plain

    def draws_its_code(self, sample: _Sample) -> bool:
        """Whether a glyph is like the character that its code is, and like no other."""
        far, claimed = self._distances(sample) or {}, chr(sample.code)
        if far.get(claimed, 9.0) >= _OFTEN:
            return False
        return all(value >= far[claimed] or alike(text, claimed) for text, value in far.items())

    def _differs(self, sample: _Sample, claimed: str) -> bool:
        shape = self._shape(sample)
        if shape is None or known_shapes().distance_from(shape, claimed) < _OFTEN:
            return False
        far = self._distances(sample) or {}
        best = min(far, key=lambda text: far[text])
        if far[claimed] >= CONTRADICTED and far[best] > LIKE:
            return sample.lone and claimed.isalnum() and not self._is_small_capital(sample, best)
        signs = [text for text in far if is_sign(text) and (text == best or known_at(claimed, text))]
        return any(
            not alike(text, claimed)
            and far[text] < LIKE
            and far[claimed] > _times(claimed, text, far[claimed]) * far[text]
            and not self._is_small_capital(sample, text)
            for text in signs
        )

    def _is_small_capital(self, sample: _Sample, sign: str) -> bool:
        """Whether a letter is printed as a capital of another size, and not as a sign."""
        shape, letter, table = self._shapes.get(sample.key), chr(sample.code), known_shapes()
        if shape is None or not letter.islower():
            return False
        return table.is_drawn_as(shape, letter.upper()) < min(LIKE, table.is_drawn_as(shape, sign))

    def _box(self, sample: _Sample) -> int:
        """The size of a glyph's box in tenths of its em: fonts of one name may differ in what a code prints."""
        box, size = self._glyphs.boxes[sample.place], self._glyphs.objects[int(self._glyphs.runs[sample.place])].style
        em = max(size.size, 0.1)
        return round(10 * float(box[2] - box[0]) / em) * 100 + round(10 * float(box[3] - box[1]) / em)

    def _distances(self, sample: _Sample) -> dict[str, float] | None:
        """How far known characters are from the sample's shape; None where it cannot be drawn."""
        if sample.key not in self._seen:
            shape = self._shape(sample)
            self._seen[sample.key] = self._measure(shape, sample) if shape is not None else None
        return self._seen[sample.key]

    def _measure(self, shape: Shape, sample: _Sample) -> dict[str, float]:
        """The distances of a shape; a font of signs prints no letters, so no ligatures of them."""
        far = known_shapes().distances(shape, chr(sample.code))
        if sample.named or sample.lone or sample.font in self._memory.symbolic:
            far = {text: value for text, value in far.items() if text not in LETTERS}
        return far

    def _shape(self, sample: _Sample) -> Shape | None:
        """The sample's shape, drawn once; None where it cannot be seen."""
        if sample.key not in self._shapes:
            shape: Shape | None = None
            if self._memory.shapes < _MOST_SHAPES:
                self._memory.shapes += 1
                shape = self._renderer.shape(sample.place)
            self._shapes[sample.key] = shape
        return self._shapes[sample.key]

    def verdict(self, sample: _Sample) -> Verdict | None:
        """What a sample prints, remembered for the document's other pages; None where its shape cannot be seen."""
        key = sample.font, sample.code, self._box(sample)
        known = self._memory.verdicts
        if key not in known:
            far = self._distances(sample)
            if far is None:
                return None
            known[key] = decide(chr(sample.code), far)
        return known[key]


def _times(claimed: str, sign: str, far: float) -> float:
    if claimed.isalpha() and not known_at(claimed, sign):
        return _FAR
    return _FARTHER if far >= CONTRADICTED else _TWICE


def _drawn_alike(glyphs: Glyphs, sample: _Sample) -> npt.NDArray[np.int64]:
    """The glyphs of the sample's font and code whose boxes are as large: a code may print two things."""
    at = np.flatnonzero(glyphs.faces.keys == sample.key)
    sizes = (glyphs.boxes[at, 2:] - glyphs.boxes[at, :2]) / np.maximum(glyphs.ink.sizes, 0.1)[glyphs.runs[at], None]
    own = (glyphs.boxes[sample.place, 2:] - glyphs.boxes[sample.place, :2]) / max(
        float(glyphs.ink.sizes[glyphs.runs[sample.place]]), 0.1
    )
    return at[(np.abs(sizes - own) < _SAME_SIZE).all(axis=1)]


def _ask_context(glyphs: Glyphs, waiting: list[tuple[npt.NDArray[np.int64], str]]) -> None:
    """Clear the mark of each sign that the glyphs around it agree with."""
    if not waiting:
        return
    codes: list[int] = glyphs.codes.tolist()
    for places, sign in waiting:
        for i in places.tolist():
            if agrees(sign, i, codes):
                glyphs.suspects[i] = False
