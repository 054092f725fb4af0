"""TeX formulas of a JATS article as text, by the LaTeX parser."""

import re
from dataclasses import dataclass, field

from pincite_core.errors import EmptySourceError, PinciteError

_BODY = re.compile(r"\\begin\{document\}(?P<body>.*?)\\end\{document\}", re.DOTALL)
_MATH = re.compile(r"\$|\\\[|\\\(|\\begin\{(?:align|equation|gather|multline|eqnarray|displaymath|math)\*?\}")
_DOCUMENT = "\\documentclass{{article}}\\usepackage{{amsmath}}\\begin{{document}}{}\\end{{document}}"
_MOST = 4000
"""Formulas that are remembered, since articles repeat theirs."""


@dataclass(slots=True)
class TexFormulas:
    """Renders formulas, each only once; those after the first 4,000 stay TeX (a hostile source)."""

    _known: dict[str, str] = field(default_factory=dict[str, str])

    def render(self, source: str) -> str:
        """The formula as text; as it stands where the parser cannot read it. The document around it is left out."""
        held = _BODY.search(source)
        tex = (held["body"] if held else source).strip()
        if tex not in self._known:
            if len(self._known) >= _MOST:
                return tex
            self._known[tex] = _rendered(tex)
        return self._known[tex]


def _rendered(tex: str) -> str:
    from pincite_papers.latex import parse_latex

    formula = tex if _MATH.match(tex) else f"${tex}$"
    try:
        return parse_latex(_DOCUMENT.format(formula).encode(errors="replace"), max_pages=1).text
    except EmptySourceError:
        return ""
    except PinciteError:
        return tex
