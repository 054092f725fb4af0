"""Sulphur in iron selenide with and without pressure, in kbar and in GPa."""

from kit import Book
from states import Plan, Quantity, make

X = (0.0, 0.03, 0.06, 0.09, 0.12, 0.15, 0.18, 0.21)
ORDER = (3, 7, 1, 5, 8, 2, 6, 4)


def formula(x: float) -> str:
    """The nominal formula."""
    return f"FeSe{1 - x:g}S{x:g}" if x else "FeSe"


def book() -> Book:
    """The truth of this paper."""
    samples = tuple((f"F{i + 1}", formula(x), f"X{ORDER[i]}") for i, x in enumerate(X))
    tc = ([8.6 + 22 * x - 120 * x * x for x in X], [19.4 - 18 * x for x in X])
    field = ([16.2 + 20 * x - 90 * x * x for x in X], [27.8 - 31 * x for x in X])
    residual = ([8.4 + 160 * x for x in X], [5.9 + 118 * x for x in X])
    nematic = ([90 - 210 * x for x in X], [46 - 130 * x for x in X])
    return make(
        Plan(
            "selenide_pressure",
            "Sulphur against pressure in iron selenide: what both do to superconductivity and to order",
            "superconductors",
            41,
            samples,
            Quantity("*t*", "time of growth", "d", "d", [[24.0] * 8], 0),
            [("at ambient pressure", {"pressure": "ambient"}), ("at 20 kbar", {"pressure": "20 kbar"})],
            [
                Quantity("*T*_{c}", "superconducting transition temperature (zero resistance)", "K", "K", tc, 2),
                Quantity("*H*_{c2}", "upper critical field at 0 K", "T", "T", field, 1),
                Quantity("*ρ*_{0}", "residual resistivity", "µΩ cm", "µΩ cm", residual, 1),
            ],
            Quantity("*T*_{s}", "structural transition temperature", "K", "K", nematic, 1),
            [
                Quantity(
                    "*γ*",
                    "Sommerfeld coefficient",
                    "mJ mol^{−1} K^{−2}",
                    "mJ mol^-1 K^-2",
                    [[6.9 - 7 * x for x in X]],
                    2,
                ),
                Quantity("*Θ*_{D}", "Debye temperature", "10^{2} K", "10^2 K", [[2.13 + 0.6 * x for x in X]], 3),
            ],
            [
                ["<FeSe>", "8.90", "16.8", "6.4", "[2]"],
                ["<FeSe0.91S0.09>", "10.40", "17.1", "19.9", "[5]"],
                ["<FeSe0.5Te0.5>", "14.20", "47.0", "210", "[7]"],
                ["<FeS>", "4.60", "0.4", "2.1", "[8]"],
            ],
            ("61.4", "61.4 after step 12", "F2"),
            {"pressure": "ambient", "other_conditions": "after 12 steps of thermal cycling"},
            "computed at ambient pressure by a two-band model",
            styles=("ruled", "booktabs", "booktabs", "bare"),
            schema="selenide_pressure_objects",
            recoded_schema="selenide_pressure_pieces",
            state_labels=("ambient", "2 GPa"),
            recoded_states="at ambient pressure and at 2 GPa",
            thing="crystal",
            wrong_row=2,
            right_factor=1.05,
            fields={
                "superconducting transition temperature (zero resistance)": "transition_temperature",
                "upper critical field at 0 K": "critical_field",
                "residual resistivity": "residual_resistivity",
            },
        )
    )
