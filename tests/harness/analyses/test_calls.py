"""Sources by outcome, component effect and tool use, counted by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.analyses.component import check_predicate, component_effect
from pincite_harness.analyses.domains import domains_in
from pincite_harness.analyses.source_use import sources_by_outcome
from pincite_harness.analyses.tool_use import tool_use

SEARCH = "precedent_search"
QA = "literature_qa"


def test_sources_of_a_terminus_log_with_six_addresses(tmp_path: Path, analysed: Any, make: Any) -> None:
    typed = [
        "curl https://export.arxiv.org/abs/1 https://arxiv.org/abs/2\n",
        "curl -s 'https://www.chem.ox.ac.uk/x' > a; curl http://api.crossref.org/works\n",
        "grep xmlns http://www.w3.org/2000/svg; wget https://arxiv.org/pdf/3\n",
    ]
    own = make.trajectory([make.call("bash_command", arguments={"keystrokes": keys}) for keys in typed])
    log = {"agent/terminus/trajectory.json": own}
    found = {"sources": [{"source": "openalex"}, "crossref"]}
    served = make.call("search_works", server="literature", structured_content=found)
    hosted = make.call("web_search", hosted=True, text="See https://doi.org/10.1/a and https://doi.org/10.1/b.")
    trials = [
        make.trial("a", metrics={"score": 2.0}, outcome="correct", files=log),
        make.trial("b", metrics={"score": 0.0}, outcome="incorrect", calls=[served, hosted]),
    ]
    rows = analysed(sources_by_outcome, make.run(tmp_path / "one", SEARCH, trials)).rows
    counts = {(row["outcome"], row["source"]): row["count"] for row in rows if row["count"]}
    # Each source once a call: arxiv.org in the first and the third line; w3.org names a format.
    assert counts == {
        ("correct", "arxiv.org"): 2,
        ("correct", "ox.ac.uk"): 1,
        ("correct", "crossref.org"): 1,
        ("incorrect", "openalex"): 1,
        ("incorrect", "crossref"): 1,
        ("incorrect", "doi.org"): 1,
    }
    assert next(row["share"] for row in rows if row["source"] == "arxiv.org") == 0.5


def test_more_than_eight_sources_become_others(tmp_path: Path, analysed: Any, make: Any) -> None:
    calls = [make.call("Bash", arguments={"command": f"curl https://host{k}.org"}) for k in range(10)]
    trial = make.trial("a", metrics={"score": 2.0}, outcome="correct", calls=calls)
    rows = analysed(sources_by_outcome, make.run(tmp_path / "one", SEARCH, [trial])).rows
    assert len(rows) == 9
    assert (rows[-1]["source"], rows[-1]["count"], rows[-1]["of"]) == ("other", 2, 10)


def test_registered_domains() -> None:
    text = "http://localhost:8 http://127.0.0.1/x https://a.b.github.io/x, (https://sub.nature.com/a). http://[bad"
    assert list(domains_in(text)) == ["127.0.0.1", "b.github.io", "nature.com"]


def test_a_component_on_the_tasks_where_it_was_used(tmp_path: Path, analysed: Any, make: Any) -> None:
    look = [make.call("inspect_figure", server="figures")]
    full = [
        make.trial("a", metrics={"accuracy": 1.0}, calls=look),
        make.trial("b", metrics={"accuracy": 1.0}, calls=look),
        make.trial("c", metrics={"accuracy": 0.0}),
        make.trial("d", metrics={"accuracy": 1.0}),
    ]
    without = {"a": 0.0, "b": 1.0, "c": 1.0, "d": 1.0}
    less = [make.trial(task, metrics={"accuracy": value}) for task, value in without.items()]
    first = make.run(tmp_path / "full", QA, full)
    second = make.run(tmp_path / "less", QA, less, less=["figures"])
    rows = analysed(component_effect, first, second).rows
    # Differences 1, 0, -1, 0 on all four, 1 and 0 on the two where a tool of the server was called.
    assert {row["component"] for row in rows} == {"tool:figures"}
    assert [(row["n"], row["effect"].mean) for row in rows] == [(4, 0), (2, 0.5)]
    assert (rows[1]["full"], rows[1]["without"]) == (1.0, 0.5)


@pytest.mark.parametrize("used", ["event:RoundBegan", "role:critic", "tool:figures.inspect_figure"])
def test_what_can_be_used(used: str, tmp_path: Path, analysed: Any, make: Any) -> None:
    events = {"agent/state.jsonl": json.dumps({"kind": "RoundBegan"}) + "\nnot json\n[1]\n"}
    looked = [make.call("inspect_figure", server="figures")]
    using = make.trial("a", metrics={"accuracy": 1.0}, calls=looked, files=events, roles={"critic": make.spent(1, 1)})
    first = make.run(tmp_path / "full", QA, [using, make.trial("b", metrics={"accuracy": 1.0})])
    second = make.run(tmp_path / "less", QA, [make.trial(task, metrics={"accuracy": 0.0}) for task in "ab"])
    rows = analysed(component_effect, first, second, used=[used]).rows
    assert [row["n"] for row in rows] == [2, 1]


def test_a_predicate_that_says_nothing_is_refused() -> None:
    for text in ("figures", "tool:", "thing:x"):
        with pytest.raises(BadInputError):
            check_predicate(text)


def test_tools_and_the_kinds_of_their_faults(tmp_path: Path, analysed: Any, make: Any) -> None:
    calls = [
        make.call("open_paper", server="documents", seconds=1.0),
        make.call("open_paper", server="documents", seconds=61.0),
        make.call("open_paper", server="documents", is_error=True, text="1 validation error for open_paper"),
        make.call("open_paper", server="documents", is_error=True, text="There is no paper a.pdf."),
        make.call("open_paper", server="documents", text="[]"),
        make.call("open_paper", server="documents", refused="limit", is_error=True),
        make.call("Dream", text=""),
    ]
    trials = [
        make.trial("a", metrics={"accuracy": 1.0}, calls=calls, offered=("Bash",)),
        make.trial("b", metrics={"accuracy": 1.0}),
    ]
    rows = {row["tool"]: row for row in analysed(tool_use, make.run(tmp_path / "one", QA, trials)).rows}
    opened = rows["open_paper"]
    assert (opened["calls"], opened["a_trial"], opened["toolkit"]) == (6, 3.0, "documents")
    assert opened["good"] == pytest.approx(1 / 6)
    assert {fault: opened[fault] for fault in ("bad arguments", "tool error", "slow", "empty", "refused")} == {
        "bad arguments": 1,
        "tool error": 1,
        "slow": 1,
        "empty": 1,
        "refused": 1,
    }
    assert (rows["Dream"]["unknown tool"], rows["Dream"]["good"]) == (1, 0)
