import { useEffect } from "react";
import type { Stepping } from "../match/useStepping";

/** Milliseconds of rest before the address is changed: browsers refuse one that changes too often. */
const REST = 250;

/** The step that the address of the page names; null where it names none. */
export function stepOfAddress(): number | null {
  return /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : null;
}

/** The address of the page names its step, as `match.html#12`, and a changed address leads there. */
export function useAddressOfStep(stepping: Stepping, isOn: boolean): void {
  const { step, steps, goToStep } = stepping;
  const shown = step ?? steps.at(-1);
  useEffect(() => {
    if (!isOn) return;
    const follow = (): void => {
      const wanted = stepOfAddress();
      if (wanted !== null) goToStep(wanted);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  });
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => history.replaceState(null, "", `#${shown}`), REST);
    return () => clearTimeout(timer);
  }, [shown, isOn]);
}
