"""What an answer cites: is it the gold's source, and do its quotes stand where it says?"""

from collections.abc import Sequence

from pincite_papers.quoting.quotes import MAX_QUOTE_CHARS
from pincite_scoring.case import Case
from pincite_scoring.literature_qa.answers import Cited, QuestionReply
from pincite_scoring.literature_qa.gold import Gold, Source
from pincite_scoring.literature_qa.names import FILLER, tokens_of
from pincite_scoring.literature_qa.quantities import quantities
from pincite_scoring.literature_qa.word_answers import normal
from pincite_scoring.precedent_search.answer import Source as Citation
from pincite_scoring.precedent_search.citations import doi_form
from pincite_scoring.precedent_search.literature import Evidence, KnownWork, open_literature
from pincite_scoring.quotations import check_quote, verified_share
from pincite_scoring.shown import shown_in

_LONGEST = 500
"""Characters of a DOI or title that is looked for."""


def standings(reply: QuestionReply, case: Case) -> list[tuple[str, str]]:
    """Each quote of the answer and how it stands: in a paper of the task, on the page that it names, or in the work of
    the task's corpus that it cites (``scoring.quotations``); nothing where the task has neither."""
    quotes = [cited for cited in reply.cited if cited.quote.strip()]
    return [(cited.quote, _standing(cited, case)) for cited in quotes] if case.papers or case.corpus else []


def evidence_verified(quoted: Sequence[tuple[str, str]], gold: Gold | None = None, said: str = "") -> float | None:
    """The share of the answer's quotes that stand, over those that can be verified; 0 where none carries the answer.

    ``said`` is the answer in words: an option's for its letter. None where nothing can be verified.
    """
    share = verified_share(standing for _, standing in quoted)
    found = [quote for quote, standing in quoted if standing in ("verified", "unverifiable")]
    if share and gold is not None and said and not any(_carries(quote, gold, said) for quote in found):
        return 0.0
    return share


def _carries(quote: str, gold: Gold, said: str) -> bool:
    """Whether a quote is of the gold's passage, or has the answer's number or its words."""
    words = frozenset(tokens_of(quote))
    passage = frozenset(tokens_of(gold.source.quote or "")) if gold.source is not None else frozenset[str]()
    shared = words & passage - FILLER
    fewest = min(len(words - FILLER), len(passage - FILLER))
    if shared and len(shared) >= _SHARED * fewest:
        return True
    numbers = {each.value for each in quantities(said)}
    if numbers and numbers & {each.value for each in quantities(quote)}:
        return True
    own = frozenset(word for word in tokens_of(said) if not word[0].isdigit()) - FILLER
    return bool(own) and not numbers and len(own & words) >= _SHARED * len(own)


_SHARED = 0.5
"""Share of the words that weigh which a quote has of the passage, or of the answer, to carry it (stated here)."""


def source_cited(reply: QuestionReply, source: Source | None, case: Case) -> float | None:
    """Whether a source of the answer is the gold's, by paper, DOI or title; None where the gold has none."""
    if source is None:
        return None
    return float(any(_is_same(cited, source) or source.paper in _given(cited, case) for cited in reply.cited))


def _given(cited: Cited, case: Case) -> list[str]:
    """The papers of the task that are cited: by file name, with or without its ending, by DOI, or by title."""
    name = cited.paper.rpartition("/")[2]
    named = [each for each in case.papers if name and name in (each, each.rpartition(".")[0])]
    if named or not (_doi(cited) or cited.title or name):
        return named
    doi = _doi(cited) or doi_form(cited.paper)
    titles = {normal(title) for title in (cited.title, cited.paper) if title}
    return [
        each
        for each, paper in case.papers.items()
        if (doi and doi == doi_form(paper.doi or "")) or (paper.title and normal(paper.title) in titles)
    ]


def find_work(case: Case, doi: str, title: str) -> KnownWork | None:
    """The work of the task's corpus with this DOI, or with this title where there is none."""
    if case.corpus is None:
        return None
    return open_literature(case.corpus).find(Citation(doi=doi[:_LONGEST], title=title[:_LONGEST]))


def known_works(reply: QuestionReply, case: Case) -> dict[str, KnownWork]:
    """The cited works that the task's corpus has, by the DOI or title they are cited by."""
    works = {_doi(cited) or cited.title: find_work(case, _doi(cited), cited.title) for cited in reply.cited}
    return {name: work for name, work in works.items() if work is not None}


def _standing(cited: Cited, case: Case) -> str:
    named = _given(cited, case)
    doi = _doi(cited)
    if not named and (doi or cited.title):
        if case.corpus is None:
            return "absent"
        source = Citation(doi=doi[:_LONGEST], title=cited.title[:_LONGEST], quoted_span=cited.quote[:MAX_QUOTE_CHARS])
        standing = Evidence(open_literature(case.corpus), shown_in(case.trial)).standing(source)
        return "absent" if standing == "unknown_work" else standing
    one = named[0] if len(named) == 1 else ""
    return check_quote(case.papers, cited.quote, cited.page, one, shown=shown_in(case.trial)).standing


def _is_same(cited: Cited, source: Source) -> bool:
    pairs = (
        (cited.paper.rpartition("/")[2], source.paper),
        (_doi(cited), doi_form(source.doi or "")),
        (normal(cited.title), normal(source.title or "")),
    )
    return any(given and given == true for given, true in pairs)


def _doi(cited: Cited) -> str:
    """The DOI that is cited, or that the name of a fetched text holds (``10.5555_x.1.xml``); "" for none."""
    fetched = cited.paper.rpartition("/")[2].rpartition(".")[0]
    return doi_form(cited.doi) or doi_form(fetched.replace("_", "/", 1))
