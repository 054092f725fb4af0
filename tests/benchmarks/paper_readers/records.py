"""Rules that answer property_extraction and record_filling from what a reader has read; they know no gold."""

import re
import tomllib
from typing import Any

from paper_readers.pages import Grid, Reader, words_of

_NUMBER = re.compile(r"^[<>]?\s*[-\u2212]?\d+(?:\.\d+)?$")
_UNIT = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$")
_NOT_OWN = re.compile(
    r"\b(?:computed|calculated|model|theory|functional|other work|literature|related|single)\b", re.IGNORECASE
)
_SCOPE = re.compile(r"Only the (.*?)\. Name", re.DOTALL)
_CORRECTED = re.compile(r"\b(?:for|heat) ([A-Z]\d+)\b[^.]*? is (\d+(?:\.\d+)?) (\S+)")


class Names:
    """What the tables that a reader has read say of codes: formulas, and other names of the same sample."""

    def __init__(self, reader: Reader) -> None:
        self.formulas: dict[str, str] = {}
        self.codes: dict[str, str] = {}
        for table in reader.tables:
            heads = [head.lower() for head in table.heads]
            if "nominal formula" in heads:
                index = heads.index("nominal formula")
                self.formulas |= {row[0]: row[index] for row in table.rows}
        for table in reader.tables:
            if len(table.heads) == 2 and all(row[1] in self.formulas for row in table.rows):
                self.codes |= {row[0]: row[1] for row in table.rows}

    def code(self, name: str) -> str:
        """The code of a sample by either of its names."""
        return self.codes.get(name, name)

    def formula(self, name: str) -> str:
        """The formula of a sample, its name where none is known."""
        return self.formulas.get(self.code(name), name)


def corrections(reader: Reader) -> dict[tuple[str, str], str]:
    """Values that a sentence corrects, by code and the beginning of the unit."""
    found: dict[tuple[str, str], str] = {}
    for sentence in reader.sentences:
        for match in _CORRECTED.finditer(sentence):
            found[match[1], match[3].rstrip(".,")] = match[2]
    return found


def unit_of(head: str) -> str:
    """The unit in brackets at the end of a head."""
    match = _UNIT.search(head)
    return match[1].replace("\u2212", "-") if match else ""


def own_tables(reader: Reader) -> list[Grid]:
    """The tables of values that the authors measured as means."""
    return [table for table in reader.tables if not _NOT_OWN.search(table.caption)]


def properties(scope: str, reader: Reader) -> dict[str, Any]:
    """An answer to a task of property_extraction."""
    match = _SCOPE.search(scope)
    asked = match[1] if match else scope
    listed, _, _ = asked.partition(" of the ")
    wanted = [each.strip() for each in re.split(r",\s*|\band the\b|\band\b", listed) if each.strip()]
    wanted = [each.removeprefix("the ") for each in wanted]
    names, corrected = Names(reader), corrections(reader)
    best: dict[str, tuple[float, list[tuple[Grid, int, str]]]] = {}
    for table in own_tables(reader):
        if len(names.formulas) and not any(names.code(row[0]) in names.formulas for row in table.rows):
            continue
        fit = len(words_of(table.caption) & words_of(asked)) - 0.5 * len(
            _quantities(table.caption) - _quantities(asked)
        )
        for name in wanted:
            columns = _columns(table, name)
            if columns and (name not in best or fit > best[name][0]):
                best[name] = (fit, columns)
    records: list[dict[str, Any]] = []
    for name, (_, columns) in best.items():
        for table, index, unit in columns:
            records += _records(table, index, name, unit, names, corrected)
    return {"properties": records}


def _quantities(text: str) -> set[str]:
    return set(re.findall(r"\b\d+ (?:K|kbar|GPa|°C)", text))


def _columns(table: Grid, name: str) -> list[tuple[Grid, int, str]]:
    """The columns that hold a property: by their heads, else all of them where the caption begins with its name."""
    wanted = words_of(name)
    found = [index for index in range(1, len(table.heads)) if wanted <= table.column_words(index)]
    if found:
        return [(table, index, unit_of(table.heads[index])) for index in found]
    begin = re.sub(r"^Table \w+\.\s*", "", table.caption)
    if wanted <= words_of(begin[: len(name) + 12]) and "," not in begin[: len(name) + 25]:
        unit = re.search(r"\(([^)]*)\)", begin)
        hardness = re.search(r"\bHV", begin)
        shown = unit[1] if unit else "HV" if hardness else ""
        return [(table, index, shown.replace("\u2212", "-")) for index in range(1, len(table.heads))]
    return []


def _records(
    table: Grid, index: int, name: str, unit: str, names: Names, corrected: dict[tuple[str, str], str]
) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    conditions = _conditions(
        f"{table.heads[index]}; {table.caption}" if _UNIT.search(table.heads[index]) else table.heads[index]
    )
    temperature = re.search(r"_(\d+)\b", table.heads[index])
    if temperature:
        conditions["temperature"] = f"{temperature[1]} K"
    for row in table.rows:
        value = corrected.get((row[0], unit.partition(" ")[0]), row[index]) if unit else row[index]
        if not _NUMBER.match(value):
            continue
        place = {"page": 1, "source_type": "table", "evidence": "\t".join(row), "figure_or_table": table.label}
        record = {
            "material_or_system": names.formula(row[0]),
            "property_name": name,
            "value_string": value,
            "location": place,
        }
        made.append(
            record | ({"value_unit": unit} if unit else {}) | ({"conditions": conditions} if conditions else {})
        )
    return made


def _conditions(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    if match := re.search(r"\b\d+ (?:K|°C)", text):
        found["temperature"] = match[0]
    if match := re.search(r"\b\d+ (?:kbar|GPa)|\bambient\b", text):
        found["pressure"] = match[0]
    for word, state in (
        ("as-cast", "as-cast"),
        ("as cast", "as-cast"),
        ("anneal", "annealed"),
        ("steamed", "aged"),
        ("fresh", "as-prepared"),
        ("h", "aged"),
    ):
        if re.search(rf"(?:\b|\d ){word}", text, re.IGNORECASE):
            found["sample_state"] = state
            break
    return found


def objects(schema: str, reader: Reader) -> dict[str, Any]:
    """An answer to a task of record_filling."""
    fields: list[dict[str, Any]] = tomllib.loads(schema)["fields"]
    labelled = next((each for each in fields if each.get("kind") == "label"), None)
    numbers = [each for each in fields if each.get("kind") == "number" and each["name"] != "temperature"]
    names, corrected = Names(reader), corrections(reader)
    if labelled is None:
        return {"objects": _joined(numbers, reader, names)}
    made: list[dict[str, Any]] = []
    for table in own_tables(reader):
        columns = {each["name"]: _column(table, each) for each in numbers}
        found = {name: index for name, index in columns.items() if index is not None}
        if len(found) < max(2, len(numbers) - 1) or not any(names.code(row[0]) in names.formulas for row in table.rows):
            continue
        for row in table.rows:
            filled: dict[str, Any] = {"formula": names.formula(row[0]), "code": names.code(row[0])}
            label = _label(labelled, table.caption)
            if label:
                filled[labelled["name"]] = label
            temperature = re.search(r"\b\d+ K\b", table.caption)
            if temperature and any(each["name"] == "temperature" for each in fields):
                every = re.findall(r"\b\d+ K\b", table.caption)
                filled["temperature"] = every[0]
            for each in numbers:
                if each["name"] in found:
                    unit = each.get("unit", "")
                    value = corrected.get((row[0], unit.partition(" ")[0]), row[found[each["name"]]])
                    filled[each["name"]] = f"{value} {unit}".strip()
            made.append(filled)
    return {"objects": made}


def _label(field: dict[str, Any], caption: str) -> str | None:
    synonyms: dict[str, list[str]] = field.get("synonyms", {})
    counted = {
        label: [caption.lower().find(each.lower()) for each in (label, *synonyms.get(label, []))]
        for label in field["labels"]
    }
    places = {label: [at for at in found if at >= 0] for label, found in counted.items()}
    standing = {label: min(found) for label, found in places.items() if found}
    return min(standing, key=lambda label: standing[label]) if standing else None


def _column(table: Grid, field: dict[str, Any]) -> int | None:
    """The column whose words and unit fit a field best."""
    wanted = words_of(field["definition"])
    unit = field.get("unit")
    fits: list[tuple[int, int]] = []
    for index in range(1, len(table.heads)):
        if unit and unit_of(table.heads[index]) != unit:
            continue
        overlap = len(wanted & table.column_words(index))
        if overlap >= (1 if unit else 2):
            fits.append((overlap, -index))
    return -max(fits)[1] if fits else None


def _joined(numbers: list[dict[str, Any]], reader: Reader, names: Names) -> list[dict[str, Any]]:
    """One object a sample, each field from the table that fits it best."""
    made: dict[str, dict[str, Any]] = {
        code: {"formula": formula, "code": code} for code, formula in names.formulas.items()
    }
    for field in numbers:
        wanted, unit = words_of(field["definition"]), field.get("unit", "")
        fits: list[tuple[int, int, int]] = []
        tables = own_tables(reader)
        for number, table in enumerate(tables):
            for index in range(1, len(table.heads)):
                head_unit = unit_of(table.heads[index])
                in_caption = unit.partition(" ")[0] in table.caption.replace("\u2212", "-")
                if head_unit == unit or (not head_unit and in_caption):
                    words = table.column_words(index) | (words_of(table.caption) if not head_unit else frozenset())
                    fits.append((len(wanted & words), -number, -index))
        if not fits:
            continue
        _, number, index = max(fits)
        for row in tables[-number].rows:
            if names.code(row[0]) in made:
                made[names.code(row[0])][field["name"]] = f"{row[-index]} {unit}".strip()
    return list(made.values())
