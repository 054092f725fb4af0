"""publication_status: what each source says of a work, what nobody could be asked, and when it was said."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

DOI = "10.5555/cuprate.2019.1"
EVERY = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc")
FAULTS = ("malformed", "429", "500", "slow", "truncated", "refused")


def update(kind: str, day: tuple[int, ...] = (2021, 3, 2), source: str = "publisher", **more: Any) -> dict[str, Any]:
    """An entry of Crossref's ``updated-by``."""
    return {
        "DOI": f"10.5555/notice.{kind}",
        "type": kind,
        "label": kind.replace("_", " ").title(),
        "source": source,
        "updated": {"date-parts": [list(day)]},
        **more,
    }


async def status(asking: Callable[..., Any], work: Any, raw: dict[str, Any], **world: Any) -> Any:
    """The status of a work of which Crossref's record has these fields more."""
    own = {"crossref": [replace(work, raw=raw)], **world.pop("own", {})}
    async with asking([work], own=own, **world) as call:
        return await call("publication_status", id=DOI)


async def test_a_work_of_which_nothing_bad_is_known(asking: Callable[..., Any], one: Any) -> None:
    made = await status(asking, one, {})
    assert (made["retracted"], made["corrected"], made["concern"]) == ("no", "no", "no")
    assert made["summary"] == "No retraction is known."
    assert made["notices"] == []
    assert (made["doi"], made["pmid"], made["version"], made["published"]) == (
        DOI,
        "31000001",
        "published",
        "2019-03-05",
    )
    assert {said["source"]: said["value"] for said in made["journal"]}["crossref"] == "Journal of Invented Results"
    assert {said["source"] for said in made["cited_by"]} >= {"crossref", "openalex", "semantic_scholar"}
    assert all(said["retrieved"].endswith("Z") for said in made["journal"] + made["cited_by"])


async def test_a_retraction_with_who_said_so_and_when(asking: Callable[..., Any], one: Any) -> None:
    raw = {"updated-by": [update("correction", (2020, 5, 1)), update("retraction", source="retraction-watch")]}
    made = await status(asking, one, raw)
    assert (made["retracted"], made["corrected"], made["concern"]) == ("yes", "yes", "no")
    assert made["summary"] == "RETRACTED; there is a correction (retraction, 2021-03-02, the newest notice)."
    assert made["notices"] == [
        {
            "kind": "retraction",
            "source": "crossref",
            "said_by": "Retraction Watch",
            "date": "2021-03-02",
            "id": "doi:10.5555/notice.retraction",
            "label": "Retraction",
        },
        {
            "kind": "correction",
            "source": "crossref",
            "said_by": "publisher",
            "date": "2020-05-01",
            "id": "doi:10.5555/notice.correction",
            "label": "Correction",
        },
    ]


@pytest.mark.parametrize(
    ("kinds", "retracted", "concern"),
    [
        (["withdrawal"], "yes", "no"),
        (["removal"], "yes", "no"),
        (["partial_retraction"], "partly", "no"),
        (["expression_of_concern"], "no", "yes"),
        (["new_version"], "no", "no"),
        (["retraction", "reinstatement"], "reinstated", "no"),
    ],
)
async def test_each_kind_of_notice(
    asking: Callable[..., Any], one: Any, kinds: list[str], retracted: str, concern: str
) -> None:
    raw = {"updated-by": [update(kind, (2021, 3, 2 + day)) for day, kind in enumerate(kinds)]}
    made = await status(asking, one, raw)
    assert (made["retracted"], made["concern"]) == (retracted, concern)


async def test_a_retraction_after_a_reinstatement_stands(asking: Callable[..., Any], one: Any) -> None:
    raw = {"updated-by": [update("reinstatement", (2020,)), update("retraction", (2021, 3))]}
    assert (await status(asking, one, raw))["retracted"] == "yes"


@pytest.mark.parametrize("source", ["pubmed", "openalex", "europe_pmc"])
async def test_one_source_that_says_so_is_enough(asking: Callable[..., Any], one: Any, source: str) -> None:
    made = await status(asking, one, {}, own={source: [replace(one, retracted=True)]})
    assert made["retracted"] == "yes"
    assert made["summary"].startswith("RETRACTED")


async def test_notes_of_pubmed(asking: Callable[..., Any], one: Any) -> None:
    notes = (
        '<CommentsCorrectionsList><CommentsCorrections RefType="ErratumIn"><RefSource>J Inv. 2020 Mar;1(2):E1'
        '</RefSource><PMID Version="1">32000002</PMID></CommentsCorrections>'
        '<CommentsCorrections RefType="ExpressionOfConcernIn"><RefSource>J Inv. 2021;3:4</RefSource>'
        "</CommentsCorrections></CommentsCorrectionsList>"
    )
    made = await status(asking, one, {}, own={"pubmed": [replace(one, raw={"CommentsCorrectionsList": notes})]})
    assert (made["corrected"], made["concern"]) == ("yes", "yes")
    assert [(entry["kind"], entry.get("id"), entry["date"]) for entry in made["notices"]] == [
        ("concern", None, "2021"),
        ("correction", "pmid:32000002", "2020"),
    ]


async def test_a_notice_says_what_it_is_on(asking: Callable[..., Any], one: Any) -> None:
    made = await status(asking, one, {"update-to": [update("retraction", DOI="10.5555/other")]})
    assert made["retracted"] == "no"
    assert [(entry["kind"], entry["id"]) for entry in made["notice_of"]] == [("retraction", "doi:10.5555/other")]


@pytest.mark.parametrize("fault", FAULTS)
async def test_no_word_from_who_would_know_is_no_no(asking: Callable[..., Any], one: Any, fault: str) -> None:
    made = await status(asking, one, {}, faults={"crossref": fault})
    assert (made["retracted"], made["corrected"], made["concern"]) == ("unknown", "unknown", "unknown")
    assert "unknown" in made["summary"]
    assert "Could not be asked: Crossref." in made["summary"]


async def test_a_retraction_is_told_though_crossref_is_down(asking: Callable[..., Any], one: Any) -> None:
    made = await status(asking, one, {}, own={"pubmed": [replace(one, retracted=True)]}, faults={"crossref": "500"})
    assert (made["retracted"], made["corrected"]) == ("yes", "unknown")


async def test_another_source_down_leaves_crossrefs_word(asking: Callable[..., Any], one: Any) -> None:
    made = await status(asking, one, {}, faults={"pubmed": "500", "europe_pmc": "500"})
    assert made["retracted"] == "no"
    assert "Could not be asked: Europe PMC, PubMed." in made["summary"]


async def test_all_sources_down(asking: Callable[..., Any], one: Any) -> None:
    made = await status(asking, one, {}, faults=dict.fromkeys(EVERY, "500"))
    assert {made["retracted"], made["corrected"], made["concern"], made["version"]} == {"unknown"}
    assert "No source answered" in made["summary"]
    assert "Crossref answered with an error." in made["summary"]


@pytest.mark.parametrize(("comment", "retracted"), [("12 pages", "no"), ("This paper has been withdrawn", "yes")])
async def test_a_preprint_that_only_arxiv_has(
    asking: Callable[..., Any], one: Any, comment: str, retracted: str
) -> None:
    preprint = replace(one, doi="", pmid="", pmcid="", s2="", openalex="", comment=comment)
    async with asking([], own={"arxiv": [preprint]}) as call:
        made = await call("publication_status", id="1903.01234")
    assert (made["version"], made["retracted"], made["corrected"]) == ("preprint", retracted, "unknown")


async def test_what_no_source_has(asking: Callable[..., Any], one: Any) -> None:
    async with asking([one]) as call:
        assert "No source that answered has '10.5555/nothing'" in await call("publication_status", id="10.5555/nothing")


async def test_the_cutoff_closes_it(asking: Callable[..., Any], one: Any) -> None:
    async with asking([one], before="2020-01-01") as call:
        assert "cannot be asked under the cutoff 2020-01-01" in await call("publication_status", id=DOI)
