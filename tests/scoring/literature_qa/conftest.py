"""The bundled questions and their papers, parsed once."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_tasks.family import Family, load_family

FOLDER = Path(__file__).parents[3] / "tasks" / "literature_qa"


@pytest.fixture(scope="session")
def questions() -> Family:
    """The bundled family."""
    return load_family(FOLDER)


@pytest.fixture(scope="session")
def question_papers() -> Mapping[str, Paper]:
    """The papers of its questions by name, those that families share among them."""
    paths = {path for task in load_family(FOLDER).tasks for path in task.papers}
    return {path.name: parse_pdf(path.read_bytes(), max_pages=60) for path in sorted(paths)}
