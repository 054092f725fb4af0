"""Markup and characters that titles and abstracts of sources come with."""

import pytest

from pincite_literature.sources.plain import plain, plain_paragraphs

LA = (
    'Gaps of <mml:math xmlns:mml="http://www.w3.org/1998/Math/MathML"><mml:mrow><mml:msub>'
    '<mml:mi mathvariant="normal">La</mml:mi><mml:mrow><mml:mn>2</mml:mn><mml:mo>−</mml:mo><mml:mi>x</mml:mi>'
    "</mml:mrow></mml:msub></mml:mrow></mml:math> films"
)
SPREAD = (
    'Growth of\n   <mml:math display="inline">\n  <mml:mrow>\n  <mml:mi>T</mml:mi>\n   <mml:mi>c</mml:mi>\n'
    "</mml:mrow>\n</mml:math>\n   in films"
)
TWICE = (
    "A <jats:inline-formula><jats:alternatives><jats:tex-math>$$\\alpha$$</jats:tex-math><mml:math><mml:mi>α</mml:mi>"
    "</mml:math></jats:alternatives></jats:inline-formula> term"
)
ANNOTATED = (
    "The <math><semantics><mi>β</mi><annotation encoding='application/x-tex'>\\beta</annotation></semantics></math>"
)

LINES = [
    ("H<sub>2</sub>O and CO<jats:sub>2</jats:sub>", "H2O and CO2"),
    ("CsPb(I<inf>1–x</inf>Br<inf>x</inf>)<inf>3</inf>", "CsPb(I1–xBrx)3"),
    ("<scp>DNA</scp> of <i class='taxon'>E. coli</i>", "DNA of E. coli"),
    (LA, "Gaps of La2−x films"),
    (SPREAD, "Growth of Tc in films"),
    (TWICE, "A α term"),
    (ANNOTATED, "The β"),
    ("TeX only: <jats:inline-formula><jats:tex-math>$x^2$</jats:tex-math></jats:inline-formula>.", "TeX only: $x^2$."),
    ("p <0.05 and n> 3", "p <0.05 and n> 3"),
    ("if a <b and c> d then", "if a <b and c> d then"),
    ("R <= 3 <5 >2", "R <= 3 <5 >2"),
    ("x &lt; 3 &amp; AT&T, R&D;", "x < 3 & AT&T, R&D;"),
    ("&lt;i&gt;In vitro&lt;/i&gt; a&amp;amp;b", "In vitro a&b"),
    ("a &copy b", "a &copy b"),
    ("Ge&#x0308;ode &#8211; e\u0301tude", "Gëode – étude"),
    ("zero\u200bwidth so\u00adft \x00nul", "zerowidth soft nul"),
    ("<![CDATA[cut]]> <!-- note -->and<?page 3?> kept", "cut and kept"),
    ("one<br/>two<p>three</p>", "one two three"),
    ("lone </p> ends </sub>", "lone ends"),
    ("never <mml:math closed", "never <mml:math closed"),
    ("", ""),
    (None, ""),
    (["title"], ""),
]


@pytest.mark.parametrize(("text", "shown"), LINES)
def test_one_line(text: object, shown: str) -> None:
    assert plain(text) == shown


def test_headings_stand_before_their_paragraphs() -> None:
    text = (
        "<jats:title>ABSTRACT</jats:title><jats:sec><jats:title>Background</jats:title><jats:p>Why we\n ask.</jats:p>"
        "</jats:sec>\n<jats:sec>\n  <jats:title>Aims:</jats:title>\n  <jats:p>What &amp;lt; 3.</jats:p>"
        "<jats:p>How.</jats:p></jats:sec>"
    )
    assert plain_paragraphs(text) == "ABSTRACT:\nBackground: Why we ask.\nAims: What < 3.\nHow."


def test_lines_of_text_without_markup_stay() -> None:
    assert plain_paragraphs("One.\n  Two &amp; three.\n\n") == "One.\nTwo & three."


@pytest.mark.parametrize(
    "piece", ["<i ", '<i a="', "<p ", "&amp;", "<mml:math>", "<title>", "<annotation>", "<!--", "<?x "]
)
def test_repeated_openings_are_read_in_linear_time(piece: str) -> None:
    assert len(plain(piece * 20_000)) <= len(piece) * 20_000
