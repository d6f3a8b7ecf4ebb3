"""A recorded match as XML for stylesheets: a folder for each role, and ``all`` with everything."""

from __future__ import annotations

import re
from pathlib import Path

from ..arena.records.role_view import RoleView, role_view
from ..arena.records.spectator import PublishedMatch
from ..arena.records.xml_dresden import dresden_files
from ..arena.records.xml_ggp import ggp_files
from ..engine.game import Game
from ..rules.terms import format_term
from .replay_frames import library_game

XML_FORMS = ("ggp", "dresden")


def write_xml(
    match: PublishedMatch, game: Game | None, folder: Path, dialect: str, stylesheet: str = ""
) -> list[str]:
    """Write every view of a match; returns the paths of the files."""
    if dialect not in XML_FORMS:
        raise ValueError(f"--dialect {dialect!r}: there are {' and '.join(XML_FORMS)}")
    game = game or library_game(match)
    if game is None:
        raise ValueError("the rules decide what a role may see: name them with --game")
    written = []
    for role in (None, *game.info.players):
        name = "all" if role is None else re.sub(r"[^\w.-]", "_", format_term(role))
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        for file, text in _files(role_view(match, game, role), dialect, stylesheet).items():
            (place / file).write_text(text, encoding="ascii")
            written.append(str(place / file))
    return written


def _files(view: RoleView, dialect: str, stylesheet: str) -> dict[str, str]:
    return ggp_files(view) if dialect == "ggp" else dresden_files(view, stylesheet)
