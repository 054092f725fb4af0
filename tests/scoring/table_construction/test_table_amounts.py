"""Amounts, numerals and the forms that texts are compared in."""

from decimal import Decimal

import pytest

from pincite_scoring.table_construction.amounts import header_unit, read_amount, without_unit
from pincite_scoring.table_construction.forms import content_form, is_empty, key_form, words
from pincite_scoring.table_construction.numerals import arabic


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("360,382,603,000", "360382603000", None),
        ("1 234 567.5", "1234567.5", None),
        ("3.6亿元", "360000000", "cny"),
        ("12.3万亿", "12300000000000", None),
        ("人民币六十万元", "600000", "cny"),
        ("一亿二千万", "120000000", None),
        ("RMB 12 million", "12000000", "cny"),
        ("¥3.5 bn", "3500000000", "cny"),
        ("US$ 5m", "5000000", "usd"),
        ("(1,234.5)", "-1234.5", None),
        ("(3.68)%", "-3.68", "%"),
        ("−5.2 %", "-5.2", "%"),
        ("百分之五", "5", "%"),
        ("２０２１年度", "2021", None),
        ("FY2021", "2021", None),
        ("0.35元/股", "0.35", "cny/share"),
        ("1.2e9", "1200000000", None),
        ("-.5", "-0.5", None),
    ],
)
def test_an_amount_is_read_with_its_scale_and_unit(text: str, value: str, unit: str | None) -> None:
    amount = read_amount(text)
    assert amount is not None
    assert (amount.number * amount.unit.scale, amount.unit.name) == (Decimal(value), unit)


@pytest.mark.parametrize(
    "text",
    ["", "-", "3 cats", "2021-12-31", "12.5 to 13", "3,6038", "about 5", "5 yuan in dollars", "第14条", "1e9999"],
)
def test_what_is_no_single_amount_is_none(text: str) -> None:
    assert read_amount(text) is None


def test_a_long_cell_is_never_read_as_a_number() -> None:
    assert read_amount("1" * 79) is not None
    assert read_amount("1" * 200_000) is None
    assert read_amount("(" * 200_000) is None


@pytest.mark.parametrize(
    ("header", "scale", "unit", "bare"),
    [
        ("Total Assets (CNY)", 1, "cny", "total assets"),
        ("资产总额（万元）", 10_000, "cny", "资产总额"),
        ("Revenue (RMB million)", 1_000_000, "cny", "revenue"),
        ("Revenue, in CNY millions", 1_000_000, "cny", "revenue"),
        ("Revenue in millions of yuan", 1_000_000, "cny", "revenue"),
        ("净利润率%", 1, "%", "净利润率"),
        ("Growth [%]", 1, "%", "growth"),
        ("Revenue (2021)", 1, None, "revenue (2021)"),
        ("Debt to Asset Ratio", 1, None, "debt to asset ratio"),
        ("每股收益(元/股)", 1, "cny/share", "每股收益"),
        ("revenue_cny_million", 1_000_000, "cny", "revenue"),
        ("net_profit_margin_pct", 1, "%", "net_profit_margin"),
        ("equity_per_share_cny", 1, "cny", "equity_per_share"),
        ("Total shares", 1, None, "total shares"),
    ],
)
def test_a_header_says_what_its_numbers_count(header: str, scale: int, unit: str | None, bare: str) -> None:
    stated = header_unit(header)
    assert (stated.scale, stated.name, without_unit(header)) == (scale, unit, bare)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("第二百六十四条", "第264条"),
        ("二〇二三年", "2023年"),
        ("一万二千元", "12000元"),
        ("十一年", "11年"),
        ("三亿零五万", "300050000"),
        ("万科", "万科"),
        ("1.5万", "15000"),
    ],
)
def test_chinese_numerals_become_digits(text: str, expected: str) -> None:
    assert arabic(text) == expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("2023-05-15", "May 15, 2023"),
        ("2023年5月15日", "15 May 2023"),
        ("《刑法》第二百七十四条", "刑法 第274条"),
        ("GPT-2 (Small)", "gpt 2 small"),
        ("1,234.50", "1234.50"),
    ],
)
def test_spellings_of_one_text_have_one_form(a: str, b: str) -> None:
    assert words(a) == words(b)


@pytest.mark.parametrize(
    ("a", "b"), [("2023-05-15", "2023年5月16日"), ("1.5", "15"), ("-5", "5"), ("WikiText-2", "WikiText-103")]
)
def test_what_differs_keeps_different_forms(a: str, b: str) -> None:
    assert words(a) != words(b)


def test_keys_lose_file_endings_and_cells_their_column_s_name() -> None:
    assert key_form("美的集团2020年年度报告摘要.md") == key_form("美的集团2020年年度报告摘要")
    assert key_form("甲盗窃一案") == key_form("甲盗窃案")
    assert content_form("缓刑一年六个月", "缓刑") == content_form("1年6个月", "缓刑")
    assert content_form("并处罚金人民币五千元", "处罚金") == content_form("5000元", "处罚金")
    assert content_form("缓刑", "缓刑") == "缓刑"


def test_words_for_nothing_are_empty_and_zero_is_not() -> None:
    assert all(is_empty(text) for text in ("", " N/A ", "—", "null", "无", "未披露"))
    assert not any(is_empty(text) for text in ("0", "no", "无罪", "none of them"))
