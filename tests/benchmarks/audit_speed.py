"""How long an audit takes: a report of about 100 pages over bundled papers, and the memory of the process.

    python tests/benchmarks/audit_speed.py [PAGES]

The report repeats true sentences of the papers, with quotations, values and citations, so that each claim must be
looked for. Times are of the audit alone, and of opening the papers (from the cache where they were parsed before).
"""

import random
import re
import resource
import sys
import time
from itertools import pairwise
from pathlib import Path

from pincite_harness.audit.sources import open_sources
from pincite_papers.passages import sentence_breaks
from pincite_provenance.audit.auditing import audit_report
from pincite_provenance.audit.citing import AuditSource
from pincite_provenance.audit.reading import read_report

ROOT = Path(__file__).parents[2]
PAPERS = ROOT / "tasks/shared/papers"
PAGE_CHARS = 3000
"""Characters of a page of a report: 500 words."""
_QUOTED = 0.15
"""Share of the sentences that the report quotes, every tenth of them with a word changed."""


def make_report(sources: list[AuditSource], pages: int) -> str:
    """Sentences with numbers out of the papers, some quoted, each paragraph with its citation, and the references."""
    rng = random.Random(7)
    sentences = [(k, text) for k, source in enumerate(sources) for text in _sentences(source)]
    parts: list[str] = []
    while sum(map(len, parts)) < pages * PAGE_CHARS:
        paragraph: list[str] = []
        for key, sentence in rng.sample(sentences, 5):
            text = sentence
            if rng.random() < _QUOTED:
                words = sentence.rstrip(".").split()
                if rng.random() < 0.1:
                    words[len(words) // 2] = "otherwise"
                text = f"They write that “{' '.join(words)}”"
            paragraph.append(f"{text.rstrip('.')} [{key + 1}].")
        parts.append(" ".join(paragraph))
    listed = [f"[{k + 1}] {s.paper.title}. {s.paper.year}. doi:{s.paper.doi}" for k, s in enumerate(sources)]
    return "\n\n".join([*parts, "## References", *listed])


def _sentences(source: AuditSource) -> list[str]:
    text = source.paper.text
    edges = [0, *sentence_breaks(text, 0, len(text)), len(text)]
    found = [" ".join(text[a:b].split()) for a, b in pairwise(edges) if "\t" not in text[a:b] and "[" not in text[a:b]]
    return [sentence for sentence in found if 60 < len(sentence) < 300 and re.search(r"\d", sentence)]


def main(pages: int) -> None:
    """Print the times."""
    begun = time.perf_counter()
    sources = open_sources([PAPERS]).sources
    opened = time.perf_counter()
    report = read_report(make_report(sources, pages))
    made, cpu = time.perf_counter(), time.process_time()
    audit = audit_report(report, sources)
    done, spent = time.perf_counter(), time.process_time() - cpu
    verdicts: dict[str, int] = {}
    for finding in audit.findings:
        verdicts[finding.verdict] = verdicts.get(finding.verdict, 0) + 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{pages} pages, {len(report.source)} characters, {len(sources)} papers, {len(audit.findings)} claims")
    print(f"opening {opened - begun:.1f} s, audit {done - made:.1f} s ({spent:.1f} s of one core)")
    print(f"peak memory {peak:.0f} MB")
    print(verdicts)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
