"""Tables are cut by rows, and every part says what its numbers are."""

from collections.abc import Callable, Sequence

import pytest
import typst

from pincite_library.chunks.cut import cut_paper
from pincite_library.model import Chunk, ChunkKind
from pincite_papers.model import Paper
from pincite_papers.opening.source import parse_source

Jats = Callable[..., Paper]
HEAD = "<tr><th>Material</th><th>T_c (K)</th><th>pressure (GPa)</th></tr>"


def table(rows: str, *, head: str = HEAD, caption: str = "Transition temperatures.", notes: str = "") -> str:
    foot = f"<table-wrap-foot>{notes}</table-wrap-foot>" if notes else ""
    return (
        f"<sec><title>Results</title><p>The values stand in Table 1.</p><table-wrap><label>Table 1</label>"
        f"<caption><p>{caption}</p></caption><table><thead>{head}</thead><tbody>{rows}</tbody></table>{foot}"
        "</table-wrap></sec>"
    )


def row(*cells: object) -> str:
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def tables(paper: Paper) -> list[Chunk]:
    return [chunk for chunk in cut_paper(paper) if chunk.kind is ChunkKind.TABLE]


def many(count: int) -> str:
    return "".join(row(f"Compound {k}", k / 10, k) for k in range(count))


def test_a_small_table_is_whole(jats: Jats) -> None:
    paper = jats(table(row("MgB2", 39, 0) + row("NbN", 16, 1)))
    [chunk] = tables(paper)
    assert chunk.text.split("\n") == [
        "Table 1. Transition temperatures.",
        "Material | T_c (K) | pressure (GPa)",
        "MgB2 | 39 | 0",
        "NbN | 16 | 1",
    ]
    assert (chunk.label, chunk.rows, chunk.exact, chunk.section) == ("Table 1", None, False, "Results")
    found = paper.tables[0]
    assert (chunk.start, chunk.end) == (found.start, found.end)
    assert found.caption in chunk.spans
    assert "Table of T_c (K), pressure (GPa) for 2 materials: MgB2, NbN." in chunk.context
    assert chunk.described_by == "headers"


def test_groups_of_rows_repeat_caption_and_head_and_hold_each_row_once(jats: Jats) -> None:
    paper = jats(table(many(120)))
    found = tables(paper)
    assert len(found) > 3
    for chunk in found:
        assert chunk.text.startswith("Table 1. Transition temperatures.\nMaterial | T_c (K) | pressure (GPa)\n")
        assert len(chunk.text) < 1300
        assert chunk.rows is not None
        own = [cell for cell in paper.tables[0].cells if chunk.start <= cell.start < chunk.end]
        assert (own[0].row, own[-1].row) == chunk.rows
    assert [line for chunk in found for line in chunk.text.split("\n")[2:]] == [
        f"Compound {k} | {k / 10} | {k}" for k in range(120)
    ]
    assert "Rows 1 to" in found[0].context
    assert found[-1].context.endswith("to 120 of 120.")


def test_cells_over_several_rows_are_repeated_where_a_group_starts_below_them(jats: Jats) -> None:
    rows = '<tr><td rowspan="100">Family A</td><td>0</td><td>0</td></tr>'
    rows += "".join(row(k, f"{k} and a long remark about it") for k in range(1, 100))
    found = tables(jats(table(rows)))
    assert len(found) > 2
    assert all(chunk.text.split("\n")[2].startswith("Family A | ") for chunk in found)


def test_titles_of_rows_are_repeated_over_the_groups_that_they_title(jats: Jats) -> None:
    titled = '<tr><td colspan="3">Borides</td></tr>'
    found = tables(jats(table(row("Pb", 7, 0) + titled + many(90))))
    assert len(found) > 2
    assert all(chunk.text.split("\n")[2] == "Borides" for chunk in found[1:])
    assert found[0].text.split("\n")[2:4] == ["Pb | 7 | 0", "Borides"]


def test_all_rows_of_a_head_name_the_columns(jats: Jats) -> None:
    head = (
        '<tr><th rowspan="2">Sample</th><th colspan="2">Temperature (K)</th></tr><tr><th>onset</th><th>zero</th></tr>'
    )
    [chunk] = tables(jats(table(row("A", 92, 90), head=head)))
    assert "Sample | Temperature (K) / onset | Temperature (K) / zero\nA | 92 | 90" in chunk.text


def test_a_row_that_parts_the_head_is_head_though_it_is_not_marked(jats: Jats) -> None:
    head = '<tr><th></th><th colspan="2">Controls (n = 24)</th></tr>'
    rows = row("Gene", "r value", "p value") + many(90)
    found = tables(jats(table(rows, head=head)))
    assert all("Gene | Controls (n = 24) / r value | Controls (n = 24) / p value" in chunk.text for chunk in found)


def test_notes_stand_with_each_group_when_they_are_short_else_with_the_last(jats: Jats) -> None:
    short = tables(jats(table(many(90), notes="<fn><p>a measured twice</p></fn>")))
    assert all(chunk.text.endswith("a measured twice") for chunk in short)
    long = tables(jats(table(many(90), notes=f"<fn><p>{'measured many times ' * 30}</p></fn>")))
    assert "measured many times" in long[-1].text
    assert not any("measured many times" in chunk.text for chunk in long[:-1])


def test_a_long_caption_is_whole_once_and_shortened_after(jats: Jats) -> None:
    caption = "Transition temperatures of compounds. " + "They were measured with great care by many people. " * 20
    first, *others = tables(jats(table(many(90), caption=caption)))
    assert caption.strip() in first.text
    assert all(chunk.text.startswith("Table 1. Transition temperatures of compounds.") for chunk in others)
    assert all(len(chunk.text) < 1500 for chunk in others)


def test_a_wide_table_is_parted_by_columns_with_the_labels_repeated(jats: Jats) -> None:
    names = [f"quantity number {k} (W/m)" for k in range(60)]
    head = "<tr>" + "".join(f"<th>{name}</th>" for name in ("Material", *names)) + "</tr>"
    rows = "".join(row(f"Compound {k}", *(f"{k}.{c}" for c in range(60))) for k in range(4))
    paper = jats(table(rows, head=head))
    found = tables(paper)
    assert len({chunk.locator(paper.paper_id) for chunk in found}) == len(found) > 2
    values: dict[tuple[str, str], str] = {}
    for chunk in found:
        _, head, *lines = [line.split(" | ") for line in chunk.text.split("\n")]
        assert head[0] == "Material"
        values |= {(line[0], name): value for line in lines for name, value in zip(head[1:], line[1:], strict=True)}
    assert values == {(f"Compound {k}", name): f"{k}.{c}" for k in range(4) for c, name in enumerate(names)}


def test_a_row_of_long_texts_is_parted_by_cells_with_their_names(jats: Jats) -> None:
    remark = "This compound was measured again and again. " * 60
    paper = jats(table(row("MgB2", 39, remark) + row("NbN", 16, 1)))
    found = tables(paper)
    parts = [chunk for chunk in found if "again and again" in chunk.text]
    assert len(parts) > 1
    assert all("pressure (GPa)\nMgB2\n" in chunk.text and len(chunk.text) < 1600 for chunk in parts)
    assert sum(chunk.text.count("again and again") for chunk in parts) == 60
    assert len({chunk.locator(paper.paper_id) for chunk in found}) == len(found)


def test_a_table_without_marked_heads_takes_its_first_row_of_words(jats: Jats) -> None:
    plain = HEAD.replace("th>", "td>")
    source = table(plain + many(90), head="").replace("<thead></thead>", "")
    assert all("Material | T_c (K) | pressure (GPa)" in chunk.text for chunk in tables(jats(source)))


def test_a_table_of_numbers_alone_has_no_head(jats: Jats) -> None:
    source = table("".join(row(k, k * k, k + 1) for k in range(200)), head="").replace("<thead></thead>", "")
    found = tables(jats(source))
    assert len(found) > 1
    assert found[1].text.split("\n")[1] != "0 | 0 | 1"
    assert found[0].text.count("\n0 | 0 | 1") == 1


@pytest.mark.parametrize("rows", [60, 90])
def test_a_table_over_pages_of_a_pdf_keeps_the_page_of_each_group(rows: int) -> None:
    body = ", ".join(f"[Compound {k}], [{k}.5], [−{k}]" for k in range(rows))
    head = "table.header(table.hline(), [Material], [Tc (K)], [Pressure (GPa)], table.hline(stroke: .5pt))"
    prose = "The samples were annealed in flowing oxygen for two days before every measurement was taken. " * 5
    source = f"""#set page(paper: "a5", margin: 18mm)\n#set text(size: 10pt)\n#set figure.caption(position: top)
#show figure: set block(breakable: true)\n#align(center)[#text(15pt, weight: "bold")[Made compounds over pages]]
= Results\n{prose}
#figure(table(columns: 3, stroke: none, inset: 4pt, {head}, {body}, table.hline()), caption: [Temperatures.])
{prose}"""
    paper = parse_source(typst.compile(source.encode()), max_pages=10)
    found = tables(paper)
    _check_pages(paper, found)
    lines = [line for chunk in found for line in chunk.text.split("\n")]
    assert [line for line in lines if line.startswith("Compound")] == [
        f"Compound {k} | {k}.5 | −{k}" for k in range(rows)
    ]


def _check_pages(paper: Paper, found: Sequence[Chunk]) -> None:
    assert {chunk.page for chunk in found} >= {1, 2}
    for chunk in found:
        assert chunk.page == paper.page_at(chunk.start)
        first = next(line for line in chunk.text.split("\n") if line.startswith("Compound "))
        assert first.split(" | ")[0] in paper.text[chunk.start : chunk.end]
        assert "Pressure (GPa)" in chunk.text
