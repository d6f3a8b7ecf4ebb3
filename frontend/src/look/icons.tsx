import type { ReactElement } from "react";

const PATHS = {
  first: "M4 4h2v12H4zM16 4v12l-9-6z",
  back: "M14 4v12l-9-6z",
  play: "M5 3v14l12-7z",
  stop: "M5 4h4v12H5zM11 4h4v12h-4z",
  on: "M6 4v12l9-6z",
  last: "M14 4h2v12h-2zM4 4v12l9-6z",
  flip: "M6 3v10h3l-4 5-4-5h3V3zM14 17V7h-3l4-5 4 5h-3v10z",
  link: "M8.500 11.500a3 3 0 0 0 4.300 0l3-3a3 3 0 0 0-4.300-4.300l-1 1M11.500 8.500a3 3 0 0 0-4.300 0l-3 3a3 3 0 0 0 4.300 4.300l1-1",
  flag: "M5 2v16M5 3h10l-2.500 4L15 11H5",
  sun: "M10 6.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM10 1v2.500M10 16.500V19M1 10h2.500M16.500 10H19M3.600 3.600l1.800 1.800M14.600 14.600l1.800 1.800M16.400 3.600l-1.800 1.800M5.400 14.600l-1.800 1.800",
  moon: "M16.500 12.500A7 7 0 0 1 7.500 3.500a7 7 0 1 0 9 9z",
  search: "M8.500 3a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM13 13l4.500 4.500",
} as const;

export type IconName = keyof typeof PATHS;

const LINES: ReadonlySet<IconName> = new Set(["link", "flag", "sun", "moon", "search"]);

export function Icon({ name }: { name: IconName }): ReactElement {
  return (
    <svg className={`icon${LINES.has(name) ? " lines" : ""}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
