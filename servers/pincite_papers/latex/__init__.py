"""LaTeX: a source becomes a Paper. Macros are expanded within a budget; TeX itself is never run."""

from pincite_papers.latex.parse import PARSER, parse_formula, parse_latex

__all__ = ["PARSER", "parse_formula", "parse_latex"]
