/* Looking back: which step is shown, and going through them by itself. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { get } from "../api/client";
import type { MoveLine, StepView } from "../api/types";

export interface Replay {
  /** The step that is looked at; null for the present. */
  step: number | null;
  shown: StepView | null;
  steps: number[];
  /** The number of the step among those that can be shown. */
  at: number;
  isRunning: boolean;
  speed: number;
  setSpeed: (speed: number) => void;
  go: (at: number) => void;
  goToStep: (step: number | null) => void;
  run: () => void;
}

/** Steps that can be shown: the start, every line of the list, and the present. */
export function stepsOf(moves: readonly MoveLine[], now: number): number[] {
  return [...new Set([0, ...moves.map((line) => line.step), now])].filter((step) => step <= now).sort((a, b) => a - b);
}

export function useReplay(match: string, moves: readonly MoveLine[], now: number, start: number | null): Replay {
  const [step, setStep] = useState<number | null>(start);
  const [shown, setShown] = useState<StepView | null>(null);
  const [isRunning, setRunning] = useState(false);
  const [speed, setSpeed] = useState(1);
  const cache = useRef(new Map<number, Promise<StepView>>());
  const steps = useMemo(() => stepsOf(moves, now), [moves, now]);
  const last = steps.length - 1;
  const at = step === null ? last : Math.max(0, steps.findLastIndex((one) => one <= step));

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
      () => isWanted && setStep(null),
    );
    const next = steps[at + 1];
    if (next !== undefined && next < now) void fetchStep(next).catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [step, fetchStep]);

  const go = useCallback(
    (to: number): void => {
      const bounded = Math.max(0, Math.min(last, to));
      setStep(bounded === last ? null : (steps[bounded] ?? null));
    },
    [steps, last],
  );

  useEffect(() => {
    if (!isRunning) return;
    if (step === null) return setRunning(false);
    const timer = setTimeout(() => go(at + 1), 900 / speed);
    return () => clearTimeout(timer);
  }, [isRunning, step, at, speed, go]);

  const run = (): void => {
    if (isRunning) return setRunning(false);
    if (step === null) go(0);
    setRunning(last > 0);
  };
  const stopAnd = (to: number): void => {
    setRunning(false);
    go(to);
  };
  const goToStep = (to: number | null): void => {
    setRunning(false);
    setStep(to === null || to >= now ? null : to);
  };
  return { step, shown, steps, at, isRunning, speed, setSpeed, go: stopAnd, goToStep, run };
}
