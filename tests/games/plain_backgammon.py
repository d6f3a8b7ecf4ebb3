"""Backgammon as a short program that tries all ways to use the dice: the oracle of the sheet."""

from __future__ import annotations

from dataclasses import dataclass, replace

BAR = 25


@dataclass(frozen=True)
class Men:
    """The men of the one who moves, and of the other, by their own points: 25 is the bar, 0 is off."""

    own: tuple[int, ...]
    other: tuple[int, ...]

    def can(self, n: int, die: int) -> bool:
        """Whether a man on point n can go by a die."""
        if not self.own[n] or (self.own[BAR] and n != BAR):
            return False
        if n > die:
            return self.other[25 - (n - die)] < 2
        if sum(self.own[7:]):
            return False
        return n == die or not sum(self.own[n + 1 :])

    def after(self, n: int, die: int) -> Men:
        own, other = list(self.own), list(self.other)
        to = max(0, n - die)
        own[n] -= 1
        own[to] += 1
        if to and other[25 - to]:
            other[25 - to] -= 1
            other[BAR] += 1
        return replace(self, own=tuple(own), other=tuple(other))


def most_dice(men: Men, dice: tuple[int, ...]) -> int:
    """How many of the dice can be used at most."""
    found = 0
    for at, die in enumerate(dice):
        if die in dice[:at]:
            continue
        rest = dice[:at] + dice[at + 1 :]
        for n in range(1, 26):
            if men.can(n, die):
                found = max(found, 1 + most_dice(men.after(n, die), rest))
                if found == len(dice):
                    return found
    return found


def legal_moves(men: Men, dice: tuple[int, ...]) -> set[tuple[int, int]]:
    """Every point and die with which as many dice as possible can be used; where only one of two can, the
    larger one that can. None where none can."""
    most = most_dice(men, dice)
    found = {
        (n, die)
        for at, die in enumerate(dice)
        for n in range(1, 26)
        if men.can(n, die) and 1 + most_dice(men.after(n, die), dice[:at] + dice[at + 1 :]) == most
    }
    if most == 1 and len(dice) == 2:
        largest = max(die for _, die in found)
        found = {(n, die) for n, die in found if die == largest}
    return found
