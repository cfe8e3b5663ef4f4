/**
 * The charts of the page as small SVG, redrawn with each move.
 */
import { CURVE_STEP } from "./model.ts";

/** Area of the marks in a view of 480 x 240. */
const AREA = { left: 44, right: 472, top: 10, bottom: 214 };

/** Highest wind speed, m/s. */
const FASTEST = 30;

/** @param {number} share */
const across = (share) => AREA.left + share * (AREA.right - AREA.left);

/** @param {number} share */
const up = (share) => AREA.bottom - share * (AREA.bottom - AREA.top);

/** @param {number} top @param {number} step */
function drawScale(top, step) {
  let lines = "";
  for (let value = 0; value <= top; value += step) {
    const y = up(value / top);
    lines += `<path class="rule" d="M${AREA.left} ${y}H${AREA.right}"/>` +
      `<text x="${AREA.left - 6}" y="${y + 4}" text-anchor="end">${value}</text>`;
  }
  return lines;
}

/** @param {number} x @param {string} text */
const below = (x, text) =>
  `<text x="${x}" y="${AREA.bottom + 18}" text-anchor="middle">${text}</text>`;

/**
 * Draws a power curve over the declared points.
 *
 * @param {HTMLElement} svg
 * @param {readonly number[]} curve
 * @param {readonly { readonly wind_speed: number, readonly power: number }[]} declared
 */
export function drawCurve(svg, curve, declared) {
  const step = 100;
  const highest = Math.max(...curve, ...declared.map(({ power }) => power));
  const top = Math.ceil(highest * 1.02 / step) * step;
  /** @param {number} speed @param {number} power */
  const place = (speed, power) =>
    `${across(speed / FASTEST).toFixed(1)} ${up(power / top).toFixed(1)}`;
  const dots = declared.map(({ wind_speed, power }) => `M${place(wind_speed, power)}h0`).join("");
  const line = curve.map((power, i) => place(i * CURVE_STEP, power)).join("L");
  svg.innerHTML = drawScale(top, step) +
    [0, 5, 10, 15, 20, 25].map((speed) => below(across(speed / FASTEST), String(speed))).join("") +
    below(across(1) - 16, "m/s") +
    `<path class="line" d="M${line}"/><path class="dots" d="${dots}"/>`;
  svg.setAttribute("aria-label", `Power curve, at most ${Math.max(...curve).toFixed(0)} kW`);
}

/**
 * Draws bars of indices, %, with a line at 100.
 *
 * @param {HTMLElement} svg
 * @param {readonly { readonly name: string, readonly value: number, readonly mark?: number, readonly dark: boolean }[]} bars
 */
export function drawBars(svg, bars) {
  const step = 25;
  const top = step *
    Math.ceil(Math.max(125, ...bars.flatMap(({ value, mark = 0 }) => [value, mark])) / step);
  const width = (AREA.right - AREA.left) / bars.length;
  const drawn = bars.map(({ name, value, mark, dark }, i) => {
    const x = AREA.left + (i + 0.15) * width;
    const y = up(value / top);
    const bar =
      `<rect class="${dark ? "bar dark" : "bar"}" x="${x}" y="${y}" width="${0.7 * width}" ` +
      `height="${AREA.bottom - y}"/>`;
    const before = mark === undefined
      ? ""
      : `<path class="mark" d="M${x - 0.1 * width} ${up(mark / top)}h${0.9 * width}"/>`;
    return bar + before + below(x + 0.35 * width, name);
  });
  svg.innerHTML = drawScale(top, step) + drawn.join("") +
    `<path class="normal" d="M${AREA.left} ${up(100 / top)}H${AREA.right}"/>`;
  svg.setAttribute(
    "aria-label",
    `Index in %, in order: ${bars.map(({ value }) => value.toFixed(0)).join(", ")}`,
  );
}
