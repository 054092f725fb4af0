"""What an answer cites: is it the gold's source, and do its quotes stand where it says?"""

from pincite_harness.scoring.case import Case
from pincite_harness.scoring.literature_qa.answers import Cited, Reply
from pincite_harness.scoring.literature_qa.gold import Source
from pincite_harness.scoring.literature_qa.words import normal
from pincite_harness.scoring.precedent_search.answer import Source as Citation
from pincite_harness.scoring.precedent_search.citations import doi_form
from pincite_harness.scoring.precedent_search.literature import KnownWork, open_literature
from pincite_harness.scoring.quotations import check_quote, stands_in

_LONGEST = 500
"""Characters of a DOI or title that is looked for."""


def standings(reply: Reply, case: Case) -> list[str]:
    """How each quote of the answer stands: in a paper of the task, on the page that it names, or in the work of the
    task's corpus that it cites (``scoring.quotations``); nothing where the task has neither."""
    quotes = [cited for cited in reply.cited if cited.quote.strip()]
    return [_standing(cited, case) for cited in quotes] if case.papers or case.corpus else []


def source_cited(reply: Reply, source: Source | None) -> float | None:
    """Whether a source of the answer is the gold's, by paper, DOI or title; None where the gold has none."""
    if source is None:
        return None
    return float(any(_is_same(cited, source) for cited in reply.cited))


def find_work(case: Case, doi: str, title: str) -> KnownWork | None:
    """The work of the task's corpus with this DOI, or with this title where there is none."""
    if case.corpus is None:
        return None
    return open_literature(case.corpus).find(Citation(doi=doi[:_LONGEST], title=title[:_LONGEST]))


def _standing(cited: Cited, case: Case) -> str:
    name = cited.paper.rpartition("/")[2]
    doi = _doi(cited)
    if name not in case.papers and (doi or cited.title):
        work = find_work(case, doi, cited.title)
        return "absent" if work is None else stands_in(work.paper, cited.quote)
    return check_quote(case.papers, cited.quote, cited.page, name).standing


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
