"""Titles as sources spell them, and how near two are."""

import pytest

from pincite_literature.notices import notice
from pincite_literature.titles import extends, near, normal_title, read_title, revised


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Superconductivity in La$_{2-x}$Sr$_x$CuO$_4$",
            "Superconductivity in La<sub>2−x</sub>Sr<sub>x</sub>CuO<sub>4</sub>.",
        ),
        (
            "Superconductivity in $\\mathrm{La}_{1.85}\\mathrm{Sr}_{0.15}\\mathrm{CuO}_4$",
            "Superconductivity in La₁.₈₅Sr₀.₁₅CuO₄",
        ),
        ("α-RuCl₃: a Kitaev magnet", "alpha-RuCl3: A Kitaev Magnet"),
        ("$\\alpha$-RuCl$_3$: a Kitaev magnet", "Alpha RuCl3 – a Kitaev magnet"),
        ("μSR of µ-metals", "muSR of mu-metals"),
        ("Schr\\\"odinger's \\'{E}tudes and \\O rsted", "Schrödinger’s Études and Ørsted"),
        ("Search &amp; rescue of <i>Escherichia coli</i>", "Search and rescue of Escherichia coli"),
        ("High‐temperature “superconductivity”*", "High temperature 'superconductivity'"),
        ("RETRACTED: On cold fusion", "On cold fusion"),
        ("[RETRACTED] On cold fusion", "On cold fusion [Retracted]"),
        ("[On cold fusion].", "On cold fusion"),
        ("A 2×2 reconstruction at 1·5 T", "A 2x2 reconstruction at 1.5 T"),
        ("ﬁlms of Straße", "films of Strasse"),
        ("<mml:math><mml:mi>T</mml:mi><mml:msub><mml:mi>c</mml:mi></mml:msub></mml:math> of oxides", "Tc of oxides"),
    ],
)
def test_spellings_of_one_title_agree(one: str, other: str) -> None:
    assert read_title(one).compact == read_title(other).compact
    assert read_title(one).compact


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("La1.85Sr0.15CuO4 at 15 T", "La1.85Sr0.15CuO4 at 1.5 T"),
        ("a < b in theory and c > d in practice", "a in practice"),
    ],
)
def test_other_titles_do_not(one: str, other: str) -> None:
    assert read_title(one).compact != read_title(other).compact


def test_a_normal_title_is_words() -> None:
    assert normal_title("The  µ-law: α–β <b>Phases</b>!") == "the mu law alpha beta phases"
    assert normal_title("") == ""
    assert normal_title("高温超導 研究") == "高温超導 研究"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Magnetic behaviour of layered iron pnictides under pressure",
            "Magnetic behavior of layered iron pnictides under pressure",
        ),
        (
            "Evidence of nodal superconductivty in heavy fermion systems",
            "Evidence of nodal superconductivity in heavy fermion systems",
        ),
        ("Theory of the quantum critical metal state in oxides", "Theory of quantum critical metal state in oxides"),
        (
            "Growth of sulphur and selenium crystals from the melt",
            "Growth of sulfur and selenium crystals from the melt",
        ),
    ],
)
def test_slips_and_spellings_are_near(one: str, other: str) -> None:
    assert near(read_title(one), read_title(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Ferrimagnetic order in the double perovskites under strain",
            "Ferromagnetic order in the double perovskites under strain",
        ),
        (
            "Superconductivity in electron doped LaFeAsO single crystals",
            "Superconductivity in electron doped LaFePO single crystals",
        ),
        (
            "Search for dark matter in pp collisions at 7 TeV with ATLAS",
            "Search for dark matter in pp collisions at 8 TeV with ATLAS",
        ),
        (
            "Adsorption of sulfate on mineral surfaces in aqueous media",
            "Adsorption of sulfite on mineral surfaces in aqueous media",
        ),
        (
            "Typical behaviour of glassy systems near the transition",
            "Atypical behaviour of glassy systems near the transition",
        ),
        (
            "Theory of the quantum critical metal state in oxides II",
            "Theory of the quantum critical metal state in oxides I",
        ),
        ("Effects of zinc doping in cuprate high-Tc materials", "Effects of iron doping in cuprate high-Tc materials"),
        ("Order with long-range disorder in magnetic glasses", "Order without long-range disorder in magnetic glasses"),
        (
            "Effect of Ni substitution on the gap of layered oxides",
            "Effect of Zn substitution on the gap of layered oxides",
        ),
        ("Annual report of the committee on nomenclature 2016", "Annual report of the committee on nomenclature 2017"),
        ("A short title", "A short tilte"),
    ],
)
def test_what_differs_in_meaning_is_not_near(one: str, other: str) -> None:
    assert not near(read_title(one), read_title(other))


def test_a_subtitle_may_be_left_out_but_no_part() -> None:
    main = read_title("Spin fluctuations in layered oxides")
    assert extends(main, read_title("Spin fluctuations in layered oxides: a neutron study"))
    assert extends(read_title("Spin fluctuations in layered oxides — a neutron study"), main)
    assert not extends(main, read_title("Spin fluctuations in layered oxides. II. Theory"))
    assert not extends(main, read_title("Spin fluctuations in layered oxides: Part 2"))
    assert not extends(read_title(f"{main.text}: a study"), read_title(f"{main.text}: a theory"))


def test_a_revised_title_has_words_added_that_change_nothing() -> None:
    main = read_title("Magnetic order in underdoped cuprates")
    assert revised(main, read_title("Evidence for magnetic order in the underdoped cuprates"))
    assert not revised(main, read_title("Field-tuned unconventional magnetic order in underdoped cuprates"))
    assert not revised(main, read_title("No magnetic order in underdoped cuprates"))
    assert not revised(main, read_title("Magnetic order in underdoped FeSe cuprates"))
    assert not revised(main, read_title("Magnetic order in underdoped cuprates 2"))


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Erratum: Spin waves", "erratum"),
        ("Erratum to: Spin waves", "erratum"),
        ("Author Correction: Spin waves", "erratum"),
        ("Publisher’s Note: Spin waves", ""),
        ("Correction to “Spin waves”", "erratum"),
        ("Spin waves [Phys. Rev. Lett. 12, 3 (2000)] (Erratum)", "erratum"),
        ("Corrections in spectroscopy of atoms", ""),
        ("Comment on 'Spin waves'", "comment"),
        ("Reply to “Comment on ‘Spin waves’”", "reply"),
        ("Spin waves: Authors' reply", "reply"),
        ("Re: Spin waves", "reply"),
        ("Retraction Note to: Spin waves", "retraction"),
        ("Expression of Concern: Spin waves", "concern"),
        ("Addendum: Spin waves", "addendum"),
        ("Supplementary Information for Spin waves", "supplement"),
        ("Spin waves", ""),
        ("Faculty Opinions recommendation of Spin waves.", "recommendation"),
        ('Review for "Spin waves"', "review"),
        ('Author response for "Spin waves"', "reply"),
        ("Data from: Spin waves", "data"),
        ("Data from the LHC on spin waves", ""),
        ("Supplementary Table 1 from Spin waves", "data"),
        ("Responses of cells to strain", ""),
        ("Commenting code", ""),
    ],
)
def test_notices(title: str, kind: str) -> None:
    assert notice(title) == kind


@pytest.mark.parametrize(
    "text", ["<" * 5000, "$" * 5000, "\\'" * 3000, "{" * 5000, "&amp;" * 2000, "(erratum" * 800, "a. A" * 900]
)
def test_hostile_titles_are_read_in_bounded_time(text: str) -> None:
    assert len(read_title(text).compact) <= 5000
