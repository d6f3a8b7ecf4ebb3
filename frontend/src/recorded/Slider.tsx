import type { ReactElement } from "react";
import type { RecordedView } from "./types";

interface SliderProps {
  view: RecordedView;
  at: number;
  /** What happened in the step. */
  said: string;
  onStep: (step: number) => void;
}

/** Goes to any step, also those in a deal, with a red tick wherever there was a fault. */
export function Slider({ view, at, said, onStep }: SliderProps): ReactElement {
  const last = view.steps.length - 1;
  const words = `step ${at} of ${last}`;
  return (
    <div className="slider">
      <span>
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label="step"
          aria-valuetext={said === "" ? words : `${words}: ${said}`}
          onChange={(event) => onStep(Number(event.target.value))}
        />
        {view.steps.map(
          ({ faults }, step) =>
            faults.length > 0 && (
              <i key={step} style={{ left: `calc(8px + (100% - 16px) * ${last === 0 ? 0 : step / last})` }} />
            ),
        )}
      </span>
      <output role="status">
        {words}
        <span className="hidden">{said === "" ? "" : `: ${said}`}</span>
      </output>
    </div>
  );
}
