"""Build the tasks of table_construction: ``python scripts/build_table_tasks.py``.

Writes the annual reports in Chinese (HTML) and records.jsonl from ``sources/reports.toml`` and ``sources/tasks.toml``.
The reports in English and the papers are set by build_task_papers.py, which runs first. Stops where a quote of the gold
does not stand in its document.
"""

import re
import sys
import tomllib
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import orjson

from pincite_papers.html.page import parse_html
from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_scoring.case import Case
from pincite_scoring.table_construction.formulas import compute, names_in
from pincite_scoring.table_construction.scorer import SCORER
from pincite_scoring.table_construction.task_types import ONLINE, TaskType, task_type

FAMILY = Path(__file__).resolve().parent.parent / "tasks" / "table_construction"
CORPUS = "corpora/long_documents"
"""The made-up literature that every task sees in place of the web; the online ones find their papers there."""
SCALES = {"RMB million": 10**6, "RMB thousand": 10**3, "CNY": 1, "元": 1, "万元": 10**4, "千元": 10**3}
PRINTED = {
    "total_assets": ("Total assets", "资产总额"),
    "total_liabilities": ("Total liabilities", "负债总额"),
    "equity": ("Total stockholders' equity", "所有者权益"),
    "revenue": ("Revenue", "营业收入"),
    "net_profit": ("Net profit", "净利润"),
    "operating_cash": ("Net cash provided by operating activities", "经营活动产生的现金流量净额"),
}
"""Lines of the statements, as they are named in English and Chinese."""
COLUMNS = {
    "Total Assets (CNY)": "total_assets", "资产总额(元)": "total_assets",
    "Total Liabilities (CNY)": "total_liabilities", "Liabilities (CNY)": "total_liabilities",
    "负债总额(元)": "total_liabilities",
    "Total stockholders' equity (CNY)": "equity", "所有者权益(元)": "equity",
    "Revenue (CNY)": "revenue", "营业收入(元)": "revenue", "prior revenue": "revenue",
    "Net Profit (CNY)": "net_profit", "净利润(元)": "net_profit", "prior net profit": "net_profit",
    "Net cash provided by operating activities (CNY)": "operating_cash", "经营活动现金流量净额(元)": "operating_cash",
    "operating cash flow": "operating_cash", "prior operating cash flow": "operating_cash",
    "prior total assets": "total_assets",
}  # fmt: skip
"""Line of the statements by column, or by input of a formula; prior ones are those of the year before."""
TABLES: dict[str, tuple[str, dict[str, str]]] = {
    "balance": (
        "年末合并资产负债情况",
        {
            "current_assets": "流动资产",
            "non_current_assets": "非流动资产",
            "total_assets": "",
            "current_liabilities": "流动负债",
            "non_current_liabilities": "非流动负债",
            "total_liabilities": "",
            "equity": "",
        },
    ),
    "income": (
        "全年合并经营成果",
        {
            "operating_cost": "营业成本",
            "revenue": "",
            "net_profit": "",
            "adjusted_net_profit": "扣除非经常性损益后的净利润",
        },
    ),
    "cash": (
        "全年合并现金流量",
        {
            "operating_cash": "",
            "investing_cash": "投资活动产生的现金流量净额",
            "financing_cash": "筹资活动产生的现金流量净额",
        },
    ),
    "parent": (
        "母公司主要数据",
        {
            "parent_total_assets": "母公司资产总额",
            "parent_revenue": "母公司营业收入",
            "parent_net_profit": "母公司净利润",
        },
    ),
}
"""Statements of a Chinese report: caption, and the label of each line; an empty one is that of PRINTED."""
SHARES = {"Share Capital (Shares)", "股本(股)", "share capital"}
RETURN = {"Weighted Average Return on Equity (%)", "加权平均净资产收益率(%)"}
PERIOD = {"Reporting Period", "报表所属期"}
FOUR_DECIMALS = "Debt to Asset Ratio"

Report = dict[str, Any]


def main() -> None:
    """Write the reports, then the records."""
    reports = tomllib.loads((FAMILY / "sources" / "reports.toml").read_text(encoding="utf-8"))
    for name, report in reports.items():
        if report["language"] == "zh":
            (FAMILY / "papers" / f"{name}.html").write_text(to_html(report), encoding="utf-8")
    content, faults = build(reports)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        sys.exit(1)
    (FAMILY / "records.jsonl").write_bytes(content)


def build(reports: dict[str, Report]) -> tuple[bytes, list[str]]:
    """records.jsonl, and what is wrong with it."""
    content, faults = b"", list[str]()
    papers: dict[str, Paper] = {}
    tasks = tomllib.loads((FAMILY / "sources" / "tasks.toml").read_text(encoding="utf-8"))["tasks"]
    given = {task["task_id"]: task for task in tasks}
    for task in tasks:
        if "rows_of" in task:
            rows = given[task["rows_of"]]["rows"]
            task |= {"papers": [], "rows": [{"cells": row["cells"]} for row in rows]}
        record = make_record(task, reports)
        for name in task["papers"]:
            if name not in papers:
                parse = parse_html if name.endswith(".html") else parse_pdf
                papers[name] = parse((FAMILY / "papers" / name).read_bytes(), max_pages=20)
        case = Case(None, record["gold"], {n: papers[n] for n in task["papers"]}, record["inputs"]["parameters"])
        faults += [f"{task['task_id']}: {problem}" for problem in SCORER.check(case) if problem.fatal]
        content += orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
    return content, faults


def make_record(task: dict[str, Any], reports: dict[str, Report]) -> dict[str, Any]:
    """One line of records.jsonl."""
    kind = task_type(task["language"], task["type"])
    gold: dict[str, Any] = {"columns": kind.columns, "keys": kind.keys, "numeric": kind.numeric, "lists": kind.lists}
    gold |= from_reports(kind, task, reports) if task["type"].startswith("financial") else from_rows(kind, task)
    words = task.get("words", {})
    if "metric" in words:
        gold["names"] = dict.fromkeys(kind.numeric, _names_of(**words))
    parameters: dict[str, Any] = {"query": kind.ask(**words)}
    if "online" in task:
        parameters |= {"mode": "online", "where": ONLINE[task["language"]], "documents": task["online"]}
    inputs = {"papers": [f"papers/{name}" for name in task["papers"]], "parameters": parameters, "corpus": CORPUS}
    return {
        "task_id": task["task_id"],
        "inputs": inputs,
        "gold": {name: value for name, value in gold.items() if value},
        "metadata": {"title": task["title"], "type": task["type"], "language": task["language"]},
    }


def _names_of(metric: str, dataset: str) -> list[str]:
    """What an answer may well call the column of a metric."""
    return [metric, f"test {metric}", f"{metric} on {dataset}"]


def from_rows(kind: TaskType, task: dict[str, Any]) -> dict[str, Any]:
    """Rows and evidence of a task whose cells stand in tasks.toml; ``proof`` is evidence of every filled cell left."""
    evidence: list[dict[str, Any]] = []
    for number, row in enumerate(task["rows"]):
        proved = dict(row.get("evidence", {}))
        for name, cell in zip(kind.columns, row["cells"], strict=True):
            if "proof" in row and cell and name in kind.values:
                proved.setdefault(name, row["proof"])
        evidence += [{"row": number, "name": n, "paper": paper, "quote": q} for n, (paper, q) in proved.items()]
    rows = [dict(zip(kind.columns, row["cells"], strict=True)) for row in task["rows"]]
    return {"rows": rows, "evidence": evidence}


def from_reports(kind: TaskType, task: dict[str, Any], reports: dict[str, Report]) -> dict[str, Any]:
    """Rows, inputs and evidence of a task about annual reports."""
    rows: list[dict[str, str]] = []
    inputs: list[dict[str, str]] = []
    evidence: list[dict[str, Any]] = []
    named = dict.fromkeys(name for formula in kind.derived.values() for name in names_in(formula))
    needed = [name for name in named if name not in kind.columns]
    for number, paper in enumerate(task["papers"]):
        stem = Path(paper).stem
        report = reports[stem]
        row = {kind.keys[0]: stem}
        for name in [*(column for column in kind.values if column not in kind.derived), *needed]:
            row[name], quote = value_of(report, name)
            evidence.append({"row": number, "name": name, "paper": paper, "quote": quote})
        for name, formula in kind.derived.items():
            row[name] = rounded(compute(formula, row), 4 if name == FOUR_DECIMALS else 2)
        rows.append({name: row[name] for name in kind.columns})
        inputs.append({name: row[name] for name in needed})
    return {"rows": rows, "derived": kind.derived, "inputs": inputs if needed else [], "evidence": evidence}


def value_of(report: Report, name: str) -> tuple[str, str]:
    """A report's value in yuan or as printed, and the words that print it."""
    chinese = report["language"] == "zh"
    year, company, shares, roe = (report[key] for key in ("year", "company", "shares", "roe"))
    if name in PERIOD:
        return str(year), f"{company}{year}年年度报告摘要" if chinese else f"annual report for {year}"
    if name in SHARES:
        return shares, f"公司股份总数为{shares}股" if chinese else f"{shares} ordinary shares"
    if name in RETURN:
        value = roe.replace("(", "-").replace(")", "")
        return value, f"{year}年度加权平均净资产收益率为{roe}%" if chinese else f"was {roe}%"
    key = COLUMNS[name]
    printed = report[key]
    amount = Decimal(printed[int(name.startswith("prior"))].replace(",", "")) * SCALES[report["unit"]]
    return f"{amount.normalize():f}", f"{PRINTED[key][chinese]} {printed[0]} {printed[1]}"


def rounded(exact: Fraction | None, decimals: int) -> str:
    """A computed cell as it stands in the gold."""
    if exact is None:
        return ""
    return f"{Decimal(exact.numerator) / Decimal(exact.denominator):.{decimals}f}"


def to_html(report: Report) -> str:
    """The annual report of a Chinese company as a page: ``sources/report_zh.html`` with its figures and tables."""
    page = (FAMILY / "sources" / "report_zh.html").read_text(encoding="utf-8")
    filled = {name: to_table(report, name) for name in TABLES}
    filled |= {name: str(report[name]) for name in ("story", "unit", "industry", "year", "roe", "shares")}
    filled |= {"title": f"{report['company']}{report['year']}年年度报告摘要", "quarters": "、".join(report["quarters"])}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found[1]], page)


def to_table(report: Report, name: str) -> str:
    """One statement, this year's figures before last year's."""
    caption, labels = TABLES[name]
    year = report["year"]
    rows = [f"<tr><th>项目</th><th>{year}年</th><th>{year - 1}年</th></tr>"]
    for key, label in labels.items():
        this, last = report[key]
        rows.append(f"<tr><td>{label or PRINTED[key][1]}</td><td>{this}</td><td>{last}</td></tr>")
    return "\n".join(["<table>", f"<caption>{caption}（单位：{report['unit']}）</caption>", *rows, "</table>"])


if __name__ == "__main__":
    main()
