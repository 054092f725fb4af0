"""What the roles say, and the events of the program."""

from crew import Event
from pydantic import BaseModel, Field


class Column(BaseModel):
    """A column of the table; one with a ``formula`` is computed."""

    name: str
    key: bool = False
    about: str = ""
    formula: str = ""
    decimals: int = Field(default=2, ge=0, le=10)


class Input(BaseModel):
    """A figure that formulas need and the table does not show."""

    name: str
    about: str = ""


class Design(BaseModel):
    """The columns of the table."""

    columns: list[Column] = Field(min_length=1)
    inputs: list[Input] = Field(default_factory=list[Input])

    @property
    def keys(self) -> list[str]:
        """The columns that tell rows apart; the first one where none is marked."""
        return [column.name for column in self.columns if column.key] or [self.columns[0].name]

    @property
    def names(self) -> list[str]:
        """All that a reader may fill in: columns that are not computed, and inputs."""
        return [column.name for column in self.columns if not column.formula] + [each.name for each in self.inputs]


class Cell(BaseModel):
    """What a part states for a column, with its words."""

    column: str
    value: str
    quote: str = ""


class Row(BaseModel):
    """A row as far as one part states it."""

    cells: list[Cell]


class Rows(BaseModel):
    """The rows of one part."""

    rows: list[Row] = Field(default_factory=list[Row])


class Designed(Event):
    """The columns were designed."""

    columns: list[str]
    keys: list[str]
    computed: list[str]
    inputs: list[str]


class PartRead(Event):
    """A part of a document was read: of so many tokens, with so many rows. ``dropped`` counts cells whose quote does
    not stand in the part, or whose column there is not."""

    document: str
    tokens: int
    rows: int
    dropped: int = 0
    fault: str = ""


class Conflict(Event):
    """Two parts state different values of one cell; ``kept`` stands in the table, being the first."""

    row: list[str]
    column: str
    kept: str
    kept_from: str
    other: str
    other_from: str


class Merged(Event):
    """The rows of all parts were merged into so many; ``nameless`` of them had no key and were left out."""

    rows: int
    nameless: int = 0
