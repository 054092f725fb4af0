"""How long 10,000 answers of precedent_search take to be checked and scored on one core.

    python tests/benchmarks/precedent_scoring.py [--answers 10000] [--seed 2]

Answers: made by hand of the bundled golds (with their corpora, whose works are searched for every quote) and of
made-up materials without a corpus, half each; every one differs. An answer has one to six measurements with one to
three sources each, related materials and phases; a third are right, a third have another value, the rest are wrong in
class, material, DOI or quote. Each is read from JSON, checked against the schema and scored, strictly and as published.
Times are the core's own (CPU seconds), so that other work on the machine does not count. The exit status is 1 when the
strict scores take more than 60 seconds for 10,000.
"""

import argparse
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import orjson

from pincite_scoring import Case, Mean, ScoringOptions, score
from pincite_tasks.answer import check_answer
from pincite_tasks.family import Family, load_family

FAMILY = Path(__file__).resolve().parents[2] / "tasks" / "precedent_search"
MOST_SECONDS, FOR = 60.0, 10_000
_ELEMENTS = ("La", "Sr", "Cu", "O", "Fe", "As", "Nb", "Sn", "Rh", "Sb", "Y", "Ba", "Te", "Pd", "Hf", "Ca")
_WORDS = (
    "transition",
    "of",
    "the",
    "single",
    "crystal",
    "lies",
    "at",
    "a",
    "midpoint",
    "in",
    "zero",
    "field",
    "with",
    "heat",
)
Json = dict[str, Any]


def main() -> int:
    """Print the times; 1 when the bar is missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--answers", type=int, default=FOR)
    options.add_argument("--seed", type=int, default=2)
    given = options.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rng = random.Random(given.seed)
    family = load_family(FAMILY)
    cases = [_case(family, number, rng) for number in range(given.answers)]
    began = time.process_time()
    checked = [check_answer(data, family.schema, "answer.json") for data, _ in cases]
    checking = time.process_time() - began
    if faults := [answer.fault for answer in checked if answer.fault is not None]:
        print(f"{len(faults)} answers break the schema: {faults[0]}")
        return 1
    seconds: dict[str, float] = {}
    for compat in ("strict", "reference"):
        began = time.process_time()
        scores = [
            score("precedent_search", Case(answer.value, **case), ScoringOptions(compat=compat))
            for answer, (_, case) in zip(checked, cases, strict=True)
        ]
        seconds[compat] = time.process_time() - began
        names = ("score", "coverage", "doi_match", "quotes_verified")
        shown = {name: Mean.of([v for s in scores if (v := s.metrics[name]) is not None]).mean for name in names}
        print(f"{compat}: {len(scores)} answers in {seconds[compat]:.1f} s; " + _told(shown))
    print(f"reading and checking by the schema: {checking:.1f} s more")
    scaled = seconds["strict"] * FOR / max(given.answers, 1)
    print(f"10,000 answers: {scaled:.1f} s (bar: < {MOST_SECONDS:.0f} s)")
    return int(scaled >= MOST_SECONDS)


def _told(means: dict[str, float | None]) -> str:
    return ", ".join(f"{name} {mean:.3f}" for name, mean in means.items() if mean is not None)


def _case(family: Family, number: int, rng: random.Random) -> tuple[bytes, Json]:
    """An answer as its file, and the rest of its case."""
    if number % 2:
        task = rng.choice(family.tasks)
        gold, case = task.gold, {"gold": task.gold, "parameters": task.parameters, "corpus": task.corpus}
    else:
        material = "".join(f"{element}{rng.randint(1, 400) / 100:g}" for element in rng.sample(_ELEMENTS, 4))
        gold = _gold(material, rng)
        case = {"gold": gold, "parameters": {"material": material, "unit": "K"}}
    return orjson.dumps(_answer(gold, number, rng)), case


def _gold(material: str, rng: random.Random) -> Json:
    reported = rng.choice(("Yes", "Yes", "No"))
    made = [_measurement(material, rng) for _ in range(rng.randint(1, 4))]
    heading = "measurements" if reported == "Yes" else "negative_measurements"
    return {
        "reported": reported,
        "sources": [_source(rng)],
        "measurements": [],
        "negative_measurements": [],
        heading: made,
    }


def _measurement(material: str, rng: random.Random) -> Json:
    return {
        "material": material,
        "value": f"{rng.randint(1, 9_999) / 100:g}",
        "unit": "K",
        "conditions": {"pressure": rng.choice(("ambient", "2 GPa", "7.5 GPa"))},
        "method": rng.choice(("resistivity", "specific heat", "magnetisation")),
        "sources": [_source(rng) for _ in range(rng.randint(1, 3))],
    }


def _source(rng: random.Random) -> Json:
    return {
        "doi": f"10.5555/made.{rng.randrange(10**9)}",
        "title": " ".join(rng.choices(_WORDS, k=10)).capitalize(),
        "authors": ["A. Author", "B. Writer"],
        "year": rng.randint(1960, 2024),
        "quoted_span": f"{' '.join(rng.choices(_WORDS, k=14))} {rng.randrange(10**6)}",
    }


def _answer(gold: Json, number: int, rng: random.Random) -> Json:
    """The gold with changes, so that no two answers are the same."""
    answer: Json = orjson.loads(orjson.dumps(gold))
    kind = rng.choice(("right", "right", "value", "value", "class", "other"))
    heading = "measurements" if answer["reported"] == "Yes" else "negative_measurements"
    for measurement in answer[heading]:
        if kind == "value":
            measurement["value"] = f"{rng.randint(1, 99_999) / 1000:g}"
        elif kind == "other":
            measurement["material"] += f"Xe{rng.randint(1, 99) / 100:g}"
        for source in measurement["sources"]:
            if rng.random() < 0.3:
                source["doi"] = f"https://doi.org/10.5555/other.{rng.randrange(10**9)}"
            if rng.random() < 0.3:
                source["quoted_span"] = _source(rng)["quoted_span"]
    if kind == "class":
        answer["reported"] = rng.choice(("Unknown", "No" if answer["reported"] == "Yes" else "Yes"))
    answer["related"] = [
        {"material": f"Y{rng.randint(1, 999) / 100:g}Pd2Sn", "value": "4.9", "sources": [_source(rng)]}
    ]
    answer["phases"] = [{"material": "EuPd2Sn", "phase": "antiferromagnet", "temperature": "13 K", "sources": []}]
    answer["note"] = f"Answer {number}."
    return answer


if __name__ == "__main__":
    sys.exit(main())
