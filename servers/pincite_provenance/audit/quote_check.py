"""Whether a quotation of a report stands in a source, by the one matcher of quotes."""

import re
from dataclasses import dataclass

from pincite_papers.model import Paper
from pincite_papers.passages import locate
from pincite_papers.quoting.quotes import MAX_QUOTE_CHARS, QuoteMatch, find_quote, quote_stands
from pincite_provenance.audit.finding import AuditVerdict, SourcePassage

_EDGES = " \t\n.,;:!?…"
_EDITED = re.compile(r"\[([A-Za-z])\]")
"""A first letter that the report's author changed: ``[T]he``."""
_INSERTED = re.compile(r"\[(?!\.|…)[^\[\]]{1,60}\]")
"""Words that the report's author put in, or in the place of others."""
_INNER = str.maketrans("‘’“”", "“”‘’")
"""Quotation marks within a quotation are changed to the other kind."""
_CITATION = re.compile(
    r"(?<=[^\W\d_])(?:\^\{?\d{1,3}(?:\s?[,–-]\s?\d{1,3})+[,–-]?\}?|\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\])"
    r"|(?<=[^\W\d_]{4})\^\{?\d{1,3}\}?|(?<=[^\W\d_])\^\{?\d{2,3}\}?"
)
"""Marks of citations in a source: raised numbers behind a word, or numbers in brackets."""
_SHOWN = 600


@dataclass(frozen=True, slots=True)
class QuoteStanding:
    """How a quotation stands in one source; ``distance`` counts differing characters of one that does not."""

    verdict: AuditVerdict
    reason: str
    passage: SourcePassage | None
    distance: int = 0

    @property
    def stands(self) -> bool:
        return self.verdict in ("exact", "exact but for print")


def forms_of(quote: str) -> list[str]:
    """The quotation as it is written, without the marks of the sentence around it, and with its first letter in the
    other case: a quote within a sentence begins small."""
    quote = _EDITED.sub(r"\1", quote).strip()
    bare = quote.strip(_EDGES)
    inserted = _INSERTED.sub("…", bare)
    found = [quote, bare, inserted]
    found += [each.translate(_INNER) for each in (bare, inserted)]
    found += [each[:1].swapcase() + each[1:] for each in (bare, inserted) if each[:1].isalpha()]
    return [form for form in dict.fromkeys(found) if form.strip()]


def stands_in(quote: str, paper: Paper) -> bool:
    """Whether a form of the quotation stands in the paper."""
    return len(quote) <= MAX_QUOTE_CHARS and any(quote_stands(paper, form) for form in forms_of(quote))


def check_quotation(quote: str, name: str, paper: Paper) -> QuoteStanding:
    """How the quotation stands in ``paper``, which the report's reader knows as ``name``."""
    if len(quote) > MAX_QUOTE_CHARS:
        return QuoteStanding("unsure", f"the quotation is longer than {MAX_QUOTE_CHARS} characters", None)
    forms = forms_of(quote)
    for number, form in enumerate(forms):
        if quote_stands(paper, form):
            return _standing(find_quote(paper, form), name, paper, is_first=number == 0)
    return _near(find_quote(paper, quote.strip().strip(_EDGES) or quote), name, paper)


def _standing(match: QuoteMatch, name: str, paper: Paper, *, is_first: bool) -> QuoteStanding:
    passage = _passage(match, name, paper)
    if match.standing == "exact" and is_first:
        return QuoteStanding("exact", "it stands in the source, character for character", passage)
    overlooked = list(match.normalisations) + ([] if is_first else ["its first letter or its ends"])
    verdict: AuditVerdict = "exact" if match.standing == "exact" else "exact but for print"
    return QuoteStanding(verdict, f"it stands in the source but for {', '.join(overlooked)}", passage)


def _near(match: QuoteMatch, name: str, paper: Paper) -> QuoteStanding:
    if match.standing == "absent":
        return QuoteStanding("not there", f"nothing like it stands in the source. {match.remark}".strip(), None, 10**6)
    said = [(each.said, each.printed) for each in match.differences[:3]]
    shown = "; ".join(f"the report says {mine!r}, the source {theirs!r}" for mine, theirs in said)
    if match.differences and all(_without_citations(theirs) == _bare(mine) for mine, theirs in _all_said(match)):
        reason = f"it stands in the source but for marks of citations: {shown}"
        return QuoteStanding("exact but for print", reason, _passage(match, name, paper))
    has_number = any(_numbers(mine) != _numbers(theirs) for mine, theirs in said)
    verdict: AuditVerdict = "value differs" if has_number else "reworded"
    reason = shown or match.remark or "the passage is cut"
    return QuoteStanding(verdict, reason, _passage(match, name, paper), match.distance)


def _all_said(match: QuoteMatch) -> list[tuple[str, str]]:
    return [(each.said, each.printed) for each in match.differences]


def _without_citations(text: str) -> str:
    return _bare(_CITATION.sub("", text))


def _bare(text: str) -> str:
    """The words without white space and the marks at their ends."""
    return "".join(text.strip(_EDGES).split())


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?", text)


def _passage(match: QuoteMatch, name: str, paper: Paper) -> SourcePassage:
    text = " ".join(paper.text[match.start : match.end].split())[:_SHOWN]
    where = locate(paper, match.start, match.end)
    return SourcePassage(name, paper.paper_id, where, text, match.page, match.start, match.end)
