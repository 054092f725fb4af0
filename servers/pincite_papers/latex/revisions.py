"""Revisions: what a marked-up manuscript says after its changes.

The commands of changes, trackchanges and latexdiff. The new text alone is kept: old and new side by side would read as
one number, and a struck value is not the paper's.
"""

from pincite_papers.latex.tex import Handler, Tex
from pincite_papers.latex.text_commands import passing

_CHANGES = {"added": "ot", "deleted": "om", "explain": "om", "highlight": "ot", "comment": "om"}
_TRACKCHANGES = {"add": "ot", "change": "omt", "remove": "om", "annote": "otm", "note": "om"}
"""Names that other packages and authors use too, so they mean this only where the package is loaded."""
_LATEXDIFF = {
    "DIFadd": "t",
    "DIFdel": "m",
    "DIFaddFL": "t",
    "DIFdelFL": "m",
    "DIFaddbegin": "",
    "DIFaddend": "",
    "DIFdelbegin": "",
    "DIFdelend": "",
    "DIFmodbegin": "",
    "DIFmodend": "",
    "DIFaddbeginFL": "",
    "DIFaddendFL": "",
    "DIFdelbeginFL": "",
    "DIFdelendFL": "",
}


def _keeping(arguments: str) -> Handler:
    """Keeps one argument, the ``t``; what stands before and behind it goes (see ``words.passing``)."""
    before, _, behind = arguments.partition("t")
    pass_over, pass_behind = passing(before), passing(behind)

    def handle(tex: Tex) -> None:
        pass_over(tex)
        kept = tex.reader.argument() if "t" in arguments else []
        pass_behind(tex)
        if kept:
            tex.reader.push(["{", *kept, "}"])

    return handle


_NEW_FIRST, _NEW_LAST = _keeping("otm"), _keeping("omt")


def _of_package(package: str, name: str, meaning: Handler) -> Handler:
    def handle(tex: Tex) -> None:
        if package in tex.packages:
            meaning(tex)
        else:
            tex.unknown_command(name)

    return handle


def _replaced(tex: Tex) -> None:
    """The package changes writes ``{new}{old}``; AASTeX and AGU, which have the command without it, ``{old}{new}``."""
    (_NEW_FIRST if "changes" in tex.packages else _NEW_LAST)(tex)


def commands() -> dict[str, Handler]:
    """What commands of marked changes mean."""
    found = {"\\" + name: _keeping(arguments) for name, arguments in (_CHANGES | _LATEXDIFF).items()}
    found["\\replaced"] = _replaced
    for name, arguments in _TRACKCHANGES.items():
        found["\\" + name] = _of_package("trackchanges", "\\" + name, _keeping(arguments))
    return found
