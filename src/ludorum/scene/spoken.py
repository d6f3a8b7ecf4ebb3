"""A scene as sentences, for people who hear the page instead of seeing it."""

from __future__ import annotations

from collections.abc import Sequence

from .model import BoardScene, CardScene, FactGroup


def spoken_scene(
    board: BoardScene | None,
    cards: CardScene | None,
    facts: Sequence[FactGroup],
    told: Sequence[str],
    is_hidden: bool,
) -> str:
    """The whole scene in sentences, the most important first."""
    sentences = [f"{fact.name or 'also'}: {', '.join(fact.entries)}." for fact in facts]
    if board is not None:
        sentences.append(_board_words(board))
    if told:
        sentences.append(f"You were told: {', '.join(told)}.")
    if is_hidden:
        sentences.append("Some of this game is hidden from you.")
    return " ".join(one[0].upper() + one[1:] for one in sentences if one)


def _board_words(board: BoardScene) -> str:
    """What lies where, by content, as players list the men of each side."""
    places: dict[int, list[str]] = {}
    for at, contents in board.cells.items():
        for content in contents:
            places.setdefault(content, []).append(board.names[at])
    said = [
        f"{board.contents[content].words} on {', '.join(names)}" for content, names in sorted(places.items())
    ]
    nothing = "nothing on it that you know of" if board.is_unknown else "empty"
    size = f"board of {len(board.columns)} columns and {len(board.rows)} rows"
    parts = [f"{size}: {'; '.join(said) or nothing}."]
    if board.last:
        parts.append(f"Last move: {', '.join(board.names[at] for at in board.last)}.")
    return " ".join(parts)
