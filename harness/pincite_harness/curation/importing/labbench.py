"""LAB-Bench and LABBench2: questions about the literature, from their JSON lines.

LAB-Bench (``litqa-v2-public.jsonl`` and its like): ``id, question, ideal, distractors`` with ``source`` or ``sources``,
``key-passage``, ``figure-path``, ``table-path``, ``protocol``, ``paper-title``, ``canary``. LABBench2: ``tag, id,
question`` with ``ideal`` or ``expected_output``, ``files``, ``sources``, ``prompt_suffix``, ``type``, ``difficulty``.
Both are licensed under CC BY-SA 4.0 and ask to be kept out of training data: what is imported stays with the user. Own
questions may have the same lines; ``files`` may then also be one file's name or a list of them.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.json_fields import one_or_more
from pincite_harness.curation.importing.dataset import DatasetEntry, ImportOptions
from pincite_harness.curation.importing.own_papers import to_task_id
from pincite_papers.doi import first_doi
from pincite_scoring.literature_qa.choices import UNSURE, arrange
from pincite_scoring.literature_qa.kinds import kind_of, without_thousands
from pincite_scoring.literature_qa.word_answers import normal
from pincite_tasks.task import Inputs, Parameters, Record

FOUND = "No paper is given: find the study with the literature server, then read its text."
GIVEN = "What the question is about is given below."
ELSEWHERE = {
    "patentqa": "No paper is given: find the patent with the databases server, and read it there.",
    "trialqa": "No paper is given: find the trial with the databases server, or its papers with the literature server.",
}
"""Sets whose questions rest on what another server finds, with what is then said of it."""
_DATABASES = "databases"
FOREIGN = ("cloning", "seqqa2", "dbqa2", "seqqa", "dbqa", "cloning_scenarios", "cloningscenarios")
"""Sets that ask for sequences and databases: they need validators of their own and are not questions of literature."""
_WITH_FILES = re.compile(r"(?:-pdf|-img)$|^protocolqa2?$")
_CUTOFF = re.compile(r"published before (\d{4}-\d{2}-\d{2})")
_PAPERS = (".pdf", ".xml", ".html")
_TITLE = 120
"""Characters of a task's title."""


def read_questions(source: Path, options: ImportOptions) -> Iterator[DatasetEntry]:
    """The questions of a JSONL file, or of all in a folder, in their order; files are looked for beside them and in
    ``options.papers``. Left out: other skills than reading the literature, questions without an ideal answer, and
    questions whose file is not there."""
    files = sorted(source.rglob("*.jsonl")) if source.is_dir() else [source]
    if not files:
        raise NotFoundError(f"There is no .jsonl file in {source}.", next="Check --from.")
    for path in files:
        lines = path.read_bytes().removeprefix(BOM_UTF8).splitlines()
        if source.is_dir() and not any(b'"question"' in line for line in lines[:1]):
            options.note(f"{path.name}: it holds no questions")
            continue
        for number, line in enumerate(lines, start=1):
            with options.item(f"{path}:{number}"):
                if not line.strip():
                    continue
                question = _Question(path, number, _parse(f"{path}:{number}", line), options)
                reason = question.unfit()
                if reason:
                    options.note(f"{path.name}:{number}: {question.id}: {reason}")
                    continue
                yield question.entry()


def _parse(place: str, line: bytes) -> dict[str, Any]:
    try:
        data = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadInputError(f"{place} is not JSON.", seen=str(error), next="One JSON object a line.") from error
    shape = "Give LAB-Bench's or LABBench2's own lines: id, question, and ideal or expected_output."
    if not isinstance(data, dict):
        raise BadInputError(f"{place} is not an object.", next=shape)
    fields = cast("dict[str, Any]", data)
    missing = [name for name in ("id", "question") if not isinstance(fields.get(name), str) or not fields[name]]
    if missing or not isinstance(fields.get("ideal", fields.get("expected_output")), str):
        seen = ", ".join([*missing, *([] if missing else ["ideal or expected_output"])])
        raise BadInputError(f"{place} is not a question: a text is missing.", seen=seen, next=shape)
    distractors = fields.get("distractors", [])
    if not isinstance(distractors, list) or not all(isinstance(each, str) for each in cast("list[Any]", distractors)):
        raise BadInputError(f"{place}: distractors is not a list of texts.", next=shape)
    return fields


class _Question:
    """One line and what becomes of it."""

    def __init__(self, path: Path, number: int, fields: Mapping[str, Any], options: ImportOptions) -> None:
        self._place = f"{path}:{number}"
        self._fields = fields
        self._folders = [path.parent, *([options.papers] if options.papers is not None else [])]
        self.id = str(fields["id"])
        self._tag = str(fields.get("tag") or fields.get("subtask") or path.stem.partition("-")[0]).casefold()
        self._ideal = str(fields.get("ideal", fields.get("expected_output"))).strip()
        self._files = self._attached()

    def unfit(self) -> str:
        """Why it is left out; empty where it is not."""
        if any(self._tag.startswith(tag) for tag in FOREIGN):
            return f"{self._tag} asks for sequences or databases, not for the literature"
        if not self._ideal or self._ideal == "null":
            return "it has no ideal answer"
        if self._files is None:
            return "its file is not there; give the folder with --papers"
        if normal(self._ideal) in map(normal, self._distractors):
            return "a distractor reads as the ideal answer"
        return ""

    def entry(self) -> DatasetEntry:
        """The task and its files."""
        task_id = to_task_id(self.id)
        if not task_id:
            raise BadInputError(f"{self._place}: the id {self.id!r} cannot name a task.", next="Correct the id.")
        attached = (self._files or {}).items()
        sources = {f"{'papers' if _is_paper(name) else 'files'}/{task_id}/{name}": data for name, data in attached}
        parameters: Parameters = {"question": self._question(), "given": self._given()}
        gold = self._gold(task_id, parameters)
        inputs = Inputs(
            papers=[path for path in sources if path.startswith("papers/")],
            files=[path for path in sources if path.startswith("files/")],
            parameters=parameters,
            before=_day(self._question()),
        )
        kept = {name: self._fields[name] for name in ("type", "difficulty", "canary") if self._fields.get(name)}
        title = " ".join(str(self._fields["question"]).split())[:_TITLE]
        metadata = {"title": title, "tag": self._tag, **kept}
        record = Record(task_id=task_id, inputs=inputs, gold=gold, metadata=metadata)
        return DatasetEntry(record, sources, (_DATABASES,) if self._is_elsewhere else ())

    @property
    def _is_elsewhere(self) -> bool:
        return self._tag in ELSEWHERE and not self._files

    @property
    def _distractors(self) -> list[str]:
        """Each once; the option that declines comes by itself."""
        given = [str(each).strip() for each in self._fields.get("distractors", [])]
        different = {normal(each): each for each in given if normal(each) != normal(UNSURE)}
        return list(different.values())

    def _question(self) -> str:
        suffix = str(self._fields.get("prompt_suffix") or "").strip()
        return "\n\n".join(filter(None, (str(self._fields["question"]).strip(), suffix)))

    def _given(self) -> str:
        if self._files:
            return GIVEN
        if self._is_elsewhere:
            return ELSEWHERE[self._tag]
        title = self._fields.get("paper-title")
        return f"{FOUND} It is the study {title!r} and its supplement." if title else FOUND

    def _gold(self, task_id: str, parameters: Parameters) -> dict[str, Any]:
        gold: dict[str, Any] = {"kind": kind_of(self._ideal), "answer": self._ideal}
        if self._distractors:
            options, letter = arrange(task_id, self._ideal, self._distractors)
            parameters["options"] = options
            gold = {"kind": "choice", "answer": letter}
        elif gold["kind"] == "number":
            gold["answer"] = without_thousands(self._ideal)
        source = self._source()
        if source and not self._files:
            gold |= {"source": source, "route": ["literature"]}
        if self._is_elsewhere:
            gold["route"] = [_DATABASES, "literature"] if source or self._tag == "trialqa" else [_DATABASES]
        return gold

    def _source(self) -> dict[str, str]:
        """DOI, title and passage, as far as they are told."""
        named = self._texts("sources") or self._texts("source")
        found = next((doi for each in named if (doi := first_doi(each)) is not None), "")
        told = {
            "doi": found.casefold(),
            "title": str(self._fields.get("paper-title") or ""),
            "quote": str(self._fields.get("key-passage") or ""),
        }
        return {name: value for name, value in told.items() if value} if told["doi"] or told["title"] else {}

    def _attached(self) -> dict[str, Path | bytes] | None:
        """The question's files by their names; None where it needs one that is not there."""
        if protocol := self._fields.get("protocol"):
            return {"protocol.txt": str(protocol).encode()}
        shown = self._texts("figure-path") or self._texts("table-path")
        given = [name.strip("/") for name in self._texts("files")]
        found = [self._find(name) for name in shown or given]
        if found and None not in found:
            return {path.name: path for path in found if path is not None}
        if shown or len(given) > 1:
            return None
        attached = self._folder([*given, *(Path(name).name for name in given)], self.id)
        return attached or (None if given or _WITH_FILES.search(self._tag) else {})

    def _texts(self, name: str) -> list[str]:
        """A field that is one text or a list of them."""
        given: Any = self._fields.get(name) or []
        return [str(each) for each in one_or_more(given)]

    def _find(self, name: str) -> Path | None:
        places = (_inside(folder, part) for folder in self._folders for part in (name, Path(name).name))
        return next((path for path in places if path is not None and path.is_file()), None)

    def _folder(self, names: Sequence[str], stem: str) -> dict[str, Path | bytes]:
        """The files of a folder that is called so, or the file whose stem is the question's id."""
        for folder in self._folders:
            for path in (_inside(folder, name) for name in (*names, stem)):
                if path is not None and path.is_dir():
                    return {each.name: each for each in sorted(path.iterdir()) if each.is_file()}
            if alone := sorted(path for path in folder.iterdir() if path.stem == stem and path.is_file()):
                return {path.name: path for path in alone}
        return {}


def _inside(folder: Path, name: str) -> Path | None:
    """The path of that name below ``folder``; None for one that leads out of it, whoever wrote the data set."""
    path = (folder / name).resolve()
    return path if name and path.is_relative_to(folder.resolve()) and path != folder.resolve() else None


def _day(question: str) -> date | None:
    """The day that a question names as the end of the literature; None where it names none, or no day."""
    found = _CUTOFF.search(question)
    try:
        return date.fromisoformat(found[1]) if found is not None else None
    except ValueError:
        return None


def _is_paper(name: str) -> bool:
    return name.lower().endswith(_PAPERS)
