/**
 * Markers of turbines on a map; where they would cover each other there is one for all of them.
 *
 * @module
 */
import { element } from "./dom.js";
import { describeLastMonth, figure } from "./figures.js";
import { findLastIndex } from "./months.js";

/** @typedef {import("./map_view.js").MapView} MapView */
/** @typedef {import("./turbine.js").Turbine} Turbine */
/** @typedef {Turbine & { place: import("./map_view.js").Place }} PlacedTurbine */

/** Turbines at one spot of the picture. @typedef {{ x: number, y: number, turbines: PlacedTurbine[] }} Spot */

/** Room that a marker takes, px: of one turbine its figure is shown, of several how many they are. */
const ROOM = { one: 70, several: 110, height: 36 };

/** @param {{ turbines: readonly unknown[] }} spot */
const widthOf = ({ turbines }) => turbines.length > 1 ? ROOM.several : ROOM.one;

/**
 * Groups turbines whose markers would cover each other, from left to right; the marker of a group is at its middle.
 *
 * @param {readonly PlacedTurbine[]} turbines
 * @param {MapView} view
 * @returns {Spot[]}
 */
export function groupSpots(turbines, view) {
  /** @type {Spot[]} */
  let spots = turbines.map((turbine) => ({ ...view.point(turbine.place), turbines: [turbine] }));
  for (let before = Infinity; spots.length < before;) { // a group has another middle than its parts
    before = spots.length;
    /** @type {Spot[]} */
    const grouped = [];
    for (const spot of spots.toSorted((a, b) => a.x - b.x || a.y - b.y)) {
      const near = grouped.findLastIndex((other) =>
        Math.abs(other.x - spot.x) < (widthOf(other) + widthOf(spot)) / 2 &&
        Math.abs(other.y - spot.y) < ROOM.height
      );
      if (near < 0) grouped.push(spot);
      else grouped[near] = join(grouped[near], spot);
    }
    spots = grouped;
  }
  return spots;
}

/**
 * @param {Spot} a
 * @param {Spot} b
 * @returns {Spot}
 */
function join(a, b) {
  const [one, other] = [a.turbines.length, b.turbines.length];
  const middle = (/** @type {number} */ u, /** @type {number} */ v) =>
    (one * u + other * v) / (one + other);
  return { x: middle(a.x, b.x), y: middle(a.y, b.y), turbines: [...a.turbines, ...b.turbines] };
}

/** @param {number | null} abnormality */
function kindOf(abnormality) {
  if (abnormality === null) return "none";
  return Math.round(abnormality) >= 100 ? "above" : "below";
}

/** @param {PlacedTurbine} turbine */
function describeOne({ name, months, loaded }) {
  const abnormality = findLastIndex(months)?.abnormality ?? null;
  const shown = abnormality === null ? (loaded ? "no index" : "…") : figure(abnormality);
  const says = `${name}: ${loaded ? describeLastMonth(months) : "is being loaded."}`;
  return { shown, says, kind: kindOf(abnormality) };
}

/** @param {readonly PlacedTurbine[]} turbines */
function describeSeveral(turbines) {
  const names = turbines.slice(0, 5).map(({ name }) => name).join(", ");
  const more = turbines.length > 5 ? `, and ${turbines.length - 5} more` : "";
  return {
    shown: `${turbines.length} turbines`,
    says: `${turbines.length} turbines: ${names}${more}. Show them apart.`,
    kind: "several",
  };
}

/**
 * The marker of a spot.
 *
 * @param {Spot} spot
 * @param {{ width: number, height: number }} size Size of the map, px
 */
export function marker({ x, y, turbines }, { width, height }) {
  const { shown, says, kind } = turbines.length === 1
    ? describeOne(turbines[0])
    : describeSeveral(turbines);
  const button = element(
    "button",
    { type: "button", class: `marker ${kind}`, "aria-label": says, tabindex: -1 },
    shown,
  );
  button.style.left = `${100 * x / width}%`;
  button.style.top = `${100 * y / height}%`;
  return button;
}
