"""resolve_citation: real references in many styles, made-up ones, right DOIs on wrong words, sources that are down."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

DOI = "10.5555/cuprate.2019.1"
TITLE = "Superconductivity of a cuprate that nobody has made"
FAULTS = ("malformed", "429", "500", "slow", "truncated", "refused")
STYLES = {
    "APA": f"Lovelace, A. M., Gödel, K., & Noether, E. (2019). {TITLE}. Journal of Invented Results, 12(3), 101-110.",
    "Vancouver": f"Lovelace AM, Godel K, Noether E. {TITLE}. J Inv Results. 2019;12(3):101-10.",
    "IEEE": f'A. M. Lovelace, K. Gödel, and E. Noether, "{TITLE}," J. Inv. Results, vol. 12, no. 3, pp. 101-110, 2019.',
    "ACS": f"Lovelace, A. M.; Gödel, K.; Noether, E. {TITLE}. J. Inv. Results 2019, 12, 101−110.",
    "et al.": f"Lovelace et al., {TITLE}, Journal of Invented Results 12, 101 (2019)",
}


@pytest.fixture
def other(invented: Any) -> Any:
    """Another work, by other people."""
    return invented.Invented(
        "Sleep of bees in winter",
        (("Curie", "Marie"),),
        "Bees sleep.",
        "2004",
        doi="10.5555/bees.2004.7",
        openalex="W2900000002",
    )


@pytest.mark.parametrize(
    "written", [DOI, f"https://doi.org/{DOI}", f"doi:{DOI}.", f"<http://dx.doi.org/{DOI.upper()}>"]
)
async def test_a_bare_doi_exists(asking: Callable[..., Any], one: Any, written: str) -> None:
    async with asking([one]) as call:
        made = await call("resolve_citation", citation=written)
    assert (made["verdict"], made["registered"], made["same_by_published_rule"]) == ("agrees", "yes", True)
    assert made["found"]["title"] == TITLE
    assert (made["title"], made["authors"], made["year"]) == ("not given", "not given", "not given")
    assert "give its title" in made["reason"]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("ending", [f" https://doi.org/{DOI}", ""], ids=["doi", "words alone"])
async def test_a_reference_in_any_style(
    asking: Callable[..., Any], one: Any, other: Any, style: str, ending: str
) -> None:
    async with asking([one, other]) as call:
        made = await call("resolve_citation", citation=STYLES[style] + ending)
    assert (made["verdict"], made["title"], made["authors"], made["year"]) == ("agrees", "agrees", "agrees", "agrees")
    assert made["registered"] == "yes", "doi.org says so, or Crossref's own record is at hand"
    assert made["same_by_published_rule"]
    assert made["found"]["doi"] == DOI


async def test_title_authors_and_year_given_apart(asking: Callable[..., Any], one: Any) -> None:
    async with asking([one]) as call:
        made = await call(
            "resolve_citation", citation=DOI, title=TITLE.upper(), authors="Lovelace A; Noether E", year=2020
        )
        assert (made["title"], made["authors"], made["year"]) == ("agrees", "agrees", "agrees"), (
            "online one year before"
        )
        made = await call("resolve_citation", citation=DOI, title="Sleep of bees", authors="Curie M", year=1999)
    assert (made["title"], made["authors"], made["year"]) == ("differs", "differs", "differs")
    assert made["not_among_the_authors"] == ["Curie"]
    assert made["verdict"] == "differs"


async def test_a_real_doi_on_the_words_of_another_work(asking: Callable[..., Any], one: Any, other: Any) -> None:
    async with asking([one, other]) as call:
        made = await call("resolve_citation", citation=f"Curie M. Sleep of bees in winter. 2004. doi:{DOI}")
    assert (made["verdict"], made["title"], made["year"]) == ("differs", "differs", "differs")
    assert made["title_similarity"] < 0.9
    assert (made["found"]["doi"], made["meant"]["doi"]) == (DOI, "10.5555/bees.2004.7")


async def test_a_made_up_doi_on_a_real_title(asking: Callable[..., Any], one: Any) -> None:
    async with asking([one]) as call:
        made = await call("resolve_citation", citation=f"{STYLES['APA']} https://doi.org/10.5555/cuprate.2019.999")
    assert (made["verdict"], made["registered"]) == ("not_found", "no")
    assert made["reason"].startswith("The DOI 10.5555/cuprate.2019.999 is not registered")
    assert made["meant"]["doi"] == DOI
    assert not made["same_by_published_rule"]


async def test_a_made_up_reference(asking: Callable[..., Any], one: Any) -> None:
    text = "Smith J, Doe A. Superconductivity at 400 K in ordinary table salt under sunlight. Nature. 2021;590:1-9."
    async with asking([one]) as call:
        made = await call("resolve_citation", citation=text)
        assert (made["verdict"], made["registered"]) == ("not_found", "not asked")
        assert "found" not in made
        made = await call("resolve_citation", citation=f"{text} doi:10.1038/s41586-021-99999-9")
    assert (made["verdict"], made["registered"]) == ("not_found", "no")


async def test_right_title_and_wrong_people(asking: Callable[..., Any], one: Any) -> None:
    async with asking([one]) as call:
        made = await call("resolve_citation", citation=f"Smith J, Doe A, Roe B. {TITLE}. 2019.")
    assert (made["verdict"], made["title"], made["authors"]) == ("differs", "agrees", "differs")
    assert made["not_among_the_authors"] == ["smith", "doe", "roe"]


async def test_a_doi_of_another_agency(asking: Callable[..., Any], one: Any) -> None:
    dataset = replace(one, doi="10.5281/zenodo.1", arxiv="", pmid="", pmcid="", s2="", openalex="")
    async with asking([], own={"doi": [dataset]}) as call:
        made = await call("resolve_citation", citation="10.5281/zenodo.1")
    assert (made["verdict"], made["registered"]) == ("unknown", "yes")
    assert "no source gave its record" in made["reason"]


@pytest.mark.parametrize("fault", FAULTS)
async def test_doi_org_down(asking: Callable[..., Any], one: Any, fault: str) -> None:
    async with asking([one], faults={"doi": fault}) as call:
        made = await call("resolve_citation", citation=STYLES["APA"] + DOI)
        assert (made["verdict"], made["registered"]) == ("agrees", "yes"), "Crossref's own record is at hand"
        assert (await call("resolve_citation", citation="10.5555/nothing"))["verdict"] == "not_found"


async def test_the_record_of_an_index_registers_nothing(asking: Callable[..., Any], one: Any) -> None:
    async with asking([one], faults={"doi": "500", "crossref": "500"}) as call:
        made = await call("resolve_citation", citation=DOI)
        assert (made["verdict"], made["registered"]) == ("agrees", "unknown")
        made = await call("resolve_citation", citation="10.48550/arXiv.1903.01234")
        assert (made["verdict"], made["registered"]) == ("agrees", "yes"), "arXiv registers its own DOIs"


async def test_a_registry_answers_under_a_cutoff_too(asking: Callable[..., Any], one: Any) -> None:
    async with asking([one], before="2020-01-01") as call:
        made = await call("resolve_citation", citation=DOI)
    assert (made["verdict"], made["registered"]) == ("agrees", "yes")


@pytest.mark.parametrize("fault", FAULTS)
async def test_crossref_down(asking: Callable[..., Any], one: Any, fault: str) -> None:
    async with asking([], own={"doi": [one]}, faults={"crossref": fault}) as call:
        made = await call("resolve_citation", citation=DOI)
        assert (made["verdict"], made["registered"]) == ("unknown", "yes")
        made = await call("resolve_citation", citation=STYLES["APA"])
    assert made["verdict"] == "unknown", "a work that Crossref alone knows may be there"
    assert "Crossref" in made["reason"]
    assert [entry["state"] for entry in made["sources"] if entry["source"] == "crossref"] == ["failed"]


async def test_all_down(asking: Callable[..., Any], one: Any) -> None:
    names = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc", "doi")
    async with asking([one], faults=dict.fromkeys(names, "500")) as call:
        made = await call("resolve_citation", citation=DOI)
        assert (made["verdict"], made["registered"]) == ("unknown", "unknown")
        assert (await call("resolve_citation", citation=STYLES["APA"]))["verdict"] == "unknown"


async def test_what_names_nothing(asking: Callable[..., Any]) -> None:
    async with asking([]) as call:
        assert "This does not identify a work." in await call("resolve_citation", citation="ibid.")


async def test_a_cutoff_hides_later_works(asking: Callable[..., Any], one: Any) -> None:
    async with asking([one], before="2019-01-01") as call:
        made = await call("resolve_citation", citation=DOI)
        assert (made["verdict"], made["registered"]) == ("unknown", "not asked")
        assert "found" not in made
        assert (await call("resolve_citation", citation=STYLES["APA"]))["verdict"] == "not_found"


CUT = "10.1002/(SICI)1097-4628(19960425)60:4<531::AID-AP"


async def test_a_doi_that_is_cut_short_is_told(asking: Callable[..., Any], one: Any) -> None:
    async with asking([one]) as call:
        assert "This DOI is cut short." in await call("resolve_citation", citation=f"doi:{CUT}")
        made = await call("resolve_citation", citation=f"{STYLES['APA']} https://doi.org/{CUT}")
    assert (made["verdict"], made["found"]["doi"]) == ("agrees", DOI)
    assert "This DOI is cut short and was left out: 10.1002/(SICI)1097-4628(19960425)60:4" in made["reason"]
