"""Chinese, Japanese, Korean, Hebrew and Arabic: no invented spaces, logical order, vertical columns, ruby apart."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import matplotlib
import pytest
import typst

from pincite_papers.model import BlockKind, Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_papers.pdf.scriptcodes import unspaced

EAST_ASIAN = Path("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf")
ZH = (
    "超导电性是物理学的重要课题，本文研究了１９８６年发现的铜氧化物（见图3）的性质。我们用X射线测量了样品，结果表明"
    "临界温度为92 K，且与压力有关；这是第一次观测到该现象，因此值得进一步研究。"
)
JA = (
    "超伝導は物理学の重要な課題である。本論文では、１９８６年に発見された銅酸化物（図3）の性質を調べた。「ゼロ抵抗」の"
    "温度は92 Kであり、圧力に依存することがわかった。これは初めての観測である。"
)
KO = "초전도는 물리학의 중요한 주제이다. 임계 온도는 92 K이다."
HE = (
    "שלום עולם, זהו מאמר קצר על מוליכות על בשנת 1986 עם YBCO בטמפרטורה 92 K (ראו איור 3) ועוד מילים רבות כדי לעבור "
    "שורה אחת או שתיים."
)
AR = (
    "هذا بحث قصير عن الموصلية الفائقة في عام 1986 مع YBCO عند درجة 92 K (انظر الشكل 3) وكلمات أخرى كثيرة حتى نتجاوز "
    "سطرا واحدا أو سطرين."
)


@pytest.fixture(scope="module")
def written(missing: Callable[[str], None]) -> Callable[[str, str, str], Paper]:
    """Text of a language, typeset in its direction on narrow pages, as a Paper."""

    def compile_text(text: str, language: str, options: str) -> Paper:
        leftwards = language in {"he", "ar"}
        if not leftwards and not EAST_ASIAN.exists():
            missing("no font of Chinese and Japanese (Debian: apt-get install fonts-droid-fallback)")
        fonts = [Path(matplotlib.get_data_path()) / "fonts" / "ttf", EAST_ASIAN.parent]
        family = '("DejaVu Sans",)' if leftwards else '("Droid Sans Fallback", "DejaVu Sans")'
        setting = f'#set text(font: {family}, lang: "{language}", size: 10pt, dir: {"rtl" if leftwards else "ltr"})'
        source = f"#set page(width: 9cm, height: 9cm)\n#set par(justify: true)\n{options}\n{setting}\n{text}\n"
        return parse_pdf(typst.compile(source.encode(), font_paths=fonts), max_pages=20)

    return compile_text


@pytest.mark.parametrize(("text", "language"), [(ZH, "zh"), (JA, "ja"), (HE, "he"), (AR, "ar")])
def test_lines_join_as_the_language_is_written(
    written: Callable[[str, str, str], Paper], text: str, language: str
) -> None:
    assert written(text, language, "").text == text


def test_korean_words_keep_their_spaces(written: Callable[[str, str, str], Paper]) -> None:
    paper = written(KO, "ko", "#set page(width: 14cm)\n#set par(justify: false)")
    assert paper.text == KO


@pytest.mark.parametrize(("language", "text"), [("he", HE), ("ar", AR)])
def test_leftward_columns_start_at_the_right(
    written: Callable[[str, str, str], Paper], language: str, text: str
) -> None:
    paper = written(f"{text} {text} {text}", language, "#set page(width: 16cm, height: 5cm, columns: 2)")
    assert paper.text == f"{text} {text} {text}"
    (_, first), *_ = paper.boxes(0, 5)
    assert first.x0 > paper.pages[0].width / 2
    (_, number), *_ = paper.boxes(text.index("1986"), text.index("1986") + 4)
    (_, before), *_ = paper.boxes(text.index("1986") - 4, text.index("1986") - 1)
    assert number.x1 < before.x0 + 1 or number.y0 > before.y0 + 5


def test_a_hebrew_name_in_an_english_line_keeps_its_order(written: Callable[[str, str, str], Paper]) -> None:
    text = "The word שלום עולם means hello and it was written in the year 1986 by hand."
    paper = written(f'#set text(lang: "en", dir: ltr)\n{text}', "he", "#set page(width: 20cm)")
    assert paper.text == text


def test_headings_of_other_scripts(written: Callable[[str, str, str], Paper]) -> None:
    source = f"= 1 引言\n{ZH}\n\n= 2 实验方法\n{ZH}\n\n= 参考文献\n"
    source += "\n".join(f"[{k}] 王某，李某. 论文的题目. 物理学报，20{k}0，1：1. \\" for k in range(1, 4))
    paper = written(source, "zh", "#set page(width: 12cm, height: 20cm)")
    assert [(s.number, s.title) for s in paper.sections] == [("1", "引言"), ("2", "实验方法"), ("", "参考文献")]
    assert [reference.key for reference in paper.references] == ["1", "2", "3"]


VERTICAL = """<!doctype html><meta charset=utf-8><style>
@page {{ size: 14cm 16cm; margin: 1.5cm }}
html {{ writing-mode: vertical-rl; font-family: "Droid Sans Fallback"; font-size: 11pt; line-height: 1.8 }}
.t {{ text-combine-upright: all }} h1 {{ font-size: 15pt }} h2 {{ font-size: 13pt }} p {{ text-indent: 1em; margin: 0 }}
</style><h1>銅酸化物の超伝導について</h1><h2>一　はじめに</h2><p>{one}</p><p>{two}</p><h2>二　結果</h2><p>{three}</p>"""
ONE = (
    "超伝導は物理学の重要な課題である。本論文では、一九八六年に発見された銅酸化物の性質を調べた。温度は"
    "<span class=t>92</span>度であり、圧力に依存することがわかった。これは初めての観測である。"
    "試料はＸＲＤにより評価した。"
)
TWO = "次に<ruby>磁化率<rt>じかりつ</rt></ruby>の測定を行った。磁場を加えると、転移温度は低下し、超伝導は壊れる。"
THREE = "測定の結果、転移温度は圧力とともに上昇した。これは理論の予想と一致している。"


def test_vertical_columns_run_downwards_from_the_right(missing: Callable[[str], None], tmp_path: Path) -> None:
    browser = shutil.which("chromium")
    if browser is None or not EAST_ASIAN.exists():
        missing("no Chromium or no Japanese font (Debian: scripts/install-parts)")
    assert browser is not None
    page, pdf = tmp_path / "v.html", tmp_path / "v.pdf"
    page.write_text(VERTICAL.format(one=ONE, two=TWO, three=THREE * 3), encoding="utf-8")
    printing = ("--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={pdf}")
    subprocess.run([browser, *printing, page.as_uri()], check=True, capture_output=True, timeout=120)
    paper = parse_pdf(pdf.read_bytes(), max_pages=9)
    assert paper.title == "銅酸化物の超伝導について"
    paragraphs = [paper.text[b.start : b.end] for b in paper.blocks if b.kind is BlockKind.PARAGRAPH]
    plain = ONE.replace("<span class=t>", "").replace("</span>", "")
    assert paragraphs == [plain, TWO.replace("<ruby>", "").replace("<rt>じかりつ</rt></ruby>", ""), THREE * 3]
    assert [section.title for section in paper.sections] == ["はじめに", "結果"]
    assert [paper.text[b.start : b.end] for b in paper.blocks if b.kind is BlockKind.FOOTNOTE] == ["じかりつ"]
    at = paper.text.index("超伝導は")
    ((number, box),) = paper.boxes(at, at + 4)
    assert number == 1
    assert box.y1 - box.y0 > 3 * (box.x1 - box.x0)
    ((_, later),) = paper.boxes(paper.text.index("次に"), paper.text.index("次に") + 2)
    assert later.x1 < box.x0


@pytest.mark.parametrize(("character", "none"), [("超", True), ("の", True), ("。", True), ("초", False), ("a", False)])
def test_scripts_without_spaces(character: str, none: bool) -> None:
    assert unspaced(character) is none
