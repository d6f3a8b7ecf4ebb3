import { type ReactElement, useEffect, useState } from "react";
import type { ClockView } from "../api/types";
import { clockText, secondsLeft, untilNextTick } from "./ticking";

/** A clock that ticks by itself from the value the server sent. */
export function Clock({ clock, since }: { clock: ClockView; since: number }): ReactElement {
  const [, tick] = useState(0);
  const left = secondsLeft(clock, performance.now() - since);
  useEffect(() => {
    if (!clock.running || left <= 0) return;
    const timer = setTimeout(() => tick((count) => count + 1), untilNextTick(left));
    return () => clearTimeout(timer);
  });
  const kind = `clock${clock.running ? " running" : ""}${left < 20 ? " short" : ""}`;
  return (
    <time className={kind} role="timer" aria-label="time left">
      {clockText(left)}
    </time>
  );
}
