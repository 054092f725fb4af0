"""Megabytes of marked-up source per CPU second: the whole parse, against the bare parser under it in the same run.

    python tests/benchmarks/markup_speed.py [--rounds N] [--only jats] [--profile]

A function a format gives its sources, its parser and the floor: the least that must be done with the bytes.
"""

import argparse
import cProfile
import pstats
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree
from parts.mutants import html_sources, jats_sources, latex_sources
from selectolax.lexbor import LexborHTMLParser

from pincite_papers.html import parse_html
from pincite_papers.jats import parse_jats
from pincite_papers.latex import parse_latex
from pincite_papers.latex.encoding import decode
from pincite_papers.latex.lexer import Lexer

Work = Callable[[bytes], object]


@dataclass(frozen=True)
class Contest:
    """A format: its sources, what we do with them, and what the floor is called and does."""

    sources: list[bytes]
    parse: Work
    floor: str
    least: Work


def jats() -> Contest:
    """JATS articles against lxml's tree alone."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return Contest(
        jats_sources(),
        lambda data: parse_jats(data, max_pages=1),
        "lxml's tree alone",
        lambda data: etree.fromstring(data, parser),
    )


def html() -> Contest:
    """Our pages, their articles thirty times over to be as long as real ones, against selectolax's tree alone."""
    pages: list[bytes] = []
    for data in html_sources():
        start, end = data.find(b"<h2"), data.rfind(b"<h2")
        pages.append(data[:start] + data[start:end] * 30 + data[end:])
    return Contest(
        pages,
        lambda data: parse_html(data, max_pages=1),
        "selectolax's tree alone",
        lambda data: LexborHTMLParser(data.decode("utf-8", "replace")).body,
    )


def latex() -> Contest:
    """Our sources, their bodies ten times over to be as long as real ones, against their tokens alone."""
    sources: list[bytes] = []
    for data in latex_sources():
        start, end = data.find(b"\\section"), data.find(b"\\begin{thebibliography}")
        if start > 0:
            sources.append(data[:start] + data[start:end] * 10 + data[end:])
    return Contest(sources, lambda data: parse_latex(data, max_pages=1), "the tokens alone", _tokens)


def _tokens(data: bytes) -> int:
    lexer = Lexer(decode(data))
    count = 0
    while lexer.next() is not None:
        count += 1
    return count


CONTESTS: dict[str, Callable[[], Contest]] = {"html": html, "jats": jats, "latex": latex}


def seconds(work: Work, sources: list[bytes], rounds: int) -> float:
    """CPU seconds of the fastest round over all sources."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        for data in sources:
            work(data)
        best = min(best, time.process_time() - began)
    return best


def show(name: str, contest: Contest, rounds: int) -> None:
    size = sum(map(len, contest.sources)) / 1e6
    ours = seconds(contest.parse, contest.sources, rounds)
    floor = seconds(contest.least, contest.sources, rounds)
    print(
        f"{name}: {len(contest.sources)} sources, {size:.1f} MB: {size / ours:.1f} MB/s "
        f"({1000 * ours / len(contest.sources):.1f} ms a paper), {contest.floor} {size / floor:.0f} MB/s, "
        f"ratio {floor / ours:.3f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=sorted(CONTESTS))
    parser.add_argument("--profile", action="store_true", help="print where the parse spends its time instead")
    arguments = parser.parse_args()
    for name, contest in CONTESTS.items():
        if arguments.only not in (None, name):
            continue
        made = contest()
        if arguments.profile:
            with cProfile.Profile() as profile:
                seconds(made.parse, made.sources, 1)
            pstats.Stats(profile).sort_stats("tottime").print_stats(30)
        else:
            show(name, made, arguments.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
