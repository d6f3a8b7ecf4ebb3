"""Games that people have uploaded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from .accounts import Account, digest
from .database import now
from .schema import ACCOUNTS, GAMES


@dataclass(frozen=True)
class GameRow:
    """An uploaded game: what lists show of it, its rules, and whose it is."""

    id: str
    owner: str
    owner_name: str
    language: str
    text: str
    card: dict[str, object]


def add_game(
    connection: sa.Connection,
    game_id: str,
    owner: Account,
    language: str,
    text: str,
    card: Mapping[str, object],
) -> None:
    """Keep a game that was checked."""
    connection.execute(
        sa.insert(GAMES).values(
            id=game_id,
            owner=owner.id,
            language=language,
            text=text,
            digest=digest(text),
            card=json.dumps(card),
            created=now(),
            is_removed=False,
        )
    )


def find_game(connection: sa.Connection, game_id: str) -> GameRow | None:
    """An uploaded game; removed ones too, since matches of them go on."""
    row = connection.execute(_games().where(GAMES.c.id == game_id)).first()
    return None if row is None else _game(row)


def same_game(connection: sa.Connection, owner: Account, text: str) -> GameRow | None:
    """The game of the same owner with the same text."""
    same = (GAMES.c.owner == owner.id, GAMES.c.digest == digest(text), GAMES.c.is_removed.is_(False))
    row = connection.execute(_games().where(*same)).first()
    return None if row is None else _game(row)


def list_games(connection: sa.Connection, most: int = 500) -> list[GameRow]:
    """The newest uploaded games."""
    query = _games().where(GAMES.c.is_removed.is_(False)).order_by(GAMES.c.created.desc()).limit(most)
    return [_game(row) for row in connection.execute(query)]


def remove_game(connection: sa.Connection, game_id: str) -> None:
    """Take a game off the lists."""
    connection.execute(sa.update(GAMES).where(GAMES.c.id == game_id).values(is_removed=True))


def count_games(connection: sa.Connection, owner: Account) -> int:
    mine = (GAMES.c.owner == owner.id, GAMES.c.is_removed.is_(False))
    return connection.execute(sa.select(sa.func.count()).select_from(GAMES).where(*mine)).scalar() or 0


def _games() -> sa.Select[tuple[object, ...]]:
    return sa.select(GAMES, ACCOUNTS.c.name.label("owner_name")).join(
        ACCOUNTS, ACCOUNTS.c.id == GAMES.c.owner
    )


def _game(row: sa.Row[tuple[object, ...]]) -> GameRow:
    return GameRow(row.id, row.owner, row.owner_name, row.language, row.text, json.loads(row.card))
