"""The figure_analysis scorer: the claims of the reference analysis, six metrics against its text, a judge's points."""

import functools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite_core.settings import Settings, load_settings
from pincite_scoring.case import Case
from pincite_scoring.figure_analysis.claim_scoring import (
    STATES,
    UNSUPPORTED,
    check_claims,
    claim_metrics,
    claim_problems,
    claim_rows,
)
from pincite_scoring.figure_analysis.gold import check_gold, read_gold, read_texts
from pincite_scoring.figure_analysis.metrics.embedding import cosine
from pincite_scoring.figure_analysis.metrics.lexical import bleu, jaccard, longest_run, rouge_l
from pincite_scoring.figure_analysis.metrics.measure import Measure, mean_of
from pincite_scoring.figure_analysis.metrics.meteor import meteor
from pincite_scoring.figure_analysis.metrics.scibert import scibert_score
from pincite_scoring.figure_analysis.metrics.tokens import split_words
from pincite_scoring.figure_analysis.rubric import DIMENSIONS, MOST, make_question
from pincite_scoring.given import SHOWN
from pincite_scoring.judging.judge import RuleJudge, Verdict
from pincite_scoring.judging.pictures import pictures_among
from pincite_scoring.outcomes import Outcomes
from pincite_scoring.result import Compat, Score, ScoringOptions
from pincite_scoring.scorer import Column, GoldProblem, Metric

COPIED = 25
"""Words in a row: a longer run that the answer shares with the gold is reported as copied (AnaBench's gold is a passage
of a paper that an agent may find; the number is stated here)."""
LEXICAL = ("rouge_l", "bleu", "jaccard")
SEMANTIC = ("cosine", "scibert", "meteor")
MEANS = {
    "s_lex": LEXICAL,
    "s_sem": SEMANTIC,
    "s_avg": (*LEXICAL, *SEMANTIC),
    "s_avg_of_4": (*LEXICAL, "meteor"),
    "s_avg_of_3": LEXICAL,
}
"""What each mean is over, always the same: machines with other models or dictionaries do not give it another sense."""


class FigureAnalysisScorer:
    """Scores answers of figure_analysis; the package's docstring has the definitions."""

    name = "figure_analysis"
    version = "3"
    headline = (
        Metric("claims", "Claims of the gold", "claims"),
        Metric("credited", "Credited by rules (1), denied (0) or left to a judge (none)", "credited", detail=True),
        Metric("s_avg", "S_AVG, of all six metrics", "S_AVG"),
        Metric("s_avg_of_4", "S_AVG of four (with METEOR)", "S_AVG\nof 4"),
        Metric("s_avg_of_3", "S_AVG of three (words alone)", "S_AVG\nof 3"),
        Metric("s_lex", "S_LEX", "S_LEX"),
        Metric("s_sem", "S_SEM", "S_SEM"),
        Metric("judge", "Judge's points as a share", "judge"),
        Metric("rouge_l", "ROUGE-L", "ROUGE-L"),
        Metric("bleu", "BLEU", "BLEU"),
        Metric("jaccard", "Word Jaccard", "Jaccard"),
        Metric("cosine", "Embedding cosine", "cosine"),
        Metric("scibert", "SciBERT score", "SciBERT"),
        Metric("meteor", "METEOR", "METEOR"),
        Metric("n_claims", "Claims", "claims", top=None, detail=True),
        *(Metric(f"n_{state}", f"Claims {state}", state[:8], top=None, detail=True) for state in STATES),
        Metric("n_unsupported", "Numbers without support", "unsupp.", top=None, detail=True),
        Metric("n_copied", "Longest run of words of the gold", "run", top=None, detail=True),
        Metric("n_computed", "Metrics computed, of six", "metrics", top=6.0, detail=True),
        *(Metric(f"judge_{name}", f"Judge: {name}, of two", name[:8], top=2.0, detail=True) for name in DIMENSIONS),
        SHOWN,
    )
    columns = (
        Column("claim", "Claim"),
        Column("said", "Sentence of the answer", quoted=True),
        Column("metric", "Metric"),
        Column("value", "Value"),
        Column("by", "By"),
    )
    outcomes = (Outcomes("Claims", (*STATES, UNSUPPORTED), key="state"),)

    def score(self, case: Case, options: ScoringOptions) -> Score:
        """Score the text of one answer against the reference analysis.

        No answer, or one of white space, has 0 in every metric that can be computed here. Without gold the score is
        unscored; broken gold is a BadInputError.
        """
        if case.gold is None:
            return self._result(options, "unscored", "no gold analysis", {}, [])
        reference = read_gold(case.gold)
        gold = reference.analysis
        if case.answer is not None and not isinstance(case.answer, str):
            return self._result(options, "unscored", "invalid_answer: it is not text", {}, [])
        answer = (case.answer or "").strip()
        checked = check_claims(reference, answer, case, options)
        measures = measure(answer, gold, _settings(), options.compat)
        measures |= {name: mean_of(measures, over) for name, over in MEANS.items()}
        verdict = _judged(case, options, gold, answer)
        points = {name: float(label) for name, label in verdict.labels.items() if label is not None}
        metrics: dict[str, float | None] = {**claim_metrics(checked), **{n: one.value for n, one in measures.items()}}
        metrics["n_computed"] = float(sum(measures[name].value is not None for name in MEANS["s_avg"]))
        run = longest_run(split_words(answer, options.compat), split_words(gold, options.compat))
        metrics["n_copied"] = float(len(run))
        metrics["judge"] = sum(points.values()) / MOST if len(points) == len(DIMENSIONS) else None
        metrics |= {f"judge_{name}": points.get(name) for name in DIMENSIONS}
        rows = claim_rows(checked) + [one.to_row(name) for name, one in measures.items()]
        if len(run) > COPIED:
            copied = Measure(float(len(run)), "words in a row", " ".join(run))
            rows.append(copied.to_row("copied"))
        rows += [Measure(points.get(n), verdict.judge, verdict.reason).to_row(f"judge_{n}") for n in DIMENSIONS]
        rows[-len(DIMENSIONS)]["verdict"] = verdict.to_json()
        return self._result(options, "scored", None if answer else "no answer", metrics, rows)

    def check(self, case: Case) -> list[GoldProblem]:
        """See ``gold.check_gold`` and ``claim_scoring.claim_problems``."""
        problems = check_gold(case)
        return problems if any(one.fatal for one in problems) else problems + claim_problems(case)

    def ideal(self, gold: Any) -> Any:
        """The reference analysis."""
        return read_gold(gold).analysis

    def shown(self, files: Mapping[str, Path]) -> Mapping[str, Path]:
        """The pictures that a judge is shown of a task's files."""
        return pictures_among(files)

    def _result(
        self,
        options: ScoringOptions,
        status: Any,
        reason: str | None,
        metrics: Mapping[str, float | None],
        rows: list[dict[str, Any]],
    ) -> Score:
        judge = options.judge.name
        return Score(self.name, self.name, self.version, judge, status, reason, dict(metrics), rows, options.compat)


SCORER = FigureAnalysisScorer()


def measure(answer: str, gold: str, settings: Settings, compat: Compat) -> dict[str, Measure]:
    """The six metrics by name, those that cannot be computed here with the reason.

    Raises MissingExtraError without the extra ``scoring``, and UnavailableError where the embedder is an API that does
    not answer.
    """
    mine, theirs = split_words(answer, compat), split_words(gold, compat)
    by = f"words/1 ({compat})"
    return {
        "rouge_l": Measure(rouge_l(mine, theirs), by),
        "bleu": Measure(bleu(answer, gold), "sacrebleu, sentence"),
        "jaccard": Measure(jaccard(mine, theirs), by),
        "cosine": cosine(answer, gold, settings),
        "scibert": scibert_score(answer, gold, settings.scibert),
        "meteor": meteor(mine, theirs, settings.wordnet),
    }


def _settings() -> Settings:
    """The settings as the environment has them now; reading them takes longer than all metrics of words together."""
    return _settings_of(tuple(sorted(item for item in os.environ.items() if item[0].upper().startswith("PINCITE_"))))


@functools.lru_cache(maxsize=4)
def _settings_of(_environment: tuple[tuple[str, str], ...]) -> Settings:
    return load_settings()


def _judged(case: Case, options: ScoringOptions, gold: str, answer: str) -> Verdict:
    """The judge's points; where nothing was written no model is asked, and its points are 0."""
    texts, pictures = read_texts(case.files), pictures_among(case.files)
    unseen = [name for name in case.files if name not in texts and name not in pictures]
    question = make_question(str(case.parameters.get("query", "")), texts, gold, answer, pictures, unseen)
    if answer or isinstance(options.judge, RuleJudge):
        return options.judge.decide(question)
    return Verdict(dict.fromkeys(DIMENSIONS, "0"), options.judge.name, "no answer")
