"""SQL over recorded runs, and the Parquet files."""

from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.analyses.querying import ask, open_tables, write_parquet
from pincite_harness.analyses.scout import transcripts_of

pytest.importorskip("duckdb", reason="DuckDB is missing: pip install 'pincite[query]'")


@pytest.fixture
def run(tmp_path: Path, make: Any) -> Path:
    calls = [
        make.call("open_paper", server="documents", seconds=1.5),
        make.call("open_paper", server="documents", is_error=True, text="There is no 'a'; DROP TABLE calls;"),
        make.call("Bash", arguments={"command": "ls"}),
    ]
    trials = [
        make.trial("a", metrics={"accuracy": 1.0, "coverage": 1.0}, calls=calls, cost=0.25),
        make.trial("b", metrics={"accuracy": 0.0}, calls=calls[:1]),
        make.trial("c", calls=None),
    ]
    return make.run(tmp_path / "one", "literature_qa", trials)


def test_the_four_tables(run: Path) -> None:
    with open_tables([run]) as database:
        counts = "SELECT tool, kind, count(*), sum(is_error::INT) FROM calls GROUP BY ALL ORDER BY 1"
        assert ask(database, counts)[1] == [("Bash", "shell", 1, 0), ("open_paper", "mcp", 3, 1)]
        assert ask(database, "SELECT sum(input_tokens), sum(cost_usd) FROM trials")[1] == [(240, 0.25)]
        assert ask(database, "SELECT trial, count(*) FROM steps GROUP BY 1 ORDER BY 1")[1] == [("a__1", 3), ("b__1", 1)]
        joined = "SELECT task, avg(value) AS mean FROM trials JOIN scores USING (run, trial) GROUP BY 1 ORDER BY 1"
        assert ask(database, joined) == (["task", "mean"], [("a", 1.0), ("b", 0.0)])
        with pytest.raises(BadInputError) as error:
            ask(database, "SELECT colour FROM calls")
    assert "scores(run, trial, metric, value)" in str(error.value)


def test_parquet_files_hold_the_same(run: Path, tmp_path: Path) -> None:
    import duckdb

    with open_tables([run]) as database:
        written = write_parquet(database, list(transcripts_of([run])), tmp_path / "o'ut")
    assert [path.name for path in written[:4]] == ["trials.parquet", "steps.parquet", "calls.parquet", "scores.parquet"]
    with duckdb.connect() as database:
        rows = database.execute("SELECT count(*) FROM read_parquet(?)", [str(written[2])]).fetchall()
        found = database.execute(
            "SELECT task_id, task_repeat, score, message_count, json_extract_string(messages, '$[1].role') "
            "FROM read_parquet(?) ORDER BY task_id",
            [str(written[4].parent / "*.parquet")],
        ).fetchall()
    assert rows == [(4,)]
    # The user's message, then one and its result of each call.
    assert found == [("a", 1, "1.0", 7, "assistant"), ("b", 1, "0.0", 3, "assistant")]
