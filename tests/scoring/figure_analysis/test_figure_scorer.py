"""The scorer around its metrics: what a judge adds, what the records say, what is no score, what is wrong with gold."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_papers.model import Paper
from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.figure_analysis.rubric import DIMENSIONS
from pincite_scoring.judging.judge import Question, Verdict
from pincite_scoring.scorer import get_scorer

ANALYSIS = (
    "Table 1 shows that the conductivity of the doped glass rises fourfold between 300 and 500 K, from 0.12 to 0.48 "
    "S/m, while that of the pure glass hardly changes. Doping thus adds carriers that heat sets free."
)
GOLD = {"analysis": ANALYSIS}


@dataclass
class Scripted:
    """A judge that gives these points, and keeps what it was asked."""

    points: dict[str, str | None]
    name: str = "scripted/1"
    asked: list[Question] = field(default_factory=list)

    def decide(self, question: Question) -> Verdict:
        self.asked.append(question)
        return Verdict(self.points, self.name)


def scored(answer: Any, judge: Any = None, **case: Any) -> Any:
    options = ScoringOptions(judge=judge) if judge else ScoringOptions()
    return score("figure_analysis", Case(answer, GOLD, **case), options)


def test_records_say_what_was_computed_and_over_what_the_means_are() -> None:
    records = scored("The conductivity of the doped glass rises.").records
    rows = {row["metric"]: row for row in records if "metric" in row}
    assert [name for name, row in rows.items() if row["status"] == "not_computed"] == [
        "cosine", "scibert", "meteor", "s_sem", "s_avg", "s_avg_of_4", *(f"judge_{name}" for name in DIMENSIONS)
    ]  # fmt: skip
    assert rows["s_avg_of_3"]["by"] == "mean of rouge_l, bleu, jaccard"
    assert rows["s_avg"]["reason"] == "not computed: cosine, scibert, meteor"
    assert rows["s_sem"]["value"] is None
    assert "PINCITE_SCIBERT" in rows["scibert"]["reason"]


def test_reports_show_every_metric_that_is_scored() -> None:
    scorer = get_scorer("figure_analysis")
    of_a_trial = {"evidence_shown"}  # needs a recorded trial, and this case has none
    assert {metric.name for metric in scorer.headline} - of_a_trial == set(scored("It rises.").metrics)
    tops = {metric.name: metric.top for metric in scorer.headline if metric.detail}
    counted = ("claims", "carried", "undecided", "missing", "contradicted", "unsupported")
    assert tops == {
        "n_computed": 6.0,
        "n_copied": None,
        "evidence_shown": 1.0,
        "credited": 1.0,
        **{f"n_{name}": None for name in counted},
        **{f"judge_{name}": 2.0 for name in DIMENSIONS},
    }


def test_all_six_metrics_make_the_means(small_wordnet: Path, minilm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_WORDNET", str(small_wordnet))
    monkeypatch.setenv("PINCITE_EMBEDDER", f"local:{minilm}")
    monkeypatch.setenv("PINCITE_SCIBERT", str(minilm))
    metrics = scored("The conductivity of the doped glass climbs.").metrics
    six = [metrics[name] for name in ("rouge_l", "bleu", "jaccard", "cosine", "scibert", "meteor")]
    assert metrics["n_computed"] == 6
    assert metrics["s_avg"] == pytest.approx(sum(six) / 6)
    assert metrics["s_avg"] == pytest.approx((metrics["s_lex"] + metrics["s_sem"]) / 2)
    full = scored(ANALYSIS).metrics
    assert (full["cosine"], full["scibert"]) == (1.0, 1.0)
    # METEOR of a text of n words with itself: one chunk of n
    assert full["meteor"] == pytest.approx(1 - 0.5 / 38**3)
    assert scored(None).metrics["s_avg"] == 0.0


def test_a_judges_points_are_a_share_of_ten(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("T,x\n300,0.12\n")
    (tmp_path / "f.png").write_bytes(b"\x89PNG")
    (tmp_path / "f.svg").write_text("<svg/>")
    judge = Scripted(dict(zip(DIMENSIONS, "21201", strict=True)))
    files = {name: tmp_path / name for name in ("t.csv", "f.png", "f.svg")}
    result = scored("It rises.", judge, files=files, parameters={"query": "Analyse Table 1."})
    assert result.metrics["judge"] == pytest.approx((2 + 1 + 2 + 0 + 1) / 10)
    assert [result.metrics[f"judge_{name}"] for name in DIMENSIONS] == [2.0, 1.0, 2.0, 0.0, 1.0]
    assert result.matcher == "scripted/1"
    subject = judge.asked[0].subject
    assert subject["query"] == "Analyse Table 1."
    assert subject["tables"] == "t.csv:\nT,x\n300,0.12\n"
    assert judge.asked[0].pictures == {"f.png": tmp_path / "f.png"}
    assert subject["files that you are not shown"] == "f.svg"
    assert (subject["reference analysis"], subject["analysis"]) == (ANALYSIS, "It rises.")
    row = next(row for row in result.records if row.get("metric") == "judge_accuracy")
    assert row["verdict"]["labels"]["completeness"] == "1"


def test_a_judge_that_leaves_a_dimension_open_gives_no_sum() -> None:
    judge = Scripted({**dict.fromkeys(DIMENSIONS, "2"), "clarity": None})
    metrics = scored("It rises.", judge).metrics
    assert metrics["judge"] is None
    assert (metrics["judge_clarity"], metrics["judge_accuracy"]) == (None, 2.0)


def test_a_judge_is_not_asked_about_nothing() -> None:
    judge = Scripted(dict.fromkeys(DIMENSIONS, "2"))
    assert scored("  ", judge).metrics["judge"] == 0.0
    assert not judge.asked
    assert scored(None).metrics["judge"] is None


def test_reference_cuts_words_at_white_space() -> None:
    answer = ANALYSIS.replace(",", "")
    strict = score("figure_analysis", Case(answer, GOLD), ScoringOptions())
    loose = score("figure_analysis", Case(answer, GOLD), ScoringOptions(compat="reference"))
    assert strict.metrics["rouge_l"] == 1.0
    # two of 36 pieces had a comma
    assert loose.metrics["rouge_l"] == pytest.approx(1 - 2 / len(ANALYSIS.split()))
    assert loose.compat == "reference"


def test_what_is_no_text_is_invalid_and_no_gold_is_unscored() -> None:
    assert (scored({"a": 1}).status, scored({"a": 1}).reason) == ("unscored", "invalid_answer: it is not text")
    assert score("figure_analysis", Case("It rises.", None), ScoringOptions()).status == "unscored"
    with pytest.raises(BadInputError, match="reference analysis"):
        score("figure_analysis", Case("It rises.", {"text": "x"}), ScoringOptions())


@pytest.mark.parametrize(
    ("gold", "problem"),
    [
        ({"analysis": "Too short."}, "has 2 words"),
        ({"analysis": ANALYSIS, "evidence": [{"paper": "p.pdf", "quote": "glass was drawn in argon"}]}, ""),
        ({"analysis": ANALYSIS, "evidence": [{"paper": "p.pdf", "quote": "drawn in air"}]}, "does not stand in p.pdf"),
        ({"analysis": ANALYSIS, "evidence": [{"paper": "q.pdf", "quote": "drawn"}]}, "which the task has not"),
        ({"analysis": ANALYSIS, "evidence": [{"paper": "p.pdf", "quote": "was drawn in argon", "page": 2}]}, "page"),
        ({"analysis": f"{ANALYSIS} As said, the pure glass was drawn in argon at 900 K and cooled within one hour."},
         "p.pdf says the same words"),
        ({"analysis": 3}, "not a reference analysis"),
        ({"analysis": ANALYSIS, "claims": {"claims": [{"text": "a", "relation": ["odd"]}]}}, "no relation 'odd'"),
        ({"analysis": ANALYSIS, "claims": {"claims": [{"text": "a", "subject": ["x"]}]}}, "x: neither an entity"),
        ({"analysis": ANALYSIS, "claims": {"claims": [{"text": "It has 9 S/m.", "value": 9, "unit": "S/m"}]}},
         "'It has 9 S/m.' is missing by its own analysis"),
    ],
)  # fmt: skip
def test_gold_is_checked(gold: Any, problem: str, paper: Callable[..., Paper]) -> None:
    text = paper("The pure glass was drawn in argon at 900 K and cooled within one hour.\n", "It was cut.\n")
    found = get_scorer("figure_analysis").check(Case(None, gold, {"p.pdf": text}))
    assert problem in "; ".join(map(str, found))
    assert bool(found) == bool(problem)


def test_gold_must_not_stand_in_a_file_of_the_task(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(ANALYSIS)
    found = get_scorer("figure_analysis").check(Case(None, GOLD, files={"notes.md": tmp_path / "notes.md"}))
    assert "notes.md says the same words" in str(found[0])


def test_the_bundled_tasks_are_of_every_kind() -> None:
    family = Path(__file__).resolve().parents[3] / "tasks" / "figure_analysis"
    records = [json.loads(line) for line in (family / "records.jsonl").read_text("utf-8").splitlines()]
    kinds = {record["metadata"]["dimensions"]["type"] for record in records}
    assert (len(records), kinds) == (10, {"table", "figure", "both"})
    for record in records:
        suffixes = {Path(name).suffix for name in record["inputs"]["files"]}
        wanted = {"table": {".csv"}, "figure": {".png"}, "both": {".csv", ".png"}}
        assert suffixes == wanted[record["metadata"]["dimensions"]["type"]]
        assert record["gold"]["evidence"]


def test_long_runs_of_the_gold_are_reported() -> None:
    words = [f"word{number}" for number in range(60)]
    gold = {"analysis": " ".join(words)}
    rows = [(words[:25], 25, False), ([*"abc", *words[10:36], "d"], 26, True), (["word1", "word3"], 1, False)]
    for answer, run, told in rows:
        result = get_scorer("figure_analysis").score(Case(" ".join(answer), gold), ScoringOptions())
        assert result.metrics["n_copied"] == run
        copied = [row["reason"] for row in result.records if row.get("metric") == "copied"]
        assert copied == ([" ".join(words[10:36])] if told else [])
