import { type FormEvent, type ReactElement, useEffect, useRef, useState } from "react";
import type { ChatLine } from "../api/types";

interface ChatProps {
  lines: ChatLine[];
  canWrite: boolean;
  onSay: (text: string) => Promise<boolean>;
}

/** The chat of a match; each visitor can switch it off. */
export function Chat({ lines, canWrite, onSay }: ChatProps): ReactElement {
  const [text, setText] = useState("");
  const [isOff, setOff] = useState(false);
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [lines.length, isOff]);
  const say = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const said = text.trim();
    if (said === "") return;
    if (await onSay(said)) setText("");
  };
  return (
    <section className="chat" aria-label="chat">
      <div className="chat-head">
        <h2>Chat</h2>
        <button type="button" className="plain" aria-pressed={isOff} onClick={() => setOff(!isOff)}>
          {isOff ? "Show" : "Hide"}
        </button>
      </div>
      {!isOff && (
        <>
          <div className="chat-log" role="log" ref={log} tabIndex={0} aria-label="messages">
            {lines.length === 0 && <p className="quiet">Nobody has said anything.</p>}
            {lines.map((line, at) => (
              <p key={at}>
                <b>{line.by}</b> {line.text}
              </p>
            ))}
          </div>
          {canWrite && (
            <form onSubmit={(event) => void say(event)}>
              <input
                aria-label="message"
                placeholder="Say something"
                maxLength={400}
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
              <button type="submit">Send</button>
            </form>
          )}
        </>
      )}
    </section>
  );
}
