"""What is audited: a report in a file becomes a text whose claims can be found."""

from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError
from pincite_provenance.audit.reading import FORMS, Form, read_report
from pincite_provenance.audit.text import ReportText
from pincite_tasks.files import decode_text


@dataclass(frozen=True)
class Subject:
    """A text to audit: ``name`` and ``path`` of its file."""

    name: str
    path: Path
    text: ReportText


def open_subject(path: Path, form: Form | None = None) -> Subject:
    """The report in a file, read as its name's end says or as ``form``.

    NotFoundError where nothing is there, BadInputError for what cannot be read as text.
    """
    if not path.is_file():
        raise NotFoundError(f"There is no report {path}.", next="Name a file of Markdown, text or HTML.")
    chosen = form or FORMS.get(path.suffix.lower())
    if chosen is None:
        ends = ", ".join(FORMS)
        raise BadInputError(f"{path} is not a report that can be read.", next=f"Reports end in {ends}; or give --form.")
    try:
        text = decode_text(path.read_bytes())
    except UnicodeDecodeError as error:
        raise BadInputError(f"{path} is not text in UTF-8.", seen=str(error)) from error
    return Subject(path.name, path, read_report(text, chosen))
