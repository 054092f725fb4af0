"""OcrReader: pictures of pages become scanned pages, several programs at once, within one budget of time."""

import hashlib
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from pincite_core.cache import DiskCache
from pincite_core.errors import LimitReachedError, PinciteError, UnavailableError
from pincite_papers.pdf.ocr.columns import part_lines
from pincite_papers.pdf.ocr.hocr import OcrLine, mean_confidence, print_angle, read_hocr
from pincite_papers.pdf.ocr.letters import letters_of
from pincite_papers.pdf.ocr.marks import find_pictures, find_rules
from pincite_papers.pdf.ocr.options import OcrOptions
from pincite_papers.pdf.ocr.raster import Ink, ink_of, levelled, tilt_of, turned
from pincite_papers.pdf.ocr.scanned import ScannedPage, scanned_line
from pincite_papers.pdf.ocr.tesseract import PAGE_SECONDS, Program, Raster, Run, check_languages, find_program
from pincite_papers.pdf.turned import Turn

_CACHE = "ocr"
_POOR = 0.75
"""Mean confidence of 0 to 1 below which a page may be upside down. Set by judgement."""
_FEW_WORDS = 4
"""Words below which a page may be upside down."""
_ORIENTATION_SECONDS = 20.0
"""Seconds to find out how a page is turned. Set by judgement."""
_ROTATE = re.compile(rb"Rotate: (\d+)")
_HOCR = ("-c", "tessedit_create_hocr=1")


@dataclass(frozen=True, slots=True)
class PageImage:
    """The picture of a page: its number from 1, grey raster, dots an inch, size in points."""

    number: int
    raster: Raster
    dpi: float
    width: float
    height: float


@dataclass(slots=True)
class Scans:
    """What became of the pages: those read, and why others were not, by their numbers."""

    pages: dict[int, ScannedPage] = field(default_factory=dict[int, ScannedPage])
    failed: dict[int, PinciteError] = field(default_factory=dict[int, PinciteError])
    late: list[int] = field(default_factory=list[int])


@dataclass(slots=True)
class _Sheet:
    """A page's picture made level, ready to be read, and what tesseract said of it."""

    image: PageImage
    quarters: int
    tilt: float
    raster: Raster
    ink: Ink
    run: Run | None = None
    printed: bytes = b""
    lines: list[OcrLine] = field(default_factory=list[OcrLine])

    @classmethod
    def of(cls, image: PageImage, quarters: int) -> "_Sheet":
        raster = turned(image.raster, quarters) if quarters else image.raster
        ink = ink_of(raster)
        tilt = tilt_of(ink, image.dpi)
        if tilt:
            raster = levelled(raster, tilt)
            ink = ink_of(raster)
        return cls(image, quarters, tilt, raster, ink)

    @property
    def poor(self) -> bool:
        """Whether it reads badly: mostly unsure, hardly at all, or sideways."""
        words = sum(len(line.words) for line in self.lines)
        return mean_confidence(self.lines) < _POOR or words < _FEW_WORDS or print_angle(self.lines) != 0

    @property
    def sure_characters(self) -> float:
        """How many characters were read, each counted by the confidence of its word."""
        return sum(len(word.text) * word.confidence for line in self.lines if not line.angle for word in line.words)


class OcrReader:
    """Reads pages with tesseract as ``options`` allow; ``begin`` is called once, before the first page is read.

    Making one raises UnavailableError when tesseract or the data of a language is not installed.
    """

    def __init__(self, options: OcrOptions, *, begin: Callable[[], None] = lambda: None) -> None:
        self._options = options
        self._program: Program = find_program()
        check_languages(self._program, options.languages)
        self._begin = begin
        self._cache = DiskCache(options.cache, max_bytes=options.cache_max_bytes) if options.cache else None

    @property
    def described(self) -> str:
        """Program, version and languages, as warnings name them."""
        return f"tesseract {self._program.version}, {'+'.join(self._options.languages)}"

    def read(self, numbers: Iterable[int], image_of: Callable[[int], PageImage]) -> Scans:
        """The pages with these numbers; ``image_of`` renders one when it is its turn."""
        self._begin()
        deadline = time.monotonic() + self._options.seconds
        scans, going = Scans(), list[_Sheet]()
        left = iter(numbers)
        try:
            for number in self._until(left, deadline, scans):
                going.append(self._start(_Sheet.of(image_of(number), 0), deadline))
                if len(going) >= self._options.workers:
                    self._finish(going.pop(0), deadline, scans)
            for sheet in [*going]:
                going.remove(sheet)
                self._finish(sheet, deadline, scans)
        finally:
            for sheet in going:
                if sheet.run is not None:
                    sheet.run.end()
        return scans

    @staticmethod
    def _until(numbers: Iterator[int], deadline: float, scans: Scans) -> Iterator[int]:
        """The numbers while there is time; the others are late."""
        for number in numbers:
            if time.monotonic() < deadline:
                yield number
            else:
                scans.late.append(number)

    def _start(self, sheet: _Sheet, deadline: float) -> _Sheet:
        """Begin to read a sheet, unless the cache knows it."""
        known = self._cache.get(_CACHE, self._version(), self._key(sheet)) if self._cache else None
        if known is not None:
            sheet.printed = known
        else:
            arguments = ("-l", "+".join(self._options.languages), "--psm", "3", *_HOCR)
            seconds = min(PAGE_SECONDS, max(deadline - time.monotonic(), 0.1))
            sheet.run = Run(self._program, sheet.raster, sheet.image.dpi, *arguments, seconds=seconds)
        return sheet

    def _finish(self, sheet: _Sheet, deadline: float, scans: Scans) -> None:
        """Wait for a sheet; one that reads badly is turned upright and read again."""
        number = sheet.image.number
        try:
            self._collect(sheet)
            best, tried = sheet, {0}
            while (quarters := self._better_turn(sheet)) not in tried:
                tried.add(quarters)
                again = self._start(_Sheet.of(sheet.image, quarters), deadline)
                self._collect(again)
                sheet = again
                best = again if again.sure_characters > best.sure_characters else best
        except LimitReachedError as error:
            if time.monotonic() >= deadline:
                scans.late.append(number)
            else:
                scans.failed[number] = error
            return
        except PinciteError as error:
            scans.failed[number] = error
            return
        scans.pages[number] = _scanned(best)

    def _collect(self, sheet: _Sheet) -> None:
        if sheet.run is not None:
            sheet.printed, sheet.run = sheet.run.result(), None
            if self._cache is not None:
                self._cache.put(_CACHE, self._version(), self._key(sheet), sheet.printed)
        sheet.lines = part_lines(read_hocr(sheet.printed))

    def _better_turn(self, sheet: _Sheet) -> int:
        """The quarter turns by which a page that reads badly may read well; those it has where it reads well."""
        if not sheet.poor:
            return sheet.quarters
        turns = self._orientation(sheet.image)
        if turns != sheet.quarters:
            return turns
        return (sheet.quarters + (print_angle(sheet.lines) // 90 or 2)) % 4

    def _orientation(self, image: PageImage) -> int:
        """What tesseract says of the direction of print, in quarter turns; 0 where it cannot tell."""
        if "osd" not in self._program.languages:
            return 0
        run = Run(self._program, image.raster, image.dpi, "-l", "osd", "--psm", "0", seconds=_ORIENTATION_SECONDS)
        with suppress(UnavailableError, LimitReachedError):
            found = _ROTATE.search(run.result())
            return int(found[1]) // 90 % 4 if found else 0
        return 0

    def _version(self) -> str:
        return f"{self._program.version} {'+'.join(self._options.languages)}"

    def _key(self, sheet: _Sheet) -> str:
        digest = hashlib.sha256(f"{sheet.raster.shape} {sheet.image.dpi}\n".encode())
        digest.update(sheet.raster.data if sheet.raster.flags.c_contiguous else sheet.raster.tobytes())
        return digest.hexdigest()


def _scanned(sheet: _Sheet) -> ScannedPage:
    image, scale = sheet.image, 72 / sheet.image.dpi
    rules = find_rules(sheet.ink, image.dpi)
    pictures = find_pictures(sheet.ink, image.dpi, sheet.lines, rules)
    lines = [
        scanned_line(line, [letters_of(sheet.ink, line, word) for word in line.words], scale) for line in sheet.lines
    ]
    sideways = sheet.quarters % 2 == 1
    width, height = (image.height, image.width) if sideways else (image.width, image.height)
    turn = Turn(sheet.quarters, width, height, sheet.tilt) if sheet.quarters or sheet.tilt else None
    confidence = mean_confidence(sheet.lines)
    return ScannedPage(image.number, width, height, scale, lines, rules, pictures, confidence, turn)
