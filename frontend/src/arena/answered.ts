/* When a program elsewhere answered last, in words. */

const UNITS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** How long something is ago; both times in seconds since 1970. */
export function agoText(moment: number, now: number): string {
  const seconds = Math.max(0, now - moment);
  for (const [unit, size] of UNITS) {
    const count = Math.floor(seconds / size);
    if (count > 0) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}

/** Whether a program can be reached, in words. */
export function reachText(remote: { answered: number; is_reachable: boolean; is_playing: boolean }, now: number): string {
  const answered = `answered ${agoText(remote.answered, now)}`;
  if (!remote.is_reachable) return `not reachable, ${answered}`;
  return remote.is_playing ? "playing" : answered;
}
