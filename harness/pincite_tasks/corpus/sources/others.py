"""The rest of the web around a corpus: it is up, and has nothing but what the corpus holds."""

import re

from pincite_tasks.corpus.corpus import Corpus
from pincite_tasks.corpus.exchange import Asked, CorpusReply, missing
from pincite_tasks.corpus.sources import pubmed
from pincite_tasks.corpus.sources.europe_pmc import jats

_XML = "application/xml; charset=utf-8"


def ncbi(corpus: Corpus, asked: Asked) -> CorpusReply:
    """The E-utilities (eutils.ncbi.nlm.nih.gov): PubMed, and of PMC the open texts of the corpus as JATS."""
    if asked.text("db") != "pmc" or not asked.path.endswith("/efetch.fcgi"):
        return pubmed.answer(corpus, asked)
    text = jats(corpus, f"PMC{asked.text('id').removeprefix('PMC')}")
    return missing() if text is None else CorpusReply.of_text(text, _XML)


def pmc_files(_: Corpus, asked: Asked) -> CorpusReply:
    """PMC's cloud service lists no files: its texts come from the E-utilities and Europe PMC."""
    if asked.path != "/":
        return missing()
    listing = (
        '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><KeyCount>0</KeyCount></ListBucketResult>'
    )
    return CorpusReply.of_text(listing, _XML)


def doi_handles(corpus: Corpus, asked: Asked) -> CorpusReply:
    """The handles of DOIs (doi.org/api/handles/DOI): those of the corpus are registered."""
    doi = re.sub(r"^/(api/handles/)?", "", asked.path).lower()
    work = corpus.find(
        lambda each: bool(doi) and doi in (each.doi.lower(), f"10.48550/arxiv.{each.arxiv}" if each.arxiv else "")
    )
    if work is None:
        return CorpusReply.json({"responseCode": 100, "handle": doi}, 404)
    url = f"https://arxiv.org/abs/{work.arxiv}" if doi != work.doi.lower() else f"https://publisher.example/{doi}"
    value = {"index": 1, "type": "URL", "data": {"format": "string", "value": url}, "ttl": 86400}
    return CorpusReply.json({"responseCode": 1, "handle": doi, "values": [value]})


def wikipedia(_: Corpus, __: Asked) -> CorpusReply:
    """An encyclopedia without a page on any of it."""
    return CorpusReply.json({"batchcomplete": True})


def web_search(_: Corpus, asked: Asked) -> CorpusReply:
    """A search engine (SearXNG) that finds no page."""
    return CorpusReply.json({"query": asked.text("q"), "results": [], "unresponsive_engines": []})
