"""The tools of the Zotero server, one concern a module."""
