"""Files made to do harm: each ends in a typed error or a Paper, within the limits, and the store lives on."""

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pypdf
import pytest
import typst

from pincite_core import errors
from pincite_core.settings import Settings
from pincite_papers.opening.store import PaperStore

GOOD = b"= A good paper\nThe transition temperature is 92 K.\n\n" + b"#lorem(120)\n"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PaperStore]:
    folder = tmp_path_factory.mktemp("hostile")
    settings = Settings(roots=(folder,), cache_dir=folder / "cache", parse_seconds=10, parse_workers=1, max_pages=200)
    with PaperStore(settings) as store:
        yield store


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return typst.compile(GOOD, format="pdf")


def _pdf(objects: Mapping[int, bytes], trailer: bytes = b"") -> bytes:
    """A PDF of these numbered objects; number 1 is its catalog."""
    out = bytearray(b"%PDF-1.7\n")
    places: dict[int, int] = {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    size = max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 %s \n" % (places.get(number, 0), b"n" if number in places else b"f")
    out += b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, start)
    return bytes(out)


def _stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(content), entries, content)


CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
WORDS = b"BT /F 12 Tf 72 700 Td (The transition temperature is 92 K.) Tj ET\n"


def _page(more: bytes = b"", box: bytes = b"0 0 612 792") -> bytes:
    return b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>%s>>>>" % (box, more)


def _simple(content: bytes = b"", **more: bytes) -> dict[int, bytes]:
    box = more.get("box", b"0 0 612 792")
    page = _page(more.get("resources", b""), box)
    return {1: CATALOG, 2: PAGES, 3: page, 4: _stream(WORDS + content), 5: FONT}


def _deflated(block: bytes, times: int) -> bytes:
    """A zlib stream of ``block`` over and over, made without deflating it more than once."""
    deflate = zlib.compressobj(9, wbits=-15)
    part = deflate.compress(block) + deflate.flush(zlib.Z_FULL_FLUSH)
    return b"\x78\xda" + part * times + deflate.flush()


def flate_bomb() -> bytes:
    """Flate three times over: a small file that becomes ten gigabytes."""
    content = zlib.compress(zlib.compress(_deflated(b" " * (1 << 20), 10_000), 9), 9)
    filters = b"/Filter[/FlateDecode/FlateDecode/FlateDecode]"
    return _pdf({**_simple(), 4: _stream(content, filters)})


def gigabyte_stream() -> bytes:
    return _pdf({**_simple(), 4: _stream(_deflated(b"0 0 m " * 200_000, 900), b"/Filter/FlateDecode")})


def deep_arrays() -> bytes:
    return _pdf({**_simple(), 6: b"[" * 200_000 + b"]" * 200_000}, b"/Info 6 0 R")


def deep_dictionaries_in_content() -> bytes:
    return _pdf(_simple(b"/P " + b"<</K " * 100_000 + b"1" + b">>" * 100_000 + b" BDC EMC"))


def deep_graphics_states() -> bytes:
    return _pdf(_simple(b"q 1 0 0 1 0 0 cm " * 300_000))


def exponential_forms() -> bytes:
    """Forty forms that each draw the next one ten times."""
    objects = _simple(b"/X Do", resources=b"/XObject<</X 10 0 R>>")
    for number in range(10, 50):
        entries = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>" % (number + 1)
        objects[number] = _stream(b"/X Do " * 10, entries)
    objects[50] = _stream(WORDS, b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 5 0 R>>>>")
    return _pdf(objects)


def form_that_draws_itself() -> bytes:
    objects = _simple(b"/X Do", resources=b"/XObject<</X 6 0 R>>")
    objects[6] = _stream(b"/X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>")
    return _pdf(objects)


def huge_page_count() -> bytes:
    return _pdf({**_simple(), 2: b"<</Type/Pages/Kids[3 0 R]/Count 2000000000>>"})


def many_pages() -> bytes:
    kids = b"3 0 R " * 100_000
    return _pdf({**_simple(), 2: b"<</Type/Pages/Kids[%s]/Count 100000>>" % kids})


def exponential_page_tree() -> bytes:
    """Thirty levels of page nodes whose two children are the same node: a billion pages."""
    objects = {**_simple(), 2: b"<</Type/Pages/Kids[10 0 R 10 0 R]/Count 1073741824>>"}
    for number in range(10, 40):
        objects[number] = b"<</Type/Pages/Kids[%d 0 R %d 0 R]/Count 1000000>>" % (number + 1, number + 1)
    objects[40] = _page()
    return _pdf(objects)


def cyclic_page_tree() -> bytes:
    kids = {2: b"<</Type/Pages/Kids[6 0 R]/Count 3>>", 6: b"<</Type/Pages/Kids[2 0 R 6 0 R 3 0 R]/Count 3>>"}
    return _pdf({**_simple(), **kids})


def no_pages() -> bytes:
    return _pdf({1: CATALOG, 2: b"<</Type/Pages/Kids[]/Count 0>>"})


def huge_page_box() -> bytes:
    return _pdf(_simple(box=b"-1e38 -1e38 1e38 1e38"))


def impossible_page_box() -> bytes:
    return _pdf(_simple(box=b"9 9 9 9"))


def text_far_away() -> bytes:
    words = b"BT /F 1e30 Tf 1e35 0 0 1e35 1e38 -1e38 Tm (far) Tj ET BT /F 1e-30 Tf 7 7 Td (small) Tj ET"
    return _pdf(_simple(words))


def a_million_glyphs() -> bytes:
    words = b"xyz " * 250
    lines = b"".join(b"BT /F 0.6 Tf 9 %.2f Td (%s) Tj ET\n" % (n * 0.7, words) for n in range(1000))
    return _pdf({**_simple(), 4: _stream(zlib.compress(lines), b"/Filter/FlateDecode")})


def a_million_rules() -> bytes:
    lines = b"".join(b"%d %d m %d %d l S\n" % (n % 600, n % 700, n % 600 + 50, n % 700) for n in range(20_000))
    return _pdf({**_simple(), 4: _stream(zlib.compress(WORDS + lines * 20), b"/Filter/FlateDecode")})


def cyclic_outline() -> bytes:
    objects = _simple()
    objects[1] = b"<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>"
    objects[6] = b"<</Type/Outlines/First 7 0 R/Last 8 0 R/Count 2>>"
    objects[7] = b"<</Title(a)/Parent 6 0 R/Next 8 0 R/First 7 0 R/Dest[3 0 R/Fit]>>"
    objects[8] = b"<</Title(b)/Parent 6 0 R/Next 7 0 R/Dest[3 0 R/Fit]>>"
    return _pdf(objects)


def deep_outline() -> bytes:
    objects = _simple()
    objects[1] = b"<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>"
    objects[6] = b"<</Type/Outlines/First 7 0 R>>"
    for number in range(7, 3007):
        objects[number] = b"<</Title(a)/First %d 0 R/Dest[3 0 R/Fit]>>" % (number + 1)
    objects[3007] = b"<</Title(end)>>"
    return _pdf(objects)


def cyclic_page_labels() -> bytes:
    objects = _simple()
    objects[1] = b"<</Type/Catalog/Pages 2 0 R/PageLabels 6 0 R>>"
    objects[6] = b"<</Kids[6 0 R 6 0 R]>>"
    return _pdf(objects)


def cyclic_name_tree_of_attachments() -> bytes:
    objects = _simple()
    objects[1] = b"<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles 6 0 R>>>>"
    objects[6] = b"<</Kids[6 0 R 6 0 R]>>"
    return _pdf(objects)


def cyclic_cross_references() -> bytes:
    whole = _pdf(_simple())
    start = int(whole.rsplit(b"startxref\n", 1)[1].split()[0])
    return whole.replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev %d" % start)


def references_to_themselves() -> bytes:
    return _pdf({**_simple(), 4: b"4 0 R", 5: b"6 0 R", 6: b"5 0 R"})


def billion_laughs() -> bytes:
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 12))
    xmp = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">%s]><x>&l11;</x>' % laughs
    objects = {**_simple(), 6: _stream(xmp, b"/Type/Metadata/Subtype/XML")}
    objects[1] = b"<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R>>"
    return _pdf(objects)


def lying_lengths() -> bytes:
    return _pdf({**_simple(), 4: b"<</Length 99999999999>>\nstream\n" + WORDS + b"\nendstream"})


def giant_object_number() -> bytes:
    return _pdf(_simple(), b"/Size 2147483647").replace(b"/Size 6", b"/Size 2147483646")


def image_of_a_terapixel() -> bytes:
    objects = _simple(b"/I Do", resources=b"/XObject<</I 6 0 R>>")
    size = b"/Type/XObject/Subtype/Image/Width 1000000/Height 1000000/BitsPerComponent 8/ColorSpace/DeviceRGB"
    objects[6] = _stream(zlib.compress(b"\0" * 100_000), size + b"/Filter/FlateDecode")
    return _pdf(objects)


def surrogates_in_titles() -> bytes:
    info = b"<</Title<FEFFD800>/Author<FEFFDC00D800>/Subject<FEFF0000>>>"
    return _pdf({**_simple(), 6: info}, b"/Info 6 0 R")


def surrogates_in_the_outline() -> bytes:
    objects = _simple()
    objects[1] = b"<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R/PageLabels<</Nums[0<</P<FEFFD800>>>]>>>>"
    objects[6] = b"<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 1>>"
    objects[7] = b"<</Title<FEFFDC000041>/Parent 6 0 R/Dest[3 0 R/Fit]>>"
    return _pdf(objects)


BOMBS: tuple[Callable[[], bytes], ...] = (
    flate_bomb, gigabyte_stream, deep_arrays, deep_dictionaries_in_content, deep_graphics_states, exponential_forms,
    form_that_draws_itself, huge_page_count, many_pages, exponential_page_tree, cyclic_page_tree, no_pages,
    huge_page_box, impossible_page_box, text_far_away, a_million_glyphs, a_million_rules, cyclic_outline, deep_outline,
    cyclic_page_labels, cyclic_name_tree_of_attachments, cyclic_cross_references, references_to_themselves,
    billion_laughs, lying_lengths, giant_object_number, image_of_a_terapixel, surrogates_in_titles,
    surrogates_in_the_outline,
)  # fmt: skip


MUST_FAIL = {flate_bomb, gigabyte_stream, exponential_forms, exponential_page_tree, many_pages}
MUST_OPEN = {
    form_that_draws_itself, deep_graphics_states, cyclic_outline, deep_outline, cyclic_name_tree_of_attachments,
    billion_laughs, image_of_a_terapixel, surrogates_in_titles, surrogates_in_the_outline,
}  # fmt: skip


def _outcome(store: PaperStore, path: Path) -> str:
    """The error's code, or "paper" for a Paper whose text can be written and whose boxes can be read."""
    try:
        paper = store.open(path)
    except (errors.UnreadableError, errors.LimitReachedError) as error:
        assert error.what
        assert error.next
        return error.code
    paper.text.encode()
    assert paper.pages
    assert paper.geometry.rows.shape == (len(paper.text), 4)
    paper.boxes(0, min(len(paper.text), 200))
    return "paper"


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.__name__)
def test_a_bomb_harms_nothing(store: PaperStore, good: bytes, bomb: Callable[[], bytes]) -> None:
    folder = store.roots[0]
    (folder / "bomb.pdf").write_bytes(bomb())
    outcome = _outcome(store, folder / "bomb.pdf")
    again = folder / f"after_{bomb.__name__}.pdf"
    again.write_bytes(good + b"\n%% " + bomb.__name__.encode())
    assert "92 K" in store.open(again).text
    if bomb in MUST_FAIL:
        assert outcome != "paper"
    if bomb in MUST_OPEN:
        assert outcome == "paper"
        assert "92 K" in store.open(folder / "bomb.pdf").text


def _encrypted(good: bytes, folder: Path) -> bytes:
    writer = pypdf.PdfWriter()
    writer.append(pypdf.PdfReader(folder / "good.pdf"))
    writer.encrypt("secret", algorithm="AES-256")
    writer.write(folder / "encrypted.pdf")
    return (folder / "encrypted.pdf").read_bytes()


def _office(part: str, text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(part, text)
    return out.getvalue()


def _image_only() -> bytes:
    objects = _simple(resources=b"/XObject<</I 6 0 R>>")
    objects[4] = _stream(b"612 0 0 792 0 0 cm /I Do")
    size = b"/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 8/ColorSpace/DeviceGray"
    objects[6] = _stream(bytes(range(64)), size)
    return _pdf(objects)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("encrypted", errors.EncryptedError),
        ("truncated", errors.DamagedError),
        ("image only", errors.ImageOnlyError),
        ("empty", errors.EmptySourceError),
        ("blank", errors.EmptySourceError),
        ("presentation", errors.UnknownFormatError),
        ("broken word document", errors.DamagedError),
        ("broken archive", errors.DamagedError),
        ("web page", errors.EmptySourceError),
        ("too many pages", errors.LimitReachedError),
    ],
)
def test_each_unreadable_file_gets_its_own_error(
    store: PaperStore, good: bytes, name: str, kind: type[errors.PinciteError]
) -> None:
    folder = store.roots[0]
    (folder / "good.pdf").write_bytes(good)
    sources: dict[str, Callable[[], bytes]] = {
        "encrypted": lambda: _encrypted(good, folder),
        "truncated": lambda: good[: len(good) // 3],
        "image only": _image_only,
        "empty": lambda: b"",
        "blank": lambda: _pdf({**_simple(), 4: _stream(b"")}),
        "presentation": lambda: _office("ppt/presentation.xml", "<p:presentation/>"),
        "broken word document": lambda: _office("word/document.xml", "<w:document/>"),
        "broken archive": lambda: b"PK\x03\x04" + bytes(2000),
        "web page": lambda: b"<!doctype html><title>Log in</title>",
        "too many pages": lambda: typst.compile(b"#for i in range(201) [x #pagebreak()]", format="pdf"),
    }
    path = folder / f"{name}.pdf"
    path.write_bytes(sources[name]())
    with pytest.raises(kind) as caught:
        store.open(path)
    assert type(caught.value) is kind
    assert caught.value.next
    assert "92 K" in store.open("good.pdf").text
