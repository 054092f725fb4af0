"""Aluminium in a nickel-rich layered cathode at two temperatures."""

from kit import Book
from states import Plan, Quantity, make

X = (0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08)
ORDER = (6, 1, 4, 8, 2, 7, 3, 5)


def formula(x: float) -> str:
    """The nominal formula."""
    return f"LiNi{0.8 - x:g}Mn0.1Co0.1" + (f"Al{x:g}" if x else "") + "O2"


def book() -> Book:
    """The truth of this paper."""
    samples = tuple((f"N{i + 1}", formula(x), f"K{ORDER[i]}") for i, x in enumerate(X))
    capacity = ([203 - 240 * x for x in X], [214 - 190 * x for x in X])
    efficiency = ([88.1 + 26 * x for x in X], [84.2 + 41 * x for x in X])
    resistance = ([21 - 90 * x for x in X], [9.1 - 41 * x for x in X])
    diffusion = ([3.1 + 12 * x for x in X], [17.5 + 44 * x for x in X])
    return make(
        Plan(
            "layered_cathode",
            "Aluminium for nickel in a layered lithium oxide: eight compositions at two temperatures",
            "battery cathodes",
            31,
            samples,
            Quantity("*T*_{s}", "temperature of sintering", "°C", "°C", [[770.0] * 8], 0),
            [("at 25 °C", {"temperature": "25 °C"}), ("at 55 °C", {"temperature": "55 °C"})],
            [
                Quantity("*Q*", "discharge capacity", "mA h g^{−1}", "mA h g^-1", capacity, 1, 0.003),
                Quantity("*η*", "coulombic efficiency", "%", "%", efficiency, 1, 0.002),
                Quantity("*R*_{ct}", "charge-transfer resistance", "Ω cm^{2}", "Ω cm^2", resistance, 1, 0.02),
            ],
            Quantity(
                "*D*", "lithium diffusion coefficient", "10^{−11} cm^{2} s^{−1}", "10^-11 cm^2 s^-1", diffusion, 2, 0.02
            ),
            [
                Quantity(
                    "*A*_{BET}",
                    "specific surface area",
                    "10^{−1} m^{2} g^{−1}",
                    "10^-1 m^2 g^-1",
                    [[5.2 + 21 * x for x in X]],
                    2,
                    0.02,
                ),
                Quantity("*ρ*_{t}", "tap density", "g cm^{−3}", "g cm^-3", [[2.41 - 2.2 * x for x in X]], 2, 0.006),
            ],
            [
                ["<LiNi0.8Mn0.1Co0.1O2>", "199.0", "86.0", "33.0", "[4]"],
                ["<LiNi0.8Co0.15Al0.05O2>", "191.5", "87.2", "27.5", "[5]"],
                ["<LiCoO2>", "151.0", "96.1", "18.0", "[1]"],
                ["<LiNi0.6Mn0.2Co0.2O2>", "176.3", "89.9", "19.2", "[7]"],
            ],
            ("1.94", "1.94 after step 12", "N3"),
            {"other_conditions": "after 12 steps of washing"},
            "calculated for 25 °C by a porous-electrode model",
            styles=("bare", "bare", "booktabs", "booktabs"),
            schema="layered_cathode_objects",
            recoded_schema="layered_cathode_pieces",
            state_labels=("25 °C", "55 °C"),
            recoded_states="at 25 °C and at 55 °C",
            thing="powder",
            wrong_row=5,
            right_factor=0.96,
            fields={
                "discharge capacity": "capacity",
                "coulombic efficiency": "efficiency",
                "charge-transfer resistance": "resistance",
            },
        )
    )
