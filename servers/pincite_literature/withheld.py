"""Withheld: works that do not exist for a task, since its answer stands in them."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pincite_literature.identifiers import identify
from pincite_literature.model import Identifiers, Work

if TYPE_CHECKING:
    from pincite_literature.titles import Title

PAPER_ID = "sha256:"


class Withheld:
    """Works named by DOI, arXiv id, another identifier, title, or the digest of a paper (``sha256:…``)."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._ids: set[tuple[str, str]] = set()
        self._titles: list[Title] = []
        self._papers: set[str] = set()
        for name in names:
            ids = identify(name)
            if name.startswith(PAPER_ID):
                self._papers.add(name)
            elif ids is not None:
                self._ids |= set(ids.known().items())
            else:
                self._add_title(name)

    def __bool__(self) -> bool:
        """Whether anything is withheld."""
        return bool(self._ids or self._titles or self._papers)

    def hides(self, work: Work) -> bool:
        """Whether a record is of such a work, by an identifier of it or of another version, or by its title."""
        return (
            self._names(work.ids) or any(self._is_id(other) for other in work.version_of) or self._is_title(work.title)
        )

    def hides_any(self, records: Iterable[Work]) -> bool:
        """Whether one of the records of a work is of such a work."""
        return bool(self) and any(self.hides(record) for record in records)

    def hides_paper(self, paper_id: str, title: str, doi: str) -> bool:
        """Whether a paper that was opened is such a work."""
        return paper_id in self._papers or self._is_id(doi) or self._is_title(title)

    def hides_page(self, url: str, title: str = "") -> bool:
        """Whether a page of the web is of such a work, by an identifier in its address or by its title, which sites put
        their own names behind or before."""
        parts = [title, *title.split(" | "), *title.split(" - "), *title.split(" \u2013 "), title.partition("] ")[2]]
        return self._is_id(url) or any(self._is_title(part) for part in parts)

    def _add_title(self, text: str) -> None:
        """Add a title, but none that many works bear."""
        from pincite_literature.titles import read_title

        title = read_title(text)
        if title.compact and not title.generic:
            self._titles.append(title)

    def _names(self, ids: Identifiers) -> bool:
        return not self._ids.isdisjoint(ids.known().items())

    def _is_id(self, text: str) -> bool:
        ids = identify(text) if text else None
        return ids is not None and self._names(ids)

    def _is_title(self, text: str) -> bool:
        if not text or not self._titles:
            return False
        from pincite_literature.titles import near, read_title

        title = read_title(text)
        return any(near(title, known) for known in self._titles)
