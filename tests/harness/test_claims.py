"""Claims that an agent records in a trial: they stay in the trial's folder, for whoever audits it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import SERVERS
from pincite_provenance.ledger.audit import audit
from pincite_provenance.ledger.ledger import Ledger
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family


@pytest.mark.anyio
async def test_a_trials_claims_are_kept(make_family: Any, actor: Callable[..., Any], tmp_path: Path) -> None:
    family = load_family(make_family(servers='["provenance"]'))
    claim = {"quote": "YBa2Cu3O6.93", "locator": "a.pdf", "material": "YBa2Cu3O6.93"}
    calls = ("call", f"record_claim {json.dumps(claim)}", "call", "export_claims {}")
    agent = actor(*calls, "answer", '{"properties": []}')
    [plan] = plan_trials([(family, family.tasks[0])], agent, 1)
    marker = Marker([plan.task], ScoringOptions())
    try:
        record = await TrialRun(plan, tmp_path / "trial", Surroundings("process", marker, SERVERS)).run()
    finally:
        marker.close()
    assert record.status == "completed"
    kept = tmp_path / "trial" / "claims.db"
    assert audit(kept).intact
    contents = [row.read() for row in Ledger(kept).rows()]
    exported = json.loads((tmp_path / "trial/exports/claims.jsonld").read_text())
    assert exported["total"] == 1
    wire = (tmp_path / "trial/wire/mcp.jsonl").read_text()
    assert "claims://exports/claims.jsonld" in wire, "the agent got the export through the tool door"
    assert [content["claim"]["quote"] for content in contents if "claim" in content] == ["YBa2Cu3O6.93"]
