"""[[servers]] of family.toml, and --with: what is taken, what is refused and in which words."""

from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.runs.specification import RunSpecification
from pincite_harness.trial.servers import SERVERS, check_servers
from pincite_tasks.family import ToolFilter, load_family
from pincite_tasks.server_definition import ServerDefinition, parse_server, parse_servers
from pincite_tasks.web import WebChoice

PYTHON = 'command = ["python3", "server.py"]'


def with_tables(folder: Path, *tables: str) -> Path:
    """A family whose servers are these tables."""
    settings = (folder / "family.toml").read_text().replace('servers = ["documents"]\n', "")
    body = "".join(f"[[servers]]\n{table}\n" for table in tables)
    (folder / "family.toml").write_text(f"{settings}\n{body}")
    return folder


@pytest.fixture
def family(make_family: Any) -> Path:
    return make_family(servers='["documents"]')


def test_tables_are_ours_by_name_and_others_by_their_command(family: Path) -> None:
    (family / "server.py").write_text("")
    own = 'name = "documents"\ntools = ["open_paper"]'
    with_tables(family, own, f'name = "chem"\n{PYTHON}\nargs = ["-v", "."]\ndeny = ["erase"]\ncwd = "papers"')
    settings = load_family(family).settings
    assert settings.servers == ["documents", "chem"]
    assert settings.own_servers == ["documents"]
    assert settings.tools == {"documents": ToolFilter(allow=["open_paper"]), "chem": ToolFilter(deny=["erase"])}
    [chem] = settings.third_party
    assert chem.words == ["python3", str(family / "server.py"), "-v", "."], "a file is found beside family.toml"
    assert chem.cwd == str(family / "papers")
    check_servers(load_family(family), SERVERS)


def test_faulty_tables_are_refused_in_words(family: Path) -> None:
    chem = 'name = "chem"\n'
    faults = {
        (chem + PYTHON, chem + PYTHON): "chem is named twice",
        (f'name = "documents"\n{PYTHON}',): "name of one of pincite's",
        (f'name = "a.b"\n{PYTHON}',): "should match pattern",
        (f'{chem}{PYTHON}\nurl = "http://127.0.0.1:1/mcp"',): "give either command or url",
        (f'{chem}env = {{ A = "b" }}',): "give either command or url",
        (chem,): "a server that does not exist: chem",
        (f'{chem}{PYTHON}\ncolour = "red"',): "colour: there is no such key",
        (f'{chem}{PYTHON}\nheaders = {{ A = "b" }}',): "headers does not belong to a command",
        (f'{chem}url = "http://127.0.0.1:1"\ncwd = "/tmp"',): "cwd does not belong to a url",
        (f'{chem}url = "ftp://127.0.0.1"',): "not an http",
        (f"{chem}{PYTHON}\ntimeout = 0",): "greater than 0",
        (f'{chem}{PYTHON}\nenv = {{ CHEM_API_KEY = "a1b2c3d4e5f6a7b8" }}',): "the variable CHEM_API_KEY holds a secret",
        (f'{chem}url = "https://x.example/mcp"\nheaders = {{ Authorization = "Bearer x" }}',): "Authorization holds",
        (f'{chem}url = "https://x.example/mcp?api_key=a1b2c3d4e5f6a7b8"',): "the url's api_key holds a secret",
        (f'{chem}url = "https://me:passw0rd1@x.example/mcp"',): "the url",
        (f"{PYTHON}",): "servers.0: ",
    }
    before = (family / "family.toml").read_text()
    wrong: list[str] = []
    for tables, said in faults.items():
        (family / "family.toml").write_text(before)
        try:
            check_servers(load_family(with_tables(family, *tables)), SERVERS)
            wrong.append(f"taken: {tables}")
        except BadInputError as error:
            if said not in str(error):
                wrong.append(f"{tables}: {error}")
    assert not wrong


def test_a_filter_stands_in_one_place(family: Path) -> None:
    with_tables(family, f'name = "chem"\n{PYTHON}\ndeny = ["a"]\n[tools.chem]\ndeny = ["b"]')
    with pytest.raises(BadInputError, match="filtered twice"):
        load_family(family)


def test_words_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text("")
    stdio = parse_server("chem=KEY='${CHEM}' MODE=fast python3 server.py --name 'two words'", tmp_path)
    assert stdio.env == {"KEY": "${CHEM}", "MODE": "fast"}
    assert stdio.words == ["python3", str(tmp_path / "server.py"), "--name", "two words"]
    assert stdio.cwd == str(tmp_path)
    http = parse_server("web=https://x.example/mcp 'Authorization: Bearer ${CHEM}'", tmp_path)
    assert (http.url, http.headers) == ("https://x.example/mcp", {"Authorization": "Bearer ${CHEM}"})
    listed = parse_servers(["documents", "chem=python3"], ["chem"], tmp_path)
    assert listed[0] == "documents"
    assert isinstance(listed[1], ServerDefinition)
    assert listed[1].offline
    faults = {
        "chem=": "names no command",
        "chem='python": "Close the quotes",
        "chem=A=1": "give either command or url",
        "Chem.x=python3": "a name of a-z",
        "web=https://x.example/mcp Bearer": "'Header: value'",
    }
    for text, said in faults.items():
        with pytest.raises(BadInputError, match=said):
            parse_server(text, tmp_path)
    with pytest.raises(BadInputError, match="chem twice"):
        parse_servers(["chem=a", "chem=b"], [], tmp_path)
    with pytest.raises(BadInputError, match="no --with defines"):
        parse_servers(["documents"], ["documents"], tmp_path)


def test_variables_come_from_the_environment_and_are_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = parse_server("chem=KEY='a ${CHEM_KEY}' HOME_='${CHEM_HOME}' python3 '${PINCITE_PAPERS}'", tmp_path)
    monkeypatch.delenv("CHEM_KEY", raising=False)
    monkeypatch.setenv("CHEM_HOME", str(tmp_path))
    with pytest.raises(BadInputError, match="CHEM_KEY, which is not set"):
        server.variables()
    monkeypatch.setenv("CHEM_KEY", "/not-a-path-but-a-key")
    assert server.secrets() == ["/not-a-path-but-a-key"], "a folder of this machine is none"
    filled = server.filled(Path("/papers"))
    assert filled.env == {"KEY": "a /not-a-path-but-a-key", "HOME_": str(tmp_path)}
    assert filled.words == ["python3", "/papers"]
    assert "/not-a-path" not in server.model_dump_json()


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no-such-program"):
        parse_server("chem=no-such-program", tmp_path).check_program()
    as_text = ServerDefinition.model_validate({"name": "chem", "command": "python3 server.py"})
    with pytest.raises(BadInputError, match="list of words"):
        as_text.check_program()
    with pytest.raises(BadInputError, match="not a folder"):
        ServerDefinition(name="chem", command=["python3"], cwd=str(tmp_path / "gone")).check_program()


def test_servers_are_added_and_left_out(family: Path, tmp_path: Path) -> None:
    def settings(more: list[str], less: list[str]) -> Any:
        servers = parse_servers(more, [], tmp_path)
        specification = RunSpecification(families={"tiny": str(family)}, more_servers=servers, less=less)
        again = RunSpecification.model_validate_json(specification.model_dump_json())
        return again.load_families()[0].settings

    changed = settings(["materials", "chem=python3", "documents"], ["documents.open_paper", "chem.erase"])
    assert changed.servers == ["documents", "materials", "chem"]
    assert changed.tools["documents"].deny == ["open_paper"]
    assert changed.tools["chem"].deny == ["erase"]
    assert settings(["chem=python3"], ["documents", "chem"]).servers == []
    with pytest.raises(BadInputError, match="no task has the server figures"):
        settings([], ["figures.zoom"])
    with pytest.raises(BadInputError, match="name of one of pincite's"):
        settings(["figures=python3"], [])
    with pytest.raises(BadInputError, match="a server that does not exist: nonsense"):
        settings(["nonsense"], [])
    with_tables(family, f'name = "chem"\n{PYTHON}')
    with pytest.raises(BadInputError, match="has a server chem"):
        settings(["chem=python3"], [])


def test_a_live_server_is_refused_where_another_web_is_promised(family: Path, tmp_path: Path) -> None:
    def plan(mode: Any, offline: bool) -> int:
        servers = parse_servers(["chem=python3"], ["chem"] if offline else [], tmp_path)
        web = WebChoice(mode=mode, store=None if mode == "live" else str(tmp_path))
        specification = RunSpecification(
            families={"tiny": str(family)}, agent="nop", more_servers=servers, web=web, parameters={}
        )
        return len(specification.plan(specification.load_families()))

    for mode in ("record", "replay"):
        with pytest.raises(BadInputError, match="offline = true"):
            plan(mode, offline=False)
        assert plan(mode, offline=True) == 1
    assert plan("live", offline=False) == plan("replay-or-live", offline=False) == 1
