"""Praseodymium in ceria for the oxidation of soot and carbon monoxide, fresh and steamed."""

from kit import Book
from states import Plan, Quantity, make

X = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
ORDER = (4, 8, 2, 6, 1, 3, 7, 5)


def formula(x: float) -> str:
    """The nominal formula."""
    return f"Ce{1 - x:g}Pr{x:g}O2" if x else "CeO2"


def book() -> Book:
    """The truth of this paper."""
    samples = tuple((f"C{i + 1}", formula(x), f"Z{ORDER[i]}") for i, x in enumerate(X))
    area = ([62 + 70 * x for x in X], [23 + 60 * x for x in X])
    rate = ([1.9 + 8 * x for x in X], [0.7 + 3.1 * x for x in X])
    energy = ([71 - 38 * x for x in X], [84 - 33 * x for x in X])
    storage = ([310 + 420 * x for x in X], [152 + 300 * x for x in X])
    fresh = {"sample_state": "as-prepared", "temperature": "573 K"}
    return make(
        Plan(
            "ceria_catalyst",
            "Praseodymium in ceria: oxidation of carbon monoxide on fresh and on steamed powders",
            "catalysis",
            51,
            samples,
            Quantity("*T*_{calc}", "temperature of calcination", "°C", "°C", [[550.0] * 8], 0),
            [
                ("of the fresh powders at 573 K", fresh),
                ("of the steamed powders at 573 K", {"sample_state": "aged", "temperature": "573 K"}),
            ],
            [
                Quantity("*A*", "specific surface area", "m^{2} g^{−1}", "m^2 g^-1", area, 1, 0.01),
                Quantity("*r*", "reaction rate", "10^{−7} mol g^{−1} s^{−1}", "10^-7 mol g^-1 s^-1", rate, 2, 0.01),
                Quantity("*E*_{a}", "apparent activation energy", "kJ mol^{−1}", "kJ mol^-1", energy, 1, 0.006),
            ],
            Quantity("OSC", "oxygen storage capacity", "µmol g^{−1}", "µmol g^-1", storage, 0, 0.01),
            [
                Quantity("*E*_{g}", "band gap", "10^{3} meV", "10^3 meV", [[3.19 - 2.4 * x for x in X]], 2),
                Quantity(
                    "*a*", "lattice constant", "10^{2} pm", "10^2 pm", [[5.411 - 0.012 * x for x in X]], 4, 0.0001
                ),
            ],
            [
                ["<CeO2>", "55.0", "1.60", "74.0", "[3]"],
                ["<Ce0.8Zr0.2O2>", "81.0", "2.90", "66.0", "[5]"],
                ["<Ce0.9Pr0.1O2>", "70.5", "2.40", "69.0", "[6]"],
                ["<La0.8Sr0.2MnO3>", "19.0", "4.40", "58.0", "[9]"],
            ],
            ("268", "268 after step 12", "C4"),
            {"sample_state": "aged", "other_conditions": "after 12 steps of reduction and oxidation"},
            "from a mean-field kinetic model of the fresh powders",
            styles=("booktabs", "ruled", "ruled", "booktabs"),
            schema="ceria_catalyst_objects",
            recoded_schema="ceria_catalyst_pieces",
            state_labels=("fresh", "steamed"),
            recoded_states="of the fresh and of the steamed powders",
            thing="powder",
            wrong_row=6,
            right_factor=0.93,
            fields={
                "specific surface area": "surface_area",
                "reaction rate": "rate",
                "apparent activation energy": "activation_energy",
            },
        )
    )
