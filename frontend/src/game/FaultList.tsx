import type { ReactElement } from "react";
import type { Fault } from "../api/types";

interface FaultListProps {
  faults: Fault[];
  onGo?: (fault: Fault) => void;
}

/** What is wrong with rules, each with its line. */
export function FaultList({ faults, onGo }: FaultListProps): ReactElement {
  return (
    <ul className="faults">
      {faults.map((fault, at) => (
        <li key={at} className={fault.severity}>
          {fault.line !== null &&
            (onGo ? (
              <button type="button" className="plain" onClick={() => onGo(fault)}>
                line {fault.line}
              </button>
            ) : (
              <b>line {fault.line}</b>
            ))}
          <span>
            {fault.message} {fault.hint && <small>{fault.hint}</small>}
          </span>
        </li>
      ))}
    </ul>
  );
}
