"""Real papers of ../shared/data and the bundled ones, parsed by the real parsers, some of them as LaTeX and HTML."""

import html
import random
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_papers.model import BlockKind, Paper
from pincite_papers.opening.source import parse_source

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT.parent / "shared" / "data"
BUNDLED = ROOT / "tasks" / "property_extraction" / "papers"
_TARS = ("craft-jats/craft_articles_nxml.tar.gz", "plos-jats/plos_starter_corpus.tar.gz")
_MAX_PAGES = 500


def bundled() -> dict[str, Paper]:
    """The papers of the bundled task, by their task id."""
    return {path.stem: parse_source(path.read_bytes(), max_pages=_MAX_PAGES) for path in sorted(BUNDLED.glob("*.pdf"))}


def real_papers(count: int, seed: int) -> dict[str, Paper]:
    """``count`` real papers and the bundled ones: every PDF there is, then JATS articles drawn by ``seed``, and four of
    those once more as LaTeX and as HTML made of their paragraphs.
    """
    papers = bundled()
    rng = random.Random(seed)
    files = [(path.name, path.read_bytes()) for path in sorted(DATA.glob("*/*.pdf"))]
    files += list(_articles(max(count - len(files), 4), rng))
    for name, data in files:
        try:
            papers[name] = parse_source(data, max_pages=_MAX_PAGES)
        except PinciteError as error:
            print(f"left out {name}: {error}")
    for name in [name for name in papers if name.endswith("xml")][:4]:
        for ending, make in (("html", as_html), ("tex", as_latex)):
            papers[f"{name}.{ending}"] = parse_source(make(papers[name]).encode(), max_pages=_MAX_PAGES)
    return papers


def _articles(count: int, rng: random.Random) -> Iterator[tuple[str, bytes]]:
    """JATS articles drawn from the archives, as many of each."""
    for place in _TARS:
        path = DATA / place
        if not path.exists():
            continue
        with tarfile.open(path) as archive:
            members = [m for m in archive.getmembers() if m.isfile() and m.name.endswith("xml")]
            for member in rng.sample(members, min(count // len(_TARS), len(members))):
                file = archive.extractfile(member)
                assert file is not None
                yield Path(member.name).name, file.read()


def _paragraphs(paper: Paper) -> list[str]:
    """Paragraphs without script marks and braces, which the other formats would read as their own."""
    blocks = [block for block in paper.blocks if block.kind is BlockKind.PARAGRAPH]
    texts = [" ".join(paper.text[block.start : block.end].split()) for block in blocks]
    return [text for text in texts if not re.search(r"[\^_{}\\~]", text)]


def as_html(paper: Paper) -> str:
    """A page of the paper's title and paragraphs."""
    body = "".join(f"<p>{html.escape(text)}</p>\n" for text in _paragraphs(paper))
    title = html.escape(paper.title)
    head = f"<html><head><title>{title}</title></head><body><article><h1>{title}</h1>"
    return f"{head}{body}</article></body></html>"


def as_latex(paper: Paper) -> str:
    """A document of the paper's title and paragraphs."""
    body = "\n\n".join(re.sub(r"([%&#$])", r"\\\1", text) for text in _paragraphs(paper))
    title = re.sub(r"([%&#$^_{}~\\])", " ", paper.title)
    head = f"\\documentclass{{article}}\n\\title{{{title}}}\n\\begin{{document}}\n\\maketitle\n"
    return f"{head}\\section{{Text}}\n{body}\n\\end{{document}}\n"
