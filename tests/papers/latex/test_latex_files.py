"""LaTeX archives: the main file, files within files, encodings, bibliographies."""

import gzip
import io
import zipfile

import pytest
from latex_archives import blocks, packed, read, whole

from pincite_core.errors import EmptySourceError, UnknownFormatError
from pincite_papers.model import BlockKind, SourceFormat
from pincite_papers.opening.source import detect_format, parse_source

BIB = r"""
@string{prl = "Phys. Rev. Lett."}
@comment{ignored @article{no, title={x}}}
@article{one, author = {M{\"u}ller, Anna and Jos{\'e} de la Cruz}, title = "On {X} and $T_c$",
  journal = prl # " (Suppl.)", volume = 12, pages = {345--350}, year = 2020, doi = {10.1103/PhysRevLett.12.345}}
@book(two, editor = {Editor, E. and others}, title = {Book}, publisher = {Press}, year = {2019})
@misc{three, author={Nobody, N.}, title={Uncited}, year={2000}}
@misc{four, author={Person, P.}, title={Preprint}, eprint={2101.01234}, archivePrefix={arXiv}, year={2021}}
"""
BIBLATEX = r"""
% $ biblatex bbl format version 3.2 $
\refsection{0}
  \datalist[entry]{nty/global//global/global}
    \entry{one}{article}{}
      \name{author}{2}{}{%
        {{hash=a}{%
           family={M\"{u}ller}, familyi={M\bibinitperiod}, given={Anna}, giveni={A\bibinitperiod}}}%
        {{hash=b}{%
           family={Lee}, given={Bo\bibnamedelima C.}, giveni={B\bibinitperiod}}}%
      }
      \list{publisher}{1}{%
        {Press}%
      }
      \field{journaltitle}{J. Test}
      \field{title}{A Title}
      \field{volume}{7}
      \field{year}{2018}
      \field{pages}{1\bibrangedash 9}
      \verb{doi}
      \verb 10.1000/xyz_1
      \endverb
    \endentry
  \enddatalist
\endrefsection
"""


def test_a_bare_file_names_what_it_lacks() -> None:
    paper = read(whole(r"Text. \input{missing} \bibliography{refs} \cite{a}"))
    assert paper.format is SourceFormat.LATEX
    assert paper.parser == "pincite-latex/2"
    assert any("missing" in warning and "refs.bib" in warning for warning in paper.warnings)
    assert any("lacks: a" in warning for warning in paper.warnings)


def test_files_are_read_within_files() -> None:
    files = {
        "main.tex": whole(r"A \input{b} \include{sub/c} \import{deep/}{d} \input e.tex F \subfile{s}"),
        "b.tex": "B",
        "sub/c.tex": "C \\endinput not this",
        "deep/d.tex": "D \\input{deep/x}",
        "deep/x.tex": "X",
        "e.tex": "E",
        "s.tex": "\\documentclass[main.tex]{subfiles}\\begin{document}S\\end{document}",
    }
    paper = read(packed(files))
    assert paper.text.split() == ["A", "B", "C", "D", "X", "E", "F", "S"]
    assert paper.warnings == ()


def test_a_file_that_includes_itself_ends() -> None:
    paper = read(
        packed({"main.tex": whole(r"A \input{a}"), "a.tex": r"B \input{b}", "b.tex": r"C \input{a} \input{main}"})
    )
    assert paper.text.split() == ["A", "B", "C"]
    assert any("includes itself" in warning for warning in paper.warnings)


@pytest.mark.parametrize(
    ("names", "main"),
    [
        (("main.tex", "supplement.tex"), "main.tex"),
        (("a.tex", "SI.tex"), "a.tex"),
        (("response_to_referees.tex", "draft3.tex"), "draft3.tex"),
        (("z/paper.tex", "template.tex"), "z/paper.tex"),
    ],
)
def test_the_paper_is_chosen_and_the_others_are_named(names: tuple[str, str], main: str) -> None:
    files = {name: whole(f"\\title{{T}}\\maketitle This is {name.replace('_', ' ')}.") for name in names}
    paper = read(packed(files))
    assert main.replace("_", " ") in paper.text
    other = next(name for name in names if name != main)
    assert any(main in warning and other in warning for warning in paper.warnings)


def test_what_arxiv_says_about_the_files_counts() -> None:
    files = {"main.tex": whole("wrong"), "other.tex": whole("right")}
    assert read(packed({**files, "00README.XXX": "other.tex toplevelfile\n"})).text == "right"
    assert read(packed({**files, "00README.XXX": "main.tex ignore\n"})).text == "right"
    told = '{"sources": [{"filename": "other.tex", "usage": "toplevel"}]}'
    assert read(packed({**files, "00README.json": told})).text == "right"
    assert read(packed({**files, "00README.json": "{broken"})).text == "wrong"


def test_sources_of_every_packing_give_the_same_text() -> None:
    source = whole("Same text.")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("paper.tex", source)
        archive.writestr("__MACOSX/._paper.tex", b"\0\1")
    for data in (source.encode(), gzip.compress(source.encode()), packed({"p.tex": source}), out.getvalue()):
        assert detect_format(data) is SourceFormat.LATEX
        assert parse_source(data, max_pages=9).text == "Same text."


def test_an_archive_without_tex_is_not_a_paper() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<w:document/>")
    for data in (out.getvalue(), gzip.compress(b"%PDF-1.4 ..." * 100), packed({"a.png": b"\x89PNG"}), packed({})):
        with pytest.raises(UnknownFormatError):
            read(data)
    with pytest.raises(EmptySourceError):
        read(whole("% nothing"))


@pytest.mark.parametrize(
    ("codec", "option"), [("utf-8", "utf8"), ("latin-1", "latin1"), ("cp1251", "cp1251"), ("cp1252", None)]
)
def test_encodings(codec: str, option: str | None) -> None:
    text = "Жуков" if codec == "cp1251" else "Müller naïve"
    preamble = f"\\usepackage[{option}]{{inputenc}}" if option else ""
    assert read(whole(text, preamble).encode(codec)).text == text


def test_a_bbl_is_taken_before_a_bib() -> None:
    bbl = r"\begin{thebibliography}{1}\bibitem{one} A. Author, J. Made 1 (2000).\end{thebibliography}"
    files = {"ms.tex": whole(r"See \cite{one}. \bibliography{refs} After."), "ms.bbl": bbl, "refs.bib": BIB}
    paper = read(packed(files))
    assert blocks(paper, BlockKind.REFERENCE) == ["[1] A. Author, J. Made 1 (2000)."]
    assert paper.text.endswith("After.")
    assert [citation.references for citation in paper.citations] == [(0,)]


def test_cited_entries_of_a_bib_become_the_list() -> None:
    files = {
        "ms.tex": whole(r"See \cite{two,one} and \cite{four}. \bibliographystyle{unsrt}\bibliography{refs}"),
        "refs.bib": BIB,
    }
    paper = read(packed(files))
    assert blocks(paper, BlockKind.REFERENCE) == [
        "[1] E. Editor, et al. Book. Press (2019).",
        (
            "[2] Anna Müller and José de la Cruz. On X and T_c. Phys. Rev. Lett. (Suppl.) 12, 345–350 (2020). "
            "doi:10.1103/PhysRevLett.12.345."
        ),
        "[3] P. Person. Preprint. 2021. arXiv:2101.01234.",
    ]
    assert [(one.doi, one.arxiv) for one in paper.references] == [
        (None, None),
        ("10.1103/PhysRevLett.12.345", None),
        (None, "2101.01234"),
    ]
    assert "See [1, 2] and [3]." in paper.text
    assert any(".bib" in warning for warning in paper.warnings)


def test_names_and_years_come_from_a_bib_too() -> None:
    body = r"See \citet{one} and \citep[p.~3]{two}. \bibliographystyle{plainnat}\bibliography{refs}"
    paper = read(packed({"ms.tex": whole(body, r"\usepackage{natbib}"), "refs.bib": BIB}))
    assert "See Müller and de la Cruz (2020) and (Editor et al. 2019, p. 3)." in paper.text


def test_a_list_of_biblatex_is_read() -> None:
    body = r"See \parencite{one} and \textcite{one}. \printbibliography"
    files = {
        "ms.tex": whole(body, r"\usepackage[style=authoryear]{biblatex}\addbibresource{r.bib}"),
        "ms.bbl": BIBLATEX,
    }
    paper = read(packed(files))
    assert blocks(paper, BlockKind.REFERENCE) == [
        "Anna Müller and Bo C. Lee. A Title. J. Test 7, 1–9, Press (2018). doi:10.1000/xyz_1."
    ]
    assert paper.references[0].doi == "10.1000/xyz_1"
    assert "See (Müller and Lee 2018) and Müller and Lee (2018)." in paper.text
    assert len(paper.citations) == 2


def test_pictures_are_named_as_members_of_the_archive() -> None:
    body = r"""\graphicspath{{img/}}
\begin{figure}\includegraphics[width=3cm]{one}\includegraphics{img/two.PNG}\epsfig{file=three.eps,width=2cm}\caption{C.}
\end{figure}\begin{figure}\includegraphics{gone}\end{figure}"""
    files = {"main.tex": whole(body), "img/one.pdf": b"%PDF", "img/two.png": b"x", "three.eps": b"%!PS"}
    paper = read(packed(files))
    assert [figure.graphics for figure in paper.figures] == [("img/one.pdf", "img/two.png", "three.eps"), ("gone",)]
    assert any("gone" in warning for warning in paper.warnings)


def test_simple_macros_of_a_package_that_comes_along_are_known() -> None:
    style = r"""\ProvidesPackage{mine}\newcommand{\Tc}{T_\mathrm{c}}\def\inner@x{no}
\renewcommand{\section}{\@startsection{section}}\newcommand{\bad}{\expandafter\inner@x}"""
    paper = read(packed({"main.tex": whole(r"\section{S} $\Tc$ \bad{kept}", r"\usepackage{mine}"), "mine.sty": style}))
    assert paper.text == "1 S\n\nT_c kept"


def test_a_file_given_in_the_source_is_read() -> None:
    preamble = "\\begin{filecontents}{extra.tex}\nExtra text.\n\\end{filecontents}"
    assert read(whole(r"\input{extra}", preamble)).text == "Extra text."
