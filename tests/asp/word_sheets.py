"""Sheets made of nothing but given words: each is a constant, a function and relations of several arities."""

from __future__ import annotations

from collections.abc import Sequence


def _everywhere(n: Sequence[str]) -> list[str]:
    """Static relations, relations of states and of moves, each with every word as its name."""
    lines = []
    for at, name in enumerate(n):
        other = n[(at + 1) % len(n)]
        lines += [
            f"({name} {other})",
            f"(<= {name} (true ({name} {other})))",  # with its stamp it has the arity of the line before
            f"(<= ({name} ?x ?y) (true ({name} ?x)) ({name} ?y))",
            f"(<= ({name} ?x ?y ?z) (does {n[0]} ({name} ?x)) ({name} ?y) (true ({name} ?z)))",
        ]
    return lines


def puzzle(n: Sequence[str]) -> str:
    """One player makes two of the moves ``(name other)``; two of all, in either order, bring 100."""
    me, count, succ = n[0], n[1], n[2]
    lines = [f"(role {me})", f"(init ({count} 0 {me}))", *_everywhere(n)]
    lines += [f"({succ} {succ} {succ} {one} {one + 1})" for one in (0, 1)]
    lines.append(f"(<= (next ({count} ?b {me})) (true ({count} ?a {me})) ({succ} {succ} {succ} ?a ?b))")
    for name in n:
        lines += [
            f"(<= (legal {me} ({name} ?x)) ({name} ?x) (not (true ({name} ?x))))",
            f"(<= (next ({name} ?x)) (does {me} ({name} ?x)))",
            f"(<= (next ({name} ?x)) (true ({name} ?x)))",
            f"(<= (next ({name} ?z ?z ?z)) ({name} ?x ?y ?z))",
        ]
    won, half = (f"({n[3]} {n[4]} {n[4]})", n[-1])
    lines += [
        f"(<= terminal (true ({count} 2 {me})))",
        f"(<= (goal {me} 100) {won} {half})",
        f"(<= (goal {me} 40) {half} (not {won}))",
        f"(<= (goal {me} 0) (not {half}))",
    ]
    return "\n".join(lines)


def duel(n: Sequence[str]) -> str:
    """The first player names a word, the second another; only the last word is beaten by none."""
    return "\n".join([*_everywhere(n), _bare_duel(n)])


def _bare_duel(n: Sequence[str]) -> str:
    first, second, turn, rest = n[0], n[1], n[2], n[3]
    lines = [f"(role {first})", f"(role {second})", f"(init ({turn} {first}))"]
    for at, name in enumerate(n):
        lines += [f"({n[4]} {name} {n[at + 1]} 1 2 3)"] if at + 1 < len(n) else []
        lines += [
            f"(<= (legal {first} ({name} {name})) (true ({turn} {first})))",
            f"(<= (legal {second} ({name} {name})) (true ({turn} {second})))",
            f"(<= (next ({n[5]} {name} ?r)) (does ?r ({name} {name})))",
        ]
    lines += [
        f"(<= (legal {first} {rest}) (true ({turn} {second})))",
        f"(<= (legal {second} {rest}) (true ({turn} {first})))",
        f"(<= (next ({n[5]} ?x ?r)) (true ({n[5]} ?x ?r)))",
        f"(<= (next ({turn} {second})) (true ({turn} {first})))",
        f"(<= (next ({turn} {turn})) (true ({turn} {second})))",
        f"(<= ({n[6]} 1 2 3 4) (true ({n[5]} ?x {first})) (true ({n[5]} ?y {second})) ({n[4]} ?x ?y 1 2 3))",
        f"(<= terminal (true ({turn} {turn})))",
        f"(<= (goal {first} 100) (not ({n[6]} 1 2 3 4)))",
        f"(<= (goal {first} 0) ({n[6]} 1 2 3 4))",
        f"(<= (goal {second} 0) (not ({n[6]} 1 2 3 4)))",
        f"(<= (goal {second} 100) ({n[6]} 1 2 3 4))",
    ]
    return "\n".join(lines)


def damaged(n: Sequence[str]) -> str:
    """The bare duel with a rule that is unsafe: its ``?x`` should be ``?y``.

    Bare, since a word that is a fluent here and a relation there looks like damage of its own.
    """
    unsafe = f"(<= ({n[7]} 1 2 3 4 ?x) (true ({n[5]} ?y {n[0]})) (not (true ({n[5]} ?x {n[1]}))))"
    return f"{_bare_duel(n)}\n{unsafe}"
