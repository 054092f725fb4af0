"""One entry changed in configurations as people keep them: everything else stays, to the character."""

import json
import re
import tomllib

import pytest

from pincite_harness.connecting import json_text, toml_text

ENTRY = {"command": "/bin/pincite", "args": ["serve", "read"], "env": {"PINCITE_ROOTS": "/papers"}}
JSONS = [
    "",
    "{}",
    "{ }\n",
    '{"mcpServers": {}}',
    '{"mcpServers": {"other": {"command": "x"}}}',
    '{\n  "theme": "dark", // mine\n  "mcpServers": {\n    "other": {"command": "x"}, // the other\n  },\n}\n',
    '/* top */ {\n\t"a": [1, 2.5e3, null, true, "}\\"{"],\n\t"mcpServers": {\n\t\t"other": {}\n\t}\n}',
    '{\r\n    "a": "//not a comment",\r\n    "b": {"mcpServers": 1}\r\n}\r\n',
    '\ufeff{"mcpServers": {"pincite": {"command": "old"}, "z": {}}}',
    '{"mcpServers": {"a": {}, "pincite": {"command": "old", "args": [/* none */]} /* last */ }}',
]
TOMLS = [
    "",
    'model = "m" # mine\n',
    '# top\n[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.other.env]\nA = "[mcp_servers.pincite]"\n',
    '[mcp_servers.pincite]\ncommand = "old"\n\n[mcp_servers.pincite.env]\nA = "b"\n\n[tui]\nx = 1 # mine\n',
    '[mcp_servers]\n[mcp_servers."pincite"]\ncommand = "old"\n[[more]]\na = 1\n',
]


def test_an_entry_goes_into_json_and_out_again() -> None:
    wrong: list[str] = []
    for text in JSONS:
        before = json_text.read(text).value if text.strip() else {}
        made = json_text.put(text, "mcpServers", "pincite", ENTRY)
        expected = {**before, "mcpServers": {**before.get("mcpServers", {}), "pincite": ENTRY}}
        out = json_text.take(made, "mcpServers", "pincite")
        del expected["mcpServers"]["pincite"]
        again = json_text.put(made, "mcpServers", "pincite", ENTRY)
        kept = re.findall(r"// \w.*|/\* (?:top|last) \*/", text)
        if json_text.read(out).value != expected or again != made:
            wrong.append(text)
        if not all(line in out for line in kept):
            wrong.append(f"lost a comment: {text}")
    assert not wrong


def test_the_layout_of_a_file_is_kept() -> None:
    text = '{\n\t"a": 1, // one\n\t"mcpServers": {\n\t\t"other": {} // two\n\t}\n}\n'
    made = json_text.put(text, "mcpServers", "pincite", {"x": 1})
    assert made == text.replace("{} // two", '{}, // two\n\t\t"pincite": {\n\t\t\t"x": 1\n\t\t}')
    assert json_text.take(made, "mcpServers", "pincite") == text


@pytest.mark.parametrize(
    "text", ["[]", '{"mcpServers": []}', '{"a": }', '{"a": 1} x', "{'a': 1}", '{"a" 1}', '{"a": nul}']
)
def test_what_is_no_configuration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"it|not"):
        json_text.put(text, "mcpServers", "pincite", ENTRY)


def test_an_entry_goes_into_toml_and_out_again() -> None:
    wrong: list[str] = []
    for text in TOMLS:
        before = tomllib.loads(text)
        made = toml_text.put(text, "mcp_servers", "pincite", ENTRY)
        if tomllib.loads(made) != {**before, "mcp_servers": {**before.get("mcp_servers", {}), "pincite": ENTRY}}:
            wrong.append(made)
        out = toml_text.take(made, "mcp_servers", "pincite")
        before.get("mcp_servers", {}).pop("pincite", None)
        found = tomllib.loads(out)
        if {**found, "mcp_servers": 0} != {**before, "mcp_servers": 0} or ("# mine" in text and "# mine" not in out):
            wrong.append(out)
    assert not wrong


def test_servers_in_one_line_of_toml_are_left_alone() -> None:
    for text in ('mcp_servers = { pincite = { command = "x" } }\n', 'mcp_servers.pincite.command = "x"\n'):
        with pytest.raises(ValueError, match="mcp_servers"):
            toml_text.put(text, "mcp_servers", "pincite", ENTRY)


def test_entries_are_json_that_every_client_reads() -> None:
    assert json.loads(json_text.put("", "mcpServers", "pincite", ENTRY)) == {"mcpServers": {"pincite": ENTRY}}
