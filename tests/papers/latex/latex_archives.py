"""LaTeX sources packed for the tests, and short sources read."""

import gzip
import io
import tarfile

from pincite_papers.latex import parse_latex
from pincite_papers.model import BlockKind, Paper


def packed(files: dict[str, str | bytes]) -> bytes:
    """A tar.gz, as arXiv gives it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return gzip.compress(out.getvalue())


def whole(body: str, preamble: str = "", *, document_class: str = "article") -> str:
    """A document around ``body``."""
    return f"\\documentclass{{{document_class}}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def read(source: str | bytes) -> Paper:
    """The Paper of a source."""
    return parse_latex(source.encode() if isinstance(source, str) else source, max_pages=1)


def text_of(body: str, preamble: str = "") -> str:
    """The text of a document with this body."""
    return read(whole(body, preamble)).text


def blocks(paper: Paper, kind: BlockKind) -> list[str]:
    """The texts of the blocks of a kind."""
    return [paper.text[block.start : block.end] for block in paper.blocks if block.kind is kind]
