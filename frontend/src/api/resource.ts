import { useCallback, useEffect, useState } from "react";
import { ApiError, get } from "./client";

export interface Resource<T> {
  data: T | null;
  error: ApiError | null;
  isLoading: boolean;
  reload: () => void;
}

/** What a path of the API answers; `null` as path fetches nothing. The last answer stays until the next is there. */
export function useResource<T>(path: string | null): Resource<T> {
  const [held, hold] = useState<{ path: string | null; data: T | null; error: ApiError | null }>({
    path: null,
    data: null,
    error: null,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (path === null) return;
    let isWanted = true;
    get<T>(path).then(
      (data) => isWanted && hold({ path, data, error: null }),
      (error: unknown) => isWanted && hold({ path, data: null, error: asApiError(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [path, turn]);
  const reload = useCallback(() => setTurn((turn) => turn + 1), []);
  return { data: held.data, error: held.error, isLoading: path !== null && held.path !== path, reload };
}

/** The same, asked again every few seconds as long as `isWanted` says so of the last answer. */
export function usePolled<T>(path: string, seconds: number, isWanted: (data: T) => boolean): Resource<T> {
  const found = useResource<T>(path);
  const { data, error, reload } = found;
  const goesOn = error !== null || (data !== null && isWanted(data));
  useEffect(() => {
    if (!goesOn) return;
    const timer = setTimeout(reload, 1000 * seconds);
    return () => clearTimeout(timer);
  }, [goesOn, data, error, reload, seconds]);
  return found;
}

export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(String(error), 0, "page");
}
