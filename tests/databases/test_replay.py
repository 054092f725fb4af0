"""A recorded session of the databases server replays byte-equal once its sources are gone, with no credential kept."""

import importlib.util
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mcp import Client
from pydantic import SecretStr

from pincite_core.settings import Settings
from pincite_databases.server import create_server

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("find_compound", {"query": "aspirin"}),
    ("find_compound", {"query": "unobtainium"}),
    ("get_compound", {"cid": 2244}),
    ("search_proteins", {"query": "kinase"}),
    ("get_protein", {"accession": "P99991"}),
    ("get_protein", {"accession": "P12345"}),
    ("get_sequence", {"accession": "P99991"}),
    ("search_trials", {"query": "asthma"}),
    ("search_patents", {"query": "garnet"}),
    ("get_patent", {"number": "EP 1000003 A1"}),
    ("get_patent", {"number": "EP 7777777 A1"}),
    ("search_proteins", {"query": "kinase"}),
]


@pytest.fixture(scope="module")
def patents() -> ModuleType:
    """The servers of patents, which stand beside their tests."""
    place = importlib.util.spec_from_file_location("patent_servers", Path(__file__).with_name("test_patents.py"))
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


async def _session(settings: Settings) -> list[str]:
    async with Client(create_server(settings)) as client:
        return [(await client.call_tool(tool, arguments)).model_dump_json() for tool, arguments in CALLS]


async def test_a_session_replays_byte_equal_without_its_sources(
    source_servers: ModuleType,
    pubchem_server: ModuleType,
    uniprot_server: ModuleType,
    trials_server: ModuleType,
    patents: ModuleType,
    tmp_path: Path,
) -> None:
    answers = {
        "pubchem": pubchem_server.PubChem(),
        "uniprot": uniprot_server.UniProt(),
        "clinicaltrials": trials_server.Trials(),
        "europe_pmc_patents": patents.europe_pmc(source_servers),
        "epo": patents.epo(source_servers),
        "google_patents": patents.google(source_servers),
    }
    common: dict[str, Any] = {
        "roots": (tmp_path,),
        "source_rates": "off",
        "source_seconds": 10.0,
        "http_store": tmp_path / "store",
        "epo_key": SecretStr(f"{patents.KEY}:{patents.SECRET}"),
    }
    with ExitStack() as stack:
        servers = {name: stack.enter_context(source_servers.SourceServer(say)) for name, say in answers.items()}
        common["source_urls"] = {name: server.url for name, server in servers.items()}
        recorded = await _session(Settings(http_mode="record", cache_dir=tmp_path / "recording", **common))
        silent = [name for name, server in servers.items() if not server.asked]
    replayed = await _session(Settings(http_mode="replay", cache_dir=tmp_path / "replay", **common))
    assert replayed == recorded
    assert sum('"is_error":true' in said or '"isError":true' in said for said in recorded) < len(CALLS) // 2
    assert set(silent) <= {"europe_pmc_patents", "google_patents"}
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode("latin-1")
    assert [word for word in (patents.KEY, patents.SECRET, patents.TOKEN) if word in kept] == []
