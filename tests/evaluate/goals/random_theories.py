"""Random theories for properties, with their leaves."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from itertools import product

from hypothesis import strategies as st

from ludorum.evaluate.goals.theory import Formula, Theory

LEAVES = "abcdef"


@st.composite
def theories(draw: st.DrawFn, most: int = 6) -> tuple[Theory, int]:
    """A theory and the edge of its root, which is no leaf."""
    theory = Theory()
    made: list[Formula] = [theory.leaf(name) for name in LEAVES]
    for _ in range(draw(st.integers(1, most))):
        chosen = draw(st.lists(st.integers(0, len(made) - 1), min_size=2, max_size=5, unique=True))
        parts = [made[at] ^ draw(st.integers(0, 1)) for at in chosen]
        joined = (theory.all_of if draw(st.booleans()) else theory.any_of)(parts)
        if not isinstance(joined, bool):
            made.append(joined)
    root = made[-1]
    if isinstance(root, bool) or root >> 1 in theory.leaves:
        first, second = theory.leaf("a"), theory.leaf("b")
        root = theory.all_of([first, second])
    assert not isinstance(root, bool)
    return theory, root


def worlds() -> Iterator[Mapping[Hashable, bool]]:
    for values in product([False, True], repeat=len(LEAVES)):
        yield dict(zip(LEAVES, values, strict=True))
