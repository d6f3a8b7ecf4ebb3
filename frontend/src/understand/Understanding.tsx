/* What the machine thinks of a position, and what a role knows of it. */
import { type ReactElement, useState } from "react";
import type { Analysis, MatchView } from "../api/types";
import { Trouble } from "../look/parts";
import type { Replay } from "../match/useReplay";
import { KnowledgePanel } from "./KnowledgePanel";
import type { AnalysisState } from "./useAnalysis";
import { ValueCurve } from "./ValueCurve";

interface UnderstandingProps {
  view: MatchView;
  analysis: AnalysisState;
  replay: Replay;
  isOver: boolean;
}

export function Understanding({ view, analysis, replay, isOver }: UnderstandingProps): ReactElement | null {
  const [knows, setKnows] = useState(false);
  const people = view.roles.filter((role) => role.kind !== "player" && role.role !== view.viewer);
  const isAllowed = isOver || people.length === 0 || view.viewer === null;
  const canKnow = view.game.hides && view.viewer !== null;
  if (!isAllowed && !canKnow) return null;
  return (
    <section className="understanding" aria-label="understanding">
      <div className="switches">
        {isAllowed && (
          <button type="button" aria-pressed={analysis.isOn} onClick={() => analysis.setOn(!analysis.isOn)}>
            Analysis
          </button>
        )}
        {canKnow && (
          <button type="button" aria-pressed={knows} onClick={() => setKnows(!knows)}>
            What I know
          </button>
        )}
      </div>
      {analysis.isOn && isAllowed && (
        <>
          {analysis.error && <Trouble error={analysis.error} />}
          {analysis.isBusy && <p className="loading">Looking at this position …</p>}
          {analysis.result && <AnalysisPanel analysis={analysis.result} view={view} />}
          {view.moves.length > 0 && <ValueCurve match={view.id} roles={view.roles} replay={replay} />}
        </>
      )}
      {knows && canKnow && <KnowledgePanel match={view.id} step={view.step} />}
    </section>
  );
}

function AnalysisPanel({ analysis, view }: { analysis: Analysis; view: MatchView }): ReactElement {
  const { choices, line, reasons, features, values } = analysis;
  const most = Math.max(1, ...features.map((feature) => Math.abs(feature.value)));
  return (
    <div className="analysis">
      <p className="values">
        {view.roles.map((role) => {
          const value = values[role.role];
          return (
            value !== undefined && (
              <span key={role.role}>
                {role.label} <b>{Math.round(value)}</b>
              </span>
            )
          );
        })}
      </p>
      {choices.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Move</th>
              <th scope="col">Worth</th>
              <th scope="col">Tries</th>
            </tr>
          </thead>
          <tbody>
            {choices.slice(0, 8).map((choice) => (
              <tr key={choice.move}>
                <td>
                  {choice.words}
                  {choice.proven === true && " "}
                  {choice.proven === true && <span className="tag">proven</span>}
                </td>
                <td>
                  {choice.value !== null && (
                    <>
                      <meter min={0} max={100} value={choice.value} aria-label={`worth of ${choice.words}`} /> {Math.round(choice.value)}
                    </>
                  )}
                </td>
                <td>{choice.visits ?? ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {line.length > 0 && (
        <p>
          <span className="quiet">Best play:</span> {line.join(", ")}
        </p>
      )}
      {reasons.length > 0 && (
        <ul className="reasons">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {features.length > 0 && (
        <dl className="features">
          {features.slice(0, 10).map((feature) => (
            <div key={feature.words}>
              <dt>{feature.words}</dt>
              <dd className={feature.value < 0 ? "minus" : "plus"}>
                <i style={{ width: `${(50 * Math.abs(feature.value)) / most}%` }} />
                <span>{feature.value > 0 ? "+" : ""}{Math.round(feature.value * 10) / 10}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
