"""What stands before a chunk when it is indexed."""

from collections.abc import Callable

from pincite_library.chunks.context import PaperContext, compose, shortened
from pincite_library.chunks.cut import cut_paper
from pincite_library.model import ChunkKind
from pincite_papers.model import Paper

Jats = Callable[..., Paper]
BODY = "<sec><title>Methods</title><p>Samples were ground and pressed.</p></sec>"


def test_text_has_title_headings_and_the_start_of_the_abstract(jats: Jats) -> None:
    chunk = next(chunk for chunk in cut_paper(jats(BODY)) if chunk.section == "Methods")
    assert chunk.context.split("\n") == [
        "Superconductivity of made compounds",
        "Methods",
        "We report the transition temperature of compounds that nobody has made. It rises with pressure.",
    ]


def test_the_abstract_is_not_its_own_context(jats: Jats) -> None:
    chunk = next(chunk for chunk in cut_paper(jats(BODY)) if chunk.section == "Abstract")
    assert "nobody has made" in chunk.text
    assert "nobody has made" not in chunk.context


def test_title_and_authors_have_journal_year_and_keywords(jats: Jats) -> None:
    front = cut_paper(jats(BODY))[0]
    assert "Journal of Made Matter" in front.context
    assert "(2021)" in front.context
    assert "Keywords: cuprates; pressure" in front.context


def test_references_have_no_abstract(jats: Jats) -> None:
    back = "<ref-list><title>References</title><ref><mixed-citation>Noether E. 1918.</mixed-citation></ref></ref-list>"
    [chunk] = [chunk for chunk in cut_paper(jats(BODY, back)) if chunk.kind is ChunkKind.REFERENCE]
    assert chunk.context == "Superconductivity of made compounds\nReferences"


def test_parts_can_be_weighed_apart(jats: Jats) -> None:
    parts = PaperContext.of(jats(BODY)).passage("Methods")
    assert parts.section == "Methods"
    assert compose(parts._replace(lead="")) == "Superconductivity of made compounds\nMethods"


def test_text_is_shortened_to_whole_sentences_else_to_whole_words() -> None:
    assert shortened("One is here. Two is there. Three is lost.", 30) == "One is here. Two is there."
    assert shortened("word " * 100, 52) == ("word " * 10).strip()
    assert shortened("short  and\nwell", 52) == "short and well"
