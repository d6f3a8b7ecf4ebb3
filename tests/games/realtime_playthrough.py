"""Playthroughs of realtime games: a match in plain text, with all that is legal, told and worth something.

The text is a pure function of the rules, the seed and the number of moves.
"""

from __future__ import annotations

from ludorum._core import SplitMix64
from ludorum.arena.protocol.realtime_messages import Happened
from ludorum.arena.world import RealtimeMatch
from ludorum.engine.game import format_facts
from ludorum.engine.playthrough import SHOWN_MOVES
from ludorum.engine.wdl_master import WdlMaster
from ludorum.rules.terms import Term, format_term

LONGEST_PAUSE = 60
"""Signals of the clock between two moves, at most, where somebody can move."""
MOST_TICKS = 5000


def realtime_playthrough(name: str, master: WdlMaster, seed: int, moves: int) -> str:
    """A seeded random match of so many moves, if it does not end before."""
    match = RealtimeMatch(master, "m1", seed, 1, MOST_TICKS * master.sheet.settings.tick / 100)
    roles = " ".join(map(format_term, master.roles))
    lines = [f"game: {name}", f"seed: {seed}", f"moves: {moves}", f"roles: {roles}"]
    chance = SplitMix64(seed)
    lines += ["", "# at the start", *_described(match)]
    for number in range(1, moves + 1):
        if (acted := _next_move(match, chance)) is None:
            break
        lines += [
            "",
            f"# move {number}, after {match.clock} signals of the clock",
            *acted,
            *_described(match),
        ]
    if match.is_over and not lines[-1].startswith("goal"):
        lines += ["", f"# the end, after {match.clock} signals of the clock", *_described(match)]
    return "\n".join(lines) + "\n"


def _next_move(match: RealtimeMatch, chance: SplitMix64) -> list[str] | None:
    """Go on for a while, and make a move of a role that can: what was done and told; None at the end."""
    pause = 1 + chance.below(LONGEST_PAUSE)
    while not match.is_over:
        match.tick()
        pause -= 1
        able = [role for role in match.roles if match.master.legal(match.state, role)]
        if pause <= 0 and able and not match.is_over:
            role = able[chance.below(len(able))]
            legal = match.master.legal(match.state, role)
            return _acted(match, role, legal[chance.below(len(legal))])
    return None


def _acted(match: RealtimeMatch, role: Term, move: Term) -> list[str]:
    told = match.act(role, move)
    lines = [f"acts {format_term(role)}: {format_term(move)}"]
    for viewer, view in told.items():
        assert isinstance(view, Happened)
        lines.append(f"told {format_term(viewer)}: {format_term(view.move)}")
    return lines


def _described(match: RealtimeMatch) -> list[str]:
    master, state = match.master, match.state
    lines = [f"facts: {format_facts(state.facts)}", f"terminal: {str(master.is_terminal(state)).lower()}"]
    if not match.is_over:
        lines += [f"legal {role}: {_moves(master.legal(state, role))}" for role in master.roles]
    goals = master.goals(state)
    return [*lines, *(f"goal {role}: {_goal(goals[role])}" for role in master.roles)]


def _goal(values: tuple[Term, ...]) -> str:
    return " ".join(map(format_term, values)) or "none"


def _moves(moves: tuple[Term, ...]) -> str:
    shown = " ".join(map(format_term, moves[:SHOWN_MOVES]))
    return f"[{len(moves)}] {shown}{' ...' * (len(moves) > SHOWN_MOVES)}".rstrip()
