/* Clocks between two messages of the server: its value, less what has passed since. */
import type { ClockView } from "../api/types";

/** Seconds left on a clock that was read `elapsed` milliseconds ago. */
export function secondsLeft(clock: ClockView, elapsed: number): number {
  return Math.max(0, clock.left - (clock.running ? elapsed / 1000 : 0));
}

/** `1:02:03`, `5:07`, and with tenths when it gets short: `0:09.4`. */
export function clockText(seconds: number): string {
  if (seconds < 10) {
    const tenths = Math.floor(seconds * 10 + 1e-6);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const whole = Math.ceil(seconds - 1e-6);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number: number): string => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Milliseconds until the text of a running clock changes. */
export function untilNextTick(seconds: number): number {
  const unit = seconds < 10.1 ? 0.1 : 1;
  const over = seconds % unit;
  return Math.max(30, (over < 0.005 ? unit : over) * 1000);
}
