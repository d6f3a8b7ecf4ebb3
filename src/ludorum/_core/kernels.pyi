from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int32]

class BuildInfo(TypedDict):
    compiler: str
    cpp_standard: int
    pointer_bits: int

def vector_width() -> int: ...
def build_info() -> BuildInfo: ...

class SplitMix64:
    def __init__(self, seed: int) -> None: ...
    def next(self) -> int: ...
    def below(self, n: int) -> int: ...
    @property
    def state(self) -> int: ...

class RuleCollector:
    def __init__(self, most_rules: int = ...) -> None: ...
    @property
    def is_full(self) -> bool: ...
    @property
    def callback(self) -> int: ...
    @property
    def data(self) -> int: ...
    def take(self) -> tuple[IntArray, IntArray, IntArray, IntArray]: ...

SWEEP_RULES: dict[str, int]

def build_gates(
    heads: IntArray,
    body_offsets: IntArray,
    body: IntArray,
    atoms: IntArray,
    first_gate: int,
) -> tuple[IntArray, IntArray, IntArray, IntArray]: ...
def sweep_gates(
    fluents: int,
    moves_of_roles: IntArray,
    gate_offsets: IntArray,
    gate_literals: IntArray,
    legal: IntArray,
    outputs: IntArray,
    rules: int,
) -> tuple[IntArray, IntArray, IntArray]: ...
def extract_gates(
    first_gate: int,
    gate_offsets: IntArray,
    gate_literals: IntArray,
    loops: IntArray,
    outputs: IntArray,
    pairs: bool,
    sets: bool,
) -> tuple[IntArray, IntArray, IntArray]: ...
def foresee_gates(network: Network, most_literals: int) -> tuple[IntArray, IntArray, IntArray] | None: ...
def outlook_gates(network: Network, most_literals: int) -> tuple[IntArray, IntArray, IntArray] | None: ...
def gate_phases(
    first_gate: int,
    gate_offsets: IntArray,
    gate_literals: IntArray,
    loops: IntArray,
    state_outputs: IntArray,
    goal_outputs: IntArray,
    next_outputs: IntArray,
) -> IntArray: ...
def gate_order(
    first_gate: int, gate_offsets: IntArray, gate_literals: IntArray, loops: IntArray, phases: IntArray
) -> IntArray: ...
def find_latches(
    first_gate: int, gate_offsets: IntArray, gate_literals: IntArray, loops: IntArray, next: IntArray
) -> IntArray: ...

class AtomReader:
    def __init__(self, atoms: int, functions: list[int]) -> None: ...
    def read(self, signature: int, name: str) -> tuple[IntArray, IntArray, IntArray]: ...
    def table(self) -> tuple[list[str], IntArray, IntArray, IntArray]: ...

class LimitError(Exception): ...
class CircleError(Exception): ...
class UnsafeError(Exception): ...

class DatalogPlayouts(TypedDict):
    steps: int
    playouts: int
    cut: int
    stuck: int
    valued: int
    seconds: float
    cpu_seconds: float
    tuning_seconds: float
    goal_sums: list[float]
    goals: NotRequired[bytes]
    lengths: NotRequired[bytes]

class Datalog:
    def __init__(self) -> None: ...
    def make_term(self, functor: int, args: Sequence[int]) -> int: ...
    def term(self, term: int) -> tuple[int, ...]: ...
    def add_relation(
        self,
        arity: int,
        stored: bool,
        unwrapped: bool,
        functor: int,
        lifetime: int,
        component: int,
        reached: bool,
    ) -> int: ...
    def add_facts(self, relation: int, atoms: Sequence[int]) -> None: ...
    def add_rule(self, relation: int, variables: int, code: Sequence[int]) -> None: ...
    def set_number(self, term: int, number: int) -> None: ...
    def set_weight_place(self, functor: int, place: int) -> None: ...
    def set_limits(
        self, seconds: float, rows: int, terms: int, bytes: int, depth: int, steps: int = ...
    ) -> None: ...
    def start(self, questions: Sequence[int], roles: Sequence[int], initial: Sequence[int]) -> None: ...
    def materialise(self, relations: Sequence[int]) -> None: ...
    def rows(self, relation: int, facts: bytes, does: bytes = b"") -> list[int]: ...
    def next(self, facts: bytes, does: bytes) -> bytes: ...
    def playouts(
        self,
        count: int,
        seconds: float,
        seed: int,
        longest: int,
        facts: bytes | None = None,
        each: bool = False,
    ) -> DatalogPlayouts: ...
    def profile(self) -> list[tuple[int, str, int, int, int, list[list[int]]]]: ...
    @property
    def bytes(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def term_count(self) -> int: ...
    @property
    def deepest(self) -> int: ...

class Network:
    def __init__(
        self,
        *,
        fluents: int,
        moves_of_roles: IntArray,
        gate_offsets: IntArray,
        gate_literals: IntArray,
        legal: IntArray,
        terminal: int,
        goal_roles: IntArray,
        goal_values: IntArray,
        goals: IntArray,
        next: IntArray,
        sees: IntArray,
        initial: npt.NDArray[np.uint8],
        loops: IntArray,
        weights: IntArray | None = None,
    ) -> None: ...
    @property
    def fluents(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def roles(self) -> int: ...
    @property
    def percepts(self) -> int: ...
    @property
    def gates(self) -> int: ...
    @property
    def literals(self) -> int: ...

class PlayoutCounts(TypedDict):
    steps: int
    playouts: int
    stuck: int
    capped: int
    unfinished: int
    literals: int
    loop_literals: int
    legal_literals: int
    seconds: float
    goal_counts: npt.NDArray[np.uint64]
    goal_sums: npt.NDArray[np.float64]
    goals: NotRequired[IntArray]
    lengths: NotRequired[IntArray]

class PlayoutSums(PlayoutCounts):
    sums: npt.NDArray[np.float64]

def load_nanoseconds(bytes: int) -> float: ...
def write_machine_code(
    machine: str, values: Sequence[tuple[str, Sequence[int]]], outputs: Sequence[tuple[int, int]]
) -> bytes | None: ...

class Lanes:
    def __init__(
        self,
        network: Network,
        lanes: int = 0,
        instruction_set: str = "",
        plan: str = "",
        native: bool = True,
    ) -> None: ...
    @property
    def lanes(self) -> int: ...
    @property
    def instruction_set(self) -> str: ...
    @property
    def block_bytes(self) -> int: ...
    @property
    def native(self) -> bool: ...
    @property
    def code_bytes(self) -> int: ...
    @property
    def native_steps(self) -> bool: ...
    random_polynomial: ClassVar[list[int]]
    @property
    def phase_literals(self) -> list[tuple[int, int, int]]: ...
    @property
    def takes_turns(self) -> bool: ...
    @property
    def timetable(self) -> int: ...
    @property
    def collects_goals(self) -> bool: ...
    def playouts(
        self,
        count: int | None = None,
        *,
        seconds: float | None = None,
        seed: int = 0,
        threads: int = 1,
        max_steps: int = 0,
        weights: npt.NDArray[np.float32] | None = None,
        each: bool = False,
    ) -> PlayoutCounts: ...
    def playouts_from(
        self,
        states: npt.NDArray[np.uint8],
        per_state: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        max_steps: int = 0,
        weights: npt.NDArray[np.float32] | None = None,
    ) -> PlayoutSums: ...
    def expand(
        self, states: npt.NDArray[np.uint8], threads: int = 1
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], IntArray]: ...
    def step(
        self, states: npt.NDArray[np.uint8], moves: IntArray, threads: int = 1, check: bool = False
    ) -> npt.NDArray[np.uint8]: ...
    def sees(
        self, states: npt.NDArray[np.uint8], moves: IntArray, threads: int = 1, check: bool = False
    ) -> npt.NDArray[np.uint8]: ...
    def walk(self, steps: int, seed: int = 0) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]: ...

class SingleCounts(TypedDict):
    steps: int
    playouts: int
    stuck: int
    capped: int
    seconds: float
    goal_counts: list[int]
    goal_sums: list[float]

class Evaluators: ...

class Single:
    def __init__(self, network: Network, mode: str = "auto") -> None: ...
    @property
    def mode(self) -> str: ...
    @property
    def modes(self) -> int: ...
    @property
    def evaluators(self) -> Evaluators: ...
    def set_names(self, name: Callable[[int], object], hashes: npt.NDArray[np.int64]) -> None: ...
    def legal(self, state: bytes, role: int) -> list[int]: ...
    def legal_names(self, state: bytes, role: int) -> tuple[Any, ...]: ...
    def first_illegal(self, state: bytes, moves: Sequence[int]) -> int: ...
    def terminal(self, state: bytes) -> bool: ...
    def goals(self, state: bytes) -> list[int]: ...
    def goal_values(self, state: bytes) -> tuple[int | None, ...]: ...
    def successor(self, state: bytes, moves: Sequence[int]) -> bytes: ...
    def play(self, state: bytes, moves: Sequence[int]) -> bytes | None: ...
    def percepts(self, state: bytes, moves: Sequence[int]) -> list[int]: ...
    def hash(self, state: bytes) -> int: ...
    def playouts(
        self,
        count: int | None = None,
        *,
        seconds: float | None = None,
        seed: int = 0,
        max_steps: int = 0,
        state: bytes | None = None,
    ) -> SingleCounts: ...

class RowIndex:
    def __init__(self, bytes: int) -> None: ...
    def add(self, rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]: ...
    def find(self, rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]: ...
    def rows(self, first: int = 0, most: int | None = None) -> npt.NDArray[np.uint8]: ...
    def __len__(self) -> int: ...

class MctsSettings:
    def __init__(self) -> None: ...
    exploration: float
    virtual_loss: float
    first_play: float
    batch: int
    playouts_per_leaf: int
    max_steps: int
    max_depth: int
    cutoff: int
    decisive: bool
    decisive_at_once: int
    decisive_width: int
    solver: bool
    rave: int
    rave_constant: float
    rave_visits: int
    policy: int
    policy_heat: float
    regret: bool
    regret_exploration: float

MctsStats = tuple[int, int, int, int, float]

class MctsTree:
    def __init__(
        self,
        evaluators: Evaluators,
        *,
        chance: Sequence[int],
        highest: Sequence[int],
        constant_sum: int,
        observe: bool,
        seed: int,
        memory_bytes: int,
        settings: MctsSettings,
        foresight: Network | None = None,
    ) -> None: ...
    def search(
        self,
        state: bytes,
        role: int,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        nodes: int | None = None,
        threads: int = 1,
        stopped: Callable[[], bool] | None = None,
        values: StateValues | None = None,
        spreads: Sequence[Spread] = (),
    ) -> tuple[int, int, int]: ...
    def look(self, state: bytes) -> tuple[list[list[MctsStats]], list[int], int, list[int]] | None: ...
    def forget(self) -> None: ...
    @property
    def settings(self) -> MctsSettings: ...
    @property
    def nodes(self) -> int: ...
    @property
    def bytes(self) -> int: ...

class AlphaBetaAnswer(TypedDict):
    choices: list[tuple[int, int, bool, bool, int]]
    depth: int
    solved: bool
    nodes: int
    line: list[list[int]]

class StateValues:
    def __init__(
        self,
        network: Network,
        *,
        sum_offsets: IntArray,
        sum_atoms: IntArray,
        sum_weights: npt.NDArray[np.float64],
        kinds: IntArray,
        lasts: IntArray,
        otherwise: IntArray,
        place_offsets: IntArray,
        places: IntArray,
        number_offsets: IntArray,
        numbers: npt.NDArray[np.float64],
        leaf_atoms: IntArray,
        when_true: IntArray,
        when_false: IntArray,
        weights: npt.NDArray[np.float64],
        biases: npt.NDArray[np.float64],
        any: IntArray,
        part_offsets: IntArray,
        parts: IntArray,
        goal_offsets: IntArray,
        goal_values: npt.NDArray[np.float64],
        goal_roots: IntArray,
        end: int,
        expected: float,
        truth_values: npt.NDArray[np.float64],
        crisp: bool,
        settles: bool,
        terminality_steps: int,
        quantum: float,
        goal_share: float,
        usual_moves: float,
        usual_worth: float,
        held_offsets: IntArray,
        held_atoms: IntArray,
        held_values: npt.NDArray[np.float64],
        moves: IntArray,
        pieces: IntArray,
    ) -> None: ...
    def value(self, state: bytes, role: int) -> float: ...
    def values(self, states: npt.NDArray[np.uint8], role: int) -> npt.NDArray[np.float64]: ...
    @property
    def evaluated(self) -> int: ...
    @property
    def roles(self) -> int: ...

class Spread:
    def __init__(self, intervals: Sequence[tuple[float, float, float, Sequence[float]]]) -> None: ...
    def place(self, value: float) -> float: ...

class AlphaBetaKernel:
    def __init__(self, evaluators: Evaluators, table_bytes: int) -> None: ...
    def search(
        self,
        state: bytes,
        role: int,
        *,
        first_depth: int = 1,
        deepening: int = 1,
        max_depth: int = 1,
        window: float = 1000.0,
        extensions: int = 0,
        every_value: bool = False,
        any_win: bool = False,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        evaluate: Callable[[bytes], float] | None = None,
        is_quiet: Callable[[bytes], bool] | None = None,
        weights: npt.NDArray[np.float64] | None = None,
        bias: float = 0.0,
        playouts: int = 0,
        seed: int = 0,
        longest: int = 0,
        values: StateValues | None = None,
        spread: Spread | None = None,
    ) -> AlphaBetaAnswer: ...
    def forget(self) -> None: ...
    @property
    def table_bytes(self) -> int: ...

class RegretKernel:
    def __init__(
        self,
        *,
        player: IntArray,
        first_edge: IntArray,
        child: IntArray,
        weight: npt.NDArray[np.int64],
        information_set: IntArray,
        set_offsets: IntArray,
        values: npt.NDArray[np.float64],
        seed: int = 0,
    ) -> None: ...
    def run_full(
        self,
        iterations: int,
        *,
        plus: bool = False,
        simultaneous: bool = False,
        stop: Callable[[], bool] | None = None,
    ) -> int: ...
    def run_external(self, iterations: int, *, stop: Callable[[], bool] | None = None) -> int: ...
    def run_outcome(
        self, iterations: int, *, exploration: float = 0.6, stop: Callable[[], bool] | None = None
    ) -> int: ...
    def worth(
        self, profile: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    @property
    def regrets(self) -> npt.NDArray[np.float64]: ...
    @property
    def weights(self) -> npt.NDArray[np.float64]: ...
    @property
    def iterations(self) -> int: ...
    @property
    def random_state(self) -> int: ...

class InformationTree:
    def __init__(
        self,
        evaluators: Evaluators,
        *,
        chance: Sequence[int],
        sees_roles: IntArray,
        everyone: bool = False,
        exploration: float = 0.7,
        random_others: float = 0.0,
        max_steps: int = 2000,
        games_a_leaf: int = 1,
        batch: int = 0,
        memory_bytes: int = ...,
    ) -> None: ...
    def begin(
        self,
        role: int,
        *,
        states: npt.NDArray[np.uint8],
        weights: npt.NDArray[np.float64],
        views: npt.NDArray[np.uint64],
        seed: int = 0,
    ) -> None: ...
    def trust(self, moves: IntArray, values: npt.NDArray[np.float64], visits: int) -> None: ...
    def grow(
        self,
        *,
        descents: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> tuple[int, int]: ...
    def look(
        self, role: int | None = None, view: int = 0, past: Sequence[tuple[int, Sequence[int]]] = ...
    ) -> list[tuple[int, int, int, float]] | None: ...
    @property
    def batch(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def bytes(self) -> int: ...

class NotTurnTakingError(ValueError): ...

class ProofKernel:
    def __init__(self, evaluators: Evaluators, table_bytes: int) -> None: ...
    def prove(
        self,
        state: bytes,
        role: int,
        threshold: int,
        *,
        depth_first: bool = False,
        played_depth: int = 0,
        look_ahead: bool = False,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> bool | None: ...
    def strategy(
        self,
        state: bytes,
        role: int,
        threshold: int,
        proved: bool,
        *,
        depth_first: bool = False,
        look_ahead: bool = False,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> tuple[bytes, bytes] | None: ...
    def set_outlook(self, evaluators: Evaluators) -> None: ...
    def set_symmetries(self, renamings: Sequence[Sequence[int]]) -> None: ...
    def seen_goals(self, role: int) -> list[int]: ...
    def forget(self) -> None: ...
    @property
    def table_bytes(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def repetitions(self) -> int: ...
    @property
    def too_deep(self) -> bool: ...
    @property
    def sum(self) -> int | None: ...

def nested_rollouts(
    evaluators: Evaluators,
    state: bytes,
    *,
    seed: int = 0,
    playouts: int | None = None,
    seconds: float | None = None,
    stop: Callable[[], bool] | None = None,
    iterations: int = 100,
    learning: float = 1.0,
    longest: int = 1000,
    first_level: int = 2,
    last_level: int = 4,
) -> tuple[list[int], int]: ...

class CardKernel:
    def __init__(self, program: dict[str, Any]) -> None: ...
    @property
    def table_bytes(self) -> int: ...
    def start(self) -> bytes: ...
    def run(self, state: bytes, seed: int) -> bytes: ...
    def answer(self, state: bytes, option: int, seed: int) -> bytes: ...
    def options(self, state: bytes) -> list[int]: ...
    def unpack(self, state: bytes) -> dict[str, Any]: ...
    def pack(
        self,
        pc: int,
        slots: Sequence[int],
        places: Sequence[Sequence[int]],
        decisions: int,
        templates: dict[int, list[int]],
    ) -> bytes: ...
    def random_games(self, count: int, seed: int) -> dict[str, Any]: ...
    def playouts(self, state: bytes, count: int, seed: int) -> dict[str, Any]: ...
    def leads(
        self,
        world: bytes,
        answers: Sequence[int],
        seed: int,
        points_worth: float = ...,
        cards_worth: float = ...,
    ) -> list[float]: ...
    def deal(
        self, world: bytes, dealing: dict[str, Any], count: int, pool: int, seed: int
    ) -> list[bytes]: ...
    def ismcts(
        self,
        worlds: Sequence[bytes],
        iterations: int,
        seed: int,
        *,
        exploration: float = ...,
        random_others: float = ...,
        margin_weight: float = ...,
        margin_scale: float = ...,
        seconds: float | None = ...,
        stop: Callable[[], bool] | None = ...,
        dealing: dict[str, Any] | None = ...,
        pool: int = ...,
        greedy: float = ...,
        points_worth: float = ...,
        cards_worth: float = ...,
        longest: int = ...,
        lead_scale: float = ...,
        halving: bool = ...,
        judge: CardJudge | None = ...,
        prior: float = ...,
        prior_looks: float = ...,
        prior_worlds: int = ...,
        policy: float = ...,
        sharpness: float = ...,
        habits: dict[str, Any] | None = ...,
    ) -> dict[str, Any]: ...
    def preferences(self, worlds: Sequence[bytes], judge: CardJudge, seed: int) -> dict[int, float]: ...
    def policy_weights(
        self,
        state: bytes,
        worlds: Sequence[bytes],
        judge: CardJudge,
        points_worth: float = ...,
        cards_worth: float = ...,
    ) -> dict[int, float]: ...

class CardChain:
    def __init__(self, trace: dict[str, Any], seed: int) -> None: ...
    def draw(self, count: int) -> IntArray: ...

class CardJudge:
    def __init__(self, program: dict[str, Any], valuation: dict[str, Any]) -> None: ...
    def value(self, state: bytes, me: int) -> float: ...
    def instances(self, state: bytes, me: int) -> list[tuple[int, int, list[int]]]: ...
    def outcomes(
        self, state: bytes, me: int, seed: int, keep_states: bool = False
    ) -> list[tuple[int, float, int, bytes]]: ...
