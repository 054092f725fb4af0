"""The main file of a source: which of its TeX files is the paper."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

import orjson

_COMMENT = re.compile(rb"(?<!\\)%[^\n]*")
_CLASS = re.compile(rb"\\document(?:class|style)\s*(?:\[[^\]]{0,2000}\])?\s*\{\s*([^}\s]{0,80})")
_BEGIN = re.compile(rb"\\begin\s*\{\s*document\s*\}")
_TEX = re.compile(rb"\\(?:document(?:class|style)|begin\s*\{|section\b|input\b|magnification|bye\b|def\b|title\b)")
_INPUT = re.compile(rb"\\(?:input|include|subfile|import\s*\{[^}]{0,200}\})\s*\{?\s*([\w./-]{1,200})")
_USUAL = re.compile(r"^(?:main|ms|paper|article|manuscript|arxiv|root)\b|arxiv|_final|draft", re.IGNORECASE)
_ASIDE = re.compile(
    r"(?:^|[_\W])(?:supp|supplement\w*|supplementary|suppl|si|sm|appendix|reply|response|rebuttal|cover\w*|letter|template"
    r"|sample|example|diff|referees?|poster|slides|talk)(?:[_\W\d]|$)",
    re.IGNORECASE,
)
_PARTS = (b"subfiles", b"standalone", b"beamer", b"letter", b"tikzposter")
_ENDINGS = frozenset((".tex", ".ltx", ".latex", ".txt", ""))
_HEAD = 1 << 20
"""Bytes of a file in which ``\\documentclass`` is looked for."""


def looks_like_tex(data: bytes) -> bool:
    """Whether bytes read as a TeX source."""
    head = data[:_HEAD]
    return not head.startswith((b"%PDF-", b"\x1f\x8b", b"PK\x03\x04", b"%!PS")) and bool(_TEX.search(head))


def choose_main(texts: Mapping[str, bytes], hints: Mapping[str, bytes]) -> tuple[str | None, list[str]]:
    """The name of the main file, and warnings about others that could be it; None when nothing is TeX."""
    readable = {name: data for name, data in texts.items() if _is_source(name) and looks_like_tex(data)}
    told, ignored = _told(hints, readable)
    readable = {name: data for name, data in readable.items() if name not in ignored}
    bare = {name: _COMMENT.sub(b"", data) for name, data in readable.items()}
    whole = [name for name, data in bare.items() if _class(data) and _BEGIN.search(data)]
    included = {_stem(part) for data in bare.values() for part in _INPUT.findall(data)}
    candidates = whole or [name for name, data in bare.items() if _CLASS.search(data)] or list(bare)
    if not candidates:
        return None, []
    ranked = sorted(candidates, key=lambda name: _rank(name, bare[name], included, told))
    main, others = ranked[0], ranked[1:]
    warnings: list[str] = []
    if whole and others:
        warnings.append(f"{main} was read; other documents of the source were left: {', '.join(others[:8])}.")
    if not whole:
        warnings.append(f"No file of the source is a whole LaTeX document; {main} was read.")
    return main, warnings


def _rank(name: str, data: bytes, included: set[str], told: list[str]) -> tuple[bool | int | str, ...]:
    """Smaller is likelier."""
    path = PurePosixPath(name)
    found = _CLASS.search(data)
    return (
        name not in told,
        found is not None and found.group(1) in _PARTS,
        _stem(name.encode()) in included,
        bool(_ASIDE.search(path.stem)),
        b"\\title" not in data and b"abstract" not in data,
        not _USUAL.search(path.stem),
        len(path.parts),
        -len(data),
        name,
    )


def _class(data: bytes) -> bool:
    found = _CLASS.search(data)
    return found is not None and found.group(1) != b"subfiles"


def _is_source(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() in _ENDINGS and not path.name.lower().startswith("00readme")


def _stem(name: bytes) -> str:
    path = PurePosixPath(name.decode("utf-8", "replace"))
    return (path.stem if path.suffix.lower() == ".tex" else path.name).lower()


def _told(hints: Mapping[str, bytes], names: Mapping[str, bytes]) -> tuple[list[str], set[str]]:
    """What a 00README of arXiv says: the files to process, and those to ignore."""
    told: list[str] = []
    ignored: set[str] = set()
    for hint, content in hints.items():
        pairs = _json_usages(content) if hint.endswith("json") else _line_usages(content)
        for name, usage in pairs:
            if name in names and usage == "toplevel":
                told.append(name)
            elif usage == "ignore":
                ignored.add(name)
    return told, ignored


def _line_usages(content: bytes) -> list[tuple[str, str]]:
    lines = [line.split() for line in content.decode("utf-8", "replace").splitlines()]
    return [(line[0], line[1].removesuffix("file")) for line in lines if len(line) == 2]


def _json_usages(content: bytes) -> list[tuple[str, str]]:
    try:
        stated: object = orjson.loads(content)
    except orjson.JSONDecodeError:
        return []
    sources: object = stated.get("sources") if isinstance(stated, dict) else None  # type: ignore[reportUnknownMemberType]
    found: list[tuple[str, str]] = []
    for source in sources if isinstance(sources, list) else []:  # type: ignore[reportUnknownVariableType]
        if isinstance(source, dict):
            name, usage = source.get("filename"), source.get("usage")  # type: ignore[reportUnknownMemberType]
            found.append((str(name), str(usage)))  # type: ignore[reportUnknownArgumentType]
    return found
