"""The article as LaTeX: the words are alike for all classes, the front matter's commands the class's own."""

import random
import re
from dataclasses import dataclass
from typing import Any

_MATH = {
    "μ": r"\mu", "Ω": r"\Omega", "ρ": r"\rho", "Δ": r"\Delta", "λ": r"\lambda", "ξ": r"\xi", "θ": r"\theta",
    "γ": r"\gamma", "±": r"\pm", "×": r"\times", "−": "-",
}  # fmt: skip
_PLACE = "Institute of Invented Materials, University of Somewhere, 12345 Somewhere, Norway"
_SCRIPT = re.compile(r"([\^_])\{([^}]*)\}")


@dataclass(frozen=True, slots=True)
class Dialect:
    """A style: class, options, what the preamble adds, how its front matter is written, what its sections are called.

    ``front`` holds the marks TITLE, AUTHORS, ABSTRACT and KEYWORDS; ``author`` is one author (NAME, PLACE, MARK),
    ``joint`` stands between two; ``bibitem`` is ``[AUTHOR(YEAR)]`` in styles that cite by name."""

    cls: str
    front: str
    options: str = ""
    preamble: str = ""
    author: str = "NAME"
    joint: str = ", "
    bibitem: str = ""
    columns: int = 1
    table_above: bool = True


def document(style: Dialect, article: Any) -> str:
    """The whole source."""
    lines = [
        rf"\documentclass[{style.options}]{{{style.cls}}}",
        _PREAMBLE,
        _filled(style, style.preamble, article),
        _filled(style, style.front, article),
    ]
    for section in article.sections:
        lines += _section(style, section, 0)
    lines.append(r"\begin{thebibliography}{99}")
    for k, entry in enumerate(article.references, 1):
        year = re.search(r"\((\d{4})\)", entry["text"])
        label = style.bibitem.replace("AUTHOR", entry["surname"]).replace("YEAR", year[1] if year else "2000")
        lines.append(rf"\bibitem{tex(label)}{{r{k}}} {tex(entry['text'])}")
    lines += [r"\end{thebibliography}", r"\end{document}"]
    return "\n".join(lines)


_PREAMBLE = r"""\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{textcomp}
\usepackage{booktabs}\usepackage{array}\usepackage{pict2e}"""


def tex(text: str) -> str:
    """Prose as LaTeX: scripts and signs in mathematics."""
    text = text.replace("&", r"\&").replace("%", r"\%").replace("µ", "μ")
    text = _SCRIPT.sub(lambda m: rf"${m[1]}{{\mathrm{{{_signs(m[2])}}}}}$", text)
    parts = re.split(r"(\$[^$]*\$)", text)
    for k in range(0, len(parts), 2):
        for sign, command in _MATH.items():
            parts[k] = parts[k].replace(sign, f"${command}$")
        parts[k] = parts[k].replace("°", r"\textdegree{}")
    return "".join(parts)


def _signs(text: str) -> str:
    for sign, command in _MATH.items():
        text = text.replace(sign, command + (" " if command[-1].isalpha() else ""))
    return text


def _filled(style: Dialect, text: str, article: Any) -> str:
    """The marks of the preamble or the front matter replaced by what the article says."""
    authors = [
        style.author.replace("NAME", tex(name)).replace("PLACE", _PLACE).replace("MARK", str(k))
        for k, name in enumerate(article.authors, 1)
    ]
    text = text.replace("TITLE", tex(article.title)).replace("AUTHORS", style.joint.join(authors))
    return (
        text.replace("ABSTRACT", tex(article.abstract))
        .replace("KEYWORDS", ", ".join(article.keywords))
        .replace("PLACE", _PLACE)
    )


def _section(style: Dialect, section: dict[str, Any], level: int) -> list[str]:
    if "thanks" in section:
        return [rf"\section*{{{section['title']}}}", tex(section["thanks"]), ""]
    lines = [rf"\{'sub' * level}section{{{section['title']}}}"]
    for block in section["blocks"]:
        lines += [_BLOCKS[block["kind"]](style, block), ""]
    for inner in section["subsections"]:
        lines += _section(style, inner, level + 1)
    return lines


def _paragraph(_: Dialect, block: dict[str, Any]) -> str:
    note = rf"\footnote{{{tex(block['footnote'])}}}" if "footnote" in block else ""
    return tex(block["text"]) + note


def _list(_: Dialect, block: dict[str, Any]) -> str:
    items = "\n".join(rf"\item {tex(text)}" for text in block["items"])
    return rf"\begin{{{block['kind']}}}" + "\n" + items + "\n" + rf"\end{{{block['kind']}}}"


def _float(style: Dialect, block: dict[str, Any], kind: str, body: str, *, above: bool) -> str:
    star = "*" if block["wide"] and style.columns > 1 else ""
    caption = rf"\caption{{{tex(block['caption'])}}}"
    inside = (caption, body) if above else (body, caption)
    return "\n".join([rf"\begin{{{kind}{star}}}[t]", r"\centering", *inside, rf"\end{{{kind}{star}}}"])


def _table(style: Dialect, block: dict[str, Any]) -> str:
    count = len(block["head"])
    kind = block["style"]
    columns = "|" + "c|" * count if kind == "grid" else "l" + "c" * (count - 1)
    if kind == "words":
        columns = r"l>{\raggedright\arraybackslash}p{0.6\linewidth}"
    rules = {"grid": (r"\hline",) * 3, "bare": ("", "", "")}.get(kind, (r"\toprule", r"\midrule", r"\bottomrule"))
    after = r" \\ \hline" if kind == "grid" else r" \\"
    rows = [" & ".join(map(tex, row)) + after for row in block["rows"]]
    spanner = [
        r" & \multicolumn{2}{c}{Low field} & \multicolumn{3}{c}{High field} \\",
        r"\cmidrule(lr){2-3}\cmidrule(lr){4-6}",
    ]
    lines = [rules[0], *(spanner if kind == "spanner" else ()), " & ".join(map(tex, block["head"])) + r" \\", rules[1]]
    lines += [*rows, *((rules[2],) if kind != "grid" else ())]
    size = r"\footnotesize\setlength{\tabcolsep}{3pt}" if style.columns > 1 or count > 5 else r"\small"
    body = "\n".join([rf"{{{size}\begin{{tabular}}{{{columns}}}", *lines, r"\end{tabular}}"])
    return _float(style, block, "table", body, above=style.table_above)


def _figure(style: Dialect, block: dict[str, Any]) -> str:
    chance = random.Random(block["seed"])
    curves = []
    for _ in range(3):
        points = [(20 * k, 10 + 10 * k * chance.uniform(0.6, 1.0)) for k in range(11)]
        curves.append(r"\polyline" + "".join(f"({x:.1f},{y:.1f})" for x, y in points))
    ticks = [rf"\put({40 * k},0){{\line(0,1){{4}}}}\put({40 * k - 4},-10){{\scriptsize {k * 50}}}" for k in range(6)]
    ticks += [rf"\put(0,{40 * k}){{\line(1,0){{4}}}}\put(-10,{40 * k - 3}){{\scriptsize {k}}}" for k in range(4)]
    frame = r"\polygon(0,0)(200,0)(200,125)(0,125)\put(60,-22){\scriptsize Temperature (K)}"
    body = "\n".join([r"\begin{picture}(230,150)(-20,-24)", frame, *ticks, *curves, r"\end{picture}"])
    return _float(style, block, "figure", body, above=False)


_BLOCKS = {"paragraph": _paragraph, "itemize": _list, "enumerate": _list, "table": _table, "figure": _figure}
