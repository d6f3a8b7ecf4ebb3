
"use strict";
/* Steps through the match. Everything a record says goes in as text. */
const match = JSON.parse(byId("match").textContent);
const frames = match.frames, end = frames.length - 1;
const rows = [...document.querySelectorAll("#moves [data-step]")].map(item => item.firstElementChild);
const board = match.grid && new Board(match.grid);
const cardTable = match.pack.length || frames.some(frame => frame.cards) ? new CardTable(match.pack) : null;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/* The record says what changes in each step; here each state is put together once. */
const states = [];
{
  let cells = board ? board.cells.map(() => []) : [], facts = new Set();
  for (const frame of frames) {
    cells = cells.slice();
    facts = new Set(facts);
    frame.cells.forEach(([place, contents]) => { cells[place] = contents; });
    frame.gone.forEach(fact => facts.delete(fact));
    frame.come.forEach(fact => facts.add(fact));
    states.push({cells, facts: [...facts].sort((one, other) => one - other)});
  }
}

let at = -1, timer = null, noting = null;

function drawBoard(before) {
  if (!board) return;
  const {cells} = states[at], old = before < 0 ? null : states[before].cells;
  const changed = cells.map((_, place) => place).filter(place => !old || String(old[place]) !== String(cells[place]));
  changed.forEach(place => board.put(place, cells[place]));
  board.mark(frames[at].last);
  board.describe(cells);
  if (old && !still.matches && Math.abs(at - before) === 1) animate(changed, old, cells);
}

/* Of a folded run of steps only the last is stopped at, unless a reader goes there by a row or the slider. */
const passed = new Set(match.folds.flatMap(([first, last]) => Array.from({length: last - first}, (_, n) => first + n)));
const folded = new Map(match.folds.map(([, last, text]) => [last, text]));
function stop(from, by) {
  let to = from;
  for (let left = Math.abs(by); left > 0; left--) {
    do to += Math.sign(by); while (passed.has(to));
  }
  return Math.max(0, Math.min(to, end));
}

/* A piece that left a place for another one in the same step has gone there. */
function animate(changed, old, cells) {
  const left = changed.filter(place => old[place].length && old[place][0] !== cells[place][0]);
  const came = changed.filter(place => cells[place].length && old[place][0] !== cells[place][0]);
  if (came.length > 6) return;
  for (const place of came) {
    const from = left.findIndex(other => other !== place && old[other][0] === cells[place][0]);
    board.glide(place, from < 0 ? null : left.splice(from, 1)[0]);
  }
}

const sentence = text => text.charAt(0).toUpperCase() + text.slice(1) + ".";
const MEANINGS = {IL: "the move was not legal", TO: "the answer came too late", CE: "the player could not be heard"};

function drawNotes(frame) {
  const lines = [];
  const add = (name, text, kind) => {
    const line = make("p", undefined, kind);
    line.append(make("b", name), " ", make("span", text, kind === "hears" ? "told" : ""));
    lines.push(line);
  };
  const plain = text => lines.push(make("p", text));
  if (folded.has(at)) plain(sentence(folded.get(at)));
  else if (frame.said.length) frame.said.forEach(plain);
  else if (frame.cards && at && !frame.moves.length) plain(rows[at].lastElementChild.textContent);
  else frame.moves.forEach(([role, move]) => add(role, move));
  frame.errors.forEach(([role, text]) => {
    add(role, text, "fault");
    const meaning = MEANINGS[text.split(" ")[0]];
    if (meaning) lines.at(-1).append(" ", make("small", "(" + meaning + ")"));
  });
  frame.told.forEach(([role, text]) => add(role + " is told", text, "hears"));
  if (frame.ms >= 100) lines.push(make("p", "after " + (frame.ms / 1000).toFixed(1) + " s", "soft"));
  if (at === end) match.goals.forEach(([role, value]) => add(role + "'s goal", value, "goal"));
  if (frame.hidden) lines.push(make("p", "The state is hidden from this role.", "soft"));
  if (!at && !lines.length) lines.push(make("p", "The start.", "soft"));
  byId("notes").replaceChildren(...lines);
}

function drawFacts() {
  const groups = new Map();
  const fresh = at > 0 && !frames[at - 1].hidden ? new Set(frames[at].come) : new Set();
  for (const number of states[at].facts) {
    const [name, words] = match.facts[number];
    const group = words === "" ? "" : name;
    const fact = make("span", undefined, fresh.has(number) ? "new" : "");
    fact.append(...(board ? [words || name] : withCards(words || name)));
    if (fresh.has(number)) fact.title = "new in this step";
    groups.set(group, [...(groups.get(group) || []), fact]);
  }
  byId("rest").hidden = !groups.size;
  byId("facts").replaceChildren(...[...groups].flatMap(([name, facts]) => {
    const line = make("dd");
    line.append(...facts);
    return [make("dt", name), line];
  }));
}

/* The row of a step, and the line that it is folded into. */
function rowShown(step) {
  const fold = rows[step].closest("details");
  return fold ? [rows[step], fold.firstElementChild] : [rows[step]];
}

function markRow(before) {
  if (rows[before]) rowShown(before).forEach(row => { row.removeAttribute("aria-current"); row.tabIndex = -1; });
  const list = byId("moves");
  rowShown(at).forEach(row => row.setAttribute("aria-current", "step"));
  const row = rowShown(at).find(row => row.offsetParent) || rows[at];
  row.tabIndex = 0;
  // Scrolls the list alone: the page must not jump away from the board.
  const box = row.getBoundingClientRect(), top = box.top - list.getBoundingClientRect().top + list.scrollTop;
  const bottom = top + box.height;
  if (top < list.scrollTop) list.scrollTop = top - 4;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight + 4;
}

/* Browsers refuse an address that changes too often, as it would with a key held down. */
function noteAddress() {
  clearTimeout(noting);
  noting = setTimeout(() => history.replaceState(null, "", "#" + at), 250);
}

function show(step, quiet) {
  const before = at, wanted = Math.max(0, Math.min(step, end));
  if (wanted === at) return;
  at = wanted;
  const frame = frames[at];
  if (frame.cards) byId("board").replaceChildren(...cardTable.draw(frame, frames[before])); else drawBoard(before);
  drawNotes(frame);
  drawFacts();
  markRow(before);
  const said = frame.moves.map(([role, move]) => role + " " + move).join(", ");
  byId("slider").value = at;
  byId("slider").setAttribute("aria-valuetext", "step " + at + (said ? ": " + said : ""));
  byId("where").textContent = "step " + at + " of " + end;
  if (!quiet) noteAddress();
}

function run(wanted) {
  clearInterval(timer);
  timer = null;
  if (wanted) {
    if (at === end) show(0);
    timer = setInterval(() => { if (at < end) show(stop(at, 1)); if (at === end) run(false); }, Number(byId("speed").value));
  }
  byId("run").setAttribute("aria-label", wanted ? "stop" : "play");
  byId("run-icon").setAttribute("d", wanted ? "M5 4h4v12H5zM11 4h4v12h-4z" : "M5 3v14l12-7z");
}

const go = step => { run(false); show(step); };
byId("first").onclick = () => go(0);
byId("back").onclick = () => go(stop(at, -1));
byId("on").onclick = () => go(stop(at, 1));
byId("last").onclick = () => go(end);
byId("run").onclick = () => run(timer === null);
byId("speed").onchange = () => run(timer !== null);
byId("slider").oninput = event => go(Number(event.target.value));
document.addEventListener("click", event => {
  const target = event.target.closest("[data-step]");
  if (target) go(Number(target.dataset.step));
});

/* Keys work wherever the reader is, but not against the browser's own, nor against a control in focus. */
document.addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select")) return;
  const inList = event.target.closest("#moves");
  const steps = {ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10};
  if (inList) Object.assign(steps, {ArrowUp: -1, ArrowDown: 1});
  if (event.key in steps) go(stop(at, steps[event.key]));
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(end);
  else if (event.key === " " && !event.target.closest("button, input, summary")) run(timer === null);
  else return;
  event.preventDefault();
  if (inList) (rowShown(at).find(row => row.offsetParent) || rows[at]).focus({preventScroll: true});
});
const wanted = () => location.hash.length > 1 ? Number(location.hash.slice(1)) || 0 : match.start;
addEventListener("hashchange", () => show(wanted(), true));

/* Red ticks under the slider where something went wrong. */
frames.forEach((frame, step) => {
  if (!frame.errors.length) return;
  const tick = byId("slide").appendChild(make("i"));
  tick.style.left = `calc(8px + (100% - 16px) * ${end ? step / end : 0})`;
});
if (board) byId("board").append(board.svg); else if (!cardTable) document.body.classList.add("no-board");
if (!board && !cardTable) byId("board").append(byId("rest"));
byId("rest").open = !board;
byId("steps").hidden = false;
show(wanted(), true);
