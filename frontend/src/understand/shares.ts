const COLOURS = new Set(
  "white black red blue green yellow orange purple pink teal brown grey".split(" "),
);

/** The class of a role's colour: its own where its name is one, else by its number. */
export function colourClass(role: string, at: number): string {
  return COLOURS.has(role) ? `by-${role}` : `of-${at % 6}`;
}

/** The part of a whole that each role is worth, for a bar; equal parts where all are worth nothing. */
export function shares(values: Record<string, number>, roles: readonly string[]): number[] {
  const worth = roles.map((role) => Math.max(0, values[role] ?? 0));
  const sum = worth.reduce((one, other) => one + other, 0);
  return worth.map((value) => (sum > 0 ? value / sum : 1 / roles.length));
}
