"""Machine code for all machines, run instruction by instruction, against what it should do."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum._core import write_machine_code
from tests.engine.vector_machine import SLOTS, X86, Arm, VectorMachine

COLUMNS = 2
MACHINES = {"aarch64": (Arm, 16), "avx2": (X86, 32), "avx512": (X86, 64)}

Values = list[tuple[str, list[int]]]
Outputs = list[tuple[int, int]]


def random_basic_block(seed: int, size: int, slot_bytes: int, slots: int) -> tuple[Values, Outputs]:
    """Inputs, gates that read what is near and what is far, outputs; some go to slots that are read."""
    source = random.Random(seed)
    offsets = [slot_bytes * slot for slot in source.sample(range(slots), min(slots, 2 + size // 3))]
    values: Values = [("input", [offset]) for offset in offsets]
    for _ in range(size):
        near = range(max(0, len(values) - 12), len(values))
        kind, count = source.choice([("all", 0), ("all", 0), ("not all", 0), ("unequal", 2), ("choice", 3)])
        count = min(count or source.choice([1, 2, 2, 2, 3, 4, 9]), len(values))
        numbers = source.sample(
            near if source.random() < 0.6 and count <= len(near) else range(len(values)), count
        )
        if kind == "choice" and count < 3:
            continue
        values.append((kind, [2 * number + source.getrandbits(1) for number in numbers]))
    written = [slot_bytes * slot for slot in source.sample(range(slots), min(slots, 1 + size // 5))]
    return values, [(source.randrange(2 * len(values)), offset) for offset in written]


def expected(values: Values, outputs: Outputs, held: dict[int, int], ones: int) -> dict[int, int]:
    """What slots hold afterwards, by offset, given what they hold before."""
    found: list[int] = []

    def term(number: int) -> int:
        return found[number // 2] ^ (ones if number & 1 else 0)

    for kind, numbers in values:
        match kind:
            case "input":
                found.append(held[numbers[0]])
            case "unequal":
                found.append(term(numbers[0]) ^ term(numbers[1]))
            case "choice":
                condition, one, other = map(term, numbers)
                found.append(condition & one | ones & ~condition & other)
            case _:
                both = ones
                for number in numbers:
                    both &= term(number)
                found.append(both if kind == "all" else both ^ ones)
    return held | {offset: term(number) for number, offset in outputs}


def check(name: str, seed: int, size: int, slots: int) -> VectorMachine:
    kind, vector_bytes = MACHINES[name]
    slot_bytes = COLUMNS * vector_bytes
    values, outputs = random_basic_block(seed, size, slot_bytes, slots)
    code = write_machine_code(name, values, outputs)
    assert code is not None
    machine = kind(vector_bytes)
    source = random.Random(seed)
    before = [
        {slot_bytes * slot: source.getrandbits(8 * vector_bytes) for slot in range(slots)}
        for _ in range(COLUMNS)
    ]
    for column, held in enumerate(before):
        for offset, value in held.items():
            machine.memory[SLOTS + offset + column * vector_bytes] = value
    machine.run(code, COLUMNS)
    for column, held in enumerate(before):
        after = {offset: machine.memory[SLOTS + offset + column * vector_bytes] for offset in held}
        assert after == expected(values, outputs, held, machine.ones)
    return machine


@pytest.mark.parametrize("name", MACHINES)
@given(st.integers(0, 2**32), st.integers(0, 120), st.integers(2, 90))
@settings(max_examples=60, deadline=None)
def test_code_does_what_gates_say(name: str, seed: int, size: int, slots: int) -> None:
    check(name, seed, size, slots)


@pytest.mark.parametrize("name", MACHINES)
def test_more_values_than_registers_go_to_the_stack(name: str) -> None:
    machine = check(name, seed=5, size=900, slots=60)
    assert min(machine.memory) < SLOTS - (1 << 23)


@pytest.mark.parametrize("name", MACHINES)
def test_slots_that_are_far_away_are_reached(name: str) -> None:
    check(name, seed=6, size=60, slots=6000)


def test_code_for_what_is_out_of_reach_is_not_written() -> None:
    values: Values = [("input", [1 << 20]), ("all", [1])]
    assert write_machine_code("aarch64", values, [(2, 0)]) is None


@pytest.mark.parametrize(
    ("machine", "values", "outputs", "told"),
    [
        ("avx9", [], [], "no such machine: avx9"),
        ("avx2", [("all", [0])], [], "term 0 is of no earlier value"),
        ("avx2", [("input", [0]), ("some", [0])], [], "no such kind of value: some"),
        ("avx2", [("input", [0]), ("choice", [0, 1])], [], "choice has 2 terms"),
        ("avx2", [("input", [0]), ("unequal", [0, 0]), ("all", [2])], [], "term 2 is a constant"),
        ("avx2", [("input", [0])], [(4, 0)], "term 4 is of no earlier value"),
    ],
)
def test_what_cannot_be_meant_is_told(machine: str, values: Values, outputs: Outputs, told: str) -> None:
    with pytest.raises(ValueError, match=f"^{told}$"):
        write_machine_code(machine, values, outputs)
