"""Small charts for the analysis, each with one thing the charts of the thesis do not have."""

from __future__ import annotations

from ludorum.cards.language.rules import Rules, parse_table

TRICKS = """
; players: {players}
0  start
1  Shuffle
2  Deal({cards})
3  leader=random(numberOfPlayers)
{setup}
10 cardsRemaining(player(0))>0 ? 11 : 40
11 playCard(player(leader),card(any,any))
12 winner=player(leader)
13 leadSuit=suit(middle(player(leader)))
14 i=1
15 i<numberOfPlayers ? 16 : 30
16 current=player((leader+i)%numberOfPlayers)
17 playerHas(current,card(any,leadSuit)) ? 18 : 21
18 playCard(current,card(any,leadSuit))
19 suit(middle(winner))==leadSuit&rankValue(middle(winner))<rankValue(middle(current)) ? 20 : 22
20 winner=current -> 22
21 playCard(current,card(any,any))
22 i=i+1 -> 15
30 {scoring}
{more}
38 leader=playerNumber(winner)
39 Stack.empty -> 10
{after}
99 end
"""
"""Tricks without trumps, for any number of players; nodes 31 to 37 and 40 to 98 are free."""


def tricks(
    players: int = 2,
    cards: int = 5,
    setup: str = "",
    scoring: str = "score(winner)=score(winner)+1",
    more: str = "",
    after: str = "40 r=0",
) -> Rules:
    text = TRICKS.format(players=players, cards=cards, setup=setup, scoring=scoring, more=more, after=after)
    return parse_table(text)


DO_WHILE = parse_table("""
0  start
1  Shuffle
2  Deal(5)
3  leader=random(2)
5  playCard(player(leader),card(any,any))
6  follower=(leader+1)%2
7  playCard(player(follower),card(any,any))
8  rankValue(middle(player(leader)))>rankValue(middle(player(follower))) ? 9 : 10
9  score(player(leader))=score(player(leader))+1 -> 11
10 score(player(follower))=score(player(follower))+1
11 leader=follower
12 Stack.empty
13 cardsRemaining(player(0))>0 ? 5 : 14
14 end
""")
"""The toy with its test at the end of the round."""

SEVERAL_EXITS = parse_table("""
0  start
1  Shuffle
2  Deal(5)
3  leader=random(2)
4  cardsRemaining(player(leader))>0 ? 5 : 14
5  playCard(player(leader),card(any,any))
6  rank(middle(player(leader)))==ace ? 13 : 7
7  score(player(leader))=score(player(leader))+1
11 leader=(leader+1)%2
12 Stack.empty -> 4
13 score(player(leader))=score(player(leader))-3
14 end
""")
"""Players lay cards in turn, a point each; who lays an ace ends the game and loses three."""

SEVERAL_ENTRIES = parse_table("""
0  start
1  Shuffle
2  Deal(5)
3  leader=random(2)
4  random(2)==0 ? 5 : 7
5  playCard(player(leader),card(any,any))
6  score(player(leader))=score(player(leader))+1
7  leader=(leader+1)%2
8  cardsRemaining(player(leader))>0 ? 5 : 9
9  end
""")
"""A loop that begins in two places."""

ENDLESS = parse_table("""
0  start
1  Shuffle
2  Deal(5)
3  leader=0
4  leader==0 ? 5 : 9
5  playCardOrPass(player(leader),card(any,any)) -> 5
9  end
""")
"""No way leads out of the loop."""

UNBOUNDED = parse_table("""
0  start
1  Shuffle
2  Deal(5)
3  leader=random(2)
4  cardsRemaining(player(0))>0 ? 5 : 14
5  playCard(player(leader),card(any,any))
6  playerHas(player(leader),card(any,hearts)) ? 8 : 7
7  pickUp(player(leader),1) -> 6
8  score(player(leader))=score(player(leader))+1
9  leader=(leader+1)%2 -> 4
14 end
""")
"""One picks up cards until a heart comes: nobody knows how many."""

TWO_CARDS = parse_table("""
0  start
1  Shuffle
2  Deal(6)
3  leader=random(2)
4  cardsRemaining(player(0))>0 ? 5 : 14
5  playCard(player(leader),card(any,any))
6  playCard(player(leader),card(any,any))
7  leader=(leader+1)%2
8  rank(middle(player((leader+1)%2)))==ace ? 9 : 4
9  score(player((leader+1)%2))=score(player((leader+1)%2))+2 -> 4
14 end
""")
"""Everybody plays two cards at once; an ace as the second is worth two."""

COUNTER = parse_table("""
0  start
1  Shuffle
2  Deal(5)
3  turn=0
4  cardsRemaining(player(turn%2))>0 ? 5 : 9
5  playCard(player(turn%2),card(any,any))
6  suit(middle(player(turn%2)))==hearts ? 7 : 8
7  score(player(turn%2))=score(player(turn%2))+1
8  turn=turn+1 -> 4
9  end
""")
"""Whose turn it is, a counter says that only grows."""

PARTNERS = "4 team(player(0))=0\n5 team(player(2))=0\n6 team(player(1))=1\n7 team(player(3))=1"
"""Nodes for ``setup``: those opposite one another play together."""

ROUNDS = parse_table("""
; players: 3
0  start
1  dealer=random(3)
2  round=0
3  round<2 ? 4 : 99
4  Shuffle
5  Deal(3)
6  leader=(dealer+1)%3
10 cardsRemaining(player(0))>0 ? 11 : 30
11 playCard(player(leader),card(any,any))
12 suit(middle(player(leader)))==hearts ? 13 : 14
13 score(player(leader))=score(player(leader))+1
14 second=(leader+1)%3
15 playCard(player(second),card(any,any))
16 third=(leader+2)%3
17 playCard(player(third),card(any,any))
18 rankValue(middle(player(second)))>rankValue(middle(player(leader))) ? 19 : 20
19 score(player(second))=score(player(second))+2
20 leader=third
21 Stack.empty -> 10
30 dealer=(dealer+1)%3
31 round=round+1 -> 3
99 end
""")
"""Cards are dealt again after every round."""

SHEDDING = parse_table("""
; players: 3
0  start
1  Shuffle
2  Deal(4)
3  lastSuit=any
4  current=player(random(3))
5  playerHas(current,card(any,lastSuit)) ? 7 : 6
6  pickUp(current,1) -> 10
7  playCard(current,card(any,lastSuit))
8  lastSuit=suit(middle(current))
9  cardsRemaining(current)==0 ? 11 : 10
10 current=nextPlayer(current) -> 5
11 score(current)=1
12 end
""")
"""Follow suit or pick up; who is out first has won. Not every way round meets the only way out."""
