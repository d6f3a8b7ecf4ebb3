/* Facts by their relation: amounts as rows of tokens, dice and cards as they look, all others in words. */
import type { ReactElement } from "react";
import type { FactGroup } from "../api/types";
import { Card } from "../cards/Card";

/** Amounts above this are a bar with their number. */
const MOST_TOKENS = 24;
/** Where the dots of a die are, in thirds: columns and rows from 0 to 2. */
const DOTS: Record<number, [number, number][]> = {
  1: [[1, 1]],
  2: [[0, 2], [2, 0]],
  3: [[0, 2], [1, 1], [2, 0]],
  4: [[0, 0], [0, 2], [2, 0], [2, 2]],
  5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]],
  6: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
};

/** Facts beside the board or, without one, as the picture itself. */
export function Facts({ facts, isMain }: { facts: FactGroup[]; isMain: boolean }): ReactElement {
  const list = (
    <dl className={isMain ? "facts main" : "facts"}>
      {facts.map((group, at) => (
        <div key={group.name + at}>
          {group.name !== "" && <dt>{group.name}</dt>}
          <dd>
            <Entries group={group} />
          </dd>
        </div>
      ))}
    </dl>
  );
  if (isMain) return list;
  const isShort = facts.reduce((sum, group) => sum + group.entries.length, 0) <= 12;
  return (
    <details className="what-else" open={isShort}>
      <summary>What else holds</summary>
      {list}
    </details>
  );
}

function Entries({ group }: { group: FactGroup }): ReactElement {
  if (group.amounts.length > 0) return <Amounts amounts={group.amounts} />;
  if (group.dice.length > 0) {
    return <DiceRow dice={group.dice} />;
  }
  if (group.cards.length > 0) {
    return (
      <span className="drawn">
        {group.cards.map((face) => (
          <Card key={face.words} face={face} />
        ))}
      </span>
    );
  }
  return (
    <>
      {group.entries.map((entry, number) => (
        <span key={entry + number}>{entry === "" ? "yes" : entry}</span>
      ))}
    </>
  );
}

/** The dice of a board game, which lie beside the board. */
export function TableDice({ facts }: { facts: FactGroup[] }): ReactElement | null {
  const groups = facts.filter((group) => group.dice.length > 0);
  if (groups.length === 0) return null;
  return (
    <div className="table-dice" role="group" aria-label="dice">
      {groups.map((group) => (
        <p key={group.name}>
          <span>{group.name}</span> <DiceRow dice={group.dice} />
        </p>
      ))}
    </div>
  );
}

function DiceRow({ dice }: { dice: FactGroup["dice"] }): ReactElement {
  return (
    <>
      {dice.map(({ label, faces }, at) => (
        <span key={at} className="drawn">
          {label !== "" && <b>{label}</b>}
          {faces.map((face, number) => (
            <Die key={number} face={face} />
          ))}
        </span>
      ))}
    </>
  );
}

function Amounts({ amounts }: { amounts: FactGroup["amounts"] }): ReactElement {
  const most = Math.max(1, ...amounts.map((one) => one.count));
  return (
    <ul className="amounts">
      {amounts.map(({ label, count }, at) => (
        <li key={label + at}>
          {label !== "" && <b>{label}</b>}
          <span className="tokens" aria-hidden="true">
            {most <= MOST_TOKENS ? (
              Array.from({ length: count }, (_, number) => <i key={number} />)
            ) : (
              <em style={{ width: `${(100 * count) / most}%` }} />
            )}
          </span>
          <output>{count}</output>
        </li>
      ))}
    </ul>
  );
}

function Die({ face }: { face: number }): ReactElement {
  return (
    <svg className="die" viewBox="0 0 36 36" role="img" aria-label={`die showing ${face}`}>
      <rect x="1" y="1" width="34" height="34" rx="7" />
      {(DOTS[face] ?? []).map(([column, row]) => (
        <circle key={`${column} ${row}`} cx={9 + 9 * column} cy={9 + 9 * row} r="3.4" />
      ))}
    </svg>
  );
}
