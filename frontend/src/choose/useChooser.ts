import { useCallback, useMemo, useState } from "react";
import type { MoveChoice } from "../api/types";
import { matching, nextPlaces, NOTHING, type Outcome, type Picked, pickCard, pickPlace, playableCards } from "./selection";

export interface Chooser {
  picked: Picked;
  next: Set<number>;
  cards: Set<string>;
  menu: MoveChoice[];
  canLead: (place: number) => boolean;
  pickPlace: (place: number) => void;
  pickCard: (words: string) => void;
  choose: (choice: MoveChoice) => void;
  clear: () => void;
}

/** What is picked among these choices; it is forgotten when others come. */
export function useChooser(choices: MoveChoice[], onChoose: (choice: MoveChoice) => void): Chooser {
  const key = useMemo(() => choices.map((choice) => choice.move).join("\n"), [choices]);
  const [held, hold] = useState<{ key: string; picked: Picked; menu: MoveChoice[] }>({ key, picked: NOTHING, menu: [] });
  const { picked, menu } = held.key === key ? held : { picked: NOTHING, menu: [] };
  const next = useMemo(() => nextPlaces(choices, picked), [key, picked]);
  const cards = useMemo(() => playableCards(choices), [key]);
  const take = (outcome: Outcome): void => {
    hold({ key, picked: outcome.picked, menu: outcome.menu });
    if (outcome.chosen) onChoose(outcome.chosen);
  };
  const clear = useCallback(() => hold({ key, picked: NOTHING, menu: [] }), [key]);
  return {
    picked,
    next,
    cards,
    menu,
    canLead: (place) => {
      const places = [...(next.has(place) ? picked.places : []), place];
      return matching(choices, { ...picked, places }).some((choice) => choice.places.length > places.length);
    },
    pickPlace: (place) => take(pickPlace(choices, picked, place)),
    pickCard: (words) => take(pickCard(choices, picked, words)),
    choose: (choice) => {
      clear();
      onChoose(choice);
    },
    clear,
  };
}
