/* The twin of `ludorum.pages.packed`. */

type Part = string | number | boolean | null | number[] | { [name: string]: number };

/** The value of its parts, each of which comes before those that contain it. */
export function unpacked(parts: readonly Part[]): unknown {
  const values: unknown[] = [];
  for (const part of parts) values.push(valueOf(part, values));
  return values.at(-1);
}

function valueOf(part: Part, values: readonly unknown[]): unknown {
  if (Array.isArray(part)) return part.map((at) => values[at]);
  if (part === null || typeof part !== "object") return part;
  const sentences = part[""];
  if (sentences !== undefined) return (values[sentences] as string[]).join("");
  // No name is one of the language's own: `__proto__` is a field like any other.
  return Object.fromEntries(Object.entries(part).map(([name, at]) => [name, values[at]]));
}
