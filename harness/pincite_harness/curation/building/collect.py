"""Collect: which files of a folder are papers, and which papers tasks are made of."""

import re
from pathlib import Path

from pincite_harness.curation.building.options import BuildOptions
from pincite_papers.model import BlockKind, Paper
from pincite_scoring.figure_analysis.metrics.tokens import split_words

SUFFIXES = (".tar.gz", ".tgz", ".nxml", ".xml", ".tex", ".html", ".htm", ".pdf")
"""Files that are opened as papers; of one paper in several formats the first of these that gives tasks is taken."""
_MARKS = (".jats",)
_LEAST_CHARACTERS = 4000
"""Characters of text that a paper has at least: a letter of two pages has more. Set by judgement."""
_LEAST_SHARE = 0.12
"""Share of common English words from which a text is English. Set by judgement."""
_COMMON = re.compile(r"the|of|and|in|to|a|is|for|with|that|was|are|by|as|on|were|be|this")
_NO_ARTICLE = re.compile(
    "addendum|announcement|book-review|books-received|calendar|collection|correction|editorial|erratum|"
    "expression-of-concern|in-brief|introduction|letter|news|obituary|partial-retraction|product-review|reply|retraction"
)


def find_papers(folder: Path, made: Path) -> list[list[Path]]:
    """The papers below ``folder`` in the order of their names, each as its files: one paper in several formats has
    several, in the order of ``SUFFIXES``. What is hidden is none, nor what lies in ``made``, the family being built."""
    found: dict[Path, list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if suffix_of(path) and not hidden and path.is_file() and not path.resolve().is_relative_to(made.resolve()):
            found.setdefault(base_of(path), []).append(path)
    return [sorted(paths, key=lambda path: SUFFIXES.index(suffix_of(path))) for _, paths in sorted(found.items())]


def suffix_of(path: Path) -> str:
    """The suffix by which a file is a paper, "" where it is none."""
    return next((suffix for suffix in SUFFIXES if path.name.lower().endswith(suffix)), "")


def base_of(path: Path) -> Path:
    """The path without its format: ``a/b.jats.xml`` and ``a/b.pdf`` are one paper."""
    name = path.name[: len(path.name) - len(suffix_of(path))]
    return path.with_name(next((name.removesuffix(mark) for mark in _MARKS if name.endswith(mark)), name))


def refuse(paper: Paper, options: BuildOptions) -> str:
    """Why no tasks are made of a paper, "" where some may be."""
    kind = paper.metadata.get("article_type", "")
    if _NO_ARTICLE.fullmatch(kind):
        return f"is not an article but of the type {kind}"
    if len(paper.text) < _LEAST_CHARACTERS:
        return f"has fewer than {_LEAST_CHARACTERS} characters of text"
    words = split_words(_prose(paper)[: 20 * _LEAST_CHARACTERS])
    if sum(_COMMON.fullmatch(word) is not None for word in words) < _LEAST_SHARE * len(words):
        return "is not in English"
    licence = paper.metadata.get("license", "")
    if options.licences and not any(wanted.casefold() in licence.casefold() for wanted in options.licences):
        return f"its licence is not among those wanted: {licence or 'none is stated'}"
    if not any(one.label and one.caption for one in (*paper.tables, *paper.figures)):
        return "has no table or figure with a label and a caption"
    return ""


def _prose(paper: Paper) -> str:
    """What a language shows in: neither tables nor references, which may be most of a paper."""
    kinds = (BlockKind.ABSTRACT, BlockKind.PARAGRAPH)
    return "\n".join(paper.text[block.start : block.end] for block in paper.blocks if block.kind in kinds)
