"""How claims written from papers are judged: true and false ones, by what is wrong with them.

    python tests/benchmarks/claims_held_out.py --data ../shared/data [--misses] [--located]
    python tests/benchmarks/claims_held_out.py CLAIMS.jsonl PAPERS_DIR [--misses] [--located]

The first judges the claims that are kept here (``written_claims.jsonl.gz``); their papers are read from the data of the
tests, archives and all. The second judges others.

A line of CLAIMS.jsonl (or CLAIMS.jsonl.gz) is one claim: ``paper`` (a file of PAPERS_DIR), ``quote``, ``value``,
``unit``, ``material``, ``property``, ``truth`` (true or false), ``way`` (of being true or false) and ``form`` (prose or
table).
``written_claims.jsonl.gz`` beside this file has 1,780 over papers that may be copied (``origin``: CC BY or public
domain, and tables of SciTab, MIT); development has seen them all, so that a new rule wants new claims. The locator of a
claim is its paper alone; with ``--located`` it is the place where the quote stands. Printed are the verdicts with
Wilson intervals, and with ``--misses`` the false claims that hold and the true ones that fail. The exit status is 1
above 1 % of either, or below 70 % of true claims that hold.
"""

import argparse
import gzip
import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from parts.claim_papers import papers_in_folder, papers_of
from parts.rates import wilson

from pincite_papers.model import Paper
from pincite_papers.passages import locate
from pincite_papers.quoting.quotes import find_quote
from pincite_provenance.claims.check import check_claim
from pincite_provenance.model import Claim, ClaimChecks

KEPT = Path(__file__).parent / "written_claims.jsonl.gz"
_MOST_WRONG, _LEAST_HELD = 0.01, 0.70
_VERDICTS = ("holds", "fails", "unsure")


def main() -> int:
    """Print the verdicts; 1 when a bar is missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("claims", type=Path, nargs="?", default=KEPT)
    options.add_argument("papers", type=Path, nargs="?")
    options.add_argument("--data", type=Path, help="the folder of the tests' data, for claims that say their origin")
    options.add_argument("--misses", action="store_true")
    options.add_argument("--located", action="store_true")
    given = options.parse_args()
    records = read_claims(given.claims)
    if (given.papers is None) is (given.data is None):
        options.error("give either the folder of the papers or --data")
    papers = papers_of(records, given.data) if given.data else papers_in_folder(paper_names(records), given.papers)
    return 0 if report(records, papers, misses=given.misses, located=given.located) else 1


def read_claims(path: Path) -> list[dict[str, Any]]:
    """The claims of a file, compressed or not."""
    packed = path.read_bytes()
    text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode("utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def paper_names(records: list[dict[str, Any]]) -> list[str]:
    """The files that claims are about, each once."""
    return sorted({record["paper"] for record in records})


def report(records: list[dict[str, Any]], papers: dict[str, Paper], *, misses: bool, located: bool) -> bool:
    """Judge and print; whether every bar is met."""
    records = sorted(records, key=lambda record: record["paper"])
    judged: list[tuple[dict[str, Any], ClaimChecks]] = []
    slowest, began = 0.0, time.perf_counter()
    for record in records:
        start = time.perf_counter()
        judged.append((record, judge(papers[record["paper"]], record, located=located)))
        slowest = max(slowest, time.perf_counter() - start)
    taken = time.perf_counter() - began
    for truth in (True, False):
        of_truth = [(record, checks.verdict) for record, checks in judged if record["truth"] is truth]
        show("true claims" if truth else "false claims", of_truth)
    if misses:
        for record, checks in judged:
            if checks.verdict == ("fails" if record["truth"] else "holds"):
                print(described(record, checks))
    print(f"{1000 * taken / max(len(judged), 1):.1f} ms a claim, the slowest {1000 * slowest:.0f} ms (papers new)")
    return (
        share(judged, False, "holds") <= _MOST_WRONG
        and share(judged, True, "fails") <= _MOST_WRONG
        and share(judged, True, "holds") >= _LEAST_HELD
    )


def judge(paper: Paper, record: dict[str, Any], *, located: bool) -> ClaimChecks:
    """The verdict on one record."""
    locator = f"pc:{paper.paper_id[7:15]}"
    if located:
        match = find_quote(paper, record["quote"])
        locator = locate(paper, match.start, match.end)
    texts = (record["quote"], locator, record["value"], record["unit"], record["material"], record["property"])
    return check_claim(paper, Claim(*texts))


def share(judged: list[tuple[dict[str, Any], ClaimChecks]], truth: bool, verdict: str) -> float:
    """The share of a verdict among the true or the false claims."""
    verdicts = [checks.verdict for record, checks in judged if record["truth"] is truth]
    return verdicts.count(verdict) / max(len(verdicts), 1)


def show(title: str, verdicts: list[tuple[dict[str, Any], str]]) -> None:
    """Print a line for all, one a form and one a way."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for record, verdict in verdicts:
        for name in ("all", f"form: {record['form']}", record["way"]):
            counts[name][verdict] += 1
    print(f"{title}: {len(verdicts)}")
    for name in sorted(counts, key=lambda name: (name != "all", not name.startswith("form:"), name)):
        count, total = counts[name], sum(counts[name].values())
        shown = [f"{verdict} {count[verdict]:3} ({count[verdict] / total:4.0%}" for verdict in _VERDICTS]
        intervals = [wilson(count[verdict], total) for verdict in _VERDICTS]
        parts = (f"{text}; {low:.1%} to {high:.1%})" for text, (low, high) in zip(shown, intervals, strict=True))
        print(f"  {name:38} {total:4}  {'  '.join(parts)}")


def described(record: dict[str, Any], checks: ClaimChecks) -> str:
    """A claim with its verdict and the reasons."""
    said = "; ".join(f"{check.name} {check.verdict}: {check.reason}" for check in checks.checks)
    claim = f"{record['material']} | {record['property']} | {record['value']} {record['unit']}"
    return (
        f"  {record.get('id', '')} {record['truth']} ({record['way']}) {checks.verdict}: {claim}\n"
        f"      quote: {record['quote']!r}\n      {said}"
    )


if __name__ == "__main__":
    sys.exit(main())
