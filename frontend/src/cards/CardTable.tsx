/* A card table: the others along the far side, the trick and the piles in the middle, the own hand in front. */
import type { ReactElement } from "react";
import type { CardFace, CardHand, CardPile, CardScene } from "../api/types";
import { Card } from "./Card";
import { Hand } from "./Hand";

interface CardTableProps {
  table: CardScene;
  toMove: readonly string[];
  labels: Readonly<Record<string, string>>;
  /** The names of those who play, by role. */
  names: Readonly<Record<string, string>>;
  playable: ReadonlySet<string>;
  picked: string | null;
  onPick?: ((words: string) => void) | undefined;
}

/** More backs than this are a number. */
const MOST_BACKS = 13;

export function CardTable({ table, toMove, labels, names, playable, picked, onPick }: CardTableProps): ReactElement {
  const own = table.hands.find((hand) => hand.is_viewer);
  const at = own ? table.hands.indexOf(own) : -1;
  // In the order of play, seen from the viewer: the next player is the first on the left.
  const others = own ? [...table.hands.slice(at + 1), ...table.hands.slice(0, at)] : table.hands;
  const label = (role: string): string => labels[role] ?? role;
  const inPiles = new Set(table.piles.flatMap((pile) => (pile.cards ?? []).map((card) => card.words)));
  const openPile = onPick ? [...inPiles].filter((words) => playable.has(words)) : [];
  return (
    <section className="table" aria-label="card table">
      <div className={`others of-${others.length}`}>
        {others.map((hand) => (
          <OtherHand key={hand.role} hand={hand} label={label(hand.role)} name={names[hand.role] ?? ""} isTurn={toMove.includes(hand.role)} />
        ))}
      </div>
      <div className="middle">
        <Trick trick={table.trick} isTaken={table.is_taken} label={label} viewer={own?.role ?? null} />
        {table.piles.map((pile) => (
          <Pile key={pile.name} pile={pile} playable={openPile} onPick={onPick} />
        ))}
      </div>
      {table.suits.length > 0 && (
        <p className="suits">
          {table.suits.map(([name, suit]) => (
            <span key={name}>
              {name} <b className={/[♥♦]|hearts|diamonds/.test(suit) ? "red" : ""}>{suit}</b>
            </span>
          ))}
        </p>
      )}
      {own && (
        <div className={`own${toMove.includes(own.role) ? " turn" : ""}`}>
          <Hand hand={own.hand} playable={playable} picked={picked} onPick={onPick} />
          <p className="seat-line">
            <b>{label(own.role)}</b> <span>you</span> <Score hand={own} />
          </p>
        </div>
      )}
    </section>
  );
}

function Score({ hand }: { hand: CardHand }): ReactElement {
  return (
    <>
      {hand.score !== null && <span className="score">score {hand.score}</span>}
      {hand.notes.map((note) => (
        <span key={note} className="note">
          {note}
        </span>
      ))}
    </>
  );
}

interface OtherHandProps {
  hand: CardHand;
  label: string;
  name: string;
  isTurn: boolean;
}

function OtherHand({ hand, label, name, isTurn }: OtherHandProps): ReactElement {
  const { count, cards } = hand.hand;
  const shown: (CardFace | null)[] = cards ?? Array.from({ length: Math.min(count ?? 1, MOST_BACKS) }, () => null);
  return (
    <div className={`other${isTurn ? " turn" : ""}`}>
      <p className="seat-line">
        <b>{label}</b> {name !== "" && name !== label && <span>{name}</span>} <Score hand={hand} />
      </p>
      <div className="fan" role="group" aria-label={count === null ? `${label}: cards that you do not see` : `${label}: ${count} ${count === 1 ? "card" : "cards"}`}>
        {shown.map((face, at) => (
          <Card key={at} face={face} />
        ))}
        {count === 0 ? <span className="quiet">no cards</span> : cards === null && count !== null && <span className="count">{count}</span>}
      </div>
    </div>
  );
}

interface TrickProps {
  trick: [string, CardFace][];
  isTaken: boolean;
  label: (role: string) => string;
  viewer: string | null;
}

function Trick({ trick, isTaken, label, viewer }: TrickProps): ReactElement | null {
  if (trick.length === 0) return null;
  return (
    <div className={`trick${isTaken ? " taken" : ""}`} role="group" aria-label={isTaken ? "complete trick" : "trick"}>
      {trick.map(([role, face]) => (
        <figure key={role + face.words} className={role === viewer ? "from-me" : "from-others"}>
          <Card face={face} />
          <figcaption>{role === viewer ? "you" : label(role)}</figcaption>
        </figure>
      ))}
      {isTaken && <span className="quiet">trick complete</span>}
    </div>
  );
}

interface PileProps {
  pile: CardPile;
  playable: readonly string[];
  onPick: ((words: string) => void) | undefined;
}

/** A pile shows its top card; where cards of it can be chosen, they lie open beside each other. */
function Pile({ pile, playable, onPick }: PileProps): ReactElement {
  const choosable = (pile.cards ?? []).filter((card) => playable.includes(card.words));
  const top = pile.cards?.at(-1) ?? null;
  const isOpen = onPick !== undefined && choosable.length > 0;
  return (
    <figure className="pile">
      {isOpen ? (
        <div className="open-pile">
          {(pile.cards ?? []).map((card) => (
            <button
              key={card.words}
              type="button"
              className="card-button"
              disabled={!playable.includes(card.words)}
              onClick={() => onPick(card.words)}
            >
              <Card face={card} />
            </button>
          ))}
        </div>
      ) : pile.count === 0 ? (
        <span className="card none" role="img" aria-label="no cards" />
      ) : (
        <span className={(pile.count ?? 1) > 1 ? "stack many" : "stack"}>
          <Card face={top} />
        </span>
      )}
      <figcaption>
        {pile.name}
        {pile.count !== null && pile.count > 1 && <span className="count">{pile.count}</span>}
      </figcaption>
    </figure>
  );
}
