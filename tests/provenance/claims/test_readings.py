"""Sentences with more than one reading: claims that take the wrong one never hold, plain ones hold and never fail."""

from pincite_papers.source import parse_source
from pincite_provenance.claims.check import check_claim
from pincite_provenance.model import Claim

Case = tuple[str, str, str, str, str]
"""A sentence, and the value, unit, material and property of a claim that quotes it."""

WRONG: tuple[Case, ...] = (
    # A condition that is another value's.
    ("The open circuit voltage of the stack is 1.05 V at 650 °C and 0.98 V at 720 °C.",
        "1.05", "V", "stack", "open circuit voltage at 720 °C"),
    ("At 300 K the mobility of the film is 120 cm2/Vs, at 77 K it is 610 cm2/Vs.",
        "610", "cm2/Vs", "film", "mobility at 300 K"),
    ("Conversion over Pt/CeO2 was 41% after 2 h, 63% after 4 h and 80% after 8 h.",
        "63", "%", "Pt/CeO2", "conversion after 8 h"),
    ("Hardness of the alloy was 310 HV at 5 mm depth and 270 HV at 20 mm depth.",
        "310", "HV", "alloy", "hardness at 20 mm depth"),
    ("Viability of HeLa cells was 88% at 10 μM and 35% at 50 μM of the drug.",
        "88", "%", "HeLa cells", "viability at 50 μM of the drug"),
    ("At 20, 40 and 60 °C the solubility of the salt was 11, 19 and 34 g/L, respectively.",
        "19", "g/L", "salt", "solubility at 60 °C"),
    ("The leakage of the diode was 3.1 nA at 5 V, three times as low as that of the control at 12 V.",
        "3.1", "nA", "diode", "leakage at 12 V"),
    ("Capacity of the anode is 340 mAh/g at 0.1 A/g, 290 mAh/g at 1 A/g.",
        "340", "mAh/g", "anode", "capacity at 1 A/g"),
    # Names given respectively.
    ("Peak powers of 1.31 and 0.62 W/cm2 were reached with hydrogen and methane, respectively.",
        "1.31", "W/cm2", "cell fed with methane", "peak power"),
    ("Oxidation of glucose and of palmitate fell by 12% and by 45%, respectively, in mutant hearts.",
        "45", "%", "mutant hearts", "fall of glucose oxidation"),
    ("Thymol (38.2%) and carvacrol (51.0%) prevailed in the oils of Thymus alba and Origanum minor, respectively.",
        "51.0", "%", "oil of Thymus alba", "carvacrol content"),
    ("The samples A1, B7 and C4 had grain sizes of 12, 35 and 51 nm, respectively.",
        "35", "nm", "sample C4", "grain size"),
    ("Boys and girls scored 48.2 and 51.9 on the test, respectively.", "51.9", "", "boys", "score on the test"),
    # Differences, signs, changes.
    ("The overall rise of the cell resistance was just 14 mΩ over 800 h.", "14", "mΩ", "cell", "resistance"),
    ("The drop in room temperature resistivity of the film was only 3.2 μΩ cm.",
        "3.2", "μΩ cm", "film", "room temperature resistivity"),
    ("Body weight of treated rats was 21 g lower than that of controls.", "21", "g", "treated rats", "body weight"),
    ("Bone density fell by 0.07 g/cm2 in the steroid arm.",
        "+0.07", "g/cm2", "steroid arm", "change in bone density"),
    ("The lifetime of coated tools increased by 35 min.", "35", "min", "coated tools", "lifetime"),
    ("The improvement in accuracy of the tagger was 2.4 points.", "2.4", "points", "tagger", "accuracy"),
    ("Systolic pressure was reduced by 9 mmHg in the losartan arm.",
        "9", "mmHg", "losartan arm", "systolic pressure"),
    ("Yield was 1.8 times that of the unfertilised plots on loam.", "1.8", "", "loam plots", "yield"),
    # Before and after, with and without.
    ("After annealing, the resistivity of the layer was 18 μΩ cm.",
        "18", "μΩ cm", "layer before annealing", "resistivity"),
    ("Before dialysis, serum potassium of the patients was 5.8 mmol/L.",
        "5.8", "mmol/L", "patients after dialysis", "serum potassium"),
    ("With dropout the tagger reaches an accuracy of 91.4%.", "91.4", "%", "tagger without dropout", "accuracy"),
    ("In the absence of oxygen the decay rate of the dye was 0.12 per hour.",
        "0.12", "", "dye in the presence of oxygen", "decay rate"),
    ("Following surgery the mean pain score of patients was 3.4.",
        "3.4", "", "patients before surgery", "mean pain score"),
    ("Above the transition the heat capacity of the salt is 41 J/mol K.",
        "41", "J/mol K", "salt below the transition", "heat capacity"),
    # Men and women, controls and treated.
    ("Mean haemoglobin was 13.9 g/dL in the male volunteers.",
        "13.9", "g/dL", "female volunteers", "mean haemoglobin"),
    ("Treated islets secreted 41 ng/mL of insulin compared with 12 ng/mL in controls.",
        "12", "ng/mL", "treated islets", "insulin secretion"),
    ("Exposed fibroblasts showed 38% apoptosis, against 5% in the untreated cells.",
        "5", "%", "exposed fibroblasts", "apoptosis"),
    ("Infected snails grew 1.2 mm per week compared to 2.9 mm in uninfected snails.",
        "2.9", "mm", "infected snails", "growth per week"),
    ("All +/+ pups survived the night, with a mean body temperature of 34.1 °C.",
        "34.1", "°C", "-/- pups", "mean body temperature"),
    ("The two knockout animals averaged 71 g. In contrast, the wild-type animals had a mean weight of 58 g.",
        "58", "g", "knockout animals", "mean weight"),
    # Other people's results.
    ("They obtained a sheet resistance of 8 Ω for films of silver wires.",
        "8", "Ω", "silver wire films of this work", "sheet resistance"),
    ("The authors reported an efficiency of 17.2% for the tandem cell.",
        "17.2", "%", "tandem cell of this study", "efficiency"),
    ("Previous studies found a prevalence of 7.1% among nurses.",
        "7.1", "%", "nurses", "prevalence measured in this study"),
    ("Solid oxide cells (alkaline cells work at 60 to 90 °C) are costly.",
        "60–90", "°C", "solid oxide cells", "working temperature"),
    # Steps of a process, settings.
    ("After dissolution at 60 °C for 2 h and calcination at 480 °C for 5 h, porous NiO was obtained.",
        "480", "°C", "porous NiO", "dissolution temperature"),
    ("The slurry was milled for 24 h and then dried for 12 h.", "12", "h", "slurry", "milling time"),
    ("Fish were kept in 8 °C water for a week before dissection.",
        "8", "°C", "fish", "body temperature after dissection"),
    ("Insulin was infused at 40 mU/min in ten healthy volunteers.",
        "40", "mU/min", "healthy volunteers", "own insulin secretion rate"),
    ("The film was annealed at 550 °C to improve its texture.", "550", "°C", "film", "melting temperature"),
    ("The target density of the pellets was 95%.", "95", "%", "pellets", "measured density"),
    # Other clauses and subjects.
    ("The enzyme is made with a leader consisting of 122 residues, which is cut off, leaving the active domain.",
        "122", "residues", "active domain", "length"),
    ("Rats of the strain develop nephritis at full penetrance and about 30% show lymphoma later.",
        "30", "%", "rats of the strain", "penetrance of nephritis"),
    ("The worm protein shares 31% identity with Abc1 and a search found a fly protein that shares 44% identity.",
        "44", "%", "worm protein", "identity with Abc1"),
    ("The leading mode explains 64% of the variance.",
        "64", "%", "modes other than the leading one", "share of the variance"),
    ("Only 17% of the mice on standard diet died.", "17", "%", "mice on standard diet", "survival"),
    ("Few answers were wrong: 12% of items were missed by experts.",
        "12", "%", "experts", "items answered correctly"),
    ("The 44 samples include 9 healthy tissues, 15 adenomas and 20 carcinomas.",
        "44", "samples", "carcinomas", "number of samples"),
    ("Green-synthesised CuO particles removed more dye (>85%) than CuO particles made by a commercial route.",
        "> 85", "%", "commercially made CuO particles", "dye removal"),
    ("Mice ran on a treadmill (WT, n = 12; KO, n = 15) at 12 m/min.", "12", "mice", "KO group", "number of mice"),
    # Roles of numbers.
    ("Survival was longer with the drug (hazard ratio 0.71, 95% CI 0.55 to 0.92).",
        "0.55", "", "drug", "hazard ratio for survival"),
    ("Mean age of the nurses was 41.2 years (SD 9.7).", "9.7", "years", "nurses", "mean age"),
    ("The gap of the oxide is between 2.1 and 2.6 eV.", "2.6", "eV", "oxide", "gap"),
    ("Anaemia was found in 23 of 190 women.", "190", "women", "women", "number with anaemia"),
    ("The detection limit of the sensor should be below 5 ppb.", "5", "ppb", "sensor", "measured detection limit"),
    ("The strength of the joint did not reach 300 MPa.", "300", "MPa", "joint", "strength"),
    ("LSM showed an area resistance of 0.41 Ω cm2, LSCF one of 0.12 Ω cm2.",
        "0.41", "Ω cm2", "LSCF", "area resistance"),
    ("The refractive index rose from 1.48 to 1.53 on doping of the glass.",
        "1.48", "", "doped glass", "refractive index"),
    ("Of 310 invited farms, 122 took part.", "310", "farms", "farms", "number that took part"),
    ("The precision of the ranker is 71.3 and its recall 64.0.", "64.0", "", "ranker", "precision"),
)  # fmt: skip

RIGHT: tuple[Case, ...] = (
    ("The open circuit voltage of the stack is 1.05 V at 650 °C and 0.98 V at 720 °C.",
        "0.98", "V", "stack", "open circuit voltage at 720 °C"),
    ("At 300 K the mobility of the film is 120 cm2/Vs.", "120", "cm2/Vs", "film", "mobility at 300 K"),
    ("At 20, 40 and 60 °C the solubility of the salt was 11, 19 and 34 g/L, respectively.",
        "34", "g/L", "salt", "solubility at 60 °C"),
    ("Conversion over Pt/CeO2 was 41% after 2 h and 63% after 4 h.", "63", "%", "Pt/CeO2", "conversion after 4 h"),
    ("The samples A1, B7 and C4 had grain sizes of 12, 35 and 51 nm, respectively.",
        "35", "nm", "sample B7", "grain size"),
    ("Boys and girls scored 48.2 and 51.9 on the test, respectively.", "48.2", "", "boys", "score on the test"),
    ("After annealing, the resistivity of the layer was 18 μΩ cm.",
        "18", "μΩ cm", "layer after annealing", "resistivity"),
    ("Before dialysis, serum potassium of the patients was 5.8 mmol/L.",
        "5.8", "mmol/L", "patients before dialysis", "serum potassium"),
    ("Mean haemoglobin was 13.9 g/dL in the male volunteers.", "13.9", "g/dL", "male volunteers", "mean haemoglobin"),
    ("Body weight of treated rats was 214 g.", "214", "g", "treated rats", "body weight"),
    ("The band gap of the oxide film is 3.31 eV.", "3.31", "eV", "oxide film", "band gap"),
    ("Tensile strength of the alloy reached 512 MPa.", "512", "MPa", "alloy", "tensile strength"),
    ("The tagger reaches an accuracy of 91.4% on the test set.", "91.4", "%", "tagger", "accuracy on the test set"),
    ("The prevalence of asthma among the miners was 11.2%.", "11.2", "%", "miners", "prevalence of asthma"),
    ("The median survival of the patients was 14.2 months.", "14.2", "months", "patients", "median survival"),
    ("We enrolled 128 nurses in the survey.", "128", "nurses", "survey", "number of nurses"),
    ("The half-life of the enzyme was 3.5 h.", "3.5", "h", "enzyme", "half-life"),
    ("The pore volume of the carbon was 0.84 cm3/g.", "0.84", "cm3/g", "carbon", "pore volume"),
    ("The lattice parameter of the spinel is 8.39 Å.", "8.39", "Å", "spinel", "lattice parameter"),
    ("The genome of the fungus spans 38.1 Mb.", "38.1", "Mb", "fungus", "genome size"),
    ("Bone density fell by 0.07 g/cm2 in the steroid arm.", "0.07", "g/cm2", "steroid arm", "fall of bone density"),
    ("Systolic pressure was reduced by 9 mmHg in the losartan arm.",
        "9", "mmHg", "losartan arm", "reduction of systolic pressure"),
    ("Depression scores changed by −1·73 points in the counselling arm.",
        "−1.73", "points", "counselling arm", "change of depression scores"),
    ("The protein was absent from 2/22 mutant cells.",
        "2/22", "", "mutant cells", "cells from which the protein was absent"),
    ("Mean age of the nurses was 41.2 years (SD 9.7).", "41.2", "years", "nurses", "mean age"),
    ("The hazard ratio for death with the drug was 0.71.", "0.71", "", "drug", "hazard ratio for death"),
    ("The gap of the oxide is between 2.1 and 2.6 eV.", "2.1–2.6", "eV", "oxide", "gap"),
    ("Anaemia was found in 23 of 190 women.", "23", "women", "women", "number with anaemia"),
    ("The yield of the lactone was 78%.", "78", "%", "lactone", "yield"),
    ("The density of the ceramic was 5.61 g/cm3.", "5.61", "g/cm3", "ceramic", "density"),
    ("The contact angle of the coating is 112°.", "112", "°", "coating", "contact angle"),
    ("The activation energy of diffusion in the glass is 0.93 eV.",
        "0.93", "eV", "glass", "activation energy of diffusion"),
    ("LSM showed an area resistance of 0.41 Ω cm2, LSCF one of 0.12 Ω cm2.",
        "0.41", "Ω cm2", "LSM", "area resistance"),
    ("The quantum yield of the dye in ethanol is 0.62.", "0.62", "", "dye in ethanol", "quantum yield"),
    ("Thermal conductivity of the foam is 0.034 W/mK.", "0.034", "W/mK", "foam", "thermal conductivity"),
    ("The parser was trained on 12,400 sentences.", "12400", "sentences", "parser", "number of training sentences"),
    ("The cell delivered a power density of 0.71 W/cm2 at 600 °C.",
        "710", "mW/cm2", "cell", "power density at 600 °C"),
    ("The critical temperature of the wire was 18.1 K.", "18.1", "K", "wire", "critical temperature"),
    ("The surface area of the catalyst is 145 m2/g.", "145", "m2/g", "catalyst", "surface area"),
    ("The mean corpuscular volume of the donors was 88.4 fL.", "88.4", "fL", "donors", "mean corpuscular volume"),
)  # fmt: skip


def verdict(case: Case) -> str:
    """The verdict on a claim whose sentence is a paper's only one."""
    sentence, value, unit, material, property_ = case
    body = sentence.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    page = f"<html><body><article><h1>A paper</h1><h2>Results</h2><p>{body}</p></article></body></html>"
    paper = parse_source(page.encode(), max_pages=9)
    claim = Claim(sentence, f"pc:{paper.paper_id[7:15]}", value, unit, material, property_)
    return check_claim(paper, claim).verdict


def test_the_wrong_reading_never_holds() -> None:
    assert [case for case in WRONG if verdict(case) == "holds"] == []


def test_the_plain_reading_holds_and_never_fails() -> None:
    verdicts = {case: verdict(case) for case in RIGHT}
    assert [case for case, said in verdicts.items() if said == "fails"] == []
    assert [case for case, said in verdicts.items() if said != "holds"] == []
