"""SOFC-Exp: frames become objects, offsets come through to the character, faults name file and line."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions, Reader, choose_dataset
from pincite_harness.curation.importing.plain_paper import make_plain_paper
from pincite_harness.curation.importing.sofc import read_sofc
from pincite_papers.html import parse_html
from pincite_scoring import Case, ScoringOptions
from pincite_scoring.record_filling.scorer import SCORER

PUBLISHED = Path(__file__).resolve().parents[3] / "shared" / "data" / "sofc-exp"

TEXT = (
    "Invented cells & what they gave.\n"
    "The anode of Ni–YSZ was tested at 700 °C; it gave 0.51 W/cm2.\n"
    "The same test at 750 °C is shown. Others reported 0.3 W/cm2 < ours.\n"
)
SENTENCES = ["Invented cells & what they gave.", *TEXT.splitlines()[1:]]


def lines(*rows: tuple[object, ...]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """One paper: two mentions of one experiment, one of previous work, one frame without slots."""

    def span(sentence: int, words: str) -> tuple[int, int, int]:
        start = SENTENCES[sentence - 1].index(words)
        return sentence, start, start + len(words)

    starts = [TEXT.index(sentence) for sentence in SENTENCES]
    ends = [start + len(sentence) for start, sentence in zip(starts, SENTENCES, strict=True)]
    spans = [
        ("EXPERIMENT:current_exp", "tested", 2),
        ("MATERIAL", "Ni–YSZ", 2),
        ("VALUE", "700 °C", 2),
        ("VALUE", "0.51 W/cm2", 2),
        ("EXPERIMENT:current_exp", "test", 3),
        ("VALUE", "750 °C", 3),
        ("EXPERIMENT:previous_work", "reported", 3),
        ("VALUE", "0.3 W/cm2", 3),
        ("EXPERIMENT:general_info", "shown", 3),
    ]
    rows = [("SPAN", i, label, *span(sentence, words)) for i, (label, words, sentence) in enumerate(spans, start=1)]
    frames = lines(
        *rows,
        ("EXPERIMENT", 1, 1),
        ("", "anode_material", 2),
        ("", "working_temperature", 3),
        ("", "power_density", 4),
        ("EXPERIMENT", 2, 5),
        ("", "working_temperature", 6),
        ("EXPERIMENT", 3, 7),
        ("", "power_density", 8),
        ("EXPERIMENT", 4, 9),
        ("LINK", "same_experiment", 5, 1),
        ("LINK", "thickness", 2, 3),
    )
    files = {
        "texts/X1.txt": TEXT,
        "annotations/frames/X1.csv": frames,
        "annotations/sentences/X1.csv": lines(*zip((1, 2, 3), (1, 1, 1), starts, ends, strict=True)),
        "SOFC-Exp-Metadata.csv": "Document title\tDOI\tname\tlicense\nInvented cells\t10.9999/x\tX1\tCC BY\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def test_frames_of_one_experiment_are_one_object(corpus: Path) -> None:
    entry = next(read_sofc(corpus, ImportOptions()))
    gold: Any = entry.record.gold
    assert [{k: v for k, v in each.items() if k != "evidence"} for each in gold["objects"]] == [
        {
            "experiment_type": "current_exp",
            "anode_material": ["Ni–YSZ"],
            "working_temperature": ["700 °C", "750 °C"],
            "power_density": ["0.51 W/cm2"],
        },
        {"experiment_type": "previous_work", "power_density": ["0.3 W/cm2"]},
    ]
    assert entry.record.metadata["title"] == "Invented cells"
    assert entry.record.metadata["doi"] == "10.9999/x"


def test_offsets_come_through_and_back(corpus: Path) -> None:
    entry = next(read_sofc(corpus, ImportOptions()))
    page = entry.sources["papers/X1.html"]
    assert isinstance(page, bytes)
    paper = parse_html(page, max_pages=1)
    gold: Any = entry.record.gold
    for each in gold["objects"]:
        for piece in each["evidence"]:
            assert paper.text[piece["start"] : piece["end"]] == piece["quote"]
    mapped = make_plain_paper("Invented cells", TEXT).map("texts/X1.txt")
    for place, start, length in mapped["segments"]:
        assert paper.text[place : place + length] == TEXT[start : start + length]
    assert sum(length for _, _, length in mapped["segments"]) >= len("".join(TEXT.split()))


def test_gold_gets_full_marks_with_its_spans(corpus: Path) -> None:
    entry = next(read_sofc(corpus, ImportOptions()))
    page = entry.sources["papers/X1.html"]
    assert isinstance(page, bytes)
    papers = {"X1.html": parse_html(page, max_pages=1)}
    case = Case(entry.record.gold, entry.record.gold, papers, entry.record.inputs.parameters)
    assert [problem for problem in SCORER.check(case) if problem.fatal] == []
    metrics = SCORER.score(case, ScoringOptions()).metrics
    assert (metrics["overall"], metrics["span_f1"], metrics["evidence_verified"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("name", "change", "seen"),
    [
        ("frames", lambda text: text.replace("SPAN\t2\t", "SPAN\t2"), "X1.csv:2"),
        ("frames", lambda text: text.replace("\tMATERIAL\t2\t", "\tMATERIAL\t9\t"), "X1.csv:2"),
        ("frames", lambda text: text + "WHAT\t1\n", "X1.csv:21"),
        ("frames", lambda text: text + "EXPERIMENT\t9\t99\n", "spans that it does not define"),
        ("sentences", lambda text: text.replace("\t1\t", "\tone\t", 1).replace("1\t", "1 ", 1), "X1.csv:1"),
    ],
)
def test_a_fault_names_file_and_line(
    corpus: Path, name: str, change: Callable[[str], str], seen: str, faults: Callable[[Reader, Path], str]
) -> None:
    path = corpus / "annotations" / name / "X1.csv"
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    assert seen in faults(read_sofc, corpus)


def test_what_is_left_out_is_said(corpus: Path) -> None:
    (corpus / "annotations" / "frames" / "X0.csv").write_text("", encoding="utf-8")
    notes: list[str] = []
    assert len(list(read_sofc(corpus, ImportOptions(note=notes.append)))) == 1
    assert len(notes) == 1
    assert "X0" in notes[0]


def test_another_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="annotations/frames"):
        list(read_sofc(tmp_path, ImportOptions()))


def test_a_text_that_does_not_come_through_is_an_error() -> None:
    with pytest.raises(BadInputError, match="does not come through"):
        make_plain_paper("Title", "A word and a \x00 that no page can hold.")


def test_the_folder_tells_which_data_set_it_is(corpus: Path) -> None:
    assert choose_dataset("record_filling", None, corpus).name == "sofc-exp"


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published corpus is not here (../shared/data/sofc-exp)")
def test_the_published_papers_import_with_every_offset() -> None:
    entries: list[DatasetEntry] = list(islice(read_sofc(PUBLISHED, ImportOptions()), 6))
    spans = 0
    for entry in entries:
        gold: Any = entry.record.gold
        name = entry.record.inputs.papers[0]
        page = entry.sources[name]
        assert isinstance(page, bytes)
        text = parse_html(page, max_pages=1).text
        for each in gold["objects"]:
            for piece in each["evidence"]:
                assert text[piece["start"] : piece["end"]] == piece["quote"]
                spans += 1
    assert spans > 600
