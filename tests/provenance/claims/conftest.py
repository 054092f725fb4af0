"""A paper made as a web page, read by the real parser, and claims about it."""

from collections.abc import Callable

import pytest

from pincite_papers.model import Paper
from pincite_papers.opening.source import parse_source
from pincite_papers.passages import locate
from pincite_papers.quoting.quotes import find_quote
from pincite_provenance.claims.check import check_claim
from pincite_provenance.model import Claim, ClaimChecks

PAGE = """<html><head><title>Made-up superconductors</title></head><body><article>
<h1>Made-up superconductors</h1>
<h2>Results</h2>
<p>The critical temperature of MgB<sub>2</sub> is 39.0(2) K. The samples were pressed before.</p>
<p>Nb<sub>3</sub>Sn and FeSe have a critical temperature of 18.3 K and 8.5 K, respectively.</p>
<p>The critical current density is 1.1 × 10<sup>5</sup> A/cm<sup>2</sup> for CeCoIn5 and 2.3 × 10<sup>4</sup>
A/cm<sup>2</sup> for CeRhIn5 at 2 K.</p>
<p>YBa2Cu3O6.93 (YBCO) was grown on SrTiO3 substrates. YBCO films have a Debye temperature of 440 K, the band gap is
0.31 ± 0.02 eV, and the resistivity of the film is 165 μΩ cm.</p>
<p>LiFeAs has a Weiss temperature of −31.4 K, and its upper critical field exceeds 24 T. Its lattice constant a
is 3.77 Å. The pressure was varied between 4.2 and 4.5 GPa.</p>
<p>No superconductivity of PbTe was found down to 0.040 K. It crystallises in the cubic space group Fm-3m.</p>
<p>CoSb3 and unknownite have a thermal conductivity of 4.1 W/mK and 5.2 W/mK, respectively.</p>
<p>The energy product is 32.7 MGOe for one alloy and 45.2 MGOe for Sm2Co17. The crystals of La2CuOz and Ba2CuOZ have a
density of 6.1 g/cm<sup>3</sup> and 6.9 g/cm<sup>3</sup>, respectively. We found
a gap of 9.0 ± 0.9 meV and a mobility of 592 ± 9 cm<sup>2</sup>/Vs there.</p>
<h2>SnSe</h2>
<p>The Seebeck coefficient is 512 μV/K. It was measured in three samples.</p>
<table><caption>Table 1. Properties of La2-xSrxCuO4 and others.</caption>
<tr><th>Sample</th><th>onset T<sub>c</sub> (K)</th>
<th>zero T<sub>c</sub> (K)</th><th>n (10<sup>19</sup> cm<sup>-3</sup>)</th></tr>
<tr><td>Bi2Te3</td><td>5.5</td><td>4.9</td><td>2.9</td></tr>
<tr><td>GaAs</td><td>6.6</td><td>6.1(2)</td><td>0.31</td></tr>
<tr><td>K0.5Na0.5NbO3</td><td>7.7</td><td>7.2</td><td>1.7</td></tr></table>
</article></body></html>"""


@pytest.fixture(scope="session")
def paper() -> Paper:
    return parse_source(PAGE.encode(), max_pages=9)


@pytest.fixture
def judge(paper: Paper) -> Callable[..., ClaimChecks]:
    """Check a claim whose locator, unless given, is where its quote stands."""

    def judge(quote: str, locator: str = "", **fields: str) -> ClaimChecks:
        match = find_quote(paper, quote)
        place = locator or locate(paper, match.start, match.end)
        return check_claim(paper, Claim(quote, place, **fields))

    return judge
