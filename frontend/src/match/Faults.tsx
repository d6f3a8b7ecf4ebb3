import type { ReactElement } from "react";
import type { MatchNote } from "../api/types";

/** Faults by role, in the order of their first one. */
export function countFaults(notes: readonly MatchNote[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { role } of notes) counts.set(role, (counts.get(role) ?? 0) + 1);
  return [...counts];
}

/** What went wrong with programs: late, lost or illegal moves, for which legal ones were made. */
export function Faults({ notes }: { notes: MatchNote[] }): ReactElement | null {
  if (notes.length === 0) return null;
  const counts = countFaults(notes).map(([role, count]) => `${role} ${count}`);
  return (
    <details className="match-faults">
      <summary>Faults of programs: {counts.join(", ")}</summary>
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
