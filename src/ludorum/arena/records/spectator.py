"""The match JSON that GGP hosts publish: everything a spectator needs, one object a match.

Each state is one string, moves and errors are rows in the order of roles. Our additions to the format have
keys that begin with ``x-``: ``x-seed``, ``x-percepts``, ``x-replies``, ``x-goals`` where a role has several
goal values or none, ``x-terminal`` of a match that goes on, ``x-source``, and of records that were read from
other formats ``x-legal`` and ``x-legal-counts``. Other keys of a host are kept. ``record_checks`` checks the
invariants of such an object.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...engine.game import Game, format_facts
from ...rules.ruleset import format_rule
from ...rules.terms import Term, as_integer, format_term, sort_key
from ..match.clocks import Clocks
from ..match.record import MatchRecord, PerRole, RecordError, Said
from .fields import Field, check_length, read_errors, read_goals, read_json, read_moves, read_text

REPOSITORY = "https://ludorum.invalid"
"""The default beginning of the addresses of games: a host that never exists."""
LAST_TIME = 10**15
MOST_SEED = 2**64 - 1
EXACT = 2**53
"""Numbers above this lose digits in programs that read numbers as fractions; they are written as texts."""

_META_URL = re.compile(r".*/games/([^/]+)/(?:v[0-9]+/)?")
_OPTIONAL = {
    "previewClock": "preview_clock",
    "analysisClock": "analysis_clock",
    "tournamentNameFromHost": "tournament",
    "scrambled": "scrambled",
    "weight": "weight",
    "matchHostPK": "public_key",
    "matchHostSignature": "signature",
}
_OURS = frozenset(
    f"x-{name}"
    for name in ("seed", "percepts", "replies", "goals", "terminal", "source", "legal", "legal-counts")
)


@dataclass(frozen=True)
class PublishedMatch:
    """A match as it is published: the record, and what its host says about it."""

    record: MatchRecord
    start_time: int
    """Milliseconds since 1970."""
    token: str
    """Tells matches of the same name apart; at least twelve characters."""
    start_clock: float
    play_clock: float
    meta_url: str
    """The address of the rules; ends in ``/v<number>/``."""
    game_name: str = ""
    completed: bool = False
    aborted: bool = False
    player_names: tuple[str, ...] | None = None
    humans: tuple[bool, ...] | None = None
    preview_clock: float | None = None
    analysis_clock: float | None = None
    tournament: str | None = None
    scrambled: bool | None = None
    weight: float | None = None
    public_key: str | None = None
    signature: str | None = None
    extra: dict[str, object] = field(default_factory=dict)
    """Keys beginning with ``x-`` that are not ours."""

    def same_play(self, other: PublishedMatch) -> bool:
        """Whether both played the same in the same way, apart from times, speed, and names of the match."""
        return _timeless(self) == _timeless(other)


def publish(
    record: MatchRecord,
    clocks: Clocks,
    names: tuple[str, ...] | None = None,
    *,
    rules: Game | None = None,
    repository: str = REPOSITORY,
    aborted: bool = False,
) -> PublishedMatch:
    """A record of ours, ready to be written. ``names`` are the players', a text for each role.

    ``aborted`` says that the match will not be continued; a match that has come to its end is never aborted.
    """
    times = record.times or (0,) * len(record.states)
    match_id = record.match_id or match_name(record.game, times[0])
    return PublishedMatch(
        record=replace(record, match_id=match_id, times=times, source=record.source or match_id),
        start_time=times[0],
        token=make_token(match_id, times[0]),
        start_clock=_plain(clocks.start),
        play_clock=_plain(clocks.play),
        meta_url=meta_url(record.game, rules, repository),
        game_name=record.game,
        completed=record.terminal is True,
        aborted=aborted and record.terminal is not True,
        player_names=names,
    )


def match_name(game: str, milliseconds: int) -> str:
    """The default name of a match: letters, digits and dots, as players expect."""
    return f"ludorum.{re.sub(r'[^A-Za-z0-9]', '', game) or 'game'}.{milliseconds}"


def make_token(match_id: str, start_time: int) -> str:
    """A token that differs from match to match, and can be computed again: it depends on seed and times only.

    The seed itself is left out: a reader of the token could try seeds until one fits, and know the draws.
    """
    return hashlib.sha256(f"{match_id} {start_time}".encode()).hexdigest()[:32]


def meta_url(name: str, game: Game | None = None, repository: str = REPOSITORY) -> str:
    """The address of a game's rules; its version is the beginning of their content hash, 0 without rules."""
    key = re.sub(r"[^\w.-]", "_", name) or "game"
    return f"{repository.rstrip('/')}/games/{key}/v{0 if game is None else rules_version(game)}/"


def rules_version(game: Game) -> int:
    """A number for the exact rules of a game: layout and comments do not change it."""
    if game.rules is None:
        return 0
    text = "\n".join(map(format_rule, game.rules.rules))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) >> 1  # other programs read 32 bits


def _plain(clock: float) -> float:
    return int(clock) if clock == int(clock) else clock


def _timeless(match: PublishedMatch) -> PublishedMatch:
    record = match.record
    still = replace(
        record,
        match_id="",
        source="",
        times=(),
        replies=tuple(
            tuple(None if said is None else replace(said, milliseconds=0) for said in row)
            for row in record.replies
        ),
    )
    return replace(match, record=still, start_time=0, token="", public_key=None, signature=None)


# -- writing ----------------------------------------------------------------------------------------------


def format_published(match: PublishedMatch) -> str:
    """The JSON text of a match, a line a field; ``parse_published`` reads it back."""
    data = published_json(match)
    rows = (f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in data.items())
    return "{\n" + ",\n".join(rows) + "\n}\n"


def published_json(match: PublishedMatch) -> dict[str, object]:
    """A match as the object that is written, signed and checked."""
    record = match.record
    if any(state is None for state in record.states):
        raise ValueError("only a match with every state can be published")
    data: dict[str, object] = {
        "matchId": record.match_id,
        "startTime": match.start_time,
        "randomToken": match.token,
        "startClock": match.start_clock,
        "playClock": match.play_clock,
        "gameMetaURL": match.meta_url,
        "gameName": match.game_name,
        "isCompleted": match.completed,
        "isAborted": match.aborted,
        "states": [format_facts(state) for state in record.states if state is not None],
        "moves": [[format_term(move) for move in joint] for joint in record.moves],
        "stateTimes": list(record.times),
    }
    if record.roles is not None:
        data["gameRoleNames"] = [format_term(role) for role in record.roles]
    if record.errors:
        data["errors"] = [list(row) for row in record.errors]
    if match.player_names is not None:
        data["playerNamesFromHost"] = list(match.player_names)
    if match.humans is not None:
        data["isPlayerHuman"] = list(match.humans)
    data |= {key: value for key, name in _OPTIONAL.items() if (value := getattr(match, name)) is not None}
    return data | goals_json(record.goals, match.completed) | _own_json(record) | match.extra


def goals_json(goals: PerRole | None, completed: bool = True) -> dict[str, object]:
    """Goal values; the format has room for one number a role, when the match is completed."""
    if goals is None:
        return {}
    values = [as_integer(next(iter(terms))) if len(terms) == 1 else None for terms in goals]
    if completed and None not in values:
        return {"goalValues": values}
    return {"x-goals": [_texts(terms) for terms in goals]}


def _own_json(record: MatchRecord) -> dict[str, object]:
    data: dict[str, object] = {}
    if record.seed is not None:
        data["x-seed"] = record.seed if record.seed < EXACT else str(record.seed)
    for key, rows in (("x-percepts", record.percepts), ("x-legal", record.legal)):
        if rows:
            data[key] = [None if row is None else [_texts(terms) for terms in row] for row in rows]
    if record.legal_counts:
        data["x-legal-counts"] = [None if row is None else list(row) for row in record.legal_counts]
    if record.replies:
        data["x-replies"] = [
            [None if said is None else {"text": said.text, "ms": said.milliseconds} for said in row]
            for row in record.replies
        ]
    if record.terminal is False:
        data["x-terminal"] = False
    if record.source and record.source != record.match_id:
        data["x-source"] = record.source
    return data


def _texts(terms: frozenset[Term]) -> list[str]:
    return [format_term(term) for term in sorted(terms, key=sort_key)]


# -- reading ----------------------------------------------------------------------------------------------


def load_published(path: Path) -> PublishedMatch:
    """The published match a file holds; RecordError if it cannot be read or holds none."""
    return parse_published(read_text(path), str(path))


def parse_published(text: str, name: str = "<record>") -> PublishedMatch:
    """The match a JSON text writes; every field the format requires must be there and of its kind."""
    value = read_json(text, name)
    try:
        return _read_published(Field(value))
    except RecordError as error:
        raise RecordError(error.message, name, error.field) from None


def _read_published(root: Field) -> PublishedMatch:
    record = read_spectator(root)
    return PublishedMatch(
        record=record,
        start_time=root["startTime"].whole(LAST_TIME),
        token=root["randomToken"].text(),
        start_clock=root["startClock"].seconds(),
        play_clock=root["playClock"].seconds(),
        meta_url=root["gameMetaURL"].text(),
        game_name=root.get("gameName", Field.text) or "",
        completed=root.get("isCompleted", Field.truth) or False,
        aborted=root.get("isAborted", Field.truth) or False,
        player_names=root.get("playerNamesFromHost", Field.texts),
        humans=root.get("isPlayerHuman", lambda rows: tuple(row.truth() for row in rows.items())),
        preview_clock=root.get("previewClock", Field.seconds),
        analysis_clock=root.get("analysisClock", Field.seconds),
        tournament=root.get("tournamentNameFromHost", Field.text),
        scrambled=root.get("scrambled", Field.truth),
        weight=root.get("weight", Field.seconds),
        public_key=root.get("matchHostPK", Field.text),
        signature=root.get("matchHostSignature", Field.text),
        extra={
            key: found.value
            for key, found in root.mapping().items()
            if key.startswith("x-") and key not in _OURS
        },
    )


def read_spectator(root: Field) -> MatchRecord:
    """The moves and states, whatever else the host left out."""
    states = tuple(state.state() for state in root["states"].items())
    roles = root.get("gameRoleNames", Field.terms)
    moves = read_moves(root["moves"], None if roles is None else len(roles))
    width = len(roles) if roles is not None else len(moves[0]) if moves else None
    check_length(root["states"], len(states), len(moves) + 1, "one state more than moves")
    url = _META_URL.fullmatch(root.get("gameMetaURL", Field.text) or "")
    # While a match is running, or after it was broken off, goal values say nothing about its last state.
    over = root.get("isCompleted", Field.truth) is True and root.get("isAborted", Field.truth) is not True
    goals = root.get("goalValues", lambda found: read_goals(found, roles, width)) if over else None
    if goals is None:
        goals = root.get("x-goals", lambda found: _read_sets(found, width))
    match_id = root.get("matchId", Field.text) or ""
    return MatchRecord(
        # The address holds the key of the game; `gameName` is for people.
        game=url[1] if url else root.get("gameName", Field.text) or "",
        roles=roles,
        moves=moves,
        states=states,
        legal=root.get("x-legal", lambda found: _read_rows(found, len(states), width)) or (),
        legal_counts=root.get("x-legal-counts", lambda found: _read_counts(found, len(states), width)) or (),
        percepts=root.get("x-percepts", lambda found: _read_rows(found, len(moves), width)) or (),
        goals=goals,
        terminal=True if over else root.get("x-terminal", Field.truth),
        source=root.get("x-source", Field.text) or match_id,
        errors=root.get("errors", lambda found: read_errors(found, width)) or (),
        match_id=match_id,
        seed=root.get("x-seed", lambda found: found.whole(MOST_SEED)),
        times=root.get("stateTimes", _read_times) or (),
        replies=root.get("x-replies", lambda found: _read_replies(found, len(states), width)) or (),
    )


def _read_times(rows: Field) -> tuple[int, ...]:
    return tuple(row.whole(LAST_TIME) for row in rows.items())


def _read_sets(found: Field, width: int | None) -> PerRole:
    sets = tuple(row.facts() for row in found.items())
    if width is not None:
        check_length(found, len(sets), width, "one list for each role")
    return sets


def _read_rows(found: Field, length: int, width: int | None) -> tuple[PerRole | None, ...]:
    rows = found.items()
    check_length(found, len(rows), length, "one row for each step")
    return tuple(None if row.value is None else _read_sets(row, width) for row in rows)


def _read_counts(found: Field, length: int, width: int | None) -> tuple[tuple[int, ...] | None, ...]:
    rows = found.items()
    check_length(found, len(rows), length, "one row for each state")
    for row in rows:
        if row.value is not None:
            check_length(row, len(row.items()), width or 0, "one count for each role")
    return tuple(
        None if row.value is None else tuple(count.number() for count in row.items()) for row in rows
    )


def _read_replies(found: Field, length: int, width: int | None) -> tuple[tuple[Said | None, ...], ...]:
    rows = found.items()
    check_length(found, len(rows), length, "one row for each state")
    for row in rows:
        check_length(row, len(row.items()), width or 0, "one reply for each role")
    return tuple(tuple(_read_reply(one) for one in row.items()) for row in rows)


def _read_reply(found: Field) -> Said | None:
    if found.value is None:
        return None
    return Said(found["text"].text(), found["ms"].whole(LAST_TIME))
