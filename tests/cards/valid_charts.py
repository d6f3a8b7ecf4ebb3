"""Charts that ``check`` passes, made at random: turns of every kind, inner loops, piles, bids and scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

_TEMPLATES = (
    "card(any,any)",
    "card(any,hearts)",
    "card(ace,any)",
    "card(any,s)",
    "union(card(any,s),card(2,any))",
)
_TURNS = (
    ("turn=0", "player(turn)", "turn=(turn+1)%{n}"),
    ("turn=0", "player(turn%{n})", "turn=turn+1"),
    ("turn=0", "player(turn)", "turn=(turn+dir)%{n}"),
    ("turn=0", "player((turn+dir)%{n})", "turn=turn+dir"),
    ("turn=0", "player((turn+dir)%{n})", "turn=(turn+dir)%{n}"),
    ("turn=0", "player(turn)", "turn=playerNumber(player((turn+dir)%{n}))"),
    ("turn=1", "player((turn*dir+{n})%{n})", "turn=turn+1"),
    ("turn=0", "player(abs(turn)%{n})", "turn=turn-1"),
    ("turn=random({n})", "player(turn)", "turn=(turn+{n}-1)%{n}"),
    ("who=player(random({n}))", "who", "who=nextPlayer(who)"),
    ("who=player(0)", "who", "who=player((playerNumber(who)+dir)%{n})"),
    ("seat=2", "player(order(seat%{n}))", "seat=seat+1"),
)  # fmt: skip


@dataclass
class ChartWriter:
    """Writes one chart line by line; nodes are numbered in the order in which they are written."""

    chance: Random
    players: int
    who: str = "player(0)"
    lines: list[str] = field(default_factory=list)
    names: int = 0

    def add(self, caption: str) -> int:
        self.lines.append(caption)
        return len(self.lines) - 1

    def fork(self, condition: str, depth: int) -> None:
        """A choice whose two ways meet again; the second may be empty."""
        at = self.add("")
        self.block(self.chance.randint(1, 2), depth - 1)
        jump = self.add("r=0")
        other = len(self.lines)
        if self.chance.random() < 0.4:
            self.block(1, depth - 1)
        self.lines[jump] += f" -> {len(self.lines)}"
        self.lines[at] = f"{condition} ? {at + 1} : {other}"

    def repeat(self, depth: int) -> None:
        """An inner loop with a counter of its own."""
        self.names += 1
        counter = f"i{self.names}"
        most = self.chance.choice(["2", "numberOfPlayers", "cards(stack)%3"])
        self.add(f"{counter}=0")
        at = self.add("")
        self.block(self.chance.randint(1, 2), depth - 1)
        self.add(f"{counter}={counter}+1 -> {at}")
        self.lines[at] = f"{counter}<{most} ? {at + 1} : {len(self.lines)}"

    def block(self, count: int, depth: int) -> None:
        for _ in range(count):
            kind = self.chance.random()
            if depth > 0 and kind < 0.25:
                self.fork(self.condition(), depth)
            elif depth > 0 and kind < 0.33:
                self.repeat(depth)
            else:
                self.action()

    def somebody(self) -> str:
        return self.chance.choice([self.who] * 4 + ["player(0)", f"nextPlayer({self.who})", "player(r%2)"])

    def condition(self) -> str:
        who = self.somebody()
        return self.chance.choice([
            f"passed({who})", f"cardsRemaining({who})==0", f"playerHas({who},{self.template()})", "dir==1",
            f"cards(pile(won,{who}))>1", f"has(pile(table),{self.template()})", "random(3)==0", "r>x+dir",
            f"middle({who})==empty", f"{who}==player(0)", "cards(pack)<4", f"score({who})>score(player(1))",
            "top(stack)==empty|suit(top(stack))==s", "team(player(0))==team(player(1))", "cards(stack)>3",
            f"cards(pile(side,team({who})))>0", "count(stack,card(any,hearts))==1", "turns%3==dir+1",
        ])  # fmt: skip

    def template(self) -> str:
        return self.chance.choice(_TEMPLATES)

    def action(self) -> None:
        who, template = self.somebody(), self.template()
        self.add(self.chance.choice([
            f"playCardOrPass({who},{template})", f"playCardOrPass({who},{template})",
            f"playCardOrPass({who},card(any,any))", f"playCardOrPass({who},card(any,any))",
            f"chooseCardOrPass({who},hand({who}),pile(table),{template})",
            f"chooseCardOrPass({who},pile(table),hand({who}),{template})",
            f"chooseCardOrPass({who},hand({who}),pile(won,{who}),card(any,any))",
            f"choose({who},s,clubs,hearts)", f"choose({who},x,range(0,2))", f"choose({who},dir,1,2)",
            f"pickUp({who},1)", f"pickUp({who},x)", "dir=-dir", "dir=1-dir", "r=r+dir", "r=random(3)",
            "x=random(2)", f"score({who})=score({who})+1", f"score({who})=score({who})+x*2",
            f"score({who})=total(pile(won,{who}))",
            "Stack.empty", "moveAll(stack,discard)", f"moveAll(stack,pile(won,{who}))",
            "move(pack,pile(table),1)",
            f"moveAll(stack,pile(side,team({who})))", f"moveAll(pile(table),hand({who}),card(any,hearts))",
            "move(pile(table),pack,1)", "moveAll(discard,pack)", f"x=cardsRemaining({who})-1",
            "turns=turns+1",
            f"best={who}", "score(best)=score(best)+dir", "s=suit(r%4)",
            f"tally({who})=r", f"order(r%{self.players})=r%{self.players}", 'publish("#{x} #{s} #{dir}")',
        ]))  # fmt: skip


def valid_chart(seed: int) -> str:
    """A chart in the form of a table, the same for the same seed."""
    chance = Random(seed)
    players = chance.choice((2, 2, 3, 4))
    first, who, turn = (text.format(n=players) for text in chance.choice(_TURNS))
    chart = ChartWriter(chance, players, who)
    for line in ("start", "Pack.use(card(any,hearts))", "Pack.add(card(any,spades))", "Shuffle"):
        chart.add(line)
    for line in ("dir=1", "r=0", "x=1", "turns=0", "best=player(0)", "s=hearts", first):
        chart.add(line)
    for at in range(players):
        chart.add(f"order({at})={at}")
    if players == 4 and chance.random() < 0.5:
        for at in range(players):
            chart.add(f"team(player({at}))={at % 2}")
    if chance.random() < 0.2:
        chart.add("recycle=false")
    chart.add(f"Deal({chance.randint(1, 3)})")
    head = chance.choice([
        "turns<6", "cardsRemaining(player(0))>0&turns<9", f"cardsRemaining({who})>0&turns<9",
        "cards(pack)>2&turns<8",
        f"score({who})<2&turns<7",
    ])  # fmt: skip
    at = chart.add("")
    if chance.random() < 0.5:
        chart.add(f"playCardOrPass({who},card(any,any))")
    chart.block(chance.randint(1, 5), 2)
    chart.add("turns=turns+1")
    chart.add(f"{turn} -> {at}")
    chart.lines[at] = f"{head} ? {at + 1} : {len(chart.lines)}"
    for _ in range(chance.randint(0, 2)):
        chart.add(f"score(best)=score(best)+{chance.choice(['1', 'x', 'cards(hand(best))', 'dir'])}")
    chart.add("end")
    text = "\n".join(f"{index} {line}" for index, line in enumerate(chart.lines))
    return f"; players: {players}\n{text}\n"
