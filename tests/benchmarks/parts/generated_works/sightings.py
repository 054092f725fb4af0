"""How six sources tell of works: each in its own spelling, with what it leaves out and gets wrong.

The rates are guesses from experience with the live sources, on the bad side; nothing here knows how works are merged.
"""

import re
import unicodedata
from dataclasses import replace
from random import Random

from parts.generated_works.truth import Maker, Truth, neighbours

from pincite_literature.dates import PartialDate
from pincite_literature.model import Author, Identifiers, Work, WorkKind

SOURCES = ("arxiv", "crossref", "europe_pmc", "openalex", "pubmed", "semantic_scholar")
GREEK = {"α": "alpha", "β": "beta", "δ": "delta", "κ": "kappa", "μ": "mu", "γ": "gamma"}
SUBSCRIPTS = str.maketrans("0123456789x-", "₀₁₂₃₄₅₆₇₈₉ₓ₋")
NAMES = {"arxiv": "arXiv", "biorxiv": "bioRxiv"}
REPOSITORIES = {"arxiv": "arXiv (Cornell University)", "biorxiv": "bioRxiv (Cold Spring Harbor Laboratory)"}


def sightings(seed: int, works: int = 200) -> tuple[dict[str, list[Work]], dict[int, int]]:
    """Lists of works by source, and which true work (its number) each record (its ``id``) is of."""
    random = Random(seed)
    make = Maker(random)
    truths = [make.work() for _ in range(works)]
    truths += neighbours(truths, make)
    lists: dict[str, list[Work]] = {source: [] for source in SOURCES}
    owner: dict[int, int] = {}
    for truth in truths:
        for source, record in _seen(truth, random):
            lists[source].append(record)
            owner[id(record)] = truth.number
    _mistake(lists, owner, random)
    for records in lists.values():
        random.shuffle(records)
    return lists, owner


def _seen(truth: Truth, random: Random) -> list[tuple[str, Work]]:
    """The records of a work in two to five sources that can have it."""
    able = ["crossref", "openalex", "semantic_scholar"]
    able += ["arxiv"] if truth.preprint == "arxiv" else []
    able += ["pubmed", "europe_pmc"] if truth.pmid else []
    chosen = random.sample(able, random.randint(2, min(5, len(able))))
    records: list[tuple[str, Work]] = []
    for source in chosen:
        if source == "arxiv":
            records.append((source, _preprint(truth, source, random)))
            continue
        records.append((source, _published(truth, source, random)))
        if truth.preprint and source in _lists_preprints(truth) and random.random() < 0.35:
            records.append((source, _preprint(truth, source, random)))
    if "openalex" in chosen and random.random() < 0.03:
        records.append(("openalex", replace(_published(truth, "openalex", random), cited_by=0)))
    return records


def _lists_preprints(truth: Truth) -> tuple[str, ...]:
    return ("crossref", "europe_pmc", "openalex") if truth.preprint == "biorxiv" else ("openalex",)


def _published(truth: Truth, source: str, random: Random) -> Work:
    hidden = random.random()
    missing = {"crossref": 0.0, "pubmed": 0.2, "europe_pmc": 0.15, "openalex": 0.08, "semantic_scholar": 0.2}[source]
    year = truth.year + random.choices([0, 1, -1], [86, 9, 5])[0]
    if source == "semantic_scholar" and truth.preprint and random.random() < 0.5:
        year = truth.preprint_year
    knows_arxiv = source == "semantic_scholar" and truth.preprint == "arxiv" and random.random() < 0.7
    ids = Identifiers(
        doi=None if hidden < missing else truth.doi.lower(),
        arxiv=truth.preprint_id if knows_arxiv else None,
        pmid=truth.pmid or None if source in {"pubmed", "europe_pmc"} or random.random() < 0.4 else None,
        pmcid=truth.pmcid or None if source in {"pubmed", "europe_pmc"} and random.random() < 0.7 else None,
        s2=f"{random.getrandbits(160):040x}" if source == "semantic_scholar" else None,
        openalex=f"W{random.randint(1_500_000_000, 4_400_000_000)}" if source == "openalex" else None,
    )  # fmt: skip
    placed = random.random() < 0.85 and source != "semantic_scholar"
    return Work(
        title=_title(truth.title, source, random),
        ids=ids,
        authors=_authors(truth, source, random),
        published=_date(year, source, random),
        kind=_kind(truth, source, random),
        venue=truth.short_venue if source in {"pubmed", "semantic_scholar"} else truth.venue,
        volume=truth.volume if placed else "",
        pages=_pages(truth.page, random) if placed else "",
        version_of=(truth.preprint_id,) if source == "crossref" and truth.preprint and random.random() < 0.3 else (),
        sources=(source,),
    )


def _preprint(truth: Truth, source: str, random: Random) -> Work:
    on_arxiv = truth.preprint == "arxiv"
    tells = random.random()
    doi = None if on_arxiv else truth.preprint_id
    if source == "arxiv" and tells < 0.45:
        doi = truth.doi.lower()
    ids = Identifiers(
        doi=doi,
        arxiv=truth.preprint_id if on_arxiv and (source == "arxiv" or tells < 0.5) else None,
        openalex=f"W{random.randint(1_500_000_000, 4_400_000_000)}" if source == "openalex" else None,
    )
    return Work(
        title=_title(truth.preprint_title, source, random),
        ids=ids,
        authors=_authors(truth, source, random),
        published=_date(truth.preprint_year, source, random),
        kind="preprint",
        venue={"arxiv": "", "openalex": REPOSITORIES[truth.preprint]}.get(source, NAMES[truth.preprint]),
        version_of=(truth.doi.lower(),) if source in {"crossref", "europe_pmc"} and tells < 0.8 else (),
        sources=(source,),
    )


def _title(title: str, source: str, random: Random) -> str:
    """The title as the source prints it, one in thirty with a slip."""
    plain = re.sub(r"_\{(.*?)\}", r"\1", title)
    if source == "arxiv" and random.random() < 0.5:
        told = " ".join(_in_latex(word) for word in title.split(" "))
    elif source == "crossref" and random.random() < 0.3:
        told = re.sub(r"_\{(.*?)\}", r" \1 ", title).replace("-x", "−x")
    elif source == "crossref" and random.random() < 0.03:
        told = plain.upper()
    elif source in {"openalex", "europe_pmc"} and random.random() < 0.3:
        told = re.sub(r"_\{(.*?)\}", r"<sub>\1</sub>", title)
    elif source in {"pubmed", "openalex"} and random.random() < 0.3:
        told = re.sub(r"_\{(.*?)\}", lambda sub: sub[1].translate(SUBSCRIPTS), title)
    elif source in {"pubmed", "semantic_scholar"} and random.random() < 0.3:
        told = "".join(GREEK.get(letter, letter) for letter in plain)
    else:
        told = plain
    told = {"pubmed": f"{told}.", "europe_pmc": f"{told}."}.get(source, told)
    if random.random() < 0.25:
        told = told.replace("-", random.choice(["–", "‐", " "]) if "_" not in told else "-")
    if random.random() < 0.3:
        told = " ".join(word if any(c.isupper() for c in word) else word.capitalize() for word in told.split(" "))
    if random.random() < 0.1:
        told = told.replace("“", '"').replace("”", '"').replace("‘", "'").replace("’", "'").replace(" and ", " &amp; ")
    if ": " in told and not told.startswith(("Erratum", "Comment", "Reply")) and random.random() < 0.04:
        told = told.partition(": ")[0]
    return _slip(told, random) if random.random() < 1 / 30 else told


def _in_latex(word: str) -> str:
    if "_{" not in word:
        return word
    for letter, name in GREEK.items():
        word = word.replace(letter, f"\\{name} " if word[-1] != letter else f"\\{name}")
    return f"$\\mathrm{{{word}}}$" if word.count("{") % 2 else re.sub(r"_\{(.*?)\}", r"$_{\1}$", word)


def _slip(title: str, random: Random) -> str:
    """A letter of a longer word lost, doubled or exchanged with the next; another spelling; a footnote's mark."""
    words = title.split(" ")
    long = [index for index, word in enumerate(words) if len(word) > 6 and word.isalpha() and word.islower()]
    way = random.randint(0, 5)
    if not long or way == 0:
        return title + random.choice(["*", " †", "  "])
    if way == 1 and ("our" in title or "isation" in title):
        return title.replace("our ", "or ").replace("isation", "ization")
    index = random.choice(long)
    word = words[index]
    at = random.randint(1, len(word) - 3)
    words[index] = (
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + "- " + word[at:],
    )[way % 4]
    return " ".join(words)


def _authors(truth: Truth, source: str, random: Random) -> tuple[Author, ...]:
    chance = random.random()
    if source == "crossref" and chance < 0.02:
        return ()
    told = truth.authors[:1] if source == "crossref" and chance < 0.05 else truth.authors
    bare = random.random() < 0.15
    return tuple(_author(given, family, source, random, bare=bare) for given, family in told)


def _author(given: str, family: str, source: str, random: Random, *, bare: bool) -> Author:
    if bare:
        given, family = (_without_marks(part, random) for part in (given, family))
    initials = "".join(part[0] for part in re.split(r"[\s-]", given) if part)
    if source == "europe_pmc":
        return Author(f"{family} {initials}", family, initials)
    if source == "pubmed":
        short = random.random() < 0.3
        return Author(f"{initials if short else given} {family}", family, initials if short else given)
    if source == "crossref":
        given = ". ".join(initials) + "." if random.random() < 0.3 else given
        return Author(f"{given} {family}", family, given)
    if source == "semantic_scholar" and random.random() < 0.5:
        return Author(". ".join(initials) + f". {family}")
    if random.random() < 0.3:
        given = given.split()[0]
    return Author(f"{family} {given}" if random.random() < 0.02 else f"{given} {family}")


def _without_marks(name: str, random: Random) -> str:
    if random.random() < 0.5:
        name = name.replace("ü", "ue").replace("ö", "oe").replace("ß", "ss").replace("ø", "oe")
    name = name.replace("Ł", "L").replace("ø", "o").replace("ı", "i")
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c)).replace("-", " ")


def _kind(truth: Truth, source: str, random: Random) -> WorkKind:
    if truth.kind == "conference":
        return "conference" if random.random() < 0.95 else "article"
    if source == "semantic_scholar" and random.random() < 0.2:
        return random.choice(["", "conference", "review"])
    return "article"


def _date(year: int, source: str, random: Random) -> PartialDate:
    if source == "semantic_scholar" or random.random() < 0.3:
        return PartialDate(year)
    return PartialDate(year, random.randint(1, 12), random.randint(1, 28) if random.random() < 0.6 else None)


def _pages(page: int, random: Random) -> str:
    return random.choice([f"{page}", f"{page}-{page + 7}", f"{page}"])


def _mistake(lists: dict[str, list[Work]], owner: dict[int, int], random: Random) -> None:
    """Give one record in a hundred the DOI or PMID of another work."""
    everyone = [work for works in lists.values() for work in works]
    for source, works in lists.items():
        if source in {"arxiv", "crossref", "pubmed"}:
            continue
        for place, work in enumerate(works):
            if random.random() < 0.01:
                other = random.choice(everyone)
                wrong = replace(work, ids=replace(work.ids, doi=other.ids.doi or work.ids.doi, pmid=other.ids.pmid))
                owner[id(wrong)] = owner.pop(id(work))
                works[place] = wrong
