import type { ReactElement } from "react";

/** How long a match without turns has gone on. */
export function GameClock({ clock }: { clock: { seconds: number; is_running: boolean } }): ReactElement {
  const minutes = Math.floor(clock.seconds / 60);
  const seconds = (clock.seconds % 60).toFixed(1).padStart(4, "0");
  return (
    <p className={clock.is_running ? "game-clock runs" : "game-clock"} role="timer" aria-live="off">
      {minutes}:{seconds}
    </p>
  );
}
