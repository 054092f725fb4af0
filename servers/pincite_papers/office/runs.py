"""Runs of a Word document: the text of a paragraph as it would print, scripts and formulas included."""

from pincite_papers.markup import Run
from pincite_papers.markup.elements import Element

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_GONE = frozenset((f"{_W}del", f"{_W}moveFrom", f"{_W}txbxContent", f"{_W}instrText", f"{_W}pPr", f"{_W}rPr"))
"""Elements without print here: what was deleted or moved away, fields' codes, text boxes (which stand apart)."""
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SPACES = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "\N{NON-BREAKING HYPHEN}"}
_LEVELS = {"superscript": 1, "subscript": -1}


class RunReader:
    """Reads paragraphs; counts what could not be read: ``symbols`` of fonts without letters, ``formulas``."""

    def __init__(self) -> None:
        self.symbols = self.formulas = self.pictures = 0

    def paragraph(self, paragraph: Element) -> Run:
        """The text of a ``w:p``."""
        run = Run()
        self._add(paragraph, run)
        return run

    def _add(self, element: Element, run: Run) -> None:
        for child in element:
            tag = str(child.tag)
            if tag in _GONE or tag == _FALLBACK:
                continue
            if tag == f"{_W}r":
                self._add_text_run(child, run)
            elif tag == f"{_M}oMath":
                self.formulas += 1
                self._add_math(child, run)
            elif tag in (f"{_W}t", f"{_M}t"):
                run.add(child.text or "")
            elif tag in _SPACES:
                run.add(_SPACES[tag])
            elif tag == f"{_W}sym":
                self.symbols += 1
                run.add("\N{REPLACEMENT CHARACTER}")
            elif tag in (f"{_W}drawing", f"{_W}pict"):
                self.pictures += 1
            else:
                self._add(child, run)

    def _add_text_run(self, element: Element, run: Run) -> None:
        """A ``w:r``, raised or lowered where its properties say so."""
        properties = element.find(f"{_W}rPr")
        if properties is not None and properties.find(f"{_W}vanish") is not None:
            return
        raised = properties.find(f"{_W}vertAlign") if properties is not None else None
        level = _LEVELS.get(raised.get(f"{_W}val") or "", 0) if raised is not None else 0
        body = Run()
        self._add(element, body)
        if level:
            run.add_script(level, body)
        else:
            run.add_run(body)

    def _add_math(self, element: Element, run: Run) -> None:
        """A formula in one line: fractions by a slash between brackets, scripts as scripts."""
        for child in element:
            tag = str(child.tag)
            if tag in (f"{_M}sup", f"{_M}sub"):
                body = Run()
                self._add_math(child, body)
                run.add_script(1 if tag == f"{_M}sup" else -1, body)
            elif tag in (f"{_M}num", f"{_M}den", f"{_M}deg"):
                run.add("/(" if tag == f"{_M}den" else "(")
                self._add_math(child, run)
                run.add(")")
            elif tag == f"{_M}rad":
                run.add("√(")
                self._add_math(child, run)
                run.add(")")
            elif tag == f"{_M}t":
                run.add(child.text or "")
            else:
                self._add_math(child, run)
