"""Pictures: the files that a source names, as members of its archive."""

import re

from pincite_papers.latex.inline import Inline
from pincite_papers.latex.items import FigureItem
from pincite_papers.latex.reader import spelled
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex

_FILE_KEY = re.compile(r"\b(?:file|figure)\s*=\s*([^,\s]+)")


def _graphics(tex: Tex) -> None:
    """``\\includegraphics*[options][upper right]{file}``."""
    tex.reader.star()
    for _ in range(2):
        tex.reader.optional()
    add_graphics(tex, tex.reader.text_argument())


def add_graphics(tex: Tex, name: str) -> None:
    """Note a picture file, by its name in the source where it is there."""
    if not name:
        return
    found = tex.files.picture(name, tex.graphics_folders)
    if found is None:
        if len(tex.files.names) > 1:
            tex.files.missing(name)
        found = name
    if tex.float is None:
        tex.add_item(FigureItem(graphics=[found]))
    elif tex.float.panels and not tex.float.panels[-1].graphics and tex.float.counter == "figure":
        tex.float.panels[-1].graphics.append(found)
    else:
        tex.float.graphics.append(found)


def _old_graphics(tex: Tex) -> None:
    """``\\epsfig{file=name,...}`` and ``\\psfig{figure=name}``."""
    match = _FILE_KEY.search(spelled(tex.reader.argument()))
    if match:
        add_graphics(tex, match[1])


def _named_graphics(tex: Tex) -> None:
    """``\\plotone{file}``, ``\\epsfbox{file}``, ``\\includesvg{file}``."""
    tex.reader.optional()
    add_graphics(tex, tex.reader.text_argument())


def _two_graphics(tex: Tex) -> None:
    add_graphics(tex, tex.reader.text_argument())
    add_graphics(tex, tex.reader.text_argument())


def _grid_figure(tex: Tex) -> None:
    """``\\fig{file}{width}{caption}`` of aastex."""
    add_graphics(tex, tex.reader.text_argument())
    tex.reader.argument()
    content = tex.group(math=False)
    if tex.float is not None and not content.empty():
        tex.out.extend(content)
        tex.out.add(" ")


def _overpic(tex: Tex, name: str) -> None:
    tex.reader.optional()
    add_graphics(tex, tex.reader.text_argument())
    with tex.into(Inline()):
        tex.body(name)


def _folders(tex: Tex) -> None:
    """``\\graphicspath{{one/}{two/}}``."""
    tokens = "".join(tex.reader.argument())
    tex.graphics_folders += [part for part in re.split(r"[{}]+", tokens) if part.strip()][:50]


def commands() -> dict[str, Handler]:
    """What commands of pictures mean."""
    return {
        "\\includegraphics": _graphics,
        **dict.fromkeys(("\\epsfig", "\\psfig"), _old_graphics),
        **dict.fromkeys(("\\plotone", "\\epsfbox", "\\epsffile", "\\includesvg", "\\includepdf"), _named_graphics),
        "\\plottwo": _two_graphics,
        **dict.fromkeys(("\\fig", "\\rotatefig", "\\leftfig", "\\rightfig"), _grid_figure),
        "\\graphicspath": _folders,
    }


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of pictures mean."""
    return {"overpic": _overpic}
