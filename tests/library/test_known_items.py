"""Known-item queries are what they say: no copies, the same each time, and their chunks answer them."""

import random
from collections.abc import Callable

import known_items
import pytest
from parts.known_items.corpus import DATA, Corpus
from parts.known_items.item import KnownItem
from parts.known_items.paraphrase import LONGEST_RUN, longest_run, paraphrase, words_of
from parts.known_items.values import exact_tokens

from pincite_papers.opening.source import parse_source

_WORDS = (
    ("crimson", "preliminary", "sputtering", "graphite"),
    ("turquoise", "reproduced", "evaporation", "molybdenum"),
    ("magenta", "contaminated", "ablation", "porcelain"),
    ("ochre", "duplicated", "epitaxy", "tungsten"),
)
_MATERIALS = ("cuprate", "pnictide", "boride")


def article(number: int) -> bytes:
    """A small JATS article about one material, with sentences, a table and a figure of its own."""
    name = _MATERIALS[number]
    sentences = " ".join(
        f"The {name} films of the {colour} {batch} batch were deposited by {way} of a {name} target because the"
        f" {holder} holders could not survive annealing above {400 + k}.{number}5 degrees in sample X{number}{k}Z."
        for k, (colour, batch, way, holder) in enumerate(_WORDS)
    )
    rows = "".join(f"<tr><td>{name} sample {k}</td><td>{number}{k}.125</td><td>{k}</td></tr>" for k in range(40))
    return f"""<?xml version="1.0"?><article><front><article-meta><title-group><article-title>Growth of superconducting
{name} films</article-title></title-group><abstract><p>We grew {name} films.</p></abstract></article-meta></front><body>
<sec><title>Methods</title><p>{sentences}</p></sec><sec><title>Results</title><p>The results stand in a table.</p>
<table-wrap><label>Table 1</label><caption><p>Transition temperatures of sputtered {name} films after annealing in
flowing oxygen.</p></caption><table><thead><tr><th>Sample</th><th>Onset (K)</th><th>Thickness (nm)</th></tr></thead>
<tbody>{rows}</tbody></table></table-wrap><fig id="f"><label>Figure 1</label><caption><p>Resistance of annealed {name}
films decreases with temperature and shows a transition.</p></caption></fig></sec></body></article>""".encode()


@pytest.fixture(scope="module")
def made() -> known_items.KnownItems:
    papers = tuple(parse_source(article(number), max_pages=5) for number in range(len(_MATERIALS)))
    return known_items.from_papers(papers, 120, 3)


def of(made: known_items.KnownItems, part: str) -> list[KnownItem]:
    return [item for item in made.queries if item.part == part]


def test_every_part_has_queries(made: known_items.KnownItems) -> None:
    assert {item.part for item in made.queries} >= set(known_items.PARTS) - {"names"}
    assert len({(item.part, item.query) for item in made.queries}) == len(made.queries)


def test_queries_are_the_same_each_time(made: known_items.KnownItems) -> None:
    assert known_items.from_papers(made.papers, 120, 3).queries == made.queries
    assert known_items.from_papers(made.papers, 120, 4).queries != made.queries


def test_relevant_chunks_are_there(made: known_items.KnownItems) -> None:
    pairs = zip(made.papers, made.chunks, strict=True)
    texts = {chunk.locator(paper.paper_id): chunk.text for paper, chunks in pairs for chunk in chunks}
    for item in made.queries:
        assert item.relevant
        assert item.relevant <= set(texts)
    for item in of(made, "sentences"):
        assert any(item.said in texts[locator] for locator in item.relevant)
    for item in of(made, "exact"):
        assert all(item.query in texts[locator] for locator in item.relevant)
    for item in of(made, "tables"):
        label, _, name = item.said.partition(" / ")
        assert all(f"\n{label} | " in texts[place] and name in texts[place] for place in item.relevant)


def test_paraphrases_are_no_copies(made: known_items.KnownItems) -> None:
    items = of(made, "sentences") + of(made, "captions")
    assert items
    for item in items:
        assert longest_run(item.query, item.said) <= LONGEST_RUN
        assert item.query.lower() not in item.said.lower()


def test_values_are_not_asked_with_themselves(made: known_items.KnownItems) -> None:
    assert of(made, "tables")
    assert not any(".125" in item.query for item in of(made, "tables"))


def test_a_token_that_many_chunks_have_is_no_exact_query(made: known_items.KnownItems) -> None:
    items = list(exact_tokens(Corpus.of(made.papers), 0, random.Random(1)))
    assert {item.said for item in items} >= {"number", "identifier"}
    assert not any(item.query in ("cuprate", "Table", "2001") for item in items)


def test_a_paraphrase_drops_asides_and_numbers_and_keeps_rare_words() -> None:
    sentence = (
        "The concentration of quetzalcoatlin (measured twice [12]) increased significantly in 31 treated mice because"
        " the xylophoid receptors were inhibited during the experiment."
    )
    said = [paraphrase(sentence, random.Random(seed), lambda word: 1 if word[0] in "qx" else 50) for seed in range(40)]
    found = [text for text in said if text is not None]
    assert len(found) > 20
    assert all("twice" not in text and "31" not in text and "significantly" not in text for text in found)
    assert all("quetzalcoatlin" in text and "xylophoid" in text for text in found)
    assert any("blocked" in text or "suppressed" in text for text in found)
    assert any(text.index("xylophoid") < text.index("quetzalcoatlin") for text in found)


def test_what_cannot_be_said_otherwise_is_left_out() -> None:
    rare = dict.fromkeys(words_of("zz yy xx"), 1)
    assert paraphrase("Zz yy xx.", random.Random(1), lambda word: rare.get(word, 9)) is None


def test_the_set_of_real_papers_is_large(missing: Callable[[str], None]) -> None:
    if not DATA.is_dir():
        missing(f"no papers under {DATA}")
    made = known_items.known_items(8, 120)
    assert len(made.queries) > 100
    assert {item.part for item in made.queries} == set(known_items.PARTS)
    for item in of(made, "sentences") + of(made, "captions"):
        assert longest_run(item.query, item.said) <= LONGEST_RUN
