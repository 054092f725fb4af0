"""Sodium in lead telluride at two temperatures: a thermoelectric paper."""

from kit import Book
from states import Plan, Quantity, make

X = (0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04)
SAMPLES = tuple((f"P{i + 1}", f"Pb{1 - x:g}Na{x:g}Te", f"Q{(5, 2, 8, 1, 7, 3, 6, 4)[i]}") for i, x in enumerate(X))
WARM = {"conditions": {"temperature": "700 K"}}["conditions"]


def book() -> Book:
    """The truth of this paper."""
    seebeck = ([118 - 1500 * x for x in X], [262 - 1700 * x for x in X])
    sigma = ([14 + 360 * x for x in X], [2.6 + 44 * x for x in X])
    kappa = ([4.1 - 12 * x for x in X], [1.62 - 5 * x for x in X])
    lattice = ([2.6 - 16 * x for x in X], [1.05 - 6 * x for x in X])
    return make(
        Plan(
            "telluride_doping",
            "How much sodium does lead telluride take? Transport of eight pressed compositions",
            "thermoelectrics",
            21,
            SAMPLES,
            Quantity("*m*", "mass of the ingot", "g", "g", [[12.0] * 8], 2),
            [("at 300 K", {"temperature": "300 K"}), ("at 700 K", WARM)],
            [
                Quantity("*S*", "Seebeck coefficient", "µV K^{−1}", "µV K^-1", seebeck, 1),
                Quantity("*σ*", "electrical conductivity", "10^{4} S m^{−1}", "10^4 S m^-1", sigma, 2),
                Quantity("*κ*", "thermal conductivity", "W m^{−1} K^{−1}", "W m^-1 K^-1", kappa, 2),
            ],
            Quantity("*κ*_{L}", "lattice thermal conductivity", "W m^{−1} K^{−1}", "W m^-1 K^-1", lattice, 2),
            [
                Quantity("*p*", "hole concentration", "10^{19} cm^{−3}", "10^19 cm^-3", [[3 + 260 * x for x in X]], 2),
                Quantity("*d*", "density", "g cm^{−3}", "g cm^-3", [[8.15 - 2 * x for x in X]], 3, 0.002),
            ],
            [
                ["<Pb0.98Na0.02Te>", "61.0", "24.10", "3.55", "[3]"],
                ["<Pb0.98K0.02Te>", "97.0", "15.20", "3.10", "[6]"],
                ["<PbTe0.85Se0.15>", "255", "3.40", "1.75", "[8]"],
                ["<SnTe>", "21.5", "72.00", "8.10", "[2]"],
            ],
            ("0.66", "0.66 after step 12", "P6"),
            {"other_conditions": "after 12 steps of ball milling"},
            "computed for 300 K by the Boltzmann equation with a constant relaxation time",
            styles=("booktabs", "booktabs", "booktabs", "ruled"),
            schema="telluride_doping_objects",
            recoded_schema="telluride_doping_pieces",
            state_labels=("300 K", "700 K"),
            recoded_states="at 300 K and at 700 K",
            fields={
                "Seebeck coefficient": "seebeck",
                "electrical conductivity": "conductivity",
                "thermal conductivity": "thermal_conductivity",
            },
        )
    )
