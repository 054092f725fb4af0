"""A cast of rules for the literature agent: plays every role by small general rules, without a model.

The rules know English and units, and nothing of the tasks: words that question and passage share, sentences, numbers.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from pincite_doors.testing import Request, call

WORD = re.compile(r"[A-Za-z0-9.]{3,}")
_FUNCTION_WORDS = """the and for are was were that with from which what how has have been does did not this than into
its their there where when who why can could answer question questions one other each per between"""
COMMON = frozenset(_FUNCTION_WORDS.split())
VALUE = re.compile(r"\d+(?:\.\d+)?(?:\(\d+\))?\s*(?:%|[a-zA-Zμ°]+(?:/[a-zA-Z]+)?)")
KELVIN = re.compile(r"(\d+(?:\.\d+)?(?:\(\d+\))?) K\b")
FORMULA = re.compile(r"\b(?:[A-Z][a-z]?\d*(?:\.\d+)?){2,}\b")
PIECE = re.compile(r'<data (\w+) source="(e\d+): (\w+), [^\n]*>\n(.*?)\n</data \1>', re.DOTALL)
SEVERAL = 3


def cast(task: Mapping[str, Any]) -> dict[str, Any]:
    """The members by role, for one task."""
    orchestrator = Orchestrator(task)
    return {
        "gate": allow,
        "selector": select,
        "reranker": rank,
        "inspector": abstain,
        "orchestrator": orchestrator,
        "synthesis": precedent if "material" in task["inputs"]["parameters"] else synthesise,
    }


class Orchestrator:
    """Searches works unless papers are given, reads what was selected, searches passages, looks at what must be looked
    at, and ends on the best passages."""

    def __init__(self, task: Mapping[str, Any]) -> None:
        parameters = task["inputs"]["parameters"]
        self.query = str(parameters.get("question") or f"{parameters.get('material')} superconductivity transition")
        self.given = bool(task["inputs"].get("papers"))
        self.step = 0
        self.best: list[str] = []

    def __call__(self, request: Request) -> Any:
        self.step += 1
        last = _data(request)
        if not self.given and self.step == 1:
            return call("literature.search_papers", query=" ".join(sorted(words(self.query)))[:300])
        if not self.given and self.step == 2 and (chosen := last.get("selected")):
            works = {work["id"]: work for work in last["works"]}
            found = [works[each["id"]] for each in chosen]
            sources = [work["doi"] for work in found if work.get("doi")]
            if sources:
                return call("library.add_papers", sources=sources)
        if "passages" in last:
            self.best = [each["locator"] for each in last["passages"][:SEVERAL]]
        elif not self.best:
            if self.step > SEVERAL + 1:
                return call("answer", basis="nothing", why="no passage was found")
            return call("library.search_passages", query=self.query[:500], k=8)
        for paper, figure in re.findall(r'paper "([^"]+)", figure "([^"]+)"', str(last.get("error", "")))[:1]:
            return call("figures.inspect_figure", paper=paper, figure=figure, question=self.query[:900])
        return call("answer", basis="passages", chunks=self.best, why="the best of the search")


def allow(_: Request) -> Any:
    """Every question is worked on."""
    return call("answer", decision="allow", why="by rule")


def abstain(_: Request) -> Any:
    """Rules cannot see."""
    return call("answer", action="wrong_figure", reason="rules cannot see")


def select(request: Request) -> Any:
    """The works whose title and abstract share most words with the task."""
    task = request.first.partition("# The search")[0]
    works = json.loads(_fenced(request.first))
    shared = {work["id"]: overlap(task, f"{work.get('title')} {work.get('abstract')}") for work in works}
    best = sorted(shared, key=lambda name: -shared[name])[:SEVERAL]
    return call("answer", chosen=[{"id": name, "why": f"{shared[name]:.2f}"} for name in best if shared[name]])


def rank(request: Request) -> Any:
    """Scores by the share of the question's words that a passage has; a figure by its caption."""
    question = request.first.partition("# The question")[2].partition("<data")[0]
    passages = json.loads(_fenced(request.first))
    asks_figure = re.search(r"\bFig", question) is not None
    scores: list[dict[str, int]] = []
    for each in passages:
        answers = min(10, round(12 * overlap(question, each["text"])))
        figure = 10 if asks_figure and each["kind"] == "figure" else 0
        scores.append({"passage": each["passage"], "answers": answers, "figure": figure})
    return call("answer", scores=scores)


def synthesise(request: Request) -> Any:
    """The sentence of the evidence that shares most words with the question, and the value or option in it."""
    task = request.first.partition("# The task")[2].partition("<data")[0]
    question, _, options = task.partition("?")
    found = [
        (overlap(question, sentence), name, sentence)
        for name, text in pieces(request.first).items()
        for sentence in sentences(text)
    ]
    if not found:
        return call("answer", answer=None, note="There is no sentence.")
    _, name, sentence = max(found)
    answer = chosen(options, sentence) or (asks_value(question) and value_of(sentence, question)) or sentence
    claim = {"text": sentence, "cited": [{"evidence": name, "quote": sentence}]}
    return call("answer", answer=answer, claims=[claim])


def precedent(request: Request) -> Any:
    """Values in kelvin in sentences that name the material and a transition; else ends of measurements without one."""
    material = request.first.partition("reported for ")[2].partition("?")[0].strip()
    values: list[dict[str, Any]] = []
    negative: list[dict[str, Any]] = []
    for name, text in pieces(request.first).items():
        for sentence in sentences(text):
            if material not in FORMULA.findall(sentence):
                continue
            kelvins = KELVIN.findall(sentence)
            absent = re.search(r"\b(?:no |not |without |neither |absence)", sentence) is not None
            for value in kelvins[:1]:
                record = {"material": material, "value": value, "unit": "K"}
                record["cited"] = [{"evidence": name, "quote": sentence}]
                (negative if absent else values).append(record)
    reported = "Yes" if values else "No" if negative else "Unknown"
    return call("answer", reported=reported, measurements=values, negative_measurements=negative)


def pieces(text: str) -> dict[str, str]:
    """The text of each piece of evidence that may be quoted, by its id."""
    return {name: body for _, name, kind, body in PIECE.findall(text) if kind != "figure"}


def sentences(text: str) -> list[str]:
    """The sentences and rows of a text."""
    found = re.split(r"(?<=[.;])\s+(?=[A-Z])|\n", text)
    return [sentence.strip() for sentence in found if len(sentence.strip()) > 3]


def words(text: str) -> set[str]:
    """Words that carry meaning, without endings."""
    return {word.strip(".").casefold().rstrip("s") for word in WORD.findall(text)} - COMMON


def overlap(question: str, text: str) -> float:
    """The share of the question's words that the text has, 0 to 1."""
    wanted = words(question)
    return len(wanted & words(text)) / max(len(wanted), 1)


def asks_value(question: str) -> bool:
    """Whether a number is asked for."""
    return (
        re.search(r"\b(?:how many|how much|which depth|what depth|lowest|highest|content|energy)\b", question)
        is not None
    )


def value_of(sentence: str, question: str) -> str:
    """The first value of a sentence that is not in the question; empty for none."""
    return next((value for value in VALUE.findall(sentence) if value not in question), "")


def chosen(options: str, sentence: str) -> str:
    """The letter of the option whose words the sentence has; empty without options."""
    found = re.findall(r"\(([A-Z])\) ([^\n]+)", options)
    scores = {letter: overlap(text, sentence) for letter, text in found}
    return max(scores, key=lambda letter: scores[letter]) if scores else ""


def _fenced(text: str) -> str:
    found = re.search(r"<data (\w+) [^\n]*>\n(.*)\n</data \1>", text, re.DOTALL)
    assert found is not None
    return found[2]


def _data(request: Request) -> dict[str, Any]:
    last = request.results[-1] if request.results else "{}"
    return json.loads(last) if last.startswith("{") else {}
