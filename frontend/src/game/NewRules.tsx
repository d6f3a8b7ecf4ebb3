import { type ChangeEvent, type FormEvent, type ReactElement, useRef, useState } from "react";
import { type ApiError, send } from "../api/client";
import { asApiError } from "../api/resource";
import type { Fault, GameLine } from "../api/types";
import { Field, Trouble, useTitle } from "../look/parts";
import { gamePath, goTo } from "../routes";
import { FaultList } from "./FaultList";

const LANGUAGE_OF_ENDING: Record<string, string> = { kif: "gdl", gdl: "gdl", wdl: "wdl", fcdl: "fcdl" };
const LARGEST = 1_000_000;
/** Line height of the text, in pixels, as in the style sheet: faults are shown beside their line. */
const LINE = 20;

/** A form for rules of the visitor's own: typed, pasted or from a file. */
export function NewRules(): ReactElement {
  useTitle("Your rules");
  const [text, setText] = useState("");
  const [title, setTitle] = useState("");
  const [language, setLanguage] = useState("");
  const [faults, setFaults] = useState<Fault[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);

  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0];
    if (!file) return;
    if (file.size > LARGEST) {
      setError(asApiError("This file is larger than a megabyte: rules are text of a few pages."));
      return;
    }
    setText(await file.text());
    setTitle((before) => before || file.name.replace(/\.[a-z]+$/i, "").replace(/[_-]+/g, " "));
    setLanguage(LANGUAGE_OF_ENDING[file.name.replace(/^.*\./, "").toLowerCase()] ?? "");
    setFaults([]);
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    setFaults([]);
    try {
      const body = { text, ...(title ? { title } : {}), ...(language ? { language } : {}) };
      const game = await send<GameLine>("POST", "/games", body);
      goTo(gamePath(game.id));
    } catch (caught) {
      const trouble = asApiError(caught);
      setFaults(trouble.faults);
      setError(trouble);
    } finally {
      setBusy(false);
    }
  };

  const goToLine = (fault: Fault): void => {
    const lines = text.split("\n");
    const line = Math.max(1, fault.line ?? 1);
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    area.current?.scrollTo({ top: Math.max(0, (line - 4) * LINE) });
  };

  const marks = new Map(faults.flatMap((fault) => (fault.line === null ? [] : [[fault.line, fault] as const])));
  return (
    <main className="new-rules">
      <h1>Play a game of your own</h1>
      <p className="quiet">
        Paste rules in the Game Description Language (with or without hidden information), in WDL (dice, cards, private parts), or the
        chart of a card game. They are checked before anything is played.
      </p>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <div className="row">
          <Field label="Title">
            {(id) => <input id={id} value={title} maxLength={80} onChange={(event) => setTitle(event.target.value)} />}
          </Field>
          <Field label="Language">
            {(id) => (
              <select id={id} value={language} onChange={(event) => setLanguage(event.target.value)}>
                <option value="">as it looks</option>
                <option value="gdl">GDL, GDL-II</option>
                <option value="wdl">WDL</option>
                <option value="fcdl">chart of a card game</option>
              </select>
            )}
          </Field>
          <Field label="From a file">
            {(id) => <input id={id} type="file" accept=".kif,.gdl,.wdl,.fcdl,.txt,text/plain" onChange={(event) => void read(event)} />}
          </Field>
        </div>
        <div className="editor">
          <div className="gutter" ref={gutter} aria-hidden="true">
            {text.split("\n").map((_, at) => (
              <div key={at} className={marks.get(at + 1)?.severity ?? ""} title={marks.get(at + 1)?.message}>
                {at + 1}
              </div>
            ))}
          </div>
          <textarea
            ref={area}
            aria-label="rules"
            spellCheck={false}
            wrap="off"
            rows={20}
            required
            maxLength={LARGEST}
            placeholder={"(role white)\n(role black)\n(init (cell 1 1 b))\n…"}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setFaults([]);
            }}
            onScroll={(event) => gutter.current?.scrollTo({ top: event.currentTarget.scrollTop })}
          />
        </div>
        {error && <Trouble error={error} />}
        {faults.length > 0 && <FaultList faults={faults} onGo={goToLine} />}
        <div>
          <button type="submit" className="primary" disabled={isBusy || text.trim() === ""}>
            {isBusy ? "Checking …" : "Check and keep"}
          </button>
        </div>
      </form>
    </main>
  );
}
