import { type ReactElement, useId, useState } from "react";
import { IconButton } from "../look/parts";
import { useTheme } from "../look/theme";
import { Recorded } from "./Recorded";
import type { RecordedMatch } from "./types";

/** A match that has the page for itself. */
export function Player({ match }: { match: RecordedMatch }): ReactElement {
  const [isDark, turn] = useTheme();
  return (
    <>
      <div className="theme">
        <IconButton icon={isDark ? "sun" : "moon"} name={isDark ? "Light colours" : "Dark colours"} onClick={turn} />
      </div>
      <Recorded match={match} isPage />
    </>
  );
}

/** One of several matches. */
export function Picker({ matches }: { matches: RecordedMatch[] }): ReactElement | null {
  const id = useId();
  const [at, setAt] = useState(0);
  const match = matches[at];
  if (!match) return null;
  return (
    <>
      <div className="picker">
        <label htmlFor={id}>Match</label>
        <select id={id} value={at} onChange={(event) => setAt(Number(event.target.value))}>
          {matches.map((one, number) => (
            <option key={one.id} value={number}>
              {one.caption}
            </option>
          ))}
        </select>
      </div>
      <Recorded key={match.id} match={match} isPage={false} />
    </>
  );
}
