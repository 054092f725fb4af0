"""work: tools, one call a turn, and a last turn that can only answer."""

from typing import Any

from pydantic import BaseModel

from pincite_doors.testing import call


class Found(BaseModel):
    value: str


def test_a_role_makes_one_call_a_turn_and_answers_in_its_last(crew: Any, program: Any, rig: Any, lines: Any) -> None:
    work, make_tool = program("crew.loop").work, program("toolbox").make_tool
    seen: list[str] = []

    async def look(**given: Any) -> str:
        seen.append(given["word"])
        if given["word"] == "bad":
            raise ValueError("no such word")
        return f"{given['word']}: 92 K"

    schema = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
    toolbox = [make_tool(look, f"mcp__{name}", "Looks.", schema) for name in ("paper__look", "web__search")]
    role = crew.Role("expert", "Find it.", Found, tools=("paper.*",))
    script = [
        [call("mcp__paper__look", word="Tc"), call("mcp__paper__look", word="never")],
        call("mcp__paper__look", word="bad"),
        call("answer", value="92 K"),
    ]
    with rig(script) as made:
        said = made.run(lambda c: work(c, role, ["Tc?"], toolbox, who="e", turns=3, one_call=True))
    assert (said.value, said.calls, seen) == (Found(value="92 K"), 3, ["Tc", "bad"])
    first, second, last = made.model.requests
    assert {tool.name for tool in first.tools} == {"mcp__paper__look", "answer"}
    assert [tool.name for tool in last.tools] == ["answer"]
    assert any("Not made: one call a turn" in text for text in second.results)
    assert "No call is left" in last.last
    outcomes = [event["outcome"] for event in lines() if event["kind"] == "Called"]
    assert outcomes == ["ok", "skipped", "error"]
