"""AOE's documents: Markdown, Word and case records become pages that the servers can open."""

import html
import re
import shutil
import tarfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, cast

from pincite_core.errors import BadInputError, LimitReachedError
from pincite_papers.archives.archives import safe_name as safe_path
from pincite_papers.markup.elements import etree

READ_AS_THEY_ARE = (".pdf", ".html", ".htm", ".xml")
_CONVERTED = (".md", ".txt", ".docx")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_UNSAFE = re.compile(r"[^\w.()（）《》、，-]+")
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LONGEST_NAME = 70
"""Characters of a document's file name."""
_MOST_BYTES = 100_000_000
"""Bytes of a file within an archive; a larger one is a bomb. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where documents of a domain are looked for."""

    folders: tuple[Path, ...]

    def find(self, name: str) -> Path | None:
        """The document of that name, with or without an ending; a name that leaves the folders finds nothing."""
        bare = Path(name).name
        for folder in self.folders:
            for candidate in (bare, *(f"{bare}{ending}" for ending in (*READ_AS_THEY_ARE, *_CONVERTED))):
                path = folder / candidate
                if path.is_file() and path.suffix.lower() in (*READ_AS_THEY_ARE, *_CONVERTED):
                    return path
        return None


def shelf(roots: Sequence[Path], *names: str) -> Shelf:
    """The folders ``names`` in ``roots`` or one level below (data, documents), and the roots themselves."""
    places = [root / inner / name for root in roots for inner in ("", "data", "documents") for name in names]
    return Shelf(tuple(place for place in [*places, *roots] if place.is_dir()))


def unpacked(archive: Path, scratch: Path) -> Iterator[Path]:
    """The folder of an archive of documents, unpacked into ``scratch``; nothing where there is no archive."""
    if not archive.is_file():
        return
    try:
        with tarfile.open(archive) as tar:
            for member in tar:
                _unpack(tar, member, scratch)
    except tarfile.TarError as error:
        raise BadInputError(f"{archive} cannot be unpacked.", seen=str(error), next="Fetch it again.") from error
    yield scratch


def _unpack(tar: tarfile.TarFile, member: tarfile.TarInfo, scratch: Path) -> None:
    """Write a plain file of an archive below ``scratch``; links, devices and names that lead out are left out."""
    name = safe_path(member.name)
    source = tar.extractfile(member) if member.isfile() and name is not None else None
    if source is None or name is None:
        return
    target = scratch / name
    target.parent.mkdir(parents=True, exist_ok=True)
    with source, target.open("wb") as file:
        shutil.copyfileobj(source, file)


def as_paper(path: Path) -> tuple[str, Path | bytes]:
    """A document's name and content as a paper: itself, or a page made of it."""
    if path.suffix.lower() in READ_AS_THEY_ARE:
        return path.name, path
    if path.suffix.lower() == ".docx":
        body = "\n".join(f"<p>{html.escape(text)}</p>" for text in _paragraphs(path))
        return f"{path.stem}.html", page(path.stem, body)
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    if path.suffix.lower() == ".txt":
        body = "\n".join(f"<p>{html.escape(part)}</p>" for part in re.split(r"\n\s*\n", text) if part.strip())
        return f"{path.stem}.html", page(path.stem, body)
    return f"{path.stem}.html", page(path.stem, _rendered(text))


def case_page(case: Mapping[str, Any], number: int) -> tuple[str, bytes]:
    """A case record (案件名, 入库编号, 基本案情 …) as a page: its name first, then every field under a heading."""
    title = str(case.get("案件名") or f"case {number}")
    parts = [f"<h2>{html.escape(str(name))}</h2>\n{_value(value)}" for name, value in case.items() if name != "案件名"]
    return f"{safe_name(title)}.html", page(title, "\n".join(parts))


def safe_name(title: str) -> str:
    """A title as the name of a file."""
    return _UNSAFE.sub("_", title).strip("._ ")[:_LONGEST_NAME] or "document"


def page(title: str, body: str) -> bytes:
    """A page of HTML with this title and body."""
    head = f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n</head>\n'
    heading = "" if "<h1" in body else f"<h1>{html.escape(title)}</h1>\n"
    return f"{head}<body>\n<article>\n{heading}{body}\n</article>\n</body>\n</html>\n".encode()


def _value(value: Any) -> str:
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    lines = [line for item in items for line in str(item).splitlines() if line.strip()]
    return "\n".join(f"<p>{html.escape(line.strip())}</p>" for line in lines)


def _rendered(markdown: str) -> str:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable("table").render(_IMAGE.sub("", markdown))


def _paragraphs(path: Path) -> Iterator[str]:
    """The paragraphs of a Word document; BadInputError for a file that is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            info = archive.getinfo("word/document.xml")
            if info.file_size > _MOST_BYTES:
                raise LimitReachedError(f"{path} is larger than {_MOST_BYTES} bytes.", next="Leave it out.")
            data = archive.read(info)
        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
        root: Any = etree.parse(BytesIO(data), parser).getroot()
    except (zipfile.BadZipFile, KeyError, etree.XMLSyntaxError) as error:
        raise BadInputError(f"{path} is not a Word document.", seen=str(error), next="Correct or remove it.") from error
    for paragraph in root.iter(f"{_WORD}p"):
        text = "".join(piece.text or "" for piece in paragraph.iter(f"{_WORD}t")).strip()
        if text:
            yield text
