"""Formulas of a page: MathML, TeX, and the texts that stand for them, as linear text."""

import re

from pincite_papers.markup import Run
from pincite_papers.markup.elements import Element, plain_text
from pincite_papers.markup.mathml import math_run

_MOST_TEX = 4000
_ANNOTATION = "annotation"


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
    """TeX of a formula, without the marks around it."""
    return Run().add(re.sub(r"\s+", " ", source[:_MOST_TEX]).strip())
