"""Corpora: made-up literatures that the literature servers of a trial see in place of the real web.

A corpus is a folder: ``works.jsonl`` (one ``CorpusWork`` a line, see ``work``) and ``texts/`` with the open full texts
(``.txt`` in the small language of ``fulltext``, ``.xml`` as JATS, ``.html`` as a page). ``CorpusServer`` answers for it
in the languages of arXiv, PubMed, Crossref, OpenAlex, Semantic Scholar, Europe PMC and Unpaywall; every other source
is there too, and has nothing. What a source finds and in which order is stated in ``index`` and ``sources``: it
imitates the real ones' reach (arXiv: metadata of preprints; Crossref: titles and bylines; OpenAlex and Europe PMC: open
full texts too), not their ranking, which nobody publishes.
"""
