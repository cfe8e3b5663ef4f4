/**
 * A turbine on the page.
 *
 * @module
 */
import { RefusalError } from "./service.js";
import { figure, formatPosition } from "./figures.js";

/** @typedef {import("../start_contract.ts").StartContract} StartContract */

/**
 * A turbine, as far as it is known.
 *
 * @typedef {object} Turbine
 * @property {string} id
 * @property {string} name Its identifier until its details are loaded
 * @property {string} facts Size, height, place and zone, in words
 * @property {import("./map_view.js").Place | null} place
 * @property {import("./months.js").Month[]} months
 * @property {string} problem Why it has no figures; empty where it has or may get some
 * @property {boolean} failed Whether trying again may help
 * @property {boolean} loaded
 */

/**
 * Creates a turbine of which only the identifier is known.
 *
 * @param {string} id
 * @returns {Turbine}
 */
export function createTurbine(id) {
  return {
    id,
    name: id,
    facts: "",
    place: null,
    months: [],
    problem: "",
    failed: false,
    loaded: false,
  };
}

/**
 * Reads the identifiers of a list of turbines.
 *
 * @param {unknown} list The JSON list
 * @param {StartContract} contract
 * @returns {string[]}
 * @throws {RefusalError} If it is not such a list
 */
export function readIds(list, { turbineId }) {
  if (!Array.isArray(list)) throw new RefusalError("unreadable");
  return list.map((record) => {
    const id = record?.[turbineId];
    if (typeof id !== "string") throw new RefusalError("unreadable");
    return id;
  });
}

/**
 * Reads the facts of a turbine from its details.
 *
 * @param {any} record The JSON record
 * @param {StartContract} contract
 * @throws {RefusalError} If it is not such a record
 */
export function readDetails(record, { details }) {
  /** @param {keyof typeof details} name */
  const value = (name) => record?.[details[name].wire];
  if (typeof value("name") !== "string") throw new RefusalError("unreadable");
  /** @param {"rated_power" | "hub_height"} name */
  const measured = (name) => {
    const { label, unit } = details[name];
    const known = value(name);
    return typeof known === "number" ? [`${label.toLowerCase()} ${figure(known, unit)}`] : [];
  };
  const [latitude, longitude] = [value("latitude"), value("longitude")];
  const place = typeof latitude === "number" && typeof longitude === "number"
    ? { latitude, longitude }
    : null;
  return {
    ready: value("data_ready") === true,
    name: /** @type {string} */ (value("name")),
    place,
    facts: [
      ...measured("rated_power"),
      ...measured("hub_height"),
      place ? formatPosition(place.latitude, place.longitude) : "position not known",
      String(value("time_zone")),
    ].join(" · "),
  };
}
