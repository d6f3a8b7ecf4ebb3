/* Moves that can be prepared while others choose. */
import { useEffect, useRef, useState } from "react";
import { get } from "../api/client";
import type { MatchView, MoveChoice, Premoves } from "../api/types";

/** Milliseconds that somebody waits before moves are offered: programs often answer at once. */
const PATIENCE = 250;
const NONE: MoveChoice[] = [];

export interface PremovesOffered {
  choices: MoveChoice[];
  /** A move in words, where it was offered once. */
  wordsOf: (move: string) => string;
}

/** The moves that the viewer can prepare now: none with a choice to make, and where something is hidden. */
export function usePremoves(view: MatchView): PremovesOffered {
  const [held, hold] = useState<{ key: string; choices: MoveChoice[] }>({ key: "", choices: NONE });
  const words = useRef(new Map<string, string>());
  const canPrepare = view.phase === "waiting" && view.viewer !== null && !view.game.hides && !view.realtime;
  const key = canPrepare ? `${view.id} ${view.viewer} ${view.step}` : "";
  useEffect(() => {
    if (key === "") return;
    let isWanted = true;
    const timer = setTimeout(() => {
      get<Premoves>(`/matches/${encodeURIComponent(view.id)}/premoves`).then(
        ({ step, choices }) => {
          if (!isWanted || step !== view.step) return;
          for (const { move, words: said } of choices) words.current.set(move, said);
          hold({ key, choices });
        },
        () => undefined, // without them moves are made when their time comes
      );
    }, PATIENCE);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key]);
  return {
    choices: key !== "" && held.key === key ? held.choices : NONE,
    wordsOf: (move) => words.current.get(move) ?? move,
  };
}
