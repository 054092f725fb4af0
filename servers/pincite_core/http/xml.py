"""Strict XML reading, so that a truncated or missing response is never taken for an empty one."""

import importlib
from typing import Any

from pincite_core.http.exchange import Response
from pincite_core.xml import hardened_parser

_MOST_DEEP = 60
"""Elements inside each other; deeper answers are taken for damaged. Set by judgement."""
_DEEP_PATH = "/*" + "/*" * _MOST_DEEP


def read_xml(response: Response) -> Any:
    """The root element (of lxml) of a body; SourceError ("malformed") when it is not a well-formed XML.

    No entity is expanded, nothing is fetched, no DTD is read; more than 60 elements inside each other are refused.
    """
    etree = importlib.import_module("lxml.etree")
    try:
        root = etree.fromstring(response.content, hardened_parser())
    except (etree.XMLSyntaxError, ValueError) as error:
        raise response.malformed(str(error)[:200]) from error
    if root.xpath(_DEEP_PATH):
        raise response.malformed(f"its XML has more than {_MOST_DEEP} elements inside each other")
    if next(root.iter(etree.Entity), None) is not None:
        raise response.malformed("its XML has entities of its own")
    return root
