
/* Draws a card table: the trick or the piles in the middle, and every player's hand. */
const card = (face, kind) => {
  const made = make("span", undefined, "card " + (face ? face.colour + (face.colour && !face.suit ? " tint" : "") : "back") + (kind ? " " + kind : ""));
  if (!face) { made.setAttribute("aria-label", "a card face down"); return made; }
  made.setAttribute("aria-label", face.words);
  if (face.suit) made.append(make("b", face.rank), make("i", face.suit));
  else made.append(make("b", face.rank, "word"));
  return made;
};

/* Cards that facts name in words, as "queen" or "10 hearts", look like cards; their text stays what it was. */
const RANKS = {ace: "A", king: "K", queen: "Q", jack: "J"};
const SUITS = {clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠"};
function withCards(text) {
  const parts = [];
  let rest = text;
  for (const found of text.matchAll(/(?<!\S)(?:(ace|king|queen|jack|10|[2-9]) (clubs|diamonds|hearts|spades)|(ace|king|queen|jack))(?!\S)/g)) {
    const at = text.length - rest.length;
    parts.push(text.slice(at, found.index));
    const rank = found[1] || found[3], suit = SUITS[found[2]] || "";
    const chip = make("span", found[0], "chip" + (/[♥♦]/.test(suit) ? " red" : ""));
    chip.dataset.face = (RANKS[rank] || rank) + suit;
    parts.push(chip);
    rest = text.slice(found.index + found[0].length);
  }
  return [...parts, rest].filter(part => part !== "");
}

class CardTable {
  constructor(pack) {
    this.pack = pack;
  }

  /* Cards beside each other, each covering a part of the one before. */
  fan(cards) {
    const row = make("span", undefined, "fan");
    if (typeof cards === "number") row.append(...Array.from({length: Math.min(cards, 20)}, () => card(null)));
    else row.append(...cards.map(number => card(this.pack[number])));
    if (cards > 20) row.append(make("small", "× " + cards));
    return row;
  }

  /* A heap shows its top card and how many lie there. */
  heap(name, cards) {
    const made = make("figure"), count = typeof cards === "number" ? cards : cards.length;
    const top = typeof cards === "number" ? null : this.pack[cards.at(-1)];
    made.append(card(top, count > 1 ? "many" : ""), make("figcaption", name + (count > 1 ? " · " + count : "")));
    return made;
  }

  middle(table, last) {
    const felt = make("div", undefined, "felt");
    table.trick.forEach(([who, number], at) => {
      const played = make("figure", undefined, "played" + (last && at === table.trick.length - 1 ? " newest" : ""));
      played.append(card(this.pack[number]), make("figcaption", who));
      felt.append(played);
    });
    if (table.taken) felt.append(make("span", "the trick is complete", "hint"));
    const heaps = make("div", undefined, "heaps");
    table.piles.forEach(([name, cards]) => heaps.append(this.heap(name, cards)));
    if (heaps.children.length) felt.append(heaps);
    if (table.suits.length) {
      const suits = make("p", undefined, "suits");
      table.suits.forEach(([name, suit]) => {
        const shown = make("span", name + " ");
        shown.append(make("b", suit, /[♥♦]/.test(suit) ? "red" : ""));
        suits.append(shown);
      });
      felt.append(suits);
    }
    return felt;
  }

  seat([name, isViewer, score, notes, cards], before, moved) {
    const made = make("div", undefined, "seat" + (moved ? " moved" : ""));
    const head = make("p");
    head.append(make("b", name), isViewer ? " (you)" : "",
      make("span", "score " + score, "score" + (before !== null && before !== score ? " new" : "")));
    notes.forEach(note => head.append(make("span", note, "note")));
    made.append(head, this.fan(cards));
    return made;
  }

  draw(frame, before) {
    const table = frame.cards, moved = new Set(frame.moves.map(([role]) => role));
    const seats = make("div", undefined, "seats");
    seats.append(...table.seats.map((seat, at) => this.seat(seat, before ? before.cards.seats[at][2] : null, moved.has(seat[0]))));
    return [this.middle(table, frame.moves.length || frame.said.length), seats];
  }
}
