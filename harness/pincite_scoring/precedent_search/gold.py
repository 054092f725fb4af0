"""Check the gold of a precedent_search task: a class with values that can be compared, and sources that hold."""

from pathlib import Path

from pincite_materials.units import known
from pincite_scoring.precedent_search.answer import Answer, Measurement, Source
from pincite_scoring.precedent_search.citations import doi_form
from pincite_scoring.precedent_search.literature import Literature, open_literature
from pincite_scoring.precedent_search.values import Frame, is_about, is_right, prints
from pincite_scoring.scorer import GoldProblem

_STANDINGS = {
    "absent": "the quoted span does not stand in the work",
    "unverifiable": "the quoted span cannot be verified: the work was read poorly",
    "no_quote": "it has no quoted span",
    "unknown_work": "the corpus has no such work",
}


def check_gold(gold: Answer, frame: Frame, corpus: Path | None) -> list[GoldProblem]:
    """Everything wrong with a gold answer beyond its schema, in order.

    Fatal: a class that is neither Yes nor No, values of the other class, values that no answer could meet, another
    material, an unknown unit; with a corpus, a source that it does not have, that is retracted, whose span does not
    stand in it or does not print the value.
    """
    problems: list[GoldProblem] = []
    if gold.reported == "Unknown":
        problems.append(GoldProblem(None, "reported", "the gold must be Yes or No"))
    if gold.reported == "Yes" and gold.negative_measurements:
        problems.append(GoldProblem(None, "negative_measurements", "they are not asked where the answer is Yes"))
    if gold.reported == "No" and gold.measurements:
        problems.append(GoldProblem(None, "measurements", "there are none where the answer is No"))
    literature = open_literature(corpus) if corpus is not None else None
    for index, measurement in enumerate(gold.counted):
        problems += _of_measurement(index, measurement, frame)
        for source in measurement.sources:
            problems += _of_source(index, source, literature)
            if literature is not None and not prints(source, measurement, frame):
                problems.append(GoldProblem(index, "sources", f"the span does not print {measurement.value}"))
    for source in gold.sources:
        problems += _of_source(None, source, literature)
    return problems


def _of_measurement(index: int, measurement: Measurement, frame: Frame) -> list[GoldProblem]:
    problems: list[GoldProblem] = []
    if not is_about(measurement, frame):
        problems.append(GoldProblem(index, "material", f"{measurement.material} is not {frame.material}"))
    if not known(measurement.unit or frame.unit):
        problems.append(GoldProblem(index, "unit", f"nobody knows the unit {measurement.unit!r}"))
    elif not is_right(measurement, measurement, frame):
        problems.append(GoldProblem(index, "value", f"{measurement.value!r} is not a number that an answer could meet"))
    return problems


def _of_source(index: int | None, source: Source, literature: Literature | None) -> list[GoldProblem]:
    if source.doi and not doi_form(source.doi):
        return [GoldProblem(index, "sources", f"{source.doi!r} is not a DOI")]
    if literature is None:
        return []
    name = source.doi or source.title
    standing = literature.standing(source)
    if standing != "verified":
        return [GoldProblem(index, "sources", f"{name}: {_STANDINGS[standing]}")]
    work = literature.find(source)
    if work is not None and work.retracted:
        return [GoldProblem(index, "sources", f"{name} is retracted")]
    return []
