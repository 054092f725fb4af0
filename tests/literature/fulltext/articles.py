"""One invented article as arXiv, PMC and publishers give it, and what they give in its place."""

import gzip
import io
import tarfile
from functools import lru_cache

import typst

TITLE = "Superconductivity of a cuprate that nobody has made"
AUTHORS = (("Lovelace", "Ada M."), ("Noether", "Emmy"))
SENTENCES = [f"In run {n} the made-up sample number {n} lost its resistance at {n + 50} K." for n in range(80)]
BODY = " ".join(SENTENCES)
ABSTRACT = "We report the transition temperature of a cuprate that was invented for a test."
NEEDLE = "sample number 42 lost its resistance at 92 K"


def latex(title: str = TITLE) -> bytes:
    """A source as arXiv packs it: tar.gz with a main file and one that it inputs."""
    names = " \\and ".join(f"{given} {family}" for family, given in AUTHORS)
    main = (
        f"\\documentclass{{article}}\n\\title{{{title}}}\n\\author{{{names}}}\n\\begin{{document}}\n\\maketitle\n"
        f"\\begin{{abstract}}{ABSTRACT}\\end{{abstract}}\n\\section{{Results}}\n\\input{{body}}\n\\end{{document}}\n"
    )
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, text in (("main.tex", main), ("body.tex", BODY)):
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return gzip.compress(out.getvalue(), mtime=0)


def single_tex() -> bytes:
    """A source of one file, which arXiv compresses without a tar around it."""
    text = (
        f"\\documentclass{{article}}\n\\title{{{TITLE}}}\n\\begin{{document}}\n\\maketitle\n{BODY}\n\\end{{document}}\n"
    )
    return gzip.compress(text.encode(), mtime=0)


def jats(
    title: str = TITLE, *, doi: str = "10.5555/cuprate.1", pmcid: str = "7654321", year: int = 2019, body: bool = True
) -> bytes:
    """An article of PMC; without ``body`` as efetch gives those that it may not give."""
    names = "".join(
        f'<contrib contrib-type="author"><name><surname>{family}</surname><given-names>{given}</given-names></name>'
        "</contrib>"
        for family, given in AUTHORS
    )
    paragraphs = "".join(f"<p>{' '.join(SENTENCES[n : n + 10])}</p>" for n in range(0, 80, 10))
    text = f"<body><sec><title>Results</title>{paragraphs}</sec></body>" if body else ""
    refusal = (
        "" if body else "<!--The publisher of this article does not allow downloading of the full text in XML form.-->"
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving '
        'DTD v1.3//EN" "JATS-archivearticle1-3.dtd"><article xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'article-type="research-article">{refusal}<front><journal-meta><journal-title-group><journal-title>Journal of '
        "Invented Results</journal-title></journal-title-group></journal-meta><article-meta>"
        f'<article-id pub-id-type="pmc">{pmcid}</article-id><article-id pub-id-type="doi">{doi}</article-id>'
        f"<title-group><article-title>{title}</article-title></title-group><contrib-group>{names}</contrib-group>"
        f'<pub-date pub-type="epub"><day>5</day><month>3</month><year>{year}</year></pub-date>'
        '<permissions><license xlink:href="https://creativecommons.org/licenses/by/4.0/"><license-p>Open.</license-p>'
        f"</license></permissions><abstract><p>{ABSTRACT}</p></abstract></article-meta></front>{text}</article>"
    ).encode()


def articleset(article: bytes) -> bytes:
    """What efetch puts around an article."""
    inner = article.decode()
    return f'<?xml version="1.0" ?><pmc-articleset>{inner[inner.index("<article ") :]}</pmc-articleset>'.encode()


def web_page(title: str = TITLE, *, body: bool = True, head: str = "", more: str = "") -> bytes:
    """An article as a web page, or its landing page with the abstract alone."""
    names = "".join(f'<meta name="citation_author" content="{given} {family}">' for family, given in AUTHORS)
    paragraphs = "".join(f"<p>{' '.join(SENTENCES[n : n + 10])}</p>" for n in range(0, 80, 10))
    text = f"<section><h2>Results</h2>{paragraphs}</section>" if body else ""
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>{title} | Journal</title><meta name="citation_title" '
        f'content="{title}">{names}{head}</head><body><article><h1>{title}</h1><section><h2>Abstract</h2>'
        f"<p>{ABSTRACT}</p></section>{text}{more}</article></body></html>"
    ).encode()


def linking(url: str) -> str:
    """The tag by which a landing page names its PDF."""
    return f"<meta content='{url}' name=citation_pdf_url>"


@lru_cache(maxsize=8)
def pdf(title: str = TITLE, *, stamp: str = "", note: str = "") -> bytes:
    """The article as a PDF; ``stamp`` is what arXiv prints on the margin of the first page."""
    names = ", ".join(f"{given} {family}" for family, given in AUTHORS)
    margin = f"#place(top + left, dx: -12mm, dy: 60mm, rotate(-90deg, reflow: true)[#text(9pt)[{stamp}]])"
    source = (
        '#set page(paper: "a5", margin: 18mm, numbering: "1")\n#set text(size: 9.5pt)\n#set par(justify: true)\n'
        f'#set document(title: "{title}")\n{margin if stamp else ""}\n'
        f'#align(center)[#text(15pt, weight: "bold")[{title}] \\ {names}]\n#v(6mm)\n{note}\n'
        f"*Abstract.* {ABSTRACT}\n\n= Results\n{BODY}\n"
    )
    return bytes(typst.compile(source.encode()))
