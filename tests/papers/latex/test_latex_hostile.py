"""Hostile LaTeX: bombs, deep nesting, broken groups. Each ends soon, in a Paper or a typed error."""

import random
import time
from pathlib import Path

import pytest
from latex_archives import packed, read, whole

from pincite_core.errors import LimitReachedError, PinciteError

SOURCES = Path(__file__).parent / "sources"
SECONDS = 20.0
"""Far above what any of these takes: a run-away would take hours."""
DEEP = 30_000
DOUBLING = "".join(rf"\def\{chr(98 + n)}{{\{chr(97 + n)}\{chr(97 + n)}}}" for n in range(24))
BOMBS = {
    "doubling macros": whole(r"\y", r"\def\a{ha}" + DOUBLING),
    "doubling arguments": whole(r"\a{\a{\a{\a{\a{\a{\a{\a{\a{\a{x}}}}}}}}}}", r"\newcommand{\a}[1]{#1#1#1#1#1#1#1#1}"),
    "long bodies": whole(r"\b" * 5000, r"\def\a{" + "x" * 10_000 + r"}\def\b{\a\a\a\a\a\a\a\a\a\a}"),
}
SURVIVED = {
    "a macro that calls itself": whole(r"\a{} after", r"\def\a{x\a}"),
    "a macro that grows": whole(r"\a after", r"\def\a{\a x}"),
    "two that call each other": whole(r"\a after", r"\def\a{\b}\def\b{\a}"),
    "open braces": whole("{" * DEEP + "x"),
    "closing braces": whole("}" * DEEP + "x"),
    "deep groups": whole("{" * DEEP + "x" + "}" * DEEP),
    "deep fonts": whole(r"\textbf{" * DEEP + "x" + "}" * DEEP),
    "deep fractions": whole("$" + r"\frac{1}{" * DEEP + "x" + "}" * DEEP + "$"),
    "deep scripts": whole("$" + "x^{" * DEEP + "x" + "}" * DEEP + "$"),
    "deep roots": whole("$" + r"\sqrt{" * DEEP + "x" + "}" * DEEP + "$"),
    "deep lists": whole(r"\begin{itemize}\item " * 5000 + "x" + r"\end{itemize}" * 5000),
    "deep tables": whole(r"\begin{tabular}{l}" * 2000 + "x" + r"\end{tabular}" * 2000),
    "deep figures": whole(r"\begin{figure}" * 2000 + "x" + r"\end{figure}" * 2000),
    "deep footnotes": whole(r"\footnote{" * 5000 + "x" + "}" * 5000),
    "open environments": whole(r"\begin{equation}" * 3000 + "x"),
    "ends": whole(r"\end{equation}" * DEEP + "x"),
    "open options": whole(r"\section[" * 3000 + "x"),
    "open brackets": whole(r"\\[" * 3000 + "x"),
    "conditionals": whole(r"\iffalse" * DEEP + "x"),
    "open formulas": whole("$ x " * DEEP),
    "a wide table": whole(r"\begin{tabular}{*{400}{*{400}{*{400}{c}}}}x&y\end{tabular}"),
    "wide cells": whole(r"\begin{tabular}{l}" + r"\multicolumn{9999}{c}{x}&" * 500 + r"\end{tabular}"),
    "tall cells": whole(r"\begin{tabular}{ll}" + r"\multirow{9999}{*}{x}&y\\" * 500 + r"\end{tabular}"),
    "many labels": whole(r"\section{a}\label{a}\ref{a}" * 3000),
    "many comments": whole("%\n" * DEEP + "x"),
    "blank lines": whole("\n" * DEEP + "x"),
    "backslashes": whole("\\\\" * DEEP + "x"),
    "nothing but signs": whole("$&#^_~%" * 3000),
    "numbers": whole(r"\setcounter{section}{99999999999999999999}\section{x}\SI{1e99999999}{\metre}"),
    "counters": whole(r"\newcounter{a}[b]\newcounter{b}[a]\stepcounter{a}x"),
    "long name": whole("\\" + "a" * 100_000 + " x"),
    "long label": whole(r"\ref{" + "a" * 100_000 + "} x"),
    "definitions": whole(r"\newcommand{\x}{" * 5000 + "x"),
    "urls": whole(r"\url{" * 3000 + "x"),
    "verb": whole(r"\verb|" * 3000 + "x"),
    "keys": whole(r"\cite{" + ",".join(f"k{n}" for n in range(30_000)) + "} x"),
    "accents": whole(r"\'" * DEEP + "x"),
    "csname": whole(r"\csname " * 3000 + "x"),
    "let": whole(r"\let\a\b\let\b\a\a\b x"),
}


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS)
def test_bombs_of_macros_reach_a_limit(source: str) -> None:
    began = time.process_time()
    with pytest.raises(LimitReachedError) as raised:
        read(source)
    assert raised.value.seen
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("source", SURVIVED.values(), ids=SURVIVED)
def test_what_is_deep_or_broken_still_becomes_a_paper(source: str) -> None:
    began = time.process_time()
    try:
        paper = read(source)
        assert len(paper.text) < 5_000_000
    except PinciteError as error:
        assert error.next
    assert time.process_time() - began < SECONDS


def test_text_behind_an_endless_macro_is_kept() -> None:
    paper = read(SURVIVED["two that call each other"])
    assert paper.text.endswith("after")
    assert any("without end" in warning for warning in paper.warnings)


def test_many_files_are_read_within_limits() -> None:
    files = {"main.tex": whole(r"\input{f0}")}
    files |= {f"f{n}.tex": f"x \\input{{f{n + 1}}}" for n in range(300)}
    assert 20 < len(read(packed(files)).text.split()) < 300
    bomb = {
        "main.tex": whole(r"\a\a\a\a\a\a\a\a\a\a", r"\def\a{\input{b}\input{b}\input{b}}"),
        "b.tex": "x" * 400_000 + "\n\n",
    }
    assert len(read(packed(bomb)).text) < 40_000_000


def test_broken_bibliographies_are_read_as_far_as_they_go() -> None:
    main = whole(r"\cite{a,b}\bibliography{r}")
    for broken in (
        "@article{a, title={x",
        "@article{a title",
        "@" * 10_000,
        "@article{a,title=" * 3000,
        '@a{a,t="' * 3000,
    ):
        assert read(packed({"main.tex": main, "r.bib": broken})).text


@pytest.mark.parametrize("seed", range(60))
def test_mutants_become_papers_or_typed_errors(seed: int) -> None:
    draw = random.Random(seed)
    data = bytearray(draw.choice(sorted(SOURCES.glob("*.tex"))).read_bytes())
    for _ in range(draw.choice((1, 4, 40))):
        at, length = draw.randrange(len(data)), draw.randrange(1, 60)
        kind = draw.choice(("cut", "double", "byte", "sign"))
        if kind == "cut":
            del data[at : at + length]
        elif kind == "double":
            data[at:at] = data[at : at + length]
        elif kind == "byte":
            data[at] = draw.randrange(256)
        else:
            data[at:at] = draw.choice(
                (b"{", b"}", b"\\", b"$", b"&", b"%", b"[", b"]", b"\\end{", b"\\begin{", b"#", b"\\\\")
            )
        if len(data) < 100:
            break
    try:
        paper = read(bytes(data))
    except PinciteError:
        return
    paper.text.encode()
    for block in paper.blocks:
        assert 0 <= block.start < block.end <= len(paper.text)
