"""The answer beside the gold: record by record as the scorer matched them, else both as they are."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pincite_harness.plural import plural
from pincite_harness.reports.markup import Markup, join, tag
from pincite_harness.reports.trials.pairs import Pair, Paired, fields_of
from pincite_harness.reports.trials.texts import Budget, block, excerpt, plain, pretty
from pincite_harness.reports.words import in_words, kind_of

MOST_RECORDS = 300
"""Records of one trial that are shown one by one; the files have the rest."""
_MOST_CELL = 4000
_MOST_TEXT = 200_000
_MOST_ROWS, _MOST_COLUMNS = 300, 40

Quotes = Callable[[int], Sequence[Markup]]
"""The quotes of a record of the answer, drawn."""


def pair_cards(paired: Paired, quotes: Quotes) -> Markup:
    """A card a record: its outcome, its fields beside those of its gold, and its quotes."""
    cards = [_card(paired, pair, quotes) for pair in paired.pairs[:MOST_RECORDS]]
    left = len(paired.pairs) - len(cards)
    more = [tag("p", f"{plural(left, 'more record')}: see the files.", class_="sub")] if left > 0 else []
    return join([*cards, *more])


def side_by_side(answer: Any, gold: Any, note: str) -> Markup:
    """Both as they are, in two columns where there is room."""
    columns = [tag("div", tag("h3", "Answer"), whole(answer), class_="column")]
    if gold is not None:
        columns.append(tag("div", tag("h3", "Gold"), whole(gold), class_="column"))
    told = [tag("p", note, class_="sub")] if note else []
    return join([*told, tag("div", columns, class_="columns")])


def whole(value: Any) -> Markup:
    """A value as it is: CSV as a table, a text as a text, anything else as JSON in lines."""
    if value is None:
        return tag("p", "None.", class_="sub")
    if isinstance(value, str):
        rows = _csv_rows(value)
        return _csv_table(rows) if rows else block(value, Budget(), _MOST_TEXT, class_="prose")
    return block(pretty(value), Budget(), _MOST_TEXT, class_="json")


def _card(paired: Paired, pair: Pair, quotes: Quotes) -> Markup:
    answer = paired.answers[pair.answer] if pair.answer is not None else None
    gold = paired.golds[pair.gold] if pair.gold is not None else None
    status = pair.status
    shown = in_words(status) if status else _shares(pair)
    badge = tag("span", shown or "not scored", class_=f"badge {kind_of(status) if status else 'unscored'}")
    title = tag("span", _title(answer if answer is not None else gold or {}), class_="title")
    number = f"{pair.answer + 1}" if pair.answer is not None else "gold"
    head = tag("h3", tag("span", number, class_="count"), badge, title)
    reasons = dict.fromkeys(str(row["reason"]) for row in pair.rows if row.get("reason"))
    why = [tag("p", excerpt("; ".join(reasons), 600), class_="remark")] if reasons else []
    below = list(quotes(pair.answer)) if pair.answer is not None else []
    return tag("article", head, why, _fields(answer, gold, pair), below, class_="card")


def _fields(answer: Mapping[str, Any] | None, gold: Mapping[str, Any] | None, pair: Pair) -> Markup:
    """The fields of both, a row each; a cell of the answer is marked where the scorer or the gold says otherwise."""
    mine, theirs = fields_of(answer or {}), fields_of(gold or {})
    judged = {str(row["field"]): str(row.get("status", "")) for row in pair.rows if row.get("field")}
    rows: list[Markup] = []
    for name in dict.fromkeys([*mine, *theirs]):
        given, wanted = plain(mine.get(name))[:_MOST_CELL], plain(theirs.get(name))[:_MOST_CELL]
        kind = kind_of(judged[name]) if name in judged else "differs" if gold and given and given != wanted else ""
        cells = [tag("td", given, class_=f"given {kind}".strip())]
        cells += [tag("td", wanted)] if gold is not None else []
        rows.append(tag("tr", tag("th", name.replace("_", " "), scope="row"), cells))
    titles = ["Field", "Answer", *(["Gold"] if gold is not None else [])]
    head = tag("thead", tag("tr", [tag("th", title, scope="col") for title in titles]))
    table = tag("table", head, tag("tbody", rows))
    return tag("div", table, class_="scroll fields", tabindex="0", role="group", aria_label="Fields of the record")


def _title(record: Mapping[str, Any]) -> str:
    """The first three texts and numbers of a record."""
    values = [plain(value) for value in record.values() if isinstance(value, str | int | float)]
    return excerpt(" · ".join(value for value in values[:3] if value), 120) or "a record"


def _shares(pair: Pair) -> str:
    kinds = [str(row.get("status", "")) for row in pair.rows]
    right = sum(kind_of(kind) == "completed" for kind in kinds)
    return f"{right} of {len(kinds)} right" if kinds else ""


def _csv_rows(text: str) -> list[list[str]]:
    """The rows of a text that is CSV of two columns or more; empty for any other."""
    try:
        rows = [row for row in csv.reader(io.StringIO(text), strict=True) if row]
    except csv.Error:
        return []
    widths = {len(row) for row in rows}
    return rows if len(rows) > 1 and len(widths) == 1 and min(widths) > 1 else []


def _csv_table(rows: Sequence[Sequence[str]]) -> Markup:
    head = tag("tr", [tag("th", cell[:_MOST_CELL], scope="col") for cell in rows[0][:_MOST_COLUMNS]])
    body = [tag("tr", [tag("td", cell[:_MOST_CELL]) for cell in row[:_MOST_COLUMNS]]) for row in rows[1:_MOST_ROWS]]
    table = tag("table", tag("thead", head), tag("tbody", body))
    return tag("div", table, class_="scroll", tabindex="0", role="group", aria_label="The table")
