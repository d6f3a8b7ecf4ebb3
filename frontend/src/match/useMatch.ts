/* A match as the server tells it, and the messages that the visitor sends. */
import { useCallback, useEffect, useRef, useState } from "react";
import { type ApiError, get } from "../api/client";
import { type Link, LiveConnection, liveUrl, type Message } from "../api/live";
import { asApiError } from "../api/resource";
import type { MatchView } from "../api/types";

export interface LiveMatch {
  view: MatchView | null;
  /** `performance.now()` when the view came: clocks tick from here. */
  since: number;
  link: Link;
  /** Why the server refused the last message, or why there is no match. */
  trouble: string;
  error: ApiError | null;
  /** The step for which a move was sent that the server has not acknowledged yet. */
  sentStep: number | null;
  send: (message: Message) => Promise<boolean>;
  forgetTrouble: () => void;
  reconnect: () => void;
}

export function useMatch(id: string, seat: string | null): LiveMatch {
  const [held, hold] = useState<{ view: MatchView | null; since: number }>({ view: null, since: 0 });
  const [link, setLink] = useState<Link>("connecting");
  const [trouble, setTrouble] = useState("");
  const [error, setError] = useState<ApiError | null>(null);
  const [sentStep, setSentStep] = useState<number | null>(null);
  const [turn, setTurn] = useState(0);
  const connection = useRef<LiveConnection | null>(null);

  useEffect(() => {
    const onView = (view: MatchView): void => hold({ view, since: performance.now() });
    const live = new LiveConnection(liveUrl(id, seat), onView, (link, why) => {
      setLink(link);
      if (why) setTrouble(why);
    });
    connection.current = live;
    let isWanted = true;
    // The first view comes by HTTP, which says in words what a websocket cannot: that there is no such match.
    get<MatchView>(`/matches/${encodeURIComponent(id)}`).then(
      (view) => {
        if (!isWanted) return;
        hold((before) => (before.view ? before : { view, since: performance.now() }));
        live.open();
      },
      (caught: unknown) => isWanted && setError(asApiError(caught)),
    );
    return () => {
      isWanted = false;
      live.close();
    };
  }, [id, seat, turn]);

  const send = useCallback(async (message: Message): Promise<boolean> => {
    if (message.type === "move") setSentStep(message.step);
    try {
      await connection.current?.send(message);
      setTrouble("");
      return true;
    } catch (refused) {
      setTrouble(refused instanceof Error ? refused.message : String(refused));
      return false;
    } finally {
      if (message.type === "move") setSentStep((step) => (step === message.step ? null : step));
    }
  }, []);
  const forgetTrouble = useCallback(() => setTrouble(""), []);
  const reconnect = useCallback(() => {
    setError(null);
    setTurn((turn) => turn + 1);
  }, []);
  return { ...held, link, trouble, error, sentStep, send, forgetTrouble, reconnect };
}
