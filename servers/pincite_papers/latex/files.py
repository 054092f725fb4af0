"""SourceFiles: the files of a LaTeX source by name, and which of them is the paper."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pincite_core.errors import UnknownFormatError
from pincite_papers.archives import archives
from pincite_papers.latex.encoding import declared_encoding, decode
from pincite_papers.latex.mainfile import choose_main, looks_like_tex

_MOST_TEXT = 16 << 20
"""Bytes of one text file of a source. Set by judgement."""
_MOST_TEXTS = 64 << 20
"""Bytes of all its text files. Set by judgement."""
_TEXTS = frozenset(
    (".tex", ".ltx", ".latex", ".bbl", ".bib", ".sty", ".cls", ".def", ".txt", ".inc", ".xxx", ".json", ".tikz", ".pgf")
)
_PICTURES = ("", ".pdf", ".png", ".jpg", ".jpeg", ".eps", ".ps", ".svg", ".gif", ".tif", ".tiff", ".bmp", ".epsi")
_BARE = "source.tex"
_HINTS = ("00README.XXX", "00README.json", "00readme.xxx", "00readme.json")


@dataclass(slots=True)
class SourceFiles:
    """Texts by name, the names of all files, the main file's name, and what to say about the choice."""

    texts: dict[str, bytes]
    names: tuple[str, ...]
    main: str
    folder: str = ""
    warnings: list[str] = field(default_factory=list[str])
    codec: str | None = None
    _folded: dict[str, str] = field(default_factory=dict[str, str])
    _missing: dict[str, None] = field(default_factory=dict[str, None])

    def __post_init__(self) -> None:
        self.codec = declared_encoding(self.texts.get(self.main, b""))
        self.folder = str(PurePosixPath(self.main).parent).replace(".", "", 1) if "/" in self.main else ""
        for name in self.names:
            self._folded.setdefault(name.lower(), name)

    def read(self, name: str) -> str:
        """The text of a file by the name that ``find`` gave."""
        return decode(self.texts[name], self.codec)

    def find(self, name: str, endings: tuple[str, ...] = (".tex", ""), *, base: str = "") -> str | None:
        """The name of the text file that a command names; None when it is not there."""
        return self._resolve(name, endings, (base, ""), lambda one: one in self.texts)

    def picture(self, name: str, folders: list[str]) -> str | None:
        """The name of the picture file that a command names; None when it is not there."""
        return self._resolve(name, _PICTURES, ("", *folders), lambda one: True)

    def add(self, name: str, text: str) -> None:
        """A file that the source brings along inside another; one that is there already is kept."""
        if name not in self.texts and archives.safe_name(name) == name:
            self.texts[name] = text.encode()
            self._folded.setdefault(name.lower(), name)

    def missing(self, name: str) -> None:
        """Note a file that the source needs and does not hold."""
        self._missing[name] = None

    def said(self) -> list[str]:
        """What to tell about the files."""
        if not self._missing:
            return self.warnings
        listed = ", ".join(list(self._missing)[:10])
        more = len(self._missing) - 10
        return [*self.warnings, f"Files missing from the source: {listed}{f' and {more} more' if more > 0 else ''}."]

    def _resolve(
        self, name: str, endings: tuple[str, ...], folders: tuple[str, ...], fits: Callable[[str], bool]
    ) -> str | None:
        name = name.strip().strip('"')
        for folder in dict.fromkeys(folders):
            for ending in endings:
                for top in dict.fromkeys((self.folder, "")):
                    path = archives.safe_name(_joined(top, folder, name + ending))
                    found = self._folded.get(path.lower()) if path is not None else None
                    if found is not None and fits(found):
                        return found
        return None


def open_files(data: bytes) -> SourceFiles:
    """The files of an archive, or of a bare TeX file. Raises UnknownFormatError when there is no TeX in it."""
    if not archives.is_archive(data):
        return SourceFiles({_BARE: data}, (_BARE,), _BARE)
    listing = archives.list_members(data)
    names = listing.names
    texts = archives.read_members(data, _may_be_text, most=_MOST_TEXT, total=_MOST_TEXTS)
    texts = {name: content for name, content in texts.items() if len(content) <= _MOST_TEXT}
    if len(names) == 1 and looks_like_tex(next(iter(texts.values()), b"")):
        return SourceFiles(texts, names, names[0])
    hints = {name.lower(): texts[name] for name in texts if PurePosixPath(name).name in _HINTS}
    main, warnings = choose_main(texts, hints)
    if main is None:
        raise UnknownFormatError(
            "The archive holds no LaTeX source.",
            seen=f"{len(names)} files, none of them TeX",
            next="Give a LaTeX source (.tex or its archive), or the paper as PDF, JATS XML or HTML.",
        )
    if listing.refused:
        refused = ", ".join(listing.refused[:5])
        warnings.append(f"{len(listing.refused)} members of the archive are links, devices or unsafe paths: {refused}.")
    return SourceFiles(texts, names, main, warnings=warnings)


def _may_be_text(name: str) -> bool:
    path = PurePosixPath(name)
    ending = path.suffix.lower()
    if path.name.startswith("._") or "__MACOSX" in path.parts:
        return False
    return ending in _TEXTS or ending == "" or (len(ending) > 5 and not re.search(r"\d", ending))


def _joined(*parts: str) -> str:
    """Parts of a path as one, ``.`` and inner ``..`` resolved as far as that stays inside."""
    kept: list[str] = []
    for step in "/".join(part for part in parts if part).replace("\\", "/").split("/"):
        if step == ".." and kept:
            kept.pop()
        elif step not in ("", "."):
            kept.append(step)
    return "/".join(kept)
