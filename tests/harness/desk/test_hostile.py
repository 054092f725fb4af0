"""Hostile contents: whatever papers, agents and file names say, pages show it as text and nothing of it runs."""

import json
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings, load_settings
from pincite_harness.cli.main import app
from pincite_harness.desk.export import export
from pincite_harness.desk.plots import PanelShown, PlotShown, SeriesShown
from pincite_harness.desk.run_book import RunBook
from pincite_harness.desk.targets import read_targets
from pincite_papers.model import Rect
from pincite_papers.opening.store import PaperStore
from pincite_provenance.claims.check import check_claim
from pincite_provenance.ledger.entry import Caller, claim_content
from pincite_provenance.ledger.ledger import Ledger
from pincite_provenance.model import Claim
from pincite_trajectory.atif import (
    Agent,
    ImagePart,
    ImageSource,
    Observation,
    ObservationResult,
    Step,
    TextPart,
    ToolCall,
    Trajectory,
)

FAMILY_PAPER = Path(__file__).parents[3] / "tasks" / "property_extraction" / "papers" / "ybco_oxygen.pdf"
RUN = "window.ran = (window.ran || 0) + 1"
CONTENTS = [
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"</title><script>{RUN}</script>",
    f"</pre><script>{RUN}</script>",
    f"</textarea><img src=x onerror='{RUN}'>",
    f'"><img src=x onerror="{RUN}">',
    f"'><img src=x onerror='{RUN}'>",
    f"` onmouseover=`{RUN}`",
    f'" autofocus onfocus="{RUN}" x="',
    f"<svg onload='{RUN}'></svg>",
    f"<svg><script>{RUN}</script></svg>",
    f"<svg><animate onbegin='{RUN}' attributeName=x dur=1s>",
    f"<math><mi xlink:href='javascript:{RUN}'>x</mi></math>",
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"<iframe src='javascript:{RUN}'></iframe>",
    f"<object data='data:text/html,<script>{RUN}</script>'></object>",
    f"<embed src='javascript:{RUN}'>",
    f"<a href='javascript:{RUN}' id=first>x</a>",
    f"<form action='javascript:{RUN}'><button>x</button></form>",
    f"<details open ontoggle='{RUN}'>",
    f"<video><source onerror='{RUN}'></video>",
    f"<body onload='{RUN}'>",
    f"<template><script>{RUN}</script></template>",
    f"<noscript><p title=\"</noscript><img src=x onerror='{RUN}'>\"></noscript>",
    "<base href='https://evil.example/'>",
    "<meta http-equiv='refresh' content='0;url=https://evil.example/'>",
    "<link rel=stylesheet href='https://evil.example/x.css'>",
    "<style>*{display:none!important}</style>",
    "<div style='position:fixed;inset:0;background:red'>",
    "<img src='https://evil.example/pixel.png'>",
    "{{ 7 * 7 }}{% for x in y %}{{ config }}{% endfor %}",
    "${alert(1)} #{alert(1)} <%= 7 * 7 %>",
    "javascript:alert(1)",
    "pc:00000000#p1:1-2<script>window.ran=1</script>",
    "\u202e<tpircs>gnp.exe\u2066",
    "\ufeff\u200b\u0000\u0007\u001b[31m",
    "&lt;script&gt;window.ran=1&lt;/script&gt;",
    "<!-- --!><script>window.ran=1</script> -->",
    "<![CDATA[<script>window.ran=1</script>]]>",
    "../../../../etc/passwd",
    "A" * 30_000,
    "<b>" * 2_000,
]
PICTURES = ["media/../../../x.png", "https://evil.example/x.png", "//evil.example/x.png", '"><script>1</script>.png']


class Markup(HTMLParser):
    """Elements with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def faults(self, base: str) -> list[str]:
        """Elements and attributes that a page of the desk never has."""
        found: list[str] = []
        for tag, held in self.elements:
            if tag in {"iframe", "object", "embed", "base", "style", "template", "math", "video"}:
                found.append(tag)
            found += [f"{tag} {name}" for name in held if name.startswith("on") or name in {"style", "srcdoc"}]
            found += [f"{tag} {held}" for name in ("src", "href", "action") if not _own(held.get(name), base)]
            if tag == "script" and not str(held.get("src")).startswith(f"{base}/static/"):
                found.append("script")
        return found


def _own(address: str | None, base: str) -> bool:
    return address is None or address.startswith((f"{base}/", "#"))


def hostile_trajectory() -> Trajectory:
    """Every content as a message, thought, tool, argument, result and name of a role."""
    steps = [Step(step_id=1, source="user", message=CONTENTS[0], timestamp="2026-01-01T00:00:00Z")]
    for number, text in enumerate(CONTENTS, start=2):
        parts: list[Any] = [TextPart(text=text)]
        parts += [ImagePart(source=ImageSource(media_type="image/png", path=path)) for path in PICTURES]
        call = ToolCall(
            tool_call_id="1", function_name=text[:200], arguments={text[:200]: text}, extra={"server": text[:50]}
        )
        result = ObservationResult(source_call_id="1", content=parts, extra={"refused": text[:300]})
        steps.append(
            Step(
                step_id=number,
                source="agent",
                message=text,
                reasoning_content=text,
                model_name=text[:200],
                tool_calls=[call],
                observation=Observation(results=[result]),
            )
        )
    agent = Agent(name="react", version="1")
    inner = [
        Trajectory(trajectory_id=f"{number}{text[:60]}", agent=agent, steps=steps[:1], extra={"role": text[:200]})
        for number, text in enumerate(CONTENTS)
    ]
    return Trajectory(agent=agent, steps=steps, subagent_trajectories=inner)


def record_hostile(trial: Path) -> None:
    """A wire record and a claim of the ledger with each content."""
    (trial / "wire").mkdir()
    with (trial / "wire" / "llm.jsonl").open("w") as wire:
        for number, text in enumerate(CONTENTS):
            record = {"kind": "request", "at": text[:40], "seq": number, "body": {text: [text]}}
            wire.write(json.dumps(record) + "\n")
        wire.write('{"kind":"request","at":"now","seq":900,"body":' + CONTENTS[0] * 9000 + "\n")
    ledger = Ledger(trial / "claims.db")
    with PaperStore(Settings(roots=(FAMILY_PAPER.parent,))) as store:
        paper = store.open(FAMILY_PAPER)
    for text in CONTENTS:
        claim = Claim(text[:2000], f"pc:{paper.paper_id[7:15]}", text[:50], text[:20], text[:200], text[:200])
        content = claim_content(claim, check_claim(paper, claim), paper, Caller(text[:60]), note=text[:500])
        ledger.append(lambda _past, made=content: made)


@pytest.fixture(scope="module")
def hostile(
    open_desk: Any, make_run: Any, answer_of: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """A desk over a run whose every text is hostile, and over a paper that is."""
    answer = answer_of("ybco_oxygen")
    records = answer["properties"]
    for number, text in enumerate(CONTENTS):
        changed = {"material_or_system": text[:2000], "value_string": text[:900], "method": text[:900]}
        places = {"page": 1, "source_type": "text", "evidence": text[:4000]}
        records[number % len(records)] = {**records[number % len(records)], **changed, "location": places}
    folder = make_run(
        tmp_path_factory.mktemp("hostile") / "run",
        {"ybco_oxygen": answer},
        hostile_trajectory(),
        status="failed",
        cause="agent_failed",
        detail="\n".join(CONTENTS),
        agent=CONTENTS[5],
        model=CONTENTS[1],
    )
    (folder / "trials" / "ybco_oxygen__1" / "agent.log").write_text("\n".join(CONTENTS[:30]))
    record_hostile(folder / "trials" / "ybco_oxygen__1")
    said = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**said, "name": "".join(CONTENTS[:12])}))
    escaped = "".join(text.replace("&", "&amp;").replace("<", "&lt;") for text in CONTENTS[:30])
    body = f"<p>{escaped} and the rest of a paragraph about oxygen content.</p>" * 3
    paper = folder.parent / f"{CONTENTS[27][:20]}\"' onload=x .html".replace("/", "")
    paper.write_text(
        f"<html><head><title>{escaped}</title></head><body><article><h1>{escaped}</h1>"
        f"<h2>Introduction</h2>{body}</article></body></html>"
    )
    claims = [
        {"kind": "quote", "verdict": text, "text": text, "line": 1, "start": 0, "end": 9, "reason": text}
        | {"cited": [text], "source": text, "locator": text, "source_says": text, "status": text}
        for text in CONTENTS
    ]
    audit = folder.parent / "audit.json"
    reports = [{"report": text, "summary": {}, "claims": claims} for text in CONTENTS[:3]]
    sources = {"sources": [{"name": text, "paper_id": text} for text in CONTENTS]}
    unread = {"sources_not_read": {text: text for text in CONTENTS}}
    audit.write_text(json.dumps({"form": "pincite-audit/1", **sources, **unread, "reports": reports}))
    report = folder.parent / "<img src=x onerror=alert(1)>.md"
    report.write_text("\n\n".join(f'"{text}" is 4.2 K.' for text in CONTENTS))
    library = folder.parent / "library"
    CliRunner().invoke(app, ["library", "add", str(paper), "--library", str(library)], catch_exceptions=False)
    with open_desk(folder, paper, audit, report, library) as desk:
        yield desk


def paths_of(desk: Any) -> list[str]:
    trial = "run/0/trial/ybco_oxygen__1"
    key = desk.site.given[0]
    steps = [f"{trial}/step?conversation=0&number={number}" for number in range(1, len(CONTENTS) + 2)]
    return [
        "", "run/0", "run/0?q=%22%3E%3Cscript%3E", "run/0?family=%22%3E%3Cimg%20src=x%20onerror=1%3E&sort=-task", trial,
        f"{trial}/answer", f"{trial}/steps?conversation=0&first=1", f"{trial}/find?q=%3Cscript%3E",
        f"{trial}/find?q={'a' * 5000}", f"{trial}/locator?at=%3Cscript%3E", f"paper/{key}",
        f"paper/{key}/place?spans=3-200", f"paper/{key}/place?spans=%3Cscript%3E",
        f"paper/{key}/find?q=script", "%3Cscript%3Ealert(1)%3C/script%3E",
        *steps, "audit/0/0", "audit/0/2", "audit/1/0", "audit/1/0/claim/1", "audit/1/0/step/1",
        "library/0", "library/0?q=oxygen+content+script", "library/0?q=%3Cscript%3E&year=%22%3E%3Cscript%3E",
        "library/0?q=x&collection=%3Cscript%3E", "library/0/papers", "library/0/papers?q=%3Cscript%3E",
        f"library/0/passage/{key}?spans=3-200",
        *(f"audit/0/0/claim/{number}" for number in range(len(CONTENTS))),
        f"{trial}/timeline", f"{trial}/ledger", f"{trial}/wire?door=model&seq=900",
        *(f"{trial}/wire?door=model&seq={number}" for number in range(len(CONTENTS))),
        f"{trial}/wire?door=%3Cscript%3E&at=%3Cscript%3E", f"paper/{key}/plot/0",
        "charts/0", "charts/0/analyses", "charts/0,0", "compare/0,0", "compare/0,0?q=%3Cscript%3E&show=%3Cscript%3E",
        "pair/0,0?family=property_extraction&task=ybco_oxygen&attempt=1",
        "pair/0,0?family=%3Cscript%3E&task=%22%3E%3Cimg%20src=x%20onerror=1%3E&attempt=1",
        f"paper/{key}/misreading?spans=%3Cscript%3E&note=%3Cscript%3E",
    ]  # fmt: skip


def test_no_page_has_an_element_or_attribute_that_came_from_outside(hostile: Any) -> None:
    assert len(CONTENTS) >= 40
    base = hostile.address.partition(str(hostile.port))[2]
    found: dict[str, list[str]] = {}
    for path in paths_of(hostile):
        answer = hostile.get(path)
        assert answer.status_code < 500, path
        if faults := Markup(answer.text).faults(base):
            found[path] = faults[:3]
    assert not found


def test_a_plot_whose_every_text_is_hostile_is_escaped(hostile: Any) -> None:
    """Names of figures, series and axes, and reasons of refusals, come from what is printed in a paper."""
    base = hostile.address.partition(str(hostile.port))[2]
    key = hostile.site.given[0]
    for text in CONTENTS:
        series = SeriesShown(text, text, text, 3, [(1.0, 2.0)], ["1,2 3,4"], 1, [text])
        panel = PanelShown(text, (0.0, 0.0, 9.0, 9.0), [text], [series], [text], text)
        plot = PlotShown(text, 1, Rect(0, 0, 9, 9), [panel], text, text)
        page = SimpleNamespace(width=100.0, height=100.0)
        made = hostile.site.render("plot.html", part=False, site=hostile.site, key=key, name=text, plot=plot, page=page)
        assert not Markup(made).faults(base), text[:60]


def test_nothing_of_it_runs_or_loads_in_a_browser(hostile: Any, browser: Any) -> None:
    trial = "run/0/trial/ybco_oxygen__1"
    for path in (
        "",
        "run/0",
        trial,
        "audit/0/0",
        "audit/1/0",
        f"paper/{hostile.site.given[0]}",
        f"{trial}/find?q=script",
        f"{trial}/ledger",
        f"{trial}/wire?door=model&seq=0",
        f"{trial}/wire?door=model&seq=900",
    ):
        browser.open(f"{hostile.address}/{path}")
        assert browser.run("window.ran ?? 0") == 0, path
        assert not browser.complaints, path
    browser.open(f"{hostile.address}/{trial}#steps")
    browser.until("document.querySelectorAll('.step').length > 40")
    browser.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    bodies = "[...document.querySelectorAll('[data-conversation=\"0\"] .body')]"
    browser.until(f"!{bodies}.some((each) => !each.childElementCount)")
    assert browser.run("window.ran ?? 0") == 0
    assert browser.run("document.baseURI").startswith(hostile.address)
    outside = "performance.getEntriesByType('resource').filter((each) => !each.name.startsWith(location.origin)).length"
    assert browser.run(outside) == 0
    assert all("404" in each for each in browser.complaints), browser.complaints


def test_a_static_copy_is_as_safe(hostile: Any, tmp_path: Path) -> None:
    made = export(read_targets([hostile.site.runs[0].path]), load_settings(), tmp_path / "copy")
    page = Markup(made.index.read_text())
    assert not [tag for tag, _ in page.elements if tag in {"script", "iframe", "object", "embed", "base", "style"}]
    attributes = [(name, value or "") for _, held in page.elements for name, value in held.items()]
    assert not [name for name, _ in attributes if name.startswith("on") or name in {"style", "srcdoc"}]
    outside = [value for name, value in attributes if name in {"src", "href", "action"} and ":" in value]
    assert not outside


def test_names_of_trials_and_links_do_not_lead_out_of_the_run(
    open_desk: Any, make_run: Any, answer_of: Callable[..., Any], tmp_path: Path
) -> None:
    folder = make_run(tmp_path / "run", {"ybco_oxygen": answer_of("ybco_oxygen")})
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    log = folder / "trials" / "ybco_oxygen__1" / "agent.log"
    log.symlink_to(secret)
    with open_desk(folder) as desk:
        refused = desk.get("run/0/trial/ybco_oxygen__1")
        assert refused.status_code == 422
        assert "the secret" not in refused.text
    said = json.loads((folder / "run.json").read_text())
    for name in ("../../x", "..", "/etc", "a\\b", ""):
        (folder / "run.json").write_text(json.dumps({**said, "trials": [name]}))
        with pytest.raises(BadInputError, match="no folder's"):
            RunBook(folder)
