import type { ReactElement } from "react";
import type { MatchNote } from "../api/types";

/** How many faults there were of each role. */
export function faultsText(faults: Record<string, number>): string {
  return `Faults of programs: ${Object.entries(faults).map(([role, count]) => `${role} ${count}`).join(", ")}`;
}

/** What went wrong with programs: late, lost or illegal moves, for which legal ones were made. */
export function Faults({ notes, faults }: { notes: MatchNote[]; faults: Record<string, number> }): ReactElement | null {
  if (notes.length === 0) return null;
  return (
    <details className="match-faults">
      <summary>{faultsText(faults)}</summary>
      <ol>
        {notes.map((note, at) => (
          <li key={at}>
            Step {note.step}, {note.role}: {note.text}
          </li>
        ))}
      </ol>
    </details>
  );
}
