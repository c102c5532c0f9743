// A line chart as SVG, with its legend, and its numbers as a table behind it.
import { element, shape, show, table } from "./tables.js";

const HEIGHT = 190;
const EDGE = { top: 10, bottom: 24 };
const LISTED = 12; // rows of the table

// Round numbers, in units of `unit`, that divide a range into about `parts` and enclose it; `least` is between two.
function ticks(low, high, parts, unit, least) {
  const rough = (high - low) / parts / unit;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = unit * power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const step = Math.max(round, least);
  const found = [];
  for (let i = Math.floor(low / step + 1e-9); found.length < 2 || found.at(-1) < high - step * 1e-9; i += 1) found.push(i * step + 0);
  return found;
}

function range(values, fromZero) {
  const low = fromZero ? 0 : Math.min(...values);
  const high = Math.max(...values);
  if (high - low > 1e-12 * Math.abs(high)) return [low, high];
  const room = 0.05 * Math.abs(high) || 1;
  return [fromZero ? 0 : low - room, high + room];
}

export class Chart {
  // x, y: functions that write a number; fromZero: whether the axis begins at 0; unit: of round numbers
  // up to a maximum; least: between two of them
  constructor(place, title, { x, y, fromZero = true, xTitle, unit = () => 1, least = 0 }) {
    Object.assign(this, { title, x, y, fromZero, xTitle, unit, least });
    this.legend = element("ul", { className: "legend" });
    this.svg = shape("svg", { role: "img", focusable: "false" });
    this.behind = element("div");
    this.summary = element("summary");
    this.heading = element("h3");
    this.details = element("details", {}, this.summary, this.behind);
    this.details.addEventListener("toggle", () => this.list());
    const figure = element("figure", {}, this.legend, this.svg, this.details);
    place.append(element("section", { className: "card" }, this.heading, figure));
    this.rename(title);
  }

  rename(title) {
    if (this.heading.textContent === title) return;
    this.title = this.heading.textContent = title;
    this.summary.textContent = `Table: ${title}`;
  }

  // series: [{name, points: [[x, y], …]}]; events: places on the x axis
  draw(series, events = []) {
    this.series = series.map((one) => ({ ...one, points: one.points.filter(([, y]) => Number.isFinite(y)) }));
    const points = this.series.flatMap((one) => one.points);
    const last = this.series.map((one) => `${one.name} ${this.y(one.points.at(-1)?.[1])}`);
    const items = last.map((text, i) => element("li", { className: i ? "second" : "" }, text));
    if (events.length) items.push(element("li", { className: "drift" }, "drift"));
    show(this.legend, ...items);
    this.svg.setAttribute("aria-label", `${this.title}, latest: ${last.join(", ")}`);
    this.svg.replaceChildren(...(points.length ? this.shapes(points, events) : [shape("text", { x: 4, y: 30 }, "No figures yet.")]));
    if (this.details.open) this.list();
  }

  shapes(points, events) {
    const width = this.svg.clientWidth || 400;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const [left, right] = range(points.map(([x]) => x), false);
    const [least, most] = range(points.map(([, y]) => y), this.fromZero);
    const marks = ticks(least, most, 4, this.unit(most), this.least);
    const [low, high] = [marks[0], marks.at(-1)];
    const start = 14 + 6.6 * Math.max(...marks.map((mark) => this.y(mark).length));
    const X = (x) => start + ((x - left) / (right - left)) * (width - start - 8);
    const Y = (y) => HEIGHT - EDGE.bottom - ((y - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
    const made = marks.flatMap((mark) => [
      shape("line", { class: "rule", x1: start, x2: width - 8, y1: Y(mark), y2: Y(mark) }),
      shape("text", { x: start - 6, y: Y(mark) + 4, "text-anchor": "end" }, this.y(mark)),
    ]);
    const several = points.some(([x]) => x !== points[0][0]);
    const bottom = HEIGHT - 6;
    if (several) {
      made.push(shape("text", { x: start, y: bottom }, this.x(left)));
      made.push(shape("text", { x: (start + width) / 2, y: bottom, "text-anchor": "middle" }, this.xTitle));
      made.push(shape("text", { x: width - 8, y: bottom, "text-anchor": "end" }, this.x(right)));
    }
    for (const at of events.filter((x) => x >= left && x <= right))
      made.push(shape("line", { class: "event", x1: X(at), x2: X(at), y1: EDGE.top, y2: HEIGHT - EDGE.bottom }));
    this.series.forEach((one, i) => {
      const path = one.points.map(([x, y], k) => `${k ? "L" : "M"}${X(x).toFixed(1)} ${Y(y).toFixed(1)}`).join("");
      made.push(shape("path", { class: i ? "line second" : "line", d: path }));
      if (one.points.length) {
        const [x, y] = one.points.at(-1);
        made.push(shape("circle", { class: i ? "dot second" : "dot", cx: X(x), cy: Y(y), r: 3.5 }));
      }
    });
    return made;
  }

  list() {
    const [first] = this.series ?? [];
    if (!this.details.open || !first) return;
    const every = Math.max(Math.ceil(first.points.length / LISTED), 1);
    const some = first.points.filter((_, i) => (first.points.length - 1 - i) % every === 0).reverse();
    const others = this.series.map((one) => new Map(one.points));
    const columns = [[this.xTitle], ...this.series.map((one) => [one.name, "number"])];
    show(this.behind, table(this.title, columns, some.map(([x]) => [this.x(x), ...others.map((of) => this.y(of.get(x)))])));
  }
}
