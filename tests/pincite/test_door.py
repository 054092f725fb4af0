"""The Python door: a paper opened from a file, from bytes and asynchronously; its parts with their places."""

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from parts.sign_fonts import SignFont, print_lines

import pincite

ROOT = Path(__file__).parents[2]
PAPER = ROOT / "tasks/literature_qa/papers/perovskite_ageing.pdf"
HTML = ROOT / "tests/papers/html_pages/elife.html"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pincite.Session]:
    with pincite.Session(pincite.Settings(cache_dir=tmp_path_factory.mktemp("cache"))) as made:
        yield made


@pytest.fixture(scope="module")
def paper(session: pincite.Session) -> pincite.Paper:
    return session.open(PAPER)


def test_the_examples_of_the_documentation_hold() -> None:
    # In a process of its own: ``open_paper`` keeps its workers as long as the process lives.
    command = [sys.executable, "-m", "doctest", "-v", "docs/python.md", "docs/start.md"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed and 0 failed" in done.stdout


def test_every_place_names_its_own_text(paper: pincite.Paper) -> None:
    passages = [*paper.find("rubidium"), *paper.grep(r"[\d.]+ eV")]
    assert len(passages) > 5
    for passage in passages:
        assert paper.text[passage.locator.start : passage.locator.end] == passage.text
        assert paper.passage(passage.locator) == passage
        assert passage.page == 1
    assert [cell.locator.quote for cell in paper.tables[0].cells] == [cell.text for cell in paper.tables[0].cells]
    assert [one.title for one in paper.sections] == ["Introduction", "Methods", "Results", "Conclusion", "References"]
    assert paper.sections[1].text.startswith("2 Methods")
    assert paper.references[0].text.startswith("[1] R. Yilmaz")


def test_bytes_are_read_and_drawn_like_a_file(session: pincite.Session, paper: pincite.Paper) -> None:
    given = session.open(PAPER.read_bytes())
    assert (given.id, given.text) == (paper.id, paper.text)
    assert given.figures[0].crop(max_side=300).tobytes() == paper.figures[0].crop(max_side=300).tobytes()


async def test_open_without_blocking_the_event_loop(session: pincite.Session, paper: pincite.Paper) -> None:
    assert (await session.open_async(str(PAPER))).id == paper.id
    assert session.open(paper.id).title == paper.title


def test_a_source_without_pages(session: pincite.Session) -> None:
    page = session.open(HTML)
    assert (page.pages, page.format, page.tables[0].cell(1, 1).locator.page) == ([], "html", None)
    with pytest.raises(pincite.NotFoundError, match="only named there"):
        page.figures[0].crop()


def test_tables_as_a_data_frame(paper: pincite.Paper) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is missing: pip install 'pincite[scoring]'")
    frame = paper.tables[0].to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["Absorber", "Gap (eV)", "Efficiency, fresh (%)", "after 600 h (%)"]
    assert list(frame["Gap (eV)"]) == ["1.51", "1.54", "1.63", "1.65"]
    assert paper.tables[0].to_markdown().splitlines()[1] == "| --- | --- | --- | --- |"


def test_names_of_columns_under_a_spanner_are_joined(session: pincite.Session) -> None:
    pytest.importorskip("pandas", reason="pandas is missing: pip install 'pincite[scoring]'")
    cathodes = session.open(ROOT / "tasks/property_extraction/papers/lscf_cathode.pdf").table("Table 1")
    assert cathodes.header_rows == 2
    assert list(cathodes.to_pandas().columns)[:3] == ["Cathode", "ASR (Ω cm^2) 600 °C", "ASR (Ω cm^2) 650 °C"]


def test_unreliable_characters_are_marked_in_all_that_is_shown(session: pincite.Session) -> None:
    line = "The wave has λ and the angle θ, both with the shift δ of 3.5 mm in the spectrum."
    font = SignFont("Scrambled", "DejaVuSansMono.ttf", {"%": "λ", "x": "θ", "b": "δ"})
    paper = session.open(print_lines([line], font))
    shown = "The wave has ⁅λ⁆ and the angle ⁅θ⁆, both with the shift ⁅b⁆ of 3.5 mm in the spectrum."
    read = "3 characters, read as λ, θ, b"
    assert f"unreliable: {read}] {shown}" in paper.read()
    (block,) = [one for one in paper.blocks() if one.unreliable]
    assert (block.marked, block.text, block.unreliable) == (shown, paper.text[block.start : block.end], read)
    (exported,) = [one for one in paper.to_dict()["blocks"] if "unreliable" in one]
    assert (exported["text"], exported["unreliable"]) == (shown, read)
    assert shown in paper.to_html()
    assert shown in paper.pages[0].marked
    (hit,) = paper.find("angle ⁅θ⁆")
    assert (hit.text, hit.marked) == ("angle θ", "angle ⁅θ⁆")
    assert paper.verify_quote("with the shift ⁅b⁆ of 3.6 mm in the spectrum").paper_says.startswith(
        "with the shift ⁅b⁆"
    )


def test_bad_input_says_what_to_do(session: pincite.Session, paper: pincite.Paper, tmp_path: Path) -> None:
    archive = tmp_path / "empty.zip"
    zipfile.ZipFile(archive, "w").close()
    with pytest.raises(pincite.UnreadableError):
        session.open(archive)
    with pytest.raises(pincite.NotFoundError):
        session.open(tmp_path / "nothing.pdf")
    with pytest.raises(pincite.BadInputError, match="bytes"):
        session.open(7)  # type: ignore[arg-type]
    with pytest.raises(pincite.BadInputError, match="another paper"):
        paper.passage("pc:00000000#p1:0-5")
    with pytest.raises(pincite.BadInputError, match="no cell"):
        paper.tables[0].cell(99, 0)
    with pytest.raises(pincite.BadInputError, match="inside the figure"):
        paper.figures[0].crop((0, 0, 2, 1))
    with pytest.raises(pincite.NotFoundError):
        paper.table("Table 9")
