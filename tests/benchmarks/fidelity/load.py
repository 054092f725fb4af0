"""A publisher's XML file as Truth, whichever of the two formats it is in."""

from pathlib import Path

import bmc
import jats
from elsewhere import outside_texts, untitled_titles
from front import read_front
from lxml import etree
from truth import Truth
from xrefs import count_citations


def load_truth(path: Path) -> Truth:
    """Read JATS (or NLM 2) and the older BMC ``art`` format; ValueError for any other root element."""
    parser = etree.XMLParser(load_dtd=False, resolve_entities=False, no_network=True, recover=True)
    root = etree.parse(path, parser).getroot()
    if root.tag not in ("article", "art"):
        raise ValueError(f"{path.name}: unknown root element {root.tag}")
    truth = jats.read_article(root) if root.tag == "article" else bmc.read_article(root)
    truth.untitled, truth.outside = untitled_titles(root), outside_texts(root)
    truth.front, truth.cited = read_front(root, path.name.split(".xml")[0].removesuffix(".jats")), count_citations(root)
    return truth
