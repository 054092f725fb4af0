"""Section names: the usual names of sections, and how their headings are numbered."""

import re

_NUMBER = re.compile(
    r"^(?:§\s?)?(?P<number>(?:\d{1,2}(?:\.\d{1,2}){0,4}|[IVX]{1,5}(?:\.\d{1,2})*|[A-Z](?:\.\d{1,2})+|[A-Z](?=[.:)])|"
    r"Appendix [A-Z]|第\s?[0-9０-９一二三四五六七八九十]{1,3}\s?[章節节])"
    r"[.:)]?)\s+"
    r"(?P<title>\S.*)$|"
    r"^(?P<east>[一二三四五六七八九十]{1,3}(?=[、．.　 ])|[０-９]{1,2}(?=[．、　 ])|"
    r"[（(][一二三四五六七八九十]{1,3}[)）])[、．.　 ]?\s*"
    r"(?P<name>\S.*)$"
)
_NAMES = (
    r"abstract|summary|synopsis|keywords?|introduction|background|motivation|related work|theory|model",
    r"(?:materials?|patients?|subjects?|participants?)(?: and methods?)?|methods?(?: and materials?)?|methodology",
    r"experiment(?:al|s)?(?: (?:section|details|methods|procedures?))?",
    r"(?:computational|numerical) (?:details|methods?)",
    r"results?(?:(?: and | ?[/&] ?)discussions?)?|discussions?(?:(?: and | ?[/&] ?)conclusions?)?",
    r"findings|limitations|outlook",
    r"conclusions?(?: and (?:outlook|perspectives|future work))?|concluding remarks",
    r"acknowledge?ments?|funding(?: information)?|grant information|consent|notes?|statement of need",
    r"(?:author|authors[’']?) (?:contributions?|information)|ethic(?:s|al) (?:statement|approval|standards)",
    r"declarations|ethics approval and consent to participate|consent for publication",
    r"(?:informed consent|institutional review board) statement|availability(?: of .*)?",
    r"(?:competing|conflicts? of|declaration of(?: competing)?)(?: financial)? interests?(?: statement)?",
    r"(?:data|code|software)(?: and (?:code|data|materials))? availability(?: statement)?",
    r"(?:electronic )?supplementa(?:ry|l) (?:materials?|information|data)|supporting information",
    r"additional (?:files?|information)",
    r"abbreviations|nomenclature|appendi(?:x|ces)(?: [a-z])?",
    r"(?:author(?:[’']?s[’']?)?|affiliation) details|affiliations",
    r"要旨|概要|摘\s?要|はじめに|緒言|序論|緒論|引言|绪论|前言|方法|材料与方法|実験(?:方法)?|实验(?:方法|部分)?",
    r"理論|理论|結果|结果|結果と考察|结果与讨论|考察|讨论|討論|結論|结论|おわりに|まとめ|謝辞|致谢|致謝",
    r"付録|附录|서론|방법|결과|논의|결론|참고\s?문헌|초록",
)
_REFERENCE_NAMES = (
    r"(?:(?:supplementa(?:ry|l)|additional|further|cited|selected|methods?|literature|notes (?:and|&)) )?"
    r"references?(?: (?:and|&) (?:notes|links|further reading)| cited| list)?|"
    r"reference list|bibliography|(?:cited )?literature(?: cited)?|works cited|"
    r"参考文献|參考文獻|文\s?献|引用文献|참고\s?문헌"
)
_ORNAMENT = re.compile(r"^[■□▪▫●○◆◇♦▶►▸▲△▼▽★☆❖✦❚▌█]+\s*(?=\S)")
_LEXICON = re.compile(rf"^(?:{'|'.join(_NAMES)}|{_REFERENCE_NAMES})[:.]?$", re.IGNORECASE)
_REFERENCES = re.compile(rf"^(?:{_REFERENCE_NAMES})[:.]?$", re.IGNORECASE)
_ABSTRACT = re.compile(r"^(?:abstract|synopsis|要旨|概要|摘\s?要|초록)[:.]?$", re.IGNORECASE)
_AFFILIATIONS = re.compile(r"^(?:(?:author(?:[’']?s[’']?)?|affiliation) details|affiliations)$", re.IGNORECASE)


def split_number(text: str) -> tuple[str, str]:
    """The printed numbering of a heading and its title: ("2.1", "Methods"); ("", text) without numbering.

    An ornament before either (``■ REFERENCES``, ACS) belongs to neither.
    """
    text = _ORNAMENT.sub("", text)
    match = _NUMBER.match(text)
    if match is None:
        return "", text
    return (match["number"].rstrip(".:)"), match["title"]) if match["number"] else (match["east"], match["name"])


def is_ornamented(text: str) -> bool:
    """Whether a text opens with an ornament as headings do; as a mark of a list's items it is rare."""
    return bool(_ORNAMENT.match(text))


def is_lexical(title: str) -> bool:
    """Whether a title is one of the usual names of sections."""
    return bool(_LEXICON.match(title.strip()))


def is_references(title: str) -> bool:
    """Whether a heading's title opens the reference list."""
    return bool(_REFERENCES.match(split_number(title)[1].strip()))


def is_abstract(title: str) -> bool:
    """Whether a heading's title opens the abstract."""
    return bool(_ABSTRACT.match(split_number(title)[1].strip()))


def is_affiliations(title: str) -> bool:
    """Whether a heading's title opens the authors' addresses."""
    return bool(_AFFILIATIONS.match(title.strip()))
