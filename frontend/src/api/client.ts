/* Calls of the API. Errors become `ApiError`s whose message is for people. */
import type { Fault, Me } from "./types";

const ROOT = "/api/v1";

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly hint: string | null = null,
    readonly faults: Fault[] = [],
  ) {
    super(message);
  }
}

let csrf: Promise<string> | null = null;

/** The visitor; also fetches the token that every change must carry. */
export async function fetchMe(): Promise<Me> {
  const me = await call<Me>("GET", "/me");
  csrf = Promise.resolve(me.csrf);
  return me;
}

export function get<T>(path: string): Promise<T> {
  return call<T>("GET", path);
}

/** Sends a change. A token that is too old is fetched anew, once. */
export async function send<T>(method: "POST" | "DELETE", path: string, body?: unknown): Promise<T> {
  csrf ??= fetchMe().then((me) => me.csrf);
  try {
    return await call<T>(method, path, body, await csrf);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403 || !/csrf/i.test(error.code)) throw error;
    csrf = fetchMe().then((me) => me.csrf);
    return call<T>(method, path, body, await csrf);
  }
}

async function call<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  let response: Response;
  try {
    response = await fetch(ROOT + path, {
      method,
      credentials: "same-origin",
      headers: {
        Accept: "application/json",
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(token === undefined ? {} : { "X-CSRF-Token": token }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError("The server does not answer.", 0, "offline", "Check the connection and try again.");
  }
  const text = await response.text();
  const data: unknown = text ? parsed(text) : null;
  if (response.ok) return data as T;
  throw errorOf(data, response.status);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** The error that an answer describes, in words even where the answer has none. */
export function errorOf(data: unknown, status: number): ApiError {
  const whole = (data ?? {}) as { error?: { code?: string; message?: string; hint?: string | null }; faults?: Fault[] };
  const error = whole.error ?? {};
  const faults = whole.faults ?? (error as { faults?: Fault[] }).faults ?? [];
  const plain =
    faults.length > 0 ? "The rules have faults."
    : status === 404 ? "There is nothing at this address."
    : status === 429 ? "Too many requests: wait a moment."
    : status === 401 || status === 403 ? "This is not allowed."
    : status >= 500 ? "The server made a mistake."
    : "The server did not accept this.";
  return new ApiError(error.message || plain, status, error.code ?? String(status), error.hint ?? null, faults);
}
