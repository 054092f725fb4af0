import os
import subprocess
import sys
from pathlib import Path

import pytest

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("PINCITE_"):
            monkeypatch.delenv(name)


def test_defaults_read_the_current_folder_and_fetch_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings()
    assert settings.roots == (tmp_path,)
    assert settings.allow_urls is False
    assert settings.allow_private_addresses is False
    assert settings.parse_memory_mb == 1024


def test_roots_are_separated_like_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_ROOTS", os.pathsep.join(("/a b", "", "/c,d", "~/papers")))
    assert load_settings().roots == (Path("/a b"), Path("/c,d"), Path("~/papers").expanduser())


def test_an_empty_variable_counts_as_unset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_ROOTS", "")
    monkeypatch.setenv("PINCITE_MAX_PAGES", "")
    settings = load_settings()
    assert settings.roots == (tmp_path,)
    assert settings.max_pages == Settings(roots=(tmp_path,)).max_pages


def test_hosts_are_separated_by_commas_and_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_URL_HOSTS", "arXiv.org, pmc.ncbi.nlm.nih.gov,")
    assert load_settings().url_hosts == ("arxiv.org", "pmc.ncbi.nlm.nih.gov")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PINCITE_MAX_PAGES", "many"),
        ("PINCITE_MAX_PAGES", "0"),
        ("PINCITE_PARSE_SECONDS", "-1"),
        ("PINCITE_PARSE_MEMORY_MB", "8"),
        ("PINCITE_ALLOW_URLS", "perhaps"),
        ("PINCITE_ROOTS", os.pathsep),
        ("PINCITE_LOG_LEVEL", "LOUD"),
    ],
)
def test_a_wrong_value_names_its_variable(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(BadInputError) as caught:
        load_settings()
    assert name in caught.value.what
    assert name in caught.value.next


def test_every_field_says_what_it_is() -> None:
    undocumented = [name for name, field in Settings.model_fields.items() if not field.description]
    assert undocumented == []


def test_importing_the_settings_loads_nothing_heavy() -> None:
    code = (
        "import sys, pincite_core.settings; print(*{'numpy', 'httpx', 'pypdf', 'pypdfium2', 'mcp'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_python_door_opens_without_the_protocol() -> None:
    """Commands on papers begin with this import; the protocol's takes twice as long as all the rest."""
    code = "import sys, pincite; print(*{'numpy', 'httpx', 'pypdf', 'pypdfium2', 'mcp'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
