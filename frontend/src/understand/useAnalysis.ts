import { useEffect, useState } from "react";
import { type ApiError, send } from "../api/client";
import { asApiError } from "../api/resource";
import type { Analysis } from "../api/types";

export interface AnalysisState {
  isOn: boolean;
  setOn: (isOn: boolean) => void;
  result: Analysis | null;
  error: ApiError | null;
  isBusy: boolean;
}

const held = new Map<string, Analysis>();

export async function analyse(match: string, step: number): Promise<Analysis> {
  const key = `${match}:${step}`;
  const found = held.get(key) ?? (await send<Analysis>("POST", `/matches/${encodeURIComponent(match)}/analysis`, { step }));
  held.set(key, found);
  return found;
}

/** What the machine thinks of a step, while it is switched on. */
export function useAnalysis(match: string, step: number): AnalysisState {
  const [isOn, setOn] = useState(false);
  const [state, setState] = useState<{ result: Analysis | null; error: ApiError | null; isBusy: boolean }>({
    result: null,
    error: null,
    isBusy: false,
  });
  useEffect(() => {
    if (!isOn) return;
    let isWanted = true;
    setState((before) => ({ ...before, isBusy: true }));
    analyse(match, step).then(
      (result) => isWanted && setState({ result, error: null, isBusy: false }),
      (caught: unknown) => isWanted && setState({ result: null, error: asApiError(caught), isBusy: false }),
    );
    return () => {
      isWanted = false;
    };
  }, [isOn, match, step]);
  return { isOn, setOn, ...state };
}
