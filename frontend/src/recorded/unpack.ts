/* The twin of `ludorum.pages.packed`. */

type Part = string | number | boolean | null | number[] | { text: number };

/** The value of its parts, each of which comes before those that contain it. */
export function unpacked(parts: readonly Part[]): unknown {
  const values: unknown[] = [];
  for (const part of parts) values.push(valueOf(part, values));
  return values.at(-1);
}

function valueOf(part: Part, values: readonly unknown[]): unknown {
  if (part === null || typeof part !== "object") return part;
  if (!Array.isArray(part)) return (values[part.text] as string[]).join("");
  const [first = 0, ...rest] = part;
  if (first >= 0) return part.map((at) => values[at]);
  const names = values[-1 - first] as string[];
  // No name is one of the language's own: `__proto__` is a field like any other.
  return Object.fromEntries(names.map((name, at) => [name, values[rest[at] ?? -1]]));
}
