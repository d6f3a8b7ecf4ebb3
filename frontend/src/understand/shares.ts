const COLOURS = new Set(
  "white black red blue green yellow orange purple pink teal brown grey".split(" "),
);

/** The class of a role's colour: its own where its name is one, else by its number. */
export function colourClass(role: string, at: number): string {
  return COLOURS.has(role) ? `by-${role}` : `of-${at % 6}`;
}

/**
 * The part of a bar that each role has. Where the worth of all is known it is shared by worth, equally where all
 * are worth nothing; where only that of some is, each has its part of a hundred and the rest is nobody's.
 */
export function shares(values: Record<string, number>, roles: readonly string[]): number[] {
  const worth = roles.map((role) => Math.max(0, values[role] ?? 0));
  const sum = worth.reduce((one, other) => one + other, 0);
  if (roles.some((role) => values[role] === undefined)) return worth.map((value) => value / Math.max(100, sum));
  return worth.map((value) => (sum > 0 ? value / sum : 1 / roles.length));
}

/** The steps at which the worth for a role is known, by their number. */
export function knownPoints(points: readonly { values: Record<string, number> }[], role: string): [number, number][] {
  return points.flatMap(({ values }, at) => (values[role] === undefined ? [] : [[at, values[role]]]));
}
