"""Formulas of a page: MathML, TeX, and the texts that stand for them, as linear text."""

import re

from pincite_core.errors import LimitReachedError
from pincite_papers.markup import Run
from pincite_papers.markup.elements import Element, plain_text
from pincite_papers.markup.mathml import math_run

_MOST_TEX = 4000
"""Characters of a formula that are read. Set by judgement."""
_DEFINING = re.compile(r"\\(?:[egx]?def|let|futurelet|newcommand|renewcommand|csname|expandafter|loop|input|include)\b")
_ANNOTATION = "annotation"
_MARKS = re.compile(r"^\s*(?:\$\$?|\\[\[(])|(?:\$\$?|\\[\])])\s*$|%\s*\n")


def math_of(math: Element) -> Run:
    """A ``math`` element; its TeX where it has no presentation."""
    run = math_run(math)
    if run:
        return run
    for annotation in math.iter(_ANNOTATION):
        if "tex" in (annotation.get("encoding") or "").lower():
            return tex_run(annotation.text or "")
    return tex_run(math.get("alttext") or "") or Run().add(plain_text(math))


def tex_run(source: str) -> Run:
    """TeX of a formula as linear text; as it stands where it cannot be read."""
    source = _MARKS.sub("", source[:_MOST_TEX])
    if _DEFINING.search(source) or ("\\" not in source and "^" not in source and "_" not in source):
        return Run().add(source)
    from pincite_papers.latex import parse_formula

    try:
        run = parse_formula(source)
    except LimitReachedError:
        run = Run()
    return run or Run().add(source)
