"""Looks that journals give their headings, bylines, quotes and lists of works: one document a look."""

from collections.abc import Callable

from pincite_papers.model import BlockKind, Paper

_TITLE = "#text(size: 17pt)[A Study of Looks]\n\nAda Lovelace#super[1], Alan Turing#super[2]\n\n"
_PART = "{head}\n\nThe first sentence of this part. #lorem(60)\n\n"
_WORKS = ", ".join(f'"{k}. Author{k} A. A work on the matter. J Things 20{k:02};4:1-9."' for k in range(1, 9))


def _headed(*heads: str) -> str:
    return _TITLE + "".join(_PART.format(head=head) for head in ("#strong[Introduction]", *heads, "#strong[Results]"))


_LOOKS = {
    "ornaments": (_headed("#text(weight: 700, size: 13pt)[■ MATERIALS]"), "MATERIALS"),
    "letterspaced": (
        _headed("#text(tracking: 0.3em)[SAMPLES AND GROWTH]", "#text(tracking: 0.3em)[OUTLOOK]"),
        "SAMPLES AND GROWTH",
    ),
    "slanted with an upright name": (
        _headed(
            "#emph[Cloning of #text(style: 'normal')[Mcoln1] in mice]".replace("'", '"'), "#emph[Growth in fields]"
        ),
        "Cloning of Mcoln1 in mice",
    ),
    "a full stop": (
        _headed(*(f"#text(weight: 700)[{name} of the mice.]" for name in ("Livers", "Hearts", "Eyes"))),
        "Hearts of the mice.",
    ),
    "plain with a decimal number": (_headed("#strong[2.1 Livers]", "2.2 Hearts of the mice"), "Hearts of the mice"),
    "in capitals of the text's size": (_headed("HEARTS OF THE MICE", "THEIR LIVERS"), "HEARTS OF THE MICE"),
}


def test_headings_in_many_looks(parsed: Callable[[str], Paper]) -> None:
    missing: list[str] = []
    for name, (source, title) in _LOOKS.items():
        titles = [section.title for section in parsed(source).sections]
        if title not in titles:
            missing.append(f"{name}: {title!r} is not among {titles}")
    assert not missing


def test_a_pull_quote_does_not_break_its_paragraph(parsed: Callable[[str], Paper]) -> None:
    quote = '#text(size: 15pt, style: "italic")[“What is said twice weighs more than what is said once.”]'
    paper = parsed(
        _headed()
        + "#pagebreak()\n"
        + f"What is said twice weighs more than what is said once. #lorem(60)\n\n{quote}\n\n"
        "The paragraph behind it. #lorem(30)"
    )
    kinds = [b.kind for b in paper.blocks if paper.text[b.start : b.end].startswith("“What is said")]
    assert kinds == [BlockKind.FOOTNOTE]


def test_a_list_of_works_without_a_heading_is_one(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(_headed() + f"#for work in ({_WORKS}) [#par(hanging-indent: 1em, work)]")
    assert [reference.key for reference in paper.references] == [str(k) for k in range(1, 9)]


def test_names_parted_by_their_marks_alone(parsed: Callable[[str], Paper]) -> None:
    byline = "Ada Lovelace#super[∗] Alan M. Turing#super[†]"
    paper = parsed(
        f"#text(size: 17pt)[A Study of Bylines]\n\n{byline}\n\n#strong[Abstract]\n\n#lorem(60)\n\n" + _headed()
    )
    assert paper.authors == ("Ada Lovelace", "Alan M. Turing")
