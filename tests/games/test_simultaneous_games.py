"""Games in which all players move at once: hands, dilemmas, light cycles, cars, ghosts."""

from dataclasses import dataclass
from functools import cache

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.check_game import check_game
from ludorum.engine.game import State, parse_facts, parse_move
from ludorum.engine.load import load_game
from ludorum.engine.perft import explore, perft

load = cache(load_game)
GAMES = ["rock_paper_scissors", "iterated_prisoners_dilemma", "tron", "racetrack", "pacman"]


def play(state: State, *joints: tuple[str, ...]) -> State:
    """The state after these joint moves, the game not being over before the last."""
    for joint in joints:
        assert not state.is_terminal, f"over before {joint}"
        state = state.play([parse_move(move) for move in joint])
    return state


def holds(state: State, *facts: str) -> bool:
    return parse_facts(f"({' '.join(facts)})") <= state.facts()


def random_joint(state: State, chooser: SplitMix64) -> tuple[str, ...]:
    return tuple(str(moves[chooser.below(len(moves))]) for moves in map(state.legal, state.game.roles))


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_random_play_keeps_every_promise(name: str) -> None:
    assert check_game(load(name), plays=1, seed=1) == []


# ---------------------------------------------------------------------- rock paper scissors


def shown(state: State, *rounds: str) -> State:
    """Rounds as pairs of initials: ``"rs"`` is rock against scissors."""
    words = {"r": "(show rock)", "p": "(show paper)", "s": "(show scissors)"}
    return play(state, *((words[pair[0]], words[pair[1]]) for pair in rounds))


def test_rock_paper_scissors_has_a_state_for_every_score() -> None:
    # After n rounds the wins of both are any two numbers with a sum up to n: 1 + 3 + 6 + 10 + 15 + 21.
    found = explore(load("rock_paper_scissors"))
    assert (found.states, found.terminal, found.stuck) == (56, 21, 0)
    assert (found.longest, found.games) == (5, 9**5)


@pytest.mark.parametrize(
    ("rounds", "goals"),
    [
        ("rs sp pr rr ss", (100, 0)),
        ("sr ps rp pp rs", (0, 100)),
        ("rs sr pp ss rr", (50, 50)),
        ("rr pp ss rr pp", (50, 50)),
        ("rp rp rs rs rs", (100, 0)),
    ],
)
def test_rock_paper_scissors_counts_rounds_won(rounds: str, goals: tuple[int, int]) -> None:
    state = shown(load("rock_paper_scissors").initial(), *rounds.split())
    assert state.is_terminal
    assert state.goals() == goals


# ---------------------------------------------------------------------- iterated prisoner's dilemma


def chosen(state: State, row: str, column: str) -> State:
    words = {"c": "cooperate", "d": "defect"}
    return play(state, *((words[mine], words[yours]) for mine, yours in zip(row, column, strict=True)))


@pytest.mark.parametrize(
    ("row", "column", "goals"),
    [
        ("c" * 10, "c" * 10, (60, 60)),
        ("d" * 10, "d" * 10, (20, 20)),
        ("d" * 10, "c" * 10, (100, 0)),
        ("c" * 10, "d" * 10, (0, 100)),
        ("cd" * 5, "dc" * 5, (50, 50)),
        ("cddddddddd", "d" * 10, (18, 28)),  # tit for tat against who always defects
        ("ccccccccdd", "c" * 9 + "d", (60, 50)),  # 8 * 6 + 10 + 2 and 8 * 6 + 0 + 2
    ],
)
def test_dilemma_adds_up_the_payoffs(row: str, column: str, goals: tuple[int, int]) -> None:
    state = chosen(load("iterated_prisoners_dilemma").initial(), row, column)
    assert state.is_terminal
    assert state.goals() == goals


def test_dilemma_remembers_the_last_round() -> None:
    game = load("iterated_prisoners_dilemma")
    state = chosen(game.initial(), "cd", "dc")
    expected = "(round 3) (last row defect) (last column cooperate) (score row 10) (score column 10)"
    assert state.facts() == parse_facts(f"({expected})")
    assert perft(game, 3) == [4, 16, 64]


# ---------------------------------------------------------------------- tron


def ride(state: State, *rides: str) -> State:
    """Steps as pairs of initials, red first: ``"ew"``."""
    words = {"n": "north", "e": "east", "s": "south", "w": "west"}
    return play(state, *((f"(ride {words[pair[0]]})", f"(ride {words[pair[1]]})") for pair in rides))


def tron(red: str, blue: str, *walls: str) -> State:
    """A position from ``"4 5 east"`` and the like."""
    facts = [f"(wall {place})" for place in walls]
    for cycle, text in [("red", red), ("blue", blue)]:
        place, _, heading = text.rpartition(" ")
        facts += [f"(at {cycle} {place})", f"(heading {cycle} {heading})", f"(wall {place})"]
    return load("tron").parse_state(f"({' '.join(facts)})")


def test_tron_counts() -> None:
    # Three ways each; of the nine ways to make two steps two lead over the edge, and the cycles do not meet.
    assert perft(load("tron"), 3) == [9, 81, 7 * 7 * 9]


def test_tron_fills_the_whole_board_in_its_longest_game() -> None:
    # Red rides down its edge, zigzags up the lower left quarter and then up the upper left quarter; blue
    # does the same seen from the other side, and in the fiftieth step nobody has anywhere to go.
    red = "ssss" + "eeee" + "n" + "www" + "n" + "eee" + "n" + "www" + "n" + "eee" + "n"
    red += "wwww" + "n" + "eeee" + "n" + "wwww" + "n" + "eeee" + "n" + "wwww"
    turned = red.translate(str.maketrans("nesw", "swne"))
    state = ride(load("tron").initial(), *map("".join, zip(red, turned, strict=True)))
    assert not state.is_terminal
    assert sum(fact.name == "wall" for fact in state.facts()) == 100
    end = ride(state, "we")
    assert len(red) + 1 == 50
    assert end.is_terminal
    assert end.goals() == (50, 50)


@pytest.mark.parametrize(
    ("red", "blue", "walls", "step", "goals"),
    [
        ("4 5 east", "6 5 west", [], "ew", (50, 50)),  # both into 5,5
        ("4 5 east", "5 5 west", [], "ew", (50, 50)),  # each into the other
        ("4 5 east", "5 5 north", [], "en", (0, 100)),  # the place a cycle leaves is a wall
        ("4 5 east", "8 8 north", ["8 9"], "en", (100, 0)),
        ("10 5 east", "8 8 north", [], "en", (0, 100)),
        ("10 5 east", "1 8 west", [], "ew", (50, 50)),
    ],
)
def test_tron_crashes(red: str, blue: str, walls: list[str], step: str, goals: tuple[int, int]) -> None:
    end = ride(tron(red, blue, *walls), step)
    assert end.is_terminal
    assert end.goals() == goals


def test_tron_goes_on_and_leaves_walls() -> None:
    state = ride(tron("4 5 east", "6 5 west"), "nw")
    assert not state.is_terminal
    assert state.facts() == tron("4 6 north", "5 5 west", "4 5", "6 5").facts()
    assert set(map(str, state.legal(state.game.role("red")))) == {
        "(ride north)",
        "(ride east)",
        "(ride west)",
    }


# ---------------------------------------------------------------------- racetrack


@dataclass
class Car:
    """A car of the racetrack in plain Python: place, forward speed, sideways speed (left is positive)."""

    x: int
    y: int
    forward: int = 0
    sideways: int = 0

    def facts(self, name: str) -> str:
        sideways = {-2: "right2", -1: "right1", 0: "0", 1: "left1", 2: "left2"}[self.sideways]
        return f"(at {name} {self.x} {self.y}) (speed {name} {self.forward} {sideways})"

    def options(self) -> set[str]:
        pedals = {"accelerate": 1, "keep": 0, "brake": -1}
        wheels = {"left": 1, "straight": 0, "right": -1}
        return {
            f"(drive {pedal} {wheel})"
            for pedal, more in pedals.items()
            for wheel, turn in wheels.items()
            if 0 <= self.forward + more <= 3 and -2 <= self.sideways + turn <= 2
        }

    def driven(self, move: str) -> "Car":
        _, pedal, wheel = move.strip("()").split()
        forward = self.forward + {"accelerate": 1, "keep": 0, "brake": -1}[pedal]
        sideways = self.sideways + {"left": 1, "straight": 0, "right": -1}[wheel]
        return Car(self.x + forward, self.y + sideways, forward, sideways)

    def is_on_track(self) -> bool:
        gate = 6 <= self.x <= 8 and self.y != 3
        island = 11 <= self.x <= 13 and 2 <= self.y <= 4
        return 1 <= self.x <= 18 and 1 <= self.y <= 5 and not gate and not island

    def shares_place_with(self, other: "Car") -> bool:
        return (self.x, self.y) == (other.x, other.y)


def race_on(red: Car, blue: Car, moves: tuple[str, ...]) -> tuple[Car, Car]:
    wanted = [red.driven(moves[0]), blue.driven(moves[1])]
    meet = wanted[0].shares_place_with(wanted[1])
    following = []
    for car, other, goal in [(red, blue, wanted[0]), (blue, red, wanted[1])]:
        free = goal.is_on_track() and not meet and not goal.shares_place_with(other)
        following.append(goal if free else Car(car.x, car.y))
    return following[0], following[1]


def race(red: Car, blue: Car, step: int = 1) -> State:
    return load("racetrack").parse_state(f"({red.facts('red')} {blue.facts('blue')} (step {step}))")


def test_racetrack_counts() -> None:
    # Six choices at rest; then 3 sideways choices times 2 at rest and 3 at speed 1, in all 45 for each car.
    # But where both meet in 2,3 they lose their speed, and 6 * 6 choices remain of 9 * 9.
    assert perft(load("racetrack"), 2) == [36, 45 * 45 - 81 + 36]


@pytest.mark.parametrize("seed", range(4))
def test_racetrack_agrees_with_plain_python(seed: int) -> None:
    chooser = SplitMix64(seed)
    state = load("racetrack").initial()
    red, blue = Car(1, 2), Car(1, 4)
    for step in range(1, 26):
        assert state.facts() == race(red, blue, step).facts()
        for role, car in zip(state.game.roles, (red, blue), strict=True):
            assert {str(move) for move in state.legal(role)} == car.options()
        assert state.is_terminal == (max(red.x, blue.x) >= 16)
        if state.is_terminal:
            break
        joint = random_joint(state, chooser)
        red, blue = race_on(red, blue, joint)
        state = play(state, joint)


def test_racetrack_can_be_won_in_eight_steps() -> None:
    line = [
        ("accelerate left", (2, 3)),
        ("accelerate right", (4, 3)),
        ("keep straight", (6, 3)),
        ("keep straight", (8, 3)),
        ("keep left", (10, 4)),
        ("brake straight", (11, 5)),
        ("accelerate right", (13, 5)),
        ("accelerate straight", (16, 5)),
    ]
    state = load("racetrack").initial()
    for move, (x, y) in line:
        assert state.goals() == (50, 50)
        state = play(state, (f"(drive {move})", "(drive keep straight)"))
        assert holds(state, f"(at red {x} {y})", "(at blue 1 4)")
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_racetrack_finish_in_the_same_step_is_a_draw() -> None:
    state = play(race(Car(14, 1, 2), Car(15, 5, 1)), ("(drive keep straight)", "(drive keep straight)"))
    assert state.is_terminal
    assert state.goals() == (50, 50)


@pytest.mark.parametrize(
    ("red", "blue", "driven"),
    [
        (Car(5, 2, 1), Car(1, 4), False),  # into the gate's wall
        (Car(5, 2, 3), Car(1, 4), False),  # the wall is three thick
        (Car(5, 3, 3), Car(1, 4), True),
        (Car(3, 5, 1, 1), Car(1, 4), False),  # off the track
        (Car(3, 3, 1), Car(4, 3), False),  # the other car stands there
        (Car(3, 3, 1), Car(4, 3, 1), False),  # even if it is about to leave
        (Car(3, 3, 1), Car(2, 3, 2), False),  # both want 4,3
        (Car(3, 3, 2), Car(4, 3), True),  # what lies between does not count
    ],
)
def test_racetrack_obstacles(red: Car, blue: Car, driven: bool) -> None:
    state = play(race(red, blue), ("(drive keep straight)", "(drive keep straight)"))
    expected = red.driven("(drive keep straight)") if driven else Car(red.x, red.y)
    assert holds(state, expected.facts("red"))


def test_racetrack_ends_after_25_steps() -> None:
    state = race(Car(3, 3), Car(1, 4), step=25)
    assert not state.is_terminal
    end = play(state, ("(drive keep straight)", "(drive keep straight)"))
    assert end.is_terminal
    assert end.goals() == (50, 50)


# ---------------------------------------------------------------------- pac-man


def pacman(pacman: str, blinky: str, inky: str, eaten: int, step: int, *pellets: str) -> State:
    facts = [f"(pellet {place})" for place in pellets]
    facts += [f"(at pacman {pacman})", f"(at blinky {blinky})", f"(at inky {inky})"]
    return load("pacman").parse_state(f"({' '.join(facts)} (eaten {eaten}) (step {step}))")


def test_pacman_counts() -> None:
    # Pac-Man has 3 ways and each ghost 4, or they stay. Then Pac-Man has 13 choices in all and each ghost 17,
    # but not where he went north (3 choices) and a ghost south: 17 * 17 - 14 * 14 of the ghosts' choices.
    assert perft(load("pacman"), 2) == [100, 13 * 17 * 17 - 3 * (17 * 17 - 14 * 14)]


def test_pacman_starts_with_25_pellets() -> None:
    state = load("pacman").initial()
    assert sum(fact.name == "pellet" for fact in state.facts()) == 25
    assert state.goals() == (0, 100, 100)
    assert holds(state, "(at pacman 4 1)", "(at blinky 4 3)", "(at inky 4 3)", "(eaten 0)", "(step 1)")


def test_pacman_eats() -> None:
    state = play(load("pacman").initial(), ("(go west)", "(go north)", "stay"))
    assert holds(state, "(at pacman 3 1)", "(at blinky 4 4)", "(at inky 4 3)", "(eaten 1)", "(step 2)")
    assert not holds(state, "(pellet 3 1)")
    assert holds(state, "(pellet 4 4)")  # ghosts do not eat
    assert state.goals() == (4, 96, 96)
    back = play(state, ("(go east)", "(go south)", "stay"))
    assert holds(back, "(eaten 1)")


def test_pacman_walls() -> None:
    state = pacman("2 1", "1 2", "4 3", 5, 9)
    moves = [set(map(str, state.legal(role))) for role in state.game.roles]
    assert moves[0] == {"(go east)", "(go west)", "stay"}
    assert moves[1] == {"(go north)", "(go south)", "stay"}
    assert moves[2] == {"(go north)", "(go south)", "(go east)", "(go west)", "stay"}


@pytest.mark.parametrize(
    ("joint", "caught"),
    [
        (("stay", "(go west)", "stay"), True),  # a ghost comes
        (("(go east)", "(go west)", "stay"), True),  # they change places
        (("(go east)", "stay", "stay"), True),  # into a waiting ghost
        (("(go west)", "(go west)", "stay"), False),  # followed
        (("(go west)", "stay", "(go south)"), True),  # meets the second ghost in 1,1
        (("stay", "stay", "stay"), False),
    ],
)
def test_pacman_is_caught(joint: tuple[str, ...], caught: bool) -> None:
    state = pacman("2 1", "3 1", "1 2", 7, 20, "1 1", "5 5")
    following = play(state, joint)
    assert following.is_terminal == caught
    assert holds(following, "caught") == caught


def test_pacman_keeps_the_pellet_he_dies_for() -> None:
    state = play(pacman("2 1", "1 2", "4 3", 7, 20, "1 1", "5 5"), ("(go west)", "(go south)", "stay"))
    assert state.is_terminal
    assert state.goals() == (32, 68, 68)


def test_pacman_wins_with_the_last_pellet() -> None:
    state = play(pacman("2 1", "7 5", "7 5", 24, 20, "1 1"), ("(go west)", "stay", "stay"))
    assert state.is_terminal
    assert state.goals() == (100, 0, 0)


def test_pacman_ends_after_50_steps() -> None:
    state = pacman("2 1", "7 5", "7 5", 10, 50, "1 1", "5 5")
    assert not state.is_terminal
    end = play(state, ("stay", "stay", "stay"))
    assert end.is_terminal
    assert end.goals() == (40, 60, 60)
