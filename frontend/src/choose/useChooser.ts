import { useCallback, useMemo, useState } from "react";
import type { MoveChoice } from "../api/types";
import { matching, nextPlaces, NOTHING, type Outcome, type Picked, pickCard, pickPlace, playableCards } from "./selection";

const NO_MENU: MoveChoice[] = [];

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

/** What is picked among the choices of a step; it is forgotten when others come. */
export function useChooser(step: number, choices: MoveChoice[], onChoose: (choice: MoveChoice) => void): Chooser {
  // The same moves may mean other places a step later.
  const key = useMemo(() => [step, ...choices.map((choice) => choice.move)].join("\n"), [step, choices]);
  const [held, hold] = useState<{ key: string; picked: Picked; menu: MoveChoice[] }>({ key, picked: NOTHING, menu: [] });
  const { picked, menu } = held.key === key ? held : { picked: NOTHING, menu: NO_MENU };
  const next = useMemo(() => nextPlaces(choices, picked), [choices, picked]);
  const cards = useMemo(() => playableCards(choices), [choices]);
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
