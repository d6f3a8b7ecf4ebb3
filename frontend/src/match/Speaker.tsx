import { type ReactElement, useEffect, useRef, useState } from "react";
import type { MatchView } from "../api/types";
import { statusText } from "./Status";

/** What a reader hears after each change: the new moves, what is asked, and the position where that is wanted. */
export function Speaker({ view }: { view: MatchView }): ReactElement {
  const heard = useRef(view.moves.length);
  const [spoken, speak] = useState("");
  const status = statusText(view);
  useEffect(() => {
    const fresh = view.moves.slice(heard.current).map((line) => line.words);
    heard.current = view.moves.length;
    const told = view.scene.told;
    speak([...fresh, ...told, status].join(". "));
  }, [view.step, status]);
  return (
    <>
      <div className="hidden" role="status" aria-live="polite">
        {spoken}
      </div>
      <section className="hidden" aria-label="position in words">
        {view.scene.spoken}
      </section>
    </>
  );
}
