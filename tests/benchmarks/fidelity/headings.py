"""(b) Section headings: recall and precision."""

from dataclasses import dataclass

from normalise import normalise
from truth import Truth

from pincite_papers.model import Paper


@dataclass(frozen=True, slots=True)
class HeadingScore:
    """``found`` of the ``expected`` headings of the XML, ``reported`` sections of the Paper, untitled parts aside."""

    found: int
    expected: int
    reported: int
    misses: tuple[str, ...]


def score_headings(truth: Truth, paper: Paper) -> HeadingScore:
    """A heading is found when a section's title, with or without its number, is the same text, case aside."""
    titles = [{_key(section.title), _key(f"{section.number} {section.title}")} for section in paper.sections]
    printed = [_key(paper.text[section.start : section.heading_end]) for section in paper.sections]
    open_titles = [titles_ | {text} for titles_, text in zip(titles, printed, strict=True)]
    misses: list[str] = []
    for heading in truth.headings:
        hit = next((index for index, each in enumerate(open_titles) if _key(heading) in each), None)
        if hit is None:
            misses.append(f"heading not found: {heading!r}")
        else:
            open_titles[hit] = set()
    untitled = {_key(title) for title in truth.untitled}
    left = [(section.title, titles) for section, titles in zip(paper.sections, open_titles, strict=True) if titles]
    extra = [f"heading not in the XML: {title!r}" for title, titles in left if not titles & untitled]
    found = len(truth.headings) - len(misses)
    return HeadingScore(found, len(truth.headings), found + len(extra), (*misses, *extra))


def _key(text: str) -> str:
    return normalise(text).casefold().strip(" .:")
