/**
 * Outlines of land and borders as paths of a picture.
 *
 * @module
 */
import { northing } from "./map_view.js";

/** @typedef {import("../map_assets.ts").Outlines} OutlinesFile */
/** @typedef {import("./map_view.js").MapView} MapView */

/** Points nearer to the previous one are left out, px. */
const MIN_STEP = 0.6;

/**
 * A line on the map with the box around it.
 *
 * @typedef {object} Line
 * @property {Float64Array} points Longitude and northing in turn, deg
 * @property {[west: number, south: number, east: number, north: number]} box
 */

/** @param {readonly number[]} flat Longitude and latitude in turn, deg @returns {Line} */
function projectLine(flat) {
  const points = Float64Array.from(flat, (value, i) => i % 2 === 0 ? value : northing(value));
  /** @type {Line["box"]} */
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    box[0] = Math.min(box[0], points[i]);
    box[1] = Math.min(box[1], points[i + 1]);
    box[2] = Math.max(box[2], points[i]);
    box[3] = Math.max(box[3], points[i + 1]);
  }
  return { points, box };
}

/**
 * @param {OutlinesFile} file
 * @returns {{ land: Line[], borders: Line[] }}
 */
export function readOutlines({ land, borders }) {
  return { land: land.map(projectLine), borders: borders.map(projectLine) };
}

/**
 * @param {Line} line
 * @param {MapView} view
 * @param {number} turn Degrees by which the line is moved round the earth
 */
function buildPath({ points }, view, turn) {
  let path = "";
  let [lastX, lastY] = [Infinity, Infinity];
  for (let i = 0; i < points.length; i += 2) {
    const x = (points[i] + turn - view.west) * view.scale;
    const y = (view.north - points[i + 1]) * view.scale;
    if (Math.abs(x - lastX) + Math.abs(y - lastY) < MIN_STEP) continue;
    path += `${path ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    [lastX, lastY] = [x, y];
  }
  return path;
}

/**
 * Data of a path with the lines that a view shows.
 *
 * @param {readonly Line[]} lines
 * @param {MapView} view
 * @param {boolean} closed Whether each line ends where it begins
 */
export function buildOutlinePath(lines, view, closed) {
  const east = view.west + view.size.width / view.scale;
  const south = view.north - view.size.height / view.scale;
  let path = "";
  for (const line of lines) {
    const [left, bottom, right, top] = line.box;
    if (top < south || bottom > view.north) continue;
    for (const turn of [-360, 0, 360]) {
      if (right + turn < view.west || left + turn > east) continue;
      path += buildPath(line, view, turn) + (closed ? "Z" : "");
    }
  }
  return path;
}
