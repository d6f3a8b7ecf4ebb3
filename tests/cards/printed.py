# ruff: noqa: E501 (facts are a line each)
"""Charts as they were printed: the tables of the specification, copied by hand, in its own words.

Nothing here is made by the code under test. Coordinates are ours: rows are 200 apart, columns 400.
"""

from __future__ import annotations

# The 26 elements of Trumps as printed for pasting: node 9 shows the text, there is no node 70.
TRUMPS_CHART = """\
terminal(0,0,0,"Start Game").
statement(1,0,200,"Shuffle").
statement(3,0,400,"Deal(7)").
statement(5,0,600,"leader = random(numberOfPlayers)").
statement(7,0,800,"trumps = suit(random(4))").
statement(9,0,1000,publish("#{trumps} has been chosen as trumps.")).
choice(11,0,1200,"cardsRemaining(player(0)) > 0").
statement(13,0,1400,"playCard(player(leader), card(any, any))").
statement(15,0,1600,"trickWinner = player(leader)").
statement(17,0,1800,"leadSuit = suit(middle(player(leader)))").
statement(19,0,2000,"i = 1").
choice(21,0,2200,"i < numberOfPlayers").
statement(23,0,2400,"currentPlayer = player((leader + i) % numberOfPlayers)").
choice(25,0,2600,"playerHas(currentPlayer, card(any, leadSuit))").
statement(27,0,2800,"playCard(currentPlayer, card(any, leadSuit))").
choice(29,0,3000,"suit(middle(trickWinner))==leadSuit & rankValue(middle(trickWinner))<rankValue(middle(currentPlayer))").
statement(31,0,3200,"trickWinner = currentPlayer").
statement(33,0,3400,"i = i + 1").
statement(36,400,2600,"playCard(currentPlayer, card(any, any))").
choice(38,400,2800,"suit(middle(currentPlayer)) == trumps").
choice(40,400,3000,"suit(middle(trickWinner)) == trumps").
choice(42,400,3200,"rankValue(middle(trickWinner)) < rankValue(middle(currentPlayer))").
statement(49,800,2200,"score(trickWinner) = score(trickWinner) + 1").
statement(60,800,2400,"leader = playerNumber(trickWinner)").
statement(51,800,2600,"Stack.empty").
terminal(54,400,1200,"TerminateGame").
connection(2,0,2,1,0).
connection(4,1,2,3,0).
connection(6,3,2,5,0).
connection(8,5,2,7,0).
connection(10,7,2,9,0).
connection(12,9,2,11,0).
connection(14,11,2,13,0).
connection(55,11,1,54,0).
connection(16,13,2,15,0).
connection(18,15,2,17,0).
connection(20,17,2,19,0).
connection(22,19,2,21,0).
connection(24,21,2,23,0).
connection(50,21,1,49,0).
connection(26,23,2,25,0).
connection(28,25,2,27,0).
connection(37,25,1,36,0).
connection(30,27,2,29,0).
connection(32,29,2,31,0).
connection(34,29,1,33,0).
connection(35,31,2,33,0).
connection(39,33,3,21,3).
connection(41,36,2,38,0).
connection(43,38,2,40,0).
connection(44,38,1,33,1).
connection(45,40,2,42,0).
connection(46,40,1,31,1).
connection(47,42,2,31,1).
connection(48,42,1,33,1).
connection(61,49,2,60,0).
connection(62,60,2,51,0).
connection(63,51,1,11,3).
"""

# Section 6.1 translated by the table of section 4.3, by hand.
TRUMPS_RULES = """\
state(0,startTerminal(1)).
state(1,statement(3,"Shuffle")).
state(3,statement(5,"Deal(7)")).
state(5,statement(7,assign(leader,random(numberOfPlayers)))).
state(7,statement(9,assign(trumps,suit(random(4))))).
state(9,statement(11,publish("#{trumps}~has~been~chosen~as~trumps."))).
state(11,choice(13,54,greaterThan(cardsRemaining(player(0)),0))).
state(13,statement(15,"playCard(player(leader), card(any, any))")).
state(15,statement(17,assign(trickWinner,player(leader)))).
state(17,statement(19,assign(leadSuit,suit(middle(player(leader)))))).
state(19,statement(21,assign(i,1))).
state(21,choice(23,49,lessThan(i,numberOfPlayers))).
state(23,statement(25,assign(currentPlayer,player(operation(modulo,operation(add,leader,i),numberOfPlayers))))).
state(25,choice(27,36,playerHas(currentPlayer,card(any,leadSuit)))).
state(27,statement(29,"playCard(currentPlayer, card(any, leadSuit))")).
state(29,choice(31,33,operation(and,equal(suit(middle(trickWinner)),leadSuit),lessThan(rankValue(middle(trickWinner)),rankValue(middle(currentPlayer)))))).
state(31,statement(33,assign(trickWinner,currentPlayer))).
state(33,statement(21,assign(i,operation(add,i,1)))).
state(36,statement(38,"playCard(currentPlayer, card(any, any))")).
state(38,choice(40,33,equal(suit(middle(currentPlayer)),trumps))).
state(40,choice(42,31,equal(suit(middle(trickWinner)),trumps))).
state(42,choice(31,33,lessThan(rankValue(middle(trickWinner)),rankValue(middle(currentPlayer))))).
state(49,statement(60,assign(score(trickWinner),operation(add,score(trickWinner),1)))).
state(51,statement(11,"Stack.empty")).
state(54,endTerminal).
state(60,statement(51,assign(leader,playerNumber(trickWinner)))).
"""

# Every caption of section 6 and the term that section 4.3 makes of it.
STATEMENTS = {
    "Shuffle": "Shuffle",
    "Deal(7)": "Deal(7)",
    "Deal(8)": "Deal(8)",
    "Stack.empty": "Stack.empty",
    "leader=random(numberOfPlayers)": "assign(leader,random(numberOfPlayers))",
    "trumps=suit(random(4))": "assign(trumps,suit(random(4)))",
    'publish("#{trumps} has been chosen as trumps.")': 'publish("#{trumps} has been chosen as trumps.")',
    "r=0": "assign(r,0)",
    "playCard(player(leader),card(any,any))": "playCard(player(leader),card(any,any))",
    "trickWinner=player(leader)": "assign(trickWinner,player(leader))",
    "leadSuit=suit(middle(player(leader)))": "assign(leadSuit,suit(middle(player(leader))))",
    "i=1": "assign(i,1)",
    "currentPlayer=player((leader+i)%numberOfPlayers)": (
        "assign(currentPlayer,player(operation(modulo,operation(add,leader,i),numberOfPlayers)))"
    ),
    "playCard(currentPlayer,card(any,leadSuit))": "playCard(currentPlayer,card(any,leadSuit))",
    "trickWinner=currentPlayer": "assign(trickWinner,currentPlayer)",
    "i=i+1": "assign(i,operation(add,i,1))",
    "playCard(currentPlayer,card(any,any))": "playCard(currentPlayer,card(any,any))",
    "score(trickWinner)=score(trickWinner)+1": (
        "assign(score(trickWinner),operation(add,score(trickWinner),1))"
    ),
    "leader=playerNumber(trickWinner)": "assign(leader,playerNumber(trickWinner))",
    "follower=(leader+1)%2": "assign(follower,operation(modulo,operation(add,leader,1),2))",
    "playCard(player(follower),card(any,leadSuit))": "playCard(player(follower),card(any,leadSuit))",
    "trickWinner=follower": "assign(trickWinner,follower)",
    "score(player(trickWinner))=score(player(trickWinner))-10": (
        "assign(score(player(trickWinner)),operation(subtract,score(player(trickWinner)),10))"
    ),
    "leader=trickWinner": "assign(leader,trickWinner)",
    "leader=random(2)": "assign(leader,random(2))",
    "lastSuit=any": "assign(lastSuit,any)",
    "lastRank=any": "assign(lastRank,any)",
    "playCardOrPass(player(leader),union(card(any,lastSuit),union(card(lastRank,any),card(8,any))))": (
        "playCardOrPass(player(leader),union(card(any,lastSuit),union(card(lastRank,any),card(8,any))))"
    ),
    "pickUp(player(leader),1)": "pickUp(player(leader),1)",
    "lastRank=rank(middle(player(leader)))": "assign(lastRank,rank(middle(player(leader))))",
    "lastRank=8": "assign(lastRank,8)",
    "playCardOrPass(player(follower),card(2,any))": "playCardOrPass(player(follower),card(2,any))",
    "lastRank=rank(middle(player((leader+1)%2)))": (
        "assign(lastRank,rank(middle(player(operation(modulo,operation(add,leader,1),2)))))"
    ),
    "leader=follower": "assign(leader,follower)",
}

CONDITIONS = {
    "cardsRemaining(player(0))>0": "greaterThan(cardsRemaining(player(0)),0)",
    "i<numberOfPlayers": "lessThan(i,numberOfPlayers)",
    "playerHas(currentPlayer,card(any,leadSuit))": "playerHas(currentPlayer,card(any,leadSuit))",
    "suit(middle(trickWinner))==leadSuit&rankValue(middle(trickWinner))<rankValue(middle(currentPlayer))": (
        "operation(and,equal(suit(middle(trickWinner)),leadSuit),"
        "lessThan(rankValue(middle(trickWinner)),rankValue(middle(currentPlayer))))"
    ),
    "suit(middle(currentPlayer))==trumps": "equal(suit(middle(currentPlayer)),trumps)",
    "rank(middle(player(0)))==king|rank(middle(player(0)))==jack": (
        "operation(or,equal(rank(middle(player(0))),king),equal(rank(middle(player(0))),jack))"
    ),
    "cardsRemaining(player(0))>0&cardsRemaining(player(1))>0": (
        "operation(and,greaterThan(cardsRemaining(player(0)),0),greaterThan(cardsRemaining(player(1)),0))"
    ),
    "passed(player(leader))==true": "equal(passed(player(leader)),true)",
    "rank(middle(player(leader)))==8": "equal(rank(middle(player(leader))),8)",
    "cardsRemaining(player(0))==0": "equal(cardsRemaining(player(0)),0)",
}
