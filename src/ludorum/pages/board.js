
"use strict";
/* Draws the board as SVG, a unit to a square. Each place is drawn anew only when something on it changes. */
const SVG = "http://www.w3.org/2000/svg";
const element = (tag, attributes, ...children) => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

const byId = id => document.getElementById(id);
const make = (tag, text, kind) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
};

/* Outlines of chessmen on a field of a hundred by a hundred, and lines upon them. */
const BASE = "M24 84h52v8H24z";
const CHESSMEN = {
  pawn: ["M50 20a13 13 0 0 0-8.6 22.8C35 45 33 48 33 51h8.5C41 63 37 71 29 78v6h42v-6c-8-7-12-15-12.5-27H67" +
    "c0-3-2-6-8.4-8.2A13 13 0 0 0 50 20z" + BASE, "M42 51h16"],
  rook: ["M26 18v18l9 8-2 30-7 6v4h48v-4l-7-6-2-30 9-8V18H64v8h-9v-8H45v8h-9v-8z" + BASE, "M35 44h30M33 74h34"],
  bishop: ["M50 9a5.500 5.500 0 0 0-3.500 9.700C37 25 30 35 30 45c0 7 4 12 8.500 15L36 72c-6 2-10 6-10 12h48" +
    "c0-6-4-10-10-12l-2.500-12C66 57 70 52 70 45c0-10-7-20-16.500-26.300A5.500 5.500 0 0 0 50 9z" + BASE,
  "M50 32v16M42 40h16M38 60h24M36 72h28"],
  queen: ["M13 30a5 5 0 1 1 8 2l13 16 1-24a5 5 0 1 1 6-1l9 23 9-23a5 5 0 1 1 6 1l1 24 13-16a5 5 0 1 1 8-2" +
    "L73 66c-2 4-1 8 1 12v6H26v-6c2-4 3-8 1-12z" + BASE, "M29 66c14-4 28-4 42 0M27 76c15-3 31-3 46 0"],
  king: ["M46.500 7h7v6h7v7h-7v10c5-5 18-6 24 1 7 9 0 20-8 29-3 4-2 10 2 18v6H28.500v-6c4-8 5-14 2-18-8-9-15-20-8-29" +
    " 6-7 19-6 24-1V20h-7v-7h7z" + BASE, "M50 32v26M31 62c13-5 25-5 38 0M29 76c14-4 28-4 42 0"],
  knight: ["M28 84c-1-17 15-24 17-37-5 5-9 8-17 9l-8-3c-3-4-3-8 0-12 6-8 9-17 16-22l-1-11 11 8" +
    "c22 1 32 20 32 42 0 10-2 18-4 26z" + BASE, "M37 33l2-3M24 47l3-1M53 24c10 5 15 17 14 32"],
};

const SHAPES = {
  disc: () => [element("circle", {r: .39}), element("circle", {r: .29, class: "detail"})],
  crown: () => [element("circle", {r: .39}),
    element("path", {d: "M-.2 .14L-.24 -.14L-.1 -.02L0 -.2L.1 -.02L.24 -.14L.2 .14z", class: "detail"})],
  cross: () => [element("path", {d: "M-.26 -.26L.26 .26M.26 -.26L-.26 .26"})],
  ring: () => [element("circle", {r: .28})],
  block: () => [element("rect", {x: -.4, y: -.4, width: .8, height: .8, rx: .1})],
  tile: () => [element("rect", {x: -.38, y: -.38, width: .76, height: .76, rx: .12})],
};

function drawPiece(piece) {
  const stroked = piece.shape === "cross" || piece.shape === "ring" ? " stroked" : "";
  const group = element("g", {class: "piece " + piece.colour + stroked});
  if (piece.shape in CHESSMEN) {
    const [outline, lines] = CHESSMEN[piece.shape];
    const man = element("g", {transform: "scale(.0094) translate(-50 -50)"},
      element("path", {d: outline, "stroke-width": 3}), element("path", {d: lines, class: "detail", "stroke-width": 3}));
    man.lastChild.style.strokeWidth = "3px";
    group.append(man);
  } else {
    group.append(...SHAPES[piece.shape]());
  }
  if (piece.text) {
    const label = element("text", {class: "label"}, piece.text);
    if (piece.text.length > 1) label.style.fontSize = (.62 / piece.text.length) + "px";
    group.append(label);
  }
  group.append(element("title", {}, piece.words));
  return group;
}

class Board {
  constructor(grid) {
    this.grid = grid;
    this.width = grid.columns.length;
    this.height = grid.rows.length;
    this.svg = element("svg", {viewBox: `-.6 -.1 ${this.width + .8} ${this.height + .7}`, role: "img"});
    this.svg.classList.add(grid.look);
    // Small boards need not fill the page, and their labels are for reading only.
    this.svg.style.maxWidth = 5.5 * this.width + 3 + "rem";
    const size = Math.min(.34, Math.max(.15, .035 * Math.max(this.width, this.height)));
    this.svg.style.setProperty("--label", size + "px");
    const absent = new Set(grid.absent);
    const ground = this.svg.appendChild(element("g"));
    if (!absent.size) ground.append(element("rect", {class: "ground", width: this.width, height: this.height,
      rx: grid.look === "holes" ? .25 : .04}));
    this.marks = this.svg.appendChild(element("g"));
    this.cells = this.places().map(([x, y], at) => {
      if (absent.has(at)) return null;
      ground.append(...this.square(x, y, absent.size > 0));
      const cell = element("g", {transform: `translate(${x + .5} ${y + .5})`, "data-place": grid.places[at]});
      return this.svg.appendChild(cell);
    });
    grid.columns.forEach((name, x) => this.svg.append(element("text", {x: x + .5, y: this.height + .32}, name)));
    grid.rows.forEach((name, y) => this.svg.append(element("text", {x: -.32, y: y + .5}, name)));
  }

  places() {
    return Array.from({length: this.width * this.height}, (_, at) => [at % this.width, Math.floor(at / this.width)]);
  }

  square(x, y, alone) {
    const shape = kind => element("rect", {x, y, width: 1, height: 1, class: kind});
    const own = alone ? [shape("ground")] : [];
    if (this.grid.look === "holes") return [...own, element("circle", {cx: x + .5, cy: y + .5, r: .42, class: "hole"})];
    if (this.grid.look === "squares") return (x + y + this.height) % 2 ? [...own, shape("shade")] : own;
    return [...own, shape("ruled")];
  }

  /* Puts the numbered contents on a place: the first in the middle, more of them and remarks in a corner. */
  put(at, contents) {
    const cell = this.cells[at];
    if (!cell) return;
    let middle = false, badges = 0;
    cell.replaceChildren(...contents.map(number => {
      const content = this.grid.contents[number], piece = drawPiece(content);
      if (!middle && !content.remark) {
        middle = true;
        return piece;
      }
      const x = .28 - .28 * badges++;
      return element("g", {class: "badge", transform: `translate(${x} .28) scale(.46)`}, piece);
    }));
  }

  mark(places) {
    this.marks.replaceChildren(...places.map(at => {
      const x = at % this.width, y = Math.floor(at / this.width);
      return this.grid.look === "holes" ? element("circle", {cx: x + .5, cy: y + .5, r: .44, class: "last"})
        : element("rect", {x, y, width: 1, height: 1, class: "last"});
    }));
  }

  /* For those who hear the page: what stands where. */
  describe(cells) {
    const words = [];
    cells.forEach((contents, at) => {
      const here = contents.map(number => this.grid.contents[number].words);
      if (here.length) words.push(this.grid.places[at] + " " + here.join(", "));
    });
    this.svg.setAttribute("aria-label", words.length ? "board: " + words.join("; ") : "empty board");
  }

  /* What moved glides there; what is new comes in, from above where pieces are dropped. */
  glide(to, from) {
    const piece = this.cells[to] && this.cells[to].firstChild;
    if (!piece) return;
    let x = 0, y = 0, scale = .6;
    if (from !== null) [x, y, scale] = [from % this.width - to % this.width,
      Math.floor(from / this.width) - Math.floor(to / this.width), 1];
    else if (this.grid.look === "holes") [y, scale] = [-Math.floor(to / this.width) - 1, 1];
    this.svg.appendChild(this.cells[to]);
    piece.animate([{transform: `translate(${x}px, ${y}px) scale(${scale})`}, {transform: "none"}],
      {duration: 160, easing: "ease-out"});
  }
}
