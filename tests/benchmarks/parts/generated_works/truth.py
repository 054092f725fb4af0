"""Works that never were: two hundred of them, and the neighbours that a careless merger would take for them."""

from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal

Kind = Literal["article", "conference", "report"]

VENUES = {
    "physics": [("Physical Review B", "Phys. Rev. B", "10.1103/PhysRevB.{v}.{p}"),
                ("Physical Review Letters", "Phys. Rev. Lett.", "10.1103/PhysRevLett.{v}.{p}"),
                ("Journal of Physics: Condensed Matter", "J. Phys.: Condens. Matter", "10.1088/1361-648X/{x}"),
                ("Nature Physics", "Nat. Phys.", "10.1038/s41567-0{v}-{p}-{c}"),
                ("Superconductor Science and Technology", "Supercond. Sci. Technol.", "10.1088/1361-6668/{x}")],
    "chemistry": [("Journal of the American Chemical Society", "J. Am. Chem. Soc.", "10.1021/jacs.{c}b{p}"),
                  ("Chemistry of Materials", "Chem. Mater.", "10.1021/acs.chemmater.{c}b{p}"),
                  ("Angewandte Chemie International Edition", "Angew. Chem. Int. Ed.", "10.1002/anie.{v}{p}"),
                  ("Journal of Materials Chemistry A", "J. Mater. Chem. A", "10.1039/{x}")],
    "biology": [("PLOS ONE", "PLoS One", "10.1371/journal.pone.0{v}{p}"),
                ("Nucleic Acids Research", "Nucleic Acids Res.", "10.1093/nar/{x}"),
                ("Proceedings of the National Academy of Sciences", "Proc. Natl. Acad. Sci. U.S.A.",
                 "10.1073/pnas.{v}{p}"),
                ("Journal of Biological Chemistry", "J. Biol. Chem.", "10.1074/jbc.M{v}{p}")],
    "computing": [("IEEE Transactions on Pattern Analysis and Machine Intelligence",
                   "IEEE Trans. Pattern Anal. Mach. Intell.", "10.1109/TPAMI.{v}.{p}"),
                  ("Machine Learning", "Mach. Learn.", "10.1007/s10994-0{v}-{p}-{c}"),
                  ("Pattern Recognition", "Pattern Recognit.", "10.1016/j.patcog.{v}.{p}")],
}  # fmt: skip
CONFERENCES = [
    ("Advances in Neural Information Processing Systems", "NeurIPS", "10.5555/{v}.{p}"),
    ("IEEE/CVF Conference on Computer Vision and Pattern Recognition", "CVPR", "10.1109/CVPR.{v}.{p}"),
]

FAMILIES = [
    "Müller", "García-López", "van der Waals", "Zhang", "Wang", "Li", "Chen", "O'Brien", "Łukasiewicz", "de la Cruz",
    "Sørensen", "Nakamura", "Tanaka", "Kim", "Park", "Singh", "Kumar", "Ivanov", "Šimůnek", "Petrović", "Dupont",
    "Lefèvre", "Rossi", "Bianchi", "Schröder", "Weiß", "Johnson", "Smith", "Brown", "Williams", "Nguyen", "Fernández",
    "Åkerlund", "Öztürk", "Papadopoulos", "Haddad", "Cohen", "Novák", "Horváth", "Jansen", "ter Haar", "McDonald",
    "St. John", "Al-Khalili", "Wu", "Xu", "Zhao", "Yamamoto", "Suzuki", "Ramírez", "Oliveira", "Costa e Silva",
]  # fmt: skip
GIVENS = [
    "Ada M.", "Jürgen", "María José", "Johannes D.", "Wei", "Xiao-Ling", "Hiroshi", "Min-Jae", "Priya", "Sergei V.",
    "Jean-Pierre", "Giulia", "Katharina", "Emily R.", "John", "Thị Lan", "Björn", "Ayşe", "Nikos", "Omar", "Rachel",
    "Jiří", "Piet", "Fiona", "Yu", "Jing", "Takashi", "Lucía", "João P.", "Ahmed", "Robert A.", "Anna", "Peter", "Ming",
]  # fmt: skip
MATERIALS = [
    "La_{2-x}Sr_{x}CuO_{4}", "YBa_{2}Cu_{3}O_{7-δ}", "Ba(Fe_{1-x}Co_{x})_{2}As_{2}", "FeSe", "MgB_{2}", "Sr_{2}RuO_{4}",
    "CeCoIn_{5}", "UTe_{2}", "α-RuCl_{3}", "LaAlO_{3}/SrTiO_{3}", "BiFeO_{3}", "Fe_{3}O_{4}", "MoS_{2}", "WTe_{2}",
    "Li_{7}La_{3}Zr_{2}O_{12}", "LiNi_{0.8}Mn_{0.1}Co_{0.1}O_{2}", "CH_{3}NH_{3}PbI_{3}", "CsPbBr_{3}", "β-Ga_{2}O_{3}",
    "TiO_{2}", "Bi_{2}Se_{3}", "Na_{3}Bi", "CsV_{3}Sb_{5}", "NdNiO_{2}", "Pb(Zr,Ti)O_{3}",
]  # fmt: skip
TOPICS = [
    "Superconductivity", "Magnetic order", "Charge-density-wave order", "Spin fluctuations", "Thermal conductivity",
    "Pressure-induced phase transitions", "Optical properties", "Nematicity", "Ionic transport", "Band structure",
    "Quantum oscillations", "Anomalous Hall effect", "Ferroelectric switching", "Polaron formation", "Lattice dynamics",
    "Electronic structure", "Grain-boundary resistance", "Photoluminescence", "Vacancy ordering", "Pair breaking",
]  # fmt: skip
WAYS = [
    "{t} in {m}", "{t} of {m}: a neutron scattering study", "Evidence for {s} in {m} under uniaxial strain",
    "{t} in {m} thin films grown by pulsed laser deposition", "Tuning the {s} of {m} by chemical substitution",
    "First-principles study of {s} in {m}", "Origin of {s} in underdoped {m}", "{t} and disorder in {m} at {n} K",
    "Effect of {e} doping on {s} in {m}", "Field-induced {s} in {m} up to {n} T", "{t} in {m}: role of defects",
    "Direct observation of {s} in {m} by μSR", "Doping dependence of {s} in single-crystalline {m}",
]  # fmt: skip
PROTEINS = ["p53", "BRCA1", "SIRT1", "TGF-β1", "NF-κB", "α-synuclein", "Cas9", "mTORC1", "IL-6", "β-catenin", "Hsp90"]
LIFE = [
    "{q} regulates cell-cycle arrest in {o}", "Structural basis of {q} activation", "Role of {q} in {d}",
    "Loss of {q} promotes tumour growth in {o}: a randomised study", "{q} signalling and the behaviour of {o}",
    "A genome-wide screen for modifiers of {q} in {o}", "Expression of {q} in patients with {d}",
]  # fmt: skip
ORGANISMS = ["Drosophila melanogaster", "mice", "zebrafish", "Saccharomyces cerevisiae", "human fibroblasts", "rats"]
DISEASES = ["type 2 diabetes", "Parkinson's disease", "breast cancer", "hepatitis C", "asthma", "multiple sclerosis"]
METHODS = ["Graph neural networks", "Bayesian optimisation", "Contrastive learning", "Transformer models",
           "Variational inference", "Active learning", "Diffusion models", "Kernel methods"]  # fmt: skip
TASKS = ["materials discovery", "image segmentation", "protein folding", "reaction prediction", "anomaly detection",
         "crystal-structure prediction", "named-entity recognition", "time-series forecasting"]  # fmt: skip


@dataclass(frozen=True)
class Truth:
    """A work as it is. ``_{…}`` in the title are subscripts; ``preprint`` names its server, "" where there is none."""

    number: int
    field_: str
    title: str
    authors: tuple[tuple[str, str], ...]
    """Given and family names."""
    year: int
    venue: str
    short_venue: str
    doi: str
    volume: str
    page: int
    kind: Kind = "article"
    pmid: str = ""
    pmcid: str = ""
    preprint: str = ""
    preprint_id: str = ""
    preprint_year: int = 0
    preprint_title: str = ""


@dataclass
class Maker:
    """Makes works; equal seeds make equal ones."""

    random: Random
    count: int = 0
    taken: set[str] = field(default_factory=set)

    def work(self) -> Truth:
        """A work of some field, a preprint of it on arXiv or bioRxiv in two of five."""
        area = self.random.choices(["physics", "chemistry", "biology", "computing"], [45, 20, 20, 15])[0]
        title = self._title(area)
        while title in self.taken:
            title = self._title(area)
        self.taken.add(title)
        return self.place(area, title, self.authors(), self.random.randint(1996, 2024))

    def place(self, area: str, title: str, authors: tuple[tuple[str, str], ...], year: int) -> Truth:
        """A work under this title somewhere in the journals of its field."""
        self.count += 1
        venue, short, doi = self.random.choice(VENUES[area])
        volume, page = self.random.randint(10, 620), self.random.randint(100, 99_999)
        made = Truth(
            self.count, area, title, authors, year, venue, short, self.doi(doi, volume, page), str(volume), page,
            pmid=str(self.random.randint(8_000_000, 39_000_000)) if self.random.random() < _IN_PUBMED[area] else "",
        )  # fmt: skip
        if made.pmid and self.random.random() < 0.4:
            made = replace(made, pmcid=f"PMC{self.random.randint(1_000_000, 9_999_999)}")
        return self._with_preprint(made) if self.random.random() < 0.4 else made

    def doi(self, pattern: str, volume: int, page: int) -> str:
        """A DOI of a publisher's pattern."""
        letters = "".join(self.random.choices("abcdefgh0123456789", k=6))
        return pattern.format(v=volume, p=page, x=letters, c=self.random.choice("0123456789x"))

    def authors(self) -> tuple[tuple[str, str], ...]:
        """One to twelve authors."""
        number = self.random.choices([1, 2, 3, 4, 5, 6, 8, 12], [6, 14, 20, 20, 15, 10, 10, 5])[0]
        families = self.random.sample(FAMILIES, number)
        return tuple((self.random.choice(GIVENS), family) for family in families)

    def _title(self, area: str) -> str:
        choose = self.random.choice
        if area == "biology":
            return choose(LIFE).format(q=choose(PROTEINS), o=choose(ORGANISMS), d=choose(DISEASES))
        if area == "computing":
            return choose(["{a} for {b}", "{a} for {b}: a benchmark", "Scalable {c} for {b}"]).format(
                a=(method := choose(METHODS)), c=method.lower(), b=choose(TASKS)
            )
        topic = choose(TOPICS)
        return choose(WAYS).format(
            t=topic, s=topic[0].lower() + topic[1:], m=choose(MATERIALS), n=choose([2, 4, 15, 35, 60, 77, 300]),
            e=choose(["Ni", "Zn", "Co", "Mn", "Al", "La"]),
        )  # fmt: skip

    def _with_preprint(self, made: Truth) -> Truth:
        year = made.year - self.random.choices([0, 1, 2, 3], [50, 38, 9, 3])[0]
        title = made.title
        chance = self.random.random()
        if chance < 0.12:
            title = revised(title, self.random)
        elif chance < 0.15:
            title = f"On {self.random.choice(TOPICS).lower()} and {self.random.choice(TOPICS).lower()} revisited"
        if made.field_ == "biology" and year >= 2014:
            number = f"{year}.{self.random.randint(1, 12):02d}.{self.random.randint(1, 28):02d}"
            name = f"10.1101/{number}.{self.random.randint(100_000, 999_999)}"
            return replace(made, preprint="biorxiv", preprint_id=name, preprint_year=year, preprint_title=title)
        month, serial = self.random.randint(1, 12), self.random.randint(1, 9_999)
        if year < 2007:
            name = f"cond-mat/{year % 100:02d}{month:02d}{serial % 1000:03d}"
        elif year == 2007:
            name = f"07{max(month, 4):02d}.{serial:04d}"
        else:
            name = f"{year % 100:02d}{month:02d}." + (f"{serial:05d}" if year >= 2015 else f"{serial:04d}")
        return replace(made, preprint="arxiv", preprint_id=name, preprint_year=year, preprint_title=title)


_IN_PUBMED = {"physics": 0.25, "chemistry": 0.5, "biology": 0.97, "computing": 0.1}


def revised(title: str, random: Random) -> str:
    """The title before the referees had their say: a word more or less, another word, another order."""
    words = title.split()
    inner = title if title[:2].isupper() or "_" in words[0] else title[0].lower() + title[1:]
    ways = [
        f"Evidence for {inner}" if not title.startswith("Evidence") else title[13].upper() + title[14:],
        f"{title}: an experimental study" if ":" not in title else title.partition(":")[0],
        " ".join([*words[:-1], "the", words[-1]]),
        title.replace(" in ", " of ", 1),
        title.replace(" and ", " versus ", 1) if " and " in title else f"Anisotropic {inner}",
    ]
    return random.choice(ways)


def neighbours(works: list[Truth], make: Maker) -> list[Truth]:
    """Works that are not these but look like them: some sixty."""
    random = make.random
    some = random.sample(works, 48)
    made = [
        make.place(one.field_, f"Erratum: {one.title}", one.authors, one.year + random.randint(0, 1))
        for one in some[:8]
    ]
    for one in some[8:14]:
        made.append(
            make.place(one.field_, f"Comment on “{one.title}”", make.authors(), one.year + random.randint(0, 1))
        )
        reply = f"Reply to “Comment on ‘{one.title}’”"
        made.append(make.place(one.field_, reply, one.authors, one.year + random.randint(0, 1)))
    for one in some[14:18]:
        made += [
            make.place(one.field_, f"{one.title}. {part}", one.authors, one.year)
            for part in ("I. Theory", "II. Theory")
        ]
    for one in some[18:22]:
        made += [make.place(one.field_, f"{one.title}: Part {part}", one.authors, one.year) for part in "12"]
    for one in some[22:28]:
        made.append(make.place(one.field_, one.title, make.authors(), one.year + random.randint(-3, 3)))
    made += [_presented(one, make) for one in some[28:36] if not one.preprint]
    for one in some[36:42]:
        other = random.choice([m for m in MATERIALS if m not in one.title])
        old = next((m for m in MATERIALS if m in one.title), "")
        if old:
            made.append(make.place(one.field_, one.title.replace(old, other), one.authors, one.year))
    society = make.authors()
    for year in (2016, 2017, 2018):
        made.append(make.place("chemistry", f"Annual report of the committee on nomenclature {year}", society, year))
        made.append(make.place("biology", "Editorial", (society[0],), year))
    made += [
        make.place("physics", f"Search for dark photons in pp collisions at {e} TeV", society, 2016) for e in (7, 8, 13)
    ]
    for order in ("Ferromagnetic", "Ferrimagnetic", "Antiferromagnetic"):
        made.append(make.place("physics", f"{order} resonance in double perovskites under strain", society, 2015))
    return [replace(one, preprint="") for one in made]


def _presented(one: Truth, make: Maker) -> Truth:
    """The conference paper of a journal's article: same title, same authors, a year or two before."""
    venue, short, doi = make.random.choice(CONFERENCES)
    base = make.place(one.field_, one.title, one.authors, one.year - make.random.randint(0, 2))
    volume, page = make.random.randint(2000, 2900), make.random.randint(100, 9999)
    return replace(base, venue=venue, short_venue=short, doi=make.doi(doi, volume, page), kind="conference", volume="",
                   page=page, pmid="", pmcid="")  # fmt: skip
