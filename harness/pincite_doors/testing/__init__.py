"""A scripted model: test an agent without a model.

``ScriptedModel`` is a server on the loopback that speaks Anthropic Messages, OpenAI Responses, OpenAI Chat Completions
and Gemini generateContent, streamed or not, and plays a script of turns. The script names no client and no API::

    from pincite_doors.testing import ScriptedModel, call, fail, say, think, write

    script = [
        [think("First the paper."), call("documents.open_paper", path="a.pdf")],  # one turn
        [fail(429, headers={"retry-after": "0"}), call("figures.list_figures", path="a.pdf")],
        write("answer.json", '{"properties": []}'),  # by the client's own shell
        say("Done."),
    ]
    with ScriptedModel(script) as model:
        run_my_agent(base_url=model.url)  # OpenAI clients: model.url + "/v1"
    assert model.left == 0 and not model.troubles
    assert "oxygen" in model.turns[1].last

- Turns: ``say``, ``think``, ``call`` (several in a turn are parallel), ``shell`` and ``write`` (the client's own shell
  tool, found among the tools that it offers), ``refuse``; ``turn(..., usage=Usage(9_000_000, 5), stop="length")`` for
  token counts and other ends; a function of the ``Request`` where a turn depends on what came before.
- Faults, before the pieces of a turn; each spoils ``times`` requests (None: all), then the turn is played: ``fail``
  (a status), ``overflow`` (the context is full), ``hang``, ``drip`` (a byte now and then), ``cut`` (the connection
  breaks after so many bytes), ``drop`` (before the first), ``garble`` (broken JSON), ``stumble`` (an error told inside
  a stream).
  ``slow(first=, between=)`` delays a turn.
- Side requests of a client (titles, summaries: requests without tools in a conversation that has some) get a harmless
  answer and play no turn; token counts and lists of models likewise. ``others=[(asks("Count the words"), script), …]``
  gives conversations of their own to sub-agents and summaries: the first whose question says yes to a ``Request``.
- ``cast={"reader": page_reader, "editor": [say("…")], "judge/a": …}`` plays the roles of a program that labels its
  requests (``x-pincite-label``): by role or ``role/id``, each a script or a function of the ``Request``, whose
  ``label`` has id and step. A role without a member, or one that is asked more often than its script says, is told in
  ``troubles`` and to the client. In a trial the door takes labels off; ``PINCITE_PASS_LABELS=yes`` lets them pass.
- ``model.requests`` holds every ``Request`` with its kind, texts, tools, results, the turn it played, the fault it met,
  the usage told, and whether the client left; ``model.wait_for(condition)`` waits for them; ``model.usage`` is the sum.
- ``python -m pincite_doors.testing SCRIPT.json`` plays a script for any program (see ``script_file``).
"""

from pincite_doors.testing.cast import Cast
from pincite_doors.testing.faults import cut, drip, drop, fail, garble, hang, overflow, slow, stumble
from pincite_doors.testing.request import Request
from pincite_doors.testing.script import Script, Turn, call, call_unknown, refuse, say, shell, think, turn, write
from pincite_doors.testing.server import ScriptedModel
from pincite_doors.testing.stage import asks
from pincite_models.dialects.model import Usage

__all__ = [
    "Cast",
    "Request",
    "Script",
    "ScriptedModel",
    "Turn",
    "Usage",
    "asks",
    "call",
    "call_unknown",
    "cut",
    "drip",
    "drop",
    "fail",
    "garble",
    "hang",
    "overflow",
    "refuse",
    "say",
    "shell",
    "slow",
    "stumble",
    "think",
    "turn",
    "write",
]
