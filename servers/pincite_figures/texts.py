"""The job that reads the text inside a figure: the source's own, else that of its picture by OCR."""

from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pincite_figures.figure_text import Text
from pincite_figures.roles import Role, roles_of
from pincite_figures.source import OpenSource, Subject
from pincite_papers.model import Rect
from pincite_papers.pdf.elements import Line, Word
from pincite_papers.pdf.layout.pages import ReadPage, read_page

_PARTING_GAP, _NUMBER_GAP = 1.2, 0.5
"""Gap in heights of the type from which words, or numbers beside each other, are two texts. Set by judgement."""
_FEW_LETTERS = 2
"""Glyphs of a turned line that says nothing of its direction: a panel's letter."""
_LETTER_GAP, _SPACE = 0.6, 0.22
"""Gaps in heights of the type: up to it single letters are one word; from it there is a space. Set by judgement."""
_SCRIPT_MARKS = ("^", "_")


def texts_job(source: OpenSource, arguments: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The texts whose middle is in ``region`` of the target, with their roles; ``ocr`` says how pictures are read.

    The reply has ``texts`` (text, box, size, rotation, role, confidence …), ``box`` of the target and ``note``, which
    says why a picture was not read.
    """
    subject = source.subject(arguments["target"])
    x0, y0, x1, y1 = subject.within([Fraction(edge) for edge in arguments["region"]])
    texts, keys = source_texts(subject) if subject.page is not None else ([], [])
    roles = roles_of(texts, keys)
    note = ""
    if all(role is Role.PANEL for role in roles):
        from pincite_figures.recognition import picture_texts

        seen, note = picture_texts(subject, arguments["ocr"])
        texts = [*texts, *seen]
        roles = [*roles, *roles_of(seen, [])]
    found = [
        asdict(text) | {"role": role.value}
        for text, role in zip(texts, roles, strict=True)
        if x0 <= (text.box[0] + text.box[2]) / 2 <= x1 and y0 <= (text.box[1] + text.box[3]) / 2 <= y1
    ]
    box = subject.box
    return {"texts": found, "box": [box.x0, box.y0, box.x1, box.y1], "note": note}, b""


def source_texts(subject: Subject) -> tuple[list[Text], list[Rect]]:
    """The visible texts in the subject's box, and the boxes of what is drawn there: keys of legends among it."""
    assert subject.page is not None
    read = read_page(subject.page, max(subject.number, 1))
    lines = [line for line in read.layout.lines if not _is_torn(line)]
    torn = [line for line in read.layout.lines if _is_torn(line)]
    texts = [*(text for line in lines for text in _texts(line, read)), *rejoined(torn, read)]
    texts = [text for text in texts if _inside(text.box, subject.box)]
    drawn = [Rect(rule.x0, rule.y0, rule.x1, rule.y1) for rule in read.layout.rules] + read.layout.drawings
    keys = [
        box for box in (_shown(one, read) for one in drawn) if _inside((box.x0, box.y0, box.x1, box.y1), subject.box)
    ]
    return sorted(texts, key=lambda text: (text.box[1], text.box[0])), keys


def _texts(line: Line, read: ReadPage) -> list[Text]:
    """The line, parted where its words stand far apart: labels on one height are not a sentence."""
    parts: list[list[Word]] = [line.words[:1]]
    for before, word in pairwise(line.words):
        numbers = before.text[-1:].isdigit() and word.text[:1].isdigit()
        widest = _NUMBER_GAP if numbers else _PARTING_GAP
        if _gap(before, word, line.rotation) > widest * line.style.size:
            parts.append([])
        parts[-1].append(word)
    return [_text(part, line, read) for part in parts if part]


def _gap(before: Word, word: Word, rotation: int) -> float:
    if rotation in (90, 270):
        return max(word.y0 - before.y1, before.y0 - word.y1)
    return max(word.x0 - before.x1, before.x0 - word.x1)


def _text(words: list[Word], line: Line, read: ReadPage) -> Text:
    text = words[0].text
    for word in words[1:]:
        text += word.text if word.text.startswith(_SCRIPT_MARKS) else f" {word.text}"
    box = _shown(
        Rect(min(w.x0 for w in words), min(w.y0 for w in words), max(w.x1 for w in words), max(w.y1 for w in words)),
        read,
    )
    glyphs = [glyph for word in words for glyph in word.glyphs if glyph >= 0]
    turned = 90 * read.turn.quarters if read.turn is not None else 0
    return Text(
        text,
        (box.x0, box.y0, box.x1, box.y1),
        round(words[0].style.size, 2),
        (line.rotation + turned) % 360,
        bold=all(word.style.bold for word in words),
        unreliable=bool(read.glyphs.suspects[glyphs].any()),
    )


def _is_torn(line: Line) -> bool:
    """Whether a line is a letter or two of print that does not run level: some programs place them one by one."""
    return line.rotation in (90, 270) and sum(len(word.glyphs) for word in line.words) <= _FEW_LETTERS


def rejoined(torn: list[Line], read: ReadPage) -> list[Text]:
    """The texts that letters make which were placed one by one, in any order, up or down the page."""
    letters = [letter for line in torn for letter in _letters(line, read)]
    runs: list[list[_Letter]] = []
    for letter in sorted(letters, key=lambda one: one.along):
        run = next((run for run in reversed(runs) if run[-1].meets(letter)), None)
        if run is None:
            runs.append([letter])
        else:
            run.append(letter)
    return [_joined(run, read) for run in runs]


@dataclass(frozen=True, slots=True)
class _Letter:
    """A letter with its script mark, its box as read, and how far along the print direction it starts and ends."""

    text: str
    box: Rect
    size: float
    rotation: int
    along: float
    end: float

    def meets(self, after: "_Letter") -> bool:
        """Whether ``after`` may be the next letter of the same text."""
        across = min(self.box.x1, after.box.x1) - max(self.box.x0, after.box.x0)
        thin = min(self.box.x1 - self.box.x0, after.box.x1 - after.box.x0)
        near = -0.3 * self.size < after.along - self.end < _LETTER_GAP * self.size
        return near and across > 0.3 * thin and self.rotation == after.rotation


def _letters(line: Line, read: ReadPage) -> list[_Letter]:
    found: list[_Letter] = []
    for word in line.words:
        mark = ""
        for character, glyph in zip(word.text, word.glyphs, strict=True):
            if glyph < 0:
                mark += character
                continue
            x0, y0, x1, y1 = read.glyphs.boxes[glyph].tolist()
            along, end = (-y1, -y0) if line.rotation == 90 else (y0, y1)
            box = Rect(x0, y0, x1, y1)
            found.append(_Letter(mark + character, box, line.style.size, line.rotation, along, end))
            mark = ""
    return found


def _joined(run: list[_Letter], read: ReadPage) -> Text:
    text = run[0].text
    for before, letter in pairwise(run):
        text += (" " if letter.along - before.end > _SPACE * letter.size else "") + letter.text
    box = _shown(
        Rect(
            min(one.box.x0 for one in run),
            min(one.box.y0 for one in run),
            max(one.box.x1 for one in run),
            max(one.box.y1 for one in run),
        ),
        read,
    )
    turned = 90 * read.turn.quarters if read.turn is not None else 0
    return Text(text, (box.x0, box.y0, box.x1, box.y1), round(run[0].size, 2), (run[0].rotation + turned) % 360)


def _shown(box: Rect, read: ReadPage) -> Rect:
    """A box as it was read, where the page is shown."""
    return read.turn.rect(box) if read.turn is not None else box


def _inside(inner: tuple[float, float, float, float], outer: Rect) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer.x0 <= x <= outer.x1 and outer.y0 <= y <= outer.y1
