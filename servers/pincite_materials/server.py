"""The materials server: its tools."""

from typing import Any

from mcp.server import MCPServer

from pincite_core.server import create
from pincite_core.settings import Settings, load_settings
from pincite_core.tool import PinciteTool, make_tool
from pincite_materials.compute_tool import Computed, compute
from pincite_materials.formula_tools import FormulaComparison, NormalFormula, compare_formulas, normalise_formula
from pincite_materials.symmetry_tool import SpaceGroup, space_group
from pincite_materials.value_tools import Conversion, ValueComparison, compare_values, convert_units

INSTRUCTIONS = """\
Check materials, values and units by the code that scores answers: whether two formulas or two values are the same, \
what a value is in another unit, what a calculation with units gives, which space group a symbol names. Give texts \
as they are printed. Nothing is looked up: what a material's property is stands in papers and databases, not here."""


def create_server(settings: Settings | None = None) -> MCPServer[Any]:
    """The server; of ``settings`` (by default those of the environment) it needs only what is logged."""
    settings = settings or load_settings()
    return create(
        "pincite-materials",
        title="pincite materials",
        description="Compare formulas and values, convert units, name space groups",
        instructions=INSTRUCTIONS,
        tools=_tools(),
        log_level=settings.log_level,
    )


def _tools() -> list[PinciteTool]:
    return [
        make_tool(normalise_formula, title="Normalise a formula", output=NormalFormula),
        make_tool(compare_formulas, title="Compare formulas", output=FormulaComparison),
        make_tool(convert_units, title="Convert units", output=Conversion),
        make_tool(compute, title="Calculate with units", output=Computed),
        make_tool(compare_values, title="Compare values", output=ValueComparison),
        make_tool(space_group, title="Name a space group", output=SpaceGroup),
    ]
