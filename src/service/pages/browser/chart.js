/**
 * The chart of a turbine: each month against its season as bars, the last 12 months as a line, and the 100 % line.
 *
 * @module
 */
import { svg } from "./dom.js";
import { describeChart, figure } from "./figures.js";
import { formatMonth } from "./months.js";

/** @typedef {import("./months.js").Month} Month */

const WIDTH = 360;
const HEIGHT = 156;
const PLOT = { left: 38, right: 354, top: 20, bottom: 134 };

/** Lowest top of the scale, %, so that charts beside each other have the same scale. */
const MIN_TOP = 200;

let charts = 0;

/** @param {readonly Month[]} months */
function findTop(months) {
  const highest = Math.max(
    0,
    ...months.flatMap(({ abnormality, last12 }) => [abnormality ?? 0, last12 ?? 0]),
  );
  return Math.max(MIN_TOP, 100 * Math.ceil(highest / 100));
}

/**
 * @param {number} top
 * @param {(value: number) => number} y
 */
function grid(top, y) {
  const values = Array.from({ length: top / 100 + 1 }, (_, i) => 100 * i);
  return values.flatMap((value) => [
    svg("line", {
      class: value === 100 ? "normal" : "grid",
      x1: PLOT.left,
      x2: PLOT.right,
      y1: y(value),
      y2: y(value),
    }),
    svg(
      "text",
      { class: "axis", x: PLOT.left - 6, y: y(value) + 4, "text-anchor": "end" },
      `${value}`,
    ),
  ]);
}

/**
 * Names each January by its year.
 *
 * @param {readonly Month[]} months
 * @param {number} step
 */
function years(months, step) {
  return months.flatMap(({ year, month }, i) => {
    if (month !== 1) return [];
    const x = PLOT.left + i * step;
    const tick = svg("line", { class: "grid", x1: x, x2: x, y1: PLOT.bottom, y2: PLOT.bottom + 6 });
    if (x > PLOT.right - 28) return [tick];
    return [tick, svg("text", { class: "axis", x: x + 3, y: PLOT.bottom + 17 }, `${year}`)];
  });
}

/**
 * Points of a line, in one piece for each run of months that have a value.
 *
 * @param {readonly Month[]} months
 * @param {number} step
 * @param {(value: number) => number} y
 */
function drawLine(months, step, y) {
  let path = "";
  let pen = "M";
  months.forEach(({ last12 }, i) => {
    if (last12 === null) pen = "M";
    else {
      path += `${pen}${PLOT.left + (i + 0.5) * step} ${y(last12)}`;
      pen = "L";
    }
  });
  return svg("path", { class: "last12", d: path });
}

/**
 * @param {readonly Month[]} months
 * @param {number} step
 * @param {(value: number) => number} y
 * @param {string} hatching Address of the pattern of preliminary months
 */
function bars(months, step, y, hatching) {
  return months.flatMap((month, i) => {
    const { abnormality, preliminary } = month;
    if (abnormality === null) return [];
    const bar = svg("rect", {
      class: preliminary ? "bar preliminary" : "bar",
      x: PLOT.left + (i + 0.12) * step,
      y: y(abnormality),
      width: 0.76 * step,
      height: PLOT.bottom - y(abnormality),
      fill: preliminary ? hatching : undefined,
    });
    const mark = preliminary ? " (preliminary)" : "";
    bar.append(svg("title", {}, `${formatMonth(month)}${mark}: ${figure(abnormality)}`));
    return [bar];
  });
}

/** @param {string} id */
function buildHatching(id) {
  const pattern = svg("pattern", {
    id,
    width: 4,
    height: 4,
    patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(45)",
  }, svg("rect", { class: "hatch", width: 2, height: 4 }));
  return svg("defs", {}, pattern);
}

/**
 * Draws the chart, with its description in words for screen readers.
 *
 * @param {readonly Month[]} months
 * @param {string} mark Text in the picture itself: SYNTHETIC, or nothing
 */
export function chart(months, mark) {
  const id = `hatching-${++charts}`;
  const top = findTop(months);
  const step = (PLOT.right - PLOT.left) / months.length;
  /** @param {number} value */
  const y = (value) => PLOT.bottom - (PLOT.bottom - PLOT.top) * value / top;
  return svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": describeChart(months),
    },
    buildHatching(id),
    svg("text", { class: "stamp", x: PLOT.right, y: 12, "text-anchor": "end" }, mark),
    ...bars(months, step, y, `url(#${id})`),
    ...grid(top, y),
    ...years(months, step),
    drawLine(months, step, y),
    svg(
      "text",
      { class: "axis", x: PLOT.left - 6, y: PLOT.bottom + 17, "text-anchor": "end" },
      "%",
    ),
  );
}
