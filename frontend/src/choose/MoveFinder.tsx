/* The list of all moves, searched and typed: it works for every game and without a pointer. */
import { type KeyboardEvent, type ReactElement, useId, useMemo, useState } from "react";
import type { MoveChoice } from "../api/types";
import { matchTyped } from "./typed";

interface MoveFinderProps {
  choices: MoveChoice[];
  isPremove: boolean;
  /** Whether the list waits until something is typed. */
  isShort: boolean;
  onChoose: (choice: MoveChoice) => void;
}

const MOST_SHOWN = 300;

export function MoveFinder({ choices, isPremove, isShort, onChoose }: MoveFinderProps): ReactElement {
  const [text, setText] = useState("");
  const [at, setAt] = useState(-1);
  const [isUnknown, setUnknown] = useState(false);
  const id = useId();
  const { exact, possible } = useMemo(() => matchTyped(choices, text), [choices, text]);
  const isOpen = !isShort || text !== "";
  const shown = isOpen ? possible.slice(0, MOST_SHOWN) : [];
  const active = at >= 0 && at < shown.length ? at : -1;

  const choose = (choice: MoveChoice): void => {
    setText("");
    setAt(-1);
    onChoose(choice);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const to = Math.max(-1, Math.min(shown.length - 1, active + (event.key === "ArrowDown" ? 1 : -1)));
      setAt(to);
      document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Escape") {
      setText("");
      setAt(-1);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const wanted = shown[active] ?? exact;
      if (wanted && (active >= 0 || text.trim() !== "")) choose(wanted);
      else setUnknown(text.trim() !== "");
    }
  };

  return (
    <div className="move-finder">
      <label htmlFor={`${id}-text`}>{isPremove ? "Prepare a move" : "Type or search a move"}</label>
      <input
        id={`${id}-text`}
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(active >= 0 ? { "aria-activedescendant": `${id}-${active}` } : {})}
        aria-invalid={isUnknown}
        placeholder={example(choices)}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(-1);
          setUnknown(false);
        }}
        onKeyDown={onKeyDown}
      />
      {isUnknown && (
        <p className="remark" role="alert">
          {possible.length === 0 ? "No legal move is written like this." : `${possible.length} moves match: write more, or choose one.`}
        </p>
      )}
      <ul id={`${id}-list`} role="listbox" aria-label="moves" tabIndex={shown.length > 0 ? 0 : -1}>
        {shown.map((choice, number) => (
          <li
            key={choice.move}
            id={`${id}-${number}`}
            role="option"
            aria-selected={number === active}
            onClick={() => choose(choice)}
          >
            {choice.words}
          </li>
        ))}
      </ul>
      {possible.length === 0 && <p className="quiet">No legal move is written like this.</p>}
      {isOpen && possible.length > shown.length && <p className="quiet">and {possible.length - shown.length} more</p>}
    </div>
  );
}

function example(choices: MoveChoice[]): string {
  const first = choices.find((choice) => !choice.waits) ?? choices[0];
  if (!first) return "";
  const short = [...first.writings, first.words].sort((one, other) => one.length - other.length)[0];
  return `such as ${short ?? first.words}`;
}
