"""The answer beside the gold: record by record as the scorer matched them, else both as they are."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pincite_harness.reports.markup import Markup, join, tag
from pincite_harness.reports.outcome_words import in_words, kind_of
from pincite_harness.reports.trials.pairs import Pair, Paired, fields_of
from pincite_harness.reports.trials.texts import Budget, block, excerpt, plain, pretty
from pincite_scoring.scorer import Column
from pincite_tasks.plural import plural

MOST_RECORDS = 300
"""Records of one trial that are shown one by one; the files have the rest."""
_MOST_CELL = 4000
"""Characters of a cell."""
_MOST_TEXT = 200_000
"""Characters of an answer that is shown as text."""
_MOST_ROWS, _MOST_COLUMNS = 300, 40
"""Rows and columns of a table."""

Quotes = Callable[[int], Sequence[Markup]]
"""The quotes of a record of the answer, drawn."""


def pair_cards(paired: Paired, columns: Sequence[Column], quotes: Quotes) -> Markup:
    """A card a record: its outcome, its fields beside those of its gold, and its quotes; links to all of them first."""
    shown = paired.pairs[:MOST_RECORDS]
    cards = [_card(paired, pair, columns, quotes) for pair in shown]
    left = len(paired.pairs) - len(cards)
    more = [tag("p", f"{plural(left, 'more record')}: see the files.", class_="sub")] if left > 0 else []
    return join([_links(shown), *cards, *more])


def _links(pairs: Sequence[Pair]) -> Markup:
    """How many records there are of each outcome, with a link to each."""
    by_word: dict[str, list[Markup]] = {}
    kinds: dict[str, str] = {}
    for pair in pairs:
        word, kind = outcome_in_words(pair)
        kinds.setdefault(word, kind)
        by_word.setdefault(word, []).append(tag("a", number_of(pair), href=f"#{anchor_of(pair)}"))
    rows = [
        tag("li", tag("span", f"{len(links)} {word}", class_=f"badge {kinds[word]}"), " ", join(links, " "))
        for word, links in by_word.items()
    ]
    return tag("nav", tag("ul", rows, class_="jump"), aria_label="Records by outcome") if len(pairs) > 1 else Markup("")


def outcome_in_words(pair: Pair) -> tuple[str, str]:
    """The outcome of a record in words, and its colour."""
    if pair.status:
        return in_words(pair.status), kind_of(pair.status)
    return (_shares(pair), "unscored") if pair.rows else ("not scored", "unfinished")


def number_of(pair: Pair) -> str:
    """What a record is called: its number in the answer, else in the gold."""
    return str(pair.answer + 1) if pair.answer is not None else f"gold {(pair.gold or 0) + 1}"


def anchor_of(pair: Pair) -> str:
    """The id of a record in a page."""
    return f"record-{pair.answer + 1}" if pair.answer is not None else f"gold-{(pair.gold or 0) + 1}"


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


def title_of(paired: Paired, pair: Pair, columns: Sequence[Column]) -> str:
    """A record in a line: what the scorer's one row on it says first, else its own first fields."""
    answer, gold = records_of(paired, pair)
    return _row_title(pair.rows, columns) or _title(answer if answer is not None else gold or {})


def records_of(paired: Paired, pair: Pair) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
    """The record of the answer and that of the gold, as far as there are any that may be shown."""
    answer = paired.answers[pair.answer] if pair.answer is not None else None
    gold = paired.golds[pair.gold] if paired.golds is not None and pair.gold is not None else None
    return answer, gold


def reasons_of(pair: Pair) -> str:
    """Why the scorer decided so, in its own words; "" where it does not say."""
    reasons = dict.fromkeys(str(row["reason"]) for row in pair.rows if row.get("reason"))
    return excerpt("; ".join(reasons), 600)


def _card(paired: Paired, pair: Pair, columns: Sequence[Column], quotes: Quotes) -> Markup:
    answer, gold = records_of(paired, pair)
    word, kind = outcome_in_words(pair)
    title = title_of(paired, pair, columns)
    number, badge = tag("span", number_of(pair), class_="count"), tag("span", word, class_=f"badge {kind}")
    head = tag("h3", number, badge, tag("span", title, class_="title"))
    reasons = reasons_of(pair)
    why = [tag("p", reasons, class_="remark")] if reasons else []
    drawn = list(quotes(pair.answer)) if pair.answer is not None else []
    below = [tag("div", drawn, class_="quotes several" if len(drawn) > 1 else "quotes")] if drawn else []
    return tag("article", head, why, field_table(answer, gold, pair), below, class_="card", id=anchor_of(pair))


def field_table(answer: Mapping[str, Any] | None, gold: Mapping[str, Any] | None, pair: Pair) -> Markup:
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


def _row_title(rows: Sequence[Mapping[str, Any]], columns: Sequence[Column]) -> str:
    """What the scorer's one row on a record says first, of the answer or else of the gold."""
    if len(rows) != 1:
        return ""
    row = rows[0]
    told: list[str] = []
    for column in columns[:3]:
        key = column.key if row.get(column.key) is not None else f"gold_{column.key}"
        unit = row.get(column.unit if key == column.key else f"gold_{column.unit}") if column.unit else None
        value = row.get(key)
        if isinstance(value, str):
            told.append(f"{value} {unit or ''}".strip())
    return excerpt(" · ".join(told), 140)


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
