"""Exports that reference managers read back."""

import json
import re
import unicodedata
import warnings
from dataclasses import replace
from typing import Any

import bibtexparser
import jsonschema
import pytest
import rispy
from parts.generated_works.sightings import sightings
from pylatexenc.latex2text import LatexNodes2Text

from pincite_core.errors import BadInputError
from pincite_literature.dates import PartialDate
from pincite_literature.export.bibtex import title_field
from pincite_literature.export.citekeys import citation_keys
from pincite_literature.export.formats import export
from pincite_literature.model import Author, Identifiers, Work

ARTICLE = Work(
    "Spin waves in La₂₋ₓSrₓCuO₄: a μSR study of {Kitaev} terms at 100% & $5, 10⁻³ a_b \\ c^2 ~ #1",
    Identifiers(doi="10.1103/physrevb.1", arxiv="1901.00001", pmid="7", pmcid="PMC8"),
    (
        Author("Johannes D. van der Waals", "van der Waals", "Johannes D."),
        Author("CMS Collaboration"),
        Author("Lovelace AM"),
        Author("Robert Brown Jr."),
        Author("José García-López"),
    ),
    PartialDate(2019, 3, 5),
    kind="article",
    venue="Physical Review B",
    publisher="American Physical Society",
    volume="99",
    issue="3",
    pages="421–444",
    issn="2469-9950",
    subjects=("Physics", "cond-mat.supr-con"),
    url="https://example.org/a{b}?c=1%20",
)
EVIL = "Evil\r\nER  - \nTY  - X\n}}\n@article{x, title={\u202ey\x00\x1b[31m\u2028z\ud800"
HOSTILE = Work(
    EVIL,
    Identifiers(doi="10.1/}{\\", arxiv="1901.00002"),
    (Author(EVIL), Author("", EVIL, EVIL), Author("")),
    venue=EVIL,
    publisher=EVIL,
    volume="}",
    issue="{",
    pages="}-{",
    issn="\n\n",
    isbn="\\",
    language="\x07",
    subjects=("a}b",),
    url="javascript:alert(1)",
)

CSL_NAME = {
    "type": "object",
    "properties": {k: {"type": "string"} for k in ("family", "given", "non-dropping-particle", "suffix", "literal")},
    "anyOf": [{"required": ["family"]}, {"required": ["literal"]}],
    "additionalProperties": False,
}
CSL_ITEM = {
    "type": "object",
    "required": ["id", "type"],
    "properties": {
        "type": {
            "enum": ["article", "article-journal", "book", "chapter", "dataset", "document", "paper-conference",
                     "report", "thesis"]
        },
        "author": {"type": "array", "items": CSL_NAME},
        "issued": {
            "type": "object",
            "properties": {
                "date-parts": {
                    "type": "array", "minItems": 1, "maxItems": 2,
                    "items": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
                }
            },
            "additionalProperties": False,
        },
        **{
            name: {"type": "string", "minLength": 1}
            for name in (
                "id", "title", "container-title", "volume", "issue", "page", "publisher", "genre", "number", "ISSN",
                "ISBN", "language", "DOI", "PMID", "PMCID", "URL", "note",
            )
        },
    },
    "additionalProperties": False,
}  # fmt: skip
"""The part of the published CSL data schema (1.0.2) that the export uses."""


def bibtex(works: list[Work]) -> list[dict[str, str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Its grammar names tokens in a way that its own pyparsing warns of.
        return bibtexparser.loads(export(works, "bibtex")).entries


def ris(works: list[Work]) -> list[dict[str, Any]]:
    return rispy.loads(export(works, "ris"))


def csl(works: list[Work]) -> list[dict[str, Any]]:
    items = json.loads(export(works, "csl-json"))
    jsonschema.validate(items, {"type": "array", "items": CSL_ITEM})
    return items


def plain(text: str) -> str:
    """Text in which sub- and superscripts, minus signs and quotes of LaTeX and Unicode are the same."""
    text = unicodedata.normalize("NFKC", text).replace("−", "-")
    return re.sub(r"[_^](?=[\dx-])", "", " ".join(text.split()))


def test_bibtex_of_an_article() -> None:
    (entry,) = bibtex([ARTICLE])
    assert entry["ENTRYTYPE"] == "article"
    assert entry["ID"] == "waals2019spin"
    assert entry["author"] == (
        "van der Waals, Johannes D. and {CMS Collaboration} and Lovelace, A. M. and Brown, Jr., Robert and "
        "García-López, José"
    )
    assert entry["journal"] == "Physical Review B"
    assert (entry["year"], entry["month"], entry["pages"]) == ("2019", "March", "421--444")
    assert (entry["volume"], entry["number"], entry["issn"]) == ("99", "3", "2469-9950")
    assert (entry["doi"], entry["pmid"], entry["pmcid"]) == ("10.1103/physrevb.1", "7", "PMC8")
    assert (entry["eprint"], entry["archiveprefix"], entry["primaryclass"]) == (
        "1901.00001",
        "arXiv",
        "cond-mat.supr-con",
    )
    assert entry["url"] == "https://example.org/a%7Bb%7D?c=1%20"


def test_a_title_reads_back_from_latex() -> None:
    title = ARTICLE.title.replace("{Kitaev}", "Kitaev").replace("c^2", "c²")
    (entry,) = bibtex([replace(ARTICLE, title=title)])
    assert plain(LatexNodes2Text(math_mode="text").latex_to_text(entry["title"])) == plain(title)


@pytest.mark.parametrize(
    ("title", "field"),
    [
        ("Superconductivity in YBa2Cu3O7", "Superconductivity in {YBa2Cu3O7}"),
        ("MRI of the human brain", "{MRI} of the human brain"),
        ("Magnetism in the Kitaev model: A review", "Magnetism in the {Kitaev} model: A review"),
        ("Magnetism In The Kitaev Model", "Magnetism In The Kitaev Model"),
        ("Growth of α-RuCl₃", "Growth of {{$\\alpha$}-RuCl{$_{3}$}}"),
        ("", ""),
    ],
)
def test_capitals_are_protected(title: str, field: str) -> None:
    assert title_field(title) == field


@pytest.mark.parametrize(
    ("kind", "entry", "tag", "csl_type"),
    [
        ("article", "article", "JOUR", "article-journal"),
        ("review", "article", "JOUR", "article-journal"),
        ("preprint", "misc", "UNPB", "article"),
        ("conference", "inproceedings", "CONF", "paper-conference"),
        ("chapter", "incollection", "CHAP", "chapter"),
        ("book", "book", "BOOK", "book"),
        ("thesis", "phdthesis", "THES", "thesis"),
        ("report", "techreport", "RPRT", "report"),
        ("dataset", "misc", "DATA", "dataset"),
        ("", "article", "JOUR", "article-journal"),
    ],
)
def test_types(kind: Any, entry: str, tag: str, csl_type: str) -> None:
    work = replace(ARTICLE, kind=kind)
    assert bibtex([work])[0]["ENTRYTYPE"] == entry
    assert ris([work])[0]["type_of_reference"] == tag
    assert csl([work])[0]["type"] == csl_type


def test_venues_and_publishers_stand_where_each_type_has_them() -> None:
    assert bibtex([replace(ARTICLE, kind="conference")])[0]["booktitle"] == "Physical Review B"
    assert bibtex([replace(ARTICLE, kind="thesis")])[0]["school"] == "American Physical Society"
    assert bibtex([replace(ARTICLE, kind="report")])[0]["institution"] == "American Physical Society"


def test_ris_of_an_article() -> None:
    (entry,) = ris([ARTICLE])
    assert entry["authors"] == [
        "van der Waals, Johannes D.",
        "CMS Collaboration",
        "Lovelace, A. M.",
        "Brown, Robert, Jr.",
        "García-López, José",
    ]
    assert entry["title"] == ARTICLE.title
    assert (entry["date"], entry["year"]) == ("2019/03/05/", "2019")
    assert (entry["start_page"], entry["end_page"]) == ("421", "444")
    assert (entry["doi"], entry["accession_number"], entry["custom2"]) == ("10.1103/physrevb.1", "7", "PMC8")
    assert "https://arxiv.org/abs/1901.00001" in entry["urls"]


def test_csl_of_an_article() -> None:
    (item,) = csl([ARTICLE])
    assert item["author"][0] == {"family": "Waals", "given": "Johannes D.", "non-dropping-particle": "van der"}
    assert item["author"][1] == {"literal": "CMS Collaboration"}
    assert item["author"][3] == {"family": "Brown", "given": "Robert", "suffix": "Jr."}
    assert item["issued"] == {"date-parts": [[2019, 3, 5]]}
    assert (item["page"], item["DOI"], item["note"]) == ("421-444", "10.1103/physrevb.1", "arXiv:1901.00001")


def test_csl_shows_no_markup_to_the_processor() -> None:
    assert csl([replace(ARTICLE, title="p<0.05 and <i>x</i>")])[0]["title"] == "p&lt;0.05 and &lt;i&gt;x&lt;/i&gt;"


def test_a_preprint_names_its_archive() -> None:
    preprint = replace(ARTICLE, kind="preprint", venue="arXiv", publisher="", volume="", issue="", pages="12")
    assert bibtex([preprint])[0]["howpublished"] == "arXiv"
    (item,) = csl([preprint])
    assert (item["number"], item["publisher"], item["page"]) == ("arXiv:1901.00001", "arXiv", "12")
    assert "container-title" not in item


def test_a_preprint_is_not_dated_into_the_journal_that_took_it_later() -> None:
    reference = "J. Inv. Solids 14, 55-61 (2021)"
    preprint = replace(
        ARTICLE, kind="preprint", venue=reference, publisher="arXiv", volume="", issue="", pages="", issn=""
    )
    (entry,), (record,), (item,) = bibtex([preprint]), ris([preprint]), csl([preprint])
    assert reference in entry.pop("note")
    assert reference in record.pop("notes")[-1]
    assert reference in item.pop("note")
    assert "Solids" not in f"{entry} {record} {item}"
    assert item["publisher"] == "arXiv"


def test_partial_dates_and_retractions() -> None:
    year = replace(ARTICLE, published=PartialDate(2019), retracted=True)
    assert csl([year])[0]["issued"] == {"date-parts": [[2019]]}
    assert ris([year])[0]["date"] == "2019///"
    assert "Retracted" in ris([year])[0]["notes"]
    assert bibtex([year])[0]["note"] == "Retracted"
    nothing = replace(ARTICLE, published=None)
    assert "year" not in bibtex([nothing])[0]
    assert "issued" not in csl([nothing])[0]


@pytest.mark.parametrize("format_", ["bibtex", "ris", "csl-json"])
def test_hostile_fields_break_nothing(format_: Any) -> None:
    text = export([HOSTILE, ARTICLE], format_)
    assert text == text.encode().decode()
    assert not any(unicodedata.category(letter) in {"Cc", "Cf", "Zl", "Zp", "Cs"} for letter in text if letter != "\n")
    assert "javascript" not in text


def test_hostile_works_stay_one_record_each() -> None:
    assert [entry["ID"] for entry in bibtex([HOSTILE, ARTICLE])][1] == "waals2019spin"
    assert len(ris([HOSTILE, ARTICLE])) == 2
    assert len(csl([HOSTILE, ARTICLE])) == 2
    depth = 0
    for bracket in re.findall(r"[{}]", export([HOSTILE], "bibtex")):
        depth += 1 if bracket == "{" else -1
        assert depth >= 0
    assert depth == 0


def test_keys_are_unique_and_independent_of_order() -> None:
    twins = [replace(ARTICLE, ids=Identifiers(doi=f"10.1/{n}")) for n in range(30)]
    keys = citation_keys(twins)
    assert len(set(keys)) == 30
    assert citation_keys(twins[::-1]) == keys[::-1]
    clash = replace(ARTICLE, title="Spina b", authors=(Author("X Waals"),))
    assert len(set(citation_keys([*twins, clash]))) == 31
    assert citation_keys([Work("", Identifiers())]) == ["work"]
    assert all(re.fullmatch(r"[a-z0-9]+", key) for key in citation_keys([HOSTILE, ARTICLE]))


def test_generated_works_read_back_from_every_format() -> None:
    lists, _ = sightings(11, works=60)
    works = [work for each in lists.values() for work in each[:12]]
    entries, records, items = bibtex(works), ris(works), csl(works)
    assert len(entries) == len(records) == len(items) == len(works)
    assert [record["title"] for record in records] == [" ".join(work.title.split()) for work in works]
    assert {entry["ID"] for entry in entries} == {item["id"] for item in items}
    assert [len(item.get("author", ())) for item in items] == [len(work.authors) for work in works]


def test_no_works_and_unknown_formats() -> None:
    assert export([], "bibtex") == export([], "ris") == ""
    assert csl([]) == []
    with pytest.raises(BadInputError, match="bibtex, ris, csl-json"):
        export([], "endnote")  # type: ignore[arg-type]
