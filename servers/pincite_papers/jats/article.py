"""parse_jats: a JATS article as a Paper."""

from pincite_core.errors import HostileError
from pincite_papers.jats.bmc import as_jats
from pincite_papers.jats.body import Body
from pincite_papers.jats.elsevier import elsevier_as_jats, is_elsevier
from pincite_papers.jats.front import read_front, write_front
from pincite_papers.jats.inline import Inline
from pincite_papers.jats.references import reference_ids
from pincite_papers.jats.tei import tei_as_jats
from pincite_papers.jats.tree import read_tree
from pincite_papers.markup import PaperBuilder
from pincite_papers.markup.elements import Element, plain_text
from pincite_papers.model import Paper, SourceFormat

PARSER = "pincite-jats/1"
TEI_PARSER = "pincite-tei/1"
ELSEVIER_PARSER = "pincite-elsevier/1"
_PARTS = ("body", "back", "floats-group", "floats-wrap", "sub-article", "response")


def parse_jats(data: bytes, *, max_pages: int) -> Paper:
    """The Paper of a JATS, NLM, BioMed Central, Elsevier or TEI XML source; it has no pages: ``max_pages`` is not used.

    Raises DamagedError, EmptySourceError, HostileError or UnknownFormatError.
    """
    builder = PaperBuilder(SourceFormat.JATS, PARSER)
    article = read_tree(data, builder.warnings)
    if article.tag == "art":
        article = as_jats(article)
    elif article.tag == "TEI":
        builder.format, builder.parser = SourceFormat.TEI, TEI_PARSER
        article = tei_as_jats(article)
    elif is_elsevier(article):
        builder.format, builder.parser = SourceFormat.ELSEVIER, ELSEVIER_PARSER
        article = elsevier_as_jats(article)
    labels = _Labels(article)
    inline = Inline(reference_ids(article), labels.of)
    body = Body(builder, inline)
    try:
        read_front(article, builder, inline)
        write_front(article, builder, inline, body.block)
        for part in article:
            if part.tag in _PARTS:
                body.block(part)
    except RecursionError as error:
        raise HostileError(
            "The XML is nested too deeply to be a paper.", seen=repr(error), next="Open another copy of the paper."
        ) from error
    if inline.lost:
        builder.warnings.append(
            f"Formulas and signs in the text that are given as pictures only: {inline.lost}. [formula] or [image] "
            "stands for each."
        )
    if not any(len(part) for part in article.iter("body")):
        builder.warnings.append("The source holds no text of the body: front matter and references only.")
    return builder.build(data)


class _Labels:
    """What the source prints for an element that a link without a text points to."""

    def __init__(self, article: Element) -> None:
        self._article = article
        self._known: dict[str, str] | None = None

    def of(self, anchor: str) -> str:
        """The label of the element with this id, "" where it has none."""
        if self._known is None:
            self._known = {}
            for element in self._article.iter():
                name = element.get("id")
                if name:
                    self._known.setdefault(name, plain_text(element.find("label")))
        return self._known.get(anchor, "")
