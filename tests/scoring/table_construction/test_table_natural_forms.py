"""Forms that people and models write: what passes as a table, which row is which, and which cells say the same."""

from collections.abc import Callable
from typing import Any

import pytest

from pincite_scoring import Score
from pincite_scoring.table_construction.periods import year_of

CSV = "Model,Perplexity\nA1,24.6\nB2,19.0\n"
PASS: list[tuple[str, str, float | None]] = [
    # the text, and the cell F1 of what passes; None: it does not pass
    ("as it is", CSV, 1.0),
    ("byte order mark", "\ufeff" + CSV, 1.0),
    ("a fence", f"```csv\n{CSV}```\n", 1.0),
    ("a fence in prose", f"Here is the table, as asked.\n\n```\n{CSV}```\nIt has two rows.\n", 1.0),
    ("tabs", CSV.replace(",", "\t"), 1.0),
    ("semicolons", CSV.replace(",", ";"), 1.0),
    ("semicolons with commas in cells", 'Model;Perplexity\nA1;24.6\n"B2, large";19.0\n', 1 / 2),
    ("Markdown", "| Model | Perplexity |\n|:---|---:|\n| A1 | 24.6 |\n| B2 | 19.0 |\n", 1.0),
    ("a list in a cell", 'Model,Perplexity\nA1,"[""24.6"", ""1""]"\nB2,19.0\n', 1 / 2),
    ("a header alone", "Model,Perplexity\n", None),
    ("null", "null", None),
    ("an object", "{}", None),
    ("JSON", '{"Model": "A1", "Perplexity": 24.6}', None),
    ("JSON lines", '{"Model": "A1", "Perplexity": 24.6}\n{"Model": "B2", "Perplexity": 19.0}\n', None),
    ("a sentence", "I could not open the papers, so there is no table.", None),
    ("prose", "A1 reaches 24.6, as its paper says.\nB2 reaches 19.0, which is less.\n", None),
    ("prose without a stop", "Both papers report it, A1 first\nB2 is better, by five\n", None),
]


@pytest.mark.parametrize("compat", ["strict", "reference"])
def test_what_passes_as_a_table(compat: Any, mark: Callable[..., Score], table: Callable[..., Any]) -> None:
    gold = table("Model|Perplexity", ["A1", "24.6"], ["B2", "19.0"], keys="Model", numeric=["Perplexity"])
    wrong: list[str] = []
    for name, text, cell_f1 in PASS:
        scored = mark(gold, text, compat=compat)
        got = scored.metrics.get("cell_f1_given_pass")
        if compat == "reference" and cell_f1 is not None:
            continue
        if got is None if cell_f1 is not None else scored.status != "unscored":
            wrong.append(f"{name}: {scored.status}, {scored.reason}")
        elif cell_f1 is not None and got != pytest.approx(cell_f1):
            wrong.append(f"{name}: {got}")
    assert not wrong


NAMES: list[tuple[list[str], list[str], list[str]]] = [
    # keys of the gold, keys of the answer, gold keys that are found
    (["SlowGate"], ["SlowGate (ours)"], ["SlowGate"]),
    (["SlowGate"], ["SlowGate [12]"], ["SlowGate"]),
    (["SlowGate"], ["Slow-Gate (this work)"], ["SlowGate"]),
    (["SlowGate (ours)"], ["SlowGate"], ["SlowGate (ours)"]),
    (["PageFormer-L"], ["PageFormer-L (160M)"], ["PageFormer-L"]),
    (["PageFormer-L"], ["PageFormer-L (Smith et al., 2021)"], ["PageFormer-L"]),
    (["PlainLM + cache"], ["PlainLM plus cache (ours)"], ["PlainLM + cache"]),
    (["report_2022"], ["papers/report_2022.pdf"], ["report_2022"]),
    (["report_2022.pdf"], ["C:\\docs\\report_2022.pdf"], ["report_2022.pdf"]),
    (["甲公司2023"], ["甲公司2023.html"], ["甲公司2023"]),
    (["Slow Gates"], ["Slow Gates (Quist, 2024)"], ["Slow Gates"]),
    (["Braid-12"], ["Braid-12 (88 million weights)"], ["Braid-12"]),
    (["甲某盗窃案"], ["甲某盗窃案（2023）澜0102刑初88号"], ["甲某盗窃案"]),
    (["PlainLM", "PlainLM + cache"], ["PlainLM (without cache)", "PlainLM + cache"], ["PlainLM", "PlainLM + cache"]),
    (["Slow Gates (2021)"], ["Slow Gates (2022)"], []),
    (["PageFormer (80M)"], ["PageFormer (160M)"], []),
    (["PlainLM", "PlainLM + cache"], ["PlainLM (without gates)", "PlainLM + cache"], ["PlainLM + cache"]),
    # another thing in brackets, another size where both stand, another number, a plus at the end
    (["SlowGate"], ["SlowGate (no memory)"], []),
    (["SlowGate"], ["SlowGate-2 (ours)"], []),
    (["PageFormer (80M)", "PageFormer (160M)"], ["PageFormer (160M)"], ["PageFormer (160M)"]),
    (["PageFormer"], ["PageFormer (80M)", "PageFormer (160M)"], []),
    (["Layer 1-2"], ["Layer 12"], []),
    (["GPT"], ["GPT+"], []),
]


def test_which_row_is_which(mark: Callable[..., Score], table: Callable[..., Any]) -> None:
    wrong: list[str] = []
    for gold_keys, answer_keys, found in NAMES:
        gold = table("k|t", *([key, "x"] for key in gold_keys))
        answer = "k,t\n" + "".join(f'"{key}",x\n' for key in answer_keys)
        rows = [row["row"] for row in mark(gold, answer).records if row["status"] == "correct"]
        if rows != found:
            wrong.append(f"{gold_keys} by {answer_keys}: {rows}")
    assert not wrong


YEARS = [
    ("2022", "2022"),
    ("FY2022", "2022"),
    ("year ended 31 December 2022", "2022"),
    ("fiscal year ended March 31, 2022", "2022"),
    ("1 January 2022 to 31 December 2022", "2022"),
    ("2022-01-01 to 2022-12-31", "2022"),
    ("2022年1月1日至2022年12月31日", "2022"),
    ("2022年度", "2022"),
    ("截至2022年12月31日止年度", "2022"),
    ("Q1 2022", None),
    ("first half of 2022", None),
    ("2022年上半年", None),
    ("six months ended 30 June 2022", None),
    ("June 2022", None),
    ("2021-2022", None),
    ("2022 (restated)", None),
]


def test_the_year_of_a_period() -> None:
    assert [(text, year_of(text)) for text, _ in YEARS] == YEARS


CELLS: list[tuple[str, str, bool]] = [
    # other orders of a judgment on 甲某, as the gold has them and as an answer has them: whether they are the same
    ("违法所得三十八万元继续追缴，发还被害企业", "继续追缴甲某的违法所得人民币38万元，发还被害企业", True),
    ("责令退赔被害单位一万二千元", "责令被告人甲某退赔被害单位12,000元", True),
    ("无罪", "宣告被告人甲某无罪", True),
    ("有期徒刑二年三个月", "判处有期徒刑二年零三个月", True),
    ("诈骗罪", "犯诈骗罪", True),
    ("没收作案工具；禁止从事运输行业四年", "禁止从事运输行业4年；没收作案工具", True),
    ("违法所得三十八万元继续追缴，发还被害企业", "继续追缴乙某的违法所得38万元，发还被害企业", False),
    ("违法所得三十八万元继续追缴，发还被害企业", "违法所得八十三万元继续追缴，发还被害企业", False),
    ("违法所得三十八万元继续追缴，发还被害企业", "违法所得三十八万元继续追缴", False),
    ("违法所得予以追缴", "违法所得不予追缴", False),
    ("有期徒刑二年三个月", "有期徒刑三年二个月", False),
    ("有期徒刑二年", "拘役二年", False),
    ("故意伤害罪", "过失致人重伤罪", False),
    ("甲公司赔偿乙公司", "乙公司赔偿甲公司", False),
]


def test_chinese_clauses_say_the_same_in_another_order(mark: Callable[..., Score], table: Callable[..., Any]) -> None:
    wrong: list[str] = []
    for said, answer, same in CELLS:
        gold = table("案件名|被告|判项", ["甲某案", "甲某", said], keys="案件名|被告")
        score = mark(gold, f'案件名,被告,判项\n甲某案,甲某,"{answer}"\n').metrics["cell_f1"]
        if (score == 1) is not same:
            wrong.append(f"{said} / {answer}: {score}")
    assert not wrong


AMOUNTS: list[tuple[str, str, str, str, bool]] = [
    # gold column, gold cell, the answer's header and cell, whether they are the same
    ("Profit (CNY)", "10254770000", "Profit (CNY)", "10,254.77 million", True),
    ("Profit (CNY)", "10254770000", "Profit (CNY)", "10,254.8 million", True),
    ("Profit (CNY)", "10254770000", "Profit (CNY)", "102.5477亿元", True),
    ("Profit (CNY)", "1047709200", "Profit", "104,770.92万元", True),
    ("Profit (CNY)", "190558206.17", "Profit (CNY)", "190558206", True),
    ("Profit (CNY)", "186533000", "Profit (CNY)", "186533000.00000003", True),
    ("Profit (CNY)", "-318440000", "Profit / (loss) (CNY)", "(318,440,000)", True),
    ("Growth of profit (%)", "7.4", "Growth of profit over the year before (%)", "7.40", True),
    ("Growth of profit (%)", "7.4", "Profit growth on the previous year", "7.4%", True),
    ("Perplexity", "20.13", "Perplexity", "20.13 (perplexity)", True),
    ("Perplexity", "20.13", "Perplexity", "Perplexity: 20.13", True),
    ("Profit (CNY)", "10254770000", "Profit (CNY)", "10,254.78 million", False),
    ("Profit (CNY)", "10254770000", "Profit (CNY)", "10254780000", False),
    ("Profit (CNY)", "190558206.17", "Profit (CNY)", "190558206.71", False),
    ("Profit (CNY)", "190558206.17", "Profit (CNY)", "190558207", False),
    ("Perplexity", "20.13", "Perplexity", "20.13 (validation)", False),
    ("Perplexity", "20.13", "Perplexity", "20.31 (perplexity)", False),
]


def test_numbers_are_the_same_to_the_places_printed(mark: Callable[..., Score], table: Callable[..., Any]) -> None:
    wrong: list[str] = []
    for column, said, header, answer, same in AMOUNTS:
        gold = table(f"Company|{column}", ["Alder", said], keys="Company", numeric=[column])
        score = mark(gold, f'Company,"{header}"\nAlder,"{answer}"\n').metrics["cell_f1"]
        if (score == 1) is not same:
            wrong.append(f"{column} {said} / {header} {answer}: {score}")
    assert not wrong


BY_VALUES: list[tuple[str, str, str, bool]] = [
    # the answer's header and cells for a gold column "Debt per Worker" with 3 and 5: whether it is that column
    ("Debt of the average worker", "3", "5", False),
    ("Debt by each worker", "3", "5", True),
    ("Debt by each worker", "3", "6", False),
    ("Growth of debt by worker", "3", "5", False),
    ("Debt by worker in 2022", "3", "5", False),
    ("Total assets by worker", "3", "5", False),
    ("qwertz", "3", "5", False),
]


def test_a_column_that_no_name_finds_is_found_by_its_numbers(
    mark: Callable[..., Score], table: Callable[..., Any]
) -> None:
    wrong: list[str] = []
    columns = "k|Debt per Worker|Revenue"
    gold = table(columns, ["a", "3", "1"], ["b", "5", "2"], numeric=["Debt per Worker", "Revenue"])
    for header, first, second, found in BY_VALUES:
        score = mark(gold, f"k,{header},Revenue\na,{first},1\nb,{second},2\n")
        if (score.metrics["column_recall"] == 1) is not found:
            wrong.append(header)
    assert not wrong
