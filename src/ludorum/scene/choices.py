"""The legal moves of a role as choices that a page offers: words, other writings, places to click, cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..engine.game import Game, State
from ..rules.terms import Term, format_term
from .card_faces import card_face
from .game_look import GameLook, look_of_game
from .model import CardFace, MoveChoice
from .sight import ViewerSight
from .waiting import waits


def choices_of(game: Game, state: State, role: Term, sight: ViewerSight) -> tuple[MoveChoice, ...]:
    """The legal moves of a role, in the order in which a list shows them; none where the game is over.

    Of the state only the legal moves are taken, which the role is told; pieces are named as far as the role's
    sight tells them.
    """
    legal = () if state.is_terminal else state.legal(role)
    return choices_among(look_of_game(game), legal, sight.facts, role)


def choices_among(
    look: GameLook, moves: Sequence[Term], facts: frozenset[Term] | None, role: Term
) -> tuple[MoveChoice, ...]:
    """Some moves of a role as choices, in the order in which a list shows them; the facts name pieces."""
    moves = look.words.in_order(moves)
    words = move_labels(look, moves, facts)
    return tuple(_choice(look, move, words[at], facts, role) for at, move in enumerate(moves))


def move_labels(look: GameLook, moves: Sequence[Term], facts: frozenset[Term] | None) -> list[str]:
    """The words of some moves, all different: where two would read alike, the rules' own words."""
    labels = [look.words.label(move, facts) for move in moves]
    often = Counter(labels)
    return [
        label if often[label] == 1 else format_term(move) for label, move in zip(labels, moves, strict=True)
    ]


def _choice(look: GameLook, move: Term, words: str, facts: frozenset[Term] | None, role: Term) -> MoveChoice:
    others = [*look.words.writings(move, facts), *_squares(look, move)]
    return MoveChoice(
        move=format_term(move),
        words=words,
        writings=tuple(dict.fromkeys(one for one in others if one != words)),
        places=_places(look, move, role) or _fallen(look, move, facts),
        card=_card(look, move),
        waits=waits(move),
    )


def _places(look: GameLook, move: Term, role: Term) -> tuple[int, ...]:
    if look.points is not None:
        return look.points.places(move, role, role)
    if look.grid is None:
        return ()
    return tuple(look.numbers[place] for place in look.grid.places_in(move))


def _fallen(look: GameLook, move: Term, facts: frozenset[Term] | None) -> tuple[int, ...]:
    """The lowest free place of the column that is all a move names."""
    grid = look.grid
    if grid is None or look.look != "holes" or len(move.args) != 1 or str(move.args[0]) not in grid.columns:
        return ()
    taken = look.words.contents(facts) if facts is not None else {}
    column = [(str(move.args[0]), row) for row in grid.rows]
    free = [place for place in column if place not in taken]
    return (look.numbers[(free or column[-1:])[0]],)


def _squares(look: GameLook, move: Term) -> tuple[str, ...]:
    """The places alone: ``e2e4`` and ``e2 e4``."""
    places = look.grid.places_in(move) if look.grid is not None else []
    names = ["".join(place) for place in places]
    if not names or not all(place[0].isalpha() for place in places):
        return ()
    return tuple(dict.fromkeys(("".join(names), " ".join(names))))


def _card(look: GameLook, move: Term) -> CardFace | None:
    if not look.has_cards or not move.args or not isinstance(move.args[0], Term):
        return None
    from ..cards.language.terms import is_card

    return card_face(move.args[0]) if is_card(move.args[0]) else None
