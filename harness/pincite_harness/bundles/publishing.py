"""Publishing: a run's results in the forms of public leaderboards, each pointing to the bundle that proves them."""

from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import BadInputError
from pincite_harness.reports import Selection
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.measured import Estimate, Measured
from pincite_harness.reports.write import read_selected
from pincite_models.choice import ModelChoice
from pincite_scoring.statistics import Mean
from pincite_scoring.statistics.mean import LEVEL
from pincite_tasks.files import write_atomic, write_json

EVERY_EVAL_EVER = "0.3.0"
"""Version of the schema of Every Eval Ever (evaleval/every_eval_ever, eval.schema.json)."""
_UNBOUNDED = "Infinity"
"""What the schema takes for the top of a metric that has none."""
_UNKNOWN = "unknown"


def write_results(run: Path, folder: Path, seal: str, dataset: str, url: str) -> list[Path]:
    """Write ``eval_results/FAMILY.yaml`` (Hugging Face, for the model's repository) and ``every_eval_ever/….json`` of a
    run into ``folder``; the files.

    ``dataset`` is the benchmark's repository at Hugging Face, ``url`` where the bundle is published, ``seal`` its
    digest. BadInputError where the run asked no model: a leaderboard ranks these.
    """
    ((report, _, parts),) = read_selected([run], Selection())
    if report.document.specification.model is None:
        raise BadInputError(
            "The run asked no model.",
            seen=f"the agent {report.agent}",
            next="Leave --results out, or name a model's run.",
        )
    written: list[Path] = []
    for part in parts:
        for name, estimate in _headline(part)[:1]:
            path = folder / "eval_results" / f"{part.family}.yaml"
            write_atomic(path, _hub_entry(part, name, estimate, seal, dataset, url).encode())
            written.append(path)
        path = folder / "every_eval_ever" / f"{part.family}.json"
        write_json(path, _evaluation(report, part, seal, dataset, url))
        written.append(path)
    return written


def _hub_entry(part: Measured, name: str, estimate: Estimate, seal: str, dataset: str, url: str) -> str:
    """The family's first metric, as the Hub reads it (hub docs, "Evaluation Results"); scalars are written as JSON,
    which is YAML too."""
    agent = part.run.document.specification.agent
    notes = f"{name}, n = {estimate.mean.n}, agent {agent}, bundle sha256 {seal}"
    lines = [
        "- dataset:",
        f"    id: {_scalar(dataset)}",
        f"    task_id: {_scalar(part.family)}",
        f"  value: {_scalar(estimate.mean.mean)}",
        f"  date: {_scalar(part.run.document.created_at[:10])}",
    ]
    if url:
        lines += ["  source:", f"    url: {_scalar(url)}", '    name: "pincite bundle"']
    return "\n".join([*lines, f"  notes: {_scalar(notes)}", ""])


def _scalar(value: Any) -> str:
    return orjson.dumps(value).decode()


def _headline(part: Measured) -> list[tuple[str, Estimate]]:
    names = [metric.name for metric in part.shown.headline]
    return [(name, part.estimates[name]) for name in names if name in part.estimates]


def _evaluation(report: RunReport, part: Measured, seal: str, dataset: str, url: str) -> dict[str, Any]:
    """A family's results as Every Eval Ever states them."""
    model = report.document.specification.model
    assert model is not None
    created = datetime.fromisoformat(report.document.created_at)
    now = datetime.now(UTC)
    return {
        "schema_version": EVERY_EVAL_EVER,
        "evaluation_id": f"pincite_{part.family}/{model.provider}/{model.name}/{int(now.timestamp())}",
        "evaluation_timestamp": str(int(created.timestamp())),
        "retrieved_timestamp": str(int(now.timestamp())),
        "source_metadata": {
            "source_name": "pincite",
            "source_type": "evaluation_run",
            "source_organization_name": "stated by who publishes it",
            "evaluator_relationship": "other",
            "additional_details": {"bundle": url, "sha256": seal},
        },
        "eval_library": {"name": "pincite", "version": version("pincite")},
        "model_info": _model_info(model),
        "evaluation_results": [_result(report, part, name, each, dataset) for name, each in _headline(part)],
    }


def _model_info(model: ModelChoice) -> dict[str, Any]:
    """What is known of a model; who deploys it and who has its weights is not."""
    details = {"deployment_type": _UNKNOWN, "model_availability": _UNKNOWN}
    name = f"{model.provider}/{model.name}"
    return {"name": model.name, "id": name, "inference_platform": model.provider, "additional_details": details}


def _result(report: RunReport, part: Measured, name: str, estimate: Estimate, dataset: str) -> dict[str, Any]:
    mean = estimate.mean
    return {
        "evaluation_result_id": f"{part.family}.{name}",
        "evaluation_name": f"{part.family}: {name}",
        "source_data": {
            "dataset_name": f"pincite {part.family}",
            "source_type": "hf_dataset",
            "hf_repo": dataset,
            "hf_split": "test",
            "sample_ids": sorted({trial.task for trial in part.trials}),
        },
        "metric_config": {
            "evaluation_description": estimate.metric.title,
            "metric_id": f"pincite.{part.family}.{name}",
            "metric_name": name,
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": estimate.metric.top if estimate.metric.top is not None else _UNBOUNDED,
            **_llm_scoring(report),
        },
        "score_details": {"score": mean.mean, "uncertainty": _uncertainty(mean)},
        "generation_config": _generation(report),
    }


def _uncertainty(mean: Mean) -> dict[str, Any]:
    found: dict[str, Any] = {"num_samples": mean.n}
    if mean.standard_error is not None:
        found["standard_error"] = {"value": mean.standard_error, "method": "analytic, by cluster"}
    if mean.interval is not None:
        low, high = mean.interval
        interval = {"lower": low, "upper": high, "confidence_level": LEVEL, "method": "Student's t, by cluster"}
        found["confidence_interval"] = interval
    return found


def _llm_scoring(report: RunReport) -> dict[str, Any]:
    """The model that judged, where one did; its prompts stand in the bundle's judging.jsonl."""
    judge = report.document.specification.judge
    if judge is None:
        return {}
    judges = [{"model_info": _model_info(judge.model), "additional_details": {"votes": str(judge.votes)}}]
    return {"llm_scoring": {"judges": judges, "input_prompt": "judging.jsonl of each trial in the bundle"}}


def _generation(report: RunReport) -> dict[str, Any]:
    specification = report.document.specification
    options = orjson.dumps(dict(specification.agent_options)).decode()
    agent = {"agent": specification.agent, "version": report.document.lock.agent_version, "options": options}
    return {
        "generation_args": {
            "agentic_eval_config": {"additional_details": agent},
            "sandbox": {"type": specification.sandbox},
            "max_attempts": 1,
        },
        "additional_details": {"definitions": specification.compat, "attempts": str(specification.attempts)},
    }
