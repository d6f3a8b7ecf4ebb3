/* What a record notes besides moves: faults, times, and what roles were told. */
import type { ReactElement } from "react";
import type { RecordedStep, RecordedView } from "./types";

/** The codes with which hosts begin their notes. */
const MEANINGS: Record<string, string> = {
  IL: "the move was not legal",
  TO: "the answer came too late",
  CE: "the player could not be heard",
};
/** Faults that are linked; the slider marks all of them. */
const MOST_FAULTS = 40;
/** Shorter times say nothing. */
const SHORTEST = 100;

const meaning = (text: string): string | undefined => MEANINGS[text.split(" ")[0] ?? ""];
const label = (role: string): string => role.replaceAll("_", " ");

/** What happened in a step. */
export function StepNotes({ step, said }: { step: RecordedStep; said: string }): ReactElement {
  const { faults, told, milliseconds } = step;
  return (
    <div className="step-notes">
      {said !== "" && <p>{said}</p>}
      {faults.map(([role, text], at) => (
        <p key={at} className="fault">
          <b>{label(role)}</b> {text} {meaning(text) && <small>({meaning(text)})</small>}
        </p>
      ))}
      {told.map(([role, text], at) => (
        <p key={at} className="hears">
          <b>{label(role)} is told</b> <q>{text}</q>
        </p>
      ))}
      {milliseconds !== null && milliseconds >= SHORTEST && (
        <p className="quiet">after {(milliseconds / 1000).toFixed(1)} s</p>
      )}
    </div>
  );
}

/** All faults of a match, each with its step. */
export function Faults({ view, onStep }: { view: RecordedView; onStep: (step: number) => void }): ReactElement | null {
  const all = view.steps.flatMap(({ faults }, step) => faults.map(([role, text]) => ({ step, role, text })));
  if (all.length === 0) return null;
  return (
    <details className="faults">
      <summary>
        {all.length} {all.length === 1 ? "fault" : "faults"}
      </summary>
      <ul>
        {all.slice(0, MOST_FAULTS).map(({ step, role, text }, at) => (
          <li key={at}>
            <button type="button" className="plain" onClick={() => onStep(step)}>
              step {step}: {label(role)} <em>{text}</em>
            </button>
          </li>
        ))}
        {all.length > MOST_FAULTS && <li>and {all.length - MOST_FAULTS} more</li>}
      </ul>
    </details>
  );
}
