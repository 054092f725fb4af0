"""Zotero: the items of a Zotero library as papers: search, quotes checked, highlights and tags written back."""
