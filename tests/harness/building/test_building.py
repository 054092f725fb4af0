"""A folder of papers becomes tasks: what is taken, what the agent is given, what is kept when a build is stopped."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest
from PIL import Image
from typer.testing import CliRunner

from pincite_core.errors import BadInputError, UnavailableError
from pincite_harness.cli.tasks import app
from pincite_harness.curation.building.build import Builder
from pincite_harness.curation.building.collect import find_papers, refuse
from pincite_harness.curation.building.context import reach
from pincite_harness.curation.building.excerpt import CITED, CITING
from pincite_harness.curation.building.floats import find_floats
from pincite_harness.curation.building.options import BuildOptions
from pincite_harness.curation.building.quotas import Quota
from pincite_harness.curation.building.work import Result, Work
from pincite_papers.graph import build_graph
from pincite_papers.opening.source import parse_source
from pincite_scoring.judging.judge import Question, RuleJudge, Verdict
from pincite_tasks.catalog import Catalog
from pincite_tasks.corpus.corpus import read_corpus
from pincite_tasks.corpus.server import CorpusServer


def records_of(out: Path) -> dict[str, Any]:
    lines = (out / "figure_analysis" / "records.jsonl").read_text("utf-8").splitlines()
    return {record["task_id"]: record for record in map(json.loads, lines)}


def place(tmp_path: Path, articles: ModuleType, name: str = "glass", **article: Any) -> None:
    (tmp_path / "papers" / f"{name}.xml").write_bytes(articles.article(**article))
    (tmp_path / "papers" / "glass_1.png").write_bytes(articles.png())


def test_an_article_becomes_a_task_for_each_analysis(make: Any, articles: ModuleType) -> None:
    made = make(articles.article(), articles.png())
    table, figure = made.records
    assert (table["task_id"], figure["task_id"]) == ("glass-table-1", "glass-figure-1")
    assert table["gold"]["analysis"].startswith("Table 1 shows that the conductivity")
    assert table["inputs"]["parameters"]["query"] == (
        'Write the analysis of Table 1, as it stands in the section "3 Results".'
    )
    assert table["inputs"]["files"] == ["files/glass-table-1.html"]
    assert figure["inputs"]["files"] == ["files/glass-figure-1.png"]
    assert made.files["files/glass-figure-1.png"] == articles.png()
    assert b"<th>doped</th>" in made.files["files/glass-table-1.html"]
    assert table["gold"]["evidence"] == [
        {"paper": "glass-table-1-excerpt.html", "quote": "Table 1. Conductivity of the glasses in S/m."}
    ]
    assert b"Conductivity of" not in made.files["files/glass-table-1.html"]  # a file holds nothing of the gold
    assert dict(made.dropped) == {"shorter than the least words": 2}
    assert table["metadata"]["licence"] == "http://creativecommons.org/licenses/by/4.0/"


def test_the_excerpt_has_the_context_and_not_the_gold(make: Any, articles: ModuleType) -> None:
    texts: list[str] = []
    for depth in (2, 3):
        excerpt = make(articles.article(), articles.png(), depth=depth).files["papers/glass-figure-1-excerpt.html"]
        paper = parse_source(excerpt, max_pages=10)
        texts.append(paper.text)
    assert paper.title == "Carriers in a doped glass"
    assert [figure.label for figure in parse_source(excerpt, max_pages=10).figures][:1] == ["Fig. 1"]
    for text in texts:
        assert "part near 400 K" not in text
        assert "is of no use as an analysis" in text  # one step away: it names the figure
        assert "We measured glasses" in text
        assert "Bonds in glass. 2019." in text  # what the analysis cites
    # three steps away: figure, analysis, Section 2, its paragraph
    assert ["four contacts with a current" in text for text in texts] == [False, True]


def test_the_excerpt_names_no_picture_that_the_agent_has_not(make: Any, articles: ModuleType) -> None:
    results = [articles.TABLE_ANALYSIS, "Table 1 and Fig. 1 agree.", articles.FIGURE_ANALYSIS]
    files = make(articles.article(results), articles.png()).files
    assert b'src="glass-figure-1.png"' in files["papers/glass-figure-1-excerpt.html"]
    assert b"Conductivity over temperature." in files["papers/glass-table-1-excerpt.html"]
    assert b"<img" not in files["papers/glass-table-1-excerpt.html"]


def test_the_search_goes_breadth_first_in_both_directions(articles: ModuleType) -> None:
    paper = parse_source(articles.article(), max_pages=10)
    graph = build_graph(paper)
    figure = next(node for node, one in find_floats(paper, graph).items() if one.label == "Fig. 1")

    def reached(depth: int) -> dict[str, int]:
        found = reach(paper, graph, [figure], depth)
        spans = {node: graph.nodes[node].span for node in found}
        return {paper.text[span.start : span.end][:14]: found[node] for node, span in spans.items() if span}

    assert reached(0) == {"Fig. 1. Conduc": 0}
    assert reached(1) == {"Fig. 1. Conduc": 0, "The curves of ": 1, "A shorter rema": 1}
    assert reached(2) == reached(1) | {"2 Method": 2}
    assert reached(3) == reached(2) | {"Bridges were r": 3}
    assert reached(4) == reached(3) | {"Fig. 2. The br": 4}
    assert reached(9) == reached(4)


def test_dimensions_by_rule_and_by_a_model(make: Any, articles: ModuleType) -> None:
    review = articles.article(subject="Clinical medicine", title="Glass: a review")
    table, figure = (record["metadata"]["dimensions"] for record in make(review, articles.png()).records)
    assert (table["type"], figure["type"]) == ("table", "figure")
    assert (table["width"], figure["width"]) == ("self-contained", "mixed")
    assert table.items() >= {
        "domain": "Biomedicine", "format": "xml", "source": "review", "depth": "unknown", "objective": "unknown"
    }.items()  # fmt: skip
    assert (table["coverage"], figure["coverage"], table["field"]) == ("single table", "single figure", "unknown")
    assert [table["decided_by"][name] for name in ("depth", "field")] == ["only a model can decide this"] * 2
    fields = [record["metadata"]["dimensions"] for record in make(review, articles.png(), Scripted()).records]
    assert {(one["field"], one["decided_by"]["domain"], one["decided_by"]["field"]) for one in fields} == {
        ("Oncology", "rule", "scripted/1")
    }
    by_model = make(articles.article(), articles.png(), Scripted()).records[0]["metadata"]["dimensions"]
    assert [by_model[name] for name in ("domain", "source", "depth", "objective")] == [
        "Physics", "general research", "in-depth", "experiment"
    ]  # fmt: skip
    assert by_model["decided_by"] == {
        **dict.fromkeys(("type", "format", "source", "width", "field", "coverage"), "rule"),
        **dict.fromkeys(("domain", "depth", "objective"), "scripted/1"),
    }


class Scripted:
    """A judge that always says the same."""

    name = "scripted/1"
    labels: ClassVar = {
        "about": "yes", "depth": "in-depth", "objective": "experiment", "domain": "Physics", "field": "Oncology"
    }  # fmt: skip

    def decide(self, question: Question) -> Verdict:
        return Verdict({item.name: self.labels[item.name] for item in question.rubric.items}, self.name)


class Elsewhere(Scripted):
    """The same judge, which finds that texts of Table 1 are about something else; it keeps what it was shown of one."""

    def decide(self, question: Question) -> Verdict:
        verdict = super().decide(question)
        if "Table 1" not in question.subject.get("tables and figures", ""):
            return verdict
        self.shown = question.subject
        return Verdict({**verdict.labels, "about": "no"}, self.name)


class Silent(Scripted):
    """The same judge while its model cannot be reached."""

    def decide(self, question: Question) -> Verdict:
        raise UnavailableError("The judge does not answer.", next="Try later.")


LONG = " ".join(["It goes on and on, as prose does."] * 60)
PASSING = " ".join(["The furnace was built in the year before the study began."] * 7)


@pytest.mark.parametrize(
    ("results", "reason"),
    [
        (["Table 1 is short. It says little."], "shorter than the least words"),
        ([f"Table 1 is long. {LONG}"], "longer than the most words"),
        (["Table 1 " + "and more of the same kind of thing " * 10 + "ends."], "of one sentence only"),
        (["Fig. 2 is away. " + "It is drawn by hand on paper. " * 10], "about a figure whose picture is not there"),
        ([f"{PASSING} It is in Table 1 with others. {PASSING}"], "that name their tables and figures in passing"),
        (["Table 1 says a lot. " + "It is 0.12 + 0.48 = 0.60 > 0.31. " * 12], "of formulas or data rather than prose"),
        (["Table 1 shows a rise. " + "It is seen in all of the study " * 9], "that end in the middle of a sentence"),
        (["where Table 1 has it. " + "It is seen in all rows. " * 12], "that begin in the middle of a sentence"),
        (["Table 1 shows a rise. " + "It is seen in all rows. " * 12] * 2, ""),
        (["Table 1 and Fig. 1 and Table 2 agree. " + "They do so in all rows. " * 12], ""),
    ],
)  # fmt: skip
def test_what_makes_no_task(make: Any, articles: ModuleType, results: list[str], reason: str) -> None:
    made = make(articles.article(results), articles.png())
    assert (reason in made.dropped) == bool(reason)
    assert bool(made.records) != bool(reason)


@pytest.mark.parametrize(
    ("section", "text", "kept"),
    [
        ("Materials and methods", "All melts of the series are the same (Table 1). ", False),
        ("Experimental", "What was weighed in can be found in Table 1 of this work. ", False),
        ("Materials and methods", "As listed in Table 1, all melts are the same. ", True),
        ("Results", "All melts of the series are the same (Table 1). ", True),
    ],
)
def test_methods_that_point_to_a_table_are_no_analysis(
    make: Any, articles: ModuleType, section: str, text: str, kept: bool
) -> None:
    article = articles.article([text + "They were drawn in argon and cooled. " * 12])
    made = make(article.replace(b"<title>Results</title>", f"<title>{section}</title>".encode()), articles.png())
    assert bool(made.records) == kept
    assert bool(made.dropped["of methods that only point to their tables and figures"]) != kept


def test_a_model_finds_what_is_no_analysis(make: Any, articles: ModuleType) -> None:
    judge = Elsewhere()
    made = make(articles.article(), articles.png(), judge)
    assert [record["task_id"] for record in made.records] == ["glass-figure-1"]
    assert made.dropped["that are about something else, as the model finds"] == 1
    assert judge.shown["tables and figures"] == "Table 1. Conductivity of the glasses in S/m."


def test_of_two_analyses_of_one_table_the_fuller_one_counts(make: Any, articles: ModuleType) -> None:
    once = "Table 1 shows a rise. " + "It is seen in all rows of it. " * 10
    twice = "Table 1 shows a fall. Again Table 1 shows it. " + "It is seen in every row of it. " * 10
    made = make(articles.article([once, "Nothing is named here.", twice]), articles.png())
    (record,) = made.records
    assert record["gold"]["analysis"].startswith("Table 1 shows a fall")
    assert made.dropped["of tables and figures that a fuller one is about"] == 1
    excerpt = made.files["papers/glass-table-1-excerpt.html"]
    assert b"shows a rise" in excerpt
    assert b"shows a fall" not in excerpt


def test_an_analysis_that_the_abstract_repeats_is_left_out(make: Any, articles: ModuleType) -> None:
    said = "We measured glasses between 300 and 500 K with four contacts in one week of the year."
    body = articles.article([f"{articles.TABLE_ANALYSIS} {said}"])
    made = make(body.replace(b"We measured glasses between 300 and 500 K.", said.encode()), articles.png())
    assert not made.records
    assert made.dropped["whose words stand in the context too"] == 1


@pytest.mark.parametrize(
    ("article", "options", "reason"),
    [
        ({"kind": "correction"}, {}, "of the type correction"),
        ({"filler": "Short."}, {}, "characters of text"),
        ({"filler": "Die Proben dieser Reihe wurden gemeinsam hergestellt und vermessen. " * 90}, {}, "not in English"),
        ({"rows": 1000}, {}, ""),
        ({}, {"licences": ("cc0", "publicdomain")}, "licence is not among those wanted"),
        ({}, {"licences": ("licenses/by/",)}, ""),
    ],
)
def test_which_papers_are_taken(articles: ModuleType, article: Any, options: Any, reason: str) -> None:
    refused = refuse(parse_source(articles.article(**article), max_pages=10), BuildOptions(**options))
    assert reason in refused
    assert bool(refused) == bool(reason)


def test_a_latex_source_with_a_figure_of_two_pictures(tmp_path: Path, articles: ModuleType, build: Any) -> None:
    (tmp_path / "papers" / "2601.00001.tar.gz").write_bytes(articles.latex_archive())
    build()
    (record,) = records_of(tmp_path / "out").values()
    assert record["task_id"] == "2601.00001-figure-1"
    assert record["metadata"]["dimensions"].items() >= {"format": "latex", "source": "review"}.items()
    names = [f"2601.00001-figure-1-part-{part}.png" for part in (1, 2)]
    family = tmp_path / "out" / "figure_analysis"
    assert record["inputs"]["files"] == [f"files/{name}" for name in names]
    shapes: list[float] = []
    for name in names:
        with Image.open(family / "files" / name) as picture:
            shapes.append(picture.width / picture.height)
    assert shapes == [60 / 40, 1]
    excerpt = (family / record["inputs"]["papers"][0]).read_text("utf-8")
    assert all(f'<img src="{name}"' in excerpt for name in names)
    assert "Fares after the floor. (a) All routes. (b) With a rival.</figcaption>" in excerpt


def test_a_fault_is_told_and_harms_no_other_paper(tmp_path: Path, articles: ModuleType, build: Any) -> None:
    place(tmp_path, articles)
    (tmp_path / "papers" / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    (tmp_path / "papers" / "glass.pdf").write_bytes(b"another format of the same paper")
    built = build()
    assert [(result.paper, result.outcome) for result in built.results] == [
        ("broken.pdf", "failed"), ("glass.xml", "built")
    ]  # fmt: skip
    assert built.results[0].reason
    assert built.family is not None


def test_what_does_not_come_through_harms_no_other_task(tmp_path: Path, articles: ModuleType, build: Any) -> None:
    place(tmp_path, articles)

    def check(task: Any) -> None:
        assert all(path.is_file() for path in (*task.papers, *task.files))
        if task.task_id == "glass-table-1":
            raise BadInputError("The gold is wrong.")

    built = build(check=check)
    assert list(records_of(tmp_path / "out")) == ["glass-figure-1"]
    assert built.dropped["whose words or captions do not come through as they are"] == 1


def test_what_a_build_made_is_no_paper_of_the_next(tmp_path: Path, articles: ModuleType) -> None:
    (tmp_path / "papers").mkdir()
    place(tmp_path, articles)
    for made in (".figure_analysis.build/0123/papers", "figure_analysis/papers"):
        (tmp_path / "papers" / made).mkdir(parents=True)
        (tmp_path / "papers" / made / "glass-table-1.html").write_text("<html></html>")
    papers = tmp_path / "papers"
    assert find_papers(papers, papers / "figure_analysis") == [[papers / "glass.xml"]]


def test_a_build_that_was_stopped_goes_on(tmp_path: Path, articles: ModuleType, build: Callable[..., Any]) -> None:
    for name in "abc":
        place(tmp_path, articles, name, results=[articles.TABLE_ANALYSIS.replace("doped", f"{name}-doped")])

    def stop(result: Any) -> None:
        if result.paper == "b.xml":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(done=stop)
    assert not (tmp_path / "out" / "figure_analysis").exists()
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / ".figure_analysis.build").glob("*.json")}
    assert len(kept) >= 2
    assert len(build().family.tasks) == 3
    assert all(path.stat().st_mtime_ns == at for path, at in kept.items())
    assert list(records_of(tmp_path / "out")) == ["a-table-1", "b-table-1", "c-table-1"]


def test_a_paper_whose_judge_is_out_is_tried_again(tmp_path: Path, articles: ModuleType, build: Any) -> None:
    place(tmp_path, articles)
    built = build(Silent())
    assert [(result.outcome, result.reason) for result in built.results] == [("failed", "The judge does not answer.")]
    assert build(Scripted()).family is not None


def test_other_options_are_other_work(tmp_path: Path) -> None:
    digests = {BuildOptions().digest("rules/1"), BuildOptions(depth=3).digest("rules/1"), BuildOptions().digest("m/1")}
    assert len(digests) == 3
    result = Result("a.xml", "left_out", "no paragraph passed the filters")
    Work(tmp_path, "one").keep("sha256:" + "0" * 64, result)
    assert Work(tmp_path, "one").find("a.xml", "sha256:" + "0" * 64) == result
    assert Work(tmp_path, "two").find("a.xml", "sha256:" + "0" * 64) is None


def test_one_paper_under_two_names_comes_once(tmp_path: Path, articles: ModuleType, build: Any) -> None:
    for name in ("one", "two"):
        place(tmp_path, articles, name, doi="10.9999/glass.1", title=f"Version {name}")
    built = build()
    assert built.repeated == 2
    assert list(records_of(tmp_path / "out")) == ["one-table-1", "one-figure-1"]


def test_a_figure_of_which_a_part_is_missing_makes_no_task(make: Any, articles: ModuleType) -> None:
    article = articles.article().replace(b'href="glass_1"/>', b'href="glass_1"/><graphic xlink:href="glass_1b"/>')
    made = make(article, articles.png())
    assert [record["task_id"] for record in made.records] == ["glass-table-1"]
    assert made.dropped["about a figure whose picture is not there"] == 1


def test_a_table_that_is_a_picture_is_called_a_table(make: Any, articles: ModuleType) -> None:
    article = articles.article().replace(b"<label>Fig. 1</label>", b"<label>Table 2</label>")
    article = article.replace(b">Fig. 1</xref>", b">Table 2</xref>")
    records = make(article, articles.png()).records
    assert [record["task_id"] for record in records] == ["glass-table-1", "glass-table-2"]
    assert records[1]["inputs"]["files"] == ["files/glass-table-2.png"]
    assert records[1]["metadata"]["dimensions"]["type"] == "table"


def test_another_family_in_the_way_is_left_alone(tmp_path: Path, articles: ModuleType, build: Any) -> None:
    place(tmp_path, articles)
    (tmp_path / "out" / "figure_analysis").mkdir(parents=True)
    with pytest.raises(BadInputError, match="already exists"):
        build()


def test_the_command(tmp_path: Path, articles: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "papers").mkdir()
    place(tmp_path, articles)
    folders = ["--papers", str(tmp_path / "papers"), "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, ["build", "figure_analysis", *folders])
    assert done.exit_code == 0, done.output
    assert "papers: 1 built, 0 left out, 0 failed" in done.output
    assert "2 analyses shorter than the least words" in done.output
    assert "2 tasks in" in done.output
    other = CliRunner().invoke(app, ["build", "property_extraction", *folders])
    assert isinstance(other.exception, BadInputError)


def test_a_published_article_and_its_pictures_from_its_pdf(tmp_path: Path, build: Any) -> None:
    data = Path(__file__).resolve().parents[4] / "shared" / "data" / "papers-cc-by"
    if not data.is_dir():
        pytest.skip("../shared/data/papers-cc-by is not there")
    for suffix in ("xml", "pdf"):
        shutil.copyfile(data / f"PMC4521097.{suffix}", tmp_path / "papers" / f"PMC4521097.{suffix}")
    build()
    records = records_of(tmp_path / "out")
    assert "PMC4521097-figure-4" in records
    # what its methods say is not an analysis of the table that they point to
    assert "PMC4521097-table-1" not in records
    picture = tmp_path / "out" / "figure_analysis" / records["PMC4521097-figure-4"]["inputs"]["files"][0]
    assert picture.stat().st_size > 5000


def test_quotas_count_papers_in_their_order(tmp_path: Path, articles: ModuleType, build: Any) -> None:
    """Of four papers, two of one field: no quota may be overrun, and a paper without a stamp is ``unknown``."""
    stamp = "arXiv:2501.00001v1 [{}] 1 Jan 2025"
    for name, title in (("a", "[cs.CL]"), ("b", "[cs.CL]"), ("c", "[math.AG]"), ("d", "")):
        words = f"On glass {name} {stamp.replace('[{}]', title) if title else ''}"
        place(tmp_path, articles, name, title=words, results=[f"{articles.TABLE_ANALYSIS} So it is in {name}."])

    def taken(*quotas: str) -> list[str]:
        builder = Builder(Catalog().family("figure_analysis"), RuleJudge(), BuildOptions(), 1, quotas=quotas_of(quotas))
        built = builder.build(tmp_path / "papers", tmp_path / "out", lambda _: None, lambda _: None, lambda _: None)
        assert built.family is not None
        return sorted(task.task_id[0] for task in built.family.tasks)

    assert taken() == ["a", "b", "c", "d"]
    assert taken("field=cs.CL:1") == ["a", "c", "d"]
    assert taken("field=*:1", "domain=Mathematics:0") == ["a", "d"]
    for wrong in ("year:3", "colour=red:3", "year=2025", "year=2025:x"):
        with pytest.raises(BadInputError, match="not a quota"):
            Quota.parse(wrong)


def quotas_of(texts: tuple[str, ...]) -> list[Quota]:
    return [Quota.parse(text) for text in texts]


def test_the_context_reaches_into_cited_and_citing_papers_of_the_folder(
    build: Callable[..., Any], tmp_path: Path, articles: ModuleType
) -> None:
    place(tmp_path, articles, title="Bonds in glass of many kinds and their giving way", doi="10.5555/bonds.1")
    citing = articles.article().replace(
        b"A. Kern. Bonds in glass. 2019.", b"A. Kern. Bonds in glass of many kinds and their giving way. 2019."
    )
    own_words = {b"We measured": b"We compared", b"doped glass rises": b"ware rises", b"near 400": b"at 410"}
    for words, own in own_words.items():
        citing = citing.replace(words, own)
    (tmp_path / "papers" / "carriers.xml").write_bytes(citing)

    def excerpt_of(task: str) -> tuple[str, list[str], list[str]]:
        record = records_of(tmp_path / "out")[task]
        path = tmp_path / "out" / "figure_analysis" / record["inputs"]["papers"][0]
        metadata = record["metadata"]
        return path.read_text("utf-8"), metadata["context_documents"], metadata["context_citing"]

    build()
    text, documents, citing = excerpt_of("carriers-figure-1")
    assert (CITED in text, CITING in text, documents, citing) == (False, False, [], [])
    assert build(across=True).family is not None
    text, documents, citing = excerpt_of("carriers-figure-1")
    assert (documents, citing) == (["Bonds in glass of many kinds and their giving way"], [])
    assert text.partition(CITED)[2].count("We measured glasses between 300 and 500 K.") == 1
    # A table's analysis that cites nobody reaches nothing.
    assert excerpt_of("carriers-table-1")[1:] == ([], [])
    # The cited paper's own tasks see who cites it: a work that names the paper names its tables too.
    for task in ("glass-figure-1", "glass-table-1"):
        text, documents, citing = excerpt_of(task)
        assert (documents, citing) == ([], ["Carriers in a doped glass"])
        assert text.partition(CITING)[2].count("We compared glasses between 300 and 500 K.") == 1
    build(across=True, depth=1)
    assert excerpt_of("glass-figure-1")[1:] == ([], [])


def test_papers_that_a_query_finds_are_fetched_and_built(
    tmp_path: Path, articles: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a made-up literature: an open text with a table, one that is closed, and one that was retracted."""
    corpus, papers, out = tmp_path / "corpus", tmp_path / "papers", tmp_path / "out"
    (corpus / "texts").mkdir(parents=True)
    work = {"authors": ["Kern, Ada"], "published": "2025-02-03", "venue": "Invented Glass", "abstract": "Doped glass."}
    ids = [{"doi": f"10.5555/glass.{n}", "pmid": f"9920000{n}", "pmcid": f"PMC9920000{n}"} for n in range(3)]
    lines: list[dict[str, Any]] = [
        {"id": "open2025", "title": "Carriers in a doped glass", **work, **ids[0], "text": "texts/open2025.xml"},
        {"id": "closed2025", "title": "Doped glass behind a gate", **work, **ids[1]},
        {"id": "old2019", "title": "Carriers in a doped glass of old", **work, **ids[2], "published": "2019-02-03"},
    ]
    (corpus / "works.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (corpus / "texts" / "open2025.xml").write_bytes(articles.article(doi="10.5555/glass.0"))
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    with CorpusServer(read_corpus(corpus)) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        words = ["build", "figure_analysis", "--papers", str(papers), "--query", "doped glass", "--years", "2024-"]
        done = CliRunner().invoke(app, [*words, "--out", str(out)])
        again = CliRunner().invoke(app, [*words, "--out", str(out)])
        monkeypatch.setenv("PINCITE_STAND_IN", "http://127.0.0.1:9")
        outage = CliRunner().invoke(app, [*words[:5], "glass in an outage", "--out", str(tmp_path / "out2")])
        monkeypatch.setenv("PINCITE_STAND_IN", server.environment["PINCITE_STAND_IN"])
        nothing = CliRunner().invoke(app, [*words[:-1], "1980-1981", "--out", str(tmp_path / "none")])
    assert done.exit_code == 0, done.output
    assert "doped glass: 1 papers in" in done.stdout
    assert [path.suffix for path in papers.iterdir() if path.suffix != ".json"] == [".xml"]
    assert len(records_of(out)) == 1
    assert again.exit_code == 0 and again.stdout.count("1 papers in") == 1, again.output
    assert isinstance(nothing.exception, BadInputError), nothing.output
    assert isinstance(outage.exception, UnavailableError), outage.output
