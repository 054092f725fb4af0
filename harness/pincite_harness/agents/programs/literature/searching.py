"""Searching: search_papers with its selector, and search_passages with its reranker, as the orchestrator calls them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from crew import Crew, Data

from . import roles
from .asking import Asking
from .bench import Bench, as_json
from .events import Chosen, Queued, Retrieved, Scored, Selected
from .outputs import Score
from .queue import level_of
from .settings import Settings
from .shelf import Shelf, digits_of

DEFAULT_K = 5
"""Passages of a search that the orchestrator is shown where it asks for no number, as in the library's tool."""
MOST_CHARS = 40_000
"""Characters of one search's answer: enough for its candidates whole, within the bounds of the tool."""
_FIGURE = re.compile(r"\b(?:Fig(?:ure|s|ures)?\.?)\s*(S?\d{1,3})", re.IGNORECASE)
_SHOWN_ABSTRACT = 1500
"""Characters of an abstract that the selector reads: longer than nearly all abstracts are."""


class Searching:
    """The two searches of one trial."""

    def __init__(self, crew: Crew, asking: Asking, settings: Settings, bench: Bench, shelf: Shelf, task: str) -> None:
        self.crew = crew
        self.asking = asking
        self.settings = settings
        self.bench = bench
        self.shelf = shelf
        self.task = task
        self._asked = 0

    async def papers(self, **arguments: Any) -> str:
        """search_papers: its works with ids, those that the selector took marked."""
        found = dict(await self.bench.data("search_papers", **arguments))
        works = cast("list[dict[str, Any]]", found["works"])
        ids = self.shelf.note_works(works)
        shown = [{"id": name, **self._without_abstract(work)} for name, work in zip(ids, works, strict=True)]
        chosen, by = await self._selected(str(arguments.get("query", "")), shown)
        self.crew.state.emit(Selected(query=str(arguments.get("query", "")), works=len(works), chosen=chosen, by=by))
        selected = [{"id": each.id, "why": each.why} for each in chosen]
        return as_json({**found, "works": shown, "selected": selected})

    async def passages(self, **arguments: Any) -> str:
        """search_passages: the best of the candidates, scored where that is on, and their figures queued."""
        wanted = int(arguments.get("k") or DEFAULT_K)
        query = str(arguments.get("query", ""))
        pool = max(wanted, self.settings.candidates) if self.settings.scores else wanted
        room = max(int(arguments.get("max_chars") or 0), MOST_CHARS)
        found = dict(await self.bench.data("search_passages", **{**arguments, "k": min(pool, 50), "max_chars": room}))
        passages = [dict(each) for each in cast("list[dict[str, Any]]", found["passages"])]
        if self.settings.rerank == "off":
            passages.sort(key=lambda each: -float(each.get("score", 0)))
        by = await self._score(query, passages)
        self._note(query, passages, by)
        if self.shelf.bench.has("list_papers") and any(
            digits_of(str(each["locator"])) not in self.shelf.stock for each in passages
        ):
            await self.shelf.restock()
        self._queue(passages)
        return as_json({**found, "passages": passages[:wanted], "scored_by": by})

    async def _selected(self, query: str, works: Sequence[Mapping[str, Any]]) -> tuple[list[Chosen], str]:
        if not works or not self.settings.papers:
            return [], "order"
        self._asked += 1
        parts = [f"# The task\n\n{self.task}", f"# The search\n\n{query}", Data(as_json(_cut(works)), "works found")]
        asking = self.crew.ask(
            roles.selector(self.settings),
            parts,
            who=f"s{self._asked}",
            step="select",
            slots={"papers": self.settings.papers},
            parent="orchestrator/orchestrator",
        )
        said, _ = await self.asking.attempt("selector", asking)
        titles = {str(work["id"]): str(work.get("title", "")) for work in works}
        if said is None or said.value is None:
            first = list(titles)[: self.settings.papers]
            return [Chosen(id=name, title=titles[name], why="first of the search") for name in first], "order"
        picks = {pick.id: pick for pick in said.value.chosen if pick.id in titles}
        chosen = [Chosen(id=name, title=titles[name], why=pick.why) for name, pick in picks.items()]
        return chosen[: self.settings.papers], "selector"

    async def _score(self, query: str, passages: list[dict[str, Any]]) -> str:
        """Give passages their two scores and put the best first; who gave them: the server's judge, the reranker, or
        nobody."""
        if not self.settings.scores:
            for each in passages:
                each.pop("answers", None)
                each.pop("look_at_figure", None)
            return "nobody"
        if not passages or any("answers" in each for each in passages):
            return "server" if passages else "nobody"
        scores = await self._reranked(query, passages)
        if not scores:
            return "nobody"
        for number, each in enumerate(passages, start=1):
            each["answers"], each["look_at_figure"] = scores[number].answers, scores[number].figure
        passages.sort(key=lambda each: -max(each["answers"], each["look_at_figure"]))
        return "reranker"

    async def _reranked(self, query: str, passages: Sequence[Mapping[str, Any]]) -> Mapping[int, Score]:
        """The scores by the passages' numbers; empty where not every passage has one."""
        self._asked += 1
        numbered = [
            {"passage": number, "kind": each["kind"], "label": each.get("label", ""), "text": each["text"]}
            for number, each in enumerate(passages, start=1)
        ]
        parts = [f"# The question\n\n{query}", Data(as_json(numbered), "passages of papers")]
        role = roles.reranker(self.settings)
        asking = self.crew.ask(role, parts, who=f"r{self._asked}", step="rerank", parent="orchestrator/orchestrator")
        said, _ = await self.asking.attempt("reranker", asking)
        if said is None or said.value is None:
            return {}
        scores = {score.passage: score for score in said.value.scores}
        return scores if set(range(1, len(passages) + 1)) <= set(scores) else {}

    def _note(self, query: str, passages: Sequence[Mapping[str, Any]], by: str) -> None:
        scored = [
            Scored(
                locator=str(each["locator"]),
                kind=str(each["kind"]),
                answers=each.get("answers"),
                figure=each.get("look_at_figure"),
            )
            for each in passages
        ]
        self.shelf.note_passages(scored)
        self.crew.state.emit(Retrieved(query=query, passages=scored, by=by))

    def _queue(self, passages: Sequence[Mapping[str, Any]]) -> None:
        """Put the figures that passages show or name into the queue; a passage that names none has none to look at."""
        if not self.settings.inspect:
            return
        for each in passages:
            figure, score = figure_of(each), int(each.get("look_at_figure") or 0)
            if not figure or not score:
                continue
            locator = str(each["locator"])
            event = Queued(
                paper=self.shelf.name_of(locator),
                figure=figure,
                score=score,
                level=level_of(score),
                locator=locator,
            )
            self.crew.state.emit(event)

    def _without_abstract(self, work: Mapping[str, Any]) -> dict[str, Any]:
        hidden = () if self.settings.abstracts else ("abstract",)
        return {name: value for name, value in work.items() if name not in hidden}


def figure_of(passage: Mapping[str, Any]) -> str:
    """The label of the figure that a passage shows, or the first one that its text names; empty for none."""
    if passage["kind"] == "figure":
        return str(passage.get("label") or "")
    named = _FIGURE.search(str(passage["text"]))
    return f"Fig. {named[1]}" if named is not None else ""


def _cut(works: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**work, "abstract": str(work.get("abstract") or "")[:_SHOWN_ABSTRACT]} for work in works]
