"""The bundled figure_analysis: its sources give its papers, files and records, and the pictures show whole figures."""

import json
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image

from pincite_papers.pdf.parse import parse_pdf

REPOSITORY = Path(__file__).parents[2]
FAMILY = REPOSITORY / "tasks" / "figure_analysis"
NUMBER = re.compile(r"\d+(?:\.\d+)?")


@pytest.fixture(scope="module")
def built(module_at: Callable[[Path], ModuleType], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The family as the script makes it."""
    module_at(REPOSITORY / "scripts" / "build_task_papers.py")
    script = module_at(REPOSITORY / "scripts" / "build_figure_tasks.py")
    out = tmp_path_factory.mktemp("family")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["build_figure_tasks.py", "--out", str(out)])
        script.main()
    return out


def test_the_sources_give_the_bundled_records_and_papers(built: Path) -> None:
    assert (built / "records.jsonl").read_bytes() == (FAMILY / "records.jsonl").read_bytes()
    for kind in ("papers", "files"):
        assert {path.name for path in (built / kind).iterdir()} == {path.name for path in (FAMILY / kind).iterdir()}
    for path in (FAMILY / "papers").iterdir():
        texts = [parse_pdf(file.read_bytes(), max_pages=5).text for file in (path, built / "papers" / path.name)]
        assert texts[0] == texts[1], path.name
    for path in (FAMILY / "files").glob("*.csv"):
        assert path.read_bytes() == (built / "files" / path.name).read_bytes()


def test_hard_tasks_are_what_the_truth_gives(module_at: Callable[[Path], ModuleType]) -> None:
    """Their numbers follow from the truth of the paper, which bears every claim that can be checked."""
    for name in ("hard_truth", "build_hard_tables"):
        module_at(REPOSITORY / "scripts" / f"{name}.py")
    content, faults = module_at(REPOSITORY / "scripts" / "build_hard_analyses.py").records(None)
    assert faults == []
    assert content == (FAMILY / "records-hard.jsonl").read_bytes()
    assert len(content.splitlines()) >= 10


def test_a_claim_that_the_truth_denies_stops_the_build(module_at: Callable[[Path], ModuleType]) -> None:
    for name in ("hard_truth", "build_hard_tables"):
        module_at(REPOSITORY / "scripts" / f"{name}.py")
    module = module_at(REPOSITORY / "scripts" / "build_hard_analyses.py")
    scope = module.Scope(module.truth_of("alloy_states"), {"let": {"c": "col('cast','yield strength')"}})
    claim = {"text": "A1 is the strongest.", "subject": ["A1"], "relation": ["highest"]}
    assert module.make_claim(scope, {**claim, "check": "c['A1'] == min(c.values())"}) == claim
    with pytest.raises(ValueError, match="A1 is the strongest"):
        module.make_claim(scope, {**claim, "check": "c['A1'] == max(c.values())"})


@pytest.mark.parametrize("picture", sorted((FAMILY / "files").glob("*.png")), ids=lambda path: path.stem)
def test_a_picture_cuts_nothing_off(picture: Path) -> None:
    """Its rim is white but for the frame of the chart: neither an axis label nor the caption reaches it."""
    with Image.open(picture) as image:
        grey = image.convert("L")
    width, height = grey.size
    rims = [(0, 0, 3, height), (width - 3, 0, width, height), (0, 0, width, 3)]
    assert all(min(grey.crop(rim).tobytes()) > 200 for rim in rims)


RECORDS = [json.loads(line) for line in (FAMILY / "records.jsonl").read_text("utf-8").splitlines()]
DERIVED = {
    "sparse_router-table-1": {
        "3.5": 78.4 - 74.9, "0.5": 78.6 - 78.1, "0.9": 80.1 - 79.2, "0.8": 11.4 - 10.6, "1.7": 80.1 - 78.4,
        "39": 100 * (41 - 25) / 41,
    },
    "sparse_router-figure-1": {"10": 10, "3.5": 64.8 - 61.2},
    "wound_gel-figure-1": {"3.1": 3.1},
    "wound_gel-both": {"2.5": 21.4 - 18.9, "4.2": 21.4 - 17.2},
    "selenide_heat-table-1": {
        "36": 100 * (1 - 3.10 / 4.85), "3.5": 100 * (1 - 3010 / 3120), "39": 100 * (1 - 1.21 / 1.98),
        "28": 100 * (1 - 1.08 / 1.49), "52": 100 * (1 - 2.31 / 4.85), "25": 100 * (1 - 1.49 / 1.98),
        "11": 100 * (1 - 1.08 / 1.21),
    },
    "selenide_heat-figure-1": {"14": 14.2, "1.3": 1.32, "1.1": 1.08},
    "reef_closure-table-1": {"3.3": 700 / 210, "14": 33 - 19},
    "fare_floor-table-1": {"12.5": 100 * (math.exp(0.118) - 1)},
    "fare_floor-figure-1": {"103": 103.0, "105": 104.8, "110": 110.1},
}  # fmt: skip
"""Numbers of the gold that its paper does not print: how each follows from the data, or what it is in the figure."""


@pytest.mark.parametrize("task", RECORDS,
                         ids=lambda task: task["task_id"])  # fmt: skip
def test_numbers_of_the_gold_stand_in_the_paper_or_follow_from_it(task: dict[str, Any]) -> None:
    paper = parse_pdf((FAMILY / task["inputs"]["papers"][0]).read_bytes(), max_pages=5)
    derived = DERIVED.get(task["task_id"], {})
    said = set(NUMBER.findall(task["gold"]["analysis"]))
    assert said - set(NUMBER.findall(paper.text)) == set(derived)
    for printed, value in derived.items():
        decimals = len(printed.partition(".")[2])
        read_off = 0.03 * value if f"about {printed}" in task["gold"]["analysis"] else 0.0
        assert abs(float(printed) - value) <= max(0.51 * 10**-decimals, read_off), printed
