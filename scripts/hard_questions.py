"""Questions of literature_qa's hard set about the long papers of ``tasks/shared``: computed from the papers' truth."""

import tomllib
from pathlib import Path
from typing import Any

from build_hard_records import find_evidence
from build_hard_tables import paper_of
from hard_truth import Truth

Json = dict[str, Any]
GIVEN = (
    "Read the paper below. What its authors measured counts, and no calculation, plan or value of others; where they "
    "correct or replace a value, what they put in its place; of several values for the same thing, the mean and not a "
    'single one. Where the paper has no measurement that the question needs, the answer is the words "no measurement".'
)
NOTHING = "no measurement"
"""The answer where nothing that stands gives what a question needs; the questions say so, all of them alike."""
ACCEPT = ["no measurement stands", "no measurement is reported", "no measurements"]
TOLERANCE = 0.005
"""Relative: below it lie roundings to three digits, above it every wrong way (other unit, neighbour, old value)."""
CORPUS = "corpora/mixed"
"""What the literature server holds: nothing of the real web, and nothing about the papers."""


def answer_of(task: Json, truth: Truth) -> str:
    """The number that the expression of a task gives, with its unit."""
    names = {"num": truth.value, "fact": truth.facts.__getitem__, "code": truth.translated}
    number = float(eval(task["value"], {"__builtins__": {"float": float}, **names}))
    return f"{float(f'{number:.4g}'):g} {task.get('unit', '')}".strip()


def record_of(task: Json) -> Json:
    """One line of records-hard.jsonl."""
    name = f"{task['paper']}.pdf"
    inputs = {"parameters": {"question": task["question"], "given": GIVEN}, "corpus": CORPUS}
    inputs |= {"papers": [f"../shared/papers/{name}"]}
    gold: Json = {"kind": "text", "answer": NOTHING, "accept": ACCEPT, "route": ["documents"]}
    if "value" in task:
        truth = Truth(task["paper"])
        gold = {"kind": "number", "answer": answer_of(task, truth), "tolerance": TOLERANCE}
        gold |= {"unit": task["unit"]} if "unit" in task else {}
        page, quote = find_evidence(paper_of(task["paper"]), task["quote"].format(**truth.facts))
        gold |= {"source": {"paper": name, "page": page, "quote": quote}, "route": ["documents"]}
    metadata = {"title": task["question"], "difficulty": task["hard"]}
    return {"task_id": task["id"], "inputs": inputs, "gold": gold, "metadata": metadata}


def question_records(family: Path) -> list[Json]:
    """The records of every ``sources/hard-PAPER.toml``, by name."""
    paths = sorted((family / "sources").glob("hard-*.toml"))
    return [record_of(task) for path in paths for task in tomllib.loads(path.read_text(encoding="utf-8"))["task"]]
