"""Identifiers of works: told apart and brought to one form.

Forms after: DOI Handbook 2.2 to 2.6 (case-insensitive, ASCII letters folded), arXiv "Understanding the arXiv
identifier" (new style since April 2007, five digits since January 2015; the old style without its subject class), NCBI
(PMID, PMCID), Semantic Scholar (paperId) and OpenAlex (work ids).
"""

import re
from urllib.parse import unquote, urlsplit

from pincite_core.characters import HYPHENS, UNSEEN
from pincite_core.errors import BadInputError
from pincite_literature.model import Identifiers
from pincite_papers.doi import PREFIX, cut_doi, is_cut

LONGEST = 1_000
"""Characters; a longer text is not an identifier."""

_INVISIBLE = dict.fromkeys(map(ord, UNSEEN), None) | dict.fromkeys(map(ord, HYPHENS), "-")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
_WRAPPED = re.compile(r"""[<\["'“‘(]+(?=\S)""")
_URL = re.compile(r"(?:https?:)?//|(?:www\.)?(?:[a-z0-9-]+\.)+[a-z]{2,}/", re.IGNORECASE)

_DOI = re.compile(rf"{PREFIX}[^\s\x00-\x1f\x7f]+")
_DOI_PREFIX = re.compile(r"(?:(?:info|urn):)?(?:doi[:=\s/]\s*)+", re.IGNORECASE)
_VIEW = re.compile(r"(?:/(?:abstract|abs|full|fulltext|full-text|html|pdf|epdf|meta|references|summary|epub)|\.pdf)+$")
_PREPRINT_VERSION = re.compile(r"^(10\.(?:1101|64898)/[\d.]+\d)v\d+(?:\..*)?$")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")

_NEW = r"(?P<year>\d{2})(?P<month>\d{2})\.(?P<number>\d{4,5})"
_OLD = r"(?P<archive>[a-z]+(?:-[a-z]+)?)(?:\.[a-z-]{2,8})?/(?P<old>\d{2}(?:0[1-9]|1[0-2])\d{3})"
_ARXIV = re.compile(
    rf"(?:(?:oai:arxiv\.org:|arxiv\s*[:.]|arxiv\s)\s*)?(?:{_NEW}|{_OLD})(?:v\d{{1,3}})?"
    r"(?:\s*\[[\w.-]{2,20}\](?:\s+\d{1,2} \w{3,9} \d{4})?)?",
    re.IGNORECASE,
)
_ARXIV_HOSTS = re.compile(r"(?:(?:[\w-]+\.)*(?:arxiv\.org|ar5iv\.org)|(?:www\.)?alphaxiv\.org)")
_ARXIV_PATH = re.compile(r"/(?:abs|pdf|html|format|src|e-print|ps|papers|overview)/(.+?)(?:\.pdf|\.ps)?/?")
_ARCHIVES = frozenset({
    "acc-phys", "adap-org", "alg-geom", "ao-sci", "astro-ph", "atom-ph", "bayes-an", "chao-dyn", "chem-ph", "cmp-lg",
    "comp-gas", "cond-mat", "cs", "dg-ga", "funct-an", "gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th", "math",
    "math-ph", "mtrl-th", "nlin", "nucl-ex", "nucl-th", "patt-sol", "physics", "plasm-ph", "q-alg", "q-bio",
    "quant-ph", "solv-int", "supr-con",
})  # fmt: skip
"""Archives of old-style ids (1991 to March 2007)."""

_NCBI = r"(?:[\w-]+\.)*ncbi\.nlm\.nih\.gov"
_EUROPE = r"(?:www\.)?europepmc\.org"
_PMID_URL = re.compile(
    rf"(?:pubmed\.{_NCBI}|{_NCBI}/(?:m/)?pubmed|{_EUROPE}/(?:article|abstract)/med)/(\d+)/?", re.IGNORECASE
)
_PMCID_URL = re.compile(
    rf"(?:{_NCBI}(?:/pmc)?/articles|{_EUROPE}/(?:articles|(?:article|abstract)/pmc))/(?:pmc)?(\d+)(?:\.\d+)?(?:/.*)?",
    re.IGNORECASE,
)
_PMID = re.compile(r"(?:(?:(?:pmid|pubmed(?:\s*id)?)\s*[:/#]?|med[:/])\s*)?0*([1-9]\d{0,8})", re.IGNORECASE)
_PMCID = re.compile(r"(?:pmcid\s*:?\s*)?(?:pmc)?\s*:?\s*0*([1-9]\d{0,9})(?:\.\d{1,2})?", re.IGNORECASE)
_S2 = re.compile(r"(?:s2(?:id|orc)?:\s*)?([0-9a-f]{40})", re.IGNORECASE)
_S2_URL = re.compile(
    r"(?:www\.|api\.)?semanticscholar\.org/(?:.*/)?(?:paper|reader)/(?:.*/)?([0-9a-f]{40})(?:/.*)?", re.IGNORECASE
)
_OPENALEX = re.compile(
    r"(?:openalex:\s*)?(?:(?:api\.|www\.)?openalex\.org/(?:works/)?)?(w[1-9]\d{0,11})", re.IGNORECASE
)
_BARE_PMID = re.compile(r"[1-9]\d{4,7}")
_ARXIV_VERSION = re.compile(r"\d(v[1-9]\d{0,2})(?:\.pdf)?/?$")
_OPENERS = {")": "(", "]": "[", "}": "{", ">": "<"}


def doi(text: str) -> str | None:
    """The DOI of ``text``: bare, with prefix, or in a URL of doi.org, a proxy or a publisher; None when it is none.

    Lower case; percent-encoding, entities and closing punctuation undone; versions of arXiv and bioRxiv DOIs dropped;
    one that is cut short (see ``pincite_papers.doi``) is none.
    """
    cleaned = _cleaned(text)
    if cleaned is None:
        return None
    for sign, character in _ENTITIES:
        cleaned = cleaned.replace(sign, character)
    if _URL.match(cleaned):
        found = _doi_of_url(cleaned)
    else:
        bare = unquote(_DOI_PREFIX.sub("", cleaned, count=1)) if not cleaned.startswith("10.") else unquote(cleaned)
        found = _doi_of_url(bare) if _URL.match(bare) else bare
    match = _DOI.fullmatch(_closed(found)) if found else None
    if match is None or "�" in match[0] or is_cut(match[0]):
        return None
    normal = re.sub("[A-Z]+", lambda run: run[0].lower(), match[0])
    if versioned := _PREPRINT_VERSION.match(normal):
        return versioned[1]
    if (implied := arxiv_of_doi(normal)) is not None:
        return doi_of_arxiv(implied)
    return normal


def arxiv(text: str) -> str | None:
    """The arXiv id without version and subject class, of an id, a URL or an arXiv DOI; None when it is none."""
    cleaned = _cleaned(text)
    if cleaned is None:
        return None
    cleaned = cleaned.rstrip(".,;")
    if _URL.match(cleaned) and not cleaned.startswith("oai:"):
        parts = _parts(cleaned)
        if parts is None:
            return None
        host, path, _ = parts
        hosted = _ARXIV_HOSTS.fullmatch(host) or host in {"huggingface.co", "www.huggingface.co"}
        match = _ARXIV_PATH.fullmatch(path) if hosted else None
        if match is None:
            found = doi(cleaned)
            return arxiv_of_doi(found) if found else _plain_arxiv(cleaned)
        cleaned = match[1]
    elif "10.48550/" in cleaned:
        found = doi(cleaned)
        return arxiv_of_doi(found) if found else None
    return _plain_arxiv(cleaned)


def arxiv_of_doi(normal_doi: str) -> str | None:
    """The arXiv id that a DOI of arXiv (10.48550/arXiv.…) names."""
    match = _ARXIV_DOI.fullmatch(normal_doi.lower())
    return _plain_arxiv(match[1]) if match else None


def doi_of_arxiv(arxiv_id: str) -> str:
    """The DOI that arXiv registers for a work, in lower case."""
    return f"10.48550/arxiv.{arxiv_id}"


def pmid(text: str) -> str | None:
    """The PMID of digits, ``PMID: 1`` or a URL of PubMed or Europe PMC, without leading zeros."""
    return _numbered(text, _PMID, _PMID_URL)


def pmcid(text: str) -> str | None:
    """``PMC`` and the digits of a PMCID, a URL of PMC or Europe PMC, or bare digits; versions (``.1``) dropped."""
    digits = _numbered(text, _PMCID, _PMCID_URL)
    return f"PMC{digits}" if digits else None


def s2(text: str) -> str | None:
    """Semantic Scholar's paperId (40 hexadecimal digits, lower case) of itself or of a URL."""
    cleaned = _cleaned(text)
    match = (_S2.fullmatch(cleaned) or _S2_URL.fullmatch(_bare(cleaned))) if cleaned else None
    return match[1].lower() if match else None


def openalex(text: str) -> str | None:
    """OpenAlex's id of a work (``W`` and digits) of itself or of a URL."""
    cleaned = _cleaned(text)
    match = _OPENALEX.fullmatch(_bare(cleaned).rstrip("/")) if cleaned else None
    return match[1].upper() if match else None


def identify(text: str) -> Identifiers | None:
    """The identifier that ``text`` is, in any usual spelling (prefix, URL); None when it reads as a title.

    An arXiv DOI gives the arXiv id too. Bare digits are a PMID only when they are 5 to 8 without a leading zero ("1984"
    reads as a title), ``W`` and digits an OpenAlex id only from 5 digits on; PMCIDs need their ``PMC``.
    """
    cleaned = _cleaned(text)
    if cleaned is None:
        return None
    if found := doi(text):
        return Identifiers(doi=found, arxiv=arxiv_of_doi(found))
    if found := arxiv(text):
        return Identifiers(arxiv=found)
    cleaned = cleaned.rstrip(".,;")
    if _BARE_PMID.fullmatch(cleaned):
        return Identifiers(pmid=cleaned)
    if cleaned.isdigit():
        return None
    if found := pmid(cleaned):
        return Identifiers(pmid=found)
    if found := pmcid(cleaned):
        return Identifiers(pmcid=found)
    if found := s2(cleaned):
        return Identifiers(s2=found)
    if (found := openalex(cleaned)) and (len(found) > 5 or len(cleaned) > len(found)):
        return Identifiers(openalex=found)
    return None


def identified(text: str) -> str | None:
    """The identifier that ``text`` is, as "doi:10.1000/x" or "arxiv:2101.00001v2"; None for none."""
    ids = identify(text)
    known = ids.known() if ids is not None else {}
    for kind in ("arxiv", "doi", "pmid", "pmcid", "s2", "openalex"):
        if kind in known:
            version = _ARXIV_VERSION.search(text) if kind == "arxiv" else None
            return f"{kind}:{known[kind]}{version[1] if version else ''}"
    return None


def cut_short(text: str) -> BadInputError | None:
    """The error for a text that names a work by a DOI that is cut short, None where none is in it."""
    cut = cut_doi(text)
    if cut is None:
        return None
    return BadInputError(
        "This DOI is cut short.",
        seen=cut[:200],
        next="Give it whole: a DOI of this kind ends like <531::AID-APP5>3.0.CO;2-S, or give the work's title.",
    )


def _cleaned(text: str) -> str | None:
    """``text`` without what copying adds: blanks, invisible characters, opening quotes and brackets."""
    if len(text) > LONGEST:
        return None
    cleaned = text.translate(_INVISIBLE).strip()
    if opened := _WRAPPED.match(cleaned):
        cleaned = cleaned[opened.end() :]
    return _without_closers(cleaned) or None


def _without_closers(text: str) -> str:
    """``text`` without closing quotes, and brackets that nothing opens."""
    while text:
        last = text[-1]
        opener = _OPENERS.get(last)
        if last not in "\"'”’»" and (opener is None or text.count(last) <= text.count(opener)):
            break
        text = text[:-1].rstrip()
    return text


def _closed(found: str) -> str:
    """A DOI without the punctuation behind it."""
    while True:
        shorter = _without_closers(found.rstrip(".,;:!?…/&"))
        if shorter == found:
            return found
        found = shorter


def _bare(text: str) -> str:
    """A URL without scheme, query and fragment; any other text as it is."""
    if _URL.match(text) and (parts := _parts(text)):
        return parts[0] + parts[1]
    return text


def _parts(url: str) -> tuple[str, str, str] | None:
    """Host in lower case, path and query, percent-encoding undone."""
    try:
        split = urlsplit(url if "//" in url[:8] else f"//{url}")
        return (split.hostname or "").lower(), unquote(split.path), unquote(split.query)
    except ValueError:
        return None


def _doi_of_url(url: str) -> str | None:
    parts = _parts(url)
    if parts is None:
        return None
    host, path, query = parts
    inside = re.search(rf"/(?:doi:)?({PREFIX}.+)", path)
    if inside:
        ours = host.endswith("doi.org") or "doi-org" in host
        return inside[1] if ours else _VIEW.sub("", inside[1])
    if host.endswith("nature.com") and (article := re.fullmatch(r"/articles/([\w.-]+?)(?:\.pdf|/.*)?", path)):
        return f"10.1038/{article[1]}"
    asked = re.search(rf"(?:^|&)(?:id|doi)=(?:info:doi/|doi:)?({PREFIX}[^&\s]*)", query)
    return asked[1] if asked else None


def _plain_arxiv(text: str) -> str | None:
    match = _ARXIV.fullmatch(text.strip())
    if match is None:
        return None
    if match["old"]:
        archive = match["archive"].lower()
        return f"{archive}/{match['old']}" if archive in _ARCHIVES else None
    year, month, number = match["year"], match["month"], match["number"]
    if not "01" <= month <= "12" or not "0704" <= year + month <= "9012":
        return None
    if len(number) != (5 if year + month >= "1501" else 4):
        return None
    return f"{year}{month}.{number}"


def _numbered(text: str, plain: re.Pattern[str], url: re.Pattern[str]) -> str | None:
    cleaned = _cleaned(text)
    if cleaned is None or not cleaned.isascii():
        return None
    match = plain.fullmatch(cleaned.rstrip(".,;")) or url.fullmatch(_bare(cleaned))
    return (match[1].lstrip("0") or None) if match else None
