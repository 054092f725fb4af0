"""read_report: a report of any written form as a ReportText."""

from typing import Literal

from pincite_provenance.audit.answer import read_answer
from pincite_provenance.audit.html import read_html
from pincite_provenance.audit.markdown import read_markdown, read_plain
from pincite_provenance.audit.text import ReportText

Form = Literal["markdown", "text", "html", "json"]

FORMS: dict[str, Form] = {
    ".md": "markdown", ".markdown": "markdown", ".txt": "text", ".text": "text", ".html": "html", ".htm": "html",
    ".json": "json",
}  # fmt: skip
"""Forms of reports by the ends of their names."""

_READERS = {"markdown": read_markdown, "text": read_plain, "html": read_html, "json": read_answer}


def read_report(text: str, form: Form = "markdown") -> ReportText:
    """The text in blocks; a line ends with a line feed, whatever the file had."""
    return _READERS[form](text.replace("\r\n", "\n"))
