"""Answers that are no tables, gold that is wrong, and the task types."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError, MissingExtraError
from pincite_harness.curation.importing.aoe_config import read_config
from pincite_papers.html.page import parse_html
from pincite_papers.model import Paper
from pincite_scoring import Case, Score, ScoringOptions
from pincite_scoring.table_construction.formulas import compute
from pincite_scoring.table_construction.scorer import SCORER
from pincite_scoring.table_construction.task_types import task_types

PUBLISHED = Path(__file__).resolve().parents[4] / "shared" / "data" / "aoe" / "task_config.yaml"


Change = Callable[[dict[str, Any]], object]
WRONG: list[tuple[Change, str]] = [
    (lambda g: g["rows"][0].update({"Margin (%)": "12.4"}), "gives 12.5, the cell holds '12.4'"),
    (lambda g: g["rows"][0].update({"Margin (%)": ""}), "gives 12.5, the cell holds ''"),
    (lambda g: g["rows"][0].update({"k": ""}), "a part of the key is empty"),
    (lambda g: g["rows"].append({**g["rows"][0], "k": "ALDER.pdf"}), "record 0 has the same key"),
    (
        lambda g: g["evidence"][0].update(quote="Revenue came to RMB 1.3 million in 2023."),
        "does not stand in a.html",
    ),
    (lambda g: g["rows"][0].update({"Revenue (CNY)": "1300000", "Margin (%)": "11.54"}), "does not print 1300000"),
    (lambda g: g["evidence"][0].update(paper="b.html"), "there is no paper 'b.html'"),
    (lambda g: g["evidence"][0].update(name="Sales"), "of no column and of no input"),
    (lambda g: g["evidence"][0].update(row=7), "of a row that is not there"),
    (lambda g: g.update(derived={"Margin (%)": "100 * {Profit}"}), "names what the row does not have. Profit"),
    (lambda g: g.update(derived={"Margin (%)": "__import__('os')"}), "is no formula"),
    (lambda g: g.update(keys=["x"]), "keys names no column: x"),
    (lambda g: g.update(rows=[]), "rows"),
    (lambda g: g["rows"][0].pop("k"), "row 0 has other columns: k"),
]


@pytest.fixture
def paper() -> Paper:
    page = b"<html><body><article><h1>Alder 2023</h1><p>Revenue came to RMB 1.2 million in 2023.</p>"
    table = b"<table><tr><td>Net profit</td><td>150</td><td>120</td></tr></table></article></body></html>"
    return parse_html(page + table, max_pages=5)


@pytest.fixture
def sound(table: Callable[..., Any]) -> dict[str, Any]:
    gold = table("k|Revenue (CNY)|Net profit (CNY)|Margin (%)", ["alder", "1200000", "150000", "12.5"])
    gold["numeric"] = gold["columns"][1:]
    gold["derived"] = {"Margin (%)": "100 * {Net profit (CNY)} / {Revenue (CNY)}"}
    gold["evidence"] = [
        {"row": 0, "name": "Revenue (CNY)", "paper": "a.html", "quote": "Revenue came to RMB 1.2 million in 2023."},
        {"row": 0, "name": "Net profit (CNY)", "paper": "a.html", "quote": "Net profit 150 120"},
    ]
    return gold


def problems(gold: dict[str, Any], paper: Paper, *, fatal: bool = True, **parameters: Any) -> list[str]:
    found = SCORER.check(Case(None, gold, {"a.html": paper}, parameters))
    return [str(problem) for problem in found if problem.fatal is fatal]


def test_sound_gold_has_no_problem(sound: dict[str, Any], paper: Paper) -> None:
    assert problems(sound, paper) == problems(sound, paper, fatal=False) == []


@pytest.mark.parametrize(("change", "says"), WRONG)
def test_wrong_gold_is_told_of(sound: dict[str, Any], paper: Paper, change: Change, says: str) -> None:
    change(sound)
    assert any(says in problem for problem in problems(sound, paper)), problems(sound, paper)


def test_what_may_be_meant_is_noted(sound: dict[str, Any], paper: Paper) -> None:
    sound["rows"].append({**sound["rows"][0], "k": "alderr", "Revenue (CNY)": "much", "Margin (%)": ""})
    notes = problems(sound, paper, fatal=False)
    assert any("a key much like it" in note for note in notes)
    assert any("'much' is not a number" in note for note in notes)


def test_an_online_task_names_its_documents(sound: dict[str, Any], paper: Paper) -> None:
    sound.pop("evidence")
    assert problems(sound, paper, mode="online") == ["gold, documents: an online task names no documents"]
    assert problems(sound, paper, mode="online", documents=["a"]) == []
    assert "is none of" in problems(sound, paper, mode="sometimes")[0]


def test_a_formula_is_arithmetic_and_exact() -> None:
    values = {"a": "1", "b": "3", "c": "", "z": "0", "m": "1.5 million"}
    assert compute("100 * ({a} / {b} - 1)", values) == pytest.approx(-66.6666666)
    assert compute("-{a} + 2.5", values) == 1.5
    assert compute("{m} / 2", values) == 750_000
    assert compute("{a} / {z}", values) is compute("{a} + {c}", values) is None
    for formula in ("{a} ** {b}", "{a}.real", "a", "{a} +", "(" * 90 + "1"):
        with pytest.raises(BadInputError):
            compute(formula, values)


@pytest.mark.parametrize(
    "answer",
    ["", "   \n", "a,b\n1,2,3\n", 'a,b\n"1,2\n', "a,b\n1,2\n1,2,3\n", 42, {"rows": []}],
    ids=["empty", "blank", "long rows", "open quote", "one long row", "number", "object"],
)
def test_an_answer_that_is_no_table_is_invalid(
    answer: Any, mark: Callable[..., Score], table: Callable[..., Any]
) -> None:
    scored = mark(table("a|b", ["1", "2"], keys="a"), answer)
    assert scored.status == "unscored"
    assert (scored.reason or "").startswith("invalid_answer")


@pytest.mark.parametrize("compat", ["strict", "reference"])
@pytest.mark.parametrize(
    "answer",
    [
        "k,t\n" + "a,b\n" * 20_001,
        ",".join(f"c{n}" for n in range(5_000)) + "\n" + ",".join("x" * 5_000) + "\n",
        "k,t\na," + "(" * 100_000 + "\n",
        "k,t\na," + "1" * 100_000 + "\n",
        'k,t\na,"' + "[" * 50_000 + '"\n',
        "k,k,t\na,b,c\n",
        "\x00k,t\na,b\n",
        "k,t\n=1+1,\u202eb\n",
    ],
    ids=["many rows", "wide", "brackets", "digits", "nested list", "twice a header", "nul", "turned"],
)
def test_a_hostile_table_is_scored_low_or_refused(
    answer: str, compat: Any, mark: Callable[..., Score], table: Callable[..., Any]
) -> None:
    scored = mark(table("k|t", ["a", ["one", "two"]], ["c", "5 boxes"]), answer, compat=compat)
    assert scored.status == "unscored" or (scored.metrics["cell_f1"] or 0) < 0.5


def test_a_missing_pandas_is_answered_with_its_install_line(
    mark: Callable[..., Score], table: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pincite\[scoring\]"):
        mark(table("k|t", ["a", "b"]), "k,t\na,b\n")


def test_a_table_without_gold_is_unscored_and_broken_gold_an_error() -> None:
    assert SCORER.score(Case("a\n1\n", None), ScoringOptions()).status == "unscored"
    with pytest.raises(BadInputError):
        SCORER.score(Case("a\n1\n", {"columns": ["a"], "keys": ["a"], "rows": [{"a": "1"}]}), ScoringOptions())


def test_all_eleven_types_stand_in_both_languages() -> None:
    names = {"academic_0", "academic_1", "legal_0", "legal_1", *(f"financial_{n}" for n in range(7))}
    for types in task_types().values():
        assert set(types) == names
        for each in types.values():
            asked = each.ask(subject="X", metric="Y", dataset="Z")
            assert not any(column in asked for column in each.columns if " " in column or "(" in column)
            assert set(each.numeric) | set(each.lists) | set(each.derived) <= set(each.values)


def test_the_types_are_those_of_the_published_configuration() -> None:
    if not PUBLISHED.is_file():
        pytest.skip("the published task_config.yaml is not here (../shared/data/aoe)")
    notes: list[str] = []
    config = read_config(PUBLISHED, notes.append)
    assert sum(len(types) for types in config.values()) == 18
    for language, types in config.items():
        for name, columns in types.items():
            ours = task_types()[language][name]
            assert (ours.keys, ours.values, ours.numeric) == (
                list(columns.keys),
                list(columns.values),
                list(columns.numeric),
            )
    assert len(notes) == 1
    assert '剥夺政治权利"' in notes[0]
