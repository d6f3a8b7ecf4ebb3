import { type ReactElement, useEffect, useRef } from "react";
import type { MoveLine } from "../api/types";
import { IconButton } from "../look/parts";
import type { Stepping } from "./useStepping";

/** The list of moves with the controls that step through them. */
export function Moves({ moves, replay }: { moves: MoveLine[]; replay: Stepping }): ReactElement {
  const list = useRef<HTMLOListElement>(null);
  const current = replay.steps[replay.at];
  useEffect(() => {
    const box = list.current;
    const line = box?.querySelector<HTMLElement>("[aria-current]");
    if (!box) return;
    // Not scrollIntoView, which would move the page as well.
    if (line) box.scrollTop = line.offsetTop - box.clientHeight / 2;
    else box.scrollTop = 0;
  }, [current, moves.length]);
  const last = replay.steps.length - 1;
  return (
    <section className="moves" aria-label="moves so far">
      {moves.length === 0 ? (
        <p className="empty">{replay.steps.at(-1) ? "The moves so far are hidden." : "No move yet."}</p>
      ) : (
        <ol ref={list} tabIndex={0} aria-label="list of moves">
          {moves.map((line) => (
            <li key={line.step}>
              <button
                type="button"
                {...(line.step === current ? { "aria-current": "step" as const } : {})}
                onClick={() => replay.goToStep(line.step)}
              >
                <small>{line.step}</small> <span>{line.words}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
      <div className="stepping" role="group" aria-label="stepping">
        <IconButton icon="first" name="First position" onClick={() => replay.go(0)} disabled={replay.at === 0} />
        <IconButton icon="back" name="Step back" onClick={() => replay.go(replay.at - 1)} disabled={replay.at === 0} />
        <IconButton
          icon={replay.isRunning ? "stop" : "play"}
          name={replay.isRunning ? "Stop" : "Replay from here"}
          onClick={replay.run}
          disabled={last === 0}
        />
        <IconButton icon="on" name="Step on" onClick={() => replay.go(replay.at + 1)} disabled={replay.at === last} />
        <IconButton icon="last" name="Last position" onClick={() => replay.go(last)} disabled={replay.step === null} />
        <label>
          <span className="hidden">speed of the replay</span>
          <select value={replay.speed} onChange={(event) => replay.setSpeed(Number(event.target.value))}>
            <option value={0.5}>½×</option>
            <option value={1}>1×</option>
            <option value={2}>2×</option>
            <option value={5}>5×</option>
          </select>
        </label>
      </div>
    </section>
  );
}
