"""Which model a run asks, where, and with which key."""

import pytest
from pydantic import ValidationError

from pincite_core.errors import BadInputError
from pincite_models.choice import ModelChoice


@pytest.mark.parametrize(
    ("text", "url", "provider", "name", "address"),
    [
        ("anthropic:claude-sonnet-4-5", "", "anthropic", "claude-sonnet-4-5", "https://api.anthropic.com"),
        ("openai:gpt-5", "", "openai", "gpt-5", "https://api.openai.com"),
        ("gemini:gemini-2.5-pro", "", "google", "gemini-2.5-pro", "https://generativelanguage.googleapis.com"),
        ("qwen3:8b", "http://127.0.0.1:11434/v1/", "compatible", "qwen3:8b", "http://127.0.0.1:11434"),
        ("openai:local", "https://gate.example/llm/v1", "openai", "local", "https://gate.example/llm"),
    ],
)
def test_a_model_and_its_address(text: str, url: str, provider: str, name: str, address: str) -> None:
    choice = ModelChoice.parse(text, url)
    assert (choice.provider, choice.name, choice.base_url) == (provider, name, address)


@pytest.mark.parametrize("text", ["gpt-5", "mistral:large", "anthropic:", ""])
def test_a_model_of_nobody_needs_an_address(text: str) -> None:
    with pytest.raises(BadInputError, match="does not name the model's provider"):
        ModelChoice.parse(text)


@pytest.mark.parametrize("url", ["https://user:secret@gate.example", "ftp://gate.example", "gate.example"])
def test_an_address_with_a_secret_or_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(BadInputError, match="is not a usable address of a model"):
        ModelChoice.parse("openai:gpt-5", url)
    with pytest.raises(ValidationError):
        ModelChoice(provider="openai", name="gpt-5", base_url=url)


def test_a_provider_is_not_asked_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("PINCITE_MODEL_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(BadInputError, match="no key for anthropic") as caught:
        ModelChoice.parse("anthropic:claude-sonnet-4-5").check_key()
    assert "ANTHROPIC_API_KEY" in caught.value.next
    ModelChoice.parse("anthropic:claude-sonnet-4-5", "http://127.0.0.1:9").check_key()
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    ModelChoice.parse("anthropic:claude-sonnet-4-5").check_key()


def test_the_key_comes_from_the_environment_and_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("PINCITE_MODEL_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    choice = ModelChoice.parse("google:gemini-2.5-flash")
    assert choice.key() == ""
    monkeypatch.setenv("GOOGLE_API_KEY", "second")
    assert choice.key() == "second"
    monkeypatch.setenv("GEMINI_API_KEY", "first")
    assert choice.key() == "first"
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", "own")
    assert choice.key() == "own"
    assert "own" not in choice.model_dump_json()
