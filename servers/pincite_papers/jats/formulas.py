"""Formulas of a JATS article: the best of MathML, TeX and text, never two of them."""

import re
from typing import TYPE_CHECKING

from pincite_papers.jats.sink import Sink
from pincite_papers.markup import Run
from pincite_papers.markup.elements import Element, plain_text
from pincite_papers.markup.mathml import math_run

if TYPE_CHECKING:
    from pincite_papers.jats.inline import Inline

_FORMULAS = frozenset({"math", "tex-math", "inline-formula", "disp-formula", "chem-struct"})
_PICTURES = frozenset({"graphic", "inline-graphic", "media", "inline-media"})
_READABLE = ("math", "tex-math", "textual-form")
_BARE_NUMBER = re.compile(r"[A-Z]?\.?\d{1,3}[a-z]?")


def is_formula(element: Element) -> bool:
    """Whether an element is a formula or one of its forms."""
    return element.tag in _FORMULAS


def formula_run(element: Element, inline: "Inline") -> Run:
    """A formula without its label; empty where it is given as a picture only."""
    tag = element.tag
    if tag == "math":
        return math_run(element)
    if tag == "tex-math":
        return Run().add(inline.tex.render("".join(element.itertext())))
    if tag == "alternatives":
        return _best(list(element), inline)
    forms = [child for child in element if child.tag in ("math", "tex-math")]
    if len(forms) > 1 or (forms and any(child.tag in _PICTURES for child in element)):
        return _best(list(element), inline)
    return _mixed(element, inline)


def equation_run(element: Element, inline: "Inline") -> Run:
    """A displayed formula with its label at the end: ``E = mc^2 (3)``; ``[formula]`` where only a picture is given."""
    run = formula_run(element, inline)
    if not run:
        inline.lost += 1
        run = Run().add("[formula]")
    label = plain_text(element.find("label"))
    if _BARE_NUMBER.fullmatch(label):
        label = f"({label})"
    if label and not str(run).endswith(label):
        run.add(f" {label}")
    return run


def _mixed(element: Element, inline: "Inline") -> Run:
    """Text, scripts and formulas in the order of the source; pictures only where there is nothing else."""
    sink = Sink()
    sink.run.add(element.text or "")
    for child in element:
        if child.tag in _FORMULAS or child.tag == "alternatives":
            sink.run.add_run(formula_run(child, inline))
        elif child.tag not in _PICTURES and child.tag not in ("label", "alt-text", "long-desc", "object-id"):
            piece = Sink()
            inline.fill_child(child, piece)
            sink.run.add_run(piece.run)
        if child.tail:
            sink.run.add(child.tail)
    return sink.run


def _best(forms: list[Element], inline: "Inline") -> Run:
    """The first form, in the order MathML, TeX, text, that has any text."""
    for tag in _READABLE:
        for form in forms:
            if form.tag == tag:
                run = inline.run(form) if tag == "textual-form" else formula_run(form, inline)
                if run:
                    return run
    for form in forms:
        if form.tag not in (*_PICTURES, *_READABLE):
            run = inline.run(form)
            if run:
                return run
    return Run()
