"""The literature_qa scorer: is the question answered, is the answer right, and if not, why not."""

from collections.abc import Mapping
from typing import Any

from pincite_core.errors import BadInputError
from pincite_scoring.case import Case
from pincite_scoring.details import DETAILS
from pincite_scoring.judging.judge import Question, Verdict
from pincite_scoring.literature_qa.answers import QuestionReply, read_reply
from pincite_scoring.literature_qa.choices import UNSURE, chosen, may_mean, read_options
from pincite_scoring.literature_qa.deciding import OUTCOME, RUBRIC, RULES, decide, outcome_by_rule
from pincite_scoring.literature_qa.evidence import evidence_verified, known_works, source_cited, standings
from pincite_scoring.literature_qa.failures import CLASSES, classify
from pincite_scoring.literature_qa.gold import Gold, read_gold
from pincite_scoring.literature_qa.gold_check import check_gold
from pincite_scoring.literature_qa.passages import with_passage
from pincite_scoring.literature_qa.word_answers import normal
from pincite_scoring.outcomes import Outcomes
from pincite_scoring.result import Score, ScoringOptions, Status
from pincite_scoring.scorer import Column, GoldProblem, Metric
from pincite_scoring.tool_uses import tool_uses

Metrics = dict[str, float | None]
UNDECIDED = "only a model can tell whether this is right (--judge)"


class QuestionScorer:
    """Scores answers of literature_qa; the package's docstring has the definitions."""

    name = "literature_qa"
    version = "2"
    headline = (
        Metric("accuracy", "Accuracy", "acc."),
        Metric("precision", "Precision on answered", "prec."),
        Metric("coverage", "Coverage", "cover."),
        Metric("undecided", "Left undecided", "undec."),
        Metric("source_cited", "Gold source cited", "source\ncited"),
        Metric("evidence_verified", "Evidence verified", "evid.\nverif."),
        *DETAILS,
    )
    columns = (
        Column("question", "Question"),
        Column("answer", "Answer"),
        Column("gold", "Gold answer"),
        Column("failure", "Failure"),
        Column("reason", "Reason"),
        Column("retracted", "Cites retracted"),
    )
    outcomes = (
        Outcomes("Answers", ("correct", "incorrect", "unsure", "undecided"), single=True),
        Outcomes("Why not right", CLASSES, key="failure"),
    )

    def score(self, case: Case, options: ScoringOptions) -> Score:
        """Score one answer. A free answer that only a model could judge leaves accuracy and precision undefined."""
        reply = read_reply(case.answer)
        if isinstance(reply, str):
            return _score("unscored", f"invalid_answer: {reply}", {}, {}, options)
        quoted = standings(reply, case)
        unverifiable = sum(standing == "unverifiable" for _, standing in quoted)
        row: dict[str, Any] = {"question": case.parameters.get("question"), "answer": reply.words or None}
        works = known_works(reply, case)
        retracted = [name for name, work in works.items() if work.retracted]
        row["retracted"] = ", ".join(retracted) or None
        if case.gold is None:
            row = {"status": "unscored", **row}
            known: Metrics = {"evidence_verified": evidence_verified(quoted), "n_unverifiable": unverifiable}
            return _score("unscored", "no gold answer", known, row, options)
        gold = read_gold(case.gold)
        verdict = _choice(reply, gold, case, options) if gold.kind == "choice" else _open(reply, gold, case, options)
        outcome = verdict.labels[OUTCOME]
        answered = outcome != "unsure"
        uses = tool_uses(case.trial)
        missed = outcome in ("incorrect", "unsure")
        failure = classify(uses, gold) if missed and uses is not None else None
        correct = None if outcome is None else float(outcome == "correct")
        metrics: Metrics = {
            "accuracy": correct,
            "precision": correct if answered else None,
            "coverage": float(answered),
            "undecided": float(outcome is None),
            "source_cited": source_cited(reply, gold.source, case) if answered else None,
            "evidence_verified": evidence_verified(quoted, gold, _said(reply, gold, case, options)),
            "sources_standing": 1 - len(retracted) / len(works) if works else None,
            "n_unverifiable": unverifiable,
        }
        unknown = outcome is None or (missed and failure is None)
        metrics |= {f"failed_{name}": None if unknown else float(failure == name) for name in CLASSES}
        row = {"status": outcome or "undecided", **row, "gold": _gold_words(gold, case), "kind": gold.kind}
        reason = verdict.reason or (UNDECIDED if outcome is None else "")
        row |= {"failure": failure, "reason": reason, "verdict": verdict.to_json()}
        return _score("scored", "no answer" if case.answer is None else None, metrics, row, options)

    def check(self, case: Case) -> list[GoldProblem]:
        """See ``gold_check.check_gold``."""
        return check_gold(case)

    def ideal(self, gold: Any) -> Any:
        """The answer with its source, where the gold has one."""
        right = read_gold(gold)
        answer: dict[str, Any] = {"answer": [item[0] for item in right.items] if right.kind == "list" else right.answer}
        if right.source is not None:
            told = right.source.model_dump(include={"paper", "doi", "title", "page", "quote"}, exclude_none=True)
            answer["sources"] = [told]
        return answer


SCORER = QuestionScorer()


def _choice(reply: QuestionReply, gold: Gold, case: Case, options: ScoringOptions) -> Verdict:
    """By the letter; the option that declines is unsure, an answer that names no option is wrong."""
    words = read_options(case.parameters.get("options") or [])
    if gold.answer not in words:
        raise BadInputError(f"The gold {gold.answer!r} is not an option.", seen=", ".join(words))
    letter = chosen(reply.words, words, letter_only=options.compat == "reference") if reply.value else None
    if (letter is None and reply.declined) or (letter is not None and normal(words[letter]) == normal(UNSURE)):
        return Verdict({OUTCOME: "unsure"}, RULES)
    if letter is None and options.compat == "strict" and may_mean(reply.words, gold.words, words):
        question = str(case.parameters.get("question") or "")
        subject = {"question": question, "expected answer": words[gold.words], "handed in": reply.words}
        return options.judge.decide(Question(RUBRIC, subject, lambda: {OUTCOME: None}))
    reason = "" if letter is not None else "the answer names no option"
    return Verdict({OUTCOME: "correct" if letter == gold.answer else "incorrect"}, RULES, reason)


def _said(reply: QuestionReply, gold: Gold, case: Case, options: ScoringOptions) -> str:
    """The answer in words: an option's for its letter."""
    if gold.kind != "choice" or not reply.value:
        return reply.words
    words = read_options(case.parameters.get("options") or [])
    letter = chosen(reply.words, words, letter_only=options.compat == "reference")
    return words[letter] if letter is not None else reply.words


def _open(reply: QuestionReply, gold: Gold, case: Case, options: ScoringOptions) -> Verdict:
    """Without words nobody is asked; by the published definitions a model decides what words decline."""
    in_words = reply.declined and normal(reply.words) not in map(normal, gold.spellings)
    if not reply.value or (in_words and (options.compat == "strict" or normal(reply.words) == normal(UNSURE))):
        return Verdict({OUTCOME: "unsure"}, RULES)
    question = str(case.parameters.get("question") or "")
    by_words = options.compat == "strict" and gold.kind != "number"
    if by_words and outcome_by_rule(reply, gold, "strict", question) != "correct":
        gold = with_passage(gold, case)
    return decide(question, reply, gold, options)


def _gold_words(gold: Gold, case: Case) -> str:
    if gold.kind != "choice":
        return gold.words
    return f"({gold.words}) {read_options(case.parameters['options'])[gold.words]}"


def _score(
    status: Status, reason: str | None, metrics: Metrics, row: Mapping[str, Any], options: ScoringOptions
) -> Score:
    names = (
        "accuracy",
        "precision",
        "coverage",
        "undecided",
        "source_cited",
        "evidence_verified",
        "sources_standing",
        "n_unverifiable",
        *(f"failed_{name}" for name in CLASSES),
    )
    full: Metrics = dict.fromkeys(names) | metrics
    rows = [dict(row)] if row else []
    judge = options.judge.name
    return Score(SCORER.name, SCORER.name, SCORER.version, judge, status, reason, full, rows, options.compat)
