"""The whole pipeline on real papers with a cast of rules: its scores are regression numbers, not what a model reaches.

``tests/benchmarks/sudokufill_rules.py`` measures all nine papers and all settings.
"""

from typing import Any

import pytest

OVERALL = {"piglets_oral": 0.396, "yttria_phosphors": 0.383}
"""With the cast as it is, without noise."""


def test_scores_of_the_rule_cast_stay_as_they_are(run: Any, tasks: Any, rules: Any, schemas: Any, score: Any) -> None:
    found = {}
    for name in OVERALL:
        ran = run(tasks[name], rules.RuleCast(schemas[name]))
        assert ran.code == 0, ran.printed
        found[name] = score(tasks[name], ran.answer)["overall"]
    assert found == pytest.approx(OVERALL, abs=0.005)


def test_debate_and_reuse_help_agents_that_err(run: Any, tasks: Any, rules: Any, schemas: Any, score: Any) -> None:
    """A regression on one paper and one draw of the noise; the benchmark has nine papers, ten draws and intervals."""
    name = "piglets_oral"
    found: dict[str, float] = {}
    for setting in ({}, {"rounds": "1"}, {"reuse": "off"}):
        ran = run(tasks[name], rules.RuleCast(schemas[name], noise=0.3, seed=1), **setting)
        found["".join(setting) or "full"] = score(tasks[name], ran.answer)["overall"]
    assert found["full"] > found["rounds"]
    assert found["full"] > found["reuse"]
