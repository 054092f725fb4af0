"""HTML: articles as arXiv, publishers, repositories and other web pages show them."""

from pincite_papers.html.page import PARSER, parse_html

__all__ = ["PARSER", "parse_html"]
