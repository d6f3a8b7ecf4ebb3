"""What a PLAY message tells of the last step, read as the kind of the game says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ...engine.game import Game, JointMove
from ...rules.terms import Term
from ...rules.wdl.to_gdl2 import WdlRuleset
from .messages import Play, PlayPercepts

_Terms: TypeAlias = tuple[Term, ...]


@dataclass(frozen=True)
class ToldTurn:
    """The step before a question."""

    is_first: bool
    """Whether there was no step: the match begins, or the host starts over."""
    step: int | None
    """How many steps there were, where the host tells it."""
    move: Term | None = None
    percepts: _Terms | None = None
    """None where only the joint move is told."""
    joint: JointMove | None = None


def told_turn(game: Game, message: Play | PlayPercepts, step: int | None, sent: Term | None) -> ToldTurn:
    """What a message tells. ``sent`` is the move that the host was sent last; ``step`` was told beside it."""
    if game.tells_joint_moves:
        return _open_turn(game, message, step)
    if isinstance(message, PlayPercepts):
        return ToldTurn(message.turn <= 0, message.turn, message.move, message.percepts)
    if isinstance(game.rules, WdlRuleset):
        return _told_views(game.rules, message, step, sent)
    # NIL is both the first turn and, with some hosts, an empty list of percepts.
    is_first = (message.told is None and sent is None) or step == 0
    # A host without GDL-II tells joint moves also where there is chance.
    joint = None if has_percepts(game) else message.told
    return ToldTurn(is_first, step, sent, message.told or (), joint)


def _told_views(rules: WdlRuleset, message: Play, step: int | None, sent: Term | None) -> ToldTurn:
    """The moves of all players, each without what is hidden: what rules in GDL-II perceive."""
    if not message.told:
        return ToldTurn(True, step)
    assert rules.sheet is not None
    views = zip(rules.sheet.roles, message.told, strict=False)
    return ToldTurn(False, step, sent, tuple(Term(rules.did, view) for view in views))


def has_percepts(game: Game) -> bool:
    """Whether hosts tell percepts of a game that is not open; else there is only chance, and joint moves."""
    return game.rules is None or game.rules.has_hidden_information


def _open_turn(game: Game, message: Play | PlayPercepts, step: int | None) -> ToldTurn:
    if isinstance(message, Play):
        return ToldTurn(not message.told, step, joint=message.told)
    # The rules have no percepts, but the host speaks GDL-II: it may still name the moves.
    joint = _joint_of(game, message.percepts) if message.turn else ()
    return ToldTurn(not joint, message.turn, joint=joint)


def _joint_of(game: Game, percepts: _Terms) -> JointMove:
    did = {p.args[0]: p.args[1] for p in percepts if p.name == "did" and len(p.args) == 2}
    found = [did.get(role) for role in game.roles]
    return tuple(move for move in found if isinstance(move, Term))
