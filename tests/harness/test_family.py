"""Families and tasks: what is loaded, and a clear error for each way a folder can be wrong."""

import re
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError, NotFoundError, PinciteError
from pincite_harness.agents.agent import Briefing, Launch
from pincite_harness.runs.specification import RunSpecification, specify_families
from pincite_harness.trial.brief import write_brief
from pincite_harness.trial.plan import plan_trials
from pincite_tasks.catalog import Catalog, ad_hoc_task, bundled_folder
from pincite_tasks.family import load_family
from pincite_tasks.task import BRIEF_FILES

RECORD = '{"task_id": "t1", "inputs": {"papers": ["papers/a.pdf"]}}'
PAPERS = '"papers":'
TOML = 'name = "tiny"\ntitle = "T"\nscorer = "property_extraction"\n'


def test_a_family_is_loaded(make_family: Any) -> None:
    family = load_family(make_family(tasks=2))
    assert family.name == "tiny"
    assert [task.task_id for task in family.tasks] == ["t1", "t2"]
    assert family.task("t2").gold == {"properties": []}
    assert family.fill_prompt(family.tasks[0]).endswith("- a.pdf\n")
    assert set(family.digests) == {"family.toml", "prompt.md", "schema.json", "records.jsonl"}


def test_files_with_a_byte_order_mark_are_read(make_family: Any) -> None:
    folder = make_family()
    expected = load_family(folder)
    for name in expected.digests:
        (folder / name).write_bytes(b"\xef\xbb\xbf" + (folder / name).read_bytes())
    family = load_family(folder)
    assert (family.settings, family.prompt, family.tasks) == (expected.settings, expected.prompt, expected.tasks)


WRONG: dict[str, tuple[str, str, str]] = {
    "toml": ("family.toml", "name = ", "is not TOML"),
    "no title": ("family.toml", 'name = "tiny"\nscorer = "x"', "title"),
    "unknown key": ("family.toml", TOML + 'colour = "red"', "colour: there is no such key"),
    "bad name": ("family.toml", TOML.replace("tiny", "Tiny Family"), "name"),
    "bad limit": ("family.toml", TOML + "[limits]\nwall_clock_seconds = 0", "wall_clock_seconds"),
    "filter of no server": ("family.toml", TOML + '[tools.web]\nallow = ["x"]', "web"),
    "prompt without papers": ("prompt.md", "Read.", "does not name the papers"),
    "schema": ("schema.json", '{"type": 3}', "not a JSON Schema"),
    "schema no json": ("schema.json", "{", "is not JSON"),
    "record no json": ("records.jsonl", "{", "records.jsonl:1 is not JSON"),
    "record unknown key": ("records.jsonl", RECORD[:-1] + ', "x": 1}', "x"),
    "empty placeholder": ("prompt.md", "{{papers}} {{question}}", "does not fill"),
    "file missing": ("records.jsonl", RECORD.replace(PAPERS, f'"files": ["x.png"], {PAPERS}'), "there is no file"),
    "file not named": (
        "records.jsonl",
        RECORD.replace(PAPERS, f'"files": ["family.toml"], {PAPERS}'),
        "the files",
    ),
    "a file of the brief": (
        "records.jsonl",
        RECORD.replace(PAPERS, f'"files": ["schema.json"], {PAPERS}'),
        "no file may be called 'schema.json'",
    ),
    "blanks in a placeholder": ("prompt.md", "{{papers}} {{ question }} {{Depth}}", "{{ question }}, {{Depth}}"),
    "papers as a parameter": (
        "records.jsonl",
        RECORD.replace(PAPERS, f'"parameters": {{"papers": "x"}}, {PAPERS}'),
        "a parameter 'papers'",
    ),
    "corpus without works": (
        "records.jsonl",
        RECORD.replace(PAPERS, f'"corpus": "papers", {PAPERS}'),
        "has no works.jsonl",
    ),
    "corpus missing": (
        "records.jsonl",
        RECORD.replace(PAPERS, f'"corpus": "web", {PAPERS}'),
        "there is no corpus",
    ),
    "answer's name": ("family.toml", TOML + 'answer = "../answer.json"', "answer"),
    "task id": ("records.jsonl", RECORD.replace("t1", "../t1"), "task_id"),
    "twice": ("records.jsonl", RECORD + "\n\n" + RECORD, "records.jsonl:3: the task 't1' appears twice"),
    "no record": ("records.jsonl", "\n", "does not contain a task"),
    "paper outside": ("records.jsonl", RECORD.replace("papers/a.pdf", "../../a.pdf"), "lies outside"),
    "paper absolute": ("records.jsonl", RECORD.replace("papers/a.pdf", "/etc/hostname"), "lies outside"),
    "paper missing": ("records.jsonl", RECORD.replace("a.pdf", "b.pdf"), "there is no paper"),
    "paper twice": (
        "records.jsonl",
        RECORD.replace('["papers/a.pdf"]', '["papers/a.pdf", "papers/a.pdf"]'),
        "two papers are called 'a.pdf'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said(make_family: Any, name: str) -> None:
    file, text, said = WRONG[name]
    folder = make_family()
    (folder / file).write_text(text)
    with pytest.raises(PinciteError) as caught:
        load_family(folder)
    assert said in str(caught.value)
    assert caught.value.next


@pytest.mark.parametrize("name", ["answer.json", ".agent"])
def test_a_file_that_the_agents_own_would_replace_is_refused(make_family: Any, name: str) -> None:
    folder = make_family()
    (folder / name).write_text("{}")
    (folder / "records.jsonl").write_text(RECORD.replace(PAPERS, f'"files": ["{name}"], {PAPERS}'))
    with pytest.raises(BadInputError, match=re.escape(name)):
        load_family(folder)


def test_the_brief_has_the_names_that_are_taken_and_no_others(make_family: Any, actor: Any) -> None:
    family = load_family(make_family())
    (plan,) = plan_trials([(family, family.tasks[0])], actor("answer", needs_gold=True), 1)
    brief = write_brief(plan, Briefing("Read.", "/work", {}, "token", 1.0), Launch(()))
    assert sorted(brief) == sorted(BRIEF_FILES)


@pytest.mark.parametrize("file", ["family.toml", "prompt.md", "schema.json", "records.jsonl"])
def test_a_missing_file(make_family: Any, file: str) -> None:
    folder = make_family()
    (folder / file).unlink()
    with pytest.raises(NotFoundError, match=file):
        load_family(folder)


def test_a_paper_behind_a_link_out_of_the_folder_is_refused(make_family: Any, tmp_path: Path) -> None:
    folder = make_family()
    secret = tmp_path / "secret.pdf"
    secret.write_bytes(b"%PDF-1.7")
    (folder / "papers" / "a.pdf").unlink()
    (folder / "papers" / "a.pdf").symlink_to(secret)
    with pytest.raises(BadInputError, match="lies outside"):
        load_family(folder)


def test_the_catalog_finds_bundled_and_own_families(make_family: Any) -> None:
    assert "property_extraction" in Catalog().folders()
    folder = make_family()
    assert Catalog(folder).folder("tiny") == folder
    assert set(Catalog(folder.parent).folders()) >= {"property_extraction", "literature_qa", "tiny"}
    with pytest.raises(NotFoundError, match="nothing") as caught:
        Catalog(folder).folder("nothing")
    assert "tiny" in caught.value.seen


def test_an_own_family_hides_the_bundled_one(make_family: Any) -> None:
    folder = make_family("property_extraction")
    assert Catalog(folder.parent).folder("property_extraction") == folder
    assert Catalog().folder("property_extraction").parent == bundled_folder()


def test_a_folder_without_families(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="does not contain a task family"):
        Catalog(tmp_path).folders()
    with pytest.raises(NotFoundError, match="no folder"):
        Catalog(tmp_path / "gone").folders()


def test_an_own_paper_becomes_a_task_without_gold(make_family: Any, tiny_pdf: Path, tmp_path: Path) -> None:
    task = ad_hoc_task(load_family(make_family()), tiny_pdf)
    assert task.gold is None
    assert task.paper_names == (tiny_pdf.name,)
    with pytest.raises(NotFoundError):
        ad_hoc_task(load_family(make_family("other")), tmp_path / "gone.pdf")


QUESTION = {"material": "LaH10"}


@pytest.mark.parametrize(
    ("family", "paper", "parameters", "said"),
    [
        ("literature_qa", True, {}, "--parameter question=…"),
        ("literature_qa", True, {"question": "Why?", "answer": "x"}, "has no parameter answer"),
        ("precedent_search", True, QUESTION, "Leave --paper out"),
    ],
)
def test_what_a_family_asks_of_an_own_paper_is_said(
    tiny_pdf: Path, family: str, paper: bool, parameters: dict[str, str], said: str
) -> None:
    with pytest.raises(BadInputError) as caught:
        ad_hoc_task(Catalog().family(family), tiny_pdf if paper else None, None, parameters)
    assert said in str(caught.value)


def test_an_own_question_becomes_a_task_with_or_without_a_paper(tiny_pdf: Path) -> None:
    family = Catalog().family("literature_qa")
    task = ad_hoc_task(family, tiny_pdf, None, {"question": "Why is it black?"})
    assert "**Question.** Why is it black?" in family.fill_prompt(task)
    family = Catalog().family("precedent_search")
    specification = RunSpecification(families={family.name: "bundled"}, parameters=QUESTION, agent="nop")
    (plan,) = specification.plan([family])
    assert (plan.name, plan.task.papers, plan.task.corpus) == ("ad-hoc__1", (), None)
    assert "LaH10" in family.fill_prompt(plan.task)


def specified(folder: Path, **fields: Any) -> RunSpecification:
    return RunSpecification(families=specify_families([folder.name], Catalog(folder)), agent="nop", **fields)


def test_a_specification_names_its_trials(make_family: Any, tiny_pdf: Path) -> None:
    folder = make_family(tasks=3, servers='["documents"]')
    families = specified(folder).load_families()
    assert [p.name for p in specified(folder, attempts=2, tasks=["t2"]).plan(families)] == ["t2__1", "t2__2"]
    assert [p.name for p in specified(folder, papers=[str(tiny_pdf)]).plan(families)] == ["ad-hoc__1"]
    with pytest.raises(NotFoundError, match="t9"):
        specified(folder, tasks=["t2", "t9"]).plan(families)


def test_a_sample_is_the_same_for_a_seed_and_lies_in_a_larger_one(make_family: Any) -> None:
    folder = make_family(tasks=12, servers="[]")
    families = specified(folder).load_families()

    def drawn(sample: int, seed: int) -> list[str]:
        return [plan.task.task_id for plan in specified(folder, sample=sample, seed=seed).plan(families)]

    four, all_ids = drawn(4, 7), [task.task_id for task in families[0].tasks]
    assert four == ["t1", "t2", "t6", "t8"], "for ever the same"
    assert set(four) < set(drawn(5, 7))
    assert drawn(5, 7) == [task_id for task_id in all_ids if task_id in drawn(5, 7)], "in the family's order"
    assert drawn(4, 8) != four
    assert drawn(99, 7) == all_ids


def test_a_set_of_tasks_is_chosen_by_its_name(make_family: Any) -> None:
    folder = make_family(tasks=3, servers="[]")
    standard = (folder / "records.jsonl").read_text()
    (folder / "records-hard.jsonl").write_text(standard.replace(':"t', ':"h'))
    families = specified(folder).load_families()

    def chosen(**fields: Any) -> list[str]:
        return [plan.task.task_id for plan in specified(folder, **fields).plan(families)]

    assert chosen() == ["t1", "t2", "t3"]
    assert chosen(task_set="hard") == ["h1", "h2", "h3"]
    assert chosen(task_set="all") == ["t1", "t2", "t3", "h1", "h2", "h3"]
    assert chosen(tasks=["h2"]) == ["h2"]
    assert len(chosen(task_set="hard", sample=2)) == 2
    assert specified(folder, task_set="all").task_counts(families) == {"tiny": 6}
    with pytest.raises(NotFoundError, match="No family here has a set"):
        chosen(task_set="easy")
    with pytest.raises(NotFoundError, match="h2"):
        chosen(task_set="standard", tasks=["h2"])


def test_a_task_is_in_one_set_and_its_papers_may_be_shared_by_families(make_family: Any, tiny_pdf: Path) -> None:
    folder = make_family(servers="[]")
    shared = folder.parent / "shared"
    shared.mkdir()
    (shared / "long.pdf").write_bytes(tiny_pdf.read_bytes())
    record = '{"task_id": "t1", "inputs": {"papers": ["../shared/long.pdf"]}}'
    (folder / "records-hard.jsonl").write_text(record)
    with pytest.raises(BadInputError, match="in two sets"):
        load_family(folder)
    (folder / "records-hard.jsonl").write_text(record.replace("t1", "h1"))
    assert load_family(folder).task("h1").papers[0].read_bytes() == tiny_pdf.read_bytes()
    (folder / "records-hard.jsonl").rename(folder / "records-all.jsonl")
    with pytest.raises(BadInputError, match="names no set"):
        load_family(folder)


def test_each_family_has_a_sample_of_its_own(make_family: Any) -> None:
    folders = [make_family("one", tasks=3, servers="[]"), make_family("two", tasks=1, servers="[]")]
    specification = RunSpecification(families={each.name: str(each) for each in folders}, agent="nop", sample=2)
    plans = specification.plan(specification.load_families())
    assert [plan.family.name for plan in plans] == ["one", "one", "two"]


def test_families_that_share_a_task_id(make_family: Any) -> None:
    one, two = make_family("one", servers="[]"), make_family("two", servers="[]")
    specification = RunSpecification(families={"one": str(one), "two": str(two)}, agent="nop")
    assert [p.name for p in specification.plan(specification.load_families())] == ["one.t1__1", "two.t1__1"]


def test_an_oracle_needs_gold(make_family: Any) -> None:
    specification = specified(make_family(servers="[]", gold=None)).model_copy(update={"agent": "oracle"})
    with pytest.raises(BadInputError, match="answers the gold"):
        specification.plan(specification.load_families())


def test_an_unknown_scorer_is_refused(make_family: Any) -> None:
    folder = make_family(servers="[]")
    text = (folder / "family.toml").read_text()
    (folder / "family.toml").write_text(text.replace('"property_extraction"', '"mine"'))
    with pytest.raises(NotFoundError, match="no scorer 'mine'"):
        specified(folder).load_families()


def test_an_unknown_server_is_refused(make_family: Any) -> None:
    with pytest.raises(BadInputError, match="names a server that does not exist: demo"):
        specified(make_family()).load_families()
