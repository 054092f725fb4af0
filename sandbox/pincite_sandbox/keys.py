"""Keys: what must never enter a sandbox, told by its look or because it is one of the harness's own."""

import os
import re
from collections.abc import Iterable, Mapping

_LOOKS = {
    "an Anthropic key": r"sk-ant-[\w-]{20,}",
    "an OpenAI key": r"sk-(?:proj-|svcacct-|admin-)?(?!ant-)[\w-]{20,}",
    "a Google API key": r"AIza[\w-]{35}",
    "a GitHub token": r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}",
    "a GitLab token": r"glpat-[\w-]{20,}",
    "a Slack token": r"xox[abeoprs]-[\w-]{10,}",
    "an AWS access key": r"(?:AKIA|ASIA)[0-9A-Z]{16}",
    "a Hugging Face token": r"hf_[A-Za-z0-9]{30,}",
    "a signed token (JWT)": r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}",
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "a password in an address": r"[a-z][a-z0-9+.-]*://[^/\s:@]+:(?!\*)[^/\s:@]{8,}@(?!127\.0\.0\.1|localhost)",
}
_LOOK = re.compile("|".join(f"(?<![A-Za-z0-9])(?P<k{at}>{look})" for at, look in enumerate(_LOOKS.values())))
_NAMES = re.compile(r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:$|_)", re.IGNORECASE)
_SHORTEST = 12
"""A shorter value may be a word that stands in a prompt for other reasons."""


def own_keys(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The harness's own keys by the variable that holds each: those of this process's environment by default."""
    variables = os.environ if environ is None else environ
    return {
        name: value
        for name, value in variables.items()
        if _NAMES.search(name) and len(value) >= _SHORTEST and not value.isalpha() and not value.startswith("/")
    }


def key_in(text: str, own: Mapping[str, str]) -> str:
    """What kind of key ``text`` holds, without the key itself; empty when none."""
    for name, value in own.items():
        if value in text:
            return f"the value of the harness's {name}"
    found = _LOOK.search(text)
    return list(_LOOKS)[int(str(found.lastgroup)[1:])] if found is not None else ""


def keys_in(variables: Mapping[str, str], words: Iterable[str] = ()) -> list[str]:
    """Where variables or words of a command hold a key, in words."""
    own = own_keys()
    found = {f"the variable {name}": key_in(value, own) for name, value in variables.items()}
    found |= {f"word {number} of the command": key_in(word, own) for number, word in enumerate(words, start=1)}
    return [f"{place} holds {kind}" for place, kind in found.items() if kind]
