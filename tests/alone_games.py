"""Small games for one player in which a careless move ends play, and random ones with an oracle."""

from __future__ import annotations

from itertools import product
from random import Random

from ludorum.engine.game import State
from ludorum.rules.kif import parse_kif
from ludorum.rules.ruleset import Ruleset


def placement(size: int) -> Ruleset:
    """Numbers in a square, none twice in a row or column. ``quit`` is legal at every step, for nothing."""
    numbers = " ".join(f"(number {each})" for each in range(1, size + 1))
    return parse_kif(f"""
    (role player) {numbers} (init (cell 1 1 1))
    (<= (filled ?x ?y) (true (cell ?x ?y ?n)))
    (<= (clash ?x ?y ?n) (number ?y) (true (cell ?x ?z ?n)))
    (<= (clash ?x ?y ?n) (number ?x) (true (cell ?z ?y ?n)))
    (<= (legal player (put ?x ?y ?n)) (number ?x) (number ?y) (number ?n)
        (not (filled ?x ?y)) (not (clash ?x ?y ?n)))
    (legal player quit)
    (<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)))
    (<= (next (cell ?x ?y ?n)) (does player (put ?x ?y ?n)))
    (<= (next over) (does player quit))
    (<= open (number ?x) (number ?y) (not (filled ?x ?y)))
    (<= terminal (true over)) (<= terminal (not open))
    (<= (goal player 100) (not open)) (<= (goal player 0) open)
    """)


def race(length: int, fastest: int) -> Ruleset:
    """A car that speeds up and brakes on a track with bars across. Off the track play ends with nothing."""
    height = 5
    sums = " ".join(
        f"(plus {a} {b} {a + b})" for a, b in product(range(length + 1), range(-fastest, fastest + 1))
    )
    more = " ".join(
        f"(plus {a} {b} {a + b})" for a, b in product(range(-fastest, 0), range(-fastest, fastest + 1))
    )
    bars = {(x, y) for x in range(4, length, 4) for y in range(1, height) if (y < 3) == (x % 8 == 0)}
    track = " ".join(
        f"(track {x} {y})" for x, y in product(range(length + 1), range(height)) if (x, y) not in bars
    )
    speeds = " ".join(f"(speedy {each})" for each in range(-fastest, fastest + 1))
    return parse_kif(f"""
    (role car) (init (at 0 2)) (init (speed 0 0)) {sums} {more} {track} {speeds}
    (change -1) (change 0) (change 1)
    (<= (legal car (steer ?a ?b)) (change ?a) (change ?b))
    (<= (faster ?u ?v) (does car (steer ?a ?b)) (true (speed ?x ?y))
        (plus ?x ?a ?u) (plus ?y ?b ?v) (speedy ?u) (speedy ?v))
    (<= (next (speed ?u ?v)) (faster ?u ?v))
    (<= (next (at ?p ?q)) (faster ?u ?v) (true (at ?x ?y)) (plus ?x ?u ?p) (plus ?y ?v ?q) (track ?p ?q))
    (<= on-track (true (at ?x ?y)))
    (<= there (true (at {length} ?y)))
    (<= terminal (not on-track)) (<= terminal there)
    (<= (goal car 100) there) (<= (goal car 0) (not there))
    """)


def lock(code: str) -> Ruleset:
    """A lock with one code. Whether a digit was wrong is only seen at the end; the thief may leave before."""
    wheels = " ".join(
        f"(code {wheel} {digit}) (after {wheel} {wheel + 1})" for wheel, digit in enumerate(code)
    )
    return parse_kif(f"""
    (role thief) (init (wheel 0)) (init right) {wheels} (digit 0) (digit 1) (digit 2) (digit 3)
    (<= (legal thief (dial ?n)) (digit ?n))
    (legal thief leave)
    (<= (next (wheel ?m)) (true (wheel ?n)) (after ?n ?m) (does thief (dial ?d)))
    (<= (next right) (true right) (true (wheel ?n)) (does thief (dial ?d)) (code ?n ?d))
    (<= (next gone) (does thief leave))
    (<= open (true (wheel {len(code)})) (true right))
    (<= terminal (true gone)) (<= terminal (true (wheel {len(code)})))
    (<= (goal thief 100) open) (<= (goal thief 0) (not open))
    """)


def corridor(length: int, jump: int) -> Ruleset:
    """A long walk with a pit beside every step: who jumps has so little, who arrives has all."""
    steps = " ".join(f"(after {each} {each + 1})" for each in range(length))
    return parse_kif(f"""
    (role walker) (init (at 0)) {steps}
    (legal walker jump)
    (<= (legal walker walk) (true (at ?n)) (after ?n ?m))
    (<= (next (at ?m)) (true (at ?n)) (after ?n ?m) (does walker walk))
    (<= (next pit) (does walker jump))
    (<= terminal (true pit)) (<= terminal (true (at {length})))
    (<= (goal walker 100) (true (at {length})))
    (<= (goal walker {jump}) (true pit))
    """)


def random_puzzle(chance: Random) -> Ruleset:
    """Rooms on levels, with doors to the next two levels; most rooms without a door are worth nothing."""
    levels, width = chance.randint(2, 5), chance.randint(1, 4)
    rooms = [(level, place) for level in range(levels) for place in range(width)]
    lines = ["(role walker)", "(init (at 0 0))"]
    ends: set[tuple[int, int]] = set()
    for level, place in rooms:
        below = [room for room in rooms if level < room[0] <= level + 2]
        doors = [] if level and chance.random() < 0.3 else chance.sample(below, min(len(below), 3))
        lines += [f"(door {level} {place} {down} {there})" for down, there in doors]
        if not doors:
            ends.add((level, place))
    for level, place in sorted(ends):
        value = chance.choice([0, 0, 0, 0, 30, 60, 100])
        lines.append(f"(end {level} {place} {value})")
    lines.append("""
    (legal walker quit)
    (<= (legal walker (go ?a ?b)) (true (at ?x ?y)) (door ?x ?y ?a ?b))
    (<= (next (at ?a ?b)) (does walker (go ?a ?b)))
    (<= (next out) (does walker quit))
    (<= over (true (at ?x ?y)) (end ?x ?y ?v))
    (<= terminal over) (<= terminal (true out))
    (<= (goal walker 0) (true out))
    (<= (goal walker ?v) (true (at ?x ?y)) (end ?x ?y ?v))
    """)
    return parse_kif("\n".join(lines))


def best_end(state: State) -> int:
    """The highest goal that can still be had, by playing every line: for games that never come round."""
    (role,) = state.game.roles
    if state.is_terminal:
        return state.goal(role) or 0
    return max(best_end(state.play((move,))) for move in state.legal(role))
