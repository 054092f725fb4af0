"""Word documents and workbooks as Papers, by python-docx and openpyxl (the extra ``office``)."""

from pincite_papers.office.docx import parse_docx
from pincite_papers.office.xlsx import parse_xlsx

__all__ = ["parse_docx", "parse_xlsx"]
