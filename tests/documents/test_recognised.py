"""Text that OCR read is marked wherever the server shows it."""

import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
import typst
from mcp import Client

from pincite_core.settings import Settings
from pincite_documents.server import create_server

SOURCE = """
#set page(width: 360pt, height: 300pt)
= Results
The sheet resistance fell by a factor of four after annealing, as Table 1 shows for three samples of the batch.
#figure(table(columns: 2, stroke: none, table.hline(), [Sample], [Resistance], table.hline(), [Alpha], [120],
  [Beta], [240], table.hline()), caption: [Resistance of two samples.])
"""


async def test_passages_hits_and_tables_say_that_ocr_read_them(tmp_path: Path, missing: Callable[[str], None]) -> None:
    if shutil.which("tesseract") is None:
        missing("no tesseract (apt install tesseract-ocr)")
    with pdfium.PdfDocument(typst.compile(SOURCE.encode())) as document:
        picture = document[0].render(scale=300 / 72, grayscale=True).to_pil()
    file = io.BytesIO()
    picture.save(file, "PDF", resolution=300)
    (tmp_path / "scan.pdf").write_bytes(file.getvalue())
    server = create_server(Settings(roots=(tmp_path,), cache_dir=tmp_path / "cache", parse_workers=1))
    async with Client(server) as client:

        async def ask(tool: str, **arguments: object) -> object:
            result = await client.call_tool(tool, {"paper": "scan.pdf", **arguments})
            assert not result.is_error, result.content
            return result.structured_content or result.content[0].text  # type: ignore[union-attr]

        opened = await ask("open_paper")
        assert any(warning.startswith("Page 1 was read by OCR") for warning in opened["warnings"])  # type: ignore[index]
        pages = await ask("read_pages", pages="1")
        assert "; OCR 0.9" in pages  # type: ignore[operator]
        hits = await ask("grep_paper", pattern="annealing")
        assert 0.8 < hits["hits"][0]["ocr"] <= 1  # type: ignore[index]
        table = await ask("read_table", table="1")
        assert 0.8 < table["ocr"] <= 1  # type: ignore[index]
        around = await ask("find_context", target="Table 1")
        assert all(0.8 < passage["ocr"] <= 1 for passage in around["passages"])  # type: ignore[index]
