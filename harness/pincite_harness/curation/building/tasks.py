"""Tasks: one paper becomes records of figure_analysis and their files."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

from pincite_harness.curation.building.classify import Domain, classify, find_domain
from pincite_harness.curation.building.context import reach
from pincite_harness.curation.building.documents import Documents
from pincite_harness.curation.building.excerpt import CITED, CITING, write_excerpt
from pincite_harness.curation.building.floats import Float, find_floats, table_html
from pincite_harness.curation.building.instances import Instance, find_instances
from pincite_harness.curation.building.options import BuildOptions
from pincite_harness.curation.building.pictures import Pictures
from pincite_harness.curation.importing.own_papers import to_task_id
from pincite_papers.graph import Graph, build_graph
from pincite_papers.model import Paper
from pincite_scoring.figure_analysis.gold import shared_stretch
from pincite_scoring.judging.judge import Judge

_QUOTE_CHARS = 200
"""Characters of a caption that stands as evidence."""
_LICENCE_CHARS = 300
"""Characters of a licence in a task's metadata."""
_MARKUP = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Made:
    """The tasks of a paper: records (see ``task.Record``) and files by their path in the family; how many analyses
    were dropped, by reason."""

    records: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    dropped: Counter[str] = field(default_factory=Counter[str])


@dataclass(frozen=True, slots=True)
class _Source:
    """A paper with its graph and floats; ``drawn`` are names and bytes of each figure's pictures, by node."""

    paper: Paper
    path: Path
    stem: str
    graph: Graph
    floats: Mapping[int, Float]
    drawn: Mapping[int, Mapping[str, bytes]]
    documents: Documents


def make_tasks(
    paper: Paper,
    path: Path,
    pictures: Pictures,
    judge: Judge,
    options: BuildOptions,
    stem: str,
    documents: Documents | None = None,
) -> Made:
    """All tasks of one paper; ``stem`` begins their ids, ``documents`` are those that its context may reach into.
    UnavailableError where the judge cannot be reached."""
    graph = build_graph(paper)
    floats = find_floats(paper, graph)
    drawn = dict(_pictures(paper, path, graph, floats, pictures))
    missing = frozenset(node for node, one in floats.items() if one.kind == "figure" and node not in drawn)
    candidates = find_instances(paper, graph, floats, missing, options)
    made = Made(dropped=candidates.dropped)
    source = _Source(paper, path, stem, graph, floats, drawn, documents or Documents())
    if not candidates.kept:
        return made
    domain = find_domain(paper, judge)
    for instance in candidates.kept:
        _add(made, source, instance, judge, options, domain)
    return made


def _add(made: Made, source: _Source, instance: Instance, judge: Judge, options: BuildOptions, domain: Domain) -> None:
    """Add the task of one instance, unless its context says the words of its gold or a model finds it to be none."""
    paper, graph = source.paper, source.graph
    gold = instance.text(paper)
    reached = reach(paper, graph, [one.node for one in instance.floats], options.depth)
    own = {one.node for one in instance.floats}
    names = {node: [f"{source.stem}-{name}" for name in drawn] for node, drawn in source.drawn.items() if node in own}
    cited = source.documents.cited(paper, graph, reached, options.depth)
    known = {document.paper_id for document in cited}
    citing = [one for one in source.documents.citing(paper, options.depth) if one.paper_id not in known]
    others = {CITED: cited, CITING: citing}
    excerpt = write_excerpt(paper, graph, source.floats, reached, set(instance.nodes), names, others)
    if shared_stretch(gold, unescape(_MARKUP.sub(" ", excerpt))):
        made.dropped["whose words stand in the context too"] += 1
        return
    dimensions = classify(paper, graph, instance, judge, domain)
    if not dimensions.about:
        made.dropped["that are about something else, as the model finds"] += 1
        return
    task_id = _task_id(source.stem, instance, {record["task_id"] for record in made.records})
    files = dict(_files(source, instance))
    # Not the name of a table's file, so that a prompt does not name two things alike.
    place = f"papers/{task_id}-excerpt.html"
    made.files.update({**files, place: excerpt.encode()})
    evidence = [{"paper": Path(place).name, "quote": _cut(caption)} for caption in instance.captions(paper)]
    metadata = {
        "title": paper.title,
        "licence": paper.metadata.get("license", "")[:_LICENCE_CHARS] or "not stated",
        "source": paper.doi or source.path.name,
        "paper_id": paper.paper_id,
        "year": paper.year,
        "withheld": _withheld(paper),
        "spans": [[span.start, span.end] for span in instance.spans],
        "section": instance.section,
        "context_depth": options.depth,
        "context_documents": [document.title for document in cited],
        "context_citing": [document.title for document in citing],
        "dimensions": dimensions.to_json(),
    }
    parameters = {"query": _query(instance), "words": f"{options.least_words} to {options.most_words}"}
    inputs = {"papers": [place], "files": sorted(files), "parameters": parameters}
    gold_record = {"analysis": gold, "evidence": evidence}
    made.records.append({"task_id": task_id, "inputs": inputs, "gold": gold_record, "metadata": metadata})


def _withheld(paper: Paper) -> list[str]:
    """The paper's names, by which the literature hides it from who is to write what it says."""
    names = (paper.doi, paper.metadata.get("arxiv"), paper.title, paper.paper_id)
    return [name for name in names if name]


def _pictures(
    paper: Paper, path: Path, graph: Graph, floats: Mapping[int, Float], pictures: Pictures
) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Names and bytes of the pictures of every figure that the text names and that has all of them, by node."""
    for node, one in floats.items():
        found = pictures.of(paper, path, one.index) if one.kind == "figure" and graph.incoming.get(node) else []
        names = [one.slug] if len(found) == 1 else [f"{one.slug}-part-{part}" for part in range(1, len(found) + 1)]
        if found:
            yield node, {name + suffix: data for name, (suffix, data) in zip(names, found, strict=True)}


def _files(source: _Source, instance: Instance) -> Iterator[tuple[str, bytes]]:
    """The files of a task by their path in the family: pictures of figures, tables as HTML."""
    for one in instance.floats:
        if one.kind == "figure":
            yield from ((f"files/{source.stem}-{name}", data) for name, data in source.drawn[one.node].items())
        else:
            # Without its caption, which stands in the paper: a file shall hold nothing of the gold, its quotes neither.
            yield f"files/{source.stem}-{one.slug}.html", table_html(source.paper.tables[one.index]).encode()


def _query(instance: Instance) -> str:
    labels = [one.label.rstrip(".:") for one in _ordered(instance)]
    named = labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"
    where = f', as it stands in the section "{instance.section}"' if instance.section else ""
    joint = "joint " if len(labels) > 1 else ""
    return f"Write the {joint}analysis of {named}{where}."


def _ordered(instance: Instance) -> list[Float]:
    """The floats of an instance, figures first."""
    return sorted(instance.floats, key=lambda one: (one.kind, one.index))


def _task_id(stem: str, instance: Instance, taken: set[str]) -> str:
    """The paper's name and the floats', numbered where the paper has several analyses of them."""
    base = to_task_id(f"{stem}-{'-'.join(one.slug for one in _ordered(instance))}")
    number, task_id = 1, base
    while task_id in taken:
        number += 1
        task_id = f"{base}-{number}"
    return task_id


def _cut(caption: str) -> str:
    """The beginning of a caption, cut between words."""
    return caption if len(caption) <= _QUOTE_CHARS else caption[:_QUOTE_CHARS].rsplit(None, 1)[0]
