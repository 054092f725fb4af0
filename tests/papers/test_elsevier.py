"""Elsevier's article XML as a Paper, alone and in the answer of its service."""

import pytest

from pincite_papers.model import BlockKind, SourceFormat
from pincite_papers.opening.source import parse_source

ARTICLE = """<ja:article xmlns:ja="http://www.elsevier.com/xml/ja/dtd" xmlns:ce="http://www.elsevier.com/xml/common/dtd"
 xmlns:sb="http://www.elsevier.com/xml/common/struct-bib/dtd" xmlns:cals="http://www.elsevier.com/xml/common/cals/dtd"
 version="5.6" docsubtype="fla"><ja:item-info><ja:jid>INVOX</ja:jid><ce:doi>10.9999/els.1</ce:doi>
<ce:copyright year="2019" type="full-transfer">Elsevier</ce:copyright></ja:item-info>
<ce:floats><ce:figure id="fig1"><ce:label>Fig. 1</ce:label><ce:caption><ce:simple-para>Loss of ZnO.</ce:simple-para>
</ce:caption><ce:link locator="gr1"/></ce:figure>
<ce:table id="tbl1"><ce:label>Table 1</ce:label><ce:caption><ce:simple-para>Gaps.</ce:simple-para></ce:caption>
<cals:tgroup cols="3"><cals:colspec colname="col1"/><cals:colspec colname="col2"/><cals:colspec colname="col3"/>
<cals:thead><cals:row><ce:entry>Oxide</ce:entry><ce:entry namest="col2" nameend="col3">Gap (eV)</ce:entry></cals:row>
</cals:thead><cals:tbody><cals:row><ce:entry>ZnO</ce:entry><ce:entry>3.3</ce:entry><ce:entry>0.1<ce:sup>a</ce:sup>
</ce:entry></cals:row></cals:tbody></cals:tgroup>
<ce:table-footnote id="tf1"><ce:label>a</ce:label><ce:note-para>Estimated.</ce:note-para></ce:table-footnote></ce:table>
</ce:floats>
<ja:head><ce:title>Ageing of Zn<ce:inf>2</ce:inf>O</ce:title><ce:author-group><ce:author>
<ce:given-name>Ida</ce:given-name><ce:surname>Solberg</ce:surname></ce:author></ce:author-group>
<ce:abstract class="author-highlights"><ce:abstract-sec><ce:simple-para>A highlight.</ce:simple-para></ce:abstract-sec>
</ce:abstract><ce:abstract class="author"><ce:abstract-sec>
<ce:simple-para>Oxides age.</ce:simple-para></ce:abstract-sec></ce:abstract>
<ce:keywords><ce:keyword><ce:text>oxide</ce:text></ce:keyword></ce:keywords></ja:head>
<ja:body><ce:sections><ce:section id="s1"><ce:label>1</ce:label><ce:section-title>Introduction</ce:section-title>
<ce:para>Seen before <ce:cross-refs refid="bib1 bib2">[1,2]</ce:cross-refs> at 10<ce:hsp sp="0.25"/>K.</ce:para>
<ce:section id="s2"><ce:label>1.1</ce:label><ce:section-title>Aims</ce:section-title><ce:para>To see
<ce:display><ce:formula id="fd1"><ce:label>(1)</ce:label><mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML">
<mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math></ce:formula></ce:display>
where x is small.</ce:para>
<ce:para><ce:list><ce:list-item><ce:label>(i)</ce:label><ce:para>an item</ce:para></ce:list-item></ce:list></ce:para>
</ce:section></ce:section></ce:sections></ja:body>
<ja:tail><ce:bibliography><ce:section-title>References</ce:section-title><ce:bibliography-sec>
<ce:bib-reference id="bib1"><ce:label>[1]</ce:label><sb:reference><sb:contribution><sb:authors><sb:author>
<ce:given-name>A.</ce:given-name><ce:surname>Lee</ce:surname></sb:author></sb:authors><sb:title>
<sb:maintitle>First</sb:maintitle></sb:title></sb:contribution><sb:host><sb:issue><sb:series><sb:title>
<sb:maintitle>J. Made</sb:maintitle></sb:title><sb:volume-nr>3</sb:volume-nr></sb:series><sb:date>2001</sb:date>
</sb:issue><sb:pages><sb:first-page>7</sb:first-page><sb:last-page>9</sb:last-page></sb:pages>
<ce:doi>10.9999/first</ce:doi></sb:host></sb:reference></ce:bib-reference>
<ce:bib-reference id="bib2"><ce:label>[2]</ce:label><ce:other-ref><ce:textref>B. Kim, private words.</ce:textref>
</ce:other-ref></ce:bib-reference></ce:bibliography-sec></ce:bibliography></ja:tail></ja:article>"""
ANSWER = f"""<?xml version="1.0"?><full-text-retrieval-response xmlns="http://www.elsevier.com/xml/svapi/article/dtd">
<coredata><eid>1</eid></coredata><originalText><doc>{ARTICLE}</doc></originalText></full-text-retrieval-response>"""


@pytest.mark.parametrize("source", [ARTICLE, ANSWER], ids=["article", "answer"])
def test_an_article_is_read_whole(source: str) -> None:
    paper = parse_source(source.encode(), max_pages=10)
    assert (paper.format, paper.title, paper.authors) == (SourceFormat.ELSEVIER, "Ageing of Zn2O", ("Ida Solberg",))
    assert (paper.doi, paper.journal, paper.year) == ("10.9999/els.1", "INVOX", 2019)
    assert paper.keywords == ("oxide",)
    named = [(one.number, one.title, one.level) for one in paper.sections]
    assert named == [("1", "Introduction", 1), ("1.1", "Aims", 2), ("", "References", 1)]
    texts = {block.kind: paper.text[block.start : block.end] for block in paper.blocks}
    assert texts[BlockKind.ABSTRACT].endswith("Oxides age.")
    assert "A highlight" not in paper.text
    assert "Seen before [1,2] at 10 K." in paper.text
    assert texts[BlockKind.EQUATION] == "x^2 (1)"
    assert "where x is small." in paper.text
    assert texts[BlockKind.LIST] == "(i) an item"
    (table,) = paper.tables
    assert (table.label, [cell.text for cell in table.cells]) == (
        "Table 1",
        ["Oxide", "Gap (eV)", "ZnO", "3.3", "0.1^a"],
    )
    assert [cell.column_span for cell in table.cells] == [1, 2, 1, 1, 1]
    assert "Estimated." in texts[BlockKind.FOOTNOTE]
    assert (paper.figures[0].label, paper.figures[0].graphics) == ("Fig. 1", ("gr1",))
    first, second = (paper.text[one.start : one.end] for one in paper.references)
    assert first == "[1] A. Lee, First, J. Made, 3, (2001), 7–9. doi:10.9999/first"
    assert second == "[2] B. Kim, private words."
    assert paper.references[0].doi == "10.9999/first"
    assert [one.references for one in paper.citations] == [(0, 1)]


def test_paragraphs_without_sections_are_not_lost() -> None:
    paras = "".join(f"<ce:para>Paragraph {number}.</ce:para>" for number in range(4))
    start, end = ARTICLE.index("<ce:sections>"), ARTICLE.index("</ce:sections>") + len("</ce:sections>")
    paper = parse_source((ARTICLE[:start] + paras + ARTICLE[end:]).encode(), max_pages=10)
    assert [f"Paragraph {number}." in paper.text for number in range(4)] == [True] * 4
