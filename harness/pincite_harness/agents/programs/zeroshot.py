"""zeroshot: one call of the model, with the whole papers and the task's files in it, and no tools."""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from answering import AnswerFile, as_argument
from door import DoorError
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.messages import BinaryContent, ModelRequest, ModelResponse, UserContent, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition
from task_files import files_of
from thinking import ThinkingError, open_model, refusal
from whole_papers import Papers

OPTIONS = Path(__file__).with_name("options.json")
INSTRUCTIONS = """\
You have no tools and no folder. What the task has of papers and files stands below it. Where the task tells you to \
read or look with tools, do so there; where it tells you to write a file, give the answer itself."""
_TEXT_NOTE = "Each block of the text stands behind its [locator]; a quote is the text alone."
_DPI = "110"
_NAME = "answer"


def ask_for(task: Mapping[str, Any], prompt: str, answer: AnswerFile, options: Mapping[str, str]) -> list[UserContent]:
    """The one message: the task, the schema where nothing else tells it, the papers as text or pictures, the files."""
    papers = Papers(task["tools"])
    content: list[UserContent] = [prompt.strip()]
    if options.get("output", "text") == "text":
        content.append(answer.wish)
    for name in task["papers"]:
        if options.get("pages", "text") == "text":
            content.append(f"The paper {name}. {_TEXT_NOTE}\n\n{papers.text(name)}")
            continue
        for number, (data, kind) in enumerate(papers.pictures(name, int(options.get("dpi", _DPI))), start=1):
            content += [f"The paper {name}, page {number}:", BinaryContent(data, media_type=kind)]
    return content + files_of(task, pictures=options.get("pictures", "yes") == "yes")


async def ask(model: Model, content: Sequence[UserContent], parameters: ModelRequestParameters) -> ModelResponse:
    """The model's one answer; ThinkingError where it refused."""
    request = ModelRequest([UserPromptPart(content)], instructions=INSTRUCTIONS)
    async with model:
        response = await model.request([request], None, parameters)
    if refused := refusal(response):
        raise ThinkingError(refused)
    return response


def parameters_for(model: Model, schema: Mapping[str, Any], output: str) -> ModelRequestParameters:
    """Free text, or an answer held to the schema, in the way that suits the model: mostly by one tool that it must
    call, since the providers' own JSON modes each refuse other parts of JSON Schema."""
    about = "The answer to the task."
    if output == "text":
        return ModelRequestParameters()
    if model.profile.get("default_structured_output_mode") == "native":
        form = OutputObjectDefinition(json_schema=as_argument(schema), name=_NAME, description=about)
        return ModelRequestParameters(output_mode="native", output_object=form)
    tool = ToolDefinition(name=_NAME, description=about, parameters_json_schema=as_argument(schema), kind="output")
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)


def answer_of(response: ModelResponse, answer: AnswerFile, output: str) -> Any:
    """The answer; ValueError where there is none. A model that may not be made to call the tool may say it instead."""
    for call in response.tool_calls:
        return _unwrapped(call.args_as_dict(raise_if_invalid=True))
    said = answer.find(response.text or "")
    return said if output == "text" or not answer.faults(said) else _unwrapped(said)


def _unwrapped(arguments: Any) -> Any:
    try:
        return arguments["answer"]
    except (KeyError, TypeError):
        raise ValueError("the argument answer is missing") from None


def main() -> int:
    """Leave the answer where the model gave one; 1 with a line on stderr where it could not be asked."""
    try:
        task = json.loads(Path("task.json").read_text(encoding="utf-8"))
        options: dict[str, str] = json.loads(OPTIONS.read_text(encoding="utf-8"))
        answer = AnswerFile.of(task)
        content = ask_for(task, Path("prompt.md").read_text(encoding="utf-8"), answer, options)
        model, output = open_model(task, options), options.get("output", "text")
        response = asyncio.run(ask(model, content, parameters_for(model, answer.schema, output)))
    except (ThinkingError, DoorError, AgentRunError, UserError, OSError, ValueError, KeyError) as error:
        print(f"zeroshot: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    try:
        value = answer_of(response, answer, output)
    except ValueError as error:
        print(f"zeroshot: no answer ({response.finish_reason}): {error}", file=sys.stderr)
        return 0
    fitted, changes = answer.fit(value)
    answer.write(fitted)
    for change in changes:
        print(f"zeroshot: changed: {change}")
    for fault in answer.faults(fitted):
        print(f"zeroshot: {fault}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
