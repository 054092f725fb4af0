"""Fit the weights by which ``verify_claim`` scores a claim, and say what they are worth on claims they have not seen.

    python tests/benchmarks/claim_score.py --data ../shared/data [--write]
    python tests/benchmarks/claim_score.py CLAIMS.jsonl PAPERS_DIR [CLAIMS PAPERS ...] [--write]

The claims are as ``claims_held_out.py`` reads them; the first command takes those that are kept beside it (the weights
were fitted to these and some 300 whose papers may not be copied). Claims of one ``set``, or of one file whose ids begin
alike (``t1-``), were written together. Each set is judged with the weights of the others (leave one set out); printed
are the true claims that hold and the false ones that do. With ``--write`` the weights of all sets are written to
``weights.py``.

The model is a logistic regression of the traits (``claims/traits.py``), each scaled to its spread. A weight may only
have the sign that the trait's meaning gives it (a lead speaks for a claim, a doubt against it), which keeps 80 traits
of some 1,400 claims from fitting chance: without that the share of false claims that hold doubles on an unseen set.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from claim_papers import papers_in_folder, papers_of
from claims_held_out import KEPT, paper_names, read_claims

from pincite_papers.model import Paper
from pincite_provenance.claims import check as checking
from pincite_provenance.claims import scoring
from pincite_provenance.model import Check, Claim

_FOR = frozenset(
    {
        "value holds", "material bound", "property bound", "material near", "property near", "lead", "material lead",
        "property lead", "row lead", "table lead", "labels",
    }
)  # fmt: skip
_EITHER = frozenset({"table"})
_RIDGE, _LASSO = 10.0, 3.0
"""Penalties, in log-likelihood of one claim; found by leaving one set out, between 3 and 30 little changes."""

_STEPS = 4000
_WEIGHTS = Path(__file__).parents[2] / "servers/pincite_provenance/claims/weights.py"


def main() -> int:
    """Fit, report, and write if asked."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", type=Path, nargs="*")
    options.add_argument("--data", type=Path, help="the folder of the tests' data")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    if len(given.files) % 2 or bool(given.files) is (given.data is not None):
        options.error("give --data, or a folder of papers behind each file of claims")
    records: list[dict[str, Any]] = []
    if given.data:
        kept = read_claims(KEPT)
        records += judged(kept, papers_of(kept, given.data), "")
    for claims, papers in zip(given.files[::2], given.files[1::2], strict=True):
        read = read_claims(claims)
        records += judged(read, papers_in_folder(paper_names(read), papers), claims.parent.name)
    seen = [record for record in records if record["traits"] is not None]
    names = sorted({name for record in seen for name in record["traits"]})
    signs = np.array([0 if name in _EITHER else 1 if name in _FOR else -1 for name in names])
    table = np.array([[record["traits"].get(name, 0.0) for name in names] for record in seen])
    truth = np.array([record["truth"] for record in seen])
    sets = np.array([record["set"] for record in seen])
    for each in sorted(set(sets)):
        weights, base = fitted(table[sets != each], truth[sets != each], signs)
        use(names, weights, base)
        show(each, [record for record in records if record["set"] == each])
    weights, base = fitted(table, truth, signs)
    if given.write:
        write(names, weights, base, len(seen))
    return 0


def judged(records: list[dict[str, Any]], papers: dict[str, Paper], name: str) -> list[dict[str, Any]]:
    """Claims with the checks by rules and the traits of the best candidate of each."""
    found: list[dict[str, Any]] = []

    def kept(checks: tuple[Check, ...], traits: dict[str, float]) -> list[Check]:
        found.append({"checks": checks, "traits": traits})
        return list(checks)

    checking.settled = kept
    for record in records:
        found.clear()
        paper = papers[record["paper"]]
        locator = f"pc:{paper.paper_id[7:15]}"
        claim = Claim(*(record["quote"], locator), *(record[k] for k in ("value", "unit", "material", "property")))
        ruled = checking.check_claim(paper, claim)
        record.update(found[0] if found else {"checks": (), "traits": None})
        record["outside"] = [check for check in ruled.checks if check.name in ("locator", "quote")]
        record["ruled"] = ruled.verdict
        prefix = re.match(r"[a-z]+\d*-|d(?=\d)", record.get("id", ""))
        record["set"] = record.get("set") or f"{name}/{prefix[0] if prefix else ''}"
    return records


def fitted(table: Any, truth: Any, signs: Any) -> tuple[Any, float]:
    """Weights of the signs given, and the base: proximal gradient descent on the penalised likelihood."""
    mean, spread = table.mean(axis=0), table.std(axis=0)
    spread[spread < 1e-9] = 1.0
    scaled = (table - mean) / spread
    goal = np.where(truth, 1.0, -1.0)
    weights, base = np.zeros(table.shape[1]), 0.0
    step = 1.0 / (0.25 * np.linalg.norm(scaled, 2) ** 2 + _RIDGE)
    for _ in range(_STEPS):
        slope = -goal / (1 + np.exp(goal * (scaled @ weights + base)))
        weights = weights - step * (scaled.T @ slope + _RIDGE * weights)
        weights = np.sign(weights) * np.maximum(np.abs(weights) - step * _LASSO, 0)
        weights[(signs != 0) & (np.sign(weights) != signs)] = 0
        base -= step * slope.sum()
    return weights / spread, float(base - (weights * mean / spread).sum())


def use(names: list[str], weights: Any, base: float) -> None:
    """Let the scores be those of these weights."""
    scoring.WEIGHTS = {name: float(weight) for name, weight in zip(names, weights, strict=True) if weight}
    scoring.BASE = base


def show(name: str, records: list[dict[str, Any]]) -> None:
    """What holds by rules alone, and by rules and score, of the true and the false claims of a set."""
    shown: list[str] = []
    for truth in (True, False):
        mine = [record for record in records if record["truth"] is truth]
        ruled = sum(record["ruled"] == "holds" for record in mine)
        scored = sum(verdict(record) == "holds" for record in mine)
        shown.append(f"{'true' if truth else 'false'}: {ruled / len(mine):.1%} by rules, {scored / len(mine):.1%} now")
    print(f"{name:10} {len(records):4}  {';  '.join(shown)}")


def verdict(record: dict[str, Any]) -> str:
    """The verdict with the weights in use."""
    if record["traits"] is None:
        return record["ruled"]
    checks = [*record["outside"], *scoring.settled(record["checks"], record["traits"])]
    verdicts = {check.verdict for check in checks}
    return "fails" if "fails" in verdicts else "unsure" if "unsure" in verdicts else "holds"


def write(names: list[str], weights: Any, base: float, count: int) -> None:
    """Write the module of weights."""
    lines = [f'    "{name}": {weight:.3f},' for name, weight in zip(names, weights, strict=True) if abs(weight) >= 5e-4]
    text = (
        '"""Weights of the traits of a claim, in log-odds of being true for each unit of a trait.\n\n'
        f"Fitted by ``tests/benchmarks/claim_score.py`` to {count:,} claims written from papers, not by hand.\n"
        f'"""\n\nBASE = {base:.3f}\n\nWEIGHTS: dict[str, float] = {{\n' + "\n".join(lines) + "\n}\n"
    )
    _WEIGHTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
