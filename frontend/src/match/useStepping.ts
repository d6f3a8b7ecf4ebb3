/* Going through the steps of a match, by hand or by itself. */
import { useCallback, useEffect, useRef, useState } from "react";

export interface Stepping {
  /** The step that is looked at; null for the last one. */
  step: number | null;
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

/** The steps that are stopped at, of which the last is `now`. */
export function useStepping(steps: number[], now: number, start: number | null): Stepping {
  const [step, setStep] = useState<number | null>(start);
  const [isRunning, setRunning] = useState(false);
  const [speed, setSpeed] = useState(1);
  const last = steps.length - 1;
  const at = step === null ? last : Math.max(0, steps.findLastIndex((one) => one <= step));

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
  return { step, steps, at, isRunning, speed, setSpeed, go: stopAnd, goToStep, run };
}

/** Steps that Page Up and Page Down take at once. */
const MANY = 10;

interface Keys {
  /** Whether Page Up and Page Down take ten steps, and the space bar plays and stops. */
  isPage?: boolean;
  /** The elements in which keys count: those of a match among other things leave the page its own. */
  within?: string;
}

/** Left and right, Home and End step through the match wherever no control wants these keys. */
export function useSteppingKeys(stepping: Stepping, { isPage = false, within = "html" }: Keys = {}): void {
  const held = useRef(stepping);
  held.current = stepping;
  const onKey = useCallback((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (!target.closest(within) || target.closest("input, textarea, select, [role=grid], [role=listbox], .hand")) return;
    const { at, go, steps, run } = held.current;
    if (event.key === "ArrowLeft") go(at - 1);
    else if (event.key === "ArrowRight") go(at + 1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(steps.length - 1);
    else if (isPage && event.key === "PageUp") go(at - MANY);
    else if (isPage && event.key === "PageDown") go(at + MANY);
    else if (isPage && event.key === " " && !target.closest("button, summary")) run();
    else return;
    event.preventDefault();
  }, [isPage, within]);
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [onKey]);
}
