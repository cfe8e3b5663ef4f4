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

/** Room that a marker takes, px. */
const ROOM = { width: 100, height: 36 };

/**
 * Groups turbines whose markers would cover each other, from left to right.
 *
 * @param {readonly PlacedTurbine[]} turbines
 * @param {MapView} view
 * @returns {Spot[]}
 */
export function groupSpots(turbines, view) {
  /** @type {Spot[]} */
  const spots = [];
  const points = turbines.map((turbine) => ({ turbine, ...view.point(turbine.place) }))
    .toSorted((a, b) => a.x - b.x || a.y - b.y);
  for (const { turbine, x, y } of points) {
    const near = spots.find((spot) =>
      Math.abs(spot.x - x) < ROOM.width && Math.abs(spot.y - y) < ROOM.height
    );
    if (near) near.turbines.push(turbine);
    else spots.push({ x, y, turbines: [turbine] });
  }
  return spots;
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
