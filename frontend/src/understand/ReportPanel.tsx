import { type ReactElement, useEffect, useState } from "react";
import { type ApiError, get, send } from "../api/client";
import { asApiError } from "../api/resource";
import type { GameLine, Job } from "../api/types";
import { Trouble } from "../look/parts";

/** The designer's report: asked for, followed while it is made, shown. */
export function ReportPanel({ game }: { game: GameLine }): ReactElement {
  const [job, setJob] = useState<Job>({ state: "waiting", progress: 0, result: null });
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    let isWanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = async (name: string): Promise<void> => {
      const found = await get<Job>(`/jobs/${encodeURIComponent(name)}`);
      if (!isWanted) return;
      setJob(found);
      const isDone = found.result !== null || /done|failed|error|over/.test(found.state);
      if (!isDone) timer = setTimeout(() => void follow(name).catch(fail), 500);
    };
    const fail = (caught: unknown): void => {
      if (isWanted) setError(asApiError(caught));
    };
    send<{ job: string }>("POST", `/games/${encodeURIComponent(game.id)}/report`)
      .then(({ job }) => follow(job))
      .catch(fail);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [game.id]);
  const { result } = job;
  return (
    <section className="report" aria-label="designer's report">
      <h2>Report</h2>
      {error && <Trouble error={error} />}
      {!error && !result && (
        <p role="status">
          <progress max={1} value={job.progress} aria-label="progress of the report" />{" "}
          {/failed|error/.test(job.state) ? (job.error ?? "The games could not be played.") : `${Math.round(100 * job.progress)} %`}
        </p>
      )}
      {result && (
        <dl className="figures">
          <Figure name="Quick games" value={result.games.toLocaleString("en")} />
          <Figure name="Steps" value={fixed(result.length.mean)} more={`${result.length.low} to ${result.length.high}`} />
          <Figure name="Moves to choose from" value={fixed(result.branching)} />
          <Figure name="Decided" value={`${Math.round(100 * result.decisive)} %`} more="with one winner" />
          {(result.unfinished ?? 0) > 0 && (
            <Figure name="Given up" value={`${Math.round(100 * (result.unfinished ?? 0))} %`} more="too long, or no move" />
          )}
          {Object.entries(result.seats).map(([role, mean]) => (
            <Figure key={role} name={role} value={fixed(mean)} more="of 100 on average" bar={mean} />
          ))}
        </dl>
      )}
    </section>
  );
}

const fixed = (value: number): string => (Math.round(10 * value) / 10).toLocaleString("en");

function Figure({ name, value, more, bar }: { name: string; value: string; more?: string; bar?: number }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <b>{value}</b> {more !== undefined && <small>{more}</small>}
        {bar !== undefined && <meter min={0} max={100} value={bar} aria-label={`mean result of ${name}`} />}
      </dd>
    </div>
  );
}
