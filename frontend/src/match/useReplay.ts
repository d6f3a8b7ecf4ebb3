/* Looking back at a match that may still go on: the steps come from the server. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { get } from "../api/client";
import type { MoveLine, StepView } from "../api/types";
import { type Stepping, useStepping } from "./useStepping";

export interface Replay extends Stepping {
  /** What is shown instead of the present. */
  shown: StepView | null;
}

/** Steps that can be shown: the start, every line of the list, and the present. */
export function stepsOf(moves: readonly MoveLine[], now: number): number[] {
  return [...new Set([0, ...moves.map((line) => line.step), now])].filter((step) => step <= now).sort((a, b) => a - b);
}

export function useReplay(match: string, moves: readonly MoveLine[], now: number, start: number | null): Replay {
  const steps = useMemo(() => stepsOf(moves, now), [moves, now]);
  const stepping = useStepping(steps, now, start);
  const [shown, setShown] = useState<StepView | null>(null);
  const cache = useRef(new Map<number, Promise<StepView>>());
  const { step, at, goToStep } = stepping;

  const fetchStep = useCallback(
    (step: number): Promise<StepView> => {
      const found = cache.current.get(step) ?? get<StepView>(`/matches/${encodeURIComponent(match)}/steps/${step}`);
      cache.current.set(step, found);
      found.catch(() => cache.current.delete(step));
      return found;
    },
    [match],
  );

  useEffect(() => {
    if (step === null) return setShown(null);
    let isWanted = true;
    fetchStep(step).then(
      (view) => isWanted && setShown(view),
      () => isWanted && goToStep(null),
    );
    const next = steps[at + 1];
    if (next !== undefined && next < now) void fetchStep(next).catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [step, fetchStep]);
  return { ...stepping, shown };
}
