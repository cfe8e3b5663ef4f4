/**
 * A turbine as the page knows it.
 *
 * @module
 */
import { Refused } from "./ask.js";
import { figure, placeName } from "./figures.js";

/** @typedef {import("../start_contract.ts").StartContract} StartContract */

/**
 * A turbine, as far as it is known by now.
 *
 * @typedef {object} Turbine
 * @property {string} id
 * @property {string} name Its identifier until its details are there
 * @property {string} facts Size, height, place and zone, in words
 * @property {import("./map_view.js").Place | null} place
 * @property {import("./months.js").Month[]} months
 * @property {string} problem Why it has no figures; empty where it has or may get some
 * @property {boolean} failed Whether asking again may help
 * @property {boolean} loaded
 */

/**
 * A turbine of which only the identifier is known.
 *
 * @param {string} id
 * @returns {Turbine}
 */
export function newTurbine(id) {
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
 * Identifiers of the turbines in a list of them.
 *
 * @param {unknown} list The JSON list
 * @param {StartContract} contract
 * @returns {string[]}
 * @throws {Refused} If it is no such list
 */
export function idsOf(list, { turbineId }) {
  if (!Array.isArray(list)) throw new Refused("unreadable");
  return list.map((record) => {
    const id = record?.[turbineId];
    if (typeof id !== "string") throw new Refused("unreadable");
    return id;
  });
}

/**
 * What a turbine is, from its details.
 *
 * @param {any} record The JSON record
 * @param {StartContract} contract
 * @throws {Refused} If it is no such record
 */
export function detailsOf(record, { details }) {
  /** @param {keyof typeof details} name */
  const value = (name) => record?.[details[name].wire];
  if (typeof value("name") !== "string") throw new Refused("unreadable");
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
      place ? placeName(place.latitude, place.longitude) : "place not known",
      String(value("time_zone")),
    ].join(" · "),
  };
}
