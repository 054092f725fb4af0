"""JATS: articles in the XML of PubMed Central and publishers (JATS 1, NLM 2 and 3, BioMed Central's ``art``)."""

from pincite_papers.jats.article import PARSER, parse_jats

__all__ = ["PARSER", "parse_jats"]
