"""Claims as a Markdown note whose blocks can be linked to, as Obsidian does: ``[[claims#^c3-1a2b3c4d]]``."""

import re
from collections.abc import Iterator, Sequence

from pincite_provenance.ledger.entry import LedgerEntry
from pincite_provenance.ledger.wording import agent_words, claim_words, paper_address, verdict_words

_SIGNS = re.compile(r"([\\`*_{}\[\]<>#+!|~$%^=@&-])")
"""What Markdown or Obsidian could read as markup, links, tags, embeds or comments in words of a paper."""


def markdown_note(entries: Sequence[LedgerEntry], ledger: str, head: str) -> str:
    """A note with a section a paper and a block a claim; ``ledger`` is the ledger's name (a UUID), ``head`` the hash of
    its last row."""
    lines = ["---", f"ledger: urn:uuid:{ledger}", f"head: {head}", f"claims: {len(entries)}", "---", "", "# Claims"]
    papers: dict[str, list[LedgerEntry]] = {}
    for entry in entries:
        papers.setdefault(entry.paper["paper_id"], []).append(entry)
    shown = {entry.id for entry in entries}
    for claims in papers.values():
        paper = claims[0].paper
        address = paper_address(claims[0])
        lines += ["", f"## {plain_markdown(paper['title']) or 'Without a title'}", ""]
        lines.append(f"<{address}>" if address.startswith("https://") else f"`{address}`")
        for entry in claims:
            lines += ["", *_block(entry, shown)]
    return "\n".join(lines) + "\n"


def _block(entry: LedgerEntry, shown: set[str]) -> Iterator[str]:
    """A quotation with the claim, its locator and its verdict, and the name of the block."""
    yield f"> {plain_markdown(entry.claim['quote'])}"
    yield ">"
    locator = entry.locator()
    page = f"page {locator.page}, " if locator is not None and locator.page else ""
    yield f"> **{entry.facts.claim}**: {plain_markdown(claim_words(entry))} ({page}`{_code(entry.short_locator)}`)"
    yield ">"
    later = entry.superseded_by or entry.retracted_by
    for line in verdict_words(entry):
        linked = plain_markdown(line)
        if later and later in shown:
            linked = linked.replace(plain_markdown(later), f"[{later}](#^{later})")
        yield f"> - {linked}"
    agent = agent_words(entry)
    yield f"> - recorded {entry.content['time']}{f' by {plain_markdown(agent)}' if agent else ''}"
    yield ""
    yield f"^{entry.id}"


def plain_markdown(text: str) -> str:
    """Words on one line that mean nothing to Markdown."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))


def _code(text: str) -> str:
    """A text within backticks."""
    return " ".join(text.replace("`", "'").split())
