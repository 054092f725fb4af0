"""PDFs of our own whose print and text differ: a font that maps letters to others, and a scan with a bad text layer."""

import io
import zlib

import pypdfium2 as pdfium

PRINTED = (
    "The samples were cooled in zero field and the resistivity was measured on warming.",
    "The critical temperature of YBa2Cu3O7 is 92.4 K in this work.",
    "A second crystal of the same batch was kept in air and then in argon for a week.",
    "In the field of the magnet the transition is wide and the zero of the resistance is at 88.1 K.",
    "It is clear that the loss of oxygen at the surface of the crystal is the cause of this.",
    "We thank the staff of the laboratory for the use of the furnace and of the cryostat.",
    "The density of the pellet and the size of the grains are given in the table of the supplement.",
    "The error of the temperature is that of the sensor and of the rate of the ramp.",
    "All of the data in the figure are of the first run, and the second run is the same in all of it.",
    "To the best of our knowledge the value is the first of its kind in the field.",
)
TRUE_QUOTE = "The critical temperature of YBa2Cu3O7 is 92.4 K"


def shifted_font() -> bytes:
    """The printed page in a font whose ToUnicode map says the letter three further on: our text is not words."""
    pairs = b"".join(b"<%02x><%04x>" % (code, _shifted(code)) for code in range(32, 127))
    unicode_map = (
        b"/CMapName/A def begincmap 1 begincodespacerange<00><ff>endcodespacerange 95 beginbfchar %s endbfchar endcmap"
        % pairs
    )
    return _pdf(_drawn(PRINTED), b"/ToUnicode 7 0 R", {7: _stream(unicode_map)})


def bad_layer() -> bytes:
    """A picture of the page over invisible text in which OCR misread digits and letters."""
    with pdfium.PdfDocument(_pdf(_drawn(PRINTED))) as document:
        picture = document[0].render(scale=150 / 72, grayscale=True).to_pil()
    misread = [
        line.replace("92.4", "9Z.A").replace("temperature", "ternperature").replace("the", "tlie") for line in PRINTED
    ]
    entries = (
        b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode"
        % picture.size
    )
    image = _stream(zlib.compress(picture.tobytes()), entries)
    return _pdf(b"q 595 0 0 842 0 0 cm /I Do Q 3 Tr " + _drawn(misread), objects={8: image})


def clean() -> bytes:
    """The same page with a text that is its print."""
    return _pdf(_drawn(PRINTED))


def _shifted(code: int) -> int:
    letter = chr(code)
    if not letter.isalpha():
        return code
    base = ord("a") if letter.islower() else ord("A")
    return base + (code - base + 3) % 26


def _drawn(lines: "tuple[str, ...] | list[str]") -> bytes:
    texts = b"".join(b"(%s) Tj 0 -24 Td " % line.encode().replace(b"(", b"\\(") for line in lines)
    return b"BT /F 11 Tf 50 760 Td " + texts + b"ET"


def _stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)


def _pdf(content: bytes, font: bytes = b"", objects: "dict[int, bytes] | None" = None) -> bytes:
    image = b"/XObject<</I 8 0 R>>" if objects and 8 in objects else b""
    numbered = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources 6 0 R>>",
        4: _stream(content),
        5: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica%s>>" % font,
        6: b"<</Font<</F 5 0 R>>%s>>" % image,
        **(objects or {}),
    }
    file, places = io.BytesIO(b""), dict[int, int]()
    file.write(b"%PDF-1.7\n")
    for number, body in numbered.items():
        places[number] = file.tell()
        file.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start, size = file.tell(), max(numbered) + 1
    rows = [b"%010d 00000 n \n" % places[n] if n in places else b"0000000000 65535 f \n" for n in range(1, size)]
    file.write(b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, b"".join(rows)))
    file.write(b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, start))
    return file.getvalue()
