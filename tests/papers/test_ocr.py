"""Pages without a text layer are read by the real tesseract from pictures of typeset pages."""

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pypdfium2 as pdfium
import pytest

from pincite_core.errors import ImageOnlyError, PinciteError
from pincite_core.settings import Settings
from pincite_papers.model import BlockKind, Paper
from pincite_papers.opening.store import PaperStore
from pincite_papers.pdf.ocr.hocr import print_angle, read_hocr
from pincite_papers.pdf.ocr.letters import letters_of
from pincite_papers.pdf.ocr.marks import find_pictures, find_rules
from pincite_papers.pdf.ocr.options import OcrOptions
from pincite_papers.pdf.ocr.raster import ink_of, levelled, render_page, tilt_of
from pincite_papers.pdf.ocr.reader import OcrReader
from pincite_papers.pdf.ocr.scanned import scanned_line
from pincite_papers.pdf.parse import parse_pdf

pytestmark = pytest.mark.usefixtures("tesseract_ready")

PAPER = """
#set page(columns: 2, width: 440pt, height: 560pt, margin: 40pt, numbering: "1")
#set heading(numbering: "1.")
#place(top, scope: "parent", float: true)[
  #align(center)[#text(16pt, weight: "bold")[Growth of garnet films from the melt]]
  #align(center)[A. Author and B. Writer]
]
= Introduction
Thin films of garnet have been grown by many groups, and their magnetic damping is known to depend on the
temperature of the substrate. Here the films were grown at several temperatures between the two limits given below.
The results of earlier work were confirmed for every sample that could be measured without breaking the substrate.

= Methods
The substrate was cleaned in acetone, dried in nitrogen and heated in vacuum for two hours. Each film was then
deposited by pulsed laser ablation from a dense ceramic target, with a repetition rate of ten pulses per second.

= Results
#figure(
  table(columns: 3, stroke: none, table.hline(), [Sample], [Thickness], [Damping], table.hline(),
    [Alpha], [120], [0.35], [Beta], [240], [0.41], [Gamma], [360], [0.58], table.hline()),
  caption: [Damping of three garnet films.])

The damping increases with the thickness of the film, as every sample in the table shows. Nothing else was found to
change between the samples, and the surface remained flat in all of them. Measurements in a second laboratory agree.
They were made on the same samples half a year later, by other people and with another apparatus. Storage in air had
no effect on the damping within the error of the measurement. A thicker cap would protect the films even longer.
"""


def _reader(**changes: object) -> OcrReader:
    return OcrReader(OcrOptions(**{"languages": ("eng",), "seconds": 120.0, "workers": 2, **changes}))  # type: ignore[arg-type]


def _read(data: bytes) -> Paper:
    return parse_pdf(data, max_pages=50, make_reader=_reader)


def _share(truth: str, got: str) -> float:
    """The share of the words of ``truth`` that are among those of ``got``."""
    left = re.findall(r"\w+", got)
    wanted = re.findall(r"\w+", truth)
    found = 0
    for word in wanted:
        if word in left:
            left.remove(word)
            found += 1
    return found / len(wanted)


@pytest.fixture(scope="module")
def twin(typeset: Callable[[str], bytes]) -> tuple[bytes, Paper]:
    data = typeset(PAPER)
    return data, parse_pdf(data, max_pages=50)


@pytest.mark.parametrize(
    ("dpi", "tilt", "quarters"),
    [(200, 1.7, 0), (300, -0.8, 2)],
)
def test_a_scan_reads_as_its_twin(twin: tuple[bytes, Paper], scan: Callable[..., bytes], dpi, tilt, quarters) -> None:
    data, truth = twin
    paper = _read(scan(data, dpi=dpi, tilt=tilt, quarters=quarters))
    assert _share(truth.text, paper.text) > 0.97
    assert [section.title for section in paper.sections] == [section.title for section in truth.sections]
    assert "by many groups, and their magnetic damping is known to depend on the temperature" in paper.text
    (table,) = paper.tables
    assert [cell.text for cell in table.cells] == [cell.text for cell in truth.tables[0].cells]
    (recognition,) = paper.recognised
    assert (recognition.start, recognition.end, recognition.page) == (0, len(paper.text), 1)
    assert 0.85 < recognition.confidence <= 1
    assert re.fullmatch(
        r"Page 1 was read by OCR \(tesseract [\d.]+, eng\), mean confidence 0\.\d\d\.", paper.warnings[0]
    )


@pytest.mark.parametrize(("tilt", "quarters"), [(2.0, 0), (1.0, 3)])
def test_locators_stand_on_the_print_as_the_page_is_shown(
    twin: tuple[bytes, Paper], scan: Callable[..., bytes], tilt: float, quarters: int
) -> None:
    data = scan(twin[0], tilt=tilt, quarters=quarters)
    paper = _read(data)
    with pdfium.PdfDocument(data) as document:
        raster, dpi = render_page(document[0])
    assert (paper.pages[0].width, paper.pages[0].height) == pytest.approx(
        (raster.shape[1] * 72 / dpi, raster.shape[0] * 72 / dpi), abs=1
    )
    for phrase in ("substrate was cleaned", "second laboratory", "magnetic"):
        at = paper.text.index(phrase)
        for _, box in paper.boxes(at, at + len(phrase)):
            x0, y0, x1, y1 = (round(value * dpi / 72) for value in (box.x0, box.y0, box.x1, box.y1))
            inside = raster[y0:y1, x0:x1] < 128
            # A box of print is inked through its whole width and height, and clear of print just outside.
            assert inside.mean() > 0.08
            across = inside.any(axis=0 if quarters % 2 == 0 else 1)
            assert across.mean() > 0.7


def test_only_the_scanned_page_of_a_paper_is_read(
    twin: tuple[bytes, Paper], scan: Callable[..., bytes], typeset: Callable[[str], bytes]
) -> None:
    first = typeset("#set page(width: 440pt, height: 560pt)\n= Opening\n" + "This page has its own text layer. " * 20)
    with pdfium.PdfDocument(first) as whole, pdfium.PdfDocument(scan(twin[0])) as pictures:
        whole.import_pages(pictures)
        data = _saved(whole)
    paper = _read(data)
    assert [part.page for part in paper.recognised] == [2]
    assert paper.text[paper.recognised[0].start :].startswith(("Growth of garnet", "1"))
    assert "own text layer" in paper.text[: paper.recognised[0].start]
    unread = parse_pdf(data, max_pages=50)
    assert "Page 2 without a text layer was not read: OCR is off. Next: Set PINCITE_OCR=auto." in unread.warnings
    assert not unread.recognised
    assert "garnet" not in unread.text


def test_a_scanned_figure_in_a_page_of_text_is_left_alone(twin: tuple[bytes, Paper], scan, tmp_path: Path) -> None:
    with pdfium.PdfDocument(scan(twin[0], dpi=150)) as pictures:
        pictures[0].render(scale=1).to_pil().save(tmp_path / "picture.png")
    import typst

    (tmp_path / "page.typ").write_text(
        '#set page(width: 440pt, height: 640pt)\n#figure(image("picture.png", width: 95%), caption: [A scan.])\n'
        + "Running text of the page that stands under the figure. " * 4
    )
    paper = _read(typst.compile(tmp_path / "page.typ"))
    assert not paper.recognised
    assert not any("OCR" in warning for warning in paper.warnings)


def test_doubtful_words_are_suspects(twin: tuple[bytes, Paper], scan: Callable[..., bytes]) -> None:
    sharp = _read(scan(twin[0]))
    coarse = _read(scan(twin[0], dpi=62))
    assert coarse.recognised[0].confidence < sharp.recognised[0].confidence
    doubtful = sum(span.end - span.start for span in coarse.suspects)
    assert doubtful > 3 * sum(span.end - span.start for span in sharp.suspects)
    assert any("suspect" in warning for warning in coarse.warnings)


def test_a_scan_of_nothing_but_a_photograph_has_no_text(tmp_path: Path) -> None:
    from PIL import Image

    noise = np.random.default_rng(7).normal(128, 12, (800, 600)).clip(0, 255).astype(np.uint8)
    Image.fromarray(noise).save(tmp_path / "photo.pdf", resolution=100)
    with pytest.raises(ImageOnlyError, match=r"OCR .* found no text"):
        _read((tmp_path / "photo.pdf").read_bytes())


def _saved(document: pdfium.PdfDocument) -> bytes:
    import io

    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


# --- through the store and its confined processes


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(roots=(tmp_path,), cache_dir=tmp_path / "cache", parse_workers=1)


@pytest.fixture
def three_pages(tmp_path: Path, scan: Callable[..., bytes], typeset: Callable[[str], bytes]) -> Path:
    source = "#set page(width: 300pt, height: 200pt)\n" + "#pagebreak()\n".join(
        f"Page {word} tells of the {word} experiment that was carried out in the laboratory.\n" * 3
        for word in ("first", "second", "third")
    )
    data = scan(typeset(source))
    path = tmp_path / "scan.pdf"
    path.write_bytes(data)
    with pdfium.PdfDocument(data) as whole:
        alone = pdfium.PdfDocument.new()
        alone.import_pages(whole, [0])
        (tmp_path / "first.pdf").write_bytes(_saved(alone))
    return path


def test_the_store_reads_scans_and_keys_its_cache_by_how(settings: Settings, three_pages: Path) -> None:
    with PaperStore(settings) as store:
        paper = store.open(three_pages)
        assert [part.page for part in paper.recognised] == [1, 2, 3]
    off = settings.model_copy(update={"ocr": "off"})
    with PaperStore(off) as store, pytest.raises(ImageOnlyError, match="Set PINCITE_OCR=auto"):
        store.open(three_pages)
    with PaperStore(settings) as store:
        assert store.open(three_pages).text == paper.text


def test_a_language_without_data_is_named(settings: Settings, three_pages: Path) -> None:
    wrong = settings.model_copy(update={"ocr_languages": ("eng", "tlh", "chi_sim")})
    with PaperStore(wrong) as store, pytest.raises(ImageOnlyError) as caught:
        store.open(three_pages)
    assert "languages tlh, chi_sim" in str(caught.value)
    assert "apt install tesseract-ocr-tlh tesseract-ocr-chi-sim" in caught.value.next


def test_a_missing_tesseract_is_told_with_its_install_line(
    settings: Settings, three_pages: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with PaperStore(settings) as store, pytest.raises(ImageOnlyError) as caught:
        store.open(three_pages)
    assert "tesseract, which is not installed" in str(caught.value)
    assert "apt install tesseract-ocr" in caught.value.next


def test_pages_read_before_the_time_was_over_are_kept(settings: Settings, three_pages: Path) -> None:
    with PaperStore(settings) as store:
        store.open(three_pages.with_name("first.pdf"))
    hurried = settings.model_copy(update={"ocr_seconds": 0.05})
    with PaperStore(hurried) as store:
        paper = store.open(three_pages)
    # The first page comes from the pages that were read before: for the others there was no time.
    assert "first experiment" in paper.text
    assert [part.page for part in paper.recognised] == [1]
    (late,) = [warning for warning in paper.warnings if "PINCITE_OCR_SECONDS" in warning]
    assert late.startswith("Pages 2-3 without a text layer were not read: the time for OCR was over.")
    with PaperStore(settings) as store:
        assert "third experiment" in store.open(three_pages).text


def test_tesseract_ends_with_the_process_that_reads(settings: Settings, three_pages: Path) -> None:
    with PaperStore(settings) as store:
        failed: list[PinciteError] = []

        def open_paper() -> None:
            try:
                store.open(three_pages)
            except PinciteError as error:
                failed.append(error)

        thread = threading.Thread(target=open_paper)
        thread.start()
        child, worker = next(_tesseracts(os.getpid()))
        os.kill(worker, signal.SIGKILL)
        thread.join()
        assert failed
        deadline = time.monotonic() + 10
        while _alive(child) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not _alive(child)


def _tesseracts(ancestor: int) -> Iterator[tuple[int, int]]:
    """The first tesseract started by a child of ``ancestor`` to read a picture, as (its id, its parent's)."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes()
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                above = int(Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            if b"tesseract\0stdin" in command and above == ancestor:
                yield int(folder.name), parent
    raise AssertionError("no tesseract was started")


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# --- its parts


def test_the_tilt_of_print_is_measured(twin: tuple[bytes, Paper], scan: Callable[..., bytes]) -> None:
    for tilt in (-3.0, -0.4, 0.0, 0.9, 4.0):
        with pdfium.PdfDocument(scan(twin[0], tilt=tilt)) as document:
            raster, dpi = render_page(document[0])
        assert tilt_of(ink_of(raster), dpi) == pytest.approx(tilt, abs=0.15)
        assert tilt_of(ink_of(levelled(raster, tilt)), dpi) == 0


def test_rules_and_pictures_are_found_in_the_ink() -> None:
    raster = np.full((1200, 900), 250, np.uint8)
    raster[300:303, 100:800] = 20
    raster[300:700, 450:453] = 20
    raster[800:1000, 200:500] = 60
    ink = ink_of(raster)
    rules = find_rules(ink, 300)
    assert [(rule.horizontal, round(rule.x0), round(rule.y0), round(rule.x1), round(rule.y1)) for rule in rules] == [
        (True, 24, 72, 192, 72),
        (False, 108, 72, 108, 168),
    ]
    (picture,) = find_pictures(ink, 300, [], rules)
    assert (picture.x0, picture.y0, picture.x1, picture.y1) == pytest.approx((48, 192, 120, 240), abs=6)


def _hocr(
    words: str, line: str = "bbox 100 100 400 140; baseline 0 -8; x_size 40; x_descenders 8; x_ascenders 10"
) -> bytes:
    return (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>'
        f"<span class='ocr_line' title=\"{line}\">{words}</span></body></html>"
    ).encode()


def test_hocr_gives_words_and_measures_and_leaves_specks_out() -> None:
    (line,) = read_hocr(
        _hocr(
            "<span class='ocrx_word' title='bbox 100 100 200 140; x_wconf 91'>film&amp;</span>"
            "<span class='ocrx_word' title='bbox 210 100 220 140; x_wconf 30'>~</span>"
            "<span class='ocrx_word' title='bbox 230 100 400 140; x_wconf 4'>xyz</span>"
        )
    )
    assert [(word.text, word.confidence) for word in line.words] == [("film&", 0.91)]
    assert (line.baseline(150), line.x_height, line.height, line.angle) == (132, 22, 40, 0)


def test_words_higher_than_wide_tell_a_sideways_line() -> None:
    upright = "<span class='ocrx_word' title='bbox 100 %d 130 %d; x_wconf 90'>Energy</span>"
    title = "bbox 100 100 130 400; baseline 0 0; x_size 30; x_descenders 7; x_ascenders 7"
    climbing = read_hocr(_hocr(upright % (300, 400) + upright % (100, 200), title))
    sinking = read_hocr(_hocr(upright % (100, 200) + upright % (300, 400), title))
    assert (print_angle(climbing), print_angle(sinking)) == (90, 270)
    boxes = letters_of(np.zeros((500, 500), np.bool_), climbing[0], climbing[0].words[0]).boxes
    assert boxes[0, 1] > boxes[-1, 1]


def test_blocks_of_a_scan_have_their_kinds(twin: tuple[bytes, Paper], scan: Callable[..., bytes]) -> None:
    paper = _read(scan(twin[0]))
    kinds = {block.kind for block in paper.blocks}
    assert {BlockKind.HEADING, BlockKind.CAPTION, BlockKind.TABLE, BlockKind.PARAGRAPH} <= kinds
    assert paper.title == "Growth of garnet films from the melt"


def test_marks_that_stand_like_raised_digits_are_suspects(typeset: Callable[[str], bytes], scan) -> None:
    source = (
        "#set page(width: 400pt, height: 120pt)\n#set text(12pt)\n"
        "The area of the sample was 25 cm#super[2] and its volume was 14 cm#super[3] in all. Was it? It was!"
    )
    paper = _read(scan(typeset(source)))
    doubtful = {k for span in paper.suspects for k in range(span.start, span.end)}
    for unit in re.finditer(r"cm(\W|\^\d)", paper.text):
        # Either the digit is read and raised, or what was read in its place is doubted.
        assert unit[1].startswith("^") or unit.start() + 2 in doubtful, paper.text
    assert paper.text.index("it?") + 2 not in doubtful


def test_the_foot_of_an_unsure_word_is_no_script() -> None:
    ink = np.zeros((60, 200), np.bool_)
    ink[20:40, 10:150] = True
    ink[10:20, 60:90] = True
    (line,) = read_hocr(
        _hocr(
            "<span class='ocrx_word' title='bbox 10 10 150 40; x_wconf 91'>f1000r</span>",
            "bbox 10 10 150 40; baseline 0 0; x_size 40; x_descenders 10; x_ascenders 10",
        )
    )
    assert letters_of(ink, line, line.words[0]).levels == [0] * 6


def test_a_line_that_would_be_all_script_has_none() -> None:
    word = "<span class='ocrx_word' title='bbox 10 10 90 26; x_wconf 91'>1234</span>"
    # The baseline is said to run far below the print.
    (line,) = read_hocr(_hocr(word, "bbox 10 10 90 60; baseline 0 0; x_size 40; x_descenders 8; x_ascenders 10"))
    ink = np.zeros((80, 100), np.bool_)
    for left in (10, 30, 50, 70):
        ink[10:26, left : left + 12] = True
    letters = letters_of(ink, line, line.words[0])
    assert letters.levels == [1, 1, 1, 1]
    assert scanned_line(line, [letters], 0.24).letters[0].levels == [0, 0, 0, 0]
