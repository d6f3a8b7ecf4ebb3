"""The view of a match for one viewer: everything that a page shows, and nothing that it may not know.

In a game that hides something, whether another role has a choice may be a secret. There a viewer is told
neither whose move is awaited, unless it is its own or its scene says so, nor the clocks of others, nor the
faults of players; all that is open again at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from types import MappingProxyType

from ...scene.fact_groups import TURN
from .live_match import LiveMatch
from .plan import Json

MOST_NOTES = 50
"""The last ones are shown; a view is sent after every step."""


def viewer_role(match: LiveMatch, user: str | None) -> str | None:
    """The role that a user looks from: of several the one that is to choose; None for a spectator."""
    roles = match.seats.roles_of(user)
    return next((role for role in roles if role in match.to_move), roles[0] if roles else None)


def may_choose(match: LiveMatch, viewer: str | None) -> bool:
    """Whether the viewer's choice is awaited."""
    return match.is_running and viewer in match.to_move


def view_of(
    match: LiveMatch,
    viewer: str | None,
    portrait: Json,
    *,
    hides: bool,
    has_chance: bool,
    here: Collection[str],
    spectators: int,
    is_thinking: bool,
    now: float,
    remarks: Mapping[str, str] = MappingProxyType({}),
) -> Json:
    """The MatchView of the API. ``portrait`` is what the arbiter shows this viewer; ``here`` are the users
    that look at the match, ``spectators`` how many only look on, ``remarks`` what is to be said of players
    elsewhere."""
    is_secret = hides and not match.is_over
    chooses = may_choose(match, viewer)
    awaited = match.to_move if match.is_running else []
    if is_secret:
        awaited = [role for role in awaited if role == viewer]
        if match.is_running and not awaited:
            awaited = _known_turn(portrait)
        is_thinking = match.is_running and not chooses and _may_think(match, awaited)
    phase = _phase(match, chooses)
    return {
        "id": match.id,
        "game": {
            "id": match.plan.game.id,
            "title": match.plan.game.title,
            "hides": hides,
            "chance": has_chance,
        },
        "viewer": viewer,
        "roles": [_role(match, role, viewer, is_secret, here, now, remarks) for role in match.seats.all],
        "step": match.step,
        "phase": phase,
        "to_move": awaited,
        "is_thinking": is_thinking,
        "scene": portrait["scene"],
        "choices": portrait["choices"] if chooses else [],
        "asked": portrait["asked"] if chooses else _waiting(match, phase, awaited),
        "moves": portrait["moves"],
        "offers": [
            {"what": offer.what, "by": offer.by, "answers": sorted(offer.missing)}
            for offer in match.offers.open
        ],
        "premove": None if viewer is None else match.premoves.get(viewer),
        "dropped": None if viewer is None else match.dropped.get(viewer),
        "spectators": spectators,
        "chat": [{"by": line.by, "text": line.text} for line in match.chat.lines]
        if match.chat.is_on
        else None,
        "result": None if match.end is None else match.end.result,
        "how": None if match.end is None else match.end.how,
        "ended_by": None if match.end is None else match.end.by,
        "notes": []
        if is_secret
        else [
            {"step": note.step, "role": note.role, "text": note.text} for note in match.notes[-MOST_NOTES:]
        ],
        "faults": {} if is_secret else Counter(note.role for note in match.notes),
        "realtime": None,
        "tournament": match.plan.tournament or None,
        "rematch": None if match.rematch is None else f"/match/{match.rematch}",
    }


def _known_turn(portrait: Json) -> list[str]:
    """The role to move, where the viewer is shown who that is."""
    facts = portrait["scene"]["facts"] if portrait["scene"] else []
    return [role for group in facts if group["name"] == TURN for role in group["entries"]]


def _may_think(match: LiveMatch, awaited: list[str]) -> bool:
    """Whether a player may think now, as far as a viewer that knows of these roles can tell."""
    players = set(match.seats.players)
    return bool(players.intersection(awaited) if awaited else players)


def _role(
    match: LiveMatch,
    role: str,
    viewer: str | None,
    is_secret: bool,
    here: Collection[str],
    now: float,
    remarks: Mapping[str, str],
) -> Json:
    seat = match.seats.all[role]
    clock = None
    if match.clocks is not None and role in match.clocks and (not is_secret or role == viewer):
        left = round(match.clocks.left(role, now), 2)
        clock = {"left": left, "running": match.clocks.is_running(role)}
    result = None if match.end is None else match.end.result
    return {
        "role": role,
        "label": role.replace("_", " "),
        "kind": seat.kind,
        "name": seat.name,
        "is_here": seat.kind == "player" or (seat.kind == "person" and seat.user in here),
        "clock": clock,
        "goal": None if result is None else result.get(role),
        "remark": "" if match.is_over else remarks.get(role, ""),
    }


def _phase(match: LiveMatch, chooses: bool) -> str:
    if match.end is not None:
        return {"resigned": "resigned", "stuck": "stuck", "failed": "stuck"}.get(match.end.how, "over")
    if not match.has_begun:
        return "open"
    if match.is_paused:
        return "paused"
    return "choice" if chooses else "waiting"


def _waiting(match: LiveMatch, phase: str, awaited: list[str]) -> str:
    """What is to be said where the viewer has nothing to choose."""
    end = match.end
    if end is not None:
        return end.why or {
            "time": f"{end.by} ran out of time.",
            "resigned": f"{end.by} resigned.",
            "draw": "A draw was agreed.",
        }.get(end.how, "The match is over.")
    if phase == "open":
        return f"Waiting for somebody to play {' and '.join(match.seats.open)}."
    if phase == "paused":
        return "The match is paused."
    return f"Waiting for {' and '.join(awaited)}." if awaited else "Waiting for the others."


def without_moving_time(view: Json) -> Json:
    """A view without what changes by itself: two that are equal here need not be sent twice."""
    roles = [
        role if role["clock"] is None else role | {"clock": role["clock"]["running"]}
        for role in view["roles"]
    ]
    return view | {"roles": roles}
