"""Columns and rows: what is taken for one, and what a judge is asked."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from pincite_scoring import Score
from pincite_scoring.judging.judge import RuleJudge
from pincite_scoring.table_construction.columns import align
from pincite_scoring.table_construction.rows import match_rows
from pincite_scoring.table_construction.scorer import SCORER
from pincite_scoring.table_construction.task_types import task_types

NAMES = sorted({name for types in task_types().values() for each in types.values() for name in each.columns})


def aligned(gold: list[str], headers: list[str]) -> dict[str, str]:
    return {name: headers[index] for name, index in align(gold, headers, RuleJudge()).columns.items()}


def test_the_columns_of_every_type_find_their_twins_in_the_other_language() -> None:
    for name, english in task_types()["en"].items():
        chinese = task_types()["zh"][name]
        assert aligned(english.columns, chinese.columns[::-1]) == dict(
            zip(english.columns, chinese.columns, strict=True)
        )
        assert aligned(chinese.columns, english.columns[::-1]) == dict(
            zip(chinese.columns, english.columns, strict=True)
        )


def test_no_column_of_a_type_is_taken_for_another() -> None:
    for types in task_types().values():
        for each in types.values():
            for name in each.columns:
                others = [other for other in each.columns if other != name]
                assert aligned([name], others) == {}, name


@pytest.mark.parametrize(
    ("gold", "header"),
    [
        ("Total Assets (CNY)", "total_assets"),
        ("Total Assets (CNY)", "Total assets, RMB million"),
        ("报表所属期", "会计年度"),
        ("所有者权益(元)", "净资产(元)"),
        ("Referenced content", "Citation Context"),
        ("关联索引", "对应法律条文"),
        ("Label", "Citation Purpose"),
        ("Weighted Average Return on Equity (%)", "ROE (%)"),
        ("Other Orders", "Other  orders."),
    ],
)
def test_a_column_is_found_under_another_name(gold: str, header: str) -> None:
    """Four of these pairs are the published examples of synonyms."""
    assert aligned([gold], ["unrelated", header]) == {gold: header}


WRITTEN = """
en financial_0
file; Year; Total assets (CNY); YoY total asset growth (%); Revenue (CNY); YoY revenue growth (%);
Stockholders' equity at year end (CNY); Weighted average ROE (%)

en financial_0
report; year covered; total_assets_cny; total_assets_growth_pct; revenue_cny; revenue_yoy_pct;
stockholders_equity_cny; weighted_avg_roe_pct

en financial_1
Report file; Fiscal Year; Operating Revenue (yuan); Net Income; Net profit as % of revenue;
Weighted Average Return on Equity, %; Growth in net profit over the prior year;
Net cash from operating activities, RMB million; Operating cash / net profit (%)

en financial_3
File; Year; Number of shares at year-end; Shareholders' equity, end of year; Profit for the year;
Equity per share (CNY); EPS; ROE (weighted average)

en financial_5
Source; Year; Total assets at the end of the year; Total liabilities; Net assets; Shares;
liabilities_to_total_assets

zh financial_0
文件名; 所属年度; 年末资产总额（元）; 资产总额较上年增长（%）; 全年营业收入（元）; 营业收入同比增长（%）;
年末所有者权益（元）; 加权平均ROE（%）

zh financial_1
文件; 年度; 营业收入; 净利润; 净利润占收入的百分比; 净资产收益率（加权平均）; 净利润增幅;
经营活动产生的现金净额; 现金净额/净利润（%）

zh financial_2
文件; 年份; 总负债（万元）; 负债总额占资产总额比例（%）; 经营活动现金净额增长率（%）; 资产总计（万元）

zh financial_5
年报; 年; 资产; 负债; 股东权益; 股份数; 负债与资产之比

en academic_0
cited_title; citing_title; citation_sentence; citation_function

zh legal_1
案件; 被告人; 所犯罪名; 主刑刑期; 缓刑考验期; 罚金; 没收的个人财产; 剥夺政治权利的期限; 其他判项
"""
"""By language and type: the headers in the order of the gold's."""


@pytest.mark.parametrize("written", WRITTEN.strip().split("\n\n"), ids=lambda written: written.partition("\n")[0])
def test_headers_as_agents_write_them_are_found(written: str) -> None:
    named, _, listed = written.partition("\n")
    (language, kind), headers = named.split(), re.split(r";\s", listed)
    columns = task_types()[language][kind].columns
    assert aligned(columns, ["notes", *headers[::-1], "unit"]) == dict(zip(columns, headers, strict=True))


def test_a_column_of_the_same_unit_goes_before_one_of_another() -> None:
    assert aligned(["Net Profit (CNY)"], ["Net profit (%)", "Net profit (RMB million)"]) == {
        "Net Profit (CNY)": "Net profit (RMB million)"
    }


def test_a_result_is_found_by_the_names_of_its_metric_or_as_the_only_column_left() -> None:
    gold = ["paper_name", "method", "result"]
    assert aligned(gold, ["Model", "Test BLEU", "Paper"])["result"] == "Test BLEU"
    assert "result" not in aligned(gold, ["Model", "Dataset", "BLEU", "Paper"])
    named = align(gold, ["Model", "Dataset", "BLEU", "Paper"], RuleJudge(), {"result": ["bleu"]})
    assert named.columns["result"] == 2


LEFT_OUT = {"strict": "missed", "reference": "wrong"}
"""A cell of a column that is not there."""


def test_score_json_tells_what_became_of_the_columns(mark: Callable[..., Score], table: Callable[..., Any]) -> None:
    gold = table("k|Revenue (CNY)|Net Profit (CNY)", ["a", "5", "3"], numeric=["Revenue (CNY)"])
    for compat in ("strict", "reference"):
        rows = mark(gold, "k,Sales,Town\na,5,Ulm\n", compat=compat).records
        assert [(row["status"], row.get("column"), row.get("answer")) for row in rows if "score" not in row][:3] == [
            ("aligned", "Revenue (CNY)", "Sales"),
            ("no_column", "Net Profit (CNY)", None),
            ("extra_column", None, "Town"),
        ]
        assert [row["status"] for row in rows if SCORER.outcomes[0].where(row)] == ["correct", LEFT_OUT[compat]]


@pytest.mark.parametrize(
    ("gold", "header"),
    [
        ("Net Profit (CNY)", "Net Profit Margin (%)"),
        ("营业收入(元)", "营业收入增长率(%)"),
        ("经营活动现金流量净额(元)", "投资活动现金流量净额(元)"),
        ("Revenue (2021)", "Revenue (2022)"),
        ("Total Assets (CNY)", "Total Liabilities (CNY)"),
        ("Total Assets (CNY)", "Total assets at the beginning of the year"),
        ("Revenue (CNY)", "Prior-year revenue (CNY)"),
        ("Revenue (CNY)", "Revenue YoY (%)"),
        ("Net Profit (CNY)", "Net profit excluding non-recurring items"),
        ("净利润(元)", "母公司净利润(元)"),
        ("营业收入增长率(%)", "营业成本增长率(%)"),
        ("Net Profit Margin (%)", "Net profit / total assets (%)"),
        ("Net Profit Growth Rate (%)", "Increase in net profit (CNY)"),
        ("资产总额(元)", "年初资产总额(元)"),
    ],
)
def test_another_quantity_is_no_counterpart(gold: str, header: str) -> None:
    assert aligned([gold], [header]) == {}


def test_the_same_name_wins_over_a_likely_one() -> None:
    assert aligned(["Revenue"], ["Sales", "revenue", "Revenue"]) == {"Revenue": "Revenue"}
    assert aligned(["Revenue", "Turnover"], ["Sales"]) == {"Revenue": "Sales"}


@pytest.mark.parametrize(
    ("gold", "answer", "match"),
    [
        ("report_2021", "Report 2021.pdf", True),
        ("澄湖精密2021年年度报告摘要", "澄湖精密制造2021年年度报告摘要", True),
        ("澄湖精密2021年年度报告摘要", "澄湖精密2022年年度报告摘要", False),
        ("PageFormer-S", "PageFormer-L", False),
        ("PageFormer-S", "Page Former S", True),
        ("Slow Gates: Recurrent Memory for Long Documents", "Slow Gates Recurrent Memory for Long Document", True),
        ("Alpha Project", "Project Alpha", False),
        ("001", "1", False),
        ("", "", False),
        ("n/a", "n/a", False),
    ],
)
def test_keys_are_matched_without_a_model(gold: str, answer: str, match: bool) -> None:
    assert bool(match_rows([(gold,)], [(answer,)], ["k"], RuleJudge())) is match


def test_a_title_may_go_without_its_subtitle_where_that_is_enough() -> None:
    gold = [
        ("Slow Gates: a memory", "S"),
        ("Slow Gates: a memory", "L"),
        ("Fast Gates: one", "S"),
        ("Fast Gates: two", "S"),
    ]
    answer = [("slow gates", "L"), ("Fast Gates", "S"), ("Slow Gates", "XL")]
    found = match_rows(gold, answer, ["k", "m"], RuleJudge())
    assert [(match.gold, match.answer, match.via) for match in found] == [(1, 0, "short title")]
    assert match_rows([("Ann: x",), ("Ann",)], [("Ann",)], ["k"], RuleJudge())[0].gold == 1


def test_the_likest_row_is_taken_once() -> None:
    gold = [("Alder Holdings Group Limited",), ("Alder Holding Group Limited",)]
    answer = [("Alder Holdings Group Limitd",), ("alder holding group limited",)]
    found = match_rows(gold, answer, ["k"], RuleJudge())
    assert [(match.gold, match.answer, match.via) for match in found] == [(0, 0, "rules/1"), (1, 1, "same key")]


def test_a_judge_aligns_columns_matches_rows_and_scores_texts(
    mark: Callable[..., Score], table: Callable[..., Any], fixed_judge: Callable[..., Any]
) -> None:
    gold = table("k|what", ["Alder Ltd", "a red box"], ["Birch", "a blue box"])
    judge = fixed_judge(column_1="1", row="1", score="0.3", intent="80", schema="60", content="100", format="40")
    scored = mark(
        gold, "k,Description\nThe Alder Company,crimson crate\nBirch,a blue box\n", judge, query="What is in it?"
    )
    assert scored.matcher == "fixed/1"
    # two columns of two; rows 2 of 2; cells 0.3 + 1 of 2; quality (0.8 + 0.6 + 1.0 + 0.4) / 4
    wanted = {"column_f1": 1.0, "row_f1": 1.0, "cell_f1": 0.65, "quality": 0.7, "quality_schema": 0.6}
    assert {name: scored.metrics[name] for name in wanted} == pytest.approx(wanted)
    asked = {question.rubric.name.split("/")[1]: question for question in judge.asked}
    assert sorted(asked) == ["cells-10", "columns", "quality-10", "rows"]
    assert "What is in it?" in asked["quality-10"].subject["query"]
    assert asked["rows"].subject == {
        "key of the expected row": "k: Alder Ltd",
        "keys of the answer's rows": "1. k: The Alder Company",
    }
    cell = next(row for row in scored.records if row.get("row") == "Alder Ltd" and row["column"] == "what")
    assert (cell["status"], cell["verdict"]["labels"], cell["row_verdict"]["labels"]) == (
        "partial",
        {"score": "0.3"},
        {"row": "1"},
    )


def test_the_judge_is_asked_only_what_rules_leave_open(
    mark: Callable[..., Score], table: Callable[..., Any], fixed_judge: Callable[..., Any]
) -> None:
    gold = table("k|n|l|t", ["a", "5", ["x", "y"], "one box"], numeric=["n"], lists=["l"])
    judge = fixed_judge()
    mark(gold, 'k,n,l,t\na,6,"x, z",One box.\n', judge)
    assert [question.rubric.name for question in judge.asked] == ["table_construction/quality-10/1"]


def test_a_judge_that_cannot_say_gives_nothing(
    mark: Callable[..., Score], table: Callable[..., Any], fixed_judge: Callable[..., Any]
) -> None:
    scored = mark(table("k|t", ["a", "one box"]), "k,t\na,two crates\n", fixed_judge())
    assert (scored.metrics["cell_f1"], scored.metrics["quality"]) == (0.0, None)


def test_quality_is_a_model_s_alone_and_nothing_for_no_answer(
    mark: Callable[..., Score], table: Callable[..., Any], fixed_judge: Callable[..., Any]
) -> None:
    gold = table("k|t", ["a", "one box"])
    by_rule = mark(gold, "k,t\na,one box\n")
    assert by_rule.metrics["quality"] is None
    assert by_rule.records[-1]["status"] == "not_rated"
    assert "model" in by_rule.records[-1]["how"]
    judge = fixed_judge(intent="50", schema="50", content="50", format="50")
    assert mark(gold, None, judge).metrics["quality"] == 0.0
    assert mark(gold, None).metrics["quality"] is None


def test_the_published_rating_goes_by_single_points(
    mark: Callable[..., Score], table: Callable[..., Any], fixed_judge: Callable[..., Any]
) -> None:
    judge = fixed_judge(intent="85", schema="80", content="75", format="80", score="0.27", row="none")
    scored = mark(table("k|t", ["a", "one box"]), "k,t\na,two crates\n", judge, "reference")
    assert scored.metrics["quality"] == pytest.approx(0.8)
    assert scored.metrics["cell_f1"] == pytest.approx(0.27)
