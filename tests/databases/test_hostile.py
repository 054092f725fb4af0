"""Records whose fields are of other types than promised: every call ends in a result of its schema or in words."""

import copy
import json
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

ODD = (
    None,
    True,
    0,
    -1,
    1e308,
    12345678901234567890,
    "",
    "x",
    "\u0000\u202e<b>",
    [],
    [None],
    [[]],
    {},
    {"x": {}},
    "y" * 3000,
)
CALLS = [
    ("pubchem", "find_compound", {"query": "salicylate"}),
    ("pubchem", "get_compound", {"cid": 2244}),
    ("pubchem", "get_compound", {"cid": 2244, "section": "experimental"}),
    ("pubchem", "get_compound", {"cid": 2244, "section": "synonyms"}),
    ("pubchem", "get_bioassays", {"cid": 2244}),
    ("uniprot", "search_proteins", {"query": "kinase"}),
    ("uniprot", "get_protein", {"accession": "P99991"}),
    ("uniprot", "list_protein_features", {"accession": "P99991", "position": "10-60"}),
    ("uniprot", "get_sequence", {"accession": "P99991-2"}),
    ("clinicaltrials", "search_trials", {"condition": "asthma"}),
    ("clinicaltrials", "get_trial", {"nct_id": "NCT20000001"}),
    ("clinicaltrials", "get_trial_results", {"nct_id": "NCT20000001"}),
    ("clinicaltrials", "get_trial_results", {"nct_id": "NCT20000001", "part": "1"}),
    ("clinicaltrials", "get_trial_results", {"nct_id": "NCT20000001", "part": "adverse"}),
    ("clinicaltrials", "get_trial_results", {"nct_id": "NCT20000001", "part": "baseline"}),
    ("clinicaltrials", "get_trial_results", {"nct_id": "NCT20000001", "part": "flow"}),
]
ROUNDS = 60


@pytest.fixture
def answers(pubchem_server: ModuleType, uniprot_server: ModuleType, trials_server: ModuleType) -> dict[str, Any]:
    return {
        "pubchem": pubchem_server.PubChem(),
        "uniprot": uniprot_server.UniProt(many=3),
        "clinicaltrials": trials_server.Trials(trials_server.STUDIES[:2]),
    }


def places(node: Any) -> list[tuple[Any, Any]]:
    """Every container in it with each of its keys."""
    if isinstance(node, dict):
        return [place for key, value in node.items() for place in ((node, key), *places(value))]
    if isinstance(node, list):
        return [place for at, value in enumerate(node) for place in ((node, at), *places(value))]
    return []


def changed(body: Any, chance: random.Random) -> Any:
    """A copy with one to four of its values replaced by odd ones, or taken away."""
    made = json.loads(json.dumps(body))
    for _ in range(chance.randint(1, 4)):
        container, key = chance.choice(places(made) or [({"": 0}, "")])
        if isinstance(container, dict) and chance.random() < 0.2:
            del container[key]
        else:
            container[key] = copy.deepcopy(chance.choice(ODD))
    return made


@pytest.mark.parametrize(("source", "tool", "arguments"), CALLS, ids=lambda value: str(value)[:40])
async def test_odd_records_do_no_harm(
    asking: Callable[..., Any],
    source_servers: ModuleType,
    answers: dict[str, Any],
    source: str,
    tool: str,
    arguments: dict[str, Any],
) -> None:
    chance = random.Random(tool + str(arguments))
    usual = answers[source]

    def answer(asked: Any) -> Any:
        given = usual(asked)
        if not isinstance(given.body, dict | list) or given.status != 200:
            return given
        return source_servers.Given(changed(given.body, chance), headers=given.headers)

    with source_servers.SourceServer(answer) as server:
        async with asking(**{source: server.url, "cache_max_bytes": 0}) as call:
            ended = [await call(tool, **arguments) for _ in range(ROUNDS)]
    said = [end for end in ended if isinstance(end, str)]
    assert not [end for end in said if "bug in pincite" in end]
    assert len(said) < len(ended)
