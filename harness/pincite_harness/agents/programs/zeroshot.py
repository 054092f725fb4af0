"""zeroshot: one call of the model, with the whole papers and the task's files in it, and no tools.

``pages=each`` makes it one call a page, ``context=parts`` several calls over parts of the documents (``parting``).
"""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from answering import AnswerFile, as_argument
from context_fit import fit_documents, record, tokens, window_of
from door import DoorError
from paging import ask_each, merged
from prompting import is_own, prompt_of
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.messages import BinaryContent, ModelRequest, ModelResponse, UserContent, UserPromptPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.native_tools import AbstractNativeTool, WebSearchTool
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition
from task_files import files_of
from thinking import ThinkingError, open_model, refusal
from whole_papers import PDFS, Papers

OPTIONS = Path(__file__).with_name("options.json")
INSTRUCTIONS = """\
You have no tools and no folder. What the task has of papers and files stands below it. Where the task tells you to \
read or look with tools, do so there; where it tells you to write a file, give the answer itself."""
SEARCHING = """\
You can search the web, and have no other tool and no folder. What the task has of papers and files stands below it. \
Where the task tells you to read or look with tools, do so there or on the web; where it tells you to write a file, \
give the answer itself."""
TEXT_NOTE = "Each block of the text stands behind its [locator]; a quote is the text alone."
_DPI = "110"
_NAME = "answer"


def ask_for(
    task: Mapping[str, Any], prompt: str, answer: AnswerFile, options: Mapping[str, str], known: int | None = None
) -> list[UserContent]:
    """The one message: the task, the schema where nothing else tells it, the papers as text, as pictures or as files,
    the task's files. Texts are fitted by the option ``context`` into the model's context (``known`` tokens)."""
    opening: list[UserContent] = [prompt_of(task, prompt, options)]
    if options.get("output", "text") == "text" and not is_own(options):
        opening.append(answer.wish)
    files = files_of(task, pictures=options.get("pictures", "yes") == "yes")
    kind = options.get("pages", "text")
    if kind in ("text", "each"):
        papers = Papers(task["tools"])
        texts = [(name, papers.text(name)) for name in task["papers"]]
        return [*opening, *fitted(texts, [*opening, *files], options, known), *files]
    if kind == "pdf":
        return [*opening, *_as_files(task["papers"]), *files]
    return [*opening, *_as_pictures(task, int(options.get("dpi", _DPI))), *files]


def fitted(
    texts: Sequence[tuple[str, str]], others: Sequence[UserContent], options: Mapping[str, str], known: int | None
) -> list[UserContent]:
    """The documents as the policy shows them beside the ``others``, which is noted for the trial's record."""
    policy = options.get("context", "whole")
    window = window_of(known, options, policy)
    heads = [f"The paper {name}. {TEXT_NOTE}\n\n" for name, _ in texts]
    before = "\n\n".join([*(part for part in others if isinstance(part, str)), *heads])
    shown = fit_documents(texts, before, window, policy)
    record(shown, policy, window, before)
    for each in shown:
        print(f"{each.name}: {each.tokens} of {each.of} tokens are shown", flush=True)
    return [f"{head}{each.text}" for head, each in zip(heads, shown, strict=True)]


async def ask(
    model: Model, content: Sequence[UserContent], parameters: ModelRequestParameters, instructions: str = INSTRUCTIONS
) -> ModelResponse:
    """The model's one answer; ThinkingError where it refused."""
    request = ModelRequest([UserPromptPart(content)], instructions=instructions)
    response = await model.request([request], None, parameters)
    if refused := refusal(response):
        raise ThinkingError(refused)
    return response


def parameters_for(model: Model, schema: Mapping[str, Any], output: str, search: str = "off") -> ModelRequestParameters:
    """Free text, or an answer held to the schema, in the way that suits the model: mostly by one tool that it must
    call, since the providers' own JSON modes each refuse other parts of JSON Schema. With ``search=hosted`` the
    provider's own search is open."""
    about = "The answer to the task."
    native: list[AbstractNativeTool] = [WebSearchTool()] if search == "hosted" else []
    if output == "text":
        return ModelRequestParameters(native_tools=native)
    if model.profile.get("default_structured_output_mode") == "native":
        form = OutputObjectDefinition(json_schema=as_argument(schema), name=_NAME, description=about)
        return ModelRequestParameters(output_mode="native", output_object=form, native_tools=native)
    tool = ToolDefinition(name=_NAME, description=about, parameters_json_schema=as_argument(schema), kind="output")
    return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False, native_tools=native)


def answer_of(response: ModelResponse, answer: AnswerFile, output: str) -> Any:
    """The answer; ValueError where there is none. A model that may not be made to call the tool may say it instead."""
    for call in response.tool_calls:
        return _unwrapped(call.args_as_dict(raise_if_invalid=True))
    said = answer.find(response.text or "")
    return said if output == "text" or not answer.faults(said) else _unwrapped(said)


def leave(value: Any, answer: AnswerFile, name: str) -> None:
    """Write the answer, repaired where that loses nothing, and say what was changed and what does not fit."""
    found, changes = answer.fit(value)
    answer.write(found)
    for change in changes:
        print(f"{name}: changed: {change}")
    for fault in answer.faults(found):
        print(f"{name}: {fault}", file=sys.stderr)


def _unwrapped(arguments: Any) -> Any:
    try:
        return arguments["answer"]
    except (KeyError, TypeError):
        raise ValueError("the argument answer is missing") from None


def _as_files(names: Sequence[str]) -> list[UserContent]:
    """Each paper as a file of its own; ValueError for one that is not a PDF."""
    content: list[UserContent] = []
    for name in names:
        data = (PDFS / name).read_bytes()
        if not data.startswith(b"%PDF"):
            raise ValueError(f"pages=pdf gives papers as PDF files, and {name} is none; pages=text gives any")
        content += [f"The paper {name}:", BinaryContent(data, media_type="application/pdf")]
    return content


def _as_pictures(task: Mapping[str, Any], dpi: int) -> list[UserContent]:
    papers = Papers(task["tools"])
    content: list[UserContent] = []
    for name in task["papers"]:
        for number, (data, kind) in enumerate(papers.pictures(name, dpi), start=1):
            content += [f"The paper {name}, page {number}:", BinaryContent(data, media_type=kind)]
    return content


async def _answer(
    model: Model, content: Sequence[UserContent], task: Mapping[str, Any], answer: AnswerFile,
    options: Mapping[str, str],
) -> Any:  # fmt: skip
    """One answer of the model, or the union of one a page; ValueError where there is none."""
    output, search = options.get("output", "text"), options.get("search", "off")
    parameters = parameters_for(model, answer.schema, output, search)
    instructions = SEARCHING if search == "hosted" else INSTRUCTIONS

    async def once(parts: Sequence[UserContent]) -> Any:
        response = await ask(model, parts, parameters, instructions)
        try:
            return answer_of(response, answer, output)
        except ValueError as error:
            raise ValueError(f"no answer ({response.finish_reason}): {error}") from error

    async with model:
        if options.get("pages") != "each":
            return await once(content)
        pages = [(name, Papers(task["tools"]).pages(name)) for name in task["papers"]]
        return merged(await ask_each(once, content, pages))


def main() -> int:
    """Leave the answer where the model gave one; 1 with a line on stderr where it could not be asked."""
    try:
        task = json.loads(Path("task.json").read_text(encoding="utf-8"))
        options: dict[str, str] = json.loads(OPTIONS.read_text(encoding="utf-8"))
        if options.get("context") == "parts":
            from parting import main as main_of_parts  # the kernel of crews: only here

            return main_of_parts(OPTIONS)
        answer = AnswerFile.of(task)
        model = open_model(task, options)
        content = ask_for(task, Path("prompt.md").read_text(encoding="utf-8"), answer, options, model.context_window)
        print(f"the prompt has about {sum(tokens(part) for part in content if isinstance(part, str))} tokens")
    except (ThinkingError, DoorError, UserError, OSError, ValueError, KeyError) as error:
        print(f"zeroshot: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    try:
        value = asyncio.run(_answer(model, content, task, answer, options))
    except ValueError as error:
        print(f"zeroshot: {error}", file=sys.stderr)
        return 0
    except (ThinkingError, DoorError, AgentRunError, UserError, OSError, KeyError) as error:
        print(f"zeroshot: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    leave(value, answer, "zeroshot")
    return 0


if __name__ == "__main__":
    sys.exit(main())
