"""Build the records of literature_qa: ``python scripts/build_question_tasks.py [--out FILE]``.

Draws ``sources/pictures/NAME.typ`` as ``files/NAME.png``, and makes one record of every ``[[task]]`` of
``sources/tasks.toml``: options are put in their order, quotes are completed from the parsed paper or looked for in the
text of the corpus. A quote that does not stand exactly once stops the build. Needs the ``dev`` extra.
"""

import argparse
import shutil
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import orjson
import typst
from build_task_papers import EPOCH, FAMILY, TASKS

from pincite_papers.pdf.parse import parse_pdf
from pincite_papers.quoting.quotes import find_quote
from pincite_scoring.literature_qa.choices import arrange
from pincite_tasks.corpus.corpus import read_corpus

HERE = TASKS / "literature_qa"
CORPUS = "corpora/fjord"
FOUND = "No paper is given: find the study with the literature server, then read its text."
PIXELS_AN_INCH = 150


def draw_pictures() -> None:
    """Set each picture with the template of the papers."""
    with tempfile.TemporaryDirectory() as scratch:
        sources = Path(scratch)
        shutil.copyfile(FAMILY / "sources" / "template.typ", sources / "template.typ")
        for picture in sorted((HERE / "sources" / "pictures").glob("*.typ")):
            copied = Path(shutil.copy(picture, sources))
            drawn = typst.compile(
                str(copied), root=str(sources), format="png", ppi=PIXELS_AN_INCH, ignore_system_fonts=True,
                timestamp=EPOCH,
            )  # fmt: skip
            (HERE / "files" / f"{picture.stem}.png").write_bytes(drawn)


def record_of(task: dict[str, Any]) -> dict[str, Any]:
    """The line of records.jsonl."""
    parameters: dict[str, Any] = {"question": task["question"]}
    gold = {key: task[key] for key in ("kind", "answer", "accept", "tolerance", "unit", "ordered") if key in task}
    if task["kind"] == "choice":
        parameters["options"], gold["answer"] = arrange(task["id"], task["ideal"], task["distractors"])
    inputs: dict[str, Any] = {"parameters": parameters, "corpus": CORPUS}
    if "paper" in task:
        inputs["papers"] = [f"papers/{task['paper']}.pdf"]
        gold["source"] = _in_paper(task)
        gold["route"] = task.get("route", ["documents"])
    elif "work" in task:
        parameters["given"] = FOUND
        gold["source"] = _in_corpus(task)
        gold["route"] = ["literature"]
    else:
        parameters["given"] = task["given"]
        inputs["files"] = [f"files/{task['picture']}"]
    return {"task_id": task["id"], "inputs": inputs, "gold": gold, "metadata": {"title": task["question"]}}


def _in_paper(task: dict[str, Any]) -> dict[str, Any]:
    name = f"{task['paper']}.pdf"
    paper = parse_pdf((HERE / "papers" / name).read_bytes(), max_pages=20)
    match = find_quote(paper, task["quote"])
    if match.count != 1:
        raise ValueError(f"{task['id']}: the quote stands {match.count} times: {task['quote']!r}")
    told = {key: task[key] for key in ("place", "label") if key in task}
    return {"paper": name, "page": match.page, **told, "quote": paper.text[match.start : match.end]}


def _in_corpus(task: dict[str, Any]) -> dict[str, Any]:
    work = next(work for work in read_corpus(HERE / CORPUS).works if work.id == task["work"])
    text = (HERE / CORPUS / work.text).read_text(encoding="utf-8")
    if text.count(task["quote"]) != 1:
        raise ValueError(f"{task['id']}: the quote does not stand once in {work.text}")
    return {"doi": work.doi, "title": work.title, "quote": task["quote"]}


def main() -> None:
    """Write the pictures, and the records into the family's file or ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=HERE / "records.jsonl")
    out = parser.parse_args().out
    draw_pictures()
    tasks = tomllib.loads((HERE / "sources" / "tasks.toml").read_text(encoding="utf-8"))["task"]
    out.write_bytes(b"".join(orjson.dumps(record_of(task), option=orjson.OPT_APPEND_NEWLINE) for task in tasks))
    print(out)


if __name__ == "__main__":
    main()
