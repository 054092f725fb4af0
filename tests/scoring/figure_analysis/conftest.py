"""Shared by the tests of figure_analysis: WordNet, real and small; MiniLM; settings without models."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def no_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No model and no dictionary but those that a test names, whatever this machine has."""
    import nltk

    from pincite_scoring.figure_analysis.metrics import wordnet

    for name in ("PINCITE_EMBEDDER", "PINCITE_SCIBERT", "PINCITE_WORDNET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    monkeypatch.setattr(wordnet, "DEBIAN", tmp_path / "wordnet")


@pytest.fixture(scope="session")
def small_wordnet(module_at: Callable[[Path], ModuleType], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in which climb and rise, big and large, and increase and rise are synonyms."""
    synsets = {
        "verb": ["climb rise", "increase rise", "show display"],
        "adj": ["big large"],
        "noun": ["rise increase", "temperature temp"],
    }
    return module_at(HERE / "wordnet_database.py").write_database(tmp_path_factory.mktemp("wordnet"), synsets)


@pytest.fixture(scope="session")
def wordnet(module_at: Callable[[Path], ModuleType], missing: Callable[[str], None]) -> Path:
    """The real database; skipped, and never in CI, where it cannot be had."""
    module = module_at(HERE / "wordnet_database.py")
    try:
        return module.database_folder()
    except module.UnavailableDatabaseError as error:
        missing(str(error))
        raise


@pytest.fixture(scope="session")
def minilm(module_at: Callable[[Path], ModuleType], missing: Callable[[str], None]) -> Path:
    """The folder of all-MiniLM-L6-v2 with its real weights; skipped, and never in CI, where it cannot be fetched."""
    module = module_at(HERE.parents[1] / "library" / "minilm.py")
    try:
        return module.model_folder()
    except module.UnavailableModelError as error:
        missing(str(error))
        raise
