"""Citations as they stand in the source: ``\\cite`` and its kin of natbib, biblatex, revtex and others."""

from pincite_papers.latex.inline import Cite
from pincite_papers.latex.tex import Handler, Tex

_SINGLE = [
    "cite",
    "citep",
    "citet",
    "citealp",
    "citealt",
    "citeauthor",
    "citeyear",
    "citeyearpar",
    "citenum",
    "onlinecite",
    "parencite",
    "textcite",
    "footcite",
    "autocite",
    "smartcite",
    "supercite",
    "fullcite",
    "footfullcite",
    "Citep",
    "Citet",
    "Citealp",
    "Citealt",
    "Citeauthor",
    "Parencite",
    "Textcite",
    "Autocite",
    "citealp",
    "citetext",
    "cites",
    "shortcite",
    "citeasnoun",
    "citen",
    "cyear",
    "rcite",
    "refcite",
    "citeads",
    "citetads",
    "citepads",
    "shortciteA",
    "citeA",
    "citeN",
    "citeNP",
]
_MULTIPLE = ("cites", "parencites", "textcites", "autocites", "footcites", "supercites")
_LIKE = {
    "citeads": "cite",
    "citetads": "citet",
    "citepads": "citep",
    "citeN": "citet",
    "citeA": "citet",
    "shortciteA": "citet",
    "shortcite": "citep",
    "citeasnoun": "citet",
    "Citep": "citep",
    "Citet": "citet",
    "Citealp": "citealp",
    "Citealt": "citealt",
    "Citeauthor": "citeauthor",
    "parencite": "citep",
    "Parencite": "citep",
    "textcite": "citet",
    "Textcite": "citet",
    "autocite": "citep",
    "Autocite": "citep",
    "smartcite": "citep",
    "footcite": "citep",
    "footfullcite": "citep",
    "fullcite": "citep",
    "refcite": "onlinecite",
    "rcite": "cite",
    "citen": "citenum",
}


def _cite(command: str) -> Handler:
    def handle(tex: Tex) -> None:
        tex.reader.star()
        tex.cite(_one(tex, command))

    return handle


def _one(tex: Tex, command: str) -> Cite:
    first, second = tex.reader.optional(), None
    if first is not None:
        second = tex.reader.optional()
    keys = tuple(dict.fromkeys(key.strip() for key in tex.reader.text_argument().split(",") if key.strip()))
    before, after = (first, second) if second is not None else (None, first)
    return Cite(
        _LIKE.get(command, command),
        keys,
        tex.render(before) if before else None,
        tex.render(after) if after else None,
    )


def _several(command: str) -> Handler:
    def handle(tex: Tex) -> None:
        for index in range(200):
            if index and tex.reader.peek()[:1] not in ("[", "{"):
                break
            if index:
                tex.out.add("; ")
            tex.cite(_one(tex, command.removesuffix("s")))

    return handle


def _listed(tex: Tex) -> None:
    """``\\nocite``: cited without a mark."""
    tex.cited.update(dict.fromkeys(key.strip() for key in tex.reader.text_argument().split(",")))


def commands() -> dict[str, Handler]:
    """What commands of citations mean."""
    found = {"\\" + name: _cite(name) for name in _SINGLE}
    return found | {"\\" + name: _several(name) for name in _MULTIPLE} | {"\\nocite": _listed}
