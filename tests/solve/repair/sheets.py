"""The names of the GDL sheets of the library, one for each file."""

from __future__ import annotations

from ludorum.rules.library import library_sheets

GDL_SHEETS = [
    sheet.name
    for sheet in library_sheets()
    if sheet.language == "gdl" and sheet.source.name.endswith(f"{sheet.name}.kif")
]
