"""Matrix: what every page gives for every field (V, C, E); the statistics that the order goes by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .records import Stated
from .schema import Field

_BEST = 3
"""Values of a field in the summary."""


@dataclass
class Matrix:
    """``cells[page, field]`` are the claims of a page for a field, in the order of the pages."""

    cells: dict[tuple[str, str], list[Stated]] = field(default_factory=dict[tuple[str, str], list[Stated]])

    def column(self, name: str) -> dict[str, list[Stated]]:
        """The claims for one field by page."""
        return {page: claims for (page, other), claims in self.cells.items() if other == name and claims}

    def confidence(self, page: str, name: str) -> float:
        """C of a cell: of its surest claim; 0 where it has none."""
        return max((claim.confidence for claim in self.cells.get((page, name), [])), default=0.0)

    def most(self, name: str) -> float:
        """MaxConf: the greatest confidence of any page."""
        pages = [page for page, other in self.cells if other == name]
        return max((self.confidence(page, name) for page in pages), default=0.0)

    def participants(self, name: str, tau: float) -> int:
        """Part: how many pages are surer than tau."""
        pages = [page for page, other in self.cells if other == name]
        return sum(self.confidence(page, name) > tau for page in pages)

    def summary(self, fields: Sequence[Field], tau: float) -> str:
        """A line a field: MaxConf, Part, and up to three of its surest values with their pages."""
        return "\n".join(self._line(each, tau) for each in fields)

    def _line(self, of: Field, tau: float) -> str:
        best: dict[str, tuple[float, str, list[str]]] = {}
        for page, claims in self.column(of.name).items():
            for claim in claims:
                form = of.form(claim.value)
                sure, value, pages = best.get(form, (0.0, claim.value, []))
                more = pages if page in pages else [*pages, page]
                best[form] = (max(sure, claim.confidence), value, more)
        first = sorted(best.values(), key=lambda each: (-each[0], -len(each[2]), each[1]))[:_BEST]
        values = "; ".join(f"{value!r} {sure:.1f} on {', '.join(pages)}" for sure, value, pages in first)
        part = self.participants(of.name, tau)
        return f"{of.name}: MaxConf {self.most(of.name):.1f}, Part {part}; {values or 'no value'}"


def fallback_order(
    fields: Sequence[Field], matrix: Matrix, tau: float, depends_on: Mapping[str, Sequence[str]]
) -> list[str]:
    """The order by rule: surest first, then the most pages; a field after those that it depends on where that closes
    no circle; then as the schema has them."""
    names = [each.name for each in fields]
    wanted = sorted(names, key=lambda name: (-matrix.most(name), -matrix.participants(name, tau), names.index(name)))
    order: list[str] = []

    def place(name: str, under_way: frozenset[str]) -> None:
        if name in order or name in under_way:
            return
        for before in depends_on.get(name, ()):
            equal = matrix.most(before) == matrix.most(name)
            if before in names and equal and matrix.participants(before, tau) == matrix.participants(name, tau):
                place(before, under_way | {name})
        order.append(name)

    for name in wanted:
        place(name, frozenset())
    return order
