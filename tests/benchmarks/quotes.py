"""How surely a quote is told from what only looks like one.

    python tests/benchmarks/quotes.py [--true 2000] [--false 2000] [--raw 200] [--papers 70] [--seed 2] [--misses 20]

Method: ``quote_cases.py``. Printed are the true quotes that are found to stand (exact, or exact after normalisation) by
kind of damage, the false ones that are not, by kind of falsehood, with Wilson intervals, the misses, how many false
ones are near, and the time of a call against ``str.find`` on the same text. Seed 1 is the one that the code was
developed with. The exit status is 1 when a false quote stands or more than 0.5 % of the true ones do not.
"""

import argparse
import random
import sys
import time
from collections import Counter

from parts.quote_cases import Case, false_quotes, raw_lines, true_quotes
from parts.rates import Tally
from parts.real_papers import BUNDLED, DATA, real_papers

from pincite_papers.model import Paper
from pincite_papers.quoting.quotes import QuoteMatch, find_quote

_MOST_REJECTED = 0.005


def main() -> int:
    """Print the rates; 1 when a bar is missed."""
    options = argparse.ArgumentParser(description=__doc__)
    for name, default in (("true", 2000), ("false", 2000), ("raw", 200), ("papers", 70), ("seed", 2), ("misses", 20)):
        options.add_argument(f"--{name}", type=int, default=default)
    given = options.parse_args()
    papers = real_papers(given.papers, given.seed)
    formats = Counter(paper.format.value for paper in papers.values())
    print(f"{len(papers)} papers ({formats}), seed {given.seed}")
    rng = random.Random(given.seed)
    true = list(true_quotes(papers, given.true, rng))
    false = list(false_quotes(papers, given.false, rng))
    paths = {path.name: path for path in DATA.glob("*/*.pdf")} | {p.stem: p for p in BUNDLED.glob("*.pdf")}
    raw = list(raw_lines(papers, {name: path for name, path in paths.items() if name in papers}, given.raw, rng))
    stood, told, copied = Tally(), Tally(), Tally()
    began = time.perf_counter()
    for case in true:
        match = find_quote(papers[case.paper], case.quote)
        stood.add(case.kind, match.stands, _described(case, papers, match))
    near = 0
    for case in false:
        match = find_quote(papers[case.paper], case.quote)
        near += match.standing == "near"
        told.add(case.kind, not match.stands, _described(case, papers, match))
    taken = time.perf_counter() - began
    for case in raw:
        match = find_quote(papers[case.paper], case.quote)
        copied.add(case.kind, match.stands, _described(case, papers, match))
    stood.show("true quotes that stand", given.misses)
    told.show("false quotes that do not", given.misses)
    copied.show("lines as another reader copies them, that stand", given.misses)
    print(f"near passages shown for {near} of {len(false)} false quotes")
    began = time.perf_counter()
    for case in (*true, *false):
        papers[case.paper].text.find(case.quote)
    floor = time.perf_counter() - began
    calls = len(true) + len(false)
    print(f"{1000 * taken / calls:.2f} ms a quote, indices included; str.find alone {1000 * floor / calls:.3f} ms")
    return 0 if told.share == 1 and stood.share >= 1 - _MOST_REJECTED else 1


def _described(case: Case, papers: dict[str, Paper], match: QuoteMatch) -> str:
    found = papers[case.paper].text[match.start : match.end][:160]
    return f"{case.paper}: {case.quote[:160]!r} from {case.origin[:160]!r}: {match.standing} {found!r} {match.remark}"


if __name__ == "__main__":
    sys.exit(main())
