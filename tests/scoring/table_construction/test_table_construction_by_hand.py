"""Scores worked out by hand, the arithmetic beside each."""

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest

from pincite_scoring import Score

NUMBERS: dict[str, Any] = {
    "columns": ["Company", "Revenue (CNY)", "Margin (%)"],
    "keys": ["Company"],
    "numeric": ["Revenue (CNY)", "Margin (%)"],
    "rows": [
        {"Company": "Alder", "Revenue (CNY)": "1,200,000", "Margin (%)": "12.5"},
        {"Company": "Birch", "Revenue (CNY)": "3400000", "Margin (%)": "-3.2"},
    ],
}
LISTS: dict[str, Any] = {
    "columns": ["案件名", "关联索引"],
    "keys": ["案件名"],
    "lists": ["关联索引"],
    "rows": [
        {"案件名": "甲案", "关联索引": ["第14条", "第39条", "第40条"]},
        {"案件名": "乙案", "关联索引": []},
    ],
}
CODES: dict[str, Any] = {
    **LISTS,
    "rows": [
        {"案件名": "甲案", "关联索引": ["《民法》第14条", "《民法》第39条", "《民法》第40条"]},
        {"案件名": "乙案", "关联索引": ["《民法》第14条", "《民法》第39条"]},
    ],
}
TEXTS: dict[str, Any] = {
    "columns": ["案件名", "被告", "刑期", "其他判决"],
    "keys": ["案件名", "被告"],
    "rows": [
        {"案件名": "丙抢劫案", "被告": "丙某", "刑期": "有期徒刑四年", "其他判决": "无"},
        {"案件名": "丙抢劫案", "被告": "丁某", "刑期": "有期徒刑二年六个月", "其他判决": "禁止从事运输行业四年"},
    ],
}
PHRASES: dict[str, Any] = {
    "columns": ["id", "what"],
    "keys": ["id"],
    "rows": [{"id": "a1", "what": "red widget model x with two spare blue batteries"}],
}
DERIVED: dict[str, Any] = {
    "columns": ["Company", "Profit (CNY)", "Revenue (CNY)", "Margin (%)"],
    "keys": ["Company"],
    "numeric": ["Profit (CNY)", "Revenue (CNY)", "Margin (%)"],
    "rows": [{"Company": "Alder", "Profit (CNY)": "1", "Revenue (CNY)": "3", "Margin (%)": "33.33"}],
    "derived": {"Margin (%)": "100 * {Profit (CNY)} / {Revenue (CNY)}"},
}
CASE_HEAD, FIRST = "案件名,被告,刑期,其他判决\n", "丙抢劫案,丙某,有期徒刑四年,\n"
BAN = ",禁止从事运输行业四年\n"
SUMS = "Company,Profit (CNY),Revenue (CNY),Margin (%)\n"
HEAD = "Company,Revenue (CNY),Margin (%)\n"
ALDER, BIRCH = 'Alder,"1,200,000",12.5\n', "Birch,3400000,-3.2\n"

CASES: list[tuple[str, dict[str, Any], str, dict[str, float]]] = [
    # 4 of 4 cells, 2 of 2 rows, 3 of 3 columns
    ("all right", NUMBERS, HEAD + ALDER + BIRCH, {"cell_f1": 1.0, "row_f1": 1.0, "column_f1": 1.0, "pass": 1.0}),
    # 3 of 4 cells: P = R = 3/4
    ("one number wrong", NUMBERS, HEAD + ALDER + "Birch,3500000,-3.2\n", {"cell_precision": 0.75, "cell_f1": 0.75}),
    # rows: P 1/1, R 1/2, F1 2/3; cells: P 2/2, R 2/4, F1 2/3
    (
        "one row missing",
        NUMBERS,
        HEAD + ALDER,
        {"row_f1": 2 / 3, "cell_precision": 1.0, "cell_recall": 0.5, "cell_f1": 2 / 3},
    ),
    # rows: P 2/3, R 1, F1 4/5; cells: P 4/6, R 4/4, F1 4/5
    (
        "one row too many",
        NUMBERS,
        HEAD + ALDER + BIRCH + "Cedar,1,1\n",
        {"row_f1": 0.8, "cell_precision": 2 / 3, "cell_f1": 0.8},
    ),
    # a key twice: the first is matched, the second extra: P 4/6 again
    ("a row twice", NUMBERS, HEAD + ALDER + BIRCH + "Birch,0,0\n", {"row_precision": 2 / 3, "cell_f1": 0.8}),
    # column R 2/3, P 2/2, F1 4/5; cells 2 of 4
    (
        "one column missing",
        NUMBERS,
        "Company,Revenue (CNY)\nAlder,1200000\nBirch,3400000\n",
        {"column_f1": 0.8, "cell_f1": 0.5, "cell_score": 0.5},
    ),
    # column P 3/4, R 1, F1 6/7; cells untouched
    (
        "one column too many",
        NUMBERS,
        "Company,Revenue (CNY),Margin (%),x\nAlder,1200000,12.5,\nBirch,3400000,-3.2,\n",
        {"column_f1": 6 / 7, "cell_f1": 1.0},
    ),
    # no key column: no row can be told from another
    (
        "no key column",
        NUMBERS,
        "Revenue (CNY),Margin (%)\n1200000,12.5\n3400000,-3.2\n",
        {"row_f1": 0.0, "cell_f1": 0.0, "column_recall": 2 / 3},
    ),
    # 1.2 million = 1,200,000; 340 万 = 3,400,000; % sign and loss in brackets
    ("units in cells", NUMBERS, HEAD + "Alder,RMB 1.2 million,12.5%\nBirch,340万元,(3.2)\n", {"cell_f1": 1.0}),
    # 120 x 10,000 and 340 x 10,000, from the header; fraction of a header in Chinese aligned by the lexicon
    (
        "units in headers",
        NUMBERS,
        "Company,营业收入(万元),Margin (%)\nAlder,120,12.5\nBirch,340,-3.2\n",
        {"cell_f1": 1.0, "column_f1": 1.0},
    ),
    # 1.2 thousand is not 1.2 million; dollars are not yuan: 2 of 4
    ("wrong units", NUMBERS, HEAD + "Alder,1.2 thousand,12.5\nBirch,$3400000,-3.2\n", {"cell_f1": 0.5}),
    # another digit is another number, though |1,200,011 - 1,200,000| = 11 <= 1e-6 + 1e-5 x 1,200,011 = 12.00
    ("another digit", NUMBERS, HEAD + "Alder,1200011,12.5\n" + BIRCH, {"cell_f1": 0.75}),
    # 3.400 million is 3,400,000; 3.39999 million is 10 off, and no rounding of it
    ("places printed", NUMBERS, HEAD + ALDER + "Birch,3.400 million,-3.20\n", {"cell_f1": 1.0}),
    ("places beyond", NUMBERS, HEAD + ALDER + "Birch,3.39999 million,-3.2\n", {"cell_f1": 0.75}),
    # 12.5 per cent is not 0.125 in a column of per cent
    ("a fraction for a percentage", NUMBERS, HEAD + 'Alder,"1,200,000",0.125\n' + BIRCH, {"cell_f1": 0.75}),
    # an empty cell for a number: 3 of 4
    ("an empty cell", NUMBERS, HEAD + "Alder,,12.5\n" + BIRCH, {"cell_f1": 0.75}),
    # lists: 1 of 3 right, 0.8 x 1/3 = 0.2667 (the published example), and both empty 1: (0.2667 + 1) / 2
    ("published list", LISTS, '案件名,关联索引\n甲案,"第14条,第45条"\n乙案,\n', {"cell_f1": (0.8 / 3 + 1) / 2}),
    # 3 of 3 and one more: 0.8; a list where there is none: 0
    (
        "a list too long",
        LISTS,
        "案件名,关联索引\n甲案,第14条；第39条；第40条；第41条\n乙案,第1条\n",
        {"cell_f1": 0.8 / 2},
    ),
    # the same three in another order and as numerals, JSON: 1; [] is empty: 1
    (
        "the same list",
        LISTS,
        '案件名,关联索引\n甲案,"[""第四十条"", ""第十四条"", ""第三十九条""]"\n乙案,无\n',
        {"cell_f1": 1.0},
    ),
    # 2 of 3: 0.8 x 2/3 = 0.5333, the empty one right: 1.5333 / 2
    ("two of three", LISTS, "案件名,关联索引\n甲案,第14条、第39条\n乙案,-\n", {"cell_f1": (0.8 * 2 / 3 + 1) / 2}),
    # articles of one code, named once: 3 of 3; 0 of 2 in another code: 0.8 x 0/2 = 0
    (
        "a code named once",
        CODES,
        "案件名,关联索引\n甲案,《民法》第14条、第39条和第四十条\n乙案,《商法》第14条、第39条\n",
        {"cell_f1": 1 / 2},
    ),
    # published examples: 无 is empty; 四年 is 4年: 4 of 4
    (
        "numerals and 无",
        TEXTS,
        CASE_HEAD + FIRST.replace("四", "4") + "丙抢劫案,丁某,有期徒刑2年6个月,，禁止从事运输行业4年\n",
        {"cell_f1": 1.0},
    ),
    # 2年6个月 against 2年7个月: the numbers differ, 0; all else right: 3 of 4
    ("another term", TEXTS, CASE_HEAD + FIRST + "丙抢劫案,丁某,有期徒刑二年七个月" + BAN, {"cell_f1": 0.75}),
    # the second defendant's name is wrong: rows 1 of 2, cells 2 of 4
    (
        "composite key",
        TEXTS,
        CASE_HEAD + FIRST + "丙抢劫案,戊某,有期徒刑二年六个月" + BAN,
        {"row_f1": 0.5, "cell_f1": 0.5},
    ),
    # 8 of 9 words, Dice 2x8/17 = 0.941, 9 x 16 // 17 = 8: 0.8
    ("a word missing", PHRASES, "id,what\na1,red widget model x with two spare batteries\n", {"cell_f1": 0.8}),
    # 5 shared of 9 and 5, Dice 10/14 = 0.714, 9 x 10 // 14 = 6: 0.6
    ("half of it", PHRASES, "id,what\na1,red widget model x batteries\n", {"cell_f1": 0.6}),
    # 3 shared of 9 and 3: Dice 6/12 = 1/2, 9 x 6 // 12 = 4: 0.4
    ("a third of it", PHRASES, "id,what\na1,red widget model\n", {"cell_f1": 0.4}),
    # 2 shared of 9 and 2: Dice 4/11 < 1/2: 0
    ("too little", PHRASES, "id,what\na1,red widget\n", {"cell_f1": 0.0}),
    # a number that the gold does not have: 0, however many words are shared
    ("a number made up", PHRASES, "id,what\na1,red widget model x with 2 spare blue batteries\n", {"cell_f1": 0.0}),
    # 100/3 = 33.333…: 33.3333 is within 0.005 of it, 33.3 is not (0.0333 > 0.005), 33.34 is not (0.0067 > 0.005)
    ("more decimals", DERIVED, SUMS + "Alder,1,3,33.3333\n", {"cell_f1": 1.0, "derived_recall": 1.0}),
    ("fewer decimals", DERIVED, SUMS + "Alder,1,3,33.3\n", {"cell_f1": 2 / 3, "derived_recall": 0.0}),
    ("badly rounded", DERIVED, SUMS + "Alder,1,3,33.34\n", {"cell_f1": 2 / 3, "derived_recall": 0.0}),
    # file endings and case do not tell keys apart; a year does: 1 of 2 rows
    (
        "keys spelled otherwise",
        NUMBERS,
        HEAD + "ALDER.pdf,1200000,12.5\nBirch 2021,3400000,-3.2\n",
        {"row_f1": 0.5, "cell_f1": 0.5},
    ),
]


@pytest.mark.parametrize(("gold", "answer", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_score_worked_out_by_hand(
    gold: dict[str, Any], answer: str, expected: dict[str, float], mark: Callable[..., Score]
) -> None:
    scored = mark(gold, answer)
    assert scored.status == "scored", scored.reason
    assert {name: scored.metrics[name] for name in expected} == pytest.approx(expected, abs=1e-12)


PUBLISHED_HEAD = "文档名称,报表所属期,资产总额(元),资产总额增长率(%),营业收入(元),营业收入增长率(%),所有者权益(元)"
PUBLISHED_GOLD = f"""{PUBLISHED_HEAD},加权平均净资产收益率(%)
甲集团2020年年度报告摘要,2020,"360,382,603,000",,"284,221,249,000",,"117,516,260,000",24.95
甲集团2021年年度报告摘要,2021,"387,946,104,000",7.65,"341,233,208,000",20.06,"124,868,124,000",24.09
甲集团2022年年度报告摘要,2022,"422,555,267,000",8.92,"343,917,531,000",0.79,"142,935,236,000",22.21
甲集团2023年年度报告摘要,2023,"486,038,184,000",15.02,"372,037,280,000",8.18,"162,878,825,000",22.23
"""
PUBLISHED_ANSWER = f"""{PUBLISHED_HEAD}
甲集团2020年年度报告摘要.md,2020年,"360,382,603,000",19.35,"284,221,249,000",2.16,"117,516,260,000"
甲集团2021年年度报告摘要.md,2021年,"387,946,104,000",7.65,"341,233,208,000",20.06,"124,868,124,000"
甲集团2022年年度报告摘要.md,2022年,"422,555,267,000",8.92,"343,917,531,000",0.79,"142,935,236,000"
甲集团2023年年度报告摘要.md,2023年,"486,038,184,000",15.02,"372,037,280,000",8.18,"162,878,825,000"
"""


def published_gold() -> dict[str, Any]:
    rows = list(csv.DictReader(io.StringIO(PUBLISHED_GOLD)))
    columns = list(rows[0])
    return {"columns": columns, "keys": columns[:1], "numeric": columns[1:], "rows": rows}


def test_the_example_of_the_publication_scores_as_published(mark: Callable[..., Score]) -> None:
    """4 rows x 7 columns = 28 cells. Reference: total assets 4, revenue 4, equity 4, the growths 3 + 3 = 18; the year
    (2020年 is no number there) and the missing return give nothing: 18 / 28 = 0.643, as printed. Strict reads 2020年:
    22 / 28; its missing column shows in the column recall of 7 / 8."""
    reference = mark(published_gold(), PUBLISHED_ANSWER, compat="reference")
    assert reference.metrics["cell_f1"] == pytest.approx(18 / 28)
    assert round(18 / 28, 3) == 0.643
    assert (reference.metrics["row_f1"], reference.metrics["column_recall"]) == (1.0, 1.0)
    strict = mark(published_gold(), PUBLISHED_ANSWER)
    assert strict.metrics["cell_f1"] == pytest.approx(22 / 28)
    assert strict.metrics["column_recall"] == pytest.approx(7 / 8)


REFERENCE: list[tuple[str, dict[str, Any], str, float]] = [
    # 12.5% becomes 0.125 there and is not 12.5; RMB 1.2 million and 340万元 are not numbers: of 4 cells -3.2 alone
    ("units", NUMBERS, HEAD + "Alder,RMB 1.2 million,12.5%\nBirch,340万元,-3.2\n", 1 / 4),
    # what is no number equals an empty cell only where both are: gold 12.5 against text: 3 of 4
    ("text for a number", NUMBERS, HEAD + 'Alder,"1,200,000",unknown\n' + BIRCH, 3 / 4),
    # an absent column is filled with empty texts: two gold cells of 其他判决, 无 (a text there) and 禁止…: 2 of 4
    ("absent column", TEXTS, "案件名,被告,刑期\n丙抢劫案,丙某,有期徒刑四年\n丙抢劫案,丁某,有期徒刑二年六个月\n", 2 / 4),
    # Birch 2021 is 67 % like Birch and stays unmatched without a model: 2 of 4
    ("key below 90", NUMBERS, HEAD + ALDER + "Birch 2021,3400000,-3.2\n", 2 / 4),
    # the fence of the published prompt is taken off
    ("fenced", NUMBERS, f"Here it is:\n```csv\n{HEAD}{ALDER}{BIRCH}```\n", 1.0),
]


@pytest.mark.parametrize(("gold", "answer", "cell_f1"), [case[1:] for case in REFERENCE], ids=[c[0] for c in REFERENCE])
def test_the_published_quirks_are_repeated_on_request(
    gold: dict[str, Any], answer: str, cell_f1: float, mark: Callable[..., Score]
) -> None:
    assert mark(gold, answer, compat="reference").metrics["cell_f1"] == pytest.approx(cell_f1)


def test_a_year_apart_is_one_row_to_the_published_code_only(mark: Callable[..., Score]) -> None:
    """The report of 2024 is 94 % like that of 2023: the published fuzzy match takes it, ours sees another year."""
    gold = published_gold()
    gold["rows"] = gold["rows"][-1:]
    answer = f"{PUBLISHED_HEAD}\n甲集团2024年年度报告摘要,2024,1,2,3,4,5\n"
    assert mark(gold, answer, compat="reference").metrics["row_f1"] == 1.0
    assert mark(gold, answer).metrics["row_f1"] == 0.0
