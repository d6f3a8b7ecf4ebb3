import { type KeyboardEvent, type ReactElement, useState } from "react";
import type { CardPile } from "../api/types";
import { Card } from "./Card";

interface HandProps {
  hand: CardPile;
  playable: ReadonlySet<string>;
  picked: string | null;
  onPick?: ((words: string) => void) | undefined;
}

/** The own hand, fanned. Left and right go from card to card, Enter plays the one in focus. */
export function Hand({ hand, playable, picked, onPick }: HandProps): ReactElement {
  const [stop, setStop] = useState(0);
  const cards = hand.cards ?? [];
  const isAsked = onPick !== undefined && cards.some((card) => playable.has(card.words));
  const middle = (cards.length - 1) / 2;
  const focus = Math.min(stop, Math.max(0, cards.length - 1));

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const to =
      event.key === "ArrowRight" ? focus + 1
      : event.key === "ArrowLeft" ? focus - 1
      : event.key === "Home" ? 0
      : event.key === "End" ? cards.length - 1
      : null;
    if (to === null || to < 0 || to >= cards.length) return;
    event.preventDefault();
    event.stopPropagation();
    setStop(to);
    event.currentTarget.querySelectorAll<HTMLElement>(".card-button")[to]?.focus();
  };

  if (hand.cards === null) return <p className="quiet">{hand.count === null ? "Your cards are hidden." : `${hand.count} cards`}</p>;
  if (cards.length === 0) return <p className="quiet">no cards left</p>;
  return (
    <div className="hand" role="group" aria-label="your hand" onKeyDown={onKeyDown}>
      {cards.map((card, at) => {
        const canPlay = isAsked && playable.has(card.words);
        const turn = (at - middle) * Math.min(3, 26 / cards.length);
        const sink = Math.abs(at - middle) ** 2 * (cards.length > 8 ? 0.25 : 0.5);
        return (
          <span
            key={`${card.words} ${at}`}
            className="slot"
            style={{ "--turn": `${turn.toFixed(2)}deg`, "--sink": `${sink.toFixed(2)}px` } as React.CSSProperties}
          >
            <button
              type="button"
              className={`card-button${picked === card.words ? " picked" : ""}${isAsked && !canPlay ? " dim" : ""}`}
              tabIndex={at === focus ? 0 : -1}
              aria-disabled={!canPlay}
              aria-pressed={picked === card.words}
              onFocus={() => setStop(at)}
              onClick={() => canPlay && onPick?.(card.words)}
            >
              <Card face={card} />
            </button>
          </span>
        );
      })}
    </div>
  );
}
