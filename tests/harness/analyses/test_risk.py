"""Risk and coverage: areas and thresholds by hand, the guarantee in simulated papers, and the scores of values."""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError, NotFoundError
from pincite_harness.analyses.risk import risk_and_coverage
from pincite_harness.cli.main import load_command
from pincite_harness.reports.loading import load_run
from pincite_harness.reports.value_signals import Audits, value_scores
from pincite_scoring.statistics import accept_threshold, aurc, best_aurc, risk_coverage


def test_curves_and_areas_by_hand() -> None:
    values = [(0.6, False), (0.9, False), (0.8, True), (0.7, False)]
    points = [(point.threshold, point.coverage, point.risk) for point in risk_coverage(values)]
    assert points == [(0.9, 0.25, 0), (0.8, 0.5, 0.5), (0.7, 0.75, pytest.approx(1 / 3)), (0.6, 1, 0.25)]
    assert aurc(values) == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    assert best_aurc(1, 4) == pytest.approx(1 / 16)
    assert aurc([(0.5, True), (0.5, False)]) == aurc([(0.5, False), (0.5, True)]) == pytest.approx(0.5)
    assert aurc([]) is None


def test_thresholds_by_hand() -> None:
    units = [[(0.9, False), (0.5, True)], [(0.9, False), (0.6, True)], [(0.8, False)], [(0.7, False), (0.3, False)]]
    # (sum of shares + 1) / 5: 0.2 down to 0.7, 0.3 at 0.6, 0.4 from 0.5 on.
    found = {risk: accept_threshold(units, risk) for risk in (0.4, 0.35, 0.25, 0.15)}
    assert [found[risk].threshold for risk in found] == [0.3, 0.6, 0.7, math.inf]
    assert [found[risk].bound for risk in found] == [pytest.approx(0.4), pytest.approx(0.3), 0.2, 0.2]
    assert not found[0.15].guaranteed
    assert accept_threshold(units, 0.02).needed == 49
    assert accept_threshold([[(0.5, False)]] * 49, 0.02).threshold == 0.5
    assert not accept_threshold([[(0.5, False)]] * 48, 0.02).guaranteed
    with pytest.raises(BadInputError, match="between 0 and 1"):
        accept_threshold(units, 2)


def test_the_risk_stays_below_what_was_asked_in_papers_that_were_not_seen() -> None:
    chance = random.Random(24)

    def paper() -> list[tuple[float, bool]]:
        difficulty = chance.random()
        scores = [round(chance.random(), 2) for _ in range(chance.randint(1, 8))]
        return [(score, chance.random() < difficulty * (1 - score)) for score in scores]

    asked, losses, covered = 0.05, list[float](), list[float]()
    for _ in range(400):
        threshold = accept_threshold([paper() for _ in range(60)], asked).threshold
        new = paper()
        losses.append(sum(bad and score >= threshold for score, bad in new) / len(new))
        covered.append(sum(score >= threshold for score, _ in new) / len(new))
    assert sum(losses) / len(losses) <= asked
    assert sum(covered) / len(covered) > 0.3, "and something is accepted"


@pytest.fixture
def run(tmp_path: Path, make: Any) -> Path:
    def row(place: int, value: str, status: str, evidence: str, held: bool, unit: str = "K") -> dict[str, Any]:
        stated = {"answer": place, "property": "Tc", "value": value, "unit": unit, "status": status}
        return stated | {"evidence": evidence, "value_in_quote": held}

    first = [row(0, "92", "correct", "verified", True), row(1, "40", "wrong_value", "absent", False)]
    second = [row(0, "92000", "correct", "verified", True, "mK"), row(1, "41", "unmatched", "wrong_page", True)]
    new = [row(0, "7", "unscored", "verified", True), {"status": "invalid", "answer": 1}]
    answer = json.dumps({"properties": [{"confidence": 0.9}, {"confidence": 7}]})
    return make.run(
        tmp_path / "run",
        "property_extraction",
        [
            make.trial("t", 1, {"f1_0.1%": 0.5}, records=first, files={"answer.json": answer}),
            make.trial("t", 2, {"f1_0.1%": 0.5}, records=second),
            make.trial("u", 1, {"f1_0.1%": 0.0}, records=[*new, {"status": "missed", "answer": None}]),
        ],
    )


def test_the_score_of_a_value_is_the_mean_of_what_is_known_of_it(run: Path, tmp_path: Path) -> None:
    claims = [{"text": "92 K", "verdict": "value stands"}, {"text": "40 K", "verdict": "value differs"}]
    claims.append({"text": "41 K", "verdict": "unsure"})
    reports = [{"report": f"t__{attempt}/answer.json", "claims": claims} for attempt in (1, 2)]
    audit = tmp_path / "audit.json"
    audit.write_text(json.dumps({"form": "pincite-audit/1", "reports": reports}))
    found = value_scores(load_run(run), Audits.read(audit))
    assert [dict(value.signals) for value in found] == [
        {"confidence": 0.9, "agreement": 1.0, "quote": 1.0, "judge": 1.0},
        {"agreement": 0.0, "quote": 0.0, "judge": 0.0},
        {"agreement": 1.0, "quote": 1.0},
        {"agreement": 0.0, "quote": 0.5},
        {"quote": 1.0},
    ]
    assert [value.wrong for value in found] == [False, True, False, True, None]
    assert [value.score for value in found] == [pytest.approx(0.975), 0.0, 1.0, 0.25, 1.0]
    with pytest.raises(NotFoundError, match="audit RUN --json"):
        Audits.read(tmp_path / "none.json")


def test_the_analysis_and_what_it_accepts(run: Path, analysed: Any, tmp_path: Path) -> None:
    rows = {row["what"]: row["value"] for row in analysed(risk_and_coverage, run).rows}
    assert (rows["risk of all values"], rows["AURC of the best order"]) == (0.5, pytest.approx((1 / 3 + 1 / 2) / 4))
    assert rows["AURC"] == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4), "the wrong ones have the lowest scores"

    load_command("analyse").main(
        [str(run), "--out", str(tmp_path / "out"), "--accept-risk", "0.4"], standalone_mode=False
    )
    told = json.loads((tmp_path / "out" / "accepted.json").read_text())["property_extraction"]
    assert (told["labelled_units"], told["bound"], told["threshold"]) == (
        2,
        pytest.approx(1 / 3),
        pytest.approx(0.95, abs=0.05),
    )
    accepted = [(value["trial"], value["value"]) for value in told["runs"]["run"] if value["accepted"]]
    assert accepted == [("t__1", "92"), ("t__2", "92000"), ("u__1", "7")]
    analysis = json.loads((tmp_path / "out" / "analysis.json").read_text())["families"]["property_extraction"]["risk"]
    said = {row["what"]: row["value"] for row in analysis["rows"]}
    assert (said["coverage: values accepted"], said["coverage of values without labels"]) == (0.6, 1.0)
    assert "conformal risk control" in analysis["notes"][0]


def test_the_report_has_the_curve(run: Path, tmp_path: Path) -> None:
    load_command("report").main([str(run), "--out", str(tmp_path / "report")], standalone_mode=False)
    ((told,),) = [
        [one["risk"] for one in family["runs"].values()]
        for family in json.loads((tmp_path / "report" / "report.json").read_text())["families"].values()
    ]
    assert (told["values"], told["risk"]) == (4, 0.5)
    assert told["aurc"] == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4) == told["best_aurc"]
    assert told["curve"] == [[0.25, 0], [0.5, 0], [0.75, pytest.approx(1 / 3)], [1, 0.5]]
    page = (tmp_path / "report" / "report.html").read_text()
    assert "Risk and coverage" in page
    assert "Risk by coverage" in page
