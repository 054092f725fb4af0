"""LaTeX text, formulas, numbers, units, macros: what is printed for what is typed."""

import random
import re

import pytest
from latex_archives import read, text_of, whole

MATHS = {
    r"10^{-3}": "10^−3",
    r"T_\mathrm{c}": "T_c",
    r"T_{\rm c}": "T_c",
    r"x_{i+1}": "x_{i+1}",
    r"x_{i}y": "x_{i}y",
    r"x^{n}_{k}": "x^n_k",
    r"-3.5\times10^{-3}": "−3.5 × 10^−3",
    r"a=b+c": "a = b + c",
    r"a - -b": "a − −b",
    r"\frac{a}{b}": "a/b",
    r"\frac{a+b}{2c}": "(a + b)/(2c)",
    r"\frac12 mv^2": "1/2 mv^2",
    r"\frac\alpha\beta": "α/β",
    r"\sqrt{2}": "√2",
    r"\sqrt{x+1}": "√(x + 1)",
    r"\sqrt[3]{x}": "∛x",
    r"\sqrt[5]{x}": "^5√x",
    r"e^{-E/kT}": "e^{−E/kT}",
    r"90^\circ": "90°",
    r"25\,^{\circ}\mathrm{C}": "25 °C",
    r"\hat{x}": "x̂",
    r"\vec k": "k⃗",
    r"\mathbb{R}^n": "ℝ^n",
    r"\left( \frac{a}{b} \right)^2": "(a/b)^2",
    r"\left\{ x \right.": "{x",
    r"\sum_{i=1}^{N} x_i": "∑_{i=1}^N x_i",
    r"\sin\theta": "sin θ",
    r"\operatorname{tr} A": "tr A",
    r"f'(x)": "f′(x)",
    r"f^{\prime\prime}": "f′′",
    r"a \le b \ll c \neq d": "a ≤ b ≪ c ≠ d",
    r"\text{if } x>0": "if x > 0",
    r"1{,}000": "1,000",
    r"10,000": "10,000",
    r"\{1,2\}": "{1,2}",
    r"\lvert x\rvert": "|x|",
    r"\overline{AB}": "AB^¯",
    r"\binom{n}{k}": "(n choose k)",
    r"{}^{3}\mathrm{He}": "^{3}He",
    r"a \not= b": "a ≠ b",
    r"x \mapsto \begin{cases} 1 & x>0\\ 0 & x\le 0\end{cases}": "x ↦ {1, x > 0; 0, x ≤ 0",
    r"\begin{pmatrix}1&2\\3&4\end{pmatrix}": "(1, 2; 3, 4)",
    r"\stackrel{!}{=}": "=^!",
    r"p\equiv 1 \pmod 4": "p ≡ 1 (mod 4)",
    r"\xrightarrow{k}": "→^k",
    r"\underbrace{a+b}_{c}": "a + b_c",
    r"\ce{La_{2-x}Ba_xCuO4}": "La2-xBaxCuO4",
}
TEXTS = {
    "\\'e \\`a \\^o \\\"u \\~n \\c{c} \\v{C} \\H{o} \\k{a}": "é à ô ü ñ ç Č ő ą",
    r"\=a \.z \u{g} \r{a} \d{h}": "ā ż ğ å ḥ",
    r"na\'{\i}ve {\AA}s B{\o}rn \ss{} {\ae} \L{}\'od\'z": "naíve Ås Børn ß æ Łódź",
    r"``a'' -- `b' --- c-d": "“a” – ‘b’ — c-d",
    r"5\,\% \& \$3 \#1 a\_b \{x\}": "5 % & $3 #1 a_b {x}",
    r"A~B\ C\quad D": "A B C D",
    r"H\textsubscript{2}O 10\textsuperscript{$-3$}": "H2O 10^−3",
    r"YBa$_2$Cu$_3$O$_{6.93}$": "YBa2Cu3O6.93",
    r"\textbf{bold \textit{both}} {\it old} \emph{x}": "bold both old x",
    r"\textcolor{red}{red} \mbox{box} \parbox[t]{3cm}{par} \raisebox{2pt}{up}": "red box par up",
    r"\href{https://example.org/a_b}{here} \url{https://example.org/a_b%20c}": "here https://example.org/a_b%20c",
    r"\verb|$x_1$ \foo| and \verb+a+": r"$x_1$ \foo and a",
    "one % comment\ntwo%\nthree": "one twothree",
    r"\unknowncommand{kept} \other[width=3cm]{too}": "kept too",
    r"\vspace{2pt}a\hspace*{1em}b\vskip 3pt plus 1fil c\kern-2pt d": "abcd",
    r"100\% sure": "100% sure",
    r"\today x": "x",
    r"$2\farcs5$ and 3\unheardof4": "2″.5 and 3 4",
    r"\ion{He}{2}": "He II",
}
UNITS = {
    r"\SI{1.2e3}{\kelvin}": "1.2 × 10^3 K",
    r"\qty{40}{K}": "40 K",
    r"\SI{1.5}{\watt\per\metre\per\kelvin}": "1.5 W m^−1 K^−1",
    r"\SI[per-mode=symbol]{1.5}{\watt\per\metre\per\kelvin}": "1.5 W/(m K)",
    r"\SI{-3.2e-3}{\micro\ohm\centi\metre}": "−3.2 × 10^−3 µΩ cm",
    r"\SI{9.81}{m.s^{-2}}": "9.81 m s^−2",
    r"\si{\square\metre} \si{\metre\squared} \si{\cubic\centi\metre}": "m^2 m^2 cm^3",
    r"\num{6.02214076e23}": "6.02214076 × 10^23",
    r"\num{1.23(4)} \num{1.2 +- 0.3} \num{e10} \num{12345.6789}": "1.23(4) 1.2 ± 0.3 10^10 12345.6789",
    r"\SIrange{3}{5}{\milli\metre} \numrange{1}{2}": "3 mm to 5 mm 1 to 2",
    r"\SIlist{1;2;3}{\metre}": "1 m, 2 m and 3 m",
    r"\ang{12.5} \ang{10;5;3}": "12.5° 10°5′3″",
    r"\SI{25}{\celsius} \SI{3}{\percent} \SI{2}{\degree}": "25 °C 3 % 2°",
    r"\unit[5]{K} \unit[per-mode=symbol]{\metre\per\second}": "5 K m/s",
    r"\ce{SO4^2-} \ce{NH4+} \ce{Cu^{2+}} \ce{H2O}": "SO4^2− NH4^+ Cu^2+ H2O",
    r"\ce{2H2 + O2 -> 2H2O} \ce{A <=> B}": "2H2 + O2 → 2H2O A ⇌ B",
    r"\ce{^{227}_{90}Th+}": "^227_{90}Th^+",
}
GLOSSARIES = r"""\usepackage{glossaries,acro}
\newacronym[longplural={laws of mass}]{lom}{LoM}{law of mass}
\newglossaryentry{gap}{name={band gap}, description={a gap, of bands}}
\DeclareAcronym{dft}{short = DFT , long = density functional theory, short-plural = {}}
"""
MACROS = {
    (GLOSSARIES, r"\Gls{lom} \gls{lom} \glspl{lom} \acrlongpl{lom} \gls{gap} \Gls{gap}"): (
        "Law of mass (LoM) LoM LoMs laws of mass band gap Band gap"
    ),
    (GLOSSARIES, r"\acs{dft} \ac{dft} \ac{dft} \acp{dft} \Acl{dft}"): (
        "DFT density functional theory (DFT) DFT DFT Density functional theory"
    ),
    ("", r"\DIFdelbegin \DIFdel{4.9}\DIFdelend \DIFaddbegin \DIFadd{5.1}\DIFaddend~K"): "5.1 K",
    ("", r"\add{1} \replaced{4.9}{5.1} \acro{NASA} a"): "1 5.1 NASA a",
    (r"\newcommand{\a}[2][x]{(#1,#2)}", r"\a{1} \a[y]{2}"): "(x,1) (y,2)",
    (r"\def\a#1.#2;{[#1|#2]}", r"\a one.two;"): "[one|two]",
    (r"\newcommand\a{A}\renewcommand{\a}{B}", r"\a"): "B",
    (r"\newcommand\a{A}\providecommand{\a}{B}", r"\a"): "A",
    (r"\let\old\emph\renewcommand{\emph}[1]{<\old{#1}>}", r"\emph{x}"): "<x>",
    (r"\newenvironment{n}[1]{(#1: }{)}", r"\begin{n}{q}text\end{n}"): "(q: text)",
    (r"\newif\ifx\xtrue", r"\ifx yes\else no\fi"): "yes",
    (r"\newif\ifdraft", r"\ifdraft yes\else no\fi"): "no",
    (r"\newif\ifdraft", r"\iffalse a \ifdraft b\fi c\fi d"): "d",
    (r"\DeclareMathOperator{\foo}{foo}", r"$\foo x$"): "foo x",
    (r"\DeclarePairedDelimiter{\abs}{\lvert}{\rvert}", r"$\abs{x}\abs*{y}\abs[\big]{z}$"): "|x||y||z|",
    (r"\NewDocumentCommand{\a}{s o m}{\IfBooleanTF{#1}{star}{plain} #3}", r"\a*{x} \a{y}"): "star x plain y",
    (r"\newcommand{\a}{\b}\newcommand{\b}{c}", r"\a\a"): "cc",
    (r"\expandafter\def\csname my name\endcsname{q}", r"\csname my name\endcsname"): "q",
    (r"\newcommand{\half}{\frac12}", r"$\half$ and $x^\half$"): "1/2 and x^{1/2}",
    (r"\newcommand{\K}{\,\mathrm{K}}", r"$5\K$"): "5 K",
}


@pytest.mark.parametrize(("typed", "printed"), MATHS.items())
def test_formulas(typed: str, printed: str) -> None:
    assert text_of(f"${typed}$") == printed


@pytest.mark.parametrize(("typed", "printed"), [*TEXTS.items(), *UNITS.items()])
def test_text_and_units(typed: str, printed: str) -> None:
    assert text_of(typed) == printed


@pytest.mark.parametrize(("source", "printed"), MACROS.items())
def test_macros(source: tuple[str, str], printed: str) -> None:
    assert text_of(source[1], source[0]) == printed


def test_unknown_commands_are_counted_and_lose_nothing() -> None:
    paper = read(whole(r"\foo{a} \foo[b]{c} \begin{bar}d\end{bar}"))
    assert paper.text == "a [b]c d"
    assert any("\\foo (2)" in warning and "\\begin{bar}" in warning for warning in paper.warnings)


def test_code_is_kept_as_it_is() -> None:
    paper = read(
        whole("Text.\n\\begin{lstlisting}[language=C]\nint x = 1; % no comment\n  \\foo{$x$}\n\\end{lstlisting}\nMore.")
    )
    assert paper.text == "Text.\n\nint x = 1; % no comment\n  \\foo{$x$}\n\nMore."


def test_pseudocode_is_read_by_lines() -> None:
    body = r"""\begin{algorithmic}[1]
\Function{Max}{$a,b$}
\If{$a \ge b$} \State \Return $a$ \Comment{see \cite{k}}
\ElsIf{$b=1$} \State $c \gets 2.5$
\Else
\ForAll{$x \in X$} \State $y$ \EndFor
\EndIf
\EndFunction
\end{algorithmic}\begin{thebibliography}{1}\bibitem{k} K.\end{thebibliography}"""
    assert text_of(body).split("\n\n")[0].split("\n") == [
        "function Max(a, b)",
        "  if a ≥ b then",
        "    return a see [1]",
        "  else if b = 1 then",
        "    c ← 2.5",
        "  else",
        "    for all x ∈ X do",
        "      y",
        "    end for",
        "  end if",
        "end function",
    ]


def test_what_is_commented_out_is_not_read() -> None:
    body = "a\n\\begin{comment}\nb \\end{itemize}\n\\end{comment}\nc\n\\iffalse\nd\n\\fi\ne\n%f\n\\end{document}\ng"
    assert text_of(body) == "a c e"


def number(draw: random.Random) -> str:
    whole_part = str(draw.randrange(10 ** draw.randrange(1, 7)))
    return whole_part + (f".{draw.randrange(10 ** draw.randrange(1, 6)):03d}" if draw.random() < 0.6 else "")


FRAMES = (
    "${}$",
    r"$x_{{{}}}$ end",
    r"$10^{{{}}}$",
    r"$10^{{-{}}}$",
    r"\textbf{{{}}}",
    r"$\frac{{{}}}{{b}}$",
    r"$\frac{{a}}{{{}}}$",
    r"$\sqrt{{{}}}$",
    r"\SI{{{}}}{{\kelvin}}",
    r"\num{{{}}}",
    r"$\mathrm{{{}}}$",
    r"$a={}+b$",
    r"\emph{{{}}}",
    r"\unknown{{{}}}",
    r"\begin{{tabular}}{{ll}}a&{}\\\end{{tabular}}",
    r"\begin{{equation*}}x={}\end{{equation*}}",
    r"\begin{{itemize}}\item {}\end{{itemize}}",
    r"\section*{{{}}}",
    r"\begin{{figure}}\caption*{{{}}}\end{{figure}}",
    r"\begin{{quote}}{}\end{{quote}}",
    r"\m{{{}}}",
    r"\parbox{{\textwidth}}{{{}}}",
    r"$\left(\begin{{array}}{{c}}{}\end{{array}}\right)$",
    r"\href{{x}}{{{}}}",
    r"\mbox{{{}}}",
    r"\ang{{{}}}",
    r"\textsuperscript{{{}}}",
    r"\begin{{unknownenvironment}}{}\end{{unknownenvironment}}",
)


@pytest.mark.parametrize("seed", range(40))
def test_no_number_is_lost_or_altered(seed: int) -> None:
    """Random numbers in random frames: all of them, and no other, are in the text, in order."""
    draw = random.Random(seed)
    typed = [number(draw) for _ in range(30)]
    body = "\n\n".join(draw.choice(FRAMES).format(value) for value in typed)
    text = text_of(body, r"\newcommand{\m}[1]{<#1>}")
    found = re.findall(r"\d+(?:\.\d+)?", text)
    assert sorted(found) == sorted(typed + ["10"] * body.count("$10^"))
