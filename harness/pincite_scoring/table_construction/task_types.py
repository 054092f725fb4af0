"""Task types: the eleven kinds of table that AOE asks for, in English and Chinese, as parametrised queries."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

from pincite_core.errors import NotFoundError

LANGUAGES = ("en", "zh")
ONLINE = {
    "en": "Only the names of its documents are given. Find them with the tools of the `literature` server, fetch their "
    "full texts and read these with the `documents` server.",
    "zh": "这里只给出文档的名称。请用 `literature` 服务器的工具找到它们，获取全文，并用 `documents` 服务器阅读。",
}
"""What an agent is told where documents are not given: the parameter ``where`` of an online task."""


class TaskType(BaseModel):
    """What one type asks in one language; ``query`` has placeholders like ``{subject}``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: str
    keys: list[str]
    values: list[str]
    numeric: list[str] = Field(default_factory=list)
    lists: list[str] = Field(default_factory=list)
    derived: dict[str, str] = Field(default_factory=dict)
    """Formulas of computed columns, see ``gold.GoldTable.derived``."""

    @property
    def columns(self) -> list[str]:
        """Keys, then values."""
        return [*self.keys, *self.values]

    def ask(self, **words: str) -> str:
        """The query with its placeholders filled; KeyError for one that is not given."""
        return self.query.format(**words)


@cache
def task_types() -> Mapping[str, Mapping[str, TaskType]]:
    """All types by language and name."""
    text = (files("pincite_scoring.table_construction") / "task_types.toml").read_text(encoding="utf-8")
    read = tomllib.loads(text)
    return {language: {n: TaskType.model_validate(t) for n, t in read[language].items()} for language in LANGUAGES}


def task_type(language: str, name: str) -> TaskType:
    """One type; NotFoundError with those there are."""
    types = task_types().get(language, {})
    if name not in types:
        raise NotFoundError(
            f"There is no task type {name!r} in {language!r}.",
            seen=", ".join(sorted(types)) or f"languages: {', '.join(LANGUAGES)}",
            next="Name one of these.",
        )
    return types[name]
