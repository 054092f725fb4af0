"""The arguments that several tools share, and the bounds of what they show."""

from typing import Annotated

from pydantic import Field

MOST_BYTES = 1_000_000
"""Most bytes of one image."""

MOST_DPI = 4800
"""Most pixels an inch of the page."""

FigureName = Annotated[str, Field(description="Fig. 3, #2 for the second, or its caption's locator")]
ViewName = Annotated[str, Field(description="View that a result named")]
MaxSide = Annotated[int, Field(ge=200, le=2000, description="Longest side in pixels")]
DEFAULT_SIDE = 1200
"""Pixels of the longer side of an image by default; models scale larger ones down to about 1,500. Set by judgement."""
