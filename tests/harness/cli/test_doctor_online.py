"""``pincite doctor --online`` asks each source one question and says what works, and what does not in its words."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_harness.cli.main import app
from pincite_harness.cli.sources_check import choose_probes

KEYS = {
    "CONTACT": "reader@university.example",
    "SEARXNG_URL": "http://127.0.0.1:9",
    "BRAVE_API_KEY": "brave-key-0123456789",
    "SERPER_API_KEY": "serper-key-0123456789",
    "TAVILY_API_KEY": "tavily-key-0123456789",
    "EPO_KEY": "consumer-key:consumer-secret",
    "MATERIALS_PROJECT_API_KEY": "materials-key-0123456789",
}


@pytest.fixture(autouse=True)
def own_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    for name in (*KEYS, "SOURCE_URLS", "HTTP_MODE"):
        monkeypatch.delenv(f"PINCITE_{name}", raising=False)


Doctor = Callable[..., str]


@pytest.fixture
def doctor(monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """Runs the command with the sources at these addresses; returns what it says."""

    def run(*words: str, **urls: str) -> str:
        monkeypatch.setenv("PINCITE_SOURCE_URLS", json.dumps(urls))
        result = CliRunner().invoke(app, ["doctor", *words])
        assert result.exit_code == 0, result.output
        return result.output

    return run


def _marks(output: str) -> dict[str, str]:
    """How each source fared."""
    return {found[2]: found[1] for found in re.finditer(r"^(ok|failed|not set) +(\w+): ", output, re.MULTILINE)}


def _answer(given: Any) -> Callable[[Any], Any]:
    answers = {
        "/works/10.1038%2F171737a0": {
            "status": "ok",
            "message-type": "work",
            "message": {"DOI": "10.1038/171737a0", "title": ["A structure"], "type": "journal-article"},
        },
        "/version": {"apiVersion": "2.0.5", "dataTimestamp": "2026-01-02T09:00:00"},
        "/search": {"query": "citation", "results": [{"title": "Citation", "url": "https://a.example", "content": ""}]},
    }

    def say(asked: Any) -> Any:
        body = answers.get(asked.path)
        return given(body) if body is not None else given({"nothing": "here"}, 404)

    return say


@pytest.fixture
def server(source_servers: ModuleType) -> Iterator[Any]:
    with source_servers.SourceServer(_answer(source_servers.Given)) as made:
        yield made


def test_sources_that_work_and_one_that_has_nothing(
    doctor: Doctor, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_SEARXNG_URL", server.url)
    names = ("crossref", "clinicaltrials", "searxng", "openalex", "unpaywall")
    urls = dict.fromkeys(names, server.url)
    output = doctor(*(word for name in names for word in ("--source", name)), **urls)
    assert _marks(output) == {
        "crossref": "ok",
        "clinicaltrials": "ok",
        "searxng": "ok",
        "openalex": "failed",
        "unpaywall": "not set",
    }
    assert "answered, but not with what it was asked for" in output
    assert "PINCITE_CONTACT" in output
    assert "3 of 4 sources work." in output
    assert "Python" not in output


def test_it_asks_past_cache_and_record(doctor: Doctor, server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_HTTP_MODE", "replay")
    for _ in range(2):
        assert _marks(doctor("--source", "crossref", crossref=server.url)) == {"crossref": "ok"}
    assert len(server.asked) == 2


def test_each_failure_has_its_words(
    doctor: Doctor, source_servers: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_SOURCE_SECONDS", str(source_servers.patience("slow")))
    names = ("crossref", "openalex", "europe_pmc", "uniprot", "pubchem", "clinicaltrials")
    with ExitStack() as stack:
        urls: dict[str, str] = {}
        for name, fault in zip(names, source_servers.FAULTS.values(), strict=True):
            made = stack.enter_context(source_servers.SourceServer(_answer(source_servers.Given)))
            made.fault = fault
            urls[name] = made.url if fault.given else f"http://127.0.0.1:{source_servers.closed_port()}"
        output = doctor(*(word for name in names for word in ("--source", name)), **urls)
    assert set(_marks(output).values()) == {"failed"}
    lines = {line.split()[1].rstrip(":"): line for line in output.splitlines() if line.startswith("failed")}
    for name, fault in zip(names, source_servers.FAULTS.values(), strict=True):
        assert fault.says in lines[name]


def test_without_a_network_every_source_says_so_and_no_key_is_shown(
    doctor: Doctor, source_servers: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(f"PINCITE_{name}", value)
    names = [probe.source for probe in choose_probes([])]
    nowhere = f"http://127.0.0.1:{source_servers.closed_port()}"
    output = doctor("--online", **dict.fromkeys(names, nowhere))
    assert "The base path works" in output
    marks = _marks(output)
    assert {name: marks[name] for name in names} == dict.fromkeys(names, "failed")
    assert output.count("could not be reached") == len(names)
    assert f"0 of {len(names)} sources work." in output
    assert not [value for name, value in KEYS.items() if name.endswith("KEY") and value in output]


def test_every_source_of_the_servers_has_a_probe() -> None:
    from pincite_literature.catalog import SOURCES

    probes = {probe.source for probe in choose_probes([])}
    assert set(SOURCES) <= probes
    assert {"unpaywall", "wikipedia", "pubchem", "uniprot", "clinicaltrials", "epo", "cod"} <= probes


def test_a_source_that_there_is_not() -> None:
    result = CliRunner().invoke(app, ["doctor", "--source", "altavista"])
    assert "There is no source altavista" in str(result.exception)
    assert "crossref" in str(result.exception)


def test_it_can_be_interrupted(source_servers: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with source_servers.SourceServer(lambda _: source_servers.Given("{}", after=5.0)) as slow:
        monkeypatch.setenv("PINCITE_SOURCE_URLS", json.dumps({"crossref": slow.url}))
        monkeypatch.setenv("PINCITE_SOURCE_SECONDS", "60")
        command = [sys.executable, "-P", "-m", "pincite_harness", "doctor", "--source", "crossref"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while not slow.asked and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        assert process.returncode != 0
        assert "Traceback" not in output
        assert len(slow.asked) == 1
