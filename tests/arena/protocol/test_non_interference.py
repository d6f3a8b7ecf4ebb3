"""Hidden stays hidden: what a role may not know changes no byte that is sent to it.

For every game of the library with secrets and every role two matches are played that differ only in what the
role may not know: other hidden moves, the same own moves and percepts. All requests to the role are compared
byte for byte, in every form of the protocol.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from ludorum._core import SplitMix64
from ludorum.arena.match.match import Match
from ludorum.arena.match.seat import Briefing, turn_of
from ludorum.arena.protocol import DIALECTS, Language, RemoteSeat, scrambler_of
from ludorum.arena.testing import ScriptedPlayer
from ludorum.engine.game import Game, JointMove, State
from ludorum.engine.load import load_game
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term
from tests.arena.protocol.loopback import QUICK, coin
from tests.how_much import sample

GAMES = sorted(sheet.name for sheet in library_sheets() if sheet.language == "gdl2")
STEPS = 6
"""How long the two matches are, at most; secrets are made early."""
TRIES = 120


def sight(state: State, role: Term) -> tuple[Term | None, tuple[Term, ...]]:
    """What a role is told of a step: its own move and its percepts."""
    own = None if state.joint is None else state.joint[state.game.roles.index(role)]
    return own, state.percepts(role)


def random_line(game: Game, chance: SplitMix64) -> list[State]:
    """Some random steps; few ones too, for at the end many games show all that was hidden."""
    states = [game.initial()]
    steps = 1 + chance.below(STEPS)
    while len(states) <= steps and not states[-1].is_terminal:
        legal = [states[-1].legal(role) for role in game.roles]
        states.append(states[-1].play([moves[chance.below(len(moves))] for moves in legal]))
    return states


def same_for(line: list[State], role: Term, chance: SplitMix64) -> list[State] | None:
    """Another line that the role cannot tell from this one, drawn by chance; None where none was found."""
    game = line[0].game
    seat = game.roles.index(role)
    other = [game.initial()]
    for state in line[1:]:
        assert state.joint is not None
        for _ in range(30):
            legal = [other[-1].legal(one) for one in game.roles]
            joint = [moves[chance.below(len(moves))] for moves in legal]
            joint[seat] = state.joint[seat]
            if joint[seat] not in legal[seat] or other[-1].is_terminal:
                return None
            after = other[-1].play(joint)
            if sight(after, role) == sight(state, role):
                other.append(after)
                break
        else:
            return None
    return other


def pairs(game: Game, role: Term) -> Iterator[tuple[list[State], list[State]]]:
    """Pairs of lines that look the same to the role although other moves were made."""
    chance = SplitMix64(2024)
    for _ in range(TRIES):
        line = random_line(game, chance)
        other = same_for(line, role, chance)
        if other is not None and [state.joint for state in other] != [state.joint for state in line]:
            yield line, other


def moves_of(line: list[State]) -> list[JointMove]:
    return [state.joint for state in line if state.joint is not None]


async def bytes_sent(
    game: Game, role: Term, lines: list[list[State]], **options: object
) -> list[list[bytes]]:
    """Every request that a host makes of the player of a role, for each line of play."""
    sent = []
    async with ScriptedPlayer(script=lambda heard: "nil") as player:
        for line in lines:
            player.heard.clear()
            seat = RemoteSeat(player.url, game, **options)  # type: ignore[arg-type]
            briefing = Briefing("m1", role, game, QUICK)
            match = Match(game, match_id="m1")
            await seat.start(briefing)
            await seat.play(turn_of(match, briefing))
            for joint in moves_of(line):
                match._append(joint)
                await seat.play(turn_of(match, briefing))
            await seat.stop(turn_of(match, briefing))
            await seat.abort(briefing)
            sent.append([heard.data for heard in player.heard])
    return sent


WAYS: list[dict[str, object]] = [
    {},
    {"language": Language.GDL2_2011},
    {"dialect": DIALECTS["dresden"]},
    {"dialect": DIALECTS["tiltyard"]},
    {"method": "GET"},
]


def game_of(name: str) -> Game:
    return coin() if name == "coin" else load_game(name)


@pytest.mark.parametrize("name", sample(["coin", "trumps", "go_fish", *GAMES], 2))
def test_what_a_role_may_not_know_changes_no_byte(name: str) -> None:
    game = game_of(name)
    compared = 0
    for role in game.info.players:
        pair = next(pairs(game, role), None)
        if pair is None:
            continue  # this role has seen everything so far
        compared += 1
        line, other = pair
        assert moves_of(line) != moves_of(other)
        scrambled: list[dict[str, object]] = []
        if game.rules is not None:
            scrambled.append({"scrambler": scrambler_of(game.rules, 3)})
        for way in [*WAYS, *scrambled]:
            one, two = asyncio.run(bytes_sent(game, role, [line, other], **way))
            assert one == two
            assert len(one) == len(line) + 3
    assert compared, "nobody has a secret: then this is no game for GDL-II"


def test_what_a_role_may_know_does_change_them() -> None:
    """The comparison can fail: lines that differ in a percept are told apart."""
    game = coin()
    guesser = game.roles[1]
    chance = SplitMix64(1)
    lines = [line for _ in range(40) if len(line := random_line(game, chance)) == 3]
    heads = next(line for line in lines if "heads" in str(line[1].joint))
    tails = next(line for line in lines if "tails" in str(line[1].joint))
    one, two = asyncio.run(bytes_sent(game, guesser, [heads, tails]))
    assert one[:3] == two[:3]
    assert one != two
