"""Tables of one page: regions between rules or under captions, cut into rows, columns and cells with their spans."""

from pincite_papers.pdf.tables.draft import CellDraft, TableDraft
from pincite_papers.pdf.tables.find import find_tables

__all__ = ["CellDraft", "TableDraft", "find_tables"]
