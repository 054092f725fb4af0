"""Withheld works: told by identifiers, titles and digests, and hidden with and without a cutoff."""

from datetime import date

from pincite_literature.date_cutoff import DateCutoff
from pincite_literature.dates import PartialDate
from pincite_literature.model import Identifiers, Work
from pincite_literature.withheld import Withheld

TITLE = "Superconductivity of an invented cuprate"
NAMES = ("https://doi.org/10.5555/A", "arXiv:2301.00001v2", TITLE, "sha256:" + "a" * 64)
HIDDEN = Withheld(NAMES)


def work(title: str = "Another work on something else", **ids: str) -> Work:
    return Work(title=title, ids=Identifiers(**ids), published=PartialDate.parse("2019-05-01"))


def test_works_are_told_by_identifier_title_and_other_versions() -> None:
    hidden = [
        work(doi="10.5555/a"),
        work(arxiv="2301.00001"),
        work("Superconductivity of an Invented Cuprate."),
        work("<i>Superconductivity</i> of an invented cuprate", doi="10.5555/other"),
        Work(title="The article", ids=Identifiers(doi="10.5555/b"), version_of=("2301.00001",)),
    ]
    shown = [work(), work(doi="10.5555/ab"), work("Magnetism of an invented cuprate"), work("")]
    assert [HIDDEN.hides(one) for one in hidden] == [True] * len(hidden)
    assert [HIDDEN.hides(one) for one in shown] == [False] * len(shown)
    assert not Withheld(["Introduction"]), "a title that many works bear hides none"
    assert not any(Withheld().hides(one) for one in hidden)


def test_papers_and_pages_are_told() -> None:
    assert HIDDEN.hides_paper("sha256:" + "a" * 64, "", "")
    assert HIDDEN.hides_paper("sha256:b", TITLE, "") and HIDDEN.hides_paper("sha256:b", "", "10.5555/a")
    assert not HIDDEN.hides_paper("sha256:b", "Another", "10.5555/c")
    pages = [
        ("https://arxiv.org/pdf/2301.00001v1", ""),
        ("https://doi.org/10.5555/a", "x"),
        ("https://lab.example/1", f"{TITLE} | Journal of Invention"),
        ("https://lab.example/1", f"[2301.00001] {TITLE}"),
    ]
    assert [HIDDEN.hides_page(*page) for page in pages] == [True] * len(pages)
    assert not HIDDEN.hides_page("https://arxiv.org/abs/2301.00002", "Another work on something else")


def test_the_cutoff_lets_no_record_of_such_a_work_pass() -> None:
    first, second, other = work(doi="10.5555/a"), work("Superconductivity", pmid="33001"), work(doi="10.5555/c")
    for cutoff in (DateCutoff(None, HIDDEN), DateCutoff(date(2021, 1, 1), HIDDEN)):
        assert cutoff.clear([first, second]) == [None, None], "all records are of one work"
        assert cutoff.clear_one(first) is None and cutoff.clear_one(other) is not None
        assert not cutoff.allows(first) and cutoff.allows(other)
        kept, count = cutoff.keep([first, other])
        assert ([one.ids.doi for one in kept], count) == (["10.5555/c"], 1)
        merged, count = cutoff.merge({"crossref": [first, other], "openalex": [work(doi="10.5555/a", pmid="33001")]})
        assert ([one.work.ids.doi for one in merged], count) == (["10.5555/c"], 1)
    assert DateCutoff(None, HIDDEN).note(1) == "1 work is withheld here."
    assert DateCutoff(None, HIDDEN).note(0) == ""
