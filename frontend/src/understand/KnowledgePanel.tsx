import { type ReactElement, useEffect } from "react";
import { useResource } from "../api/resource";
import type { Knowledge } from "../api/types";
import { Empty, Loading, Trouble } from "../look/parts";

/** What the viewer's role knows, what it holds for possible, and how likely that is in sampled worlds. */
export function KnowledgePanel({ match, step }: { match: string; step: number }): ReactElement {
  const { data, error, reload } = useResource<Knowledge>(`/matches/${encodeURIComponent(match)}/knowledge`);
  useEffect(reload, [step, reload]);
  if (error) return <Trouble error={error} onRetry={reload} />;
  if (!data) return <Loading what="what you know" />;
  const opinion = data.opinion ?? [];
  return (
    <div className="knowledge">
      <h2>Certain</h2>
      {data.sure.length === 0 ? <Empty>Nothing is certain.</Empty> : <Words words={data.sure} />}
      {opinion.length > 0 ? (
        <>
          <h2>Likely{data.worlds === null ? "" : `, in ${data.worlds} worlds`}</h2>
          <ul className="opinion">
            {opinion.map(({ words, value }) => (
              <li key={words}>
                <span>{words}</span>
                <meter min={0} max={1} value={value} aria-label={`chance of ${words}`} />
                <small>{Math.round(100 * value)} %</small>
              </li>
            ))}
          </ul>
        </>
      ) : (
        data.possible.length > 0 && (
          <>
            <h2>Possible</h2>
            <Words words={data.possible} />
          </>
        )
      )}
    </div>
  );
}

function Words({ words }: { words: string[] }): ReactElement {
  return (
    <p className="words">
      {words.map((one) => (
        <span key={one}>{one}</span>
      ))}
    </p>
  );
}
