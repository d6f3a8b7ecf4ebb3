import type { ReactElement } from "react";

interface IntervalProps {
  row: { low: number; high: number; rating: number };
  /** The ends of the scale. */
  low: number;
  high: number;
}

/** A rating with its interval, drawn and in figures. */
export function Interval({ row, low, high }: IntervalProps): ReactElement {
  const at = (value: number): number => 2 + (96 * (value - low)) / Math.max(1, high - low);
  return (
    <span className="interval">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <line x1={at(row.low)} x2={at(row.high)} y1="5" y2="5" />
        <rect x={at(row.rating) - 1} y="1" width="2" height="8" />
      </svg>
      <small>
        {Math.round(row.low)}–{Math.round(row.high)}
      </small>
    </span>
  );
}
