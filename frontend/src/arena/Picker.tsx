import type { ReactElement } from "react";
import { Field } from "../look/parts";

interface PickerProps {
  label: string;
  options: { value: string; words: string }[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
  /** What the first one is, where the order matters. */
  firstIs?: string | undefined;
}

/** Chooses several of many, in an order. */
export function Picker({ label, options, chosen, onChange, firstIs }: PickerProps): ReactElement {
  const wordsOf = (value: string): string => options.find((one) => one.value === value)?.words ?? value;
  return (
    <div className="picker">
      <Field label={label}>
        {(id) => (
          <select id={id} value="" onChange={({ target }) => onChange([...chosen, target.value])}>
            <option value="" disabled>
              add …
            </option>
            {options
              .filter((one) => !chosen.includes(one.value))
              .map((one) => (
                <option key={one.value} value={one.value}>
                  {one.words}
                </option>
              ))}
          </select>
        )}
      </Field>
      <ul aria-label={`chosen ${label.toLowerCase()}`}>
        {chosen.map((value, at) => (
          <li key={value} className="tag">
            {wordsOf(value)}
            {at === 0 && firstIs !== undefined && <small>{firstIs}</small>}
            <button
              type="button"
              className="plain"
              aria-label={`remove ${wordsOf(value)}`}
              onClick={() => onChange(chosen.filter((one) => one !== value))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
