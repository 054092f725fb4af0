"""Each field of each bundled gold answer changed in one way: every metric moves as the definition says, and no further.

What is expected is computed here from the changed JSON and the files of the corpus by plain arithmetic.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pincite_scoring import Case, ScoringOptions, score
from pincite_tasks.family import load_family
from pincite_tasks.task import Task

FAMILY = load_family(Path(__file__).resolve().parents[3] / "tasks" / "precedent_search")
TASKS = {task.task_id: task for task in FAMILY.tasks}
HEADINGS = {"Yes": "measurements", "No": "negative_measurements"}
NOWHERE, ELSEWHERE = "10.5555/nowhere.1", "Grain growth of hydroxyapatite under a magnetic yoke"
Json = dict[str, Any]


@dataclass
class Changed:
    """An answer with one change: which of its measurements stay right, and which of those contradict conditions."""

    what: str
    answer: Json
    wrong: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    """Wrong, and not among the answered ones."""
    conflicts: frozenset[int] = frozenset()
    related_lost: int = 0
    phases_lost: int = 0
    doubled: int = 0


def test_the_suite_has_more_than_four_hundred_cases() -> None:
    assert sum(len(list(changes(task))) for task in TASKS.values()) >= 400


@pytest.mark.parametrize("name", sorted(TASKS))
def test_every_change_moves_every_metric_as_defined(name: str) -> None:
    task = TASKS[name]
    options = ScoringOptions()
    for changed in [Changed("nothing", _copy(task.gold)), *changes(task)]:
        case = Case(changed.answer, task.gold, parameters=task.parameters, corpus=task.corpus)
        metrics = score("precedent_search", case, options).metrics
        wanted = expected(task, changed)
        if metrics != wanted:
            assert metrics == pytest.approx(wanted), f"{name}: {changed.what}"
        published = score("precedent_search", case, ScoringOptions(compat="reference")).metrics
        wanted = as_published(task, changed.answer)
        assert {each: published[each] for each in wanted} == wanted, f"{name}: {changed.what}, as published"


@pytest.mark.parametrize("name", sorted(TASKS))
def test_the_oracle_is_right_in_everything_and_nothing_is_worth_nothing(name: str) -> None:
    task = TASKS[name]
    for compat in ("strict", "reference"):
        case = Case(task.gold, task.gold, parameters=task.parameters, corpus=task.corpus)
        metrics = score("precedent_search", case, ScoringOptions(compat=compat)).metrics
        assert (metrics["score"], metrics["correct"], metrics["doi_match_given_correct"]) == (2.0, 1.0, 1.0)
        nothing = json.loads(FAMILY.settings.nothing or "null")
        for given, diagnosis in ((nothing, "not_attempted"), (None, "failed")):
            worst = score("precedent_search", replace(case, answer=given), ScoringOptions(compat=compat)).metrics
            assert (worst["score"], worst[diagnosis], worst["doi_match"]) == (0.0, 1.0, 0.0)


def changes(task: Task) -> Iterator[Changed]:
    """Every change of every field."""
    gold: Json = task.gold
    for reported in ("Yes", "No", "Unknown"):
        if reported != gold["reported"]:
            yield Changed(f"reported: {reported}", _copy(gold) | {"reported": reported})
    yield Changed("note", _copy(gold) | {"note": "Nothing of note."})
    yield Changed("note gone", {key: value for key, value in gold.items() if key != "note"})
    heading = HEADINGS[gold["reported"]]
    for index in range(len(gold[heading])):
        yield from _of_measurement(gold, task.parameters["material"], heading, index)
    for index in range(len(gold["related"])):
        yield from _of_entry(gold, "related", index)
    for index in range(len(gold["phases"])):
        yield from _of_entry(gold, "phases", index)
    for path in _source_paths(gold):
        yield from _of_source(task, path)


def _of_measurement(gold: Json, material: str, heading: str, index: int) -> Iterator[Changed]:
    true = gold[heading][index]
    number, unit, one = float(true["value"].split("(")[0]), true["unit"], frozenset({index})

    def made(what: str, effect: str, **fields: Any) -> Changed:
        answer = _copy(gold)
        answer[heading][index] |= fields
        effects: Json = {effect: one} if effect else {}
        return Changed(f"{heading} {index}: {what}", answer, **effects)

    yield made("1 % off", "wrong", value=f"{number * 1.01:.9g}")
    yield made("1 % off below", "wrong", value=f"{number * 0.99:.9g}")
    yield made("0.2 % off", "wrong", value=f"{_kelvin(number, unit) * 1.002:.9g}", unit="K")
    yield made("0.05 % off", "", value=f"{_kelvin(number, unit) * 1.0005:.9g}", unit="K")
    yield made("0.05 % off below", "", value=f"{_kelvin(number, unit) * 0.9995:.9g}", unit="K")
    yield made("in millikelvin", "", value=f"{_kelvin(number, unit) * 1000:.9g}", unit="mK")
    yield made("a number, not a text", "", value=number)
    yield made("a range", "wrong", value=f"{number} to {number + 1}")
    yield made("a list", "wrong", value=f"{number}, {number + 1}")
    yield made("no number", "wrong", value="low")
    yield made("in tesla", "wrong", unit="T")
    yield made("in grams of an unknown kind", "wrong", unit="grumbles")
    yield made("without unit", "" if unit == "K" else "wrong", unit=None)
    yield made("as a bound", "wrong" if heading == "measurements" else "", qualifier="<")
    yield made("of a neighbour", "wrong", material=f"{material}Xe0.01")
    yield made("of a sample of no name", "", material="crystal 3 of this work")
    yield made("under pressure", "conflicts", conditions=true.get("conditions", {}) | {"pressure": "77 GPa"})
    defined = true.get("definition") in ("midpoint", "zero")
    yield made("onset for another point", "conflicts" if defined else "", definition="onset")
    yield made("definition gone", "", definition=None)
    yield made("another method", "conflicts" if true.get("method") in _KNOWN else "", method="neutron diffraction")
    yield made("method gone", "", method=None)
    for condition, others in (("sample_state", _OTHER_STATES), ("field", {})):
        own = true.get("conditions", {}).get(condition)
        value = others.get(own, "9 T" if condition == "field" else "thin film")
        if own is not None:
            conditions = true["conditions"] | {condition: value}
            yield made(f"another {condition}", "conflicts", conditions=conditions)
    gone = _copy(gold)
    moved = _copy(gold)
    twice = _copy(gold)
    taken = moved[heading].pop(index)
    moved["measurements" if heading == "negative_measurements" else "negative_measurements"].append(taken)
    del gone[heading][index]
    twice[heading].append(true)
    yield Changed(f"{heading} {index}: gone", gone, gone=one)
    yield Changed(f"{heading} {index}: under the other heading", moved, gone=one)
    yield Changed(f"{heading} {index}: twice", twice, doubled=1)


_KNOWN = {
    "resistivity",
    "specific heat",
    "magnetic susceptibility",
    "ac susceptibility",
    "differential scanning calorimetry",
    "permittivity",
    "second-harmonic generation",
    "resistivity and magnetisation",
    "permittivity and hysteresis",
    "magnetisation",
}
"""Methods that name a technique."""
_OTHER_STATES = {
    "tetragonal": "orthorhombic",
    "orthorhombic": "tetragonal",
    "as-cast": "annealed",
    "annealed": "as-cast",
    "70Ge": "76Ge",
    "76Ge": "70Ge",
}
"""By sample state another of its kind; a thin film may be any of these."""


def _of_entry(gold: Json, heading: str, index: int) -> Iterator[Changed]:
    lost = {"related": "related_lost", "phases": "phases_lost"}[heading]
    ways: list[tuple[str, Json | None, int]] = [
        ("of another material", {"material": "Xe2F3Kr"}, 1),
        ("without sources", {"sources": []}, 0),
        ("gone", None, 1),
    ]
    ways += [("another value", {"value": "77.7"}, 0)] if heading == "related" else []
    ways += (
        [("another phase", {"phase": "bubble phase"}, 1), ("another temperature", {"temperature": "1 K"}, 0)]
        if heading == "phases"
        else []
    )
    for what, fields, effect in ways:
        answer = _copy(gold)
        if fields is None:
            del answer[heading][index]
        else:
            answer[heading][index] |= fields
        effects: Json = {lost: effect}
        yield Changed(f"{heading} {index}: {what}", answer, **effects)


def _source_paths(gold: Json) -> Iterator[tuple[Any, ...]]:
    yield from (("sources", index) for index in range(len(gold["sources"])))
    for heading in ("measurements", "negative_measurements", "related", "phases"):
        for index, entry in enumerate(gold[heading]):
            yield from ((heading, index, "sources", at) for at in range(len(entry["sources"])))


def _of_source(task: Task, path: tuple[Any, ...]) -> Iterator[Changed]:
    true = _at(task.gold, path)
    retracted = next((work["doi"] for work in _works(task) if work.get("retracted") and work.get("doi")), NOWHERE)
    ways: dict[str, Json] = {
        "an unknown DOI": {"doi": NOWHERE},
        "a retracted DOI": {"doi": retracted},
        "a URL": {"doi": f"https://doi.org/{true['doi']}"},
        "in capitals": {"doi": true["doi"].upper()},
        "no DOI": {"doi": None},
        "a cut DOI": {"doi": true["doi"][:-1]},
        "another title": {"title": ELSEWHERE},
        "no title": {"title": None},
        "neither": {"doi": None, "title": None},
        "another quote": {"quoted_span": f"{true['quoted_span']} and so on and on"},
        "another number in the quote": {"quoted_span": f"{true['quoted_span']} 77.7"},
        "no quote": {"quoted_span": None},
        "another year": {"year": 1900},
        "no authors": {"authors": []},
    }
    for what, fields in ways.items():
        answer = _copy(task.gold)
        _at(answer, path).update(fields)
        yield Changed(f"{path}: {what}", answer)
    answer = _copy(task.gold)
    del _at(answer, path[:-1])[path[-1]]
    yield Changed(f"{path}: gone", answer)


def expected(task: Task, changed: Changed) -> dict[str, float | None]:
    """All metrics, by the definitions."""
    gold, answer = task.gold, changed.answer
    true = len(gold[HEADINGS[gold["reported"]]])
    same = answer["reported"] == gold["reported"]
    unknown = answer["reported"] == "Unknown"
    right = true - len(changed.wrong) - len(changed.gone) if same else 0
    answered = (
        true - len(changed.gone) + changed.doubled
        if same
        else len(answer[HEADINGS[answer["reported"]]])
        if not unknown
        else 0
    )
    points = (2.0 if _has_value(gold, changed, right) or not true else 1.0) if same else 0.0
    kind = "correct" if points == 2 else "partial" if points == 1 else "not_attempted" if unknown else "incorrect"
    metrics: dict[str, float | None] = {"score": points}
    metrics |= {each: float(each == kind) for each in ("correct", "partial", "not_attempted", "incorrect", "failed")}
    metrics |= {"accuracy_strict": float(points == 2), "accuracy_loose": float(points > 0)}
    metrics |= {"coverage": float(not unknown)}
    metrics |= {f"precision_{s}": None if unknown else float(points == s) for s in (0, 1, 2)}
    metrics |= _citations(gold, answer, points)
    metrics["values_found"] = right / true if true else None
    metrics["values_right"] = right / answered if answered else None
    metrics["conditions_agree"] = 1 - len(changed.conflicts) / right if right else None
    for heading, lost in (("related", changed.related_lost), ("phases", changed.phases_lost)):
        count = len(gold[heading])
        metrics[f"{heading}_found"] = 1 - lost / count if count else None
    measured: list[Json] = [] if unknown else answer[HEADINGS[answer["reported"]]]
    carried = [any(_carries(task, source, each) for source in each["sources"]) for each in measured]
    metrics["values_carried"] = sum(carried) / len(carried) if carried else None
    metrics["values_all"] = _values_all(task, changed) if same else 0.0
    return metrics | _evidence(task, answer)


def _has_value(gold: Json, changed: Changed, right: int) -> bool:
    """Any value where the class is Yes; the lowest where it is No, and none below it."""
    if gold["reported"] == "Yes":
        return right > 0
    lost = changed.wrong | changed.gone
    values = [_kelvin(float(each["value"]), each["unit"]) for each in gold["negative_measurements"]]
    answered = [_in_kelvin(each) for each in changed.answer["negative_measurements"] if "Xe" not in each["material"]]
    low = min((each for each in answered if each is not None), default=0.0)
    return values.index(min(values)) not in lost and abs(low - min(values)) <= 0.001 * min(values)


def _in_kelvin(each: Json) -> float | None:
    unit = each["unit"] or "K"
    found = re.fullmatch(r"[\d.e-]+", str(each["value"]))
    return _kelvin(float(found[0]), unit) if found and unit in ("K", "mK", "°C") else None


def _values_all(task: Task, changed: Changed) -> float:
    """Twice the measurements that agree in everything and are quoted from a work that the gold names for them, over
    those of the gold and those stated; a value of the other class, of a relative or of a phase that is not the gold's
    and that its quote does not print is stated too."""
    gold, answer = task.gold, changed.answer
    heading, other = sorted(HEADINGS.values(), key=lambda each: each != HEADINGS[gold["reported"]])
    kept = [index for index in range(len(gold[heading])) if index not in changed.gone]
    whole = 0
    for index, mine in zip(kept, answer[heading], strict=False):
        true = gold[heading][index]["sources"]
        dois, titles = ({source[key] for source in true} for key in ("doi", "title"))
        cited = [each for each in mine["sources"] if _bare(each) in dois or each["title"] in titles]
        agrees = index not in changed.wrong | changed.conflicts
        whole += agrees and any(_carries(task, source, mine) for source in cited)
    whole_twice = changed.doubled if whole == len(gold[heading]) else 0
    stated = len(answer[heading]) - whole_twice + len(answer[other])
    stated += sum(_is_false(task, gold["related"], each, "value") for each in answer["related"])
    stated += sum(_is_false(task, gold["phases"], each, "temperature") for each in answer["phases"])
    if not gold[heading]:
        # Every source that stands carries the claim here: its quote is the gold's.
        good = [each for each in answer["sources"] if _stands(task, each)]
        names = [(_bare(each), each["title"]) for each in good]
        found = sum(any(a == true["doi"].lower() or b == true["title"] for a, b in names) for true in gold["sources"])
        others = len({each["doi"] or each["title"] for each in answer["sources"] if each not in good})
        return 0.0 if stated else 2 * found / (len(gold["sources"]) + found + others)
    return 2 * whole / (len(gold[heading]) + stated)


def _is_false(task: Task, golds: list[Json], mine: Json, key: str) -> bool:
    """Whether a value differs from the gold's of that name and no quote of its own prints it."""
    value = mine.get(key)
    names = ("material", "phase") if key == "temperature" else ("material",)
    known = any(all(mine[name] == true[name] for name in names) and true.get(key) == value for true in golds)
    quoted = [source for source in mine["sources"] if source["quoted_span"]]
    if not value or known or not quoted:
        return False
    number, _, unit = str(value).partition(" ")
    measured = {"value": number, "unit": unit or mine.get("unit")}
    return not any(_carries(task, source, measured) for source in quoted)


def as_published(task: Task, answer: Json) -> dict[str, float | None]:
    """Score and DOI match by the published code: any number of the values against the first of the first gold one; a
    DOI that holds the other, of the first three sources of the class, of the values and of the negative values."""
    gold = task.gold
    heading = HEADINGS[gold["reported"]]
    same, points = answer["reported"] == gold["reported"], 0.0
    if same:
        numbers = [_published(n, each["unit"]) for each in answer[heading] for n in _numbers(str(each["value"]))]
        true = [_published(_numbers(str(each["value"]))[0], each["unit"]) for each in gold[heading][:1]]
        points = 2.0 if not true or any(abs(n - true[0]) / true[0] <= 0.001 for n in numbers) else 1.0
    groups = [[source for each in answer[kind] for source in each["sources"]] for kind in HEADINGS.values()]
    cited = [source for group in (answer["sources"], *groups) for source in group[:3]]
    wanted = {source["doi"].lower() for source in _claims(gold)}
    met = any(_bare(a) in b or b in _bare(a) for a in cited if a["doi"] for b in wanted)
    return {"score": points, "doi_match": float(met)}


def _published(number: str, unit: str | None) -> float:
    return _kelvin(float(number), unit) if unit in ("K", "mK", "°C") else float(number)


def _numbers(text: str) -> list[str]:
    return re.findall(r"[-+]?\d+(?:\.\d+)?", re.sub(r"\(\d+\)", "", text))


def _citations(gold: Json, answer: Json, points: float) -> dict[str, float | None]:
    cited, wanted = list(_claims(answer)), list(_claims(gold))
    dois = {source["doi"].lower() for source in wanted}
    titles = {source["title"] for source in wanted}
    doi = float(any(_bare(source) in dois for source in cited))
    title = float(any(source["title"] in titles for source in cited))
    met = max(doi, title)
    return {
        "doi_match": doi,
        "title_match": title,
        "any_match": met,
        **{f"citation_quality_{s}": float(points == s) if met else None for s in (0, 1, 2)},
        **{f"attribution_quality_{s}": met if points == s else None for s in (0, 1, 2)},
        "doi_match_given_correct": doi if points == 2 else None,
        "score_given_retrieval": points if met else None,
    }


def _evidence(task: Task, answer: Json) -> dict[str, float | None]:
    works = _works(task)
    by_doi = {work.get("doi") or f"10.48550/arxiv.{work['arxiv']}": work for work in works}
    by_title = {work["title"]: work for work in works}
    sources = {
        (source["doi"], source["title"], source["quoted_span"]): source
        for source in (
            *_claims(answer),
            *(each for heading in ("related", "phases") for entry in answer[heading] for each in entry["sources"]),
        )
    }.values()
    named = [source for source in sources if source["doi"] or source["title"]]
    found = [by_doi.get(_bare(source)) if source["doi"] else by_title.get(source["title"]) for source in sources]
    real = [work for work in found if work is not None]
    said = [
        work is not None and bool(source["quoted_span"]) and source["quoted_span"] in work["words"]
        for source, work in zip(sources, found, strict=True)
    ]
    return {
        "sources_real": len(real) / len(named) if named else None,
        "sources_standing": sum(not work.get("retracted") for work in real) / len(real) if real else None,
        "quotes_verified": sum(said) / len(said) if said else None,
    }


def _carries(task: Task, source: Json, measured: Json) -> bool:
    """Whether the quote stands in a work that is not retracted and prints every number, in kelvin where units differ;
    a number without a unit is in the answer's or in kelvin."""
    unit, numbers = measured["unit"] or "K", [float(n) for n in _numbers(str(measured["value"]))]
    span = re.sub(r"(?<![\d.()] )(?<![\d°])\b[A-Za-z]\S*", "", source["quoted_span"] or "").replace("(1)", "")
    printed: list[float] = []
    for n, behind in re.findall(r"([-+]?\d+(?:\.\d+)?)(?: (mK|K|°C|GPa|microohm)\b)?", span):
        if unit not in ("K", "mK", "°C"):
            printed += [] if behind else [float(n)]
        elif behind in ("K", "mK", "°C"):
            printed.append(_kelvin(float(n), behind))
        elif not behind:
            printed += [_kelvin(float(n), unit), float(n)]
    near = [any(abs(_published(str(n), unit) - p) <= 0.001 * p for p in printed) for n in numbers]
    return bool(near) and all(near) and _stands(task, source)


def _stands(task: Task, source: Json) -> bool:
    by = "doi" if source["doi"] else "title"
    wanted = _bare(source) if source["doi"] else source["title"]
    works = (work for work in _works(task) if work.get(by) == wanted)
    span = source["quoted_span"]
    return bool(span) and any(not work.get("retracted") and span in work["words"] for work in works)


def _claims(answer: Json) -> Iterator[Json]:
    yield from answer["sources"]
    for entry in (*answer["measurements"], *answer["negative_measurements"]):
        yield from entry["sources"]


def _bare(source: Json) -> str:
    return (source["doi"] or "").removeprefix("https://doi.org/").lower()


def _works(task: Task) -> list[Json]:
    assert task.corpus is not None
    return _read(task.corpus)


@cache
def _read(corpus: Path) -> list[Json]:
    """The works, each with all its words under ``words``."""
    works = [json.loads(line) for line in (corpus / "works.jsonl").read_text("utf-8").splitlines()]
    lines = [line for part in (corpus / "texts").glob("*.jsonl") for line in part.read_text("utf-8").splitlines()]
    packed = {each["name"]: each["text"] for each in map(json.loads, lines)}
    for work in works:
        name = work.get("text")
        full = "" if not name else packed.get(Path(name).name) or (corpus / name).read_text("utf-8")
        work["words"] = " ".join(f"{work['title']} {work.get('abstract', '')} {full}".replace("|", " ").split())
    return works


def _kelvin(number: float, unit: str) -> float:
    return {"K": number, "mK": number / 1000, "°C": number + 273.15}[unit]


def _copy(value: Json) -> Json:
    return json.loads(json.dumps(value))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value
