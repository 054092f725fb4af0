"""Fit the weights with which claims are weighed, and say how they separate documents that they were not fitted to.

    python tests/benchmarks/claims_weights.py --data ../shared/data

Prints the table of ``servers/pincite_provenance/claims/weights.py``: a logistic regression with an L2 penalty on the
signals of ``weighing.py`` over the prose claims of the first four sets of ``written_claims.jsonl.gz`` (the others were
written to measure it), standardised for the fit, printed for
the signals as they are. Before it, cross-validated over ten groups of documents, how many true and false claims reach
each weight: all of them, and those that the rules around the weights let hold.
"""

import argparse
import zlib
from pathlib import Path
from typing import Any, cast

import numpy as np
from claims_held_out import KEPT, paper_names, read_claims
from parts.claim_papers import papers_of
from scipy import optimize

from pincite_provenance.claims.check import seen_of
from pincite_provenance.claims.weighing import signals
from pincite_provenance.model import Claim

_SETS = ("first", "second", "third", "fourth")
_GROUPS = 10
_PENALTY = 30.0
"""Weight of the L2 penalty against the summed logarithmic loss: of 3, 10, 30 and 100 the cross-validated area under the
curve is largest (0.855) at 30, and hardly depends on it."""
_RARE = 10
"""Claims that a signal must be seen in; rarer ones carry no weight."""
_STEPS = (-1.0, -0.5, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5)


def main() -> None:
    """Print the cross-validated counts and the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="the folder of the tests' data")
    records = [record for record in read_claims(KEPT) if record["form"] == "prose" and record["set"] in _SETS]
    papers = papers_of(records, options.parse_args().data)
    rows: list[dict[str, float]] = []
    truths: list[bool] = []
    groups: list[int] = []
    for record in records:
        paper = papers[record["paper"]]
        texts = (record["quote"], "", record["value"], record["unit"], record["material"], record["property"])
        seen = seen_of(paper, Claim(*texts))
        if seen is not None:
            rows.append(signals(seen))
            truths.append(record["truth"])
            groups.append(zlib.crc32(record["paper"].encode()) % _GROUPS)
    names = _names(rows)
    table = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    truth, group = np.array(truths, dtype=float), np.array(groups)
    print(f"{len(rows)} claims ({int(truth.sum())} true) over {len(paper_names(records))} papers")
    weights = np.zeros(len(rows))
    for number in range(_GROUPS):
        rest = group != number
        fitted = fit(table[rest], truth[rest])
        weights[~rest] = table[~rest] @ fitted[1:] + fitted[0]
    for step in _STEPS:
        reached = weights >= step
        print(f"weight >= {step:4}: {int(truth[reached].sum())} true, {int((1 - truth)[reached].sum())} false")
    for name, weight in zip(["", *names], fit(table, truth), strict=True):
        print(f'    "{name}": {weight:.2f},')


def _names(rows: list[dict[str, float]]) -> list[str]:
    """The signals that are seen often enough, in order."""
    every = sorted({name for row in rows for name in row})
    return [name for name in every if sum(row.get(name, 0.0) != 0.0 for row in rows) >= _RARE]


def fit(table: Any, truth: Any) -> Any:
    """The constant and the weight of each column (claims, signals), for signals as they are."""
    mean, spread = table.mean(axis=0), table.std(axis=0) + 1e-6
    scaled = np.column_stack([np.ones(len(table)), (table - mean) / spread])

    def loss(weights: Any) -> tuple[float, Any]:
        score = scaled @ weights
        penalised = np.concatenate([[0.0], weights[1:]])
        value = float((np.logaddexp(0.0, score) - truth * score).sum() + _PENALTY / 2 * (penalised**2).sum())
        return value, scaled.T @ (1.0 / (1.0 + np.exp(-score)) - truth) + _PENALTY * penalised

    minimize = cast("Any", optimize).minimize
    found = minimize(loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B").x
    raw = found[1:] / spread
    return np.concatenate([[found[0] - (raw * mean).sum()], raw])


if __name__ == "__main__":
    main()
