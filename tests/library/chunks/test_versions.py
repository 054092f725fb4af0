"""A library is cut again when chunks change: so CHUNKER must change with them."""

import hashlib
from collections.abc import Callable
from dataclasses import astuple

from pincite_library.chunks.cut import CHUNKER, cut_paper
from pincite_papers.model import Paper

Jats = Callable[..., Paper]

DIGESTS = {"chunks-1": "d3314265b544b572", "chunks-2": "c1b1743cc48a9c1c"}
"""The digest of the chunks below under each version: when it differs, give CHUNKER a new version and add its digest."""


def test_chunks_are_those_of_their_version(jats: Jats) -> None:
    words = " ".join(f"Sentence {k} tells that compound {k} was heated to {k} K for hours." for k in range(60))
    rows = "".join(f"<tr><td>Compound {k}</td><td>{k}.5</td><td>{k * k}</td></tr>" for k in range(80))
    body = f"""<sec><title>Methods</title><p>{words[:300]}.</p><p>{words[:200]}.</p><sec><title>Growth</title>
<p>{words}</p><disp-formula>E = m c^2</disp-formula><p>where m is the mass.</p></sec></sec>
<sec><title>Results</title><p>See Table 1.</p><table-wrap><label>Table 1</label><caption><p>Values of compounds.</p>
</caption><table><thead><tr><th>Material</th><th>T_c (K)</th><th>p (GPa)</th></tr></thead><tbody>{rows}</tbody></table>
<table-wrap-foot><fn><p>measured twice</p></fn></table-wrap-foot></table-wrap>
<fig id="f"><label>Figure 1</label><caption><p>Resistance. (a) Of lead. (b) Of tin.</p></caption></fig></sec>"""
    back = "<ref-list><title>References</title><ref><mixed-citation>Noether E. 1918.</mixed-citation></ref></ref-list>"
    made = "\n".join(repr(astuple(chunk)) for chunk in cut_paper(jats(body, back)))
    assert DIGESTS[CHUNKER] == hashlib.sha256(made.encode()).hexdigest()[:16]
