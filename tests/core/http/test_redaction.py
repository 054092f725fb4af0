import pytest
from pydantic import SecretStr

from pincite_core.errors import SourceError
from pincite_core.http.policy import Access
from pincite_core.http.redaction import TextRedactor, own_secrets
from pincite_core.settings import Settings

KEY = "s3cr3t+key/with=signs"
REDACTOR = TextRedactor(Access(params={"api_key": KEY, "tool": "pincite"}, headers={"Authorization": f"Bearer {KEY}2"}))


@pytest.mark.parametrize(
    "text",
    [
        KEY,
        KEY.upper(),
        f"{KEY}2",
        f"a{KEY}b",
        "s3cr3t%2Bkey%2Fwith%3Dsigns",
        "s3cr3t%2bkey%2fwith%3dsigns",
        "s3cr3t%2Bkey/with%3Dsigns",
    ],
)
def test_a_secret_is_hidden_in_every_spelling(text: str) -> None:
    assert "key" not in REDACTOR.text(f"it was {text}!").lower()


def test_what_is_no_secret_stays() -> None:
    assert REDACTOR.text("pincite is a Bearer of news") == "pincite is a Bearer of news"
    assert TextRedactor(Access()).text("any text") == "any text"


def test_addresses_lose_the_parameters_of_the_access() -> None:
    address = f"https://x.example/a?q=tin&api_key=other&tool=pincite&z={KEY}#p"
    assert REDACTOR.address(address) == "https://x.example/a?q=tin&z=***#p"
    assert REDACTOR.address("https://x.example/a?b&c=%20") == "https://x.example/a?b&c=%20"


def test_an_error_is_redacted_in_all_its_parts() -> None:
    error = SourceError(f"what {KEY}", seen=f"seen {KEY}", next=f"next {KEY}")
    REDACTOR.error(error)
    assert KEY not in repr((str(error), error.args, error))


def test_the_settings_know_their_secrets() -> None:
    settings = Settings(contact="ada@example.org", epo_key=SecretStr("consumer:hidden"))
    assert {"ada@example.org", "consumer", "hidden", "consumer:hidden"} <= own_secrets(settings)


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (b'{"message": "no field yeer"}', '{"message": "no field yeer"}'),
        (b"<p>no <b>field</b>\n yeer", "no field yeer"),
        (b"<HTML><Head><title>400</title></HEAD><style>p{}</style><script>if (a<b) {}</script>why", "why"),
        (b"a < b and c > d", "a d"),
        (b"<head>never closed", ""),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"", ""),
    ],
)
def test_the_start_of_a_body_is_shown_as_text(body: bytes, shown: str) -> None:
    assert REDACTOR.excerpt(body, 100) == shown


def test_a_body_made_of_tags_is_shown_in_no_time() -> None:
    assert len(REDACTOR.excerpt(b"<head" * 100_000, 300)) <= 300
    assert REDACTOR.excerpt(b"x" * 1000, 300) == "x" * 300
