"""Checks of a question's gold before anything is scored against it."""

import re

from pincite_core.errors import BadInputError
from pincite_materials.comparing import Stated
from pincite_materials.formulas import parse_formula
from pincite_materials.units import known
from pincite_scoring.case import Case
from pincite_scoring.literature_qa.choices import UNSURE, read_options
from pincite_scoring.literature_qa.evidence import find_work
from pincite_scoring.literature_qa.gold import Gold, Source, read_gold
from pincite_scoring.literature_qa.word_answers import normal
from pincite_scoring.quotations import check_in_paper, stands_in
from pincite_scoring.scorer import GoldProblem


def check_gold(case: Case) -> list[GoldProblem]:
    """Fatal: the gold cannot be read; there is no question; options without the right one or without the one that
    declines; a number, unit or formula that nobody can read; a source that is not a paper of the task and no standing
    work of its corpus; a quote that does not stand there. Not fatal: a text that is not printed in its quote, which may
    be read off a figure or computed; an open answer that stands in the question, which may name several to choose
    from."""
    try:
        gold = read_gold(case.gold)
    except BadInputError as error:
        return [GoldProblem(None, "", error.seen)]
    problems: list[GoldProblem] = []
    if not str(case.parameters.get("question") or "").strip():
        problems.append(GoldProblem(None, "question", "the task asks nothing (inputs.parameters.question)"))
    problems += _answer_problems(gold, case)
    problems += _given_away(gold, str(case.parameters.get("question") or ""))
    if gold.source is not None:
        problems += _source_problems(gold.source, case)
        problems += _printed(gold, gold.source)
    return problems


def _answer_problems(gold: Gold, case: Case) -> list[GoldProblem]:
    found: list[GoldProblem] = []
    if gold.kind == "choice":
        try:
            options = read_options(case.parameters.get("options") or [])
        except BadInputError as error:
            return [GoldProblem(None, "options", error.short())]
        forms = [normal(words) for words in options.values()]
        if gold.answer not in options:
            found.append(GoldProblem(None, "answer", f"{gold.answer!r} is not an option"))
        if forms.count(normal(UNSURE)) != 1:
            found.append(GoldProblem(None, "options", f"{UNSURE!r} must be one of the options"))
        if len(set(forms)) < len(forms):
            found.append(GoldProblem(None, "options", "two options read the same"))
    if gold.kind == "number":
        for spelling in gold.spellings:
            value, unit = Stated(spelling).quantity()
            if value is None or not known(unit):
                found.append(GoldProblem(None, "answer", f"{spelling!r} is not a number with a unit that is known"))
        if gold.unit is not None and not known(gold.unit):
            found.append(GoldProblem(None, "unit", f"nobody knows the unit {gold.unit!r}"))
    if gold.kind == "formula":
        unread = [spelling for spelling in gold.spellings if parse_formula(spelling) is None]
        found += [GoldProblem(None, "answer", f"{spelling!r} is not a formula") for spelling in unread]
    return found


def _source_problems(source: Source, case: Case) -> list[GoldProblem]:
    if source.paper is None:
        return _work_problems(source, case)
    if source.paper not in case.papers:
        return [GoldProblem(None, "source.paper", f"{source.paper!r} is not a paper of the task")]
    if source.quote is None:
        return []
    paper = case.papers[source.paper]
    checked = check_in_paper(paper, source.quote, source.page)
    message = {
        "too_long": "the quote is too long",
        "absent": "the quote does not stand in the paper",
        "no_such_page": "the quote does not stand in the paper",
        "no_quote": "the quote is empty",
        "wrong_page": f"the quote stands on page {paper.page_at(checked.start)}, not {source.page}",
        "unverifiable": f"the quote cannot be verified here: {checked.note}",
    }.get(checked.standing)
    return [GoldProblem(None, "source.quote", message, fatal=checked.standing != "unverifiable")] if message else []


def _work_problems(source: Source, case: Case) -> list[GoldProblem]:
    if not (source.doi or source.title):
        return [GoldProblem(None, "source", "names neither paper, DOI nor title")]
    if case.corpus is None:
        return []
    work = find_work(case, source.doi or "", source.title or "")
    if work is None:
        return [GoldProblem(None, "source", "the corpus has no such work")]
    if work.retracted:
        return [GoldProblem(None, "source", "the work was retracted")]
    if source.quote is not None and stands_in(work.paper, source.quote) != "verified":
        return [GoldProblem(None, "source.quote", "the quote does not stand in the work")]
    return []


def _printed(gold: Gold, source: Source) -> list[GoldProblem]:
    if source.quote is None or gold.kind in ("choice", "free"):
        return []
    quote = normal(source.quote)
    missing = [item[0] for item in gold.items if not any(normal(spelling) in quote for spelling in item)]
    said = "is not printed in its quote"
    return [GoldProblem(None, "answer", f"{item!r} {said}", fatal=False) for item in missing if not gold.accept]


def _given_away(gold: Gold, question: str) -> list[GoldProblem]:
    if gold.kind == "choice" or normal(gold.words) in ("yes", "no"):
        return []
    there = [word for word in gold.spellings if re.search(rf"(?<!\w){re.escape(normal(word))}(?!\w)", normal(question))]
    return [GoldProblem(None, "answer", f"{word!r} stands in the question", fatal=False) for word in there]
