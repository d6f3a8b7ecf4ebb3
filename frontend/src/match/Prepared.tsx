import type { ReactElement } from "react";
import type { Message } from "../api/live";
import type { MatchView } from "../api/types";

interface PreparedProps {
  view: MatchView;
  wordsOf: (move: string) => string;
  send: (message: Message) => Promise<boolean>;
}

/** The move that waits for its turn, or why it was not played. */
export function Prepared({ view, wordsOf, send }: PreparedProps): ReactElement | null {
  const forget = (): void => void send({ type: "premove", move: null });
  if (view.premove !== null) {
    return (
      <p className="premove" role="status">
        Prepared: <b>{wordsOf(view.premove)}</b>{" "}
        <button type="button" className="plain" onClick={forget}>
          Cancel
        </button>
      </p>
    );
  }
  if (view.dropped === null) return null;
  return (
    <p className="premove" role="alert">
      The move you prepared, <b>{wordsOf(view.dropped)}</b>, is not legal now.
    </p>
  );
}
